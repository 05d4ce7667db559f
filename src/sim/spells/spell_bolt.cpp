#include "sim/spells/spell_bolt.hpp"

#include "sim/spells/decals.hpp"

namespace spellpool::sim {
namespace {

constexpr float kBlast_s = 0.34f;    // a blast's ring on the ground
constexpr float kBlastReach = 4.2f;  // in radii of the hit
constexpr float kScorchReach = 2.3f;
constexpr float kFlies = 20.0f;      // above the floor

}  // namespace

using frame::EmitterRole;
using frame::SpellDef;

void Bolts::cast(const Cast& cast, SpellScope& scope) {
  const SpellDef& def = scope.def(cast.spell);
  Bolt& bolt = claim(bolts_);
  bolt.spell = cast.spell;
  bolt.factor = charge_factor(def, cast.charge);
  bolt.x = bolt.previous_x = cast.x;
  bolt.y = bolt.previous_y = cast.y;
  bolt.vx = cos_turns(cast.direction_turns) * def.speed;
  bolt.vy = sin_turns(cast.direction_turns) * def.speed;
}

void Bolts::move(SpellScope& scope) {
  for (Blast& blast : blasts_) blast.age_s += kStep_s;
  for (Bolt& bolt : bolts_) {
    if (!bolt.alive) continue;
    const SpellDef& def = scope.def(bolt.spell);
    bolt.previous_x = bolt.x;
    bolt.previous_y = bolt.y;
    bolt.x += bolt.vx * kStep_s;
    bolt.y += bolt.vy * kStep_s;
    bolt.age_s += kStep_s;
    const EmitPlace behind{bolt.previous_x, bolt.previous_y, bolt.x, bolt.y, atan2_turns(bolt.vy, bolt.vx) + 0.5f,
                           bolt.vx,         bolt.vy};
    scope.effects.run(bolt.spell, EmitterRole::Trail, bolt.carry, behind, bolt.factor);
    scope.effects.run(bolt.spell, EmitterRole::Smoke, bolt.smoke_carry, behind, bolt.factor);
    if (bolt.age_s >= def.duration_s || length(bolt.x, bolt.y) > kArenaRadius * 1.35f) burst(bolt, scope);
  }
}

void Bolts::collide(SpellScope& scope) {
  for (Bolt& bolt : bolts_) {
    if (!bolt.alive) continue;
    const SpellDef& def = scope.def(bolt.spell);
    for (const TargetView& target : scope.targets.views()) {
      const float reach = charged_radius(def, bolt.factor) + target.radius;
      if (segment_distance2(target.x, target.y, bolt.previous_x, bolt.previous_y, bolt.x, bolt.y) > reach * reach)
        continue;
      const Blow blow = blow_of(bolt.spell, def, bolt.previous_x, bolt.previous_y, def.power * bolt.factor);
      if (!scope.targets.hit(target.ref, blow, scope.effects, scope.challenge)) continue;
      scope.hit_stop.ask(is_full(def, bolt.factor) ? 3 : 2);
      burst(bolt, scope);
      break;
    }
  }
}

void Bolts::burst(Bolt& bolt, SpellScope& scope) {
  const SpellDef& def = scope.def(bolt.spell);
  bolt.alive = false;
  const EmitPlace place = EmitPlace::at(bolt.x, bolt.y, atan2_turns(bolt.vy, bolt.vx), bolt.vx, bolt.vy);
  for (const EmitterRole role :
       {EmitterRole::Core, EmitterRole::Burst, EmitterRole::Embers, EmitterRole::Smoke}) {
    scope.effects.burst(bolt.spell, role, place, bolt.factor);
  }
  if (is_full(def, bolt.factor)) scope.effects.burst(bolt.spell, EmitterRole::Full, place);
  const float size = std::sqrt(bolt.factor);
  blasts_[next_blast_++ % blasts_.size()] = {bolt.spell, bolt.x, bolt.y,
                                             kBlastReach * charged_radius(def, bolt.factor), 0.0f};
  scope.decals.leave(frame::DecalKind::Scorch, bolt.spell, bolt.x, bolt.y + kFlies,
                     kScorchReach * charged_radius(def, bolt.factor));
  scope.effects.flash(bolt.x, bolt.y, 240.0f * size, def, def.light * size, 0.45f);
  scope.effects.sound(def.sound_hit, 0.9f, bolt.x, bolt.y, 1.0f - bolt.factor, 1.0f);
  scope.effects.shake(def.shake * bolt.factor);
}

void Bolts::draw_ground(Canvas& canvas) const {
  for (const Blast& blast : blasts_) {
    if (blast.age_s >= kBlast_s) continue;
    frame::SpriteInstance& ring = canvas.sprite(frame::SpriteKind::ShockRing, blast.x, blast.y,
                                                2.0f * blast.reach, canvas.def(blast.spell));
    ring.p0 = blast.reach * (0.15f + 0.85f * ring_front(blast.age_s, kBlast_s));
    ring.p1 = 1.0f - blast.age_s / kBlast_s;
  }
}

void Bolts::draw_air(Canvas& canvas) const {
  for (const Bolt& bolt : bolts_) {
    if (!bolt.alive) continue;
    const SpellDef& def = canvas.def(bolt.spell);
    const float grown = 0.4f + 0.6f * smooth(clamp01(bolt.age_s / 0.1f));
    frame::SpriteInstance& head =
        canvas.sprite(frame::SpriteKind::Bolt, bolt.x, bolt.y, charged_radius(def, bolt.factor) * 2.6f * grown, def);
    head.previous_x = bolt.previous_x;
    head.previous_y = bolt.previous_y;
    head.angle_turns = atan2_turns(bolt.vy, bolt.vx);
    head.p0 = bolt.age_s;
    canvas.light(bolt.x, bolt.y + 24.0f, bolt.previous_x, bolt.previous_y + 24.0f, 170.0f * std::sqrt(bolt.factor), def,
                 def.light * 0.7f);
  }
}

void Bolts::add_to(StateHash& hash) const {
  for (const Bolt& b : bolts_) {
    hash.add(static_cast<u8>(b.alive));
    if (b.alive) {
      hash.add(b.spell, b.factor, b.x, b.y, b.vx, b.vy, b.age_s, b.carry, b.smoke_carry);
    }
  }
}

}  // namespace spellpool::sim
