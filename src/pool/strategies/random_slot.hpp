#pragma once
#include <utility>

#include "core/rng.hpp"
#include "pool/strategies/index_stack.hpp"

namespace spellpool::pool {

/// A random free slot each time, O(1), from a seeded generator. Not for use in a game: it is what a pool looks like
/// after long, uneven use, made on purpose. If your frame time holds here, order of reuse does not carry it.
/// Layout   cells slots × T; free_ slots × u32, in no order; one bit a slot for walks; the generation.
/// Cost     spawn: a random number and a swap with the last free one. release O(1). Walk O(live + slots/64), by slot
///          number.
template <class T>
class RandomSlot : public IndexStack<T> {
 public:
  static constexpr StrategyId kStrategy = StrategyId::Random;

  /// A free slot from anywhere changes places with the top one.
  u32 take(const auto& cells) {
    std::swap(this->free_[rng_.below(static_cast<u32>(this->free_.size()))], this->free_.back());
    return IndexStack<T>::take(cells);
  }

  template <class F>
  void for_each_free(const CellBlocks<PlainCell<T>>& cells, u32 limit, F&& f) const = delete;  // the next slot is unknown

 private:
  Rng rng_{0x5e1ec7};
};

template <class T, std::unsigned_integral Generation = u32>
using RandomStorage = CellStorage<T, Generation, RandomSlot>;

}  // namespace spellpool::pool
