#pragma once
#include <vector>

#include "core/assert.hpp"
#include "pool/generation_table.hpp"

namespace spellpool::pool {

/// For storages whose objects lie packed and move: which place a slot's object is at, and whose object lies at a place. Handles
/// name slots, so they survive each move.
///
///   place   0 … live - 1            … usable_end - 1        … slots - 1
///           whose object lies here  slots that are free     slots that are worn out
///
/// Every slot stands at some place: the two tables are each other's inverse, always. So there is no list of free slots: the next one
/// stands at the place where its object is going to lie, and a row of births reads the table from left to right.
/// Layout   place_[slots] u32, slot_[slots] u32, the generations: 12 bytes a slot.
/// Cost     Every operation O(1), with no chain to follow.
/// Source   Briggs and Torczon, "An efficient representation for sparse sets", 1993.
template <std::unsigned_integral Generation>
class DenseIndex {
 public:
  DenseIndex(u32 slots, const GenerationTable<Generation>& known) : generations_(slots, known), place_(slots), slot_(slots), usable_end_(slots) {
    for (u32 slot = 0; slot < slots; ++slot) place_[slot] = slot_[slot] = slot;
  }
  DenseIndex() = default;

  /// The slot that stands at a free place gets a tenant.
  u32 enter(u32 place) {
    const u32 slot = slot_[place];
    generations_.begin_tenancy(slot);
    return slot;
  }
  /// Ends a tenancy; the slot stays at its place. False: it is worn out, and must be buried once its place is a free one.
  bool leave(u32 slot) { return generations_.end_tenancy(slot); }
  /// The slot at a free place goes behind all that can be used.
  void bury(u32 place) { swap_places(place, --usable_end_); }
  void swap_places(u32 a, u32 b) {
    const u32 slot_a = slot_[a], slot_b = slot_[b];
    slot_[a] = slot_b;
    slot_[b] = slot_a;
    place_[slot_b] = a;
    place_[slot_a] = b;
  }
  /// The adopted ones stand at the first `live` places: worn out ones go to the end.
  void finish_adoption(u32 live) {
    for (u32 place = usable_end_; place-- > live;) {
      if (!generations_.is_usable(slot_[place])) bury(place);
    }
  }

  u32 place_of(u32 slot) const { return place_[slot]; }
  u32 slot_at(u32 place) const { return slot_[place]; }
  bool is_live_at(u32 place) const { return GenerationRule<Generation>::is_live(generations_[slot_[place]]); }
  u32 usable_end() const { return usable_end_; }
  u32 slots() const { return static_cast<u32>(place_.size()); }
  const GenerationTable<Generation>& generations() const { return generations_; }
  u64 bytes() const { return (place_.capacity() + slot_.capacity()) * sizeof(u32) + generations_.bytes(); }

 private:
  GenerationTable<Generation> generations_;
  std::vector<u32> place_, slot_;
  u32 usable_end_ = 0;
};

}  // namespace spellpool::pool
