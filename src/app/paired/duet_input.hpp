#pragma once
#include "app/paired/duet_stage.hpp"
#include "app/shell/move_input_latch.hpp"
#include "platform/events.hpp"
#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// What a player does with both worlds of a duet at once: hands, mouse and pad as one input for a step.
class DuetInput {
 public:
  /// The frame's events, before its step. `world` is A's; aiming goes by the half of the window that the mouse is over.
  void listen(const platform::FrameEvents& events, const sim::GameWorld& world, const frame::RenderSnapshot& snapshot,
              float alpha, const DuetStage& stage, bool world_rests);
  /// True after the player has cast, walked or chosen a spell, until 20 s pass without any input.
  bool plays() const { return plays_; }
  /// For the next step; what was pressed for a moment is in it once.
  frame::InputFrame take();
  void pass(double seconds);

 private:
  frame::InputFrame input_;
  MoveInputLatch move_;
  u8 latched_ = 0;           // buttons that went down since the last step
  u8 selected_ = 0, select_latched_ = frame::InputFrame::kKeepSpell;
  bool plays_ = false, follows_mouse_ = false;
  double quiet_s_ = 0;
  float aim_x_ = 200, aim_y_ = 0, wheel_ = 0;
};

}  // namespace spellpool::app
