#include "measure/experiment/noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "measure/experiment/comparison_files.hpp"
#include "measure/experiment/stored_comparison.hpp"
#include "measure/report/report.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

TEST(Noise, IsJudgedByEachLimitAndNamesTheEvidence) {
  struct Row {
    NoiseReadings readings;
    const char* evidence;
  };
  const double unknown = kNotKnown;
  const std::vector<Row> rows = {
      // others, stolen, waited, load, control, tail
      {{unknown, unknown, unknown, unknown, unknown, unknown}, ""},
      {{0.02, 0.0, 0.03, 0.9, 0.02, 1.6}, ""},
      {{0.12, 0.01, 0.15, 1.5, 0.08, 4.0}, ""},
      {{0.48, 0.0, 0.0, 0.5, 0.01, 1.2}, "other programs took 48 % of the processor time"},
      {{0.48, 0.30, 0.50, 9.0, 0.90, 99.0}, "other programs took 48 % of the processor time"},
      {{0.02, 0.11, 0.03, 0.9, 0.02, 1.6}, "the host took away 11 % of the processor time"},
      {{0.02, 0.0, 0.41, 0.9, 0.02, 1.6}, "the measured thread waited for a processor 41 % of the time"},
      {{0.02, 0.0, 0.03, 0.9, 0.23, 1.6}, "identical work differed by up to 23 %"},
      {{0.02, 0.0, 0.03, 0.9, 0.02, 31.4}, "one frame in a hundred took 31.4 times the median"},
      // The load average stands in only where the kernel does not tell what other programs took.
      {{0.02, 0.0, 0.03, 6.0, 0.02, 1.6}, ""},
      {{unknown, unknown, unknown, 6.0, 0.02, 1.6}, "the load average was 6.0 for each processor"},
  };
  for (const Row& row : rows) {
    const Noise noise = judge_noise(row.readings);
    EXPECT_EQ(noise.evidence, row.evidence);
    EXPECT_EQ(noise.too_noisy(), row.evidence[0] != '\0');
    EXPECT_EQ(noise_warning(noise), row.evidence[0] == '\0' ? "" : std::string("Too noisy to decide: ") + row.evidence + ".");
  }
}

TEST(Noise, SharesAreOfTheTimeThatPassed) {
  MachineReading from, to;
  from.wall_ms = 1'000, to.wall_ms = 3'000;
  from.cpu_ms = 50'000, to.cpu_ms = 54'000;  // two CPUs
  from.busy_ms = 10'000, to.busy_ms = 13'600;
  from.own_ms = 500, to.own_ms = 2'100;
  from.steal_ms = 70, to.steal_ms = 270;
  from.waited_ms = 5, to.waited_ms = 605;
  from.load = 0.8, to.load = 1.7;
  const NoiseReadings readings = readings_of(use_between(from, to));
  EXPECT_DOUBLE_EQ(readings.others, 0.5);
  EXPECT_DOUBLE_EQ(readings.stolen, 0.05);
  EXPECT_DOUBLE_EQ(readings.waited, 0.3);
  EXPECT_DOUBLE_EQ(readings.load, 1.7);
  EXPECT_TRUE(std::isnan(readings.control) && std::isnan(readings.tail));
  // A process's own time is exact and the kernel's is not.
  to.own_ms = 5'000;
  EXPECT_EQ(readings_of(use_between(from, to)).others, 0.0);
  // Where nothing can be read, nothing is known.
  EXPECT_TRUE(std::isnan(readings_of(use_between({}, {})).others));
  EXPECT_TRUE(std::isnan(readings_of(use_between(from, from)).others)) << "no tick passed";
}

TEST(Noise, StretchesAddUpAndWhatIsKnownOfOneIsKept) {
  MachineUse a, b;
  a.cpu_ms = 100, a.others_ms = 10, a.load = 0.4;
  b.cpu_ms = 300, b.others_ms = 190, b.load = 0.2;
  EXPECT_DOUBLE_EQ(readings_of(a + b).others, 0.5);
  EXPECT_DOUBLE_EQ((a + b).load, 0.4);
  EXPECT_DOUBLE_EQ((a + MachineUse{}).cpu_ms, 100);
  EXPECT_TRUE(std::isnan((a + b).steal_ms));
}

TEST(Noise, ThisMachineTellsWhatItDid) {
  const MachineReading before = read_machine();
  const auto until = before.wall_ms + 60;
  u64 turns = 0;
  while (read_machine().wall_ms < until) ++turns;
  const MachineUse use = use_between(before, read_machine());
  EXPECT_GT(turns, 0u);
  EXPECT_GE(use.measured_ms, 60);
  EXPECT_GT(read_machine().own_ms, before.own_ms) << "its own processor time";
  if (std::isnan(use.cpu_ms)) GTEST_SKIP() << "skipped: no /proc/stat";
  EXPECT_GE(use.cpu_ms, 0);
  EXPECT_GE(use.steal_ms, 0);
}

