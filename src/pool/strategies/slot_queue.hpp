#pragma once
#include "pool/cells.hpp"

namespace spellpool::pool {

/// Free slots in a queue: the slot that has been free longest is reused first. So a stale pointer points at
/// old bytes for as long as possible before a new object is built there. Wear (generations, flash cells,
/// debug marks) spreads evenly. The price: every spawn touches the coldest cell of the pool.
/// Layout   cells slots × T; ring_ slots × u32; one bit a slot for walks; the generation.
/// Cost     spawn, release O(1). Walk O(live + slots/64), by slot number.
template <class T>
class SlotQueue {
 public:
  using Cell = PlainCell<T>;
  using Cells = CellBlocks<Cell>;
  static constexpr StrategyId kStrategy = StrategyId::Queue;

  u32 resize(u32 slots) {
    Table<u32> ring;
    ring.resize(slots);
    const u32 calls = 1 + taken_.resize(slots);
    for (u32 i = 0; i < free_; ++i) ring[i] = ring_[place(i)];
    ring_ = std::move(ring);
    first_ = 0;
    return calls;
  }
  void forget(const auto&, u32) {
    first_ = free_ = 0;
    taken_.clear();
  }
  bool any_free() const { return free_ > 0; }
  u32 take(const auto&) {
    const u32 slot = ring_[first_];
    first_ = first_ + 1 == ring_.size() ? 0 : first_ + 1;
    --free_;
    return slot;
  }
  void claim(const auto&, u32 slot) { taken_.set(slot); }
  void claim_word(u32 word, u64 bits) { taken_.set_word(word, bits); }
  void unclaim(const auto&, u32 slot) { taken_.clear(slot); }
  void put_back(const auto&, u32 slot) { ring_[place(free_++)] = slot; }
  /// New slots go to the front: they have rested for ever.
  void offer(const auto&, u32 slot) {
    first_ = (first_ == 0 ? static_cast<u32>(ring_.size()) : first_) - 1;
    ring_[first_] = slot;
    ++free_;
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
    for (u32 i = 0; i < free_ && i < limit; ++i) f(ring_[place(i)]);
  }
  u64 bytes() const { return ring_.bytes() + taken_.bytes(); }

 private:
  std::size_t place(u32 nth) const {
    const std::size_t at = std::size_t{first_} + nth;
    return at < ring_.size() ? at : at - ring_.size();
  }

  Table<u32> ring_;
  u32 first_ = 0, free_ = 0;
  Occupancy taken_;
};

template <class T, std::unsigned_integral Generation = u32>
using QueueStorage = CellStorage<T, Generation, SlotQueue>;

}  // namespace spellpool::pool
