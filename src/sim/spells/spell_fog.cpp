#include "sim/spells/spell_fog.hpp"

namespace spellpool::sim {

using frame::EmitterRole;
using frame::SpellDef;

void Fogs::cast(const Cast& cast, SpellScope& scope) {
  const SpellDef& def = scope.def(cast.spell);
  Fog& fog = claim(fogs_);
  fog.spell = cast.spell;
  fog.factor = charge_factor(def, cast.charge);
  fog.x = cast.aim_x;
  fog.y = cast.aim_y;
  keep_within(fog.x, fog.y, kArenaRadius);
  fog.previous_x = fog.x;
  fog.previous_y = fog.y;
  scope.effects.burst(fog.spell, EmitterRole::Burst, EmitPlace::at(fog.x, fog.y), fog.factor);
  if (is_full(def, fog.factor))
    scope.effects.burst(fog.spell, EmitterRole::Full, EmitPlace::at(fog.x, fog.y));
}

void Fogs::move(SpellScope& scope) {
  for (Fog& fog : fogs_) {
    if (!fog.alive) continue;
    const SpellDef& def = scope.def(fog.spell);
    fog.age_s += kStep_s;

    float goal_x = 0.0f, goal_y = 0.0f, nearest = 1e9f;
    for (const TargetView& target : scope.targets.views()) {
      if (target.ref.standing == TargetRef::kWisp) continue;  // they flit about too much to follow
      const float d = length(target.x - fog.x, target.y - fog.y);
      if (d >= nearest) continue;
      nearest = d;
      goal_x = (target.x - fog.x) / std::max(1.0f, d);
      goal_y = (target.y - fog.y) / std::max(1.0f, d);
    }
    const float pace = kCrawl * clamp01(nearest / 30.0f) * (nearest < 1e9f ? 1.0f : 0.0f);  // slows as it arrives
    fog.vx += (goal_x * pace - fog.vx) * 0.04f;
    fog.vy += (goal_y * pace - fog.vy) * 0.04f;
    fog.previous_x = fog.x;
    fog.previous_y = fog.y;
    fog.x += fog.vx * kStep_s;
    fog.y += fog.vy * kStep_s;

    const EmitPlace place{fog.previous_x, fog.previous_y, fog.x, fog.y, 0.0f, fog.vx, fog.vy};
    const float share = fog.factor * clamp01((def.duration_s - fog.age_s) / 0.6f);
    scope.effects.run(fog.spell, EmitterRole::Fog, fog.carry, place, share);
    scope.effects.run(fog.spell, EmitterRole::Bubbles, fog.bubble_carry, place, share);
    if (is_full(def, fog.factor)) {
      scope.effects.run(fog.spell, EmitterRole::Halo, fog.halo_carry, place,
                        clamp01((def.duration_s - fog.age_s) / 0.6f));
    }
    if (fog.age_s >= def.duration_s) {
      fog.alive = false;
      scope.effects.burst(fog.spell, EmitterRole::Close, place, fog.factor);
    }
  }
}

void Fogs::collide(SpellScope& scope) {
  for (Fog& fog : fogs_) {
    if (!fog.alive || fog.age_s + kHalfStep_s < fog.next_beat_s) continue;
    fog.next_beat_s += kBeat_s;
    const SpellDef& def = scope.def(fog.spell);
    const float reach = charged_radius(def, fog.factor);
    bool bites = false;
    for (const TargetView& target : scope.targets.views()) {
      if (length(target.x - fog.x, target.y - fog.y) > reach + target.radius) continue;
      Blow blow = blow_of(fog.spell, def, fog.x, fog.y, def.power * kBeat_s * fog.factor);
      blow.poisons = true;
      if (scope.targets.hit(target.ref, blow, scope.effects, scope.challenge)) {
        scope.effects.sound(def.sound_hit, 0.35f, target.x, target.y, 0.0f, 2.0f);
        bites = true;
      }
    }
    if (bites) scope.effects.shake(def.shake * fog.factor);
  }
}

void Fogs::draw_ground(Canvas& canvas) const {
  for (const Fog& fog : fogs_) {
    if (!fog.alive) continue;
    const SpellDef& def = canvas.def(fog.spell);
    const float breath = 0.85f + 0.15f * sin_turns(fog.age_s * 0.6f);
    canvas.light(fog.x, fog.y, fog.previous_x, fog.previous_y, charged_radius(def, fog.factor) * 1.5f, def,
                 0.5f * def.light * fog.open(def) * breath);
  }
}

void Fogs::add_to(StateHash& hash) const {
  for (const Fog& f : fogs_) {
    hash.add(static_cast<u8>(f.alive));
    if (!f.alive) continue;
    hash.add(f.spell, f.factor, f.x, f.y, f.vx, f.vy, f.age_s, f.next_beat_s);
    hash.add(f.carry, f.bubble_carry, f.halo_carry);
  }
}

}  // namespace spellpool::sim
