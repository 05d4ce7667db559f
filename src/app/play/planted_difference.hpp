#pragma once
#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// For --plant-difference: removes one particle, which a comparison of two worlds must detect. False: no
/// particle is alive yet, or the scene has none.
bool drop_one_particle(sim::GameWorld& world);

}  // namespace spellpool::app
