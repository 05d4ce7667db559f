#pragma once
#include "core/state_hash.hpp"
#include "frame/views/challenge_view.hpp"
#include "sim/particles/effects.hpp"

namespace spellpool::sim {

/// Combo, runes, finale and the 60-second challenge. Hits feed the combo; the combo lights the arena's twelve runes;
/// when all burn, the finale plays (kFinale_s) and the runes start again. Deterministic; part of the world's hash.
///
/// Combo    A hit adds one and keeps it for kWindow_s. Hits within kBeat_steps of the last that counted keep it too
///          but add nothing: a wide blow is one beat of the game, and staying in it is what lights runes. After the
///          window the runes go out one by one, kRuneOut_s each, and the combo falls with them; the next hit stops
///          the fall.
/// Runes    The k-th burns from combo hits_for(k) on, if spells_for(k) different spells have struck in this
///          combo: one spell lights half of them, the finale takes four.
/// Points   A hit's worth × (1 + runes / 3), × 2 if another spell struck than the one before, × 2 in the finale. They
///          count while a round runs.
/// Round    press(): countdown → running → over → free. Hits of the countdown count for nothing.
/// All clocks are whole steps.
class Challenge {
 public:
  static constexpr float kRound_s = 60.0f, kCountdown_s = 3.0f, kOver_s = 3.0f, kFinale_s = 8.0f;
  static constexpr float kWindow_s = 3.5f, kRuneOut_s = 0.6f;
  static constexpr u32 kRunes = 12, kBeat_steps = 12;

  /// Combo from which `runes` runes burn: the k-th rune asks for k hits more.
  static constexpr u32 hits_for(u32 runes) { return runes * (runes + 1) / 2; }
  /// Different spells of the combo from which `runes` runes burn.
  static constexpr u32 spells_for(u32 runes) { return runes <= 6 ? 1 : (runes - 3) / 2; }
  /// Middle of rune i: the first stands on top, the rest follow clockwise.
  static void rune_place(u32 rune, float& x, float& y);

  /// Starts the countdown, or calls it off, or ends a running round early. For the press of kButtonChallenge. True if
  /// a round begins: the world makes its targets whole then.
  bool press(Effects& effects);
  /// A spell hit something worth `points`. Another spell than the one before is worth more; a finale doubles.
  void on_hit(u8 spell, u32 points, float x, float y, Effects& effects);
  void step(u64 step, Effects& effects);

  frame::ChallengeView view() const;
  /// 0 … 12 as drawn: eases.
  float runes_lit() const { return runes_lit_; }
  /// 0 … 1 as drawn.
  float finale() const { return finale_look_; }
  u32 combo() const { return combo_; }
  /// Runes that burn, 0 … 12.
  u32 runes() const;
  bool in_finale() const { return finale_left_steps_ > 0; }
  void add_to(StateHash& hash) const;

 private:
  void step_clock(Effects& effects);
  void step_combo(Effects& effects);
  void step_finale(u64 step, Effects& effects);
  void burst_finale(u64 step, u32 which, Effects& effects);
  void set_combo(u32 combo, u8 spells, Effects& effects);
  void end_round(Effects& effects);

  frame::ChallengeView::Phase phase_ = frame::ChallengeView::Phase::Free;
  frame::ChallengeResult result_;
  u32 left_steps_ = 0;            // of the phase
  u32 combo_ = 0;
  u32 combo_left_steps_ = 0;
  u32 beat_left_steps_ = 0;       // until a hit adds to the combo again
  u8 last_spell_ = kNoSpell;
  u8 combo_spells_ = 0;           // a bit for each spell that struck in the combo
  u32 finished_ = 0;
  u32 finale_left_steps_ = 0;
  // Of the arena's emitters, fractions of a particle.
  std::array<float, kRunes> rune_carries_{}, spiral_carries_{};
  float rain_carry_ = 0, ring_carry_ = 0;
  // Looks.
  float runes_lit_ = 0;
  float finale_look_ = 0;

  static constexpr u8 kNoSpell = 255;
};

}  // namespace spellpool::sim
