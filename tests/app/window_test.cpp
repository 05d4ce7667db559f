// A real window under Xvfb, real keys and a real mouse.
#include "window_program.hpp"

namespace spellpool::app {
namespace {

/// Key of a hotkey by its name, as --list tells it.
std::string key_of(const nlohmann::json& hotkeys, const std::string& name) {
  for (const auto& row : hotkeys) {
    if (row["name"] == name) return row["key"];
  }
  return {};
}

TEST_F(WindowProgram, CastsSwitchesAndRecordsByRealInput) {
  const auto hotkeys = nlohmann::json::parse(run("--list hotkeys --json").out);
  const std::string toggle = key_of(hotkeys, "toggle_strategy"), record = key_of(hotkeys, "record");
  ASSERT_FALSE(toggle.empty() || record.empty());
  const Outcome outcome = play("--record-input r.replay",
                               "xdotool mousemove --window $W 450 120 mousedown 1; steps 60; xdotool mouseup 1; drawn\n"
                               "xdotool key 2; drawn; xdotool mousedown 1; steps 30; xdotool mouseup 1; drawn\n"
                               "xdotool key " + toggle + "; drawn; xdotool key " + record + "\n"
                               "recorded() { (($(cat data/spellpool/recordings/*.csv* 2>/dev/null | wc -l) > 3)); }\n"
                               "await recorded; kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const auto json = read_json("a.json");
  EXPECT_EQ(json["pools"]["particles"]["strategy"], "heap");
  EXPECT_GT(json["pools"]["particles"]["spawned"], 400);
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
  const Outcome files = shell("cat data/spellpool/recordings/*.csv | wc -l");
  EXPECT_GT(std::stoi(files.out), 3) << files.err;
}

TEST_F(WindowProgram, FreeListFramesWithPanelsAllocateNothing) {
  const Outcome outcome = play("--autoplay --panels pool,graph --steps 260 --vsync off", "");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_json("a.json")["allocations_last_60_steps"], 0);
}

TEST_F(WindowProgram, DestroyedWindowIsAClosedOne) {
  const Outcome outcome = play("--record-input r.replay --autoplay", "steps 10; xdotool windowclose $W");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(read_json("a.json")["steps"], 5);
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
}

TEST_F(WindowProgram, LostDisplaySavesToo) {
  const Outcome outcome = play("--record-input r.replay --autoplay", "steps 10; xdotool windowkill $W");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("display was lost"), std::string::npos) << outcome.err;
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
}

TEST_F(WindowProgram, SavedSpellIsReadAgainAndABrokenOneKeepsTheLast) {
  copy_data("d");
  const Outcome outcome = play("--data-dir d --record-input r.replay --autoplay",
                               "sed -i 's/^cooldown_s.*/cooldown_s = 0.1/' d/assets/spells/firebolt.toml; told 'Read firebolt.toml again'\n"
                               "echo 'title = ' > d/assets/spells/frost_nova.toml; shown error; steps 2; kill -INT $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("frost_nova.toml:1"), std::string::npos) << outcome.err;
  EXPECT_NE(read("r.replay").find(" spell firebolt "), std::string::npos);
  EXPECT_EQ(read("r.replay").find("! spell frost_nova"), std::string::npos);
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
}

/// A replay brings its own texts: what is saved while it plays must not change its world.
TEST_F(WindowProgram, ASavedSpellOrArenaDoesNotReachAReplay) {
  copy_data("d");
  ASSERT_EQ(run("--headless --autoplay --steps 3000 --data-dir d --record-input r.replay").exit_code, 0);
  const Outcome outcome = play("--data-dir d --input r.replay --record-input again.replay",
                               "sed -i 's/^cooldown_s.*/cooldown_s = 0.1/' d/assets/spells/firebolt.toml\n"
                               "sed -i '0,/^rate_per_s.*/s//rate_per_s = 3.25/' d/assets/arena.toml\n"
                               "echo '// saved' >>d/shaders/sprite.vert; told 'Shaders read again'; steps 10; kill -INT $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  const std::string again = read("again.replay");
  EXPECT_EQ(again.find(" spell firebolt "), std::string::npos);
  EXPECT_EQ(again.find("rate_per_s = 3.25"), std::string::npos);
}

TEST_F(WindowProgram, SavedArenaIsReadAgainAndABrokenOneKeepsTheLast) {
  copy_data("d");
  const Outcome outcome = play(
      "--data-dir d --record-input r.replay --autoplay",
      "cp d/assets/arena.toml good; sed -i '0,/^rate_per_s.*/s//rate_per_s = 3.25/' d/assets/arena.toml\n"
      "told 'Read arena.toml again'\n"
      "echo '[emitter.strow]' > broken; mv broken d/assets/arena.toml; shown error; steps 2\n"
      "mv good d/assets/arena.toml; gone error; steps 2; kill -INT $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("arena.toml:1: the arena has no emitter 'strow'; did you mean 'straw'?"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("arena.toml"), outcome.err.rfind("arena.toml")) << "said once: " << outcome.err;
  const std::string replay = read("r.replay");
  EXPECT_NE(replay.find("rate_per_s = 3.25"), std::string::npos);
  EXPECT_EQ(replay.find("strow"), std::string::npos);
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
}

TEST_F(WindowProgram, SavedPatternIsReadAgainAndABrokenOneKeepsTheLast) {
  copy_data("d");
  const Outcome outcome = play("--scene shooter --data-dir d --record-input r.replay --autoplay",
                               "printf '[[shot]]\\nform = \"ring\"\\n' > own; mv own d/assets/patterns/own.toml; told 'Read own.toml again'\n"
                               "sed -i 's/^speed .*/speed = 77/' d/assets/patterns/needles.toml; told 'Read needles.toml again'\n"
                               "cp d/assets/patterns/rings.toml good; echo 'count = = 3' > broken; mv broken d/assets/patterns/rings.toml; shown error\n"
                               "mv good d/assets/patterns/rings.toml; gone error; rm d/assets/patterns/own.toml; told 'Read own.toml again'; steps 2; kill -INT $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("patterns/rings.toml:1: "), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("rings.toml"), outcome.err.rfind("rings.toml")) << "said once: " << outcome.err;
  const std::string replay = read("r.replay");
  EXPECT_NE(replay.find("file assets/patterns/needles.toml "), replay.rfind("file assets/patterns/needles.toml ")) << "at the start, and as it was saved";
  EXPECT_NE(replay.find("speed = 77"), std::string::npos);
  EXPECT_NE(replay.find("file assets/patterns/own.toml "), std::string::npos);
  EXPECT_NE(replay.find("gone assets/patterns/own.toml\n"), std::string::npos);
  EXPECT_EQ(replay.find("count = = 3"), std::string::npos);
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0) << "on the files as they were at the start";
  const Outcome elsewhere = run("verify-replay r.replay --data-dir d");
  EXPECT_EQ(elsewhere.exit_code, 2);
  EXPECT_NE(elsewhere.err.find("it was recorded with another assets/patterns/needles.toml"), std::string::npos) << elsewhere.err;
}

TEST_F(WindowProgram, ThePanelThatWasAskedForLastIsSeenAndEscapeClosesItFirst) {
  const Outcome outcome =
      play("--autoplay --hud off",
           "xdotool key F1; shown help; xdotool key F7; shown settings; xdotool key F10; shown memory\n"
           "xdotool key Escape; gone memory; shown settings; xdotool key Escape; gone settings; shown help\n"
           "xdotool key Escape; gone help; kill -INT $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
}

TEST_F(WindowProgram, AKeyShowsItsPanelAlsoWhereNothingWasToBeShown) {
  const Outcome outcome = play(
      "--autoplay --hud off",
      "drawn; lacks_part chip || exit 97; xdotool key F2; shown pool_panel; xdotool key F2; gone pool_panel\n"
      "xdotool key i; shown voices; xdotool key F2; shown pool_panel; shown waiting; kill -INT $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
}

TEST_F(WindowProgram, ResizeFullscreenAndSmallWindowsSurvive) {
  const Outcome outcome = play("--autoplay --panels pool,graph",
                               "for s in '300 200' '64 64' '1000 700' '1 1' '640 360'; do xdotool windowsize $W $s; drawn; done\n"
                               "xdotool key F11; drawn; xdotool key F11; drawn; xdotool windowunmap $W; drawn; xdotool windowmap $W; drawn; kill -INT $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
}

}  // namespace
}  // namespace spellpool::app
