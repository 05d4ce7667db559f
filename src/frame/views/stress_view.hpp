#pragma once
// What the shooter's "how many bullets?" shows while it runs, and its outcome.
#include <array>

#include "core/types.hpp"

namespace spellpool::frame {

/// What held was far below the budget, though hardly more broke it: something else had the machine meanwhile.
constexpr bool uneven(double held_ms, double budget_ms) { return held_ms < 0.85 * budget_ms; }

/// The outcome of one strategy.
struct StressRow {
  u8 strategy = 0;                      ///< pool::StrategyId of the bullets.
  u32 bullets = 0;                      ///< Maximum that held the budget; 0: not even the minimum held.
  bool or_more = false;                 ///< `bullets` is the maximum that was tried.
  float work_ms = 0, sim_ms = 0, draw_ms = 0;  ///< Medians at so many; at the fewest, if none held.
};

struct StressView {
  static constexpr std::size_t kMostRows = 16;
  enum class State : u8 { None, Running, Done };
  State state = State::None;
  u8 strategy = 0;                      ///< pool::StrategyId.
  u32 bullets = 0, wanted = 0;          ///< Alive now, and asked for.
  u32 level = 0;                        ///< Counted from 1.
  u32 held = 0, broke = 0;              ///< Most that held so far and fewest that broke; 0: none.
  float budget_ms = 0, work_ms = 0, sim_ms = 0;  ///< Of late frames.
  std::array<StressRow, kMostRows> rows{};       ///< Of this session, one for each strategy, in the order in which they were tried.
  std::size_t row_count = 0, latest = 0;
};

}  // namespace spellpool::frame
