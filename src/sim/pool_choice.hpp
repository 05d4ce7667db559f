#pragma once
#include <array>

#include "frame/pool_sizes.hpp"
#include "pool/pool.hpp"

namespace spellpool::sim {

/// How one pool starts.
struct PoolChoice {
  pool::StrategyId strategy = pool::StrategyId::FreeList;
  pool::PolicyId policy = pool::PolicyId::Reject;
  u32 capacity = 0;
  u32 prewarm = ~u32{0}, grow_by = 0, keep_free = 64;  ///< As frame::PoolSize has them.

  pool::PoolSize size() const { return {.capacity = capacity, .prewarm = prewarm, .grow_by = grow_by, .most_capacity = frame::kMaxCapacity, .keep_free = keep_free}; }
  friend bool operator==(const PoolChoice&, const PoolChoice&) = default;
};
/// One per frame::PoolId, in its order.
using PoolChoices = std::array<PoolChoice, frame::kPoolCount>;

/// Every pool with one strategy and policy and its own default capacity.
inline PoolChoices pool_choices(pool::StrategyId strategy, pool::PolicyId policy = pool::PolicyId::Reject) {
  PoolChoices choices;
  for (const frame::PoolName& pool : frame::kPools) choices[static_cast<std::size_t>(pool.id)] = {strategy, policy, pool.default_capacity};
  return choices;
}

}  // namespace spellpool::sim
