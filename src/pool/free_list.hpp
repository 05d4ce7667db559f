#pragma once
#include "pool/cells.hpp"

namespace spellpool::pool {

/// The free list of a union pool: a free slot stores the index of the next free slot in the bytes of the
/// object it does not hold.
///
///   first_free_ --> cell 5 --> cell 2 --> cell 7 --> kNoSlot   LIFO: the slot freed last is reused first,
///   cells: [T][T][·7][T][T][·2][T][·]                           while its bytes are still in the cache
///
/// Layout   slots × union{T, u32}. The list itself takes no memory. Beside the cells: one occupancy bit and
///          the generation, 4.125 bytes per slot with 32-bit generations.
/// Cost     acquire and release O(1): two loads and two stores. Walk O(live + slots/64), in slot order.
/// Source   Robert Nystrom, Game Programming Patterns, "Object Pool". His list uses pointers, and his walk
///          visits every slot (book.hpp). Indices halve the link and stay valid when the block moves; the
///          bitmap lets a walk skip free slots.
template <class T>
class FreeList {
 public:
  struct alignas(kCellAlign<T>) Cell {
    union {
      T live;
      u32 next_free;
    };
    Cell() {}
    ~Cell() {}
    static constexpr std::size_t kRoomBytes = kCellRoom<T>;
  };
  using Cells = CellBlocks<Cell>;
  static constexpr StrategyId kStrategy = StrategyId::FreeList;

  explicit FreeList(PoolMemory* memory = nullptr) : taken_(memory) {}

  u32 resize(u32 slots) { return taken_.resize(slots); }
  void forget(const auto&, u32) {
    first_free_ = kNoSlot;
    taken_.clear();
  }
  bool any_free() const { return first_free_ != kNoSlot; }
  u32 take(const auto& cells) {
    const u32 slot = first_free_;
    Cell& cell = cells[slot];
    unpoison(&cell, sizeof(u64));
    first_free_ = cell.next_free;
    return slot;
  }
  void claim(const auto&, u32 slot) { taken_.set(slot); }
  void claim_word(u32 word, u64 bits) { taken_.set_word(word, bits); }
  void unclaim(const auto&, u32 slot) { taken_.clear(slot); }
  void put_back(const auto& cells, u32 slot) { offer(cells, slot); }
  void offer(const auto& cells, u32 slot) {
    unpoison(&cells[slot], sizeof(u64));
    cells[slot].next_free = first_free_;
    first_free_ = slot;
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
  u64 bytes() const { return taken_.bytes(); }

  static constexpr FreeLink kLink{0, sizeof(u32)};
  /// Calls f(slot) for at most `limit` free slots, in the order in which they will be reused.
  template <class F>
  void for_each_free(const Cells& cells, u32 limit, F&& f) const {
    for (u32 slot = first_free_; slot != kNoSlot && limit-- > 0;) {
      f(slot);
      unpoison(&cells[slot], sizeof(u64));
      const u32 next = cells[slot].next_free;
      poison(&cells[slot], Cell::kRoomBytes);
      slot = next;
    }
  }

 private:
  u32 first_free_ = kNoSlot;
  Occupancy taken_;
};

template <class T, std::unsigned_integral Generation = u32>
using FreeListStorage = CellStorage<T, Generation, FreeList>;

}  // namespace spellpool::pool
