#include "app/play/stress_ramp.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::app {
namespace {

constexpr double kNear = 1.05;                 ///< What held and what broke may differ by so much.
constexpr u32 kStride = 4;

bool close(u32 bullets, u32 wanted) {
  const u32 apart = bullets > wanted ? bullets - wanted : wanted - bullets;
  return apart * 50 <= wanted;
}

/// To a half of the second digit: 23,412 → 23,500. More of them would say more than was measured.
u32 rounded(double bullets) {
  const double unit = std::max(1.0, 0.5 * std::pow(10.0, std::floor(std::log10(bullets)) - 1.0));
  return static_cast<u32>(std::floor(bullets / unit + 0.5) * unit);
}

template <class Of>
double median(const std::array<StressRamp::Frame, StressRamp::kFrames>& frames, Of of) {
  std::array<double, StressRamp::kFrames> values;
  std::transform(frames.begin(), frames.end(), values.begin(), of);
  std::nth_element(values.begin(), values.begin() + StressRamp::kFrames / 2, values.end());
  return values[StressRamp::kFrames / 2];
}

}  // namespace

StressRamp::StressRamp(double budget_ms, u32 top) : budget_ms_(budget_ms), top_(std::max(top, kLeast)) {
  go_to(std::min(kFirst, top_));
}

void StressRamp::go_to(u32 bullets) {
  wanted_ = bullets;
  ++levels_;
  steady_ = waited_ = count_ = 0;
  over_once_ = false;
}

void StressRamp::note(const Frame& frame) {
  if (done_) return;
  ++waited_;
  if (steady_ < kSteady_frames && waited_ < kPatience_frames) {
    steady_ = close(frame.bullets, wanted_) ? steady_ + 1 : 0;
    return;
  }
  frames_[count_++] = frame;
  if (count_ == kFrames) judge();
}

void StressRamp::judge() {
  count_ = 0;
  Level level;
  level.bullets = static_cast<u32>(median(frames_, [](const Frame& f) { return static_cast<double>(f.bullets); }));
  level.work_ms = median(frames_, [](const Frame& f) { return f.sim_ms + f.draw_ms; });
  level.sim_ms = median(frames_, [](const Frame& f) { return f.sim_ms; });
  level.draw_ms = median(frames_, [](const Frame& f) { return f.draw_ms; });
  if (level.work_ms > budget_ms_) {
    if (!over_once_) {
      over_once_ = true;
      return;
    }
    broke_ = level;
    broke_.bullets = wanted_;
    return go_between();
  }
  held_ = level;
  const bool starved = !close(level.bullets, wanted_);  // its pool gives no more
  if (wanted_ >= top_ || starved) done_ = true;
  else if (broke_.bullets == 0) go_to(std::min(top_, wanted_ * kStride));
  else go_between();
}

void StressRamp::go_between() {
  const u32 low = held_.bullets, high = broke_.bullets;
  if (low == 0) {
    if (high <= kLeast) done_ = true;
    else go_to(std::max(kLeast, high / kStride));
    return;
  }
  const u32 middle = rounded(std::sqrt(static_cast<double>(low) * high));
  if (high < low * kNear || middle <= low || middle >= high) done_ = true;
  else go_to(middle);
}

}  // namespace spellpool::app
