#pragma once
#include <cstring>

#include "core/rng.hpp"
#include "pool/dense.hpp"

namespace spellpool::bench {

/// The fields that are not used between birth and drawing. They are one member of Particle, so they are one
/// column and lie in one cache line or two.
struct Look {
  float size, angle;
  u32 colour, owner, serial, flags, seed;
};
struct Particle {
  float x, y, vx, vy, life;
  Look look;
};
static_assert(sizeof(Particle) == 48);

}  // namespace spellpool::bench

template <>
struct spellpool::pool::FieldsOf<spellpool::bench::Particle> {
  using P = spellpool::bench::Particle;
  using Hot = FieldList<&P::x, &P::y, &P::vx, &P::vy, &P::life>;
  using Cold = FieldList<&P::look>;
};

namespace spellpool::bench {

inline constexpr float kDt = 1.0f / 64;
inline constexpr u32 kLongestLife = 132;  ///< In frames; all lengths are equally likely, so that 1.5 % die in a frame.
inline constexpr float kForever = 1e6f;

/// The particle with this serial number: the same for all sides, whenever and wherever they make it. Cheap, so that the tables
/// show the pools; in 32 bits, so that eight can be made at once where rows allow it.
inline Particle make_particle(u32 serial) {
  u32 h = serial * 0x9e3779b1u;
  h ^= h >> 15;
  h *= 0x85ebca77u;
  h ^= h >> 13;
  auto real = [](u32 bits) { return static_cast<float>(static_cast<i32>(bits)); };
  Particle p;
  p.x = real(h & 1023);
  p.y = real((h >> 10) & 1023);
  p.vx = real((h >> 4) & 255) - 128.0f;
  p.vy = real((h >> 12) & 255) - 128.0f;
  p.life = (real(((h >> 16) * kLongestLife) >> 16) + 0.5f) * kDt;
  p.look = {1.0f, 0.0f, h, 0, serial, 1, 2};
  return p;
}
/// One of those that are there at the start, with what a steady state leaves of a life.
inline Particle make_resident(u32 serial) {
  Particle p = make_particle(serial);
  const float other = make_particle(serial ^ 0x40000000u).life;
  if (other < p.life) p.life = other;
  return p;
}

/// One frame of one particle. True: it is dead.
inline bool step(Particle& p) {
  p.vx *= 0.99f;
  p.vy = p.vy * 0.99f + 1.0f;
  p.x += p.vx * kDt;
  p.y += p.vy * kDt;
  p.life -= kDt;
  return p.life <= 0;
}

/// The same frame for kCount rows; a bit for each that is dead. That columns do not overlap must be said of parameters: of local
/// variables g++ 12 forgets it, and asks for every group of rows.
template <u32 kCount>
inline u64 step_columns(float* __restrict x, float* __restrict y, float* __restrict vx, float* __restrict vy,
                        float* __restrict life) {
  for (u32 i = 0; i < kCount; ++i) {
    vx[i] *= 0.99f;
    vy[i] = vy[i] * 0.99f + 1.0f;
    x[i] += vx[i] * kDt;
    y[i] += vy[i] * kDt;
    life[i] -= kDt;
  }
  if constexpr (kCount == 1) return *life <= 0;
  return pool::lane_mask(kCount, [life](u32 i) { return life[i] <= 0; });
}

/// The hot columns of a field-wise pool.
struct HotColumns {
  float *x, *y, *vx, *vy, *life;

  template <class Pool>
  explicit HotColumns(const Pool& pool)
      : x(pool.template column<&Particle::x>()),
        y(pool.template column<&Particle::y>()),
        vx(pool.template column<&Particle::vx>()),
        vy(pool.template column<&Particle::vy>()),
        life(pool.template column<&Particle::life>()) {}
  template <u32 kCount>
  u64 step(u32 first) const {
    return step_columns<kCount>(x + first, y + first, vx + first, vy + first, life + first);
  }
};

/// To be summed over all that live: the order does not matter.
inline u64 checksum_of(const Particle& p) {
  u32 bits[3];
  std::memcpy(bits, &p.x, 4);
  std::memcpy(bits + 1, &p.y, 4);
  std::memcpy(bits + 2, &p.life, 4);
  return mix64(mix64(u64{p.look.serial} << 32 | bits[0]) ^ (u64{bits[1]} << 32 | bits[2]));
}

}  // namespace spellpool::bench
