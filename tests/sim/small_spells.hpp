#pragma once
// Eight small spells made in code, so that these tests need no files: every behaviour, role, layer and shape is among them,
// and chains of deaths. And the games that the tests play, with commands at given steps: autoplay, and a juggler who does
// all that a player can do.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../support/shipped_arena.hpp"
#include "sim/replay/replay.hpp"
#include "sim/spells/autoplay.hpp"
#include "sim/spells/world.hpp"

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

/// A spell with the emitters that all have: gather, charge, ready, cast, follow.
inline frame::SpellDef small_spell(std::string id, frame::SpellBehaviour behaviour, std::vector<frame::EmitterDef> emitters) {
  frame::SpellDef def;
  def.id = def.title = std::move(id);
  def.behaviour = behaviour;
  def.charge_s = 0.4f;
  def.follow_s = 0.3f;
  def.emitters = {emitter("gather", 6, 60.0f), emitter("charge", 0, 90.0f), emitter("ready", 8), emitter("cast", 10),
                  emitter("follow", 0, 50.0f)};
  for (frame::EmitterDef& e : emitters) def.emitters.push_back(std::move(e));
  return def;
}

/// The emitter of this name.
inline frame::EmitterDef& part(frame::SpellDef& def, std::string_view name) {
  for (frame::EmitterDef& e : def.emitters) {
    if (e.name == name) return e;
  }
  throw std::out_of_range("no such emitter");
}

