#include "sim/spells/spell_chain.hpp"

#include "sim/spells/decals.hpp"

namespace spellpool::sim {
namespace {

using frame::EmitterRole;
using frame::SpellDef;

constexpr float kArcDelay_s = 0.03f;  // looks: each arc lights up a little after the one before
constexpr float kBelow = 14.0f;       // from where an arc strikes to the floor

}  // namespace

void Chains::cast(const Cast& cast, SpellScope& scope) {
  Chain& chain = claim(chains_);
  chain.striking = true;
  chain.spell = cast.spell;
  chain.factor = charge_factor(scope.def(cast.spell), cast.charge);
  chain.arcs[0].from_x = cast.x;
  chain.arcs[0].from_y = cast.y;
  chain.aim_x = cast.aim_x;
  chain.aim_y = cast.aim_y;
  chain.serial = cast.serial;
}

void Chains::move(SpellScope& scope) {
  for (Chain& chain : chains_) {
    if (!chain.alive || chain.striking) continue;
    chain.age_s += kStep_s;
    if (chain.age_s > scope.def(chain.spell).duration_s + kArcDelay_s * static_cast<float>(chain.count))
      chain.alive = false;
  }
}

void Chains::collide(SpellScope& scope) {
  for (Chain& chain : chains_) {
    if (chain.alive && chain.striking) strike(chain, scope);
  }
}

void Chains::strike(Chain& chain, SpellScope& scope) {
  chain.striking = false;
  const SpellDef& def = scope.def(chain.spell);
  const float reach = charged_radius(def, chain.factor);
  const u32 most = 1 + charged_count(def, chain.factor, kMostArcs - 1);
  float x = chain.arcs[0].from_x, y = chain.arcs[0].from_y;
  std::array<TargetRef, kMostArcs> struck;
  u32 found = 0;

  auto arc_to = [&](float to_x, float to_y) {
    chain.arcs[chain.count++] = {x, y, to_x, to_y};
    const float direction = atan2_turns(to_y - y, to_x - x);
    float carry = 0.0f;
    scope.effects.run(chain.spell, EmitterRole::Arc, carry, {x, y, to_x, to_y, direction, 0.0f, 0.0f}, chain.factor);
    const EmitPlace end = EmitPlace::at(to_x, to_y, direction);
    scope.effects.burst(chain.spell, EmitterRole::Burst, end, chain.factor);
    scope.effects.burst(chain.spell, EmitterRole::Embers, end, chain.factor);
    if (is_full(def, chain.factor)) scope.effects.burst(chain.spell, EmitterRole::Full, end);
    scope.decals.leave(frame::DecalKind::Scorch, chain.spell, to_x, to_y + kBelow, 17.0f * std::sqrt(chain.factor));
    scope.effects.flash(to_x, to_y, 150.0f * std::sqrt(chain.factor), def, def.light, 0.3f);
    x = to_x;
    y = to_y;
  };

  while (found < most) {
    const TargetView* next = nullptr;
    float nearest = reach * reach;
    for (const TargetView& target : scope.targets.views()) {
      bool again = false;
      for (u32 i = 0; i < found; ++i) again = again || struck[i] == target.ref;
      if (again) continue;
      const float d2 = found == 0 ? segment_distance2(target.x, target.y, x, y, chain.aim_x, chain.aim_y)
                                  : (target.x - x) * (target.x - x) + (target.y - y) * (target.y - y);
      if (d2 >= nearest) continue;
      nearest = d2;
      next = &target;
    }
    if (!next) break;
    struck[found++] = next->ref;
    const Blow blow = blow_of(chain.spell, def, x, y, def.power * chain.factor);
    const bool hit = scope.targets.hit(next->ref, blow, scope.effects, scope.challenge);
    arc_to(next->x, next->y);
    if (hit && found == 1) scope.hit_stop.ask(2);
    if (hit) scope.effects.sound(def.sound_hit, 0.55f, x, y, static_cast<float>(found), 1.0f);
  }
  if (found == 0) {
    float dx = chain.aim_x - x, dy = chain.aim_y - y;
    keep_within(dx, dy, reach);
    arc_to(x + dx, y + dy);
  }
  scope.effects.shake(def.shake * chain.factor);
}

void Chains::draw_air(Canvas& canvas) const {
  for (const Chain& chain : chains_) {
    if (!chain.alive) continue;
    const SpellDef& def = canvas.def(chain.spell);
    for (u32 i = 0; i < chain.count; ++i) {
      const float age_s = chain.age_s - kArcDelay_s * static_cast<float>(i);
      if (age_s < 0.0f || age_s > def.duration_s) continue;
      const Arc& a = chain.arcs[i];
      frame::SpriteInstance& arc =
          canvas.sprite(frame::SpriteKind::Arc, a.from_x, a.from_y, 5.0f + 2.5f * chain.factor, def);
      arc.p0 = a.to_x;
      arc.p1 = a.to_y;
      arc.p2 = age_s / std::max(kStep_s, def.duration_s);
      arc.angle_turns = static_cast<float>((chain.serial * 7 + i) % 61) / 61.0f;
      const float left = 1.0f - arc.p2;
      canvas.light(0.5f * (a.from_x + a.to_x), 0.5f * (a.from_y + a.to_y), 150.0f, def,
                   0.6f * def.light * left * left * canvas.flash());
    }
  }
}

void Chains::add_to(StateHash& hash) const {
  for (const Chain& c : chains_) {
    hash.add(static_cast<u8>(c.alive));
    if (!c.alive) continue;
    hash.add(static_cast<u8>(c.striking), c.spell, c.factor, c.age_s, c.count, c.serial);
    hash.add(c.aim_x, c.aim_y, c.arcs[0].from_x, c.arcs[0].from_y);
  }
}

}  // namespace spellpool::sim
