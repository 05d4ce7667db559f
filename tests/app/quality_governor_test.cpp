#include "app/play/quality_governor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/rng.hpp"
#include "measure/record/allocation_counter.hpp"

namespace spellpool::app {
namespace {

using frame::Quality;

/// A game whose frames cost what `cost_ms` says of a level and a time, and come no faster than asked for.
struct Play {
  explicit Play(std::function<double(Quality, double)> cost, double rate = 60) : cost_ms(std::move(cost)), frames_per_s(rate) {
    governor.aim(rate);
  }
  std::function<double(Quality, double)> cost_ms;
  double frames_per_s;
  QualityGovernor governor;
  double now_s = 0;
  std::vector<double> changes_s;

  Quality run(double seconds) {
    for (const double end_s = now_s + seconds; now_s < end_s;) {
      const double busy_ms = cost_ms(governor.level(), now_s), passed_ms = std::max(busy_ms, 1000.0 / frames_per_s);
      now_s += passed_ms * 1e-3;
      const Quality before = governor.level();
      governor.note(busy_ms, passed_ms);
      if (governor.level() != before) changes_s.push_back(now_s);
    }
    return governor.level();
  }
  std::size_t changes() const { return changes_s.size(); }
  /// Of the changes, those in this stretch.
  std::size_t changes_in(double from_s, double to_s) const {
    std::size_t count = 0;
    for (const double at_s : changes_s) count += at_s >= from_s && at_s < to_s ? 1 : 0;
    return count;
  }
};

/// What each level costs.
std::function<double(Quality, double)> costs(double low_ms, double medium_ms, double high_ms) {
  return [=](Quality level, double) { return level == Quality::Low ? low_ms : level == Quality::Medium ? medium_ms : high_ms; };
}

constexpr double kTenMinutes_s = 600;

TEST(QualityGovernor, JustUnderTheBudgetHighStays) {
  Play play(costs(9, 12, 16.5));
  EXPECT_EQ(play.run(kTenMinutes_s), Quality::High);
  EXPECT_EQ(play.changes(), 0u);
}

TEST(QualityGovernor, JustOverTheBudgetItStepsDownWithinAWindow) {
  Play play(costs(9, 14, 16.9));
  play.run(1);
  EXPECT_EQ(play.governor.level(), Quality::Medium);
  EXPECT_EQ(play.run(kTenMinutes_s), Quality::Medium);
  EXPECT_EQ(play.changes(), 1u) << "Medium has no room to spare";
}

TEST(QualityGovernor, FarOverTheBudgetItStepsDownAtOnceButOneLevelAtATime) {
  Play play(costs(12, 40, 60));
  play.run(0.5);
  EXPECT_EQ(play.governor.level(), Quality::Medium);
  play.run(0.5);
  EXPECT_EQ(play.governor.level(), Quality::Low);
  EXPECT_EQ(play.run(kTenMinutes_s), Quality::Low);
}

TEST(QualityGovernor, OverTheBudgetAtLowItStaysThere) {
  Play play(costs(50, 60, 70));
  EXPECT_EQ(play.run(kTenMinutes_s), Quality::Low);
  EXPECT_EQ(play.changes(), 2u);
}

TEST(QualityGovernor, SeventeenAndFifteenMillisecondsSettle) {
  Play play(costs(14, 15, 17));
  EXPECT_EQ(play.run(kTenMinutes_s), Quality::Medium);
  EXPECT_EQ(play.changes(), 1u);
}

// Medium is roomy, and High would not fit: what it cost is remembered, and tried again ever more rarely.
TEST(QualityGovernor, ALevelThatDoesNotFitIsTriedEverMoreRarely) {
  Play play(costs(5, 9, 18));
  play.run(4 * kTenMinutes_s);
  EXPECT_LE(play.changes_in(0, kTenMinutes_s), 5u);
  EXPECT_LE(play.changes_in(kTenMinutes_s, 4 * kTenMinutes_s), 4u);
  EXPECT_GE(play.changes_in(kTenMinutes_s, 4 * kTenMinutes_s), 2u) << "given up for good";
  std::vector<double> ups_s;
  for (std::size_t i = 1; i < play.changes(); i += 2) ups_s.push_back(play.changes_s[i]);
  ASSERT_GE(ups_s.size(), 3u);
  EXPECT_GE(ups_s[1] - ups_s[0], 1.9 * (ups_s[0] - play.changes_s[0]));
  EXPECT_GE(ups_s[2] - ups_s[1], 1.9 * (ups_s[1] - ups_s[0]));
}

// After hours without a change it is as quick again as in the beginning.
TEST(QualityGovernor, FailuresAreForgivenInTime) {
  bool quiet = false;
  Play play([&quiet](Quality level, double) { return level == Quality::Low ? 5.0 : level == Quality::Medium ? 9.0 : quiet ? 10.0 : 18.0; });
  play.run(2 * kTenMinutes_s);
  quiet = true;
  ASSERT_EQ(play.run(6 * kTenMinutes_s), Quality::High);
  play.run(24 * kTenMinutes_s);
  play.cost_ms = costs(14, 16, 20);
  ASSERT_EQ(play.run(5), Quality::Medium);
  play.cost_ms = costs(4, 5, 6);
  EXPECT_EQ(play.run(7), Quality::High);
}

// What it cost is no hindrance where the load that it cost it under is gone.
TEST(QualityGovernor, WhenTheLoadGoesTheLevelsComeBack) {
  Play play([](Quality level, double now_s) { return (now_s < 30 ? 20.0 : 6.0) * (1.0 + 0.25 * static_cast<double>(level)); });
  EXPECT_EQ(play.run(30), Quality::Low);
  EXPECT_EQ(play.run(4), Quality::Low) << "calm for a moment only";
  EXPECT_EQ(play.run(12), Quality::High);
  EXPECT_EQ(play.run(kTenMinutes_s), Quality::High);
  EXPECT_EQ(play.changes(), 4u);
}

TEST(QualityGovernor, RoomThatIsNotAmpleRaisesNothing) {
  Play play([](Quality level, double now_s) { return now_s < 2 ? 20.0 : 13.0 + 0.2 * static_cast<double>(level); });
  play.run(2);
  const Quality settled = play.governor.level();
  ASSERT_NE(settled, Quality::High);
  EXPECT_EQ(play.run(kTenMinutes_s), settled);
}

// A fight every few seconds, and one every half a minute, in which High is too much and the pauses between them roomy.
TEST(QualityGovernor, ASawtoothDoesNotMakeItFlicker) {
  for (const double period_s : {0.5, 1.0, 3.0, 8.0, 15.0, 30.0, 45.0}) {
    Play play([period_s](Quality level, double now_s) {
      const double tooth = std::fmod(now_s, period_s) / period_s;
      return (4.0 + 16.0 * tooth) * (0.7 + 0.15 * static_cast<double>(level));
    });
    play.run(4 * kTenMinutes_s);
    EXPECT_LE(play.changes_in(0, kTenMinutes_s), 12u) << period_s;
    EXPECT_LE(play.changes_in(kTenMinutes_s, 2 * kTenMinutes_s), 6u) << period_s;
    EXPECT_LE(play.changes_in(2 * kTenMinutes_s, 4 * kTenMinutes_s), 6u) << period_s;
    for (std::size_t i = 2; i < play.changes(); ++i) EXPECT_GE(play.changes_s[i] - play.changes_s[i - 2], 3.0) << period_s;
  }
}

TEST(QualityGovernor, SingleHitchesDoNotCount) {
  u64 frame = 0;
  Play play([&frame](Quality, double) { return ++frame % 20 == 3 ? 400.0 : 14.0; });
  EXPECT_EQ(play.run(kTenMinutes_s), Quality::High);
  u64 first = 0;
  Play loading([&first](Quality, double) { return ++first <= 3 ? 2'000.0 : 14.0; });
  EXPECT_EQ(loading.run(60), Quality::High) << "three long frames at the start";
}

TEST(QualityGovernor, NoisyTimesNearTheBudgetSettle) {
  Rng rng(5);
  Play play([&rng](Quality level, double) {
    return (12.2 + 2.2 * static_cast<double>(level)) * (0.85 + 0.3 * static_cast<double>(rng.unit()));
  });
  EXPECT_EQ(play.run(kTenMinutes_s), Quality::Medium);
  EXPECT_EQ(play.changes(), 1u);
}

/// Frames as a game's recording has them: a fifth to either side, and one in fifty takes twice as long.
TEST(QualityGovernor, InSteadyPlayItSettlesWithinASecondAndThenChangesOnceInHalfAMinuteAtMost) {
  Rng rng(11);
  for (const double high_ms : {9.0, 13.0, 16.0, 18.0, 22.0, 28.0, 40.0}) {
    for (const double medium : {0.5, 0.7, 0.9}) {
      for (const double low : {0.4, 0.7, 0.95}) {
        Play play([&](Quality level, double) {
          const double cost_ms = high_ms * (level == Quality::High ? 1.0 : level == Quality::Medium ? medium : medium * low);
          return cost_ms * (0.8 + 0.4 * static_cast<double>(rng.unit())) * (rng.unit() < 0.02f ? 2.0 : 1.0);
        });
        const Quality settled = play.run(1.0);
        play.run(119.0);
        const testing::Message what = testing::Message() << high_ms << " ms at high, " << medium << " of it at medium, " << low << " of that at low";
        for (double from_s = 1.0; from_s < 90.0; from_s += 5.0) EXPECT_LE(play.changes_in(from_s, from_s + 30.0), 1u) << what << ", from second " << from_s;
        if (high_ms < 15.0) {
          EXPECT_EQ(settled, Quality::High) << what;
        }
      }
    }
  }
}

TEST(QualityGovernor, ASlowDriftUpAndDownIsFollowedOnceEachWay) {
  Play play([](Quality level, double now_s) {
    const double hill = 1.0 - std::abs(now_s - kTenMinutes_s) / kTenMinutes_s;  // up for ten minutes, down for ten
    return (4.0 + 12.0 * hill) * (1.0 + 0.5 * static_cast<double>(level));
  });
  play.run(kTenMinutes_s);
  EXPECT_EQ(play.governor.level(), Quality::Low);
  EXPECT_EQ(play.changes(), 2u);
  EXPECT_EQ(play.run(kTenMinutes_s), Quality::High);
  EXPECT_LE(play.changes(), 6u) << "a step that came too early may be taken back, once";
}

TEST(QualityGovernor, TimesThatAreNoneArePassedOver) {
  Play play(costs(5, 15, 17));
  ASSERT_EQ(play.run(2), Quality::Medium);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN(), kEndless = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 2'000; ++i) {
    for (const double busy_ms : {kNone, -20.0, 0.0, kEndless, -kEndless}) play.governor.note(busy_ms, 1000.0 / 60);
  }
  EXPECT_EQ(play.governor.level(), Quality::Medium) << "no room that is none, no load that is none";
  for (int i = 0; i < 2'000; ++i) play.governor.note(15, i % 2 == 0 ? kNone : -kEndless);
  EXPECT_EQ(play.governor.level(), Quality::Medium);
  // Its sense of time is whole: what High cost is still remembered, and then it is not.
  play.governor.forget();
  play.cost_ms = costs(5, 9, 18);
  EXPECT_EQ(play.run(100), Quality::Medium);
  EXPECT_EQ(play.changes(), 3u);
}

TEST(QualityGovernor, WhatIsInterruptedBeforeAWindowEndsIsNotJudged) {
  Play play(costs(30, 30, 30));
  for (int i = 0; i < 500; ++i) {  // a window's border being dragged
    play.run(0.1);
    play.governor.interrupt();
  }
  EXPECT_EQ(play.changes(), 0u);
  play.run(1);
  EXPECT_EQ(play.governor.level(), Quality::Low);
}

TEST(QualityGovernor, TheBudgetIsThatOfTheRateAskedFor) {
  Play play(costs(5, 12, 20), 30);
  EXPECT_EQ(play.run(60), Quality::High);
  Play quick(costs(5, 12, 20), 120);
  EXPECT_EQ(quick.run(60), Quality::Low);
  quick.governor.aim(quick.frames_per_s = 30);
  EXPECT_EQ(quick.run(20), Quality::High);
}

TEST(QualityGovernor, AnotherPathsCostIsTriedAnew) {
  Play play(costs(5, 9, 18));
  ASSERT_EQ(play.run(20), Quality::Medium);
  play.cost_ms = costs(1, 8, 9);
  EXPECT_EQ(play.run(20), Quality::Medium) << "by what High cost before";
  play.governor.forget();
  EXPECT_EQ(play.run(6), Quality::High);
}

TEST(QualityGovernor, VeryShortFramesAreJudgedToo) {
  Play play(costs(0.5, 0.6, 0.9), 1500);
  EXPECT_EQ(play.run(10), Quality::Medium);
}

TEST(QualityGovernor, AllocatesNothing) {
  QualityGovernor governor;
  const measure::AllocationCounts before = measure::thread_allocations();
  for (int i = 0; i < 10'000; ++i) governor.note(i % 3'000 < 1'500 ? 25 : 4, 17);
  EXPECT_EQ(measure::thread_allocations().new_calls, before.new_calls);
  EXPECT_GT(before.new_calls, 0u) << "nothing is counted here";
}

TEST(WorkOfAFrame, IsAllOfItWhereNothingWaits) {
  EXPECT_DOUBLE_EQ(work_ms({9, 6, 16.7, false}, 16.7), 9);
  EXPECT_DOUBLE_EQ(work_ms({40, 6, 40, false}, 16.7), 40);
}

TEST(WorkOfAFrame, OfAFrameThatWaitedOnlyWhatIsCertain) {
  EXPECT_DOUBLE_EQ(work_ms({16.6, 12, 16.7, true}, 16.7), 16.6 - 12) << "it waited in the swap";
  EXPECT_DOUBLE_EQ(work_ms({16.6, 0.1, 16.7, true}, 16.7), 16.7 / 2) << "it waited in its first draw";
  EXPECT_GT(work_ms({33, 28, 33.4, true}, 16.7), 16.7) << "it missed its display";
  EXPECT_LT(work_ms({33, 28, 33.4, true}, 16.7), 16.7 * 1.2);
  EXPECT_DOUBLE_EQ(work_ms({66, 1, 66.8, true}, 16.7), 66.8 - 16.7);
}

// Under vsync the load is not seen, only that it was too much; that must settle too.
TEST(WorkOfAFrame, UnderVsyncTheLevelSettlesAsWell) {
  QualityGovernor governor;
  double now_s = 0;
  std::vector<double> changes_s;
  while (now_s < kTenMinutes_s) {
    const double cost_ms = governor.level() == Quality::High ? 18 : 10;
    const double passed_ms = std::ceil(cost_ms / governor.budget_ms()) * governor.budget_ms();
    now_s += passed_ms * 1e-3;
    const Quality before = governor.level();
    governor.note(work_ms({passed_ms, passed_ms - cost_ms, passed_ms, true}, governor.budget_ms()), passed_ms);
    if (governor.level() != before) changes_s.push_back(now_s);
  }
  EXPECT_EQ(governor.level(), Quality::Medium);
  EXPECT_LE(changes_s.size(), 5u);
}

TEST(QualityInPlaceOfAuto, LeavesWhatThePlayerChose) {
  frame::LookSettings looks;
  ASSERT_EQ(looks.quality, Quality::Auto) << "a new player's";
  EXPECT_EQ(with_quality(looks, Quality::Medium).quality, Quality::Medium);
  looks.quality = Quality::Low;
  looks.resolution = frame::Resolution::Full;
  EXPECT_EQ(with_quality(looks, Quality::High), looks);
}

TEST(QualityInPlaceOfAuto, GivesTheResolutionThatBelongsToIt) {
  frame::LookSettings looks;
  ASSERT_EQ(looks.resolution, frame::Resolution::Auto) << "a new player's";
  EXPECT_EQ(with_quality(looks, Quality::High).resolution, frame::Resolution::Full);
  EXPECT_EQ(with_quality(looks, Quality::Medium).resolution, frame::Resolution::ThreeQuarters);
  looks.quality = Quality::Low;
  EXPECT_EQ(with_quality(looks, Quality::High).resolution, frame::Resolution::Half);
}

TEST(RateToHold, IsTheCapOrTheDisplaysOrSixty) {
  EXPECT_EQ(rate_to_hold(0, true, 144), 144);
  EXPECT_EQ(rate_to_hold(0, true, 0), 60);
  EXPECT_EQ(rate_to_hold(0, false, 144), 60);
  EXPECT_EQ(rate_to_hold(30, true, 144), 30);
  EXPECT_EQ(rate_to_hold(240, true, 144), 144);
  EXPECT_EQ(rate_to_hold(240, true, 0), 60);
  EXPECT_EQ(rate_to_hold(240, false, 60), 240);
}

}  // namespace
}  // namespace spellpool::app
