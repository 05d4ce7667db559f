#pragma once
#include <bit>
#include <cstdint>

#include "pool/storage.hpp"

namespace spellpool::pool {

/// Cells are aligned to 8 bytes, the granularity of ASan's poisoning.
template <class T>
inline constexpr std::size_t kCellAlign = alignof(T) < 8 ? 8 : alignof(T);
/// sizeof(T) rounded up to 8 bytes: the room of a T in a cell that holds nothing behind it.
template <class T>
inline constexpr std::size_t kCellRoom = (sizeof(T) + 7) / 8 * 8;

/// Which bytes of a free cell name the next free slot.
struct FreeLink {
  u32 at, bytes;
};

/// A cell that holds an object and nothing else: for schemes that keep their lists outside.
template <class T>
struct alignas(kCellAlign<T>) PlainCell {
  union {
    T live;
  };
  PlainCell() {}
  ~PlainCell() {}
  static constexpr std::size_t kRoomBytes = kCellRoom<T>;
};

/// Raw cells in blocks that never move: the addresses of objects in them stay valid while a pool grows.
/// Layout   The first block has the initial cells, contiguous and aligned to a cache line; each later block has the
///          cells added at one time. Access costs one comparison more than in a plain array in the first block, and a
///          search in a later one.
/// Throws   std::bad_alloc; then nothing has changed.
/// Cells are bytes, initially zero: the owner of the blocks constructs and destroys the objects in them.
template <class Cell>
class CellBlocks {
 public:
  explicit CellBlocks(PoolMemory* memory = nullptr) : blocks_(memory), memory_(memory) {}
  CellBlocks(CellBlocks&& other) noexcept { swap(other); }
  CellBlocks& operator=(CellBlocks&& other) noexcept {
    swap(other);
    return *this;
  }
  ~CellBlocks() {
    while (!blocks_.empty()) drop_last();
  }

  Cell& operator[](u32 slot) const {
    if (slot < first_count_) [[likely]] return first_[slot];
    return later(slot);
  }
  /// The first block alone: for code that knows that there is no other.
  struct First {
    Cell* cells;
    Cell& operator[](u32 slot) const { return cells[slot]; }
  };
  First first() const { return {first_}; }

  /// The cells slot … slot + count - 1 if they are contiguous in the first block, otherwise nullptr.
  Cell* run(u32 slot, u32 count) const { return slot + count <= first_count_ ? first_ + slot : nullptr; }

  /// The slot of the cell at this address, or kNoSlot. O(blocks).
  u32 slot_of(const void* address) const {
    for (const Block& block : blocks_) {
      const auto* const first = reinterpret_cast<const std::byte*>(block.cells);
      const auto* const at = static_cast<const std::byte*>(address);
      if (before(at, first) || !before(at, first + sizeof(Cell) * block.count)) continue;
      return block.first + static_cast<u32>(static_cast<std::size_t>(at - first) / sizeof(Cell));
    }
    return kNoSlot;
  }

