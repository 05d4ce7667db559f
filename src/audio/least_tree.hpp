#pragma once
// Finds the slot with the minimum rank while ranks change one at a time: a tournament tree, as in Knuth, The
// Art of Computer Programming 3, 5.4.1. Each node holds the lesser of its two children, so the root holds
// the minimum.
//
// Layout  node[1] is the root, node[2n] and node[2n + 1] are the children of node[n], leaf[slot] is node[leaves +
//         slot]; leaves: slots, rounded up to a power of two. 16 bytes a slot.
// Ranks   the lower 12 bits are the slot's number, so the winning rank names its slot; no two are equal.
// Cost    set O(log slots): a load, a comparison and a store for each floor, and no branch that depends on a rank.
//         What a floor is compared with lies beside its way up and is known from the start: a floor takes three
//         cycles. build O(slots).
// Threads one owner. Nothing allocates after construction.
#include <algorithm>
#include <bit>
#include <vector>

#include "core/assert.hpp"
#include "core/types.hpp"

namespace spellpool::audio {

class LeastTree {
 public:
  static constexpr u32 kSlotBits = 12;
  static constexpr u64 kNobody = ~u64{0};

  /// most_slots: 1 … 4,096. All of them are in use, and empty.
  explicit LeastTree(u32 most_slots) : nodes_(2 * std::size_t{std::bit_ceil(most_slots)}) { clear(most_slots); }

  /// Uses `slots` slots, all empty.
  void clear(u32 slots) {
    leaves_ = std::bit_ceil(slots);
    SPELLPOOL_ASSERT(2 * leaves_ <= nodes_.size());
    std::fill(nodes_.begin(), nodes_.end(), kNobody);
  }

  u64 rank_of(u32 slot) const { return nodes_[leaves_ + slot]; }
  /// The minimum rank, or kNobody if all are empty; slot_of gives its slot.
  u64 least() const { return nodes_[1]; }
  static u32 slot_of(u64 rank) { return static_cast<u32>(rank & ((u64{1} << kSlotBits) - 1)); }

  void set(u32 slot, u64 rank) {
    u64* const nodes = nodes_.data();
    u32 node = leaves_ + slot;
    nodes[node] = rank;
    for (; node > 1; node /= 2) {
      const u64 other = nodes[node ^ 1];
      rank = other < rank ? other : rank;
      nodes[node / 2] = rank;
    }
  }

  /// A leaf alone; build() when all are set.
  void put(u32 slot, u64 rank) { nodes_[leaves_ + slot] = rank; }
  void build() {
    for (u32 node = leaves_ - 1; node > 0; --node) nodes_[node] = std::min(nodes_[2 * node], nodes_[2 * node + 1]);
  }

 private:
  std::vector<u64> nodes_;
  u32 leaves_ = 1;
};

}  // namespace spellpool::audio
