// What keys, clicks and refusals sound like, and panels by a gamepad: the game's own loop in this process, with keys that the test presses
// and a gamepad that it moves.
#include <gmock/gmock.h>

#include "../support/patience.hpp"
#include "played_game.hpp"

namespace spellpool::app {
namespace {

using frame::Action;
using frame::PanelSound;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class InterfaceSounds : public PlayedGame {};

TEST_F(InterfaceSounds, EachKeyOfAPanelIsASwitchAndEscapeGoesBack) {
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  for (const SDL_Scancode code : {SDL_SCANCODE_I, SDL_SCANCODE_0, SDL_SCANCODE_F1, SDL_SCANCODE_F2, SDL_SCANCODE_F3, SDL_SCANCODE_F6, SDL_SCANCODE_F7, SDL_SCANCODE_F9, SDL_SCANCODE_F10}) {
    EXPECT_THAT(key(code), ElementsAre(PanelSound::Toggle)) << SDL_GetScancodeName(code) << " opens";
    EXPECT_THAT(key(code), ElementsAre(PanelSound::Toggle)) << SDL_GetScancodeName(code) << " closes";
  }
  key(SDL_SCANCODE_I);
  EXPECT_THAT(key(SDL_SCANCODE_ESCAPE), ElementsAre(PanelSound::Back));
  EXPECT_THAT(key(SDL_SCANCODE_W), IsEmpty()) << "walking is no click";
  EXPECT_THAT(key(SDL_SCANCODE_TAB), ElementsAre(PanelSound::Toggle));
}

TEST_F(InterfaceSounds, APauseHoldsItsBreathAndLetsItGo) {
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  EXPECT_THAT(key(SDL_SCANCODE_P), ElementsAre(PanelSound::Pause));
  EXPECT_THAT(frames(5), IsEmpty()) << "once";
  EXPECT_THAT(key(SDL_SCANCODE_P), ElementsAre(PanelSound::Resume));
  EXPECT_THAT(key(SDL_SCANCODE_N), ElementsAre(PanelSound::Pause)) << "a single step pauses";
}

TEST_F(InterfaceSounds, WhatTheSceneRefusesSoundsRefused) {
  open(frame::SceneId::Shooter);
  if (IsSkipped()) return;
  const u8 steal = static_cast<u8>(pool::PolicyId::StealOldest);
  game_->apply(asks(frame::SimCommandKind::SetPolicy, frame::PoolId::Enemies, steal));
  EXPECT_THAT(game_->clicks(), Contains(PanelSound::Refuse));
  frames(1);
  game_->apply(asks(frame::SimCommandKind::SetPolicy, frame::PoolId::Bullets, steal));
  EXPECT_THAT(game_->clicks(), IsEmpty());
  // On the title another difficulty is the next button.
  EXPECT_THAT(key(SDL_SCANCODE_RIGHT), ElementsAre(PanelSound::Move));
  for (int i = 0; i < 20; ++i) {  // whether its picture has a step or not
    EXPECT_THAT(key(i % 2 == 0 ? SDL_SCANCODE_LEFT : SDL_SCANCODE_RIGHT, 0), ElementsAre(PanelSound::Move)) << "down and up before anybody looks, " << i;
  }
  frames(1);
  frame::PanelRequests clicked;
  clicked.sound = PanelSound::Accept;
  game_->apply(clicked);
  EXPECT_THAT(game_->clicks(), ElementsAre(PanelSound::Accept)) << "a click in a panel sounds as the panel says";
}

class PanelsByGamepad : public InterfaceSounds {
 protected:
  void TearDown() override {
    SDL_DelEventWatch(watch, this);
    if (index_ >= 0) SDL_JoystickDetachVirtual(index_);
  }
  void plug_in() {
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    index_ = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0);
    if (index_ < 0) GTEST_SKIP() << "skipped: no virtual gamepads: " << SDL_GetError();
    SDL_AddEventWatch(watch, this);
    frames(2);
    stick_ = SDL_JoystickFromInstanceID(SDL_JoystickGetDeviceInstanceID(index_));
    ASSERT_NE(stick_, nullptr);
  }
  static int watch(void* self, SDL_Event* event) {
    if (event->type == SDL_MOUSEMOTION) {
      static_cast<PanelsByGamepad*>(self)->x_ = event->motion.x;
      static_cast<PanelsByGamepad*>(self)->y_ = event->motion.y;
    }
    return 0;
  }
  void axis(SDL_GameControllerAxis which, double value) { SDL_JoystickSetVirtualAxis(stick_, which, static_cast<i16>(value * 32767)); }
  void tap(SDL_GameControllerButton button) {
    SDL_JoystickSetVirtualButton(stick_, button, 1);
    frames(2);
    SDL_JoystickSetVirtualButton(stick_, button, 0);
    frames(2);
  }
  template <class Condition>
  bool until(const Condition& condition) {
    for (const test::Patience patience; patience.left() && !condition();) frames(1);
    return condition();
  }
  /// The stick steers to the middle of a control, and the right trigger clicks.
  bool click(std::string_view kind, std::size_t index) {
    std::array<double, 4> rect{};
    const auto found = [&] {
      const nlohmann::json all = layout();
      if (!all.contains("controls")) return false;
      for (const auto& control : all["controls"]) {
        if (control["kind"] != kind || control["index"] != index) continue;
        rect = control["rect"];
        return true;
      }
      return false;
    };
    if (!until(found)) return false;
    const auto pull = [](double way) { return std::abs(way) < 3 ? 0.0 : std::copysign(0.3 + 0.7 * std::min(1.0, std::abs(way) / 100), way); };
    const bool there = until([&] {
      const double right = pull((rect[0] + rect[2]) / 2 - x_), down = pull((rect[1] + rect[3]) / 2 - y_);
      axis(SDL_CONTROLLER_AXIS_RIGHTX, right);
      axis(SDL_CONTROLLER_AXIS_RIGHTY, down);
      return x_ >= 0 && right == 0 && down == 0;
    });
    frames(3);
    axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 1);
    frames(3);
    axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, -1);
    frames(3);
    return there;
  }

  int index_ = -1;
  SDL_Joystick* stick_ = nullptr;
  int x_ = -1, y_ = -1;
};