  /// Allocates the first block with room for `cells` cells without touching it; add() uses it up first.
  /// Returns the number of allocations.
  SPELLPOOL_APART u32 reserve(u32 cells) {
    if (!blocks_.empty() || cells == 0) return 0;
    const u32 calls = 1 + blocks_.reserve(1);
    first_ = static_cast<Cell*>(take_memory(memory_, bytes_of(cells), kAlign));
    poison(first_, bytes_of(cells));
    reserved_ = cells;
    blocks_.push_back({first_, 0, 0, cells});
    return calls;
  }
  /// Returns the number of allocations.
  SPELLPOOL_APART u32 add(u32 cells) {
    const u32 left = blocks_.size() == 1 && reserved_ > first_count_ ? reserved_ - first_count_ : 0;
    if (cells <= left) {
      use_reserve(cells);
      return 0;
    }
    cells -= left;
    const u32 calls = 1 + blocks_.reserve(blocks_.size() + 1);
    Cell* block = static_cast<Cell*>(take_memory(memory_, bytes_of(cells), kAlign));
    std::memset(static_cast<void*>(block), 0, bytes_of(cells));  // touches every page: no fault is left for a frame
    use_reserve(left);
    blocks_.push_back({block, count_, cells, cells});
    count_ += cells;
    bytes_ += sizeof(Cell) * cells;
    if (blocks_.size() == 1) {
      first_ = block;
      first_count_ = cells;
    }
    return calls;
  }
  /// Frees the last block. Its cells must hold no objects.
  SPELLPOOL_APART void drop_last() {
    const Block last = blocks_.back();
    unpoison(last.cells, bytes_of(last.allocated));
    return_memory(memory_, last.cells, bytes_of(last.allocated), kAlign);
    blocks_.pop_back();
    count_ = last.first;
    bytes_ -= sizeof(Cell) * last.count;
    if (blocks_.empty()) {
      first_ = nullptr;
      first_count_ = reserved_ = 0;
    }
  }
  /// The number of cells that remain if all blocks that begin at `keep` or later are freed; the first block stays.
  u32 count_without(u32 keep) const {
    u32 count = count_;
    for (std::size_t i = blocks_.size(); i > 1 && blocks_[i - 1].first >= keep; --i) count = blocks_[i - 1].first;
    return count;
  }
  PoolMemory* memory() const { return memory_; }
  std::size_t blocks() const { return blocks_.size(); }
  u32 count() const { return count_; }
  u64 bytes() const { return bytes_; }

  void swap(CellBlocks& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(first_count_, other.first_count_);
    std::swap(reserved_, other.reserved_);
    std::swap(count_, other.count_);
    std::swap(bytes_, other.bytes_);
    std::swap(memory_, other.memory_);
    blocks_.swap(other.blocks_);
  }

 private:
  struct Block {
    Cell* cells;
    u32 first, count, allocated;
  };
  static constexpr std::size_t kAlign = alignof(Cell) < 64 ? 64 : alignof(Cell);
  static std::size_t bytes_of(u32 cells) { return sizeof(Cell) * (cells > 0 ? cells : 1); }
  static bool before(const std::byte* a, const std::byte* b) {
    return reinterpret_cast<std::uintptr_t>(a) < reinterpret_cast<std::uintptr_t>(b);
  }

  void use_reserve(u32 cells) {
    if (cells == 0) return;
    unpoison(first_ + first_count_, sizeof(Cell) * cells);
    std::memset(static_cast<void*>(first_ + first_count_), 0, sizeof(Cell) * cells);
    first_count_ += cells;
    count_ += cells;
    bytes_ += sizeof(Cell) * cells;
    blocks_[0].count = first_count_;
  }
  SPELLPOOL_APART Cell& later(u32 slot) const {
    std::size_t low = 1, high = blocks_.size() - 1;  // blocks are in order of their first cell
    while (low < high) {
      const std::size_t middle = (low + high + 1) / 2;
      if (blocks_[middle].first <= slot) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return blocks_[low].cells[slot - blocks_[low].first];
  }

  Cell* first_ = nullptr;
  u32 first_count_ = 0;
  u32 reserved_ = 0;  // cells that the first block has memory for; 0 if it has no more than it counts
  u32 count_ = 0;
  u64 bytes_ = 0;
  Table<Block> blocks_;
  PoolMemory* memory_ = nullptr;
};

/// One bit per slot, set while an object lives there: it lets a walk skip free slots.
/// Cost   set, clear O(1). A walk is O(live + slots/64): an empty word costs one test; a full one is a plain loop, and
///        so is each run of set bits in one that is nearly full.
class Occupancy {
 public:
  explicit Occupancy(PoolMemory* memory = nullptr) : words_(memory) {}

  /// Changes the number of slots; existing bits stay. Returns the number of allocations.
  u32 resize(u32 slots) { return words_.resize((std::size_t{slots} + 63) / 64); }

  void clear() {
    for (u64& word : words_) word = 0;
  }
  void set(u32 slot) { words_[slot / 64] |= u64{1} << (slot % 64); }
  /// The bits of slots 64 × word … 64 × word + 63 at once.
  void set_word(u32 word, u64 bits) { words_[word] = bits; }
  void clear(u32 slot) { words_[slot / 64] &= std::rotl(~u64{1}, static_cast<int>(slot % 64)); }

