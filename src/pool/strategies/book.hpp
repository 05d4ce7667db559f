#pragma once
#include "pool/cells.hpp"

namespace spellpool::pool {

/// The pool of the book's chapter: a counter outside the union says whether the slot is in use, a pointer
/// inside it leads to the next free slot, and a walk visits all slots and asks each.
///
///   slot: { frames_left, union { live object, pointer to the next free slot } }
///
/// Changed: in the book the counter is the object's lifetime, and the pool counts it down and frees the slot at
/// 0. Here it is a flag, 1 or 0: the game decides how long an object lives. Handles need the slot's number.
/// Layout   slots × {i32, union{T, pointer}}: with T on 8 bytes that is 8 bytes a slot; the generation.
/// Cost     spawn, release O(1). Walk O(slots), by slot number: it is this that the bitmap of free_list.hpp mends.
/// Source   Robert Nystrom, Game Programming Patterns, "Object Pool", section on the free list.
template <class T>
class Book {
 public:
  struct alignas(kCellAlign<T>) Cell {
    i32 frames_left;
    u32 number;  // fills what would be padding: pointers lead to cells, handles name numbers
    union {
      T live;
      Cell* next;
    };
    Cell() {}
    ~Cell() {}
    static constexpr std::size_t kRoomBytes = kCellRoom<T>;
  };
  using Cells = CellBlocks<Cell>;
  static constexpr StrategyId kStrategy = StrategyId::Book;

  u32 resize(u32) { return 0; }
  void forget(const auto& cells, u32 slots) {
    for (u32 slot = 0; slot < slots; ++slot) cells[slot].frames_left = 0;
    first_available_ = nullptr;
  }
  bool any_free() const { return first_available_ != nullptr; }
  u32 take(const auto&) {
    Cell* cell = first_available_;
    unpoison(&cell->next, sizeof(Cell*));
    first_available_ = cell->next;
    return cell->number;
  }
  void claim(const auto& cells, u32 slot) {
    cells[slot].frames_left = 1;
    cells[slot].number = slot;
  }
  void unclaim(const auto& cells, u32 slot) { cells[slot].frames_left = 0; }
  void put_back(const auto& cells, u32 slot) { offer(cells, slot); }
  void offer(const auto& cells, u32 slot) {
    Cell& cell = cells[slot];
    unpoison(&cell.next, sizeof(Cell*));
    cell.frames_left = 0;
    cell.number = slot;
    cell.next = first_available_;
    first_available_ = &cell;
  }
  template <class F>
  void for_each_taken(const Cells& cells, u32 slots, F&& f) const {
    for (u32 slot = 0; slot < slots; ++slot) {
      Cell& cell = cells[slot];
      if (cell.frames_left > 0) f(slot, cell);
    }
  }
  u64 bytes() const { return 0; }

  static constexpr FreeLink kLink{8, sizeof(Cell*)};
  template <class F>
  void for_each_free(const Cells&, u32 limit, F&& f) const {
    for (Cell* cell = first_available_; cell != nullptr && limit-- > 0;) {
      f(cell->number);
      unpoison(&cell->next, sizeof(Cell*));
      Cell* next = cell->next;
      poison(&cell->live, Cell::kRoomBytes);
      cell = next;
    }
  }

 private:
  Cell* first_available_ = nullptr;
};

template <class T, std::unsigned_integral Generation = u32>
using BookStorage = CellStorage<T, Generation, Book>;

}  // namespace spellpool::pool
