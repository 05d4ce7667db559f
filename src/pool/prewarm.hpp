#pragma once
#include <chrono>

#include "core/types.hpp"

namespace spellpool::pool {

/// Prepares slots of a pool (Pool::prewarm) in steps of `piece` slots for about budget_us microseconds.
/// Returns true when no slot is left to prepare; call it once per frame until then. It makes at least one
/// step per call, so it ends whatever the budget.
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
