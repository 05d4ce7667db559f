#include "platform/events.hpp"

#include <SDL.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "platform/window.hpp"

namespace spellpool::platform {
namespace {

using frame::Action;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
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
  static void key_up(SDL_Keycode sym, SDL_Scancode scancode, u16 mod = KMOD_NONE) {
    SDL_Event event{};
    event.type = SDL_KEYUP;
    event.key.keysym.sym = sym;
    event.key.keysym.scancode = scancode;
    event.key.keysym.mod = mod;
    SDL_PushEvent(&event);
  }
  static void window_event(u8 what) {
    SDL_Event event{};
    event.type = SDL_WINDOWEVENT;
    event.window.event = what;
    SDL_PushEvent(&event);
  }
  void bind(Action action, const char* key_name, const char* pad_name) {
    bindings[static_cast<std::size_t>(action)] = {key_name, pad_name};
    events->set_bindings(bindings);
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
  std::array<frame::KeyBinding, frame::kActionCount> bindings = frame::Settings::default_bindings();
  UiWants wants_;
};

TEST_F(EventsTest, EveryRowOfTheHotkeyTableIsAKeyThatSdlKnows) {
  EXPECT_TRUE(events->every_hotkey_resolved());
  for (std::size_t i = 0; i < frame::kActionCount; ++i) {
    const std::string name(frame::kHotkeys[i].key);
    if (frame::kHotkeys[i].scenes != frame::Scenes::All) events->set_scene(frame::kHotkeys[i].scenes);
    key(SDL_GetKeyFromName(name.c_str()), SDL_GetScancodeFromName(name.c_str()));
    if (frame::kHotkeys[i].held) {
      const FrameEvents& got = poll();
      EXPECT_TRUE(got.cast_held || got.rapid_held || got.focus_held || got.rewind_held || got.move_x != 0 || got.move_y != 0) << name;
      EXPECT_EQ(got.action_count, 0u) << name;
      key_up(SDL_GetKeyFromName(name.c_str()), SDL_GetScancodeFromName(name.c_str()));
    } else {
      EXPECT_THAT(actions(), ElementsAre(static_cast<Action>(i))) << name;
    }
  }
}

TEST_F(EventsTest, RowsOfTheOtherSceneRestAndLeaveTheirKeys) {
  bind(Action::Bomb, "E", "");
  key(SDLK_e, SDL_SCANCODE_E);
  key(SDLK_LSHIFT, SDL_SCANCODE_LSHIFT, KMOD_LSHIFT);
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE);
  EXPECT_THAT(actions(), ElementsAre(Action::NextSpell));
  EXPECT_FALSE(poll().focus_held);
  key(SDLK_f, SDL_SCANCODE_F);
  EXPECT_TRUE(poll().rapid_held);
  events->set_scene(frame::Scenes::Shooter);
  EXPECT_FALSE(poll().rapid_held) << "what was held is let go";
  key(SDLK_e, SDL_SCANCODE_E);
  key(SDLK_f, SDL_SCANCODE_F);
  key(SDLK_LSHIFT, SDL_SCANCODE_LSHIFT, KMOD_LSHIFT);
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE);
  EXPECT_THAT(actions(), ElementsAre(Action::Bomb, Action::Bomb));
  const FrameEvents& got = poll();
  EXPECT_TRUE(got.focus_held && got.any_input);
  EXPECT_FALSE(got.rapid_held);
}

