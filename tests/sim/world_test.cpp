// The game: what spells do, and that autoplay plays all of it.
#include <cmath>
#include <set>

#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using pool::PolicyId;
using pool::StrategyId;

TEST(Autoplay, CastsEverySpellAndHitsTargets) {
  World world(config(1, StrategyId::FreeList));
  std::set<u8> chosen;
  std::set<frame::SoundId> sounds;
  u32 best_combo = 0;
  std::set<u32> flashed;
  play(world, 900, {}, [&](World& w) {
    chosen.insert(w.selected_spell());
    for (const auto& event : w.audio_events()) sounds.insert(event.sound);
    best_combo = std::max(best_combo, w.combo());
    for (u32 i = 0; i < w.targets().size(); ++i) {
      if (w.targets()[i].flash == 1.0f) flashed.insert(i);
    }
  });
  EXPECT_EQ(chosen.size(), frame::kSpellCount);
  EXPECT_GT(best_combo, 3u);
  EXPECT_GT(flashed.size(), 5u) << "different targets are hit";
  EXPECT_TRUE(sounds.count(frame::SoundId::DummyHit));
  EXPECT_TRUE(sounds.count(frame::SoundId::CrystalChime));
  EXPECT_TRUE(sounds.count(frame::SoundId::SpellSelect));
}

