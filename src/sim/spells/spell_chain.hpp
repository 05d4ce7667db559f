#pragma once
#include "sim/spells/spell_canvas.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// Lightning: at once from the staff to the target nearest to the line of aim, then leap upon leap to the nearest one
/// not struck yet. All of it happens in one step; what stays is the after-image. With nothing in reach it strikes where
/// the mage aims.
class Chains {
 public:
  void cast(const Cast& cast, SpellScope& scope);
  void move(SpellScope& scope);
  void collide(SpellScope& scope);
  void draw_ground(Canvas&) const {}
  void draw_air(Canvas& canvas) const;
  void add_to(StateHash& hash) const;

 private:
  static constexpr u32 kMostArcs = 24;
  struct Arc {
    float from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  };
  struct Chain {
    bool alive = false;
    bool striking = false;  ///< Cast in this step: the collide phase makes its arcs.
    u8 spell = 0;
    float factor = 1;
    float aim_x = 0, aim_y = 0;
    float age_s = 0;
    u32 count = 0;
    u64 serial = 0;
    std::array<Arc, kMostArcs> arcs{};  ///< The first starts at the staff.
  };
  static void strike(Chain& chain, SpellScope& scope);

  std::array<Chain, 8> chains_{};
};

}  // namespace spellpool::sim
