#pragma once
// `spellpool compare`: the honest A/B. Fixed plan, equal work checked first, ABBA quads, a fresh process per block.
//
//   1. Check pass: each arm once, unmeasured, a hash for every step. Files must be equal byte for byte.
//   2. Quads of blocks ABBA, BAAB, …; each block its own process, warm-up dropped, one hash after its last frame.
//   3. Figures, ratio with its bootstrap interval over quads, and the files.
//
// Files    run.json, frames.csv and card.png in out_dir. If one of the three is there already, all three get the same
//          number: run-2.json, frames-2.csv, card-2.png. Nothing of another run is ever overwritten.
// Between  the folder blocks (blocks-2 …) in out_dir holds every finished block from the moment it ends, and run.json
//          says how far it is, anew every few seconds. Both are whole at any moment, SIGKILL included. Interrupted,
//          killed or failed, the folder stays, and a request with resume goes on from there; done, it goes.
// Threads  one. It sleeps while a block runs.
// Why     docs/recording.md.
#include <atomic>
#include <functional>

#include "measure/experiment/comparison.hpp"

namespace spellpool::measure {

/// Builds the command line of a child: the program itself with options that make it do what the plan says. With
/// "/proc/self/exe" as its first word every block runs the very binary that runs now, even if its file is replaced.
using BlockCommand = std::function<std::vector<std::string>(const BlockPlan&)>;
/// fraction 0 … 1 of the work; text such as "block 3 of 20 · free_list · about 40 s left". Called several times a
/// second.
using Progress = std::function<void(double fraction, std::string_view text)>;

struct ExperimentRequest {
  ComparisonPlan plan;
  std::string out_dir;
  /// Goes on with the newest unfinished comparison in out_dir. Its plan has to be the one above, its machine this one.
  bool resume = false;
  std::string note = "null";  ///< JSON that the caller wants to find again in blocks/plan.json.
  /// Not null: a trial block is played first. The argument is one line: the number of blocks and about how
  /// long they take.
  std::function<void(const std::string&)> announce;
  bool only_estimate = false;  ///< Announce, and end.
  /// With a time to fill, and a trial: steps of a block, from 60 to most_steps, so that all takes about so long. 0:
  /// plan.steps.
  double fill_s = 0;
  u64 most_steps = 3'000;
  Environment environment;  ///< capture_environment() with version, build_type, flags and command_line filled in.
  BlockCommand block_command;
  Progress progress;  ///< May be empty.
};

struct ExperimentResult {
  Comparison comparison;                         ///< state, message and indication are what a caller prints.
  std::string run_path, frames_path, card_path;  ///< "" for a file that was not written.
  std::string suffix;                            ///< What the files' names share: "", "-2" …
  /// 0 done, 2 failed, 3 unequal work, 130 interrupted.
  int exit_code() const;
};

/// Runs the whole comparison; it may take hours, and `interrupted` (set from a signal handler, say) ends it within
/// about two seconds with what was done so far written. Failed: a block's process failed, or a file could not be
/// written; message is one line that names the command and its exit code, or the file. Blocks done before it are
/// written all the same. UnequalWork: run.json tells the first step that differs and both hashes; no figure is
/// computed, shown or written.
ExperimentResult run_experiment(const ExperimentRequest& request, const std::atomic<bool>& interrupted);

/// What a comparison that was begun in out_dir needs to go on.
struct Unfinished {
  std::string note;          ///< As given.
  u64 steps = 0;             ///< Of a block, as fixed by then; 0: not yet.
  std::size_t blocks = 0;    ///< Finished.
};
/// Of the newest one; nothing if there is none.
std::optional<Unfinished> unfinished_in(const std::string& out_dir);

/// "40 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

}  // namespace spellpool::measure
