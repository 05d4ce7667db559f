#pragma once
#include <string>
#include <string_view>

#include "frame/sim_command.hpp"

namespace spellpool::sim {

/// Commands as words, one grammar for replays and --commands files:
///   strategy POOL NAME | overflow POOL NAME | capacity POOL N | trim POOL N | fill POOL on/off
///   memory NAME | stress N | load N | churn N | heap fresh/aged | console off/heap/pools | slots off/shared/separate
///   cranes off/heap/null | forgetful on/off
/// POOL is one that the scene has; stress, slots and cranes are the shooter's, console and forgetful the spells'.
/// Returns "" and fills `command`, or says what is wrong and what would be right.
std::string parse_command(std::string_view text, frame::SceneId scene, frame::SimCommand& command);
/// A pool of the scene by its name: "" and `pool` is set, or what is wrong.
std::string find_pool(std::string_view name, frame::SceneId scene, frame::PoolId& pool);
/// "the scene spells has no pool bullets; there are: particles, seekers, wisps"
std::string no_such_pool(frame::PoolId pool, frame::SceneId scene);
/// The inverse; SetSpell, SetArena and SetStage, which have texts, give "".
std::string format_command(const frame::SimCommand& command);

/// "heap, free_list": the names of a table, for error lines.
template <class Table>
std::string names_of(const Table& table) {
  std::string names;
  for (const auto& row : table) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

/// Whole number in [low, high], all of the text; false otherwise.
bool parse_number(std::string_view text, u64 low, u64 high, u64& value);

}  // namespace spellpool::sim
