#pragma once
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/assert.hpp"
#include "pool/dense_index.hpp"
#include "pool/heap_memory.hpp"
#include "pool/storage.hpp"

namespace spellpool::pool {

/// new/delete done well: what a careful programmer writes before he reaches for a pool. No straw man: no erase from the
/// middle, no std::find, no growth in the middle of a frame. Memory says whose new and delete it is (heap_memory.hpp).
///
/// Layout   dense_   live × T*      packed; swap-and-pop keeps it so
///          index_   DenseIndex     which slot is where in dense_
///          Each T is a block of its own (with glibc's malloc: 16 bytes of header and rounding on top).
/// Cost     spawn: one allocation. release: one deallocation and a swap-and-pop. find O(1). Walk O(live), through a pointer
///          each.
/// Order    Walks go by dense_, which releases shuffle.
/// Moves    Objects never, until a switch of strategy or capacity makes a new storage; places in dense_ do.
/// Threads  One owner.
template <class T, std::unsigned_integral Generation, class Memory>
class HeapStorage {
 public:
  using Value = T;
  using GenerationType = Generation;
  using HandleType = Handle<T, u32, Generation>;
  using Pointer = T*;
  using ConstPointer = const T*;
  static constexpr StrategyId kStrategy = Memory::kStrategy;
  static constexpr bool kStable = true;
  struct Adopt {};

  explicit HeapStorage(u32 slots) : HeapStorage(Adopt{}, slots, {}) { finish_adoption(); }
  /// First step of migrate(): see CellStorage.
  HeapStorage(Adopt, u32 slots, const GenerationTable<Generation>& known)
      : memory_(slots, sizeof(T), alignof(T)), index_(slots, known), dense_(slots) {}
  void adopt(u32 slot, T&& value) {
    dense_[live_] = make(std::move(value));
    index_.swap_places(index_.place_of(slot), live_++);
  }
  void finish_adoption() { index_.finish_adoption(live_); }

  HeapStorage(HeapStorage&& other) noexcept : memory_(std::move(other.memory_)), index_(std::move(other.index_)), dense_(std::move(other.dense_)) {
    std::swap(live_, other.live_);
    std::swap(fill_, other.fill_);
  }
  HeapStorage& operator=(HeapStorage&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(index_, other.index_);
    std::swap(dense_, other.dense_);
    std::swap(live_, other.live_);
    std::swap(fill_, other.fill_);
    return *this;
  }
  ~HeapStorage() {
    for (u32 place = 0; place < live_; ++place) end(dense_[place]);
  }

  template <class... Args>
  HandleType insert(Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    dense_[live_] = make(std::forward<Args>(args)...);  // if this throws, nothing has changed yet
    const u32 slot = index_.enter(live_++);
    return {slot, index_.generations()[slot]};
  }

  T* find(HandleType handle) {
    return index_.generations().resolves(handle.index, handle.generation) ? dense_[index_.place_of(handle.index)] : nullptr;
  }
  const T* find(HandleType handle) const { return const_cast<HeapStorage*>(this)->find(handle); }

  bool erase_slot(u32 slot) {
    SPELLPOOL_ASSERT(index_.generations().is_live(slot));
    const u32 hole = index_.place_of(slot), last = --live_;
    end(dense_[hole]);
    dense_[hole] = dense_[last];
    index_.swap_places(hole, last);
    if (index_.leave(slot)) [[likely]] return true;
    index_.bury(last);
    return false;
  }

  /// Calls f(slot, object) for every live object. f must neither insert nor erase.
  template <class F>
  void for_each_slot(F&& f) {
    for (u32 place = 0; place < live_; ++place) f(index_.slot_at(place), *dense_[place]);
  }
  template <class F>
  void for_each_slot(F&& f) const {
    for (u32 place = 0; place < live_; ++place) f(index_.slot_at(place), std::as_const(*dense_[place]));
  }
  template <class Dead, class OnErased>
  u32 erase_if(Dead&& dead, OnErased&& on_erased) {
    const u32 before = live_;
    for (u32 place = 0; place < live_;) {
      if (!ask_dead(dead, *dense_[place])) {
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
  static constexpr PlaceKind kPlaces = PlaceKind::Pointers;
  u32 place_of(u32 slot) const { return index_.place_of(slot); }
  u32 slot_at(u32 place) const { return index_.slot_at(place); }
  std::size_t copy_place(u32 place, std::byte* to, std::size_t most, std::size_t from = 0) const {
    if (place >= live_) return 0;
    const std::size_t count = sizeof(T) - from < most ? sizeof(T) - from : most;
    std::memcpy(to, reinterpret_cast<const std::byte*>(dense_[place]) + from, count);
    return count;
  }
  u32 object_at() const { return 0; }

  u32 slots() const { return index_.slots(); }
  u32 live() const { return live_; }
  bool has_free() const { return live_ < index_.usable_end(); }
  u32 retired() const { return index_.generations().retired(); }
  u64 bytes() const { return dense_.capacity() * sizeof(T*) + index_.bytes() + memory_.bytes(); }
  u64 new_calls() const { return 4 + memory_.new_calls(); }
  const GenerationTable<Generation>& generations() const { return index_.generations(); }
  const Memory& memory() const { return memory_; }

 private:
  template <class... Args>
  T* make(Args&&... args) {
    Block block{memory_, memory_.allocate(sizeof(T), alignof(T))};
    if (fill_) [[unlikely]] std::memset(block.at, 0xCD, sizeof(T));
    T* object = ::new (block.at) T{std::forward<Args>(args)...};
    block.at = nullptr;
    return object;
  }
  void end(T* object) {
    object->~T();
    if (fill_) [[unlikely]] std::memset(static_cast<void*>(object), 0xDD, sizeof(T));
    memory_.deallocate(object, sizeof(T), alignof(T));
  }
  struct Block {
    Memory& memory;
    void* at;
    ~Block() {
      if (at) memory.deallocate(at, sizeof(T), alignof(T));
    }
  };

  Memory memory_;
  DenseIndex<Generation> index_;
  std::vector<T*> dense_;
  u32 live_ = 0;
  bool fill_ = false;
};

}  // namespace spellpool::pool
