#include "sim/core/game_world.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace spellpool::sim {

PoolPort* GameWorld::find_pool(frame::PoolId id) const {
  const auto found = std::find_if(pools_.begin(), pools_.end(), [id](const auto& pool) { return pool->id() == id; });
  return found == pools_.end() ? nullptr : found->get();
}

PoolPort& GameWorld::pool(frame::PoolId id) const {
  PoolPort* const found = find_pool(id);
  SPELLPOOL_ASSERT(found);
  return *found;
}

void GameWorld::watch_slots(std::optional<frame::PoolId> id) {
  watched_ = id;
  for (const auto& pool : pools_) pool->watch_steals(pool->id() == id);
}

bool GameWorld::prewarm(double budget_us) {
  return std::all_of(pools_.begin(), pools_.end(), [budget_us](const auto& pool) { return pool->prewarm(budget_us); });
}

void GameWorld::fade_steals() {
  if (PoolPort* const pool = watched_ ? find_pool(*watched_) : nullptr) pool->fade_steals();
}

}  // namespace spellpool::sim
