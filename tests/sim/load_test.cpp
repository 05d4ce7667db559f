// The load dial: more sparks, the same game.
#include "frame/load.hpp"

#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::Load;
using frame::PoolId;
using frame::SimCommandKind;

WorldConfig roomy() { return config(3, pool::StrategyId::FreeList, pool::PolicyId::Reject, 200'000); }

/// What the spells' game itself came to: everything but the particles.
struct Played {
  u64 score = 0;
  float x = 0, y = 0;
  u64 spawned = 0;
  u32 live = 0;
};
Played play(const std::vector<frame::SimCommand>& first, u64 steps) {
  World world(roomy());
  Autoplayer player(3);
  Played played;
  for (u64 step = 0; step < steps; ++step) {
    frame::InputFrame input = player.next(world);
    if (step == 1) input.buttons |= frame::kButtonChallenge;
    world.step(input, step == 0 ? std::span<const frame::SimCommand>(first) : std::span<const frame::SimCommand>{});
  }
  played.score = world.challenge().view().result.score;
  played.x = world.mage_x();
  played.y = world.mage_y();
  played.spawned = world.particles().stats().spawned;
  played.live = world.particles().stats().live;
  return played;
}

TEST(Load, MoreSparksPlayTheSameGame) {
  const Played plain = play({}, 900);
  ASSERT_GT(plain.score, 0u);
  const auto sparks = load_command(SimCommandKind::SetLoad, 10), churn = load_command(SimCommandKind::SetChurn, 2);
  const Played more = play({sparks}, 900);
  EXPECT_GT(more.spawned, 8 * plain.spawned);
  for (const Played& loaded : {more, play({sparks, churn}, 900)}) {
    EXPECT_EQ(loaded.score, plain.score);
    EXPECT_EQ(loaded.x, plain.x);
    EXPECT_EQ(loaded.y, plain.y);
  }
}

TEST(Load, ChurnIsSoManyTimesTwoThousandMotes) {
  const u32 usual = play({}, 120).live;
  const u32 churned = play({load_command(SimCommandKind::SetChurn, 5)}, 120).live;
  EXPECT_NEAR(static_cast<double>(churned - usual), 5.0 * frame::kChurnMotes, 0.05 * 5 * frame::kChurnMotes);
}

TEST(Load, TheDialGoesBackToWhereItWas) {
  World world(roomy());
  const std::vector<frame::SimCommand> up = {load_command(SimCommandKind::SetLoad, 50), load_command(SimCommandKind::SetChurn, 3), load_command(SimCommandKind::SetHeapAge, 0, 1)};
  world.step({}, up);
  EXPECT_EQ(world.load(), (Load{50, 3, true}));
  const std::vector<frame::SimCommand> down = {load_command(SimCommandKind::SetLoad, 1), load_command(SimCommandKind::SetChurn, 0), load_command(SimCommandKind::SetHeapAge, 0, 0)};
  world.step({}, down);
  EXPECT_EQ(world.load(), Load{});
  for (int i = 0; i < 60; ++i) world.step({}, {});
  EXPECT_LT(world.particles().stats().live, 500u) << "the motes are gone";
}

TEST(Load, AWorldThatStartsWithItIsOneThatWasGivenItAtOnce) {
  WorldConfig start = roomy();
  start.load = {7, 2, false};
  World born(start), given(roomy());
  const std::vector<frame::SimCommand> commands = {load_command(SimCommandKind::SetLoad, 7), load_command(SimCommandKind::SetChurn, 2)};
  Autoplayer a(9), b(9);
  for (u64 step = 0; step < 200; ++step) {
    born.step(a.next(born), {});
    given.step(b.next(given), step == 0 ? std::span<const frame::SimCommand>(commands) : std::span<const frame::SimCommand>{});
    ASSERT_EQ(born.hash(), given.hash()) << step;
  }
}

TEST(Load, TheCapacityFollowsUpToAMost) {
  EXPECT_EQ(frame::loaded_capacity(24'000, {}), 24'000u);
  EXPECT_EQ(frame::loaded_capacity(24'000, {5, 0, false}), 120'000u);
  EXPECT_EQ(frame::loaded_capacity(24'000, {1, 20, false}), 74'000u);
  EXPECT_EQ(frame::loaded_capacity(24'000, {50, 50, false}), frame::kMostLoadedParticles);
  EXPECT_EQ(frame::loaded_capacity(1'000'000, {50, 0, false}), 1'000'000u) << "never less than the player chose";
}

}  // namespace
}  // namespace spellpool::sim
