#include "sim/particles/style_rows.hpp"

namespace spellpool::sim {

void bake_spell_styles(ParticleSystem& particles, Effects& effects, u32 spell, const frame::SpellDef& def) {
  const u32 first = spell * kStylesPerSpell;
  const std::vector<ParticleStyle> styles = bake_styles(def, first);
  for (u32 i = 0; i < styles.size(); ++i) particles.set_style(first + i, styles[i]);
  effects.set_roles(spell, def);
}

void bake_arena_styles(ParticleSystem& particles, const PresetRow& preset) {
  for (u32 i = 0; i < kArenaEmitterCount; ++i) {
    particles.set_style(kArenaStyles + i, bake_style(arena_emitter(static_cast<ArenaEmitter>(i), preset)));
  }
}

}  // namespace spellpool::sim