TEST_F(EventsTest, RowsThatCountWhileDownAreHeldUntilTheyAreUp) {
  key(SDLK_SPACE, SDL_SCANCODE_SPACE);
  key(SDLK_f, SDL_SCANCODE_F);
  key(SDLK_w, SDL_SCANCODE_W);
  key(SDLK_d, SDL_SCANCODE_D);
  const FrameEvents first = poll();
  EXPECT_TRUE(first.cast_pressed && first.cast_held);
  EXPECT_TRUE(first.rapid_pressed && first.rapid_held);
  EXPECT_NEAR(first.move_x, 0.70711f, 1e-4f);
  EXPECT_NEAR(first.move_y, -0.70711f, 1e-4f);
  key(SDLK_SPACE, SDL_SCANCODE_SPACE, KMOD_NONE, 1);
  const FrameEvents second = poll();
  EXPECT_TRUE(second.cast_held && second.rapid_held);
  EXPECT_FALSE(second.cast_pressed || second.rapid_pressed);
  key_up(SDLK_SPACE, SDL_SCANCODE_SPACE, KMOD_LCTRL);
  key_up(SDLK_f, SDL_SCANCODE_F);
  key_up(SDLK_d, SDL_SCANCODE_D);
  const FrameEvents third = poll();
  EXPECT_FALSE(third.cast_held || third.rapid_held);
  EXPECT_EQ(third.move_x, 0.0f);
  EXPECT_EQ(third.move_y, -1.0f);
}

TEST_F(EventsTest, TapOfTheCastKeyShorterThanAFrameIsNotLost) {
  key(SDLK_SPACE, SDL_SCANCODE_SPACE);
  key_up(SDLK_SPACE, SDL_SCANCODE_SPACE);
  const FrameEvents& got = poll();
  EXPECT_TRUE(got.cast_pressed);
  EXPECT_FALSE(got.cast_held);
}

TEST_F(EventsTest, HeldKeysDoNotStickWhenTheFocusGoes) {
  key(SDLK_SPACE, SDL_SCANCODE_SPACE);
  key(SDLK_w, SDL_SCANCODE_W);
  key(SDLK_RIGHT, SDL_SCANCODE_RIGHT);
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT);
  EXPECT_TRUE(poll().cast_held);
  window_event(SDL_WINDOWEVENT_FOCUS_LOST);  // and no key-up ever comes
  const FrameEvents got = poll();
  EXPECT_TRUE(got.focus_lost);
  EXPECT_FALSE(got.cast_held || got.rapid_held);
  EXPECT_EQ(got.move_x, 0.0f);
  EXPECT_EQ(got.move_y, 0.0f);
}

TEST_F(EventsTest, ArrowsWalkTooUnlessARowHasThem) {
  key(SDLK_LEFT, SDL_SCANCODE_LEFT);
  key(SDLK_a, SDL_SCANCODE_A);
  key(SDLK_DOWN, SDL_SCANCODE_DOWN);
  key_up(SDLK_a, SDL_SCANCODE_A);
  const FrameEvents both = poll();
  EXPECT_LT(both.move_x, -0.7f) << "the arrow is still down";
  EXPECT_GT(both.move_y, 0.7f);
  bind(Action::Help, "Left", "");
  key(SDLK_LEFT, SDL_SCANCODE_LEFT);
  const FrameEvents& bound = poll();
  EXPECT_EQ(bound.move_x, 0.0f);
  ASSERT_EQ(bound.action_count, 1u);
  EXPECT_EQ(bound.actions[0], Action::Help);
}

TEST_F(EventsTest, RightButtonCastsRapidly) {
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT);
  EXPECT_FALSE(poll({true, false}).rapid_held) << "on a panel";
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT);
  const FrameEvents got = poll();
  EXPECT_TRUE(got.rapid_held && got.rapid_pressed);
  EXPECT_FALSE(got.cast_held);
  button(SDL_MOUSEBUTTONUP, SDL_BUTTON_RIGHT);
  EXPECT_FALSE(poll().rapid_held);
}

