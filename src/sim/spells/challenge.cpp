#include "sim/spells/challenge.hpp"

#include <algorithm>
#include <bit>

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"

namespace spellpool::sim {
namespace {

using frame::SoundId;
using Phase = frame::ChallengeView::Phase;

constexpr u32 in_steps(float seconds) { return static_cast<u32>(seconds * static_cast<float>(kStepsPerSecond) + 0.5f); }
constexpr u32 kFinaleSteps = in_steps(Challenge::kFinale_s);
constexpr u32 kWindowSteps = in_steps(Challenge::kWindow_s);
constexpr float kRuneRadius = 300.0f;

// The finale, in seconds of its own.
constexpr float kSwell_s = 1.1f;                           // until all burns
constexpr float kQuiet_s = Challenge::kFinale_s - 1.3f;    // nothing new is born from here on: the last sparks settle
constexpr float kEbb_s = 1.0f;                             // before that it ebbs
constexpr u32 kBurstEvery_steps = 30;
constexpr u32 kWhirl_steps = 84;                           // a stream's way from its rune to the heart
constexpr float kHeart = 74.0f;                            // the dark middle, with the mage in it
constexpr float kWhirlTurns = 0.4f;

float seconds(u32 steps) { return static_cast<float>(steps) / static_cast<float>(kStepsPerSecond); }

struct Point {
  float x, y;
};
/// A stream's head at `way`, 0 … 1, of its path from rune `rune` to the heart: quicker the farther in. `wheel` turns
/// all paths but leaves their roots on the runes.
Point whirl(u32 rune, float way, float wheel) {
  const float turn =
      static_cast<float>(rune) / static_cast<float>(Challenge::kRunes) + (kWhirlTurns + wheel) * way * way;
  const float radius = lerp(kRuneRadius - 10.0f, kHeart, way * (0.55f + 0.45f * way));
  return {sin_turns(turn) * radius, -cos_turns(turn) * radius};
}

}  // namespace

void Challenge::rune_place(u32 rune, float& x, float& y) {
  const float turn = static_cast<float>(rune) / static_cast<float>(kRunes);
  x = sin_turns(turn) * kRuneRadius;
  y = -cos_turns(turn) * kRuneRadius;
}

u32 Challenge::runes() const {
  if (in_finale()) return kRunes;
  u32 lit = 0;
  const u32 spells = static_cast<u32>(std::popcount(combo_spells_));
  while (lit < kRunes && combo_ >= hits_for(lit + 1) && spells >= spells_for(lit + 1)) ++lit;
  return lit;
}

// ---------------------------------------------------------------------------------------------------- what happens to it

bool Challenge::press(Effects& effects) {
  switch (phase_) {
    case Phase::Free:
      phase_ = Phase::Countdown;
      left_steps_ = in_steps(kCountdown_s);
      result_ = {};
      last_spell_ = kNoSpell;
      combo_ = combo_left_steps_ = beat_left_steps_ = finale_left_steps_ = 0;
      combo_spells_ = 0;
      return true;
    case Phase::Countdown:
      phase_ = Phase::Free;
      left_steps_ = 0;
      effects.sound(SoundId::RuneFade, 0.6f, 0.0f, 0.0f);
      return false;
    case Phase::Running: end_round(effects); return false;
    case Phase::Over: return false;
  }
  return false;
}

void Challenge::on_hit(u8 spell, u32 points, float x, float y, Effects& effects) {
  if (phase_ == Phase::Countdown) return;
  const bool other_spell = last_spell_ != kNoSpell && spell != last_spell_;
  last_spell_ = spell;
  if (phase_ == Phase::Running) {
    const u32 multiplier = view().multiplier * (other_spell ? 2u : 1u);
    result_.score += u64{points} * multiplier;
    ++result_.hits;
  }
  if (other_spell) effects.flash(x, y, 90.0f, 0.35f, 0.3f, 0.2f, 0.2f);
  combo_left_steps_ = kWindowSteps;
  const bool beat = beat_left_steps_ == 0;
  if (beat) beat_left_steps_ = kBeat_steps;
  set_combo(combo_ + (beat ? 1 : 0), static_cast<u8>(combo_spells_ | 1u << spell), effects);
  if (phase_ == Phase::Running) result_.best_combo = std::max(result_.best_combo, combo_);
}

void Challenge::set_combo(u32 combo, u8 spells, Effects& effects) {
  const u32 before = runes();
  combo_ = combo;
  combo_spells_ = combo > 0 ? spells : u8{0};
  if (in_finale()) return;
  const u32 now = runes();
  for (u32 rune = before; rune < now; ++rune) {
    float x, y;
    rune_place(rune, x, y);
    effects.burst(ArenaEmitter::RuneLight, EmitPlace::at(x, y));
    effects.flash(x, y, 190.0f, 1.0f, 0.6f, 0.25f, 0.6f);
    effects.sound(SoundId::RuneLight, 0.6f, x, y, static_cast<float>(rune));
  }
  for (u32 rune = now; rune < before; ++rune) {
    float x, y;
    rune_place(rune, x, y);
    effects.burst(ArenaEmitter::RuneFade, EmitPlace::at(x, y));
    effects.sound(SoundId::RuneFade, 0.35f, x, y, static_cast<float>(rune) * 0.5f);
  }
  if (now < kRunes) return;
  finale_left_steps_ = kFinaleSteps;
  if (phase_ == Phase::Running) ++result_.finales;
  effects.sound(SoundId::Finale, 1.0f, 0.0f, 0.0f);
  effects.shake(0.5f);
}

void Challenge::end_round(Effects& effects) {
  phase_ = Phase::Over;
  left_steps_ = in_steps(kOver_s);
  effects.sound(SoundId::ChallengeEnd, 0.9f, 0.0f, 0.0f);
}

// ---------------------------------------------------------------------------------------------------- time

void Challenge::step(u64 step, Effects& effects) {
  step_clock(effects);
  step_combo(effects);
  if (in_finale()) {
    step_finale(step, effects);
  } else {
    for (u32 rune = 0; rune < runes(); ++rune) {
      float x, y;
      rune_place(rune, x, y);
      effects.run(ArenaEmitter::RuneEmber, rune_carries_[rune], EmitPlace::at(x, y));
    }
  }
  const float lit = static_cast<float>(runes());
  runes_lit_ += (lit - runes_lit_) * (lit > runes_lit_ ? 0.12f : 0.05f);
  const float age_s = seconds(kFinaleSteps - finale_left_steps_);
  const float whole = in_finale() ? smooth(clamp01(age_s / 0.8f)) * smooth(clamp01((kFinale_s - age_s) / 1.4f)) : 0.0f;
  finale_look_ += std::clamp(whole - finale_look_, -0.04f, 0.04f);
}

void Challenge::step_clock(Effects& effects) {
  if (phase_ == Phase::Free) return;
  // A tick as each whole second begins: three before the round, five before its end.
  if (left_steps_ % kStepsPerSecond == 0 &&
      (phase_ == Phase::Countdown || (phase_ == Phase::Running && left_steps_ <= 5 * kStepsPerSecond))) {
    effects.sound(SoundId::ChallengeTick, 0.6f, 0.0f, 0.0f, phase_ == Phase::Countdown ? 0.0f : 2.0f);
  }
  if (--left_steps_ > 0) return;
  switch (phase_) {
    case Phase::Countdown:
      phase_ = Phase::Running;
      left_steps_ = in_steps(kRound_s);
      effects.sound(SoundId::ChallengeStart, 0.9f, 0.0f, 0.0f);
      break;
    case Phase::Running: end_round(effects); break;
    case Phase::Over:
      phase_ = Phase::Free;
      ++finished_;
      break;
    case Phase::Free: break;
  }
}

void Challenge::step_combo(Effects& effects) {
  if (beat_left_steps_ > 0) --beat_left_steps_;
  if (in_finale()) {
    if (--finale_left_steps_ > 0) return;
    combo_ = combo_left_steps_ = 0;
    combo_spells_ = 0;
    last_spell_ = kNoSpell;
    return;
  }
  if (combo_ == 0 || --combo_left_steps_ > 0) return;
  const u32 lit = runes();
  set_combo(lit == 0 ? 0 : hits_for(lit) - 1, combo_spells_, effects);
  combo_left_steps_ = in_steps(kRuneOut_s);
}

void Challenge::step_finale(u64 step, Effects& effects) {
  const u32 age_steps = kFinaleSteps - finale_left_steps_;  // 1 in its first step
  const float age_s = seconds(age_steps);
  const float share = smooth(clamp01(age_s / kSwell_s)) * smooth(clamp01((kQuiet_s - age_s) / kEbb_s));
  if (share <= 0.0f) return;

  const float wheel = 0.035f * age_s;
  for (u32 rune = 0; rune < kRunes; ++rune) {
    float x, y;
    rune_place(rune, x, y);
    effects.run(rune % 2 == 0 ? ArenaEmitter::FinaleFountainGold : ArenaEmitter::FinaleFountainBlue,
                rune_carries_[rune], EmitPlace::at(x, y), share);
    // Six streams of each hue; the second six set out as the first are half way.
    const u32 at = (age_steps + (rune % 2) * (kWhirl_steps / 2)) % kWhirl_steps;
    const float way = static_cast<float>(at) / static_cast<float>(kWhirl_steps);
    const Point from = whirl(rune, way, wheel), to = whirl(rune, way + 1.0f / static_cast<float>(kWhirl_steps), wheel);
    const float vx = (to.x - from.x) / kStep_s, vy = (to.y - from.y) / kStep_s;
    effects.run(rune % 2 == 0 ? ArenaEmitter::FinaleSpiralBlue : ArenaEmitter::FinaleSpiralMagenta,
                spiral_carries_[rune], {from.x, from.y, to.x, to.y, atan2_turns(vy, vx), vx, vy}, share);
  }
  effects.run(ArenaEmitter::FinaleRing, ring_carry_, EmitPlace::at(0.0f, 0.0f), share);
  effects.run(ArenaEmitter::FinaleRain, rain_carry_, EmitPlace::at(0.0f, -90.0f), share);
  if (age_steps >= kBurstEvery_steps && age_steps % kBurstEvery_steps == 0)
    burst_finale(step, age_steps / kBurstEvery_steps, effects);
}

void Challenge::burst_finale(u64 step, u32 which, Effects& effects) {
  struct Hue {
    ArenaEmitter emitter;
    float r, g, b;
  };
  static constexpr Hue kHues[] = {{ArenaEmitter::FinaleBurstGold, 1.0f, 0.7f, 0.3f},
                                  {ArenaEmitter::FinaleBurstMagenta, 1.0f, 0.25f, 0.7f},
                                  {ArenaEmitter::FinaleBurstBlue, 0.3f, 0.55f, 1.0f}};
  const Hue& hue = kHues[which % std::size(kHues)];
  // Round the heart by the golden angle, so that no two follow on one side; never over it.
  Rng rng(mix64(step ^ 0x66696e616c65ull));
  const float turn = static_cast<float>(which) * 0.381966f;
  const float radius = rng.range(165.0f, 235.0f);
  const float x = cos_turns(turn) * radius * 1.25f, y = sin_turns(turn) * radius * 0.85f - 40.0f;
  const EmitPlace place = EmitPlace::at(x, y, rng.unit());
  effects.burst(hue.emitter, place);
  effects.burst(ArenaEmitter::FinaleStar, place);
  effects.flash(x, y + 40.0f, 330.0f, hue.r * 1.1f, hue.g * 1.1f, hue.b * 1.1f, 0.7f);
  effects.sound(SoundId::FinaleBurst, 0.75f, x, y, static_cast<float>(which % 5), 0.5f);
}

// ---------------------------------------------------------------------------------------------------- what it shows

frame::ChallengeView Challenge::view() const {
  frame::ChallengeView view;
  view.phase = phase_;
  view.left_s = seconds(left_steps_);
  view.result = result_;
  view.runes = runes();
  view.wants_spell = view.runes < kRunes && combo_ >= hits_for(view.runes + 1);
  view.multiplier = (1 + view.runes / 3) * (in_finale() ? 2u : 1u);
  view.combo_left =
      in_finale() ? 1.0f : clamp01(static_cast<float>(combo_left_steps_) / static_cast<float>(kWindowSteps));
  view.finale = finale_look_;
  view.finished = finished_;
  return view;
}

void Challenge::add_to(StateHash& hash) const {
  hash.add(phase_, result_.score, result_.hits, result_.best_combo, result_.finales);
  hash.add(left_steps_, combo_, combo_left_steps_, beat_left_steps_, last_spell_, combo_spells_, finished_,
           finale_left_steps_);
  for (const float carry : rune_carries_) hash.add(carry);
  for (const float carry : spiral_carries_) hash.add(carry);
  hash.add(rain_carry_, ring_carry_);
}

}  // namespace spellpool::sim
