// The same seed, inputs and commands give the same world at every step, whatever holds the particles.
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using pool::PolicyId;
using pool::StrategyId;

constexpr u64 kSteps = 600;

/// Turns the strategy every `every` steps, on top of the script.
Script switching(u64 every, const Script& script = {}) {
  return [=](u64 step) {
    std::vector<frame::SimCommand> commands = script ? script(step) : std::vector<frame::SimCommand>{};
    if (step > 0 && step % every == 0) {
      commands.push_back(strategy_command(static_cast<StrategyId>(step / every % pool::kStrategyCount)));
    }
    return commands;
  };
}

void expect_all_alike(u64 seed, PolicyId policy, u32 capacity, const Script& script = {}) {
  SCOPED_TRACE(seed);
  const std::vector<u64> first = hashes(config(seed, static_cast<StrategyId>(0), policy, capacity), kSteps, script);
  for (std::size_t s = 0; s < pool::kStrategyCount; ++s) {
    SCOPED_TRACE(pool::kStrategies[s].name);
    const WorldConfig start = config(seed, static_cast<StrategyId>(s), policy, capacity);
    if (s > 0) {
      EXPECT_EQ(first_difference(first, hashes(start, kSteps, script)), -1);
    }
    EXPECT_EQ(first_difference(first, hashes(start, kSteps, switching(100, script))), -1) << "switching every 100 steps";
  }
}

