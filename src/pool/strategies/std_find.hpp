#pragma once
#include <algorithm>

#include "pool/cells.hpp"

namespace spellpool::pool {

/// Two vectors of pointers, free ones and used ones, and a std::find through the used ones at each release: printed
/// in many tutorials, and kept here to show what that line costs. The vectors are reserved, so it is not even the
/// allocations.
/// Layout   slots × {T, u32 number}; two pointers a slot; the generation.
/// Cost     spawn O(1). release O(live), twice: the search, and the erase that closes the gap. Walk O(live), oldest
///          first.
template <class T>
class StdFind {
 public:
  struct alignas(kCellAlign<T>) Cell {
    union {
      T live;
    };
    u32 number;  // a pointer leads to a cell, a handle names a number
    Cell() {}
    ~Cell() {}
    static constexpr std::size_t kRoomBytes = sizeof(T);
  };
  using Cells = CellBlocks<Cell>;
  static constexpr StrategyId kStrategy = StrategyId::StdFind;

  u32 resize(u32 slots) { return free_.reserve(slots) + used_.reserve(slots); }
  void forget(const auto&, u32) {
    free_.clear();
    used_.clear();
  }
  bool any_free() const { return !free_.empty(); }
  u32 take(const auto&) {
    const u32 slot = free_.back()->number;
    free_.pop_back();
    return slot;
  }
  void claim(const auto& cells, u32 slot) {
    cells[slot].number = slot;
    used_.push_back(&cells[slot]);
  }
  void unclaim(const auto& cells, u32 slot) {
    Cell** const at = std::find(used_.begin(), used_.end(), &cells[slot]);
    std::copy(at + 1, used_.end(), at);
    used_.pop_back();
  }
  void put_back(const auto& cells, u32 slot) { free_.push_back(&cells[slot]); }
  void offer(const auto& cells, u32 slot) {
    cells[slot].number = slot;
    free_.push_back(&cells[slot]);
  }
  template <class F>
  void for_each_taken(const Cells&, u32, F&& f) const {
    for (std::size_t i = 0; i < used_.size();) {
      Cell* cell = used_[i];
      f(cell->number, *cell);
      if (i < used_.size() && used_[i] == cell) ++i;  // else f gave it back, and the next one moved here
    }
  }
  template <class F>
  void for_each_free(const Cells&, u32 limit, F&& f) const {
    for (std::size_t i = free_.size(); i > 0 && limit-- > 0; --i) f(free_[i - 1]->number);
  }
  u64 bytes() const { return free_.bytes() + used_.bytes(); }

 private:
  Table<Cell*> free_, used_;
};

template <class T, std::unsigned_integral Generation = u32>
using StdFindStorage = CellStorage<T, Generation, StdFind>;

}  // namespace spellpool::pool