TEST_F(EventsTest, ChosenKeysReplaceTheTablesOwn) {
  bind(Action::Challenge, "Return", "dpup");
  bind(Action::Cast, "Left Shift", "");
  bind(Action::Spell1, "", "");
  EXPECT_EQ(events->binding_warning(), "");
  key(SDLK_c, SDL_SCANCODE_C);
  key(SDLK_1, SDL_SCANCODE_1);
  key(SDLK_SPACE, SDL_SCANCODE_SPACE);
  EXPECT_THAT(actions(), IsEmpty());
  EXPECT_FALSE(poll().cast_held);
  key(SDLK_RETURN, SDL_SCANCODE_RETURN);
  key(SDLK_LSHIFT, SDL_SCANCODE_LSHIFT, KMOD_LSHIFT);
  const FrameEvents& got = poll();
  ASSERT_EQ(got.action_count, 1u);
  EXPECT_EQ(got.actions[0], Action::Challenge);
  EXPECT_TRUE(got.cast_held);
  events->set_bindings(bindings);
  EXPECT_FALSE(poll().cast_held) << "new keys let go of what is held";
}

TEST_F(EventsTest, UnknownNamesKeepTheDefaultAndAreNamed) {
  bind(Action::Mute, "Banana", "");
  EXPECT_EQ(events->binding_warning(), "mute: there is no key named 'Banana'; it stays U");
  key(SDLK_u, SDL_SCANCODE_U);
  EXPECT_THAT(actions(), ElementsAre(Action::Mute));
  bind(Action::MoveUp, "W", "lt+banana\n");
  bind(Action::Help, "F1", "lt+");
  bind(Action::Mute, "U", "");
  EXPECT_EQ(events->binding_warning(),
            "help: there is no gamepad button named 'lt+'; it stays guide (and 1 more like this)");
  bind(Action::Help, "F1", "");
  EXPECT_EQ(events->binding_warning(), "move_up: there is no gamepad button named 'lt+banana?'; it has none now");
  bind(Action::MoveUp, std::string(5'000, 'x').c_str(), "");
  EXPECT_LT(events->binding_warning().size(), 200u);
  bind(Action::MoveUp, "W", "");
  EXPECT_EQ(events->binding_warning(), "");
}

TEST_F(EventsTest, OneKeyForTwoRowsIsTheChosenRowsElseTheFirstRows) {
  bind(Action::Quit, "Tab", "");
  key(SDLK_TAB, SDL_SCANCODE_TAB);
  EXPECT_THAT(actions(), ElementsAre(Action::Quit));
  key_up(SDLK_TAB, SDL_SCANCODE_TAB);
  bind(Action::Help, "Tab", "");
  key(SDLK_TAB, SDL_SCANCODE_TAB);
  EXPECT_THAT(actions(), ElementsAre(Action::Help));
}

TEST_F(EventsTest, AReplaysKeysCountWhileItIsWatchedAndTheGamesRest) {
  key(SDLK_LEFT, SDL_SCANCODE_LEFT);
  key(SDLK_HOME, SDL_SCANCODE_HOME);
  EXPECT_LT(poll().move_x, 0) << "in a game the arrows walk";
  EXPECT_EQ(poll().action_count, 0u);
  events->set_scene(frame::Scenes::Replay);
  key(SDLK_LEFT, SDL_SCANCODE_LEFT);
  key(SDLK_LEFT, SDL_SCANCODE_LEFT, KMOD_NONE, 1);
  key(SDLK_1, SDL_SCANCODE_1);
  key(SDLK_x, SDL_SCANCODE_X);
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE);
  key(SDLK_p, SDL_SCANCODE_P);
  const FrameEvents got = poll();
  EXPECT_EQ(got.move_x, 0);
  ASSERT_EQ(got.action_count, 3u);
  EXPECT_EQ(got.actions[0], Action::ReplayBack);
  EXPECT_EQ(got.actions[1], Action::ReplayBack) << "held, it goes on";
  EXPECT_EQ(got.actions[2], Action::Pause);
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
  key(SDLK_p, SDL_SCANCODE_R);  // Dvorak: the label counts.
  EXPECT_THAT(actions(), ElementsAre(Action::Pause));
}

TEST_F(EventsTest, LeftHandsKeysAreMeantByPlaceUntilThePlayerChoosesOthers) {
  key(SDLK_z, SDL_SCANCODE_W);  // French: Z Q S D walk,
  key(SDLK_q, SDL_SCANCODE_A);
  const FrameEvents french = poll();
  EXPECT_LT(french.move_x, 0.0f);
  EXPECT_LT(french.move_y, 0.0f);
  EXPECT_EQ(french.action_count, 0u) << "and a key that walks does nothing else";
  key_up(SDLK_z, SDL_SCANCODE_W);
  key_up(SDLK_q, SDL_SCANCODE_A);
  key(SDLK_a, SDL_SCANCODE_Q);
  EXPECT_THAT(actions(), ElementsAre(Action::PreviousSpell));
  EXPECT_EQ(poll().move_x, 0.0f);
  bind(Action::MoveUp, "Z", "");
  bind(Action::MoveLeft, "Q", "");
  key(SDLK_z, SDL_SCANCODE_W);
  EXPECT_EQ(poll().move_y, -1.0f) << "the chosen label, at the same place";
  key_up(SDLK_z, SDL_SCANCODE_W);
  key(SDLK_z, SDL_SCANCODE_Y);  // German: Z lies there.
  EXPECT_EQ(poll().move_y, -1.0f) << "the chosen label, elsewhere";
  key_up(SDLK_z, SDL_SCANCODE_Y);
  key(SDLK_w, SDL_SCANCODE_W);
  EXPECT_EQ(poll().move_y, 0.0f);
}

TEST_F(EventsTest, NextKeyIsHeardAndNotActedUpon) {
  key(SDLK_w, SDL_SCANCODE_W);
  EXPECT_EQ(poll().move_y, -1.0f);
  events->listen(true);
  key(SDLK_w, SDL_SCANCODE_W, KMOD_NONE, 1);  // held since before
  key(SDLK_LCTRL, SDL_SCANCODE_LCTRL, KMOD_LCTRL);
  key(SDLK_TAB, SDL_SCANCODE_TAB, KMOD_LALT);
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT);
  const FrameEvents waiting = poll();
  EXPECT_EQ(waiting.heard_key, "");
  EXPECT_EQ(waiting.action_count, 0u);
  EXPECT_EQ(waiting.move_y, 0.0f);
  EXPECT_FALSE(waiting.cast_held || waiting.cast_pressed || waiting.heard_cancel);
  EXPECT_TRUE(events->listening());
  key(SDLK_TAB, SDL_SCANCODE_TAB);
  key(SDLK_m, SDL_SCANCODE_M);
  const FrameEvents heard = poll({true, true});  // even if a panel wants the keyboard
  EXPECT_EQ(heard.heard_key, "Tab");
  EXPECT_EQ(heard.heard_pad, "");
  EXPECT_FALSE(events->listening()) << "one key is enough";
  EXPECT_EQ(poll().heard_key, "");
  key(SDLK_TAB, SDL_SCANCODE_TAB);
  EXPECT_THAT(actions(), ElementsAre(Action::ToggleStrategy));
}

