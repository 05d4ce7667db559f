#pragma once
#include <concepts>

#include "core/handle.hpp"
#include "pool/policy.hpp"

namespace spellpool::pool {

using spellpool::Handle;

/// The generation of a slot. Odd: an object lives here. Even: the slot is free. It only rises: 2 (fresh),
/// 3 (first object), 4 (free again), 5 … After the last odd value it becomes kRetired and the slot is never
/// used again, so a stale handle never becomes valid again. A 32-bit generation allows 2^31 - 1 objects per
/// slot.
template <std::unsigned_integral Generation>
struct GenerationRule {
  static constexpr Generation kRetired = 0;
  static constexpr Generation kFresh = 2;
  /// The generation of the slot's last object.
  static constexpr Generation kLast = static_cast<Generation>(~Generation{0});

  static constexpr bool is_live(Generation g) { return (g & 1u) != 0; }
  static constexpr bool is_usable(Generation g) { return !is_live(g) && g != kRetired; }
  /// The generation that follows `g`: when an object enters the slot, and when it leaves.
  static constexpr Generation when_taken(Generation g) { return static_cast<Generation>(g + 1u); }
  static constexpr Generation when_freed(Generation g) { return static_cast<Generation>(g + 1u); }  // 255 + 1 wraps to kRetired

  /// Why a handle with generation `asked` does not match a slot with generation `now`. An even generation
  /// names no object, and one above `now` has not been issued yet: such a handle is forged or belongs to
  /// another pool.
  static constexpr ReleaseResult mismatch(Generation asked, Generation now) {
    if (asked == 0) return ReleaseResult::NullHandle;
    if (!is_live(asked) || (now != kRetired && asked > now)) return ReleaseResult::ForeignHandle;
    return static_cast<Generation>(asked + 1u) == now ? ReleaseResult::DoubleRelease : ReleaseResult::StaleHandle;
  }
};

/// The generation of every slot that a storage has or ever had. Handles are checked against it.
/// Layout   Generation[known]. A slot that a smaller capacity dropped keeps its generation, so that handles to it
///          stay stale when it comes back.
template <std::unsigned_integral Generation>
class GenerationTable {
  using Rule = GenerationRule<Generation>;

 public:
  /// A table of `slots` slots, with the generations that `known` has for them.
  SPELLPOOL_APART GenerationTable(u32 slots, const GenerationTable& known, PoolMemory* memory) : of_(memory) {
    of_.reserve(known.of_.size() > slots ? known.of_.size() : slots);
    of_ = known.of_;
    if (slots > of_.size()) of_.resize(slots, Rule::kFresh);
    use(slots);
  }
  explicit GenerationTable(PoolMemory* memory = nullptr) : of_(memory) {}

  /// Makes room for extend(). Returns the number of allocations.
  u32 reserve(u32 slots) { return of_.reserve(slots); }
  /// Adds slots. Does not throw after reserve().
  SPELLPOOL_APART void extend(u32 slots) {
    if (slots > of_.size()) of_.resize(slots, Rule::kFresh);
    for (u32 slot = in_use_; slot < slots; ++slot) retired_ += of_[slot] == Rule::kRetired;
    in_use_ = slots;
  }
  /// Takes over the generations of another table of the same size. Allocates nothing.
  void begin_again(const GenerationTable& known) {
    SPELLPOOL_ASSERT(known.of_.size() == of_.size());
    of_ = known.of_;
    if (known.in_use_ == in_use_) {
      retired_ = known.retired_;
    } else {
      use(in_use_);
    }
  }
  /// Removes slots; their generations are kept.
  void shrink(u32 slots) { use(slots); }
  bool resolves(u32 slot, Generation generation) const { return slot < of_.size() && holds(slot, generation); }
  /// Why a handle does not resolve.
  SPELLPOOL_RARE ReleaseResult mismatch(u32 slot, Generation generation) const {
    if (generation == Generation{}) return ReleaseResult::NullHandle;
    if (slot >= of_.size()) return ReleaseResult::ForeignHandle;
    return Rule::mismatch(generation, of_[slot]);
  }
  /// Like resolves(), for a slot that the table has.
  bool holds(u32 slot, Generation generation) const { return Rule::is_live(generation) && of_[slot] == generation; }
  bool is_live(u32 slot) const { return slot < of_.size() && Rule::is_live(of_[slot]); }
  bool is_usable(u32 slot) const { return Rule::is_usable(of_[slot]); }
  Generation begin_use(u32 slot) { return of_[slot] = Rule::when_taken(of_[slot]); }
  /// False: the slot is retired and must not be used again.
  bool end_use(u32 slot) {
    of_[slot] = Rule::when_freed(of_[slot]);
    if (of_[slot] != Rule::kRetired) return true;
    ++retired_;
    return false;
  }
  /// The same for a caller that has the slot's generation, which is not the last one.
  void end_use(u32 slot, Generation now) { of_[slot] = Rule::when_freed(now); }

