#include "measure/experiment/experiment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "measure/experiment/child_process.hpp"
#include "measure/experiment/comparison_files.hpp"
#include "measure/experiment/run_json.hpp"
#include "measure/experiment/stored_comparison.hpp"
#include "measure/report/report.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

TEST(Schedule, AlternatesAbbaAndBaab) {
  std::string order;
  std::vector<ScheduledBlock> blocks = schedule_blocks(3);
  for (const ScheduledBlock& block : blocks) order += block.arm;
  EXPECT_EQ(order, "ABBABAABABBA");
  EXPECT_EQ(blocks[6].place, (BlockPlace{6, 1, 2}));
}

TEST(Summary, RatioIsTheMedianOverWholeQuads) {
  Comparison c = synthetic_comparison(7, 100, {1000, 0.8, 0, false});
  ASSERT_EQ(c.whole.quad_effects.size(), 7u);
  EXPECT_NEAR(std::exp(c.whole.effect.point), 0.8, 0.03);
  EXPECT_LE(c.whole.effect.low, c.whole.effect.point);
  EXPECT_EQ(c.arms[0].blocks, 14u);
  EXPECT_EQ(c.arms[0].figures.frame.frames, 1400u);
  EXPECT_EQ(c.arms[1].step_median_us.size(), 100u);
  EXPECT_NE(c.indication.find("free_list / heap"), std::string::npos);
  EXPECT_NE(c.indication.find("an indication, not a verdict"), std::string::npos);
  c.blocks.pop_back();
  c.blocks.back().partial = true;
  summarise(c);
  EXPECT_EQ(c.whole.quad_effects.size(), 6u) << "the broken quad does not count";
  EXPECT_EQ(c.arms[0].blocks + c.arms[1].blocks, 26u);
}

/// Times every frame anew by a clock that only has these steps, as a browser's.
void blur_clock(Comparison& c, double step_us) {
  c.environment.clock_step_us = step_us;
  for (BlockResult& block : c.blocks) {
    double now_us = 0;
    for (frame::FrameRecord& record : block.frames) {
      const double begin_us = std::floor(now_us / step_us) * step_us;
      now_us += static_cast<double>(record.frame_us);
      record.frame_us = static_cast<float>(std::floor(now_us / step_us) * step_us - begin_us);
      record.phase_us = {record.frame_us};
    }
    block.figures = detailed_figures_of(block.frames);
  }
  summarise(c);
}

TEST(CoarseClock, WholeBlocksAreTimed) {
  Comparison c = synthetic_comparison(7, 400, {30, 0.8, 0, false});
  EXPECT_FALSE(c.environment.coarse_clock()) << "not known";
  c.plan.control = true;
  blur_clock(c, 100);
  EXPECT_EQ(median_us(c.blocks[0].figures, TimedPart::WholeFrame), 0.0) << "most frames are shorter than the clock's steps";
  for (const TimeEffect& found : {c.whole, c.simulation}) {
    ASSERT_EQ(found.quad_effects.size(), 7u);
    EXPECT_NEAR(std::exp(found.effect.point), 0.8, 0.03);
  }
  const std::string said = "The clock has steps of 100 µs, so whole blocks were timed.";
  EXPECT_NE(c.verdict.find(said), std::string::npos) << c.verdict;
  ScratchFolder folder;
  const ComparisonFiles files = write_comparison(c, folder.path());
  EXPECT_EQ(nlohmann::json::parse(text_of(files.run))["environment"]["coarse_clock"], true);
  Comparison stored;
  ASSERT_EQ(read_comparison(folder.path(), stored), "");
  EXPECT_TRUE(stored.environment.coarse_clock());
  EXPECT_NE(report_html(report_of(stored)).find("steps of 100 µs: whole blocks are timed"), std::string::npos);
  Comparison fine = synthetic_comparison(7, 400, {30, 0.8, 0, false});
  fine.plan.control = true;
  blur_clock(fine, 0.5);
  EXPECT_FALSE(fine.environment.coarse_clock());
  EXPECT_EQ(fine.verdict.find("The clock"), std::string::npos) << fine.verdict;
}

