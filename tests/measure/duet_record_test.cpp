#include "measure/experiment/duet_record.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spellpool::measure {
namespace {

using frame::DuetClock;
using frame::DuetFigures;
using frame::DuetStep;

/// B takes `ratio` of A's time; whoever comes second, `warm` of what it would have taken.
DuetStep step_of(u64 step, double a_us, double ratio, double warm = 1.0) {
  const bool b_first = duet_first(step) == 1;
  DuetStep made;
  made.b_first = b_first;
  made.step_us = {static_cast<float>(a_us * (b_first ? warm : 1.0)), static_cast<float>(a_us * ratio * (b_first ? 1.0 : warm))};
  made.draw_us = {5'000.0f, 5'000.0f};
  return made;
}

TEST(DuetRecord, GoesAbbaThenBaab) {
  std::string order;
  for (u64 step = 0; step < 8; ++step) order += duet_first(step) == 0 ? "AB" : "BA";
  EXPECT_EQ(order, "ABBABAABABBABAAB");
}

TEST(DuetRecord, ComingSecondInWarmCachesFavoursNobody) {
  DuetRecord record;
  for (u64 step = 0; step < 400; ++step) record.add(step_of(step, 200 + static_cast<double>(step % 7), 1.0, 0.4));
  const DuetFigures whole = record.whole(DuetClock::Step), running = record.steps().back().running[0];
  for (const DuetFigures& figures : {whole, running}) {
    EXPECT_NEAR(figures.ratio, 1.0, 0.01);
    EXPECT_GT(figures.low, 0.97);
    EXPECT_LT(figures.high, 1.03);
    EXPECT_NEAR(figures.median_us[0], figures.median_us[1], 3.0);
  }
}

TEST(DuetRecord, FindsARatioAndItsSpread) {
  DuetRecord record;
  for (u64 step = 0; step < 400; ++step) {
    record.add(step_of(step, 300, step / 2 % 4 == 0 ? 0.4 : step / 2 % 4 == 1 ? 0.6 : 0.5, 0.7));
  }
  const DuetFigures whole = record.whole(DuetClock::Step);
  EXPECT_NEAR(whole.ratio, 0.5, 0.001);
  EXPECT_NEAR(whole.low, 0.4, 0.101);
  EXPECT_LT(whole.low, whole.ratio + 0.001f);
  EXPECT_NEAR(whole.high, 0.5, 0.001);
  EXPECT_NEAR(whole.median_us[0], 300 * 0.85, 0.1);
  EXPECT_NEAR(whole.median_us[1], 300 * 0.5 * 0.85, 0.1);
  EXPECT_NEAR(whole.p95_us[0], 300, 0.1) << "of single steps: the slow half is not averaged away";
}

TEST(DuetRecord, CountsNoWarmUpAndForgetsWhatIsLongAgo) {
  DuetRecord record;
  for (u64 step = 0; step < kDuetWarmUp_steps; ++step) record.add(step_of(step, 9'000, 3.0));
  EXPECT_EQ(record.counted(), 0u);
  EXPECT_TRUE(std::isnan(record.whole(DuetClock::Step).ratio));
  EXPECT_NEAR(record.steps().back().running[0].ratio, 3.0, 0.01) << "what is seen while it runs has no warm-up";
  for (u64 step = kDuetWarmUp_steps; step < kDuetWarmUp_steps + frame::kDuetWindow; ++step) record.add(step_of(step, 100, 0.5));
  EXPECT_EQ(record.counted(), frame::kDuetWindow);
  EXPECT_NEAR(record.whole(DuetClock::Step).ratio, 0.5, 0.001);
  EXPECT_NEAR(record.whole(DuetClock::Step).p95_us[0], 100, 0.1);
  EXPECT_NEAR(record.steps().back().running[0].p95_us[0], 100, 0.1);
}

TEST(DuetRecord, AHalfPairWaitsForItsOtherHalf) {
  DuetRecord record;
  for (u64 step = 0; step < 100; ++step) record.add(step_of(step, 100, 1.0));
  record.add(step_of(100, 100, 50.0, 50.0));
  EXPECT_NEAR(record.steps().back().running[0].high, 1.0, 0.001);
}

TEST(DuetRecord, WhatWasNotDrawnIsNotKnown) {
  DuetRecord record;
  for (u64 step = 0; step < 200; ++step) {
    DuetStep made = step_of(step, 100, 0.5);
    made.draw_us.fill(std::nanf(""));
    record.add(made);
  }
  EXPECT_NEAR(record.whole(DuetClock::Step).ratio, 0.5, 0.001);
  for (const DuetClock clock : {DuetClock::Drawing, DuetClock::Both}) {
    EXPECT_TRUE(std::isnan(record.whole(clock).ratio));
    EXPECT_TRUE(std::isnan(record.whole(clock).median_us[1]));
  }
}

TEST(DuetRecord, StepAndDrawingTogetherAreTheirSum) {
  DuetRecord record;
  for (u64 step = 0; step < 200; ++step) record.add(step_of(step, 5'000, 0.5));
  EXPECT_NEAR(record.whole(DuetClock::Both).median_us[0], 10'000, 1);
  EXPECT_NEAR(record.whole(DuetClock::Both).ratio, 0.75, 0.001);
  EXPECT_NEAR(record.whole(DuetClock::Drawing).ratio, 1.0, 0.001);
}

}  // namespace
}  // namespace spellpool::measure
