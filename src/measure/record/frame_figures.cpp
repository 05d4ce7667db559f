#include "measure/record/frame_figures.hpp"

#include <algorithm>

#include "measure/record/statistics.hpp"

namespace spellpool::measure {

frame::FrameFigures FigureScratch::figures() {
  frame::FrameFigures result;
  result.frames = times_.size();
  sorted_.assign(times_.begin(), times_.end());
  std::sort(sorted_.begin(), sorted_.end());
  result.median_us = percentile(sorted_, 0.50);
  result.p95_us = percentile(sorted_, 0.95);
  result.p99_us = percentile(sorted_, 0.99);
  result.p999_us = times_.size() >= kLeastFramesForP999 ? percentile(sorted_, 0.999) : kUnknown;
  result.average_fps = average_fps(times_);
  result.low_1_percent_fps = low_fps(sorted_, 0.01, LowKind::Average);
  result.allocations_per_frame =
      times_.empty() ? kUnknown : static_cast<double>(new_calls_) / static_cast<double>(times_.size());
  const double mad = median_absolute_deviation(sorted_, result.median_us);
  result.spikes = count_spikes(times_, result.median_us, mad);
  return result;
}

frame::FrameFigures figures_of(std::span<const frame::FrameRecord> records) {
  FigureScratch scratch(records.size());
  for (const frame::FrameRecord& record : records) scratch.add(record);
  return scratch.figures();
}

std::array<PhaseFigures, frame::kPhaseCount> phase_figures_of(std::span<const frame::FrameRecord> records) {
  std::array<PhaseFigures, frame::kPhaseCount> result{};
  std::vector<double> times(records.size());
  for (std::size_t phase = 0; phase < frame::kPhaseCount; ++phase) {
    for (std::size_t i = 0; i < records.size(); ++i) times[i] = static_cast<double>(records[i].phase_us[phase]);
    std::sort(times.begin(), times.end());
    result[phase] = {percentile(times, 0.50), percentile(times, 0.99)};
  }
  return result;
}

}  // namespace spellpool::measure