class HashFiles : public testing::Test {
 protected:
  HashCheck check(const std::string& a, const std::string& b) {
    std::ofstream(folder_.file("a"), std::ios::binary) << a;
    std::ofstream(folder_.file("b"), std::ios::binary) << b;
    return compare_hash_files(folder_.file("a"), folder_.file("b"), "heap", "free_list");
  }
  ScratchFolder folder_;
};

TEST_F(HashFiles, EqualOnesGiveTheFinalHash) {
  const HashCheck result =
      check("1 00000000000000aa\n2 00000000000000bb\n", "1 00000000000000aa\n2 00000000000000bb\n");
  EXPECT_TRUE(result.equal);
  EXPECT_EQ(result.steps, 2u);
  EXPECT_EQ(result.final_hash, 0xbbu);
}

TEST_F(HashFiles, TheFirstDifferenceIsNamed) {
  const HashCheck result = check("1 00000000000000aa\n2 00000000000000bb\n3 00000000000000cc\n",
                                 "1 00000000000000aa\n2 00000000000000ff\n3 00000000000000cd\n");
  EXPECT_FALSE(result.equal);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.difference, "step 2: heap 00000000000000bb, free_list 00000000000000ff");
}

TEST_F(HashFiles, AShorterFileIsADifference) {
  EXPECT_EQ(check("1 00000000000000aa\n2 00000000000000bb\n", "1 00000000000000aa\n").difference,
            "step 2: heap 00000000000000bb, free_list nothing");
}

TEST_F(HashFiles, WhatIsNoHashFileIsAnError) {
  EXPECT_NE(check("", "").error, "");
  EXPECT_NE(check("hello\n", "hello\n").error.find("line 1"), std::string::npos);
  EXPECT_NE(compare_hash_files("/none/a", "/none/b", "", "").error.find("/none/a"), std::string::npos);
}

TEST(ChildProcess, TellsHowItEnded) {
  ScratchFolder folder;
  std::atomic<bool> stop{false};
  const auto run = [&](const char* script) { return run_child({"sh", "-c", script}, folder.file("log"), stop, {}); };
  EXPECT_TRUE(run("exit 0").succeeded());
  EXPECT_EQ(run("echo one; echo 'two words' >&2; exit 7").text(), "ended with exit code 7");
  EXPECT_EQ(last_line_of(folder.file("log")), "two words");
  EXPECT_EQ(run("kill -SEGV $$").text().substr(0, 31), "was killed by signal 11 (Segmen");
  const ChildResult missing = run_child({"/no/such/program"}, folder.file("log"), stop, {});
  EXPECT_EQ(missing.end, ChildEnd::NotStarted);
  EXPECT_NE(missing.text().find("No such file"), std::string::npos);
  EXPECT_EQ(run_child({}, folder.file("log"), stop, {}).end, ChildEnd::NotStarted);
}

TEST(FedChildProcess, ReadsWhatItIsFedAndTellsHowItEnded) {
  ScratchFolder folder;
  FedChild child;
  ASSERT_EQ(child.start({"sh", "-c", "cat > " + folder.file("copy")}, folder.file("log")), 0);
  const std::string bytes(3'000'000, 'x');
  EXPECT_TRUE(child.write(bytes));
  EXPECT_TRUE(child.finish().succeeded());
  EXPECT_EQ(text_of(folder.file("copy")), bytes);
}

