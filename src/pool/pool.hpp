#pragma once
// The object pools: FreeListPool, BitmapPool, DensePool and PackedPool. Link spellpool::pool.
// docs/POOLS.md says which pool to use.
#include <concepts>

#include "pool/bitmap.hpp"
#include "pool/dense.hpp"
#include "pool/free_list.hpp"
#include "pool/packed.hpp"

namespace spellpool::pool {

template <class S>
class Pool;

/// A copy of a whole pool: objects, handles, policy and counters (Pool::save, Pool::restore). To save
/// often, keep one snapshot and save into it again: it allocates on the first save, and when the pool has
/// grown since.
template <class T, std::unsigned_integral Generation>
class PoolSnapshot {
 public:
  PoolSnapshot() = default;
  PoolSnapshot(PoolSnapshot&& other) noexcept { swap(other); }
  PoolSnapshot& operator=(PoolSnapshot&& other) noexcept {
    swap(other);
    return *this;
  }
  ~PoolSnapshot() {
    clear();
    if (values_) return_memory(nullptr, values_, capacity_ * sizeof(T), alignof(T));
  }
  u32 size() const { return static_cast<u32>(slots_of_.size()); }
  u32 slots() const { return slots_; }  ///< Slots of the pool when it was saved, free ones included.
  /// Bytes of the copied objects, their slots and all generations.
  u64 bytes() const { return u64{size()} * (sizeof(T) + sizeof(u32)) + generations_.known() * u64{sizeof(Generation)}; }

 private:
  template <class S>
  friend class Pool;

  u32 live() const { return size(); }
  template <class F>
  void for_each_slot(F&& f) const {
    for (u32 i = 0; i < size(); ++i) f(slots_of_[i], values_[i]);
  }
  void end_values() {
    while (!slots_of_.empty()) {
      slots_of_.pop_back();
      values_[slots_of_.size()].~T();
    }
  }
  SPELLPOOL_APART void clear() {
    end_values();
    slots_ = 0;
    generations_ = GenerationTable<Generation>{};
    counters_ = {};
    policy_ = PolicyId::Reject;
  }
  /// Empties it and makes room; add() or the caller writes the objects, and finish() follows.
  SPELLPOOL_APART void begin(u32 objects, const GenerationTable<Generation>& generations) {
    end_values();
    reserve(objects);
    generations_ = generations;
  }
  SPELLPOOL_APART void finish(const PoolRules& rules, u64 new_calls, u32 slots) {
    counters_ = rules.counters;
    counters_.new_calls = new_calls;
    policy_ = rules.policy;
    slots_ = slots;
  }
  void reserve(u32 objects) {
    if (objects <= capacity_) return;
    slots_of_.reserve(objects);
    T* const anew = static_cast<T*>(take_memory(nullptr, objects * sizeof(T), alignof(T)));
    if (values_) return_memory(nullptr, values_, capacity_ * sizeof(T), alignof(T));
    values_ = anew;
    capacity_ = objects;
  }
  /// Lists the objects of a storage or a snapshot by age. members: memory to sort them in.
  template <class Objects>
  SPELLPOOL_APART static void list_ages([[maybe_unused]] const Objects& objects, [[maybe_unused]] u32 slots,
                                        [[maybe_unused]] AgeList& age,
                                        [[maybe_unused]] Table<AgeList::Member>& members) {
    if constexpr (HasSerial<T>) {
      members.reserve(objects.live());
      objects.for_each_slot([&](u32 slot, const T& value) {
        members.push_back({static_cast<u64>(OrderOf<T>::serial(value)), slot});
      });
      age.begin(slots, members);
    }
  }
  /// The maximum number of objects for which the restored policy needs a row.
  u32 most_victims() const { return size() > counters_.capacity ? size() : counters_.capacity; }
  /// Makes the tables of the saved policy, for a pool with that many slots.
  SPELLPOOL_APART void make_tables(PolicyTables& tables, u32 slots) const {
    if (policy_ == PolicyId::StealOldest) {
      Table<AgeList::Member> members;
      list_ages(*this, slots, tables.age, members);
    }
    if (policy_ == PolicyId::StealLeast) tables.victims.reserve(most_victims());
  }
  /// Copies of the objects for a new storage with that many slots.
  Departure<T, Generation> copies(u32 slots) const {
    return {const_cast<PoolSnapshot*>(this), slots, size(), &generations_, [](void* self, void* to, auto adopt) {
              static_cast<const PoolSnapshot*>(self)->for_each_slot(
                  [&](u32 slot, const T& value) { adopt(to, slot, T(value)); });
            }};
  }
  void add(u32 slot, const T& value) {
    ::new (static_cast<void*>(values_ + slots_of_.size())) T(value);
    slots_of_.push_back(slot);
  }
  void swap(PoolSnapshot& other) noexcept {
    slots_of_.swap(other.slots_of_);
    std::swap(values_, other.values_);
    std::swap(capacity_, other.capacity_);
    std::swap(generations_, other.generations_);
    std::swap(counters_, other.counters_);
    std::swap(policy_, other.policy_);
    std::swap(slots_, other.slots_);
  }

  Table<u32> slots_of_;
  T* values_ = nullptr;  // one for each row of slots_of_; room for capacity_
  std::size_t capacity_ = 0;
  GenerationTable<Generation> generations_;
  PoolStats counters_;
  PolicyId policy_ = PolicyId::Reject;
  u32 slots_ = 0;
};

namespace detail {
template <class>
inline constexpr bool kNever = false;

struct Anything {
  template <class T>
  operator T() const;
};
/// False if no T{args…} exists. Narrowing, which g++ only warns of, is left to the compiler.
template <class T, class... Args>
inline constexpr bool kMakes = !std::is_aggregate_v<T> || requires { T{std::declval<Args>()...}; } ||
                               ((std::is_arithmetic_v<std::remove_cvref_t<Args>> || ...) &&
                                requires { T{std::conditional_t<true, Anything, Args>{}...}; });
/// Calls f with an object of a const pool. The function's name appears in the compiler's message when a
/// lambda that takes auto& writes to the object.
template <class F, class... Arguments>
SPELLPOOL_FLAT inline void a_const_pool_gives_const_objects(F& f, const Arguments&... arguments) {
  if constexpr (requires { f(arguments...); }) {
    f(arguments...);
  } else {
    static_assert(
        kNever<F>,
        "This pool is const, so its walks give const objects. Take const T& in the lambda, or walk a pool that is "
        "not const.");
  }
}
}  // namespace detail

/// What a pool passes to the pool that replaces it, which has another storage (SwitchablePool).
template <class T, std::unsigned_integral Generation>
struct Leaving {
  Departure<T, Generation> objects;
  PoolRules* rules;
  u64 new_calls;
};

/// A live object and its handle, from Pool::items().
template <class HandleType, class Reference>
struct PoolItem {
  HandleType handle;
  Reference value;
};

/// Contiguous objects, or rows of a DensePool: one part of a SharedWalk, for one thread.
template <class T>
struct Run {
  T* first;
  u32 count;
  T* begin() const { return first; }
  T* end() const { return first + count; }
  T* data() const { return first; }
  u32 size() const { return count; }
  T& operator[](u32 i) const { return first[i]; }
};
struct Rows {
  u32 first, count;
};

/// An object pool: a Storage (where objects are), a capacity (how many may be live), an overflow policy
/// (what acquire() does when the pool is full) and counters. Every storage has this interface and the same
/// behaviour.
///
///   FreeListPool<Bullet> bullets(1000);
///   auto handle = bullets.acquire(x, y, speed);                 // null handle if full (PolicyId::Reject)
///   if (auto bullet = bullets.get(handle)) bullet->x += 1.0f;   // null once the bullet is released
///   bullets.for_each([](Bullet& b) { b.y += b.speed; });
///   bullets.release_if([](const Bullet& b) { return b.y > 720; });
///
/// Cost     acquire, get and release are O(1) and a walk is O(live) in the four pools of this header, plus
///          O(slots/64) where objects have stable addresses. strategy.hpp lists the exceptions.
/// Full     The pool is full when live() >= capacity(), even if the storage has free slots, so every
///          storage makes the same decision. PolicyId (policy.hpp) says what acquire() does then. Lowering
///          the capacity below live() releases nothing; every policy then refuses new objects.
/// Inside   Constructors, destructors and hooks may acquire and release in their own pool. A walk must not:
///          acquire and release inside for_each or release_if are refused with a message, in every build
///          (set_misuse_handler). docs/POOLS.md has the full table.
/// Errors   release() of a null, already released, stale or foreign handle changes nothing, returns which
///          error it was and, except for null, counts it, in every build.
/// Throws   If a constructor throws, or memory runs out while the pool grows, moves objects or is restored,
///          the pool is unchanged; acquire() may have grown it.
/// Wear     A slot whose generations are used up is retired and replaced by a new slot, which allocates;
///          the capacity stays the same. With 32-bit generations a slot holds 2^31 - 1 objects before that.
/// Moved    A moved-from pool is empty and has capacity 0: acquire() returns null until set_capacity().
/// Threads  One thread owns a pool. split() divides one walk among threads. For several owners use one pool
///          each, or a queue of requests to the owner.
template <class S>
class Pool {
  static_assert(
      !std::is_const_v<typename S::Value>,
      "the pooled type must not be const: write FreeListPool<T>, and make the pool const where it is only read.");
  static_assert(Storage<S>, "Pool<S> needs a storage (pool/storage.hpp). FreeListPool<T> and its like name them.");
  static_assert(std::is_nothrow_destructible_v<typename S::Value>, "a pooled type's destructor must not throw");
  class Walk;

