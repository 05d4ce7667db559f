#pragma once
#include <concepts>

#include "core/handle.hpp"
#include "pool/base.hpp"

namespace spellpool::pool {

/// How a pool stores its objects. strategy.hpp has a row of names and costs for each strategy.
enum class StrategyId : u8 {
  Heap, FreeList, ActiveFlag, IndexStack, Packed, Queue, Random, Soa, Book, StdFind, Dense, Bitmap, Pmr, ConsoleHeap
};

/// What acquire() does when the pool is full. strategy.hpp has a row for each policy.
enum class PolicyId : u8 { Reject, StealOldest, StealLeast, Grow, Pressure, Assert };

/// A larger capacity is a mistake, such as -1, and is refused with a message.
inline constexpr u32 kMaxCapacity = 1u << 30;
/// True if the capacity is refused.
inline bool refuses_capacity(u32 capacity) {
  if (capacity <= kMaxCapacity) [[likely]] return false;
  misuse("the capacity is above 1,073,741,824. Is it a negative number?");
  return true;
}

/// The size of a pool. Counts are in objects or slots.
struct PoolSize {
  u32 capacity = 1;               ///< Maximum number of live objects; 0 refuses every object, except with PolicyId::Grow.
  u32 prewarm = ~u32{0};          ///< Slots prepared at construction; prewarm() prepares more, or acquire() on demand.
  u32 grow_by = 0;                ///< Slots that PolicyId::Grow adds at a time; 0: half of the capacity, at least 64.
  u32 max_capacity = kMaxCapacity;  ///< PolicyId::Grow stops here and refuses.
  u32 keep_free = 0;              ///< Free slots that trim() keeps.
  PoolMemory* memory = nullptr; ///< Memory of the four pools of pool.hpp, objects and tables; null: operator new.
};

/// Counters of a pool since its construction, and its current state. Changes of strategy, policy or
/// capacity keep them. Invariants: spawned == released + stolen + live, and live + free_slots +
/// retired_slots == slots. (While a constructor or destructor of T runs, that object is neither live nor
/// free.)
struct PoolStats {
  u32 live = 0;
  u32 peak = 0;             ///< Highest value of live so far.
  u32 capacity = 0;         ///< Maximum number of live objects.
  u32 slots = 0;            ///< Slots of the storage; may exceed the capacity, for example where some are retired.
  u32 free_slots = 0;
  u32 retired_slots = 0;    ///< Slots whose generations are used up; never reused.
  u64 spawned = 0;          ///< Calls of acquire() that returned a handle.
  u64 released = 0;         ///< Objects released by release(), release_if(), update_rows() or clear().
  u64 rejected = 0;         ///< Calls of acquire() that returned the null handle.
  u64 stolen = 0;           ///< Objects that the policy destroyed to make room.
  u64 grown = 0;            ///< Times that PolicyId::Grow enlarged the pool.
  u64 trimmed = 0;          ///< Times that trim() shrank the pool.
  u64 accelerated = 0;      ///< Objects aged faster under PolicyId::Pressure; each counts once per step.
  u64 new_calls = 0;        ///< Allocations by the storage, including those of changed strategies.
  u64 bytes = 0;            ///< Memory held now: objects, tables and the policy's data.
  u64 double_releases = 0;  ///< release() of a handle whose object was the last one in that slot.
  u64 stale_handles = 0;    ///< release() of an older handle; get() of a handle without a live object, except null and foreign ones.
  u64 foreign_handles = 0;  ///< release(): no such slot, later generation, other owner. get(): other owner (SPELLPOOL_CHECK_OWNERS).
};

/// The result of release(). Everything but Released leaves the contents of the pool unchanged, in every
/// build.
enum class ReleaseResult : u8 {
  Released,
  NullHandle,
  DoubleRelease,
  StaleHandle,
  ForeignHandle,
  Refused,  ///< The pool was locked by a walk or a move, and the misuse handler returned.
};

/// Hooks around construction and destruction, bound at compile time: a hook that is not defined costs
/// nothing. Specialise with any of these:
///
///   template <>
///   struct spellpool::pool::HooksOf<Voice> {
///     static void created(u32 slots);      // slots were added: at construction, and when the pool grows
///     static void acquired(Voice& voice);  // after the constructor
///     static void released(Voice& voice);  // released: before the destructor
///     static void discarded(Voice& voice); // stolen by the policy: before the destructor
///     static void destroyed(u32 slots);    // slots were removed: by trim, a smaller capacity, or ~Pool
///   };
///
/// Hooks must not throw. acquired, released and discarded follow the rules for destructors (docs/POOLS.md):
/// they may acquire and release. When released or discarded runs, the handle of the object is already
/// stale. The exception is update_rows(): it calls released while the handle is still valid, and hooks must
/// not use the pool then.
/// No hook runs for the objects that ~Pool, move assignment and restore() end, nor for those that restore()
/// brings back.
template <class T>
struct HooksOf {};

/// The order that the stealing policies use. Specialise it, or give T a member `spawn_id` that increases
/// with each new object and, for StealLeast, a const member function `importance()`.
///
///   template <>
///   struct spellpool::pool::OrderOf<Voice> {
///     static u64 serial(const Voice& voice) { return voice.started; }         // lower: older
///     static float score(const Voice& voice) { return voice.loudness; }       // lower: less important
///   };
///
/// Both must depend only on the object, not on where it is stored, so that every strategy picks the same
/// victim.
template <class T>
struct OrderOf {
  static u64 serial(const T& value)
    requires requires { { value.spawn_id } -> std::convertible_to<u64>; }
  {
    return static_cast<u64>(value.spawn_id);
  }
  static float score(const T& value)
    requires requires { { value.importance() } -> std::convertible_to<float>; }
  {
    return static_cast<float>(value.importance());
  }
};

template <class T>
concept HasSerial = requires(const T& value) { { OrderOf<T>::serial(value) } -> std::convertible_to<u64>; };
template <class T>
concept HasScore =
    HasSerial<T> && requires(const T& value) { { OrderOf<T>::score(value) } -> std::convertible_to<float>; };

/// No slot: end of a list of slot numbers.
inline constexpr u32 kNoSlot = 0xffffffffu;

/// The live slots, oldest first: a doubly linked list, used by PolicyId::StealOldest. It stores slot
/// numbers, which stay the same when the strategy changes.
///
/// Layout   links_[slots + 1] of {previous, next}: 8 bytes per slot. Entry 0 is the head; slot s is entry s
///          + 1.
/// Cost     push_back, unlink, oldest O(1). begin() O(live log live).
class AgeList {
 public:
  struct Member {
    u64 serial;
    u32 slot;
  };

