// The comparison lab in a real window, with a real child.
#include "window_program.hpp"

namespace spellpool::app {
namespace {

class LabWindow : public WindowProgram {
 protected:
  /// The plan that is the player's own, of one quad of 2,000 steps, long enough to be seen running: the last line of the list of plans.
  static std::string own_plan() {
    return "press lab_drop 11; press drop_item 5\n"
           "press lab_number 0; xdotool key ctrl+a; xdotool type 1; xdotool key Return; drawn\n"
           "press lab_number 1; xdotool key ctrl+a; xdotool type 2000; xdotool key Return; drawn\n";
  }
  std::string recordings() const { return path("data/spellpool/recordings"); }
  /// The one comparison that is among the recordings.
  nlohmann::json run_json() const {
    for (const auto& entry : std::filesystem::directory_iterator(recordings())) {
      if (entry.path().filename().string().rfind("compare_", 0) == 0) return nlohmann::json::parse(read(std::filesystem::relative(entry.path() / "run.json", folder_).string()), nullptr, false);
    }
    return {};
  }
};

constexpr const char* kSize = "--width 1280 --height 720";

TEST_F(LabWindow, ItsKeyOpensItAComparisonRunsBesideTheGameWhichStandsStill) {
  const Outcome outcome = play("--autoplay", "xdotool key 9; shown lab\n" + own_plan() + "xdotool key Tab; drawn\n"  // a key of the game works as long as nothing runs
                                                 "press lab_button 0; await has_control lab_button 1\n"
                                                 "wrote 'data/spellpool/recordings/compare_*/run.json' '\"state\": \"done\"'\n"
                                                 "await has_control lab_button 3; press lab_button 3; await has_control lab_row 0; echo \"${rect[@]}\" >row\n"
                                                 "xdotool key Escape; gone lab; xdotool key Escape; drawn; xdotool key Escape; xdotool key Escape", kSize);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json run = run_json();
  ASSERT_TRUE(run.is_object()) << outcome.err;
  EXPECT_EQ(run["state"], "done");
  EXPECT_EQ(run["plan"]["quads"], 1);
  EXPECT_EQ(run["plan"]["steps"], 2000);
  EXPECT_EQ(run["environment"]["command"].get<std::string>().find("--progress"), std::string::npos);
  EXPECT_NE(read("row"), "") << "the results show it";
}

TEST_F(LabWindow, EscapeStopsItAndWhatIsDoneCanGoOn) {
  const Outcome outcome = play("--autoplay", "xdotool key 9; shown lab\npress lab_button 0\n"  // the quick plan: a minute
                                                 "appeared 'data/spellpool/recordings/compare_*/blocks/0001.json'; xdotool key Escape\n"
                                                 "wrote 'data/spellpool/recordings/compare_*/run.json' '\"state\": \"interrupted\"'\n"
                                                 "await has_control lab_button 2; grep -c '\"lab\":' ready.json >still\n"
                                                 "for i in 1 2 3 4 5; do xdotool key Escape; drawn; kill -0 $PID 2>/dev/null || break; done", kSize);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(run_json()["state"], "interrupted") << outcome.err;
  EXPECT_EQ(read("still"), "1\n") << "the panel stays, and offers to go on";
}

TEST_F(LabWindow, ClosingTheWindowEndsTheChildWhichKeepsItsBlocks) {
  const Outcome outcome = play("--autoplay", "xdotool key 9; shown lab\npress lab_button 0; appeared 'data/spellpool/recordings/compare_*/blocks/0001.json'\n"
                                                 "pgrep -f \"compare --a\" -P $PID >child; kill -TERM $PID", kSize);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("--resume"), std::string::npos) << outcome.err;
  EXPECT_EQ(run_json()["state"], "interrupted");
  const std::string child = read("child");
  ASSERT_NE(child, "");
  EXPECT_FALSE(std::filesystem::exists("/proc/" + child.substr(0, child.find('\n'))));
}

}  // namespace
}  // namespace spellpool::app
