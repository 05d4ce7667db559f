#include "measure/record/statistics.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/rng.hpp"

namespace spellpool::measure {

std::size_t nearest_rank(std::size_t n, double p) {
  // p·n may come out a hair above a whole number (0.07 · 100); that hair must not cost a rank.
  const double rank = std::ceil(p * static_cast<double>(n) - 1e-9);
  const auto place = rank < 1.0 ? std::size_t{1} : static_cast<std::size_t>(rank);
  return std::min(place, n) - 1;
}

double percentile(std::span<const double> sorted, double p) {
  return sorted.empty() ? kUnknown : sorted[nearest_rank(sorted.size(), p)];
}

double sum(std::span<const double> values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

double average_fps(std::span<const double> times_us) {
  const double total = sum(times_us);
  return total > 0 ? 1e6 * static_cast<double>(times_us.size()) / total : kUnknown;
}

double low_fps(std::span<const double> sorted_us, double fraction, LowKind kind) {
  if (sorted_us.empty()) return kUnknown;
  const double at_percentile = percentile(sorted_us, 1.0 - fraction);
  double slow_us = at_percentile;
  if (kind == LowKind::Average) {
    const auto first = std::lower_bound(sorted_us.begin(), sorted_us.end(), at_percentile);
    const auto tail = sorted_us.subspan(static_cast<std::size_t>(first - sorted_us.begin()));
    slow_us = sum(tail) / static_cast<double>(tail.size());
  } else if (kind == LowKind::Integral) {
    const double share = fraction * sum(sorted_us);
    double added = 0;
    for (std::size_t i = sorted_us.size(); i-- > 0;) {
      added += sorted_us[i];
      slow_us = sorted_us[i];
      if (added >= share) break;
    }
  }
  return slow_us > 0 ? 1e6 / slow_us : kUnknown;
}

OverLimit over_limit(std::span<const double> times_us, double limit_us) {
  OverLimit over;
  for (const double t : times_us) {
    if (t <= limit_us) continue;
    ++over.frames;
    over.time_us += t;
  }
  return over;
}

double stutter_percent(std::span<const double> times_us) {
  const double total = sum(times_us);
  if (!(total > 0)) return kUnknown;
  double trailing = 0, stuttered = 0;
  for (std::size_t i = 0; i < times_us.size(); ++i) {
    const std::size_t before = std::min(i, kTrailingFrames);
    if (before > 0 && times_us[i] > 2.5 * trailing / static_cast<double>(before)) stuttered += times_us[i];
    trailing += times_us[i];
    if (i >= kTrailingFrames) trailing -= times_us[i - kTrailingFrames];
  }
  return 100.0 * stuttered / total;
}

double median_absolute_deviation(std::span<double> scratch, double median) {
  if (scratch.empty()) return kUnknown;
  for (double& value : scratch) value = std::abs(value - median);
  const auto middle = scratch.begin() + static_cast<std::ptrdiff_t>(nearest_rank(scratch.size(), 0.5));
  std::nth_element(scratch.begin(), middle, scratch.end());
  return *middle;
}

namespace {

/// found(i) for each spike.
template <class Found>
void find_spikes(std::span<const double> times_us, double median, double mad, Found&& found) {
  constexpr std::size_t kFewest = 8;
  std::array<double, kTrailingFrames> window{};  // Sorted; the up to 60 frames before i.
  std::size_t held = 0;
  for (std::size_t i = 0; i < times_us.size(); ++i) {
    const double rolling = held < kFewest ? median : window[nearest_rank(held, 0.5)];
    if (times_us[i] > std::max(2.0 * rolling, median + 6.0 * mad)) found(i);
    if (held == kTrailingFrames) {
      const auto end = window.begin() + static_cast<std::ptrdiff_t>(held);
      const auto oldest = std::lower_bound(window.begin(), end, times_us[i - kTrailingFrames]);
      std::move(oldest + 1, end, oldest);
      --held;
    }
    const auto end = window.begin() + static_cast<std::ptrdiff_t>(held);
    const auto place = std::upper_bound(window.begin(), end, times_us[i]);
    std::move_backward(place, end, end + 1);
    *place = times_us[i];
    ++held;
  }
}

}  // namespace

u64 count_spikes(std::span<const double> times_us, double median, double mad) {
  u64 spikes = 0;
  find_spikes(times_us, median, mad, [&](std::size_t) { ++spikes; });
  return spikes;
}

std::vector<std::size_t> spikes_of(std::span<const double> times_us) {
  std::vector<double> sorted(times_us.begin(), times_us.end());
  std::sort(sorted.begin(), sorted.end());
  const double median = percentile(sorted, 0.5), mad = median_absolute_deviation(sorted, median);
  std::vector<std::size_t> spikes;
  find_spikes(times_us, median, mad, [&](std::size_t i) { spikes.push_back(i); });
  return spikes;
}

double quad_effect(std::span<const double> y_a, std::span<const double> y_b) {
  if (y_a.empty() || y_b.empty()) return kUnknown;
  return sum(y_b) / static_cast<double>(y_b.size()) - sum(y_a) / static_cast<double>(y_a.size());
}

double median_in_place(std::span<double> scratch) {
  if (scratch.empty()) return kUnknown;
  const auto upper = scratch.begin() + static_cast<std::ptrdiff_t>(scratch.size() / 2);
  std::nth_element(scratch.begin(), upper, scratch.end());
  if (scratch.size() % 2 == 1) return *upper;
  return 0.5 * (*std::max_element(scratch.begin(), upper) + *upper);
}

BootstrapInterval bootstrap_median(std::span<const double> effects, u32 resamples, u64 seed) {
  BootstrapInterval interval;
  interval.quads = static_cast<u32>(effects.size());
  std::vector<double> draw(effects.begin(), effects.end());
  interval.point = median_in_place(draw);
  if (effects.size() < kLeastQuadsForInterval || resamples == 0) return interval;
  Rng rng{seed};
  std::vector<double> medians(resamples);
  for (double& median : medians) {
    for (double& value : draw) value = effects[rng.below(interval.quads)];
    median = median_in_place(draw);
  }
  std::sort(medians.begin(), medians.end());
  interval.low = percentile(medians, 0.025);
  interval.high = percentile(medians, 0.975);
  return interval;
}

double noise_floor(const BootstrapInterval& same_arms) {
  return std::max(std::abs(same_arms.low), std::abs(same_arms.high));
}

bool stands_out(const BootstrapInterval& effect, double floor) {
  const bool leaves_zero = effect.low > 0.0 || effect.high < 0.0;
  return leaves_zero && std::abs(effect.point) > floor;
}

}  // namespace spellpool::measure