  /// The next set bit from `slot` on, or kNoSlot.
  u32 next(u32 slot) const {
    std::size_t w = slot / 64;
    if (w >= words_.size()) return kNoSlot;
    u64 bits = words_[w] >> (slot % 64);
    if (bits != 0) return slot + static_cast<u32>(std::countr_zero(bits));
    while (++w < words_.size()) {
      if (words_[w] != 0) return static_cast<u32>(w * 64) + static_cast<u32>(std::countr_zero(words_[w]));
    }
    return kNoSlot;
  }

  /// f(slot, cell) for each set bit, by slot number. f may clear the bit that it is called for.
  template <class Cells, class F>
  void for_each(const Cells& cells, F&& f) const {
    for_each_in(0, static_cast<u32>(words_.size()), cells, f);
  }
  /// The same for the words first_word … end_word - 1.
  template <class Cells, class F>
  void for_each_in(u32 first_word, u32 end_word, const Cells& cells, F&& f) const {
    for (u32 w = first_word; w < end_word; ++w) {
      u64 bits = words_[w];
      const u32 base = w * 64;
      if (bits == ~u64{0}) {  // a loop of its own, of constant length: as a run it cost 3 % of a walk by FreeListPool
        if (auto* run = cells.run(base, 64)) [[likely]] {
          for (u32 i = 0; i < 64; ++i) f(base + i, run[i]);
          continue;
        }
      } else if (few_runs(bits)) {
        if (auto* run = cells.run(base, 64 - static_cast<u32>(std::countl_zero(bits)))) [[likely]] {
          do {
            u32 i = static_cast<u32>(std::countr_zero(bits));
            const u32 end = i + static_cast<u32>(std::countr_one(bits >> i));
            for (; i < end; ++i) f(base + i, run[i]);
            bits &= bits + (bits & (0 - bits));  // the carry clears the lowest run
          } while (bits != 0);
          continue;
        }
      }
      for (; bits != 0; bits &= bits - 1) {
        const u32 slot = base + static_cast<u32>(std::countr_zero(bits));
        f(slot, cells[slot]);
      }
    }
  }
  u64 bytes() const { return words_.bytes(); }

 private:
  /// The set bits lie in at most 8 runs, one of which has 8 bits or more. A run costs a mispredicted branch, a bit of
  /// a scan some instructions: with more runs (less than 90 % of the slots taken, at random) the scan is faster.
  static bool few_runs(u64 bits) {
    u64 eight = bits & bits >> 1;
    eight &= eight >> 2;
    eight &= eight >> 4;
    if (eight == 0) return false;
    u64 starts = bits & ~(bits << 1);
    for (u32 i = 0; i < 8; ++i) starts &= starts - 1;
    return starts == 0;
  }

  Table<u64> words_;
};

/// Cells that never move, and a Scheme that keeps track of the free ones: shared by all storages with stable
/// addresses. A scheme is one of the short headers beside this one (free_list.hpp, bitmap.hpp,
/// strategies/index_stack.hpp, …); it has
///
///   Cell                      room for one T (`live`, in a union), and what the scheme keeps beside it or in its bytes while
///                             the cell is free; Cell::kRoomBytes from `live` on belong to nothing then, and are poisoned
///   resize(slots) → calls     tables for that many slots, the new ones neither free nor taken; the number of allocations
///   any_free()
///   is_one_near()             may be absent: a cheaper any_free() of a scheme with slots, where false means unknown
///   take(cells) → slot        the next free slot, by the scheme's own rule: neither free nor taken from now on
///   claim(cells, slot)        such a slot becomes taken: walks visit it
///   unclaim(cells, slot)      a taken slot becomes neither
///   put_back(cells, slot)     a slot that is neither becomes free again
///   offer(cells, slot)        a new slot becomes free; at the start, called from highest to lowest
///   forget(cells, slots)      every slot becomes neither; in all but the first `slots` cells a mark may stay: they will be claimed or offered
///   claim_word(word, bits)    may be absent. After forget(): the slots 64 × word + bit become taken, for each set bit
///   for_each_taken(cells, slots, f)   f(slot, cell); f may unclaim and put back the slot that it is called for
///
/// Layout   Cell[slots], Generation[slots] (odd = live), the scheme's tables.
/// Cost     find O(1); the rest is the scheme's.
/// Moves    Nothing, not even when slots are added: T& and T* stay valid until that object is released. (A switch of
///          strategy moves all objects into a new storage; only handles survive that.)
/// Throws   If T's constructor throws, the slot is free again and the exception passes on.
/// Fill     set_fill(true) writes 0xCD over a cell before its object is constructed and 0xDD after it is destroyed:
///          reads that come too early or too late stand out. Under ASan free cells are also poisoned, so that an
///          access to one is reported.
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
  using Reference = T&;
  using ConstReference = const T&;
  static constexpr StrategyId kStrategy = Scheme<T>::kStrategy;
  static constexpr bool kStable = true;
  static constexpr bool kBuildsInSlot = true;
  struct Adopt {};

