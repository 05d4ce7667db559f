#include "sim/particles/particle_motion.hpp"

#include <algorithm>

namespace spellpool::sim {
namespace {

float size_of(float v) { return v < 0.0f ? -v : v; }

/// Steps that a particle has lived when its clock stands so.
float steps_lived(u64 clock, u64 clock_rate) {
  return static_cast<float>(clock >> 32) / static_cast<float>(std::max<u64>(clock_rate >> 32, 1));
}

}  // namespace

u32 Motion::step(Particle& p) const {
  const MotionRow& row = rows[p.style];
  const u32 ways = row.ways;
  Lanes lanes = load_lanes(p);
  Lanes push = pushed(row, lanes, row.push);
  if ((ways & MotionRow::kRare) == 0) return coast(p, row, lanes, push) ? Happened::kDied : 0u;
  if ((ways & MotionRow::kPull) != 0) {
    const float dx = origins[p.style].x - lanes[0];
    const float dy = origins[p.style].y - lanes[1];
    const float k = 1.0f / (length(dx, dy) + kSoft);
    push[2] += (dx * row.pull - dy * row.turn) * k;
    push[3] += (dy * row.pull + dx * row.turn) * k;
  }
  lanes = (lanes + push) * row.keep;
  const u64 clock_before = p.clock;
  p.clock += p.clock_rate;
  u32 happened = p.clock < p.clock_rate ? Happened::kDied : 0u;

  const float from_x = lanes[0], from_y = lanes[1];
  float pace = 1.0f;
  if ((ways & MotionRow::kPaced) != 0) {
    const u64 sample = happened != 0 ? ParticleStyle::kSamples - 1 : p.clock >> 58;
    pace = paces[p.style * ParticleStyle::kSamples + sample];
  }
  lanes += velocity_of(lanes) * (kStep_s * pace);
  float x = lanes[0], y = lanes[1], vx = lanes[2], vy = lanes[3];

  u32 hits = 0;
  bool bent = false;
  const float quiet = kRest + size_of(row.push[2]) + size_of(row.push[3]);
  if ((ways & MotionRow::kFloor) != 0 && p.floor_y != Particle::kNoFloor && vy > 0.0f) {
    if (y * kFloorScale > static_cast<float>(p.floor_y)) {
      // Drag, curl or an attractor kept it from ever rising above its floor: it lands where it turned to fall.
      if (from_y * kFloorScale > static_cast<float>(p.floor_y)) p.floor_y = floor_at(from_y);
      if (p.floor_y != Particle::kNoFloor) {
        bent = true;
        if (vy > quiet) hits |= Happened::kHitFloor;
        y = static_cast<float>(p.floor_y) * (1.0f / kFloorScale);
        vx *= row.slide;
        vy *= -row.bounce;
        if (-vy < quiet) vy = 0.0f;
      }
    }
  }
  if ((ways & MotionRow::kWalls) != 0) {
    const float out2 = x * x + y * y;
    if (out2 > kArenaRadius * kArenaRadius && from_x * from_x + from_y * from_y <= kArenaRadius * kArenaRadius) {
      const float k = 1.0f / std::sqrt(out2);
      const float nx = x * k, ny = y * k;
      const float into = vx * nx + vy * ny;
      bent = true;
      if (into > quiet) hits |= Happened::kHitWall;
      if (into > 0.0f) {
        const float back = into * row.bounce;
        vx = (vx - nx * into) * row.slide - nx * back;
        vy = (vy - ny * into) * row.slide - ny * back;
      }
      constexpr float kInside = kArenaRadius - 1.0f / 64.0f;  // surely inside, whatever the rounding
      x = nx * kInside;
      y = ny * kInside;
    }
  }
  p.x = x;
  p.y = y;
  p.vx = vx;
  p.vy = vy;
  if ((ways & MotionRow::kTellsHits) != 0) happened |= hits;
  if ((ways & MotionRow::kTrailed) != 0 && (happened & Happened::kDied) == 0) {
    const u32 births = trail_births(p, row, clock_before, length(x - from_x, y - from_y));
    if (births != 0) happened |= births << Happened::kTrailShift | (bent ? Happened::kBent : 0u);
  }
  return happened;
}

/// Nothing is carried over from step to step. What a rate bears is the growth of floor(rate · age + phase), with a
/// phase of the particle's own. What a way bears is rounded up or down by a threshold that goes round by the golden
/// ratio, so that the sum stays within a few of exact.
u32 Motion::trail_births(const Particle& p, const MotionRow& row, u64 clock_before, float way) {
  constexpr float kMost = static_cast<float>(Happened::kMostTrail);
  const u32 phase = static_cast<u32>(p.spawn_id) * 2654435769u;
  const float now = steps_lived(p.clock, p.clock_rate);
  u32 births = 0;
  if (row.trail_per_step > 0.0f) {
    const double per_step = static_cast<double>(std::min(row.trail_per_step, kMost));
    const double offset = static_cast<double>(phase) * (1.0 / 4294967296.0);
    const i64 before =
        static_cast<i64>(per_step * static_cast<double>(steps_lived(clock_before, p.clock_rate)) + offset);
    const i64 after = static_cast<i64>(per_step * static_cast<double>(now) + offset);
    births = static_cast<u32>(std::clamp<i64>(after - before, 0, Happened::kMostTrail));
  }
  if (row.trail_per_unit > 0.0f) {
    const u32 turn = phase + static_cast<u32>(now + 0.5f) * 2654435769u;
    const float sum = way * row.trail_per_unit + static_cast<float>(turn >> 8) * (1.0f / 16777216.0f);
    if (sum >= 1.0f) births += sum < kMost ? static_cast<u32>(sum) : Happened::kMostTrail;
  }
  return births;
}

}  // namespace spellpool::sim
