#pragma once
// What the player pressed since the last step. Frames and steps have different rates: a press that is shorter
// than a frame still counts for one step, and what one step has seen is not repeated by the next.
#include "app/shell/move_input_latch.hpp"
#include "frame/render_snapshot.hpp"
#include "platform/events.hpp"
#include "platform/window.hpp"
#include "render/view.hpp"

namespace spellpool::app {

class InputLatch {
 public:
  /// Went down since the last step.
  struct Presses {
    bool cast = false, rapid = false, challenge = false, bomb = false;
  };
  Presses pressed;

  /// With each frame. `world_rests`: no step comes, so a tap is forgotten.
  void hold(const platform::FrameEvents& events, bool world_rests);
  void press(const platform::FrameEvents& events) { pressed.rapid = pressed.rapid || events.rapid_pressed; }
  /// What is held was meant for a menu: nothing counts until all of it is let go.
  void mute_held() { muted_ = true; }
  bool muted() const { return muted_; }

  /// The next step selects this spell.
  void select(u8 spell) { wanted_spell_ = select_ = spell; }
  /// The world has selected it.
  void follow_spell(u8 spell) { wanted_spell_ = spell; }
  u8 wanted_spell() const { return wanted_spell_; }
  void turn_wheel(float notches);

  /// The mouse points at this shown.
  struct ShownFrame {
    const frame::RenderSnapshot& snapshot;
    float alpha;
    platform::Size size;
  };
  /// Aim, move, cast and selection for the next step; `origin`: what a stick aims from. The scene completes
  /// it.
  frame::InputFrame read(const platform::FrameEvents& events, const ShownFrame& shown, render::Point origin);
  /// A step has read it.
  void step_done();
  /// Another world, or another moment of it: what was pressed before does not count in it.
  void clear_presses() { pressed = {}; }
  void clear();

 private:
  MoveInputLatch move_;
  bool muted_ = false;
  bool stick_aims_ = false;
  float aim_x_ = 200, aim_y_ = 0;  // world
  float wheel_ = 0;                // notches not yet used
  u8 select_ = frame::InputFrame::kKeepSpell;
  u8 wanted_spell_ = 0;
};

}  // namespace spellpool::app
