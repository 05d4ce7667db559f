#pragma once
#include "core/types.hpp"

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
  /// born; nothing is set off (on_birth, on_hit, trail). At most ParticleSystem::kMostPrewarm_s, and the
  /// latest kMostPrewarmed of a step's requests together. So Effects::run of a starting emitter puts the definition's
  /// prewarm_s and its own share here, and `count` as always.
  float prewarm_s = 0;
  float share = 1;  ///< Of the rate, in the prewarm.
};

}  // namespace spellpool::sim
