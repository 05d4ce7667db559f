#pragma once
#include <bit>

#include "pool/cells.hpp"

namespace spellpool::pool {

/// An occupancy bitmap that always reuses the lowest free slot. Addresses are stable. Objects stay dense at
/// the low end, so a walk reads memory in order, a burst fills adjacent slots, and the high end of a
/// half-empty pool is never touched. A free list reuses slots in release order, which scatters objects over
/// time. Steady frames of both take about as long; a burst takes far less here (docs/POOLS.md, Measured).
///
/// Layout   slots × T; free_ and taken_, one bit per slot each; one summary bit per 64 slots, set if any of
///          them is free; the generation. 4.25 bytes per slot with 32-bit generations.
/// Cost     acquire finds the lowest set bit of the lowest non-zero summary word (4,096 slots each),
///          starting where the last search ended: O(1), plus a step over each full word. release O(1). Walk
///          O(live + slots/64), in slot order.
template <class T>
class LowestSlot {
 public:
  using Cell = PlainCell<T>;
  using Cells = CellBlocks<Cell>;
  static constexpr StrategyId kStrategy = StrategyId::Bitmap;

  explicit LowestSlot(PoolMemory* memory = nullptr) : free_(memory), summary_(memory), taken_(memory) {}

  u32 resize(u32 slots) {
    const std::size_t words = (std::size_t{slots} + 63) / 64;
    return taken_.resize(slots) + free_.resize(words) + summary_.resize((words + 63) / 64);
  }
  void forget(const auto&, u32) {
    for (u64& word : free_) word = 0;
    for (u64& word : summary_) word = 0;
    lowest_ = 0;
    taken_.clear();
  }
  bool any_free() const {
    for (u32 word = lowest_; word < summary_.size(); ++word) {
      if (summary_[word] != 0) return true;
    }
    return false;
  }
  /// For a scheme with slots. False: unknown, since a free one may lie beyond the next 4,096.
  bool is_one_near() const { return summary_[lowest_] != 0; }
  u32 take(const auto&) {
    while (summary_[lowest_] == 0) ++lowest_;
    const u32 word = lowest_ * 64 + static_cast<u32>(std::countr_zero(summary_[lowest_]));
    const u32 slot = word * 64 + static_cast<u32>(std::countr_zero(free_[word]));
    free_[word] &= free_[word] - 1;
    if (free_[word] == 0) summary_[lowest_] &= summary_[lowest_] - 1;
    return slot;
  }
  void claim(const auto&, u32 slot) { taken_.set(slot); }
  void claim_word(u32 word, u64 bits) { taken_.set_word(word, bits); }
  void unclaim(const auto&, u32 slot) { taken_.clear(slot); }
  void put_back(const auto& cells, u32 slot) { offer(cells, slot); }
  void offer(const auto&, u32 slot) {
    free_[slot / 64] |= u64{1} << (slot % 64);
    summary_[slot / 4096] |= u64{1} << (slot / 64 % 64);
    if (slot / 4096 < lowest_) lowest_ = slot / 4096;
  }
  template <class F>
  void for_each_taken(const Cells& cells, u32, F&& f) const {
    taken_.for_each(cells, f);
  }
  u32 next_taken(u32 slot) const { return taken_.next(slot); }
  template <class F>
  void for_each_taken_in(u32 first_word, u32 end_word, const Cells& cells, F&& f) const {
    taken_.for_each_in(first_word, end_word, cells, f);
  }
  template <class F>
  void for_each_free(const Cells&, u32 limit, F&& f) const {
    for (u32 word = 0; word < free_.size(); ++word) {
      for (u64 bits = free_[word]; bits != 0; bits &= bits - 1) {
        if (limit-- == 0) return;
        f(word * 64 + static_cast<u32>(std::countr_zero(bits)));
      }
    }
  }
  u64 bytes() const { return free_.bytes() + summary_.bytes() + taken_.bytes(); }

 private:
  Table<u64> free_, summary_;
  u32 lowest_ = 0;  // all summary words below this index are 0
  Occupancy taken_;
};

template <class T, std::unsigned_integral Generation = u32>
using BitmapStorage = CellStorage<T, Generation, LowestSlot>;

}  // namespace spellpool::pool
