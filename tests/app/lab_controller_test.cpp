#include "app/window/lab_controller.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "app/compare_arm.hpp"
#include "app/options.hpp"
#include "measure/record/output_file.hpp"
#include "pool/strategy.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;
using frame::LabAct;
using frame::LabChoices;
using frame::LabRequests;
using frame::LabTone;
using frame::LabView;

constexpr const char* kRun =
    "{\"format\":\"spellpool-run-1\",\"state\":\"STATE\",\"message\":MESSAGE,\"indication\":\"i\",\"verdict\":\"free_list was faster.\",\"method\":\"a fresh process per block\","
    "\"plan\":{\"scene\":\"spells\",\"a\":\"heap\",\"b\":\"free_list\",\"quads\":20,\"control\":true,\"steps\":2,\"sim_only\":true},"
    "\"equal_work\":{\"checked\":true,\"equal\":true,\"hashed_steps\":9,\"replay_hash\":\"0123456789abcdef\"},"
    "\"environment\":{\"optimised\":true,\"date\":\"2026-11-21T03:42:21Z\"},"
    "\"ratio\":{\"b_over_a\":0.8,\"low\":0.75,\"high\":0.85,\"quad_effects_ln\":[-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2,-0.2],"
    "\"control\":{\"a_over_a\":1.0,\"low\":0.99,\"high\":1.01,\"quad_effects_ln\":[]}},"
    "\"arms\":{\"a\":{\"strategy\":\"heap\",\"figures\":{\"median_us\":100,\"p99_us\":200}},\"b\":{\"strategy\":\"free_list\",\"figures\":{\"median_us\":80,\"p99_us\":120}}},"
    "\"files\":{\"frames\":null,\"card\":null}}\n";

