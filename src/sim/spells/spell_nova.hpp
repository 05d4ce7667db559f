#pragma once
#include "sim/spells/spell_canvas.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// A ring of frost that runs out from the mage's feet and hits and freezes what its front passes.
class Novas {
 public:
  void cast(const Cast& cast, SpellScope& scope);
  void move(SpellScope& scope);
  void collide(SpellScope& scope);
  void draw_ground(Canvas& canvas) const;
  void draw_air(Canvas&) const {}
  void add_to(StateHash& hash) const;

 private:
  struct Nova {
    bool alive = false;
    u8 spell = 0;
    float factor = 1;
    float x = 0, y = 0, age_s = 0;
    float passed = -1;  ///< How far the front had come when it last looked for targets.
  };
  static float front(const Nova& nova, const frame::SpellDef& def);

  std::array<Nova, 8> novas_{};
};

}  // namespace spellpool::sim
