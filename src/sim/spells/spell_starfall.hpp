#pragma once
#include "sim/spells/spell_canvas.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// A shower of stars over the aim: one after the other a small mark, a streak from the sky, a burst where it lands.
/// Where each lands is drawn from the world's seed, the cast's serial and the star's number.
class Starfalls {
 public:
  static constexpr float kCall_s = 0.18f, kFall_s = 0.4f;
  static constexpr float kLandReach = 34.0f;  ///< Units round a landing that are struck.

  void cast(const Cast& cast, SpellScope& scope);
  void move(SpellScope& scope);
  void collide(SpellScope& scope);
  void draw_ground(Canvas& canvas) const;
  void draw_air(Canvas& canvas) const;
  void add_to(StateHash& hash) const;

 private:
  struct Shower {
    bool alive = false;
    u8 spell = 0;
    float factor = 1;
    float x = 0, y = 0, age_s = 0;
    u32 stars = 0, sent = 0;
    u64 serial = 0;
    float mark_carry = kStarting, halo_carry = kStarting;
  };
  struct Star {
    bool alive = false, landing = false;
    u8 spell = 0;
    float factor = 1;
    float x = 0, y = 0;  ///< Where it lands.
    float age_s = 0;
    float head_x = 0, head_y = 0, previous_x = 0, previous_y = 0;
    float twinkle = 0;  ///< Turns, looks.
    float carry = kStarting;
  };
  void send(Shower& shower, SpellScope& scope);

  std::array<Shower, 8> showers_{};
  std::array<Star, 160> stars_{};
};

}  // namespace spellpool::sim