  explicit AgeList(PoolMemory* memory = nullptr) : links_(memory), again_(memory) {}
  /// Rebuilds the list from `members`, which it sorts.
  SPELLPOOL_APART void begin(u32 slots, Table<Member>& members) {
    links_.clear();
    links_.resize(std::size_t{slots} + 1);
    links_[0] = {0, 0};
    const auto before = [](const Member& a, const Member& b) {
      return a.serial != b.serial ? a.serial < b.serial : a.slot < b.slot;
    };
    make_heap_of(members.data(), members.size(), before);
    for (std::size_t left = members.size(); left > 0;) {
      push_back(members[0].slot);
      members[0] = members[--left];
      if (left > 0) sift_down(members.data(), left, 0, before);
    }
  }
  /// Makes room for a list of that length, so that begin() with members() allocates nothing. If it throws, the list
  /// is unchanged.
  void reserve_again(u32 slots, u32 live) {
    reserve_slots(slots);
    again_.reserve(live);
  }
  Table<Member>& members() {
    again_.clear();
    return again_;
  }
  /// Makes room for added slots. Never shrinks the table.
  void reserve_slots(u32 slots) {
    if (links_.size() < std::size_t{slots} + 1) links_.resize(std::size_t{slots} + 1);
  }

  void push_back(u32 slot) {
    const u32 at = slot + 1, last = links_[0].previous;
    links_[at] = {last, 0};
    links_[last].next = at;
    links_[0].previous = at;
  }
  void unlink(u32 slot) {
    const Link link = links_[slot + 1];
    links_[link.previous].next = link.next;
    links_[link.next].previous = link.previous;
  }
  /// The slot of the oldest object, or kNoSlot.
  u32 oldest() const { return links_[0].next - 1; }
  u64 bytes() const { return links_.bytes() + again_.bytes(); }

 private:
  struct Link {
    u32 previous = 0, next = 0;
  };
  Table<Link> links_;
  Table<Member> again_;  // reused by each restore
};

/// Live objects by importance, used by PolicyId::StealLeast. A batch of acquire() calls ranks the live
/// objects once, in a heap by (score, serial), and takes victims from its top. Objects acquired in the
/// batch rank after all older ones.
///
/// Layout   24 bytes per object of the larger of capacity and live, allocated when the policy is set and
///          when the pool grows.
/// Cost     begin and add O(1), rank O(live), next O(log live).
class VictimList {
 public:
  struct Entry {
    float score;
    u32 slot;
    u64 serial;
    u64 generation;
  };

