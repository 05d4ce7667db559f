// The shooter as a player meets it: from the title to the result by keys alone and by the mouse alone, and what is kept over a restart.
#include "shooter_replay.hpp"
#include "window_program.hpp"

namespace spellpool::app {
namespace {

using frame::Difficulty;
using frame::ShooterState;

class ShooterWindow : public WindowProgram {
 protected:
  void SetUp() override {
    WindowProgram::SetUp();
    if (!IsSkipped()) copy_data("d");
  }
  Outcome fly(const std::string& actions) {
    return play("--scene shooter --data-dir d --record-input r.replay", "shown shooter_title\n" + actions + "\nkill -INT $PID");
  }
  std::vector<Moment> moments() const { return play_again(path("r.replay"), path("d")); }
};

TEST_F(ShooterWindow, AStageIsPlayedFromTitleToTitleByKeysAlone) {
  write("d/assets/stages/night_garden.toml", kQuickStage);
  write("d/assets/patterns/dust.toml", kDust);
  // D and A choose; one D while paused must do nothing, and is the only one after the start.
  const Outcome outcome = fly(
      "xdotool key d; steps 2; xdotool key d; steps 2; xdotool key a; steps 2\n"
      "until_gone shooter_title 'xdotool key Return'; xdotool keydown space; steps 60\n"
      "xdotool keydown a; steps 18; xdotool keyup a; drawn; xdotool keydown Shift_L keydown w; steps 18; xdotool keyup w keyup Shift_L\n"
      "xdotool key x; steps 2; xdotool key Escape; shown hint; xdotool keydown d; drawn; xdotool keyup d; drawn; xdotool key p; gone hint\n"
      "shown shooter_result; xdotool keyup space; until_gone shooter_result 'xdotool key space'; shown shooter_title");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;

  const std::vector<Moment> all = moments();
  EXPECT_EQ(states_of(all), (std::vector{ShooterState::Title, ShooterState::Playing, ShooterState::Won, ShooterState::Title}));
  const auto start = first_of(all, ShooterState::Playing), end = first_of(all, ShooterState::Won);
  ASSERT_TRUE(start < end && end < all.end());
  EXPECT_EQ(start->view.difficulty, Difficulty::Hard);
  EXPECT_EQ(std::prev(end)->view.bombs, 2u);
  EXPECT_EQ(end->view.lives, 3u);
  EXPECT_GT(std::prev(end)->view.score, 0u) << "what was shot, before the bonus for ships and bombs";
  float least_x = 0, fastest = 0, fastest_focused = 0;
  for (auto at = start + 1; at < end; ++at) {
    least_x = std::min(least_x, at->x);
    (at->view.focus ? fastest_focused : fastest) = std::max(at->view.focus ? fastest_focused : fastest, std::abs(at->y - (at - 1)->y) + std::abs(at->x - (at - 1)->x));
    EXPECT_LE(at->input.move_x, 0) << "the world went on while it was paused";
  }
  EXPECT_LT(least_x, -10.0f);
  EXPECT_GT(fastest, 4.0f);
  EXPECT_GT(fastest_focused, 1.0f);
  EXPECT_LT(fastest_focused, 2.5f);

  EXPECT_EQ(run("verify-replay r.replay --data-dir d").exit_code, 0);
  const std::string scores = read("data/spellpool/scores.toml");
  EXPECT_NE(scores.find("score = " + std::to_string(end->view.score)), std::string::npos) << scores;
  const auto json = read_json("a.json");
  EXPECT_EQ(json["shooter"]["state"], "title");
  EXPECT_EQ(json["difficulty"], "hard");

  // A restart: the title shows no score for normal, where it begins, and this one for hard.
  const Outcome again = fly("cp ready.json normal.json; xdotool key d; await grep -q best_score ready.json; cp ready.json hard.json");
  ASSERT_EQ(again.exit_code, 130) << again.err;
  EXPECT_FALSE(read_json("normal.json").contains("best_score")) << read("normal.json");
  EXPECT_EQ(read_json("hard.json").value("best_score", u64{0}), end->view.score) << read("hard.json");
}

TEST_F(ShooterWindow, DyingContinuingAndFinishingByTheMouseAlone) {
  write("d/assets/stages/night_garden.toml", kDeadlyStage);
  write("d/assets/patterns/flood.toml", kFlood);
  // An older score of the same difficulty: the new one comes beside it.
  std::filesystem::create_directories(folder_ / "data/spellpool");
  write("data/spellpool/scores.toml", "[[shooter]]\ndifficulty = \"easy\"\nscore = 7654321\ngraze = 12\ntime_s = 300\ncontinues = 0\ndate = \"2026-11-20\"\n");
  const Outcome outcome = fly(
      "press difficulty 0; xdotool mousemove --window $W 320 340; drawn; until_gone shooter_title 'xdotool click 1'\n"
      "xdotool mousemove --window $W 250 330 mousedown 1 mousedown 3; steps 20; xdotool mouseup 3\n"
      "for i in 1 2 3; do xdotool click 2; steps 30; done; shown shooter_continue; xdotool mouseup 1\n"
      "until_gone shooter_continue 'xdotool click 1'; xdotool mousedown 1; shown shooter_result; xdotool mouseup 1\n"
      "until_gone shooter_result 'xdotool click 1'; shown shooter_title");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;

  const std::vector<Moment> all = moments();
  EXPECT_EQ(states_of(all), (std::vector{ShooterState::Title, ShooterState::Playing, ShooterState::Continue, ShooterState::Playing, ShooterState::Won, ShooterState::Title}));
  const auto start = first_of(all, ShooterState::Playing), end = first_of(all, ShooterState::Won);
  ASSERT_TRUE(start < end && end < all.end());
  EXPECT_EQ(start->view.difficulty, Difficulty::Easy);
  EXPECT_EQ(end->view.continues, 1u);
  float least_x = 0;
  bool bombed = false, focused = false;
  for (auto at = start; at < end; ++at) {
    EXPECT_TRUE(at->input.move_x == 0 && at->input.move_y == 0);
    least_x = std::min(least_x, at->x);
    bombed = bombed || at->view.bombs == 2;
    focused = focused || at->view.focus;
  }
  EXPECT_LT(least_x, -20.0f) << "the ship follows the mouse";
  EXPECT_TRUE(bombed && focused);

  EXPECT_EQ(run("verify-replay r.replay --data-dir d").exit_code, 0);
  const std::string scores = read("data/spellpool/scores.toml");
  EXPECT_NE(scores.find("score = 7654321"), std::string::npos) << scores;
  EXPECT_NE(scores.find("score = " + std::to_string(end->view.score)), std::string::npos) << scores;
  EXPECT_NE(scores.find("continues = 1"), std::string::npos) << scores;
}

TEST_F(ShooterWindow, AGameThatIsLostIsFlownAgainFromFiveSecondsBeforeAndDoesNotCount) {
  write("d/assets/stages/night_garden.toml", kDeadlyStage);
  write("d/assets/patterns/flood.toml", kFlood);
  const std::string button = std::to_string(static_cast<int>(frame::Action::Rewind));
  const Outcome outcome = fly(
      "lost() { shown shooter_continue; echo $step >lost$1; drawn; }; again() { gone shooter_continue; echo $step >again$1; }\n"
      "until_gone shooter_title 'xdotool key Return'; lost 1; xdotool key BackSpace; again 1\n"
      "lost 2; press ask " + button + "; again 2\n"
      "lost 3; shown shooter_result; drawn");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  for (const std::string round : {"1", "2"}) {
    const int lost = std::stoi(read("lost" + round)), again = std::stoi(read("again" + round));
    EXPECT_LT(again, lost - 180) << "round " << round;
    EXPECT_GT(again, lost - 400) << "round " << round;
  }
  EXPECT_EQ(read("data/spellpool/scores.toml").find("[[shooter]]"), std::string::npos) << "time was turned back in it";
  EXPECT_EQ(run("verify-replay r.replay --data-dir d").exit_code, 0) << "and its replay is the game that came of it";
  const auto json = read_json("a.json");
  EXPECT_EQ(json["shooter"]["state"], "lost") << json["shooter"];
}

TEST_F(ShooterWindow, KeysAreChosenAndKeptAndDamagedFilesAreSetAside) {
  write("d/assets/stages/night_garden.toml", kQuickStage);
  write("d/assets/patterns/dust.toml", kDust);
  std::filesystem::create_directories(folder_ / "config/spellpool");
  std::filesystem::create_directories(folder_ / "data/spellpool");
  write("config/spellpool/settings.toml", "muted = [[[\n\x01");
  write("data/spellpool/scores.toml", "\xff\xfe garbage");
  const std::string bomb = std::to_string(static_cast<int>(frame::Action::Bomb));
  const std::string start = "until_gone shooter_title 'xdotool key space'; xdotool key z; steps 2";
  Outcome outcome = fly("xdotool key u; drawn; xdotool key F7; shown settings; press settings_tab 3\n"
                        "xdotool mousemove --window $W 320 240; for i in $(seq 40); do has_control bind_key " + bomb + " && break; xdotool click 5; drawn; done\n"
                        "press bind_key " + bomb + "; xdotool key z; drawn; xdotool key Escape; gone settings\n" + start);
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("settings.toml"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("scores.toml"), std::string::npos) << outcome.err;
  EXPECT_EQ(read("config/spellpool/settings.toml.damaged"), "muted = [[[\n\x01");
  EXPECT_EQ(read("data/spellpool/scores.toml.damaged"), "\xff\xfe garbage");
  EXPECT_EQ(read_json("a.json")["shooter"]["bombs"], 2) << "play goes on, with the new key";
  const std::string settings = read("config/spellpool/settings.toml");
  EXPECT_NE(settings.find("muted = true"), std::string::npos) << settings;
  EXPECT_NE(settings.find("\nbomb = \"Z\""), std::string::npos) << settings;
  EXPECT_EQ(run("verify-replay r.replay --data-dir d").exit_code, 0);

  outcome = fly("xdotool key u; drawn\n" + start);
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(outcome.err.find("damaged"), std::string::npos) << outcome.err;
  EXPECT_EQ(read_json("a.json")["shooter"]["bombs"], 2);
  EXPECT_NE(read("config/spellpool/settings.toml").find("muted = false"), std::string::npos) << "off again: it was on at the start";
}

}  // namespace
}  // namespace spellpool::app
