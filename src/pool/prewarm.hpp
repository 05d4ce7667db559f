#pragma once
#include <chrono>

#include "core/types.hpp"

namespace spellpool::pool {

/// Makes slots of a pool ready (Pool::prewarm) for about budget_us of a frame, in pieces of `piece` slots. True when nothing is left to do.
/// Call it between frames until then. At least one piece is made, so it ends whatever the budget.
template <class P>
bool prewarm_within(P& pool, double budget_us, u32 piece = 1024) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  while (pool.prewarm(piece > 0 ? piece : 1) > 0) {
    if (std::chrono::duration<double, std::micro>(Clock::now() - start).count() >= budget_us) return false;
  }
  return true;
}

}  // namespace spellpool::pool
