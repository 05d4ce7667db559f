#pragma once
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "pool/age_list.hpp"
#include "pool/hooks.hpp"
#include "pool/inlining.hpp"
#include "pool/order.hpp"
#include "pool/spawn_sites.hpp"
#include "pool/stats.hpp"
#include "pool/steal_marks.hpp"
#include "pool/storage.hpp"
#include "pool/victim_list.hpp"

namespace spellpool::pool {

/// How large a pool is, in the words of its user.
struct PoolSize {
  u32 capacity = 1;            ///< How many may live, ≥ 1.
  u32 prewarm = ~u32{0};       ///< Slots that are ready when the pool is made; the rest follows by prewarm(), or when it is needed.
  u32 grow_by = 0;             ///< What PolicyId::Grow adds; 0: half of the capacity, 64 at least.
  u32 most_capacity = 1u << 30;
  u32 keep_free = 0;           ///< Free slots that trim() leaves.
};

/// What a pool knows besides its objects.
struct PoolRules {
  PoolStats counters;                 // live, slots, bytes and retired_slots are asked of the storage
  PolicyId policy = PolicyId::Reject;
  std::optional<AgeList> age;         // there if the policy is StealOldest
  std::optional<VictimList> victims;  // there if the policy is StealLeast
  std::optional<SpawnSites> sites;    // there if somebody asked to track them
  std::optional<StealMarks> steals;   // there if somebody looks
  u32 grow_by = 0, keep_free = 0;
  u32 most = 1u << 30;
  u32 expected = 1;                   // acquire() calls in this batch
  bool in_batch = false, ranked = false, fill = false;
  // What lets acquire() and release() do with one test each: see Pool::settle_rules().
  u32 easy_live = 0;
  u32 easy_slots = 0;
};

/// A whole pool as it was: objects, handles, policy, counters (Pool::save, Pool::restore). Plain memory; keep one and save
/// into it again, and only the first time allocates.
template <class T, std::unsigned_integral Generation>
struct PoolSnapshot {
  struct Entry {
    u32 slot;
    T value;
  };
  std::vector<Entry> objects;
  GenerationTable<Generation> generations;
  PoolStats counters;
  PolicyId policy = PolicyId::Reject;
  u32 slots = 0;
};

template <class T, std::unsigned_integral Generation>
struct Leaving {
  Departure<T, Generation> objects;
  PoolRules* rules;
  u64 new_calls;
};

/// An object pool: a Storage (where objects live), a capacity (how many may live), a policy (what happens at the limit)
/// and counters. The part that the user of a pool sees; all strategies share it, so all behave the same.
///
///   FreeListPool<Bullet> bullets(1000);
///   auto handle = bullets.acquire(x, y, speed);            // null handle when full (policy reject)
///   if (auto bullet = bullets.get(handle)) bullet->x += 1.0f;   // false once the bullet is gone
///   bullets.for_each([](Bullet& b) { b.y += b.speed; });
///   bullets.release_if([](const Bullet& b) { return b.y > 720; });
///
/// Cost     acquire, get, release as the storage says, O(1) for all but two; for_each and release_if O(live) for most.
/// Rules    The policy decides on live == capacity, never on "no free slot", so every storage decides alike.
///          A walk (for_each) neither acquires nor releases: mark, then release_if or release what you marked.
///          A capacity below the live count ends nobody: it refuses new objects, whatever the policy, until enough have died.
/// Full     PolicyId (strategy.hpp) says what acquire() does; counters tell how often.
/// Errors   release() of a null, already released, stale or foreign handle changes nothing, says which it was and counts it,
///          in every build.
/// Wear     A slot whose generation is used up is retired, and another one takes its place: the capacity does not shrink. With
///          32-bit generations that is after 2^31 tenants of one slot; it allocates.
/// Threads  One owner. For several threads: a pool for each, or a queue to the owner; a handle is plain data and may travel.
template <Storage S>
class Pool {
 public:
  using Value = typename S::Value;
  using HandleType = typename S::HandleType;
  using Pointer = typename S::Pointer;
  using ConstPointer = typename S::ConstPointer;
  using GenerationType = typename S::GenerationType;
  using StorageType = S;
  static constexpr StrategyId kStrategy = S::kStrategy;