TEST_F(EventsTest, WhatIsHeardCanBeBound) {
  const auto hear = [&](SDL_Keycode sym, SDL_Scancode scancode) {
    events->listen(true);
    key(sym, scancode);
    return poll().heard_key;
  };
  for (const auto& [sym, scancode] : {std::pair{SDLK_SPACE, SDL_SCANCODE_SPACE},
                                      {SDLK_COMMA, SDL_SCANCODE_COMMA},
                                      {SDLK_LSHIFT, SDL_SCANCODE_LSHIFT},
                                      {SDLK_KP_5, SDL_SCANCODE_KP_5},
                                      {SDLK_DELETE, SDL_SCANCODE_DELETE},
                                      {SDLK_F13, SDL_SCANCODE_F13},
                                      {static_cast<SDL_KeyCode>('&'), SDL_SCANCODE_2},
                                      {static_cast<SDL_KeyCode>(0x0437), SDL_SCANCODE_X},
                                      {static_cast<SDL_KeyCode>(0x00f6), SDL_SCANCODE_SEMICOLON}}) {
    bindings = frame::Settings::default_bindings();
    bindings[static_cast<std::size_t>(frame::spell_action(1))].key = "";
    bindings[static_cast<std::size_t>(Action::Cast)].key = "";
    const std::string name = hear(sym, scancode);
    bind(Action::ToggleStrategy, name.c_str(), "");
    EXPECT_EQ(events->binding_warning(), "") << name;
    key(sym, scancode);
    EXPECT_THAT(actions(), ElementsAre(Action::ToggleStrategy)) << name;
  }
}

