#pragma once
#include <atomic>
#include <bit>
#include <concepts>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "core/assert.hpp"
#include "core/types.hpp"
#include "pool/base.hpp"
#include "pool/storage.hpp"

namespace spellpool::pool {

/// A weak name of an object in a pool of mixed types (SizeClassPool, VariantPool): as Handle, and besides in which
/// tray and in which pool. T keeps it out of get() for another type at compile time; CellHandle<void> names an object
/// of any type, and any() makes one. 12 bytes with 32-bit generations. Pools are numbered as they are made; after
/// 65,535 the numbers come again.
template <class T, std::unsigned_integral Generation = u32>
struct CellHandle {
  u32 index = 0;
  Generation generation{};
  u16 tray = 0;
  u16 pool = 0;

  constexpr bool is_null() const { return generation == Generation{}; }
  constexpr explicit operator bool() const { return !is_null(); }
  constexpr CellHandle<void, Generation> any() const { return {index, generation, tray, pool}; }
  friend constexpr bool operator==(const CellHandle&, const CellHandle&) = default;
};

/// As ReleaseResult, and one more.
enum class CellRelease : u8 { Released, NullHandle, DoubleRelease, StaleHandle, WrongType, ForeignHandle };

/// One tray (SizeClassPool), or the only one (VariantPool). A bullet of 24 bytes in a cell of 32 wastes 8.
struct TrayStats {
  u64 cell_bytes = 0;
  u64 align = 0;
  u32 slots = 0;
  u32 live = 0;
  u32 peak = 0;
  u32 retired_slots = 0;  ///< Slots whose generation is used up; they are never given out again.
  u64 bytes = 0;          ///< Held: cells and tables.
  u64 used_bytes = 0;     ///< sizeof of what lives here.
  u64 wasted_bytes = 0;   ///< What it leaves of its cells: internal fragmentation.
  u64 rejected = 0;       ///< Objects of this tray's size that found no room.
  u64 spilled = 0;        ///< Objects of this tray's size that went to a larger tray.
  u64 taken_in = 0;       ///< Objects that came here from a smaller one.
};

/// A whole pool of mixed types. Always true: made == released + live.
struct CellPoolStats {
  u32 live = 0;
  u32 retired_slots = 0;
  u64 made = 0;
  u64 released = 0;
  u64 rejected = 0;         ///< make() that gave the null handle.
  u64 too_large = 0;        ///< Of these: the type fits no tray, free or not.
  u64 spilled = 0;
  u64 bytes = 0;            ///< These three over all trays.
  u64 used_bytes = 0;
  u64 wasted_bytes = 0;
  u64 double_releases = 0;  ///< release() of a handle whose object had ended last in that slot.
  u64 stale_handles = 0;    ///< These three by release() and get(); a null handle is no fault.
  u64 wrong_types = 0;
  u64 foreign_handles = 0;  ///< Of another pool, or of no object that was ever in this one.

  CellRelease refuse_release(CellRelease why) {
    if (why == CellRelease::DoubleRelease) {
      ++double_releases;
    } else {
      refuse_get(why);
    }
    return why;
  }
  void refuse_get(CellRelease why) {
    if (why == CellRelease::DoubleRelease || why == CellRelease::StaleHandle) ++stale_handles;
    if (why == CellRelease::WrongType) ++wrong_types;
    if (why == CellRelease::ForeignHandle) ++foreign_handles;
  }
};

/// The number of a new pool; 0 belongs to none.
inline u16 next_pool_number() {
  static std::atomic<u32> made{0};
  return static_cast<u16>(made.fetch_add(1, std::memory_order_relaxed) % 0xffffu + 1);
}

template <class T>
void destroy_as(void* cell) {
  static_cast<T*>(cell)->~T();
}

/// Cells of one size for objects of any type that fits: the part that SizeClassPool (several trays) and VariantPool
/// (one) share. It knows slots, which of them are live, and generations; what a tag says about the type, and
/// destructors, are the pool's.
///
/// Layout   One allocation:
///            cells        slots × cell_bytes       cell_bytes a multiple of align, align at least 8
///            occupied     slots / 64 × u64         one bit a slot, for walks
///            tags         slots × Tag              whose type lives there
///            generations  slots × Generation       odd = live (see storage.hpp)
///          The free list is in the free cells: 4 bytes each, the next free slot. LIFO.
/// Cost     All O(1), walks O(live + slots/64).
/// Rules    A slot is taken before its object's constructor runs and put back after the destructor has: both may use
///          the pool.
/// Threads  One owner.
template <class Tag, std::unsigned_integral Generation>
class CellTray {
  using Rule = GenerationRule<Generation>;
  static_assert(std::is_trivially_copyable_v<Tag> && alignof(Tag) <= 8);

