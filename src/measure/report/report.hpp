#pragma once
// What a report says, whatever it was made from: a comparison, recordings of other tools, or many comparisons at once.
// report_html, report_markdown and report_svg write it down; report_card.hpp draws it.
#include <string>
#include <utility>
#include <vector>

#include "measure/experiment/comparison.hpp"
#include "measure/report/import_recording.hpp"

namespace spellpool::measure {

struct ReportSpike {
  std::size_t place = 0;  ///< Among the arm's frames.
  double us = 0;
  std::string told;       ///< Phases, allocations, faults and switches of that frame; "" where they are not known.
  std::vector<double> phase_us;  ///< One for each phase; none where they are not known.
  std::string trace_name;        ///< What it is called in trace.json; "" where there is none.
  double trace_us = kUnknown;    ///< When it begins there.
};
/// "spike A-12345": the event that trace.json has for a spike at this place among the arm's frames.
std::string trace_name_of(char arm, std::size_t place);
/// What a frame was busy with, in words: phases, allocations, faults, switches.
std::string busy_text(const frame::FrameRecord& record);

struct ReportArm {
  std::string name, title;
  char letter = 'A';
  std::string source;             ///< Where the frames come from: "40 blocks of 600 frames", "MangoHud, game.csv".
  std::vector<double> frame_us;
  DetailedFigures figures;
  bool has_phases = false, has_counters = false;
  std::vector<ReportSpike> spikes;  ///< The longest, at most kMostReportSpikes.
  double rss_kib = kUnknown, recorder_ns_per_frame = kUnknown, steal_ms = kUnknown, cycles_per_frame = kUnknown,
         cache_misses_per_frame = kUnknown;
};
inline constexpr std::size_t kMostReportSpikes = 60;

/// One line of the forest plot: times of B over A, NaN where there is none.
struct ForestRow {
  std::string label;
  double point = kUnknown, low = kUnknown, high = kUnknown;
  double control_low = kUnknown, control_high = kUnknown;
  std::string outcome;            ///< "B faster", "A faster", "no difference detected", "no interval", "too noisy".
};

/// A heat map of the ratio: rows and columns are factors, one table for each pair of the others.
struct HeatTable {
  std::string title;
  std::vector<std::string> rows, columns;
  std::vector<ForestRow> cells;   ///< Row by row.
};

struct Report {
  std::string title;
  std::string headline;           ///< For a reader who has only this: who took less time, and how much. "": the verdict says it.
  std::string verdict;            ///< One sentence.
  std::string badge;              ///< "verdict", "indication", "too noisy", "different work", "not proven equal", "not comparable", "refused",
                                  ///< "unfinished".
  std::string badge_told;         ///< Why, in a sentence.
  std::vector<std::string> caveats;
  std::vector<ReportArm> arms;
  std::vector<ForestRow> forest;
  std::vector<HeatTable> heat;
  std::vector<std::pair<std::string, std::string>> system;
  std::string command, replay_hash, reproduce, date;
};

/// How far a result can be trusted.
struct Badge {
  std::string name;  ///< As Report::badge.
  std::string told;  ///< Why, in a sentence.
};
/// Needs no blocks: StoredRun's comparison will do.
Badge badge_of(const Comparison& comparison);

Report report_of(const Comparison& comparison);
/// One or more recordings of any game; the first two are A and B.
Report report_of(const std::vector<ImportedRecording>& recordings);
/// The line of a comparison in a forest plot.
ForestRow forest_row_of(const Comparison& comparison, std::string label, TimedPart part = TimedPart::WholeFrame);

/// A page that needs nothing but itself.
std::string report_html(const Report& report);
/// For a README: the sentence, the table, the picture.
std::string report_markdown(const Report& report, const std::string& svg_name);
/// 860 wide; readable on light and dark ground.
std::string report_svg(const Report& report);

/// The forest plot as an SVG element of its own, in colours of the page's classes.
std::string forest_svg(const std::vector<ForestRow>& rows, double width);

}  // namespace spellpool::measure