  explicit Pool(u32 capacity) : storage_(capacity) {
    rules_.counters.capacity = capacity;
    settle_rules();
    tell_created(capacity);
  }
  explicit Pool(const PoolSize& size) : storage_(storage_of(size)) {
    rules_.counters.capacity = size.capacity;
    rules_.keep_free = size.keep_free;
    set_growth(size.grow_by, size.most_capacity);
    settle_rules();
    tell_created(storage_.slots());
  }
  Pool(Pool&&) noexcept = default;
  Pool& operator=(Pool&&) noexcept = default;
  ~Pool() { tell_destroyed(storage_.slots()); }

  /// For SwitchablePool: what this pool hands to its successor in another kind of storage. It is empty-handed afterwards.
  Leaving<Value, GenerationType> leave() { return {Departure<Value, GenerationType>::of(storage_), &rules_, storage_.new_calls()}; }
  /// Another pool continued in this kind of storage: objects, handles, policy and counters carry over.
  explicit Pool(const Leaving<Value, GenerationType>& other) : storage_(other.objects.template into<S>()), rules_(std::move(*other.rules)) {
    storage_.set_fill(rules_.fill);
    rules_.counters.new_calls += other.new_calls;
    settle_rules();
    tell_created(storage_.slots());
  }

  /// Makes Value{args...} in a free slot. If the pool is full the policy decides; the null handle is a refusal.
  template <class... Args>
  HandleType acquire(Args&&... args) {
    if (storage_.live() >= rules_.easy_live) [[unlikely]] return acquire_with_care(std::forward<Args>(args)...);
    HandleType handle;
    if constexpr (kPlainPath) {
      handle = storage_.insert_plain(std::forward<Args>(args)...);
    } else {
      handle = storage_.insert(std::forward<Args>(args)...);
    }
    tell_acquired(handle);
    return handle;
  }

  /// make(0) … make(n - 1), each a Value, as n acquire() would; made(u32 i, HandleType) hears of each, refused ones by the null
  /// handle. DensePool writes them column by column. Returns how many live.
  template <class Make, class Made>
  u32 acquire_n(u32 n, Make&& make, Made&& made) {
    if constexpr (requires { storage_.insert_n(n, make, made); } && !kHearsAcquired) {
      if (rules_.easy_slots > 0 && storage_.live() <= rules_.counters.capacity && n <= rules_.counters.capacity - storage_.live() &&
          n <= storage_.slots() - storage_.retired() - storage_.live()) {
        storage_.insert_n(n, make, made);
        if (storage_.live() > rules_.counters.peak) {
          rules_.counters.peak = storage_.live();
          settle_rules();
        }
        return n;
      }
    }
    u32 born = 0;
    for (u32 i = 0; i < n; ++i) {
      const HandleType handle = acquire(make(i));
      born += handle ? 1u : 0u;
      made(i, handle);
    }
    return born;
  }
  template <class Make>
  u32 acquire_n(u32 n, Make&& make) {
    return acquire_n(n, make, [](u32, HandleType) {});
  }

  /// As acquire(), and remembers the place in the source if track_sites(true): acquire_at(Site::here(), …).
  template <class... Args>
  HandleType acquire_at(Site site, Args&&... args) {
    const HandleType handle = acquire(std::forward<Args>(args)...);
    if (rules_.sites && handle) rules_.sites->set(handle.index, site);
    return handle;
  }

  /// acquire() would give the null handle now.
  bool refuses() const {
    if (storage_.live() < rules_.counters.capacity) return false;
    if (storage_.live() > rules_.counters.capacity) return true;
    switch (rules_.policy) {
      case PolicyId::StealOldest:
      case PolicyId::StealLeast: return storage_.live() == 0;
      case PolicyId::Grow: return rules_.counters.capacity >= rules_.most;
      case PolicyId::Reject:
      case PolicyId::Assert:
      case PolicyId::Pressure: break;
    }
    return true;
  }
  /// Counts n refusals, for a caller that asked refuses() instead of making n objects in vain.
  void count_rejected(u64 n) {
    prevent(n);
    rules_.counters.rejected += n;
  }