TEST_F(EventsTest, EscapeEndsListeningUnheard) {
  events->listen(true);
  key(SDLK_ESCAPE, SDL_SCANCODE_ESCAPE);
  const FrameEvents got = poll();
  EXPECT_TRUE(got.heard_cancel);
  EXPECT_EQ(got.heard_key, "");
  EXPECT_EQ(got.action_count, 0u) << "it does not quit";
  EXPECT_FALSE(events->listening());
  EXPECT_FALSE(poll().heard_cancel);
}

TEST_F(EventsTest, AnyInputTellsThatThePlayerIsThere) {
  const auto moved_to = [](int x) {
    SDL_Event event{};
    event.type = SDL_MOUSEMOTION;
    event.motion.x = x;
    SDL_PushEvent(&event);
  };
  EXPECT_FALSE(poll().any_input);
  window_event(SDL_WINDOWEVENT_SIZE_CHANGED);
  EXPECT_FALSE(poll().any_input);
  moved_to(30);
  EXPECT_TRUE(poll().any_input);
  moved_to(30);
  EXPECT_FALSE(poll().any_input) << "a window changed below a mouse at rest";
  key(SDLK_z, SDL_SCANCODE_Z);
  EXPECT_TRUE(poll({true, true}).any_input) << "a key without meaning, in a panel";
  EXPECT_FALSE(poll().any_input);
  button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE);
  EXPECT_TRUE(poll().any_input);
  SDL_Event wheel{};
  wheel.type = SDL_MOUSEWHEEL;
  wheel.wheel.preciseY = 1;
  SDL_PushEvent(&wheel);
  EXPECT_TRUE(poll().any_input);
  key(SDLK_d, SDL_SCANCODE_D);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(poll().any_input) << "held";
  key_up(SDLK_d, SDL_SCANCODE_D);
  EXPECT_FALSE(poll().any_input);
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

TEST_F(EventsTest, AStepAsideShorterThanAFrameIsNotLost) {
  key(SDLK_d, SDL_SCANCODE_D);
  key_up(SDLK_d, SDL_SCANCODE_D);
  EXPECT_EQ(poll().move_x, 1.0f);
  EXPECT_EQ(poll().move_x, 0.0f);
  key(SDLK_LEFT, SDL_SCANCODE_LEFT);
  key_up(SDLK_LEFT, SDL_SCANCODE_LEFT);
  EXPECT_EQ(poll().move_x, -1.0f);
  EXPECT_EQ(poll().move_x, 0.0f);
  key(SDLK_d, SDL_SCANCODE_D);
  key_up(SDLK_d, SDL_SCANCODE_D);
  EXPECT_EQ(poll({true, true}).move_x, 0.0f) << "it was typed into a panel";
}

TEST_F(EventsTest, EnterBeginsUnlessARowHasIt) {
  key(SDLK_RETURN, SDL_SCANCODE_RETURN);
  EXPECT_TRUE(poll().start_pressed);
  key(SDLK_RETURN, SDL_SCANCODE_RETURN, KMOD_NONE, 1);
  EXPECT_FALSE(poll().start_pressed) << "it is held";
  key(SDLK_KP_ENTER, SDL_SCANCODE_KP_ENTER);
  EXPECT_TRUE(poll().start_pressed);
  bind(Action::Mute, "Return", "");
  key(SDLK_RETURN, SDL_SCANCODE_RETURN);
  const FrameEvents& got = poll();
  EXPECT_FALSE(got.start_pressed);
  EXPECT_EQ(got.action_count, 1u);
}

