// A replay that is watched: a real window under Xvfb, real keys and a real mouse.
#include "window_program.hpp"

namespace spellpool::app {
namespace {

/// How far the head is along the timeline, 0 … 1.
double head_of(const nlohmann::json& layout) {
  double from = 0, to = 1, head = -1;
  for (const auto& control : layout["controls"]) {
    const double x0 = control["rect"][0], x1 = control["rect"][2];
    if (control["kind"] == "timeline") from = x0, to = x1;
    if (control["kind"] == "replay_head") head = (x0 + x1) / 2;
  }
  return (head - from) / (to - from);
}

TEST_F(WindowProgram, AReplayIsSoughtBackAndForthAndEndsWithItsVerdict) {
  const auto hotkeys = nlohmann::json::parse(run("--list hotkeys --json").out);
  std::size_t faster = 0;
  while (faster < hotkeys.size() && hotkeys[faster]["name"] != "replay_faster") ++faster;
  ASSERT_LT(faster, hotkeys.size());
  for (const std::string scene : {"spells", "shooter"}) {
    ASSERT_EQ(run("--scene " + scene + " --sim-only --autoplay --steps 900 --record-input r.replay --json s.json").exit_code, 0);
    // at N waits until the replay is … 0 under way, 1 seeking, 2 at its end.
    const Outcome outcome = play("--input r.replay",
                                 "at() { await has_control replay_head $1; }\n"
                                 "shown replay; press timeline 0; at 0; press replay_button " + std::to_string(faster) + "; xdotool key Up Up\n"
                                 "at 2; cp ready.json end.json\n"                                   // it plays to its end, and stays
                                 "xdotool key Home; drawn; at 0; xdotool key n n; drawn\n"  // paused, at the start
                                 "xdotool key Tab; xdotool key Right; drawn; at 0; xdotool key BackSpace; drawn; at 0; cp ready.json third.json\n"
                                 "xdotool key End; drawn; at 2; xdotool key Escape; drawn; xdotool key Escape");
    ASSERT_EQ(outcome.exit_code, 0) << scene << ": " << outcome.err;
    EXPECT_GT(head_of(read_json("end.json")), 0.95) << scene;
    EXPECT_NEAR(head_of(read_json("third.json")), 301.0 / 900, 0.04) << scene;
    const auto json = read_json("a.json");
    EXPECT_EQ(json["steps"], 900) << scene;
    EXPECT_EQ(json["hash"], read_json("s.json")["hash"]) << scene;
    EXPECT_EQ(json["replay"]["compared"], 900) << scene;
    EXPECT_TRUE(json["replay"]["first_difference"].is_null()) << scene;
    EXPECT_EQ(json["pools"]["particles"]["strategy"], "heap") << scene << ": Tab switches as ever, and a jump keeps it";
  }
}

TEST_F(WindowProgram, AReplayIsIndexedInTheBackgroundAndThenSoughtAtOnce) {
  constexpr int kSteps = 9'000;
  for (const std::string scene : {"spells", "shooter"}) {
    ASSERT_EQ(run("--scene " + scene + " --sim-only --autoplay --steps " + std::to_string(kSteps) + " --record-input r.replay --json s.json").exit_code, 0);
    json_.clear();  // with it nothing is indexed in the background
    const Outcome outcome = play("--input r.replay",
                                 "indexed() { look; [[ $layout =~ \\\"replay_indexed\\\":([0-9]+) ]] && ((BASH_REMATCH[1] == " + std::to_string(kSteps) + ")); }\n"
                                 "shown replay; xdotool key p; await indexed; cp ready.json indexed.json; drawn; was=$step\n"
                                 "begin=$(date +%s%N); xdotool key End; await has_control replay_head 2; echo $((($(date +%s%N) - begin) / 1000000)) >ms\n"
                                 "look; echo $step >end; kill -INT $PID");
    ASSERT_EQ(outcome.exit_code, 130) << scene << ": " << outcome.err;
    EXPECT_EQ(read("end"), std::to_string(kSteps) + "\n") << scene;
    EXPECT_LT(std::stoi(read("ms")), 1'500) << scene << ": at most 149 steps are played";
    EXPECT_LT(read_json("indexed.json")["step"], kSteps / 2) << scene << ": what is watched stood meanwhile";
  }
}

}  // namespace
}  // namespace spellpool::app