 public:
  using Value = typename S::Value;
  using value_type = Value;
  using size_type = u32;
  using HandleType = typename S::HandleType;
  using Pointer = typename S::Pointer;
  using ConstPointer = typename S::ConstPointer;
  using GenerationType = typename S::GenerationType;
  using StorageType = S;
  using Snapshot = PoolSnapshot<Value, GenerationType>;
  static constexpr StrategyId kStrategy = S::kStrategy;

  explicit Pool(u32 capacity) : Pool(PoolSize{.capacity = capacity}) {}
  SPELLPOOL_APART explicit Pool(const PoolSize& size) : storage_(storage_of(size)), rules_(size) {
    if (size.capacity > kMaxCapacity) rules_.counters.capacity = 0;  // storage_of() has reported it
    settle();
    tell_created(storage_.slots());
  }
  /// The moved-from pool is empty and has capacity 0.
  Pool(Pool&& other) noexcept { take(other); }
  Pool& operator=(Pool&& other) noexcept {
    if (this == &other) return *this;
    if (const char* why = why_fixed_with(other)) return misuse(why), *this;
    end_all();
    rules_.closing = false;
    { const Pool mine(std::move(*this)); }
    take(other);
    return *this;
  }
  SPELLPOOL_APART ~Pool() {
    if (const char* why = rules_.why_fixed()) misuse(why);
    end_all();
    tell_destroyed(storage_.slots());
  }
  void swap(Pool& other) noexcept {
    if (this == &other) return;
    if (const char* why = why_fixed_with(other)) return misuse(why);
    exchange(other);
  }
  friend void swap(Pool& a, Pool& b) noexcept { a.swap(b); }

  // ---- single objects

  /// Constructs an object in a free slot: Value{args...} if Value is an aggregate, otherwise
  /// Value(args...). If the pool is full, the policy decides. Returns the null handle if the pool refuses.
  /// The arguments may refer to objects of this pool.
  template <class... Args>
  HandleType acquire(Args&&... args) {
    if constexpr (!detail::kMakes<Value, Args...>) {
      static_assert(detail::kMakes<Value, Args...>,
                    "acquire(): the pooled type cannot be made from these arguments. There are more of them than "
                    "members, or one has another type.");
      return {};
    } else if constexpr (constructs_without_user_code<Value, Args...>()) {
      if (storage_.live() >= rules_.fast.live) [[unlikely]]
        return acquire_value(make_value<Value>(std::forward<Args>(args)...));
      // While a destructor runs, its slot is neither live nor free.
      if constexpr (kEndRunsUserCode<Value>) {
        if (!can_build_near()) [[unlikely]] return acquire_value(make_value<Value>(std::forward<Args>(args)...));
      }
      const HandleType handle = storage_.insert_plain(std::forward<Args>(args)...);
      ++rules_.counters.spawned;
      tell_acquired(handle.index);
      return issued(handle);
    } else {
      if (storage_.live() >= rules_.fast.live) [[unlikely]] return acquire_with_care(std::forward<Args>(args)...);
      return acquire_with_user_code(std::forward<Args>(args)...);
    }
  }
  /// acquire() under the name that std containers use.
  template <class... Args>
  HandleType emplace(Args&&... args) {
    return acquire(std::forward<Args>(args)...);
  }

  /// Acquires n objects: make(u32 i) returns the Value for each i < n, and the effect is that of n calls of
  /// acquire(). made(u32 i, HandleType) receives each handle; null means refused. DensePool writes the
  /// objects column by column. make and made must not use this pool. Returns the number of objects
  /// acquired. If make throws, the objects made before it stay live; a DensePool may lose them, and is then
  /// unchanged.
  template <class Make, class Made>
  u32 acquire_n(u32 n, Make&& make, Made&& made) {
    // Fast path: there is room for all n, no policy list to update, and constructing a Value runs no user
    // code.
    if constexpr (std::is_trivially_copyable_v<Value> && !kHearsAcquired) {
      if (rules_.fast.slots > 0 && storage_.live() <= rules_.counters.capacity &&
          n <= rules_.counters.capacity - storage_.live() &&
          n <= storage_.slots() - storage_.retired() - storage_.live()) {
        Walk walk(*this);
        Born born(*this);
        if constexpr (requires { storage_.insert_n(n, make, made); }) {
          storage_.insert_n(n, make, [&](u32 i, HandleType handle) { made(i, issued(handle)); });
        } else {
          for (u32 i = 0; i < n; ++i) made(i, issued(storage_.insert_plain(make(i))));
        }
        return n;
      }
    }
    u32 born = 0;
    for (u32 i = 0; i < n; ++i) {
      const HandleType handle = acquire(locked(make, i));
      born += handle ? 1u : 0u;
      Walk walk(*this);
      made(i, handle);
    }
    return born;
  }
  template <class Make>
  u32 acquire_n(u32 n, Make&& make) {
    return acquire_n(n, make, [](u32, HandleType) {});
  }

  /// True if acquire() would return the null handle now.
  bool refuses() const { return rules_.refuses(storage_.live()); }
  /// Adds n to the `rejected` counter, for a caller that checked refuses() instead of calling acquire() n
  /// times.
  void count_rejected(u64 n) { rules_.count_rejected(n); }

  /// Announces many acquire() calls, up to end_batch(). PolicyId::StealLeast then ranks the live objects
  /// once per batch instead of once per call, and steals objects acquired within the batch last. The
  /// victims depend only on the order of the calls.
  void begin_batch() {
    rules_.in_batch = true;
    rules_.ranked = false;
  }
  void end_batch() { rules_.in_batch = false; }

  /// The object, or null if the handle does not resolve; unless the handle is null, that is counted in
  /// stale_handles (or foreign_handles). The pointer is valid until the object is released, or until the
  /// pool moves objects (docs/POOLS.md has the table). DensePool returns a RowRef, and refuses the call
  /// inside a walk of the same pool: use peek() there.
  Pointer get(HandleType handle) {
    if constexpr (!std::is_pointer_v<Pointer>) {
      if (rules_.is_walked()) [[unlikely]] {
        misuse(
            "get() was called inside a walk of a field-wise pool, which would overwrite the change. Use peek(), or note "
            "the handle for after the walk.");
        return Pointer(nullptr);
      }
    }
    if (!contains(handle)) [[unlikely]] {
      count_stale(handle);
      return Pointer(nullptr);
    }
    if constexpr (std::is_pointer_v<Pointer>) {
      return address_of(storage_.at_slot(handle.index));
    } else {
      return storage_.at_slot(handle.index);
    }
  }
  ConstPointer get(HandleType handle) const { return peek(handle); }
  /// The object, for code that knows it is live: a handle that does not resolve ends the program with a
  /// message, in every build. In pools that have pointers.
  Value& at(HandleType handle)
    requires std::is_pointer_v<Pointer>
  {
    const Pointer object = get(handle);
    if (!object) [[unlikely]] no_object();
    return *object;
  }
  const Value& at(HandleType handle) const
    requires std::is_pointer_v<ConstPointer>
  {
    const ConstPointer object = peek(handle);
    if (!object) [[unlikely]] no_object();
    return *object;
  }
  /// Like get(), for reading: does not count stale handles, and is allowed inside every walk. Inside a walk of
  /// DensePool, a Hot field that the walk changes may be read as it was before or after the change, and that
  /// may differ between builds; other fields are exact.
  ConstPointer peek(HandleType handle) const { return is_own(handle) ? storage_.find(handle) : ConstPointer(nullptr); }
  /// True if the handle names a live object of this pool. Counts nothing.
  bool contains(HandleType handle) const {
    return storage_.generations().resolves(handle.index, handle.generation) && is_own(handle);
  }

