#pragma once
// What the worlds' pictures of their pools share: members by name and place, and what is said of the particles' pool.
#include <array>
#include <cstddef>
#include <optional>

#include "frame/slot_map_view.hpp"
#include "pool/memory/console_heap.hpp"
#include "sim/particles/particle_system.hpp"

#define SPELLPOOL_FIELD(type, member) frame::SlotField{offsetof(type, member), sizeof(type::member), #member}

namespace spellpool::sim {

inline constexpr std::array kParticleFields = {
    SPELLPOOL_FIELD(Particle, x),     SPELLPOOL_FIELD(Particle, y),          SPELLPOOL_FIELD(Particle, vx),       SPELLPOOL_FIELD(Particle, vy),
    SPELLPOOL_FIELD(Particle, clock), SPELLPOOL_FIELD(Particle, clock_rate), SPELLPOOL_FIELD(Particle, spawn_id), SPELLPOOL_FIELD(Particle, size),
    SPELLPOOL_FIELD(Particle, style), SPELLPOOL_FIELD(Particle, floor_y)};

/// Of the particles' console heap, if that is their strategy.
inline std::optional<pool::ConsoleHeapStats> console_heap_of(const ParticleSystem& particles) {
  return particles.pool().visit([](const auto& pool) -> std::optional<pool::ConsoleHeapStats> {
    if constexpr (requires { pool.storage().memory().heap().stats(); }) return pool.storage().memory().heap().stats();
    return std::nullopt;
  });
}

}  // namespace spellpool::sim