/// A comparison with a control, of frames that were drawn.
Comparison drawn(double others) {
  Comparison c = synthetic_comparison(20, 60, {20'000, 0.65, 0, true});
  c.plan.control = true;
  const std::vector<BlockResult> first = c.blocks;
  c.blocks.clear();
  for (const ScheduledBlock& scheduled : schedule_blocks(20, true)) {
    const std::size_t like = static_cast<std::size_t>(scheduled.place.quad / 2 * 4 + scheduled.place.pos) % first.size();
    BlockResult block = first[like];
    if (scheduled.arm > 'B') block = first[scheduled.place.pos % 2 == 0 ? 0 : 3];
    block.place = scheduled.place;
    block.arm = scheduled.arm;
    block.report.counters.use = {1'200, 2'400, 2'400 * others, 0, 10, 0.5};
    c.blocks.push_back(block);
  }
  summarise(c);
  return c;
}

TEST(Noise, ANoisyMachineGetsNoVerdictInAnyOfTheFilesAndTheSameWordsInAll) {
  const std::string warning = "Too noisy to decide: other programs took 48 % of the processor time.";
  ScratchFolder folder;
  Comparison c = drawn(0.48);
  ASSERT_EQ(outcome_of(c, TimedPart::WholeFrame), Outcome::TooNoisy) << c.verdict;
  EXPECT_EQ(outcome_of(c, TimedPart::Simulation), Outcome::TooNoisy);
  EXPECT_TRUE(c.last_line().starts_with(warning)) << c.last_line();
  EXPECT_EQ(c.last_line().find("faster"), std::string::npos) << c.last_line();
  EXPECT_NE(c.last_line().find("Measured: time ratio 0.6"), std::string::npos) << c.last_line();
  const Report report = report_of(c);
  EXPECT_EQ(report.headline, warning);
  EXPECT_TRUE(report.verdict.starts_with(warning));
  EXPECT_EQ(report.badge, "too noisy");
  for (const std::string& text : {report_html(report), report_markdown(report, "s.svg"), report_svg(report)}) {
    EXPECT_NE(text.find("other programs took 48 % of the processor time"), std::string::npos);
    EXPECT_EQ(text.find("free_list faster"), std::string::npos);
  }
  const ComparisonFiles files = write_comparison(c, folder.path());
  const auto json = nlohmann::json::parse(text_of(files.run));
  EXPECT_EQ(json["noise"]["too_noisy"], true);
  EXPECT_EQ(json["noise"]["evidence"], "other programs took 48 % of the processor time");
  EXPECT_NEAR(json["noise"]["others"].get<double>(), 0.48, 1e-9);
  EXPECT_EQ(json["ratio"]["outcome"], "too_noisy");
  EXPECT_EQ(json["simulation"]["outcome"], "too_noisy");
  // Read back, it is still too noisy: from the head of run.json, and from all blocks.
  StoredRun stored;
  ASSERT_EQ(read_run(folder.path(), stored), "");
  EXPECT_EQ(outcome_of(stored.comparison, TimedPart::WholeFrame), Outcome::TooNoisy);
  Comparison whole;
  ASSERT_EQ(read_comparison(folder.path(), whole), "");
  EXPECT_EQ(whole.verdict, c.verdict);
}

TEST(Noise, AQuietMachineDecidesAndSaysWhatTheSimulationTook) {
  const Comparison c = drawn(0.03);
  EXPECT_EQ(c.noise.evidence, "");
  EXPECT_EQ(outcome_of(c, TimedPart::WholeFrame), Outcome::Faster);
  EXPECT_EQ(outcome_of(c, TimedPart::Simulation), Outcome::Faster);
  EXPECT_TRUE(c.last_line().starts_with("free_list is faster than heap here: ")) << c.last_line();
  EXPECT_NE(c.last_line().find("Simulation alone: the pool takes 0.6"), std::string::npos) << c.last_line();
  EXPECT_TRUE(report_of(c).headline.starts_with("Simulation: the pool takes 0.6")) << report_of(c).headline;
  EXPECT_EQ(report_of(c).forest.size(), 2u) << "one row for each of the two times";
}

TEST(Noise, ARecordingOfAnEarlierVersionIsReadAndJudgedByItsFrames) {
  ScratchFolder folder;
  Comparison c = drawn(0.03);
  const ComparisonFiles files = write_comparison(c, folder.path());
  auto json = nlohmann::ordered_json::parse(text_of(files.run));
  json.erase("noise");
  json.erase("simulation");
  json["ratio"].erase("outcome");
  for (auto& block : json["blocks"]) {
    for (const auto& [key, member] : kMachineUseKeys) block.erase(key);
  }
  std::ofstream(files.run) << json.dump(2) << "\n";
  StoredRun stored;
  ASSERT_EQ(read_run(folder.path(), stored), "");
  EXPECT_EQ(outcome_of(stored.comparison, TimedPart::WholeFrame), Outcome::Faster);
  EXPECT_TRUE(stored.comparison.simulation.quad_effects.empty());
  Comparison read;
  ASSERT_EQ(read_comparison(folder.path(), read), "");
  EXPECT_TRUE(std::isnan(read.noise.readings.others));
  EXPECT_EQ(outcome_of(read, TimedPart::WholeFrame), Outcome::Faster);
  EXPECT_EQ(outcome_of(read, TimedPart::Simulation), Outcome::Faster) << "from the phases of frames.csv";
}

}  // namespace
}  // namespace spellpool::measure