  /// Destroys the object and frees its slot. Any other result than Released changes only a counter.
  ReleaseResult release(HandleType handle) {
    const u32 slot = handle.index;
    const GenerationType generation = handle.generation, next = GenerationRule<GenerationType>::when_freed(generation);
    if (slot >= rules_.fast.slots || (next & 1u) != 0 || next == GenerationRule<GenerationType>::kRetired ||
        storage_.generations()[slot] != generation || !is_own(handle)) [[unlikely]] {
      return release_with_care(slot, generation, is_own(handle));
    }
    ++rules_.counters.released;
    if constexpr (kEndRunsUserCode<Value> && S::kStable) {
      UserCode running(rules_);
      storage_.erase_plain(slot, generation, Releasing{});
    } else if constexpr (kEndRunsUserCode<Value>) {
      erase_with_user_code(slot, Releasing{});
    } else {
      storage_.erase_plain(slot, generation, NoCallback{});
    }
    return ReleaseResult::Released;
  }
  /// release() under the name that std containers use. True if the object was live.
  bool erase(HandleType handle) { return release(handle) == ReleaseResult::Released; }

  /// The handle of the object in this slot, which must be live.
  HandleType handle_at(u32 slot) const {
    SPELLPOOL_ASSERT(storage_.generations().is_live(slot));
    return issued({slot, storage_.generations()[slot]});
  }
  /// The handle of the object at this address; null if no live object of this pool starts there. Not
  /// available in heap and field-wise pools.
  HandleType handle_of(const Value* object) const
    requires requires(const S& storage) { storage.slot_of(object); }
  {
    const u32 slot = storage_.slot_of(object);
    return slot == kNoSlot ? HandleType{} : handle_at(slot);
  }

  // ---- walks

  /// Calls f(Value&) for every live object, in the storage's order. f must not acquire or release in this
  /// pool, or change its structure.
  template <class F>
  void for_each(F&& f) {
    for_each_slot([&](u32, Value& value) { f(value); });
  }
  template <class F>
  void for_each(F&& f) const {
    Walk walk(*this);
    storage_.for_each_slot([&](u32, const Value& value) { detail::a_const_pool_gives_const_objects(f, value); });
  }
  /// Like for_each(), with f(HandleType, Value&).
  template <class F>
  void for_each_handle(F&& f) {
    for_each_slot([&](u32 slot, Value& value) { f(issued({slot, storage_.generations()[slot]}), value); });
  }
  template <class F>
  void for_each_handle(F&& f) const {
    Walk walk(*this);
    storage_.for_each_slot([&](u32 slot, const Value& value) {
      detail::a_const_pool_gives_const_objects(f, issued({slot, storage_.generations()[slot]}), value);
    });
  }
  /// Like for_each(), with f(u32 slot, Value&). For a walk that needs only some of the handles:
  /// handle_at(slot) returns one.
  template <class F>
  void for_each_slot(F&& f) {
    const bool inside = rules_.is_walked();
    Walk walk(*this);
    if constexpr (requires { storage_.settle(); }) {
      if (inside) [[unlikely]] return for_each_place(f);  // an outer walk holds a row index: rows must not move
    }
    storage_.for_each_slot(f);
  }
  /// The handle of the first object, in the storage's order, for which found(const Value&) is true; null if
  /// there is none.
  template <class Found>
  HandleType find_if(Found&& found) const {
    Walk walk(*this);
    for (u32 place = 0; (place = storage_.next_place(place)) != kNoSlot; ++place) {
      if constexpr (std::is_pointer_v<ConstPointer>) {
        if (found(storage_.at_place(place))) return handle_at(storage_.slot_at(place));
      } else {
        if (found(*storage_.at_place(place))) return handle_at(storage_.slot_at(place));
      }
    }
    return {};
  }

  /// Releases every object for which dead(Value&) returns true; returns how many. The predicate may change
  /// the object, so one pass can both update the objects and release those that die. It must not use this
  /// pool. If it throws, the objects for which it had returned true are released and the rest stay live.
  template <class Dead>
  u32 release_if(Dead&& dead) {
    if (const char* why = rules_.why_locked()) [[unlikely]] return misuse(why), 0;
    if constexpr (kEndRunsUserCode<Value>) {
      return release_each_if(dead);
    } else {
      Walk walk(*this);
      Died died(*this);
      storage_.erase_if(dead, [&](u32 slot) {
        if (rules_.keeps_age()) rules_.age.unlink(slot);
      });
      return died.count();
    }
  }
  /// Releases all objects. Their handles become stale. Objects that destructors or hooks acquire meanwhile may
  /// live on: those in slots with a lower number than that of the object being destroyed.
  void clear() {
    release_if([](const Value&) { return true; });
  }

  /// DensePool: the array of one field, for update_rows(). Valid until the next acquire or release.
  template <auto Member>
  auto* column() const
    requires requires(const S& storage) { storage.columns().template column<Member>(); }
  {
    return storage_.columns().template column<Member>();
  }
  /// DensePool: a walk for loops over columns, in groups of up to 64 rows. With Members, block gets the
  /// number of rows and each member's array at the first of them; it returns a mask of the dead rows, whose
  /// lowest bit is the first row; bits at and above that number are ignored. Those objects are released.
  /// Returns how many.
  ///
  ///   sparks.update_rows<&Spark::x, &Spark::life>([](unsigned count, float* x, float* life) {
  ///     for (unsigned i = 0; i < count; ++i) x[i] += 1, life[i] -= 1;
  ///     return lane_mask(count, [=](unsigned i) { return life[i] <= 0; });
  ///   });
  ///
  /// Without Members, block(u32 first, u32 count) gets row numbers, for column(). That is slower: each group
  /// tests whether the arrays overlap. block is compiled for a constant count of 64, and for the rest.
  /// Neither block nor hooks may use the pool during the call.
  template <auto... Members, class Block>
  u32 update_rows(Block&& block)
    requires requires(S& storage) { storage.template update_rows<Members...>(block, NoCallback{}); }
  {
    if (const char* why = rules_.why_locked()) [[unlikely]] return misuse(why), 0;
    Walk walk(*this);
    Died died(*this);
    storage_.template update_rows<Members...>(block, [&](u32 slot) {
      if constexpr (requires(Value & value) { HooksOf<Value>::released(value); })
        HooksOf<Value>::released(*storage_.at_slot(slot));
      if (rules_.keeps_age()) rules_.age.unlink(slot);
    });
    return died.count();
  }

  /// Sorts the objects by less(const Value&, const Value&); stable. Walks follow that order until the next
  /// release. Handles stay valid. Only for storages that move objects (packed, dense, soa). O(live log
  /// live) time, and 4 bytes per live object while it runs.
  template <class Less>
  void sort(Less&&) requires(S::kStable) = delete;  // Objects never move here. Use PackedPool or DensePool.
  template <class Less>
  void sort(Less&& less)
    requires(!S::kStable)
  {
    if (const char* why = rules_.why_fixed()) return misuse(why);
    Table<u32> order(rules_.memory);
    {
      Walk walk(*this);
      if constexpr (requires { storage_.settle(); }) storage_.settle();
      const auto before = [&](u32 a, u32 b) {
        if constexpr (std::is_pointer_v<ConstPointer>) {
          const Value &first = std::as_const(storage_).at_place(a), &second = std::as_const(storage_).at_place(b);
          return less(first, second) || (!less(second, first) && a < b);
        } else {
          const ConstPointer first = std::as_const(storage_).at_place(a), second = std::as_const(storage_).at_place(b);
          return less(*first, *second) || (!less(*second, *first) && a < b);
        }
      };
      const auto after = [&](u32 a, u32 b) { return before(b, a); };
      order.resize(storage_.live());
      for (u32 place = 0; place < order.size(); ++place) order[place] = place;
      make_heap_of(order.data(), order.size(), after);
      for (std::size_t left = order.size(); left > 1;) {
        std::swap(order[0], order[--left]);
        sift_down(order.data(), left, 0, after);
      }
    }
    Restructuring moving(*this);
    // order[p] is the current place of the object that belongs in place p. Swaps resolve each cycle.
    for (u32 first = 0; first < order.size(); ++first) {
      u32 place = first;
      while (order[place] != first) {
        const u32 from = order[place];
        storage_.swap_places(place, from);
        order[place] = place;
        place = from;
      }
      order[place] = place;
    }
  }

