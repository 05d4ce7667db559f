// Dummies, crystals and wisps under blows.
#include <gtest/gtest.h>

#include "core/det_math.hpp"
#include "play_stage.hpp"

namespace spellpool::sim {
namespace {

using frame::SoundId;
using pool::PolicyId;
using pool::StrategyId;

constexpr u32 kDummy = 0, kCrystal = 5;  // the first of each
constexpr TargetRef standing(u32 index) { return {index, {}}; }

Blow blow(float power = 1.0f, float from_x = -1000.0f, float from_y = 0.0f) {
  Blow made;
  made.power = power;
  made.from_x = from_x;
  made.from_y = from_y;
  return made;
}
bool hit(Stage& stage, const TargetRef& ref, const Blow& with = blow()) {
  return stage.targets.hit(ref, with, stage.effects, stage.challenge);
}
TargetRef first_wisp(const Stage& stage) {
  for (const TargetView& view : stage.targets.views()) {
    if (view.ref.standing == TargetRef::kWisp) return view.ref;
  }
  return {};
}
bool seen(const Stage& stage, const TargetRef& ref) {
  for (const TargetView& view : stage.targets.views()) {
    if (view.ref.standing == ref.standing && view.ref.wisp == ref.wisp) return true;
  }
  return false;
}
const Standing& at(const Stage& stage, u32 index) { return stage.targets.standing()[index]; }

TEST(Targets, FiveDummiesFourCrystalsAndSixWispsCanBeHit) {
  Stage stage;
  ASSERT_EQ(stage.targets.views().size(), 15u);
  for (u32 i = 0; i < 9; ++i) {
    EXPECT_EQ(stage.targets.views()[i].ref.standing, i);
    EXPECT_EQ(at(stage, i).kind, i < 5 ? Standing::Kind::Dummy : Standing::Kind::Crystal);
    EXPECT_LT(length(at(stage, i).x, at(stage, i).y), 262.0f);
  }
  u64 last = 0;
  for (u32 i = 9; i < 15; ++i) {
    const auto wisp = stage.targets.wisp(stage.targets.views()[i].ref.wisp);
    ASSERT_TRUE(wisp);
    EXPECT_GT(wisp->spawn_id, last) << "by spawn id";
    last = wisp->spawn_id;
  }
}

TEST(Targets, AHitIsWorthWhatItStruck) {
  Stage stage;
  stage.start_round();
  u64 before = stage.score();
  auto worth = [&](const TargetRef& ref, float power) {
    EXPECT_TRUE(hit(stage, ref, blow(power)));
    const u64 points = stage.score() - before;
    before = stage.score();
    return points;
  };
  EXPECT_EQ(worth(standing(kDummy), 1.0f), 10u);
  EXPECT_EQ(worth(standing(kCrystal), 4.0f), 15u);
  EXPECT_EQ(worth(standing(kCrystal), 1.0f), 100u) << "it shatters";
  EXPECT_EQ(worth(first_wisp(stage), 0.1f), 60u);
}

TEST(Targets, ADummyLeansAwayAndReturnsUpright) {
  Stage stage;
  ASSERT_TRUE(hit(stage, standing(kDummy), blow(1.0f, at(stage, kDummy).x - 100.0f, at(stage, kDummy).y)));
  EXPECT_EQ(at(stage, kDummy).flash, 1.0f);
  EXPECT_GT(stage.asked(ArenaEmitter::Straw), 0u);
  EXPECT_EQ(stage.heard(SoundId::DummyHit), 1u);
  float most = 0.0f;
  for (u32 i = 0; i < 60; ++i) {
    stage.next();
    most = std::max(most, at(stage, kDummy).sway);
  }
  EXPECT_GT(most, 0.2f);
  stage.run(300);
  EXPECT_NEAR(at(stage, kDummy).sway, 0.0f, 0.02f);
  EXPECT_EQ(at(stage, kDummy).flash, 0.0f);
}

TEST(Targets, ManyStrongBlowsKeepADummyWithinItsLean) {
  Stage stage;
  for (u32 i = 0; i < 200; ++i) {
    hit(stage, standing(kDummy), blow(1000.0f));
    stage.next();
    ASSERT_LE(std::abs(at(stage, kDummy).sway), 1.0f);
    ASSERT_LE(std::abs(at(stage, kDummy).sway_speed), 20.0f);
  }
}

TEST(Targets, FrostAndPoisonStayForAWhile) {
  Stage stage;
  Blow cold = blow();
  cold.freezes = true;
  hit(stage, standing(0), cold);
  Blow green = blow();
  green.poisons = true;
  hit(stage, standing(1), green);
  stage.run(30);
  EXPECT_GT(at(stage, 0).frost, 0.5f);
  EXPECT_EQ(at(stage, 0).poison, 0.0f);
  EXPECT_GT(at(stage, 1).poison, 0.5f);
  EXPECT_EQ(at(stage, 1).frost, 0.0f);
  stage.run(180);
  EXPECT_EQ(at(stage, 0).frost, 0.0f);
  EXPECT_EQ(at(stage, 1).poison, 0.0f);
}

TEST(Targets, AShatteredCrystalIsNotThereUntilItHasGrown) {
  Stage stage;
  ASSERT_TRUE(hit(stage, standing(kCrystal), blow(9.0f)));
  EXPECT_EQ(stage.heard(SoundId::CrystalShatter), 1u);
  EXPECT_GT(stage.effects.trauma(), 0.3f);
  float x, y;
  EXPECT_FALSE(hit(stage, standing(kCrystal)));
  EXPECT_FALSE(stage.targets.place_of(standing(kCrystal), x, y));
  stage.run(105);  // 1.75 s of 3: below the 0.6 that makes it solid
  EXPECT_FALSE(seen(stage, standing(kCrystal)));
  stage.run(10);
  EXPECT_TRUE(seen(stage, standing(kCrystal)));
  EXPECT_TRUE(stage.targets.place_of(standing(kCrystal), x, y));
  EXPECT_TRUE(hit(stage, standing(kCrystal)));
  EXPECT_EQ(at(stage, kCrystal).health, 4.0f) << "whole again";
}

TEST(Targets, HealingMendsShatteredCrystalsWithinTheRadius) {
  Stage stage;
  const Standing& crystal = at(stage, kCrystal);
  hit(stage, standing(kCrystal), blow(9.0f));
  hit(stage, standing(kCrystal + 3), blow(9.0f));  // on the other side of the arena
  EXPECT_EQ(stage.targets.heal(crystal.x + 60.0f, crystal.y, 50.0f, stage.effects), 0u) << "too far";
  EXPECT_EQ(stage.targets.heal(crystal.x + 40.0f, crystal.y, 50.0f, stage.effects), 1u);
  EXPECT_EQ(stage.targets.heal(crystal.x + 40.0f, crystal.y, 50.0f, stage.effects), 0u) << "once";
  float most = 0.0f, last = crystal.growth;
  for (u32 i = 0; i < 22; ++i) {
    stage.next();
    most = std::max(most, crystal.growth - last);
    last = crystal.growth;
  }
  EXPECT_EQ(crystal.growth, 1.0f);
  EXPECT_LT(most, 0.1f) << "it grows, it does not pop up";
  EXPECT_LT(at(stage, kCrystal + 3).growth, 0.2f);
}

TEST(Targets, MakingWholeRestoresEverything) {
  Stage stage;
  const TargetRef wisp = first_wisp(stage);
  Blow cold = blow();
  cold.freezes = true;
  hit(stage, standing(kDummy), cold);
  hit(stage, standing(kCrystal), blow(9.0f));
  hit(stage, standing(kCrystal + 1), blow(2.0f));
  hit(stage, wisp);
  stage.next();
  stage.targets.make_whole(stage.effects);
  stage.run(75);
  for (const Standing& s : stage.targets.standing()) {
    EXPECT_EQ(s.frost, 0.0f);
    EXPECT_EQ(s.growth, 1.0f);
    EXPECT_EQ(s.health, 5.0f);
  }
  EXPECT_TRUE(seen(stage, wisp));
}

TEST(Targets, RefsToNothingAreNoHits) {
  Stage stage;
  float x, y;
  const TargetRef refs[] = {{9, {}}, {1000, {}}, {TargetRef::kWisp, {}}, {TargetRef::kWisp, {3, 77}}, {TargetRef::kWisp, {1u << 30, 1}}};
  for (const TargetRef& ref : refs) {
    EXPECT_FALSE(hit(stage, ref));
    EXPECT_FALSE(stage.targets.place_of(ref, x, y));
    stage.targets.draw_toward(ref, 0.0f, 0.0f, 1.0f);
  }
}

// ---------------------------------------------------------------------------------------------------- wisps

TEST(Wisps, DriftOverTheArenaAndStayInIt) {
  Stage stage;
  struct Box {
    float low_x = 1e9f, high_x = -1e9f, low_y = 1e9f, high_y = -1e9f;
  };
  std::array<Box, 6> boxes;
  for (u32 i = 0; i < 60 * 60; ++i) {
    stage.next();
    u32 n = 0;
    stage.targets.for_each_wisp([&](WispHandle, const Wisp& w) {
      Box& box = boxes[n++];
      box.low_x = std::min(box.low_x, w.x);
      box.high_x = std::max(box.high_x, w.x);
      box.low_y = std::min(box.low_y, w.y);
      box.high_y = std::max(box.high_y, w.y);
      ASSERT_LE(length(w.x, w.y), 262.1f);
      ASSERT_LE(length(w.x - w.previous_x, w.y - w.previous_y), 6.0f) << "no jumps while it is there";
    });
    ASSERT_EQ(n, 6u);
  }
  for (const Box& box : boxes) {
    EXPECT_GT(box.high_x - box.low_x, 150.0f);
    EXPECT_GT(box.high_y - box.low_y, 130.0f);
  }
}

TEST(Wisps, ScatterWhenHitAndGatherElsewhereAfterFourSeconds) {
  for (u64 seed = 1; seed <= 8; ++seed) {
    Stage stage(seed);
    stage.run(100);
    const TargetRef wisp = first_wisp(stage);
    float x, y, now_x, now_y;
    ASSERT_TRUE(stage.targets.place_of(wisp, x, y));
    ASSERT_TRUE(hit(stage, wisp));
    EXPECT_EQ(stage.heard(SoundId::WispScatter), 1u);
    EXPECT_GT(stage.asked(ArenaEmitter::WispScatter), 50u);
    EXPECT_EQ(stage.targets.wisp(wisp.wisp)->there, 0.0f);
    EXPECT_FALSE(hit(stage, wisp)) << "once";
    EXPECT_FALSE(stage.targets.place_of(wisp, now_x, now_y));
    u32 steps = 0, returns = 0;
    while (!stage.targets.place_of(wisp, now_x, now_y) && steps < 600) {
      EXPECT_FALSE(steps > 0 && seen(stage, wisp));  // views() are as the step began
      stage.next();
      returns += stage.heard(SoundId::WispReturn);
      ++steps;
    }
    EXPECT_EQ(returns, 1u);
    EXPECT_GT(steps, 3.4 * 60);
    EXPECT_LT(steps, 5.3 * 60);
    EXPECT_TRUE(seen(stage, wisp)) << "the same handle";
    EXPECT_GT(length(now_x - x, now_y - y), 20.0f) << "elsewhere";
  }
}

TEST(Wisps, ShyAwayFromABlowNearby) {
  Stage stage;
  for (u32 i = 0; i < 6000; ++i) {
    stage.next();
    for (const TargetView& view : stage.targets.views()) {
      if (view.ref.standing != TargetRef::kWisp) continue;
      const Standing& dummy = at(stage, kDummy);
      const float dx = view.x - dummy.x, dy = view.y - (dummy.y - 14.0f);
      const float d = length(dx, dy);
      if (d > 60.0f || d < 5.0f) continue;
      const Wisp before = *stage.targets.wisp(view.ref.wisp);
      hit(stage, standing(kDummy));
      const Wisp after = *stage.targets.wisp(view.ref.wisp);
      EXPECT_GT((after.vx - before.vx) * dx + (after.vy - before.vy) * dy, 50.0f * d);
      EXPECT_GT(after.flash, 0.0f);
      EXPECT_EQ(after.away_s, 0.0f);
      return;
    }
  }
  FAIL() << "no wisp came near the dummy";
}

TEST(Wisps, AreDrawnTowardAVortex) {
  Stage stage;
  const TargetRef wisp = first_wisp(stage);
  const Wisp before = *stage.targets.wisp(wisp.wisp);
  stage.targets.draw_toward(wisp, before.x + 100.0f, before.y, 1.0f);
  EXPECT_GT(stage.targets.wisp(wisp.wisp)->vx, before.vx + 2.0f);
  EXPECT_EQ(stage.targets.wisp(wisp.wisp)->vy, before.vy);
}

TEST(Wisps, ASmallCapacityIsNoTrouble) {
  for (const auto& row : pool::kStrategies) {
    for (const PolicyId policy : {PolicyId::Reject, PolicyId::StealOldest}) {
      Stage stage(1, {row.id, policy, 2});
      stage.run(50);
      EXPECT_EQ(stage.targets.wisps().live(), 2u);
      EXPECT_EQ(stage.targets.views().size(), 11u);
      stage.targets.set_capacity(4);
      stage.run(50);
      EXPECT_EQ(stage.targets.wisps().live(), 4u);
      stage.targets.set_capacity(1);
      stage.run(50);
      EXPECT_EQ(stage.targets.wisps().live(), 4u) << "nobody is ended";
      stage.targets.set_capacity(1000);
      stage.run(100);
      EXPECT_EQ(stage.targets.views().size(), 15u);
      const pool::PoolStats stats = stage.targets.wisps().stats();
      EXPECT_EQ(stats.live, 6u);
      EXPECT_EQ(stats.stolen, 0u);
      EXPECT_EQ(stats.rejected, 0u);
      EXPECT_EQ(stats.spawned, 6u);
    }
  }
}

TEST(Wisps, AHandleSurvivesEverySwitch) {
  Stage stage;
  const TargetRef wisp = first_wisp(stage);
  const u64 id = stage.targets.wisp(wisp.wisp)->spawn_id;
  for (u32 i = 0; i < 40; ++i) {
    stage.targets.set_strategy(static_cast<StrategyId>(i % pool::kStrategyCount));
    stage.targets.set_policy(i % 3 == 0 ? PolicyId::StealOldest : PolicyId::Reject);
    stage.targets.set_capacity(1 + i % 9);
    stage.run(3);
    ASSERT_TRUE(stage.targets.wisp(wisp.wisp));
    ASSERT_EQ(stage.targets.wisp(wisp.wisp)->spawn_id, id);
  }
}

// ---------------------------------------------------------------------------------------------------- same for everybody

/// Plays with blows on all that is there. In between two wisps end and are made anew, so that the storages keep them in
/// different orders.
struct Played {
  std::vector<u64> hashes;
  std::vector<u32> styles;       // of the requests, in their order
  std::vector<u64> wisps;        // by view
  std::vector<u64> stored;       // as the storage visits them, at the end
};
Played played(StrategyId strategy, u32 switch_every) {
  Stage stage(3, {strategy, PolicyId::Reject, 16});
  Played result;
  for (u32 i = 0; i < 900; ++i) {
    if (switch_every > 0 && i % switch_every == 0) stage.targets.set_strategy(static_cast<StrategyId>(i / switch_every % pool::kStrategyCount));
    if (i == 100 || i == 101) {
      WispHandle second{};
      u32 n = 0;
      stage.targets.for_each_wisp([&](WispHandle handle, const Wisp&) {
        if (n++ == 1) second = handle;
      });
      EXPECT_EQ(stage.targets.wisps().release(second), pool::ReleaseResult::Released);
    }
    stage.next();
    if (i % 17 == 0) {
      const auto views = stage.targets.views();
      hit(stage, views[i % views.size()].ref, blow(1.5f, 10.0f, 20.0f));
    }
    for (const EmitRequest& request : stage.effects.requests()) result.styles.push_back(request.style * 100'000u + request.count);
    for (const TargetView& view : stage.targets.views()) {
      if (const auto wisp = stage.targets.wisp(view.ref.wisp)) result.wisps.push_back(wisp->spawn_id);
    }
    result.hashes.push_back(stage.hash());
  }
  stage.targets.wisps().visit([&](auto& pool) { pool.for_each([&](const Wisp& w) { result.stored.push_back(w.spawn_id); }); });
  return result;
}

TEST(Targets, PlayTheSameInEveryStrategyAndOrder) {
  const Played heap = played(StrategyId::Heap, 0), list = played(StrategyId::FreeList, 0), both = played(StrategyId::Heap, 7);
  EXPECT_NE(heap.stored, list.stored) << "this test needs storages that differ in order";
  EXPECT_EQ(heap.hashes, list.hashes);
  EXPECT_EQ(heap.styles, list.styles);
  EXPECT_EQ(heap.wisps, list.wisps);
  EXPECT_EQ(heap.hashes, both.hashes);
  for (const auto& row : pool::kStrategies) {
    const Played other = played(row.id, 0);
    EXPECT_EQ(heap.hashes, other.hashes) << row.name;
    EXPECT_EQ(heap.styles, other.styles) << row.name;
    EXPECT_EQ(heap.wisps, other.wisps) << row.name;
  }
}

TEST(Targets, TheHashFeelsAHitAndASeed) {
  Stage a(1), b(1), c(2);
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_NE(a.hash(), c.hash());
  hit(a, standing(kDummy));
  EXPECT_NE(a.hash(), b.hash());
  Stage d(1), e(1);
  hit(d, first_wisp(d));
  EXPECT_NE(d.hash(), e.hash());
}

TEST(Targets, AStepAllocatesNothing) {
  Stage stage;
  stage.run(10);
  const u64 before = test::new_calls();
  for (u32 i = 0; i < 1200; ++i) {
    stage.next();
    const auto views = stage.targets.views();
    if (i % 5 == 0) hit(stage, views[i % views.size()].ref, blow(2.0f));
    if (i % 90 == 0) stage.targets.heal(0.0f, 0.0f, 400.0f, stage.effects);
  }
  EXPECT_EQ(test::new_calls() - before, 0u);
}

}  // namespace
}  // namespace spellpool::sim
