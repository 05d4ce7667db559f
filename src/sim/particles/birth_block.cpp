#include "sim/particles/birth_block.hpp"

#include <algorithm>
#include <cmath>

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"
#include "core/rng.hpp"
#include "sim/particles/particle_motion.hpp"

namespace spellpool::sim {
namespace {

constexpr u64 kGolden = 0x9e3779b97f4a7c15ull;  // what Rng adds for each draw

struct Unit2 {
  float a, b;
};
/// Two uniform numbers in [0, 1) from one draw.
Unit2 two_units(Rng& rng) {
  const u64 bits = rng.next_u64();
  return {static_cast<float>(bits >> 40) * (1.0f / 16777216.0f),
          static_cast<float>((bits >> 8) & 0xffffffu) * (1.0f / 16777216.0f)};
}

/// One array per quantity. All but look are set from uniform numbers in [0, 1): lift only if has_lift_or_floor(), ahead
/// only if is_wide(), across if either.
struct BirthBlock {
  float turn[kBirthBlock], speed[kBirthBlock], life_s[kBirthBlock], size[kBirthBlock], swirl[kBirthBlock];
  float place[kBirthBlock];  ///< From the emitter, in the direction of `turn`.
  float lift[kBirthBlock];
  float ahead[kBirthBlock], across[kBirthBlock];  ///< From the emitter, in its own direction (Box, Line).
  u32 look[kBirthBlock];
  float along[kBirthBlock];  ///< Of the step and of the emitter's way: 0 its begin, 1 its end.
  float cosine[kBirthBlock], sine[kBirthBlock], x[kBirthBlock], y[kBirthBlock], vx[kBirthBlock], vy[kBirthBlock];
  i16 floor_y[kBirthBlock];
};

bool has_lift_or_floor(const BirthPlan& plan) {
  return plan.meets_floor || plan.def.lift.low != 0.0f || plan.def.lift.high != 0.0f;
}
bool is_wide(const frame::EmitterDef& def) {
  return def.shape == frame::EmitShape::Box || def.shape == frame::EmitShape::Line;
}

void draw_numbers(const BirthPlan& plan, u32 first, u32 count, u64 first_id, BirthBlock& b) {
  const u64 first_key = plan.keyed_by_index ? first + 1 : first_id;
  const auto key_of = [&](u32 i) { return mix64(plan.seed ^ ((first_key + i) * kGolden)); };
  for (u32 i = 0; i < count; ++i) {
    Rng rng(key_of(i));
    const Unit2 turn_and_speed = two_units(rng);
    const Unit2 life_and_size = two_units(rng);
    const Unit2 swirl_and_place = two_units(rng);
    b.look[i] = rng.next_u32();
    b.turn[i] = turn_and_speed.a;
    b.speed[i] = turn_and_speed.b;
    b.life_s[i] = life_and_size.a;
    b.size[i] = life_and_size.b;
    b.swirl[i] = swirl_and_place.a;
    b.place[i] = swirl_and_place.b;
  }
  if (!has_lift_or_floor(plan) && !is_wide(plan.def)) return;
  for (u32 i = 0; i < count; ++i) {
    Rng rng(key_of(i) + 4 * kGolden);  // the fifth draw
    const Unit2 lift_and_across = two_units(rng);
    b.lift[i] = lift_and_across.a;
    b.across[i] = lift_and_across.b;
  }
}

void choose_directions(const BirthPlan& plan, u32 first, u32 count, BirthBlock& b) {
  const frame::EmitterDef& def = plan.def;
  const float ray = def.rays > 0 ? 1.0f / static_cast<float>(def.rays) : 0.0f;
  const float spread = def.rays > 0 ? def.spread_turns * ray : def.spread_turns;
  for (u32 i = 0; i < count; ++i) b.turn[i] = plan.request.direction_turns + (b.turn[i] - 0.5f) * spread;
  if (def.rays > 0) {
    for (u32 i = 0; i < count; ++i) b.turn[i] += static_cast<float>((first + i) % def.rays) * ray;
  }
  for (u32 i = 0; i < count; ++i) {
    b.cosine[i] = cos_turns(b.turn[i]);
    b.sine[i] = sin_turns(b.turn[i]);
  }
}

void choose_places(const frame::EmitterDef& def, u32 count, BirthBlock& b) {
  switch (def.shape) {
    case frame::EmitShape::Point:
      for (u32 i = 0; i < count; ++i) b.place[i] = 0.0f;
      break;
    case frame::EmitShape::Ring:
      for (u32 i = 0; i < count; ++i) b.place[i] = def.radius;
      break;
    case frame::EmitShape::Disc:
      for (u32 i = 0; i < count; ++i) b.place[i] = def.radius * std::sqrt(b.place[i]);
      break;
    case frame::EmitShape::Cone:
      for (u32 i = 0; i < count; ++i) b.place[i] = def.radius * b.place[i];
      break;
    case frame::EmitShape::Box:
      for (u32 i = 0; i < count; ++i) {
        b.ahead[i] = (b.place[i] - 0.5f) * def.width;
        b.across[i] = (b.across[i] - 0.5f) * def.height;
        b.place[i] = 0.0f;
      }
      break;
    case frame::EmitShape::Line:
      for (u32 i = 0; i < count; ++i) {
        b.ahead[i] = 0.0f;
        b.across[i] = (b.place[i] - 0.5f) * def.width;
        b.place[i] = 0.0f;
      }
      break;
  }
}

void choose_times(const BirthPlan& plan, u32 first, u32 count, BirthBlock& b, u32* steps) {
  const EmitRequest& request = plan.request;
  if (plan.past()) {
    for (u32 i = 0; i < count; ++i) {
      const float ago = (static_cast<float>(request.count - first - i) - 0.5f) * plan.steps_apart;
      steps[i] = static_cast<u32>(ago);
      b.along[i] = 1.0f - (ago - static_cast<float>(steps[i]));
    }
    return;
  }
  const float per = 1.0f / static_cast<float>(request.count);
  for (u32 i = 0; i < count; ++i) {
    b.along[i] = request.spread_in_time ? (static_cast<float>(static_cast<i32>(first + i)) + 0.5f) * per : 1.0f;
  }
}

/// Velocity and position at the end of the step: each particle was born within it and has moved since.
void place_and_move(const BirthPlan& plan, u32 count, BirthBlock& b) {
  const frame::EmitterDef& def = plan.def;
  const EmitRequest& request = plan.request;
  for (u32 i = 0; i < count; ++i) {
    b.speed[i] = lerp(def.speed.low, def.speed.high, b.speed[i]);
    b.swirl[i] = lerp(def.swirl.low, def.swirl.high, b.swirl[i]);
    b.vx[i] = b.cosine[i] * b.speed[i] - b.sine[i] * b.swirl[i] + request.vx * def.inherit;
    b.vy[i] = b.sine[i] * b.speed[i] + b.cosine[i] * b.swirl[i] + request.vy * def.inherit;
    const float lived_s = (1.0f - b.along[i]) * plan.lived_scale_s;
    b.x[i] = lerp(request.from_x, request.to_x, b.along[i]) + b.cosine[i] * b.place[i] + b.vx[i] * lived_s;
    b.y[i] = lerp(request.from_y, request.to_y, b.along[i]) + b.sine[i] * b.place[i] + b.vy[i] * lived_s;
    b.size[i] = std::max(0.0f, lerp(def.size.low, def.size.high, b.size[i]));
    b.life_s[i] = lerp(def.life_s.low, def.life_s.high, b.life_s[i]);
  }
  if (!is_wide(def)) return;
  const float dir_x = cos_turns(request.direction_turns), dir_y = sin_turns(request.direction_turns);
  for (u32 i = 0; i < count; ++i) {
    b.x[i] += dir_x * b.ahead[i] - dir_y * b.across[i];
    b.y[i] += dir_y * b.ahead[i] + dir_x * b.across[i];
  }
}

void apply_lift(const BirthPlan& plan, u32 count, BirthBlock& b) {
  const frame::EmitterDef& def = plan.def;
  const float per_gravity = def.gravity_y > 0.0f ? 2.0f / def.gravity_y : 0.0f;
  for (u32 i = 0; i < count; ++i) {
    const float up = lerp(def.lift.low, def.lift.high, b.lift[i]);
    const float lived_s = (1.0f - b.along[i]) * plan.lived_scale_s;
    // In its time of flight the ground passes by as fast as it would without the lift.
    if (plan.meets_floor) b.floor_y[i] = Motion::floor_at(b.y[i] + b.vy[i] * (up * per_gravity - lived_s));
    b.y[i] -= up * lived_s;
    b.vy[i] -= up;
  }
}

void write_particles(const BirthPlan& plan, u32 count, u64 first_id, const BirthBlock& b, Particle* born) {
  for (u32 i = 0; i < count; ++i) {
    const bool brief = !(b.life_s[i] > kStep_s);  // a step or less: it runs over at the next update
    const float rate = brief ? 4294967040.0f : kStep_s / b.life_s[i] * 4294967296.0f;
    const float age = brief ? 1024.0f : rate * (1.0f - b.along[i]) * 0.999f;
    u32 angle = b.look[i] << 24;
    i32 spin = static_cast<i32>((b.look[i] >> 8) % 9u) - 4;
    if (plan.points_ahead) {
      angle = static_cast<u32>(static_cast<i32>(b.turn[i] * 256.0f)) << 24;
      spin /= 4;
    }
    Particle& p = born[i];
    p.x = b.x[i];
    p.y = b.y[i];
    p.vx = b.vx[i];
    p.vy = b.vy[i];
    p.clock = static_cast<u64>(static_cast<i64>(age)) << 32 | angle;
    p.clock_rate = static_cast<u64>(static_cast<i64>(rate)) << 32 | static_cast<u32>(spin * (1 << 24));
    p.spawn_id = first_id + i;
    p.size = b.size[i];
    p.style = static_cast<u16>(plan.request.style);
    p.floor_y = b.floor_y[i];
  }
}

}  // namespace

void make_births(const BirthPlan& plan, u32 first, u32 count, u64 first_id, Particle* born, u32* steps) {
  BirthBlock b;
  std::fill_n(b.floor_y, count, Particle::kNoFloor);
  draw_numbers(plan, first, count, first_id, b);
  choose_directions(plan, first, count, b);
  choose_places(plan.def, count, b);
  choose_times(plan, first, count, b, steps);
  place_and_move(plan, count, b);
  if (has_lift_or_floor(plan)) apply_lift(plan, count, b);
  write_particles(plan, count, first_id, b, born);
}

}  // namespace spellpool::sim
