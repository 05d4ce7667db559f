#include "sim/spells/spell_starfall.hpp"

#include "sim/spells/decals.hpp"

namespace spellpool::sim {
namespace {

using frame::EmitterRole;
using frame::SpellDef;

constexpr float kAcross = 0.5f, kDown = 0.8660254f;  // the way that they fall, of length 1
constexpr float kAfterglow_s = 0.25f;                // looks: a landed star's mark fades

}  // namespace

void Starfalls::cast(const Cast& cast, SpellScope& scope) {
  const SpellDef& def = scope.def(cast.spell);
  Shower& shower = claim(showers_);
  shower.spell = cast.spell;
  shower.factor = charge_factor(def, cast.charge);
  shower.x = cast.aim_x;
  shower.y = cast.aim_y;
  keep_within(shower.x, shower.y, kArenaRadius);
  shower.stars = charged_count(def, shower.factor, 4096);
  shower.serial = cast.serial;
}

void Starfalls::send(Shower& shower, SpellScope& scope) {
  const SpellDef& def = scope.def(shower.spell);
  Rng rng(mix64(scope.seed ^ mix64(shower.serial * 0x73746172ull + shower.sent)));
  const float turn = rng.unit();
  const float out = std::sqrt(rng.unit()) * charged_radius(def, shower.factor);
  Star& star = claim(stars_);
  star.spell = shower.spell;
  star.factor = shower.factor;
  star.x = shower.x + cos_turns(turn) * out;
  star.y = shower.y + sin_turns(turn) * out;
  keep_within(star.x, star.y, kArenaRadius * 1.1f);
  star.twinkle = rng.unit();
  const float height = def.speed * kFall_s;
  star.head_x = star.previous_x = star.x - kAcross * height;
  star.head_y = star.previous_y = star.y - kDown * height;
  ++shower.sent;
}

void Starfalls::move(SpellScope& scope) {
  for (Star& star : stars_) {
    if (!star.alive) continue;
    star.age_s += kStep_s;
    if (star.age_s > kCall_s + kFall_s + kAfterglow_s) star.alive = false;
    if (star.age_s <= kCall_s || star.age_s - kStep_s >= kCall_s + kFall_s - kHalfStep_s) continue;
    const SpellDef& def = scope.def(star.spell);
    const float left = def.speed * kFall_s * (1.0f - clamp01((star.age_s - kCall_s) / kFall_s));
    star.previous_x = star.head_x;
    star.previous_y = star.head_y;
    star.head_x = star.x - kAcross * left;
    star.head_y = star.y - kDown * left;
    const float vx = (star.head_x - star.previous_x) / kStep_s, vy = (star.head_y - star.previous_y) / kStep_s;
    const EmitPlace behind{
        star.previous_x, star.previous_y, star.head_x, star.head_y, atan2_turns(vy, vx) + 0.5f, vx, vy};
    scope.effects.run(star.spell, EmitterRole::Trail, star.carry, behind);
    star.landing = star.age_s + kHalfStep_s >= kCall_s + kFall_s;
  }
  for (Shower& shower : showers_) {
    if (!shower.alive) continue;
    const SpellDef& def = scope.def(shower.spell);
    shower.age_s += kStep_s;
    const EmitPlace place = EmitPlace::at(shower.x, shower.y);
    scope.effects.run(shower.spell, EmitterRole::Mark, shower.mark_carry, place,
                      opening(shower.age_s, def.duration_s, 0.2f, 0.4f));
    if (is_full(def, shower.factor)) {
      scope.effects.run(shower.spell, EmitterRole::Halo, shower.halo_carry, place,
                        opening(shower.age_s, def.duration_s, 0.2f, 0.4f));
    }
    const float apart_s = def.duration_s / static_cast<float>(std::max(1u, shower.stars));
    while (shower.sent < shower.stars && shower.age_s + kHalfStep_s >= apart_s * static_cast<float>(shower.sent))
      send(shower, scope);
    if (shower.sent >= shower.stars || shower.age_s >= def.duration_s) shower.alive = false;
  }
}

void Starfalls::collide(SpellScope& scope) {
  for (Star& star : stars_) {
    if (!star.alive || !star.landing) continue;
    star.landing = false;
    const SpellDef& def = scope.def(star.spell);
    const float reach = kLandReach * std::sqrt(star.factor);
    for (const TargetView& target : scope.targets.views()) {
      if (length(target.x - star.x, target.y - star.y) > reach + target.radius) continue;
      scope.targets.hit(target.ref, blow_of(star.spell, def, star.previous_x, star.previous_y, def.power * star.factor),
                        scope.effects, scope.challenge);
    }
    const EmitPlace place =
        EmitPlace::at(star.x, star.y, atan2_turns(kDown, kAcross), kAcross * def.speed, kDown * def.speed);
    scope.effects.burst(star.spell, EmitterRole::Burst, place);
    scope.effects.burst(star.spell, EmitterRole::Embers, place);
    if (is_full(def, star.factor)) scope.effects.burst(star.spell, EmitterRole::Full, place);
    scope.decals.leave(frame::DecalKind::Scorch, star.spell, star.x, star.y, 0.62f * reach);
    scope.effects.flash(star.x, star.y, 120.0f, def, 0.6f * def.light, 0.3f);
    scope.effects.sound(def.sound_hit, 0.5f, star.x, star.y, 0.0f, 3.0f);
    scope.effects.shake(def.shake);
  }
}

void Starfalls::draw_ground(Canvas& canvas) const {
  for (const Shower& shower : showers_) {
    if (!shower.alive) continue;
    const SpellDef& def = canvas.def(shower.spell);
    canvas.light(shower.x, shower.y, charged_radius(def, shower.factor) * 1.3f, def,
                 0.3f * def.light * opening(shower.age_s, def.duration_s, 0.2f, 0.4f));
  }
  for (const Star& star : stars_) {
    if (!star.alive) continue;
    const SpellDef& def = canvas.def(star.spell);
    const float since_s = star.age_s - kCall_s - kFall_s;
    frame::SpriteInstance& mark = canvas.sprite(frame::SpriteKind::Mark, star.x, star.y, 36.0f, def);
    mark.p0 = 18.0f;
    mark.p1 = clamp01(star.age_s / (kCall_s + kFall_s));
    mark.p2 = 0.6f * smooth(clamp01(star.age_s / 0.15f)) * clamp01(1.0f - since_s / kAfterglow_s);
  }
}

void Starfalls::draw_air(Canvas& canvas) const {
  for (const Star& star : stars_) {
    if (!star.alive || star.age_s <= kCall_s || star.age_s + kHalfStep_s >= kCall_s + kFall_s) continue;
    const SpellDef& def = canvas.def(star.spell);
    const float t = clamp01((star.age_s - kCall_s) / kFall_s);
    frame::SpriteInstance& head = canvas.sprite(frame::SpriteKind::Star, star.head_x, star.head_y,
                                                30.0f * std::sqrt(star.factor) * smooth(clamp01(t * 5.0f)), def);
    head.previous_x = star.previous_x;
    head.previous_y = star.previous_y;
    head.angle_turns = atan2_turns(kDown, kAcross);
    head.p0 = star.twinkle + star.age_s * 1.7f;
    head.p0 -= static_cast<float>(static_cast<i32>(head.p0));
    canvas.light(star.head_x, star.head_y, star.previous_x, star.previous_y, 90.0f, def, 0.35f * def.light * t);
  }
}

void Starfalls::add_to(StateHash& hash) const {
  for (const Shower& s : showers_) {
    hash.add(static_cast<u8>(s.alive));
    if (s.alive)
      hash.add(s.spell, s.factor, s.x, s.y, s.age_s, s.stars, s.sent, s.serial, s.mark_carry, s.halo_carry);
  }
  for (const Star& s : stars_) {
    hash.add(static_cast<u8>(s.alive));
    if (s.alive) {
      hash.add(static_cast<u8>(s.landing), s.spell, s.factor, s.x, s.y, s.age_s);
      hash.add(s.head_x, s.head_y, s.carry);
    }
  }
}

}  // namespace spellpool::sim
