#pragma once
#include "core/types.hpp"

namespace spellpool::pool {

/// What happened in a pool since it was made, and what it holds now. Switching strategy, policy or capacity keeps them.
/// Always true: spawned == released + stolen + live, and live + free_slots + retired_slots == slots.
struct PoolStats {
  u32 live = 0;
  u32 peak = 0;
  u32 capacity = 0;         ///< How many may live.
  u32 slots = 0;            ///< How many the storage has room for; more than the capacity where some are worn out.
  u32 free_slots = 0;
  u32 retired_slots = 0;    ///< Slots whose generation is used up; they are never given out again.
  u64 spawned = 0;          ///< acquire() that gave a handle.
  u64 released = 0;         ///< release() and release_if() that ended an object.
  u64 rejected = 0;         ///< acquire() that gave the null handle.
  u64 stolen = 0;           ///< Objects ended by the policy to make room.
  u64 grown = 0;            ///< Times that a policy enlarged the pool.
  u64 trimmed = 0;          ///< Times that trim() made it smaller again.
  u64 hurried = 0;          ///< Objects that aged faster by the policy pressure, counted once a step each.
  u64 new_calls = 0;        ///< operator new by the storage, moves between strategies included.
  u64 bytes = 0;            ///< Held now: objects, tables and the policy's data.
  u64 double_releases = 0;  ///< release() of a handle whose object had ended last in that slot.
  u64 stale_handles = 0;    ///< release() or get() of a handle whose slot has a later tenant, or none.
  u64 foreign_handles = 0;  ///< release() of a handle that this pool cannot have given out: no such slot, or not yet so often.
};

/// What release() did. Everything but Released leaves the pool as it was, in every build.
enum class ReleaseResult : u8 { Released, NullHandle, DoubleRelease, StaleHandle, ForeignHandle };

}  // namespace spellpool::pool