  /// The next slot from `slot` on that holds an object, or kNoSlot.
  u32 next_live(u32 slot) const {
    while (slot < in_use_ && !Rule::is_live(of_[slot])) ++slot;
    return slot < in_use_ ? slot : kNoSlot;
  }

  Generation operator[](u32 slot) const { return of_[slot]; }
  u32 known() const { return static_cast<u32>(of_.size()); }
  u32 retired() const { return retired_; }  ///< Of the slots in use.
  u64 bytes() const { return of_.bytes(); }

 private:
  SPELLPOOL_APART void use(u32 slots) {
    retired_ = 0;
    for (u32 slot = 0; slot < slots; ++slot) retired_ += of_[slot] == Rule::kRetired;
    in_use_ = slots;
  }

  Table<Generation> of_;
  u32 retired_ = 0, in_use_ = 0;
};

/// For storages that pack their objects and move them: the place of each slot's object, and the slot of each place.
/// Handles name slots, so they survive each move.
///
///   place   0 … live - 1            … usable_end - 1        … slots - 1
///           objects                 slots that are free     slots that are retired
///
/// The two tables are each other's inverse, always: every slot stands at some place. So there is no list of
/// free slots: the next free slot stands at the place where its object will lie, and insert_n() reads the table
/// from left to right.
/// Layout   place_[slots] u32, slot_[slots] u32, the generations: 12 bytes a slot with 32-bit generations.
/// Cost     Every operation O(1), with no chain to follow.
/// Source   Briggs and Torczon, "An efficient representation for sparse sets", 1993.
template <std::unsigned_integral Generation>
class DenseIndex {
 public:
  SPELLPOOL_APART DenseIndex(u32 slots, const GenerationTable<Generation>& known, PoolMemory* memory)
      : generations_(slots, known, memory), place_(memory), slot_(memory), usable_end_(slots) {
    place_.resize(slots);
    slot_.resize(slots);
    for (u32 slot = 0; slot < slots; ++slot) place_[slot] = slot_[slot] = slot;
  }
  DenseIndex() = default;
  /// Resets to these generations, of the same number of slots. Allocates nothing.
  SPELLPOOL_APART void begin_again(const GenerationTable<Generation>& known) {
    generations_.begin_again(known);
    usable_end_ = slots();
    for (u32 slot = 0; slot < usable_end_; ++slot) place_[slot] = slot_[slot] = slot;
  }
  /// The same, with the `count` live slots at the first places in this order.
  SPELLPOOL_APART void begin_again(const GenerationTable<Generation>& known, const u32* live, u32 count) {
    generations_.begin_again(known);
    const auto seat = [this](u32 slot, u32 at) {
      slot_[at] = slot;
      place_[slot] = at;
    };
    for (u32 place = 0; place < count; ++place) seat(live[place], place);
    usable_end_ = slots();
    for (u32 slot = 0, place = count; place < usable_end_; ++slot) {
      if (generations_.is_live(slot)) continue;
      if (generations_.is_usable(slot)) seat(slot, place++);
      else seat(slot, --usable_end_);
    }
  }

  /// The slot at a free place becomes live. Returns the slot.
  u32 enter(u32 place) {
    const u32 slot = slot_[place];
    generations_.begin_use(slot);
    return slot;
  }
  /// Frees the slot, which stays at its place. False: it is retired; call retire_place() once its place is free.
  bool leave(u32 slot) { return generations_.end_use(slot); }
  /// The slot at a free place goes behind all usable ones.
  void retire_place(u32 place) { swap_places(place, --usable_end_); }
  void swap_places(u32 a, u32 b) {
    const u32 slot_a = slot_[a], slot_b = slot_[b];
    slot_[a] = slot_b;
    slot_[b] = slot_a;
    place_[slot_b] = a;
    place_[slot_a] = b;
  }
  /// The adopted objects stand at the first `live` places: retired slots go to the end.
  SPELLPOOL_APART void finish_adoption(u32 live) {
    for (u32 place = usable_end_; place-- > live;) {
      if (!generations_.is_usable(slot_[place])) retire_place(place);
    }
  }
  /// Room for extend(). Returns the number of allocations.
  u32 reserve(u32 slots) { return generations_.reserve(slots) + place_.reserve(slots) + slot_.reserve(slots); }
  /// More slots; needs reserve() first, and then does not throw.
  SPELLPOOL_APART void extend(u32 slots) {
    const u32 before = this->slots();
    generations_.extend(slots);
    place_.resize(slots);
    slot_.resize(slots);
    for (u32 slot = before; slot < slots; ++slot) {
      place_[slot] = slot_[slot] = slot;
      if (generations_.is_usable(slot)) swap_places(slot, usable_end_++);
    }
  }
  void swap(DenseIndex& other) noexcept {
    std::swap(generations_, other.generations_);
    place_.swap(other.place_);
    slot_.swap(other.slot_);
    std::swap(usable_end_, other.usable_end_);
  }