inline SpellSet small_spells(u32 scale = 1) {
  using namespace frame;
  const float many = static_cast<float>(scale);

  SpellDef bolt = small_spell("firebolt", SpellBehaviour::Bolt,
                              {emitter("trail", 0, 30.0f, 0.5f), emitter("burst", 90 * scale), emitter("embers", 40 * scale),
                               emitter("smoke", 8, 20.0f), emitter("ash", 3), emitter("dust", 2)});
  bolt.cooldown_s = 0.2f;
  part(bolt, "trail").inherit = 0.2f;
  part(bolt, "burst").on_death = "ash";
  part(bolt, "embers").curl = 200.0f;
  part(bolt, "embers").gravity_y = -80.0f;
  part(bolt, "embers").drag_per_s = 2.0f;
  part(bolt, "smoke").layer = ParticleLayer::Alpha;
  part(bolt, "smoke").curl = 90.0f;
  part(bolt, "ash").on_death = "dust";
  part(bolt, "ash").layer = ParticleLayer::Alpha;

  SpellDef nova = small_spell("frost_nova", SpellBehaviour::Nova,
                              {emitter("burst", 240 * scale), emitter("mist", 30), emitter("shards", 60)});
  nova.cooldown_s = 0.5f;
  nova.radius = 230.0f;
  nova.duration_s = 0.5f;
  part(nova, "burst").rays = 6;
  part(nova, "burst").spread_turns = 0.3f;
  part(nova, "burst").shape = EmitShape::Ring;
  part(nova, "burst").radius = 20.0f;
  part(nova, "mist").layer = ParticleLayer::Alpha;
  part(nova, "mist").shape = EmitShape::Disc;
  part(nova, "mist").radius = 60.0f;
  part(nova, "shards").particle = ParticleShape::Shard;
  part(nova, "shards").shape = EmitShape::Cone;
  part(nova, "shards").radius = 30.0f;

  SpellDef chain = small_spell("chain_lightning", SpellBehaviour::Chain,
                               {emitter("arc", 0, 0.0f, 0.4f), emitter("burst", 20 * scale), emitter("embers", 8)});
  chain.cooldown_s = 0.4f;
  chain.radius = 180.0f;
  chain.duration_s = 0.3f;
  chain.count = 3;
  chain.sound_cast = SoundId::ChainCast;
  part(chain, "arc").shape = EmitShape::Line;
  part(chain, "arc").width = 12.0f;

  SpellDef vortex = small_spell("arcane_vortex", SpellBehaviour::Vortex,
                                {emitter("spiral", 0, 900.0f * many), emitter("core", 0, 120.0f), emitter("close", 200)});
  vortex.cooldown_s = 0.8f;
  vortex.radius = 200.0f;
  vortex.duration_s = 1.5f;
  vortex.pull = 500.0f;
  vortex.sound_cast = SoundId::VortexOpen;
  part(vortex, "spiral").shape = EmitShape::Ring;
  part(vortex, "spiral").radius = 190.0f;
  part(vortex, "spiral").swirl = {150.0f, 250.0f};
  part(vortex, "spiral").prewarm_s = 0.2f;
  part(vortex, "core").pull = 60.0f;
  part(vortex, "core").turn = 80.0f;

  SpellDef meteor = small_spell("meteor", SpellBehaviour::Meteor,
                                {emitter("mark", 0, 60.0f), emitter("trail", 0, 0.0f, 0.3f), emitter("smoke", 0, 30.0f),
                                 emitter("burst", 120 * scale), emitter("ring", 80), emitter("stones", 12), emitter("embers", 30),
                                 emitter("knock", 2), emitter("wake", 0, 20.0f)});
  meteor.cooldown_s = 0.9f;
  meteor.speed = 900.0f;
  meteor.radius = 190.0f;
  meteor.duration_s = 0.5f;
  meteor.power = 2.0f;
  meteor.shake = 0.6f;
  meteor.sound_cast = SoundId::MeteorCall;
  meteor.sound_hit = SoundId::MeteorImpact;
  part(meteor, "mark").shape = EmitShape::Ring;
  part(meteor, "mark").radius = 60.0f;
  part(meteor, "smoke").layer = ParticleLayer::Alpha;
  part(meteor, "stones").lift = {120.0f, 260.0f};
  part(meteor, "stones").gravity_y = 700.0f;
  part(meteor, "stones").bounce_on = BounceOn::Both;
  part(meteor, "stones").on_hit = "knock";
  part(meteor, "stones").trail = "wake";
  part(meteor, "stones").layer = ParticleLayer::Alpha;

  SpellDef fog = small_spell("poison_fog", SpellBehaviour::Fog,
                             {emitter("burst", 20), emitter("fog", 0, 80.0f * many), emitter("bubbles", 0, 20.0f), emitter("close", 30),
                              emitter("pop", 3)});
  fog.cooldown_s = 1.0f;
  fog.radius = 90.0f;
  fog.duration_s = 3.0f;
  fog.sound_cast = SoundId::FogCast;
  fog.sound_hit = SoundId::FogBubble;
  part(fog, "fog").layer = ParticleLayer::Alpha;
  part(fog, "fog").shape = EmitShape::Disc;
  part(fog, "fog").radius = 70.0f;
  part(fog, "bubbles").on_death = "pop";
  part(fog, "bubbles").on_birth = "pop";

  SpellDef motes = small_spell("healing_motes", SpellBehaviour::Motes,
                               {emitter("burst", 30), emitter("motes", 0, 60.0f * many), emitter("seek", 0, 10.0f, 0.2f),
                                emitter("heal", 15)});
  motes.cooldown_s = 1.0f;
  motes.speed = 320.0f;
  motes.radius = 150.0f;
  motes.duration_s = 2.5f;
  motes.count = 4;
  motes.power = 0.5f;
  motes.sound_cast = SoundId::MotesCast;
  motes.sound_hit = SoundId::MotesHeal;
  part(motes, "motes").shape = EmitShape::Box;
  part(motes, "motes").width = 120.0f;
  part(motes, "motes").height = 60.0f;
  part(motes, "motes").speed_curve = {{0.0f, 1.0f}, {1.0f, 0.2f}};

  SpellDef starfall = small_spell("starfall", SpellBehaviour::Starfall,
                                  {emitter("mark", 0, 30.0f), emitter("trail", 0, 0.0f, 0.2f), emitter("burst", 30 * scale),
                                   emitter("embers", 6)});
  starfall.cooldown_s = 1.0f;
  starfall.speed = 900.0f;
  starfall.radius = 130.0f;
  starfall.duration_s = 1.2f;
  starfall.count = 14;
  starfall.sound_cast = SoundId::StarCast;
  starfall.sound_hit = SoundId::StarLand;
  part(starfall, "burst").seed = 5;

  SpellSet set;
  const std::array made = {&bolt, &nova, &chain, &vortex, &meteor, &fog, &motes, &starfall};
  for (std::size_t i = 0; i < set.size(); ++i) {  // what comes behind the eighth is a bolt
    SpellDef def = i < made.size() ? *made[i] : bolt;
    def.id = def.title = std::string(kSpellFiles[i]);
    set[i] = std::make_shared<SpellDef>(std::move(def));
  }
  return set;
}

