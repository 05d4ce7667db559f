#include "measure/report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include <nlohmann/json.hpp>

#include "measure/experiment/stored_comparison.hpp"
#include "measure/report/export_files.hpp"
#include "measure/report/report_files.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
  return count;
}

TEST(ReportPage, NothingThatIsToldCanBecomeCode) {
  Comparison c = synthetic_comparison(6, 100, {50, 0.9, 900, false});
  c.environment.command_line = "spellpool </script><script>alert(1)</script> & \"more\"";
  c.plan.labels[1] = "<img src=x onerror=alert(2)></script>";
  const std::string page = report_html(report_of(c));
  EXPECT_EQ(page.find("<script>alert(1)"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos) << "in texts it is escaped; in the data it would end no element";
  EXPECT_EQ(count_of(page, "<script"), count_of(page, "</script>"));
}

TEST(ReportPage, SaysHowFarItMayBeTrusted) {
  Comparison c = synthetic_comparison(6, 100, {50, 0.9, 0, false});
  EXPECT_EQ(report_of(c).badge, "indication");
  c.environment.optimised = false;
  EXPECT_EQ(report_of(c).badge, "not comparable");
  EXPECT_EQ(report_of(c).badge_told, "Unoptimised build: the times say nothing about a pool.");
  c.environment.sanitized = true;
  c.state = ComparisonState::Running;
  EXPECT_EQ(report_of(c).badge_told,
            "Built with sanitizers: the times say nothing about a pool. Unfinished: Not all blocks were measured.");
  c.environment.sanitized = false;
  c.state = ComparisonState::Done;
  c.environment.optimised = true;
  c.plan.different_work = true;
  EXPECT_EQ(report_of(c).badge, "different work");
  EXPECT_EQ(report_of(c).forest[0].outcome, "different work");
  c.plan.different_work = false;
  c.state = ComparisonState::Running;
  EXPECT_EQ(report_of(c).badge, "unfinished");
  c.state = ComparisonState::UnequalWork;
  EXPECT_EQ(report_of(c).badge, "refused");
  EXPECT_TRUE(report_of(c).arms.empty());
}

TEST(ReportPage, EverySpikeCarriesWhatItsFrameWasBusyWith) {
  const Report report = report_of(synthetic_comparison(6, 300, {50, 0.9, 9'000, false}));
  const auto longest = std::max_element(report.arms[0].spikes.begin(), report.arms[0].spikes.end(), [](const ReportSpike& a, const ReportSpike& b) { return a.us < b.us; });
  ASSERT_NE(longest, report.arms[0].spikes.end());
  EXPECT_EQ(longest->place, 100u);
  for (const char* word : {"block 0, step 341", "spawn", "update", " new, ", "faults and switches NA"}) EXPECT_NE(longest->told.find(word), std::string::npos) << longest->told;
  const auto trace = nlohmann::json::parse(trace_json(synthetic_comparison(6, 300, {50, 0.9, 9'000, false})));
  bool found = false;
  for (const auto& event : trace["traceEvents"]) found = found || (event["name"] == "spike A-100" && event["dur"] > 8'999.0);
  EXPECT_TRUE(found) << "and can be opened in the trace";
  EXPECT_EQ(longest->trace_name, "spike A-100");
  ASSERT_EQ(longest->phase_us.size(), frame::kPhaseCount);
  EXPECT_NEAR(longest->phase_us[1], 9'000 * 0.58, 1);
}

/// More spikes than the trace has room for, the longest of them late.
Comparison spiky_comparison() {
  Comparison c = synthetic_comparison(20, 300, {50, 0.9, 0, false});
  double us = 400;
  for (BlockResult& block : c.blocks) {
    for (const std::size_t place : {40u, 120u, 121u, 200u, 298u}) block.frames[place].frame_us = static_cast<float>(us += 3);
    block.figures = detailed_figures_of(block.frames);
  }
  summarise(c);
  return c;
}

TEST(ReportPage, EveryListedSpikeIsInTheTraceAtItsTimeWithItsNeighbours) {
  const Comparison c = spiky_comparison();
  const Report report = report_of(c);
  const auto trace = nlohmann::json::parse(trace_json(c));
  std::map<std::string, const nlohmann::json*> events;
  std::array<std::map<double, double>, 2> frames;  // of each process: begin, end
  std::size_t count = 0;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] != "X" || event["cat"] != "frame") continue;
    ++count;
    frames[event["pid"].get<std::size_t>() - 1][event["ts"]] = event["ts"].get<double>() + event["dur"].get<double>();
    if (event["name"] == "frame") continue;
    EXPECT_TRUE(events.emplace(event["name"], &event).second) << event["name"] << " twice";
  }
  EXPECT_LE(count, kTraceFrames);
  for (std::size_t arm = 0; arm < 2; ++arm) {
    EXPECT_EQ(report.arms[arm].spikes.size(), kMostReportSpikes);
    EXPECT_GT(report.arms[arm].figures.frame.spikes, kMostReportSpikes);
    for (const ReportSpike& spike : report.arms[arm].spikes) {
      const auto event = events.find(spike.trace_name);
      ASSERT_NE(event, events.end()) << spike.trace_name;
      EXPECT_NEAR((*event->second)["ts"].get<double>(), spike.trace_us, 1e-3) << spike.trace_name;
      EXPECT_NEAR((*event->second)["dur"].get<double>(), spike.us, 1e-3);
      // Three before and three after, end to end, as far as its block has them.
      const std::size_t in_block = spike.place % 300, before = std::min<std::size_t>(3, in_block), after = std::min<std::size_t>(3, 299 - in_block);
      auto at = frames[arm].find((*event->second)["ts"]);
      ASSERT_NE(at, frames[arm].end());
      auto earlier = at, later = at;
      for (std::size_t i = 0; i < before; ++i) {
        ASSERT_NE(earlier, frames[arm].begin());
        const double begins = earlier->first;
        --earlier;
        EXPECT_NEAR(earlier->second, begins, 2e-3) << spike.trace_name << ", neighbour before";
      }
      for (std::size_t i = 0; i < after; ++i) {
        const double ends = later->second;
        ++later;
        ASSERT_NE(later, frames[arm].end());
        EXPECT_NEAR(later->first, ends, 2e-3) << spike.trace_name << ", neighbour after";
      }
    }
  }
  const std::string page = report_html(report);
  for (const ReportSpike& spike : report.arms[1].spikes) EXPECT_NE(page.find("<code>" + spike.trace_name + "</code>"), std::string::npos);
}

TEST(ReportPage, TheHeatMapSaysMoreThanItsColours) {
  Report report;
  report.heat.push_back({"64 bytes", {"1000"}, {"fresh", "aged"}, {{"", 0.5, 0.4, 0.6, 0.9, 1.1, "B faster"}, {"", 1.7, 1.6, 1.8, 0.9, 1.1, "A faster"}}});
  const std::string page = report_html(report);
  EXPECT_NE(page.find("▼ 0.50"), std::string::npos);
  EXPECT_NE(page.find("▲ 1.70"), std::string::npos);
}

TEST(ReportFiles, GoOnWhereOneCannotBeWrittenAndNeverOverwrite) {
  ScratchFolder folder;
  const Comparison c = synthetic_comparison(6, 100, {50, 0.9, 0, false});
  std::vector<std::string> errors;
  const auto first = write_report(report_of(c), &c, folder.path(), errors), second = write_report(report_of(c), &c, folder.path(), errors);
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(first.size(), 12u);
  EXPECT_EQ(second[0], folder.file("report-2.html"));
  EXPECT_NE(text_of(folder.file("report-2.md")).find("summary-2.svg"), std::string::npos);
  EXPECT_TRUE(write_report(report_of(c), &c, "/dev/null/x", errors).empty());
  EXPECT_EQ(errors.size(), 12u);
  for (const std::string& error : errors) EXPECT_EQ(error.find('\n'), std::string::npos);
}

TEST(StoredComparison, WhatIsNoComparisonIsALineThatNamesIt) {
  ScratchFolder folder;
  Comparison c;
  EXPECT_NE(read_comparison(folder.path(), c).find("run.json"), std::string::npos);
  for (const char* text : {"", "{", "[]", "{\"format\":\"spellpool-run-1\"}", "{\"format\":\"spellpool-run-1\",\"plan\":[1],\"blocks\":3,\"environment\":[]}"}) {
    std::ofstream(folder.file("run.json")) << text;
    EXPECT_NE(read_comparison(folder.path(), c).find("run.json"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace spellpool::measure
