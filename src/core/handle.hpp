#pragma once
#include "core/types.hpp"

namespace spellpool {

/// A weak name of a pooled object: which slot, and which tenant of that slot.
/// Layout  {index, generation}; 8 bytes with the default 32-bit widths.
/// Rule    a live slot's generation is odd, a free slot's even; 0 never belongs to a tenant, so the default handle
///         is null. A handle resolves only while its generation equals the slot's.
/// Tag     keeps a Handle<Voice> out of a pool of bullets at compile time.
/// Source  Noel Llopis, "Managing Data Relationships" (Game Programming Gems 7); the odd/even rule saves the live bit.
template <class Tag, class Index = u32, class Generation = u32>
struct Handle {
  Index index{};
  Generation generation{};

  constexpr bool is_null() const { return generation == Generation{}; }
  constexpr explicit operator bool() const { return !is_null(); }
  friend constexpr bool operator==(const Handle&, const Handle&) = default;
};

}  // namespace spellpool