  CellStorage() noexcept : CellStorage(nullptr, 0) {}
  CellStorage(u32 slots, PoolMemory* memory) : CellStorage(Adopt{}, slots, GenerationTable<Generation>{}, 0, memory) {
    finish_adoption();
  }
  /// Memory for `slots`, of which the first `ready` can be used; add_slots() makes more of them ready, in the same
  /// block.
  SPELLPOOL_APART CellStorage(u32 slots, u32 ready, PoolMemory* memory) : CellStorage(memory, 0) {
    new_calls_ = cells_.reserve(slots) + generations_.reserve(slots) + scheme_.resize(slots);  // room for all: add_slots() copies no table
    add_slots(ready);
  }

  /// First step of a migration (Departure::into): tables with the given generations, no objects yet. adopt() and
  /// finish_adoption() follow.
  SPELLPOOL_APART CellStorage(Adopt, u32 slots, const GenerationTable<Generation>& known, u32, PoolMemory* memory)
      : cells_(memory), generations_(slots, known, memory), scheme_(scheme_on(memory)) {
    new_calls_ = 1 + cells_.add(slots) + scheme_.resize(slots);
  }
  /// Moves an object into the slot that its handle names. The slot already has the object's generation.
  void adopt(u32 slot, T&& value) {
    SPELLPOOL_ASSERT(slot < slots() && generations_.is_live(slot));
    Cell& cell = cells_[slot];
    unpoison(address_of(cell.live), Cell::kRoomBytes);
    ::new (static_cast<void*>(address_of(cell.live))) T(std::move(value));
    scheme_.claim(cells_, slot);
    ++live_;
  }
  void finish_adoption() { offer_from(0); }
  /// First step of a restoration in place: no objects, the given generations of as many slots. adopt() and
  /// finish_adoption() follow. The objects that were here have no destructors. Allocates nothing.
  SPELLPOOL_APART void begin_again(const GenerationTable<Generation>& known, u32)
    requires requires(Scheme<T> scheme, const CellBlocks<Cell>& cells) { scheme.forget(cells, 0u); }
  {
    generations_.begin_again(known);
    scheme_.forget(cells_, generations_.retired() > 0 ? slots() : 0);  // the others are adopted or offered
    live_ = 0;
  }
  /// A whole restoration in place: `count` objects and their slots, and the generations of as many slots as there
  /// are. Occupancy is written by words, not by object: a bit set by each object in turn would wait for the one
  /// before. Allocates nothing.
  SPELLPOOL_APART void begin_again(const GenerationTable<Generation>& known, const u32* slots_of, const T* values,
                                   u32 count) requires requires(Scheme<T> scheme) {
    scheme.claim_word(0u, u64{});
  }
  {
    generations_.begin_again(known);
    scheme_.forget(cells_, 0);
    live_ = count;
    if (cells_.blocks() == 1) {
      copy_into(cells_.first(), slots_of, values, count);
    } else {
      copy_into(cells_, slots_of, values, count);
    }
    claim_and_offer();
  }

