#pragma once
// The formulas behind every figure that Spellpool shows, as pure functions over plain numbers.
//
// Times are in µs, oldest first unless a parameter says sorted (ascending). No function here allocates unless it says
// so. An empty range has no figure: the result is NaN, never 0.
// Source  Efron, "Bootstrap Methods", 1979; CapFrameX and MSI Afterburner for the two other kinds of "1 % low".
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace spellpool::measure {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// --- Frame times -------------------------------------------------------------------------------------------------

/// Place of percentile p (0 < p ≤ 1) among n sorted values, by nearest rank: ceil(p·n) − 1, counted from 0.
std::size_t nearest_rank(std::size_t n, double p);
/// sorted[ceil(p·n) − 1].
double percentile(std::span<const double> sorted, double p);
/// p99.9 of fewer frames than this would rest on fewer than ten of them, so it is not given.
inline constexpr std::size_t kLeastFramesForP999 = 10'000;

double sum(std::span<const double> values);
/// n / Σt · 10⁶, in frames per second. Not the mean of 1/t, which reads too high.
double average_fps(std::span<const double> times_us);

/// Three figures that go by the name "1 % low". Always show which one.
enum class LowKind : u8 {
  Percentile,  ///< 10⁶ / t at p99.
  Average,     ///< 10⁶ / mean of all frames t ≥ p99 (CapFrameX).
  Integral,    ///< Longest frames first, add until 1 % of Σt is reached: 10⁶ / that frame's t (MSI Afterburner).
};
/// fraction 0.01 gives the 1 % low, 0.001 the 0.1 % low; in frames per second.
double low_fps(std::span<const double> sorted_us, double fraction, LowKind kind);

/// Frames that took longer than a limit: how many, and their time together.
struct OverLimit {
  u64 frames = 0;
  double time_us = 0;
};
/// t > limit. Limits in use: 16 667 µs, 33 333 µs, 2 × median.
OverLimit over_limit(std::span<const double> times_us, double limit_us);

/// How many frames before the one judged make its trailing mean and its rolling median: a second at 60 Hz.
inline constexpr std::size_t kTrailingFrames = 60;
/// 100 · Σ t of frames with t > 2.5 × (mean of the up to 60 frames before) / Σ t, in percent. The first is never
/// judged.
double stutter_percent(std::span<const double> times_us);

/// Median of |t − median(t)|, nearest rank. Reorders scratch, which holds the values at the start.
double median_absolute_deviation(std::span<double> scratch, double median);
/// Number of frames with t > max(2 × rolling median, median + 6·MAD). The rolling median is over the up to 60 frames
/// before the one judged; the first 8 are judged against the median of all.  Cost O(60·n).
u64 count_spikes(std::span<const double> times_us, double median, double mad);
/// Which they are, by place, rising, with the median and MAD of these same frames.  Allocates.
std::vector<std::size_t> spikes_of(std::span<const double> times_us);

// --- Comparing two arms ------------------------------------------------------------------------------------------

/// r = mean(y_B) − mean(y_A) of one quad, y = ln(median frame time of a block). e^r is time of B over time of A.
double quad_effect(std::span<const double> y_a, std::span<const double> y_b);
/// Middle value; the mean of the two middle ones if n is even. Reorders scratch.
double median_in_place(std::span<double> scratch);

struct BootstrapInterval {
  double point = kUnknown;  ///< Median of the effects.
  double low = kUnknown;    ///< 2.5 % and 97.5 % of the resampled medians. Unknown below kLeastQuadsForInterval.
  double high = kUnknown;
  u32 quads = 0;
};
/// Fewer quads give no interval. The range from the minimum to the maximum of n values covers the true
/// median with a probability of only 1 − 2^(1−n): 94 % for n = 5, 97 % for n = 6. At 6 quads the 95 %
/// of the percentile bootstrap is only nominal: its bounds lie inside that range, so it covers less.
inline constexpr std::size_t kLeastQuadsForInterval = 6;
inline constexpr u32 kBootstrapResamples = 10'000;
inline constexpr u64 kBootstrapSeed = 20'140'917;
/// 95 % percentile bootstrap over quads: draw n effects with replacement, take their median, 10,000 times with a fixed
/// seed; the bounds are the nearest-rank 2.5 % and 97.5 % of those medians.  Allocates; about 10 ms for 60 quads.
BootstrapInterval bootstrap_median(std::span<const double> effects, u32 resamples = kBootstrapResamples,
                                   u64 seed = kBootstrapSeed);
/// Noise floor from a control in which both arms were the same: max(|low|, |high|) of its interval. An effect below it
/// is nothing that this machine can tell from chance.
double noise_floor(const BootstrapInterval& same_arms);
/// The interval leaves 0 (a ratio of 1) on one side, and |point| exceeds the noise floor.
bool stands_out(const BootstrapInterval& effect, double floor);

}  // namespace spellpool::measure