  u32 place_of(u32 slot) const { return place_[slot]; }
  u32 slot_at(u32 place) const { return slot_[place]; }
  bool is_live_at(u32 place) const { return GenerationRule<Generation>::is_live(generations_[slot_[place]]); }
  u32 usable_end() const { return usable_end_; }
  u32 slots() const { return static_cast<u32>(place_.size()); }
  const GenerationTable<Generation>& generations() const { return generations_; }
  u64 bytes() const { return place_.bytes() + slot_.bytes() + generations_.bytes(); }

 private:
  GenerationTable<Generation> generations_;
  Table<u32> place_, slot_;
  u32 usable_end_ = 0;
};

/// A place is a position in the memory of a storage. An object that moves to another place keeps its slot's number.
/// The kind of a storage's places: cells whose objects never move, rows between which objects move, or pointers to
/// heap blocks.
enum class Places : u8 { Cells, Rows, Pointers };

/// Constructs a T from the arguments of acquire(): T{args…} if T is an aggregate, otherwise T(args…), like
/// std::vector::emplace_back.
template <class T, class... Args>
T* construct(void* where, Args&&... args) {
  if constexpr (std::is_aggregate_v<T>) {
    return ::new (where) T{std::forward<Args>(args)...};
  } else {
    return ::new (where) T(std::forward<Args>(args)...);
  }
}
template <class T, class... Args>
T make_value(Args&&... args) {
  if constexpr (std::is_aggregate_v<T> || sizeof...(Args) == 0) {
    return T{std::forward<Args>(args)...};
  } else if constexpr (std::is_class_v<T>) {
    return T(std::forward<Args>(args)...);  // without a move; for a non-class type this would be a cast
  } else {
    T value(std::forward<Args>(args)...);
    return value;
  }
}
template <class T, class... Args>
constexpr bool constructs_without_throwing() {
  if constexpr (std::is_aggregate_v<T>) {
    return noexcept(T{std::declval<Args>()...});
  } else {
    return noexcept(T(std::declval<Args>()...));
  }
}
/// True if the construction runs no user code: copies of plain types, and aggregates of plain members.
template <class T, class... Args>
constexpr bool constructs_without_user_code() {
  if constexpr (!std::is_trivially_copyable_v<T> || !std::is_copy_constructible_v<T>) {  // std::mutex is trivially copyable but not copyable
    return false;
  } else if constexpr (sizeof...(Args) == 1 &&
                       (std::is_same_v<std::remove_cv_t<std::remove_reference_t<Args>>, T> && ...)) {
    return true;
  } else if constexpr (std::is_aggregate_v<T>) {
    return constructs_without_throwing<T, Args...>();
  } else {
    return std::is_scalar_v<T>;
  }
}
/// True if destruction runs user code, hooks included.
template <class T>
inline constexpr bool kEndRunsUserCode = !std::is_trivially_destructible_v<T> || requires(T & value) {
  HooksOf<T>::released(value);
}
|| requires(T& value) { HooksOf<T>::discarded(value); };

/// For erase_slot(): nothing is called before the object's destructor.
struct NoCallback {
  template <class T>
  void operator()(T&) const noexcept {}
};

/// Where objects live and how slots are found: the part in which strategies differ. A storage knows slots,
/// objects and generations; capacity, policy and counters are Pool's. Every storage
///   - uses the same handles {slot, generation}, so that objects keep theirs when they move to another storage;
///   - allocates its tables only at construction and when it is enlarged (heap also calls new for each object);
///   - is empty, and safe, when it is default-constructed or moved from.
/// The order of calls makes it safe for constructors and destructors to use the pool. build() constructs an
/// object whose slot no walk visits. place() makes it live and cannot fail. erase_slot() first advances the
/// generation and takes the object out of every table. Then it calls on_erase(object) and the destructor.
/// Then it frees the slot.
/// Stable storages (kStable) never move an object; those that can be enlarged in place have add_slots and
/// drop_slots. Pointer is T*, or RowRef where no whole T lies in memory (dense.hpp).
template <class S>
concept Storage = requires(S s, const S cs, typename S::Value value, typename S::HandleType handle, u32 slot) {
  { S::kStrategy } -> std::convertible_to<StrategyId>;
  { S::kStable } -> std::convertible_to<bool>;
  { cs.slots() } -> std::same_as<u32>;             // slots that can hold objects, retired ones included
  { cs.live() } -> std::same_as<u32>;
  { cs.has_free() } -> std::same_as<bool>;
  { cs.retired() } -> std::same_as<u32>;
  { cs.bytes() } -> std::same_as<u64>;
  { cs.generations() } -> std::same_as<const GenerationTable<typename S::GenerationType>&>;
  { s.build(std::move(value)) };                   // needs has_free() where kBuildsInSlot
  { s.find(handle) } -> std::same_as<typename S::Pointer>;
  { cs.find(handle) } -> std::same_as<typename S::ConstPointer>;
  { s.erase_slot(slot, NoCallback{}) } -> std::same_as<bool>;  // needs a live slot; false: it is retired
  { s.set_fill(true) };
  { cs.new_calls() } -> std::same_as<u64>;
};

/// A storage that can add and remove slots without moving an object.
template <class S>
concept Extendable = requires(S s, u32 slots) {
  s.add_slots(slots);
  s.drop_slots(slots);
};

/// The source of a transfer into a new storage of any kind, type-erased: a storage, whose objects move, or a snapshot,
/// whose objects are copied. So there is one piece of code per kind instead of one per pair of kinds. Handles stay valid: each object
/// keeps its slot number and generation. O(live + slots).
template <class T, std::unsigned_integral Generation>
struct Departure {
  using AdoptObject = void (*)(void* to, u32 slot, T&& value);

