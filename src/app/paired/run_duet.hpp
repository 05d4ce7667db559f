#pragma once
#include "app/options.hpp"

namespace spellpool::app {

/// --duet A B: one game under two strategies, side by side in a window, or headless with --headless.
/// --export also writes a film of it.
/// Exit code: 0, 2 (start-up or output error), 3 (the two worlds differed), 130 (interrupted; the
/// measurements so far are reported).
int run_duet(const PlayOptions& options);

}  // namespace spellpool::app
