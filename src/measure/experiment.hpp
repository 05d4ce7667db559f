#pragma once
// `spellpool compare`: the honest A/B. Fixed plan, equal work checked first, ABBA quads, a fresh process per block.
//
//   1. Check pass: each arm once, unmeasured, a hash for every step. Files must be equal byte for byte.
//   2. Quads of blocks ABBA, BAAB, …; each block its own process, warm-up dropped, one hash after its last frame.
//   3. Figures, ratio with its bootstrap interval over quads, and the files.
//
// Files    run.json, frames.csv and card.png in out_dir. If one of the three is there already, all three get the same
//          number: run-2.json, frames-2.csv, card-2.png. Nothing is ever overwritten.
// Between  a folder .blocks-XXXXXX in out_dir holds the blocks' files until the end.
// Threads  one. It sleeps while a block runs.
// Why     docs/recording.md.
#include <atomic>
#include <functional>

#include "measure/comparison.hpp"

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
  Environment environment;  ///< capture_environment() with version, build_type, flags and command_line filled in.
  BlockCommand block_command;
  Progress progress;  ///< May be empty.
};

struct ExperimentResult {
  Comparison comparison;                         ///< state, message and indication are what a caller prints.
  std::string run_path, frames_path, card_path;  ///< "" for a file that was not written.
  /// 0 done, 2 failed, 3 unequal work, 130 interrupted.
  int exit_code() const;
};

/// Runs the whole comparison; it may take hours, and `interrupted` (set from a signal handler, say) ends it within
/// about two seconds with what was done so far written. Failed: a block's process failed, or a file could not be
/// written; message is one line that names the command and its exit code, or the file. Blocks done before it are
/// written all the same. UnequalWork: run.json tells the first step that differs and both hashes; no figure is
/// computed, shown or written.
ExperimentResult run_experiment(const ExperimentRequest& request, const std::atomic<bool>& interrupted);

}  // namespace spellpool::measure
