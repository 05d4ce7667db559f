#pragma once
#include <algorithm>
#include <cmath>

#include "core/types.hpp"

namespace spellpool::platform {

/// How far ahead sound is rendered where one thread draws frames and renders sound, as in a browser: far enough that
/// a frame as long as the longest recent one leaves no gap, and no farther, since a sound is heard that much later.
/// The first frames of a page may take longer than that, while shader programs are compiled: sound begins after them.
/// Units   seconds, but for the time of a frame.
/// Cost    a few operations for each frame.
class SoundLead {
 public:
  static constexpr double kLeast_s = 0.085, kMost_s = 0.5;  ///< Of ahead_s().
  static constexpr double kLittle_s = 0.03, kMore_s = 0.03, kMostMore_s = 0.2;
  static constexpr double kShort_s = 0.25, kCalm_s = 0.3, kLongestWait_s = 4;  ///< Of may_begin().

  /// A frame begins.
  void frame(i64 now_ns) {
    if (frame_at_ns_ != 0) {
      const double frame_s = std::clamp(static_cast<double>(now_ns - frame_at_ns_) * 1e-9, 0.0, kCounts_s);
      longest_s_ = std::max(frame_s, longest_s_ * std::exp(-frame_s / kForgets_s));
      calm_s_ = frame_s < kShort_s ? calm_s_ + frame_s : 0;
      watched_s_ += frame_s;
    }
    frame_at_ns_ = now_ns;
  }

  /// True after kCalm_s in which all frames were short, or after kLongestWait_s of any.
  bool may_begin() const { return calm_s_ >= kCalm_s || watched_s_ >= kLongestWait_s; }

  double ahead_s() const { return std::min(std::max(kLeast_s + more_s_, kFrames * longest_s_), kMost_s); }

  /// So much was left when more was rendered. Less than kLittle_s: from now on more is kept ahead, so a slow machine
  /// gets later sound instead of gaps.
  void left(double left_s) {
    if (left_s < kLittle_s) more_s_ = std::min(more_s_ + kMore_s, kMostMore_s);
  }

 private:
  static constexpr double kFrames = 1.5;    // Longest recent frames.
  static constexpr double kCounts_s = 1;    // Of a longer frame: a page that was hidden drew none.
  static constexpr double kForgets_s = 4;   // After which a frame counts for a third of its length.

  i64 frame_at_ns_ = 0;
  double longest_s_ = 0;  // Of recent frames.
  double calm_s_ = 0;     // Since the last long frame.
  double watched_s_ = 0;
  double more_s_ = 0;
};

}  // namespace spellpool::platform
