#pragma once
#include "frame/high_scores.hpp"

namespace spellpool::frame {

/// The challenge as the panels show it.
struct ChallengeView {
  enum class Phase : u8 {
    Free,       ///< Playing without a clock.
    Countdown,  ///< Three seconds; left_s tells.
    Running,    ///< Sixty seconds.
    Over,       ///< A few seconds in which the last sparks settle, before `result` stands.
  };
  Phase phase = Phase::Free;
  float left_s = 0;              ///< Of the phase.
  ChallengeResult result;        ///< So far, or of the last one.
  u32 runes = 0;                 ///< 0 … 12 burn.
  bool wants_spell = false;      ///< The combo is long enough for the next rune, but only another spell lights it.
  u32 multiplier = 1;            ///< On every hit's points.
  float combo_left = 0;          ///< 1 … 0: how much of the combo's time is left.
  float finale = 0;              ///< 0 … 1.
  u32 finished = 0;              ///< Challenges finished since the start: a change means a new result.
};

}  // namespace spellpool::frame
