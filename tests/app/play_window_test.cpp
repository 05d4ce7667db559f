// The spells scene as a player meets it: every spell, the challenge, settings, the editor, the quick A/B.
#include <fmt/format.h>

#include "sim/replay/replay.hpp"
#include "window_program.hpp"

namespace spellpool::app {
namespace {

using SpellsWindow = WindowProgram;

TEST_F(SpellsWindow, EverySpellIsCastByItsKeyAndCharged) {
  std::string actions = "xdotool mousemove --window $W 420 140\n";
  for (int key = 1; key <= 8; ++key) {
    actions += fmt::format("xdotool key {}; drawn; xdotool mousedown 1; steps 80; xdotool mouseup 1; drawn\n", key);
  }
  // Round again with taps: the first spells are cool by now.
  for (int key = 1; key <= 8; ++key) actions += fmt::format("xdotool key {}; drawn; xdotool click 1; steps 42\n", key);
  const Outcome outcome = play("--record-input r.replay", actions + "kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const auto casts = read_json("a.json")["casts"];
  ASSERT_EQ(casts.size(), 8u);
  for (const auto& [spell, row] : casts.items()) {
    EXPECT_GE(row["casts"], 2) << spell;
    EXPECT_GE(row["charged"], 1) << spell;
  }
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
}

TEST_F(SpellsWindow, WheelAndSecondaryKeysChooseSpells) {
  const Outcome outcome = play("--record-input r.replay", "xdotool mousemove --window $W 320 100; drawn; xdotool click 5; steps 2; xdotool click 5; steps 2\n"
                                                          "xdotool key e; steps 2; xdotool key q; steps 2; kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const sim::ReplayResult replay = sim::parse_replay(read("r.replay"));
  ASSERT_TRUE(replay.replay) << replay.error;
  std::vector<int> chosen;
  for (const frame::InputFrame& input : replay.replay->inputs) {
    if (input.select_spell != frame::InputFrame::kKeepSpell) chosen.push_back(input.select_spell);
  }
  EXPECT_EQ(chosen, (std::vector<int>{1, 2, 3, 2}));
}

TEST_F(SpellsWindow, ASpellFizzlesOnTheSmallConsoleUntilTabMakesPoolsOfIt) {
  const Outcome outcome =
      play("--scene spells --seed 5 --record-input r.replay",
           "xdotool mousemove --window $W 420 140; xdotool key Insert; told 'one heap'; xdotool key 1 keydown f; "
           "alerted 'fizzled'\n"
           "xdotool key Tab; alerted 'one for each size'; steps 300; xdotool keyup f; steps 10; kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const Outcome again = run("--sim-only --input r.replay --json");
  EXPECT_NE(again.out.find("\"mode\": \"pools\""), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("\"fizzled\": 0"), std::string::npos) << "the pools are enough";
  EXPECT_NE(again.out.find("\"first_difference\": null"), std::string::npos) << "the replay has each change of it";
}

TEST_F(SpellsWindow, AChallengePlayedByHandComesIntoTheTable) {
  // Ended by its key after the countdown and a few hits: a whole one takes 63 s and is played headless below.
  const Outcome outcome = play("", "xdotool mousemove --window $W 320 85; xdotool key 3; drawn; xdotool key c; shown challenge; steps 185\n"  // the countdown takes 180
                                   "for i in 1 2 3 4; do xdotool click 1; steps 48; done; xdotool key c; shown scores; kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const auto challenge = read_json("a.json")["challenge"];
  EXPECT_EQ(challenge["finished"], 1);
  EXPECT_GT(challenge["score"], 0);
  const std::string scores = read("data/spellpool/scores.toml");
  EXPECT_NE(scores.find(fmt::format("score = {}", challenge["score"].get<u64>())), std::string::npos) << scores;
}

TEST_F(SpellsWindow, SettingsAreKeptOverARestart) {
  const Outcome begun = play("", "xdotool key u; drawn; xdotool key F4; wrote config/spellpool/settings.toml 'hud = \"graph\"'; kill -INT $PID");
  ASSERT_EQ(begun.exit_code, 130) << begun.err;
  const std::string first = read("config/spellpool/settings.toml");
  EXPECT_NE(first.find("muted = true"), std::string::npos) << first;
  EXPECT_NE(first.find("hud = \"graph\""), std::string::npos) << first;
  // The second run starts from there: the same keys go on and back.
  const Outcome again = play("", "xdotool key u; drawn; xdotool key F4; drawn; kill -INT $PID");
  ASSERT_EQ(again.exit_code, 130) << again.err;
  const std::string second = read("config/spellpool/settings.toml");
  EXPECT_NE(second.find("muted = false"), std::string::npos) << second;
  EXPECT_NE(second.find("hud = \"full\""), std::string::npos) << second;
}

TEST_F(SpellsWindow, APanelThatEscapeClosedStaysClosedOverARestart) {
  const Outcome outcome =
      play("", "xdotool key F4; wrote config/spellpool/settings.toml 'hud = \"graph\"'; xdotool key Escape\n"
               "wrote config/spellpool/settings.toml 'hud = \"fps\"'; kill -INT $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
}

TEST_F(SpellsWindow, AKeyOfOnesOwnWorksAndIsKept) {
  std::filesystem::create_directories(folder_ / "config/spellpool");
  write("config/spellpool/settings.toml", "[keys]\ntoggle_strategy = \"Z\"\n");
  const Outcome outcome = play("", "xdotool key z; steps 2; kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(read_json("a.json")["pools"]["particles"]["strategy"], "heap");
}

TEST_F(SpellsWindow, DamagedSettingsAndScoresAreSetAside) {
  std::filesystem::create_directories(folder_ / "config/spellpool");
  std::filesystem::create_directories(folder_ / "data/spellpool");
  write("config/spellpool/settings.toml", "muted = [[[\n\x01");
  write("data/spellpool/scores.toml", "\xff\xfe garbage");
  const Outcome outcome = play("", "xdotool key u; wrote config/spellpool/settings.toml 'muted = true'; kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("settings.toml"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("scores.toml"), std::string::npos) << outcome.err;
  EXPECT_EQ(read("config/spellpool/settings.toml.damaged"), "muted = [[[\n\x01");
  EXPECT_EQ(read("data/spellpool/scores.toml.damaged"), "\xff\xfe garbage");
  EXPECT_NE(read("config/spellpool/settings.toml").find("muted = true"), std::string::npos);
}

TEST_F(SpellsWindow, TheEditorChangesACurveAndSavesItsFile) {
  copy_data("d");
  const std::string before = read("d/assets/spells/firebolt.toml");
  write("before.toml", before);
  // The first emitter, its page of curves, and the size curve's second point dragged up; then Ctrl+S.
  const Outcome outcome = play("--data-dir d --panels editor --record-input r.replay",
                               "press editor_part 1\n"
                               "for page in 0 1 2 3; do has_control curve_point 1 && break; press editor_page $page; done\n"
                               "point curve_point 1; xdotool mousedown 1; drawn; xdotool mousemove_relative -- 8 -18; drawn\n"
                               "xdotool mousemove_relative -- 4 -8; drawn; xdotool mouseup 1; drawn; xdotool key ctrl+s\n"
                               "as_long_as cmp -s d/assets/spells/firebolt.toml before.toml; steps 2; kill -INT $PID",
                               "--width 1280 --height 720");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const std::string after = read("d/assets/spells/firebolt.toml");
  EXPECT_NE(before, after);
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_EQ(lines(before), lines(after));  // comments and all: one line differs
  EXPECT_NE(after.find("size_curve"), std::string::npos);
  EXPECT_NE(read("r.replay").find(" spell firebolt "), std::string::npos);
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
  EXPECT_EQ(run("--sim-only --autoplay --steps 60 --data-dir d").exit_code, 0);
}

TEST_F(SpellsWindow, TheQuickAbEndsWithACardAndLeavesTheWorldAlone) {
  // Paused, so that nothing but the A/B could have moved the world.
  const Outcome outcome = play("--record-input r.replay",
                               "xdotool key 3; drawn; xdotool click 1; steps 60; xdotool key p; drawn; xdotool key F8\n"
                               "shown ab_card; for file in run.json frames.csv card.png; do appeared \"data/spellpool/recordings/quick_ab_*/$file\"; done\n"
                               "xdotool key p; steps 20; kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
  const Outcome files = shell("cd data/spellpool/recordings/quick_ab_*/ && ls");
  for (const char* name : {"run.json", "frames.csv", "card.png"}) EXPECT_NE(files.out.find(name), std::string::npos) << files.out << files.err;
}

TEST_F(SpellsWindow, IdlingBringsTheTitleBackAndTheGameWaits) {
  json_ = "";
  const Outcome outcome = play("--scene spells", "shown title; steps 30; xdotool key Return; gone title; shown spell_bar; kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(path("data/spellpool/scores.toml")));
}

TEST_F(SpellsWindow, IdlingNeverTakesOverAChallenge) {
  json_ = "";
  // Three seconds to get ready, then half a minute without input: longer than what brings the title back otherwise.
  const Outcome outcome = play("--scene spells", "xdotool key c; shown challenge; steps 2040; has_part title && echo title; has_part challenge || echo over\n"
                                                 "kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

}  // namespace
}  // namespace spellpool::app
