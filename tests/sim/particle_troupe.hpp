#pragma once
// A particle system alone with the emitters of one spell in rows 0 …, stepped as World does it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/particles/particle_system.hpp"

namespace spellpool::sim {

class ParticleTroupe {
 public:
  explicit ParticleTroupe(std::vector<frame::EmitterDef> emitters, pool::StrategyId strategy = pool::StrategyId::FreeList,
                          pool::PolicyId policy = pool::PolicyId::Reject, u32 capacity = 20'000, u64 seed = 1)
      : particles(seed, strategy, policy, capacity) {
    frame::SpellDef spell;
    spell.emitters = std::move(emitters);
    const std::vector<ParticleStyle> styles = bake_styles(spell, 0);
    for (u32 row = 0; row < styles.size(); ++row) particles.set_style(row, styles[row]);
    wanted_.reserve(64);
  }

  /// A still particle, once; the starting point of most tests.
  static frame::EmitterDef emitter(std::string name, u32 burst) {
    frame::EmitterDef def;
    def.name = std::move(name);
    def.burst = burst;
    def.life_s = {2.0f, 2.0f};
    return def;
  }

  /// For the next step.
  EmitRequest& burst(u32 row, float x = 0, float y = 0, float direction_turns = 0, float vx = 0, float vy = 0) {
    EmitRequest request;
    request.style = row;
    request.count = particles.style(row).def.burst;
    request.from_x = request.to_x = x;
    request.from_y = request.to_y = y;
    request.direction_turns = direction_turns;
    request.vx = vx;
    request.vy = vy;
    return wanted_.emplace_back(request);
  }
  EmitRequest& run(u32 row, u32 count, float x = 0, float y = 0, float direction_turns = 0) {
    EmitRequest& request = burst(row, x, y, direction_turns);
    request.count = count;
    request.spread_in_time = true;
    return request;
  }

  void step(std::span<const Attractor> attractors = {}) {
    particles.update(steps, attractors, shown);
    particles.despawn();
    particles.spawn(wanted_);
    wanted_.clear();
    ++steps;
  }
  void steps_of(u32 count) {
    for (u32 i = 0; i < count; ++i) step();
  }

  /// By spawn id; of one row, or of all.
  std::vector<Particle> all(i32 row = -1) {
    std::vector<Particle> found;
    particles.look_at_each([&](ParticleHandle, const Particle& p) {
      if (row < 0 || p.style == row) found.push_back(p);
    });
    std::sort(found.begin(), found.end(), [](const Particle& a, const Particle& b) { return a.spawn_id < b.spawn_id; });
    return found;
  }

  ParticleSystem particles;
  u64 steps = 0;
  std::optional<frame::Amount> shown;  ///< As ParticleSystem::update has it.

 private:
  std::vector<EmitRequest> wanted_;
};

}  // namespace spellpool::sim
