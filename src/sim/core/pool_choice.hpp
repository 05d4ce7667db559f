#pragma once
#include <array>

#include "frame/pool_sizes.hpp"
#include "pool/policy.hpp"
#include "pool/strategy.hpp"

namespace spellpool::sim {

/// How one pool starts.
struct PoolChoice {
  pool::StrategyId strategy = pool::StrategyId::FreeList;
  pool::PolicyId policy = pool::PolicyId::Reject;
  u32 capacity = 0;
  u32 prewarm = ~u32{0}, grow_by = 0, keep_free = 64;  ///< As frame::PoolSize has them.

  pool::PoolSize size() const {
    return {.capacity = capacity,
            .prewarm = prewarm,
            .grow_by = grow_by,
            .max_capacity = frame::kMaxCapacity,
            .keep_free = keep_free};
  }
  friend bool operator==(const PoolChoice&, const PoolChoice&) = default;
};
/// One per frame::PoolId, in its order; those of pools that a scene has not mean nothing.
using PoolChoices = std::array<PoolChoice, frame::kPoolCount>;

/// Every pool of a scene with one strategy and policy and its own default capacity.
inline PoolChoices pool_choices(pool::StrategyId strategy, pool::PolicyId policy = pool::PolicyId::Reject,
                                frame::SceneId scene = frame::SceneId::Spells) {
  PoolChoices choices;
  for (const frame::PoolName& pool : frame::pools_of(scene)) {
    choices[static_cast<std::size_t>(pool.id)] = {strategy, policy, pool.default_capacity(scene)};
  }
  return choices;
}

/// The default strategy of a pool: shots come and go in order, chunks of the garden are scattered.
constexpr pool::StrategyId default_strategy(frame::PoolId id) {
  if (id == frame::PoolId::Shots) return pool::StrategyId::Queue;
  if (id == frame::PoolId::Chunks) return pool::StrategyId::Random;
  return pool::StrategyId::FreeList;
}
/// What it does when it is full. Enemies: never, for the stage says how many come. Of marks on the floor the oldest is
/// least important: it has faded before.
constexpr pool::PolicyId default_policy(frame::PoolId id) {
  if (id == frame::PoolId::Decals) return pool::PolicyId::StealOldest;
  return id == frame::PoolId::Enemies ? pool::PolicyId::Assert : pool::PolicyId::Reject;
}
/// The default choices for all pools of a scene.
inline PoolChoices default_choices(frame::SceneId scene) {
  PoolChoices choices;
  for (const frame::PoolName& pool : frame::pools_of(scene)) {
    choices[static_cast<std::size_t>(pool.id)] = {default_strategy(pool.id), default_policy(pool.id),
                                                  pool.default_capacity(scene)};
  }
  return choices;
}

}  // namespace spellpool::sim