  CellStorage(CellStorage&& other) noexcept : CellStorage() { swap_with(other); }
  CellStorage& operator=(CellStorage&& other) noexcept {
    swap_with(other);
    return *this;
  }
  ~CellStorage() {
    if constexpr (!std::is_trivially_destructible_v<T>) for_each_slot([](u32, T& value) { value.~T(); });
  }

  /// A new object in a slot of its own that no walk visits yet; place() makes it live, and until then its destruction
  /// frees the slot.
  class Built {
   public:
    Built(CellStorage& storage, u32 slot) : storage_(storage), slot_(slot) {}
    Built(const Built&) = delete;
    Built& operator=(const Built&) = delete;
    ~Built() {
      if (slot_ != kNoSlot) storage_.abandon(slot_);
    }

   private:
    friend class CellStorage;
    CellStorage& storage_;
    u32 slot_;
  };
  template <class... Args>
  Built build(Args&&... args) {
    return build_in(cells_, fill_, std::forward<Args>(args)...);
  }
  /// build() of a storage that is plain().
  template <class... Args>
  Built build_plain(Args&&... args) {
    return build_in(cells_.first(), false, std::forward<Args>(args)...);
  }
  HandleType place(Built& built) {
    const u32 slot = std::exchange(built.slot_, kNoSlot);
    scheme_.claim(cells_, slot);
    ++live_;
    return {slot, generations_.begin_use(slot)};
  }
  /// Destroys an object that was built but not placed.
  void discard(Built& built) { abandon(std::exchange(built.slot_, kNoSlot)); }
  /// build() and place in one, if constructs_without_user_code().
  template <class... Args>
  HandleType insert(Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    const u32 slot = scheme_.take(cells_);
    Cell& cell = cells_[slot];
    unpoison(address_of(cell.live), Cell::kRoomBytes);
    if (fill_) std::memset(static_cast<void*>(address_of(cell.live)), 0xCD, sizeof(T));
    construct<T>(static_cast<void*>(address_of(cell.live)), std::forward<Args>(args)...);
    scheme_.claim(cells_, slot);
    ++live_;
    return {slot, generations_.begin_use(slot)};
  }
  /// insert() of a storage that is plain(): what a spawn costs when nothing listens.
  template <class... Args>
  HandleType insert_plain(Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    const auto cells = cells_.first();
    const u32 slot = scheme_.take(cells);
    Cell& cell = cells[slot];
    unpoison(address_of(cell.live), Cell::kRoomBytes);
    construct<T>(static_cast<void*>(address_of(cell.live)), std::forward<Args>(args)...);
    scheme_.claim(cells, slot);
    ++live_;
    return {slot, generations_.begin_use(slot)};
  }
  /// All slots are in the first block, and no bytes are to be filled.
  bool plain() const { return cells_.blocks() == 1 && !fill_; }

  T* find(HandleType handle) {
    return generations_.resolves(handle.index, handle.generation) ? address_of(cells_[handle.index].live) : nullptr;
  }
  const T* find(HandleType handle) const { return const_cast<CellStorage*>(this)->find(handle); }
  /// The object of a live slot.
  T& at_slot(u32 slot) { return cells_[slot].live; }
  const T& at_slot(u32 slot) const { return cells_[slot].live; }

  /// False: the slot is retired and will not be used again.
  template <class OnErase>
  bool erase_slot(u32 slot, OnErase&& on_erase) {
    return erase_cell(slot, cells_[slot], on_erase);
  }
  /// Like erase_slot(), if plain(). The object has this generation, which is not the slot's last one.
  template <class OnErase>
  void erase_plain(u32 slot, Generation generation, OnErase&& on_erase) {
    SPELLPOOL_ASSERT(generations_.holds(slot, generation) && generation != GenerationRule<Generation>::kLast);
    const auto cells = cells_.first();
    Cell& cell = cells[slot];
    scheme_.unclaim(cells, slot);
    --live_;
    generations_.end_use(slot, generation);
    on_erase(cell.live);
    cell.live.~T();
    // The next object's second cache line.
    if constexpr (sizeof(Cell) > 16) prefetch_line(reinterpret_cast<const char*>(&cell + 1) - 1);
    scheme_.put_back(cells, slot);
    poison(address_of(cell.live), Cell::kRoomBytes);
  }