TEST_F(EventsTest, AMouseTravelsFromWhereItWasSeenOnly) {
  const auto moved_to = [](int x) {
    SDL_Event event{};
    event.type = SDL_MOUSEMOTION;
    event.motion.x = x;
    SDL_PushEvent(&event);
  };
  moved_to(200);
  EXPECT_FALSE(poll().mouse_travelled) << "the window opened below it";
  moved_to(200);
  EXPECT_FALSE(poll().mouse_travelled);
  moved_to(204);
  EXPECT_TRUE(poll().mouse_travelled);
  EXPECT_FALSE(poll().mouse_travelled);
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

/// With a gamepad that the test moves.
class GamepadTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(events->gamepad_count(), 0u) << events->warning();
    index = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                      SDL_CONTROLLER_BUTTON_MAX, 0);
    if (index < 0) GTEST_SKIP() << "no virtual gamepads: " << SDL_GetError();
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    poll();
    ASSERT_EQ(events->gamepad_count(), 1u);
    stick = SDL_JoystickFromInstanceID(SDL_JoystickGetDeviceInstanceID(index));
    ASSERT_NE(stick, nullptr);
  }
  void TearDown() override {
    if (index >= 0) SDL_JoystickDetachVirtual(index);
  }
  void push(SDL_GameControllerButton which, bool down = true) {
    SDL_JoystickSetVirtualButton(stick, which, down ? 1 : 0);
  }
  void axis(SDL_GameControllerAxis which, int value) {
    SDL_JoystickSetVirtualAxis(stick, which, static_cast<i16>(value));
  }
  /// How far it is pulled, 0 … 1.
  void left_trigger(double pulled) { axis(SDL_CONTROLLER_AXIS_TRIGGERLEFT, static_cast<int>(pulled * 65535) - 32768); }

  int index = -1;
  SDL_Joystick* stick = nullptr;
};

TEST_F(GamepadTest, SticksTriggerAndButtonsAreReadUntilItIsUnplugged) {
  push(SDL_CONTROLLER_BUTTON_Y);
  EXPECT_THAT(actions(), ElementsAre(Action::ToggleStrategy));
  axis(SDL_CONTROLLER_AXIS_LEFTX, 32767);
  axis(SDL_CONTROLLER_AXIS_RIGHTY, -32768);
  axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 32767);
  const FrameEvents got = poll();
  EXPECT_NEAR(got.move_x, 1.0f, 1e-3f);
  EXPECT_TRUE(got.stick_aims);
  EXPECT_NEAR(got.aim_y, -1.0f, 1e-3f);
  EXPECT_TRUE(got.cast_pressed);
  EXPECT_TRUE(got.cast_held);
  EXPECT_TRUE(got.any_input);
  EXPECT_FALSE(poll().cast_pressed);
  axis(SDL_CONTROLLER_AXIS_LEFTX, 3000);
  EXPECT_EQ(poll().move_x, 0.0f) << "inside the dead zone";

  push(SDL_CONTROLLER_BUTTON_B);
  EXPECT_TRUE(poll().rapid_held);
  SDL_JoystickDetachVirtual(index);
  index = -1;
  const FrameEvents& gone = poll();
  EXPECT_EQ(events->gamepad_count(), 0u);
  EXPECT_FALSE(gone.cast_held);
  EXPECT_FALSE(gone.rapid_held);
  EXPECT_FALSE(gone.stick_aims);
}

TEST_F(GamepadTest, RestingGamepadIsNoInput) {
  axis(SDL_CONTROLLER_AXIS_LEFTX, 3000);
  axis(SDL_CONTROLLER_AXIS_RIGHTY, -2000);
  EXPECT_FALSE(poll().any_input);
  axis(SDL_CONTROLLER_AXIS_LEFTY, 20000);
  EXPECT_TRUE(poll().any_input);
  EXPECT_TRUE(poll().any_input) << "for as long as it is pushed";
}

