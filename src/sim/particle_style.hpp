#pragma once
#include <array>

#include "core/fixed_step.hpp"
#include "frame/spell_def.hpp"

namespace spellpool::sim {

/// An EmitterDef made ready for the hot loops: forces per step instead of per second, curves sampled into a table.
struct ParticleStyle {
  static constexpr u32 kSamples = 64;  ///< 2^6, so that the top six bits of an age are its place.
  struct Look {
    u8 r, g, b, a;      ///< Premultiplied by a in the additive layer.
    float size_factor;  ///< Times kSizeScale.
  };

  frame::EmitterDef def;
  float add_vx = 0, add_vy = 0;   ///< Gravity · step.
  float keep = 1;                 ///< Share of the velocity that drag leaves each step.
  float curl = 0;                 ///< Curl acceleration · step.
  u8 glow_shape = 0;              ///< As ParticleInstance::glow_shape.
  bool alpha_layer = false;
  i32 on_death = -1;              ///< Style whose burst fires where a particle of this style dies; −1 none.
  std::array<Look, kSamples> looks{};
};

/// Bakes the definition; on_death is filled in by whoever knows the style's neighbours.
ParticleStyle bake_style(const frame::EmitterDef& def);

}  // namespace spellpool::sim