  explicit VictimList(PoolMemory* memory = nullptr) : entries_(memory) {}
  void reserve(u32 objects) { entries_.reserve(objects); }
  void begin() {
    entries_.clear();
    left_ = 0;
  }
  void add(float score, u64 serial, u32 slot, u64 generation) {
    entries_.push_back({score == score ? score : -1e38f, slot, serial, generation});  // NaN ranks as the first victim
  }
  SPELLPOOL_APART void rank() {
    left_ = entries_.size();
    make_heap_of(entries_.data(), left_, before);
  }
  /// Takes the next victim. False if none is left in this ranking.
  SPELLPOOL_APART bool next(Entry& victim) {
    if (left_ == 0) return false;
    victim = entries_[0];
    entries_[0] = entries_[--left_];
    if (left_ > 0) sift_down(entries_.data(), left_, 0, before);
    return true;
  }
  u64 bytes() const { return entries_.bytes(); }

 private:
  static bool before(const Entry& a, const Entry& b) {
    return a.score != b.score ? a.score < b.score : a.serial < b.serial;
  }

  Table<Entry> entries_;
  std::size_t left_ = 0;
};

/// The tables of the stealing policies, made before a pool takes them: if memory runs out, the pool is unchanged.
struct PolicyTables {
  SPELLPOOL_APART explicit PolicyTables(PoolMemory* memory) : age(memory), victims(memory) {}
  SPELLPOOL_APART ~PolicyTables() {}
  AgeList age;
  VictimList victims;
};

/// Receives slot events: diagnostics (inspect/) use it to keep a table beside a pool. The pool owns its
/// listeners (Pool::attach). While a listener receives acquired(), acquire() and release() take the long
/// path.
class SlotListener {
 public:
  explicit SlotListener(const void* kind, bool wants_acquired) : kind_(kind), wants_acquired_(wants_acquired) {}
  virtual ~SlotListener() = default;
  virtual void resized(u32 slots) = 0;             ///< New number of slots, before they are added; may throw std::bad_alloc.
  virtual void acquired([[maybe_unused]] u32 slot) {}
  virtual void stolen([[maybe_unused]] u32 place) {}  ///< The place in the storage (enum class Places).
  virtual u64 bytes() const { return 0; }

  const void* kind() const { return kind_; }
  bool wants_acquired() const { return wants_acquired_; }
  SlotListener* next = nullptr;

 private:
  const void* kind_;
  bool wants_acquired_;
};

/// The limits of the fast paths: acquire() takes its fast path while fewer than `live` objects are live,
/// release() for slot numbers below `slots`.
struct alignas(8) FastPaths {
  u32 live = 0, slots = 0;
  /// Sets both to 0. Returns what they were, for reopen(), as one word: g++ would copy the struct as two.
  u64 close() {
    u64 were;
    std::memcpy(&were, this, sizeof were);
    *this = {};
    return were;
  }
  void reopen(u64 were) { std::memcpy(static_cast<void*>(this), &were, sizeof were); }
};

/// The part of a pool that does not depend on its storage: counters, policy, and which operations are
/// running.
///
/// Invariant  Both limits of `fast` are 0 while a walk or a structural change runs or an object moves, and
///            fast.live while a constructor runs, so the fast paths need no check for re-entrancy.
struct PoolRules {
  PoolStats counters;                 // live, slots, free_slots, retired_slots and bytes are filled in by Pool::stats()
  static constexpr u32 kUsed = 1u << 31;   // a bit of `building`: the pool was used while a constructor ran
  static constexpr u32 kMoves = 1u << 30;  // a bit of `building` and of `user_code`: one object moves to its place, or out of it
  FastPaths fast;
  u32 building = 0;                   // constructors running, each with a slot reserved; kUsed, kMoves
  u32 user_code = 0;                  // destructors and hooks running; kMoves
  u32 walks = 0;                      // walks running; relaxed atomic, because read-only walks may run in parallel
  bool restructuring = false;         // objects are moving between slots or storages
  bool closing = false;               // all objects are being destroyed: acquire() is refused
  PolicyId policy = PolicyId::Reject;
  bool in_batch = false, ranked = false, fill = false;
  u32 grow_by = 0, keep_free = 0;
  u32 max_capacity = kMaxCapacity;
  PoolMemory* memory = nullptr;
  AgeList age;                        // used if the policy is StealOldest
  VictimList victims;                 // used if the policy is StealLeast
  SlotListener* listeners = nullptr;
#if SPELLPOOL_CHECK_OWNERS
  u32 owner = next_owner();
#endif

