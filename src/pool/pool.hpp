#pragma once
// The pools: include this, link spellpool::pool. FreeListPool, BitmapPool, DensePool and PackedPool; docs/POOLS.md says which one to take.
#include <concepts>

#include "pool/bitmap.hpp"
#include "pool/dense.hpp"
#include "pool/free_list.hpp"
#include "pool/packed.hpp"

namespace spellpool::pool {

template <class S>
class Pool;

/// A whole pool as it was: objects, handles, policy, counters (Pool::save, Pool::restore). Plain memory; keep one and save
/// into it again: it allocates the first time, and when the pool holds more than ever before.
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
  u32 slots() const { return slots_; }  ///< Slots of the pool when it was saved.

 private:
  template <class S>
  friend class Pool;

  void clear() {
    while (!slots_of_.empty()) {
      slots_of_.pop_back();
      values_[slots_of_.size()].~T();
    }
    slots_ = 0;
    generations_ = GenerationTable<Generation>{};
    counters_ = {};
    policy_ = PolicyId::Reject;
  }
  void reserve(u32 objects) {
    if (objects <= capacity_) return;
    slots_of_.reserve(objects);
    T* const anew = static_cast<T*>(take_memory(nullptr, objects * sizeof(T), alignof(T)));
    if (values_) return_memory(nullptr, values_, capacity_ * sizeof(T), alignof(T));
    values_ = anew;
    capacity_ = objects;
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
  T* values_ = nullptr;  // as many as slots_of_ has rows
  std::size_t capacity_ = 0;
  GenerationTable<Generation> generations_;
  PoolStats counters_;
  PolicyId policy_ = PolicyId::Reject;
  u32 slots_ = 0;
};

namespace detail {
template <class>
inline constexpr bool kNever = false;
/// Calls f with an object of a const pool. Its name stands in the compiler's message when a lambda with auto& writes to the object.
template <class F, class... Arguments>
SPELLPOOL_FLAT inline void a_const_pool_gives_const_objects(F& f, const Arguments&... arguments) {
  if constexpr (requires { f(arguments...); }) {
    f(arguments...);
  } else {
    static_assert(kNever<F>, "This pool is const, so its walks give const objects. Take const T& in the lambda, or walk a pool that is "
                             "not const.");
  }
}
}  // namespace detail

/// What a pool hands to its successor in another kind of storage (SwitchablePool).
template <class T, std::unsigned_integral Generation>
struct Leaving {
  Departure<T, Generation> objects;
  PoolRules* rules;
  u64 new_calls;
};

/// A handle and its object, from Pool::items().
template <class HandleType, class Reference>
struct PoolItem {
  HandleType handle;
  Reference value;
};

/// Some neighbouring objects or rows: what one thread of a shared walk works on.
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

/// An object pool: a Storage (where objects live), a capacity (how many may be alive), a policy (what happens at the limit)
/// and counters. The part that the user of a pool sees; all strategies share it, so all behave alike.
///
///   FreeListPool<Bullet> bullets(1000);
///   auto handle = bullets.acquire(x, y, speed);                 // null handle when full (policy reject)
///   if (auto bullet = bullets.get(handle)) bullet->x += 1.0f;   // false once the bullet is gone
///   bullets.for_each([](Bullet& b) { b.y += b.speed; });
///   bullets.release_if([](const Bullet& b) { return b.y > 720; });
///
/// Cost     acquire, get, release as the storage says, O(1) for all but two; for_each and release_if O(live) for most.
/// Rules    The policy decides on live == capacity, never on "no free slot", so every storage decides alike.
///          A capacity below the live count never releases live objects: it refuses new ones, whatever the policy.
/// Inside   Constructors, destructors and hooks may acquire and release in their own pool. Walks may not: acquire and release inside
///          for_each or release_if are refused with a message, in every build (set_misuse_handler). docs/POOLS.md has a table.
/// Full     PolicyId (policy.hpp) says what acquire() does; counters tell how often.
/// Errors   release() of a null, already released, stale or foreign handle changes nothing, says which it was and counts it,
///          in every build.
/// Throws   If a constructor throws, or memory runs out while the pool grows, moves or is restored: everything is as it was.
/// Wear     A slot whose generations are used up is retired, and another one takes its place: the capacity does not shrink. With
///          32-bit generations that is after 2^31 tenants of one slot; it allocates.
/// Moved    A moved-from pool is empty and has capacity 0: it refuses objects, and set_capacity() makes it a pool again.
/// Threads  One owner; split() shares a walk among threads. For several owners: a pool for each, or a queue of requests.
template <class S>
class Pool {
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
    settle();
    tell_created(storage_.slots());
  }
  /// The other pool is empty afterwards, and has capacity 0.
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

