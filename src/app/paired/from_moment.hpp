#pragma once
#include <vector>

#include "sim/core/game_world.hpp"
#include "sim/core/world_config.hpp"

namespace spellpool::app {

/// What makes a world that was restored from the player's moment one with the pools and the load of `like`:
/// capacities, policies, sparks, churn. For its first step.
inline std::vector<frame::SimCommand> commands_to(const sim::GameWorld& world, const sim::WorldConfig& like) {
  using Kind = frame::SimCommandKind;
  std::vector<frame::SimCommand> commands;
  const auto add = [&](Kind kind, frame::PoolId pool, u8 choice, u32 number) {
    frame::SimCommand command;
    command.kind = kind;
    command.pool = pool;
    command.choice = choice;
    command.capacity = number;
    commands.push_back(command);
  };
  for (const auto& pool : world.pools()) {
    const sim::PoolChoice& choice = like.pools[static_cast<std::size_t>(pool->id())];
    if (choice.policy != pool->policy()) add(Kind::SetPolicy, pool->id(), static_cast<u8>(choice.policy), 0);
    if (choice.capacity != pool->stats().capacity) add(Kind::SetCapacity, pool->id(), 0, choice.capacity);
  }
  if (like.load.sparks != world.load().sparks) add(Kind::SetLoad, {}, 0, like.load.sparks);
  if (like.load.churn != world.load().churn) add(Kind::SetChurn, {}, 0, like.load.churn);
  return commands;
}

}  // namespace spellpool::app
