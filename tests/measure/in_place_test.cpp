#include "measure/experiment/in_place.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "measure/experiment/comparison_files.hpp"
#include "measure/record/allocation_counter.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

using Json = nlohmann::json;
using Stage = InPlaceAb::Stage;

/// Two worlds that are nothing but step counters, with frame times made up for each arm.
struct FakePair {
  double a_us = 20'000, b_us = 18'000;
  double noise = 0.02, second_us = 0;  ///< second_us: what the second to play a segment takes longer.
  std::array<double, 2> simulation{};  ///< Of each arm: its part of the frame. 0: no phase was timed.
  u64 broken_from = ~u64{0};           ///< B's hash is wrong from this step on.
  std::array<u64, 2> steps{100, 100};
  std::string arms;                    ///< Who played, block by block.
  Rng rng{5};

  u64 hash(std::size_t arm) const { return mix64(steps[arm]) + (arm == 1 && steps[1] >= broken_from ? 1 : 0); }

  frame::FrameRecord play(const InPlaceAb& ab) {
    const std::size_t arm = ab.arm();
    ++steps[arm];
    const bool second = steps[arm] <= steps[1 - arm];
    // A wave of the work itself, the same for both arms at the same step.
    const double work = 1.0 + 0.3 * std::sin(static_cast<double>(steps[arm]) * 0.05);
    const double us = ((arm == 0 ? a_us : b_us) + (second ? second_us : 0)) * work * (1.0 + noise * static_cast<double>(rng.signed_unit()));
    frame::FrameRecord record = frame_of(us, steps[arm]);
    record.strategy = static_cast<u8>(arm);
    record.live = 1000;
    if (simulation[arm] > 0) {
      record.phase_us[static_cast<std::size_t>(frame::Phase::Update)] = static_cast<float>(us * simulation[arm] * 0.75);
      record.phase_us[static_cast<std::size_t>(frame::Phase::Spawn)] = static_cast<float>(us * simulation[arm] * 0.25);
      record.phase_us[static_cast<std::size_t>(frame::Phase::Render)] = static_cast<float>(us * (0.98 - simulation[arm]));
    }
    return record;
  }
};

ComparisonPlan plan() {
  ComparisonPlan plan;
  plan.warmup_steps = 240;
  plan.seed = 7;
  plan.capacity = 20'000;
  return plan;
}
Environment release() {
  Environment environment;
  environment.build_type = "release";
  environment.optimised = true;
  environment.renderer = "llvmpipe";
  environment.vsync = "off";
  return environment;
}

/// Plays until the end, or for so many frames.
void play(InPlaceAb& ab, FakePair& pair, u64 frames = ~u64{0}) {
  ab.begin();
  for (; frames > 0 && ab.stage() != Stage::Over; --frames) {
    const std::size_t arm = ab.arm();
    const bool measuring = ab.stage() == Stage::Measuring;
    if (!ab.end_frame(pair.play(ab))) continue;
    if (measuring) pair.arms += arm == 0 ? 'A' : 'B';
    ab.end_block(pair.hash(arm));
  }
}

Comparison outcome(FakePair& pair) {
  InPlaceAb ab(plan(), release());
  play(ab, pair);
  Comparison c = ab.take();
  summarise(c);
  return c;
}

TEST(InPlaceShape, SixQuadsOfFourFramesAtLeastInAboutTenSeconds) {
  for (double us = 100; us < 200'000; us *= 1.1) {
    const InPlaceShape shape = in_place_shape(us);
    EXPECT_GE(shape.quads, 6u) << us;
    EXPECT_LE(shape.quads, kMostQuadsInPlace);
    EXPECT_EQ(shape.quads % 2, 0u) << "ABBA as often as BAAB";
    EXPECT_GE(shape.block_frames - kDroppedFrames, 4u) << us;
    if (us < 60'000) {
      EXPECT_LE(4.0 * shape.quads * shape.block_frames * us, kInPlace_us) << us;
    }
  }
  EXPECT_EQ(in_place_shape(1000).quads, 20u);
}

TEST(InPlaceShape, AVerySlowMachineGetsFewerQuadsRatherThanMinutes) {
  for (const double us : {210'000.0, 500'000.0, 1e6, 1e7, 1e9}) {
    const InPlaceShape shape = in_place_shape(us);
    EXPECT_GE(shape.quads, 1u);
    EXPECT_LT(shape.quads, 6u);
    EXPECT_EQ(shape.block_frames, kLeastBlockFrames);
  }
}

