#include <algorithm>
#include <fstream>

#include "frame/action.hpp"
#include "frame/settings.hpp"
#include "pool/strategy.hpp"
#include "program.hpp"
#include "sim/replay/replay.hpp"

namespace spellpool::app {
namespace {

using HeadlessProgram = ProgramTest;

TEST_F(HeadlessProgram, EveryStrategyGivesTheSameHashAtEveryStep) {
  for (const char* seed : {"1", "2", "77"}) {
    const std::string common = std::string(" --sim-only --autoplay --steps 3600 --seed ") + seed;
    ASSERT_EQ(run("--strategy heap --hash-out heap.txt" + common).exit_code, 0);
    ASSERT_EQ(run("--strategy free_list --hash-out free.txt" + common).exit_code, 0);
    ASSERT_EQ(run("--switch-every 100 --hash-out switch.txt" + common).exit_code, 0);
    const std::string heap = read("heap.txt");
    EXPECT_EQ(std::count(heap.begin(), heap.end(), '\n'), 3600);
    EXPECT_EQ(heap.substr(0, 2), "1 ");
    EXPECT_EQ(heap, read("free.txt"));
    EXPECT_EQ(heap, read("switch.txt"));
  }
}

TEST_F(HeadlessProgram, StealingTheOldestIsTheSameEverywhereToo) {
  const std::string common = " --sim-only --autoplay --steps 1800 --capacity particles=500 --overflow steal_oldest";
  ASSERT_EQ(run("--strategy heap --hash-out heap.txt --json heap.json" + common).exit_code, 0);
  ASSERT_EQ(run("--strategy particles=free_list --hash-out free.txt" + common).exit_code, 0);
  ASSERT_EQ(run("--switch-every 100 --hash-out switch.txt" + common).exit_code, 0);
  EXPECT_GT(read_json("heap.json")["pools"]["particles"]["stolen"], 1000);
  EXPECT_EQ(read("heap.txt"), read("free.txt"));
  EXPECT_EQ(read("heap.txt"), read("switch.txt"));
}

TEST_F(HeadlessProgram, HowItIsShownChangesNoHash) {
  const std::string common = " --autoplay --steps 400 --hash-out ";
  ASSERT_EQ(run("--sim-only" + common + "a.txt").exit_code, 0);
  int number = 0;
  std::string lowest, highest;  // of every setting
  for (const frame::SettingRow& row : frame::kSettings) {
    if (row.option.name == nullptr) continue;
    const frame::SettingValue& value = row.value;
    const auto add = [&](std::string& words, const std::string& word) { words += " " + std::string(row.option.name) + " " + word; };
    add(lowest, value.names.empty() ? std::to_string(static_cast<int>(value.low + 0.5)) : std::string(value.names[0].name));
    add(highest, value.names.empty() ? std::to_string(static_cast<int>(value.high)) : std::string(value.names[value.names.size() - 1].name));
  }
  for (const std::string& looks : std::vector<std::string>{
           lowest + " --screenshot x.png", highest + " --screenshot x.png", "--width 320 --height 180 --screenshot x.png",
           "--width 641 --height 480 --screenshot x.png --quality low",
           "--quality medium --motion off --flash off --density off --screenshot x.png", "--colour-vision deutan --text-scale 2 --hud full",
           "--motion reduced --flash reduced --density reduced --frame-cap 30 --screenshot x.png --panels graph,settings",
           "--panels pool,editor,scores,slots --screenshot x.png --vsync off",
           "--quality auto --draw cpu --screenshot x.png", "--quality medium --draw gpu --screenshot x.png"}) {
    const std::string file = "b" + std::to_string(number++) + ".txt";
    ASSERT_EQ(run("--headless " + looks + common + file).exit_code, 0) << looks;
    EXPECT_EQ(read("a.txt"), read(file)) << looks;
  }
}

TEST_F(HeadlessProgram, TheWholeChallengeAllocatesNothingAndReachesItsFinale) {
  for (const char* options : {"", "--overflow steal_oldest --capacity particles=3000"}) {
    ASSERT_EQ(run(std::string("--sim-only --autoplay --steps 4300 --json a.json ") + options).exit_code, 0);
    const auto json = read_json("a.json");
    EXPECT_EQ(json["allocations_since_step_60"], 0) << options;
    EXPECT_EQ(json["challenge"]["finished"], 1);
    EXPECT_GE(json["challenge"]["finales"], 1);
    for (const auto& [name, pool] : json["pools"].items()) EXPECT_GT(pool["spawned"], 0) << name;
  }
}

TEST_F(HeadlessProgram, SeedsGiveDifferentWorlds) {
  ASSERT_EQ(run("--sim-only --autoplay --steps 100 --seed 1 --hash-out a.txt").exit_code, 0);
  ASSERT_EQ(run("--sim-only --autoplay --steps 100 --seed 2 --hash-out b.txt").exit_code, 0);
  EXPECT_NE(read("a.txt"), read("b.txt"));
}

TEST_F(HeadlessProgram, FreeListAllocatesNothingAtFullLoad) {
  for (const char* policy : {"reject", "steal_oldest"}) {
    ASSERT_EQ(run(std::string("--sim-only --autoplay --steps 1200 --capacity 800 --json a.json --overflow ") + policy).exit_code, 0);
    const auto json = read_json("a.json");
    EXPECT_EQ(json["allocations_last_60_steps"], 0) << policy;
    EXPECT_EQ(json["pools"]["particles"]["peak"], 800);
    EXPECT_EQ(json["pools"]["particles"]["new_calls"], 4) << "cells, the list of their blocks, generations, occupancy: all at the start";
  }
}

TEST_F(HeadlessProgram, RecordingHashesAndReplaysAllocatesNothingEither) {
  ASSERT_EQ(run("--sim-only --autoplay --steps 600 --json a.json --hash-out h.txt --record-input r.replay --audio-out s.wav").exit_code, 0);
  EXPECT_EQ(read_json("a.json")["allocations_last_60_steps"], 0);
}

TEST_F(HeadlessProgram, HeapAllocatesOncePerParticle) {
  ASSERT_EQ(run("--sim-only --autoplay --steps 900 --strategy heap --json a.json").exit_code, 0);
  const auto json = read_json("a.json");
  const u64 spawned = json["pools"]["particles"]["spawned"], calls = json["pools"]["particles"]["new_calls"];
  EXPECT_GT(json["allocations_last_60_steps"], 0);
  EXPECT_GE(calls, spawned);
  EXPECT_LE(calls, spawned + 8);  // the tables, once
}

TEST_F(HeadlessProgram, CommandsSwitchAtTheirStep) {
  write("c.txt", "# strategy and back\n10 strategy particles heap\n20 capacity particles 300\n20 overflow particles steal_oldest\n");
  ASSERT_EQ(run("--sim-only --autoplay --steps 300 --commands c.txt --json a.json").exit_code, 0);
  const auto pool = read_json("a.json")["pools"]["particles"];
  EXPECT_EQ(pool["strategy"], "heap");
  EXPECT_EQ(pool["policy"], "steal_oldest");
  EXPECT_EQ(pool["capacity"], 300);
}

TEST_F(HeadlessProgram, SoundIsTheSameForEveryStrategy) {
  ASSERT_EQ(run("--sim-only --autoplay --steps 600 --strategy heap --audio-out a.wav --json a.json").exit_code, 0);
  ASSERT_EQ(run("--sim-only --autoplay --steps 600 --strategy free_list --audio-out b.wav").exit_code, 0);
  EXPECT_EQ(read("a.wav"), read("b.wav"));
  EXPECT_EQ(read("a.wav").size(), 44u + 600 * 800 * 4);
  const auto audio = read_json("a.json")["audio"];
  EXPECT_EQ(audio["voices"], 32);
  EXPECT_GT(audio["started"], 30);
}

TEST_F(HeadlessProgram, ReplayPlaysTheSameGameUnderEveryStrategy) {
  write("c.txt", "50 strategy particles heap\n90 capacity particles 400\n120 overflow particles steal_oldest\n");
  ASSERT_EQ(run("--sim-only --autoplay --steps 400 --commands c.txt --record-input r.replay --hash-out a.txt").exit_code, 0);
  ASSERT_EQ(run("--sim-only --input r.replay --hash-out b.txt").exit_code, 0);
  EXPECT_EQ(read("a.txt"), read("b.txt"));
  const Outcome verified = run("verify-replay r.replay");
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
}

TEST_F(HeadlessProgram, VerifyReplayFindsAWrongHash) {
  ASSERT_EQ(run("--sim-only --autoplay --steps 200 --record-input r.replay").exit_code, 0);
  sim::ReplayResult parsed = sim::parse_replay(read("r.replay"));
  ASSERT_TRUE(parsed.replay) << parsed.error;
  sim::ReplayWriter writer(*parsed.replay);
  for (std::size_t i = 0; i < 200; ++i) writer.step(parsed.replay->inputs[i], parsed.replay->hashes[i] ^ (i == 137 ? 1u : 0u));
  write("wrong.replay", writer.text());
  const Outcome outcome = run("verify-replay wrong.replay");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("differs at step 138"), std::string::npos) << outcome.out;
}

TEST_F(HeadlessProgram, PictureHasTheSizeAskedFor) {
  const Outcome outcome = run("--headless --autoplay --steps 30 --width 640 --height 360 --screenshot a.png --json a.json");
  if (outcome.exit_code == 2 && outcome.err.find("OpenGL") != std::string::npos) GTEST_SKIP() << "skipped: no GL";
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string png = read("a.png");
  ASSERT_GT(png.size(), 20'000u);
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x02\x80\0\0\x01\x68", 8));
  EXPECT_EQ(read_json("a.json")["allocations_last_60_steps"], 0);
}

TEST_F(HeadlessProgram, WithoutOpenGlTheSimulationStillRuns) {
  const std::string no_gl = "SDL_VIDEODRIVER=dummy";
  EXPECT_EQ(run("--headless --autoplay --steps 60 --json a.json", no_gl).exit_code, 0);
  EXPECT_NE(read_json("a.json")["renderer"].get<std::string>().find("simulation only"), std::string::npos);
  const Outcome picture = run("--headless --autoplay --steps 60 --screenshot a.png", no_gl);
  EXPECT_EQ(picture.exit_code, 2);
  EXPECT_EQ(picture.error_lines(), 1u) << picture.err;
  const Outcome window = run("--steps 5", no_gl);
  EXPECT_EQ(window.exit_code, 2);
  EXPECT_EQ(window.error_lines(), 1u) << window.err;
}

TEST_F(HeadlessProgram, BrokenShaderIsAWarning) {
  copy_data("d");
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "d/shaders")) {
    if (entry.path().extension() == ".frag") std::ofstream(entry.path()) << "void main() { this is no shader }\n";
  }
  const Outcome outcome = run("--headless --autoplay --steps 30 --data-dir d --screenshot a.png");
  if (outcome.exit_code == 2 && outcome.err.find("OpenGL") != std::string::npos) GTEST_SKIP() << "skipped: no GL";
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("warning"), std::string::npos) << outcome.err;
  EXPECT_GT(read("a.png").size(), 100'000u);
}

