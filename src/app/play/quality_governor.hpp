#pragma once
// Picks the quality that Quality::Auto draws with, to hold the chosen frame rate. It reads no clock: the
// caller passes the times of every frame.
//   down  when the median of a window of frames is over the budget; sooner when it is far over.
//   up    when windows stayed well below the budget for some seconds, and the next level would fit even in the
//         worst of them. The estimate uses the cost ratio of the two levels that was last measured. A step up
//         that does not hold doubles the wait for the next.
// A single hitch does not move the median. A window of few frames is never judged.
// Memory  1 KiB, allocates nothing.
// Cost    a few ns a frame, and a median of at most 256 numbers a few times a second.
#include <array>

#include "frame/settings.hpp"

namespace spellpool::app {

class QualityGovernor {
 public:
  static constexpr double kWindow_ms = 750, kQuick_ms = 250;
  static constexpr double kCalm_ms = 4'000;       ///< Roomy for so long before a step up; times patience.
  static constexpr double kProven_ms = 60'000;    ///< A step up that held so long was right.
  static constexpr double kForget_ms = 120'000;   ///< Times patience: then what a level cost is no longer held against it.
  static constexpr double kForgive_ms = 480'000;  ///< Times patience: without a change for so long, patience halves.
  static constexpr u32 kMostPatience = 16;
  static constexpr double kFarOver = 1.5, kRoomy = 0.75, kFits = 0.9;  ///< Of the budget.

  /// Frames a second to hold; another rate than before begins anew, at the same level.
  void aim(double frames_per_s);
  double budget_ms() const { return budget_ms_; }

  /// A frame that took busy_ms to make, passed_ms after the one before. What is no time is passed over.
  void note(double busy_ms, double passed_ms);
  /// The frames to come are not like those before: after a pause, while the window is dragged.
  void interrupt();
  /// What is drawn, or by what, is another: nothing known of the levels' cost holds.
  void forget();

  frame::Quality level() const { return static_cast<frame::Quality>(level_); }

 private:
  static constexpr std::size_t kLevels = 3;
  struct Ratio {
    double value = 0;        // cost of the level above over this one's; 0: not known
    double measured_ms = 0;  // when
  };

  double median();
  void judge(double median_ms, double window_ms);
  void measure_step(double median_ms);
  void step_to(std::size_t level, double median_ms);
  bool next_fits(double median_ms) const;

  std::array<float, 256> busy_ms_{};
  std::size_t count_ = 0;
  double window_ms_ = 0;
  bool looked_early_ = false;

  double budget_ms_ = 1000.0 / 60.0;
  double now_ms_ = 0;
  std::size_t level_ = kLevels - 1;
  std::array<Ratio, kLevels - 1> ratios_{};
  double calm_ms_ = 0, calm_worst_ms_ = 0;  // how long it has been roomy, and the worst window meanwhile
  u32 patience_ = 1;
  double changed_ms_ = 0;      // when the level, or the patience, last changed
  double risen_ms_ = -1e300;   // when it last rose
  bool fresh_ = false;         // no window judged since the last step
  std::size_t before_ = 0;     // the level before it
  double before_ms_ = 0;       // and what that cost
};

/// `looks` with `automatic` in place of Quality::Auto, and the resolution that belongs to it.
inline frame::LookSettings with_quality(frame::LookSettings looks, frame::Quality automatic) {
  if (looks.quality == frame::Quality::Auto) looks.quality = automatic;
  if (looks.resolution == frame::Resolution::Auto) looks.resolution = frame::resolution_of(looks.quality);
  return looks;
}

/// What is known of one frame from outside.
struct FrameTimes {
  double frame_ms = 0;         ///< From the events to the end of the swap.
  double swap_ms = 0;          ///< Of it, in the swap.
  double passed_ms = 0;        ///< Since the frame before, waits included.
  bool waits = false;          ///< For the display: vsync, and it works.
};

/// The work in a frame, for QualityGovernor::note(). Without vsync the whole frame is work. That includes
/// the swap, where a software renderer draws. With vsync, drivers wait in the swap or in the next frame's
/// first draw, so work and wait cannot be separated. A frame on time then counts as at most half the budget.
/// A late frame counts as the minimum that it must have taken.
double work_ms(const FrameTimes& times, double budget_ms);

/// The frame rate to hold: the cap, but no more than comes by vsync; else the display's under a vsync that works;
/// else 60.
/// display_hz  0: not known, or vsync does not work.
double rate_to_hold(u32 frame_cap, bool vsync, int display_hz);

}  // namespace spellpool::app
