#pragma once
// How one particle moves in one step. The system's update and the playing back of a prewarm both use it, so that a
// prewarmed particle is where it would have come by itself.
//
// Order inside a step: gravity, curl noise, attractors, pull and turn change the velocity; drag takes its share; the
// place changes by velocity · step · speed curve; the clock runs; floor and walls turn it back. Most styles have none
// of the rest and pay for one test of `ways`.
#include <array>
#include <span>

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"
#include "sim/particles/curl_field.hpp"
#include "sim/particles/lanes.hpp"
#include "sim/particles/particle_style.hpp"

namespace spellpool::sim {

/// Walls are the arena's engraved ring: a circle about (0, 0). What is born outside it never meets it.
inline constexpr float kArenaRadius = 300.0f;

/// Something that pulls particles to itself and round itself.
struct Attractor {
  float x = 0, y = 0;
  float radius = 0;
  float pull = 0;   ///< Inward acceleration, units/s², at full strength.
  float turn = 0;   ///< Sideways acceleration, units/s², at full strength.
};

/// What the hot loops read of a style, apart from its looks: one cache line, so that all rows stay near.
struct alignas(64) MotionRow {
  // Bits of `ways`.
  static constexpr u32 kCurl = 1, kAttracted = 2;
  static constexpr u32 kPull = 4, kPaced = 8, kFloor = 16, kWalls = 32, kTrailed = 64;
  static constexpr u32 kRare = kPull | kPaced | kFloor | kWalls | kTrailed;
  static constexpr u32 kTellsHits = 128;

  Lanes push{};                  ///< 0, 0, gravity · step
  Lanes keep{1, 1, 1, 1};        ///< 1, 1, what drag leaves
  float curl = 0;                ///< · step
  float pull = 0, turn = 0;      ///< · step
  float bounce = 0, slide = 0;   ///< What a contact leaves of the speed into the surface, and along it.
  float trail_per_step = 0, trail_per_unit = 0;
  u32 ways = 0;
};
static_assert(sizeof(MotionRow) == 64);

/// What happened to a particle in a step, in the low bits; above them how many its trail bears.
struct Happened {
  static constexpr u32 kDied = 1, kHitFloor = 2, kHitWall = 4, kHits = kHitFloor | kHitWall;
  /// It touched floor or wall, so its path was not straight. Only set together with a trail.
  static constexpr u32 kBent = 8;
  static constexpr u32 kTrailShift = 4;
  static constexpr u32 kMostTrail = 1u << 20;
};

struct Origin {
  float x = 0, y = 0;
};

/// The air of one step and the tables that motion reads. Borrowed: all must outlive it.
struct Motion {
  const MotionRow* rows;
  const Origin* origins;                 ///< One a row: where it fired last.
  const float* paces;                    ///< kSamples a row.
  const CurlField* curl;
  std::span<const Attractor> attractors;
  u32 drift;                             ///< Of the curl field, cells.

  static u32 drift_at(u64 step) { return static_cast<u32>(step / 6); }

  /// Moves and ages one particle. Returns bits of Happened. What the plain ones need stands in the two parts below,
  /// for a loop over many: no call in it, so that all it reads stays in registers.
  u32 step(Particle& p) const;

  /// What curl noise and attractors add to a row's `push` in place and velocity `lanes`.
  [[gnu::always_inline]] Lanes pushed(const MotionRow& row, Lanes lanes, Lanes push) const {
    if ((row.ways & MotionRow::kCurl) != 0) {
      const CurlField::Wind& wind = curl->at(lanes[0], lanes[1], drift);
      push[2] += wind.x * row.curl;
      push[3] += wind.y * row.curl;
    }
    for (const Attractor& attractor : attractors) {
      const float dx = attractor.x - lanes[0];
      const float dy = attractor.y - lanes[1];
      const float d2 = dx * dx + dy * dy;
      if (d2 >= attractor.radius * attractor.radius) continue;
      const float d = std::sqrt(d2) + kSoft;
      const float out = d2 / (attractor.radius * attractor.radius);
      const float near = 1.0f - out * out;  // holds on almost to the rim, so that what is there is drawn in
      const float k = kStep_s * near / d;
      push[2] += (dx * attractor.pull - dy * attractor.turn) * k;
      push[3] += (dy * attractor.pull + dx * attractor.turn) * k;
    }
    return push;
  }
  /// The rest of a step, if `ways` has none of kRare. True if it died.
  [[gnu::always_inline]] static bool coast(Particle& p, const MotionRow& row, Lanes lanes, Lanes push) {
    lanes = (lanes + push) * row.keep;
    store_lanes(p, lanes + velocity_of(lanes) * kStep_s);
    p.clock += p.clock_rate;
    return p.clock < p.clock_rate;  // it ran over
  }
  /// Where a particle lands that falls at height y; kNoFloor if that lies too far out.
  static i16 floor_at(float y) {
    const float place = y * kFloorScale;
    if (!(place > -32736.0f && place < 32736.0f)) return Particle::kNoFloor;
    const i32 whole = static_cast<i32>(place);
    return static_cast<i16>(whole + (static_cast<float>(whole) < place ? 1 : 0));  // never above y
  }
  static constexpr float kFloorScale = 32.0f;

 private:
  static constexpr float kSoft = 8.0f;   ///< Units about a centre within which its force fades, so that nothing jitters there.
  static constexpr float kRest = 8.0f;   ///< Units/s: slower contacts (gravity's push of a step allowed for) are rest, no bounce.

  static u32 trail_births(const Particle& p, const MotionRow& row, u64 clock_before, float way);
};

}  // namespace spellpool::sim