TEST_F(HeadlessProgram, InterruptSavesWhatThereIs) {
  const Outcome outcome = shell("$P --sim-only --autoplay --steps 100000000 --strategy heap --json a.json --record-input r.replay --record f.csv & PID=$!\n"
                                "recorded() { (($(cat f.csv* 2>/dev/null | wc -l) > 30)); }\n"
                                "await recorded; kill -INT $PID; wait $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_GT(read_json("a.json")["steps"], 10);
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
}

TEST_F(HeadlessProgram, ListsComeFromTheTables) {
  const Outcome all = run("--list --json");
  ASSERT_EQ(all.exit_code, 0);
  const auto json = nlohmann::json::parse(all.out);
  EXPECT_EQ(json["strategies"].size(), pool::kStrategyCount);
  EXPECT_EQ(json["hotkeys"].size(), frame::kActionCount);
  const auto hotkeys = nlohmann::json::parse(run("--list hotkeys --json").out);
  EXPECT_EQ(hotkeys, json["hotkeys"]);
  for (const char* topic : {"scenes", "strategies", "policies", "pools", "presets", "spells", "sounds", "hotkeys"}) {
    EXPECT_EQ(run(std::string("--list ") + topic).exit_code, 0) << topic;
  }
}

// ---------------------------------------------------------------------------------------------------- bad input

struct BadInput {
  const char* arguments;
  const char* names;  ///< What the line must name.
};

void PrintTo(const BadInput& input, std::ostream* out) { *out << input.arguments; }

class BadUsage : public ProgramTest, public testing::WithParamInterface<BadInput> {};

TEST_P(BadUsage, GivesOneLineAndExitCodeTwo) {
  write("short.replay", "spellpool-replay 1\nscene spells\nseed 1\n");
  write("other.replay", "spellpool-replay 7\nscene spells\n");
  write("random.replay", std::string("\x7f\x00\xff\x13\x37 random \n\n\x01", 16));
  write("bad.commands", "10 strategy particles nonsense\n");
  std::filesystem::create_directories(folder_ / "folder");
  const Outcome outcome = run(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().names), std::string::npos) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadUsage,
    testing::Values(BadInput{"--nonsense", "--nonsense"}, BadInput{"nonsense", "nonsense"}, BadInput{"--scene moon --headless", "--scene"},
                    BadInput{"--strategy quantum --headless", "--strategy"}, BadInput{"--strategy dragons=heap --headless", "dragons"},
                    BadInput{"--overflow never --headless", "--overflow"}, BadInput{"--preset wild --headless", "--preset"},
                    BadInput{"--capacity particles=0 --headless", "--capacity"}, BadInput{"--capacity particles=-1 --headless", "--capacity"},
                    BadInput{"--capacity particles=1000000000000 --headless", "--capacity"}, BadInput{"--capacity 1e3 --headless", "--capacity"},
                    BadInput{"--capacity cats=5 --headless", "cats"},
                    BadInput{"--scene shooter --capacity enemies=9 --sim-only --steps 5", "--capacity: 9 enemies are too few: the stage night_garden shows up to "},
                    BadInput{"--scene shooter --capacity 9 --sim-only --steps 5", "; add --capacity enemies="},
                    BadInput{"compare --scene shooter --capacity enemies=9 --sim-only --quads 1 --steps 60", "--capacity: 9 enemies are too few"},
                    BadInput{"--scene shooter --overflow enemies=grow --sim-only --steps 5", "--overflow: enemies never fail to appear"}, BadInput{"--capacity= --headless", "--capacity"},
                    BadInput{"--seed -1 --headless", "--seed"}, BadInput{"--seed 99999999999999999999 --headless", "--seed"},
                    BadInput{"--steps ten --headless", "--steps"}, BadInput{"--width 0 --headless", "--width"},
                    BadInput{"--height 100000 --headless", "--height"}, BadInput{"--vsync maybe --headless", "--vsync"},
                    BadInput{"--switch-every 0 --headless", "--switch-every"}, BadInput{"--text-scale big --headless", "--text-scale"},
                    BadInput{"--draw laser --headless", "there are: auto, gpu, cpu"}, BadInput{"--quality best --headless", "there are: low, medium, high, auto"},
                    BadInput{"--panels sink --headless", "--panels"},
                    BadInput{"--input '' --sim-only", "--input"}, BadInput{"--steps '' --sim-only", "--steps"},
                    BadInput{"--capacity 5 7 --sim-only", "7"}, BadInput{"--seed 7 compare --sim-only", "--seed"},
                    BadInput{"--headless --steps 5 --screenshot a.jpg", ".png"}, BadInput{"--list >/dev/full", "standard output"},
                    BadInput{"--sim-only --steps 5 --hash-out x --record-input ./x", "two outputs"},
                    BadInput{"--sim-only --input short.replay --hash-out ./short.replay", "short.replay"}, BadInput{"--list dragons", "dragons"},
                    BadInput{"--sim-only --screenshot a.png", "--screenshot"}, BadInput{"--input missing.replay --headless", "missing.replay"},
                    BadInput{"--input short.replay --headless", "short.replay"}, BadInput{"--input other.replay --headless", "version"},
                    BadInput{"--input random.replay --headless", "random.replay"}, BadInput{"--input folder --headless", "folder"},
                    BadInput{"verify-replay short.replay", "short.replay"}, BadInput{"verify-replay folder", "folder"},
                    BadInput{"verify-replay missing.replay", "missing.replay"}, BadInput{"verify-replay", "FILE"},
                    BadInput{"--commands bad.commands --headless", "nonsense"}, BadInput{"--commands missing.txt --headless", "missing.txt"},
                    BadInput{"--headless --steps 5 --json no/such/folder/a.json", "no/such/folder"},
                    BadInput{"--headless --steps 5 --hash-out folder", "folder"},
                    BadInput{"--headless --steps 5 --screenshot no/such/a.png", "no/such"},
                    BadInput{"--headless --steps 5 --audio-out no/such/a.wav", "no/such"}, BadInput{"--headless --steps 5 --audio-out a.mp3", ".wav"},
                    BadInput{"--headless --steps 5 --record-input no/such/a.replay", "no/such"},
                    BadInput{"--headless --steps 5 --data-dir /nowhere", "/nowhere"}, BadInput{"compare --a what --sim-only", "--a"},
                    BadInput{"compare --quads 0", "--quads"}, BadInput{"compare --steps 5", "--steps"},
                    BadInput{"compare --sim-only --quads 1 --steps 60 --out /proc/none", "/proc/none"}));

