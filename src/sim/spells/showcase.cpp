#include "sim/spells/showcase.hpp"

namespace spellpool::sim {

frame::InputFrame Showcase::next(const World& world) {
  // Across the arena, so that flights, leaps and rings have room.
  struct Aim {
    float x, y;
  };
  static constexpr Aim kAims[] = {{108.0f, -190.0f}, {-172.0f, -92.0f}, {172.0f, -92.0f}, {-108.0f, -190.0f}};
  const Aim& aim = kAims[cast_ % std::size(kAims)];
  frame::InputFrame input;
  input.select_spell = spell_;
  input.aim_x16 = static_cast<i16>(aim.x * frame::kAimScale);
  input.aim_y16 = static_cast<i16>(aim.y * frame::kAimScale);
  if (world.steps() < 30) return input;
  if (world.charge() >= 1.0f) {
    if (holding_) ++cast_;  // the release aims where the charge was gathered: this input still does
    holding_ = false;
    return input;
  }
  if (world.cooldown(spell_) <= 0.0f) holding_ = true;
  if (holding_) input.buttons = frame::kButtonCast;
  return input;
}

}  // namespace spellpool::sim