 public:
  CellTray(std::size_t cell_bytes, std::size_t align, u32 slots) : slots_(slots), open_(slots) {
    SPELLPOOL_ASSERT(std::has_single_bit(align));
    align_ = align < kLeastAlign ? kLeastAlign : align;
    cell_bytes_ = cell_bytes_for(cell_bytes, align);
    const std::size_t words_at = cell_bytes_ * slots;  // a multiple of 8
    const std::size_t tags_at = words_at + sizeof(u64) * word_count();
    const std::size_t generations_at = round_up(tags_at + sizeof(Tag) * slots, alignof(Generation));
    bytes_ = generations_at + sizeof(Generation) * slots;
    block_ = static_cast<std::byte*>(::operator new(bytes_, block_align()));
    occupied_ = reinterpret_cast<u64*>(block_ + words_at);
    tags_ = reinterpret_cast<Tag*>(block_ + tags_at);
    generations_ = reinterpret_cast<Generation*>(block_ + generations_at);
    for (u32 word = 0; word < word_count(); ++word) occupied_[word] = 0;
    for (u32 slot = 0; slot < slots; ++slot) {
      tags_[slot] = Tag{};
      generations_[slot] = Rule::kFresh;
    }
    for (u32 slot = slots; slot-- > 0;) put_back(slot);
  }
  CellTray(CellTray&& other) noexcept { swap(other); }
  CellTray& operator=(CellTray&& other) noexcept {
    swap(other);
    return *this;
  }
  /// The objects have been ended by the pool.
  ~CellTray() {
    SPELLPOOL_ASSERT(live_ == 0);
    if (!block_) return;
    unpoison(block_, bytes_);
    ::operator delete(block_, block_align());
  }

  static constexpr std::size_t cell_bytes_for(std::size_t bytes, std::size_t align) {
    return round_up(bytes == 0 ? 1 : bytes, align < kLeastAlign ? kLeastAlign : align);
  }
  bool has_free() const { return first_free_ < open_; }
  /// From now on no slot is free for make(): the pool is being destroyed.
  void close() { open_ = 0; }
  /// Makes T in a free slot, which there is. If the constructor throws, the slot is free again.
  template <class T, class... Args>
  u32 make(Tag tag, Args&&... args) {
    SPELLPOOL_ASSERT(has_free() && sizeof(T) <= cell_bytes_ && alignof(T) <= align_);
    Taken taken{*this, pop_free(sizeof(T))};
    construct<T>(cell(taken.slot), std::forward<Args>(args)...);
    taken.made = true;
    tags_[taken.slot] = tag;
    generations_[taken.slot] = Rule::when_taken(generations_[taken.slot]);
    occupied_[taken.slot / 64] |= u64{1} << (taken.slot % 64);
    used_bytes_ += sizeof(T);
    if (++live_ > peak_) peak_ = live_;
    return taken.slot;
  }
  /// Destroys the object of a live slot: destroy(cell) runs its destructor, `bytes` is its sizeof. Its
  /// handle is stale at once.
  void end(u32 slot, void (*destroy)(void*), std::size_t bytes) {
    SPELLPOOL_ASSERT(is_live(slot));
    used_bytes_ -= bytes;
    occupied_[slot / 64] &= ~(u64{1} << (slot % 64));
    generations_[slot] = Rule::when_freed(generations_[slot]);
    --live_;
    destroy(cell(slot));
    put_back(slot);
  }

  /// Released if an object of this generation lives in the slot.
  CellRelease check(u32 slot, Generation generation) const {
    if (generation == 0) return CellRelease::NullHandle;
    if (slot >= slots_) return CellRelease::ForeignHandle;
    if (generations_[slot] == generation && Rule::is_live(generation)) return CellRelease::Released;
    switch (Rule::mismatch(generation, generations_[slot])) {
      case ReleaseResult::DoubleRelease: return CellRelease::DoubleRelease;
      case ReleaseResult::ForeignHandle: return CellRelease::ForeignHandle;
      default: return CellRelease::StaleHandle;
    }
  }

