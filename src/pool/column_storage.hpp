#pragma once
#include <cstring>
#include <utility>
#include <vector>

#include "pool/dense_index.hpp"
#include "pool/fields.hpp"
#include "pool/lanes.hpp"
#include "pool/scatter.hpp"
#include "pool/storage.hpp"

namespace spellpool::pool {

/// Field-wise storages: each field of T in an array of its own (fields.hpp), so that a walk moves through the cache only what
/// it reads. Two of them, which differ in what a death costs:
///
///   soa     a release fills its gap at once with the last row: every field of one object moves for each death.
///   dense   a release leaves a hole, the next spawn fills it, and only what is left at the next walk is closed, from the end:
///           in a game that spawns as fast as things die nothing moves at all. Our best: with the hot fields apart from the
///           cold ones, the walk reads and writes the least memory there is.
///
/// Layout   Columns<T>, rows packed but for holes; DenseIndex; dense: a stack of holes, 4 bytes a slot.
/// Cost     spawn, release O(fields). find O(1), then the object is put together from its fields (FieldRef). Walk O(live).
/// Walks    f gets a T put together from the arrays; after a walk that may change objects the Hot fields are written back, and
///          those alone. Loads and stores of fields that f does not touch cost nothing once the compiler has inlined f.
/// Order    By row, which deaths shuffle.
/// Moves    Rows move; nobody can hold a T&. FieldRef must end before the pool spawns or releases.
/// Threads  One owner.
template <FieldWise T, std::unsigned_integral Generation, bool kHoles>
class ColumnStorage {
 public:
  using Value = T;
  using GenerationType = Generation;
  using HandleType = Handle<T, u32, Generation>;
  using Pointer = FieldRef<T>;
  using ConstPointer = ConstFieldRef<T>;
  static constexpr StrategyId kStrategy = kHoles ? StrategyId::Dense : StrategyId::Soa;
  static constexpr bool kStable = false;
  struct Adopt {};

  explicit ColumnStorage(u32 slots) : ColumnStorage(Adopt{}, slots, {}) { finish_adoption(); }
  /// First step of migrate(): see CellStorage.
  ColumnStorage(Adopt, u32 slots, const GenerationTable<Generation>& known)
      : columns_(slots), index_(slots, known) {
    if constexpr (kHoles) holes_.resize(std::size_t{slots} + kLaneSlack);
  }
  void adopt(u32 slot, T&& value) {
    columns_.store(rows_, value);
    index_.swap_places(index_.place_of(slot), rows_++);
    ++live_;
  }
  void finish_adoption() { index_.finish_adoption(rows_); }

  template <class... Args>
  HandleType insert(Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    const T value{std::forward<Args>(args)...};
    const u32 row = kHoles && hole_count_ > worn_holes_ ? holes_[--hole_count_] : rows_++;
    columns_.store(row, value);
    ++live_;
    const u32 slot = index_.enter(row);
    return {slot, index_.generations()[slot]};
  }

  /// make(0) … make(n - 1) in as many rows, holes first; made(i, handle) tells where. Needs n free slots. A batch knows its rows
  /// beforehand, so they are asked of the memory before they are written.
  template <class Make, class Made>
  void insert_n(u32 n, Make&& make, Made&& made)
    requires(kHoles)
  {
    const u32 holes = hole_count_ - worn_holes_, end = rows_;
    const u32* const last_hole = holes_.data() + hole_count_;
    const auto row_at = [=](u32 i) { return i < holes ? *(last_hole - 1 - i) : end + (i - holes); };
    const u32 refill = n < holes ? n : holes;
    scatter(columns_, refill, row_at, make);
    for (u32 i = refill; i < n; ++i) columns_.store(end + (i - refill), make(i));
    for (u32 i = 0; i < n; ++i) {
      const u32 slot = index_.enter(row_at(i));
      made(i, HandleType{slot, index_.generations()[slot]});
    }
    hole_count_ -= refill;
    rows_ = end + (n - refill);
    live_ += n;
  }

  FieldRef<T> find(HandleType handle) {
    const bool there = index_.generations().resolves(handle.index, handle.generation);
    return FieldRef<T>(there ? &columns_ : nullptr, there ? index_.place_of(handle.index) : 0);
  }
  ConstFieldRef<T> find(HandleType handle) const {
    const bool there = index_.generations().resolves(handle.index, handle.generation);
    return ConstFieldRef<T>(there ? &columns_ : nullptr, there ? index_.place_of(handle.index) : 0);
  }

  bool erase_slot(u32 slot) {
    SPELLPOOL_ASSERT(index_.generations().is_live(slot));
    const u32 row = index_.place_of(slot);
    --live_;
    const bool usable = index_.leave(slot);
    if constexpr (kHoles) {
      holes_[hole_count_++] = row;
      if (!usable) [[unlikely]] keep_below(hole_count_ - 1);
    } else {
      close(row);
    }
    return usable;
  }