  /// About `expected` acquire() follow, up to end_batch(): StealLeast then ranks the living once instead of each time, and
  /// objects born in the batch are the last to go. Decisions inside depend on the order of calls alone.
  void begin_batch(u32 expected) {
    rules_.in_batch = true;
    rules_.expected = expected;
    if (rules_.victims) rules_.victims->begin();
    rules_.ranked = false;
  }
  void end_batch() { rules_.in_batch = false; }

  /// The object, or null if it is gone (or never was).
  Pointer get(HandleType handle) {
    if (!handle.is_null() && !resolves(handle)) ++rules_.counters.stale_handles;
    return storage_.find(handle);
  }
  /// The same for reading, without a count of stale handles.
  ConstPointer peek(HandleType handle) const { return storage_.find(handle); }
  bool resolves(HandleType handle) const {
    return storage_.generations().resolves(handle.index, handle.generation);
  }

  ReleaseResult release(HandleType handle) {
    const u32 slot = handle.index;
    const GenerationType generation = handle.generation, next = GenerationRule<GenerationType>::tenant_out(generation);
    if (slot >= rules_.easy_slots || (next & 1u) != 0 || next == GenerationRule<GenerationType>::kRetired ||
        storage_.generations()[slot] != generation) [[unlikely]] {
      return release_with_care(slot, generation);
    }
    tell_released(handle);
    if constexpr (kPlainPath) {
      storage_.erase_plain(slot, generation);
    } else {
      storage_.erase_slot(slot);
    }
    ++rules_.counters.released;
    return ReleaseResult::Released;
  }

  /// f(Value&) for every live object, in the storage's order.
  template <class F>
  void for_each(F&& f) {
    storage_.for_each_slot([&](u32, Value& value) { f(value); });
  }
  template <class F>
  void for_each(F&& f) const {
    storage_.for_each_slot([&](u32, const Value& value) { f(value); });
  }
  /// f(HandleType, Value&) likewise.
  template <class F>
  void for_each_handle(F&& f) {
    storage_.for_each_slot([&](u32 slot, Value& value) { f(HandleType{slot, storage_.generations()[slot]}, value); });
  }
  template <class F>
  void for_each_handle(F&& f) const {
    storage_.for_each_slot([&](u32 slot, const Value& value) { f(HandleType{slot, storage_.generations()[slot]}, value); });
  }
  /// f(u32 slot, Value&) likewise: for a walk that needs the handles of a few; handle_at(slot) gives them.
  template <class F>
  void for_each_slot(F&& f) {
    storage_.for_each_slot(f);
  }
  /// Handle of the object that lives in this slot.
  HandleType handle_at(u32 slot) const {
    SPELLPOOL_ASSERT(storage_.generations().is_live(slot));
    return {slot, storage_.generations()[slot]};
  }

  /// Ends every object for which dead(const Value&) holds. Returns how many. A predicate that takes Value& may change the object:
  /// then one pass moves all and takes out who died of it.
  template <class Dead>
  u32 release_if(Dead&& dead) {
    const u32 erased = storage_.erase_if(dead, [&](u32 slot) {
      tell_released(handle_at(slot));
      if (rules_.age) rules_.age->unlink(slot);
    });
    rules_.counters.released += erased;
    settle_rules();  // slots may have worn out
    return erased;
  }
  /// Ends all. Handles to them go stale.
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
  /// DensePool: the quick walk. block(u32 first, u32 count) → u64 works on rows first … first + count - 1 of the columns, at most
  /// 64, and says by a mask which of them are dead: lowest bit, first row. They are released. Returns how many.
  template <class Block>
  u32 update_rows(Block&& block)
    requires requires(S& storage) { storage.update_rows(block, [](u32) {}); }
  {
    const u32 died = storage_.update_rows(block, [&](u32 slot) {
      tell_released(handle_at(slot));
      if (rules_.age) rules_.age->unlink(slot);
    });
    rules_.counters.released += died;
    settle_rules();
    return died;
  }

