#include "app/paired/quick_ab.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "app/library/spell_library.hpp"
#include "measure/record/allocation_counter.hpp"
#include "measure/record/environment.hpp"
#include "measure/record/frames_csv.hpp"
#include "measure/record/phase_clock.hpp"
#include "measure/record/statistics.hpp"
#include "sim/make_world.hpp"
#include "sim/spells/autoplay.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;
using pool::StrategyId;
using State = frame::QuickAbView::State;
using Verdict = frame::QuickAbView::Verdict;

/// What a verdict ends with in a build whose times say nothing: "" in a release.
std::string of_this_build() {
  const std::string why = measure::capture_environment().why_not_comparable();
  return why.empty() ? "" : " Not comparable: " + why + ".";
}

sim::WorldConfig player_like() {
  SpellLibrary library;
  EXPECT_EQ(library.load(SPELLPOOL_SOURCE_DIR), "");
  sim::WorldConfig config;
  config.seed = 3;
  config.spells = library.spells();
  config.arena = library.arena();
  return config;
}

TEST(QuickAb, BeginsWithThePlayersMoment) {
  const sim::WorldConfig like = player_like();
  const std::unique_ptr<sim::GameWorld> player = sim::make_world(like);
  const std::unique_ptr<sim::ScriptedPlayer> script = player->scripted_player(3);
  for (int i = 0; i < 500; ++i) player->step(script->next(), {});
  const std::unique_ptr<sim::WorldState> moment = player->new_state();
  player->save(*moment);
  QuickAb quick(like, StrategyId::Heap, StrategyId::Dense, {}, moment.get());
  EXPECT_EQ(quick.world().hash(), player->hash());
  measure::PhaseClock phases;
  while (quick.world().steps() < 740) quick.step(phases);
  EXPECT_EQ(quick.view().state, State::Running);
  EXPECT_EQ(player->steps(), 500u);
}

/// Two CPUs of which this process uses not quite one, and other programs the rest as given. A second passes between readings.
struct FakeMachine {
  double others = 0.02;
  measure::MachineReading now{0, 0, 0, 0, 0, 0, 0.5};

  measure::MachineReading read() {
    now.wall_ms += 1'000;
    now.cpu_ms += 2'000;
    now.own_ms += 900;
    now.busy_ms += 900 + 2'000 * others;
    now.waited_ms += 20;
    return now;
  }
};

/// A window's loop whose frames take made-up times: `us` for arm A, b_over_a times that for B. Of a frame of A a twentieth is
/// simulation, of one of B that times sim_b_over_a.
struct FakeLoop {
  explicit FakeLoop(QuickAb& quick) : ab(quick) {}
  QuickAb& ab;
  double us = 40'000, b_over_a = 0.9, sim_b_over_a = 0.4;
  measure::PhaseClock phases;
  u64 frames = 0;

  void frame() {
    ab.step(phases);
    frame::FrameRecord record = ab.record();
    // A little unrest, the same for both arms at the same step.
    const double unrest = 1.0 + 0.05 * std::sin(static_cast<double>(record.step));
    const bool is_a = record.strategy == static_cast<u8>(StrategyId::Heap);
    record.frame_us = static_cast<float>(us * unrest * (is_a ? 1.0 : b_over_a));
    const double simulation = 0.05 * us * unrest * (is_a ? 1.0 : sim_b_over_a);
    const auto phase_us = [&](frame::Phase phase, double t) { record.phase_us[static_cast<std::size_t>(phase)] = static_cast<float>(t); };
    phase_us(frame::Phase::Update, 0.6 * simulation);
    phase_us(frame::Phase::Despawn, 0.4 * simulation);
    phase_us(frame::Phase::Render, static_cast<double>(record.frame_us) - simulation);
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
  FakeMachine machine_;
  QuickAbConditions conditions_{"llvmpipe", 1280, 720, [this] { return machine_.read(); }};
};

TEST_F(QuickAbTest, PlaysBothStrategiesThroughTheSameStepsAndFindsTheDifference) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  loop.play();
  const frame::QuickAbView view = ab.view();
  ASSERT_EQ(view.state, State::Done);
  EXPECT_TRUE(view.equal_work);
  EXPECT_NEAR(view.whole_frame.ratio, 0.9, 0.01);
  EXPECT_LT(view.whole_frame.high, 1.0);
  EXPECT_GT(view.whole_frame.low, 0.8);
  EXPECT_NEAR(view.whole_frame.median_a_us, 40'000, 3'000);
  EXPECT_EQ(view.whole_frame.verdict, Verdict::Faster);
  EXPECT_NEAR(view.simulation.ratio, 0.4, 0.01);
  EXPECT_EQ(view.simulation.verdict, Verdict::Faster);
  EXPECT_GE(view.frames, 24u * 4);
  EXPECT_GT(view.steps, 240u);
  EXPECT_TRUE(view.simulation.sentence.starts_with("Simulation: the pool takes 0.40× the time of new/delete (")) << view.simulation.sentence;
  EXPECT_TRUE(view.whole_frame.sentence.starts_with("Whole frame: the pool takes 0.90× the time of new/delete ("))
      << view.whole_frame.sentence;
  EXPECT_EQ(view.advice, "");
  EXPECT_NE(view.conditions.find("1280×720"), std::string_view::npos);

