#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <new>
#include <type_traits>
#include <utility>

#include "pool/memory/cell_tray.hpp"

namespace spellpool::pool {

/// Objects of a few known types in slots as large as the largest of them: what a pool of std::variant<Ts...> would
/// be, with the tag beside the cells and no empty state. Simple, and any slot serves any type; what it costs is
/// waste(): a spark of 16 bytes in a slot for a boss of 500. SizeClassPool wastes less, and may be full in one tray
/// while another is empty.
///
///   VariantPool<Spark, Bolt, Boss> pool(1000);
///   auto bolt = pool.make<Bolt>(x, y);                // null handle when full
///   pool.for_each<Bolt>([](Bolt& b) { b.x += 1; });
///   pool.for_each_any([](auto& thing) { thing.step(); });
///
/// Layout   One CellTray (see there), one allocation; a slot's tag is one byte, the place of its type in Ts. With
///          32-bit generations 5.125 bytes a slot besides the cells.
/// Cost     make, get and release O(1), walks O(live + slots/64).
/// Order    Walks go by slot number. They neither make nor release: mark, then release_if.
/// Moves    Nothing while the pool lives. Moving the pool moves no object.
/// End      While the pool is destroyed or assigned to, make() gives the null handle and counts it as rejected.
/// Full     make() gives the null handle and counts it as rejected. A type that is not one of Ts does not compile.
/// Errors, Throws, Threads   As SizeClassPool.
template <std::unsigned_integral Generation, class... Ts>
class BasicVariantPool {
  static_assert(sizeof...(Ts) >= 1 && sizeof...(Ts) <= 255);

  /// How often T is one of Ts.
  template <class T>
  static constexpr int kTimes = (0 + ... + (std::is_same_v<T, Ts> ? 1 : 0));
  static_assert(((kTimes<Ts> == 1) && ...), "each type once");
  static_assert(((std::is_object_v<Ts> && !std::is_array_v<Ts> && !std::is_const_v<Ts>) && ...));

 public:
  template <class T>
  using HandleOf = CellHandle<T, Generation>;
  static constexpr std::size_t kLargest = std::max<std::size_t>({sizeof(Ts)...});

  explicit BasicVariantPool(u32 slots)
      : cells_(kLargest, std::max<std::size_t>({alignof(Ts)...}), slots), number_(next_pool_number()) {}
  /// The moved-from pool is empty and has no slots.
  BasicVariantPool(BasicVariantPool&& other) noexcept : cells_(std::move(other.cells_)) { swap_rest(other); }
  /// Ends the objects of the target.
  BasicVariantPool& operator=(BasicVariantPool&& other) noexcept {
    if (this == &other) return *this;
    end_all();
    { const BasicVariantPool mine(std::move(*this)); }
    cells_ = std::move(other.cells_);  // swaps
    swap_rest(other);
    return *this;
  }
  ~BasicVariantPool() { end_all(); }

  /// T{args…} for an aggregate, T(args…) otherwise. Null handle if there is no room.
  template <class T, class... Args>
    requires(kTimes<T> == 1)
  HandleOf<T> make(Args&&... args) {
    if (!cells_.has_free()) {
      ++counters_.rejected;
      return {};
    }
    const u32 slot = cells_.template make<T>(kTagOf<T>, std::forward<Args>(args)...);
    ++counters_.made;
    return {slot, cells_.generation(slot), 0, number_};
  }
  template <class T>
  static constexpr bool fits() {
    return kTimes<T> == 1;
  }

  /// The object, or nullptr if it is gone (or never was here).
  template <class T>
    requires(kTimes<T> == 1)
  T* get(HandleOf<T> handle) {
    return find<T>(handle.any());
  }
  /// get<Spark>(any): nullptr also if it is something else.
  template <class T>
    requires(kTimes<T> == 1)
  T* get(CellHandle<void, Generation> handle) {
    return find<T>(handle);
  }

  template <class T>
    requires(kTimes<T> == 1 || std::is_void_v<T>)
  CellRelease release(HandleOf<T> handle) {
    CellRelease result = check(handle.any());
    if constexpr (!std::is_void_v<T>) {
      if (result == CellRelease::Released && !holds<T>(handle.index)) result = CellRelease::WrongType;
    }
    if (result != CellRelease::Released) return counters_.refuse_release(result);
    end(handle.index);
    return result;
  }