  /// Whether OrderOf<Value> tells what this policy needs to know.
  static constexpr bool supports(PolicyId policy) {
    if (policy == PolicyId::StealOldest) return HasSerial<Value>;
    if (policy == PolicyId::StealLeast) return HasScore<Value>;
    return true;
  }
  /// Changes what happens when the pool is full. False, and nothing changes, if supports(policy) is false. Those that steal
  /// allocate their tables here.
  bool set_policy(PolicyId policy) {
    if (!supports(policy)) return false;
    if (policy == rules_.policy) return true;
    rules_.policy = policy;
    rules_.age.reset();
    rules_.victims.reset();
    rules_.ranked = false;
    if (policy == PolicyId::StealOldest) {
      if constexpr (HasSerial<Value>) {
        std::vector<AgeList::Member> members;
        members.reserve(storage_.live());
        std::as_const(storage_).for_each_slot([&](u32 slot, const Value& value) { members.push_back({OrderOf<Value>::serial(value), slot}); });
        rules_.age.emplace(storage_.slots(), std::move(members));
      }
    }
    if (policy == PolicyId::StealLeast) rules_.victims.emplace().reserve(rules_.counters.capacity);
    settle_rules();
    return true;
  }
  PolicyId policy() const { return rules_.policy; }

  /// How many may live, ≥ 1. Objects above a smaller capacity live on; only new ones wait. Allocates; not for a frame's
  /// hot path. More slots never move an object of a stable storage; fewer may.
  void set_capacity(u32 capacity) {
    SPELLPOOL_ASSERT(capacity >= 1);
    const u32 before = storage_.slots(), slots = slots_for(storage_, capacity);
    if (slots > storage_.slots()) {
      enlarge(slots);
    } else if (slots < storage_.slots()) {
      rebuild(slots);
    }
    rules_.counters.capacity = capacity;
    if (rules_.victims) rules_.victims->reserve(capacity > storage_.live() ? capacity : storage_.live());
    follow_slots(before);
  }

  /// PolicyId::Grow adds so many at a time (0: half of the capacity, 64 at least), up to most_capacity.
  void set_growth(u32 grow_by, u32 most_capacity) {
    rules_.grow_by = grow_by;
    rules_.most = most_capacity;
  }
  /// Makes up to `most` more of the capacity's slots ready: memory touched, free list threaded. Returns how many are still missing.
  /// For the frames after PoolSize::prewarm (prewarm.hpp has a time budget). Where objects move, the first call makes all ready.
  u32 prewarm(u32 most) {
    const u32 before = storage_.slots(), wanted = slots_for(storage_, rules_.counters.capacity);
    if (before >= wanted) return 0;
    if (most == 0) return wanted - before;
    enlarge(Extendable<S> && most < wanted - before ? before + most : wanted);
    follow_slots(before);
    return wanted - storage_.slots();
  }

  u32 trim() { return trim(rules_.keep_free); }
  /// Makes the pool smaller again after it grew: the capacity becomes what lives and keep_free, if it was more. Memory that this
  /// frees is given back; where the storage is stable no object moves for it, so only blocks at the end that hold nobody are.
  /// Returns the slots given back.
  u32 trim(u32 keep_free) {
    const u32 before = storage_.slots(), old_capacity = rules_.counters.capacity;
    const u64 wanted = u64{storage_.live()} + keep_free > 1 ? u64{storage_.live()} + keep_free : 1;
    if (wanted < old_capacity) rules_.counters.capacity = static_cast<u32>(wanted);
    const u32 least = slots_for(storage_, rules_.counters.capacity);
    if (least < before) {
      if constexpr (Extendable<S>) {
        storage_.drop_slots(least);
      } else {
        rebuild(least);
      }
    }
    follow_slots(before);
    const u32 gone = before - storage_.slots();
    rules_.counters.trimmed += gone > 0 || wanted < old_capacity ? 1u : 0u;
    return gone;
  }

  /// PolicyId::Pressure: 0 up to three quarters of the capacity, rising to 1 where the pool is full. 0 under other policies.
  /// The game makes things age faster by it and tells how many in count_hurried().
  float pressure() const {
    if (rules_.policy != PolicyId::Pressure) return 0.0f;
    const u32 capacity = rules_.counters.capacity, mark = capacity - capacity / 4;
    if (storage_.live() >= capacity) return 1.0f;
    if (storage_.live() <= mark) return 0.0f;
    return static_cast<float>(storage_.live() - mark) / static_cast<float>(capacity - mark);
  }
  void count_hurried(u64 objects) { rules_.counters.hurried += objects; }