  // ---- range-for: for (Bullet& b : bullets), for (auto [handle, b] : bullets.items())

  /// An iterator over live objects. It stays memory-safe while the pool exists, even if the loop acquires
  /// or releases: it skips an object that is released, and may or may not visit one that is acquired. In
  /// pools that move objects, a release may make it skip another object.
  template <bool kConst, bool kItems>
  class Iterator {
    using Owner = std::conditional_t<kConst, const Pool, Pool>;

   public:
    using Reference = std::conditional_t<kConst, typename S::ConstReference, typename S::Reference>;
    using value_type = std::conditional_t<kItems, PoolItem<HandleType, Reference>, Value>;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(Owner* its, u32 place) : pool_(its), place_(place) {}
    /// iterator converts to const_iterator.
    template <bool kOther>
      requires(kConst && !kOther)
    Iterator(const Iterator<kOther, kItems>& other) : pool_(other.pool_), place_(other.place_) {}
    decltype(auto) operator*() const {
      if constexpr (kItems) {
        return PoolItem<HandleType, Reference>{pool_->handle_at(pool_->storage_.slot_at(place_)),
                                               pool_->storage_.at_place(place_)};
      } else {
        return static_cast<Reference>(pool_->storage_.at_place(place_));
      }
    }
    auto operator->() const
      requires(!kItems && std::is_reference_v<Reference>)
    {
      return address_of(**this);
    }
    Iterator& operator++() {
      place_ = pool_->storage_.next_place(place_ + 1);
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.place_ == b.place_; }

   private:
    template <bool, bool>
    friend class Iterator;
    Owner* pool_ = nullptr;
    u32 place_ = kNoSlot;
  };
  using iterator = Iterator<false, false>;
  using const_iterator = Iterator<true, false>;
  iterator begin() { return {this, first_place()}; }
  iterator end() { return {}; }
  const_iterator begin() const { return {this, storage_.next_place(0)}; }
  const_iterator end() const { return {}; }
  template <bool kConst>
  struct Items {
    std::conditional_t<kConst, const Pool, Pool>* pool;
    Iterator<kConst, true> begin() const { return {pool, pool->storage_.next_place(0)}; }
    Iterator<kConst, true> end() const { return {}; }
  };
  /// Range over {handle, value} items.
  Items<false> items() {
    first_place();
    return {this};
  }
  Items<true> items() const { return {this}; }

  // ---- one walk on several threads

  /// A walk in disjoint parts, one for each thread. While it exists, the pool is locked as inside
  /// for_each(). The partition depends only on the contents of the pool and on `parts`.
  ///
  /// Threads  Look up handles with peek(): get() counts a stale handle, which would be a data race.
  ///
  ///   auto walk = bullets.split(4);
  ///   run_on_workers(walk.parts(), [&](u32 part) { walk.for_each(part, [](Bullet& b) { … }); });
  class SharedWalk {
   public:
    SharedWalk(Pool& its, u32 parts)
        : inside_(its.rules_.is_walked()), walk_(its), storage_(its.storage_), parts_(parts > 0 ? parts : 1) {
      if constexpr (requires { storage_.settle(); }) {
        if (inside_) {
          misuse("split() was called inside a walk of a field-wise pool. Use for_each() there.");
        } else {
          storage_.settle();
        }
      }
    }
    u32 parts() const { return parts_; }
    /// Calls f(Value&) for the objects of this part.
    template <class F>
    void for_each(u32 part, F&& f) const {
      if (is_refused()) return;
      storage_.for_each_part(part, parts_, [&](u32, Value& value) { f(value); });
    }
    /// PackedPool: the objects of this part, contiguous. Valid until the next release, or until the pool
    /// grows.
    Run<Value> objects(u32 part) const
      requires requires(S& storage) { storage.objects(); }
    {
      const u32 first = storage_.first_of(part, parts_);
      return {storage_.objects() + first, storage_.first_of(part + 1, parts_) - first};
    }
    /// DensePool: the rows of this part, for column<&Value::member>().
    Rows rows(u32 part) const
      requires requires(S& storage) { storage.columns(); }
    {
      if (is_refused()) return {0, 0};
      const u32 first = storage_.first_of(part, parts_);
      return {first, storage_.first_of(part + 1, parts_) - first};
    }
    template <auto Member>
    auto* column() const
      requires requires(const S& storage) { storage.columns().template column<Member>(); }
    {
      return storage_.columns().template column<Member>();
    }

   private:
    bool is_refused() const { return inside_ && requires { storage_.settle(); }; }
    bool inside_;  // constructed inside another walk of this pool
    Walk walk_;
    S& storage_;
    u32 parts_;
  };
  SharedWalk split(u32 parts) { return SharedWalk(*this, parts); }

  // ---- limits

  /// True if OrderOf<Value> provides what this policy needs. Stealing also needs a spare slot if Value
  /// cannot be moved, and console_heap cannot add one.
  static constexpr bool supports(PolicyId policy) {
    constexpr bool kCanSteal = kMovable || Extendable<S>;
    if (policy == PolicyId::StealOldest) return HasSerial<Value> && kCanSteal;
    if (policy == PolicyId::StealLeast) return HasScore<Value> && kCanSteal;
    return true;
  }
  /// Sets the overflow policy. Returns false and changes nothing if supports(policy) is false. The stealing
  /// policies allocate their tables here.
  [[nodiscard]] bool set_policy(PolicyId policy) {
    if (!supports(policy)) return false;
    if (policy == rules_.policy) return true;
    return change_policy(policy);
  }
  PolicyId policy() const { return rules_.policy; }

  /// Sets how many objects may be live. Lowering it releases nothing; only new objects are refused.
  /// Allocates, so call it between frames. In a stable storage a larger capacity never moves an object; a
  /// smaller one may. Returns false and changes nothing where console_heap would have to move objects of a
  /// type that cannot be moved.
  [[nodiscard]] bool set_capacity(u32 capacity) {
    if (refuses_capacity(capacity)) return false;
    if (const char* why = rules_.why_fixed()) return misuse(why), false;
    return change_capacity(capacity);
  }

  /// PolicyId::Grow adds grow_by slots at a time (0: half of the capacity, at least 64), up to
  /// max_capacity.
  void set_growth(u32 grow_by, u32 max_capacity) {
    rules_.grow_by = grow_by;
    rules_.max_capacity = max_capacity;
  }
  /// Prepares up to `limit` more slots of the capacity: touches their memory and links them into the free
  /// list. Returns how many are still missing. Continues PoolSize::prewarm in later frames; prewarm.hpp
  /// adds a time budget. Storages that move objects prepare all slots in the first call.
  u32 prewarm(u32 limit) {
    if (const char* why = rules_.why_fixed()) return misuse(why), 0;
    return make_ready(limit);
  }

  u32 trim() { return trim(rules_.keep_free); }  ///< Keeps PoolSize::keep_free slots free.
  /// Shrinks a pool that grew: lowers the capacity to live() + keep_free, at least 1, if it was larger, and frees
  /// memory. A stable storage moves no object, so it frees only trailing blocks that are empty. Returns the
  /// number of slots freed.
  u32 trim(u32 keep_free) {
    if (const char* why = rules_.why_fixed()) return misuse(why), 0;
    const u32 before = storage_.slots(), old_capacity = rules_.counters.capacity;
    const u64 wanted = u64{storage_.live()} + keep_free > 1 ? u64{storage_.live()} + keep_free : 1;
    const u32 capacity = wanted < old_capacity ? static_cast<u32>(wanted) : old_capacity;
    const u32 least = slots_for(storage_.generations(), before, capacity + spare_slots(rules_.policy));
    if (least < before) shrink(least);
    rules_.counters.capacity = capacity;
    follow_slots(before);
    const u32 gone = before - storage_.slots();
    rules_.counters.trimmed += gone > 0 || wanted < old_capacity ? 1u : 0u;
    return gone;
  }

  /// PolicyId::Pressure: 0 up to three quarters of the capacity, then rising linearly to 1 when the pool is
  /// full; 0 under other policies. The game ages objects faster by this factor and reports how many to
  /// count_accelerated().
  float pressure() const { return rules_.pressure(storage_.live()); }
  void count_accelerated(u64 objects) { rules_.counters.accelerated += objects; }

