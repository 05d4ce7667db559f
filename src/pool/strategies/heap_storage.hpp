#pragma once
#include "pool/pool.hpp"

namespace spellpool::pool {

// Where HeapStorage gets each object's block from. A memory has
//   kStrategy, Memory(objects, bytes, align)   for at most so many blocks at a time
//   allocate(bytes, align), deallocate(block, bytes, align)
//   new_calls(), bytes()                       of the system's operator new; held now, blocks in use included
//   kExtendable                                more blocks than it was made for are possible
// and is empty, and safe, when it is default-constructed or moved from.

/// operator new and delete, one call an object.
class NewDelete {
 public:
  static constexpr StrategyId kStrategy = StrategyId::Heap;
  static constexpr bool kExtendable = true;

  NewDelete() = default;
  NewDelete(u32, std::size_t bytes, std::size_t) : block_bytes_(block(bytes)) {}
  void* allocate(std::size_t bytes, std::size_t align) {
    void* const memory = align > __STDCPP_DEFAULT_NEW_ALIGNMENT__ ? ::operator new(bytes, std::align_val_t{align})
                                                                  : ::operator new(bytes);
    ++calls_;  // not before: it throws when memory runs out
    ++out_;
    return memory;
  }
  void deallocate(void* memory, std::size_t, std::size_t align) noexcept {
    --out_;
    if (align > __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator delete(memory, std::align_val_t{align});
    ::operator delete(memory);
  }
  u64 new_calls() const { return calls_; }
  u64 bytes() const { return out_ * block_bytes_; }

 private:
  /// What a block takes from common allocators: eight bytes of header, in steps of 16, 32 at least.
  static constexpr u64 block(std::size_t bytes) {
    const u64 rounded = (bytes + 8 + 15) / 16 * 16;
    return rounded < 32 ? 32 : rounded;
  }
  u64 block_bytes_ = 0;
  u64 calls_ = 0, out_ = 0;
};

/// new/delete done well: what a careful programmer writes before reaching for a pool. It is a fair opponent: no erase
/// from the middle, no std::find, no growth in the middle of a frame. Memory says whose new and delete it is
/// (NewDelete; others in heap_memory.hpp).
///
/// Layout   dense_   live × T*      packed; swap-and-pop keeps it so
///          index_   DenseIndex     which slot is where in dense_
///          Each T is a block of its own (with glibc's malloc: 16 bytes of header and rounding on top).
/// Cost     spawn: one allocation. release: one deallocation and a swap-and-pop. find O(1). Walk O(live), through a
///          pointer each.
/// Order    Walks go by dense_, which releases shuffle.
/// Moves    Objects never, until a switch of strategy makes a new storage (console_heap: or a larger capacity);
///          places in dense_ do.
/// Threads  One owner.
template <class T, std::unsigned_integral Generation, class Memory>
class HeapStorage {
 public:
  using Value = T;
  using GenerationType = Generation;
  using HandleType = Handle<T, u32, Generation>;
  using Pointer = T*;
  using ConstPointer = const T*;
  using Reference = T&;
  using ConstReference = const T&;
  static constexpr StrategyId kStrategy = Memory::kStrategy;
  static constexpr bool kStable = true;
  static constexpr bool kBuildsInSlot = false;
  struct Adopt {};

  HeapStorage() = default;
  HeapStorage(u32 slots, PoolMemory* memory) : HeapStorage(Adopt{}, slots, GenerationTable<Generation>{}, 0, memory) {
    finish_adoption();
  }
  /// First step of a migration: see CellStorage. It allocates a block for each of the `live` objects that will be
  /// adopted, so that no allocation can fail once the first of them has moved.
  SPELLPOOL_APART HeapStorage(Adopt, u32 slots, const GenerationTable<Generation>& known, u32 live, PoolMemory* tables)
      : memory_(slots, sizeof(T), alignof(T)), index_(slots, known, tables), dense_(tables) {
    dense_.resize(slots);
    Blocks blocks{*this};
    for (; blocks_ < live; ++blocks_) dense_[blocks_] = static_cast<T*>(memory_.allocate(sizeof(T), alignof(T)));
    blocks.keep = true;
  }
  void adopt(u32 slot, T&& value) {
    SPELLPOOL_ASSERT(live_ < blocks_);
    ::new (static_cast<void*>(dense_[live_])) T(std::move(value));
    index_.swap_places(index_.place_of(slot), live_++);
  }
  void finish_adoption() {
    index_.finish_adoption(live_);
    return_blocks();
  }