  /// Keeps, from now on, where each object was begun (acquire_at). 16 bytes a slot.
  void track_sites(bool on) {
    if (on) {
      rules_.sites.emplace().resize(storage_.slots());
    } else {
      rules_.sites.reset();
    }
    settle_rules();
  }
  /// Remembers, while somebody looks at a picture of the pool, at which places the policy ended somebody; fade_steals() once a step.
  void watch_steals(bool on) {
    if (on == watches_steals()) return;
    rules_.steals.reset();
    if (on) rules_.steals.emplace().resize(storage_.slots());
  }
  void fade_steals() {
    if (rules_.steals) rules_.steals->fade();
  }
  bool watches_steals() const { return rules_.steals.has_value(); }
  bool stolen_lately(u32 place) const { return rules_.steals && rules_.steals->at(place); }
  /// Who is still alive and where they were begun; for the end of a level, when nobody should be.
  LeakReport leaks() const {
    LeakReport report;
    storage_.for_each_slot([&](u32 slot, const Value&) { report.add(rules_.sites ? rules_.sites->at(slot) : Site{}); });
    return report;
  }

  /// The pool as it is, for restore(): rollback, replays, undo. Needs a copyable type. O(live + slots).
  void save(PoolSnapshot<Value, GenerationType>& snapshot) const
    requires std::is_copy_constructible_v<Value>
  {
    snapshot.objects.clear();
    snapshot.objects.reserve(storage_.live());
    storage_.for_each_slot([&](u32 slot, const Value& value) { snapshot.objects.push_back({slot, value}); });
    snapshot.generations = storage_.generations();
    snapshot.counters = rules_.counters;
    snapshot.counters.new_calls = new_calls();
    snapshot.policy = rules_.policy;
    snapshot.slots = storage_.slots();
  }
  /// Everything as it was when saved: objects in their slots, handles of then good and later ones unknown, counters and policy.
  /// Only the order of free slots is a fresh pool's. Allocates a storage; O(live + slots).
  void restore(const PoolSnapshot<Value, GenerationType>& snapshot)
    requires std::is_copy_constructible_v<Value>
  {
    S anew(typename S::Adopt{}, snapshot.slots, snapshot.generations);
    for (const auto& entry : snapshot.objects) {
      Value value(entry.value);
      anew.adopt(entry.slot, std::move(value));
    }
    anew.finish_adoption();
    anew.set_fill(rules_.fill);
    const u64 calls = new_calls();
    const u32 before = storage_.slots();
    storage_ = std::move(anew);
    rules_.counters = snapshot.counters;
    rules_.counters.new_calls = calls;
    rules_.policy = PolicyId::Reject;
    rules_.age.reset();
    rules_.victims.reset();
    rules_.ranked = rules_.in_batch = false;
    follow_slots(before);
    set_policy(snapshot.policy);
    if constexpr (!Extendable<S>) prewarm(~u32{0});  // the saved pool may not have been ready yet
  }

  /// Writes 0xCD over slots that are given out and 0xDD over those that come back: shows reads that come too early or too late.
  void set_fill(bool on) {
    rules_.fill = on;
    storage_.set_fill(on);
    settle_rules();
  }
  bool fill() const { return rules_.fill; }

  u32 capacity() const { return rules_.counters.capacity; }
  u32 live() const { return storage_.live(); }
  u64 new_calls() const { return rules_.counters.new_calls + storage_.new_calls(); }

  PoolStats stats() const {
    PoolStats stats = rules_.counters;
    stats.live = storage_.live();
    stats.spawned = stats.released + stats.stolen + stats.live;
    stats.slots = storage_.slots();
    stats.retired_slots = storage_.retired();
    stats.free_slots = stats.slots - stats.live - stats.retired_slots;
    stats.new_calls = new_calls();
    stats.bytes = storage_.bytes() + (rules_.age ? rules_.age->bytes() : 0) + (rules_.victims ? rules_.victims->bytes() : 0) +
                  (rules_.sites ? rules_.sites->bytes() : 0) + (rules_.steals ? rules_.steals->bytes() : 0);
    return stats;
  }
  const S& storage() const { return storage_; }
  S& storage() { return storage_; }