  void* from;
  u32 slots, live;
  const GenerationTable<Generation>* generations;
  void (*transfer_all)(void* from, void* to, AdoptObject adopt);

  template <class S>
  static Departure of(S& storage) {
    return {&storage, storage.slots(), storage.live(), &storage.generations(),
            [](void* self, void* to, AdoptObject adopt) {
              S& source = *static_cast<S*>(self);
              if constexpr (std::is_pointer_v<typename S::Pointer>) {  // not a walk: its loops would be compiled for this rare move too
                for (u32 place = 0; (place = source.next_place(place)) != kNoSlot; ++place) {
                  adopt(to, source.slot_at(place), std::move(source.at_place(place)));
                }
              } else {
                source.for_each_slot([&](u32 slot, T& value) { adopt(to, slot, std::move(value)); });
              }
            }};
  }
  /// A new storage with at least `slots` slots. If `from` is a storage, it keeps moved-from objects: destroy it next.
  /// Throws   What an allocation throws, before the first object moves, and what a copy throws. `from` is unchanged then.
  template <class To>
  SPELLPOOL_APART To into(PoolMemory* memory) const {
    static_assert(
        std::is_nothrow_move_constructible_v<T>,
        "a pooled type that moves must have a noexcept move constructor: a move that throws would lose objects");
    To to(typename To::Adopt{}, slots, *generations, live, memory);
    transfer_all(from, &to, [](void* self, u32 slot, T&& value) { static_cast<To*>(self)->adopt(slot, std::move(value)); });
    to.finish_adoption();
    return to;
  }
};

/// The number of slots for a capacity: it plus the retired slots, and above every live slot.
template <std::unsigned_integral Generation>
SPELLPOOL_APART u32 slots_for(const GenerationTable<Generation>& generations, u32 slots_now, u32 capacity) {
  using Rule = GenerationRule<Generation>;
  u32 slots = 0;
  if (generations.retired() == 0 && generations.known() == slots_now) slots = capacity;  // no slot that is known is retired
  for (u32 usable = slots; usable < capacity; ++slots) {
    if (slots >= generations.known() || generations[slots] != Rule::kRetired) ++usable;
  }
  for (u32 slot = generations.known(); slot > slots; --slot) {
    if (generations.is_live(slot - 1)) return slot;
  }
  return slots;
}

}  // namespace spellpool::pool