TEST(FedChildProcess, OneThatEndsEarlyIsAFailedWriteAndNoSignal) {
  ScratchFolder folder;
  FedChild child;
  ASSERT_EQ(child.start({"sh", "-c", "echo enough; exit 4"}, folder.file("log")), 0);
  const std::string bytes(100'000, 'x');
  bool taken = true;
  for (int i = 0; i < 100 && taken; ++i) taken = child.write(bytes);
  EXPECT_FALSE(taken);
  EXPECT_EQ(child.finish().code, 4);
  EXPECT_EQ(last_line_of(folder.file("log")), "enough");
}

TEST(FedChildProcess, IsEndedWithItsOwner) {
  ScratchFolder folder;
  FedChild child;
  EXPECT_EQ(child.start({"/no/such/program"}, folder.file("log")), ENOENT);
  ASSERT_EQ(child.start({"sleep", "1000"}, folder.file("log")), 0);
  child.stop();
  EXPECT_FALSE(child.running());
  EXPECT_FALSE(child.write("more"));
}

TEST(ChildProcess, CommandsReadAsTyped) {
  EXPECT_EQ(command_text({"./play", "--out", "my dir", "it's", ""}), "./play --out 'my dir' 'it'\\''s' ''");
}

/// Runs comparisons whose blocks are small shell scripts that copy canned files.
class ExperimentTest : public testing::Test {
 protected:
  void SetUp() override {
    request_.plan.quads = 2;
    request_.plan.steps = 40;
    request_.out_dir = folder_.file("out");
    request_.environment = capture_environment();
    request_.environment.command_line = "spellpool compare";
    request_.block_command = [this](const BlockPlan& block) { return script(block); };
    request_.progress = [this](double fraction, std::string_view text) {
      fractions_.push_back(fraction);
      last_text_ = text;
    };
    for (const char arm : {'A', 'B'}) {
      BlockRecorder recorder(240, 40);
      for (u64 i = 0; i < 280; ++i) {
        frame::FrameRecord record = frame_of((arm == 'A' ? 100.0 : 50.0) + static_cast<double>(i % 7), i + 1);
        record.strategy = arm == 'A' ? 0 : 1;
        record.new_calls = arm == 'A' ? 5 : 0;
        recorder.push(record);
      }
      ASSERT_TRUE(recorder.complete());
      ASSERT_EQ(recorder.own_allocations(), 0u);
      BlockReport report;
      report.final_hash = 0xbb;
      report.renderer = "none (simulation only)";
      ASSERT_EQ(recorder.write({}, report, canned(arm, "csv"), canned(arm, "json")), "");
    }
    hashes('A', "1 00000000000000aa\n2 00000000000000bb\n");
    hashes('B', "1 00000000000000aa\n2 00000000000000bb\n");
  }

  std::string canned(char arm, const std::string& ext) const {
    return folder_.file(std::string("canned_") + arm + "." + ext);
  }
  void hashes(char arm, const std::string& text) { std::ofstream(canned(arm, "txt")) << text; }
  static std::vector<std::string> shell(const std::string& text) { return {"/bin/sh", "-c", text}; }

  std::vector<std::string> script(const BlockPlan& block) {
    plans_.push_back(block);
    if (block.check_pass) return shell("cp " + canned(block.arm, "txt") + " " + block.hash_path);
    if (block.place.block == odd_block_ && odd_block_ >= 0) return shell(odd_script_);
    const char like = block.arm == 'D' && !fs::exists(canned('D', "csv")) ? 'A' : block.arm == 'C' && !fs::exists(canned('C', "csv")) ? 'A' : block.arm;
    return shell("cp " + canned(like, "csv") + " " + block.frames_path + " && cp " + canned(like, "json") +
                 " " + block.report_path);
  }

  ExperimentResult run() { return run_experiment(request_, interrupted_); }
  Json run_file(const std::string& name = "run.json") { return Json::parse(text_of(request_.out_dir + "/" + name)); }
  std::set<std::string> written() {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(request_.out_dir)) names.insert(entry.path().filename().string());
    return names;
  }

  ScratchFolder folder_;
  ExperimentRequest request_;
  std::atomic<bool> interrupted_{false};
  std::vector<BlockPlan> plans_;
  std::vector<double> fractions_;
  std::string last_text_;
  i32 odd_block_ = -1;
  std::string odd_script_;
};