  PoolRules() = default;
  SPELLPOOL_APART explicit PoolRules(const PoolSize& size)
      : grow_by(size.grow_by),
        keep_free(size.keep_free),
        max_capacity(size.max_capacity),
        memory(size.memory),
        age(size.memory),
        victims(size.memory) {
    counters.capacity = size.capacity;
  }
  PoolRules(PoolRules&& other) noexcept { swap(other); }
  PoolRules& operator=(PoolRules&& other) noexcept {
    swap(other);
    return *this;
  }
  SPELLPOOL_APART ~PoolRules() {
    while (listeners) delete std::exchange(listeners, listeners->next);
  }

  bool keeps_age() const { return policy == PolicyId::StealOldest; }
  u32 reserved() const { return building & (kMoves - 1); }
  void note_use() {
    if (building != 0) building |= kUsed;
  }
  bool is_walked() const { return load(walks) != 0; }
  bool an_object_moves() const { return restructuring || ((building | user_code) & kMoves) != 0; }
  /// Why acquire() and release() are refused now, or null.
  const char* why_locked() const {
    if (is_walked())
      return "acquire() or release() was called inside a walk of the same pool. Note the handles and release them after the "
             "walk, or use release_if().";
    if (an_object_moves())
      return "a pool was used by a move constructor, or by the destructor of a moved-from object, while it moved its "
             "objects.";
    return nullptr;
  }
  /// Why structural changes are refused now, or null.
  const char* why_fixed() const {
    if (is_walked())
      return "the capacity, policy or contents were to change inside a walk of the same pool. Do it after the walk.";
    if (restructuring || building > 0 || user_code > 0 || closing) {
      return "the capacity, strategy or contents were to change inside a constructor, destructor or hook of the same "
             "pool. Do it afterwards.";
    }
    return nullptr;
  }

  SPELLPOOL_APART void settle(u32 slots, u32 retired, bool plain) {
    bool wants_acquired = false;
    for (const SlotListener* l = listeners; l; l = l->next) wants_acquired = wants_acquired || l->wants_acquired();
    const bool open = plain && retired == 0 && building == 0 && !is_walked() && !restructuring && !closing &&
                      !keeps_age() && !wants_acquired;
    store(fast.live, !open ? 0 : counters.peak < counters.capacity ? counters.peak : counters.capacity);
    store(fast.slots, open ? slots : 0);
  }

  void close_fast_paths() {
    store(fast.live, 0);
    store(fast.slots, 0);
  }

  /// True if acquire() would return the null handle now.
  SPELLPOOL_APART bool refuses(u32 live) const {
    const u64 used = u64{live} + reserved();
    if (closing || used > counters.capacity) return true;
    if (used < counters.capacity) return false;
    switch (policy) {
      case PolicyId::StealOldest:
      case PolicyId::StealLeast: return live == 0;
      case PolicyId::Grow: return counters.capacity >= max_capacity;
      case PolicyId::Reject:
      case PolicyId::Assert:
      case PolicyId::Pressure: break;
    }
    return true;
  }
  /// With PolicyId::Assert and assertions enabled, a refusal stops the program here, but not while all objects are
  /// being destroyed.
  void count_rejected([[maybe_unused]] u64 n) {
    SPELLPOOL_ASSERT((policy != PolicyId::Assert || n == 0 || closing) && "the pool is full, and its policy is assert");
    counters.rejected += n;
  }
  ReleaseResult refuse(ReleaseResult why) {
    if (why == ReleaseResult::DoubleRelease) ++counters.double_releases;
    if (why == ReleaseResult::StaleHandle) ++counters.stale_handles;
    if (why == ReleaseResult::ForeignHandle) ++counters.foreign_handles;
    return why;
  }
  /// The capacity after the next growth.
  u32 grown_capacity() const {
    u32 by = grow_by != 0 ? grow_by : counters.capacity / 2;
    if (grow_by == 0 && by < 64) by = 64;
    const u32 most = max_capacity < kMaxCapacity ? max_capacity : kMaxCapacity;
    const u32 room = most > counters.capacity ? most - counters.capacity : 0;
    return counters.capacity + (by < room ? by : room);
  }
  float pressure(u32 live) const {
    if (policy != PolicyId::Pressure) return 0.0f;
    const u32 capacity = counters.capacity, mark = capacity - capacity / 4;
    if (live >= capacity) return 1.0f;
    if (live <= mark) return 0.0f;
    return static_cast<float>(live - mark) / static_cast<float>(capacity - mark);
  }

