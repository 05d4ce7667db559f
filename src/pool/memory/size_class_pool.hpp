#pragma once
#include <algorithm>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "pool/memory/cell_tray.hpp"

namespace spellpool::pool {

/// One tray of a SizeClassPool. Cells are rounded up to a multiple of align, which is at least 8.
struct TraySpec {
  std::size_t cell_bytes;
  u32 slots;
  std::size_t align = 16;
};

/// What make() does when the tray of the object's size is full.
enum class Spill : u8 {
  Never,       ///< Null handle.
  LargerTray,  ///< The next larger tray that has room: the object lives, and wastes more.
};

/// Objects of many types in trays by size: small ones with small ones, large with large. A pool has slots of one
/// size; where types differ much, slots as large as the largest waste most of what they hold (see VariantPool), and a
/// heap for any size falls into holes (see ConsoleHeap). A few trays do neither: nothing fragments outside the cells,
/// little inside.
///
///   SizeClassPool pool({{32, 1000}, {128, 300}, {512, 50}});    // bytes and slots: small, medium, large
///   auto spark = pool.make<Spark>(x, y);                        // null handle when full
///   if (Spark* s = pool.get(spark)) s->x += 1.0f;               // nullptr once it is gone
///   CellHandle<void> any = spark.any();                         // of any type: a list of all things in a scene
///   pool.release(any);                                          // runs ~Spark()
///   pool.for_each<Spark>([](Spark& s) { s.y += 1.0f; });
///
/// Layout   One CellTray a tray, one allocation each; see there. A slot's tag is a pointer to the row of its type:
///          destructor as a plain function pointer, and sizeof. So with 32-bit generations 12.125 bytes a slot
///          besides the cells. The row's address is the type's name: no RTTI, and one row per program (or per DLL,
///          where those share nothing).
/// Cost     make O(trays), get and release O(1), for_each<T> O(live + slots/64) over the trays that T fits.
/// Order    Walks go by tray from small to large, then by slot. They neither make nor release: mark, then release_if.
/// Moves    Nothing while the pool lives. Moving the pool moves no object.
/// End      While the pool is destroyed or assigned to, make() gives the null handle and counts it as rejected.
/// Full     The object's tray is the smallest that it fits. If that is full: the next larger one with room (counted
///          there as spilled), or none (Spill::Never, or all full): null handle, counted there as rejected. A type
///          that fits no tray gets the null handle too, counted as too_large: trays are known at run time only.
///          fits<T>() asks first.
/// Errors   release() of a null, released, stale or foreign handle, or of one with another type, changes nothing,
///          says which it was and counts it, in every build. A generation that is used up retires its slot.
/// Throws   If a constructor throws, its slot is free again and the exception passes on.
/// Threads  One owner.
/// Source   Nystrom, Game Programming Patterns, "Object Pool": a pool for each size of object. Size classes as in
///          Bonwick, "The Slab Allocator", USENIX 1994.
template <std::unsigned_integral Generation>
class BasicSizeClassPool {
 public:
  template <class T>
  using HandleOf = CellHandle<T, Generation>;

  explicit BasicSizeClassPool(std::vector<TraySpec> trays, Spill spill = Spill::LargerTray)
      : number_(next_pool_number()), spill_(spill) {
    SPELLPOOL_ASSERT(trays.size() <= 0xffffu);
    std::sort(trays.begin(), trays.end(), [](const TraySpec& a, const TraySpec& b) {
      const std::size_t a_bytes = Cells::cell_bytes_for(a.cell_bytes, a.align);
      const std::size_t b_bytes = Cells::cell_bytes_for(b.cell_bytes, b.align);
      return a_bytes != b_bytes ? a_bytes < b_bytes : a.align < b.align;
    });
    trays_.reserve(trays.size());
    for (const TraySpec& tray : trays) trays_.emplace_back(tray);
  }
  /// The moved-from pool is empty and has no trays.
  BasicSizeClassPool(BasicSizeClassPool&& other) noexcept { swap(other); }
  /// Ends the objects of the target.
  BasicSizeClassPool& operator=(BasicSizeClassPool&& other) noexcept {
    if (this == &other) return *this;
    end_all();
    { const BasicSizeClassPool mine(std::move(*this)); }
    swap(other);
    return *this;
  }
  ~BasicSizeClassPool() { end_all(); }