  // ---- diagnostics (inspect/)

  /// Takes ownership of a listener and calls its resized() with the number of slots. If that throws, the listener is
  /// deleted.
  template <class Listener>
  Listener& attach(Listener* listener) {
    rules_.attach(listener, storage_.slots());
    settle();
    return *listener;
  }
  template <class Listener>
  Listener* listener() const {
    return static_cast<Listener*>(rules_.listener(Listener::kind_id()));
  }
  template <class Listener>
  void detach() {
    rules_.detach(Listener::kind_id());
    settle();
  }

  // ---- snapshots

  template <class... To, class T = Value>
  void save(To&&...) const requires(!std::is_copy_constructible_v<T>) = delete;  // this type cannot be copied
  /// Copies the pool for restore(): rollback, replays, undo. Needs a copyable Value. O(live + slots). If a
  /// copy throws, the snapshot is left empty.
  void save(Snapshot& snapshot) const
    requires std::is_copy_constructible_v<Value>
  {
    Walk walk(*this);
    struct Unless {
      Snapshot* failed;
      ~Unless() {
        if (failed) failed->clear();
      }
    } unless{&snapshot};
    snapshot.begin(storage_.live(), storage_.generations());
    if constexpr (std::is_trivially_copyable_v<Value>) {
      snapshot.slots_of_.resize(storage_.live());
      u32* slots = snapshot.slots_of_.data();
      Value* values = snapshot.values_;
      storage_.for_each_slot([&](u32 slot, const Value& value) {
        *slots++ = slot;
        ::new (static_cast<void*>(values++)) Value(value);
      });
    } else {
      storage_.for_each_slot([&](u32 slot, const Value& value) { snapshot.add(slot, value); });
    }
    unless.failed = nullptr;
    snapshot.finish(rules_, new_calls(), storage_.slots());
  }
  Snapshot save() const
    requires std::is_copy_constructible_v<Value>
  {
    Snapshot snapshot;
    save(snapshot);
    return snapshot;
  }
  /// Returns the pool to its saved state: the objects in their slots, the counters and the policy. Handles
  /// that were valid then are valid again; handles issued since are not. But generations go back too, so such
  /// a handle may become valid again for an object that is acquired later. Free slots get the order of a new
  /// pool. O(live + slots). If anything throws, nothing changes.
  /// Empty    A new snapshot, or one whose save() threw, gives an empty pool of capacity 0 whose generations
  ///          begin anew.
  /// Sibling  The snapshot may be of another pool. Where handles store the number of their pool
  ///          (SPELLPOOL_CHECK_OWNERS), this pool refuses the handles of that one.
  /// Memory   A pool of a trivially copyable type that still has as many slots as it had then is restored in place:
  ///          it allocates nothing, except missing blocks of `heap`, the sort buffer of PolicyId::StealOldest, once,
  ///          and the tables of a policy that has changed since. Other pools get a new storage.
  void restore(const Snapshot& snapshot)
    requires std::is_copy_constructible_v<Value>
  {
    if (const char* why = rules_.why_fixed()) return misuse(why);
    if constexpr (kRestoresInPlace) {
      const u32 before = storage_.slots();
      const bool as_many = before == snapshot.slots_ && storage_.generations().known() == snapshot.generations_.known();
      const bool enough =
          Extendable<S> || slots_for(snapshot.generations_, before, snapshot.counters_.capacity) <= before;
      if (as_many && enough && !rules_.fill) return restore_in_place(snapshot);
    }
    restore_anew(snapshot);
  }

  /// Fills a slot with 0xCD before an object is constructed in it, and with 0xDD after the object is
  /// destroyed, so that reads of uninitialised or released objects stand out. 0xCD is seen only where objects
  /// are constructed in their slot: not in packed, which moves them in. dense and soa fill nothing.
  void set_fill(bool on) {
    rules_.fill = on;
    storage_.set_fill(on);
    settle();
  }
  bool fill() const { return rules_.fill; }

  // ---- counters

  u32 capacity() const { return rules_.counters.capacity; }
  u32 live() const { return storage_.live(); }
  u32 size() const { return storage_.live(); }
  bool empty() const { return storage_.live() == 0; }
  /// live() >= capacity(): the policy decides the next acquire().
  bool full() const { return storage_.live() >= rules_.counters.capacity; }
  u64 new_calls() const { return rules_.counters.new_calls + storage_.new_calls(); }

  PoolStats stats() const {
    return rules_.stats(storage_.live(), storage_.slots(), storage_.retired(), new_calls(), storage_.bytes());
  }
  const S& storage() const { return storage_; }

  // ---- for SwitchablePool

  /// Passes the contents to a pool with another storage. This pool is locked until done_leaving().
  Leaving<Value, GenerationType> leave() {
    lock_moving(true);
    return {Departure<Value, GenerationType>::of(storage_), &rules_, storage_.new_calls()};
  }
  /// Ends leave(). left: the other pool has the objects, so the moved-from ones are destroyed. Otherwise
  /// this pool is unlocked unchanged.
  void done_leaving(bool left) {
    const u32 slots = storage_.slots();
    if (left) S(std::move(storage_));
    lock_moving(false);
    if (left) tell_destroyed(slots);
  }
  /// Continues another pool in this storage, with its objects, handles, policy and counters.
  explicit Pool(const Leaving<Value, GenerationType>& other)
      : storage_(other.objects.template into<S>(other.rules->memory)) {
    rules_ = std::move(*other.rules);
    storage_.set_fill(rules_.fill);
    rules_.counters.new_calls += other.new_calls;
    settle();
    tell_created(storage_.slots());
  }
  const char* why_fixed() const { return rules_.why_fixed(); }
  const char* why_fixed_with(const Pool& other) const {
    const char* const why = rules_.why_fixed();
    return why ? why : other.rules_.why_fixed();
  }

 private:
  template <class>
  friend class Pool;
  static constexpr bool kMovable = std::is_move_constructible_v<Value>;
  static constexpr bool kMovesSafely = std::is_nothrow_move_constructible_v<Value>;
  /// When acquire() steals, it constructs the new object outside the pool and moves it in. If that move may
  /// throw, it would throw after the victim was destroyed; so the object is built in a spare slot instead,
  /// unless the storage cannot have one.
  static constexpr bool kMadeApart = kMovesSafely || (kMovable && !Extendable<S>);
  static constexpr bool kHearsAcquired = requires(Value& value) { HooksOf<Value>::acquired(value); };

  /// Locks the pool while a walk runs: closes the fast paths of acquire and release; the slow paths
  /// refuse.
  class Walk {
   public:
    explicit Walk(const Pool& its) : pool_(its) {
      PoolRules::add(its.rules_.walks, 1);
      PoolRules::store(its.rules_.fast.live, 0);
      PoolRules::store(its.rules_.fast.slots, 0);
    }
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;
    ~Walk() {
      PoolRules::add(pool_.rules_.walks, ~u32{0});
      if (!pool_.rules_.is_walked()) pool_.settle();
    }

