#pragma once
#include "pool/cells.hpp"

namespace spellpool::pool {

/// Live objects contiguous at the front of one array. A release moves the last object into the gap:
/// swap-and-pop on a std::vector, with handles that survive the moves.
///
/// Layout   slots × T, packed; DenseIndex (slot to place and back).
/// Cost     acquire O(1). release O(1) and one move of T. Handle lookup O(1), through the index. Walk
///          O(live), contiguous.
/// Order    Walks go by place. Releases shuffle it; sort() sets it.
/// Moves    Any release may move the last object, and growth moves all. T* and T& are valid until then.
/// Ends     An object with a destructor or hook is first moved out of the array, one more move, so its
///          destructor may use the pool. The moves themselves must not.
/// Throws   T must be nothrow move constructible. If its constructor throws, nothing has changed.
/// Threads  One owner.
template <class T, std::unsigned_integral Generation = u32>
class PackedStorage {
  using Cell = PlainCell<T>;

 public:
  using Value = T;
  using GenerationType = Generation;
  using HandleType = Handle<T, u32, Generation>;
  using Pointer = T*;
  using ConstPointer = const T*;
  using Reference = T&;
  using ConstReference = const T&;
  static constexpr StrategyId kStrategy = StrategyId::Packed;
  static constexpr bool kStable = false;
  static constexpr bool kBuildsInSlot = false;
  struct Adopt {};

  PackedStorage() = default;
  PackedStorage(u32 slots, PoolMemory* memory)
      : PackedStorage(Adopt{}, slots, GenerationTable<Generation>{}, 0, memory) {
    finish_adoption();
  }
  /// First step of a migration (see CellStorage).
  SPELLPOOL_APART PackedStorage(Adopt, u32 slots, const GenerationTable<Generation>& known, u32, PoolMemory* memory)
      : cells_(memory), index_(slots, known, memory), new_calls_(3 + cells_.add(slots)) {
    poison(cells_.first().cells, sizeof(Cell) * slots);
  }
  void adopt(u32 slot, T&& value) {
    put(live_, std::move(value));
    index_.swap_places(index_.place_of(slot), live_++);
  }
  void finish_adoption() { index_.finish_adoption(live_); }
  /// A whole restoration in place: `count` objects, and their slots. Allocates nothing.
  void begin_again(const GenerationTable<Generation>& known, const u32* slots, const T* values, u32 count) {
    index_.begin_again(known, slots, count);
    poison(cells_.first().cells, sizeof(Cell) * live_);
    live_ = count;
    const auto cells = cells_.first();
    unpoison(cells.cells, sizeof(Cell) * count);
    for (u32 place = 0; place < count; ++place)
      ::new (static_cast<void*>(address_of(cells[place].live))) T(values[place]);
  }

  PackedStorage(PackedStorage&& other) noexcept { swap_with(other); }
  PackedStorage& operator=(PackedStorage&& other) noexcept {
    swap_with(other);
    return *this;
  }
  ~PackedStorage() {
    for (u32 place = 0; place < live_; ++place) at(place).live.~T();
  }

  /// A new object outside the array: its constructor may use the pool, and may even make the array move.
  struct Built {
    T value;
  };
  template <class... Args>
  Built build(Args&&... args) {
    return {make_value<T>(std::forward<Args>(args)...)};
  }
  HandleType place(Built& built) {
    SPELLPOOL_ASSERT(has_free());
    put(live_, std::move(built.value));
    return enter();
  }
  template <class... Args>
  HandleType insert(Args&&... args) {
    Built built = build(std::forward<Args>(args)...);
    return place(built);
  }
  template <class... Args>
  HandleType insert_plain(Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    Cell& cell = at(live_);
    unpoison(&cell, sizeof(Cell));
    construct<T>(static_cast<void*>(address_of(cell.live)), std::forward<Args>(args)...);
    return enter();
  }
  bool plain() const { return !fill_; }

  T* find(HandleType handle) {
    return index_.generations().resolves(handle.index, handle.generation)
               ? address_of(at(index_.place_of(handle.index)).live)
               : nullptr;
  }
  const T* find(HandleType handle) const { return const_cast<PackedStorage*>(this)->find(handle); }
  T& at_slot(u32 slot) { return at(index_.place_of(slot)).live; }
  const T& at_slot(u32 slot) const { return at(index_.place_of(slot)).live; }

  template <class OnErase>
  bool erase_slot(u32 slot, OnErase&& on_erase) {
    SPELLPOOL_ASSERT(index_.generations().is_live(slot));
    if constexpr (kEndRunsUserCode<T>) {
      Leaving leaving(std::move(at_slot(slot)));
      const bool usable = close(slot);
      on_erase(leaving.value);
      return usable;
    } else {
      return close(slot);
    }
  }
  template <class OnErase>
  void erase_plain(u32 slot, Generation, OnErase&& on_erase) {
    erase_slot(slot, on_erase);
  }