  /// First step of a restoration in place: see CellStorage. The blocks that are here are used again, and only what
  /// lacks is allocated.
  SPELLPOOL_APART void begin_again(const GenerationTable<Generation>& known, u32 live) {
    blocks_ = live_;
    Blocks blocks{*this};
    for (; blocks_ < live; ++blocks_) dense_[blocks_] = static_cast<T*>(memory_.allocate(sizeof(T), alignof(T)));
    blocks.keep = true;
    index_.begin_again(known);
    live_ = 0;
  }

  HeapStorage(HeapStorage&& other) noexcept { swap_with(other); }
  HeapStorage& operator=(HeapStorage&& other) noexcept {
    swap_with(other);
    return *this;
  }
  ~HeapStorage() {
    return_blocks();
    for (u32 place = 0; place < live_; ++place) end(dense_[place]);
  }

  /// A new object that no table knows yet.
  class Built {
   public:
    Built(HeapStorage& storage, T* object) : storage_(storage), object_(object) {}
    Built(const Built&) = delete;
    Built& operator=(const Built&) = delete;
    ~Built() {
      if (object_) storage_.end(object_);
    }

   private:
    friend class HeapStorage;
    HeapStorage& storage_;
    T* object_;
  };
  template <class... Args>
  Built build(Args&&... args) {
    return {*this, make(std::forward<Args>(args)...)};
  }
  HandleType place(Built& built) {
    SPELLPOOL_ASSERT(has_free());
    dense_[live_] = std::exchange(built.object_, nullptr);
    const u32 slot = index_.enter(live_++);
    return {slot, index_.generations()[slot]};
  }
  /// Ends an object that was built and is not wanted.
  void discard(Built& built) { end(std::exchange(built.object_, nullptr)); }
  /// One more block can be had. (An object whose destructor runs has no slot any more, and its block still.)
  bool has_block() const
    requires(!Memory::kExtendable)
  {
    return memory_.has_block();
  }
  template <class... Args>
  HandleType insert(Args&&... args) {
    return insert_plain(std::forward<Args>(args)...);
  }
  template <class... Args>
  HandleType insert_plain(Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    T* const object = make(std::forward<Args>(args)...);
    dense_[live_] = object;
    const u32 slot = index_.enter(live_++);
    return {slot, index_.generations()[slot]};
  }
  bool plain() const { return true; }

  T* find(HandleType handle) {
    return index_.generations().resolves(handle.index, handle.generation) ? dense_[index_.place_of(handle.index)]
                                                                          : nullptr;
  }
  const T* find(HandleType handle) const { return const_cast<HeapStorage*>(this)->find(handle); }
  T& at_slot(u32 slot) { return *dense_[index_.place_of(slot)]; }
  const T& at_slot(u32 slot) const { return *dense_[index_.place_of(slot)]; }

  template <class OnErase>
  bool erase_slot(u32 slot, OnErase&& on_erase) {
    SPELLPOOL_ASSERT(index_.generations().is_live(slot));
    const u32 hole = index_.place_of(slot), last = --live_;
    T* const object = dense_[hole];
    dense_[hole] = dense_[last];
    index_.swap_places(hole, last);
    const bool usable = index_.leave(slot);
    if (!usable) [[unlikely]] index_.retire_place(last);
    on_erase(*object);
    end(object);
    return usable;
  }
  template <class OnErase>
  void erase_plain(u32 slot, Generation, OnErase&& on_erase) {
    erase_slot(slot, on_erase);
  }

  /// Calls f(slot, object) for every live object. f must neither build nor erase.
  template <class F>
  void for_each_slot(F&& f) {
    walk(0, live_, f);
  }
  template <class F>
  void for_each_slot(F&& f) const {
    for (u32 place = 0; place < live_; ++place) f(index_.slot_at(place), std::as_const(*dense_[place]));
  }
  template <class F>
  void for_each_part(u32 part, u32 parts, F&& f) {
    walk(static_cast<u32>(u64{live_} * part / parts), static_cast<u32>(u64{live_} * (part + 1) / parts), f);
  }
  u32 next_live(u32 slot) const { return index_.generations().next_live(slot); }
  u32 next_place(u32 place) const { return place < live_ ? place : kNoSlot; }
  T& at_place(u32 place) { return *dense_[place]; }
  const T& at_place(u32 place) const { return *dense_[place]; }