  /// Extends the tables indexed by slot, before slots are added.
  SPELLPOOL_APART void reserve_slots(u32 slots) {
    if (keeps_age()) age.reserve_slots(slots);
    for (SlotListener* l = listeners; l; l = l->next) l->resized(slots);
  }
  void hear_acquired(u32 slot) {
    for (SlotListener* l = listeners; l; l = l->next) l->acquired(slot);
  }
  void hear_stolen(u32 place) {
    for (SlotListener* l = listeners; l; l = l->next) l->stolen(place);
  }
  u64 bytes() const {
    u64 bytes = age.bytes() + victims.bytes();
    for (const SlotListener* l = listeners; l; l = l->next) bytes += l->bytes();
    return bytes;
  }
  SPELLPOOL_APART PoolStats stats(u32 live, u32 slots, u32 retired, u64 new_calls, u64 storage_bytes) const {
    PoolStats all = counters;
    all.live = live;
    all.slots = slots;
    all.retired_slots = retired;
    all.free_slots = slots - live - retired;
    all.new_calls = new_calls;
    all.bytes = storage_bytes + bytes();
    return all;
  }
  /// Takes what a snapshot has kept; new_calls keeps counting.
  SPELLPOOL_APART void take_counters(const PoolStats& its, u64 new_calls) {
    counters = its;
    counters.new_calls = new_calls;
    ranked = in_batch = false;
  }
  /// Takes the policy and its tables; `tables` gets the old ones.
  SPELLPOOL_APART void take_policy(PolicyId its, PolicyTables& tables) noexcept {
    std::swap(age, tables.age);
    std::swap(victims, tables.victims);
    policy = its;
    ranked = false;
  }
  /// Takes ownership. Deletes it if it throws std::bad_alloc.
  SPELLPOOL_APART void attach(SlotListener* listener, u32 slots) {
    struct Owned {
      SlotListener* it;
      ~Owned() { delete it; }
    } owned{listener};
    listener->resized(slots);
    listener->next = std::exchange(listeners, std::exchange(owned.it, nullptr));
  }
  SlotListener* listener(const void* kind) const {
    SlotListener* l = listeners;
    while (l && l->kind() != kind) l = l->next;
    return l;
  }
  SPELLPOOL_APART void detach(const void* kind) {
    for (SlotListener** l = &listeners; *l; l = &(*l)->next) {
      if ((*l)->kind() != kind) continue;
      delete std::exchange(*l, (*l)->next);
      return;
    }
  }

  SPELLPOOL_APART void swap(PoolRules& other) noexcept {
    std::swap(counters, other.counters);
    std::swap(fast, other.fast);
    std::swap(policy, other.policy);
    std::swap(in_batch, other.in_batch);
    std::swap(ranked, other.ranked);
    std::swap(fill, other.fill);
    std::swap(grow_by, other.grow_by);
    std::swap(keep_free, other.keep_free);
    std::swap(max_capacity, other.max_capacity);
    std::swap(memory, other.memory);
    std::swap(age, other.age);
    std::swap(victims, other.victims);
    std::swap(listeners, other.listeners);
#if SPELLPOOL_CHECK_OWNERS
    std::swap(owner, other.owner);
#endif
  }

  // Relaxed atomics, so that read-only walks may run in parallel.
#if defined(__GNUC__) || defined(__clang__)
  static void add(u32& counter, u32 by) { __atomic_fetch_add(&counter, by, __ATOMIC_RELAXED); }
  static void store(u32& value, u32 to) { __atomic_store_n(&value, to, __ATOMIC_RELAXED); }
  static u32 load(const u32& value) { return __atomic_load_n(&value, __ATOMIC_RELAXED); }
#else
  static void add(u32& counter, u32 by) { counter += by; }
  static void store(u32& value, u32 to) { value = to; }
  static u32 load(const u32& value) { return value; }
#endif

#if SPELLPOOL_CHECK_OWNERS
  static u32 next_owner() {
    static u32 made = 0;
#if defined(__GNUC__) || defined(__clang__)
    return __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
#else
    return ++made;
#endif
  }
#endif
};

}  // namespace spellpool::pool
