#pragma once
#include "app/options.hpp"

namespace spellpool::app {

/// `spellpool compare`: hands the plan to measure::run_experiment, shows progress, prints the outcome. With --resume
/// it goes on with one that was begun: the same command line, in the same folder, by the same program.
int compare_command(const CompareOptions& options);

/// Hidden `spellpool block`: one process of a comparison, measured or for hashes.
int run_block(const BlockOptions& options);

}  // namespace spellpool::app