   private:
    const Pool& pool_;
  };
  /// Alive while a destructor or hook runs.
  struct UserCode {
    explicit UserCode(PoolRules& its) : rules(its) { ++rules.user_code; }
    UserCode(const UserCode&) = delete;
    UserCode& operator=(const UserCode&) = delete;
    ~UserCode() { --rules.user_code; }
    PoolRules& rules;
  };
  /// Placing an object that was built moves it, and its move constructor must not use the pool.
  static constexpr bool kMovesIn = !S::kStable && !std::is_trivially_copyable_v<Value>;
  /// Alive while a constructor runs; one slot is reserved for its object. `before` is rules_.building: on the
  /// fast path 0.
  struct Building {
    Building(Pool& its, u32 its_before) : pool(its), fast(its.rules_.fast.live), before(its_before) {
      pool.rules_.building = before + 1;
      if constexpr (kMovesIn) fast = pool.rules_.fast.close();
      else pool.rules_.fast.live = 0;
    }
    Building(const Building&) = delete;
    Building& operator=(const Building&) = delete;
    ~Building() {
      if (running) end();
    }
    /// True if the constructor did not use the pool.
    bool end() {
      running = false;
      const bool used = pool.rules_.building != before + 1;
      pool.rules_.building = before;
      if (used) [[unlikely]] {
        pool.settle();
        return false;
      }
      reopen();
      return true;
    }
    /// The same, but on true the pool stays locked until end_move(): the object moves to its place.
    bool begin_move() {
      if (pool.rules_.building != before + 1) [[unlikely]] return end();
      pool.rules_.building = PoolRules::kMoves;
      return true;
    }
    void end_move() {
      running = false;
      pool.rules_.building = before;
      reopen();
    }
    void reopen() {
      if constexpr (kMovesIn) pool.rules_.fast.reopen(fast);
      else pool.rules_.fast.live = fast;
    }
    Pool& pool;
    std::conditional_t<kMovesIn, u64, u32> fast;
    u32 before;
    bool running = true;
  };
  /// Alive while objects move or moved-from objects are destroyed: nothing may use the pool.
  struct Restructuring {
    explicit Restructuring(Pool& its) : pool(its) { pool.lock_moving(true); }
    Restructuring(const Restructuring&) = delete;
    Restructuring& operator=(const Restructuring&) = delete;
    ~Restructuring() { pool.lock_moving(false); }
    Pool& pool;
  };
  /// Alive while an object that is being destroyed is moved out of its place, and while its destructor or hook runs. Until
  /// moved() nothing may use the pool. Unlike Restructuring it opens the fast paths as they were, which costs
  /// fewer instructions than settle().
  struct MovingOut {
    explicit MovingOut(PoolRules& its) : rules(its), fast(its.fast.close()) {
      rules.user_code += PoolRules::kMoves + 1;
    }
    MovingOut(const MovingOut&) = delete;
    MovingOut& operator=(const MovingOut&) = delete;
    ~MovingOut() { --rules.user_code; }
    void moved() {
      rules.user_code -= PoolRules::kMoves;
      rules.fast.reopen(fast);
    }
    PoolRules& rules;
    u64 fast;
  };
  /// Counts the objects that release_if and update_rows release, even if the predicate throws.
  struct Died {
    explicit Died(Pool& its) : pool(its), before(its.live()) {}
    Died(const Died&) = delete;
    Died& operator=(const Died&) = delete;
    ~Died() { pool.rules_.counters.released += count(); }
    u32 count() const { return before - pool.live(); }
    Pool& pool;
    u32 before;
  };
  // One type, so that types without hooks share an instantiation.
  struct NoHook {
    void operator()(Value&) const noexcept {}
  };
  /// Counts the objects that acquire_n adds, even if its callbacks throw.
  struct Born {
    explicit Born(Pool& its) : pool(its), before(its.live()) {}
    Born(const Born&) = delete;
    Born& operator=(const Born&) = delete;
    ~Born() {
      PoolStats& counters = pool.rules_.counters;
      counters.spawned += pool.live() - before;
      if (pool.live() > counters.peak) counters.peak = pool.live();
    }
    Pool& pool;
    u32 before;
  };
  struct ReleaseHook {
    void operator()(Value& value) const noexcept
      requires requires { HooksOf<Value>::released(value); }
    {
      HooksOf<Value>::released(value);
    }
  };
  struct DiscardHook {
    void operator()(Value& value) const noexcept
      requires requires { HooksOf<Value>::discarded(value); }
    {
      HooksOf<Value>::discarded(value);
    }
  };
  using Releasing = std::conditional_t < requires(Value& value) { HooksOf<Value>::released(value); }
  , ReleaseHook, NoHook > ;
  using Discarding = std::conditional_t < requires(Value& value) { HooksOf<Value>::discarded(value); }
  , DiscardHook, NoHook > ;
  template <class Make>
  decltype(auto) locked(Make& make, u32 i) {
    Walk walk(*this);
    return make(i);
  }

  void settle() const { rules_.settle(storage_.slots(), storage_.retired(), storage_.plain()); }
  void lock_moving(bool on) {
    rules_.restructuring = on;
    settle();
  }
#if SPELLPOOL_CHECK_OWNERS
  bool is_own(const HandleType& handle) const { return handle.owner == 0 || handle.owner == rules_.owner; }
  HandleType issued(HandleType handle) const {
    handle.owner = rules_.owner;
    return handle;
  }
#else
  static constexpr bool is_own(const HandleType&) { return true; }
  static constexpr HandleType issued(HandleType handle) { return handle; }
#endif
  template <class F>
  SPELLPOOL_APART void for_each_place(F& f) {
    for (u32 place = 0; (place = storage_.next_place(place)) != kNoSlot; ++place) {
      const Pointer value = storage_.at_place(place);
      f(storage_.slot_at(place), *value);
    }
  }
  u32 first_place() {
    if constexpr (requires { storage_.settle(); }) {
      if (!rules_.is_walked()) storage_.settle();
    }
    return storage_.next_place(0);
  }

  // ---- acquire

  /// False if no slot can be had now: while a destructor runs, its slot, or its block of a fixed-size heap,
  /// is neither live nor free.
  bool can_build() const {
    if constexpr (S::kBuildsInSlot) {
      return storage_.has_free();
    } else if constexpr (requires { storage_.has_block(); }) {
      return storage_.has_block();
    } else {
      return true;
    }
  }
  /// For the fast paths, which a pool without slots does not take. False: unknown.
  bool can_build_near() const {
    if constexpr (requires { storage_.has_free_near(); }) return storage_.has_free_near();
    else return can_build();
  }
  /// Fast path for types whose constructors may use the pool.
  template <class... Args>
  HandleType acquire_with_user_code(Args&&... args) {
    if (!can_build_near()) [[unlikely]] return acquire_with_care(std::forward<Args>(args)...);
    Building building(*this, 0);
    auto built = [&] {
      if constexpr (S::kBuildsInSlot) {
        return storage_.build_plain(std::forward<Args>(args)...);
      } else {
        return storage_.build(std::forward<Args>(args)...);
      }
    }();
    if constexpr (kMovesIn) {
      if (!building.begin_move()) [[unlikely]] return place(built);
    } else {
      if (!building.end()) [[unlikely]] return place(built);
    }
    const HandleType handle = storage_.place(built);
    if constexpr (kMovesIn) building.end_move();
    ++rules_.counters.spawned;
    tell_acquired(handle.index);
    return issued(handle);
  }

  /// Slow path for types whose construction runs no user code.
  SPELLPOOL_APART HandleType acquire_value(const Value& value) {
    if (const char* why = rules_.why_locked()) return misuse(why), HandleType{};
    rules_.note_use();
    return find_room() ? finish(storage_.insert(value)) : reject();
  }
  template <class... Args>
  SPELLPOOL_APART HandleType acquire_with_care(Args&&... args) {
    if (const char* why = rules_.why_locked()) return misuse(why), HandleType{};
    rules_.note_use();
    if (refuses()) return reject();
    const bool full = u64{storage_.live()} + rules_.reserved() == rules_.counters.capacity;
    if (!full && (Extendable<S> || (storage_.has_free() && can_build()))) {
      if (!storage_.has_free() && !make_room()) return reject();
      return spawn(std::forward<Args>(args)...);
    }
    if constexpr (kMadeApart) {
      if (!may_extend() && (full ? rules_.policy == PolicyId::Grow : !storage_.has_free() || !can_build()))
        return reject();
      // Construct the value first: its arguments may refer to the victim, or to an object that moves when
      // the pool grows.
      Value value = make_apart(std::forward<Args>(args)...);
      if (!find_room()) return reject();
      return spawn(std::move(value));
    } else {
      if (rules_.policy == PolicyId::Grow) return find_room() ? spawn(std::forward<Args>(args)...) : reject();
      return spawn_then_steal(std::forward<Args>(args)...);
    }
  }
  template <class... Args>
  Value make_apart(Args&&... args) {
    UserCode running(rules_);
    return make_value<Value>(std::forward<Args>(args)...);
  }
  HandleType reject() {
    rules_.count_rejected(1);
    return {};
  }
  /// Destroys an object that was built but not placed.
  template <class Built>
  HandleType reject([[maybe_unused]] Built& built) {
    if constexpr (requires { storage_.discard(built); }) {
      UserCode running(rules_);
      storage_.discard(built);
    }
    return reject();
  }
  /// Makes room for one more object as the policy says. False if there is none.
  SPELLPOOL_APART bool find_room() {
    if (refuses()) return false;
    if (u64{storage_.live()} + rules_.reserved() >= rules_.counters.capacity) {
      if (rules_.policy == PolicyId::Grow) {
        if (!grow()) return false;
      } else {
        steal(victim());
        // The victim's destructor may have acquired the free slot.
        if (u64{storage_.live()} + rules_.reserved() >= rules_.counters.capacity) return false;
      }
    }
    return (storage_.has_free() || make_room()) && can_build();
  }
  /// Builds the object in a free slot, which exists.
  template <class... Args>
  HandleType spawn(Args&&... args) {
    Building building(*this, rules_.building);
    auto built = storage_.build(std::forward<Args>(args)...);
    building.end();
    return place(built);
  }
  /// If Value cannot be moved: builds the new object in a spare slot, then destroys the victim.
  template <class... Args>
  HandleType spawn_then_steal(Args&&... args) {
    if (!storage_.has_free() && !make_room()) return reject();
    if (!can_build()) return reject();
    Building building(*this, rules_.building);
    auto built = storage_.build(std::forward<Args>(args)...);
    building.end();
    if (refuses()) return reject(built);
    if (storage_.live() >= rules_.counters.capacity) steal(victim());
    if (storage_.live() >= rules_.counters.capacity) return reject(built);
    return place(built);
  }
  template <class Built>
  HandleType place(Built& built) {
    if constexpr (!S::kBuildsInSlot) {
      if (!storage_.has_free() && !make_room()) return reject(built);  // the constructor acquired too, and used up generations
    }
    if constexpr (kMovesIn) {
      const HandleType handle = [&] {
        Restructuring moving(*this);
        return storage_.place(built);
      }();
      return finish(handle);
    } else {
      return finish(storage_.place(built));
    }
  }
  HandleType finish(HandleType handle) {
    ++rules_.counters.spawned;
    if (rules_.keeps_age()) rules_.age.push_back(handle.index);
    if (rules_.listeners) rules_.hear_acquired(handle.index);
    if (storage_.live() > rules_.counters.peak) {
      rules_.counters.peak = storage_.live();
      settle();
    }
    const HandleType mine = issued(handle);
    tell_acquired(handle.index);
    return mine;
  }

