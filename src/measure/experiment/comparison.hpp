#pragma once
// What a comparison found: blocks, arms, and for the simulation and the whole frame a ratio with its verdict. Plain
// data and pure functions; experiment.hpp runs the blocks, run_json.hpp and card.hpp show the outcome.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/experiment/block.hpp"
#include "measure/experiment/noise.hpp"
#include "measure/record/environment.hpp"
#include "measure/record/frame_figures.hpp"
#include "measure/record/statistics.hpp"

namespace spellpool::measure {

/// Every figure of one block or one arm. NaN where there is none.
struct DetailedFigures {
  frame::FrameFigures frame;
  std::array<PhaseFigures, frame::kPhaseCount> phases{};
  PhaseFigures simulation{kUnknown, kUnknown};  ///< Of frame::simulation_us. NaN too where no phase was timed.
  double simulation_mean_us = kUnknown;
  double low_1_percent_percentile_fps = kUnknown;  ///< LowKind::Percentile; the average kind is in `frame`.
  double low_1_percent_integral_fps = kUnknown;    ///< LowKind::Integral.
  double low_01_percent_average_fps = kUnknown, low_01_percent_percentile_fps = kUnknown,
         low_01_percent_integral_fps = kUnknown;
  double stutter_percent = kUnknown;
  OverLimit over_16_67_ms, over_33_3_ms, over_2_medians;
  double bytes_per_frame = kUnknown;       ///< Asked of operator new.
  std::optional<double> faults_per_frame;    ///< Minor and major.
  std::optional<double> switches_per_frame;  ///< Of context, given up and taken away.
  u64 rejected = 0, stolen = 0;
};
/// Allocates. What depends on neighbours in time (spikes, stutter) is judged as one run of frames.
DetailedFigures detailed_figures_of(std::span<const frame::FrameRecord> records);

struct BlockResult {
  BlockPlace place;
  char arm = 'A';        ///< 'A', 'B'; of the control 'C' and 'D', both of which do what A does.
  bool partial = false;  ///< Interrupted: its frames are kept, but count in no figure.
  BlockReport report;
  DetailedFigures figures;
  std::vector<frame::FrameRecord> frames;
  double wall_s = 0;  ///< Start to end of its process; in place, the sum of its frames.
};

struct ArmResult {
  pool::StrategyId strategy{};
  DetailedFigures figures;  ///< Over the frames of all its whole blocks; spikes and stutter by block.
  u32 blocks = 0;
  std::vector<double> step_median_us;  ///< Per measured step: middle frame time of this arm's blocks …
  std::vector<double> step_max_us;     ///< … and the longest. In place a step is played once: both are its frame time.
};

/// How the blocks of a comparison are run.
enum class Method : u8 {
  FreshProcesses,  ///< `spellpool compare`: each block a process of its own, all of the same steps. See experiment.hpp.
  InPlace,         ///< The quick A/B: both worlds in one process, side by side through the same steps. See in_place.hpp.
};

/// What is compared, fixed before the first block.
struct ComparisonPlan {
  Method method = Method::FreshProcesses;
  std::string scene = "spells";
  std::array<pool::StrategyId, 2> strategies{pool::StrategyId::Heap, pool::StrategyId::FreeList};
  u32 quads = 6;
  u64 steps = 600;         ///< Measured per block, one frame each.
  u64 warmup_steps = 240;  ///< Played before and dropped; never fewer than 240. In place: once, before the first block.
  u32 dropped_frames = 0;  ///< In place: at the start of each block, with as many steps.
  u64 seed = 1;
  bool sim_only = false;
  /// After each quad one more, of A against A: what this machine calls a difference where there is none. Not in place.
  bool control = false;
  /// The arms do different work by design (overflow policies, capacities). Their hashes are not compared and
  /// there is no verdict on speed. The report shows cost and loss side by side.
  bool different_work = false;
  std::array<std::string, 2> labels;  ///< What an arm is called where its strategy's name does not tell all: "heap+mimalloc". "" it does.
  /// Conditions that both arms share, for the report: {"heap", "aged_heavy"}, {"size", "64"}.
  std::vector<std::pair<std::string, std::string>> factors;
  u32 capacity = 0;  ///< These four are written to the files. 0 is written as NA.
  std::string policy = "NA";
  std::string preset = "NA";
  std::string draw = "NA";
};
inline constexpr u64 kLeastWarmupSteps = 240;
/// Fewer quads give an interval but no verdict.
inline constexpr u32 kLeastQuadsForVerdict = 20;
/// What files, messages and pictures call an arm: its label, or its strategy's name. title: the strategy's title.
std::string arm_name(const ComparisonPlan& plan, std::size_t arm);
std::string arm_title(const ComparisonPlan& plan, std::size_t arm);
/// Frames of a whole comparison that are held in memory, at 160 bytes each.
inline constexpr u64 kMaxComparisonFrames = 10'000'000;
/// "" or what is wrong, naming the option.
std::string plan_error(const ComparisonPlan& plan);

/// Arm and place of every block: quads ABBA, BAAB, ABBA …, so that a drift of the machine hits both arms alike. With
/// a control each quad is followed by one of its own: CDDC, DCCD.
struct ScheduledBlock {
  BlockPlace place;
  char arm = 'A';
};
std::vector<ScheduledBlock> schedule_blocks(u32 quads, bool control = false);

enum class ComparisonState : u8 {
  Done,
  Running,      ///< In a file only: it was not there yet, or was killed. `compare --resume` finishes it.
  Interrupted,  ///< Figures are of the blocks done so far.
  UnequalWork,  ///< The arms did not do the same: no figures.
  Failed,       ///< A block or a file failed.
};

/// The times that are judged, each by itself.
enum class TimedPart : u8 {
  Simulation,  ///< frame::simulation_us: what the strategy of a pool can change.
  WholeFrame,  ///< What the player waits for.
};
inline constexpr std::array kTimedParts = {TimedPart::Simulation, TimedPart::WholeFrame};
/// Median of that time among the frames of a block or an arm; NaN where there is none.
double median_us(const DetailedFigures& figures, TimedPart part);
/// Mean of that time: all that a coarse clock measures of a block. NaN where there is none.
double mean_us(const DetailedFigures& figures, TimedPart part);

/// What the blocks say about one of these times.
struct TimeEffect {
  std::vector<double> quad_effects;     ///< r of each whole quad, ln.
  BootstrapInterval effect;             ///< Over quad_effects, ln.
  std::vector<double> control_effects;  ///< r of each whole control quad, ln.
  BootstrapInterval control;            ///< Over control_effects, ln. In place: over the quads' order effects; see in_place.hpp.
};

/// Of B against A.
enum class Outcome : u8 {
  Unknown,   ///< Too few quads for an interval, no control, or different work.
  TooNoisy,  ///< The machine was not quiet: no verdict, however many quads there are.
  None,      ///< No difference found.
  Faster,
  Slower,
};
/// "unknown", "too_noisy", "none", "faster", "slower".
std::string_view outcome_name(Outcome outcome);

struct Comparison {
  ComparisonPlan plan;
  Environment environment;
  ComparisonState state = ComparisonState::Failed;
  std::string message;  ///< One line: what went wrong, "" if nothing.
  std::vector<BlockResult> blocks;
  std::array<ArmResult, 2> arms;
  TimeEffect whole, simulation;
  MachineUse machine;                ///< Of the measured blocks together. In place the caller sets it; else summarise_effects() does.
  Noise noise;
  u64 final_hash = 0;                ///< Of the last step, equal in every pass and block; of arm A where the work differs.
  u64 final_hash_b = 0;              ///< Where the work differs: of arm B.
  u64 hashed_steps = 0;              ///< Steps from the start up to the last one whose hashes were compared: each, or in place one a stretch.
  std::string indication;            ///< The last line that a comparison prints.
  std::string verdict;               ///< One sentence for people; "" without a control and with different work.
  std::string last_line() const {
    return verdict.empty() || whole.quad_effects.size() < kLeastQuadsForInterval ? indication : verdict;
  }
  const TimeEffect& of(TimedPart part) const { return part == TimedPart::Simulation ? simulation : whole; }
};

/// What the interval, the control and the noise allow to say. Every verdict shown anywhere is this one.
Outcome outcome_of(const Comparison& comparison, TimedPart part);
/// The times worth a line: the whole frame, and before it the simulation where frames were drawn and phases timed.
std::vector<TimedPart> shown_parts(const Comparison& comparison);
/// "Simulation", "Whole frame"; where nothing was drawn "Frame without drawing".
std::string_view part_title(const Comparison& comparison, TimedPart part);
/// What was found, for a reader who knows neither arms nor intervals: "the pool takes 0.41× the time of new/delete
/// (0.38 to 0.45)", "no difference found (0.99×, 0.97 to 1.02): drawing takes 93 % of it".
std::string part_sentence(const Comparison& comparison, TimedPart part);
/// All of it: "Simulation: … . Whole frame: … ." One line that says so where the machine was too noisy or nothing
/// differs.
std::string plain_headline(const Comparison& comparison);

/// Fills arms, whole, simulation, noise, indication and verdict from blocks. After unequal work only the sentences:
/// that there is nothing.
void summarise(Comparison& comparison);
/// The same without the arms' own figures, which have to sort all frames.
void summarise_effects(Comparison& comparison);

/// Two --hash-out files compared byte for byte.
struct HashCheck {
  bool equal = false;
  u64 steps = 0;  ///< Lines compared.
  u64 final_hash = 0;
  std::string difference;  ///< "step 17: heap 00…, free_list 11…"; "" if equal.
  std::string error;       ///< A file that could not be read or holds no hash.
};
HashCheck compare_hash_files(const std::string& path_a, const std::string& path_b, std::string_view name_a,
                             std::string_view name_b);

}  // namespace spellpool::measure