TEST_F(ExperimentTest, RunsEveryBlockInItsOwnProcessAndWritesThreeFiles) {
  const ExperimentResult result = run();
  ASSERT_EQ(result.comparison.state, ComparisonState::Done) << result.comparison.message;
  EXPECT_EQ(result.exit_code(), 0);
  EXPECT_EQ(written(), (std::set<std::string>{"run.json", "frames.csv", "card.png"}));
  ASSERT_EQ(plans_.size(), 10u);
  EXPECT_TRUE(plans_[0].check_pass && plans_[1].check_pass);
  std::string order;
  for (std::size_t i = 2; i < plans_.size(); ++i) order += plans_[i].arm;
  EXPECT_EQ(order, "ABBABAAB");
  EXPECT_EQ(plans_[2].warmup_steps, 240u);

  const Json json = run_file();
  EXPECT_EQ(json["state"], "done");
  EXPECT_NEAR(json["ratio"]["b_over_a"].get<double>(), 53.0 / 103.0, 1e-6);
  EXPECT_EQ(json["ratio"]["quad_effects_ln"].size(), 2u);
  EXPECT_EQ(json["blocks"].size(), 8u);
  EXPECT_EQ(json["arms"]["a"]["strategy"], "heap");
  EXPECT_EQ(json["arms"]["a"]["figures"]["allocations_per_frame"], 5.0);
  EXPECT_EQ(json["arms"]["b"]["figures"]["allocations_per_frame"], 0.0);
  EXPECT_TRUE(json["arms"]["a"]["figures"]["p99_9_us"].is_null()) << "not known, so null and not 0";
  EXPECT_EQ(json["equal_work"]["replay_hash"], "00000000000000bb");
  EXPECT_EQ(json["environment"]["renderer"], "none (simulation only)");
  EXPECT_EQ(json["indication"], result.comparison.indication);

  const FramesCsv table = read_frames_csv(request_.out_dir + "/frames.csv");
  ASSERT_EQ(table.frames.size(), 320u) << table.error;
  EXPECT_EQ(table.places[0], (BlockPlace{0, 0, 0}));
  EXPECT_EQ(table.places[319], (BlockPlace{7, 1, 3}));
  EXPECT_EQ(table.frames[0].step, 241u) << "the warm-up is dropped";
  EXPECT_EQ(text_of(request_.out_dir + "/card.png").substr(1, 3), "PNG");
  EXPECT_TRUE(std::is_sorted(fractions_.begin(), fractions_.end()));
  EXPECT_EQ(fractions_.back(), 1.0);
}

TEST_F(ExperimentTest, EarlierResultsStayAndTheNewOnesShareANumber) {
  fs::create_directories(request_.out_dir);
  std::ofstream(request_.out_dir + "/card.png") << "precious";
  const ExperimentResult first = run(), second = run();
  EXPECT_EQ(first.run_path, request_.out_dir + "/run-2.json");
  EXPECT_EQ(written(), (std::set<std::string>{"card.png", "run-2.json", "frames-2.csv", "card-2.png", "run-3.json",
                                              "frames-3.csv", "card-3.png"}));
  EXPECT_EQ(text_of(request_.out_dir + "/card.png"), "precious");
  EXPECT_EQ(run_file("run-3.json")["files"]["card"], "card-3.png");
}

TEST_F(ExperimentTest, UnequalHashesAreRefusedWithNoFigure) {
  hashes('B', "1 00000000000000aa\n2 00000000000000b0\n");
  const ExperimentResult result = run();
  EXPECT_EQ(result.comparison.state, ComparisonState::UnequalWork);
  EXPECT_EQ(result.exit_code(), 3);
  EXPECT_NE(result.comparison.message.find("step 2: heap 00000000000000bb, free_list 00000000000000b0"),
            std::string::npos)
      << result.comparison.message;
  EXPECT_EQ(written(), (std::set<std::string>{"run.json"}));
  EXPECT_EQ(run_file()["state"], "unequal_work");
  EXPECT_EQ(run_file()["equal_work"]["equal"], false);
  EXPECT_FALSE(run_file().contains("arms"));
  EXPECT_FALSE(run_file().contains("ratio"));
  EXPECT_EQ(plans_.size(), 2u) << "nothing was measured";
}

