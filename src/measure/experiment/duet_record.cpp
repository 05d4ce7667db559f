#include "measure/experiment/duet_record.hpp"

#include <algorithm>
#include <cmath>

#include "measure/record/statistics.hpp"

namespace spellpool::measure {
namespace {

using frame::DuetClock;
using frame::DuetFigures;
using frame::DuetStep;

/// Sorts what of the scratch was filled.
struct Sorted {
  std::span<double> values;
  explicit Sorted(std::span<double> filled) : values(filled) { std::sort(values.begin(), values.end()); }
  float at(double p) const { return static_cast<float>(percentile(values, p)); }
};

/// Of the last `count` steps at most; the first of them and the last may be without the other of their pair, and do
/// not count then.
DuetFigures figures_up_to(std::span<const DuetStep> all, std::size_t count, DuetClock clock,
                          std::span<double> scratch) {
  DuetFigures figures;
  const std::size_t first = (all.size() - count + 1) & ~std::size_t{1}, end = all.size() & ~std::size_t{1};
  if (end < first + 2 * kLeastDuetPairs) return figures;
  const auto us = [&](std::size_t step, std::size_t side) {
    return static_cast<double>(duet_us(all[step], clock, side));
  };
  const auto gather = [&](std::size_t stride, auto&& value) {
    std::size_t filled = 0;
    for (std::size_t step = first; step < end; step += stride) {
      const double one = value(step);
      if (std::isfinite(one)) scratch[filled++] = one;
    }
    return Sorted(scratch.first(filled));
  };
  for (std::size_t side = 0; side < 2; ++side) {
    figures.median_us[side] =
        gather(2, [&](std::size_t step) { return (us(step, side) + us(step + 1, side)) * 0.5; }).at(0.5);
    figures.p95_us[side] = gather(1, [&](std::size_t step) { return us(step, side); }).at(0.95);
  }
  const auto ratio = [&](std::size_t step) {
    return us(step, 0) > 0 && us(step, 1) > 0 ? us(step, 1) / us(step, 0) : kUnknown;
  };
  const Sorted ratios = gather(2, [&](std::size_t step) { return std::sqrt(ratio(step) * ratio(step + 1)); });
  figures.ratio = ratios.at(0.5);
  figures.low = ratios.at(0.25);
  figures.high = ratios.at(0.75);
  return figures;
}

}  // namespace

void DuetRecord::add(DuetStep step) {
  steps_.push_back(step);
  std::array<double, frame::kDuetWindow> scratch;
  const std::size_t count = std::min(steps_.size(), frame::kDuetWindow);
  for (const frame::DuetClockRow& row : frame::kDuetClocks) {
    steps_.back().running[static_cast<std::size_t>(row.id)] = figures_up_to(steps_, count, row.id, scratch);
  }
}

DuetFigures DuetRecord::whole(DuetClock clock) const {
  std::vector<double> scratch(counted());
  return figures_up_to(steps_, counted(), clock, scratch);
}

}  // namespace spellpool::measure
