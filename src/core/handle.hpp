#pragma once
#include "core/types.hpp"

// Debug builds store the number of the issuing pool in each handle. A handle of a sibling pool (same type,
// another pool) is then refused; otherwise it would name whatever object is in that slot. Define
// SPELLPOOL_CHECK_OWNERS=1 in every file of the program to get the check in other builds. The two layouts
// have different mangled names, so a mixture does not link.
#if !defined(SPELLPOOL_CHECK_OWNERS)
#if defined(NDEBUG)
#define SPELLPOOL_CHECK_OWNERS 0
#else
#define SPELLPOOL_CHECK_OWNERS 1
#endif
#endif

namespace spellpool {
#if SPELLPOOL_CHECK_OWNERS
inline namespace checked_owners {
#endif

/// A weak reference to a pooled object: a slot, and which object of that slot.
///
/// Layout   {index, generation}: 8 bytes with the default 32-bit widths, 12 where owners are checked.
/// Rule     A live slot has an odd generation, a free slot an even one. Generation 0 is never live, so the
///          default handle is null. A handle resolves only while its generation equals that of the slot.
/// Tag      Makes a Handle<Voice> in a pool of bullets a compile-time error.
/// Source   Noel Llopis, "Managing Data Relationships" (Game Programming Gems 7). The odd/even rule saves
///          the live bit.
template <class Tag, class Index = u32, class Generation = u32>
struct Handle {
  Index index{};
  Generation generation{};
#if SPELLPOOL_CHECK_OWNERS
  u32 owner = 0;  ///< Number of the issuing pool; 0 (a handle built from its parts) is not checked.
#endif

  constexpr bool is_null() const { return generation == Generation{}; }
  constexpr explicit operator bool() const { return !is_null(); }
  friend constexpr bool operator==(const Handle& a, const Handle& b) { return a.index == b.index && a.generation == b.generation; }
};

#if SPELLPOOL_CHECK_OWNERS
}
#endif
}  // namespace spellpool
