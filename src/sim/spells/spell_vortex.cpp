#include "sim/spells/spell_vortex.hpp"

namespace spellpool::sim {

using frame::EmitterRole;
using frame::SpellDef;

void Vortices::cast(const Cast& cast, SpellScope& scope) {
  Vortex& vortex = claim(vortices_);
  vortex.spell = cast.spell;
  vortex.factor = charge_factor(scope.def(cast.spell), cast.charge);
  vortex.x = cast.aim_x;
  vortex.y = cast.aim_y;
  keep_within(vortex.x, vortex.y, kArenaRadius);
  scope.effects.burst(vortex.spell, EmitterRole::Burst, EmitPlace::at(vortex.x, vortex.y), vortex.factor);
  if (is_full(scope.def(cast.spell), vortex.factor)) {
    scope.effects.burst(vortex.spell, EmitterRole::Full, EmitPlace::at(vortex.x, vortex.y));
  }
}

void Vortices::move(SpellScope& scope) {
  for (Vortex& vortex : vortices_) {
    if (!vortex.alive) continue;
    const SpellDef& def = scope.def(vortex.spell);
    vortex.age_s += kStep_s;
    const float open = vortex.open(def);
    vortex.spin += (0.35f + 0.5f * open) * kStep_s;
    if (vortex.spin >= 1.0f) vortex.spin -= 1.0f;
    const EmitPlace place = EmitPlace::at(vortex.x, vortex.y, vortex.spin);
    scope.effects.run(vortex.spell, EmitterRole::Spiral, vortex.carry, place, vortex.factor);
    scope.effects.run(vortex.spell, EmitterRole::Core, vortex.core_carry, place, vortex.factor);
    const float pull = def.pull * std::sqrt(vortex.factor) * open;
    scope.effects.attract({vortex.x, vortex.y, charged_radius(def, vortex.factor), pull, pull * 0.45f});
    if (vortex.age_s >= def.duration_s) {
      vortex.alive = false;
      scope.effects.burst(vortex.spell, EmitterRole::Close, place, vortex.factor);
      scope.effects.flash(vortex.x, vortex.y, charged_radius(def, vortex.factor) * 1.3f, def, def.light * 1.4f, 0.5f);
      scope.effects.sound(def.sound_hit, 0.9f, vortex.x, vortex.y);
      scope.effects.shake(def.shake * vortex.factor);
    }
  }
}

void Vortices::collide(SpellScope& scope) {
  for (Vortex& vortex : vortices_) {
    if (!vortex.alive) continue;
    const SpellDef& def = scope.def(vortex.spell);
    const float reach = charged_radius(def, vortex.factor);
    const float open = vortex.open(def);
    const bool beat = vortex.age_s + kHalfStep_s >= vortex.next_beat_s;
    if (beat) vortex.next_beat_s += kBeat_s;
    for (const TargetView& target : scope.targets.views()) {
      const float d = length(vortex.x - target.x, vortex.y - target.y);
      if (d > reach) continue;
      scope.targets.draw_toward(target.ref, vortex.x, vortex.y, (1.0f - d / reach) * open * std::sqrt(vortex.factor));
      if (!beat) continue;
      // Struck from the far side: toward the eye.
      const Blow blow = blow_of(vortex.spell, def, 2.0f * target.x - vortex.x, 2.0f * target.y - vortex.y,
                                def.power * kBeat_s * vortex.factor);
      scope.targets.hit(target.ref, blow, scope.effects, scope.challenge);
    }
  }
}

void Vortices::draw_ground(Canvas& canvas) const {
  for (const Vortex& vortex : vortices_) {
    if (!vortex.alive) continue;
    const SpellDef& def = canvas.def(vortex.spell);
    const float reach = charged_radius(def, vortex.factor), open = vortex.open(def);
    frame::SpriteInstance& core = canvas.sprite(frame::SpriteKind::VortexCore, vortex.x, vortex.y, reach * 2.0f, def);
    core.p0 = reach;
    core.p1 = vortex.spin;
    core.p2 = open;
    canvas.light(vortex.x, vortex.y, reach * 1.6f, def, open * def.light);
  }
}

void Vortices::bend(frame::RenderSnapshot& snapshot, const SpellSet& spells) const {
  snapshot.vortex_strength = 0.0f;
  for (const Vortex& vortex : vortices_) {
    if (!vortex.alive) continue;
    const float open = vortex.open(*spells[vortex.spell]);
    if (open <= snapshot.vortex_strength) continue;
    snapshot.vortex_strength = open;
    snapshot.vortex_x = vortex.x;
    snapshot.vortex_y = vortex.y;
  }
}

void Vortices::add_to(StateHash& hash) const {
  for (const Vortex& v : vortices_) {
    hash.add(static_cast<u8>(v.alive));
    if (!v.alive) continue;
    hash.add(v.spell, v.factor, v.x, v.y, v.age_s, v.spin, v.next_beat_s, v.carry, v.core_carry);
  }
}

}  // namespace spellpool::sim
