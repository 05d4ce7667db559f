#include "platform/events.hpp"

#include <SDL.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "platform/window.hpp"
#include "scratch_folder.hpp"

namespace spellpool::platform {
namespace {

using frame::Action;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EventsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    WindowOptions options;
    options.headless = true;
    options.width = 400;
    options.height = 200;
    WindowResult result = Window::open(options);
    if (result.window == nullptr) GTEST_SKIP() << result.error;
    window = std::move(result.window);
    events = std::make_unique<Events>();
    events->poll(*window);
  }

  static void key(SDL_Keycode sym, SDL_Scancode scancode, u16 mod = KMOD_NONE, u8 repeat = 0) {
    SDL_Event event{};
    event.type = SDL_KEYDOWN;
    event.key.keysym.sym = sym;
    event.key.keysym.scancode = scancode;
    event.key.keysym.mod = mod;
    event.key.repeat = repeat;
    SDL_PushEvent(&event);
  }
  static void button(u32 type, u8 which) {
    SDL_Event event{};
    event.type = type;
    event.button.button = which;
    SDL_PushEvent(&event);
  }
  std::vector<Action> actions(UiWants wants = {}) {
    const FrameEvents& got = poll(wants);
    return {got.actions.begin(), got.actions.begin() + static_cast<std::ptrdiff_t>(got.action_count)};
  }
  const FrameEvents& poll(UiWants wants = {}) {
    wants_ = wants;
    return events->poll(
        *window, [](void* self, const SDL_Event&) { return *static_cast<UiWants*>(self); }, &wants_);
  }

  std::unique_ptr<Window> window;
  std::unique_ptr<Events> events;
  UiWants wants_;
};

TEST_F(EventsTest, EveryRowOfTheHotkeyTableIsAKeyThatSdlKnows) {
  EXPECT_TRUE(events->every_hotkey_resolved());
  for (std::size_t i = 0; i < frame::kActionCount; ++i) {
    const std::string name(frame::kHotkeys[i].key);
    key(SDL_GetKeyFromName(name.c_str()), SDL_GetScancodeFromName(name.c_str()));
    EXPECT_THAT(actions(), ElementsAre(static_cast<Action>(i))) << name;
  }
}

TEST_F(EventsTest, RepeatsCountForSingleStepOnly) {
  key(SDLK_TAB, SDL_SCANCODE_TAB, KMOD_NONE, 1);
  key(SDLK_n, SDL_SCANCODE_N, KMOD_NONE, 1);
  key(SDLK_n, SDL_SCANCODE_N, KMOD_NONE, 1);
  EXPECT_THAT(actions(), ElementsAre(Action::SingleStep, Action::SingleStep));
}

TEST_F(EventsTest, KeysOfTheWindowManagerAreNoHotkeys) {
  key(SDLK_F4, SDL_SCANCODE_F4, KMOD_LALT);
  key(SDLK_TAB, SDL_SCANCODE_TAB, KMOD_LALT);
  key(SDLK_r, SDL_SCANCODE_R, KMOD_LCTRL);
  EXPECT_THAT(actions(), IsEmpty());
}

TEST_F(EventsTest, OtherLayoutsReachDigitsAndLettersByPlace) {
  key('&', SDL_SCANCODE_1);     // French: the key of the 1 without Shift.
  key(0x0437, SDL_SCANCODE_P);  // Russian з.
  EXPECT_THAT(actions(), ElementsAre(Action::Spell1, Action::Pause));
  key(SDLK_o, SDL_SCANCODE_S);  // Dvorak: the label counts.
  EXPECT_THAT(actions(), ElementsAre(Action::NextPolicy));
}

TEST_F(EventsTest, PanelsThatWantTheInputKeepItFromTheGame) {
  key(SDLK_TAB, SDL_SCANCODE_TAB);
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT);
  EXPECT_THAT(actions({true, true}), IsEmpty());
  EXPECT_FALSE(poll({true, true}).cast_held);
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT);
  EXPECT_TRUE(poll().cast_held);
  EXPECT_TRUE(poll({true, false}).cast_held) << "a drag that began outside goes on over a panel";
  button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT);
  EXPECT_FALSE(poll({true, false}).cast_held);
}