class Lab : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "spellpool-lab-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::create_directories(folder_ / "recordings");
    // Says what it was asked, then does what `script` says; $OUT is the folder of --out or --resume.
    write("fake.sh", "echo \"$*\" >>'" + path("asked") + "'\nout=; for word in \"$@\"; do case $before in --out|--resume) out=$word;; esac; before=$word; done\n. '" + path("script") + "'\n");
    fake("exit 0");
    controller_.emplace(path("recordings"), "", std::vector<std::string>{"sh", path("fake.sh")});
  }
  void TearDown() override {
    controller_.reset();
    fs::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  void fake(const std::string& script) const { write("script", script); }
  static std::string run_text(const char* state, const char* message = "null") {
    std::string text = kRun;
    text.replace(text.find("STATE"), 5, state);
    text.replace(text.find("MESSAGE"), 7, message);
    return text;
  }
  /// Frames until it is so; at most a minute of them.
  void until(const char* what, const std::function<bool(const LabView&)>& so) {
    for (int i = 0; i < 6'000; ++i) {
      const std::string line = controller_->update(now_s_ += 0.01, true);
      if (!line.empty()) line_ = line;
      if (so(controller_->view())) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    FAIL() << what << "; the last line was: " << line_;
  }
  void until_idle() {
    until("it ends", [](const LabView& v) { return v.job == LabView::Job::None && !v.reading && !v.details.reading; });
  }
  /// Open, estimated and read.
  void open() {
    controller_->show(true);
    until("an estimate", [](const LabView& v) { return v.job == LabView::Job::None && !v.reading && (!v.estimate.empty() || !v.wrong.empty()); });
  }
  void start() {
    LabRequests requests;
    requests.start = true;
    (void)controller_->take(requests);
  }
  LabController::Request act(LabAct what) {
    LabRequests requests;
    requests.act = what;
    return controller_->take(requests);
  }
  void select(const std::string& name) {
    const LabView view = controller_->view();
    for (u32 i = 0; i < view.rows.size(); ++i) {
      if (view.rows[i].name != name) continue;
      LabRequests requests;
      requests.select = true;
      requests.row = i;
      (void)controller_->take(requests);
      until("details", [](const LabView& v) { return v.details.shown && !v.details.reading; });
      return;
    }
    FAIL() << "no line " << name;
  }

  fs::path folder_;
  std::optional<LabController> controller_;
  double now_s_ = 100;
  std::string line_;
};

constexpr const char* kEstimates = "case \"$*\" in *--estimate*) echo 'progress 0.1 trial' >&2; echo '160 blocks of 240 + 300 steps: about 55 s. Ctrl+C keeps what is done; on' >&2; exit 0;; esac\n";

TEST_F(Lab, EveryChoiceIsUnderstoodByTheCommand) {
  const LabView view = controller_->view();
  std::size_t tried = 0;
  const auto good = [&](const LabChoices& choices) {
    std::vector<std::string> words = lab_words(choices, "/tmp/out");
    words.insert(words.begin(), "spellpool");
    words.emplace_back("--progress");
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    const ParseResult parsed = parse_options(static_cast<int>(argv.size()), argv.data());
    ++tried;
    ASSERT_TRUE(parsed.options) << parsed.text;
    EXPECT_EQ(parsed.options->command, CommandId::Compare);
    const CompareOptions& c = parsed.options->compare;
    EXPECT_EQ(static_cast<u8>(c.a.strategy), choices.arms[0].strategy);
    EXPECT_EQ(static_cast<u8>(c.b.strategy), choices.arms[1].strategy);
    EXPECT_TRUE(c.progress);
    EXPECT_EQ(c.out, "/tmp/out");
    for (const std::string& word : c.words) EXPECT_NE(word, "--progress") << "a resume, and the report, know nothing of who looked on";
  };
  for (u8 strategy = 0; strategy < pool::kStrategyCount; ++strategy) good({.arms = {{{strategy, 0, 0, 0}, {0, 0, 0, 0}}}});
  for (u8 policy = 0; policy < view.policies.size(); ++policy) good({.arms = {{{0, policy, 0, 0}, {1, 0, 0, 0}}}});
  for (u8 memory = 0; memory < view.memories.size(); ++memory) good({.arms = {{{0, 0, 0, 0}, {1, 0, 0, memory}}}});
  EXPECT_EQ(view.voices.size(), 1 + frame::kVoiceStorages.size() + frame::kVoicePolicies.size());
  for (u8 voices = 0; voices < view.voices.size(); ++voices) good({.arms = {{{.voices = voices}, {1}}}});
  for (u8 i = 0; i < kAllocators.size(); ++i) {
    if (kAllocators[i].libraries[0].empty() || !allocator_library(kAllocators[i]).empty()) good({.arms = {{{0, 0, i, 0}, {1, 0, 0, 0}}}});
  }
  for (u8 scene = 0; scene < view.scenes.size(); ++scene) good({.scene = scene, .preset = 1});
  for (u8 preset = 0; preset < view.presets.size(); ++preset) good({.preset = preset});
  for (u8 heap = 0; heap < view.heaps.size(); ++heap) good({.heap = heap});
  for (u8 rollback = 0; rollback < view.rollbacks.size(); ++rollback) good({.scene = static_cast<u8>(view.storage_scene), .rollback = rollback});
  for (u8 plan = 0; plan < view.plans.size(); ++plan) {
    good({.plan = plan});
    good({.plan = plan, .quads = 3, .steps = 60, .drawn = true});
  }
  EXPECT_GT(tried, 40u);
}

TEST_F(Lab, AnOwnPlanSaysQuadsStepsAndWhetherItDraws) {
  const u8 own = static_cast<u8>(controller_->view().plans.size() - 1);
  const auto text = [&](bool drawn) {
    std::string line;
    for (const std::string& word : lab_words({.plan = own, .quads = 7, .steps = 90, .drawn = drawn}, "")) line += word + " ";
    return line;
  };
  EXPECT_EQ(text(false), "compare --a heap --b free_list --scene spells --quads 7 --steps 90 --sim-only ");
  EXPECT_EQ(text(true), "compare --a heap --b free_list --scene spells --quads 7 --steps 90 ");
}

TEST_F(Lab, ARollbackIsOfTheSceneWithoutAGameAlone) {
  const LabView view = controller_->view();
  const auto text = [&](std::size_t scene) {
    std::string line;
    for (const std::string& word : lab_words({.scene = static_cast<u8>(scene), .rollback = 2}, "")) line += word + " ";
    return line;
  };
  EXPECT_NE(text(view.storage_scene).find("--scene storage --rollback 8 "), std::string::npos) << text(view.storage_scene);
  EXPECT_EQ(text(0).find("--rollback"), std::string::npos) << text(0);
}

TEST_F(Lab, TheChildFindsTheFilesThatTheGameWasGiven) {
  fake(kEstimates);
  controller_.emplace(path("recordings"), "/some/where", std::vector<std::string>{"sh", path("fake.sh")});
  open();
  start();
  until_idle();
  until("it ended", [](const LabView& v) { return !v.result.empty(); });
  const std::string asked = read("asked");
  EXPECT_NE(asked.find("--data-dir /some/where --estimate"), std::string::npos) << asked;
  EXPECT_NE(asked.find("--data-dir /some/where --out"), std::string::npos) << asked;
}

TEST_F(Lab, TellsHowLongItWillTakeBeforeAnythingIsBegun) {
  fake(kEstimates);
  open();
  EXPECT_EQ(controller_->view().estimate, "160 blocks of 240 + 300 steps: about 55 s");
  EXPECT_EQ(read("asked").find("--out"), std::string::npos) << "nothing is left behind by it";
  EXPECT_FALSE(controller_->measures());
  // Other choices, another estimate; only once they have rested.
  LabRequests requests;
  requests.change = true;
  requests.choices.plan = 1;
  (void)controller_->take(requests);
  EXPECT_EQ(controller_->view().estimate, "");
  until("a second one", [](const LabView& v) { return !v.estimate.empty(); });
  EXPECT_NE(read("asked").find("--plan standard --estimate"), std::string::npos) << read("asked");
}

TEST_F(Lab, DisturbsNothingThatIsMeasuredInTheGame) {
  fake(kEstimates);
  controller_->show(true);
  for (int i = 0; i < 300; ++i) (void)controller_->update(now_s_ += 0.01, false);
  EXPECT_EQ(read("asked"), "");
}

TEST_F(Lab, WhatTheCommandRefusesIsSaidInItsWords) {
  fake("echo 'spellpool: error: --scene storage: columns takes objects apart' >&2; exit 2");
  open();
  EXPECT_EQ(controller_->view().wrong, "--scene storage: columns takes objects apart");
  EXPECT_EQ(controller_->view().estimate, "");
}

TEST_F(Lab, AComparisonTellsHowFarItIsAndThenItsVerdict) {
  fake(std::string(kEstimates) + "echo 'progress 0.25 block 3 of 160 · heap · about 40 s left' >&2\nwhile [ ! -e '" + path("go") + "' ]; do sleep 0.02; done\n" +
       "mkdir -p \"$out\"; cat >\"$out/run.json\" <<'EOF'\n" + run_text("done") + "EOF\necho 'free_list was faster'");
  open();
  start();
  until("progress", [](const LabView& v) { return v.job == LabView::Job::Comparing && v.progress > 0; });
  EXPECT_TRUE(controller_->measures());
  LabView view = controller_->view();
  EXPECT_FLOAT_EQ(view.progress, 0.25f);
  EXPECT_EQ(view.text, "block 3 of 160 · heap · about 40 s left");
  // Nothing else begins meanwhile, nor do choices change.
  LabRequests requests;
  requests.change = requests.start = true;
  requests.choices.plan = 2;
  (void)controller_->take(requests);
  EXPECT_EQ(controller_->view().choices.plan, 0);
  write("go", "");
  until_idle();
  until("its verdict", [](const LabView& v) { return v.result == "free_list was faster."; });
  view = controller_->view();
  EXPECT_EQ(view.result_badge, "verdict");
  EXPECT_FALSE(view.result_can_resume);
  EXPECT_TRUE(fs::exists(std::string(view.result_folder) + "/run.json"));
  EXPECT_NE(line_.find("The comparison is done"), std::string::npos);
  ASSERT_EQ(view.rows.size(), 1u);
  EXPECT_EQ(view.rows[0].tone, LabTone::Verdict);
  EXPECT_NEAR(view.rows[0].ratio, 0.8, 1e-9);
  EXPECT_NEAR(view.rows[0].high, 0.85, 1e-9);
  EXPECT_TRUE(view.details.shown);
  ASSERT_EQ(view.details.figures.size(), 2u);
  EXPECT_EQ(view.details.figures[1].name, "free_list");
  EXPECT_EQ(view.details.figures[1].median_us, 80);
}

TEST_F(Lab, OneThatIsStoppedKeepsItsBlocksAndGoesOn) {
  fake(std::string(kEstimates) +
       "case \"$*\" in *--resume*) sed -i 's/interrupted/done/' \"$out/run.json\"; rm -r \"$out/blocks\"; exit 0;; esac\n"
       "trap 'cat >\"$out/run.json\" <<EOF\n" + run_text("interrupted", "\"interrupted in block 3\"") + "EOF\necho interrupted in block 3 >&2; exit 130' INT\n"
       "mkdir -p \"$out/blocks\"; echo '{\"note\":{}}' >\"$out/blocks/plan.json\"\necho 'progress 0.5 block 3' >&2\nwhile :; do sleep 0.02; done");
  open();
  start();
  until("it runs", [](const LabView& v) { return v.progress > 0.4f; });
  LabRequests requests;
  requests.stop = true;
  (void)controller_->take(requests);
  EXPECT_TRUE(controller_->view().stopping);
  until_idle();
  until("what is left", [](const LabView& v) { return v.result_can_resume; });
  LabView view = controller_->view();
  EXPECT_EQ(view.result_badge, "unfinished");
  EXPECT_EQ(view.result, "interrupted in block 3");
  ASSERT_EQ(view.rows.size(), 1u);
  EXPECT_EQ(view.rows[0].tone, LabTone::Unfinished);
  EXPECT_TRUE(view.details.can_resume);
  const std::string folder(view.result_folder);
  requests = {};
  requests.resume_result = true;
  (void)controller_->take(requests);
  until("it goes on", [](const LabView& v) { return v.job == LabView::Job::Comparing; });
  until_idle();
  until("done", [](const LabView& v) { return v.result == "free_list was faster."; });
  EXPECT_NE(read("asked").find("compare --resume " + folder + " --progress"), std::string::npos) << read("asked");
  EXPECT_EQ(controller_->view().result_badge, "verdict");
  EXPECT_FALSE(controller_->view().details.can_resume);
}

TEST_F(Lab, OneThatWasKilledIsToldAndItsBlocksAreKept) {
  fake(std::string(kEstimates) + "mkdir -p \"$out/blocks\"; echo '{\"note\":{}}' >\"$out/blocks/plan.json\"\nkill -KILL $$");
  open();
  start();
  until("it was killed", [](const LabView& v) { return !v.result.empty() && v.result_can_resume; });
  EXPECT_NE(controller_->view().result.find("killed by signal 9"), std::string_view::npos) << controller_->view().result;
  EXPECT_EQ(controller_->view().result_badge, "unfinished");
}

TEST_F(Lab, UnequalWorkIsRefusedWithoutAFigure) {
  fake(std::string(kEstimates) + "mkdir -p \"$out\"; cat >\"$out/run.json\" <<'EOF'\n" + run_text("unequal_work", "\"refused, the work was not equal: step 17\"") +
       "EOF\necho 'spellpool: error: refused, the work was not equal: step 17' >&2; exit 3");
  open();
  start();
  until("refused", [](const LabView& v) { return v.result_badge == "refused"; });
  const LabView view = controller_->view();
  EXPECT_EQ(view.result, "refused, the work was not equal: step 17");
  ASSERT_EQ(view.rows.size(), 1u);
  EXPECT_EQ(view.rows[0].tone, LabTone::Refused);
  EXPECT_TRUE(std::isnan(view.rows[0].ratio));
  EXPECT_TRUE(view.details.figures.empty());
}

TEST_F(Lab, TheEndOfTheGameEndsTheChildGently) {
  fake(std::string(kEstimates) + "trap 'echo kept >\"" + path("kept") + "\"; exit 130' INT\necho 'progress 0.5 x' >&2\nwhile :; do sleep 0.02; done");
  open();
  start();
  until("it runs", [](const LabView& v) { return v.progress > 0.4f; });
  const std::string line = controller_->finish();
  EXPECT_EQ(read("kept"), "kept\n");
  EXPECT_NE(line.find("spellpool compare --resume " + path("recordings")), std::string::npos) << line;
  EXPECT_FALSE(controller_->measures());
}

TEST_F(Lab, AProgramThatIsNotThereIsALine) {
  controller_.emplace(path("recordings"), "", std::vector<std::string>{"/no/such/spellpool"});
  open();
  EXPECT_NE(controller_->view().wrong.find("could not be started"), std::string_view::npos) << controller_->view().wrong;
}

TEST_F(Lab, DamagedAndForeignFilesAreLinesOfTheList) {
  write("recordings/cut/run.json", "{\"format\":");
  write("recordings/other/readme", "hello");
  write("recordings/good/run.json", run_text("done"));
  fake(kEstimates);
  open();
  const LabView view = controller_->view();
  ASSERT_EQ(view.rows.size(), 3u);
  for (const frame::LabRow& row : view.rows) {
    EXPECT_EQ(row.tone, row.name == "good" ? LabTone::Verdict : LabTone::Damaged) << row.name;
    EXPECT_FALSE(row.sentence.empty());
  }
  select("cut");
  EXPECT_FALSE(controller_->view().details.can_report);
  EXPECT_TRUE(controller_->view().details.figures.empty());
}

TEST_F(Lab, AReportIsMadeAgainAndOpenedByItsPath) {
  write("recordings/good/run.json", run_text("done"));
  fake(std::string(kEstimates) + "touch \"$2/report.html\"");
  open();
  select("good");
  EXPECT_FALSE(controller_->view().details.has_report);
  EXPECT_EQ(act(LabAct::OpenReport).path, "") << "there is none";
  EXPECT_EQ(act(LabAct::CopyPath).path, path("recordings/good"));
  LabController::Request request = act(LabAct::OpenFolder);
  EXPECT_EQ(request.what, LabController::Request::What::Open);
  EXPECT_EQ(request.path, path("recordings/good"));
  (void)act(LabAct::Report);
  until("the report", [](const LabView& v) { return v.details.has_report; });
  EXPECT_NE(read("asked").find("report " + path("recordings/good")), std::string::npos);
  EXPECT_EQ(act(LabAct::OpenReport).path, path("recordings/good/report.html"));
}

TEST_F(Lab, NoCallWaitsForTheDiskOrTheChild) {
  // Every call while a child runs and files are read: none of them may wait for either. The child never ends by itself, so a wait would hang.
  for (int i = 0; i < 50; ++i) write("recordings/run_" + std::to_string(i) + "/run.json", run_text("done"));
  fake("trap 'exit 130' INT; while :; do sleep 0.02; done");
  controller_->show(true);
  for (int i = 0; i < 200; ++i) {
    (void)controller_->update(now_s_ += 0.01, true);
    (void)controller_->view();
    LabRequests requests;
    requests.read_again = requests.select = true;
    requests.row = static_cast<u32>(i % 60);
    requests.act = LabAct::CopyPath;
    (void)controller_->take(requests);
  }
  EXPECT_EQ(controller_->view().job, LabView::Job::Estimating);
}

}  // namespace
}  // namespace spellpool::app
