#pragma once
#include <array>

#include "frame/sim_command.hpp"
#include "pool/strategy.hpp"

namespace spellpool::sim {

/// How one pool starts.
struct PoolChoice {
  pool::StrategyId strategy = pool::StrategyId::FreeList;
  pool::PolicyId policy = pool::PolicyId::Reject;
  u32 capacity = 0;
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
