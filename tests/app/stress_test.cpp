// "How many bullets?" by the built program. Budgets are such that the outcome does not hang on the machine.
#include "window_program.hpp"

#include <algorithm>

namespace spellpool::app {
namespace {

class Stress : public ProgramTest {};

TEST_F(Stress, WithoutAWindowItTellsWhatItFoundInALineAndInJson) {
  const Outcome line = run("--scene shooter --stress --sim-only --capacity bullets=3000 --budget-ms 1000 --strategy bullets=heap");
  ASSERT_EQ(line.exit_code, 0) << line.err;
  EXPECT_NE(line.out.find("3,000 bullets or more hold 1000.00 ms a step"), std::string::npos) << line.out;
  EXPECT_NE(line.out.find("the simulation alone"), std::string::npos) << line.out;
  EXPECT_NE(line.out.find("heap ("), std::string::npos) << line.out;
  EXPECT_EQ(std::count(line.out.begin(), line.out.end(), '\n'), 1);
  const Outcome json = run("--scene shooter --stress --sim-only --capacity bullets=3000 --budget-ms 1000 --json");
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const auto stress = nlohmann::json::parse(json.out)["stress"];
  EXPECT_EQ(stress["bullets"], 3'000);
  EXPECT_EQ(stress["or_more"], true);
  EXPECT_EQ(stress["finished"], true);
  EXPECT_EQ(stress["what"], "simulation only");
  EXPECT_EQ(stress["strategy"], "free_list");
  EXPECT_GT(stress["held"]["simulation_ms"], 0.0);
  EXPECT_EQ(stress["held"]["drawing_ms"], 0.0);
  EXPECT_TRUE(stress["broke"].is_null());
}

TEST_F(Stress, ThePoolHasRoomForTheMostUnlessToldOtherwise) {
  const Outcome json = run("--scene shooter --stress --sim-only --budget-ms 1000 --json");
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const auto summary = nlohmann::json::parse(json.out);
  EXPECT_EQ(summary["stress"]["bullets"], 100'000);
  EXPECT_EQ(summary["pools"]["bullets"]["capacity"], 100'000);
  EXPECT_EQ(summary["pools"]["bullets"]["rejected"], 0);
  EXPECT_EQ(summary["allocations_last_60_steps"], 0);
}

TEST_F(Stress, ItsReplayIsTheSameWithEveryStrategy) {
  ASSERT_EQ(run("--scene shooter --stress --sim-only --capacity bullets=1500 --budget-ms 1000 --record-input s.replay").exit_code, 0);
  EXPECT_NE(read("s.replay").find(" stress 1500\n"), std::string::npos);
  const Outcome verified = run("verify-replay s.replay");
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

TEST_F(Stress, AnInterruptTellsWhatIsKnownSoFar) {
  // Drawn, it takes many seconds, but where a graphics card draws.
  const Outcome outcome = shell("$P --scene shooter --stress --headless --budget-ms 1000 --json a.json --record f.csv >line & PID=$!\n"
                                "recorded() { (($(cat f.csv* 2>/dev/null | wc -l) > 8)); }\n"
                                "await recorded; kill -INT $PID; wait $PID");
  if (outcome.err.find("simulation only") != std::string::npos) GTEST_SKIP() << "skipped: no OpenGL here";
  if (outcome.exit_code == 0) GTEST_SKIP() << "skipped: it was through before it was stopped";
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_NE(read("line").find("stopped"), std::string::npos) << read("line");
  EXPECT_EQ(read_json("a.json")["stress"]["finished"], false);
}

TEST_F(Stress, WhatCannotBeIsRefusedInOneLine) {
  for (const auto& [arguments, words] : {std::pair{"--stress --sim-only", "--scene shooter"},
                                         {"--scene shooter --stress --autoplay --sim-only", "--autoplay"},
                                         {"--scene shooter --stress --steps 5 --sim-only", "--steps"},
                                         {"--scene shooter --stress --budget-ms 0 --sim-only", "--budget-ms"},
                                         {"--scene shooter --stress --budget-ms x --sim-only", "--budget-ms"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  }
}

class StressWindow : public WindowProgram {};

TEST_F(StressWindow, FromTheTitleToACardForEachStrategyAndBack) {
  // So few bullets are one level, and it holds.
  const Outcome outcome = play("--scene shooter --capacity bullets=400 --budget-ms 1000 --record-input r.replay",
                               "shown shooter_title; xdotool key y; shown stress_card; drawn\n"
                               "xdotool key Tab; gone stress_card; shown stress_card; drawn\n"
                               "xdotool key space; gone stress_card; shown shooter_title; kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const auto summary = read_json("a.json");
  EXPECT_EQ(summary["pools"]["bullets"]["strategy"], "heap") << "Tab chose it";
  EXPECT_EQ(summary["pools"]["bullets"]["peak"], 400);
  EXPECT_FALSE(summary.contains("stress"));
  EXPECT_NE(read("r.replay").find(" stress 400\n"), std::string::npos);
  EXPECT_NE(read("r.replay").find(" stress 0\n"), std::string::npos);
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
}

TEST_F(StressWindow, StoppedByItsKeyItGivesThePoolsRoomBack) {
  const Outcome outcome = play("--scene shooter --record-input r.replay",
                               "shown shooter_title; xdotool key y; shown stress; drawn; xdotool key y; gone stress; shown shooter_title; steps 2; kill -INT $PID");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_NE(read("r.replay").find(" capacity bullets 100000\n"), std::string::npos);
  const auto summary = read_json("a.json");
  EXPECT_EQ(summary["pools"]["bullets"]["capacity"], 1'000);
  EXPECT_EQ(summary["pools"]["bullets"]["live"], 0);
}

}  // namespace
}  // namespace spellpool::app
