#include "sim/spells/spell_motes.hpp"

#include "sim/core/kept_handle.hpp"
#include "sim/spells/spell_seekers.hpp"

namespace spellpool::sim {

using frame::EmitterRole;
using frame::SpellDef;

void MoteCircles::cast(const Cast& cast, SpellScope& scope) {
  const SpellDef& def = scope.def(cast.spell);
  Circle& circle = claim(circles_);
  circle.spell = cast.spell;
  circle.factor = charge_factor(def, cast.charge);
  circle.x = circle.previous_x = cast.feet_x;
  circle.y = circle.previous_y = cast.feet_y;
  circle.sparks = charged_count(def, circle.factor, 4096);
  circle.serial = cast.serial;
  scope.effects.burst(cast.spell, EmitterRole::Burst, EmitPlace::at(circle.x, circle.y), circle.factor);
  if (is_full(def, circle.factor))
    scope.effects.burst(cast.spell, EmitterRole::Full, EmitPlace::at(circle.x, circle.y));
}

void MoteCircles::move(SpellScope& scope) {
  for (Circle& circle : circles_) {
    if (!circle.alive) continue;
    const SpellDef& def = scope.def(circle.spell);
    circle.age_s += kStep_s;
    circle.pulse = std::max(0.0f, circle.pulse - 2.0f * kStep_s);
    circle.previous_x = circle.x;
    circle.previous_y = circle.y;
    circle.x += (scope.mage_x - circle.x) * 0.25f;
    circle.y += (scope.mage_y - circle.y) * 0.25f;
    const float vx = (circle.x - circle.previous_x) / kStep_s, vy = (circle.y - circle.previous_y) / kStep_s;
    const EmitPlace place{circle.previous_x, circle.previous_y, circle.x, circle.y, 0.0f, vx, vy};
    scope.effects.run(circle.spell, EmitterRole::Motes, circle.carry, place, circle.factor * circle.open(def));
    if (is_full(def, circle.factor))
      scope.effects.run(circle.spell, EmitterRole::Halo, circle.halo_carry, place, circle.open(def));

    // The sparks leave evenly over three quarters of its life, the first one soon.
    const float first_s = std::min(0.15f, 0.2f * def.duration_s);
    const float apart_s = 0.75f * def.duration_s / static_cast<float>(std::max(1u, circle.sparks));
    while (circle.sent < circle.sparks &&
           circle.age_s + kHalfStep_s >= first_s + apart_s * static_cast<float>(circle.sent)) {
      send(circle, scope);
    }
    if (circle.age_s >= def.duration_s) circle.alive = false;
  }
}

void MoteCircles::send(Circle& circle, SpellScope& scope) {
  const SpellDef& def = scope.def(circle.spell);
  Rng rng(mix64(scope.seed ^ mix64(circle.serial * 0x6d6f7465ull + circle.sent)));
  // Each leaves at the golden angle from the one before, and chooses a wisp of its own.
  const float direction = 0.381966f * static_cast<float>(circle.sent % 1024) + 0.1f * rng.signed_unit();
  u32 wisps = 0;
  for (const TargetView& view : scope.targets.views()) wisps += view.ref.standing == TargetRef::kWisp ? 1u : 0u;
  Seeker spark;
  if (wisps > 0) {
    u32 chosen = rng.below(wisps);
    for (const TargetView& view : scope.targets.views()) {
      if (view.ref.standing != TargetRef::kWisp) continue;
      if (chosen-- == 0) {
        spark.target = kept(view.ref.wisp);
        spark.target_id = scope.targets.wisp(spark.target)->spawn_id;
        break;
      }
    }
  }
  spark.spell = circle.spell;
  spark.speed = def.speed;
  spark.power = def.power * circle.factor;
  spark.factor = circle.factor;
  spark.vx = cos_turns(direction) * def.speed * 0.45f;
  spark.vy = sin_turns(direction) * def.speed * 0.45f;
  spark.x = spark.previous_x = circle.x + cos_turns(direction) * 24.0f;
  spark.y = spark.previous_y = circle.y - 18.0f + sin_turns(direction) * 16.0f;
  scope.seekers.ask(spark);
  ++circle.sent;
}

void MoteCircles::collide(SpellScope& scope) {
  for (Circle& circle : circles_) {
    if (!circle.alive || circle.age_s + kHalfStep_s < circle.next_pulse_s) continue;
    circle.next_pulse_s += kPulse_s;
    circle.pulse = 1.0f;
    const SpellDef& def = scope.def(circle.spell);
    const float reach = charged_radius(def, circle.factor);
    if (scope.targets.heal(circle.x, circle.y, reach, scope.effects) > 0) {
      scope.effects.sound(frame::SoundId::MotesHeal, 0.8f, circle.x, circle.y, 0.0f, 0.5f);
      scope.effects.flash(circle.x, circle.y, reach * 1.6f, def, 0.5f * def.light, 0.5f);
    }
  }
}

void MoteCircles::draw_ground(Canvas& canvas) const {
  for (const Circle& circle : circles_) {
    if (!circle.alive) continue;
    const SpellDef& def = canvas.def(circle.spell);
    const float open = circle.open(def);
    const float reach = charged_radius(def, circle.factor) * (0.8f + 0.2f * open);
    frame::SpriteInstance& aura = canvas.sprite(frame::SpriteKind::Aura, circle.x, circle.y, reach * 2.0f, def);
    aura.previous_x = circle.previous_x;
    aura.previous_y = circle.previous_y;
    aura.p0 = reach;
    aura.p1 = open * (0.75f + 0.25f * circle.pulse * canvas.flash());
    aura.p2 = circle.age_s * 0.05f;
    canvas.light(circle.x, circle.y, circle.previous_x, circle.previous_y, reach * 1.5f, def,
                 def.light * open * (0.4f + 0.2f * circle.pulse * canvas.flash()));
  }
}

void MoteCircles::add_to(StateHash& hash) const {
  for (const Circle& c : circles_) {
    hash.add(static_cast<u8>(c.alive));
    if (!c.alive) continue;
    hash.add(c.spell, c.factor, c.x, c.y, c.age_s, c.next_pulse_s, c.sparks, c.sent, c.serial, c.carry,
             c.halo_carry);
  }
}

}  // namespace spellpool::sim