TEST_F(PanelsByGamepad, TheTitleIsChosenByDPadAndStickAndA) {
  open(frame::SceneId::Spells, 640, 360, true);
  if (IsSkipped()) return;
  plug_in();
  if (IsSkipped()) return;
  ASSERT_TRUE(until([&] { return shows("title"); }));
  tap(SDL_CONTROLLER_BUTTON_DPAD_DOWN);  // Shooter
  axis(SDL_CONTROLLER_AXIS_LEFTY, 1);    // Side by side
  frames(3);
  axis(SDL_CONTROLLER_AXIS_LEFTY, 0);
  frames(3);
  tap(SDL_CONTROLLER_BUTTON_A);
  EXPECT_TRUE(until([&] { return shows("duet_strip"); }));
}

TEST_F(PanelsByGamepad, TheSoundEditorOpensFromTheVoicePanelAndCloses) {
  open(frame::SceneId::Spells, 1280, 720);
  if (IsSkipped()) return;
  plug_in();
  if (IsSkipped()) return;
  axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, -1);
  axis(SDL_CONTROLLER_AXIS_TRIGGERLEFT, 1);
  frames(2);
  tap(SDL_CONTROLLER_BUTTON_PADDLE3);
  ASSERT_TRUE(until([&] { return shows("voices"); }));
  EXPECT_FALSE(shows("sound_editor"));
  ASSERT_TRUE(click("ask", static_cast<std::size_t>(Action::SoundEditor)));
  EXPECT_TRUE(until([&] { return shows("sound_editor"); }));
  ASSERT_TRUE(click("close", static_cast<std::size_t>(ui::ClosePanel::SoundEditor)));
  EXPECT_TRUE(until([&] { return !shows("sound_editor"); }));
}

}  // namespace
}  // namespace spellpool::app
