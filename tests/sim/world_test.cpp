// The world as a whole: commands, phases, looks, bad input, memory.
#include <cmath>
#include <set>

#include "../pool/allocation_probe.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using pool::PolicyId;
using pool::StrategyId;

TEST(World, WildInputIsHarmless) {
  World world(config(1, StrategyId::FreeList, PolicyId::StealOldest, 500));
  Rng rng(6);
  for (u32 i = 0; i < 900; ++i) {
    const u64 bits = rng.next_u64();
    frame::InputFrame input;
    input.aim_x16 = static_cast<i16>(bits);
    input.aim_y16 = static_cast<i16>(bits >> 16);
    input.move_x = static_cast<i8>(bits >> 32);
    input.move_y = static_cast<i8>(bits >> 40);
    input.buttons = static_cast<u8>(bits >> 48);
    input.select_spell = static_cast<u8>(bits >> 56);
    world.step(input, {});
    for (const auto& sprite : world.build_snapshot().sprites) ASSERT_TRUE(std::isfinite(sprite.x + sprite.y + sprite.size + sprite.p0));
    world.particles().look_at_each([&](ParticleHandle, const Particle& p) { ASSERT_TRUE(std::isfinite(p.x + p.y + p.vx + p.vy + p.age())); });
  }
  EXPECT_LT(world.selected_spell(), frame::kSpellCount);
}

TEST(World, CommandsTakeEffectInTheStepThatTheyAreGivenToAndInTheirPoolAlone) {
  World world(config(1, StrategyId::FreeList));
  const frame::SimCommand commands[] = {strategy_command(StrategyId::Heap), policy_command(PolicyId::StealOldest), capacity_command(123)};
  world.step({}, commands);
  EXPECT_EQ(world.pool(PoolId::Particles).strategy(), StrategyId::Heap);
  EXPECT_EQ(world.pool(PoolId::Particles).policy(), PolicyId::StealOldest);
  EXPECT_EQ(world.pool(PoolId::Particles).stats().capacity, 123u);
  for (const PoolId other : {PoolId::Seekers, PoolId::Wisps}) {
    EXPECT_EQ(world.pool(other).strategy(), StrategyId::FreeList);
    EXPECT_EQ(world.pool(other).policy(), PolicyId::Reject);
    const frame::SimCommand theirs[] = {strategy_command(StrategyId::Heap, other), policy_command(PolicyId::StealOldest, other),
                                        capacity_command(9, other)};
    world.step({}, theirs);
    EXPECT_EQ(world.pool(other).strategy(), StrategyId::Heap);
    EXPECT_EQ(world.pool(other).policy(), PolicyId::StealOldest);
    EXPECT_EQ(world.pool(other).stats().capacity, 9u);
  }
  EXPECT_EQ(world.pool(PoolId::Particles).stats().capacity, 123u);
}

TEST(World, ACapacityBelowTheLivingEndsNobody) {
  for (const auto& row : pool::kStrategies) {
    World world(config(1, row.id));
    juggle(world, 200, {}, {});
    std::set<u64> before;
    world.particles().look_at_each([&](ParticleHandle, const Particle& p) {
      if (p.age() + p.age_rate() * 3.0f < 1.0f) before.insert(p.spawn_id);
    });
    ASSERT_GT(before.size(), 50u);
    const frame::SimCommand commands[] = {capacity_command(10)};
    const u64 spawned = world.particles().stats().spawned;
    world.step({}, commands);
    std::set<u64> after;
    world.particles().look_at_each([&](ParticleHandle, const Particle& p) { after.insert(p.spawn_id); });
    for (const u64 id : before) EXPECT_TRUE(after.count(id)) << id;
    EXPECT_EQ(world.particles().stats().spawned, spawned) << "only new ones wait";
  }
}

TEST(World, PhasesComeInTheirOrder) {
  struct Sink : frame::PhaseSink {
    void enter(frame::Phase phase) override { phases.push_back(phase); }
    std::vector<frame::Phase> phases;
  } sink;
  World world(config(1, StrategyId::FreeList));
  world.step({}, {}, &sink);
  using frame::Phase;
  EXPECT_EQ(sink.phases, (std::vector<Phase>{Phase::Update, Phase::Collide, Phase::Despawn, Phase::Spawn}));
}

