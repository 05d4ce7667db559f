#include "core/fixed_step.hpp"

#include <gtest/gtest.h>

#include "core/rng.hpp"

namespace spellpool {
namespace {

u64 steps_in(i64 whole_ns, i64 frame_ns, double speed = 1.0) {
  FixedStep clock;
  u64 steps = 0;
  for (i64 passed = 0; passed < whole_ns; passed += frame_ns) steps += clock.advance(std::min(frame_ns, whole_ns - passed), speed);
  return steps;
}

TEST(FixedStep, AnHourIs216000StepsAtAnyFrameRate) {
  constexpr i64 kHour_ns = i64{3600} * 1'000'000'000;
  for (const i64 frame_ns : {33'333'333, 16'666'667, 16'666'666, 6'944'444, 4'166'667, 50'000'001}) {
    const u64 steps = steps_in(kHour_ns, frame_ns);
    EXPECT_GE(steps, 215'999u) << frame_ns;
    EXPECT_LE(steps, 216'000u) << frame_ns;
  }
}

TEST(FixedStep, UnevenFramesLoseNoTime) {
  FixedStep clock;
  Rng rng(5);
  i64 passed = 0;
  i64 steps = 0;
  for (u32 i = 0; i < 100'000; ++i) {
    const i64 frame_ns = 1 + static_cast<i64>(rng.below(60'000'000));
    passed += frame_ns;
    steps += clock.advance(frame_ns);
    const double rest = static_cast<double>(passed - steps * FixedStep::kStep_ns) / static_cast<double>(FixedStep::kStep_ns);
    ASSERT_NEAR(static_cast<double>(clock.alpha()), rest, 1e-6);
    ASSERT_TRUE(clock.alpha() >= 0.0f && clock.alpha() < 1.0f);
  }
}

TEST(FixedStep, AStallIsCutToTheMostSteps) {
  FixedStep clock(4);
  EXPECT_EQ(clock.advance(i64{5'000'000'000}), 4u);
  EXPECT_EQ(clock.alpha(), 0.0f);
  EXPECT_EQ(clock.advance(0), 0u);
  EXPECT_EQ(clock.advance(FixedStep::kStep_ns), 1u);
}

TEST(FixedStep, FourStepsLateIsStillCaughtUp) {
  FixedStep clock(4);
  EXPECT_EQ(clock.advance(FixedStep::kStep_ns * 4 + 1000), 4u);
  EXPECT_GT(clock.alpha(), 0.0f);
}

TEST(FixedStep, TimeThatRunsBackwardsIsIgnored) {
  FixedStep clock;
  EXPECT_EQ(clock.advance(-1'000'000'000), 0u);
  EXPECT_EQ(clock.alpha(), 0.0f);
}

TEST(FixedStep, SlowMotionIsAQuarterOfTheSteps) {
  const u64 steps = steps_in(i64{60} * 1'000'000'000, 16'666'667, 0.25);
  EXPECT_GE(steps, 899u);
  EXPECT_LE(steps, 900u);
}

TEST(FixedStep, AlphaNeverReachesOne) {
  FixedStep clock;
  EXPECT_EQ(clock.advance(FixedStep::kStep_ns - 1), 0u);
  EXPECT_LT(clock.alpha(), 1.0f);
  EXPECT_EQ(clock.advance(1), 1u);
}

}  // namespace
}  // namespace spellpool
