#pragma once
#include "sim/particles/effects.hpp"

namespace spellpool::sim {

/// A spell's emitters into its rows of the style table, and its roles: at the start, and whenever its definition changes.
void bake_spell_styles(ParticleSystem& particles, Effects& effects, u32 spell, const frame::SpellDef& def);
/// The arena's own emitters, with the preset's motes.
void bake_arena_styles(ParticleSystem& particles, const PresetRow& preset);

}  // namespace spellpool::sim