  /// T{args…} for an aggregate, T(args…) otherwise. Null handle if there is no room.
  template <class T, class... Args>
  HandleOf<T> make(Args&&... args) {
    static_assert(std::is_object_v<T> && !std::is_array_v<T> && !std::is_const_v<T>);
    const std::size_t home = home_of<T>();
    if (home == trays_.size()) {
      ++counters_.too_large;
      return {};
    }
    std::size_t at = home;
    while (!trays_[at].cells.has_free() || !fits_in<T>(trays_[at])) {
      ++at;
      if (at == trays_.size() || spill_ == Spill::Never) {
        ++trays_[home].rejected;
        return {};
      }
    }
    Cells& cells = trays_[at].cells;
    const u32 slot = cells.template make<T>(&RowOf<T>::row, std::forward<Args>(args)...);
    if (at != home) {
      ++trays_[home].spilled;
      ++trays_[at].taken_in;
    }
    ++counters_.made;
    return {slot, cells.generation(slot), static_cast<u16>(at), number_};
  }
  /// Some tray has cells for it, free or not.
  template <class T>
  bool fits() const {
    return home_of<T>() != trays_.size();
  }

  /// The object, or nullptr if it is gone (or never was here).
  template <class T>
    requires(!std::is_void_v<T>)
  T* get(HandleOf<T> handle) {
    return find<T>(handle.any());
  }
  /// get<Spark>(any): nullptr also if it is something else.
  template <class T>
    requires(!std::is_void_v<T>)
  T* get(CellHandle<void, Generation> handle) {
    return find<T>(handle);
  }

  template <class T>
  CellRelease release(HandleOf<T> handle) {
    CellRelease result = check(handle.any());
    if constexpr (!std::is_void_v<T>) {
      if (result == CellRelease::Released && !holds<T>(trays_[handle.tray], handle.index))
        result = CellRelease::WrongType;
    }
    if (result != CellRelease::Released) return counters_.refuse_release(result);
    end(trays_[handle.tray], handle.index);
    return result;
  }

  /// f(T&) for every live T.
  template <class T, class F>
  void for_each(F&& f) {
    for_each_slot_of<T>([&](std::size_t tray, u32 slot) { f(*object<T>(trays_[tray], slot)); });
  }
  template <class T, class F>
  void for_each(F&& f) const {
    for_each_slot_of<T>([&](std::size_t tray, u32 slot) { f(static_cast<const T&>(*object<T>(trays_[tray], slot))); });
  }
  /// f(HandleOf<T>, T&) for every live T.
  template <class T, class F>
  void for_each_handle(F&& f) {
    for_each_slot_of<T>([&](std::size_t tray, u32 slot) {
      f(HandleOf<T>{slot, trays_[tray].cells.generation(slot), static_cast<u16>(tray), number_},
        *object<T>(trays_[tray], slot));
    });
  }

  /// Ends every T for which dead(const T&) holds. Returns how many.
  template <class T, class Dead>
  u32 release_if(Dead&& dead) {
    u32 ended = 0;
    for_each_slot_of<T>([&](std::size_t tray, u32 slot) {
      if (!dead(static_cast<const T&>(*object<T>(trays_[tray], slot)))) return;
      end(trays_[tray], slot);
      ++ended;
    });
    return ended;
  }
  /// Ends all, those that destructors make meanwhile too. Handles to them go stale. Does not return if each
  /// destructor makes another object.
  void clear() {
    while (live() > 0) {
      for (Tray& tray : trays_) {
        tray.cells.for_each_slot([&](u32 slot) { end(tray, slot); });
      }
    }
  }

