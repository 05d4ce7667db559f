#pragma once
// "How many bullets?": the search. It reads no clock and knows no game. The caller passes the times of every
// frame and gets the number of bullets for the next frames.
//   up      four times as many each time, until a level breaks the budget or the top holds
//   between the geometric mean of a count that held and one that broke, until both lie within 5 %;
//           or down from the first level if that broke
// A level is measured once its bullets fly. Its time is the median of 60 frames. A level breaks when its
// median is over the budget twice in a row, so a single hitch does not decide.
// Memory  1.5 KiB, allocates nothing.   Cost  a few ns a frame, three medians of 60 numbers a level.
#include <array>

#include "frame/views/stress_view.hpp"

namespace spellpool::app {

class StressRamp {
 public:
  static constexpr u32 kFirst = 500, kTop = 100'000, kLeast = 10;
  static constexpr u32 kFrames = 60;           ///< Of a median.
  static constexpr u32 kSteady_frames = 10;    ///< So long the count stands before the first of them.
  static constexpr u32 kPatience_frames = 300; ///< A level whose bullets never come is measured with those that did.

  struct Frame {
    u32 bullets = 0;            ///< Alive.
    double sim_ms = 0, draw_ms = 0;
  };
  struct Level {
    u32 bullets = 0;
    double work_ms = 0, sim_ms = 0, draw_ms = 0;  ///< Medians, each of its own; work is their sum frame by frame.
  };

  /// Between kLeast and `top` bullets; `top` at least kLeast.
  StressRamp(double budget_ms, u32 top);

  void note(const Frame& frame);
  /// How many bullets shall fly.
  u32 wanted() const { return wanted_; }
  bool done() const { return done_; }

  double budget_ms() const { return budget_ms_; }
  /// Most that held; 0 bullets: none yet.
  const Level& held() const { return held_; }
  /// Fewest that broke; 0 bullets: none yet.
  const Level& broke() const { return broke_; }
  /// The top held: there may be room for more.
  bool open_ended() const { return done_ && broke_.bullets == 0; }
  /// The machine was busy with something else: held and broke lie beside each other, their times do not.
  bool uneven() const {
    return done_ && held_.bullets > 0 && broke_.bullets > 0 && frame::uneven(held_.work_ms, budget_ms_);
  }
  /// Levels begun.
  u32 levels() const { return levels_; }

 private:
  void judge();
  void go_to(u32 bullets);
  void go_between();

  double budget_ms_;
  u32 top_, wanted_ = 0, levels_ = 0;
  u32 steady_ = 0, waited_ = 0, count_ = 0;
  bool over_once_ = false, done_ = false;
  std::array<Frame, kFrames> frames_{};
  Level held_, broke_;
};

}  // namespace spellpool::app
