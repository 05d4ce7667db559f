#pragma once
#include "core/handle.hpp"
#include "pool/dense.hpp"

namespace spellpool::sim {

/// One spark, ember, shard or puff. 48 bytes; the first 16 are one SIMD register, and all that a step changes is those
/// and `clock`. Age and orientation share a word: one addition moves both, and its carry out of the word is the death.
/// (Turning backwards carries into the age: 2^-32 of a life each step.)
struct alignas(16) Particle {
  float x, y;      ///< World units.
  float vx, vy;    ///< Units per second.
  u64 clock;       ///< High half: age in 1/2^32 of its life. Low half: orientation in 1/2^32 turn.
  u64 clock_rate;  ///< Added to clock each step.
  u64 spawn_id;    ///< Unique in the world, rising: identity in the hash, order of what it sets off, key of its RNG.
  float size;      ///< Halo diameter at spawn, units; the style's curve scales it.
  u16 style;       ///< Row of the style table: forces, curves, look.
  i16 floor_y;     ///< Where it lands, 1/32 unit; kNoFloor if its style has no floor, or it lies farther than 1,023 units.

  static constexpr i16 kNoFloor = 32767;

  /// 0 at spawn, dead at 1.
  float age() const { return static_cast<float>(clock >> 32) * (1.0f / 4294967296.0f); }
  float age_rate() const { return static_cast<float>(clock_rate >> 32) * (1.0f / 4294967296.0f); }
  u8 angle() const { return static_cast<u8>(clock >> 24); }                              ///< 1/256 turn.
  bool newborn() const { return clock < clock_rate; }                                    ///< Not one step old.
  /// Lowest for small particles that are nearly over.
  float importance() const { return size * (1.0f - age()); }
};
static_assert(sizeof(Particle) == 48);

using ParticleHandle = Handle<Particle>;

}  // namespace spellpool::sim

template <>
struct spellpool::pool::FieldsOf<spellpool::sim::Particle> {
  using P = spellpool::sim::Particle;
  using Hot = FieldList<&P::x, &P::y, &P::vx, &P::vy, &P::clock>;
  using Cold = FieldList<&P::clock_rate, &P::style, &P::size, &P::spawn_id, &P::floor_y>;
};
