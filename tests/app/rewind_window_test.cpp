// Time turned back in a real window, with real keys and a real mouse.
#include "../support/patience.hpp"
#include "frame/action.hpp"
#include "played_game.hpp"
#include "window_program.hpp"

namespace spellpool::app {
namespace {

// The past's bar is there while time runs backward or stands still. Its head, control replay_head, is 0 in the past and 2 at the end.
constexpr const char* kActions = "turned_back() { look; ((step <= $1 - 40)); }; past() { await has_control replay_head 0; }; now() { await has_control replay_head 2; }\n";

TEST_F(WindowProgram, HoldingBackspaceTurnsTimeBackAndTheGameGoesOnFromThere) {
  for (const std::string scene : {"spells", "shooter"}) {
    const Outcome outcome = play("--scene " + scene + " --record-input r.replay --seed 5",
                                 std::string(kActions) +
                                     "xdotool keydown space; steps 90; xdotool keyup space; look; before=$step\n"
                                     "xdotool keydown BackSpace; past; await turned_back $before; xdotool keyup BackSpace; gone replay\n"
                                     "xdotool keydown space; steps 60; xdotool keyup space; xdotool key p; now\n"
                                     "look; at=$step; xdotool key BackSpace; past; look; echo $((at - step)) >one; xdotool key n; now; look; echo $((at - step)) >none\n"
                                     "xdotool key p; gone replay; steps 30; kill -INT $PID",
                                 "--width 960 --height 540");
    ASSERT_EQ(outcome.exit_code, 130) << scene << ": " << outcome.err;
    EXPECT_EQ(read("one"), "1\n") << scene << ": while paused a press is one step";
    EXPECT_EQ(read("none"), "0\n") << scene << ": and N comes back";
    const Outcome verified = run("verify-replay r.replay");
    EXPECT_EQ(verified.exit_code, 0) << scene << ": the replay is the game that came of it\n" << verified.out;
  }
}

TEST_F(WindowProgram, ThePastIsDraggedByTheMouseAndComparedWhilePaused) {
  const Outcome outcome = play("--scene spells --autoplay", std::string(kActions) +
                                                                "steps 200; xdotool key p; now; point timeline 0; xdotool mousedown 1; past; xdotool mouseup 1; drawn\n"
                                                                "look; echo $step >dragged; xdotool key p; gone replay; drawn; kill -INT $PID",
                               "--width 960 --height 540");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const int at = std::stoi(read("dragged"));
  EXPECT_GT(at, 40);
  EXPECT_LT(at, 200) << "the middle of what is known";
}

TEST_F(WindowProgram, AClickOnAPictureOfThePastGoesThere) {
  const Outcome outcome = play("--scene spells --autoplay", std::string(kActions) +
                                                                "steps 330; xdotool key p; now; look; echo $step >paused; press film_picture 2; past; look; echo $step >clicked\n"
                                                                "await has_control film_picture 4; press film_picture 4; await step_reached 200; look; echo $step >later; kill -INT $PID",
                               "--width 960 --height 540");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const int paused = std::stoi(read("paused")), clicked = std::stoi(read("clicked")), later = std::stoi(read("later"));
  EXPECT_LT(clicked, paused - 60);
  EXPECT_NEAR(later - clicked, 120, 20) << "one picture a second";
}

TEST_F(WindowProgram, PicturesOfThePastArePaintedOnTheCpuWhereTheGameIs) {
  const Outcome outcome = play("--scene spells --autoplay", std::string(kActions) +
                                                                "steps 150; cp ready.json plain.json; xdotool key p; now; await has_control film_picture 1; drawn; cp ready.json film.json\n"
                                                                "xdotool key v; drawn; cp ready.json opengl.json; kill -INT $PID",
                               "--width 960 --height 540");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(read_json("plain.json")["panels_by"], "processor");
  EXPECT_EQ(read_json("film.json")["panels_by"], "processor") << "no frame of the past needs OpenGL for its panels";
  EXPECT_EQ(read_json("opengl.json")["panels_by"], "OpenGL");
}

TEST_F(WindowProgram, AChallengeThatIsOverIsTriedAgainFromSomeSecondsBeforeAndDoesNotCount) {
  const std::string button = "press ask " + std::to_string(static_cast<int>(frame::Action::Rewind));
  for (const std::string& by : {button, std::string("xdotool key BackSpace")}) {
    std::filesystem::remove(folder_ / "data/spellpool/scores.toml");
    const Outcome outcome = play("--scene spells --seed 3",
                                 "hits() { xdotool mousemove --window $W 487 116 keydown f; steps $1; xdotool keyup f; }  # a dummy stands there\n"
                                 "xdotool key c; shown challenge; steps 200; hits 200\n"
                                 "xdotool key c; shown scores; drawn; look; echo $step >over; " + by + "; gone scores; shown challenge; look; echo $step >again\n"
                                 "steps 200; hits 60; xdotool key c; shown scores; drawn; look; echo $step >twice; kill -INT $PID",
                                 "--width 960 --height 540");
    ASSERT_EQ(outcome.exit_code, 130) << by << outcome.err;
    EXPECT_LT(std::stoi(read("again")), std::stoi(read("over")) - 120) << by;
    const std::string scores = read("data/spellpool/scores.toml");
    const std::size_t first = scores.find("[["), second = scores.find("[[", first + 1);
    EXPECT_NE(first, std::string::npos) << "the first one counts: " << scores;
    EXPECT_EQ(second, std::string::npos) << "what was played after it was turned back does not: " << scores;
  }
}

TEST_F(WindowProgram, NothingIsTurnedBackWhileARecordingRuns) {
  const Outcome outcome = play("--scene spells", "steps 60; xdotool key r; steps 20; xdotool keydown BackSpace; told 'does not turn back'; steps 20; xdotool keyup BackSpace\n"
                                                 "xdotool key r; drawn; kill -INT $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
}

class RewindByPad : public PlayedGame {
 protected:
  u64 steps() const { return game_->game().session().world().steps(); }
  template <class Condition>
  bool until(const Condition& condition) {
    for (const test::Patience patience; patience.left() && !condition();) EXPECT_TRUE(game_->frame());
    return condition();
  }
};

TEST_F(RewindByPad, LtAndLbHeldTurnTimeBackAndTheGameGoesOnFromThere) {
  open(frame::SceneId::Spells);
  if (IsSkipped() || HasFatalFailure()) return;
  SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
  const int index = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0);
  if (index < 0) GTEST_SKIP() << "skipped: no virtual gamepads: " << SDL_GetError();
  frames(2);
  SDL_Joystick* const pad = SDL_JoystickFromInstanceID(SDL_JoystickGetDeviceInstanceID(index));
  ASSERT_NE(pad, nullptr);
  ASSERT_TRUE(until([&] { return steps() >= 120; }));
  SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, 32'767);
  frames(2);
  const u64 before = steps();
  SDL_JoystickSetVirtualButton(pad, SDL_CONTROLLER_BUTTON_LEFTSHOULDER, 1);
  ASSERT_TRUE(until([&] { return steps() + 50 <= before; })) << "held, time runs backward";
  SDL_JoystickSetVirtualButton(pad, SDL_CONTROLLER_BUTTON_LEFTSHOULDER, 0);
  SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, -32'767);
  frames(2);
  const u64 released = steps();
  EXPECT_LT(released, before);
  EXPECT_TRUE(until([&] { return steps() >= released + 30; })) << "let go, the game goes on";
  SDL_JoystickDetachVirtual(index);
  close_window();
}

}  // namespace
}  // namespace spellpool::app
