#pragma once
// A duet: one game under two strategies, side by side. What each step took, and what the panels tell of it.
#include <array>
#include <limits>
#include <span>
#include <string_view>

#include "core/enum_table.hpp"
#include "frame/load.hpp"

namespace spellpool::frame {

/// Which of the measured times a graph shows.
enum class DuetClock : u8 { Step, Drawing, Both };
struct DuetClockRow {
  DuetClock id;
  std::string_view name;   ///< As the JSON has it.
  std::string_view title;
};
inline constexpr std::array kDuetClocks = {
    DuetClockRow{DuetClock::Step, "step", "Time of a step"},
    DuetClockRow{DuetClock::Drawing, "drawing", "Time of drawing"},
    DuetClockRow{DuetClock::Both, "step_and_drawing", "Time of a step and its drawing"},
};
static_assert(rows_in_order(kDuetClocks));

/// Figures of one clock over a run of steps (measure/experiment/duet_record.hpp); NaN: not known. Index 0 is A, 1 is B.
struct DuetFigures {
  std::array<float, 2> median_us{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::quiet_NaN()};
  std::array<float, 2> p95_us = median_us;
  /// B's time over A's, pair by pair of steps: the median, and the bounds of the middle half.
  float ratio = std::numeric_limits<float>::quiet_NaN(), low = ratio, high = ratio;
};

/// What one step took in both worlds.
struct DuetStep {
  std::array<float, 2> step_us{};
  std::array<float, 2> draw_us{};   ///< NaN where nothing was drawn.
  bool b_first = false;             ///< B was stepped, and drawn, before A.
  std::array<DuetFigures, kDuetClocks.size()> running;  ///< Of the last kDuetWindow steps, this one the last.
};
inline constexpr std::size_t kDuetWindow = 240;

inline float duet_us(const DuetStep& step, DuetClock clock, std::size_t side) {
  if (clock == DuetClock::Step) return step.step_us[side];
  if (clock == DuetClock::Drawing) return step.draw_us[side];
  return step.step_us[side] + step.draw_us[side];
}

struct DuetSide {
  std::string_view title;
  char letter = '?';                ///< Beside the colour, which never means anything alone; the two differ.
  u8 r = 255, g = 255, b = 255;
  std::string_view kind;            ///< "an object pool", "no pool".
  double calls_a_step = -1;         ///< The pools' calls of new in a step, on average since it began; below 0: not known.
};

struct DuetView {
  std::array<DuetSide, 2> sides;
  DuetClock clock = DuetClock::Step;
  std::span<const DuetStep> played; ///< All steps so far, oldest first.
  u64 steps = 0;                    ///< Played by both,
  u64 equal_steps = 0;              ///< of which so many with equal hashes, for sure.
  u64 differs_at = 0;               ///< The step after which the two worlds were found to differ; 0: they do not.
  u32 live = 0;                     ///< Objects alive in each world, of all its pools.
  bool strip = true;                ///< The graphs below the two worlds are shown.
  bool by_hand = false;             ///< The player plays, in both.
  bool may_play = false;            ///< The player may take over: any key of theirs stops the script.
  Load load{};                      ///< That both play,
  std::string_view preset;          ///< and what its preset adds: "40,000 motes that …"; "" for none.
  bool in_game = false;             ///< Opened from the game: leaving goes back to it.
  bool film = false;                ///< A film is made: the times were measured before, at the same steps.
};

}  // namespace spellpool::frame
