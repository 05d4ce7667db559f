#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "measure/record/machine_counters.hpp"
#include "program.hpp"

namespace spellpool::app {
namespace {

using CompareProgram = ProgramTest;

TEST_F(CompareProgram, WritesItsFilesAndSaysNoMoreThanAnIndication) {
  const Outcome outcome = run("compare --scene spells --a heap --b free_list --quads 2 --steps 60 --sim-only --out r");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = read_json("r/run.json");
  ASSERT_TRUE(json.is_object());
  EXPECT_GT(read("r/frames.csv").size(), 8u * 60 * 50);
  EXPECT_EQ(read("r/card.png").substr(1, 3), "PNG");
  EXPECT_NE(outcome.out.find("an indication, not a verdict"), std::string::npos) << outcome.out;
  // What cannot be known here is NA, and a line says why.
  const bool counts = measure::MachineCounting().missing().empty();
  EXPECT_EQ(read("r/report.md").find("Cycles and cache misses are NA: ") != std::string::npos, !counts) << read("r/report.md");
  EXPECT_NE(read("r/report.html").find("Simulation only: nothing was drawn."), std::string::npos);
  // Again: nothing is overwritten.
  const std::string first = read("r/run.json");
  ASSERT_EQ(run("compare --quads 1 --steps 60 --sim-only --out r").exit_code, 0);
  EXPECT_EQ(read("r/run.json"), first);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "r/run-2.json"));
}

TEST_F(CompareProgram, RefusesUnequalWorkWithoutAnyFigure) {
  write("b.txt", "100 capacity particles 50\n");
  const Outcome outcome = run("compare --quads 1 --steps 200 --sim-only --commands-b b.txt --out r");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_EQ(outcome.out.find("FPS"), std::string::npos);
  EXPECT_NE(outcome.err.find("step"), std::string::npos) << outcome.err;
}

TEST_F(CompareProgram, InterruptedItKeepsWhatIsDone) {
  const Outcome outcome = shell("$P compare --quads 200 --steps 600 --sim-only --out r & PID=$!; appeared r/blocks/0002.json; kill -INT $PID; wait $PID");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_TRUE(read_json("r/run.json").is_object());
}

TEST_F(CompareProgram, APlantedDifferenceIsRefusedAndNamesItsStep) {
  for (const char* scene : {"spells", "storage"}) {
    const std::string out = std::string("planted_") + scene;
    const Outcome outcome = run(std::string("compare --quads 1 --steps 60 --sim-only --plant-difference 130 --scene ") + scene + " --out " + out);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("first difference at step 130: heap "), std::string::npos) << outcome.err;
    EXPECT_EQ(read_json(out + "/run.json")["state"], "unequal_work");
    EXPECT_FALSE(read_json(out + "/run.json").contains("ratio"));
  }
}

TEST_F(CompareProgram, WhatIsHeardIsPartOfTheWorkWhereAnArmNamesVoices) {
  const auto hashes = [&](const std::string& voices) {
    const Outcome outcome = run("block --autoplay --strategy free_list --warmup 0 --steps 240 --sim-only --hash-out h " + voices);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return read("h");
  };
  const std::string world = hashes(""), pool = hashes("--mix --voices 4 --voice-storage pool");
  EXPECT_EQ(std::count(pool.begin(), pool.end(), '\n'), 240);
  EXPECT_NE(pool, world);
  EXPECT_EQ(pool, hashes("--mix --voices 4 --voice-storage heap"));
  EXPECT_NE(pool, hashes("--mix --voices 3 --voice-storage pool")) << "the same world, but one voice less is heard";

  const Outcome outcome = run("compare --a free_list --b free_list+voices_heap --voices 4 --quads 1 --steps 120 --sim-only --out r");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = read_json("r/run.json");
  EXPECT_EQ(json["equal_work"]["equal"], true);
  EXPECT_EQ(json["plan"]["factors"]["voices"], "4");
  EXPECT_NE(outcome.out.find("frame time of free_list+voices_heap / free_list"), std::string::npos) << outcome.out;
}

TEST_F(CompareProgram, VoicePoliciesAreDifferentWorkWithItsCostAndLoss) {
  const Outcome outcome = run("compare --a free_list --b free_list+voices_reject --voices 2 --quads 1 --steps 240 --sim-only --out r");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::smatch found;
  ASSERT_TRUE(std::regex_search(outcome.out, found, std::regex("different work, so no verdict on speed: free_list [^;]* ([0-9,]+) stolen; free_list\\+voices_reject [^;]* ([0-9,]+) refused, ([0-9,]+) stolen"))) << outcome.out;
  EXPECT_NE(found[1], "0") << "the quietest gave way";
  EXPECT_NE(found[2], "0");
  EXPECT_EQ(found[3], "0");
}

