#pragma once
#include "core/types.hpp"

namespace spellpool {

inline constexpr u64 kCacheLineBytes = 64, kMemoryPageBytes = 4'096;

/// A page of memory with a bit for each of its 64 cache lines, the first the lowest.
struct MemoryPage {
  u64 number = 0;   ///< Its address / 4,096.
  u64 held = 0;     ///< Lines with a part of an object.
  u64 touched = 0;  ///< Lines that one update reads.
  friend bool operator==(const MemoryPage&, const MemoryPage&) = default;
};

}  // namespace spellpool