// The game as it is, for a minute, in a pool that is too small: every strategy decides as the others do, at every step.
class SameMinute : public ProgramTest, public testing::WithParamInterface<const char*> {};

TEST_P(SameMinute, HashesAreEqualUnderEveryStrategyAndWhenSwitchedThroughAll) {
#if defined(NDEBUG) && defined(__OPTIMIZE__)
  constexpr int kSteps = 3'600;
#else
  constexpr int kSteps = 600;
#endif
  const std::string plan =
      "--sim-only --autoplay --steps " + std::to_string(kSteps) + " --capacity particles=1500 --overflow " + GetParam() + " ";
  std::string first;
  for (const auto& row : pool::kStrategies) {
    const Outcome outcome = run(plan + "--strategy " + std::string(row.name) + " --hash-out h.txt");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string hashes = read("h.txt");
    if (first.empty()) first = hashes;
    EXPECT_EQ(std::ranges::count(hashes, '\n'), kSteps);
    EXPECT_TRUE(hashes == first) << row.name << " plays another game";
  }
  ASSERT_EQ(run(plan + "--switch-every 11 --hash-out h.txt").exit_code, 0);
  EXPECT_TRUE(read("h.txt") == first) << "switching plays another game";
}

INSTANTIATE_TEST_SUITE_P(Policies, SameMinute, testing::Values("reject", "steal_oldest", "steal_least", "pressure", "grow"));

