#pragma once
#include <string>

#include "app/options.hpp"

namespace spellpool::app {

/// Plays by script, with every strategy and policy asked for. Every `distance` steps it saves, plays on, restores,
/// plays the same inputs again, and compares the hash of each step; a second world, never restored, tells what a
/// difference consists of. A third one takes every other state too and is compared in the same way. Prints a line for
/// each combination; on a difference one that names step, pool, slot and field. Exit code: 0 all equal, 1 a
/// difference, 2 bad data, 130 interrupted.
int synctest(const SyncTest& test);

}  // namespace spellpool::app
