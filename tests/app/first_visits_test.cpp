// A newcomer in front of a new window, with no settings of their own: three inputs at most, and a difference
// between new/delete and the pool is on the screen. By the keyboard and the mouse in the program itself, by a
// gamepad in the game's own loop on a real display. With SPELLPOOL_PICTURES=FOLDER each visit leaves a
// picture of its start and of its end there.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <signal.h>

#include "../support/patience.hpp"
#include "measure/record/environment.hpp"
#include "played_game.hpp"
#include "window_program.hpp"

namespace spellpool::app {
namespace {

/// What the visitor sees at the end.
enum class Sees : u8 { Duet, Banner };

struct Visit {
  const char* name;
  int width, height;
  int text_scale;
  const char* inputs;  ///< Each by `input`.
  Sees sees;
};

// What a visit's script uses: `input COMMAND…` counts one and waits until it is handled. Side by side shows the
// allocations of both from the first step on; how far the times are apart can be seen only where the machine is
// quiet enough, and then it is a property of the test.
constexpr const char* kWords =
    "inputs=0; input() { inputs=$((inputs + 1)); \"$@\"; drawn; }\n"
    "key() { input xdotool key $1; }\n"
    "click() { input press $1 $2; }\n"
    "ratio=none; apart() { look; [[ $layout =~ \\\"duet_ratio\\\":([0-9.]+) ]] && ratio=${BASH_REMATCH[1]}; }\n"
    "beside() { has_part duet_strip && ((step >= 90)); }\n"
    "counted() { look; [[ $layout =~ \\\"banner_calls\\\":([0-9]+),\\\"banner_calls_before\\\":([0-9.]+) ]] "
    "&& calls=${BASH_REMATCH[1]} before=${BASH_REMATCH[2]} && ((calls > 0)); }\n"
    "seconds() { ps -o etimes= -p $PID; }\n";

class ThreeInputs : public WindowProgram, public testing::WithParamInterface<Visit> {
 protected:
  ThreeInputs() { json_.clear(); }
};

TEST_P(ThreeInputs, AtMostShowATrueDifference) {
  const Visit& visit = GetParam();
  const bool duet = visit.sees == Sees::Duet;
  const std::string name = visit.name;
  const Outcome outcome =
      play("--text-scale " + std::to_string(visit.text_scale),
           std::string(kWords) + "shown title; picture " + name + "_a\n" + visit.inputs + "\n" +
               (duet ? "await beside; apart; echo $ratio >ratio\n" : "await counted; echo $calls $before >calls\n") +
               "seconds >seconds; echo $inputs >inputs; picture " + name + "_b; kill -INT $PID",
           "--width " + std::to_string(visit.width) + " --height " + std::to_string(visit.height));
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_LE(std::stoi(read("inputs")), 3);
  EXPECT_LE(std::stoi(read("seconds")), 30);
  if (duet) {
    RecordProperty("ratio", read("ratio"));
    return;
  }
  // Off the pool: allocations now, none before. Both are exact.
  unsigned calls = 0;
  double before = -1;
  ASSERT_EQ(std::sscanf(read("calls").c_str(), "%u %lf", &calls, &before), 2);
  EXPECT_GT(calls, 0u);
  EXPECT_LT(before, 0.5);
}

constexpr std::array kVisits = {
    Visit{"keys_title", 1280, 720, 1, "key Down; key Down; key Return", Sees::Duet},
    Visit{"keys_title_small_large_text", 640, 400, 2, "key Down; key Down; key Return", Sees::Duet},
    Visit{"keys_z_on_title", 640, 400, 1, "key z", Sees::Duet},
    Visit{"keys_arena_z", 1280, 720, 2, "key Return; shown spell_bar; key z", Sees::Duet},
    Visit{"keys_arena_tab", 1280, 720, 1, "key Return; shown spell_bar; key Tab", Sees::Banner},
    Visit{"keys_arena_tab_small_large_text", 640, 400, 2, "key Return; shown spell_bar; key Tab",
          Sees::Banner},
    Visit{"keys_shooter_z", 640, 400, 1, "key Down; key Return; gone title; key z", Sees::Duet},
    Visit{"mouse_title", 1280, 720, 1, "click title_item 3", Sees::Duet},
    Visit{"mouse_title_large_text", 1280, 720, 2, "click title_item 3", Sees::Duet},
    Visit{"mouse_title_small", 640, 400, 1, "click title_item 3", Sees::Duet},
    Visit{"mouse_title_small_large_text", 640, 400, 2, "click title_item 3", Sees::Duet},
    Visit{"mouse_hint", 1280, 720, 1,
          "click title_item 1; shown hint; xdotool mousemove --window $W 800 300; input xdotool click 1; click ask 0",
          Sees::Banner},
};
static_assert(frame::Action{} == frame::Action::ToggleStrategy, "\"ask 0\" above");
INSTANTIATE_TEST_SUITE_P(By, ThreeInputs, testing::ValuesIn(kVisits),
                         [](const auto& visit) { return std::string(visit.param.name); });

TEST_F(WindowProgram, TheHintShrinksToARowOfKeysOnceASpellAndANewStrategyWereTried) {
  const Outcome outcome = play("--scene spells",
                               "shown hint; xdotool mousemove --window $W 800 300 click 1; drawn; steps 30\n"
                               "look; has_part hint && echo stays; xdotool key Tab; gone hint; shown key_row; kill -INT $PID",
                               "--width 1280 --height 720");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "stays\n");
}

/// An X server of the test's own.
class OwnDisplay {
 public:
  OwnDisplay() {
    pipe_ = popen(
        "echo $$; exec Xvfb -screen 0 1400x900x24 -nolisten tcp -ac -noreset -displayfd 1 2>/dev/null", "r");
    if (pipe_ == nullptr || std::fscanf(pipe_, "%d %d", &process_, &number_) != 2) number_ = -1;
  }
  ~OwnDisplay() {
    if (process_ > 0) kill(process_, SIGTERM);
    if (pipe_ != nullptr) pclose(pipe_);
  }
  OwnDisplay(const OwnDisplay&) = delete;
  OwnDisplay& operator=(const OwnDisplay&) = delete;
  bool opened() const { return number_ >= 0; }
  std::string name() const { return ":" + std::to_string(number_); }

