#pragma once
#include "pool/cells.hpp"

namespace spellpool::pool {

/// The first pool that everybody writes: an array, a flag in each element, and a search from the front for one that
/// is off.
///
///   for (auto& bullet : bullets) if (!bullet.active) { bullet.active = true; return &bullet; }
///
/// Fine for sixteen things on an 8-bit machine (examples: tests/pool/eight_bit_test.cpp); the fuller the pool, the
/// longer each spawn, and every walk visits all slots whatever lives.
/// Layout   slots × {T, u8 state}: the flag costs a whole alignment of T; the generation.
/// Cost     spawn O(slots). release O(1). Walk O(slots), by slot number.
template <class T>
class ActiveFlag {
  enum State : u8 { kNeither, kFree, kActive };  // a block begins as zeros

 public:
  struct alignas(kCellAlign<T>) Cell {
    union {
      T live;
    };
    State state;
    Cell() {}
    ~Cell() {}
    static constexpr std::size_t kRoomBytes = sizeof(T);
  };
  using Cells = CellBlocks<Cell>;
  static constexpr StrategyId kStrategy = StrategyId::ActiveFlag;

  u32 resize(u32) { return 0; }
  void forget(const auto& cells, u32 slots) {
    for (u32 slot = 0; slot < slots; ++slot) cells[slot].state = kNeither;
    free_ = 0;
  }
  bool any_free() const { return free_ > 0; }
  u32 take(const auto& cells) {
    u32 slot = 0;
    while (cells[slot].state != kFree) ++slot;
    cells[slot].state = kNeither;
    --free_;
    return slot;
  }
  void claim(const auto& cells, u32 slot) { cells[slot].state = kActive; }
  void unclaim(const auto& cells, u32 slot) { cells[slot].state = kNeither; }
  void put_back(const auto& cells, u32 slot) { offer(cells, slot); }
  void offer(const auto& cells, u32 slot) {
    cells[slot].state = kFree;
    ++free_;
  }
  template <class F>
  void for_each_taken(const Cells& cells, u32 slots, F&& f) const {
    for (u32 slot = 0; slot < slots; ++slot) {
      Cell& cell = cells[slot];
      if (cell.state == kActive) f(slot, cell);
    }
  }
  template <class F>
  void for_each_free(const Cells& cells, u32 limit, F&& f) const {
    for (u32 slot = 0, found = 0; found < limit && found < free_; ++slot) {
      if (cells[slot].state != kFree) continue;
      f(slot);
      ++found;
    }
  }
  u64 bytes() const { return 0; }

 private:
  u32 free_ = 0;
};

template <class T, std::unsigned_integral Generation = u32>
using ActiveFlagStorage = CellStorage<T, Generation, ActiveFlag>;

}  // namespace spellpool::pool
