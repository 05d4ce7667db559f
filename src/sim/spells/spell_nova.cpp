#include "sim/spells/spell_nova.hpp"

namespace spellpool::sim {

using frame::EmitterRole;
using frame::SpellDef;

namespace {
constexpr float kLinger = 1.6f;  // in durations: the ring stays and fades after it has run out
}

float Novas::front(const Nova& nova, const SpellDef& def) {
  return charged_radius(def, nova.factor) * ring_front(nova.age_s, def.duration_s);
}

void Novas::cast(const Cast& cast, SpellScope& scope) {
  const SpellDef& def = scope.def(cast.spell);
  Nova& nova = claim(novas_);
  nova.spell = cast.spell;
  nova.factor = charge_factor(def, cast.charge);
  nova.x = cast.feet_x;
  nova.y = cast.feet_y;
  for (const EmitterRole role : {EmitterRole::Burst, EmitterRole::Mist, EmitterRole::Shards}) {
    scope.effects.burst(cast.spell, role, EmitPlace::at(nova.x, nova.y),
                        nova.factor);  // six-fold like the ring, corner on corner
  }
  if (is_full(def, nova.factor))
    scope.effects.burst(cast.spell, EmitterRole::Full, EmitPlace::at(nova.x, nova.y));
  scope.effects.shake(def.shake * nova.factor);
  scope.effects.flash(nova.x, nova.y, charged_radius(def, nova.factor) * 1.5f, def, def.light, def.duration_s * 1.4f);
}

void Novas::move(SpellScope& scope) {
  for (Nova& nova : novas_) {
    if (!nova.alive) continue;
    nova.age_s += kStep_s;
    if (nova.age_s > scope.def(nova.spell).duration_s * kLinger) nova.alive = false;
  }
}

void Novas::collide(SpellScope& scope) {
  for (Nova& nova : novas_) {
    if (!nova.alive) continue;
    const SpellDef& def = scope.def(nova.spell);
    const float now = front(nova, def);
    for (const TargetView& target : scope.targets.views()) {
      const float d = length(target.x - nova.x, target.y - nova.y);
      if (d > now || d <= nova.passed) continue;
      Blow blow = blow_of(nova.spell, def, nova.x, nova.y, def.power * nova.factor);
      blow.freezes = true;
      if (scope.targets.hit(target.ref, blow, scope.effects, scope.challenge)) {
        scope.effects.sound(def.sound_hit, 0.5f, target.x, target.y, 0.0f, 2.0f);
      }
    }
    nova.passed = std::max(nova.passed, now);
  }
}

void Novas::draw_ground(Canvas& canvas) const {
  for (const Nova& nova : novas_) {
    if (!nova.alive) continue;
    const SpellDef& def = canvas.def(nova.spell);
    frame::SpriteInstance& ring =
        canvas.sprite(frame::SpriteKind::NovaRing, nova.x, nova.y, charged_radius(def, nova.factor) * 2.0f, def);
    ring.p0 = front(nova, def);
    ring.p1 = clamp01(1.0f - nova.age_s / std::max(kStep_s, def.duration_s * kLinger));
  }
}

void Novas::add_to(StateHash& hash) const {
  for (const Nova& n : novas_) {
    hash.add(static_cast<u8>(n.alive));
    if (n.alive) hash.add(n.spell, n.factor, n.x, n.y, n.age_s, n.passed);
  }
}

}  // namespace spellpool::sim
