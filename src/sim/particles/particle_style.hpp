#pragma once
#include <array>
#include <span>
#include <vector>

#include "core/fixed_step.hpp"
#include "frame/defs/spell_def.hpp"

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
  bool paced = false;             ///< There is a speed curve: `paces` counts.
  // Rows of the styles that its particles set off; −1 none.
  i32 on_birth = -1;              ///< Its burst, where a particle is born,
  i32 on_death = -1;              ///< … where one dies,
  i32 on_hit = -1;                ///< … where one bounces.
  i32 trail = -1;                 ///< It runs behind each particle.
  std::array<Look, kSamples> looks{};
  std::array<float, kSamples> paces{};  ///< Factor on the motion over a life.
};

/// Bakes one definition. The four rows stay −1: the caller, which knows the neighbouring styles, sets them.
ParticleStyle bake_style(const frame::EmitterDef& def);

/// Bakes the emitters of one file for the rows from first_row on, their neighbours filled in. A name that no
/// emitter has sets off nothing. Allocates: not for a frame's hot path.
std::vector<ParticleStyle> bake_styles(std::span<const frame::EmitterDef> emitters, u32 first_row);
/// Those of a spell: the first kMaxEmitters.
std::vector<ParticleStyle> bake_styles(const frame::SpellDef& spell, u32 first_row);

}  // namespace spellpool::sim
