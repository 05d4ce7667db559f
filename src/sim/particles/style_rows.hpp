#pragma once
#include "frame/load.hpp"
#include "frame/sim_command.hpp"
#include "sim/core/world_config.hpp"
#include "sim/particles/effects.hpp"

namespace spellpool::sim {

/// The definitions and the load that a world plays by: commands change them, and its saved state has them.
struct Choices {
  SpellSet spells;
  std::shared_ptr<const frame::ArenaDef> arena;
  frame::Load load;
};
Choices choices_of(const WorldConfig& config);

/// Every row of the style table, the spells' roles and the load's sparks: at the start.
void bake_all_styles(ParticleSystem& particles, Effects& effects, const WorldConfig& config);
/// Returns to saved choices, the heap's age apart, and bakes what differs.
void restore_choices(const Choices& saved, WorldConfig& now, ParticleSystem& particles, Effects& effects);
/// False: the command is about none of the choices. Otherwise it is done.
bool apply_choice(const frame::SimCommand& command, WorldConfig& config, ParticleSystem& particles,
                  Effects& effects);

}  // namespace spellpool::sim
