#pragma once
#include <bit>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "core/assert.hpp"
#include "pool/poison.hpp"
#include "pool/storage.hpp"

namespace spellpool::pool {

/// The union free list: a free slot uses the bytes of the object it does not hold to say which slot is free next.
///
/// Layout   One allocation:
///            cells        slots × sizeof(union{T, u32})      T's alignment, at least 8
///            occupied     slots / 64 × u64                   one bit a slot, for walks
///            generations  slots × Generation                 odd = live (see generation.hpp)
///          With 32-bit generations 4.125 bytes a slot besides the cells. The list itself costs nothing.
///
///            first_free_ ──► cell 5 ──► cell 2 ──► cell 7 ──► kNoSlot       (LIFO: the slot freed last is reused first,
///            cells: [T][T][·7][T][T][·2][T][·]                               while its bytes are still in the cache)
///
/// Cost     insert, erase, find O(1). Walks O(live + slots/64): a word of 64 slots that is empty costs one test, a full
///          one a plain loop. Constructing touches every cell (it writes the links), so no page fault is left for later.
/// Order    Walks go by slot number.
/// Moves    Nothing while the storage lives: T& and T* stay good until that object is released. (A switch of strategy, or
///          of capacity, moves all objects into a new storage; handles alone survive that.)
/// Throws   If T's constructor throws, the slot goes back on the list and the exception passes on.
/// Threads  One owner.
/// Source   Robert Nystrom, Game Programming Patterns, "Object Pool"; his list uses pointers and the book's walk visits
///          every slot. Indices halve the link and survive moving the block, the bitmap makes walks skip what is free.
template <class T, std::unsigned_integral Generation = u32>
class FreeListStorage {
  using Rule = GenerationRule<Generation>;

  union Cell {
    T live;
    u32 next_free;
    Cell() {}
    ~Cell() {}
  };
  static constexpr std::size_t kCellAlign = alignof(Cell) < 8 ? 8 : alignof(Cell);
  struct alignas(kCellAlign) AlignedCell {
    Cell cell;
  };

 public:
  using Value = T;
  using GenerationType = Generation;
  using HandleType = Handle<T, u32, Generation>;
  static constexpr StrategyId kStrategy = StrategyId::FreeList;
  struct Adopt {};

  explicit FreeListStorage(u32 slots)
      : FreeListStorage(Adopt{}, slots, 0, [](u32) { return Rule::kFresh; }) {
    finish_adoption();
  }

  /// First step of migrate(): tables with the given generations, no objects yet. adopt() and finish_adoption() follow.
  template <class GenerationOf>
  FreeListStorage(Adopt, u32 slots, u32 known_generations, GenerationOf generation_of)
      : slots_(slots), generation_count_(known_generations > slots ? known_generations : slots) {
    const std::size_t words = word_count();
    const std::size_t cell_bytes = sizeof(AlignedCell) * slots_;
    const std::size_t word_offset = (cell_bytes + 7) / 8 * 8;
    block_bytes_ = word_offset + words * sizeof(u64) + sizeof(Generation) * generation_count_;
    block_ = static_cast<std::byte*>(::operator new(block_bytes_, std::align_val_t{kBlockAlign}));
    new_calls_ = 1;
    cells_ = reinterpret_cast<AlignedCell*>(block_);
    occupied_ = reinterpret_cast<u64*>(block_ + word_offset);
    generations_ = reinterpret_cast<Generation*>(block_ + word_offset + words * sizeof(u64));
    for (std::size_t w = 0; w < words; ++w) occupied_[w] = 0;
    for (u32 i = 0; i < generation_count_; ++i) generations_[i] = i < known_generations ? generation_of(i) : Rule::kFresh;
  }

  /// Takes an object over into the slot that its handle names. The slot's generation is already the tenant's.
  void adopt(u32 slot, T&& value) {
    SPELLPOOL_ASSERT(slot < slots_ && Rule::is_live(generations_[slot]));
    ::new (static_cast<void*>(&cells_[slot].cell.live)) T(std::move(value));
    mark(slot);
    ++live_;
  }

  /// Threads the list through all slots that hold nothing, lowest first.
  void finish_adoption() {
    first_free_ = kNoSlot;
    retired_ = 0;
    for (u32 slot = slots_; slot-- > 0;) {
      if (Rule::is_usable(generations_[slot])) push_free(slot);
      if (generations_[slot] == Rule::kRetired) {
        ++retired_;
        poison(&cells_[slot], sizeof(AlignedCell));
      }
    }
  }

  FreeListStorage(FreeListStorage&& other) noexcept { swap(other); }
  FreeListStorage& operator=(FreeListStorage&& other) noexcept {
    swap(other);
    return *this;
  }
  ~FreeListStorage() {
    for_each_slot([](u32, T& value) { value.~T(); });
    if (block_) {
      unpoison(block_, block_bytes_);
      ::operator delete(block_, std::align_val_t{kBlockAlign});
    }
  }

