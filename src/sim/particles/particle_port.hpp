#pragma once
#include <memory>

#include "sim/core/pool_port.hpp"
#include "sim/particles/particle_system.hpp"

namespace spellpool::sim {

/// The port of the particles' pool, which every scene has. `particles` outlives it and does not move.
std::unique_ptr<PoolPort> particle_port(ParticleSystem& particles);

}  // namespace spellpool::sim
