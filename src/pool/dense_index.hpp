#pragma once
#include <vector>

#include "core/assert.hpp"
#include "pool/generation_table.hpp"

namespace spellpool::pool {

/// For storages whose objects lie packed and move: which place a slot's object is at, and whose object lies at a place. Handles
/// name slots, so they survive each move.
/// Layout   place_[slots] u32 (of a free slot: the next free one), slot_[slots] u32 by place, the generations: 12 bytes a slot.
/// Cost     Every operation O(1).
template <std::unsigned_integral Generation>
class DenseIndex {
 public:
  DenseIndex(u32 slots, const GenerationTable<Generation>& known)
      : generations_(slots, known), place_(slots, kNoSlot), slot_(slots, kNoSlot) {}
  DenseIndex() = default;

  /// A free slot for an object at `place`; needs has_free().
  u32 enter(u32 place) {
    const u32 slot = first_free_;
    first_free_ = place_[slot];
    link(slot, place);
    generations_.begin_tenancy(slot);
    return slot;
  }
  /// The slot's tenant has gone. False: so has the slot, worn out.
  bool leave(u32 slot) {
    if (!generations_.end_tenancy(slot)) [[unlikely]] return false;
    place_[slot] = first_free_;
    first_free_ = slot;
    return true;
  }
  void link(u32 slot, u32 place) {
    place_[slot] = place;
    slot_[place] = slot;
  }
  void mark_hole(u32 place) { slot_[place] = kNoSlot; }
  /// After the adopted ones are linked: all other usable slots are free, lowest first.
  void offer_the_rest() {
    first_free_ = kNoSlot;
    for (u32 slot = slots(); slot-- > 0;) {
      if (!generations_.is_usable(slot)) continue;
      place_[slot] = first_free_;
      first_free_ = slot;
    }
  }

  u32 place_of(u32 slot) const { return place_[slot]; }
  u32 slot_at(u32 place) const { return slot_[place]; }
  bool has_free() const { return first_free_ != kNoSlot; }
  u32 slots() const { return static_cast<u32>(place_.size()); }
  const GenerationTable<Generation>& generations() const { return generations_; }
  u64 bytes() const { return (place_.capacity() + slot_.capacity()) * sizeof(u32) + generations_.bytes(); }

 private:
  GenerationTable<Generation> generations_;
  std::vector<u32> place_, slot_;
  u32 first_free_ = kNoSlot;
};

}  // namespace spellpool::pool
