#pragma once
#include "sim/particles/particle.hpp"
#include "sim/particles/particle_style.hpp"

namespace spellpool::sim {

/// Particles to be born in this step's spawn phase, along the way that an emitter went.
struct EmitRequest {
  u32 style = 0;
  u32 count = 0;                 ///< To spawn in this step. 0 still moves the style's origin (`pull`).
  float from_x = 0, from_y = 0;  ///< Where the emitter was when the step began …
  float to_x = 0, to_y = 0;      ///< … and when it ended. Sub-frame: particle k starts (k+½)/count of the way.
  float direction_turns = 0;
  float vx = 0, vy = 0;         ///< The emitter's velocity, shared by `inherit`.
  bool spread_in_time = false;  ///< True: born evenly through the step (rate, distance); false: all at its end (burst).
  /// > 0: the emitter starts now and shall look as if it had run for so long, standing at from_x, from_y. Besides
  /// `count`, the particles of those seconds are born: rate_per_s of the style × share, evenly through that time,
  /// each moved and aged by as many steps as it would have lived (attractors apart). Who would be dead by now is not
  /// born; nothing is set off (on_birth, on_hit, trail). At most kMostPrewarm_s, and the latest kMostPrewarmed of a
  /// step's requests together. So Effects::run of a starting emitter puts the definition's prewarm_s and its own
  /// share here, and `count` as always.
  float prewarm_s = 0;
  float share = 1;  ///< Of the rate, in the prewarm.
};

inline constexpr u32 kBirthBlock = 32;  ///< Particles made together.

/// What all particles of a request have in common.
struct BirthPlan {
  const frame::EmitterDef& def;
  const EmitRequest& request;
  float steps_apart = 0;    ///< > 0: they were born in the past (prewarm). Steps between two of them, up to now.
  float lived_scale_s = 0;  ///< Seconds of a whole step, at the pace that the style begins with.
  bool meets_floor = false;
  bool points_ahead = false;  ///< Turned to where it flies.
  u64 seed = 0;               ///< Of the keys of their random numbers.

  bool past() const { return steps_apart > 0.0f; }
};

/// Makes particles first … first + count - 1 of a request, count ≤ kBirthBlock; the k-th gets random numbers by
/// first_key + k and spawn id first_id + k. Where they were born in the past, steps[k] says how many steps ago;
/// they are as they were then. Cost: about 30 ns each; one array per quantity, in loops that the compiler vectorises.
void make_births(const BirthPlan& plan, u32 first, u32 count, u64 first_key, u64 first_id, Particle* born, u32* steps);

}  // namespace spellpool::sim