TEST_F(GamepadTest, StartBeginsBesideWhatItsRowAsksFor) {
  push(SDL_CONTROLLER_BUTTON_START);
  const FrameEvents got = poll();
  EXPECT_TRUE(got.start_pressed);
  ASSERT_EQ(got.action_count, 1u);
  EXPECT_EQ(got.actions[0], Action::Pause);
  EXPECT_FALSE(poll().start_pressed);
  push(SDL_CONTROLLER_BUTTON_START, false);
  left_trigger(1);
  poll();
  push(SDL_CONTROLLER_BUTTON_START);
  EXPECT_FALSE(poll().start_pressed) << "with the trigger it is another row's";
}

TEST_F(GamepadTest, CastButtonIsHeldUntilItIsUp) {
  push(SDL_CONTROLLER_BUTTON_A);
  const FrameEvents first = poll();
  EXPECT_TRUE(first.cast_pressed && first.cast_held);
  EXPECT_EQ(first.action_count, 0u);
  left_trigger(1);
  const FrameEvents second = poll();
  EXPECT_TRUE(second.cast_held) << "the left trigger comes too late to change what is held";
  EXPECT_FALSE(second.cast_pressed);
  push(SDL_CONTROLLER_BUTTON_A, false);
  EXPECT_FALSE(poll().cast_held);
}

TEST_F(GamepadTest, TheLeftTriggerTurnsTheRightStickIntoAMouseWhereThereIsSomethingToPointAt) {
  struct Mouse {
    int motions = 0, downs = 0, ups = 0, x = -1, y = -1;
    bool over_panel = true;
  } mouse;
  const auto turn = [&] {
    const FrameEvents got = events->poll(
        *window,
        [](void* self, const SDL_Event& event) {
          auto& m = *static_cast<Mouse*>(self);
          if (event.type == SDL_MOUSEMOTION) ++m.motions, m.x = event.motion.x, m.y = event.motion.y;
          m.downs += event.type == SDL_MOUSEBUTTONDOWN;
          m.ups += event.type == SDL_MOUSEBUTTONUP;
          return UiWants{m.over_panel, false};
        },
        &mouse);
    SDL_Delay(2);  // its way is as long as time passes
    return got;
  };
  const auto until = [&](const auto& condition) {
    for (int i = 0; i < 5'000 && !condition(); ++i) turn();
    return condition();
  };
  left_trigger(1);
  axis(SDL_CONTROLLER_AXIS_RIGHTX, 32767);
  EXPECT_TRUE(turn().stick_aims) << "nothing is open";
  turn();
  EXPECT_EQ(mouse.motions, 0);

  events->point_with_pad(true);
  EXPECT_TRUE(until([&] { return mouse.x == 399; })) << "to the window's edge and no further";
  axis(SDL_CONTROLLER_AXIS_RIGHTY, 32767);
  EXPECT_TRUE(until([&] { return mouse.y == 199; }));
  axis(SDL_CONTROLLER_AXIS_RIGHTX, -32768);
  axis(SDL_CONTROLLER_AXIS_RIGHTY, 0);
  EXPECT_TRUE(until([&] { return mouse.x < 300; }));
  const FrameEvents points = turn();
  EXPECT_FALSE(points.stick_aims);
  EXPECT_FALSE(points.mouse_moved) << "the game does not aim by it, nor the ship follow it";
  EXPECT_FALSE(points.mouse_travelled);
  axis(SDL_CONTROLLER_AXIS_RIGHTX, 0);
  turn();

  EXPECT_EQ(mouse.downs, 0);
  axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 32767);
  EXPECT_FALSE(turn().cast_held) << "over a panel it clicks";
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(turn().cast_pressed);
  EXPECT_GE(mouse.downs, 3) << "held";
  EXPECT_EQ(mouse.ups, 0);
  mouse.over_panel = false;
  EXPECT_FALSE(turn().cast_held) << "a drag that began over a panel stays with it";
  left_trigger(0);
  EXPECT_FALSE(turn().cast_held) << "whatever the left trigger does";
  left_trigger(1);
  axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 0);
  turn();
  turn();
  EXPECT_EQ(mouse.ups, 1);
  axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 32767);
  EXPECT_TRUE(turn().cast_held) << "elsewhere it casts as ever";
  mouse.over_panel = true;
  EXPECT_TRUE(turn().cast_held) << "and goes on over a panel";
  left_trigger(0);
  axis(SDL_CONTROLLER_AXIS_RIGHTX, 32767);
  EXPECT_TRUE(turn().stick_aims) << "without the left trigger it aims";
}