TEST(Determinism, EveryStrategyAndSwitchingGiveTheSameHashes) {
  for (const u64 seed : {1u, 2u, 77u}) expect_all_alike(seed, PolicyId::Reject, 20'000);
}

TEST(Determinism, AlsoWhenAFullPoolRejects) {
  for (const u64 seed : {1u, 2u, 77u}) expect_all_alike(seed, PolicyId::Reject, 400);
}

TEST(Determinism, AlsoWhenTheOldestAreStolen) {
  for (const u64 seed : {1u, 2u, 77u}) expect_all_alike(seed, PolicyId::StealOldest, 500);
}

TEST(Determinism, PolicyAndCapacityCommandsWorkAlikeInEveryStrategy) {
  const Script script = [](u64 step) -> std::vector<frame::SimCommand> {
    switch (step) {
      case 90: return {capacity_command(300)};      // below what lives then
      case 150: return {policy_command(PolicyId::StealOldest)};
      case 220: return {capacity_command(150)};
      case 300: return {capacity_command(5000), policy_command(PolicyId::Reject)};
      case 301: return {policy_command(PolicyId::StealOldest)};
      case 380: return {capacity_command(1)};
      case 440: return {capacity_command(700)};
      default: return {};
    }
  };
  for (const u64 seed : {1u, 2u, 77u}) expect_all_alike(seed, PolicyId::Reject, 20'000, script);
}

TEST(Determinism, SwitchingEveryStepChangesNothing) {
  const std::vector<u64> still = hashes(config(5, StrategyId::FreeList), 200);
  EXPECT_EQ(first_difference(still, hashes(config(5, StrategyId::FreeList), 200, switching(1))), -1);
}

TEST(Determinism, ReloadedSpellsWorkAlikeInEveryStrategy) {
  const Script script = [](u64 step) -> std::vector<frame::SimCommand> {
    if (step != 100 && step != 250) return {};
    frame::SpellDef def = *small_spells()[0];
    def.emitters.resize(step == 100 ? 3 : 5);  // fewer emitters: living particles keep their rows
    def.emitters[2].burst = 10;
    return {spell_command(0, def)};
  };
  expect_all_alike(3, PolicyId::Reject, 20'000, script);
}

TEST(Determinism, LookingDisturbsNothing) {
  World looked(config(9, StrategyId::Heap)), blind(config(9, StrategyId::Heap));
  std::vector<u64> with, without;
  play(looked, 300, {}, [&](World& world) {
    world.build_snapshot();
    world.build_snapshot();
    with.push_back(world.hash());
  });
  play(blind, 300, {}, [&](World& world) { without.push_back(world.hash()); });
  EXPECT_EQ(first_difference(with, without), -1);
}

TEST(Determinism, TheCallersFloatStateDoesNotMatter) {
#if defined(__SSE2__)
  const std::vector<u64> plain = hashes(config(4, StrategyId::FreeList), 200);
  const u32 before = __builtin_ia32_stmxcsr();
  std::vector<u64> odd;
  World world(config(4, StrategyId::FreeList));
  Autoplayer player(4);
  for (u32 i = 0; i < 200; ++i) {
    const frame::InputFrame input = player.next(world);
    __builtin_ia32_ldmxcsr(0x1f80u | 0x8040u | 0x6000u);  // a driver left: flush to zero, round toward zero
    world.step(input, {});
    world.build_snapshot();
    __builtin_ia32_ldmxcsr(before);
    odd.push_back(world.hash());
  }
  EXPECT_EQ(first_difference(plain, odd), -1);
#else
  GTEST_SKIP() << "needs SSE2";
#endif
}

TEST(Determinism, ADifferentSeedOrInputGivesADifferentWorld) {
  EXPECT_NE(hashes(config(1, StrategyId::Heap), 50), hashes(config(2, StrategyId::Heap), 50));
  World a(config(1, StrategyId::Heap)), b(config(1, StrategyId::Heap));
  frame::InputFrame input;
  a.step(input, {});
  input.aim_x16 = 1;
  b.step(input, {});
  EXPECT_NE(a.hash(), b.hash());
}

TEST(Determinism, AHandleHeldAcrossSwitchesKeepsItsParticle) {
  World world(config(1, StrategyId::FreeList));
  struct Held {
    ParticleHandle handle;
    u64 spawn_id;
  };
  std::vector<Held> held;
  u64 kept = 0, gone = 0;
  play(world, 400, switching(7), [&](World& w) {
    for (std::size_t i = 0; i < held.size(); ++i) {
      const Particle* particle = w.particles().get(held[i].handle);
      if (particle) {
        ASSERT_EQ(particle->spawn_id, held[i].spawn_id) << "step " << w.steps();
        ++kept;
      } else {
        held[i--] = held.back();
        held.pop_back();
        ++gone;
      }
    }
    if (w.steps() % 10 == 0) {
      u32 n = 0;
      w.particles().for_each([&](ParticleHandle handle, const Particle& p) {
        if (n++ % 5 == 0 && held.size() < 300) held.push_back({handle, p.spawn_id});
      });
    }
  });
  EXPECT_GT(kept, 5'000u);
  EXPECT_GT(gone, 300u);
}

TEST(Determinism, TheHashFeelsEveryFieldOfAParticle) {
  // One particle that differs in one field only must give another hash: emit it from styles that differ in one number.
  auto hash_with = [](const std::function<void(frame::EmitterDef&)>& change) {
    ParticleSystem particles(1, StrategyId::FreeList, PolicyId::Reject, 10);
    frame::EmitterDef def = emitter("one", 1);
    def.speed = {50.0f, 50.0f};
    def.spread_turns = 0.0f;
    def.life_s = {1.0f, 1.0f};
    def.size = {4.0f, 4.0f};
    change(def);
    particles.set_style(0, bake_style(def));
    particles.set_style(1, bake_style(def));
    EmitRequest request;
    request.count = 1;
    const EmitRequest requests[] = {request};
    particles.spawn(requests);
    return particles.hash();
  };
  const u64 plain = hash_with([](frame::EmitterDef&) {});
  EXPECT_EQ(hash_with([](frame::EmitterDef& d) { d.curl = 9.0f; }), plain) << "a force has not acted yet";
  EXPECT_NE(hash_with([](frame::EmitterDef& d) { d.speed = {51.0f, 51.0f}; }), plain) << "vx";
  EXPECT_NE(hash_with([](frame::EmitterDef& d) { d.swirl = {1.0f, 1.0f}; }), plain) << "vy";
  EXPECT_NE(hash_with([](frame::EmitterDef& d) { d.life_s = {1.01f, 1.01f}; }), plain) << "age rate";
  EXPECT_NE(hash_with([](frame::EmitterDef& d) { d.size = {5.0f, 5.0f}; }), plain) << "size";
  EXPECT_NE(hash_with([](frame::EmitterDef& d) { d.shape = frame::EmitShape::Ring, d.radius = 3.0f; }), plain) << "place";
}

}  // namespace
}  // namespace spellpool::sim