 private:
  HandleType keep(HandleType handle) {
    if (rules_.age) rules_.age->push_back(handle.index);
    if (rules_.sites) rules_.sites->set(handle.index, Site{});
    tell_acquired(handle);
    if (storage_.live() > rules_.counters.peak) {
      rules_.counters.peak = storage_.live();
      settle_rules();
    }
    return handle;
  }

  static constexpr bool kHearsAcquired = requires(Value& value) { HooksOf<Value>::acquired(value); };
  /// Storages that have a shorter way when nobody watches.
  static constexpr bool kPlainPath = requires(const S& storage) { storage.plain(); };

  /// Below easy_live living, a spawn is a spawn and nothing else: there is a free slot, no new peak, and nobody keeps lists of
  /// who lives where. Likewise a release in a slot below easy_slots. Called whenever one of these may have changed.
  void settle_rules() {
    bool easy = !rules_.age && !rules_.sites && storage_.retired() == 0;
    if constexpr (kPlainPath) easy = easy && storage_.plain();
    const PoolStats& c = rules_.counters;
    rules_.easy_live = !easy ? 0 : c.peak < c.capacity ? c.peak : c.capacity;
    rules_.easy_slots = easy ? storage_.slots() : 0;
  }
  /// Apart from release(), so that what stays there is short; in two words, since a handle would be put together for the call.
  SPELLPOOL_APART ReleaseResult release_with_care(u32 slot, GenerationType generation) {
    const HandleType handle{slot, generation};
    if (!resolves(handle)) return refuse(handle);
    tell_released(handle);
    if (rules_.age) rules_.age->unlink(slot);
    if (!storage_.erase_slot(slot)) settle_rules();
    ++rules_.counters.released;
    return ReleaseResult::Released;
  }

  template <class... Args>
  SPELLPOOL_APART HandleType acquire_with_care(Args&&... args) {
    if (storage_.live() < rules_.counters.capacity && storage_.has_free()) return keep(storage_.insert(std::forward<Args>(args)...));
    if (refuses()) {
      count_rejected(1);
      return {};
    }
    if (storage_.live() == rules_.counters.capacity) {
      if (rules_.policy == PolicyId::Grow) {
        if (!grow()) {
          ++rules_.counters.rejected;
          return {};
        }
      } else if constexpr (std::is_move_constructible_v<Value>) {
        Value value{std::forward<Args>(args)...};  // made first: the arguments may come from the object that has to go
        steal();
        if (!storage_.has_free()) make_room();
        return keep(storage_.insert(std::move(value)));
      } else {
        steal();
      }
    }
    if (!storage_.has_free()) make_room();
    return keep(storage_.insert(std::forward<Args>(args)...));
  }

  /// PolicyId::Assert, in builds with assertions: a full pool is a mistake in the game's figures, and stops it here.
  void prevent([[maybe_unused]] u64 refusals) const {
    SPELLPOOL_ASSERT((rules_.policy != PolicyId::Assert || refusals == 0) && "the pool is full, and its policy is assert");
  }

  void steal() {
    const u32 victim = rules_.policy == PolicyId::StealOldest ? rules_.age->oldest() : least();
    if constexpr (requires(Value& value) { HooksOf<Value>::discarded(value); }) HooksOf<Value>::discarded(*storage_.find(handle_at(victim)));
    if (rules_.age) rules_.age->unlink(victim);
    if (rules_.steals) rules_.steals->mark(storage_.place_of(victim));
    storage_.erase_slot(victim);
    ++rules_.counters.stolen;
  }
  /// Slot of the object with the least (score, serial); the pool is not empty.
  u32 least() {
    if constexpr (HasScore<Value>) {
      if (!rules_.in_batch || !rules_.ranked) rank();
      for (;;) {
        const VictimList::Entry* entry = rules_.victims->next(rules_.in_batch ? rules_.expected : 1);
        if (!entry) {
          rank();
          continue;
        }
        if (storage_.generations()[entry->slot] == entry->generation) return entry->slot;
      }
    }
    return 0;
  }
  void rank() {
    if constexpr (HasScore<Value>) {
      rules_.victims->begin();
      std::as_const(storage_).for_each_slot([&](u32 slot, const Value& value) {
        rules_.victims->add(OrderOf<Value>::score(value), OrderOf<Value>::serial(value), slot, storage_.generations()[slot]);
      });
      rules_.ranked = true;
    }
  }