  /// f(T&) for every live T.
  template <class T, class F>
  void for_each(F&& f) {
    for_each_slot_of<T>([&](u32 slot) { f(*object<T>(slot)); });
  }
  template <class T, class F>
  void for_each(F&& f) const {
    for_each_slot_of<T>([&](u32 slot) { f(static_cast<const T&>(*object<T>(slot))); });
  }
  /// f(HandleOf<T>, T&) for every live T.
  template <class T, class F>
  void for_each_handle(F&& f) {
    for_each_slot_of<T>([&](u32 slot) { f(HandleOf<T>{slot, cells_.generation(slot), 0, number_}, *object<T>(slot)); });
  }
  /// f(object) for all, each as what it is: f takes every one of Ts.
  template <class F>
  void for_each_any(F&& f) {
    cells_.for_each_slot([&](u32 slot) { (call_if<Ts>(slot, f), ...); });
  }

  /// Ends every T for which dead(const T&) holds. Returns how many.
  template <class T, class Dead>
  u32 release_if(Dead&& dead) {
    u32 ended = 0;
    for_each_slot_of<T>([&](u32 slot) {
      if (!dead(static_cast<const T&>(*object<T>(slot)))) return;
      end(slot);
      ++ended;
    });
    return ended;
  }
  /// Ends all, those that destructors make meanwhile too. Handles to them go stale. Does not return if each
  /// destructor makes another object.
  void clear() {
    while (live() > 0) cells_.for_each_slot([&](u32 slot) { end(slot); });
  }

  u32 live() const { return cells_.live(); }
  /// Bytes in live slots that their objects do not use.
  u64 waste() const { return cells_.waste(); }
  TrayStats tray_stats() const {
    TrayStats stats = cells_.stats();
    stats.rejected = counters_.rejected;
    return stats;
  }
  CellPoolStats stats() const {
    const TrayStats tray = cells_.stats();
    CellPoolStats stats = counters_;
    stats.live = tray.live;
    stats.retired_slots = tray.retired_slots;
    stats.bytes = tray.bytes;
    stats.used_bytes = tray.used_bytes;
    stats.wasted_bytes = tray.wasted_bytes;
    return stats;
  }

 private:
  template <class T>
  static constexpr u8 place_of() {
    u8 place = 0;
    static_cast<void>(((std::is_same_v<T, Ts> || (++place, false)) || ...));
    return place;
  }
  template <class T>
  static constexpr u8 kTagOf = place_of<T>();
  static constexpr std::array<void (*)(void*), sizeof...(Ts)> kDestroy = {&destroy_as<Ts>...};
  static constexpr std::array<std::size_t, sizeof...(Ts)> kBytes = {sizeof(Ts)...};

  template <class T>
  bool holds(u32 slot) const {
    return cells_.tag(slot) == kTagOf<T>;
  }
  template <class T>
  T* object(u32 slot) const {
    return std::launder(reinterpret_cast<T*>(cells_.cell(slot)));
  }
  template <class T, class F>
  void call_if(u32 slot, F& f) {
    if (holds<T>(slot)) f(*object<T>(slot));
  }
  CellRelease check(CellHandle<void, Generation> handle) const {
    if (handle.is_null()) return CellRelease::NullHandle;
    if (handle.pool != number_ || handle.tray != 0) return CellRelease::ForeignHandle;
    return cells_.check(handle.index, handle.generation);
  }
  template <class T>
  T* find(CellHandle<void, Generation> handle) {
    CellRelease result = check(handle);
    if (result == CellRelease::Released && !holds<T>(handle.index)) result = CellRelease::WrongType;
    if (result == CellRelease::Released) return object<T>(handle.index);
    counters_.refuse_get(result);
    return nullptr;
  }
  void end(u32 slot) {
    const u8 tag = cells_.tag(slot);
    ++counters_.released;
    cells_.end(slot, kDestroy[tag], kBytes[tag]);
  }
  template <class T, class F>
  void for_each_slot_of(F&& f) const {
    cells_.for_each_slot([&](u32 slot) {
      if (holds<T>(slot)) f(slot);
    });
  }
  void end_all() {
    cells_.close();
    clear();
  }
  void swap_rest(BasicVariantPool& other) noexcept {
    std::swap(counters_, other.counters_);
    std::swap(number_, other.number_);
  }

  CellTray<u8, Generation> cells_;
  CellPoolStats counters_;  // what the tray knows is asked of it
  u16 number_ = 0;
};

template <class... Ts>
using VariantPool = BasicVariantPool<u32, Ts...>;

}  // namespace spellpool::pool