  /// Calls f(slot, object) for every live object. f must neither insert nor erase.
  template <class F>
  void for_each_slot(F&& f) {
    settle();
    for (u32 row = 0; row < rows_; ++row) {
      T value = columns_.load(row);
      f(index_.slot_at(row), value);
      columns_.store_hot(row, value);
    }
  }
  template <class F>
  void for_each_slot(F&& f) const {
    for (u32 row = 0; row < rows_; ++row) {
      const u32 slot = index_.slot_at(row);
      if (kHoles && hole_count_ > 0 && !index_.is_live_at(row)) continue;
      const T value = columns_.load(row);
      f(slot, value);
    }
  }
  template <class Dead, class OnErased>
  u32 erase_if(Dead&& dead, OnErased&& on_erased) {
    settle();
    const u32 before = live_;
    for (u32 row = 0; row < rows_;) {
      T value = columns_.load(row);
      const bool ends = ask_dead(dead, value);
      if constexpr (!std::is_invocable_v<Dead&, const T&>) columns_.store_hot(row, value);
      if (!ends) {
        ++row;
        continue;
      }
      const u32 slot = index_.slot_at(row);
      on_erased(slot);
      erase_slot(slot);
      if constexpr (kHoles) ++row;
    }
    return before - live_;
  }
  /// For kernels over whole columns: block(first, count ≤ 64) works on that many rows and returns a mask of the dead among them.
  /// They leave holes, so rows stay where they are until the next walk. Returns how many died.
  template <class Block, class OnErased>
  u32 update_rows(Block&& block, OnErased&& on_erased)
    requires(kHoles)
  {
    settle();
    u32* end = holes_.data();
    for (u32 first = 0; first < rows_; first += kLanes) {
      const u32 count = rows_ - first < kLanes ? rows_ - first : kLanes;
      end = write_lanes(block(first, count), first, end);
    }
    hole_count_ = static_cast<u32>(end - holes_.data());
    live_ -= hole_count_;
    for (u32 i = 0; i < hole_count_; ++i) {
      const u32 slot = index_.slot_at(holes_[i]);
      on_erased(slot);
      if (!index_.leave(slot)) [[unlikely]] keep_below(i);
    }
    return hole_count_;
  }
  void set_fill(bool) {}  // a dead row is nobody's: no reference can lead to it

  // For pictures of the pool (slot_map.hpp).
  static constexpr PlaceKind kPlaces = PlaceKind::Rows;
  u32 place_of(u32 slot) const { return index_.place_of(slot); }
  u32 slot_at(u32 place) const { return index_.slot_at(place); }
  /// The object put together from its columns: nowhere does it lie in one piece.
  std::size_t copy_place(u32 place, std::byte* to, std::size_t most, std::size_t from = 0) const {
    if (!index_.is_live_at(place)) return 0;
    const T value = columns_.load(place);
    const std::size_t count = sizeof(T) - from < most ? sizeof(T) - from : most;
    std::memcpy(to, reinterpret_cast<const std::byte*>(&value) + from, count);
    return count;
  }
  u32 object_at() const { return 0; }
  template <class F>
  void for_each_next(u32 most, F&& f) const {
    for (u32 i = hole_count_; i > worn_holes_ && most > 0; --i, --most) f(holes_[i - 1]);
    for (u32 row = rows_; row < index_.usable_end() && most > 0; ++row, --most) f(row);
  }

  u32 slots() const { return index_.slots(); }
  u32 live() const { return live_; }
  bool has_free() const { return live_ + retired() < slots(); }
  u32 retired() const { return index_.generations().retired(); }
  u64 bytes() const { return columns_.bytes() + index_.bytes() + holes_.capacity() * sizeof(u32); }
  u64 new_calls() const { return kHoles ? 5 : 4; }
  const GenerationTable<Generation>& generations() const { return index_.generations(); }

  /// For kernels that go by rows (dense: call settle() first): the arrays, and how many rows there are.
  const Columns<T>& columns() const { return columns_; }
  u32 rows() const { return rows_; }

  /// Closes the holes that no spawn has filled, with rows from the end.
  void settle() {
    if constexpr (kHoles) {
      if (hole_count_ == 0) [[likely]] return;
      for (u32 i = 0; i < hole_count_; ++i) {
        drop_dead_end();
        if (holes_[i] < rows_) close(holes_[i]);
      }
      drop_dead_end();
      hole_count_ = worn_holes_ = 0;
    }
  }

 private:
  /// A dead row's place is taken by the last row.
  void close(u32 row) {
    const u32 last = --rows_;
    if (row != last) {
      columns_.copy(row, last);
      index_.swap_places(row, last);
    }
    bury_if_worn(last);
  }
  void drop_dead_end() {
    while (rows_ > 0 && !index_.is_live_at(rows_ - 1)) bury_if_worn(--rows_);
  }
  void bury_if_worn(u32 place) {
    if (!index_.generations().is_usable(index_.slot_at(place))) [[unlikely]] index_.bury(place);
  }
  /// The hole's slot is worn out: no spawn may fill it, so it goes to the bottom of the stack until the holes are closed.
  void keep_below(u32 nth) { std::swap(holes_[nth], holes_[worn_holes_++]); }

  Columns<T> columns_;
  DenseIndex<Generation> index_;
  std::vector<u32> holes_;  // a stack of hole_count_, of which the lowest worn_holes_ wait to be closed
  u32 hole_count_ = 0, worn_holes_ = 0;
  u32 rows_ = 0;  // in use, holes included
  u32 live_ = 0;
};

template <class T, std::unsigned_integral Generation = u32>
using SoaStorage = ColumnStorage<T, Generation, false>;
template <class T, std::unsigned_integral Generation = u32>
using DenseStorage = ColumnStorage<T, Generation, true>;

}  // namespace spellpool::pool