/// Every pool with this strategy and policy; `capacity` is the particles'.
inline WorldConfig config(u64 seed, pool::StrategyId strategy, pool::PolicyId policy = pool::PolicyId::Reject, u32 capacity = 20'000,
                          u32 scale = 1) {
  WorldConfig made;
  made.seed = seed;
  made.pools = pool_choices(strategy, policy);
  made.pools[static_cast<std::size_t>(frame::PoolId::Particles)].capacity = capacity;
  made.spells = small_spells(scale);
  made.arena = test::shipped_arena();
  return made;
}

/// The shooter with this stage. A strategy is for every pool; without one each has its default.
inline WorldConfig stage_config(frame::StageDef stage, frame::PatternBook patterns, std::optional<pool::StrategyId> strategy = {},
                                u32 scale = 1) {
  WorldConfig made;
  made.scene = frame::SceneId::Shooter;
  made.seed = 5;
  made.pools = default_choices(made.scene);
  for (PoolChoice& choice : made.pools) choice.strategy = strategy.value_or(choice.strategy);
  made.spells = small_spells(scale);
  made.arena = test::shipped_arena();
  made.patterns = std::make_shared<const frame::PatternBook>(std::move(patterns));
  made.stage = std::make_shared<const frame::StageDef>(std::move(stage));
  return made;
}

inline frame::SimCommand load_command(frame::SimCommandKind kind, u32 number, u8 choice = 0) {
  frame::SimCommand command;
  command.kind = kind;
  command.capacity = number;
  command.choice = choice;
  return command;
}
inline frame::SimCommand strategy_command(pool::StrategyId strategy, frame::PoolId pool = frame::PoolId::Particles) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetStrategy;
  command.pool = pool;
  command.choice = static_cast<u8>(strategy);
  return command;
}
inline frame::SimCommand policy_command(pool::PolicyId policy, frame::PoolId pool = frame::PoolId::Particles) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetPolicy;
  command.pool = pool;
  command.choice = static_cast<u8>(policy);
  return command;
}
inline frame::SimCommand capacity_command(u32 capacity, frame::PoolId pool = frame::PoolId::Particles) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetCapacity;
  command.pool = pool;
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

/// A player of the tests' own: casts all eight spells at changing places, every other one charged, sometimes rapidly, walks
/// in circles, and starts a challenge. Its input depends on the step alone.
inline frame::InputFrame juggle(u64 step, u64 seed) {
  constexpr u64 kTurn = 48;  // a spell's
  const u64 turn = step / kTurn, within = step % kTurn;
  Rng rng(mix64(seed * 977 + turn));
  frame::InputFrame input;
  input.select_spell = static_cast<u8>(turn % frame::kSpellCount);
  const float round = static_cast<float>(step % 500) / 500.0f;
  input.move_x = static_cast<i8>(100.0f * cos_turns(round));
  input.move_y = static_cast<i8>(100.0f * sin_turns(round));
  const float aim_x = rng.range(-240.0f, 240.0f);
  const float aim_y = rng.range(-220.0f, 200.0f);
  input.aim_x16 = static_cast<i16>(aim_x * frame::kAimScale);
  input.aim_y16 = static_cast<i16>(aim_y * frame::kAimScale);
  if (turn % 3 == 2) {
    input.buttons = frame::kButtonRapid;
  } else if (within >= 2 && within < (turn % 2 == 0 ? 40u : 4u)) {
    input.buttons = frame::kButtonCast;
  }
  if (step == 150 || step == 151) input.buttons = static_cast<u8>(input.buttons | frame::kButtonChallenge);
  return input;
}

/// Plays `steps` with the juggler; each(world) after every step.
inline void juggle(World& world, u64 steps, const Script& script, const std::function<void(World&)>& each) {
  for (u64 i = 0; i < steps; ++i) {
    const std::vector<frame::SimCommand> commands = script ? script(world.steps()) : std::vector<frame::SimCommand>{};
    world.step(juggle(world.steps(), world.config().seed), commands);
    if (each) each(world);
  }
}
inline std::vector<u64> juggled(const WorldConfig& config, u64 steps, const Script& script = {}) {
  World world(config);
  std::vector<u64> all;
  juggle(world, steps, script, [&](World& w) { all.push_back(w.hash()); });
  return all;
}

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
