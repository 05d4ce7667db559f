#include "app/paired/duet_input.hpp"

#include <algorithm>

#include "app/scene_hooks.hpp"
#include "render/view.hpp"

namespace spellpool::app {
namespace {

constexpr double kScriptAfter_s = 20.0;
constexpr float kStickReach = 260.0f;
constexpr int kSpells = static_cast<int>(frame::kSpellCount);

}  // namespace

void DuetInput::listen(const platform::FrameEvents& events, const sim::GameWorld& world,
                       const frame::RenderSnapshot& snapshot, float alpha, const DuetStage& stage, bool world_rests) {
  const SceneHooks& scene = scene_hooks(world);
  const std::optional<u8> played = scene.selected_spell(world);
  bool acts = events.cast_pressed || events.rapid_pressed || events.move_x != 0 || events.move_y != 0;
  if (played) selected_ = select_latched_ == frame::InputFrame::kKeepSpell ? *played : select_latched_;
  const auto select = [&](int spell) {
    select_latched_ = selected_ = static_cast<u8>((spell % kSpells + kSpells) % kSpells);
    acts = true;
  };
  for (std::size_t i = 0; i < events.action_count; ++i) {
    const frame::Action action = events.actions[i];
    if (const auto spell = frame::spell_of(action)) select(static_cast<int>(*spell));
    if (action == frame::Action::NextSpell) select(selected_ + 1);
    if (action == frame::Action::PreviousSpell) select(selected_ - 1);
    if (action == frame::Action::Challenge) latched_ |= frame::kButtonChallenge, acts = true;
    if (action == frame::Action::Bomb) latched_ |= frame::kButtonBomb, acts = true;
  }
  wheel_ += played ? events.wheel : 0.0f;
  if (const int notches = static_cast<int>(wheel_); notches != 0) {
    wheel_ -= static_cast<float>(notches);
    select(selected_ - notches);
  }
  if (acts) plays_ = true;
  if (events.any_input) quiet_s_ = 0;

  if (events.stick_aims) {
    const render::Point origin = scene.stick_origin(world);
    aim_x_ = origin.x + events.aim_x * kStickReach;
    aim_y_ = origin.y + events.aim_y * kStickReach;
  } else if (events.mouse_moved || events.cast_pressed || events.rapid_pressed) {
    const ui::Rect& half = stage.half(events.mouse_x_px >= stage.half(1).x0 ? 1 : 0);
    const render::View view =
        render::view_of(snapshot, alpha, static_cast<int>(half.width()), static_cast<int>(half.height()));
    const render::Point aim = render::screen_to_world(view, {events.mouse_x_px - half.x0, events.mouse_y_px - half.y0});
    aim_x_ = aim.x;
    aim_y_ = aim.y;
  }
  input_.aim_x16 = static_cast<i16>(std::clamp(aim_x_ * frame::kAimScale, -32000.0f, 32000.0f));
  input_.aim_y16 = static_cast<i16>(std::clamp(aim_y_ * frame::kAimScale, -32000.0f, 32000.0f));
  move_.hold({events.move_x, events.move_y}, world_rests);
  u8 held = events.cast_held ? frame::kButtonCast : 0;
  if (events.cast_pressed) latched_ |= frame::kButtonCast;
  const SceneHooks::Buttons buttons = scene.duet_buttons(world, events, follows_mouse_);
  latched_ |= buttons.pressed;
  input_.buttons = static_cast<u8>(held | buttons.held);
}

frame::InputFrame DuetInput::take() {
  frame::InputFrame input = input_;
  move_.give(input);
  input.buttons |= latched_;
  input.select_spell = select_latched_;
  latched_ = 0;
  select_latched_ = frame::InputFrame::kKeepSpell;
  return input;
}

void DuetInput::pass(double seconds) {
  if (!plays_) return;
  quiet_s_ += seconds;
  if (quiet_s_ >= kScriptAfter_s) plays_ = false;
}

}  // namespace spellpool::app
