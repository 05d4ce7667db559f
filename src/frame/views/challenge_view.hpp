#pragma once
#include "frame/high_scores.hpp"

namespace spellpool::frame {

/// Damage that a target took, where it took it; it rises and fades.
struct HitNumber {
  float x = 0, y = 0;            ///< World units, relative to the camera.
  u32 value = 0;
  float age = 0;                 ///< 0 … 1.
  float r = 1, g = 1, b = 1;     ///< The spell's hue.
};

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