using PoolSizesFile = ProgramTest;

TEST_F(PoolSizesFile, SaysHowLargeTheScenesPoolsAreAndOptionsStandOverIt) {
  copy_data("d");
  write("d/assets/pools.toml", "[spells.particles]\ncapacity = 777\n[spells.seekers]\ncapacity = 5\n");
  const auto capacity_of_particles = [&](const std::string& more) {
    const Outcome outcome = run("--sim-only --autoplay --steps 5 --json --data-dir d " + more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("pools").at("particles").at("capacity").get<int>();
  };
  EXPECT_EQ(capacity_of_particles(""), 777);
  EXPECT_EQ(capacity_of_particles("--capacity particles=900"), 900);
  EXPECT_EQ(capacity_of_particles("--preset stress"), 124000);
  std::filesystem::remove(folder_ / "d/assets/pools.toml");
  EXPECT_EQ(capacity_of_particles(""), 24000) << "without the file the usual sizes";
}

TEST_F(PoolSizesFile, AReplayCarriesTheLoadAndItsHashIsTheSameWithEveryStrategy) {
  write("c.txt", "5 load 5\n5 churn 3\n5 capacity particles 60000\n40 heap aged\n90 churn 0\n100 heap fresh\n");
  for (const std::string scene : {"spells", "shooter"}) {
    const std::string play = "--scene " + scene + " --sim-only --autoplay --seed 4 --steps 150 --commands c.txt";
    ASSERT_EQ(run(play + " --record-input l.replay --hash-out a.txt --json l.json").exit_code, 0);
    const auto load = read_json("l.json")["load"];
    EXPECT_EQ(load["sparks"], 5);
    EXPECT_EQ(load["churn"], 0);
    EXPECT_EQ(load["heap"], "fresh");
    EXPECT_EQ(run("verify-replay l.replay").exit_code, 0);
    for (const std::string strategy : {"heap", "bitmap", "packed"}) {
      ASSERT_EQ(run(play + " --strategy " + strategy + " --hash-out b.txt").exit_code, 0);
      EXPECT_TRUE(read("a.txt") == read("b.txt")) << scene << ' ' << strategy;
    }
    ASSERT_EQ(run("--scene " + scene + " --sim-only --autoplay --seed 4 --steps 150 --hash-out c2.txt").exit_code, 0);
    EXPECT_FALSE(read("a.txt") == read("c2.txt")) << "the load must show, or this shows nothing";
  }
}

TEST_F(PoolSizesFile, AReplayBringsWhatItsPoolsGrewByAndDoesNotAskTheFile) {
  copy_data("d");
  write("c.txt", "1 overflow particles grow\n2 capacity particles 50\n60 overflow particles reject\n");
  write("d/assets/pools.toml", "[spells.particles]\ngrow_by = 700\n");
  ASSERT_EQ(run("--sim-only --autoplay --seed 5 --steps 300 --commands c.txt --data-dir d --record-input g.replay --hash-out a.txt").exit_code, 0);
  write("d/assets/pools.toml", "[spells.particles]\ngrow_by = 3\n");
  ASSERT_EQ(run("--sim-only --input g.replay --data-dir d --hash-out b.txt").exit_code, 0);
  EXPECT_TRUE(read("a.txt") == read("b.txt"));
  ASSERT_EQ(run("--sim-only --autoplay --seed 5 --steps 300 --commands c.txt --data-dir d --hash-out c2.txt").exit_code, 0);
  EXPECT_FALSE(read("a.txt") == read("c2.txt")) << "the run must depend on it, or it shows nothing";
  EXPECT_EQ(run("verify-replay g.replay").exit_code, 0);
}

TEST_F(PoolSizesFile, WhatIsWrongInItIsOneLineAndExitCodeTwo) {
  copy_data("d");
  write("d/assets/pools.toml", "[spells.particles]\ncapasity = 777\n");
  for (const char* how : {"--headless --steps 5 --data-dir d", "--sim-only --steps 5 --data-dir d", "compare --sim-only --quads 6 --steps 60 --data-dir d"}) {
    const Outcome outcome = run(how);
    EXPECT_EQ(outcome.exit_code, 2) << how;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find("pools.toml:2: spells.particles.capasity: unknown; did you mean 'capacity'?"), std::string::npos) << outcome.err;
  }
}