TEST_F(ExperimentTest, ABlockThatEndsWithAnotherHashIsRefused) {
  BlockRecorder recorder(0, 40);
  for (u64 i = 0; i < 40; ++i) recorder.push(frame_of(50, i));
  BlockReport wrong;
  wrong.final_hash = 0xdead;
  ASSERT_EQ(recorder.write({}, wrong, canned('C', "csv"), canned('C', "json")), "");
  request_.block_command = [this](const BlockPlan& block) {
    BlockPlan changed = block;
    if (block.place.block == 5) changed.arm = 'C';
    return script(changed);
  };
  const ExperimentResult result = run();
  EXPECT_EQ(result.comparison.state, ComparisonState::UnequalWork);
  EXPECT_NE(result.comparison.message.find("check pass 00000000000000bb"), std::string::npos);
  EXPECT_NE(result.comparison.message.find("block 6 of 8"), std::string::npos) << result.comparison.message;
  EXPECT_NE(result.comparison.message.find("000000000000dead"), std::string::npos);
  EXPECT_EQ(written(), (std::set<std::string>{"run.json"}));
  EXPECT_FALSE(run_file().contains("blocks"));
}

TEST_F(ExperimentTest, ACrashNamesTheCommandItsCodeAndItsLastWords) {
  odd_block_ = 3;
  odd_script_ = "echo spellpool: error: boom, no shaders >&2; exit 9";
  const ExperimentResult result = run();
  EXPECT_EQ(result.comparison.state, ComparisonState::Failed);
  EXPECT_EQ(result.exit_code(), 2);
  EXPECT_EQ(
      result.comparison.message,
      "block 4 of 8 · heap: boom, no shaders (ended with exit code 9: /bin/sh -c 'echo spellpool: error: boom, no shaders >&2; exit 9')");
  EXPECT_EQ(run_file()["blocks"].size(), 3u) << "what was measured before is kept";
}

TEST_F(ExperimentTest, ABlockWithoutAGoodResultIsAnError) {
  odd_block_ = 0;
  odd_script_ = "true";
  ExperimentResult result = run();
  EXPECT_EQ(result.comparison.state, ComparisonState::Failed);
  EXPECT_NE(result.comparison.message.find("left no good result"), std::string::npos) << result.comparison.message;
  EXPECT_TRUE(written().empty()) << "nothing was measured, nothing is written";
}

TEST_F(ExperimentTest, ABlockWithTooFewFramesIsAnError) {
  request_.plan.steps = 41;
  EXPECT_NE(run().comparison.message.find("kept 40 frames, not 41"), std::string::npos);
}

TEST_F(ExperimentTest, AMissingProgramIsAnError) {
  request_.block_command = [](const BlockPlan&) { return std::vector<std::string>{"/no/such/spellpool", "--x"}; };
  const ExperimentResult result = run();
  EXPECT_EQ(result.comparison.message,
            "check pass 1 of 2 · heap could not be started: No such file or directory: /no/such/spellpool --x");
}

TEST_F(ExperimentTest, AnInterruptionEndsTheChildAndSavesWhatIsDone) {
  odd_block_ = 5;
  odd_script_ = "sleep 600";
  request_.progress = [this](double, std::string_view text) {
    if (text.find("block 6 of 8") != std::string_view::npos) interrupted_ = true;
  };
  const ExperimentResult result = run();
  EXPECT_EQ(result.comparison.state, ComparisonState::Interrupted);
  EXPECT_EQ(result.exit_code(), 130);
  EXPECT_EQ(written(), (std::set<std::string>{"run.json", "frames.csv", "card.png", "blocks"}));
  EXPECT_EQ(run_file()["state"], "interrupted");
  EXPECT_EQ(run_file()["blocks"].size(), 5u);
  EXPECT_EQ(run_file()["ratio"]["quads"], 1);
  EXPECT_TRUE(run_file()["ratio"]["low"].is_null()) << "one quad has no interval";
  EXPECT_EQ(read_frames_csv(request_.out_dir + "/frames.csv").frames.size(), 200u);
}