TEST(Autoplay, KeepsAReasonableNumberOfParticlesAlive) {
  World world(config(1, StrategyId::FreeList));
  u32 least = ~0u;
  u64 sum = 0;
  play(world, 900, {}, [&](World& w) {
    const u32 live = w.particles().stats().live;
    if (w.steps() > 200) least = std::min(least, live);
    sum += live;
  });
  EXPECT_GT(least, 30u);
  EXPECT_GT(sum / 900, 200u);
  EXPECT_LT(world.particles().stats().peak, 10'000u);
  EXPECT_EQ(world.particles().stats().rejected, 0u);
}

TEST(Autoplay, TheSameSeedPlaysTheSameGame) {
  auto inputs = [](u64 seed) {
    World world(config(seed, StrategyId::Heap));
    Autoplayer player(seed);
    std::vector<frame::InputFrame> all;
    for (u32 i = 0; i < 300; ++i) {
      all.push_back(player.next(world));
      world.step(all.back(), {});
    }
    return all;
  };
  EXPECT_EQ(inputs(4), inputs(4));
  EXPECT_NE(inputs(4), inputs(5));
}

TEST(World, TheMageStaysInTheArenaAndMovesEvenly) {
  World world(config(1, StrategyId::FreeList));
  frame::InputFrame input;
  input.move_x = 127;
  input.move_y = -128;
  float before_x = world.mage_x(), before_y = world.mage_y();
  world.step(input, {});
  const float first = std::hypot(world.mage_x() - before_x, world.mage_y() - before_y);
  EXPECT_NEAR(first, 230.0f / 60.0f, 0.01f) << "no faster along the diagonal";
  for (u32 i = 0; i < 400; ++i) {
    world.step(input, {});
    ASSERT_LE(std::hypot(world.mage_x(), world.mage_y()), 262.01f);
  }
}

TEST(World, HoldingCastRespectsTheCooldown) {
  World world(config(1, StrategyId::FreeList));
  frame::InputFrame input;
  input.aim_x16 = 200 * 16;
  input.buttons = frame::kButtonCast;
  u32 casts = 0;
  for (u32 i = 0; i < 120; ++i) {
    world.step(input, {});
    for (const auto& event : world.audio_events()) casts += event.sound == frame::SoundId::FireCast ? 1u : 0u;
    EXPECT_TRUE(world.cooldown() >= 0.0f && world.cooldown() <= 1.0f);
  }
  EXPECT_GE(casts, 9u);   // two seconds, one cast each 0.2 s and the step's rounding
  EXPECT_LE(casts, 10u);
}

TEST(World, WithoutInputNothingIsCast) {
  World world(config(1, StrategyId::FreeList));
  for (u32 i = 0; i < 120; ++i) {
    world.step({}, {});
    ASSERT_TRUE(world.audio_events().empty());
  }
  EXPECT_EQ(world.combo(), 0u);
}

TEST(World, WildInputIsHarmless) {
  World world(config(1, StrategyId::FreeList, PolicyId::StealOldest, 500));
  Rng rng(6);
  for (u32 i = 0; i < 600; ++i) {
    const u64 bits = rng.next_u64();
    frame::InputFrame input;
    input.aim_x16 = static_cast<i16>(bits);
    input.aim_y16 = static_cast<i16>(bits >> 16);
    input.move_x = static_cast<i8>(bits >> 32);
    input.move_y = static_cast<i8>(bits >> 40);
    input.buttons = static_cast<u8>(bits >> 48);
    input.select_spell = static_cast<u8>(bits >> 56);
    world.step(input, {});
    world.build_snapshot();
    world.particles().for_each([&](ParticleHandle, const Particle& p) { ASSERT_TRUE(std::isfinite(p.x + p.y + p.vx + p.vy + p.age())); });
  }
  EXPECT_LT(world.selected_spell(), frame::kSpellCount);
}

TEST(World, CommandsTakeEffectInTheStepThatTheyAreGivenTo) {
  World world(config(1, StrategyId::FreeList));
  const frame::SimCommand commands[] = {strategy_command(StrategyId::Heap), policy_command(PolicyId::StealOldest), capacity_command(123)};
  world.step({}, commands);
  EXPECT_EQ(world.particles().strategy(), StrategyId::Heap);
  EXPECT_EQ(world.particles().policy(), PolicyId::StealOldest);
  EXPECT_EQ(world.particles().stats().capacity, 123u);
}

TEST(World, ACapacityBelowTheLivingEndsNobody) {
  for (const auto& row : pool::kStrategies) {
    World world(config(1, row.id));
    play(world, 200, {}, {});
    std::set<u64> before;
    world.particles().for_each([&](ParticleHandle, const Particle& p) {
      if (p.age() + p.age_rate() * 3.0f < 1.0f) before.insert(p.spawn_id);
    });
    ASSERT_GT(before.size(), 50u);
    const frame::SimCommand commands[] = {capacity_command(10)};
    const u64 spawned = world.particles().stats().spawned;
    world.step({}, commands);
    std::set<u64> after;
    world.particles().for_each([&](ParticleHandle, const Particle& p) { after.insert(p.spawn_id); });
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
  frame::SpellDef none = *small_spells()[0];
  none.emitters.clear();
  frame::SpellDef many = *small_spells()[1];
  for (u32 i = 0; i < 40; ++i) many.emitters.push_back(emitter(std::string("extra").append(std::to_string(i)), 2));
  many.emitters[0].on_death = "extra39";  // beyond the rows that a spell has
  start.spells[0] = std::make_shared<frame::SpellDef>(none);
  start.spells[1] = std::make_shared<frame::SpellDef>(many);
  World world(start);
  play(world, 400, {}, [](World& w) { w.build_snapshot(); });
  EXPECT_GT(world.combo() + world.particles().stats().spawned, 0u);
}

TEST(World, AChainOfDeathsThatFeedsItselfStaysWithinTheCapacity) {
  WorldConfig start = config(1, StrategyId::FreeList, PolicyId::Reject, 2000);
  frame::SpellDef def = *small_spells()[0];
  def.emitters = {emitter("burst", 50)};
  def.emitters[0].on_death = "burst";
  def.emitters[0].life_s = {0.05f, 0.2f};
  start.spells[0] = std::make_shared<frame::SpellDef>(def);
  World world(start);
  play(world, 120, {}, [](World& w) { ASSERT_LE(w.particles().stats().live, 2000u); });
  EXPECT_EQ(world.particles().stats().peak, 2000u);
}

}  // namespace
}  // namespace spellpool::sim
