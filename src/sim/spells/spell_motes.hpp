#pragma once
#include "sim/spells/spell_canvas.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// A circle of gold round the mage that follows him. It pulses: each pulse makes shattered crystals within whole again.
/// And it sends homing sparks after the wisps, one every so often.
class MoteCircles {
 public:
  static constexpr float kPulse_s = 0.6f;

  void cast(const Cast& cast, SpellScope& scope);
  void move(SpellScope& scope);
  void collide(SpellScope& scope);
  void draw_ground(Canvas& canvas) const;
  void draw_air(Canvas&) const {}
  void add_to(StateHash& hash) const;

 private:
  struct Circle {
    bool alive = false;
    u8 spell = 0;
    float factor = 1;
    float x = 0, y = 0, previous_x = 0, previous_y = 0, age_s = 0;
    float next_pulse_s = 0.3f;
    float pulse = 0;  ///< Looks: 1 at a pulse, decays.
    u32 sparks = 0, sent = 0;
    u64 serial = 0;
    float carry = kStarting, halo_carry = kStarting;
    float open(const frame::SpellDef& def) const { return opening(age_s, def.duration_s, 0.3f, 0.6f); }
  };
  static void send(Circle& circle, SpellScope& scope);

  std::array<Circle, 4> circles_{};
};

}  // namespace spellpool::sim