 private:
  FILE* pipe_ = nullptr;
  int process_ = 0, number_ = -1;
};

class ThreeInputsByPad : public PlayedGame {
 protected:
  void visit(const char* name, u32 width, u32 height, const std::vector<SDL_GameControllerButton>& buttons,
             const char* seen) {
    if (!have_command("Xvfb")) GTEST_SKIP() << "skipped: no Xvfb";
    const OwnDisplay display;
    if (!display.opened()) GTEST_SKIP() << "skipped: Xvfb did not start";
    const test::ScopedVariable shown("DISPLAY", display.name().c_str()), driver("SDL_VIDEODRIVER", "x11"),
        software("LIBGL_ALWAYS_SOFTWARE", "1");
    const auto begin = std::chrono::steady_clock::now();
    open(frame::SceneId::Spells, width, height, true);
    if (IsSkipped() || HasFatalFailure()) return;
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    const int index = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                                SDL_CONTROLLER_BUTTON_MAX, 0);
    if (index < 0) GTEST_SKIP() << "skipped: no virtual gamepads: " << SDL_GetError();
    frames(2);
    SDL_Joystick* const pad = SDL_JoystickFromInstanceID(SDL_JoystickGetDeviceInstanceID(index));
    ASSERT_NE(pad, nullptr);
    picture(name, "a");
    ASSERT_LE(buttons.size(), 3u);
    for (const SDL_GameControllerButton button : buttons) {
      SDL_JoystickSetVirtualButton(pad, button, 1);
      frames(3);
      SDL_JoystickSetVirtualButton(pad, button, 0);
      frames(3);
    }
    nlohmann::json there;
    const test::Patience patience;
    while (patience.left() && !sees(there, seen)) {
      ASSERT_TRUE(game_->frame());
      there = layout();
    }
    ASSERT_TRUE(sees(there, seen));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (measure::capture_environment().comparable()) {  // a sanitizer's build is many times slower
      EXPECT_LE(seconds, 30.0);
    }
    if (there.contains("banner_calls")) {
      for (int i = 0; i < 100 && there["banner_calls"] == 0; ++i) {  // little is created
        ASSERT_TRUE(game_->frame());
        if (layout().contains("banner_calls")) there = layout();
      }
      EXPECT_GT(there["banner_calls"].get<int>(), 0);
      EXPECT_LT(there["banner_calls_before"].get<double>(), 0.5);
    }
    picture(name, "b");
    SDL_JoystickDetachVirtual(index);
    close_window();
  }
  static bool sees(const nlohmann::json& there, const std::string& part) {
    if (part != "duet_strip") return there.contains(part);
    return there.contains("parts") && there["parts"].contains(part) && there["step"].get<u64>() >= 90;
  }
  void picture(const std::string& name, const char* which) {
    const char* const folder = std::getenv("SPELLPOOL_PICTURES");
    if (folder == nullptr) return;
    frames(2);
    EXPECT_EQ(
        std::system(
            ("import -window root '" + std::string(folder) + "/" + name + "_" + which + ".png'").c_str()),
        0);
  }
};

TEST_F(ThreeInputsByPad, DownTwiceAndAIsSideBySide) {
  visit("pad_title", 1280, 720,
        {SDL_CONTROLLER_BUTTON_DPAD_DOWN, SDL_CONTROLLER_BUTTON_DPAD_DOWN, SDL_CONTROLLER_BUTTON_A},
        "duet_strip");
}
TEST_F(ThreeInputsByPad, DownTwiceAndAIsSideBySideInASmallWindow) {
  visit("pad_title_small", 640, 400,
        {SDL_CONTROLLER_BUTTON_DPAD_DOWN, SDL_CONTROLLER_BUTTON_DPAD_DOWN, SDL_CONTROLLER_BUTTON_A},
        "duet_strip");
}
TEST_F(ThreeInputsByPad, AThenYSwitchesThePoolOff) {
  visit("pad_arena_y", 1280, 720, {SDL_CONTROLLER_BUTTON_A, SDL_CONTROLLER_BUTTON_Y}, "banner_calls");
}

}  // namespace
}  // namespace spellpool::app