  /// Makes a Value of the arguments in a free slot: Value{args…} if it is an aggregate, Value(args…) if not. If the pool is full the
  /// policy decides; the null handle is a refusal. Arguments may refer to objects of this pool.
  template <class... Args>
  HandleType acquire(Args&&... args) {
    if constexpr (constructs_quietly<Value, Args...>()) {
      if (storage_.live() >= rules_.easy_live) [[unlikely]] return acquire_value(make_value<Value>(std::forward<Args>(args)...));
      // While a destructor runs, its slot is neither live nor free.
      if constexpr (kEndsLoudly<Value>) {
        if (!can_build()) [[unlikely]] return acquire_value(make_value<Value>(std::forward<Args>(args)...));
      }
      const HandleType handle = storage_.insert_plain(std::forward<Args>(args)...);
      ++rules_.counters.spawned;
      tell_acquired(handle.index);
      return issued(handle);
    } else {
      if (storage_.live() >= rules_.easy_live) [[unlikely]] return acquire_with_care(std::forward<Args>(args)...);
      return acquire_loudly(std::forward<Args>(args)...);
    }
  }
  /// acquire() by the name that std containers use.
  template <class... Args>
  HandleType emplace(Args&&... args) {
    return acquire(std::forward<Args>(args)...);
  }

