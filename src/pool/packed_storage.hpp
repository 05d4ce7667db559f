#pragma once
#include <cstring>
#include <memory>
#include <utility>

#include "pool/cell_blocks.hpp"
#include "pool/dense_index.hpp"
#include "pool/index_stack.hpp"
#include "pool/storage.hpp"

namespace spellpool::pool {

/// Live objects packed at the front of one array; a release fills its gap with the last object. What a careful programmer does
/// with std::vector, with handles that survive the moves.
/// Layout   cells slots × T, packed; DenseIndex.
/// Cost     spawn O(1). release O(1) and one move of T. find O(1) through the index. Walk O(live) over plain memory.
/// Order    Walks go by place, which releases shuffle.
/// Moves    Any release may move the last object: T* and T& are good until the next release.
/// Throws   T moves without throwing. If its constructor throws, nothing has changed.
/// Threads  One owner.
template <class T, std::unsigned_integral Generation = u32>
class PackedStorage {
  static_assert(std::is_nothrow_move_constructible_v<T>, "packed storage moves objects, and a move that throws would lose one");
  using Cell = PlainCell<T>;

 public:
  using Value = T;
  using GenerationType = Generation;
  using HandleType = Handle<T, u32, Generation>;
  using Pointer = T*;
  using ConstPointer = const T*;
  static constexpr StrategyId kStrategy = StrategyId::Packed;
  static constexpr bool kStable = false;
  struct Adopt {};

  explicit PackedStorage(u32 slots) : PackedStorage(Adopt{}, slots, {}) { finish_adoption(); }
  /// First step of migrate(): see CellStorage.
  PackedStorage(Adopt, u32 slots, const GenerationTable<Generation>& known)
      : index_(slots, known), new_calls_(3 + cells_.add(slots)) {
    poison(&cells_[0], sizeof(Cell) * slots);
  }
  void adopt(u32 slot, T&& value) {
    unpoison(&cells_[live_], sizeof(Cell));
    ::new (static_cast<void*>(std::addressof(cells_[live_].live))) T(std::move(value));
    index_.swap_places(index_.place_of(slot), live_++);
  }
  void finish_adoption() { index_.finish_adoption(live_); }

  PackedStorage(PackedStorage&& other) noexcept { swap(other); }
  PackedStorage& operator=(PackedStorage&& other) noexcept {
    swap(other);
    return *this;
  }
  ~PackedStorage() {
    for (u32 place = 0; place < live_; ++place) cells_[place].live.~T();
  }

  template <class... Args>
  HandleType insert(Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    Cell& cell = cells_[live_];
    unpoison(&cell, sizeof(Cell));
    if (fill_) [[unlikely]] std::memset(static_cast<void*>(std::addressof(cell.live)), 0xCD, sizeof(T));
    ::new (static_cast<void*>(std::addressof(cell.live))) T{std::forward<Args>(args)...};  // if it throws, nobody counts this cell
    const u32 slot = index_.enter(live_++);
    return {slot, index_.generations()[slot]};
  }

  T* find(HandleType handle) {
    return index_.generations().resolves(handle.index, handle.generation) ? std::addressof(cells_[index_.place_of(handle.index)].live) : nullptr;
  }
  const T* find(HandleType handle) const { return const_cast<PackedStorage*>(this)->find(handle); }

  bool erase_slot(u32 slot) {
    SPELLPOOL_ASSERT(index_.generations().is_live(slot));
    const u32 hole = index_.place_of(slot), last = --live_;
    cells_[hole].live.~T();
    if (hole != last) {
      ::new (static_cast<void*>(std::addressof(cells_[hole].live))) T(std::move(cells_[last].live));
      cells_[last].live.~T();
      index_.swap_places(hole, last);
    }
    if (fill_) [[unlikely]] std::memset(static_cast<void*>(std::addressof(cells_[last].live)), 0xDD, sizeof(T));
    poison(&cells_[last], sizeof(Cell));
    if (index_.leave(slot)) [[likely]] return true;
    index_.bury(last);
    return false;
  }

  /// Calls f(slot, object) for every live object. f must neither insert nor erase.
  template <class F>
  void for_each_slot(F&& f) {
    for (u32 place = 0; place < live_; ++place) f(index_.slot_at(place), cells_[place].live);
  }
  template <class F>
  void for_each_slot(F&& f) const {
    for (u32 place = 0; place < live_; ++place) f(index_.slot_at(place), std::as_const(cells_[place].live));
  }
  template <class Dead, class OnErased>
  u32 erase_if(Dead&& dead, OnErased&& on_erased) {
    const u32 before = live_;
    for (u32 place = 0; place < live_;) {
      if (!ask_dead(dead, cells_[place].live)) {
        ++place;
        continue;
      }
      const u32 slot = index_.slot_at(place);
      on_erased(slot);
      erase_slot(slot);  // the last one comes here and is looked at next
    }
    return before - live_;
  }
  void set_fill(bool on) { fill_ = on; }

  // For pictures of the pool (slot_map.hpp).
  static constexpr PlaceKind kPlaces = PlaceKind::Rows;
  u32 place_of(u32 slot) const { return index_.place_of(slot); }
  u32 slot_at(u32 place) const { return index_.slot_at(place); }
  std::size_t copy_place(u32 place, std::byte* to, std::size_t most, std::size_t from = 0) const {
    const Cell& cell = cells_[place];
    const std::size_t count = sizeof(Cell) - from < most ? sizeof(Cell) - from : most;
    unpoison(&cell, sizeof(Cell));
    std::memcpy(to, reinterpret_cast<const std::byte*>(&cell) + from, count);
    if (place >= live_) poison(&cell, sizeof(Cell));
    return count;
  }
  u32 object_at() const { return 0; }
  template <class F>
  void for_each_next(u32 most, F&& f) const {
    for (u32 place = live_; place < index_.usable_end() && most-- > 0; ++place) f(place);
  }

  u32 slots() const { return index_.slots(); }
  u32 live() const { return live_; }
  bool has_free() const { return live_ < index_.usable_end(); }
  u32 retired() const { return index_.generations().retired(); }
  u64 bytes() const { return cells_.bytes() + index_.bytes(); }
  u64 new_calls() const { return new_calls_; }
  const GenerationTable<Generation>& generations() const { return index_.generations(); }

 private:
  void swap(PackedStorage& other) noexcept {
    cells_.swap(other.cells_);
    std::swap(index_, other.index_);
    std::swap(new_calls_, other.new_calls_);
    std::swap(live_, other.live_);
    std::swap(fill_, other.fill_);
  }

  CellBlocks<Cell> cells_;
  DenseIndex<Generation> index_;
  u64 new_calls_ = 0;
  u32 live_ = 0;
  bool fill_ = false;
};

}  // namespace spellpool::pool
