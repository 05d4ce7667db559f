#pragma once
#include "app/options.hpp"

namespace spellpool::app {

/// Opens a window and plays until it is closed. Exit code: 0, 2 (start-up or output error, lost display), 130
/// (interrupted).
int run_window(const PlayOptions& options);

}  // namespace spellpool::app
