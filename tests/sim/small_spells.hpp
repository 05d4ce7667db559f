#pragma once
// Three small spells made in code, so that these tests need no files: every behaviour, layer, shape and a chain of
// deaths is among them. And the game that the tests play: autoplay, with commands at given steps.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "sim/autoplay.hpp"
#include "sim/replay.hpp"
#include "sim/world.hpp"

namespace spellpool::sim {

inline frame::EmitterDef emitter(std::string name, u32 burst, float rate_per_s = 0.0f, float per_unit = 0.0f) {
  frame::EmitterDef def;
  def.name = std::move(name);
  def.burst = burst;
  def.rate_per_s = rate_per_s;
  def.per_unit = per_unit;
  def.life_s = {0.3f, 0.9f};
  def.speed = {20.0f, 180.0f};
  return def;
}

inline SpellSet small_spells(u32 scale = 1) {
  using namespace frame;
  SpellDef bolt;
  bolt.id = bolt.title = "firebolt";
  bolt.behaviour = SpellBehaviour::Bolt;
  bolt.cooldown_s = 0.2f;
  bolt.emitters = {emitter("gather", 6), emitter("trail", 0, 30.0f, 0.5f), emitter("burst", 90 * scale), emitter("embers", 40 * scale),
                   emitter("smoke", 8, 20.0f), emitter("ash", 3), emitter("dust", 2)};
  bolt.emitters[1].inherit = 0.2f;
  bolt.emitters[2].on_death = "ash";
  bolt.emitters[3].curl = 200.0f;
  bolt.emitters[3].gravity_y = -80.0f;
  bolt.emitters[3].drag_per_s = 2.0f;
  bolt.emitters[4].layer = ParticleLayer::Alpha;
  bolt.emitters[4].curl = 90.0f;
  bolt.emitters[5].on_death = "dust";
  bolt.emitters[5].layer = ParticleLayer::Alpha;

  SpellDef nova;
  nova.id = nova.title = "frost_nova";
  nova.behaviour = SpellBehaviour::Nova;
  nova.cooldown_s = 0.5f;
  nova.radius = 230.0f;
  nova.duration_s = 0.5f;
  nova.emitters = {emitter("burst", 240 * scale), emitter("mist", 30), emitter("shards", 60)};
  nova.emitters[0].rays = 6;
  nova.emitters[0].spread_turns = 0.3f;
  nova.emitters[0].shape = EmitShape::Ring;
  nova.emitters[0].radius = 20.0f;
  nova.emitters[1].layer = ParticleLayer::Alpha;
  nova.emitters[1].shape = EmitShape::Disc;
  nova.emitters[1].radius = 60.0f;
  nova.emitters[2].particle = ParticleShape::Shard;
  nova.emitters[2].shape = EmitShape::Cone;
  nova.emitters[2].radius = 30.0f;

  SpellDef vortex;
  vortex.id = vortex.title = "arcane_vortex";
  vortex.behaviour = SpellBehaviour::Vortex;
  vortex.cooldown_s = 0.8f;
  vortex.radius = 200.0f;
  vortex.duration_s = 1.5f;
  vortex.pull = 500.0f;
  vortex.emitters = {emitter("gather", 0, 300.0f), emitter("spiral", 0, 900.0f * static_cast<float>(scale)), emitter("core", 0, 120.0f),
                     emitter("close", 200)};
  vortex.emitters[1].shape = EmitShape::Ring;
  vortex.emitters[1].radius = 190.0f;
  vortex.emitters[1].swirl = {150.0f, 250.0f};

  return {std::make_shared<SpellDef>(bolt), std::make_shared<SpellDef>(nova), std::make_shared<SpellDef>(vortex)};
}

inline WorldConfig config(u64 seed, pool::StrategyId strategy, pool::PolicyId policy = pool::PolicyId::Reject, u32 capacity = 20'000,
                          u32 scale = 1) {
  WorldConfig made;
  made.seed = seed;
  made.strategy = strategy;
  made.policy = policy;
  made.capacity = capacity;
  made.spells = small_spells(scale);
  return made;
}

inline frame::SimCommand strategy_command(pool::StrategyId strategy) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetStrategy;
  command.choice = static_cast<u8>(strategy);
  return command;
}
inline frame::SimCommand policy_command(pool::PolicyId policy) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetPolicy;
  command.choice = static_cast<u8>(policy);
  return command;
}
inline frame::SimCommand capacity_command(u32 capacity) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetCapacity;
  command.capacity = capacity;
  return command;
}
inline frame::SimCommand spell_command(u8 spell, frame::SpellDef def) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetSpell;
  command.spell = spell;
  command.definition = std::make_shared<frame::SpellDef>(std::move(def));
  return command;
}

/// Commands of step i, or none.
using Script = std::function<std::vector<frame::SimCommand>(u64 step)>;

/// Plays `steps` with autoplay; each(world) after every step.
inline void play(World& world, u64 steps, const Script& script, const std::function<void(World&)>& each) {
  Autoplayer player(world.config().seed);
  for (u64 i = 0; i < steps; ++i) {
    const std::vector<frame::SimCommand> commands = script ? script(world.steps()) : std::vector<frame::SimCommand>{};
    world.step(player.next(world), commands);
    if (each) each(world);
  }
}
inline std::vector<u64> hashes(const WorldConfig& config, u64 steps, const Script& script = {}) {
  World world(config);
  std::vector<u64> all;
  play(world, steps, script, [&](World& w) { all.push_back(w.hash()); });
  return all;
}

/// The first step at which two runs differ, or −1: a better message than two vectors.
inline i64 first_difference(const std::vector<u64>& a, const std::vector<u64>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i] != b[i]) return static_cast<i64>(i);
  }
  return a.size() == b.size() ? -1 : static_cast<i64>(std::min(a.size(), b.size()));
}

}  // namespace spellpool::sim
