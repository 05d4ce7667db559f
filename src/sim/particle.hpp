#pragma once
#include "core/handle.hpp"

namespace spellpool::sim {

/// One spark, ember, shard or puff. 48 bytes; the first 16 are one SIMD register, and all that most steps change is
/// those and `age`.
struct alignas(16) Particle {
  float x, y;       ///< World units.
  float vx, vy;     ///< Units per second.
  float age;        ///< Life used up: 0 at birth, gone at 1.
  float age_rate;   ///< Added to age each step: 1 / (life in steps).
  float size;       ///< Halo diameter at birth, units; the style's curve scales it.
  u16 style;        ///< Row of the style table: forces, curves, look.
  u8 angle;         ///< Orientation, 1/256 turn.
  i8 spin;          ///< Added to angle each step.
  u64 spawn_id;     ///< Unique in the world, rising: identity in the hash, order of death effects, key of its RNG.
  u64 reserved;     ///< Pads to 48 bytes; always 0.
};
static_assert(sizeof(Particle) == 48);

using ParticleHandle = Handle<Particle>;

}  // namespace spellpool::sim