TEST_F(PoolSizesFile, EnemiesOfTheStageMustFit) {
  copy_data("d");
  write("d/assets/pools.toml", "[shooter.enemies]\ncapacity = 7\n");
  const Outcome outcome = run("--scene shooter --sim-only --steps 5 --data-dir d");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("pools.toml:2: shooter.enemies.capacity: 7 is too few: the stage night_garden shows up to "), std::string::npos) << outcome.err;
  EXPECT_EQ(run("--sim-only --steps 5 --data-dir d").exit_code, 0) << "no matter of the other scene";
}

TEST_F(PoolSizesFile, ACommandAgainstTheStagesNeedIsNotDoneAndSaysSo) {
  write("c.txt", "10 overflow enemies reject\n20 capacity enemies 5\n");
  const std::string play = "--scene shooter --sim-only --autoplay --steps 600 ";
  const Outcome refused = run(play + "--commands c.txt --record-input r.replay --json --hash-out a.txt");
  EXPECT_EQ(refused.exit_code, 0) << refused.err;
  EXPECT_NE(refused.err.find("step 10: not done: enemies never fail"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("step 20: not done: the stage night_garden shows up to "), std::string::npos) << refused.err;
  ASSERT_EQ(run(play + "--hash-out b.txt").exit_code, 0);
  EXPECT_TRUE(read("a.txt") == read("b.txt"));
  EXPECT_EQ(run("verify-replay r.replay").exit_code, 0);
  ASSERT_EQ(run(play + "--overflow steal_oldest --json o.json").exit_code, 0);
  EXPECT_EQ(read_json("o.json")["pools"]["enemies"]["policy"], "assert") << "a policy for all pools leaves it out";
}

class BrokenFile : public ProgramTest,
                   public testing::WithParamInterface<std::tuple<const char*, const char*>> {};

TEST_P(BrokenFile, AtTheStartIsOneLineAndExitCodeTwo) {
  copy_data("d");
  const auto [name, kind_of] = GetParam();
  const std::string kind = kind_of, file = std::string("d/assets/") + name;
  const std::string good = read(file);
  ASSERT_GT(good.size(), 1000u);
  if (kind == "missing") std::filesystem::remove(folder_ / file);
  if (kind == "empty") write(file, "");
  if (kind == "binary") write(file, std::string("\x00\xff\xfe\x12\x80\x81", 6));
  if (kind == "half-written") write(file, good.substr(0, good.size() / 2));
  if (kind == "two thirds") write(file, good.substr(0, good.size() * 2 / 3));
  const Outcome outcome = run("--headless --autoplay --steps 10 --data-dir d");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find(file), std::string::npos) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Kinds, BrokenFile,
                         testing::Combine(testing::Values("spells/frost_nova.toml", "arena.toml"),
                                          testing::Values("missing", "empty", "binary", "half-written",
                                                          "two thirds")));

}  // namespace
}  // namespace spellpool::app
