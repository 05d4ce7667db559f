#pragma once
#include "sim/spells/spell_canvas.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// A cloud of poison that opens at the aim, creeps toward the nearest dummy or crystal and poisons what it covers once
/// a beat.
class Fogs {
 public:
  static constexpr float kCrawl = 24.0f;  ///< Units/s.

  void cast(const Cast& cast, SpellScope& scope);
  void move(SpellScope& scope);
  void collide(SpellScope& scope);
  void draw_ground(Canvas& canvas) const;
  void draw_air(Canvas&) const {}
  void add_to(StateHash& hash) const;

 private:
  struct Fog {
    bool alive = false;
    u8 spell = 0;
    float factor = 1;
    float x = 0, y = 0, previous_x = 0, previous_y = 0, vx = 0, vy = 0, age_s = 0;
    float next_beat_s = kBeat_s;
    float carry = kStarting, bubble_carry = kStarting, halo_carry = kStarting;
    float open(const frame::SpellDef& def) const { return opening(age_s, def.duration_s, 0.5f, 0.8f); }
  };

  std::array<Fog, 6> fogs_{};
};

}  // namespace spellpool::sim