  template <class... Args>
  HandleType insert(Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    const u32 slot = first_free_;
    Cell& cell = cells_[slot].cell;
    unpoison(&cells_[slot], sizeof(AlignedCell));
    const u32 next = cell.next_free;
    if constexpr (noexcept(T{std::declval<Args>()...})) {
      ::new (static_cast<void*>(&cell.live)) T{std::forward<Args>(args)...};
    } else {
      try {
        ::new (static_cast<void*>(&cell.live)) T{std::forward<Args>(args)...};
      } catch (...) {
        cell.next_free = next;  // the constructor may have written over the link
        poison(&cells_[slot], sizeof(AlignedCell));
        throw;
      }
    }
    first_free_ = next;
    generations_[slot] = Rule::tenant_in(generations_[slot]);
    mark(slot);
    ++live_;
    return {slot, generations_[slot]};
  }

  T* find(HandleType handle) {
    if (handle.index >= slots_ || !Rule::is_live(handle.generation) || generations_[handle.index] != handle.generation) return nullptr;
    return &cells_[handle.index].cell.live;
  }

  void erase_slot(u32 slot) {
    SPELLPOOL_ASSERT(slot < slots_ && Rule::is_live(generations_[slot]));
    cells_[slot].cell.live.~T();
    occupied_[slot / 64] &= ~(u64{1} << (slot % 64));
    --live_;
    generations_[slot] = Rule::tenant_out(generations_[slot]);
    if (generations_[slot] == Rule::kRetired) {
      ++retired_;
      poison(&cells_[slot], sizeof(AlignedCell));
      return;
    }
    push_free(slot);
  }

  /// Calls f(slot, object) for every live object. f must neither insert nor erase.
  template <class F>
  void for_each_slot(F&& f) {
    walk(*this, f);
  }
  template <class F>
  void for_each_slot(F&& f) const {
    walk(*this, f);
  }

  /// Ends every object for which dead(object) holds, telling on_erased(slot) just before each.
  template <class Dead, class OnErased>
  u32 erase_if(Dead&& dead, OnErased&& on_erased) {
    const u32 before = live_;
    const u32 words = word_count();
    for (u32 w = 0; w < words; ++w) {
      for (u64 bits = occupied_[w]; bits != 0; bits &= bits - 1) {
        const u32 slot = w * 64 + static_cast<u32>(std::countr_zero(bits));
        if (dead(cells_[slot].cell.live)) {
          on_erased(slot);
          erase_slot(slot);
        }
      }
    }
    return before - live_;
  }

  u32 slots() const { return slots_; }
  u32 live() const { return live_; }
  bool has_free() const { return first_free_ != kNoSlot; }
  u32 retired() const { return retired_; }
  u64 bytes() const { return block_bytes_; }
  u64 new_calls() const { return new_calls_; }
  u32 generation_count() const { return generation_count_; }
  Generation generation(u32 slot) const { return generations_[slot]; }

 private:
  static constexpr std::size_t kBlockAlign = kCellAlign < 64 ? 64 : kCellAlign;  // a cell array starts on a cache line

  template <class Self, class F>
  static void walk(Self& self, F& f) {
    using Object = std::conditional_t<std::is_const_v<Self>, const T, T>;
    AlignedCell* cells = self.cells_;
    const u32 words = self.word_count();
    for (u32 w = 0; w < words; ++w) {
      u64 bits = self.occupied_[w];
      const u32 base = w * 64;
      if (bits == ~u64{0}) {
        for (u32 slot = base; slot < base + 64; ++slot) f(slot, static_cast<Object&>(cells[slot].cell.live));
        continue;
      }
      for (; bits != 0; bits &= bits - 1) {
        const u32 slot = base + static_cast<u32>(std::countr_zero(bits));
        f(slot, static_cast<Object&>(cells[slot].cell.live));
      }
    }
  }
  u32 word_count() const { return (slots_ + 63) / 64; }
  void mark(u32 slot) { occupied_[slot / 64] |= u64{1} << (slot % 64); }
  void push_free(u32 slot) {
    cells_[slot].cell.next_free = first_free_;
    poison(&cells_[slot], sizeof(AlignedCell));
    first_free_ = slot;
  }
  void swap(FreeListStorage& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(cells_, other.cells_);
    std::swap(occupied_, other.occupied_);
    std::swap(generations_, other.generations_);
    std::swap(block_bytes_, other.block_bytes_);
    std::swap(new_calls_, other.new_calls_);
    std::swap(slots_, other.slots_);
    std::swap(generation_count_, other.generation_count_);
    std::swap(live_, other.live_);
    std::swap(retired_, other.retired_);
    std::swap(first_free_, other.first_free_);
  }

  std::byte* block_ = nullptr;
  AlignedCell* cells_ = nullptr;
  u64* occupied_ = nullptr;
  Generation* generations_ = nullptr;
  u64 block_bytes_ = 0;
  u64 new_calls_ = 0;
  u32 slots_ = 0;
  u32 generation_count_ = 0;
  u32 live_ = 0;
  u32 retired_ = 0;
  u32 first_free_ = kNoSlot;
};

}  // namespace spellpool::pool