  /// Calls f(slot, object) for every live object, by place. f must not insert or erase.
  template <class F>
  void for_each_slot(F&& f) {
    walk(0, live_, f);
  }
  template <class F>
  void for_each_slot(F&& f) const {
    for (u32 place = 0; place < live_; ++place) f(index_.slot_at(place), std::as_const(at(place).live));
  }
  template <class F>
  void for_each_part(u32 part, u32 parts, F&& f) {
    walk(first_of(part, parts), first_of(part + 1, parts), f);
  }
  u32 next_live(u32 slot) const { return index_.generations().next_live(slot); }
  u32 next_place(u32 place) const { return place < live_ ? place : kNoSlot; }
  T& at_place(u32 place) { return at(place).live; }
  const T& at_place(u32 place) const { return at(place).live; }
  u32 slot_of(const T* object) const {
    const u32 place = cells_.slot_of(object);
    return place < live_ && address_of(at(place).live) == object ? index_.slot_at(place) : kNoSlot;
  }
  /// The live objects, contiguous; null if there are none.
  T* objects() { return live_ > 0 ? address_of(at(0).live) : nullptr; }
  u32 first_of(u32 part, u32 parts) const { return static_cast<u32>(u64{live_} * part / parts); }

  template <class Dead, class OnErased>
  void erase_if(Dead&& dead, OnErased&& on_erased) {
    for (u32 place = 0; place < live_;) {
      if (!dead(at(place).live)) {
        ++place;
        continue;
      }
      const u32 slot = index_.slot_at(place);
      on_erased(slot);
      erase_slot(slot, NoCallback{});  // the last object moves here and is tested next
    }
  }
  /// Exchanges the objects at two places.
  void swap_places(u32 a, u32 b) {
    T moved(std::move(at(a).live));
    take(a);
    put(a, std::move(at(b).live));
    take(b);
    put(b, std::move(moved));
    index_.swap_places(a, b);
  }
  void set_fill(bool on) { fill_ = on; }

  // For inspect/slot_map.hpp.
  static constexpr Places kPlaces = Places::Rows;
  u32 place_of(u32 slot) const { return index_.place_of(slot); }
  u32 slot_at(u32 place) const { return index_.slot_at(place); }
  std::size_t copy_place(u32 place, std::byte* to, std::size_t limit, std::size_t from = 0) const {
    const Cell& cell = at(place);
    const std::size_t count = sizeof(Cell) - from < limit ? sizeof(Cell) - from : limit;
    unpoison(&cell, sizeof(Cell));
    std::memcpy(to, reinterpret_cast<const std::byte*>(&cell) + from, count);
    if (place >= live_) poison(&cell, sizeof(Cell));
    return count;
  }
  u32 object_at() const { return 0; }
  template <class F>
  void for_each_next(u32 limit, F&& f) const {
    for (u32 place = live_; place < index_.usable_end() && limit-- > 0; ++place) f(place);
  }

  u32 slots() const { return index_.slots(); }
  u32 live() const { return live_; }
  bool has_free() const { return live_ < index_.usable_end(); }
  u32 retired() const { return index_.generations().retired(); }
  u64 bytes() const { return cells_.bytes() + index_.bytes(); }
  u64 new_calls() const { return new_calls_; }
  const GenerationTable<Generation>& generations() const { return index_.generations(); }

  SPELLPOOL_APART void swap_with(PackedStorage& other) noexcept {
    cells_.swap(other.cells_);
    index_.swap(other.index_);
    std::swap(new_calls_, other.new_calls_);
    std::swap(live_, other.live_);
    std::swap(fill_, other.fill_);
  }

 private:
  /// An object moved out of the array, to be destroyed.
  struct Leaving {
    T value;
    explicit Leaving(T&& other) noexcept : value(std::move(other)) {}
  };

  Cell& at(u32 place) const { return cells_.first()[place]; }
  void put(u32 place, T&& value) {
    Cell& cell = at(place);
    unpoison(&cell, sizeof(Cell));
    if (fill_) [[unlikely]] std::memset(static_cast<void*>(address_of(cell.live)), 0xCD, sizeof(T));
    ::new (static_cast<void*>(address_of(cell.live))) T(std::move(value));
  }
  void take(u32 place) { at(place).live.~T(); }
  HandleType enter() {
    const u32 slot = index_.enter(live_++);
    return {slot, index_.generations()[slot]};
  }
  /// Removes the moved-from object of a slot; the last object fills the gap. False if the slot is retired.
  bool close(u32 slot) {
    const u32 hole = index_.place_of(slot), last = --live_;
    take(hole);
    if (hole != last) {
      put(hole, std::move(at(last).live));
      take(last);
      index_.swap_places(hole, last);
    }
    if (fill_) [[unlikely]] std::memset(static_cast<void*>(address_of(at(last).live)), 0xDD, sizeof(T));
    poison(&at(last), sizeof(Cell));
    if (index_.leave(slot)) [[likely]] return true;
    index_.retire_place(last);
    return false;
  }
  template <class F>
  void walk(u32 first, u32 end, F& f) {
    for (u32 place = first; place < end; ++place) f(index_.slot_at(place), at(place).live);
  }

  CellBlocks<Cell> cells_;
  DenseIndex<Generation> index_;
  u64 new_calls_ = 0;
  u32 live_ = 0;
  bool fill_ = false;

  // Last in the class: after this error clang parses no further.
  static_assert(std::is_nothrow_move_constructible_v<T>,
                "PackedPool<T> moves its objects. Give T a noexcept move constructor, or use FreeListPool<T>, which "
                "never moves one.");
};

}  // namespace spellpool::pool