  /// Calls f(slot, object) for every live object. f must neither build nor erase.
  template <class F>
  void for_each_slot(F&& f) {
    scheme_.for_each_taken(cells_, slots(), [&](u32 slot, Cell& cell) { f(slot, cell.live); });
  }
  template <class F>
  void for_each_slot(F&& f) const {
    scheme_.for_each_taken(cells_, slots(), [&](u32 slot, Cell& cell) { f(slot, std::as_const(cell.live)); });
  }
  /// Part `part` of `parts` of the same walk. Parts do not overlap, so that threads can share a walk.
  template <class F>
  void for_each_part(u32 part, u32 parts, F&& f) {
    const u32 words = static_cast<u32>((u64{slots()} + 63) / 64);
    const u32 first = static_cast<u32>(u64{words} * part / parts),
              end = static_cast<u32>(u64{words} * (part + 1) / parts);
    if constexpr (requires { scheme_.for_each_taken_in(first, end, cells_, f); }) {
      scheme_.for_each_taken_in(first, end, cells_, [&](u32 slot, Cell& cell) { f(slot, cell.live); });
    } else {
      const u32 last = end == words ? slots() : end * 64;
      for (u32 slot = first * 64; (slot = next_live(slot)) < last; ++slot) f(slot, cells_[slot].live);
    }
  }
  /// The next slot from `slot` on that holds an object, or kNoSlot.
  u32 next_live(u32 slot) const {
    if constexpr (requires { scheme_.next_taken(slot); }) {
      return scheme_.next_taken(slot);
    } else {
      return generations_.next_live(slot);
    }
  }
  /// Places are slots here.
  u32 next_place(u32 place) const { return next_live(place); }
  T& at_place(u32 place) { return cells_[place].live; }
  const T& at_place(u32 place) const { return cells_[place].live; }
  /// The slot of a live object at this address, or kNoSlot. O(blocks).
  u32 slot_of(const T* object) const {
    const u32 slot = cells_.slot_of(object);
    return slot != kNoSlot && generations_.is_live(slot) && address_of(cells_[slot].live) == object ? slot : kNoSlot;
  }

  /// Destroys every object for which dead(object) holds, calling on_erased(slot) just before each. Destruction runs no
  /// code of the user's.
  template <class Dead, class OnErased>
  void erase_if(Dead&& dead, OnErased&& on_erased) {
    scheme_.for_each_taken(cells_, slots(), [&](u32 slot, Cell& cell) {
      if (!dead(cell.live)) return;
      on_erased(slot);
      erase_cell(slot, cell, NoCallback{});
    });
  }

  /// More slots, in a block of their own: nothing moves. Throws std::bad_alloc; then nothing has changed.
  SPELLPOOL_APART void add_slots(u32 more) {
    const u32 before = slots();
    new_calls_ += generations_.reserve(before + more);
    new_calls_ += scheme_.resize(before + more);
    new_calls_ += cells_.add(more);
    generations_.extend(before + more);
    offer_from(before);
  }
  /// Frees blocks at the end that hold no object, and keeps at least `least` slots. Throws std::bad_alloc;
  /// then nothing has changed.
  SPELLPOOL_RARE void drop_slots(u32 least) {
    u32 highest = 0;
    for (u32 slot = 0; (slot = next_live(slot)) != kNoSlot;) highest = ++slot;
    const u32 keep = least > highest ? least : highest;
    const u32 kept = cells_.count_without(keep);
    if (kept == slots()) return;
    Scheme<T> anew(scheme_on(cells_memory()));
    new_calls_ += anew.resize(kept);  // whatever throws, nothing has changed
    while (slots() > kept) cells_.drop_last();
    generations_.shrink(slots());
    for (u32 slot = 0; (slot = next_live(slot)) != kNoSlot; ++slot) anew.claim(cells_, slot);
    scheme_ = std::move(anew);
    offer_from(0);
  }
  void set_fill(bool on) { fill_ = on; }