  EXPECT_EQ(ab.saver(folder_.string())().line, "quick A/B saved in " + folder_.string());
  const nlohmann::json json = run_json();
  EXPECT_EQ(json["plan"]["a"], "heap");
  EXPECT_EQ(json["plan"]["b"], "free_list");
  EXPECT_EQ(json["equal_work"]["equal"], true);
  EXPECT_NEAR(json["ratio"]["b_over_a"].get<double>(), view.whole_frame.ratio, 1e-9);
  EXPECT_NEAR(json["simulation"]["b_over_a"].get<double>(), view.simulation.ratio, 1e-9);
  EXPECT_EQ(json["noise"]["too_noisy"], false);
  EXPECT_NEAR(json["noise"]["others"].get<double>(), 0.02, 1e-9);
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

TEST_F(QuickAbTest, EqualTimesAreNoDifferenceAndTheCardSaysWhatToDo) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  loop.b_over_a = loop.sim_b_over_a = 1.0;
  loop.play();
  const frame::QuickAbView view = ab.view();
  EXPECT_TRUE(view.verdict.starts_with("No difference found")) << view.verdict;
  EXPECT_EQ(view.simulation.verdict, Verdict::None);
  EXPECT_EQ(view.whole_frame.verdict, Verdict::None);
  EXPECT_NE(view.advice.find("heavier load"), std::string_view::npos);
}

TEST_F(QuickAbTest, DrawingThatTakesTheSameTimeHidesNoDifferenceOfTheSimulation) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  loop.b_over_a = 1.0;
  loop.play();
  const frame::QuickAbView view = ab.view();
  EXPECT_EQ(view.simulation.verdict, Verdict::Faster);
  EXPECT_EQ(view.whole_frame.verdict, Verdict::None);
  EXPECT_NE(view.whole_frame.sentence.find("drawing takes 9"), std::string_view::npos) << view.whole_frame.sentence;
  EXPECT_EQ(std::string(view.verdict), std::string(view.simulation.sentence) + " " + std::string(view.whole_frame.sentence) + of_this_build());
}

/// The lower of the two middle values of an even number, as the nearest rank has it.
double nearest_rank_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at((values.size() + 1) / 2 - 1);
}

TEST_F(QuickAbTest, EveryNumberOfTheCardIsThatOfTheRecordedFrames) {
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop(ab).play();
  const frame::QuickAbView view = ab.view();
  ab.saver(folder_.string())();
  const measure::FramesCsv table = measure::read_frames_csv((folder_ / "frames.csv").string());
  ASSERT_EQ(table.error, "");
  ASSERT_EQ(table.frames.size(), view.frames);
  const auto whole = [](const frame::FrameRecord& r) { return static_cast<double>(r.frame_us); };
  const auto simulation = [](const frame::FrameRecord& r) {
    double us = 0;
    for (std::size_t phase = 0; phase < 4; ++phase) us += static_cast<double>(r.phase_us[phase]);
    return us;
  };
  const auto check = [&](const frame::QuickAbView::Line& line, auto us) {
    std::array<std::vector<double>, 2> of_arm;
    std::map<i32, std::vector<double>> of_block;
    std::map<i32, std::pair<bool, i32>> place;  // of arm B, quad
    for (std::size_t i = 0; i < table.frames.size(); ++i) {
      const bool b = table.frames[i].strategy == static_cast<u8>(StrategyId::FreeList);
      of_arm[b ? 1 : 0].push_back(us(table.frames[i]));
      of_block[table.places[i].block].push_back(us(table.frames[i]));
      place[table.places[i].block] = {b, table.places[i].quad};
    }
    std::map<i32, double> of_quad;  // r
    for (const auto& [block, times] : of_block) of_quad[place[block].second] += (place[block].first ? 0.5 : -0.5) * std::log(nearest_rank_median(times));
    std::vector<double> quads;
    for (const auto& [quad, r] : of_quad) quads.push_back(r);
    EXPECT_GE(quads.size(), 6u);
    EXPECT_NEAR(line.median_a_us, nearest_rank_median(of_arm[0]), 0.02);
    EXPECT_NEAR(line.median_b_us, nearest_rank_median(of_arm[1]), 0.02);
    const measure::BootstrapInterval interval = measure::bootstrap_median(quads);
    EXPECT_NEAR(line.ratio, std::exp(interval.point), 1e-4);
    EXPECT_NEAR(line.low, std::exp(interval.low), 1e-4);
    EXPECT_NEAR(line.high, std::exp(interval.high), 1e-4);
    EXPECT_LT(line.high, 1.0);
    EXPECT_NE(line.sentence.find(fmt::format("{:.2f}× ", line.ratio)), std::string_view::npos) << line.sentence;
    EXPECT_NE(line.sentence.find(fmt::format("({:.2f} to {:.2f})", line.low, line.high)), std::string_view::npos) << line.sentence;
  };
  {
    SCOPED_TRACE("simulation");
    check(view.simulation, simulation);
  }
  {
    SCOPED_TRACE("whole frame");
    check(view.whole_frame, whole);
  }
  std::array<std::vector<double>, 2> frames;
  for (const frame::FrameRecord& record : table.frames) {
    frames[record.strategy == static_cast<u8>(StrategyId::FreeList) ? 1 : 0].push_back(whole(record));
  }
  for (std::vector<double>& times : frames) std::sort(times.begin(), times.end());
  EXPECT_NEAR(view.p99_a_us, measure::percentile(frames[0], 0.99), 0.02);
  EXPECT_NEAR(view.p99_b_us, measure::percentile(frames[1], 0.99), 0.02);
}