TEST_F(ExperimentTest, ABlockThatSavesOnTermIsKeptAsPartial) {
  odd_block_ = 1;
  request_.block_command = [this](const BlockPlan& block) {
    if (block.place.block != 1) return script(block);
    // The first 10 rows are there when the program is told to end.
    return shell("trap 'head -n 11 " + canned(block.arm, "csv") + " > " + block.frames_path + "; exit 0' TERM; touch " +
                 folder_.file("ready") + "; sleep 600 & wait");
  };
  request_.progress = [this](double, std::string_view) {
    if (fs::exists(folder_.file("ready"))) interrupted_ = true;
  };
  const ExperimentResult result = run();
  EXPECT_EQ(result.comparison.state, ComparisonState::Interrupted);
  EXPECT_EQ(read_frames_csv(request_.out_dir + "/frames.csv").frames.size(), 50u);
  EXPECT_EQ(run_file()["blocks"][1]["partial"], true);
  EXPECT_EQ(run_file()["arms"]["b"]["blocks"], 0) << "a part of a block is in no figure";
  EXPECT_TRUE(run_file()["ratio"]["b_over_a"].is_null());
  EXPECT_TRUE(result.card_path.empty());
}

TEST_F(ExperimentTest, InterruptedBeforeTheFirstBlockItStillSaysSo) {
  interrupted_ = true;
  const ExperimentResult result = run();
  EXPECT_EQ(result.exit_code(), 130);
  EXPECT_EQ(run_file()["state"], "interrupted");
  EXPECT_TRUE(run_file()["equal_work"]["equal"].is_null());
}

TEST_F(ExperimentTest, WhatWasInterruptedGoesOnAndNoBlockIsMeasuredTwice) {
  request_.progress = [this](double, std::string_view text) {
    if (text.find("block 6 of 8") != std::string_view::npos) interrupted_ = true;
  };
  odd_block_ = 5;
  odd_script_ = "sleep 600";
  ASSERT_EQ(run().exit_code(), 130);
  EXPECT_TRUE(fs::exists(request_.out_dir + "/blocks/0004.csv"));
  const std::optional<Unfinished> unfinished = unfinished_in(request_.out_dir);
  ASSERT_TRUE(unfinished);
  EXPECT_EQ(unfinished->blocks, 5u);
  EXPECT_EQ(unfinished->steps, 40u);

  plans_.clear();
  interrupted_ = false;
  odd_block_ = -1;
  request_.progress = {};
  request_.resume = true;
  const ExperimentResult result = run();
  ASSERT_EQ(result.comparison.state, ComparisonState::Done) << result.comparison.message;
  ASSERT_EQ(plans_.size(), 3u) << "no check pass, and the three that were missing";
  EXPECT_EQ(plans_[0].place.block, 5);
  EXPECT_EQ(written(), (std::set<std::string>{"run.json", "frames.csv", "card.png"}));
  const FramesCsv table = read_frames_csv(request_.out_dir + "/frames.csv");
  ASSERT_EQ(table.frames.size(), 320u);
  for (std::size_t i = 0; i < table.frames.size(); ++i) ASSERT_EQ(table.places[i].block, static_cast<i32>(i / 40));
  EXPECT_EQ(run_file()["equal_work"]["replay_hash"], "00000000000000bb");
  EXPECT_EQ(run().exit_code(), 2) << "there is nothing left to resume";
}

