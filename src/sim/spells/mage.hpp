#pragma once
#include <array>

#include "frame/input_frame.hpp"
#include "sim/spells/spell_canvas.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// The player: walks, aims, gathers, charges, casts.
///
///   press of cast  → wind-up (`gather`) → let go meanwhile: cast as it ends, charge 0
///                                       → still held: charging (`charge`) → full (`ready`) → waits; letting go casts
///   rapid held     → wind-up → cast, again and again
///   after a cast     `follow` runs at the staff; the spell cools down, the others do not
///
/// From cast to cast of one spell at least its cooldown passes; its wind-up may run in the cooldown's last part. A
/// press that comes a little early is remembered: for as long as it is held, and 0.2 s.
class Mage {
 public:
  static constexpr float kReach = 262.0f;  ///< How far from the arena's centre he gets.
  static constexpr float kSpeed = 230.0f;  ///< Units/s at a full stick.
  static constexpr float kHeight = 76.0f;  ///< The figure's, as shaders/mage.frag draws it.
  static constexpr float kRemember_s = 0.2f;

  /// True if a spell left the staff; then `cast` says which.
  bool step(const frame::InputFrame& input, const SpellSet& spells, Effects& effects, Cast& cast);

  float x() const { return x_; }
  float y() const { return y_; }
  float aim_x() const { return aim_x_; }
  float aim_y() const { return aim_y_; }
  u8 spell() const { return spell_; }
  /// 0 ready … 1 just cast.
  float cooldown(u8 spell, const SpellSet& spells) const;
  /// 0 … 1 of the charge that is being held; 0 when none is.
  float charge() const { return charge_; }

  /// Casts of a spell since the start, and how many of them were fully charged. Counters for people: no step reads
  /// them.
  struct CastCount {
    u32 casts = 0, charged = 0;
  };
  const CastCount& casts(u8 spell) const { return counts_[spell]; }

  /// The figure and the staff's light; the reticle is drawn last of all.
  void draw(Canvas& canvas) const;
  void draw_reticle(Canvas& canvas, const SpellSet& spells) const;
  void add_to(StateHash& hash) const;

 private:
  enum class Act : u8 { Idle, WindingUp, Charging };

  void walk(const frame::InputFrame& input);
  void begin(bool rapid, const SpellSet& spells, Effects& effects);
  void release(const SpellSet& spells, Effects& effects, Cast& cast);
  void staff_tip(float& x, float& y) const;
  EmitPlace at_staff() const;

  float x_ = 0, y_ = 60, previous_x_ = 0, previous_y_ = 60;
  float vx_ = 0, vy_ = 0;
  float aim_x_ = 200, aim_y_ = 60;
  float facing_turns_ = 0;
  u8 spell_ = 0;      // selected
  u8 casting_ = 0;    // of the running wind-up or charge
  u8 following_ = 0;  // of the last cast
  u8 last_buttons_ = 0;
  Act act_ = Act::Idle;
  bool rapid_ = false;
  bool full_ = false;
  float windup_left_s_ = 0;
  float remember_s_ = 0;
  float charge_ = 0;
  float follow_left_s_ = 0, follow_factor_ = 1;
  std::array<float, frame::kSpellCount> cooldown_left_s_{};
  float gather_carry_ = kStarting, charge_carry_ = kStarting, follow_carry_ = kStarting;
  u64 casts_ = 0;
  std::array<CastCount, frame::kSpellCount> counts_{};

  // Looks.
  float walk_turns_ = 0;
  float windup_ = 0;  // 0 … 1 of the wind-up
  float flare_ = 0;   // after a cast, 1 → 0
  float ready_ = 0;   // when the charge is full, 1 → 0
};

}  // namespace spellpool::sim
