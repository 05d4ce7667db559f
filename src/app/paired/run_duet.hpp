#pragma once
#include "app/cli/options.hpp"

namespace spellpool::app {

/// --duet A B: one game under two strategies, side by side in a window, or unseen with --headless. With --export a film of it, too.
/// Exit code: 0, 2 (start-up or output error), 3 (the two worlds differed), 130 (interrupted; what was measured is told).
int run_duet(const PlayOptions& options);

}  // namespace spellpool::app