TEST_F(EventsTest, ClickShorterThanAFrameIsNotLost) {
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT);
  button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT);
  const FrameEvents& got = poll();
  EXPECT_TRUE(got.cast_pressed);
  EXPECT_FALSE(got.cast_held);
  EXPECT_FALSE(poll().cast_pressed);
}

TEST_F(EventsTest, MousePositionStaysUntilItMoves) {
  SDL_Event event{};
  event.type = SDL_MOUSEMOTION;
  event.motion.x = 120;
  event.motion.y = 40;
  SDL_PushEvent(&event);
  EXPECT_TRUE(poll().mouse_moved);
  const FrameEvents& later = poll();
  EXPECT_FALSE(later.mouse_moved);
  EXPECT_EQ(later.mouse_x_px, 120.0f);
  EXPECT_EQ(later.mouse_y_px, 40.0f);
}

TEST_F(EventsTest, WindowAndSoundDevicesAreTold) {
  SDL_Event event{};
  event.type = SDL_WINDOWEVENT;
  event.window.event = SDL_WINDOWEVENT_SIZE_CHANGED;
  SDL_PushEvent(&event);
  event.window.event = SDL_WINDOWEVENT_FOCUS_LOST;
  SDL_PushEvent(&event);
  event = {};
  event.type = SDL_AUDIODEVICEREMOVED;
  event.adevice.which = 5;
  SDL_PushEvent(&event);
  const FrameEvents& got = poll();
  EXPECT_TRUE(got.resized);
  EXPECT_TRUE(got.focus_lost);
  EXPECT_FALSE(got.quit);
  ASSERT_EQ(got.audio_removed_count, 1u);
  EXPECT_EQ(got.audio_removed[0], 5u);
  event = {};
  event.type = SDL_QUIT;
  SDL_PushEvent(&event);
  EXPECT_TRUE(poll().quit);
}

TEST_F(EventsTest, FloodOfKeysIsCutNotOverflowed) {
  for (int i = 0; i < 500; ++i) key(SDLK_TAB, SDL_SCANCODE_TAB);
  EXPECT_EQ(poll().action_count, FrameEvents::kMaxActions);
}

TEST_F(EventsTest, GamepadsComeAndGoWhilePlaying) {
  EXPECT_EQ(events->gamepad_count(), 0u) << events->warning();
  const int index = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                              SDL_CONTROLLER_BUTTON_MAX, 0);
  if (index < 0) GTEST_SKIP() << "no virtual gamepads: " << SDL_GetError();
  SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
  poll();
  ASSERT_EQ(events->gamepad_count(), 1u);
  SDL_Joystick* stick = SDL_JoystickFromInstanceID(SDL_JoystickGetDeviceInstanceID(index));
  ASSERT_NE(stick, nullptr);

  SDL_JoystickSetVirtualButton(stick, SDL_CONTROLLER_BUTTON_Y, 1);
  EXPECT_THAT(actions(), ElementsAre(Action::NextStrategy));
  SDL_JoystickSetVirtualAxis(stick, SDL_CONTROLLER_AXIS_LEFTX, 32767);
  SDL_JoystickSetVirtualAxis(stick, SDL_CONTROLLER_AXIS_RIGHTY, -32768);
  SDL_JoystickSetVirtualAxis(stick, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 32767);
  const FrameEvents& got = poll();
  EXPECT_NEAR(got.move_x, 1.0f, 1e-3f);
  EXPECT_TRUE(got.stick_aims);
  EXPECT_NEAR(got.aim_y, -1.0f, 1e-3f);
  EXPECT_TRUE(got.cast_pressed);
  EXPECT_TRUE(got.cast_held);
  EXPECT_FALSE(poll().cast_pressed);
  SDL_JoystickSetVirtualAxis(stick, SDL_CONTROLLER_AXIS_LEFTX, 3000);
  EXPECT_EQ(poll().move_x, 0.0f) << "inside the dead zone";

  SDL_JoystickDetachVirtual(index);
  const FrameEvents& gone = poll();
  EXPECT_EQ(events->gamepad_count(), 0u);
  EXPECT_FALSE(gone.cast_held);
  EXPECT_FALSE(gone.stick_aims);
}

}  // namespace
}  // namespace spellpool::platform
