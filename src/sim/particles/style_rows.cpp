#include "sim/particles/style_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"

namespace spellpool::sim {
namespace {

void set_styles(ParticleSystem& particles, const std::vector<ParticleStyle>& styles, u32 first) {
  for (u32 i = 0; i < styles.size(); ++i) particles.set_style(first + i, styles[i]);
}

/// A spell's emitters into its rows of the style table, and its roles.
void bake_spell_styles(ParticleSystem& particles, Effects& effects, u32 spell, const frame::SpellDef& def) {
  set_styles(particles, bake_styles(def, first_style_of(spell)), first_style_of(spell));
  effects.set_roles(spell, def);
}

/// The motes of the load's churn, or else those of the preset: their number, life and light.
void scatter_motes(frame::EmitterDef& ambient, const WorldConfig& config) {
  const PresetRow& preset = kPresets[static_cast<std::size_t>(config.preset)];
  const bool churns = config.load.churn > 0;
  const u32 motes = churns ? config.load.churn * frame::kChurnMotes : preset.ambient;
  const float life_s = churns ? frame::kChurnLife_s : preset.life_s;
  // Ten times as many would hide the arena behind their light: three times as bright is enough.
  const float light = std::sqrt(std::min(1.0f, 100'000.0f / static_cast<float>(std::max(motes, 1u))));
  ambient.rate_per_s = static_cast<float>(motes) / life_s;
  ambient.life_s.low *= life_s;
  ambient.life_s.high *= life_s;
  for (frame::ColourKey& key : ambient.colour_curve) key.a *= light;
}

void bake_arena_styles(ParticleSystem& particles, const WorldConfig& config) {
  frame::ArenaDef arena = *config.arena;
  SPELLPOOL_ASSERT(arena.size() == kArenaEmitterCount);
  scatter_motes(arena[static_cast<std::size_t>(ArenaEmitter::Ambient)], config);
  set_styles(particles, bake_styles(arena, kArenaStyles), kArenaStyles);
}

}  // namespace

Choices choices_of(const WorldConfig& config) { return {config.spells, config.arena, config.load}; }

void bake_all_styles(ParticleSystem& particles, Effects& effects, const WorldConfig& config) {
  for (u32 i = 0; i < frame::kSpellCount; ++i) bake_spell_styles(particles, effects, i, *config.spells[i]);
  bake_arena_styles(particles, config);
  effects.multiply(config.load.sparks);
}

void restore_choices(const Choices& saved, WorldConfig& now, ParticleSystem& particles, Effects& effects) {
  for (u32 i = 0; i < frame::kSpellCount; ++i) {
    if (now.spells[i] == saved.spells[i]) continue;
    now.spells[i] = saved.spells[i];
    bake_spell_styles(particles, effects, i, *saved.spells[i]);
  }
  if (saved.load.sparks != now.load.sparks) effects.multiply(saved.load.sparks);
  const bool same_arena = saved.arena == now.arena && saved.load.churn == now.load.churn;
  now.arena = saved.arena;
  now.load = {.sparks = saved.load.sparks, .churn = saved.load.churn, .aged_heap = now.load.aged_heap};
  if (!same_arena) bake_arena_styles(particles, now);
}

bool apply_choice(const frame::SimCommand& command, WorldConfig& config, ParticleSystem& particles,
                  Effects& effects) {
  switch (command.kind) {
    case frame::SimCommandKind::SetSpell:
      config.spells[command.spell] = command.definition;
      bake_spell_styles(particles, effects, command.spell, *command.definition);
      return true;
    case frame::SimCommandKind::SetArena:
      config.arena = command.arena;
      bake_arena_styles(particles, config);
      return true;
    case frame::SimCommandKind::SetLoad:
      config.load.sparks = command.capacity;
      effects.multiply(config.load.sparks);
      return true;
    case frame::SimCommandKind::SetChurn:
      config.load.churn = command.capacity;
      bake_arena_styles(particles, config);
      return true;
    case frame::SimCommandKind::SetHeapAge:
      config.load.aged_heap = command.choice != 0;  // the session that plays the world does it
      return true;
    default:
      return false;
  }
}

}  // namespace spellpool::sim