  template <class Dead, class OnErased>
  void erase_if(Dead&& dead, OnErased&& on_erased) {
    for (u32 place = 0; place < live_;) {
      if (!dead(*dense_[place])) {
        ++place;
        continue;
      }
      const u32 slot = index_.slot_at(place);
      on_erased(slot);
      erase_slot(slot, NoCallback{});  // the last one comes here and is looked at next
    }
  }
  /// More slots: the tables grow, no object moves. Throws std::bad_alloc; then nothing has changed.
  SPELLPOOL_RARE void add_slots(u32 more)
    requires(Memory::kExtendable)
  {
    const u32 after = slots() + more;
    table_calls_ += index_.reserve(after) + dense_.reserve(after);
    index_.extend(after);
    dense_.resize(after);
  }
  /// Removes slots above all live objects, and keeps at least `least`. Throws std::bad_alloc; then nothing
  /// has changed.
  SPELLPOOL_RARE void drop_slots(u32 least)
    requires(Memory::kExtendable)
  {
    DenseIndex<Generation> anew(least, index_.generations(), dense_.source());
    Table<T*> objects(dense_.source());
    objects.resize(least);
    for (u32 place = 0; place < live_; ++place) {
      objects[place] = dense_[place];
      anew.swap_places(anew.place_of(index_.slot_at(place)), place);
    }
    anew.finish_adoption(live_);
    index_.swap(anew);
    dense_.swap(objects);
    table_calls_ += 4;
  }
  void set_fill(bool on) { fill_ = on; }

  // For inspect/slot_map.hpp.
  static constexpr Places kPlaces = Places::Pointers;
  u32 place_of(u32 slot) const { return index_.place_of(slot); }
  u32 slot_at(u32 place) const { return index_.slot_at(place); }
  std::size_t copy_place(u32 place, std::byte* to, std::size_t limit, std::size_t from = 0) const {
    if (place >= live_) return 0;
    const std::size_t count = sizeof(T) - from < limit ? sizeof(T) - from : limit;
    std::memcpy(to, reinterpret_cast<const std::byte*>(dense_[place]) + from, count);
    return count;
  }
  u32 object_at() const { return 0; }

  u32 slots() const { return index_.slots(); }
  u32 live() const { return live_; }
  bool has_free() const { return live_ < index_.usable_end(); }
  u32 retired() const { return index_.generations().retired(); }
  u64 bytes() const { return dense_.bytes() + index_.bytes() + memory_.bytes(); }
  u64 new_calls() const { return table_calls_ + memory_.new_calls(); }
  const GenerationTable<Generation>& generations() const { return index_.generations(); }
  const Memory& memory() const { return memory_; }

  SPELLPOOL_APART void swap_with(HeapStorage& other) noexcept {
    std::swap(memory_, other.memory_);
    index_.swap(other.index_);
    dense_.swap(other.dense_);
    std::swap(blocks_, other.blocks_);
    std::swap(table_calls_, other.table_calls_);
    std::swap(live_, other.live_);
    std::swap(fill_, other.fill_);
  }

 private:
  template <class... Args>
  T* make(Args&&... args) {
    Block block{memory_, memory_.allocate(sizeof(T), alignof(T))};
    if (fill_) [[unlikely]] std::memset(block.at, 0xCD, sizeof(T));
    T* object = construct<T>(block.at, std::forward<Args>(args)...);
    block.at = nullptr;
    return object;
  }
  void end(T* object) {
    object->~T();
    if (fill_) [[unlikely]] std::memset(static_cast<void*>(object), 0xDD, sizeof(T));
    memory_.deallocate(object, sizeof(T), alignof(T));
  }
  /// Blocks that were allocated for objects that were not adopted.
  void return_blocks() {
    while (blocks_ > live_) memory_.deallocate(dense_[--blocks_], sizeof(T), alignof(T));
    blocks_ = 0;
  }
  struct Block {
    Memory& memory;
    void* at;
    ~Block() {
      if (at) memory.deallocate(at, sizeof(T), alignof(T));
    }
  };
  struct Blocks {
    HeapStorage& storage;
    bool keep = false;
    ~Blocks() {
      if (!keep) storage.return_blocks();
    }
  };
  template <class F>
  void walk(u32 first, u32 end, F& f) {
    for (u32 place = first; place < end; ++place) f(index_.slot_at(place), *dense_[place]);
  }

  Memory memory_;
  DenseIndex<Generation> index_;
  Table<T*> dense_;
  u32 blocks_ = 0;  // during adoption: blocks in dense_, the first live_ of them with objects
  u64 table_calls_ = 4;
  u32 live_ = 0;
  bool fill_ = false;
};

template <class T, std::unsigned_integral Generation = u32>
using HeapPool = Pool<HeapStorage<T, Generation, NewDelete>>;

}  // namespace spellpool::pool