TEST_F(ExperimentTest, AResumedComparisonHasToBeTheSameOne) {
  odd_block_ = 5;
  odd_script_ = "exit 9";
  ASSERT_EQ(run().exit_code(), 2);
  request_.resume = true;
  const std::string cpu = request_.environment.cpu;
  request_.environment.cpu = "another";
  EXPECT_NE(run().comparison.message.find("another machine"), std::string::npos);
  request_.environment.cpu = cpu;
  request_.plan.seed = 77;
  EXPECT_NE(run().comparison.message.find("other options"), std::string::npos);
  request_.plan.seed = 1;
  EXPECT_TRUE(fs::exists(request_.out_dir + "/blocks/0004.json")) << "a refusal loses nothing";
  odd_block_ = -1;
  EXPECT_EQ(run().exit_code(), 0);
}

TEST_F(ExperimentTest, ADamagedBlockIsMeasuredAgain) {
  odd_block_ = 7;
  odd_script_ = "exit 9";
  ASSERT_EQ(run().exit_code(), 2);
  fs::resize_file(request_.out_dir + "/blocks/0002.csv", 700);
  std::ofstream(request_.out_dir + "/blocks/0003.json") << "{\"arm\": ";
  fs::remove(request_.out_dir + "/blocks/0004.json");
  odd_block_ = -1;
  request_.resume = true;
  plans_.clear();
  ASSERT_EQ(run().exit_code(), 0);
  std::vector<i32> again;
  for (const BlockPlan& plan : plans_) again.push_back(plan.place.block);
  EXPECT_EQ(again, (std::vector<i32>{2, 3, 4, 7}));
}

TEST_F(ExperimentTest, WhileItRunsTheBlocksAreOnDiskAndRunJsonSaysSo) {
  bool seen = false;
  request_.progress = [&](double, std::string_view text) {
    if (text.find("block 4 of 8") == std::string_view::npos) return;
    seen = true;
    EXPECT_EQ(run_file()["state"], "running");
    EXPECT_EQ(read_frames_csv(request_.out_dir + "/blocks/0002.csv").frames.size(), 40u);
    ExperimentRequest second = request_;
    second.resume = true;
    second.progress = {};
    const std::atomic<bool> never{false};
    EXPECT_NE(run_experiment(second, never).comparison.message.find("another spellpool"), std::string::npos);
  };
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_TRUE(seen);
  EXPECT_EQ(run_file()["state"], "done");
}

TEST_F(ExperimentTest, AControlOfEqualArmsRunsInTurnsAndMakesAVerdict) {
  request_.plan.control = true;
  request_.plan.quads = 20;
  const ExperimentResult result = run();
  ASSERT_EQ(result.exit_code(), 0) << result.comparison.message;
  std::string order;
  for (std::size_t i = 2; i < 18; ++i) order += plans_[i].arm;
  EXPECT_EQ(order, "ABBACDDCBAABDCCD");
  EXPECT_EQ(plans_[6].strategy, pool::StrategyId::Heap) << "both arms of the control do what A does";
  EXPECT_EQ(plans_[7].strategy, pool::StrategyId::Heap);
  const Json json = run_file();
  EXPECT_EQ(json["ratio"]["quads"], 20);
  EXPECT_EQ(json["ratio"]["control"]["quads"], 20);
  EXPECT_EQ(json["arms"]["a"]["blocks"], 40) << "the control counts in no arm";
  EXPECT_NE(result.comparison.last_line().find("free_list is faster than heap here"), std::string::npos) << result.comparison.last_line();
}

TEST_F(ExperimentTest, DifferentWorkIsToldSideBySideWithoutAVerdict) {
  request_.plan.different_work = true;
  request_.plan.control = true;
  request_.plan.quads = 6;
  request_.plan.labels = {"heap", "heap+steal_oldest"};
  hashes('B', "1 00000000000000aa\n2 00000000000000cc\n");
  std::string b = text_of(canned('B', "json"));
  b.replace(b.find("00000000000000bb"), 16, "00000000000000cc");
  std::ofstream(canned('B', "json")) << b;
  request_.block_command = [this](const BlockPlan& block) {
    BlockPlan changed = block;
    if (block.arm > 'B') changed.arm = 'A';
    return script(changed);
  };
  const ExperimentResult result = run();
  ASSERT_EQ(result.exit_code(), 0) << result.comparison.message;
  EXPECT_NE(result.comparison.last_line().find("different work"), std::string::npos);
  EXPECT_EQ(result.comparison.last_line().find("faster"), std::string::npos);
  EXPECT_TRUE(run_file()["verdict"].is_null());
  EXPECT_EQ(run_file()["equal_work"]["equal"], false);
}

