#include "sim/spells/spell_meteor.hpp"

#include "sim/spells/decals.hpp"

namespace spellpool::sim {
namespace {

using frame::EmitterRole;
using frame::SpellDef;

constexpr float kAcross = 0.42f, kDown = 0.9075f;  // the way that it falls, of length 1
constexpr float kLinger = 1.5f;                    // in durations: the ring fades after it has run out
constexpr float kCrater = 0.36f;                   // of the reach: what the mark's ring shows and the full blow covers
constexpr std::array kKnocks_s = {0.34f, 0.52f, 0.66f, 0.83f};  // looks: stones landing

}  // namespace

float Meteors::front(const Meteor& meteor, const SpellDef& def) {
  return charged_radius(def, meteor.factor) * ring_front(meteor.ring_s, def.duration_s);
}

void Meteors::cast(const Cast& cast, SpellScope& scope) {
  const SpellDef& def = scope.def(cast.spell);
  Meteor& meteor = claim(meteors_);
  meteor.spell = cast.spell;
  meteor.factor = charge_factor(def, cast.charge);
  meteor.x = cast.aim_x;
  meteor.y = cast.aim_y;
  keep_within(meteor.x, meteor.y, kArenaRadius);
  meteor.slant = cast.aim_x >= cast.feet_x ? 1.0f : -1.0f;
  place_rock(meteor, def);
  meteor.previous_x = meteor.rock_x;
  meteor.previous_y = meteor.rock_y;
}

void Meteors::place_rock(Meteor& meteor, const SpellDef& def) {
  const float t = clamp01((meteor.age_s - kCall_s) / kFall_s);
  const float left = def.speed * kFall_s * (1.0f - t * (0.6f + 0.4f * t));  // it gathers speed
  meteor.previous_x = meteor.rock_x;
  meteor.previous_y = meteor.rock_y;
  meteor.rock_x = meteor.x - kAcross * meteor.slant * left;
  meteor.rock_y = meteor.y - kDown * left;
}

void Meteors::move(SpellScope& scope) {
  for (Meteor& meteor : meteors_) {
    if (!meteor.alive) continue;
    const SpellDef& def = scope.def(meteor.spell);
    meteor.age_s += kStep_s;
    if (meteor.landed) {
      const float before_s = meteor.ring_s;
      meteor.ring_s += kStep_s;
      for (const float knock_s : kKnocks_s) {
        if (before_s < knock_s && meteor.ring_s >= knock_s) {
          scope.effects.sound(frame::SoundId::StoneBounce, 0.55f - 0.35f * knock_s, meteor.x, meteor.y, 0.0f, 2.0f);
        }
      }
      if (meteor.ring_s > std::max(def.duration_s * kLinger, kKnocks_s.back() + kStep_s)) meteor.alive = false;
      continue;
    }
    scope.effects.run(meteor.spell, EmitterRole::Mark, meteor.mark_carry, EmitPlace::at(meteor.x, meteor.y),
                      meteor.factor);
    if (is_full(def, meteor.factor)) {
      scope.effects.run(meteor.spell, EmitterRole::Halo, meteor.halo_carry,
                        EmitPlace::at(meteor.x, meteor.y));
    }
    place_rock(meteor, def);
    if (meteor.age_s > kCall_s) {
      const float vx = (meteor.rock_x - meteor.previous_x) / kStep_s,
                  vy = (meteor.rock_y - meteor.previous_y) / kStep_s;
      const EmitPlace behind{
          meteor.previous_x, meteor.previous_y, meteor.rock_x, meteor.rock_y, atan2_turns(vy, vx) + 0.5f, vx, vy};
      scope.effects.run(meteor.spell, EmitterRole::Trail, meteor.carry, behind, meteor.factor);
      scope.effects.run(meteor.spell, EmitterRole::Smoke, meteor.smoke_carry, behind, meteor.factor);
    }
    if (meteor.age_s + kHalfStep_s >= kCall_s + kFall_s) land(meteor, scope);
  }
}

void Meteors::land(Meteor& meteor, SpellScope& scope) {
  const SpellDef& def = scope.def(meteor.spell);
  meteor.landed = true;
  const float along = atan2_turns(kDown, kAcross * meteor.slant);
  const EmitPlace place =
      EmitPlace::at(meteor.x, meteor.y, along, 0.3f * kAcross * meteor.slant * def.speed, 0.3f * kDown * def.speed);
  for (const EmitterRole role : {EmitterRole::Burst, EmitterRole::Ring, EmitterRole::Stones, EmitterRole::Embers}) {
    scope.effects.burst(meteor.spell, role, place, meteor.factor);
  }
  if (is_full(def, meteor.factor)) scope.effects.burst(meteor.spell, EmitterRole::Full, place);
  scope.decals.leave(frame::DecalKind::Crack, meteor.spell, meteor.x, meteor.y,
                     1.15f * kCrater * charged_radius(def, meteor.factor));
  scope.effects.flash(meteor.x, meteor.y, charged_radius(def, meteor.factor) * 2.0f, def, def.light * 1.8f, 0.7f);
  scope.effects.sound(def.sound_hit, 1.0f, meteor.x, meteor.y, 1.0f - meteor.factor);
  scope.effects.shake(def.shake * meteor.factor);
}

void Meteors::collide(SpellScope& scope) {
  for (Meteor& meteor : meteors_) {
    if (!meteor.alive || !meteor.landed) continue;
    const SpellDef& def = scope.def(meteor.spell);
    const float reach = charged_radius(def, meteor.factor);
    const float now = std::max(front(meteor, def), reach * kCrater);  // what the rock itself covers is struck at once
    for (const TargetView& target : scope.targets.views()) {
      const float d = length(target.x - meteor.x, target.y - meteor.y);
      if (d > now || d <= meteor.passed) continue;
      const float falloff = 1.0f - 0.6f * clamp01((d / reach - kCrater) / (1.0f - kCrater));
      const Blow blow = blow_of(meteor.spell, def, meteor.x, meteor.y, def.power * meteor.factor * falloff);
      if (scope.targets.hit(target.ref, blow, scope.effects, scope.challenge) && d <= reach * kCrater)
        scope.hit_stop.ask(3);
    }
    meteor.passed = std::max(meteor.passed, now);
  }
}

void Meteors::draw_ground(Canvas& canvas) const {
  for (const Meteor& meteor : meteors_) {
    if (!meteor.alive) continue;
    const SpellDef& def = canvas.def(meteor.spell);
    const float reach = charged_radius(def, meteor.factor);
    const float fading = clamp01(1.0f - meteor.ring_s / 0.25f);
    if (fading > 0.0f) {
      frame::SpriteInstance& mark =
          canvas.sprite(frame::SpriteKind::Mark, meteor.x, meteor.y, reach * kCrater * 2.0f, def);
      mark.p0 = reach * kCrater;
      mark.p1 = clamp01(meteor.age_s / (kCall_s + kFall_s));
      mark.p2 = smooth(clamp01(meteor.age_s / 0.15f)) * fading;
      canvas.light(meteor.x, meteor.y, reach * 0.7f, def, 0.35f * def.light * mark.p1 * fading);
    }
    if (meteor.landed) {
      frame::SpriteInstance& ring = canvas.sprite(frame::SpriteKind::ShockRing, meteor.x, meteor.y, reach * 2.0f, def);
      ring.p0 = front(meteor, def);
      ring.p1 = clamp01(1.0f - meteor.ring_s / std::max(kStep_s, def.duration_s * kLinger));
    }
  }
}

void Meteors::draw_air(Canvas& canvas) const {
  for (const Meteor& meteor : meteors_) {
    if (!meteor.alive || meteor.landed || meteor.age_s <= kCall_s) continue;
    const SpellDef& def = canvas.def(meteor.spell);
    const float t = clamp01((meteor.age_s - kCall_s) / kFall_s);
    frame::SpriteInstance& rock = canvas.sprite(frame::SpriteKind::Meteor, meteor.rock_x, meteor.rock_y,
                                                46.0f * std::sqrt(meteor.factor) * (0.7f + 0.3f * t), def);
    rock.previous_x = meteor.previous_x;
    rock.previous_y = meteor.previous_y;
    rock.angle_turns = atan2_turns(kDown, kAcross * meteor.slant);
    rock.p0 = smooth(clamp01(t * 2.0f));
    canvas.light(meteor.rock_x, meteor.rock_y, meteor.previous_x, meteor.previous_y, 220.0f, def,
                 0.8f * def.light * rock.p0);
  }
}

void Meteors::add_to(StateHash& hash) const {
  for (const Meteor& m : meteors_) {
    hash.add(static_cast<u8>(m.alive));
    if (!m.alive) continue;
    hash.add(static_cast<u8>(m.landed), m.spell, m.factor, m.x, m.y, m.slant, m.age_s, m.ring_s);
    hash.add(m.passed, m.rock_x, m.rock_y, m.mark_carry, m.carry, m.smoke_carry, m.halo_carry);
  }
}

}  // namespace spellpool::sim
