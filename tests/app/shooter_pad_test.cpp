// The shooter by a gamepad alone: the game's own loop in this process, with a gamepad that the test moves.
#include <SDL.h>

#include "../support/patience.hpp"
#include "../support/pictures.hpp"
#include "../support/scratch_folder.hpp"
#include "app/play/pool_sizes.hpp"
#include "app/window/window_game.hpp"
#include "shooter_replay.hpp"

namespace spellpool::app {
namespace {

using frame::Action;
using frame::ShooterState;

class ShooterPad : public ::testing::Test {
 protected:
  void open(const char* stage) {
    std::filesystem::copy(std::filesystem::path(SPELLPOOL_SOURCE_DIR) / "assets", scratch_ / "assets", std::filesystem::copy_options::recursive);
    std::filesystem::copy(std::filesystem::path(SPELLPOOL_SOURCE_DIR) / "shaders", scratch_ / "shaders", std::filesystem::copy_options::recursive);
    test::write_file(scratch_ / "assets/stages/night_garden.toml", stage);
    test::write_file(scratch_ / "assets/patterns/dust.toml", kDust);
    test::write_file(scratch_ / "assets/patterns/flood.toml", kFlood);
    PlayOptions options;
    options.world.scene = frame::SceneId::Shooter;
    options.record_input = (scratch_ / "r.replay").string();
    ASSERT_EQ(load_texts(data(), library_, options.world), "");
    remembered_.settings.window_width = 640;
    remembered_.settings.window_height = 360;
    remembered_.scores_path = (scratch_ / "scores.toml").string();
    game_ = std::make_unique<WindowGame>(options, library_, sounds_, data(), shell_,
                                         std::make_unique<platform::FileWatch>(std::vector<std::filesystem::path>{}, 1), remembered_);
    if (const std::string error = game_->open(); !error.empty()) GTEST_SKIP() << "skipped: " << error;
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    index_ = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0);
    if (index_ < 0) GTEST_SKIP() << "skipped: no virtual gamepads: " << SDL_GetError();
    frames(2);
    stick_ = SDL_JoystickFromInstanceID(SDL_JoystickGetDeviceInstanceID(index_));
    ASSERT_NE(stick_, nullptr);
  }
  void TearDown() override {
    if (index_ >= 0) SDL_JoystickDetachVirtual(index_);
  }
  std::string data() const { return scratch_.path().string(); }
  const frame::ShooterView& view() const { return *game_->game().session().world().shooter_view(); }
  bool is(ShooterState state) const { return view().state == state; }

  void frames(int count) {
    for (test::Pictures pictures(count); pictures.more();) ASSERT_TRUE(game_->frame());
  }
  template <class Condition>
  void until(const char* what, const Condition& condition) {
    for (const test::Patience patience; patience.left() && !condition();) ASSERT_TRUE(game_->frame());
    ASSERT_TRUE(condition()) << what << " never came";
  }
  void hold(SDL_GameControllerButton button, bool down = true) { SDL_JoystickSetVirtualButton(stick_, button, down ? 1 : 0); }
  void tap(SDL_GameControllerButton button) {
    hold(button);
    frames(3);
    hold(button, false);
    frames(3);
  }
  void push(SDL_GameControllerAxis axis, int value) { SDL_JoystickSetVirtualAxis(stick_, axis, static_cast<i16>(value)); }

