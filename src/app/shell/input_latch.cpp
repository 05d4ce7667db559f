#include "app/shell/input_latch.hpp"

#include <algorithm>

#include "frame/defs/spell_def.hpp"

namespace spellpool::app {
namespace {

constexpr float kStickReach = 260.0f;

}  // namespace

void InputLatch::hold(const platform::FrameEvents& events, bool world_rests) {
  const bool holds = events.cast_held || events.rapid_held || events.move_x != 0 || events.move_y != 0;
  muted_ = muted_ && holds;
  if (world_rests) pressed.cast = pressed.rapid = pressed.bomb = false;
  move_.hold(muted_ ? MoveInputLatch::Move{} : MoveInputLatch::Move{events.move_x, events.move_y},
             world_rests);
}

void InputLatch::turn_wheel(float notches) {
  wheel_ += notches;  // smooth wheels send fractions of a notch
  const int whole = static_cast<int>(wheel_);
  if (whole == 0) return;
  wheel_ -= static_cast<float>(whole);
  constexpr int kSpells = static_cast<int>(frame::kSpellCount);
  select(static_cast<u8>(((wanted_spell_ - whole) % kSpells + kSpells) % kSpells));
}

frame::InputFrame InputLatch::read(const platform::FrameEvents& events, const ShownFrame& shown,
                                   render::Point origin) {
  if (events.mouse_moved) stick_aims_ = false;
  if (events.stick_aims) {
    stick_aims_ = true;
    aim_x_ = origin.x + events.aim_x * kStickReach;
    aim_y_ = origin.y + events.aim_y * kStickReach;
  } else if (!stick_aims_) {
    const render::View view =
        render::view_of(shown.snapshot, shown.alpha, shown.size.width, shown.size.height);
    const render::Point aim = render::screen_to_world(view, {events.mouse_x_px, events.mouse_y_px});
    aim_x_ = aim.x;
    aim_y_ = aim.y;
  }
  frame::InputFrame input;
  input.aim_x16 = static_cast<i16>(std::clamp(aim_x_ * frame::kAimScale, -32000.0f, 32000.0f));
  input.aim_y16 = static_cast<i16>(std::clamp(aim_y_ * frame::kAimScale, -32000.0f, 32000.0f));
  move_.give(input);
  u32 buttons = 0;
  if ((events.cast_held && !muted_) || pressed.cast) buttons |= frame::kButtonCast;
  if ((events.rapid_held && !muted_) || pressed.rapid) buttons |= frame::kButtonRapid;
  if (pressed.challenge) buttons |= frame::kButtonChallenge;
  input.buttons = static_cast<u8>(buttons);
  input.select_spell = select_;
  return input;
}

void InputLatch::step_done() {
  pressed = {};
  select_ = frame::InputFrame::kKeepSpell;
}

void InputLatch::clear() { step_done(); }

}  // namespace spellpool::app
