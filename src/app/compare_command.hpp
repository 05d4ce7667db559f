#pragma once
#include "app/options.hpp"

namespace spellpool::app {

/// `spellpool compare`: hands the plan to measure::run_experiment, shows progress, prints the outcome.
int compare_command(const CompareOptions& options, int argc, const char* const* argv);

/// Hidden `spellpool block`: one process of a comparison, measured or for hashes.
int run_block(const BlockOptions& options);

}  // namespace spellpool::app
