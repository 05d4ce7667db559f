#include "measure/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "measure/export_files.hpp"
#include "measure/report_files.hpp"
#include "measure/stored_comparison.hpp"
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
  for (const auto& event : trace["traceEvents"]) found = found || (event["name"] == "frame (spike)" && event["dur"] > 8'999.0);
  EXPECT_TRUE(found) << "and can be opened in the trace";
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
