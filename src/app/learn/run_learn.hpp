#pragma once
#include "app/options.hpp"

namespace spellpool::app {

/// --learn --headless: the lessons by a script, or by themselves, with screenshots. Returns the program's
/// exit code. In a window they are a mode (app/window/learn_mode.hpp).
int run_learn(const PlayOptions& options);

}  // namespace spellpool::app
