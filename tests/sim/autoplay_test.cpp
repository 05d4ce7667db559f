// The scripted player: what it does is only what a person could, and it is good at it.
#include "../pool/allocation_probe.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using pool::StrategyId;
using Phase = frame::ChallengeView::Phase;

struct Watched {
  std::vector<u64> presses;               // steps at which kButtonChallenge went down
  std::array<u32, frame::kSpellCount> casts{};
  i64 finale = -1;                        // step
  u32 finished = 0;
  u32 charged = 0, rapid = 0;             // steps
  float walked = 0;
};
Watched watch(World& world, u64 steps, u64 seed) {
  Autoplayer player(seed);
  Watched seen;
  std::array<float, frame::kSpellCount> cooldowns{};
  u8 last = 0;
  for (u64 i = 0; i < steps; ++i) {
    const float x = world.mage_x(), y = world.mage_y();
    const frame::InputFrame input = player.next(world);
    if ((input.buttons & ~last & frame::kButtonChallenge) != 0) seen.presses.push_back(world.steps());
    last = input.buttons;
    seen.rapid += (input.buttons & frame::kButtonRapid) != 0;
    world.step(input, {});
    seen.charged += world.charge() > 0.9f;
    seen.walked += length(world.mage_x() - x, world.mage_y() - y);
    for (u8 s = 0; s < frame::kSpellCount; ++s) {
      if (world.cooldown(s) > cooldowns[s]) ++seen.casts[s];
      cooldowns[s] = world.cooldown(s);
    }
    if (world.challenge().in_finale() && seen.finale < 0) seen.finale = static_cast<i64>(world.steps());
    seen.finished = world.challenge().view().finished;
  }
  return seen;
}

TEST(Autoplay, StartsAChallengeByItselfAndAgainTenSecondsAfterIt) {
  World world(config(1, StrategyId::FreeList));
  const Watched seen = watch(world, 30 + 180 + 3600 + 180 + 700, 1);
  ASSERT_EQ(seen.presses.size(), 2u);
  EXPECT_EQ(seen.presses[0], 30u);
  EXPECT_EQ(seen.presses[1], 30u + 180 + 3600 + 180 + 600);
  EXPECT_EQ(seen.finished, 1u);
}

TEST(Autoplay, ReachesTheFinaleWithinTheFirstRound) {
  for (u64 seed = 1; seed <= 8; ++seed) {
    World world(config(seed, StrategyId::FreeList));
    const Watched seen = watch(world, 210 + 3600, seed);
    EXPECT_GT(seen.finale, 210 + 10 * 60) << "seed " << seed;
    EXPECT_GT(world.challenge().view().result.finales, 0u) << "seed " << seed;
    EXPECT_GT(world.challenge().view().result.score, 5000u) << "seed " << seed;
  }
}

TEST(Autoplay, CastsAllEightChargesFiresVolleysAndWalks) {
  for (u64 seed = 1; seed <= 3; ++seed) {
    World world(config(seed, StrategyId::FreeList));
    const Watched seen = watch(world, 3600, seed);
    for (std::size_t s = 0; s < frame::kSpellCount; ++s) EXPECT_GE(seen.casts[s], 3u) << frame::kSpellFiles[s] << ", seed " << seed;
    EXPECT_GT(seen.charged, 20u);
    EXPECT_GT(seen.rapid, 40u);
    EXPECT_GT(seen.walked, 1500.0f);
  }
}

TEST(Autoplay, GoesToTheMiddleForTheFinale) {
  World world(config(1, StrategyId::FreeList));
  Autoplayer player(1);
  u32 in_finale = 0;
  for (u32 i = 0; i < 4000 && in_finale < 240; ++i) {
    world.step(player.next(world), {});
    in_finale += world.challenge().in_finale();
  }
  ASSERT_EQ(in_finale, 240u);
  EXPECT_LT(length(world.mage_x(), world.mage_y() - 16.0f), 12.0f);
}

TEST(Autoplay, TakesOverAWorldThatRuns) {
  World world(config(2, StrategyId::FreeList));
  juggle(world, 700, {}, {});  // in the middle of a round of somebody else's
  ASSERT_EQ(world.challenge().view().phase, Phase::Running);
  const Watched seen = watch(world, 1200, 9);
  EXPECT_TRUE(seen.presses.empty()) << "it lets the round run";
  u32 casts = 0;
  for (const u32 n : seen.casts) casts += n;
  EXPECT_GT(casts, 12u);

  World quiet(config(2, StrategyId::FreeList));
  for (u32 i = 0; i < 500; ++i) quiet.step({}, {});
  const Watched alone = watch(quiet, 100, 9);
  EXPECT_EQ(alone.presses, (std::vector<u64>{530}));
}

TEST(Autoplay, PlaysTheSameGameAgainAndAnotherWithAnotherSeed) {
  EXPECT_EQ(first_difference(hashes(config(4, StrategyId::FreeList), 900), hashes(config(4, StrategyId::Heap), 900)), -1);
  World a(config(4, StrategyId::FreeList)), b(config(4, StrategyId::FreeList));
  Autoplayer one(1), two(2);
  bool same = true;
  for (u32 i = 0; i < 200; ++i) {
    const frame::InputFrame x = one.next(a), y = two.next(b);
    same = same && x == y;
    a.step(x, {});
    b.step(y, {});
  }
  EXPECT_FALSE(same);
}

TEST(Autoplay, SpellsThatAreNeverReadyDoNotStopIt) {
  WorldConfig slow = config(1, StrategyId::FreeList);
  for (auto& spell : slow.spells) {
    auto copy = *spell;
    copy.cooldown_s = 60.0f;
    copy.windup_s = 5.0f;
    copy.charge_s = 60.0f;
    spell = std::make_shared<frame::SpellDef>(copy);
  }
  World world(slow);
  const Watched seen = watch(world, 2400, 1);
  EXPECT_EQ(seen.presses.size(), 1u);
}

TEST(Autoplay, AWholeRoundAllocatesNothing) {
  World world(config(1, StrategyId::FreeList, pool::PolicyId::Reject, 24'000));
  Autoplayer player(1);
  for (u32 i = 0; i < 60; ++i) world.step(player.next(world), {});
  const u64 before = test::new_calls();
  for (u32 i = 0; i < 3900; ++i) world.step(player.next(world), {});
  EXPECT_EQ(test::new_calls() - before, 0u);
  EXPECT_GT(world.challenge().view().result.finales, 0u);
}

}  // namespace
}  // namespace spellpool::sim
