#pragma once
#include <cstddef>

#include "core/types.hpp"

namespace spellpool::sim {

/// A copy of a world between two steps: all that later steps read, and what pictures fade by. GameWorld::save() fills
/// it, restore() returns to it, as often as wanted. Kept and saved into again it takes no new memory, unless the
/// pools hold more than before.
///
/// In it      every pool (objects, handles, generations, counters, capacity, policy), the rest of the rules, the
///            load, and which spells and stage are played
/// Not in it  what says how to compute and not what: strategies, fill bytes, the memory of a step, the age of the heap. A state
///            that was saved with one strategy can be restored with another.
class WorldState {
 public:
  WorldState() = default;
  WorldState(const WorldState&) = delete;
  WorldState& operator=(const WorldState&) = delete;
  virtual ~WorldState() = default;

  /// Steps of the world when it was saved.
  virtual u64 steps() const = 0;
  /// Of the copied objects and members.
  virtual std::size_t bytes() const = 0;
};

}  // namespace spellpool::sim
