#pragma once
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "core/assert.hpp"
#include "pool/cell_blocks.hpp"
#include "pool/generation_table.hpp"
#include "pool/lanes.hpp"
#include "pool/poison.hpp"
#include "pool/storage.hpp"

namespace spellpool::pool {

/// Cells that never move, and a Scheme that says which of them is free: what all storages with stable addresses share.
/// A scheme is one of the short headers beside this one (free_list.hpp, index_stack.hpp, …); it has
///
///   Cell                      room for one T (`live`, in a union), and what the scheme keeps beside it or in its bytes while
///                             the cell is free; Cell::kRoomBytes from `live` on are nobody's then, and are poisoned
///   resize(slots) → calls     tables for so many slots, the new ones neither free nor taken; the allocations that it made
///   any_free()
///   take(cells) → slot        the next free slot, by the scheme's own rule; it counts as taken from now on
///   give(cells, slot)         a taken slot is free again
///   retire(cells, slot)       a taken slot is worn out: neither free nor taken
///   offer(cells, slot)        a slot that is neither becomes free: at the start, called from the highest to the lowest
///   claim(cells, slot)        a slot that is neither becomes taken: objects that move in from another storage
///   for_each_taken(cells, slots, f)   f(slot, cell); f may give back the slot that it is called for
///
/// Layout   Cell[slots], Generation[slots] (odd = live, see generation.hpp), the scheme's tables.
/// Cost     find O(1); the rest is the scheme's.
/// Moves    Nothing, not even when slots are added: T& and T* stay good until that object is released. (A switch of strategy
///          moves all objects into a new storage; handles alone survive that.)
/// Throws   If T's constructor throws, the slot is free again and the exception passes on.
/// Fill     set_fill(true) writes 0xCD over a cell that is given out and 0xDD over one that comes back: what is read too
///          early or too late shows. Under ASan free cells are poisoned besides, so that touching one is reported.
/// Threads  One owner.
template <class T, std::unsigned_integral Generation, template <class> class Scheme>
class CellStorage {
  using Cell = typename Scheme<T>::Cell;

 public:
  using Value = T;
  using GenerationType = Generation;
  using HandleType = Handle<T, u32, Generation>;
  using Pointer = T*;
  using ConstPointer = const T*;
  static constexpr StrategyId kStrategy = Scheme<T>::kStrategy;
  static constexpr bool kStable = true;
  struct Adopt {};

  explicit CellStorage(u32 slots) : CellStorage(Adopt{}, slots, {}) { finish_adoption(); }
  /// Memory for `slots`, of which the first `ready` can be used; add_slots() makes more of them ready, in the same block.
  CellStorage(u32 slots, u32 ready) {
    new_calls_ = cells_.reserve(slots) + generations_.reserve(slots) + scheme_.resize(slots);  // room for all: add_slots() copies no table
    add_slots(ready);
  }

  /// First step of migrate(): tables with the given generations, no objects yet. adopt() and finish_adoption() follow.
  CellStorage(Adopt, u32 slots, const GenerationTable<Generation>& known) : generations_(slots, known) {
    new_calls_ = 1 + cells_.add(slots) + scheme_.resize(slots);
  }
  /// Takes an object over into the slot that its handle names. The slot's generation is already the tenant's.
  void adopt(u32 slot, T&& value) {
    SPELLPOOL_ASSERT(slot < slots() && generations_.is_live(slot));
    ::new (static_cast<void*>(std::addressof(cells_[slot].live))) T(std::move(value));
    scheme_.claim(cells_, slot);
    ++live_;
  }
  void finish_adoption() { offer_from(0); }

  CellStorage(CellStorage&& other) noexcept { swap(other); }
  CellStorage& operator=(CellStorage&& other) noexcept {
    swap(other);
    return *this;
  }
  ~CellStorage() {
    if constexpr (!std::is_trivially_destructible_v<T>) for_each_slot([](u32, T& value) { value.~T(); });
  }