TEST_F(GamepadTest, LeftTriggerTurnsAButtonIntoItsOtherRow) {
  left_trigger(0.4);
  push(SDL_CONTROLLER_BUTTON_X);
  EXPECT_THAT(actions(), ElementsAre(Action::NextPolicy)) << "less than half";
  push(SDL_CONTROLLER_BUTTON_X, false);
  poll();
  left_trigger(0.6);
  push(SDL_CONTROLLER_BUTTON_X);
  push(SDL_CONTROLLER_BUTTON_A);
  const FrameEvents got = poll();
  EXPECT_FALSE(got.cast_held || got.cast_pressed);
  EXPECT_THAT(std::vector(got.actions.begin(), got.actions.begin() + static_cast<std::ptrdiff_t>(got.action_count)),
              ::testing::UnorderedElementsAre(frame::spell_action(2), Action::Spell1));
  push(SDL_CONTROLLER_BUTTON_A, false);
  poll();
  left_trigger(0);
  poll();
  push(SDL_CONTROLLER_BUTTON_A);
  EXPECT_TRUE(poll().cast_held);
}

TEST_F(GamepadTest, EveryRowOfTheTableIsReachedByItsButton) {
  for (const frame::Hotkey& row : frame::kHotkeys) {
    if (row.pad.empty()) continue;
    const bool with_trigger = row.pad.substr(0, 3) == "lt+";
    const std::string name(row.pad.substr(with_trigger ? 3 : 0));
    const SDL_GameControllerButton which = SDL_GameControllerGetButtonFromString(name.c_str());
    left_trigger(with_trigger ? 1 : 0);
    if (row.scenes != frame::Scenes::All) events->set_scene(row.scenes);
    poll();
    // As an event of its own: SDL delays the guide button.
    SDL_Event event{};
    event.type = SDL_CONTROLLERBUTTONDOWN;
    event.cbutton.which = SDL_JoystickInstanceID(stick);
    event.cbutton.button = static_cast<u8>(which);
    SDL_PushEvent(&event);
    const FrameEvents got = poll();
    if (row.held) {
      EXPECT_TRUE(got.cast_held || got.rapid_held || got.focus_held || got.rewind_held) << row.name;
    } else {
      ASSERT_EQ(got.action_count, 1u) << row.name;
      EXPECT_EQ(got.actions[0], row.id) << row.name;
    }
    event.type = SDL_CONTROLLERBUTTONUP;
    SDL_PushEvent(&event);
    EXPECT_FALSE(poll().cast_held);
  }
}

TEST_F(GamepadTest, ButtonIsHeardWithItsTrigger) {
  left_trigger(1);
  poll();
  events->listen(true);
  EXPECT_EQ(poll().heard_pad, "") << "the trigger alone is no button";
  push(SDL_CONTROLLER_BUTTON_X);
  const FrameEvents got = poll();
  EXPECT_EQ(got.heard_pad, "lt+x");
  EXPECT_EQ(got.action_count, 0u);
  EXPECT_FALSE(events->listening());
  push(SDL_CONTROLLER_BUTTON_X, false);
  bind(Action::Cast, "", got.heard_pad.c_str());
  push(SDL_CONTROLLER_BUTTON_X);
  poll();
  push(SDL_CONTROLLER_BUTTON_X, false);
  poll();
  push(SDL_CONTROLLER_BUTTON_X);
  EXPECT_TRUE(poll().cast_held) << "Cast comes before Spell3 in the table";
}

}  // namespace
}  // namespace spellpool::platform
