#include "sim/particles/particle_port.hpp"

#include <array>

#include "sim/core/pool_port_of.hpp"

namespace spellpool::sim {
namespace {

constexpr std::array kFields = {SPELLPOOL_FIELD(Particle, x),        SPELLPOOL_FIELD(Particle, y),
                                SPELLPOOL_FIELD(Particle, vx),       SPELLPOOL_FIELD(Particle, vy),
                                SPELLPOOL_FIELD(Particle, clock),    SPELLPOOL_FIELD(Particle, clock_rate),
                                SPELLPOOL_FIELD(Particle, spawn_id), SPELLPOOL_FIELD(Particle, size),
                                SPELLPOOL_FIELD(Particle, style),    SPELLPOOL_FIELD(Particle, floor_y)};

}  // namespace

std::unique_ptr<PoolPort> particle_port(ParticleSystem& particles) {
  return std::make_unique<PoolPortOf<Particle>>(frame::PoolId::Particles, particles.pool(), kFields,
                                                [](const Particle& particle) { return particle.age(); });
}

}  // namespace spellpool::sim