  bool grow() {
    u32 by = rules_.grow_by != 0 ? rules_.grow_by : rules_.counters.capacity / 2;
    if (rules_.grow_by == 0 && by < 64) by = 64;
    const u32 room = rules_.most - rules_.counters.capacity;
    if (by > room) by = room;
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    try {
      set_capacity(rules_.counters.capacity + by);
    } catch (const std::bad_alloc&) {
      return false;
    }
#else
    set_capacity(rules_.counters.capacity + by);
#endif
    ++rules_.counters.grown;
    return true;
  }
  /// Fewer objects live than may, but no slot is free: the rest is not ready yet, or some are worn out.
  void make_room() {
    const u32 before = storage_.slots(), wanted = slots_for(storage_, rules_.counters.capacity);
    if (before < wanted) {
      prewarm(before / 2 + 64);
      return;
    }
    const u32 reserve = rules_.counters.capacity / 8 + 8;  // for the next ones too
    enlarge(slots_for(storage_, rules_.counters.capacity + reserve));
    follow_slots(before);
  }
  static S storage_of(const PoolSize& size) {
    if constexpr (Extendable<S>) {
      if (size.prewarm < size.capacity) return S(size.capacity, size.prewarm);
    }
    return S(size.capacity);
  }
  void enlarge(u32 slots) {
    resize_tables(slots);  // first: too large a table does no harm, and whatever throws, nothing has changed
    if constexpr (Extendable<S>) {
      storage_.add_slots(slots - storage_.slots());
    } else {
      rebuild(slots);
    }
  }
  /// After anything that may have changed the number of slots: tables that are kept by slot follow, and hooks hear of it.
  void follow_slots(u32 before) {
    const u32 now = storage_.slots();
    if (now != before) resize_tables(now);
    if (now > before) tell_created(now - before);
    if (now < before) tell_destroyed(before - now);
    settle_rules();
  }
  void resize_tables(u32 slots) {
    if (rules_.age) rules_.age->resize(slots);
    if (rules_.sites) rules_.sites->resize(slots);
    if (rules_.steals) rules_.steals->resize(slots);
  }
  void rebuild(u32 slots) {
    if constexpr (std::is_nothrow_move_constructible_v<Value>) {
      const u64 calls = storage_.new_calls();
      storage_ = migrate<S>(storage_, slots);
      storage_.set_fill(rules_.fill);
      rules_.counters.new_calls += calls;
    } else if constexpr (Extendable<S>) {
      storage_.drop_slots(slots);  // objects that cannot move stay, and so do the blocks that they are in
    }
  }

  void tell_acquired([[maybe_unused]] HandleType handle) {
    if constexpr (kHearsAcquired) HooksOf<Value>::acquired(*storage_.find(handle));
  }
  void tell_created([[maybe_unused]] u32 slots) const {
    if constexpr (requires { HooksOf<Value>::created(slots); }) HooksOf<Value>::created(slots);
  }
  void tell_destroyed([[maybe_unused]] u32 slots) const {
    if constexpr (requires { HooksOf<Value>::destroyed(slots); }) {
      if (slots > 0) HooksOf<Value>::destroyed(slots);
    }
  }
  void tell_released([[maybe_unused]] HandleType handle) {
    if constexpr (requires(Value& value) { HooksOf<Value>::released(value); }) HooksOf<Value>::released(*storage_.find(handle));
  }

  ReleaseResult refuse(HandleType handle) {
    using Rule = GenerationRule<GenerationType>;
    const u32 known = storage_.generations().known();
    const ReleaseResult result = handle.index < known || handle.is_null()
                                     ? Rule::mismatch(handle.generation, handle.index < known ? storage_.generations()[handle.index] : Rule::kFresh)
                                     : ReleaseResult::ForeignHandle;
    if (result == ReleaseResult::DoubleRelease) ++rules_.counters.double_releases;
    if (result == ReleaseResult::StaleHandle) ++rules_.counters.stale_handles;
    if (result == ReleaseResult::ForeignHandle) ++rules_.counters.foreign_handles;
    return result;
  }

  S storage_;
  PoolRules rules_;
};

}  // namespace spellpool::pool