  /// f(slot) for every live slot, by slot number. f may end that slot or others; a slot that begins meanwhile may be
  /// missed.
  template <class F>
  void for_each_slot(F&& f) const {
    for (u32 word = 0; word < word_count(); ++word) {
      for (u64 bits = occupied_[word]; bits != 0; bits &= bits - 1) {
        const u32 slot = word * 64 + static_cast<u32>(std::countr_zero(bits));
        if (is_live(slot)) f(slot);
      }
    }
  }

  std::byte* cell(u32 slot) const { return block_ + cell_bytes_ * slot; }
  Tag tag(u32 slot) const { return tags_[slot]; }
  Generation generation(u32 slot) const { return generations_[slot]; }
  bool is_live(u32 slot) const { return slot < slots_ && Rule::is_live(generations_[slot]); }
  bool fits(std::size_t bytes, std::size_t align) const { return bytes <= cell_bytes_ && align <= align_; }
  u32 slots() const { return slots_; }
  u32 live() const { return live_; }
  u64 waste() const { return u64{live_} * cell_bytes_ - used_bytes_; }
  TrayStats stats() const {
    TrayStats stats;
    stats.cell_bytes = cell_bytes_;
    stats.align = align_;
    stats.slots = slots_;
    stats.live = live_;
    stats.peak = peak_;
    stats.retired_slots = retired_;
    stats.bytes = bytes_;
    stats.used_bytes = used_bytes_;
    stats.wasted_bytes = waste();
    return stats;
  }

 private:
  /// A slot between pop_free() and the end of its constructor. A guard and no catch: so it also builds without
  /// exceptions.
  struct Taken {
    CellTray& tray;
    u32 slot;
    bool made = false;
    ~Taken() {
      if (!made) tray.put_back(slot);
    }
  };

  static constexpr std::size_t kLeastAlign = 8;  // of the words behind the cells, and of what ASan can poison
  static constexpr std::size_t round_up(std::size_t bytes, std::size_t align) {
    return (bytes + align - 1) / align * align;
  }
  std::align_val_t block_align() const { return std::align_val_t{align_ < 64 ? 64 : align_}; }  // cells start on a cache line
  u32 word_count() const { return slots_ / 64 + (slots_ % 64 != 0); }

  u32 pop_free(std::size_t bytes) {
    const u32 slot = first_free_;
    unpoison(cell(slot), sizeof(u32));
    std::memcpy(&first_free_, cell(slot), sizeof(u32));
    poison(cell(slot), cell_bytes_);
    unpoison(cell(slot), bytes);  // what the object leaves of its cell stays poisoned
    return slot;
  }
  void put_back(u32 slot) {
    if (generations_[slot] == Rule::kRetired) {
      ++retired_;
    } else {
      unpoison(cell(slot), sizeof(u32));
      std::memcpy(cell(slot), &first_free_, sizeof(u32));
      first_free_ = slot;
    }
    poison(cell(slot), cell_bytes_);
  }
  void swap(CellTray& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(occupied_, other.occupied_);
    std::swap(tags_, other.tags_);
    std::swap(generations_, other.generations_);
    std::swap(cell_bytes_, other.cell_bytes_);
    std::swap(align_, other.align_);
    std::swap(bytes_, other.bytes_);
    std::swap(used_bytes_, other.used_bytes_);
    std::swap(slots_, other.slots_);
    std::swap(open_, other.open_);
    std::swap(live_, other.live_);
    std::swap(peak_, other.peak_);
    std::swap(retired_, other.retired_);
    std::swap(first_free_, other.first_free_);
  }

  std::byte* block_ = nullptr;
  u64* occupied_ = nullptr;
  Tag* tags_ = nullptr;
  Generation* generations_ = nullptr;
  std::size_t cell_bytes_ = kLeastAlign;
  std::size_t align_ = kLeastAlign;
  std::size_t bytes_ = 0;
  u64 used_bytes_ = 0;
  u32 slots_ = 0;
  u32 open_ = 0;  // slots_, or 0 after close()
  u32 live_ = 0;
  u32 peak_ = 0;
  u32 retired_ = 0;
  u32 first_free_ = kNoSlot;
};

}  // namespace spellpool::pool
