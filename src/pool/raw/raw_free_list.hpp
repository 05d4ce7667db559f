#pragma once
#include <bit>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "core/assert.hpp"
#include "pool/base.hpp"
#include "pool/dense.hpp"

namespace spellpool::pool {

/// The union free list with nothing around it: pointers in, pointers out, for objects with an owner who knows when
/// they end. Raw: a pointer kept past release() points at the next object, and releasing twice breaks the list. Under
/// AddressSanitizer free cells are poisoned, so both are reported; other builds do not detect them.
///
///   RawFreeList<Bullet> bullets(1000);
///   Bullet* b = bullets.acquire(x, y, speed);                          // nullptr when full
///   bullets.release(b);
///   bullets.update([&](Bullet& b) { return b.move(dt), b.y > 720; });  // true: it is dead
///   RawFreeList<Node, false> nodes(1000);                              // no walks, and half the instructions
///
/// Layout   One allocation:  cells     capacity × sizeof(union {T, pointer to the next free cell})
///                           occupied  capacity / 64 × u64, only if Walkable
/// Cost     acquire, release O(1): with a 48-byte object written, a pair is 22 instructions without and 42 with the
///          bitmap (bench/instructions). Walks O(live + capacity/64): an empty word costs one test, 64 live in a row
///          are a plain loop. Constructing touches every cell, so no page fault is left for later.
/// Order    LIFO: the cell released last is taken first, while its bytes are in the cache. Walks go by address.
/// Moves    Nothing, ever: T& and T* are good until that object is released.
/// Full     acquire() gives nullptr, spawn_n() makes as many as fit. Nothing is allocated after construction.
/// Inside   T's constructor and destructor may acquire and release here: their own cell is not free meanwhile.
/// Throws   If T's constructor throws, the cell is free again and the exception passes on.
/// Threads  One owner.
/// Source   Robert Nystrom, Game Programming Patterns, "Object Pool".
template <class T, bool Walkable = true>
class RawFreeList {
  union Cell {
    T live;
    Cell* next_free;
    Cell() {}
    ~Cell() {}
  };

 public:
  explicit RawFreeList(u32 capacity) : capacity_(capacity) {
    const std::size_t cell_bytes = (sizeof(Cell) * capacity + 7) / 8 * 8;
    block_ =
        static_cast<std::byte*>(::operator new (cell_bytes + sizeof(u64) * words(), std::align_val_t{kBlockAlign}));
    cells_ = reinterpret_cast<Cell*>(block_);
    occupied_ = reinterpret_cast<u64*>(block_ + cell_bytes);
    if constexpr (Walkable) {
      for (u32 w = 0; w < words(); ++w) occupied_[w] = 0;
    }
    for (u32 i = capacity; i-- > 0;) push(cells_ + i);
  }
  RawFreeList(const RawFreeList&) = delete;
  RawFreeList& operator=(const RawFreeList&) = delete;
  /// Destroys the live objects. Without walks they cannot be found: release all first, unless T needs no
  /// destructor.
  ~RawFreeList() {
    if constexpr (Walkable && !std::is_trivially_destructible_v<T>) {
      for_each([](T& value) { value.~T(); });
    }
    unpoison(block_, sizeof(Cell) * capacity_);
    ::operator delete (block_, std::align_val_t{kBlockAlign});
  }

  /// Makes T{args...}; nullptr when full.
  template <class... Args>
  T* acquire(Args&&... args) {
    Cell* const cell = first_free_;
    if (!cell) [[unlikely]]
      return nullptr;
    unpoison(cell, sizeof(Cell));
    first_free_ = cell->next_free;  // first: the constructor may acquire here
    construct(cell, std::forward<Args>(args)...);
    if constexpr (Walkable) {
      const auto i = static_cast<std::size_t>(cell - cells_);
      occupied_[i / kLanes] |= u64{1} << (i % kLanes);
    }
    return &cell->live;
  }

  void release(T* value) {
    auto* const cell = reinterpret_cast<Cell*>(value);
    SPELLPOOL_ASSERT(cell >= cells_ && cell < cells_ + capacity_);
    if constexpr (Walkable) {
      const auto i = static_cast<std::size_t>(cell - cells_);
      SPELLPOOL_ASSERT((occupied_[i / kLanes] >> (i % kLanes) & 1) != 0);
      occupied_[i / kLanes] &= ~(u64{1} << (i % kLanes));
    }
    value->~T();
    push(cell);
    // The next object will also write the cell's second cache line, if it has two: 5 % of a random churn.
    if constexpr (sizeof(Cell) > 16) prefetch_line(reinterpret_cast<std::byte*>(cell + 1) - 1);
  }

