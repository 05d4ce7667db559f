// How often the verdict is wrong, and how often it finds what is there: thousands of made-up blocks with the noise that this
// project's machine had. The seeds are fixed, so every run of the test gives the same rates.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "measure/experiment/comparison.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

/// ln of the block medians of docs/recordings/aa.json, both arms of which did the same, about their middle: as the machine
/// gave them, one after the other.
std::vector<double> measured_noise() {
  const auto json = nlohmann::json::parse(text_of(SPELLPOOL_SOURCE_DIR "/docs/recordings/aa.json"));
  std::vector<double> ln;
  for (const auto& block : json["blocks"]) ln.push_back(std::log(block["figures"]["median_us"].get<double>()));
  std::vector<double> scratch = ln;
  const double middle = median_in_place(scratch);
  for (double& value : ln) value -= middle;
  return ln;
}

/// Frames that hang together as real ones do: each is mostly like the one before (an AR(1) of their logarithms), a load that
/// swells and ebbs lies under all, and now and then there is a spike.
double block_median(Rng& rng, double level, std::vector<double>& frames) {
  constexpr std::size_t kFrames = 600;  // of a block, as compare plays it
  constexpr double kLikeTheLast = 0.95, kSpread = 0.1;
  frames.clear();
  double x = 0;
  for (std::size_t i = 0; i < kFrames + 32; ++i) {
    double normal = -6.0;
    for (int k = 0; k < 12; ++k) normal += static_cast<double>(rng.unit());
    x = kLikeTheLast * x + kSpread * std::sqrt(1 - kLikeTheLast * kLikeTheLast) * normal;
    if (i < 32) continue;
    double us = 30.0 * std::exp(level + x + 0.05 * std::sin(static_cast<double>(i) * 0.07));
    if (rng.below(200) == 0) us *= 3;
    frames.push_back(us);
  }
  return median_in_place(frames);
}

/// One comparison of 20 quads and as many of control; B takes `ratio` of A's time. True: the verdict says that they differ.
bool says_different(u64 seed, double ratio, const std::vector<double>& noise) {
  Rng rng{mix64(seed)};
  Comparison c;
  c.plan.quads = 20;
  c.plan.control = true;
  c.state = ComparisonState::Done;
  c.environment.optimised = true;
  std::vector<double> frames;
  double drift = 0;
  u32 from = 0;
  for (const ScheduledBlock& scheduled : schedule_blocks(20, true)) {
    // Neighbours of the recording stay neighbours, for a quad at a time.
    if (scheduled.place.pos == 0) from = rng.below(static_cast<u32>(noise.size()) - 4);
    drift = 0.98 * drift + 0.004 * static_cast<double>(rng.signed_unit());
    const double effect = scheduled.arm == 'B' ? std::log(ratio) : 0.0;
    BlockResult block;
    block.place = scheduled.place;
    block.arm = scheduled.arm;
    block.figures.frame.median_us = block_median(rng, noise[from + static_cast<u32>(scheduled.place.pos)] + drift + effect, frames);
    c.blocks.push_back(std::move(block));
  }
  summarise_effects(c);
  const bool none = c.verdict.find("no difference detected") != std::string::npos;
  const bool some = c.verdict.find("is faster than") != std::string::npos || c.verdict.find("is slower than") != std::string::npos;
  EXPECT_NE(none, some) << c.verdict;
  return some;
}

TEST(VerdictRates, EqualArmsAreCalledDifferentInAtMostATenthOf500Trials) {
  const std::vector<double> noise = measured_noise();
  ASSERT_GT(noise.size(), 100u);
  int wrong = 0;
  for (u64 trial = 0; trial < 500; ++trial) wrong += says_different(trial, 1.0, noise) ? 1 : 0;
  RecordProperty("false_positives_of_500", wrong);
  EXPECT_LE(wrong, 50);
  EXPECT_GT(wrong, 0) << "a verdict that is never wrong in 500 trials finds nothing either";
}

TEST(VerdictRates, FivePerCentAreFoundInFourOfFiveTrials) {
  const std::vector<double> noise = measured_noise();
  int found = 0;
  for (u64 trial = 0; trial < 200; ++trial) found += says_different(10'000 + trial, 0.95, noise) ? 1 : 0;
  RecordProperty("found_of_200", found);
  EXPECT_GE(found, 160);
}

}  // namespace
}  // namespace spellpool::measure