TEST_F(CompareProgram, VoicesThatAreNotThereAreNamed) {
  const Outcome odd = run("compare --b free_list+voices_louder --sim-only");
  EXPECT_EQ(odd.exit_code, 2);
  EXPECT_NE(odd.err.find("voices_ before heap, pool, reject, steal_oldest"), std::string::npos) << odd.err;
  const Outcome storage = run("compare --scene storage --b free_list+voices_heap");
  EXPECT_EQ(storage.exit_code, 2);
  EXPECT_NE(storage.err.find("--scene storage: there is no sound in it"), std::string::npos) << storage.err;
}

/// What a finished comparison looks like, without its figures.
nlohmann::json structure_of(const nlohmann::json& json) {
  if (json.is_object()) {
    nlohmann::json keys = nlohmann::json::object();
    for (const auto& [key, value] : json.items()) keys[key] = structure_of(value);
    return keys;
  }
  if (json.is_array()) return json.empty() ? nlohmann::json::array() : nlohmann::json::array({structure_of(json.front()), json.size()});
  return json.is_number() ? "number" : json.type_name();
}

/// The columns block, quad, pos, strategy, step and arm's work of every row.
std::string rows_of(const std::string& csv) {
  std::string rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::size_t end = 0;
    for (int comma = 0; comma < 7 && end != std::string::npos; ++comma) end = line.find(',', end + 1);
    rows += line.substr(0, end) + "\n";
  }
  return rows;
}

TEST_F(CompareProgram, OneKilledBeforeItHadAPlanLeavesNothingInTheWay) {
  std::filesystem::create_directories(folder_ / "out/blocks");
  ASSERT_EQ(run("compare --scene storage --objects 2000 --quads 1 --steps 60 --out out").exit_code, 0);
  EXPECT_EQ(read_json("out/run.json")["state"], "done");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/blocks"));
}

TEST_F(CompareProgram, KilledAtAnyMomentItsBlocksAreReadableAndResumeFinishesIt) {
  const std::string what = "compare --scene storage --objects 2000 --quads 3 --steps 120";
  ASSERT_EQ(run(what + " --out whole").exit_code, 0);
  const std::string expected = rows_of(read("whole/frames.csv"));
  // At once, as soon as it has a plan, and after some of its 12 blocks; the resumed one two blocks later.
  for (const std::string moment : {"", "plan", "0001", "0005", "0009"}) {
    const std::string out = "killed" + moment;
    shell("$P " + what + " --out " + out + " & PID=$!; " + (moment.empty() ? "" : "appeared " + out + "/blocks/" + moment + ".json; ") + "kill -KILL $PID; wait $PID");
    for (int again = 0; again < 2; ++again) {
      if (!std::filesystem::exists(folder_ / out / "blocks/plan.json")) break;
      std::size_t finished = 0;
      for (const auto& entry : std::filesystem::directory_iterator(folder_ / out / "blocks")) {
        const std::string name = entry.path().filename().string();
        if (name.size() != 9 || name[0] < '0' || name[0] > '9' || name.substr(4) != ".json") continue;
        ++finished;
        EXPECT_TRUE(read_json(out + "/blocks/" + name).is_object()) << name;
        const std::string frames = read(out + "/blocks/" + name.substr(0, 4) + ".csv");
        EXPECT_EQ(std::count(frames.begin(), frames.end(), '\n'), 121) << name;
      }
      if (finished > 0) {
        EXPECT_TRUE(read_json(out + "/run.json").is_object()) << read(out + "/run.json");
      }
      if (again > 0) break;
      const std::string later = fmt::format("{}/blocks/{:04}.json", out, finished + 2);
      shell("$P compare --resume " + out + " & PID=$!; appeared " + later + "; kill -KILL $PID; wait $PID");
    }
    if (std::filesystem::exists(folder_ / out / "blocks/plan.json")) {
      const Outcome resumed = run("compare --resume " + out);
      ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    } else {
      ASSERT_EQ(run(what + " --out " + out).exit_code, 0);  // killed before there was a plan, or done before it was killed
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / out / "blocks/plan.json"));
    ASSERT_TRUE(read_json(out + "/run.json").is_object()) << out << ": " << shell("ls -R " + out).out;
    EXPECT_EQ(read_json(out + "/run.json")["state"], "done");
    // What other programs did is not known of so short a run that no tick of the kernel's counters falls into it.
    auto found = read_json(out + "/run.json"), whole = read_json("whole/run.json");
    for (auto* json : {&found, &whole}) {
      for (const char* reading : {"others", "stolen", "evidence", "too_noisy"}) EXPECT_EQ((*json)["noise"].erase(reading), 1u) << reading;
    }
    EXPECT_EQ(structure_of(found), structure_of(whole));
    EXPECT_EQ(rows_of(read(out + "/frames.csv")), expected);
    EXPECT_EQ(read_json(out + "/run.json")["equal_work"], read_json("whole/run.json")["equal_work"]);
  }
}

