#pragma once
#include <vector>

#include "frame/views/panel_model.hpp"
#include "measure/record/allocation_counter.hpp"
#include "measure/record/frame_figures.hpp"
#include "measure/record/phase_clock.hpp"

namespace spellpool::measure {

/// Measures each frame and keeps the last 2,048 of them for the live graph.
///
/// A frame lasts from begin_frame() to end_frame(); what lies between a frame's end and the next one's begin (a state
/// hash, a screenshot) is in no figure. So begin_frame() stands first in the loop, and end_frame() right behind the
/// swap. Cost     per frame two clock reads and two getrusage calls, about 0.8 µs, plus one clock read per phase.
/// Memory   all of it is taken and touched in the constructor; its own allocations in a frame are 0 and are counted.
/// Threads  one: the allocations and faults are those of the thread that calls.
class FrameRecorder {
 public:
  static constexpr std::size_t kHistoryFrames = 2048;

  explicit FrameRecorder(ClockNs now = steady_now_ns, std::size_t history_frames = kHistoryFrames);

  /// Where phases are reported to: hand it to the simulation, and enter(Render | Ui | Swap) in the loop.
  PhaseClock& phases() { return phases_; }

  void begin_frame();
  /// Fills frame, t_ns, frame_us, phase_us, allocations, faults and switches; the caller has set the rest.
  /// The reference is good until the next call.
  const frame::FrameRecord& end_frame(frame::FrameRecord partial);

  frame::FrameHistory history() const { return {ring_, first_, count_}; }
  u64 frames() const { return next_frame_; }
  /// Figures of the last n frames (fewer if there are fewer), computed anew every 15th frame or when n changes.
  const frame::FrameFigures& figures(std::size_t last_n = kHistoryFrames);
  /// Frames per second over the last half second of wall time: n / T, waits between frames included. 0 before the
  /// second frame.
  double fps() const;
  /// operator new calls in the frames of the last n steps.
  u64 allocations_of_last_steps(u64 n) const;
  /// What the recorder itself has allocated since it was made: 0, or there is a bug.
  u64 own_allocations() const { return own_allocations_; }

 private:
  ClockNs now_;
  PhaseClock phases_;
  std::vector<frame::FrameRecord> ring_;
  std::size_t first_ = 0, count_ = 0;
  u64 next_frame_ = 0;
  u64 clock_start_ns_ = 0, begin_ns_ = 0;
  AllocationCounts begin_allocations_;
  frame::FrameRecord begin_usage_;  // what the kernel has counted, if has_usage
  FigureScratch scratch_;
  frame::FrameFigures figures_;
  std::size_t figures_range_ = 0;
  u64 figures_at_frame_ = 0;
  u64 own_allocations_ = 0;
};

}  // namespace spellpool::measure
