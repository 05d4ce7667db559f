#pragma once
#include <array>
#include <memory>

#include "frame/defs/arena_emitters.hpp"
#include "frame/defs/pattern_def.hpp"
#include "frame/defs/stage_def.hpp"
#include "frame/load.hpp"
#include "frame/scene.hpp"
#include "sim/core/pool_choice.hpp"
#include "sim/core/preset.hpp"

namespace spellpool::sim {

/// The definitions, in the order of the keys.
using SpellSet = std::array<std::shared_ptr<const frame::SpellDef>, frame::kSpellCount>;

/// What starts a world of any scene.
struct WorldConfig {
  frame::SceneId scene = frame::SceneId::Spells;
  u64 seed = 1;
  PresetId preset = PresetId::Default;
  frame::Difficulty difficulty = frame::Difficulty::Normal;      ///< Of the shooter.
  frame::Load load;
  PoolChoices pools = pool_choices(pool::StrategyId::FreeList);
  SpellSet spells;                                               ///< All set.
  std::shared_ptr<const frame::ArenaDef> arena;                  ///< Set.
  std::shared_ptr<const frame::PatternBook> patterns;            ///< Set for the shooter; so is the stage.
  std::shared_ptr<const frame::StageDef> stage;
};

}  // namespace spellpool::sim
