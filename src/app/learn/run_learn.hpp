#pragma once
#include "app/options.hpp"

namespace spellpool::app {

/// --learn: lessons in a window, or headless by a script, with screenshots. Returns the program's exit
/// code.
int run_learn(const PlayOptions& options);

}  // namespace spellpool::app
