#pragma once
// Targets and the challenge without a world around them: their effects, and a particle system for what those need to know.
#include "../pool/allocation_probe.hpp"
#include "../support/shipped_arena.hpp"
#include "sim/spells/targets.hpp"

namespace spellpool::sim {

struct Stage {
  explicit Stage(u64 seed = 1, const PoolChoice& wisps = {pool::StrategyId::FreeList, pool::PolicyId::Reject, 16})
      : particles(seed, pool::StrategyId::FreeList, pool::PolicyId::Reject, 24'000), effects(seed), targets(seed, wisps, &memory.step) {
    const auto arena = test::shipped_arena();
    for (u32 i = 0; i < kArenaEmitterCount; ++i)
      particles.set_style(kArenaStyles + i, bake_style((*arena)[i]));
    effects.use(particles);
    begin();
  }

  /// The first half of a step: hits come after it.
  void begin() {
    targets.forget_views();
    memory.step.begin_frame();
    effects.begin_step(step);
    targets.step(step, effects);
    challenge.step(step, effects);
  }
  /// The second half, and the next step's first.
  void next() {
    if (with_particles) {
      particles.update(step, effects.attractors());
      particles.despawn();
      particles.spawn(effects.requests());
    }
    effects.end_step();
    ++step;
    begin();
  }
  void run(u32 steps) {
    for (u32 i = 0; i < steps; ++i) next();
  }
  /// Into the first step of a round.
  void start_round() {
    challenge.press(effects);
    run(180);
  }
  u64 score() const { return challenge.view().result.score; }
  u64 hash() const {
    StateHash h;
    targets.add_to(h);
    challenge.add_to(h);
    return h.value();
  }
  u32 heard(frame::SoundId id) const {
    u32 count = 0;
    for (const frame::AudioEvent& event : effects.sounds()) count += event.sound == id;
    return count;
  }
  u32 asked(ArenaEmitter which) const {
    u32 count = 0;
    for (const EmitRequest& request : effects.requests()) count += request.style == arena_row(which) ? request.count : 0;
    return count;
  }

  FrameMemory memory{100};  // of the targets; the particles have their own
  ParticleSystem particles;
  Effects effects;
  Challenge challenge;
  Targets targets;
  u64 step = 0;
  bool with_particles = false;
};

}  // namespace spellpool::sim
