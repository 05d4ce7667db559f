#include "app/play/quality_governor.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::app {
namespace {

constexpr std::size_t kLeastFrames = 10, kLeastQuickFrames = 6;
constexpr double kLongest_ms = 250;  ///< A frame counts for no more of a window's time, or a hitch would be one.
constexpr double kMostRatio = 8;

}  // namespace

void QualityGovernor::aim(double frames_per_s) {
  const double budget_ms = 1000.0 / frames_per_s;
  if (budget_ms == budget_ms_) return;
  budget_ms_ = budget_ms;
  patience_ = 1;
  interrupt();
}

void QualityGovernor::interrupt() {
  count_ = 0;
  window_ms_ = 0;
  looked_early_ = false;
  calm_ms_ = 0;
}

void QualityGovernor::forget() {
  ratios_ = {};
  patience_ = 1;
  fresh_ = false;
  interrupt();
}

double QualityGovernor::median() {
  const auto middle = busy_ms_.begin() + static_cast<std::ptrdiff_t>((count_ - 1) / 2);
  std::nth_element(busy_ms_.begin(), middle, busy_ms_.begin() + static_cast<std::ptrdiff_t>(count_));
  return static_cast<double>(*middle);
}

void QualityGovernor::note(double busy_ms, double passed_ms) {
  if (!std::isfinite(busy_ms) || busy_ms <= 0) return;
  const double counted_ms = std::min(kLongest_ms, std::isfinite(passed_ms) ? std::max(passed_ms, busy_ms) : busy_ms);
  now_ms_ += counted_ms;
  window_ms_ += counted_ms;
  busy_ms_[count_++] = static_cast<float>(busy_ms);
  if ((window_ms_ >= kWindow_ms && count_ >= kLeastFrames) || count_ == busy_ms_.size()) {
    const double window_ms = window_ms_, median_ms = median();
    count_ = 0;
    window_ms_ = 0;
    looked_early_ = false;
    judge(median_ms, window_ms);
  } else if (!looked_early_ && window_ms_ >= kQuick_ms && count_ >= kLeastQuickFrames) {
    looked_early_ = true;
    if (const double median_ms = median(); level_ > 0 && median_ms > kFarOver * budget_ms_)
      step_to(level_ - 1, median_ms);
  }
}

void QualityGovernor::judge(double median_ms, double window_ms) {
  measure_step(median_ms);
  if (now_ms_ - changed_ms_ >= kForgive_ms * patience_) {
    patience_ = std::max(1u, patience_ / 2);
    changed_ms_ = now_ms_;
  }
  if (median_ms > budget_ms_) {
    calm_ms_ = 0;
    if (level_ > 0) step_to(level_ - 1, median_ms);
    return;
  }
  const bool calm = median_ms <= kRoomy * budget_ms_;
  calm_worst_ms_ = calm ? std::max(calm_ms_ > 0 ? calm_worst_ms_ : 0.0, median_ms) : 0;
  calm_ms_ = calm ? calm_ms_ + window_ms : 0;
  if (level_ + 1 < kLevels && calm_ms_ >= kCalm_ms * patience_ && next_fits(calm_worst_ms_))
    step_to(level_ + 1, median_ms);
}

/// The first window after a step tells what the step brought.
void QualityGovernor::measure_step(double median_ms) {
  if (!fresh_) return;
  fresh_ = false;
  const double ratio = before_ > level_ ? before_ms_ / median_ms : median_ms / before_ms_;
  ratios_[std::min(before_, level_)] = {std::clamp(ratio, 1.0, kMostRatio), now_ms_};
}

bool QualityGovernor::next_fits(double median_ms) const {
  const Ratio& ratio = ratios_[level_];
  const bool known = ratio.value > 0 && now_ms_ - ratio.measured_ms < kForget_ms * patience_;
  return !known || median_ms * ratio.value <= kFits * budget_ms_;
}

void QualityGovernor::step_to(std::size_t level, double median_ms) {
  measure_step(median_ms);
  if (level > level_) risen_ms_ = now_ms_;
  else if (now_ms_ - risen_ms_ < kProven_ms) patience_ = std::min(kMostPatience, patience_ * 2);
  before_ = level_;
  before_ms_ = median_ms;
  fresh_ = true;
  level_ = level;
  changed_ms_ = now_ms_;
  interrupt();
}

double work_ms(const FrameTimes& times, double budget_ms) {
  if (!times.waits) return times.frame_ms;
  constexpr double kLate = 1.1, kOnTime = 0.5;
  if (times.passed_ms > kLate * budget_ms) return std::max(times.passed_ms - budget_ms, 1.05 * budget_ms);
  return std::min(times.frame_ms - times.swap_ms, kOnTime * budget_ms);
}

double rate_to_hold(u32 frame_cap, bool vsync, int display_hz) {
  constexpr double kUsual_hz = 60;
  const double rate = vsync && display_hz > 0 ? display_hz : kUsual_hz;
  if (frame_cap == 0) return rate;
  return vsync ? std::min<double>(frame_cap, rate) : frame_cap;
}

}  // namespace spellpool::app
