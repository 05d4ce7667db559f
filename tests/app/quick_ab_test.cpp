#include "app/paired/quick_ab.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/play/spell_library.hpp"
#include "measure/record/allocation_counter.hpp"
#include "measure/record/frames_csv.hpp"
#include "measure/record/phase_clock.hpp"
#include "sim/spells/autoplay.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;
using pool::StrategyId;
using State = frame::QuickAbView::State;

sim::WorldConfig player_like() {
  SpellLibrary library;
  EXPECT_EQ(library.load(SPELLPOOL_SOURCE_DIR), "");
  sim::WorldConfig config;
  config.seed = 3;
  config.spells = library.spells();
  return config;
}

/// A window's loop whose frames take made-up times: `us` for arm A, b_over_a times that for B.
struct FakeLoop {
  explicit FakeLoop(QuickAb& quick) : ab(quick) {}
  QuickAb& ab;
  double us = 40'000, b_over_a = 0.9;
  measure::PhaseClock phases;
  u64 frames = 0;

  void frame() {
    ab.step(phases);
    frame::FrameRecord record = ab.record();
    // A little unrest, the same for both arms at the same step.
    const double unrest = 1.0 + 0.05 * std::sin(static_cast<double>(record.step));
    record.frame_us = static_cast<float>(us * unrest * (record.strategy == static_cast<u8>(StrategyId::Heap) ? 1.0 : b_over_a));
    record.frame = frames++;
    ab.frame_end(record);
  }
  void play(u64 most = ~u64{0}) {
    for (; most > 0 && !ab.done(); --most) frame();
  }
};

class QuickAbTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "spellpool-ab-XXXXXX").string();
    scratch_ = mkdtemp(name.data());
    folder_ = scratch_ / "quick_ab_now";
  }
  void TearDown() override { fs::remove_all(scratch_); }
  nlohmann::json run_json() const { return nlohmann::json::parse(std::ifstream(folder_ / "run.json")); }

  fs::path scratch_, folder_;
  QuickAbConditions conditions_{"llvmpipe", 1280, 720};
};

TEST_F(QuickAbTest, PlaysBothStrategiesThroughTheSameStepsAndFindsTheDifference) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  loop.play();
  const frame::QuickAbView view = ab.view();
  ASSERT_EQ(view.state, State::Done);
  EXPECT_TRUE(view.equal_work);
  EXPECT_NEAR(view.ratio, 0.9, 0.01);
  EXPECT_LT(view.high, 1.0);
  EXPECT_GT(view.low, 0.8);
  EXPECT_NEAR(view.median_a_us, 40'000, 3'000);
  EXPECT_GE(view.frames, 24u * 4);
  EXPECT_GT(view.steps, 240u);
  EXPECT_NE(view.verdict.find("less time a frame"), std::string_view::npos) << view.verdict;
  EXPECT_NE(view.conditions.find("1280×720"), std::string_view::npos);

  EXPECT_EQ(ab.saver(folder_.string())().line, "quick A/B saved in " + folder_.string());
  const nlohmann::json json = run_json();
  EXPECT_EQ(json["plan"]["a"], "heap");
  EXPECT_EQ(json["plan"]["b"], "free_list");
  EXPECT_EQ(json["equal_work"]["equal"], true);
  EXPECT_NEAR(json["ratio"]["b_over_a"].get<double>(), view.ratio, 1e-9);
  EXPECT_EQ(json["verdict"].get<std::string>(), view.verdict);
  EXPECT_NE(json["method"].get<std::string>().find("in-process"), std::string::npos);
  EXPECT_EQ(json["environment"]["vsync"], "off");
  const measure::FramesCsv table = measure::read_frames_csv((folder_ / "frames.csv").string());
  EXPECT_EQ(table.error, "");
  ASSERT_EQ(table.frames.size(), view.frames);
  u64 spawned = 0;
  for (const frame::FrameRecord& record : table.frames) spawned += record.spawned;
  EXPECT_GT(spawned, 100u) << "spells fill the air";
  EXPECT_TRUE(fs::exists(folder_ / "card.png"));
}

