#pragma once
#include "sim/spells/spell_canvas.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// Opens at the aim and turns: draws in particles, wisps and straw, strikes once a beat, and closes with a burst.
class Vortices {
 public:
  void cast(const Cast& cast, SpellScope& scope);
  void move(SpellScope& scope);
  void collide(SpellScope& scope);
  void draw_ground(Canvas& canvas) const;
  void draw_air(Canvas&) const {}
  /// The strongest one, for the background's bend.
  void bend(frame::RenderSnapshot& snapshot, const SpellSet& spells) const;
  void add_to(StateHash& hash) const;

 private:
  struct Vortex {
    bool alive = false;
    u8 spell = 0;
    float factor = 1;
    float x = 0, y = 0, age_s = 0, spin = 0;
    float next_beat_s = 0.5f * kBeat_s;  ///< It opens first.
    float carry = kStarting, core_carry = kStarting;
    float open(const frame::SpellDef& def) const { return opening(age_s, def.duration_s, 0.33f, 0.25f); }
  };

  std::array<Vortex, 4> vortices_{};
};

}  // namespace spellpool::sim
