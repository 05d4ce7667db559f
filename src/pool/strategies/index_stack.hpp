#pragma once
#include "pool/cells.hpp"

namespace spellpool::pool {

/// A stack of free slot numbers beside the cells. The same order of reuse as the union list (last freed, first
/// reused), but a free cell is not touched: its bytes may stay cold, or poisoned. Costs 4 bytes a slot for that.
/// Layout   cells slots × T; free_ slots × u32; one bit a slot for walks; the generation.
/// Cost     spawn, release O(1). Walk O(live + slots/64), by slot number.
template <class T>
class IndexStack {
 public:
  using Cell = PlainCell<T>;
  using Cells = CellBlocks<Cell>;
  static constexpr StrategyId kStrategy = StrategyId::IndexStack;

  u32 resize(u32 slots) { return free_.reserve(slots) + taken_.resize(slots); }
  void forget(const auto&, u32) {
    free_.clear();
    taken_.clear();
  }
  bool any_free() const { return !free_.empty(); }
  u32 take(const auto&) {
    const u32 slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void claim(const auto&, u32 slot) { taken_.set(slot); }
  void claim_word(u32 word, u64 bits) { taken_.set_word(word, bits); }
  void unclaim(const auto&, u32 slot) { taken_.clear(slot); }
  void put_back(const auto&, u32 slot) { free_.push_back(slot); }
  void offer(const auto&, u32 slot) { free_.push_back(slot); }
  template <class F>
  void for_each_taken(const Cells& cells, u32, F&& f) const {
    taken_.for_each(cells, f);
  }
  u32 next_taken(u32 slot) const { return taken_.next(slot); }
  template <class F>
  void for_each_taken_in(u32 first_word, u32 end_word, const Cells& cells, F&& f) const {
    taken_.for_each_in(first_word, end_word, cells, f);
  }
  u64 bytes() const { return free_.bytes() + taken_.bytes(); }
  template <class F>
  void for_each_free(const Cells&, u32 limit, F&& f) const {
    for (std::size_t i = free_.size(); i > 0 && limit-- > 0; --i) f(free_[i - 1]);
  }

 protected:
  Table<u32> free_;

 private:
  Occupancy taken_;
};

template <class T, std::unsigned_integral Generation = u32>
using IndexStackStorage = CellStorage<T, Generation, IndexStack>;

}  // namespace spellpool::pool