TEST(InPlace, BothArmsPlayEverySegmentOnceInTurnsAbbaBaab) {
  FakePair pair;
  const Comparison c = outcome(pair);
  ASSERT_EQ(c.state, ComparisonState::Done) << c.message;
  ASSERT_EQ(pair.arms.size(), c.plan.quads * 4u);
  for (std::size_t i = 0; i < pair.arms.size(); i += 4) {
    EXPECT_EQ(pair.arms.substr(i, 4), i % 8 == 0 ? "ABBA" : "BAAB");
  }
  EXPECT_EQ(pair.steps[0], pair.steps[1]);
  // The very same steps, frame by frame.
  std::array<std::vector<u64>, 2> steps;
  for (const BlockResult& block : c.blocks) {
    for (const frame::FrameRecord& record : block.frames) steps[block.arm == 'A' ? 0 : 1].push_back(record.step);
  }
  EXPECT_EQ(steps[0], steps[1]);
  const std::size_t kept = c.plan.steps;
  EXPECT_EQ(steps[0][kept], steps[0][kept - 1] + 1 + kDroppedFrames) << "the first frames of a block do not count";
  EXPECT_EQ(c.hashed_steps, pair.steps[0] - 100 + 240);
  EXPECT_EQ(c.final_hash, pair.hash(0));
}

TEST(InPlace, AFasterArmIsFoundWithItsInterval) {
  FakePair pair;
  const Comparison c = outcome(pair);
  EXPECT_NEAR(std::exp(c.whole.effect.point), 0.9, 0.01);
  EXPECT_LT(std::exp(c.whole.effect.high), 0.95);
  EXPECT_GT(std::exp(c.whole.effect.low), 0.85);
  EXPECT_GE(c.whole.effect.quads, 6u);
  EXPECT_TRUE(c.verdict.starts_with("Whole frame: the pool takes 0.90")) << c.verdict;
  EXPECT_NE(c.verdict.find("× the time of new/delete ("), std::string::npos) << c.verdict;
  EXPECT_NE(c.indication.find("spellpool compare"), std::string::npos);
  EXPECT_EQ(c.arms[0].step_median_us.size(), c.arms[0].figures.frame.frames);
}

TEST(InPlace, TheSimulationIsJudgedByItselfWhereDrawingHidesIt) {
  FakePair pair;
  pair.b_us = pair.a_us;
  pair.simulation = {0.05, 0.02};
  const Comparison c = outcome(pair);
  EXPECT_EQ(outcome_of(c, TimedPart::Simulation), Outcome::Faster);
  EXPECT_EQ(outcome_of(c, TimedPart::WholeFrame), Outcome::None);
  EXPECT_NEAR(std::exp(c.simulation.effect.point), 0.4, 0.01);
  EXPECT_EQ(c.simulation.effect.quads, c.whole.effect.quads);
  EXPECT_TRUE(c.verdict.starts_with("Simulation: the pool takes 0.40× the time of new/delete (0.")) << c.verdict;
  EXPECT_NE(c.verdict.find(" Whole frame: no difference found: "), std::string::npos) << c.verdict;
  EXPECT_NE(c.verdict.find("; drawing takes 9"), std::string::npos) << c.verdict;
  ScratchFolder folder;
  Comparison written = c;
  const Json json = Json::parse(text_of(write_comparison(written, folder.path()).run));
  EXPECT_EQ(json["simulation"]["outcome"], "faster");
  EXPECT_EQ(json["ratio"]["outcome"], "none");
  EXPECT_NEAR(json["arms"]["b"]["figures"]["simulation"]["median_us"].get<double>(), c.arms[1].figures.simulation.median_us, 1e-6);
}

TEST(InPlace, WhatHelpsNeitherIsSaidOnceAndPlainly) {
  FakePair pair;
  pair.b_us = pair.a_us;
  pair.simulation = {0.05, 0.05};
  EXPECT_EQ(outcome(pair).verdict, "No difference found between new/delete and Union free list.");
}

