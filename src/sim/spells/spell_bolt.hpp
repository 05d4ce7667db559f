#pragma once
#include "sim/spells/spell_canvas.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// Flies straight from the staff and bursts on the first target, at the end of its time, or a little beyond the ring.
class Bolts {
 public:
  void cast(const Cast& cast, SpellScope& scope);
  void move(SpellScope& scope);
  void collide(SpellScope& scope);
  void draw_ground(Canvas& canvas) const;
  void draw_air(Canvas& canvas) const;
  void add_to(StateHash& hash) const;

 private:
  struct Bolt {
    bool alive = false;
    u8 spell = 0;
    float factor = 1;
    float x = 0, y = 0, previous_x = 0, previous_y = 0, vx = 0, vy = 0, age_s = 0;
    float carry = kStarting, smoke_carry = kStarting;
  };
  /// Where one has burst: a ring runs out over the ground. Looks: no step reads it.
  struct Blast {
    u8 spell = 0;
    float x = 0, y = 0, reach = 0, age_s = 60;
  };
  void burst(Bolt& bolt, SpellScope& scope);

  std::array<Bolt, 64> bolts_{};
  std::array<Blast, 16> blasts_{};
  u32 next_blast_ = 0;
};

}  // namespace spellpool::sim