  /// Makes n objects from what make(0) … make(n - 1) give, or as many as fit, and tells made(T*) each; returns how
  /// many.
  template <class Make, class Made>
  u32 spawn_n(u32 n, Make&& make, Made&& made) {
    for (u32 i = 0; i < n; ++i) {
      T* const value = acquire(make(i));
      if (!value) return i;
      made(value);
    }
    return n;
  }
  template <class Make>
  u32 spawn_n(u32 n, Make&& make) {
    return spawn_n(n, make, [](T*) {});
  }

  /// f(T&) for each live object, by address. f neither acquires nor releases.
  template <class F>
  requires Walkable void for_each(F&& f) {
    for (u32 w = 0; w < words(); ++w) {
      u64 bits = occupied_[w];
      Cell* const cells = cells_ + w * kLanes;
      if (bits == ~u64{0}) {
        for (u32 i = 0; i < kLanes; ++i) f(cells[i].live);
        continue;
      }
      for (; bits != 0; bits &= bits - 1) f(cells[std::countr_zero(bits)].live);
    }
  }

  /// f(T&) for each live object, by address; those for which it gives true end, some hundred at a time. f neither
  /// acquires nor releases. Returns how many ended. Deaths are recorded without a branch: whether any of 64 objects
  /// died is hard to predict. The record is an array of bytes outside the function, which may alias anything: with a
  /// local array, g++ 12 splits the loop into one per field, and it takes twice as long.
  template <class F>
  requires Walkable u32 update(F&& f) {
    u32 dead[kBatch + kLanes + kLaneSlack];
    u32 count = 0, died = 0;
    u8* const lanes = lanes_;
    const u64* const occupied = occupied_;
    const u32 word_count = words();
    Cell* cells = cells_;
    for (u32 w = 0; w < word_count; ++w, cells += kLanes) {
      u64 bits = occupied[w];
      u32 found = 0;
      if (bits == ~u64{0}) {
        for (u32 i = 0; i < kLanes; ++i) {
          lanes[found] = static_cast<u8>(i);
          found += f(cells[i].live) ? 1 : 0;
        }
      } else {
        for (; bits != 0; bits &= bits - 1) {
          const auto i = static_cast<u32>(std::countr_zero(bits));
          lanes[found] = static_cast<u8>(i);
          found += f(cells[i].live) ? 1 : 0;
        }
      }
      for (u32 i = 0; i < kLaneSlack; ++i) dead[count + i] = w * kLanes + lanes[i];
      for (u32 i = kLaneSlack; i < found; ++i) dead[count + i] = w * kLanes + lanes[i];
      count += found;
      if (count >= kBatch) {
        end_all(dead, count);
        died += count;
        count = 0;
      }
    }
    end_all(dead, count);
    return died + count;
  }
  /// Ends those for which dead(const T&) holds. Returns how many.
  template <class Dead>
  requires Walkable u32 release_if(Dead&& dead) {
    return update([&](const T& value) { return dead(value); });
  }

  u32 capacity() const { return capacity_; }
  u64 bytes() const { return sizeof(Cell) * capacity_ + sizeof(u64) * words(); }

 private:
  static constexpr u32 kBatch = 512;
  static constexpr std::size_t kBlockAlign = alignof(Cell) < 64 ? 64 : alignof(Cell);

  u32 words() const { return Walkable ? (capacity_ + kLanes - 1) / kLanes : 0; }
  void end_all(const u32* slots, u32 count) {
    for (u32 i = 0; i < count; ++i) {
      occupied_[slots[i] / kLanes] &= ~(u64{1} << (slots[i] % kLanes));
      cells_[slots[i]].live.~T();
      push(cells_ + slots[i]);
    }
  }
  void push(Cell* cell) {
    cell->next_free = first_free_;
    poison(cell, sizeof(Cell));
    first_free_ = cell;
  }
  template <class... Args>
  void construct(Cell* cell, Args&&... args) {
    if constexpr (noexcept(T{std::declval<Args>()...})) {
      ::new (static_cast<void*>(&cell->live)) T{std::forward<Args>(args)...};
    } else {
      PutBack unless_it_throws{*this, cell};
      ::new (static_cast<void*>(&cell->live)) T{std::forward<Args>(args)...};
      unless_it_throws.cell = nullptr;
    }
  }
  struct PutBack {
    RawFreeList& pool;
    Cell* cell;
    ~PutBack() {
      if (cell) pool.push(cell);
    }
  };

  std::byte* block_ = nullptr;
  Cell* cells_ = nullptr;
  Cell* first_free_ = nullptr;
  u64* occupied_ = nullptr;
  u8 lanes_[kLanes + kLaneSlack] = {};  // of update()
  u32 capacity_;
};

}  // namespace spellpool::pool
