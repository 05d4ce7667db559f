#pragma once
#include "frame/load.hpp"
#include "frame/sim_command.hpp"
#include "sim/core/world_config.hpp"
#include "sim/particles/effects.hpp"

namespace spellpool::sim {

/// A spell's emitters into its rows of the style table, and its roles: at the start, and whenever its definition changes.
void bake_spell_styles(ParticleSystem& particles, Effects& effects, u32 spell, const frame::SpellDef& def);
/// The arena's own emitters, with the preset's motes; those of the load's churn instead, if it has any.
void bake_arena_styles(ParticleSystem& particles, PresetId preset, const frame::Load& load);
/// Returns to saved spells and a saved load, the heap's age apart, and bakes what differs.
void restore_choices(const SpellSet& spells, const frame::Load& load, WorldConfig& now, ParticleSystem& particles, Effects& effects);
/// False: the command is not about the load. Otherwise it is done.
bool apply_load(const frame::SimCommand& command, PresetId preset, frame::Load& load, ParticleSystem& particles, Effects& effects);

}  // namespace spellpool::sim