TEST_F(ExperimentTest, ATrialTellsHowLongItTakesAndFixesTheSteps) {
  std::string line;
  request_.announce = [&](const std::string& text) { line = text; };
  request_.only_estimate = true;
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_NE(line.find("8 blocks of 240 + 40 steps: about "), std::string::npos) << line;
  EXPECT_NE(line.find("--resume"), std::string::npos);
  EXPECT_FALSE(fs::exists(request_.out_dir)) << "an estimate leaves nothing behind, not even the folder";
  EXPECT_EQ(plans_.size(), 1u);
  fs::create_directories(request_.out_dir);
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_TRUE(written().empty());
  EXPECT_TRUE(fs::exists(request_.out_dir)) << "one that was there is somebody's";
  request_.fill_s = 3600;
  request_.most_steps = 500;
  EXPECT_EQ(run().comparison.plan.steps, 500u) << "frames of 0.1 ms, an hour: as many as are allowed";
  request_.fill_s = 0.001;
  EXPECT_EQ(run().comparison.plan.steps, 60u);
}

TEST_F(ExperimentTest, BadPlansAndFoldersAreRefusedBeforeAnythingRuns) {
  const auto message_of = [this] {
    const ExperimentResult result = run();
    EXPECT_EQ(result.exit_code(), 2);
    EXPECT_EQ(result.comparison.message.find('\n'), std::string::npos);
    return result.comparison.message;
  };
  request_.plan.quads = 0;
  EXPECT_NE(message_of().find("--quads"), std::string::npos);
  request_.plan.quads = 4'000'000'000u;
  EXPECT_NE(message_of().find("--quads"), std::string::npos);
  request_.plan.quads = 1;
  request_.plan.steps = 0;
  EXPECT_NE(message_of().find("--steps"), std::string::npos);
  request_.plan.steps = ~u64{0};
  EXPECT_NE(message_of().find("--steps"), std::string::npos);
  request_.plan.steps = 40;
  request_.out_dir = "/dev/null/out";
  EXPECT_NE(message_of().find("/dev/null/out"), std::string::npos);
  std::ofstream(folder_.file("file")) << "x";
  request_.out_dir = folder_.file("file");
  EXPECT_NE(message_of().find("file"), std::string::npos);
  EXPECT_TRUE(plans_.empty());
}

TEST(EnvironmentTest, KnowsItsCompilerAndMachine) {
  const Environment here = capture_environment();
  EXPECT_TRUE(here.compiler.find("g++") == 0 || here.compiler.find("clang++") == 0);
  EXPECT_NE(here.kernel, "NA");
  EXPECT_NE(here.cpu, "NA");
#if defined(__x86_64__)
  // "AMD EPYC" alone is the name of four generations.
  EXPECT_NE(here.cpu.find(" (family "), std::string::npos) << here.cpu;
  EXPECT_NE(here.cpu.find(", model "), std::string::npos) << here.cpu;
#endif
  EXPECT_NE(here.affinity, "NA");
  EXPECT_GT(here.memory_kib, 0u);
  EXPECT_GT(here.clock_step_us, 0.0);
  EXPECT_FALSE(here.coarse_clock()) << here.clock_step_us;
  EXPECT_EQ(here.date.size(), 20u);
  if (!here.optimised) {
    EXPECT_FALSE(here.comparable());
    EXPECT_EQ(here.why_not_comparable(), "unoptimised build");
  }
}

}  // namespace
}  // namespace spellpool::measure