TEST_F(QuickAbTest, ItWaitsUntilOtherProgramsAreQuiet) {
  machine_.others = 0.48;
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  while (!ab.waiting() && !ab.done()) loop.frame();
  ASSERT_TRUE(ab.waiting());
  loop.play(3);
  frame::QuickAbView view = ab.view();
  EXPECT_TRUE(view.waiting);
  EXPECT_TRUE(view.text.starts_with("waiting for a quiet machine, ")) << view.text;
  EXPECT_TRUE(view.text.ends_with(" s at most: other programs took 48 % of the processor time")) << view.text;
  EXPECT_EQ(ab.world().steps(), 240u) << "nothing is played meanwhile";
  machine_.others = 0.02;
  loop.play(2);
  EXPECT_FALSE(ab.waiting());
  EXPECT_FALSE(ab.view().waiting);
  loop.play();
  view = ab.view();
  EXPECT_EQ(view.whole_frame.verdict, Verdict::Faster) << view.verdict;
}

TEST_F(QuickAbTest, AProcessThatSpinsOnEachProcessorLeavesNoVerdict) {
  machine_.others = 0.48;
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  u64 waited = 0;
  for (; !ab.done(); loop.frame()) waited += ab.waiting() ? 1 : 0;
  EXPECT_GE(waited, 8u);
  EXPECT_LE(waited, 10u) << "ten seconds at most";
  const frame::QuickAbView view = ab.view();
  EXPECT_EQ(view.verdict, "Too noisy to decide: other programs took 48 % of the processor time." + of_this_build());
  EXPECT_EQ(view.advice, "Close other programs or wait, then measure again.");
  EXPECT_EQ(view.simulation.verdict, Verdict::TooNoisy);
  EXPECT_EQ(view.whole_frame.verdict, Verdict::TooNoisy);
  for (const std::string_view sentence : {view.simulation.sentence, view.whole_frame.sentence}) {
    EXPECT_NE(sentence.find("not judged: measured 0."), std::string_view::npos) << sentence;
  }
  ab.saver(folder_.string())();
  const nlohmann::json json = run_json();
  EXPECT_EQ(json["verdict"].get<std::string>(), view.verdict);
  EXPECT_EQ(json["noise"]["too_noisy"], true);
  EXPECT_EQ(json["ratio"]["outcome"], "too_noisy");
  EXPECT_EQ(json["simulation"]["outcome"], "too_noisy");
}

TEST_F(QuickAbTest, ItsKeyStartsItAlthoughTheMachineIsNotQuiet) {
  machine_.others = 0.48;
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  while (!ab.waiting() && !ab.done()) loop.frame();
  ASSERT_TRUE(ab.waiting());
  ab.start_anyway();
  loop.frame();
  EXPECT_FALSE(ab.waiting());
  EXPECT_EQ(ab.view().text, "timing a few frames");
}

TEST_F(QuickAbTest, CancelledWhileItWaitsItLeavesNothing) {
  machine_.others = 0.48;
  QuickAb ab(player_like(), StrategyId::Heap, StrategyId::FreeList, conditions_);
  FakeLoop loop(ab);
  while (!ab.waiting() && !ab.done()) loop.frame();
  ASSERT_TRUE(ab.waiting());
  ab.cancel();
  EXPECT_FALSE(ab.waiting());
  EXPECT_EQ(ab.view().state, State::None);
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
  EXPECT_FALSE(view.simulation.shown || view.whole_frame.shown);
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