TEST(World, ASpellWithManyOrNoEmittersIsPlayed) {
  WorldConfig start = config(1, StrategyId::FreeList);
  frame::SpellDef many = *small_spells()[1];
  for (u32 i = 0; i < 40; ++i) many.emitters.push_back(emitter(std::string("extra").append(std::to_string(i)), 2));
  many.emitters[0].on_death = "extra39";  // beyond the rows that a spell has
  for (u8 i = 0; i < frame::kSpellCount; ++i) {
    frame::SpellDef none = *small_spells()[i];
    none.emitters.clear();
    start.spells[i] = std::make_shared<frame::SpellDef>(i == 1 ? many : none);
  }
  World world(start);
  u32 combo = 0;
  juggle(world, 800, {}, [&](World& w) {
    w.build_snapshot();
    combo = std::max(combo, w.challenge().combo());
  });
  EXPECT_GT(combo, 0u);
}

TEST(World, AChainOfDeathsThatFeedsItselfStaysWithinTheCapacity) {
  WorldConfig start = config(1, StrategyId::FreeList, PolicyId::Reject, 2000);
  frame::SpellDef def = *small_spells()[0];
  def.emitters = {emitter("burst", 50)};
  def.emitters[0].on_death = "burst";
  def.emitters[0].life_s = {0.05f, 0.2f};
  for (auto& spell : start.spells) spell = std::make_shared<frame::SpellDef>(def);
  World world(start);
  juggle(world, 200, {}, [&](World& w) { ASSERT_LE(w.particles().stats().live, 2000u); });
  EXPECT_EQ(world.particles().stats().peak, 2000u);
}

// ---------------------------------------------------------------------------------------------------- looks

TEST(Looks, MotionTakesShakeAndLeadAndLeavesTheRest) {
  World world(config(1, StrategyId::FreeList));
  frame::LookSettings full, reduced, off;
  reduced.motion = frame::Amount::Reduced;
  off.motion = frame::Amount::Off;
  float most = 0.0f, most_lead = 0.0f;
  juggle(world, 600, {}, [&](World& w) {
    const frame::RenderSnapshot a = w.build_snapshot(full), b = w.build_snapshot(reduced), c = w.build_snapshot(off);
    EXPECT_EQ(c.shake_x, 0.0f);
    EXPECT_EQ(c.shake_y, 0.0f);
    EXPECT_NEAR(b.shake_x, a.shake_x / 3.0f, 1e-4f);
    EXPECT_NEAR(b.camera_x - c.camera_x, (a.camera_x - c.camera_x) / 3.0f, 1e-3f);
    most = std::max(most, std::abs(a.shake_x));
    most_lead = std::max(most_lead, std::abs(a.camera_x - c.camera_x));
    EXPECT_LE(std::abs(a.shake_x), 6.0f);
    EXPECT_EQ(w.camera_x(), c.camera_x) << "the camera of the last snapshot";
  });
  EXPECT_GT(most, 1.0f);
  EXPECT_GT(most_lead, 5.0f);
}

TEST(Looks, FlashTakesTheLightOfCastsAndHits) {
  World world(config(1, StrategyId::FreeList));
  frame::LookSettings full, reduced, off;
  reduced.flash = frame::Amount::Reduced;
  off.flash = frame::Amount::Off;
  auto brightest = [&](const frame::LookSettings& looks) {
    float most = 0.0f;
    for (const auto& light : world.build_snapshot(looks).lights) most = std::max(most, light.r + light.g + light.b);
    return most;
  };
  float dummy_flash[3] = {0, 0, 0}, sum[3] = {0, 0, 0};
  juggle(world, 600, {}, [&](World& w) {
    const frame::LookSettings* all[] = {&full, &reduced, &off};
    for (u32 i = 0; i < 3; ++i) {
      sum[i] += brightest(*all[i]);
      for (const auto& sprite : w.build_snapshot(*all[i]).sprites) {
        if (sprite.kind == static_cast<u32>(frame::SpriteKind::Dummy)) dummy_flash[i] = std::max(dummy_flash[i], sprite.p0);
      }
    }
  });
  EXPECT_GT(sum[0], sum[1]);
  EXPECT_GT(sum[1], sum[2]);
  EXPECT_EQ(dummy_flash[0], 1.0f);
  EXPECT_NEAR(dummy_flash[1], 1.0f / 3.0f, 0.001f);
  EXPECT_EQ(dummy_flash[2], 0.0f);
}

