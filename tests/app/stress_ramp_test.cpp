// The search for "how many bullets?" on machines made of two numbers.
#include "app/play/stress_ramp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace spellpool::app {
namespace {

constexpr double kBudget_ms = 16.0;

/// A machine: so much for the picture without bullets, so much for each thousand of them. Bullets come by and by.
struct Machine {
  double empty_ms = 2.0, thousand_ms = 1.0;
  u32 pool = 1'000'000;
  u32 live = 0;
  u64 frames = 0;

  StressRamp::Frame frame(u32 wanted) {
    ++frames;
    const u32 most = std::max(1u, wanted / 20), goal = std::min(wanted, pool);
    live = live < goal ? std::min(goal, live + most) : live - std::min(live - goal, most);
    const double sim_ms = 0.1 * thousand_ms * live / 1'000.0;
    return {live, sim_ms, empty_ms + 0.9 * thousand_ms * live / 1'000.0};
  }
  double holds(double budget_ms) const { return (budget_ms - empty_ms) / thousand_ms * 1'000.0; }
};

void run(StressRamp& ramp, Machine& machine) {
  while (!ramp.done() && machine.frames < 20'000) ramp.note(machine.frame(ramp.wanted()));
  ASSERT_TRUE(ramp.done());
}

TEST(StressRamp, FindsWhatAMachineHoldsWithinATwentieth) {
  for (const double thousand_ms : {0.15, 0.3, 0.61, 1.0, 3.7, 9.0, 27.0, 100.0}) {
    Machine machine{2.0, thousand_ms};
    StressRamp ramp(kBudget_ms, StressRamp::kTop);
    run(ramp, machine);
    const double holds = machine.holds(kBudget_ms);
    EXPECT_LE(ramp.held().bullets, holds) << thousand_ms;
    EXPECT_GE(ramp.held().bullets, holds / 1.1) << thousand_ms;
    EXPECT_GT(ramp.broke().bullets, holds) << thousand_ms;
    EXPECT_LE(ramp.broke().bullets, 1.11 * ramp.held().bullets) << thousand_ms;
    EXPECT_FALSE(ramp.open_ended());
    EXPECT_LE(ramp.held().work_ms, kBudget_ms);
    EXPECT_GT(ramp.broke().work_ms, kBudget_ms);
    EXPECT_NEAR(ramp.held().sim_ms + ramp.held().draw_ms, ramp.held().work_ms, 1e-9);
    EXPECT_NEAR(ramp.held().sim_ms, 0.1 * thousand_ms * ramp.held().bullets / 1'000.0, 1e-9);
    EXPECT_LT(machine.frames, 3'500u) << "a minute at 60 frames a second is too long";
  }
}

TEST(StressRamp, TheTopThatHoldsIsSoManyOrMore) {
  Machine machine{2.0, 0.1};
  StressRamp ramp(kBudget_ms, StressRamp::kTop);
  run(ramp, machine);
  EXPECT_EQ(ramp.held().bullets, StressRamp::kTop);
  EXPECT_TRUE(ramp.open_ended());
  EXPECT_NEAR(ramp.held().work_ms, 12.0, 1e-9);
  Machine other{2.0, 0.1};
  StressRamp small(kBudget_ms, 700);
  run(small, other);
  EXPECT_EQ(small.held().bullets, 700u);
  EXPECT_TRUE(small.open_ended());
}

TEST(StressRamp, WhereNotEvenTheFewestHoldItSaysSo) {
  Machine machine{20.0, 1.0};
  StressRamp ramp(kBudget_ms, StressRamp::kTop);
  run(ramp, machine);
  EXPECT_EQ(ramp.held().bullets, 0u);
  EXPECT_EQ(ramp.broke().bullets, StressRamp::kLeast);
  EXPECT_FALSE(ramp.open_ended());
}

TEST(StressRamp, OneBadMedianDecidesNothingTwoInARowDo) {
  for (const u32 bad_batches : {1u, 2u}) {
    StressRamp ramp(kBudget_ms, StressRamp::kTop);
    for (u32 i = 0; i < StressRamp::kSteady_frames; ++i) ramp.note({ramp.wanted(), 0.1, 1.0});
    for (u32 i = 0; i < bad_batches * StressRamp::kFrames; ++i) ramp.note({StressRamp::kFirst, 0.1, 40.0});
    if (bad_batches == 1) {
      EXPECT_EQ(ramp.wanted(), StressRamp::kFirst) << "measured again";
      for (u32 i = 0; i < StressRamp::kFrames; ++i) ramp.note({StressRamp::kFirst, 0.1, 1.0});
      EXPECT_GT(ramp.wanted(), StressRamp::kFirst);
      EXPECT_EQ(ramp.held().bullets, StressRamp::kFirst);
    } else {
      EXPECT_LT(ramp.wanted(), StressRamp::kFirst);
      EXPECT_EQ(ramp.broke().bullets, StressRamp::kFirst);
    }
  }
}

TEST(StressRamp, HitchesAreNoMedian) {
  Machine machine{2.0, 1.0};
  StressRamp ramp(kBudget_ms, StressRamp::kTop);
  while (!ramp.done() && machine.frames < 20'000) {
    StressRamp::Frame frame = machine.frame(ramp.wanted());
    if (machine.frames % 3 == 0) frame.draw_ms += 100.0;
    ramp.note(frame);
  }
  EXPECT_GE(ramp.held().bullets, 12'500u);
  EXPECT_LE(ramp.held().bullets, 14'000u);
}

TEST(StressRamp, AMachineThatWasBusyMeanwhileIsCalledUneven) {
  for (const bool busy : {false, true}) {
    Machine machine{2.0, 1.0};
    StressRamp ramp(kBudget_ms, StressRamp::kTop);
    while (!ramp.done() && machine.frames < 20'000) {
      StressRamp::Frame frame = machine.frame(ramp.wanted());
      if (busy && ramp.wanted() > 5'000) frame.draw_ms += 20.0;
      ramp.note(frame);
    }
    EXPECT_EQ(ramp.uneven(), busy);
  }
}

TEST(StressRamp, NothingCountsUntilTheBulletsFly) {
  StressRamp ramp(kBudget_ms, StressRamp::kTop);
  for (u32 i = 0; i < StressRamp::kPatience_frames - 1; ++i) ramp.note({10, 0.1, 40.0});
  EXPECT_EQ(ramp.wanted(), StressRamp::kFirst);
  EXPECT_EQ(ramp.broke().bullets, 0u);
  for (u32 i = 0; i < StressRamp::kSteady_frames + StressRamp::kFrames; ++i) ramp.note({StressRamp::kFirst, 0.1, 1.0});
  EXPECT_EQ(ramp.held().bullets, StressRamp::kFirst);
}

TEST(StressRamp, APoolThatGivesNoMoreEndsItWithWhatItGave) {
  Machine machine{2.0, 1.0, 1'200};
  StressRamp ramp(kBudget_ms, StressRamp::kTop);
  run(ramp, machine);
  EXPECT_EQ(ramp.held().bullets, 1'200u);
  EXPECT_EQ(ramp.levels(), 2u) << "more need not be asked for";
}

}  // namespace
}  // namespace spellpool::app
