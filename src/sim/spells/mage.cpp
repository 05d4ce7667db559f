#include "sim/spells/mage.hpp"

namespace spellpool::sim {
namespace {

using frame::EmitterRole;
using frame::SpellDef;

float fade(float value, float per_s) { return std::max(0.0f, value - per_s * kStep_s); }

}  // namespace

void Mage::staff_tip(float& x, float& y) const {
  // Where shaders/mage.frag draws it.
  x = x_ + cos_turns(facing_turns_) * 0.357f * kHeight;
  y = y_ + (sin_turns(facing_turns_) * 0.214f - 0.464f) * kHeight;
}

EmitPlace Mage::at_staff() const {
  float x, y;
  staff_tip(x, y);
  return EmitPlace::at(x, y, facing_turns_, vx_, vy_);
}

float Mage::cooldown(u8 spell, const SpellSet& spells) const {
  if (spell >= frame::kSpellCount) return 0.0f;
  const float whole_s = spells[spell]->cooldown_s;
  return whole_s > 0.0f ? clamp01(cooldown_left_s_[spell] / whole_s) : 0.0f;
}

void Mage::walk(const frame::InputFrame& input) {
  previous_x_ = x_;
  previous_y_ = y_;
  aim_x_ = static_cast<float>(input.aim_x16) / frame::kAimScale;
  aim_y_ = static_cast<float>(input.aim_y16) / frame::kAimScale;
  float move_x = static_cast<float>(input.move_x) / 127.0f;
  float move_y = static_cast<float>(input.move_y) / 127.0f;
  keep_within(move_x, move_y, 1.0f);
  // He gets going in a tenth of a second and stops a little sooner.
  const float share = move_x * move_x + move_y * move_y > 0.01f ? 0.30f : 0.40f;
  vx_ += (move_x * kSpeed - vx_) * share;
  vy_ += (move_y * kSpeed - vy_) * share;
  if (length(vx_, vy_) < 0.5f) vx_ = vy_ = 0.0f;
  x_ += vx_ * kStep_s;
  y_ += vy_ * kStep_s;
  keep_within(x_, y_, kReach);
  walk_turns_ += 1.9f * kStep_s * length(vx_, vy_) / kSpeed;
  if (walk_turns_ >= 1.0f) walk_turns_ -= 1.0f;
  facing_turns_ = atan2_turns(aim_y_ - y_, aim_x_ - x_);
}

bool Mage::step(const frame::InputFrame& input, const SpellSet& spells, Effects& effects, Cast& cast) {
  walk(input);
  const u8 pressed = static_cast<u8>(input.buttons & ~last_buttons_);
  const bool held = (input.buttons & frame::kButtonCast) != 0;
  last_buttons_ = input.buttons;
  if (input.select_spell < frame::kSpellCount && input.select_spell != spell_) {
    spell_ = input.select_spell;
    effects.sound(frame::SoundId::SpellSelect, 0.4f, x_, y_);
  }
  for (float& left_s : cooldown_left_s_) left_s = fade(left_s, 1.0f);
  flare_ = fade(flare_, 2.2f);
  ready_ = fade(ready_, 3.0f);

  if (act_ == Act::Idle) {
    if ((pressed & frame::kButtonCast) != 0) remember_s_ = kRemember_s;
    const float windup_s = spells[spell_]->windup_s;
    const bool cool = cooldown_left_s_[spell_] <= std::max(0.0f, windup_s - kStep_s) + kHalfStep_s;
    if (cool && remember_s_ > 0.0f) {
      begin(false, spells, effects);
    } else if (cool && (input.buttons & frame::kButtonRapid) != 0) {
      begin(true, spells, effects);
    } else if (!held) {
      remember_s_ = fade(remember_s_, 1.0f);
    }
  }

  bool released = false;
  const SpellDef& def = *spells[casting_];
  if (act_ == Act::WindingUp) {
    effects.run(casting_, EmitterRole::Gather, gather_carry_, at_staff());
    windup_left_s_ -= kStep_s;
    windup_ = 1.0f - clamp01(windup_left_s_ / std::max(kStep_s, def.windup_s));
    if (windup_left_s_ < kHalfStep_s) {
      if (held && !rapid_) {
        act_ = Act::Charging;
      } else {
        released = true;
      }
    }
  } else if (act_ == Act::Charging) {
    if (held) {
      charge_ = def.charge_s > kStep_s ? std::min(1.0f, charge_ + kStep_s / def.charge_s) : 1.0f;
      if (charge_ > 0.9999f && !full_) {
        full_ = true;
        charge_ = 1.0f;
        ready_ = 1.0f;
        effects.burst(casting_, EmitterRole::Ready, at_staff());
        effects.sound(frame::SoundId::ChargeFull, 0.6f, x_, y_);
      }
      effects.run(casting_, EmitterRole::Charge, charge_carry_, at_staff(), charge_);
    } else {
      released = true;
    }
  }
  if (released) release(spells, effects, cast);

  if (follow_left_s_ > 0.0f) {
    const float whole_s = std::max(kStep_s, spells[following_]->follow_s);
    effects.run(following_, EmitterRole::Follow, follow_carry_, at_staff(),
                follow_factor_ * clamp01(follow_left_s_ / whole_s));
    follow_left_s_ = fade(follow_left_s_, 1.0f);
  }
  return released;
}

void Mage::begin(bool rapid, const SpellSet& spells, Effects& effects) {
  act_ = Act::WindingUp;
  rapid_ = rapid;
  full_ = false;
  remember_s_ = 0.0f;
  casting_ = spell_;
  windup_left_s_ = spells[casting_]->windup_s;
  gather_carry_ = charge_carry_ = kStarting;
  effects.burst(casting_, EmitterRole::Gather, at_staff());
}

void Mage::release(const SpellSet& spells, Effects& effects, Cast& cast) {
  const SpellDef& def = *spells[casting_];
  cast.spell = casting_;
  cast.charge = charge_;
  staff_tip(cast.x, cast.y);
  cast.feet_x = x_;
  cast.feet_y = y_;
  cast.aim_x = aim_x_;
  cast.aim_y = aim_y_;
  cast.direction_turns = atan2_turns(aim_y_ - cast.y, aim_x_ - cast.x);
  cast.serial = ++casts_;
  ++counts_[casting_].casts;
  counts_[casting_].charged += charge_ >= 1.0f;

  const float factor = charge_factor(def, charge_);
  cooldown_left_s_[casting_] = def.cooldown_s;
  following_ = casting_;
  follow_left_s_ = def.follow_s;
  follow_factor_ = factor;
  follow_carry_ = kStarting;
  flare_ = 1.0f;
  effects.burst(casting_, EmitterRole::Cast, EmitPlace::at(cast.x, cast.y, cast.direction_turns, vx_, vy_), factor);
  effects.flash(cast.x, cast.y, 130.0f + 60.0f * charge_, def, (0.5f + 0.3f * charge_) * def.light, 0.25f);
  effects.sound(def.sound_cast, 0.75f + 0.25f * charge_, cast.x, cast.y, -2.0f * charge_, 0.5f);  // full ones are lower
  act_ = Act::Idle;
  charge_ = windup_ = 0.0f;
  full_ = false;
}

void Mage::draw(Canvas& canvas) const {
  const SpellDef& hue = canvas.def(act_ == Act::Idle ? spell_ : casting_);
  frame::SpriteInstance& figure = canvas.sprite(frame::SpriteKind::Mage, x_, y_, kHeight, hue);
  figure.previous_x = previous_x_;
  figure.previous_y = previous_y_;
  figure.angle_turns = facing_turns_;
  figure.p0 = std::max({0.6f * smooth(windup_), smooth(flare_), act_ == Act::Charging ? 0.6f + 0.4f * charge_ : 0.0f});
  figure.p1 = walk_turns_;
  figure.p2 = ready_ * canvas.flash();
  const float glow = 0.22f + 0.5f * figure.p0 + 0.5f * figure.p2;
  float x, y;
  staff_tip(x, y);
  canvas.light(x, y, x - (x_ - previous_x_), y - (y_ - previous_y_), 120.0f + 60.0f * figure.p0 + 50.0f * charge_, hue,
               glow);
}

void Mage::draw_reticle(Canvas& canvas, const SpellSet& spells) const {
  frame::SpriteInstance& reticle = canvas.sprite(frame::SpriteKind::Reticle, aim_x_, aim_y_, 30.0f,
                                                 canvas.def(act_ == Act::Idle ? spell_ : casting_));
  reticle.p0 = cooldown(spell_, spells);
  reticle.p1 = charge_;
  reticle.p2 = full_ ? 1.0f : 0.0f;
}

void Mage::add_to(StateHash& hash) const {
  hash.add(x_, y_, vx_, vy_, aim_x_, aim_y_, facing_turns_);
  hash.add(spell_, casting_, following_, last_buttons_, static_cast<u8>(act_));
  hash.add(static_cast<u8>(rapid_), static_cast<u8>(full_), windup_left_s_, remember_s_, charge_);
  hash.add(follow_left_s_, follow_factor_, gather_carry_, charge_carry_, follow_carry_, casts_);
  for (std::size_t i = 0; i < cooldown_left_s_.size(); ++i) {
    if (i < frame::kFirstSpellCount || cooldown_left_s_[i] > 0.0f) hash.add(cooldown_left_s_[i]);
  }
}

}  // namespace spellpool::sim
