#pragma once
#include "app/options.hpp"

namespace spellpool::app {

/// Plays without a window: as fast as it goes, one step a frame. Draws only the picture that --screenshot asks for.
/// Exit code: 0, 2 (start-up or output error), 130 (interrupted, outputs saved).
int run_headless(const PlayOptions& options);

}  // namespace spellpool::app