TEST_F(QuickAbTest, TheViewsTextsOutliveIt) {
  auto ab = std::make_unique<QuickAb>(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop(*ab).play();
  const auto save = ab->saver(folder_.string());
  const frame::QuickAbView view = ab->view();
  const std::unique_ptr<QuickAbTexts> texts = std::move(*ab).take_texts();
  ab.reset();
  EXPECT_EQ(save().line, "quick A/B saved in " + folder_.string());
  EXPECT_EQ(view.folder, folder_.string());
  EXPECT_FALSE(view.verdict.empty() || view.conditions.empty());
}

TEST_F(QuickAbTest, EqualTimesAreNoDifference) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  loop.b_over_a = 1.0;
  loop.play();
  EXPECT_TRUE(ab.view().verdict.starts_with("No difference found")) << ab.view().verdict;
}

TEST_F(QuickAbTest, WorkThatIsNotEqualIsRefused) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  loop.play(60);
  frame::InputFrame elsewhere;
  elsewhere.move_x = 127;
  ab.world().step(elsewhere, {});
  loop.play();
  const frame::QuickAbView view = ab.view();
  EXPECT_EQ(view.state, State::Done);
  EXPECT_FALSE(view.equal_work);
  EXPECT_EQ(view.verdict.substr(0, 7), "Refused");
  EXPECT_TRUE(std::isnan(view.ratio));
  EXPECT_NE(ab.saver(folder_.string())().line, "");
  EXPECT_EQ(run_json()["state"], "unequal_work");
  EXPECT_FALSE(fs::exists(folder_ / "frames.csv"));
}

TEST_F(QuickAbTest, ThePlayersWorldIsNotTouched) {
  const sim::WorldConfig config = player_like();
  sim::World player(config);
  sim::Autoplayer hand(5);
  for (int i = 0; i < 200; ++i) player.step(hand.next(player), {});
  const u64 before = player.hash();
  sim::WorldConfig like = player.config();
  QuickAb ab(like, StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop(ab).play();
  EXPECT_EQ(player.hash(), before);
  EXPECT_EQ(player.steps(), 200u);
}

TEST_F(QuickAbTest, EveryPoolHasItsArmsStrategy) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  std::array<u64, pool::kStrategyCount> seen{};
  while (!ab.done()) {
    loop.frame();
    const StrategyId strategy = ab.world().pool(frame::PoolId::Particles).strategy();
    ++seen[static_cast<std::size_t>(strategy)];
    for (const frame::PoolName& pool : frame::pools_of(frame::SceneId::Spells)) ASSERT_EQ(ab.world().pool(pool.id).strategy(), strategy);
  }
  EXPECT_GT(seen[0], 50u);
  EXPECT_GT(seen[1], 50u);
}

TEST_F(QuickAbTest, CancelledInTheMiddleItSavesWhatThereIs) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  loop.play(150);
  ASSERT_FALSE(ab.done());
  ab.cancel();
  EXPECT_TRUE(ab.done());
  EXPECT_EQ(ab.view().state, State::Done);
  EXPECT_NE(ab.saver(folder_.string())().line, "");
  EXPECT_EQ(run_json()["state"], "interrupted");
  EXPECT_GT(measure::read_frames_csv((folder_ / "frames.csv").string()).frames.size(), 20u);
}

TEST_F(QuickAbTest, CancelledBeforeTheFirstBlockItLeavesNothing) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  loop.play(5);
  EXPECT_EQ(ab.view().state, State::Running);
  EXPECT_EQ(ab.saver(folder_.string())().line, "");
  EXPECT_EQ(ab.view().state, State::None);
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(QuickAbTest, AFolderThatCannotBeMadeIsTold) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop(ab).play();
  EXPECT_TRUE(ab.saver("/proc/nowhere/quick")().line.starts_with("quick A/B: cannot write /proc/nowhere/quick/"));
}

TEST_F(QuickAbTest, MeasuredFramesAllocateNothingOfItsOwn) {
  QuickAb ab(player_like(), StrategyId::FreeList, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  while (!ab.view().text.starts_with("block ")) loop.frame();
  const u64 before = measure::thread_allocations().new_calls;
  for (int i = 0; i < 100; ++i) {
    loop.frame();
    ASSERT_EQ(ab.view().state, State::Running);
  }
  EXPECT_EQ(measure::thread_allocations().new_calls, before);
}

TEST_F(QuickAbTest, ProgressRises) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  float last = 0;
  std::string texts;
  while (!ab.done()) {
    loop.frame();
    const frame::QuickAbView view = ab.view();
    EXPECT_GE(view.progress, last);
    last = view.progress;
    texts += std::string(view.text) + "\n";
  }
  EXPECT_EQ(last, 1.0f);
  EXPECT_NE(texts.find("block 7 of 24, new/delete, "), std::string::npos) << texts;
}

}  // namespace
}  // namespace spellpool::app
