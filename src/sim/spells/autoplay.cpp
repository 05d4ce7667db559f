#include "sim/spells/autoplay.hpp"

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"

namespace spellpool::sim {
namespace {

using frame::SpellBehaviour;
using frame::SpellDef;

/// How much each behaviour gains by waiting: the bolt fills the gaps.
float appetite(SpellBehaviour behaviour) {
  switch (behaviour) {
    case SpellBehaviour::Bolt: return 0.3f;
    case SpellBehaviour::Nova: return 0.9f;
    case SpellBehaviour::Vortex: return 0.8f;
    case SpellBehaviour::Fog: return 0.75f;
    case SpellBehaviour::Motes: return 0.7f;
    case SpellBehaviour::Chain:
    case SpellBehaviour::Meteor:
    case SpellBehaviour::Starfall: return 1.0f;
  }
  return 1.0f;
}

u32 within(const World& world, float x, float y, float radius) {
  u32 count = 0;
  for (const TargetView& view : world.targets().views()) count += length(view.x - x, view.y - y) < radius;
  return count;
}

/// Broad things that would stand before the finale, or eat its sparks.
bool veils(SpellBehaviour behaviour) {
  return behaviour == SpellBehaviour::Fog || behaviour == SpellBehaviour::Meteor || behaviour == SpellBehaviour::Vortex;
}


float nearer(float value, float goal, float share, float most) {
  return value + std::clamp((goal - value) * share, -most, most);
}

}  // namespace

Autoplayer::Autoplayer(u64 seed) : rng_(mix64(seed ^ 0x6175746full)) {
  for (float& waited : waited_s_) waited = 12.0f * rng_.unit();
}

frame::InputFrame Autoplayer::next(const World& world) {
  const FloatControlScope float_control;
  frame::InputFrame input;
  if (challenge_due(world)) input.buttons |= frame::kButtonChallenge;
  for (float& waited : waited_s_) waited += kStep_s;

  ++act_steps_;
  if (act_ == Act::Rest && act_steps_ >= rest_steps_) plan(world);
  follow_target(world);
  aim_x_ = nearer(aim_x_, goal_x_, 0.2f, 30.0f);
  aim_y_ = nearer(aim_y_, goal_y_, 0.2f, 30.0f);
  auto begin = [&](Act act) {
    act_ = act;
    act_steps_ = 0;
  };
  auto rest = [&](u32 steps) {
    begin(Act::Rest);
    rest_steps_ = steps;
    waited_s_[spell_] = 0.0f;
  };
  switch (act_) {
    case Act::Rest: break;
    case Act::Aim: {
      const bool on_it = length(goal_x_ - aim_x_, goal_y_ - aim_y_) < 16.0f;
      const bool nova = chosen(world).behaviour == SpellBehaviour::Nova;
      const bool ready = nova ? within(world, world.mage_x(), world.mage_y(), chosen(world).radius * 0.9f) >= 3 : on_it;
      if (!ready && act_steps_ < (nova ? 70u : 24u)) break;
      begin(volley_steps_ > 0 ? Act::Volley : Act::Hold);
      break;
    }
    case Act::Hold: {
      const bool tapped = charge_ <= 0.0f && act_steps_ >= 3;
      const bool charged = charge_ > 0.0f && world.charge() >= charge_;
      if (!tapped && !charged && act_steps_ < 240) {
        input.buttons |= frame::kButtonCast;
        break;
      }
      const float windup_s = charge_ > 0.0f ? 0.0f : chosen(world).windup_s;
      rest(static_cast<u32>(windup_s / kStep_s) + 5 + rng_.below(9));
      break;
    }
    case Act::Volley:
      if (act_steps_ % 20 == 19) aim_at_one(world);
      if (act_steps_ < volley_steps_) {
        input.buttons |= frame::kButtonRapid;
      } else {
        rest(6);
      }
      break;
  }
  input.select_spell = spell_;
  input.aim_x16 = static_cast<i16>(aim_x_ * frame::kAimScale);
  input.aim_y16 = static_cast<i16>(aim_y_ * frame::kAimScale);
  walk(world, input);
  return input;
}

bool Autoplayer::challenge_due(const World& world) {
  if (world.challenge().view().phase != frame::ChallengeView::Phase::Free) {
    played_ = true;
    free_steps_ = 0;
    return false;
  }
  return free_steps_++ == (played_ ? kNextChallenge_steps : kFirstChallenge_steps);
}

// ---------------------------------------------------------------------------------------------------- what to cast, and where

void Autoplayer::plan(const World& world) {
  float best = -1.0f;
  u8 bolt = spell_;
  for (u8 i = 0; i < frame::kSpellCount; ++i) {
    const SpellDef& def = *world.spells()[i];
    if (def.behaviour == SpellBehaviour::Bolt) bolt = i;
    if (world.cooldown(i) > 0.0f) continue;
    if (veils(def.behaviour) && world.challenge().runes() + 1 >= Challenge::kRunes) continue;
    const float wanted = waited_s_[i] * appetite(def.behaviour) * rng_.range(0.8f, 1.2f);
    if (wanted <= best) continue;
    best = wanted;
    spell_ = i;
  }
  if (best < 0.0f) spell_ = bolt;
  const SpellDef& def = chosen(world);
  const float mood = rng_.unit();
  charge_ = mood < 0.45f ? 0.0f : (mood < 0.65f ? 0.5f : 1.0f);
  volley_steps_ = def.behaviour == SpellBehaviour::Bolt && rng_.unit() < 0.7f ? 45 + rng_.below(40) : 0;
  act_ = Act::Aim;
  act_steps_ = 0;
  switch (def.behaviour) {
    case SpellBehaviour::Bolt:
    case SpellBehaviour::Chain:
    case SpellBehaviour::Motes: aim_at_one(world); break;
    case SpellBehaviour::Nova:
      aim_at_one(world);
      choose_walk(world);
      break;
    case SpellBehaviour::Vortex:
    case SpellBehaviour::Meteor:
    case SpellBehaviour::Fog:
    case SpellBehaviour::Starfall: aim_at_group(world, def.radius * 0.8f); break;
  }
}

void Autoplayer::aim_at_one(const World& world) {
  const TargetView* best = nullptr;
  float best_worth = 0.0f;
  for (const TargetView& view : world.targets().views()) {
    const bool wisp = view.ref.standing == TargetRef::kWisp;
    const bool crystal = !wisp && world.targets().standing()[view.ref.standing].kind == Standing::Kind::Crystal;
    const float far = length(view.x - world.mage_x(), view.y - world.mage_y());
    float worth = (wisp ? 2.2f : (crystal ? 1.5f : 1.0f)) * rng_.range(0.4f, 1.0f) * (1.0f - far / 1200.0f);
    if (has_target_ && view.ref == target_) worth *= 0.3f;
    if (worth <= best_worth) continue;
    best_worth = worth;
    best = &view;
  }
  has_target_ = best != nullptr;
  if (best) target_ = best->ref;
}

void Autoplayer::aim_at_group(const World& world, float radius) {
  const TargetView* best = nullptr;
  float best_worth = 0.0f;
  for (const TargetView& view : world.targets().views()) {
    const float worth = static_cast<float>(within(world, view.x, view.y, radius)) + rng_.range(0.0f, 1.5f);
    if (worth <= best_worth) continue;
    best_worth = worth;
    best = &view;
  }
  has_target_ = best != nullptr;
  if (best) target_ = best->ref;
}

/// Keeps the goal of the hand on the target, ahead of one that drifts.
void Autoplayer::follow_target(const World& world) {
  float x, y;
  if (!has_target_ || !world.targets().place_of(target_, x, y)) {
    if (has_target_ && act_ != Act::Rest) aim_at_one(world);
    if (!has_target_ || !world.targets().place_of(target_, x, y)) return;
  }
  goal_x_ = x;
  goal_y_ = y;
  if (target_.standing != TargetRef::kWisp) return;
  const auto wisp = world.targets().wisp(target_.wisp);
  if (!wisp) return;
  const SpellDef& def = chosen(world);
  const float flight_s = def.behaviour == SpellBehaviour::Bolt
                             ? length(x - world.mage_x(), y - world.mage_y()) / std::max(def.speed, 60.0f)
                             : 0.3f;
  goal_x_ += wisp->vx * std::min(flight_s, 0.8f);
  goal_y_ += wisp->vy * std::min(flight_s, 0.8f);
}

// ---------------------------------------------------------------------------------------------------- feet

void Autoplayer::choose_walk(const World& world) {
  walk_steps_ = 100 + rng_.below(80);
  const bool nova = chosen(world).behaviour == SpellBehaviour::Nova;
  float best = -1.0f;
  for (u32 i = 0; i < 6; ++i) {
    const float turn = rng_.unit();
    const float radius = rng_.range(20.0f, 150.0f);
    const float x = cos_turns(turn) * radius, y = 15.0f + sin_turns(turn) * radius;
    float worth = rng_.unit();
    if (nova) worth += static_cast<float>(within(world, x, y, chosen(world).radius * 0.85f));
    for (const Standing& s : world.targets().standing()) {
      if (length(s.x - x, s.y - y) < 55.0f) worth -= 3.0f;  // not into the straw
    }
    if (i > 0 && worth <= best) continue;
    best = worth;
    walk_x_ = x;
    walk_y_ = y;
  }
}

void Autoplayer::walk(const World& world, frame::InputFrame& input) {
  if (walk_steps_ == 0) {
    choose_walk(world);
  } else {
    --walk_steps_;
  }
  if (world.challenge().in_finale()) {
    walk_x_ = 0.0f;
    walk_y_ = 16.0f;
  }
  const float dx = walk_x_ - world.mage_x(), dy = walk_y_ - world.mage_y();
  const float d = length(dx, dy);
  const float pace = d > 4.0f ? std::min(1.0f, d / 40.0f) * (act_ == Act::Hold ? 0.55f : 0.9f) : 0.0f;
  move_x_ += (dx / (d + 0.01f) * pace - move_x_) * 0.14f;
  move_y_ += (dy / (d + 0.01f) * pace - move_y_) * 0.14f;
  input.move_x = static_cast<i8>(move_x_ * 127.0f);
  input.move_y = static_cast<i8>(move_y_ * 127.0f);
}

}  // namespace spellpool::sim
