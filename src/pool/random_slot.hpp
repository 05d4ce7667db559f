#pragma once
#include <vector>

#include "core/rng.hpp"
#include "pool/index_stack.hpp"

namespace spellpool::pool {

/// A random free slot each time, O(1), from a seeded generator. Nobody should want this in a game: it is what a pool looks like
/// after long, uneven use, made on purpose. If your frame time holds here, order of reuse does not carry it.
/// Layout   cells slots × T; free_ slots × u32, in no order; one bit a slot for walks; the generation.
/// Cost     spawn: a random number and a swap with the last free one. release O(1). Walk O(live + slots/64), by slot number.
template <class T>
class RandomSlot {
 public:
  using Cell = PlainCell<T>;
  using Cells = CellBlocks<Cell>;
  static constexpr StrategyId kStrategy = StrategyId::Random;

  u32 resize(u32 slots) { return reserve_exactly(free_, slots) + taken_.resize(slots); }
  bool any_free() const { return !free_.empty(); }
  u32 take(const auto&) {
    u32& chosen = free_[rng_.below(static_cast<u32>(free_.size()))];
    const u32 slot = chosen;
    chosen = free_.back();
    free_.pop_back();
    taken_.set(slot);
    return slot;
  }
  void give(const auto&, u32 slot) {
    taken_.clear(slot);
    free_.push_back(slot);
  }
  void retire(const auto&, u32 slot) { taken_.clear(slot); }
  void offer(const auto&, u32 slot) { free_.push_back(slot); }
  void claim(const Cells&, u32 slot) { taken_.set(slot); }
  template <class F>
  void for_each_taken(const Cells& cells, u32, F&& f) const {
    taken_.for_each(cells, f);
  }
  u64 bytes() const { return free_.capacity() * sizeof(u32) + taken_.bytes(); }

 private:
  Rng rng_{0x5e1ec7};
  std::vector<u32> free_;
  Occupancy taken_;
};

template <class T, std::unsigned_integral Generation = u32>
using RandomStorage = CellStorage<T, Generation, RandomSlot>;

}  // namespace spellpool::pool