  /// f(flag, bytes) for each slot whose flag lies in its cell, so that a walk reads it though the slot is free.
  template <class F>
  void for_each_flag(F&& f) const {
    for (u32 slot = 0; slot < slots(); ++slot) {
      const Cell& cell = cells_[slot];
      if constexpr (requires { cell.state; }) f(&cell.state, sizeof cell.state);
      if constexpr (requires { cell.frames_left; }) f(&cell.frames_left, sizeof cell.frames_left);
    }
  }

  // For inspect/slot_map.hpp.
  static constexpr Places kPlaces = Places::Cells;
  u32 place_of(u32 slot) const { return slot; }
  u32 slot_at(u32 place) const { return place; }
  /// The bytes of a cell from `from` on, whether it is taken or not. Returns how many.
  std::size_t copy_place(u32 place, std::byte* to, std::size_t limit, std::size_t from = 0) const {
    const Cell& cell = cells_[place];
    const std::size_t count = sizeof(Cell) - from < limit ? sizeof(Cell) - from : limit;
    unpoison(&cell, sizeof(Cell));
    std::memcpy(to, reinterpret_cast<const std::byte*>(&cell) + from, count);
    if (!generations_.is_live(place)) poison(address_of(cell.live), Cell::kRoomBytes);
    return count;
  }
  /// Where in a cell's bytes the object is.
  u32 object_at() const {
    if (slots() == 0) return 0;
    const Cell& cell = cells_[0];
    return static_cast<u32>(reinterpret_cast<const char*>(address_of(cell.live)) -
                            reinterpret_cast<const char*>(&cell));
  }
  auto free_link() const
    requires requires { Scheme<T>::kLink; }
  {
    return Scheme<T>::kLink;
  }
  /// f(place) for the places that the next spawns get, in order, at most `limit`; a random scheme cannot tell.
  template <class F>
  void for_each_next(u32 limit, F&& f) const
    requires requires(const Scheme<T>& scheme, const CellBlocks<Cell>& cells) { scheme.for_each_free(cells, limit, f); }
  {
    scheme_.for_each_free(cells_, limit, f);
  }

  u32 slots() const { return cells_.count(); }
  u32 live() const { return live_; }
  bool has_free() const { return scheme_.any_free(); }
  /// For a storage with slots. True: there is a free one. False: unknown. Cheaper than has_free() where that searches.
  bool has_free_near() const {
    if constexpr (requires { scheme_.is_one_near(); }) return scheme_.is_one_near();
    else return scheme_.any_free();
  }
  u32 retired() const { return generations_.retired(); }
  u64 bytes() const { return cells_.bytes() + generations_.bytes() + scheme_.bytes(); }
  u64 new_calls() const { return new_calls_; }
  const GenerationTable<Generation>& generations() const { return generations_; }

  SPELLPOOL_APART void swap_with(CellStorage& other) noexcept {
    cells_.swap(other.cells_);
    std::swap(generations_, other.generations_);
    std::swap(scheme_, other.scheme_);
    std::swap(new_calls_, other.new_calls_);
    std::swap(live_, other.live_);
    std::swap(fill_, other.fill_);
  }

 private:
  template <class Cells, class... Args>
  Built build_in(const Cells& cells, bool fill, Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    const u32 slot = scheme_.take(cells);
    Cell& cell = cells[slot];
    unpoison(address_of(cell.live), Cell::kRoomBytes);
    if (fill) std::memset(static_cast<void*>(address_of(cell.live)), 0xCD, sizeof(T));
    Slot taken{*this, slot};
    construct<T>(static_cast<void*>(address_of(cell.live)), std::forward<Args>(args)...);
    return {*this, std::exchange(taken.slot, kNoSlot)};
  }
  /// A slot whose object's constructor runs.
  struct Slot {
    CellStorage& storage;
    u32 slot;
    ~Slot() {
      if (slot == kNoSlot) return;
      storage.scheme_.put_back(storage.cells_, slot);
      poison(address_of(storage.cells_[slot].live), Cell::kRoomBytes);
    }
  };
  CellStorage(PoolMemory* memory, int) noexcept : cells_(memory), generations_(memory), scheme_(scheme_on(memory)) {}
  static Scheme<T> scheme_on([[maybe_unused]] PoolMemory* memory) {
    if constexpr (std::is_constructible_v<Scheme<T>, PoolMemory*>) {
      return Scheme<T>(memory);
    } else {
      return Scheme<T>();
    }
  }
  PoolMemory* cells_memory() const { return cells_.memory(); }

