#include "measure/record/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "measure/record/frame_figures.hpp"
#include "measure/record/number_text.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Percentile, IsTheNearestRank) {
  const std::vector<double> five = {15, 20, 35, 40, 50};
  EXPECT_EQ(percentile(five, 0.05), 15);
  EXPECT_EQ(percentile(five, 0.30), 20);
  EXPECT_EQ(percentile(five, 0.40), 20);
  EXPECT_EQ(percentile(five, 0.50), 35);
  EXPECT_EQ(percentile(five, 1.00), 50);
  EXPECT_EQ(percentile(one_to(100), 0.99), 99);
  EXPECT_EQ(percentile(one_to(100), 0.07), 7);  // 0.07 · 100 is 7.000000000000001 in doubles.
  EXPECT_EQ(percentile(one_to(1000), 0.999), 999);
  EXPECT_EQ(percentile(one_to(1), 0.5), 1);
  EXPECT_TRUE(std::isnan(percentile({}, 0.5)));
}

TEST(AverageFps, IsFramesOverTimeAndNotTheMeanOfRates) {
  const std::vector<double> times = {10'000, 30'000};  // Rates 100 and 33.3; their mean would be 66.7.
  EXPECT_DOUBLE_EQ(average_fps(times), 50.0);
  EXPECT_TRUE(std::isnan(average_fps({})));
}