TEST(Looks, DensityDrawsFewerParticlesAndLeavesTheSame) {
  World world(config(1, StrategyId::FreeList));
  juggle(world, 300, {}, {});
  frame::LookSettings half;
  half.density = frame::Amount::Reduced;
  auto drawn = [](const frame::RenderSnapshot& s) { return s.additive_layer.size() + s.alpha_layer.size(); };
  const std::size_t all = drawn(world.build_snapshot());
  const std::size_t fewer = drawn(world.build_snapshot(half));
  EXPECT_GT(all, 100u);
  EXPECT_LT(fewer, all * 7 / 10);
  EXPECT_EQ(drawn(world.build_snapshot()), all);
}

TEST(Looks, NothingJumpsBetweenTwoSnapshots) {
  // What is drawn between two steps starts where the last step ended: sprites that are there twice, and the camera.
  World world(config(2, StrategyId::FreeList));
  float camera_x = 0.0f;
  juggle(world, 600, {}, [&](World& w) {
    const frame::RenderSnapshot& s = w.build_snapshot();
    if (w.steps() > 1) {
      ASSERT_EQ(s.previous_camera_x, camera_x) << w.steps();
    }
    camera_x = s.camera_x;
    for (const auto& sprite : s.sprites) {
      ASSERT_LT(std::hypot(sprite.x - sprite.previous_x, sprite.y - sprite.previous_y), 40.0f) << "kind " << sprite.kind;
    }
  });
}

// ---------------------------------------------------------------------------------------------------- presets

TEST(Presets, SoManyMotesAreAliveAsTheySay) {
  for (const PresetRow& preset : kPresets) {
    SCOPED_TRACE(preset.name);
    ASSERT_LE(preset.capacity, frame::kMaxCapacity);
    if (preset.ambient == 0) continue;
    WorldConfig start = config(1, StrategyId::FreeList, PolicyId::Reject, preset.capacity);
    start.preset = preset.id;
    World world(start);
    const u32 life_steps = static_cast<u32>(preset.life_s * 60.0f);
    for (u32 i = 0; i < life_steps + life_steps / 50 + 2; ++i) world.step({}, {});
    const pool::PoolStats stats = world.pool(PoolId::Particles).stats();
    EXPECT_NEAR(stats.live, preset.ambient, preset.ambient / 50);
    EXPECT_EQ(stats.rejected, 0u);
  }
}

// ---------------------------------------------------------------------------------------------------- memory

void expect_no_allocations(PolicyId policy, u32 capacity) {
  WorldConfig start = config(1, StrategyId::FreeList, policy, capacity, 4);
  World world(start);
  u64 step = 0;
  for (; step < 900; ++step) {
    const frame::InputFrame input = juggle(step, 1);
    const u64 calls = test::new_calls_in([&] {
      world.step(input, {});
      world.build_snapshot();
      static_cast<void>(world.hash());
    });
    ASSERT_EQ(calls, 0u) << "step " << step;
  }
  EXPECT_GT(world.pool(PoolId::Seekers).stats().spawned, 4u);
  EXPECT_GT(world.pool(PoolId::Particles).stats().peak, std::min(capacity, 2000u) - 1);
}

TEST(Memory, AllEightSpellsAndAChallengeStepAndShowWithoutOneAllocation) {
  expect_no_allocations(PolicyId::Reject, 20'000);
  expect_no_allocations(PolicyId::StealOldest, 20'000);
  expect_no_allocations(PolicyId::Reject, 700);
  expect_no_allocations(PolicyId::StealOldest, 700);
}

}  // namespace
}  // namespace spellpool::sim
