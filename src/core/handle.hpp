#pragma once
#include "core/types.hpp"

// Debug builds put the number of the pool that issued a handle beside its generation, so that a handle of a sibling pool (same type,
// another pool) is refused instead of naming whatever lives in that slot. Other builds can ask for it: -DSPELLPOOL_CHECK_OWNERS=1 in every
// file of the program. The two layouts have different names for the linker, so that a mixture does not link.
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

/// A weak name of a pooled object: which slot, and which tenant of that slot.
/// Layout  {index, generation}; 8 bytes with the default 32-bit widths, 12 where owners are checked.
/// Rule    a live slot's generation is odd, a free slot's even; 0 never belongs to a tenant, so the default handle
///         is null. A handle resolves only while its generation equals the slot's.
/// Tag     keeps a Handle<Voice> out of a pool of bullets at compile time.
/// Source  Noel Llopis, "Managing Data Relationships" (Game Programming Gems 7); the odd/even rule saves the live bit.
template <class Tag, class Index = u32, class Generation = u32>
struct Handle {
  Index index{};
  Generation generation{};
#if SPELLPOOL_CHECK_OWNERS
  u32 owner = 0;  ///< The pool's number, or 0 where a handle was made from its parts: such a one is not checked.
#endif

  constexpr bool is_null() const { return generation == Generation{}; }
  constexpr explicit operator bool() const { return !is_null(); }
  friend constexpr bool operator==(const Handle& a, const Handle& b) { return a.index == b.index && a.generation == b.generation; }
};

#if SPELLPOOL_CHECK_OWNERS
}
#endif
}  // namespace spellpool