TEST_F(CompareProgram, NothingToResumeIsOneLine) {
  const Outcome outcome = run("compare --resume nowhere");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.error_lines(), 1u);
  EXPECT_NE(outcome.err.find("--resume nowhere"), std::string::npos) << outcome.err;
}

TEST_F(CompareProgram, ArmsMayDifferInPolicyAndAllocator) {
  Outcome outcome = run("compare --scene storage --objects 2000 --pool-full --a free_list --b free_list+steal_oldest --quads 1 --steps 60 --out r");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("different work, so no verdict on speed"), std::string::npos) << outcome.out;
  EXPECT_EQ(read_json("r/run.json")["arms"]["b"]["name"], "free_list+steal_oldest");
  EXPECT_GT(read_json("r/run.json")["arms"]["b"]["figures"]["stolen"], 0);
  EXPECT_GT(read_json("r/run.json")["arms"]["a"]["figures"]["rejected"], 0);
  outcome = run("compare --scene storage --objects 2000 --a heap --b heap+mimalloc --quads 1 --steps 60 --out m");
  for (const char* refusal : {"is not installed", "has an allocator of its own"}) {
    if (outcome.err.find(refusal) != std::string::npos) return;  // that is a line, and the rest goes on
  }
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(run("compare --a heap+nonsense").error_lines(), 1u);
}

TEST_F(CompareProgram, AllOfAKindRunInFoldersOfTheirOwnAndFinishedOnesAreNotRunAgain) {
  const Outcome outcome = run("compare --all policies --scene storage --objects 500 --pool-full --a free_list --quads 1 --steps 60 --out r");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto all = read_json("r/all.json");
  EXPECT_EQ(all["state"], "done");
  ASSERT_EQ(all["cells"].size(), 5u);
  EXPECT_EQ(all["cells"][0]["outcome"], "different work");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "r/report.html"));
  const std::string first = "r/" + all["cells"][0]["folder"].get<std::string>() + "/run.json", before = read(first);
  std::filesystem::remove_all(folder_ / "r" / all["cells"][4]["folder"].get<std::string>());
  ASSERT_EQ(run("compare --resume r").exit_code, 0);
  EXPECT_EQ(read(first), before);
  EXPECT_TRUE(read_json("r/" + all["cells"][4]["folder"].get<std::string>() + "/run.json").is_object());
}

TEST_F(CompareProgram, TellsHowLongItWillTake) {
  const Outcome outcome = run("compare --plan quick --estimate --out r");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("160 blocks of 240 + "), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r/run.json"));
}

TEST_F(CompareProgram, EveryBlockTellsWhatRecordingCostAndThatItAllocatedNothing) {
  ASSERT_EQ(run("compare --quads 1 --steps 60 --sim-only --heap aged_light --out r").exit_code, 0);
  const auto json = read_json("r/run.json");
  EXPECT_EQ(json["plan"]["factors"]["heap"], "aged_light");
  for (const auto& block : json["blocks"]) {
    EXPECT_EQ(block["recorder_allocations"], 0);
    EXPECT_GT(block["recorder_ns_per_frame"], 0.0);
    EXPECT_GT(block["rss_kib"], 1000.0);
    EXPECT_TRUE(block["cycles"].is_null() || block["cycles"] > 0.0) << "not known is null, never 0";
  }
}

TEST_F(CompareProgram, DrawsWhenAsked) {
  const Outcome outcome = run("compare --quads 1 --steps 60 --width 320 --height 180 --out r");
  if (outcome.err.find("no OpenGL") != std::string::npos) GTEST_SKIP() << "skipped: no GL";
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(read("r/run.json").find("320x180"), std::string::npos);
}

}  // namespace
}  // namespace spellpool::app