  template <class... Args>
  HandleType insert(Args&&... args) {
    return insert_into<false>(cells_, std::forward<Args>(args)...);
  }
  /// The same if plain(): what a spawn costs when nobody watches.
  template <class... Args>
  HandleType insert_plain(Args&&... args) {
    return insert_into<true>(cells_.first(), std::forward<Args>(args)...);
  }
  /// All slots are in the first block, and no bytes are to be filled.
  bool plain() const { return cells_.blocks() == 1 && !fill_; }

  T* find(HandleType handle) {
    return generations_.resolves(handle.index, handle.generation) ? std::addressof(cells_[handle.index].live) : nullptr;
  }
  const T* find(HandleType handle) const { return const_cast<CellStorage*>(this)->find(handle); }

  /// False: the slot is worn out and nobody will get it again.
  bool erase_slot(u32 slot) {
    SPELLPOOL_ASSERT(generations_.is_live(slot));
    Cell& cell = cells_[slot];
    cell.live.~T();
    --live_;
    if (fill_) std::memset(static_cast<void*>(std::addressof(cell.live)), 0xDD, sizeof(T));
    const bool usable = generations_.end_tenancy(slot);
    if (usable) [[likely]] {
      scheme_.give(cells_, slot);
    } else {
      scheme_.retire(cells_, slot);
    }
    poison(std::addressof(cell.live), Cell::kRoomBytes);
    return usable;
  }
  /// The same if plain(), for the tenant of this generation, which is not the slot's last.
  void erase_plain(u32 slot, Generation generation) {
    SPELLPOOL_ASSERT(generations_.holds(slot, generation) && generation != GenerationRule<Generation>::kLast);
    const auto cells = cells_.first();
    Cell& cell = cells[slot];
    cell.live.~T();
    --live_;
    if constexpr (sizeof(Cell) > 16) prefetch_line(reinterpret_cast<const char*>(&cell + 1) - 1);  // the next tenant's second line
    generations_.end_tenancy(slot, generation);
    scheme_.give(cells, slot);
    poison(std::addressof(cell.live), Cell::kRoomBytes);
  }

  /// Calls f(slot, object) for every live object. f must neither insert nor erase.
  template <class F>
  void for_each_slot(F&& f) {
    scheme_.for_each_taken(cells_, slots(), [&](u32 slot, Cell& cell) { f(slot, cell.live); });
  }
  template <class F>
  void for_each_slot(F&& f) const {
    scheme_.for_each_taken(cells_, slots(), [&](u32 slot, Cell& cell) { f(slot, std::as_const(cell.live)); });
  }

  /// Ends every object for which dead(object) holds, telling on_erased(slot) just before each.
  template <class Dead, class OnErased>
  u32 erase_if(Dead&& dead, OnErased&& on_erased) {
    const u32 before = live_;
    scheme_.for_each_taken(cells_, slots(), [&](u32 slot, Cell& cell) {
      if (!ask_dead(dead, cell.live)) return;
      on_erased(slot);
      erase_slot(slot);
    });
    return before - live_;
  }

  /// More slots, in a block of their own: nothing moves.
  void add_slots(u32 more) {
    const u32 before = slots();
    new_calls_ += generations_.extend(before + more);  // whatever throws, the cells come last
    new_calls_ += scheme_.resize(before + more);
    new_calls_ += cells_.add(more);
    offer_from(before);
  }
  /// Gives back blocks at the end that hold nobody, while at least `least` slots are left.
  void drop_slots(u32 least) {
    u32 highest = 0;
    for_each_slot([&](u32 slot, T&) { highest = slot >= highest ? slot + 1 : highest; });
    const u32 keep = least > highest ? least : highest;
    const u32 kept = cells_.count_without(keep);
    if (kept == slots()) return;
    Scheme<T> anew;
    new_calls_ += anew.resize(kept);  // whatever throws, nothing has changed
    while (slots() > kept) cells_.drop_last();
    generations_.shrink(slots());
    scheme_.for_each_taken(cells_, slots(), [&](u32 slot, Cell&) { anew.claim(cells_, slot); });
    scheme_ = std::move(anew);
    offer_from(0);
  }
  void set_fill(bool on) { fill_ = on; }

