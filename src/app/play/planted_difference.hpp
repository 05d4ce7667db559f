#pragma once
#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// For --plant-difference: one particle less, which whoever compares two worlds has to find out. False: none is alive yet, or the
/// scene has none.
bool drop_one_particle(sim::GameWorld& world);

}  // namespace spellpool::app
