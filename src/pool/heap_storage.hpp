#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "core/assert.hpp"
#include "pool/storage.hpp"

namespace spellpool::pool {

/// new/delete done well: what a careful programmer writes before he reaches for a pool. No straw man: no erase from the
/// middle, no std::find, no growth in the middle of a frame.
///
/// Layout   dense_        live × {T*, slot}           packed; swap-and-pop keeps it so
///          places_       slots × u32                 where in dense_ a slot's object is; a free slot keeps the next free
///          generations_  slots × Generation          odd = live
///          Each T is a heap block of its own (glibc: 16 bytes of header and rounding on top).
/// Cost     insert: one operator new. erase: one operator delete and a swap-and-pop. find O(1). Walks O(live), through a
///          pointer each.
/// Order    Walks go by dense_, which erasing shuffles.
/// Moves    Objects never, until a switch of strategy or capacity makes a new storage; places in dense_ do.
/// Threads  One owner.
template <class T, std::unsigned_integral Generation = u32>
class HeapStorage {
  using Rule = GenerationRule<Generation>;
  struct Entry {
    T* object;
    u32 slot;
  };

 public:
  using Value = T;
  using GenerationType = Generation;
  using HandleType = Handle<T, u32, Generation>;
  static constexpr StrategyId kStrategy = StrategyId::Heap;
  struct Adopt {};

  explicit HeapStorage(u32 slots) : HeapStorage(Adopt{}, slots, 0, [](u32) { return Rule::kFresh; }) { finish_adoption(); }

  /// First step of migrate(): see FreeListStorage.
  template <class GenerationOf>
  HeapStorage(Adopt, u32 slots, u32 known_generations, GenerationOf generation_of) : slots_(slots) {
    dense_.reserve(slots);
    places_.assign(slots, kNoSlot);
    generations_.assign(known_generations > slots ? known_generations : slots, Rule::kFresh);
    for (u32 i = 0; i < known_generations; ++i) generations_[i] = generation_of(i);
    new_calls_ = 3;
  }
  void adopt(u32 slot, T&& value) {
    SPELLPOOL_ASSERT(slot < slots_ && Rule::is_live(generations_[slot]));
    place(slot, new T(std::move(value)));
  }
  void finish_adoption() {
    first_free_ = kNoSlot;
    retired_ = 0;
    for (u32 slot = slots_; slot-- > 0;) {
      if (Rule::is_usable(generations_[slot])) push_free(slot);
      if (generations_[slot] == Rule::kRetired) ++retired_;
    }
  }

  HeapStorage(HeapStorage&& other) noexcept { swap(other); }
  HeapStorage& operator=(HeapStorage&& other) noexcept {
    swap(other);
    return *this;
  }
  ~HeapStorage() {
    for (const Entry& entry : dense_) delete entry.object;
  }

  template <class... Args>
  HandleType insert(Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    T* object = new T{std::forward<Args>(args)...};  // if this throws, nothing has changed yet
    const u32 slot = first_free_;
    first_free_ = places_[slot];
    generations_[slot] = Rule::tenant_in(generations_[slot]);
    place(slot, object);
    return {slot, generations_[slot]};
  }

  T* find(HandleType handle) {
    if (handle.index >= slots_ || !Rule::is_live(handle.generation) || generations_[handle.index] != handle.generation) return nullptr;
    return dense_[places_[handle.index]].object;
  }

  void erase_slot(u32 slot) {
    SPELLPOOL_ASSERT(slot < slots_ && Rule::is_live(generations_[slot]));
    const u32 hole = places_[slot];
    delete dense_[hole].object;
    dense_[hole] = dense_.back();
    places_[dense_[hole].slot] = hole;
    dense_.pop_back();
    generations_[slot] = Rule::tenant_out(generations_[slot]);
    if (generations_[slot] == Rule::kRetired) {
      ++retired_;
      return;
    }
    push_free(slot);
  }

  /// Calls f(slot, object) for every live object. f must neither insert nor erase.
  template <class F>
  void for_each_slot(F&& f) {
    for (const Entry& entry : dense_) f(entry.slot, *entry.object);
  }
  template <class F>
  void for_each_slot(F&& f) const {
    for (const Entry& entry : dense_) f(entry.slot, static_cast<const T&>(*entry.object));
  }

  /// Ends every object for which dead(object) holds, telling on_erased(slot) just before each.
  template <class Dead, class OnErased>
  u32 erase_if(Dead&& dead, OnErased&& on_erased) {
    u32 erased = 0;
    for (std::size_t i = 0; i < dense_.size();) {
      if (!dead(*dense_[i].object)) {
        ++i;
        continue;
      }
      on_erased(dense_[i].slot);
      erase_slot(dense_[i].slot);  // the last entry comes to place i and is looked at next
      ++erased;
    }
    return erased;
  }

  u32 slots() const { return slots_; }
  u32 live() const { return static_cast<u32>(dense_.size()); }
  bool has_free() const { return first_free_ != kNoSlot; }
  u32 retired() const { return retired_; }
  u64 bytes() const {
    return dense_.capacity() * sizeof(Entry) + places_.capacity() * sizeof(u32) + generations_.capacity() * sizeof(Generation) +
           dense_.size() * sizeof(T);
  }
  u64 new_calls() const { return new_calls_; }
  u32 generation_count() const { return static_cast<u32>(generations_.size()); }
  Generation generation(u32 slot) const { return generations_[slot]; }

 private:
  void place(u32 slot, T* object) {
    places_[slot] = static_cast<u32>(dense_.size());
    dense_.push_back({object, slot});
    ++new_calls_;
  }
  void push_free(u32 slot) {
    places_[slot] = first_free_;
    first_free_ = slot;
  }
  void swap(HeapStorage& other) noexcept {
    dense_.swap(other.dense_);
    places_.swap(other.places_);
    generations_.swap(other.generations_);
    std::swap(new_calls_, other.new_calls_);
    std::swap(slots_, other.slots_);
    std::swap(retired_, other.retired_);
    std::swap(first_free_, other.first_free_);
  }

  std::vector<Entry> dense_;
  std::vector<u32> places_;
  std::vector<Generation> generations_;
  u64 new_calls_ = 0;
  u32 slots_ = 0;
  u32 retired_ = 0;
  u32 first_free_ = kNoSlot;
};

}  // namespace spellpool::pool