TEST(OnePercentLow, TheThreeKindsDiffer) {
  // 198 frames of 10 ms, one of 20 ms, one of 100 ms; Σt = 2,100 ms, 1 % of it 21 ms.
  std::vector<double> times(198, 10'000.0);
  times.push_back(20'000);
  times.push_back(100'000);
  // p99 = sorted[ceil(198) − 1] = 10 ms.
  EXPECT_DOUBLE_EQ(low_fps(times, 0.01, LowKind::Percentile), 100.0);
  // All frames are ≥ 10 ms: their mean is 2,100 / 200 = 10.5 ms.
  EXPECT_DOUBLE_EQ(low_fps(times, 0.01, LowKind::Average), 1e6 / 10'500.0);
  // 100 ms alone is more than 21 ms.
  EXPECT_DOUBLE_EQ(low_fps(times, 0.01, LowKind::Integral), 10.0);
  // With 5 % (105 ms): 100 is not enough, 120 is: the frame of 20 ms.
  EXPECT_DOUBLE_EQ(low_fps(times, 0.05, LowKind::Integral), 50.0);
}

TEST(OnePercentLow, AverageKindTakesTheFramesFromP99Up) {
  const std::vector<double> times = one_to(200);  // p99 = 198: mean of 198, 199, 200.
  EXPECT_DOUBLE_EQ(low_fps(times, 0.01, LowKind::Average), 1e6 / 199.0);
}

TEST(OnePercentLow, AllSixReadingsOfOneSetByHand) {
  // 10,000 frames: 9,900 of 10 µs, 89 of 50, 10 of 200, one of 1,000. Σt = 99,000 + 4,450 + 2,000 + 1,000 = 106,450.
  std::vector<double> times(9'900, 10.0);
  times.insert(times.end(), 89, 50.0);
  times.insert(times.end(), 10, 200.0);
  times.push_back(1'000.0);
  // p99 is place 9,900 of the sorted: the last of 10 µs. p99.9 is place 9,990: the first of 200.
  EXPECT_DOUBLE_EQ(low_fps(times, 0.01, LowKind::Percentile), 1e6 / 10.0);
  EXPECT_DOUBLE_EQ(low_fps(times, 0.001, LowKind::Percentile), 1e6 / 200.0);
  // Mean of all at or above: for p99 every frame, 10.645; for p99.9 (2,000 + 1,000) / 11.
  EXPECT_DOUBLE_EQ(low_fps(times, 0.01, LowKind::Average), 1e6 / (106'450.0 / 10'000));
  EXPECT_DOUBLE_EQ(low_fps(times, 0.001, LowKind::Average), 1e6 / (3'000.0 / 11));
  // Longest first until 1 % of Σt, 1,064.5, is reached: 1,000 + 200. 0.1 %, 106.45: the longest alone.
  EXPECT_DOUBLE_EQ(low_fps(times, 0.01, LowKind::Integral), 1e6 / 200.0);
  EXPECT_DOUBLE_EQ(low_fps(times, 0.001, LowKind::Integral), 1e6 / 1'000.0);
}

TEST(OverLimit, CountsFramesAndTheirTime) {
  const std::vector<double> times = {10, 20, 20.5, 40};
  const OverLimit over = over_limit(times, 20);
  EXPECT_EQ(over.frames, 2u);
  EXPECT_DOUBLE_EQ(over.time_us, 60.5);
}

TEST(Stutter, IsTheShareOfTimeInFramesFarAboveTheTrailingMean) {
  std::vector<double> times(99, 10.0);
  times.push_back(30.0);  // 30 > 2.5 · 10; Σt = 1020.
  EXPECT_NEAR(stutter_percent(times), 100.0 * 30.0 / 1020.0, 1e-9);
  times.back() = 25.0;  // Not above 2.5 · 10.
  EXPECT_EQ(stutter_percent(times), 0.0);
}

TEST(Stutter, LooksBackNoFurtherThanTheWindow) {
  std::vector<double> times(100, 1000.0);
  times.insert(times.end(), 60, 10.0);
  times.push_back(30.0);  // The long frames have left the window of 60.
  EXPECT_NEAR(stutter_percent(times), 100.0 * 30.0 / 100'630.0, 1e-9);
}

TEST(MedianAbsoluteDeviation, OfAKnownSet) {
  std::vector<double> values = {1, 1, 2, 2, 4, 6, 9};  // Median 2; deviations 1 1 0 0 2 4 7.
  EXPECT_EQ(median_absolute_deviation(values, 2), 1);
}

TEST(Spikes, AFrameMustExceedBothTheRollingMedianAndTheSpread) {
  std::vector<double> times(100, 10.0);
  times[50] = 20.0;  // 2 × rolling median is not above it.
  EXPECT_EQ(count_spikes(times, 10, 0), 0u);
  times[50] = 20.5;
  EXPECT_EQ(count_spikes(times, 10, 0), 1u);
  EXPECT_EQ(count_spikes(times, 10, 2), 0u);  // median + 6·2 = 22 is above it.
}

TEST(Spikes, ALastingRiseStopsBeingSpikes) {
  // From 10 to 30: the median of the 60 before follows after 30 frames.
  std::vector<double> times(100, 10.0);
  times.insert(times.end(), 100, 30.0);
  EXPECT_EQ(count_spikes(times, 10, 0), 31u);
}

TEST(Spikes, EqualsTheDefinitionOnRandomFrames) {
  Rng rng{5};
  std::vector<double> times;
  for (int i = 0; i < 700; ++i) {
    times.push_back(10.0 + 5.0 * static_cast<double>(rng.unit()) + (rng.below(20) == 0 ? 25.0 : 0.0));
  }
  std::vector<double> sorted = times;
  std::sort(sorted.begin(), sorted.end());
  const double median = percentile(sorted, 0.5);
  const double mad = median_absolute_deviation(sorted, median);
  u64 expected = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::size_t before = std::min(i, kTrailingFrames);
    std::vector<double> window(times.begin() + static_cast<std::ptrdiff_t>(i - before),
                               times.begin() + static_cast<std::ptrdiff_t>(i));
    std::sort(window.begin(), window.end());
    const double rolling = before < 8 ? median : percentile(window, 0.5);
    if (times[i] > std::max(2.0 * rolling, median + 6.0 * mad)) ++expected;
  }
  ASSERT_GT(expected, 5u);
  EXPECT_EQ(count_spikes(times, median, mad), expected);
}

TEST(QuadEffect, IsTheDifferenceOfMeanLogs) {
  const std::vector<double> a = {std::log(100.0), std::log(400.0)};  // Geometric mean 200.
  const std::vector<double> b = {std::log(50.0), std::log(200.0)};   // Geometric mean 100.
  EXPECT_NEAR(std::exp(quad_effect(a, b)), 0.5, 1e-12);
}

TEST(Median, OfEvenCountIsTheMiddleOfTheTwo) {
  std::vector<double> four = {4, 1, 3, 2}, five = {5, 1, 4, 2, 3};
  EXPECT_EQ(median_in_place(four), 2.5);
  EXPECT_EQ(median_in_place(five), 3);
}

TEST(Bootstrap, OfEqualEffectsHasNoWidth) {
  const std::vector<double> effects(6, -0.05);
  const BootstrapInterval interval = bootstrap_median(effects);
  EXPECT_EQ(interval.point, -0.05);
  EXPECT_EQ(interval.low, -0.05);
  EXPECT_EQ(interval.high, -0.05);
  EXPECT_EQ(interval.quads, 6u);
}

TEST(Bootstrap, BelowSixQuadsThereIsAPointButNoInterval) {
  const std::vector<double> effects = {-0.2, 0.0, 0.1, 0.3, -0.1, 0.05};
  for (std::size_t quads = 1; quads < 6; ++quads) {
    const BootstrapInterval interval = bootstrap_median({effects.data(), quads});
    EXPECT_TRUE(std::isfinite(interval.point));
    EXPECT_TRUE(std::isnan(interval.low) && std::isnan(interval.high)) << quads;
  }
  const BootstrapInterval six = bootstrap_median(effects);
  EXPECT_TRUE(six.low >= -0.2 && six.low < six.point && six.high > six.point && six.high <= 0.3);
}

TEST(Bootstrap, IntervalOfManyQuadsFitsTheOrderStatistics) {
  // For the median of n = 40 distinct values the binomial interval is about rank 14 to 27.
  const std::vector<double> effects = one_to(40);
  const BootstrapInterval interval = bootstrap_median(effects);
  EXPECT_EQ(interval.point, 20.5);
  EXPECT_NEAR(interval.low, 14.5, 1.5);
  EXPECT_NEAR(interval.high, 26.5, 1.5);
}

TEST(Bootstrap, GivesTheSameEveryTime) {
  const std::vector<double> effects = {0.3, -0.1, 0.02, 0.07, -0.2, 0.11};
  const BootstrapInterval first = bootstrap_median(effects), second = bootstrap_median(effects);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

TEST(Bootstrap, OneQuadHasNoInterval) {
  const std::vector<double> one = {0.1};
  EXPECT_EQ(bootstrap_median(one).point, 0.1);
  EXPECT_TRUE(std::isnan(bootstrap_median(one).low));
  EXPECT_TRUE(std::isnan(bootstrap_median({}).point));
}

TEST(NoiseFloor, AnEffectStandsOutOnlyBeyondTheControl) {
  const BootstrapInterval control{0.001, -0.01, 0.02, 20};
  EXPECT_EQ(noise_floor(control), 0.02);
  EXPECT_TRUE(stands_out({-0.05, -0.06, -0.04, 20}, 0.02));
  EXPECT_FALSE(stands_out({-0.015, -0.018, -0.012, 20}, 0.02)) << "inside the floor";
  EXPECT_FALSE(stands_out({-0.05, -0.11, 0.01, 20}, 0.02)) << "the interval holds a ratio of 1";
}

TEST(FrameFigures, OfHandMadeFrames) {
  std::vector<frame::FrameRecord> records;
  for (int i = 1; i <= 100; ++i) {
    records.push_back(frame_of(i * 100.0));
    records.back().new_calls = i <= 50 ? 3 : 0;
    records.back().phase_us[1] = static_cast<float>(i);
  }
  const frame::FrameFigures figures = figures_of(records);
  EXPECT_EQ(figures.frames, 100u);
  EXPECT_EQ(figures.median_us, 5000);
  EXPECT_EQ(figures.p95_us, 9500);
  EXPECT_EQ(figures.p99_us, 9900);
  EXPECT_TRUE(std::isnan(figures.p999_us)) << "100 frames have no p99.9";
  EXPECT_NEAR(figures.average_fps, 100.0 / 0.505, 1e-9);
  EXPECT_NEAR(figures.low_1_percent_fps, 1e6 / 9950.0, 1e-9);
  EXPECT_EQ(figures.allocations_per_frame, 1.5);
  const auto phases = phase_figures_of(records);
  EXPECT_EQ(phases[1].median_us, 50);
  EXPECT_EQ(phases[1].p99_us, 99);
  EXPECT_EQ(phases[0].p99_us, 0);
}

TEST(FrameFigures, P999NeedsTenThousandFrames) {
  std::vector<frame::FrameRecord> records(10'000, frame_of(10));
  records[0].frame_us = 500;
  EXPECT_EQ(figures_of(records).p999_us, 10);
  records.pop_back();
  EXPECT_TRUE(std::isnan(figures_of(records).p999_us));
}

TEST(FrameFigures, OfNothingAreUnknownAndNotZero) {
  EXPECT_TRUE(std::isnan(figures_of({}).median_us));
  EXPECT_TRUE(std::isnan(figures_of({}).average_fps));
  EXPECT_TRUE(std::isnan(phase_figures_of({})[0].median_us));
}

TEST(NumberText, GroupsThousands) {
  EXPECT_EQ(grouped_text(0, 0), "0");
  EXPECT_EQ(grouped_text(999.94, 1), "999.9");
  EXPECT_EQ(grouped_text(1000, 0), "1,000");
  EXPECT_EQ(grouped_text(-1234567.891, 2), "-1,234,567.89");
  EXPECT_EQ(grouped_text(kUnknown, 2), "n/a");
}

}  // namespace
}  // namespace spellpool::measure