TEST(InPlace, UnrestOfTheMachineIsNoVerdict) {
  for (const char* kind : {"others", "control", "tail"}) {
    FakePair pair;
    const std::string_view what = kind;
    InPlaceAb ab(plan(), release());
    if (what == "control") pair.second_us = 0.4 * pair.a_us;
    play(ab, pair);
    Comparison c = ab.take();
    if (what == "others") c.machine = {10'000, 20'000, 9'600, 0, 0, 2.0};
    if (what == "tail") {
      for (BlockResult& block : c.blocks) {
        for (std::size_t i = 0; i < block.frames.size(); i += 13) block.frames[i].frame_us *= 12;
        block.figures = detailed_figures_of(block.frames);
      }
    }
    summarise(c);
    EXPECT_EQ(outcome_of(c, TimedPart::WholeFrame), Outcome::TooNoisy) << kind;
    EXPECT_TRUE(c.verdict.starts_with("Too noisy to decide: ")) << c.verdict;
  }
}

TEST(InPlace, UnrestIsNamedBeforeQuadsThatAreTooFew) {
  FakePair pair;
  InPlaceAb ab(plan(), release());
  play(ab, pair, 16 + 140);
  ab.cancel();
  Comparison c = ab.take();
  c.machine = {10'000, 20'000, 9'600, 0, 0, 2.0};
  summarise(c);
  ASSERT_LT(c.whole.quad_effects.size(), kLeastQuadsForInterval);
  EXPECT_EQ(c.verdict, "Too noisy to decide: other programs took 48 % of the processor time.");
  EXPECT_EQ(part_sentence(c, TimedPart::WholeFrame).substr(0, 22), "not judged: measured 0");
}

TEST(InPlace, EqualArmsShowNoDifference) {
  int differences = 0;
  for (u64 seed = 1; seed <= 60; ++seed) {
    FakePair pair;
    pair.b_us = pair.a_us;
    pair.noise = 0.3;
    pair.rng = Rng{seed};
    pair.simulation = {0.1, 0.1};
    if (!outcome(pair).verdict.starts_with("No difference found")) ++differences;
  }
  EXPECT_LE(differences, 6);
}

TEST(InPlace, WhatTheOrderOfBlocksMakesIsNoDifferenceOfTheArms) {
  FakePair pair;
  pair.b_us = pair.a_us * 1.004;
  pair.noise = 0.001;
  pair.second_us = 800;
  const Comparison c = outcome(pair);
  EXPECT_NEAR(c.whole.effect.point, 0.004, 0.002);
  EXPECT_NEAR(c.whole.control.point, 0.04, 0.005);
  EXPECT_TRUE(c.verdict.starts_with("No difference found")) << c.verdict;
}

TEST(InPlace, UnequalWorkIsRefusedAtOnceAndShowsNoFigure) {
  FakePair pair;
  pair.broken_from = 150;
  InPlaceAb ab(plan(), release());
  play(ab, pair);
  EXPECT_LT(pair.steps[0], 200u) << "found at the end of the segment";
  Comparison c = ab.take();
  EXPECT_EQ(c.state, ComparisonState::UnequalWork);
  EXPECT_TRUE(c.message.starts_with("refused, the work was not equal: at step ")) << c.message;
  ScratchFolder folder;
  const ComparisonFiles files = write_comparison(c, folder.path());
  EXPECT_EQ(files.frames + files.card, "");
  EXPECT_EQ(c.verdict, "Refused: the work of the two worlds was not equal.");
  const Json json = Json::parse(text_of(files.run));
  EXPECT_EQ(json["state"], "unequal_work");
  EXPECT_EQ(json["equal_work"]["equal"], false);
  EXPECT_FALSE(json.contains("ratio") || json.contains("arms"));
}

TEST(InPlace, FilesHoldWhatWasMeasured) {
  ScratchFolder folder;
  FakePair pair;
  pair.a_us = 40'000, pair.b_us = 30'000;
  InPlaceAb ab(plan(), release());
  play(ab, pair);
  Comparison c = ab.take();
  const ComparisonFiles files = write_comparison(c, folder.path());
  ASSERT_EQ(c.state, ComparisonState::Done) << c.message;
  const FramesCsv table = read_frames_csv(files.frames);
  EXPECT_EQ(table.error, "");
  EXPECT_EQ(table.frames.size(), c.plan.steps * 4 * c.plan.quads);
  EXPECT_EQ(table.places.back().block, static_cast<i32>(c.plan.quads * 4 - 1));
  const Json json = Json::parse(text_of(files.run));
  EXPECT_NE(json["method"].get<std::string>().find("in-process quick A/B"), std::string::npos);
  EXPECT_NEAR(json["ratio"]["b_over_a"].get<double>(), 0.75, 0.01);
  EXPECT_TRUE(json["ratio"]["control"]["second_over_first"].is_number());
  EXPECT_EQ(json["plan"]["dropped_frames_per_block"], 2);
  EXPECT_EQ(json["equal_work"]["equal"], true);
  EXPECT_EQ(json["files"]["card"], "card.png");
  EXPECT_GT(std::filesystem::file_size(files.card), 10'000u);
  EXPECT_EQ(json["blocks"][3]["recorder_allocations"], 0);
  // Again into the same folder: nothing is overwritten.
  EXPECT_TRUE(write_comparison(c, folder.path()).run.ends_with("run-2.json"));
}

TEST(InPlace, CancelledInTheMiddleKeepsWhatWasRecorded) {
  ScratchFolder folder;
  FakePair pair;
  InPlaceAb ab(plan(), release());
  play(ab, pair, 16 + 140);
  ASSERT_EQ(ab.stage(), Stage::Measuring);
  ASSERT_GT(ab.block(), 3u);
  ab.cancel();
  EXPECT_EQ(ab.stage(), Stage::Over);
  Comparison c = ab.take();
  const ComparisonFiles files = write_comparison(c, folder.path());
  EXPECT_EQ(c.state, ComparisonState::Interrupted);
  EXPECT_GE(c.whole.quad_effects.size(), 1u);
  EXPECT_TRUE(c.verdict.find("too few for an interval") != std::string::npos) << c.verdict;
  EXPECT_EQ(Json::parse(text_of(files.run))["state"], "interrupted");
  EXPECT_GT(read_frames_csv(files.frames).frames.size(), 60u);
  EXPECT_NE(files.card, "");
}

TEST(InPlace, CancelledBeforeTheFirstBlockHasNothingToKeep) {
  for (const u64 frames : {0, 5, 16, 17}) {
    FakePair pair;
    InPlaceAb ab(plan(), release());
    play(ab, pair, frames);
    ab.cancel();
    EXPECT_TRUE(ab.take().blocks.empty());
  }
}

TEST(InPlace, AMachineThatBecomesFarSlowerEndsAfterAWholeQuad) {
  FakePair pair;
  InPlaceAb ab(plan(), release());
  play(ab, pair, 16);
  ASSERT_EQ(ab.stage(), Stage::Measuring);
  pair.a_us = pair.b_us = 2e6;
  play(ab, pair);
  Comparison c = ab.take();
  EXPECT_EQ(c.state, ComparisonState::Interrupted);
  EXPECT_EQ(c.blocks.size() % 4, 0u);
  EXPECT_LT(c.blocks.size(), 24u);
  EXPECT_NE(c.message.find("far slower"), std::string::npos);
}

TEST(InPlace, AnUnoptimisedBuildSaysSoInItsVerdict) {
  Environment debug = release();
  debug.optimised = false;
  FakePair pair;
  InPlaceAb ab(plan(), debug);
  play(ab, pair);
  Comparison c = ab.take();
  summarise(c);
  EXPECT_TRUE(c.verdict.ends_with("Not comparable: unoptimised build.")) << c.verdict;
}

TEST(InPlace, MeasuredFramesAllocateNothing) {
  FakePair pair;
  InPlaceAb ab(plan(), release());
  play(ab, pair, 16);
  ASSERT_EQ(ab.stage(), Stage::Measuring);
  pair.arms.reserve(1000);
  const u64 before = thread_allocations().new_calls;
  play(ab, pair);
  EXPECT_EQ(thread_allocations().new_calls, before);
}

TEST(InPlace, ProgressRisesFromNothingToAll) {
  FakePair pair;
  InPlaceAb ab(plan(), release());
  EXPECT_EQ(ab.progress(), 0.0f);
  float last = 0;
  while (ab.stage() != Stage::Over) {
    play(ab, pair, 1);
    EXPECT_GE(ab.progress(), last);
    EXPECT_GE(ab.left_s(), 0.0);
    last = ab.progress();
  }
  EXPECT_EQ(last, 1.0f);
}

}  // namespace
}  // namespace spellpool::measure
