#pragma once
#include "sim/spells/spell_canvas.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// A rock from the sky: a shrinking ring tells where, it falls along a slant, and from the impact a shock ring runs out
/// that hits what its front passes, harder near the middle. The stones that it throws bounce by their emitter.
class Meteors {
 public:
  static constexpr float kCall_s = 0.35f, kFall_s = 0.6f;

  void cast(const Cast& cast, SpellScope& scope);
  void move(SpellScope& scope);
  void collide(SpellScope& scope);
  void draw_ground(Canvas& canvas) const;
  void draw_air(Canvas& canvas) const;
  void add_to(StateHash& hash) const;

 private:
  struct Meteor {
    bool alive = false, landed = false;
    u8 spell = 0;
    float factor = 1;
    float x = 0, y = 0;  ///< Where it lands.
    float slant = 1;     ///< 1: falls to the right, −1: to the left.
    float age_s = 0;
    float ring_s = 0;   ///< Since the impact.
    float passed = -1;  ///< As far as the ring has looked for targets.
    float rock_x = 0, rock_y = 0, previous_x = 0, previous_y = 0;
    float mark_carry = kStarting, carry = kStarting, smoke_carry = kStarting, halo_carry = kStarting;
  };
  static void place_rock(Meteor& meteor, const frame::SpellDef& def);
  static void land(Meteor& meteor, SpellScope& scope);
  static float front(const Meteor& meteor, const frame::SpellDef& def);

  std::array<Meteor, 8> meteors_{};
};

}  // namespace spellpool::sim
