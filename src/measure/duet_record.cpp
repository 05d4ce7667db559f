#include "measure/duet_record.hpp"

#include <algorithm>
#include <cmath>

#include "measure/statistics.hpp"

namespace spellpool::measure {
namespace {

using frame::DuetClock;
using frame::DuetFigures;
using frame::DuetPair;

/// Sorts what of `scratch` was filled.
struct Sorted {
  std::span<double> values;
  explicit Sorted(std::span<double> filled) : values(filled) { std::sort(values.begin(), values.end()); }
  float at(double p) const { return static_cast<float>(percentile(values, p)); }
};

DuetFigures figures_of(std::span<const DuetPair> pairs, DuetClock clock, std::span<double> scratch) {
  DuetFigures figures;
  const auto gather = [&](auto&& value) {
    std::size_t count = 0;
    for (const DuetPair& pair : pairs) {
      const double one = value(pair);
      if (std::isfinite(one)) scratch[count++] = one;
    }
    return Sorted(scratch.first(count));
  };
  for (std::size_t side = 0; side < 2; ++side) {
    const Sorted times = gather([&](const DuetPair& pair) { return static_cast<double>(duet_us(pair, clock, side)); });
    figures.median_us[side] = times.at(0.5);
    figures.p95_us[side] = times.at(0.95);
  }
  const Sorted ratios = gather([&](const DuetPair& pair) {
    const double a = static_cast<double>(duet_us(pair, clock, 0)), b = static_cast<double>(duet_us(pair, clock, 1));
    return a > 0 && b > 0 ? b / a : kUnknown;
  });
  figures.ratio = ratios.at(0.5);
  figures.low = ratios.at(0.25);
  figures.high = ratios.at(0.75);
  return figures;
}

}  // namespace

void DuetRecord::add(DuetPair pair) {
  pairs_.push_back(pair);
  const std::span<const DuetPair> last = std::span<const DuetPair>(pairs_).last(std::min(pairs_.size(), frame::kDuetWindow));
  std::array<double, frame::kDuetWindow> scratch;
  for (const frame::DuetClockRow& row : frame::kDuetClocks) {
    pairs_.back().running[static_cast<std::size_t>(row.id)] = figures_of(last, row.id, scratch);
  }
}

DuetFigures DuetRecord::whole(DuetClock clock) const {
  std::vector<double> scratch(counted());
  return figures_of(std::span<const DuetPair>(pairs_).last(counted()), clock, scratch);
}

}  // namespace spellpool::measure
