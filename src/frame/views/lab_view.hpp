#pragma once
// What the comparison lab shows and what it asks for: two arms to choose, a comparison that runs beside the game, and
// what lies among the recordings.
#include <array>
#include <span>
#include <string_view>

#include "frame/phase.hpp"

namespace spellpool::frame {

/// A side of the comparison. 0 of all but the strategy: as it is anyway.
struct LabArm {
  u8 strategy = 0;                      ///< pool::StrategyId.
  u8 policy = 0, allocator = 0, memory = 0, voices = 0;  ///< Places in LabView's lists.
  friend bool operator==(const LabArm&, const LabArm&) = default;
};

struct LabChoices {
  std::array<LabArm, 2> arms{LabArm{0}, LabArm{1}};
  u8 scene = 0, preset = 0, plan = 0, heap = 0;  ///< Places in LabView's lists.
  u8 rollback = 0;                      ///< The same; of the scene without a game.
  u32 quads = 20, steps = 600;          ///< Of the plan that is the player's own, which is the last,
  bool drawn = false;                   ///< and whether that one draws.
  friend bool operator==(const LabChoices&, const LabChoices&) = default;
};
inline constexpr u32 kMostLabQuads = 500, kLeastLabSteps = 60, kMostLabSteps = 10'000;

/// A line of a list.
struct LabOption {
  std::string_view name;                ///< As the command line has it; "" for what is left out there.
  std::string_view title;
  bool offered = true;                  ///< False: not installed here.
};

/// How a line of the results is to be taken. Each has its letter in ui/, so that colour never says it alone.
enum class LabTone : u8 { Verdict, Indication, Unfinished, Running, Refused, Recording, Damaged };

/// One comparison or recording. Ratio: time of B over time of A, NaN where there is none.
struct LabRow {
  std::string_view what, where, date, state, sentence, name;
  LabTone tone = LabTone::Damaged;
  double ratio = 0, low = 0, high = 0;
  bool comparable = true;
};

struct LabFigures {
  char letter = 'A';
  std::string_view name;
  u64 frames = 0, spikes = 0;
  double median_us = 0, p99_us = 0, low_1_percent_fps = 0, allocations_per_frame = 0;
};

struct LabSpike {
  char letter = 'A';
  double us = 0, usual_us = 0;
  std::array<float, kPhaseCount> phase_us{};
  std::string_view place;               ///< "block 12, step 345"
  std::string_view told;                ///< Allocations, faults and switches.
  std::string_view trace_name;          ///< "" where there is no trace.
};

/// The line that is chosen.
struct LabDetails {
  bool shown = false;
  u32 row = 0;
  std::string_view badge, badge_told;
  std::string_view path;
  bool can_resume = false, has_report = false, can_report = false;
  std::span<const LabFigures> figures;  ///< Of both arms; of a recording one.
  bool reading = false;                 ///< The frames are being looked through for spikes.
  std::span<const LabSpike> spikes;     ///< The longest, longest first.
  std::string_view error;               ///< "" or why something is missing.
};

struct LabView {
  bool open = false;
  LabChoices choices;
  std::span<const LabOption> scenes, presets, plans, heaps, policies, allocators, memories, voices, rollbacks;
  std::size_t storage_scene = ~std::size_t{0};  ///< Which of the scenes is a pool and no game.
  std::string_view plan_told;           ///< What the plan is, in words.
  std::string_view estimate;            ///< "160 blocks of 240 + 300 steps: about 55 s"; "" not known yet.
  std::string_view wrong;               ///< "" or why it cannot be started as it is chosen.
  enum class Job : u8 { None, Estimating, Comparing, Reporting };
  Job job = Job::None;
  bool stopping = false;
  float progress = 0;                   ///< 0 … 1.
  std::string_view text;                ///< "block 3 of 160 · heap · about 40 s left"
  std::string_view said;                ///< Of what was asked for last: "Copied …"; "" for none.
  // The last one that ended here.
  std::string_view result, result_badge, result_folder;
  bool result_can_resume = false;
  // What lies among the recordings.
  std::span<const LabRow> rows;
  u32 left_out = 0;                     ///< Older ones that are not shown.
  bool reading = false;
  std::string_view folder;
  LabDetails details;
};

enum class LabAct : u8 { None, Report, Resume, OpenFolder, OpenReport, CopyPath };

/// What the lab asks for in a frame.
struct LabRequests {
  bool change = false;
  LabChoices choices;
  bool start = false, stop = false, read_again = false;
  bool select = false;
  u32 row = 0;
  LabAct act = LabAct::None;            ///< With the line that is chosen.
  bool resume_result = false;           ///< Goes on with the last one that ended here.
};

}  // namespace spellpool::frame
