#pragma once
#include <string>

namespace spellpool::app {

/// Plays the replay under every strategy, without a window, and checks the world's hash after every step. Prints a line
/// per strategy. Exit code: 0 all equal, 1 a step differs, 2 the file is bad, 130 interrupted.
int verify_replay(const std::string& path);

}  // namespace spellpool::app
