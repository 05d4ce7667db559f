#include "sim/particles/style_rows.hpp"

namespace spellpool::sim {

void bake_spell_styles(ParticleSystem& particles, Effects& effects, u32 spell, const frame::SpellDef& def) {
  const u32 first = first_style_of(spell);
  const std::vector<ParticleStyle> styles = bake_styles(def, first);
  for (u32 i = 0; i < styles.size(); ++i) particles.set_style(first + i, styles[i]);
  effects.set_roles(spell, def);
}

void bake_arena_styles(ParticleSystem& particles, PresetId preset_id, const frame::Load& load) {
  PresetRow preset = kPresets[static_cast<std::size_t>(preset_id)];
  if (load.churn > 0) {
    preset.ambient = load.churn * frame::kChurnMotes;
    preset.life_s = frame::kChurnLife_s;
  }
  for (u32 i = 0; i < kArenaEmitterCount; ++i) {
    particles.set_style(kArenaStyles + i, bake_style(arena_emitter(static_cast<ArenaEmitter>(i), preset)));
  }
}

void restore_choices(const SpellSet& spells, const frame::Load& load, WorldConfig& now, ParticleSystem& particles, Effects& effects) {
  for (u32 i = 0; i < frame::kSpellCount; ++i) {
    if (now.spells[i] == spells[i]) continue;
    now.spells[i] = spells[i];
    bake_spell_styles(particles, effects, i, *spells[i]);
  }
  if (load.sparks != now.load.sparks) effects.multiply(load.sparks);
  const bool churns_alike = load.churn == now.load.churn;
  now.load = {.sparks = load.sparks, .churn = load.churn, .aged_heap = now.load.aged_heap};
  if (!churns_alike) bake_arena_styles(particles, now.preset, now.load);
}

bool apply_load(const frame::SimCommand& command, PresetId preset, frame::Load& load, ParticleSystem& particles, Effects& effects) {
  switch (command.kind) {
    case frame::SimCommandKind::SetLoad:
      load.sparks = command.capacity;
      effects.multiply(load.sparks);
      return true;
    case frame::SimCommandKind::SetChurn:
      load.churn = command.capacity;
      bake_arena_styles(particles, preset, load);
      return true;
    case frame::SimCommandKind::SetHeapAge:
      load.aged_heap = command.choice != 0;  // the session that plays the world does it
      return true;
    default:
      return false;
  }
}

}  // namespace spellpool::sim