  // For pictures of the pool (slot_map.hpp).
  static constexpr PlaceKind kPlaces = PlaceKind::Cells;
  u32 place_of(u32 slot) const { return slot; }
  u32 slot_at(u32 place) const { return place; }
  /// The bytes of a cell from `from` on, whoever has them. Returns how many.
  std::size_t copy_place(u32 place, std::byte* to, std::size_t most, std::size_t from = 0) const {
    const Cell& cell = cells_[place];
    const std::size_t count = sizeof(Cell) - from < most ? sizeof(Cell) - from : most;
    unpoison(&cell, sizeof(Cell));
    std::memcpy(to, reinterpret_cast<const std::byte*>(&cell) + from, count);
    if (!generations_.is_live(place)) poison(std::addressof(cell.live), Cell::kRoomBytes);
    return count;
  }
  /// Where in a cell's bytes the object is.
  u32 object_at() const {
    const Cell& cell = cells_[0];
    return static_cast<u32>(reinterpret_cast<const char*>(std::addressof(cell.live)) - reinterpret_cast<const char*>(&cell));
  }
  auto free_link() const
    requires requires { Scheme<T>::kLink; }
  {
    return Scheme<T>::kLink;
  }
  /// f(place) for the places that the next spawns get, in order, at most `most`; nobody can tell it of random ones.
  template <class F>
  void for_each_next(u32 most, F&& f) const
    requires requires(const Scheme<T>& scheme, const CellBlocks<Cell>& cells) { scheme.for_each_free(cells, most, f); }
  {
    scheme_.for_each_free(cells_, most, f);
  }

  u32 slots() const { return cells_.count(); }
  u32 live() const { return live_; }
  bool has_free() const { return scheme_.any_free(); }
  u32 retired() const { return generations_.retired(); }
  u64 bytes() const { return cells_.bytes() + generations_.bytes() + scheme_.bytes(); }
  u64 new_calls() const { return new_calls_; }
  const GenerationTable<Generation>& generations() const { return generations_; }

 private:
  struct GiveBack {
    CellStorage& storage;
    u32 slot;
    ~GiveBack() {
      if (slot == kNoSlot) return;
      storage.scheme_.give(storage.cells_, slot);
      poison(std::addressof(storage.cells_[slot].live), Cell::kRoomBytes);
    }
  };

  template <bool kPlain, class Cells, class... Args>
  HandleType insert_into(const Cells& cells, Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    const u32 slot = scheme_.take(cells);
    Cell& cell = cells[slot];
    unpoison(std::addressof(cell.live), Cell::kRoomBytes);
    if constexpr (!kPlain) {
      if (fill_) std::memset(static_cast<void*>(std::addressof(cell.live)), 0xCD, sizeof(T));
    }
    if constexpr (noexcept(T{std::declval<Args>()...})) {
      ::new (static_cast<void*>(std::addressof(cell.live))) T{std::forward<Args>(args)...};
    } else {
      GiveBack unless_it_throws{*this, slot};
      ::new (static_cast<void*>(std::addressof(cell.live))) T{std::forward<Args>(args)...};
      unless_it_throws.slot = kNoSlot;
    }
    ++live_;
    return {slot, generations_.begin_tenancy(slot)};
  }

  void offer_from(u32 first) {
    for (u32 slot = slots(); slot-- > first;) {
      if (generations_.is_live(slot)) continue;
      if (generations_.is_usable(slot)) scheme_.offer(cells_, slot);
      poison(std::addressof(cells_[slot].live), Cell::kRoomBytes);
    }
  }
  void swap(CellStorage& other) noexcept {
    cells_.swap(other.cells_);
    std::swap(generations_, other.generations_);
    std::swap(scheme_, other.scheme_);
    std::swap(new_calls_, other.new_calls_);
    std::swap(live_, other.live_);
    std::swap(fill_, other.fill_);
  }

  CellBlocks<Cell> cells_;
  GenerationTable<Generation> generations_;
  Scheme<T> scheme_;
  u64 new_calls_ = 0;
  u32 live_ = 0;
  bool fill_ = false;
};

}  // namespace spellpool::pool