  // ---- release

  /// Not inlined, to keep release() short. Takes the handle as two words: a Handle would have to be built
  /// for the call.
  SPELLPOOL_APART ReleaseResult release_with_care(u32 slot, GenerationType generation, bool own) {
    if (!own) return rules_.refuse(ReleaseResult::ForeignHandle);
    if (!storage_.generations().resolves(slot, generation))
      return rules_.refuse(storage_.generations().mismatch(slot, generation));
    if (const char* why = rules_.why_locked()) return misuse(why), ReleaseResult::Refused;
    rules_.note_use();
    end_object(slot, Releasing{}, rules_.counters.released);
    return ReleaseResult::Released;
  }
  template <class Hook>
  SPELLPOOL_APART void end_object(u32 slot, Hook hook, u64& counter) {
    if (rules_.keeps_age()) rules_.age.unlink(slot);
    ++counter;
    if constexpr (kEndRunsUserCode<Value>) {  // this slot retires now, and the destructor may release too
      if (storage_.generations()[slot] == GenerationRule<GenerationType>::kLast) rules_.close_fast_paths();
    }
    if (!erase_with_user_code(slot, hook)) settle();
  }
  /// Erases an object whose destructor or hook is user code. If erasing moves objects, the pool is locked
  /// meanwhile.
  template <class Hook>
  bool erase_with_user_code(u32 slot, Hook hook) {
    if constexpr (!kEndRunsUserCode<Value>) {
      return storage_.erase_slot(slot, NoCallback{});
    } else if constexpr (S::kStable) {
      UserCode running(rules_);
      return storage_.erase_slot(slot, hook);
    } else {
      MovingOut moving(rules_);
      return storage_.erase_slot(slot, [&](Value& value) noexcept {
        moving.moved();
        hook(value);
      });
    }
  }
  /// For types whose destructor or hook is user code. Goes by slot number, so each object is tested once,
  /// whatever that code acquires or releases.
  template <class Dead>
  u32 release_each_if(Dead& dead) {
    u32 ended = 0;
    for (u32 slot = 0; (slot = storage_.next_live(slot)) != kNoSlot; ++slot) {
      bool ends;
      {
        Walk walk(*this);
        if constexpr (std::is_pointer_v<Pointer>) {
          ends = dead(storage_.at_slot(slot));
        } else {
          const Pointer value = storage_.at_slot(slot);
          ends = dead(*value);
        }
      }
      if (!ends) continue;
      rules_.note_use();
      end_object(slot, Releasing{}, rules_.counters.released);
      ++ended;
    }
    return ended;
  }
  SPELLPOOL_RARE void count_stale(HandleType handle) {
    if (handle.is_null()) return;
    ++(is_own(handle) ? rules_.counters.stale_handles : rules_.counters.foreign_handles);
  }

  u32 victim() { return rules_.policy == PolicyId::StealOldest ? rules_.age.oldest() : least_important(); }
  SPELLPOOL_APART void steal(u32 slot) {
    rules_.hear_stolen(storage_.place_of(slot));
    end_object(slot, Discarding{}, rules_.counters.stolen);
  }
  /// Slot of the object with the lowest (score, serial). The pool must not be empty.
  u32 least_important() {
    if constexpr (HasScore<Value>) {
      if (!rules_.in_batch) rules_.ranked = false;
      for (VictimList::Entry entry;;) {
        if (!rules_.ranked || !rules_.victims.next(entry)) {
          rank();
          continue;
        }
        if (storage_.generations()[entry.slot] == entry.generation) return entry.slot;
      }
    }
    return 0;
  }
  void rank() {
    if constexpr (HasScore<Value>) {
      rules_.victims.begin();
      rules_.victims.reserve(storage_.live());
      std::as_const(storage_).for_each_slot([&](u32 slot, const Value& value) {
        rules_.victims.add(static_cast<float>(OrderOf<Value>::score(value)),
                           static_cast<u64>(OrderOf<Value>::serial(value)), slot, storage_.generations()[slot]);
      });
      rules_.victims.rank();
      rules_.ranked = true;
    }
  }
  // ---- capacity and storage

  /// Objects cannot be moved safely, and the storage cannot grow without moving them.
  static constexpr bool kFixed = !kMovesSafely && !Extendable<S>;

  /// Extra slots for policies that build the new object before they destroy the victim.
  static constexpr u32 spare_slots(PolicyId policy) {
    return !kMadeApart && (policy == PolicyId::StealOldest || policy == PolicyId::StealLeast) ? 1 : 0;
  }

  /// True if the storage may grow now. Inside a constructor or destructor only if no object moves: the
  /// arguments of acquire() may refer to objects of this pool.
  bool may_extend() const { return Extendable<S> || (!kFixed && rules_.building == 0 && rules_.user_code == 0); }

