#pragma once
#include "frame/defs/spell_def.hpp"
#include "sim/particles/emit_request.hpp"
#include "sim/particles/particle.hpp"

namespace spellpool::sim {

inline constexpr u32 kBirthBlock = 32;  ///< Particles made together.

/// What all particles of a request have in common.
struct BirthPlan {
  const frame::EmitterDef& def;
  const EmitRequest& request;
  float steps_apart = 0;    ///< > 0: they were born in the past (prewarm). Steps between two of them, up to now.
  float lived_scale_s = 0;  ///< Seconds of a whole step, at the pace that the style begins with.
  bool meets_floor = false;
  bool points_ahead = false;    ///< Turned to where it flies.
  u64 seed = 0;                 ///< Of the keys of their random numbers.
  bool keyed_by_index = false;  ///< The key is the particle's index in the request; else its spawn id.

  bool past() const { return steps_apart > 0.0f; }
};

/// Makes particles first … first + count - 1 of a request into born[0 … count - 1], count ≤ kBirthBlock; their spawn
/// ids rise from first_id. If plan.past(), born[i] is as it was steps[i] steps ago; else `steps` is not written.
/// One array per quantity, in loops that the compiler vectorises.
void make_births(const BirthPlan& plan, u32 first, u32 count, u64 first_id, Particle* born, u32* steps);

}  // namespace spellpool::sim
