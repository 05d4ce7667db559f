#include "sim/autoplay.hpp"

#include "core/det_math.hpp"

namespace spellpool::sim {

frame::InputFrame Autoplayer::next(const World& world) {
  constexpr u32 kSpellTurn_steps = 140;
  constexpr u32 kTargetTurn_steps = 36;
  const u64 step = world.steps();
  if (step % kTargetTurn_steps == 0) {
    const u32 hop = 1 + rng_.below(static_cast<u32>(world.targets().size()) - 1);
    target_ = (target_ + hop) % static_cast<u32>(world.targets().size());
  }
  const Target& target = world.targets()[target_];
  aim_x_ += (target.x - aim_x_) * 0.16f;
  aim_y_ += (target.y - 14.0f - aim_y_) * 0.16f;

  const float round = static_cast<float>(step % 900) / 900.0f;
  const float goal_x = cos_turns(round) * 80.0f, goal_y = 50.0f + sin_turns(round) * 55.0f;
  const float dx = goal_x - world.mage_x(), dy = goal_y - world.mage_y();
  const float d = length(dx, dy) + 1.0f;
  const float pace = d > 14.0f ? 90.0f : d * 6.0f;

  frame::InputFrame input;
  input.aim_x16 = static_cast<i16>(aim_x_ * frame::kAimScale);
  input.aim_y16 = static_cast<i16>(aim_y_ * frame::kAimScale);
  input.move_x = static_cast<i8>(dx / d * pace);
  input.move_y = static_cast<i8>(dy / d * pace);
  input.select_spell = static_cast<u8>(step / kSpellTurn_steps % frame::kSpellCount);
  if (step % kSpellTurn_steps >= 8) input.buttons = frame::kButtonCast;
  return input;
}

}  // namespace spellpool::sim