  SPELLPOOL_APART bool change_policy(PolicyId policy) {
    if (const char* why = rules_.why_fixed()) return misuse(why), false;
    if (spare_slots(policy) > 0 && !storage_.has_free()) add_room();  // before the tables, which have a row for each slot
    PolicyTables tables(rules_.memory);
    if (policy == PolicyId::StealOldest) {
      Table<AgeList::Member> members;
      Snapshot::list_ages(storage_, storage_.slots(), tables.age, members);
    }
    if (policy == PolicyId::StealLeast)
      tables.victims.reserve(storage_.live() > capacity() ? storage_.live() : capacity());
    rules_.take_policy(policy, tables);
    settle();
    return true;
  }
  SPELLPOOL_APART bool change_capacity(u32 capacity) {
    const u32 before = storage_.slots(),
              slots = slots_for(storage_.generations(), before, capacity + spare_slots(rules_.policy));
    if (slots > before && kFixed) return false;
    if (rules_.policy == PolicyId::StealLeast)
      rules_.victims.reserve(capacity > storage_.live() ? capacity : storage_.live());
    if (slots > before) {
      enlarge(slots);
    } else if (slots < before && capacity <= rules_.counters.capacity) {  // a larger capacity moves nothing
      if constexpr (S::kBuildsInSlot && kMovesSafely) {
        rebuild(slots);  // one block again
      } else {
        shrink(slots);
      }
    }
    rules_.counters.capacity = capacity;
    follow_slots(before);
    return true;
  }
  /// What change() returns, or false if memory runs out in it.
  template <class Change>
  static bool unless_out_of_memory(Change&& change) {
#if defined(SPELLPOOL_EXCEPTIONS)
    try {
      return change();
    } catch (const std::bad_alloc&) {
      return false;
    }
#else
    return change();
#endif
  }
  SPELLPOOL_RARE bool grow() {
    if (!may_extend()) return false;
    const u32 capacity = rules_.grown_capacity();
    if (capacity == rules_.counters.capacity) return false;
    if (!unless_out_of_memory([&] { return change_capacity(capacity); })) return false;
    ++rules_.counters.grown;
    return true;
  }
  /// Called when live < capacity but no slot is free: some slots are not prepared yet, are retired, or are
  /// being emptied. False if the storage would have to move objects now and must not, or memory runs out.
  SPELLPOOL_RARE bool make_room() {
    return unless_out_of_memory([&] { return add_room(); });
  }
  /// The same, but throws std::bad_alloc.
  SPELLPOOL_RARE bool add_room() {
    if (!may_extend()) return false;
    const u32 before = storage_.slots();
    if (before < slots_for(storage_.generations(), before, rules_.counters.capacity)) {
      make_ready(before / 2 + 64);
      if (storage_.has_free()) return true;
    }
    const u32 reserve = rules_.counters.capacity / 8 + 8;  // for later calls too
    const u32 now = storage_.slots();
    const u32 usable = now - storage_.retired();  // all of them taken, or being made or destroyed
    const u32 capacity = rules_.counters.capacity;
    const u32 slots = slots_for(storage_.generations(), now, (capacity > usable ? capacity : usable) + reserve);
    enlarge(slots);
    follow_slots(now);
    return storage_.has_free();
  }
  SPELLPOOL_APART u32 make_ready(u32 limit) {
    const u32 before = storage_.slots(), wanted = slots_for(storage_.generations(), before, rules_.counters.capacity);
    if (before >= wanted) return 0;
    if (limit == 0 || kFixed) return wanted - before;
    enlarge(Extendable<S> && limit < wanted - before ? before + limit : wanted);
    follow_slots(before);
    return wanted - storage_.slots();
  }
  static S storage_of(const PoolSize& size) {
    if (refuses_capacity(size.capacity)) return S(0, size.memory);
    if constexpr (std::is_constructible_v<S, u32, u32, PoolMemory*>) {
      if (size.prewarm < size.capacity) return S(size.capacity, size.prewarm, size.memory);
    }
    return S(size.capacity, size.memory);
  }
  SPELLPOOL_RARE void enlarge(u32 slots) {
    rules_.reserve_slots(slots);  // first: a table that is too large is harmless if the rest throws
    if constexpr (Extendable<S>) {
      storage_.add_slots(slots - storage_.slots());
    } else {
      rebuild(slots);
    }
  }
  SPELLPOOL_RARE void shrink(u32 slots) {
    if constexpr (Extendable<S>) {
      storage_.drop_slots(slots);  // no object moves, so blocks that hold one stay
    } else {
      rebuild(slots);
    }
  }
  SPELLPOOL_RARE void rebuild(u32 slots) {
    if constexpr (kMovesSafely) {
      Restructuring moving(*this);
      const u64 calls = storage_.new_calls();
      auto objects = Departure<Value, GenerationType>::of(storage_);
      objects.slots = slots;
      S anew = objects.template into<S>(rules_.memory);
      anew.set_fill(rules_.fill);
      storage_.swap_with(anew);
      rules_.counters.new_calls += calls;
      end_objects(anew);
    }
  }
  using Known = GenerationTable<GenerationType>;
  static constexpr bool kRestoresWhole = requires(S s, const Known& known, const u32* slots, const Value* values) {
    s.begin_again(known, slots, values, 0u);
  };
  static constexpr bool kRestoresInPlace =
      std::is_trivially_copyable_v<Value> &&
      (kRestoresWhole || requires(S s, const Known& known) { s.begin_again(known, 0u); });
  SPELLPOOL_APART void restore_in_place(const Snapshot& snapshot) {
    if (snapshot.policy_ == PolicyId::StealOldest) rules_.age.reserve_again(snapshot.slots(), snapshot.size());
    if (snapshot.policy_ == PolicyId::StealLeast) rules_.victims.reserve(snapshot.most_victims());
    const u64 calls = rules_.counters.new_calls;
    if constexpr (kRestoresWhole) {
      storage_.begin_again(snapshot.generations_, snapshot.slots_of_.data(), snapshot.values_, snapshot.size());
    } else {
      storage_.begin_again(snapshot.generations_, snapshot.size());
      snapshot.for_each_slot([&](u32 slot, const Value& value) { storage_.adopt(slot, Value(value)); });
      storage_.finish_adoption();
    }
    rules_.take_counters(snapshot.counters_, calls);
    rules_.policy = snapshot.policy_;
    if (rules_.policy == PolicyId::StealOldest)
      Snapshot::list_ages(snapshot, snapshot.slots(), rules_.age, rules_.age.members());
    settle();
  }
  /// restore() into a new storage.
  SPELLPOOL_APART void restore_anew(const Snapshot& snapshot) {
    const u32 before = storage_.slots();
    UserCode running(rules_);  // if anything throws, destructors of copies run
    S anew = copy_of(snapshot);
    rules_.reserve_slots(anew.slots());
    PolicyTables tables(rules_.memory);
    snapshot.make_tables(tables, anew.slots());
    anew.set_fill(rules_.fill);
    const u64 calls = new_calls();
    end_all();  // destructors may release others; acquire() is refused
    rules_.closing = false;
    storage_.swap_with(anew);
    rules_.take_counters(snapshot.counters_, calls);
    rules_.take_policy(snapshot.policy_, tables);
    follow_slots(before);
  }
  S copy_of(const Snapshot& snapshot) {
    Restructuring copying(*this);
    u32 slots = snapshot.slots_;
    if constexpr (!Extendable<S>) {  // the saved pool may not have been fully prewarmed
      const u32 wanted = slots_for(snapshot.generations_, slots, snapshot.counters_.capacity);
      if (wanted > slots) slots = wanted;
    }
    if constexpr (kMovesSafely) {
      return snapshot.copies(slots).template into<S>(rules_.memory);
    } else {
      S anew(typename S::Adopt{}, slots, snapshot.generations_, snapshot.size(), rules_.memory);
      snapshot.for_each_slot([&](u32 slot, const Value& value) { anew.adopt(slot, Value(value)); });
      anew.finish_adoption();
      return anew;
    }
  }

  /// Destroys the objects of a storage that was moved out of a pool.
  static void end_objects(S& storage) {
    if constexpr (!std::is_trivially_destructible_v<Value>) S(std::move(storage));
  }
  /// Call after anything that may have changed the number of slots.
  void follow_slots(u32 before) {
    const u32 now = storage_.slots();
    settle();
    if (now > before) tell_created(now - before);
    if (now < before) tell_destroyed(before - now);
  }
  SPELLPOOL_APART void take(Pool& other) noexcept {
    if (const char* why = other.rules_.why_fixed()) return misuse(why);
    exchange(other);
  }
  void exchange(Pool& other) noexcept {
    storage_.swap_with(other.storage_);
    rules_.swap(other.rules_);
    settle();
    other.settle();
  }
  void end_all() {
    if constexpr (!std::is_trivially_destructible_v<Value>) {
      rules_.closing = true;
      settle();
      for (u32 slot = 0; (slot = storage_.next_live(slot)) != kNoSlot; ++slot) {
        erase_with_user_code(slot, NoHook{});
      }
    }
  }

  void tell_acquired([[maybe_unused]] u32 slot) {
    if constexpr (kHearsAcquired) {
      UserCode running(rules_);
      if constexpr (std::is_pointer_v<Pointer>) {
        HooksOf<Value>::acquired(storage_.at_slot(slot));
      } else {
        const Pointer value = storage_.at_slot(slot);
        HooksOf<Value>::acquired(*value);
      }
    }
  }
  void tell_created([[maybe_unused]] u32 slots) const {
    if constexpr (requires { HooksOf<Value>::created(slots); }) HooksOf<Value>::created(slots);
  }
  void tell_destroyed([[maybe_unused]] u32 slots) const {
    if constexpr (requires { HooksOf<Value>::destroyed(slots); }) {
      if (slots > 0) HooksOf<Value>::destroyed(slots);
    }
  }

  S storage_;
  mutable PoolRules rules_;
};

/// Releases every object for which dead(Value&) returns true: release_if() under the std name.
template <class S, class Dead>
u32 erase_if(Pool<S>& pool, Dead&& dead) {
  return pool.release_if(dead);
}

template <class T, std::unsigned_integral Generation = u32>
using FreeListPool = Pool<FreeListStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using BitmapPool = Pool<BitmapStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using DensePool = Pool<DenseStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using PackedPool = Pool<PackedStorage<T, Generation>>;

}  // namespace spellpool::pool
