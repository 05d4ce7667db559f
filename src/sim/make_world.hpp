#pragma once
#include <memory>

#include "sim/core/game_world.hpp"
#include "sim/core/world_config.hpp"

namespace spellpool::sim {

/// The world of config.scene, which is one of frame::kScenes.
std::unique_ptr<GameWorld> make_world(const WorldConfig& config);

}  // namespace spellpool::sim
