#pragma once
#include <algorithm>
#include <cmath>

#include "core/types.hpp"

namespace spellpool::platform {

/// How far ahead sound is rendered where one thread draws frames and renders sound, as in a browser. A frame that
/// takes longer than this leaves a gap; but a sound is heard that much later. So the lead follows the longest recent
/// frame, up to kMaximum_s. The first frames of a page may take longer than that, while shader programs are compiled:
/// sound begins after them.
/// Units   seconds; now_ns in nanoseconds.
/// Cost    two exponentials for each frame.
class SoundLead {
 public:
  static constexpr double kMinimum_s = 0.085, kMaximum_s = 0.5;  ///< Of lead_s().
  /// Less than kLow_s left adds kStep_s to the minimum, at most kMaximumAdded_s; after a minute a third is left of it.
  static constexpr double kLow_s = 0.03, kStep_s = 0.03, kMaximumAdded_s = 0.2;
  static constexpr double kShort_s = 0.25, kCalm_s = 0.3, kLongestWait_s = 4;  ///< Of may_begin().

  /// Call at the beginning of each frame.
  void begin_frame(i64 now_ns) {
    const double frame_s = frame_at_ns_ == 0 ? 0 : static_cast<double>(std::max(now_ns - frame_at_ns_, i64{0})) * 1e-9;
    frame_at_ns_ = now_ns;
    const bool hidden = frame_s > kHidden_s;
    longest_s_ = std::max(hidden ? 0 : frame_s, longest_s_ * std::exp(-frame_s / kForgotten_s));
    added_s_ *= std::exp(-frame_s / kForgottenAdded_s);
    calm_s_ = frame_s < kShort_s ? calm_s_ + frame_s : 0;
    waited_s_ += std::min(frame_s, kHidden_s);
  }

  /// True after kCalm_s in which all frames were short, or after kLongestWait_s of any.
  bool may_begin() const { return calm_s_ >= kCalm_s || waited_s_ >= kLongestWait_s; }

  double lead_s() const { return std::min(std::max(kMinimum_s + added_s_, kCoveredFrames * longest_s_), kMaximum_s); }

  /// Call before more is rendered: `rest_s` of sound was not played yet.
  void set_rest(double rest_s) {
    if (rest_s < kLow_s) added_s_ = std::min(added_s_ + kStep_s, kMaximumAdded_s);
  }

 private:
  static constexpr double kCoveredFrames = 3;  // A rare frame takes up to so many times the longest recent one.
  static constexpr double kHidden_s = 1;                          // A longer frame: the page was hidden, and silent.
  static constexpr double kForgotten_s = 6, kForgottenAdded_s = 60;  // After which a third is left.

  i64 frame_at_ns_ = 0;
  double longest_s_ = 0;  // Recent frame.
  double added_s_ = 0;
  double calm_s_ = 0;     // Since the last frame that was not short.
  double waited_s_ = 0;
};

}  // namespace spellpool::platform