  test::ScopedVariable video_{"SDL_VIDEODRIVER", "offscreen"}, audio_{"SDL_AUDIODRIVER", "dummy"};
  test::ScratchFolder scratch_;
  SpellLibrary library_;
  SoundLibrary sounds_{sound_folders(data(), Own::No)};
  Remembered remembered_;
  Shell shell_;
  std::unique_ptr<WindowGame> game_;
  int index_ = -1;
  SDL_Joystick* stick_ = nullptr;
};

TEST_F(ShooterPad, PlaysDiesContinuesAndFinishesFromTitleToTitle) {
  open(kDeadlyStage);
  if (IsSkipped()) return;
  push(SDL_CONTROLLER_AXIS_LEFTX, 32767);
  until("another difficulty", [&] { return view().difficulty == frame::Difficulty::Hard; });
  push(SDL_CONTROLLER_AXIS_LEFTX, 0);
  frames(3);
  hold(SDL_CONTROLLER_BUTTON_START);
  until("the stage", [&] { return is(ShooterState::Playing); });
  hold(SDL_CONTROLLER_BUTTON_START, false);
  hold(SDL_CONTROLLER_BUTTON_A);
  push(SDL_CONTROLLER_AXIS_LEFTX, -32768);
  hold(SDL_CONTROLLER_BUTTON_LEFTSHOULDER);
  frames(5);
  EXPECT_TRUE(view().focus);
  hold(SDL_CONTROLLER_BUTTON_LEFTSHOULDER, false);

  tap(SDL_CONTROLLER_BUTTON_START);
  const float paused_s = view().stage_s;
  frames(20);
  EXPECT_EQ(view().stage_s, paused_s);
  tap(SDL_CONTROLLER_BUTTON_START);
  until("the next step", [&] { return view().stage_s > paused_s; });

  // On a slow machine many steps pass between two pictures, and who loses a ship gets new bombs: see what was recorded.
  for (int i = 0; i < 20 && view().bombs == 3 && is(ShooterState::Playing); ++i) tap(SDL_CONTROLLER_BUTTON_B);
  until("the last ship's end", [&] { return is(ShooterState::Continue); });
  hold(SDL_CONTROLLER_BUTTON_A, false);
  frames(3);
  tap(SDL_CONTROLLER_BUTTON_A);
  until("another ship", [&] { return is(ShooterState::Playing); });
  EXPECT_EQ(view().continues, 1u);
  hold(SDL_CONTROLLER_BUTTON_A);
  until("the end", [&] { return is(ShooterState::Won); });
  EXPECT_GT(view().score, 0u);
  hold(SDL_CONTROLLER_BUTTON_A, false);
  for (int i = 0; i < 100 && !is(ShooterState::Title); ++i) tap(SDL_CONTROLLER_BUTTON_A);
  EXPECT_TRUE(is(ShooterState::Title));

  ASSERT_EQ(game_->close(), "");
  const std::vector<Moment> all = play_again((scratch_ / "r.replay").string(), data());
  const auto start = first_of(all, ShooterState::Playing);
  EXPECT_TRUE(std::any_of(start, all.end(), [](const Moment& moment) { return moment.x < -10 && moment.view.state == ShooterState::Playing; })) << "the stick flies";
  EXPECT_TRUE(std::any_of(start, all.end(), [](const Moment& moment) { return moment.view.bombs == 2; })) << "the button bombs";
  const std::string scores = test::read_file(scratch_ / "scores.toml");
  EXPECT_NE(scores.find("difficulty = \"hard\""), std::string::npos) << scores;
}

TEST_F(ShooterPad, ButtonsOfOnesOwnFlyAndBomb) {
  auto& bindings = remembered_.settings.bindings;
  bindings[static_cast<std::size_t>(Action::Bomb)].pad = "x";
  bindings[static_cast<std::size_t>(Action::NextPolicy)].pad = "b";
  bindings[static_cast<std::size_t>(Action::MoveLeft)].pad = "dpleft";
  bindings[static_cast<std::size_t>(Action::PoolPanel)].pad = "";
  open(kQuickStage);
  if (IsSkipped()) return;
  tap(SDL_CONTROLLER_BUTTON_A);
  until("the stage", [&] { return is(ShooterState::Playing); });
  tap(SDL_CONTROLLER_BUTTON_B);
  EXPECT_EQ(view().bombs, 3u);
  tap(SDL_CONTROLLER_BUTTON_X);
  EXPECT_EQ(view().bombs, 2u);
  hold(SDL_CONTROLLER_BUTTON_DPAD_LEFT);
  frames(10);
  ASSERT_EQ(game_->close(), "");
  const std::vector<Moment> all = play_again((scratch_ / "r.replay").string(), data());
  ASSERT_FALSE(all.empty());
  EXPECT_LT(all.back().x, -5.0f);
}

}  // namespace
}  // namespace spellpool::app
