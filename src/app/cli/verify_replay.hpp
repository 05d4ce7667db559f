#pragma once
#include <string>

namespace spellpool::app {

/// Plays the replay under every strategy, without a window, and checks the world's hash after every step: all of it
/// against the first strategy's, and as much as the file has of it against the file. Prints a line per strategy.
/// data_dir: where the files are that a replay names, "" the usual place. Exit code: 0 all equal, 1 a step differs, 2
/// the file is bad, 130 interrupted.
int verify_replay(const std::string& path, const std::string& data_dir);

}  // namespace spellpool::app
