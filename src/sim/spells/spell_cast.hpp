#pragma once
// What the eight behaviours share: the cast that starts them, what they may touch, and what charge makes of a spell.
// Each behaviour keeps its bolts, rings or clouds in a fixed array: bounded, no allocation, gone through by index. A
// full array gives the place of its oldest to the new one.
#include <algorithm>
#include <array>

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"
#include "core/state_hash.hpp"
#include "sim/core/world_config.hpp"
#include "sim/particles/effects.hpp"
#include "sim/spells/challenge.hpp"
#include "sim/spells/targets.hpp"

namespace spellpool::sim {

class Decals;
class Seekers;

inline constexpr float kHalfStep_s = 0.5f * kStep_s;
/// A carry that starts so makes Effects::run() prewarm its emitter.
inline constexpr float kStarting = -1.0f;
/// A vortex, a fog and the like strike once in so long; their power is of a second.
inline constexpr float kBeat_s = 0.4f;

/// One spell leaving the staff.
struct Cast {
  u8 spell = 0;
  float charge = 0;              ///< 0 … 1.
  float x = 0, y = 0;            ///< The staff's tip.
  float feet_x = 0, feet_y = 0;  ///< The mage.
  float aim_x = 0, aim_y = 0;
  float direction_turns = 0;  ///< From the tip to the aim.
  u64 serial = 0;             ///< Of all casts of the world: keys what is random about it.
};

/// What a heavy blow does to time: mage, spells and targets stand still for two or three steps, while
/// particles, lights and shake go on. Part of a step's rules, so a replay has it too; an input with
/// kButtonNoHitStop goes without.
class HitStop {
 public:
  static constexpr u32 kMost_steps = 3;
  static constexpr u32 kRest_steps = 24;  ///< From one to the next, so that quick casts do not stutter.

  /// At the begin of a step: does it stand still?
  bool step(bool wanted) {
    rest_ -= rest_ > 0;
    if (!wanted) left_ = 0;
    const bool stopped = left_ > 0;
    left_ -= stopped;
    return stopped;
  }
  /// By a blow that landed in this step.
  void ask(u32 steps) {
    if (rest_ > 0) return;
    left_ = std::min(steps, kMost_steps);
    rest_ = kRest_steps;
  }
  void add_to(StateHash& hash) const { hash.add(left_, rest_); }

 private:
  u32 left_ = 0, rest_ = 0;
};

/// What spells see of the world during a step.
struct SpellScope {
  const SpellSet& spells;
  u64 seed = 0;
  float mage_x = 0, mage_y = 0;
  Effects& effects;
  Targets& targets;
  Challenge& challenge;
  Seekers& seekers;
  HitStop& hit_stop;
  Decals& decals;

  const frame::SpellDef& def(u8 spell) const { return *spells[spell]; }
};

/// 1 for a tap, SpellDef::charged for a full charge. On power, count and emission; its square root on radius.
inline float charge_factor(const frame::SpellDef& def, float charge) {
  return std::max(0.05f, 1.0f + (def.charged - 1.0f) * charge);
}
/// Held until the charge was full.
inline bool is_full(const frame::SpellDef& def, float factor) {
  return def.charged > 1.0f && factor > charge_factor(def, 0.999f);
}
inline float charged_radius(const frame::SpellDef& def, float factor) { return def.radius * std::sqrt(factor); }
inline u32 charged_count(const frame::SpellDef& def, float factor, u32 most) {
  const float count = static_cast<float>(def.count) * factor + 0.5f;
  return count < static_cast<float>(most) ? static_cast<u32>(count) : most;
}

inline Blow blow_of(u8 spell, const frame::SpellDef& def, float from_x, float from_y, float power) {
  Blow blow;
  blow.spell = spell;
  blow.from_x = from_x;
  blow.from_y = from_y;
  blow.power = power;
  blow.r = def.colour_r;
  blow.g = def.colour_g;
  blow.b = def.colour_b;
  return blow;
}

/// A free place, emptied; when there is none, that of the oldest.
template <class T, std::size_t N>
T& claim(std::array<T, N>& places) {
  T* chosen = &places[0];
  for (T& place : places) {
    if (!place.alive) {
      chosen = &place;
      break;
    }
    if (place.age_s > chosen->age_s) chosen = &place;
  }
  *chosen = T{};
  chosen->alive = true;
  return *chosen;
}

inline void keep_within(float& x, float& y, float reach) {
  const float out = length(x, y);
  if (out > reach) {
    x *= reach / out;
    y *= reach / out;
  }
}

/// Squared distance from (px, py) to the segment a–b.
inline float segment_distance2(float px, float py, float ax, float ay, float bx, float by) {
  const float dx = bx - ax, dy = by - ay;
  const float length2 = dx * dx + dy * dy;
  const float t = length2 > 0.0f ? clamp01(((px - ax) * dx + (py - ay) * dy) / length2) : 0.0f;
  const float ex = px - (ax + dx * t), ey = py - (ay + dy * t);
  return ex * ex + ey * ey;
}

/// How far a ring has run at `age_s`, 0 … 1: fast at first, slowing (ease out).
inline float ring_front(float age_s, float duration_s) {
  const float left = 1.0f - clamp01(age_s / std::max(kStep_s, duration_s));
  return 1.0f - left * left;
}

/// 0 … 1 … 0 over a life: opens in `in_s`, closes in `out_s`.
inline float opening(float age_s, float duration_s, float in_s, float out_s) {
  return smooth(clamp01(age_s / in_s)) * smooth(clamp01((duration_s - age_s) / out_s));
}

}  // namespace spellpool::sim