  void set_spill(Spill spill) { spill_ = spill; }
  Spill spill() const { return spill_; }
  u32 live() const {
    u32 live = 0;
    for (const Tray& tray : trays_) live += tray.cells.live();
    return live;
  }
  /// Bytes in live cells that their objects do not use.
  u64 waste() const {
    u64 waste = 0;
    for (const Tray& tray : trays_) waste += tray.cells.waste();
    return waste;
  }
  std::size_t tray_count() const { return trays_.size(); }
  /// Trays are numbered from small to large.
  TrayStats tray_stats(std::size_t tray) const {
    SPELLPOOL_ASSERT(tray < trays_.size());
    TrayStats stats = trays_[tray].cells.stats();
    stats.rejected = trays_[tray].rejected;
    stats.spilled = trays_[tray].spilled;
    stats.taken_in = trays_[tray].taken_in;
    return stats;
  }
  CellPoolStats stats() const {
    CellPoolStats stats = counters_;
    stats.rejected = counters_.too_large;
    for (std::size_t i = 0; i < trays_.size(); ++i) {
      const TrayStats tray = tray_stats(i);
      stats.live += tray.live;
      stats.retired_slots += tray.retired_slots;
      stats.rejected += tray.rejected;
      stats.spilled += tray.spilled;
      stats.bytes += tray.bytes;
      stats.used_bytes += tray.used_bytes;
      stats.wasted_bytes += tray.wasted_bytes;
    }
    return stats;
  }

 private:
  struct TypeRow {
    void (*destroy)(void*);
    std::size_t bytes;
  };
  using Tag = const TypeRow*;
  using Cells = CellTray<Tag, Generation>;
  // Not const: linkers may fold equal functions, and equal constants, of two types into one. Variables they may not.
  template <class T>
  struct RowOf {
    static inline TypeRow row{&destroy_as<T>, sizeof(T)};
  };
  struct Tray {
    explicit Tray(const TraySpec& spec) : cells(spec.cell_bytes, spec.align, spec.slots) {}
    Cells cells;
    u64 rejected = 0, spilled = 0, taken_in = 0;
  };

  template <class T>
  static bool fits_in(const Tray& tray) {
    return tray.cells.fits(sizeof(T), alignof(T));
  }
  template <class T>
  static bool holds(const Tray& tray, u32 slot) {
    return tray.cells.tag(slot) == &RowOf<T>::row;
  }
  template <class T>
  static T* object(const Tray& tray, u32 slot) {
    return std::launder(reinterpret_cast<T*>(tray.cells.cell(slot)));
  }
  template <class T>
  std::size_t home_of() const {
    std::size_t tray = 0;
    while (tray < trays_.size() && !fits_in<T>(trays_[tray])) ++tray;
    return tray;
  }
  CellRelease check(CellHandle<void, Generation> handle) const {
    if (handle.is_null()) return CellRelease::NullHandle;
    if (handle.pool != number_ || handle.tray >= trays_.size()) return CellRelease::ForeignHandle;
    return trays_[handle.tray].cells.check(handle.index, handle.generation);
  }
  template <class T>
  T* find(CellHandle<void, Generation> handle) {
    CellRelease result = check(handle);
    if (result == CellRelease::Released && !holds<T>(trays_[handle.tray], handle.index))
      result = CellRelease::WrongType;
    if (result == CellRelease::Released) return object<T>(trays_[handle.tray], handle.index);
    counters_.refuse_get(result);
    return nullptr;
  }
  void end(Tray& tray, u32 slot) {
    const Tag row = tray.cells.tag(slot);
    ++counters_.released;
    tray.cells.end(slot, row->destroy, row->bytes);
  }
  template <class T, class F>
  void for_each_slot_of(F&& f) const {
    for (std::size_t i = 0; i < trays_.size(); ++i) {
      if (!fits_in<T>(trays_[i])) continue;
      trays_[i].cells.for_each_slot([&](u32 slot) {
        if (holds<T>(trays_[i], slot)) f(i, slot);
      });
    }
  }
  void end_all() {
    for (Tray& tray : trays_) tray.cells.close();
    clear();
  }
  void swap(BasicSizeClassPool& other) noexcept {
    trays_.swap(other.trays_);
    std::swap(counters_, other.counters_);
    std::swap(number_, other.number_);
    std::swap(spill_, other.spill_);
  }

  std::vector<Tray> trays_;
  CellPoolStats counters_;  // what the trays know is asked of them
  u16 number_ = 0;
  Spill spill_ = Spill::LargerTray;
};

using SizeClassPool = BasicSizeClassPool<u32>;

}  // namespace spellpool::pool