  /// make(0) … make(n - 1), each a Value, as n acquire() would; made(u32 i, HandleType) is told of each, refused ones by the null
  /// handle. DensePool writes them column by column. Neither may use the pool. Returns how many live.
  template <class Make, class Made>
  u32 acquire_n(u32 n, Make&& make, Made&& made) {
    // Room for all, no lists to keep, and values that need no code of the user's: the storage does it alone.
    if constexpr (std::is_trivially_copyable_v<Value> && !kHearsAcquired) {
      if (rules_.easy_slots > 0 && storage_.live() <= rules_.counters.capacity && n <= rules_.counters.capacity - storage_.live() &&
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

  /// acquire() would return the null handle now.
  bool refuses() const { return rules_.refuses(storage_.live()); }
  /// Counts n refusals, for a caller that asked refuses() instead of making n objects in vain.
  void count_rejected(u64 n) { rules_.count_rejected(n); }

  /// Many acquire() follow, up to end_batch(): StealLeast then ranks the living once instead of each time, and
  /// objects born in the batch are the last victims. Decisions inside depend on the order of calls alone.
  void begin_batch() {
    rules_.in_batch = true;
    rules_.ranked = false;
  }
  void end_batch() { rules_.in_batch = false; }

  /// The object, or null if it is gone (or never was). DensePool: a FieldRef; not inside a walk of the same pool (use peek there).
  Pointer get(HandleType handle) {
    if constexpr (!std::is_pointer_v<Pointer>) {
      if (rules_.is_walked()) [[unlikely]] {
        misuse("get() of a field-wise pool inside a walk of it: the walk would overwrite the change. Use peek(), or note the handle for after the walk.");
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
  /// The same for reading, without a count of stale handles.
  ConstPointer peek(HandleType handle) const { return is_own(handle) ? storage_.find(handle) : ConstPointer(nullptr); }
  /// The handle's object is alive.
  bool contains(HandleType handle) const {
    return storage_.generations().resolves(handle.index, handle.generation) && is_own(handle);
  }

  ReleaseResult release(HandleType handle) {
    const u32 slot = handle.index;
    const GenerationType generation = handle.generation, next = GenerationRule<GenerationType>::tenant_out(generation);
    if (slot >= rules_.easy_slots || (next & 1u) != 0 || next == GenerationRule<GenerationType>::kRetired ||
        storage_.generations()[slot] != generation || !is_own(handle)) [[unlikely]] {
      return release_with_care(slot, generation, is_own(handle));
    }
    ++rules_.counters.released;
    if constexpr (kEndsLoudly<Value> && S::kStable) {
      UserCode running(rules_);
      storage_.erase_plain(slot, generation, Releasing{});
    } else if constexpr (kEndsLoudly<Value>) {
      erase_loudly(slot, Releasing{});
    } else {
      storage_.erase_plain(slot, generation, NoFarewell{});
    }
    return ReleaseResult::Released;
  }
  /// release() by the name that std containers use. True: the object was alive.
  bool erase(HandleType handle) { return release(handle) == ReleaseResult::Released; }

  /// Handle of the object that lives in this slot.
  HandleType handle_at(u32 slot) const {
    SPELLPOOL_ASSERT(storage_.generations().is_live(slot));
    return issued({slot, storage_.generations()[slot]});
  }
  /// Handle of the object at this address; null if no live object of this pool begins there. Not for heap and field-wise pools.
  HandleType handle_of(const Value* object) const
    requires requires(const S& storage) { storage.slot_of(object); }
  {
    const u32 slot = storage_.slot_of(object);
    return slot == kNoSlot ? HandleType{} : handle_at(slot);
  }

  // ---- walks

  /// f(Value&) for every live object, in the storage's order. f must not use acquire, release and the like of this pool.
  template <class F>
  void for_each(F&& f) {
    for_each_slot([&](u32, Value& value) { f(value); });
  }
  template <class F>
  void for_each(F&& f) const {
    Walk walk(*this);
    storage_.for_each_slot([&](u32, const Value& value) { detail::a_const_pool_gives_const_objects(f, value); });
  }
  /// f(HandleType, Value&) likewise.
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
  /// f(u32 slot, Value&) likewise: for a walk that needs the handles of a few; handle_at(slot) returns them.
  template <class F>
  void for_each_slot(F&& f) {
    const bool inside = rules_.is_walked();
    Walk walk(*this);
    if constexpr (requires { storage_.settle(); }) {
      if (inside) [[unlikely]] return for_each_place(f);  // the walk around this one stands at a row: none may move
    }
    storage_.for_each_slot(f);
  }
  /// The handle of the first object for which found(const Value&) holds, in the storage's order; null if there is none.
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

  /// Ends every object for which dead(Value&) holds, and returns how many. The predicate may change the object: then one pass moves all
  /// and takes out those that died of it. It must not use this pool; if it throws, the objects that it named so far have ended.
  template <class Dead>
  u32 release_if(Dead&& dead) {
    if (const char* why = rules_.why_locked()) [[unlikely]] return misuse(why), 0;
    if constexpr (kEndsLoudly<Value>) {
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
  /// Ends all objects that live now. Handles to them go stale.
  void clear() {
    release_if([](const Value&) { return true; });
  }

  /// DensePool: the array of one field, for update_rows(). Good until the pool acquires or releases.
  template <auto Member>
  auto* column() const
    requires requires(const S& storage) { storage.columns().template column<Member>(); }
  {
    return storage_.columns().template column<Member>();
  }
  /// DensePool: the walk for kernels over columns. block(u32 first, u32 count) → u64 works on rows first … first + count - 1, at most
  /// 64, and returns a mask of those that are dead: lowest bit, first row. They are released. Returns how many. Neither block nor
  /// hooks may use the pool here.
  template <class Block>
  u32 update_rows(Block&& block)
    requires requires(S& storage) { storage.update_rows(block, [](u32) {}); }
  {
    if (const char* why = rules_.why_locked()) [[unlikely]] return misuse(why), 0;
    Walk walk(*this);
    Died died(*this);
    storage_.update_rows(block, [&](u32 slot) {
      if constexpr (requires(Value& value) { HooksOf<Value>::released(value); }) HooksOf<Value>::released(*storage_.at_slot(slot));
      if (rules_.keeps_age()) rules_.age.unlink(slot);
    });
    return died.count();
  }

  /// Puts the objects into an order: less(const Value&, const Value&), stable. Walks follow it until the next release. Handles stay
  /// good. Where objects may move (packed, dense, soa). O(live log live), and 4 bytes an object while it runs.
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
    // order[p] is where the object for place p is. Each cycle is followed by exchanges.
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

  /// Stays safe whatever happens to the pool, short of its end: an object that is released is skipped from then on, objects that are
  /// acquired may or may not be visited; in pools whose objects move, a release may make it skip one.
  template <bool kConst, bool kItems>
  class Iterator {
    using Owner = std::conditional_t<kConst, const Pool, Pool>;

   public:
    using Reference = std::conditional_t<kConst, typename S::ConstReference, typename S::Reference>;
    using value_type = std::conditional_t<kItems, PoolItem<HandleType, Reference>, Value>;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(Owner* its, u32 place) : pool_(its), place_(place) {}
    /// An iterator becomes a const_iterator.
    template <bool kOther>
      requires(kConst && !kOther)
    Iterator(const Iterator<kOther, kItems>& other) : pool_(other.pool_), place_(other.place_) {}
    decltype(auto) operator*() const {
      if constexpr (kItems) {
        return PoolItem<HandleType, Reference>{pool_->handle_at(pool_->storage_.slot_at(place_)), pool_->storage_.at_place(place_)};
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
  /// The same with handles: each item is {handle, value}.
  Items<false> items() {
    first_place();
    return {this};
  }
  Items<true> items() const { return {this}; }

  // ---- one walk, many threads

  /// A walk in parts that do not overlap, each for one thread. While it exists the pool is locked as inside for_each. The parts
  /// depend on the pool's contents and `parts` alone.
  ///
  ///   auto walk = bullets.split(4);
  ///   run_on_workers(walk.parts(), [&](u32 part) { walk.for_each(part, [](Bullet& b) { … }); });
  class SharedWalk {
   public:
    SharedWalk(Pool& its, u32 parts)
        : inside_(its.rules_.is_walked()), walk_(its), storage_(its.storage_), parts_(parts > 0 ? parts : 1) {
      if constexpr (requires { storage_.settle(); }) {
        if (inside_) {
          misuse("split() of a field-wise pool inside a walk of it. Use for_each() there.");
        } else {
          storage_.settle();
        }
      }
    }
    u32 parts() const { return parts_; }
    /// f(Value&) for the objects of this part.
    template <class F>
    void for_each(u32 part, F&& f) const {
      if (is_refused()) return;
      storage_.for_each_part(part, parts_, [&](u32, Value& value) { f(value); });
    }
    /// PackedPool: the objects of this part, side by side.
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
    bool inside_;  // another walk of this pool
    Walk walk_;
    S& storage_;
    u32 parts_;
  };
  SharedWalk split(u32 parts) { return SharedWalk(*this, parts); }

  // ---- limits

  /// Whether OrderOf<Value> says what this policy needs to know. (Stealing also needs a spare slot where objects cannot move, which
  /// console_heap cannot add.)
  static constexpr bool supports(PolicyId policy) {
    constexpr bool kCanSteal = kMovable || Extendable<S>;
    if (policy == PolicyId::StealOldest) return HasSerial<Value> && kCanSteal;
    if (policy == PolicyId::StealLeast) return HasScore<Value> && kCanSteal;
    return true;
  }
  /// Changes what happens when the pool is full. False, and nothing changes, if supports(policy) is false. Those that steal
  /// allocate their tables here.
  bool set_policy(PolicyId policy) {
    if (!supports(policy)) return false;
    if (policy == rules_.policy) return true;
    if (const char* why = rules_.why_fixed()) return misuse(why), false;
    if (spare_slots(policy) > 0 && !storage_.has_free()) make_room();  // before the tables, which have a row for each slot
    AgeList age(rules_.memory);
    VictimList victims(rules_.memory);
    if (policy == PolicyId::StealOldest) list_ages(age);
    if (policy == PolicyId::StealLeast) victims.reserve(storage_.live() > capacity() ? storage_.live() : capacity());
    std::swap(rules_.age, age);
    std::swap(rules_.victims, victims);
    rules_.policy = policy;
    rules_.ranked = false;
    settle();
    return true;
  }
  PolicyId policy() const { return rules_.policy; }

  /// How many may be alive. Objects above a smaller capacity live on; only new ones are refused. Allocates; not for a frame's
  /// hot path. More slots never move an object of a stable storage; fewer may. False, and nothing changes, where a console_heap would have
  /// to move objects of a type that cannot be moved.
  bool set_capacity(u32 capacity) {
    if (const char* why = rules_.why_fixed()) return misuse(why), false;
    return change_capacity(capacity);
  }

  /// PolicyId::Grow adds so many at a time (0: half of the capacity, 64 at least), up to max_capacity.
  void set_growth(u32 grow_by, u32 max_capacity) {
    rules_.grow_by = grow_by;
    rules_.max_capacity = max_capacity;
  }
  /// Makes up to `limit` more of the capacity's slots ready: memory touched, free list threaded. Returns how many are still missing.
  /// For the frames after PoolSize::prewarm (prewarm.hpp has a time budget). Where objects move, the first call makes all ready.
  u32 prewarm(u32 limit) {
    if (const char* why = rules_.why_fixed()) return misuse(why), 0;
    return make_ready(limit);
  }

  u32 trim() { return trim(rules_.keep_free); }
  /// Makes the pool smaller again after it grew: the capacity becomes what lives and keep_free, if it was more. Memory that this
  /// frees is given back; where the storage is stable no object moves for it, so only blocks at the end that hold nothing are.
  /// Returns the slots given back.
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

  /// PolicyId::Pressure: 0 up to three quarters of the capacity, rising to 1 where the pool is full. 0 under other policies.
  /// The game makes things age faster by it and reports how many to count_accelerated().
  float pressure() const { return rules_.pressure(storage_.live()); }
  void count_accelerated(u64 objects) { rules_.counters.accelerated += objects; }

  // ---- instruments (inspect/)

  /// Takes ownership of a listener; it is told the number of slots at once.
  template <class Listener>
  Listener& attach(Listener* listener) {
    listener->resized(storage_.slots());
    listener->next = std::exchange(rules_.listeners, listener);
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

  /// The pool as it is, for restore(): rollback, replays, undo. Needs a copyable type. O(live + slots). If a copy throws, the snapshot
  /// is empty.
  void save(Snapshot& snapshot) const
    requires std::is_copy_constructible_v<Value>
  {
    Walk walk(*this);
    snapshot.clear();
    struct Unless {
      Snapshot* failed;
      ~Unless() {
        if (failed) failed->clear();
      }
    } unless{&snapshot};
    snapshot.reserve(storage_.live());
    storage_.for_each_slot([&](u32 slot, const Value& value) { snapshot.add(slot, value); });
    snapshot.generations_ = storage_.generations();
    unless.failed = nullptr;
    snapshot.counters_ = rules_.counters;
    snapshot.counters_.new_calls = new_calls();
    snapshot.policy_ = rules_.policy;
    snapshot.slots_ = storage_.slots();
  }
  Snapshot save() const
    requires std::is_copy_constructible_v<Value>
  {
    Snapshot snapshot;
    save(snapshot);
    return snapshot;
  }
  /// Everything as it was when saved: objects in their slots, handles of then good and later ones unknown, counters and policy.
  /// Only the order of free slots is a fresh pool's. Allocates a storage; O(live + slots). If that or a copy throws, nothing changes.
  void restore(const Snapshot& snapshot)
    requires std::is_copy_constructible_v<Value>
  {
    if (const char* why = rules_.why_fixed()) return misuse(why);
    const u32 before = storage_.slots();
    UserCode running(rules_);  // copies end if anything throws
    S anew = copy_of(snapshot);
    rules_.reserve_slots(anew.slots());
    AgeList age(rules_.memory);
    VictimList victims(rules_.memory);
    if (snapshot.policy_ == PolicyId::StealOldest) list_ages(anew, age);
    const u32 room = snapshot.size() > snapshot.counters_.capacity ? snapshot.size() : snapshot.counters_.capacity;
    if (snapshot.policy_ == PolicyId::StealLeast) victims.reserve(room);
    anew.set_fill(rules_.fill);
    const u64 calls = new_calls();
    end_all();  // their destructors may release others; births are refused
    rules_.closing = false;
    storage_.swap_with(anew);
    rules_.counters = snapshot.counters_;
    rules_.counters.new_calls = calls;
    rules_.policy = snapshot.policy_;
    std::swap(rules_.age, age);
    std::swap(rules_.victims, victims);
    rules_.ranked = rules_.in_batch = false;
    follow_slots(before);
  }

  /// Writes 0xCD over slots that are about to hold an object and 0xDD over those that did: shows reads that come too early or too late.
  void set_fill(bool on) {
    rules_.fill = on;
    storage_.set_fill(on);
    settle();
  }
  bool fill() const { return rules_.fill; }

  // ---- figures

  u32 capacity() const { return rules_.counters.capacity; }
  u32 live() const { return storage_.live(); }
  u32 size() const { return storage_.live(); }
  bool empty() const { return storage_.live() == 0; }
  /// Live has reached the capacity: the next acquire() is the policy's to decide.
  bool full() const { return storage_.live() >= rules_.counters.capacity; }
  u64 new_calls() const { return rules_.counters.new_calls + storage_.new_calls(); }

  PoolStats stats() const {
    PoolStats stats = rules_.counters;
    stats.live = storage_.live();
    stats.slots = storage_.slots();
    stats.retired_slots = storage_.retired();
    stats.free_slots = stats.slots - stats.live - stats.retired_slots;
    stats.new_calls = new_calls();
    stats.bytes = storage_.bytes() + rules_.bytes();
    return stats;
  }
  const S& storage() const { return storage_; }

  // ---- for SwitchablePool

  /// What this pool hands to its successor in another kind of storage. Until done_leaving() it is locked.
  Leaving<Value, GenerationType> leave() {
    lock_moving(true);
    return {Departure<Value, GenerationType>::of(storage_), &rules_, storage_.new_calls()};
  }
  /// After the successor was made, or was not: ends the moved-from objects, or unlocks the pool as it was.
  void done_leaving(bool left) {
    const u32 slots = storage_.slots();
    if (left) S(std::move(storage_));
    lock_moving(false);
    if (left) tell_destroyed(slots);
  }
  /// Another pool continued in this kind of storage: objects, handles, policy and counters carry over.
  explicit Pool(const Leaving<Value, GenerationType>& other) : storage_(other.objects.template into<S>(other.rules->memory)) {
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
  /// acquire() at the capacity makes the object apart and moves it in. A move that may throw would come after the victim's end, so then the
  /// object is built in a spare slot, unless there can be none.
  static constexpr bool kMadeApart = kMovesSafely || (kMovable && !Extendable<S>);
  static constexpr bool kHearsAcquired = requires(Value& value) { HooksOf<Value>::acquired(value); };

  /// Locks the pool as long as a walk runs: the short paths of acquire and release are closed, the longer ones refuse.
  class Walk {
   public:
    explicit Walk(const Pool& its) : pool_(its) {
      PoolRules::add(its.rules_.walks, 1);
      PoolRules::store(its.rules_.easy_live, 0);
      PoolRules::store(its.rules_.easy_slots, 0);
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
  /// A destructor or hook runs.
  struct UserCode {
    explicit UserCode(PoolRules& its) : rules(its) { ++rules.user_code; }
    UserCode(const UserCode&) = delete;
    UserCode& operator=(const UserCode&) = delete;
    ~UserCode() { --rules.user_code; }
    PoolRules& rules;
  };
  /// A constructor runs, and a slot is reserved for its object.
  struct Building {
    explicit Building(Pool& its) : pool(its), easy_live(its.rules_.easy_live) {
      ++pool.rules_.building;
      pool.rules_.easy_live = 0;
      pool.rules_.reentered = false;
    }
    Building(const Building&) = delete;
    Building& operator=(const Building&) = delete;
    ~Building() {
      if (running) end();
    }
    /// True: nothing happened to the pool meanwhile.
    bool end() {
      running = false;
      --pool.rules_.building;
      if (std::exchange(pool.rules_.reentered, true)) [[unlikely]] {
        pool.settle();
        return false;
      }
      pool.rules_.easy_live = easy_live;
      return true;
    }
    Pool& pool;
    u32 easy_live;
    bool running = true;
  };
  /// Objects move, or moved-from ones end: nothing may use the pool.
  struct Restructuring {
    explicit Restructuring(Pool& its) : pool(its) { pool.lock_moving(true); }
    Restructuring(const Restructuring&) = delete;
    Restructuring& operator=(const Restructuring&) = delete;
    ~Restructuring() { pool.lock_moving(false); }
    Pool& pool;
  };
  /// Counts those that release_if and update_rows end, whatever the predicate throws.
  struct Died {
    explicit Died(Pool& its) : pool(its), before(its.live()) {}
    Died(const Died&) = delete;
    Died& operator=(const Died&) = delete;
    ~Died() { pool.rules_.counters.released += count(); }
    u32 count() const { return before - pool.live(); }
    Pool& pool;
    u32 before;
  };
  // Types without hooks share one.
  struct NoHook {
    void operator()(Value&) const noexcept {}
  };
  /// Counts those that acquire_n adds, whatever its callbacks throw.
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
  using Releasing = std::conditional_t<requires(Value& value) { HooksOf<Value>::released(value); }, ReleaseHook, NoHook>;
  using Discarding = std::conditional_t<requires(Value& value) { HooksOf<Value>::discarded(value); }, DiscardHook, NoHook>;
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

  // ---- births

  /// While a destructor runs, its object's slot, or its block of a heap of fixed size, is neither live nor free.
  bool can_build() const {
    if constexpr (S::kBuildsInSlot) {
      return storage_.has_free();
    } else if constexpr (requires { storage_.has_block(); }) {
      return storage_.has_block();
    } else {
      return true;
    }
  }
  /// The short way for types whose constructors may use the pool.
  template <class... Args>
  HandleType acquire_loudly(Args&&... args) {
    if (!can_build()) [[unlikely]] return acquire_with_care(std::forward<Args>(args)...);
    Building building(*this);
    auto built = storage_.build(std::forward<Args>(args)...);
    if (!building.end()) [[unlikely]] return place(built);
    const HandleType handle = place_locked(built);
    ++rules_.counters.spawned;
    tell_acquired(handle.index);
    return issued(handle);
  }

  /// The longer way for plain values, whatever arguments they were made of.
  SPELLPOOL_APART HandleType acquire_value(const Value& value) {
    if (const char* why = rules_.why_locked()) return misuse(why), HandleType{};
    rules_.reentered = true;
    return find_room() ? finish(storage_.insert(value)) : reject();
  }
  template <class... Args>
  SPELLPOOL_APART HandleType acquire_with_care(Args&&... args) {
    if (const char* why = rules_.why_locked()) return misuse(why), HandleType{};
    rules_.reentered = true;
    if (refuses()) return reject();
    const bool full = u64{storage_.live()} + rules_.building == rules_.counters.capacity;
    if (!full && (Extendable<S> || (storage_.has_free() && can_build()))) {
      if (!storage_.has_free()) make_room();
      return spawn(std::forward<Args>(args)...);
    }
    if constexpr (kMadeApart) {
      if (!may_extend() && (full ? rules_.policy == PolicyId::Grow : !storage_.has_free() || !can_build())) return reject();
      // The value comes first: its arguments may refer to an object that has to go, or to one that the growing pool moves.
      Value value = make_apart(std::forward<Args>(args)...);
      if (!find_room()) return reject();
      return spawn(std::move(value));
    } else {
      if (rules_.policy == PolicyId::Grow) return grow() ? spawn(std::forward<Args>(args)...) : reject();
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
  /// Ends an object that was built.
  template <class Built>
  HandleType reject([[maybe_unused]] Built& built) {
    if constexpr (requires { storage_.discard(built); }) {
      UserCode running(rules_);
      storage_.discard(built);
    }
    return reject();
  }
  /// Makes room for one more object as the policy says. False: there is none.
  SPELLPOOL_APART bool find_room() {
    if (refuses()) return false;
    if (u64{storage_.live()} + rules_.building >= rules_.counters.capacity) {
      if (rules_.policy == PolicyId::Grow) {
        if (!grow()) return false;
      } else {
        steal(victim());
        // The victim's destructor may have filled its place.
        if (u64{storage_.live()} + rules_.building >= rules_.counters.capacity) return false;
      }
    }
    return (storage_.has_free() || make_room()) && can_build();
  }
  /// There is a slot: builds the object in it.
  template <class... Args>
  HandleType spawn(Args&&... args) {
    Building building(*this);
    auto built = storage_.build(std::forward<Args>(args)...);
    building.end();
    return place(built);
  }
  /// Where nothing can move: the new object is built in a spare slot, then the victim ends.
  template <class... Args>
  HandleType spawn_then_steal(Args&&... args) {
    if (!storage_.has_free() && !make_room()) return reject();
    if (!can_build()) return reject();
    Building building(*this);
    auto built = storage_.build(std::forward<Args>(args)...);
    building.end();
    if (refuses()) return reject(built);
    if (storage_.live() >= rules_.counters.capacity) steal(victim());
    if (storage_.live() >= rules_.counters.capacity) return reject(built);
    return place(built);
  }
  /// Where placing moves the object, its move constructor must not use the pool.
  template <class Built>
  HandleType place_locked(Built& built) {
    if constexpr (S::kStable || std::is_trivially_copyable_v<Value>) {
      return storage_.place(built);
    } else {
      const u32 live = std::exchange(rules_.easy_live, 0), slots = std::exchange(rules_.easy_slots, 0);
      rules_.restructuring = true;
      const HandleType handle = storage_.place(built);
      rules_.restructuring = false;
      rules_.easy_live = live;
      rules_.easy_slots = slots;
      return handle;
    }
  }
  template <class Built>
  HandleType place(Built& built) {
    if constexpr (!S::kBuildsInSlot) {
      if (!storage_.has_free() && !make_room()) return reject(built);  // births meanwhile wore slots out
    }
    return finish(place_locked(built));
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

  // ---- ends

  /// Apart from release(), so that what stays there is short; in two words, since a handle would be put together for the call.
  SPELLPOOL_APART ReleaseResult release_with_care(u32 slot, GenerationType generation, bool own) {
    if (!own) return rules_.refuse(ReleaseResult::ForeignHandle);
    if (!storage_.generations().resolves(slot, generation)) return rules_.refuse(mismatch(slot, generation));
    if (const char* why = rules_.why_locked()) return misuse(why), ReleaseResult::Refused;
    rules_.reentered = true;
    end_object(slot, Releasing{}, rules_.counters.released);
    return ReleaseResult::Released;
  }
  template <class Hook>
  SPELLPOOL_APART void end_object(u32 slot, Hook hook, u64& counter) {
    if (rules_.keeps_age()) rules_.age.unlink(slot);
    ++counter;
    if constexpr (kEndsLoudly<Value>) {  // the short paths need that no slot is worn out, and the destructor may take them
      if (storage_.generations()[slot] == GenerationRule<GenerationType>::kLast) rules_.close_short_paths();
    }
    if (!erase_loudly(slot, hook)) settle();
  }
  /// Erases an object whose end runs code of the user's. Where objects move for it, the pool is locked until they have.
  template <class Hook>
  bool erase_loudly(u32 slot, Hook hook) {
    if constexpr (!kEndsLoudly<Value>) {
      return storage_.erase_slot(slot, NoFarewell{});
    } else if constexpr (S::kStable) {
      UserCode running(rules_);
      return storage_.erase_slot(slot, hook);
    } else {
      UserCode running(rules_);
      lock_moving(true);
      return storage_.erase_slot(slot, [&](Value& value) noexcept {
        lock_moving(false);
        hook(value);
      });
    }
  }
  /// For types whose ends run code: by slot number, so that whatever that code acquires or releases, each object is asked once.
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
      rules_.reentered = true;
      end_object(slot, Releasing{}, rules_.counters.released);
      ++ended;
    }
    return ended;
  }
  SPELLPOOL_RARE ReleaseResult mismatch(u32 slot, GenerationType generation) const {
    if (generation == GenerationType{}) return ReleaseResult::NullHandle;
    if (slot >= storage_.generations().known()) return ReleaseResult::ForeignHandle;
    return GenerationRule<GenerationType>::mismatch(generation, storage_.generations()[slot]);
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
  /// Slot of the object with the least (score, serial); the pool is not empty.
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
        rules_.victims.add(OrderOf<Value>::score(value), OrderOf<Value>::serial(value), slot, storage_.generations()[slot]);
      });
      rules_.victims.rank();
      rules_.ranked = true;
    }
  }
  void list_ages(AgeList& age) const { list_ages(storage_, age); }
  static void list_ages([[maybe_unused]] const S& storage, [[maybe_unused]] AgeList& age) {
    if constexpr (HasSerial<Value>) {
      Table<AgeList::Member> members;
      members.reserve(storage.live());
      storage.for_each_slot([&](u32 slot, const Value& value) { members.push_back({OrderOf<Value>::serial(value), slot}); });
      age.begin(storage.slots(), members);
    }
  }

  // ---- structure

  /// Objects may not be moved, and their storage cannot grow without.
  static constexpr bool kFixed = !kMovesSafely && !Extendable<S>;

  /// Where a victim ends after the new object was built, stealing needs a slot more than the capacity.
  static constexpr u32 spare_slots(PolicyId policy) {
    return !kMadeApart && (policy == PolicyId::StealOldest || policy == PolicyId::StealLeast) ? 1 : 0;
  }

  /// More slots can be had now. From inside a constructor or destructor only where nothing moves: its arguments may refer to objects here.
  bool may_extend() const { return Extendable<S> || (!kFixed && rules_.building == 0 && rules_.user_code == 0); }

  SPELLPOOL_APART bool change_capacity(u32 capacity) {
    const u32 before = storage_.slots(), slots = slots_for(storage_.generations(), before, capacity + spare_slots(rules_.policy));
    if (slots > before && kFixed) return false;
    if (rules_.policy == PolicyId::StealLeast) rules_.victims.reserve(capacity > storage_.live() ? capacity : storage_.live());
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
  SPELLPOOL_RARE bool grow() {
    if (!may_extend()) return false;
    const u32 capacity = rules_.grown_capacity();
    if (capacity == rules_.counters.capacity) return false;
#if defined(SPELLPOOL_EXCEPTIONS)
    try {
      if (!change_capacity(capacity)) return false;
    } catch (const std::bad_alloc&) {
      return false;
    }
#else
    if (!change_capacity(capacity)) return false;
#endif
    ++rules_.counters.grown;
    return true;
  }
  /// Fewer objects live than may, but no slot is free: the rest is not ready yet, some are worn out, or one is being emptied. False: this
  /// storage would have to move objects, and may not.
  SPELLPOOL_RARE bool make_room() {
    if (!may_extend()) return false;
    const u32 before = storage_.slots();
    if (before < slots_for(storage_.generations(), before, rules_.counters.capacity)) {
      make_ready(before / 2 + 64);
      if (storage_.has_free()) return true;
    }
    const u32 reserve = rules_.counters.capacity / 8 + 8;  // for the next ones too
    const u32 now = storage_.slots();
    u32 slots = slots_for(storage_.generations(), now, rules_.counters.capacity + reserve);
    if (slots <= now) slots = now + reserve;
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
    if constexpr (std::is_constructible_v<S, u32, u32, PoolMemory*>) {
      if (size.prewarm < size.capacity) return S(size.capacity, size.prewarm, size.memory);
    }
    return S(size.capacity, size.memory);
  }
  SPELLPOOL_APART void enlarge(u32 slots) {
    rules_.reserve_slots(slots);  // first: too large a table does no harm, and whatever throws, nothing has changed
    if constexpr (Extendable<S>) {
      storage_.add_slots(slots - storage_.slots());
    } else {
      rebuild(slots);
    }
  }
  SPELLPOOL_APART void shrink(u32 slots) {
    if constexpr (Extendable<S>) {
      storage_.drop_slots(slots);  // no object moves, so blocks of cells stay that hold one
    } else {
      rebuild(slots);
    }
  }
  SPELLPOOL_APART void rebuild(u32 slots) {
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
  S copy_of(const Snapshot& snapshot) {
    Restructuring copying(*this);
    u32 slots = snapshot.slots_;
    if constexpr (!Extendable<S>) {  // the saved pool may not have been ready yet
      const u32 wanted = slots_for(snapshot.generations_, slots, snapshot.counters_.capacity);
      if (wanted > slots) slots = wanted;
    }
    S anew(typename S::Adopt{}, slots, snapshot.generations_, snapshot.size(), rules_.memory);
    for (u32 i = 0; i < snapshot.size(); ++i) {
      Value value(snapshot.values_[i]);
      anew.adopt(snapshot.slots_of_[i], std::move(value));
    }
    anew.finish_adoption();
    return anew;
  }
  /// Ends the objects of a storage that is no longer this pool's.
  static void end_objects(S& storage) {
    if constexpr (!std::is_trivially_destructible_v<Value>) S(std::move(storage));
  }
  /// After anything that may have changed the number of slots.
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
        erase_loudly(slot, NoHook{});
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

/// Ends every object for which dead(Value&) holds; by the name that std containers use.
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
