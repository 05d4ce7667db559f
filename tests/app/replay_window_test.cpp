// A replay that is watched: a real window under Xvfb, real keys and a real mouse.
#include "window_program.hpp"

namespace spellpool::app {
namespace {

TEST_F(WindowProgram, AReplayIsSoughtBackAndForthAndEndsWithItsVerdict) {
  const auto hotkeys = nlohmann::json::parse(run("--list hotkeys --json").out);
  std::size_t faster = 0;
  while (faster < hotkeys.size() && hotkeys[faster]["name"] != "replay_faster") ++faster;
  ASSERT_LT(faster, hotkeys.size());
  for (const std::string scene : {"spells", "shooter"}) {
    ASSERT_EQ(run("--scene " + scene + " --sim-only --autoplay --steps 900 --record-input r.replay --json s.json").exit_code, 0);
    // head N waits until the replay is … 0 under way, 1 seeking, 2 at its end.
    const Outcome outcome = play("--input r.replay",
                                 "head() { for i in $(seq 900); do [ -n \"$(where replay_head $1)\" ] && return; kill -0 $PID || return; command sleep 0.1; done; }\n"
                                 "shown replay; press timeline 0; head 0; press replay_button " + std::to_string(faster) + "; xdotool key Up Up\n"
                                 "head 2; cp ready.json end.json\n"                                   // it plays to its end, and stays
                                 "sleep 0.5; xdotool key Home; head 0; xdotool key n n; sleep 0.5\n"  // paused, at the start
                                 "xdotool key Tab; xdotool key Right; sleep 0.5; head 0; xdotool key BackSpace; sleep 0.5; head 0; cp ready.json half.json\n"
                                 "xdotool key End; sleep 0.5; head 2; xdotool windowclose $W");
    ASSERT_EQ(outcome.exit_code, 0) << scene << ": " << outcome.err;
    EXPECT_NE(read("end.json").find("\"replay_head\",\"index\":2"), std::string::npos) << scene;
    EXPECT_NE(read("half.json").find("\"replay_head\",\"index\":0"), std::string::npos) << scene;
    const auto json = read_json("a.json");
    EXPECT_EQ(json["steps"], 900) << scene;
    EXPECT_EQ(json["hash"], read_json("s.json")["hash"]) << scene;
    EXPECT_EQ(json["replay"]["compared"], 900) << scene;
    EXPECT_TRUE(json["replay"]["first_difference"].is_null()) << scene;
    EXPECT_EQ(json["pools"]["particles"]["strategy"], "heap") << scene << ": Tab switches as ever, and a jump keeps it";
  }
}

}  // namespace
}  // namespace spellpool::app
