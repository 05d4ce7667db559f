#pragma once
#include "sim/spells/world.hpp"

namespace spellpool::sim {

/// Plays one spell alone, fully charged, again and again, from the same place at the same targets: for pictures of a
/// spell at its best moment and for tuning one in a text editor.
class Showcase {
 public:
  explicit Showcase(u8 spell) : spell_(spell) {}
  frame::InputFrame next(const World& world);

 private:
  u8 spell_;
  u32 cast_ = 0;        ///< Casts so far: which target is next.
  bool holding_ = false;
};

}  // namespace spellpool::sim