  /// The cells of a scheme's call that concerns one cell, which the caller has at hand.
  struct OneCell {
    Cell& cell;
    Cell& operator[](u32) const { return cell; }
  };
  template <class OnErase>
  bool erase_cell(u32 slot, Cell& cell, OnErase&& on_erase) {
    SPELLPOOL_ASSERT(generations_.is_live(slot));
    scheme_.unclaim(OneCell{cell}, slot);
    --live_;
    const bool usable = generations_.end_use(slot);
    on_erase(cell.live);
    cell.live.~T();
    if (fill_) [[unlikely]] std::memset(static_cast<void*>(address_of(cell.live)), 0xDD, sizeof(T));
    if (usable) [[likely]] scheme_.put_back(OneCell{cell}, slot);
    poison(address_of(cell.live), Cell::kRoomBytes);
    return usable;
  }
  /// Destroys an object that was built but not placed.
  void abandon(u32 slot) {
    Slot taken{*this, slot};
    cells_[slot].live.~T();
  }
  /// Objects into free cells. Where the slots follow each other, as they do in a full pool, whole runs are copied: a
  /// long memcpy need not read the lines that it writes.
  static void copy_into(const auto& cells, const u32* slots_of, const T* values, u32 count) {
    constexpr u32 kRun = 64;
    for (u32 i = 0, end = 0; i < count; i = end) {
      end = count - i < kRun ? count : i + kRun;
      if constexpr (sizeof(Cell) == sizeof(T) && requires { cells.cells; }) {
        if (end - i == kRun && is_run(slots_of + i, kRun)) {
          Cell* const first = cells.cells + slots_of[i];
          unpoison(first, sizeof(Cell) * kRun);
          std::memcpy(static_cast<void*>(first), static_cast<const void*>(values + i), sizeof(T) * kRun);
          continue;
        }
      }
      for (u32 at = i; at < end; ++at) {
        Cell& cell = cells[slots_of[at]];
        unpoison(address_of(cell.live), Cell::kRoomBytes);
        ::new (static_cast<void*>(address_of(cell.live))) T(values[at]);
      }
    }
  }
  static bool is_run(const u32* slots_of, u32 count) {
    if (slots_of[count - 1] != slots_of[0] + count - 1) return false;
    u32 apart = 0;
    for (u32 i = 0; i < count; ++i) apart |= slots_of[i] ^ (slots_of[0] + i);
    return apart == 0;
  }
  /// Every live slot becomes taken and every other one free, by the generations.
  void claim_and_offer() {
    for (u32 word = (slots() + 63) / 64; word-- > 0;) {
      const u32 base = word * 64, count = slots() - base < 64 ? slots() - base : 64;
      u64 live = 0;
      for (u32 i = 0; i < count; ++i) live |= u64{generations_.is_live(base + i)} << i;
      scheme_.claim_word(word, live);
      for (u64 free = ~live & (~u64{0} >> (64 - count)); free != 0;) {
        const u32 bit = 63 - static_cast<u32>(std::countl_zero(free)), slot = base + bit;
        free ^= u64{1} << bit;
        if (generations_.is_usable(slot)) scheme_.offer(cells_, slot);
        poison(address_of(cells_[slot].live), Cell::kRoomBytes);
      }
    }
  }
  SPELLPOOL_APART void offer_from(u32 first) {
    for (u32 slot = slots(); slot-- > first;) {
      if (generations_.is_live(slot)) continue;
      if (generations_.is_usable(slot)) scheme_.offer(cells_, slot);
      poison(address_of(cells_[slot].live), Cell::kRoomBytes);
    }
  }

  CellBlocks<Cell> cells_;
  GenerationTable<Generation> generations_;
  Scheme<T> scheme_;
  u64 new_calls_ = 0;
  u32 live_ = 0;
  bool fill_ = false;
};

}  // namespace spellpool::pool
