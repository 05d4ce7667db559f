#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "pool/age_list.hpp"
#include "pool/free_list_storage.hpp"
#include "pool/heap_storage.hpp"
#include "pool/stats.hpp"

namespace spellpool::pool {

/// An object pool: a Storage (where objects live), a capacity (how many may live), a policy (what happens at the limit)
/// and counters. The part that the user of a pool sees; all strategies share it, so all behave the same.
///
///   FreeListPool<Bullet> bullets(1000);
///   auto handle = bullets.acquire(x, y, speed);          // null handle when full (policy reject)
///   if (Bullet* b = bullets.get(handle)) b->x += 1.0f;   // nullptr once the bullet is gone
///   bullets.for_each([](Bullet& b) { b.y += b.speed; });
///   bullets.release_if([](const Bullet& b) { return b.y > 720; });
///
/// Cost     acquire, get, release O(1); for_each and release_if as the storage says.
/// Rules    The policy decides on live == capacity, never on "no free slot", so every storage decides alike.
///          A walk (for_each) neither acquires nor releases: mark, then release_if or release what you marked.
///          A capacity below the live count ends nobody: it refuses new objects, whatever the policy, until enough have died.
/// Full     Reject: acquire() returns the null handle. StealOldest: the oldest object ends, the new one lives.
/// Errors   release() of a null, already released or stale handle changes nothing, says which it was and counts it, in
///          every build.
/// Threads  One owner.
template <Storage S>
class Pool {
 public:
  using Value = typename S::Value;
  using HandleType = typename S::HandleType;
  using StorageType = S;
  static constexpr StrategyId kStrategy = S::kStrategy;

  explicit Pool(u32 capacity) : storage_(capacity) { counters_.capacity = capacity; }

  /// The pool `other` continued in this kind of storage: objects, handles, policy and counters carry over.
  template <class OtherStorage>
  explicit Pool(Pool<OtherStorage>&& other)
      : storage_(migrate<S>(other.storage_, other.storage_.slots())), counters_(other.counters_), age_(std::move(other.age_)) {
    counters_.new_calls += other.storage_.new_calls();
  }

  /// Makes Value{args...} in a free slot. Null handle if the pool is full and the policy is Reject.
  template <class... Args>
  HandleType acquire(Args&&... args) {
    if (storage_.live() >= counters_.capacity || !storage_.has_free()) [[unlikely]] {
      if (refuses() || age_->oldest() == kNoSlot) {
        ++counters_.rejected;
        return {};
      }
      if constexpr (std::is_move_constructible_v<Value>) {
        Value value{std::forward<Args>(args)...};  // made first: the arguments may come from the object that has to go
        if (steal_oldest()) return keep(storage_.insert(std::move(value)));
      } else if (steal_oldest()) {
        return keep(storage_.insert(std::forward<Args>(args)...));
      }
      ++counters_.rejected;
      return {};
    }
    return keep(storage_.insert(std::forward<Args>(args)...));
  }

  /// acquire() would give the null handle now.
  bool refuses() const {
    return storage_.live() > counters_.capacity ||
           (!age_ && (storage_.live() == counters_.capacity || !storage_.has_free()));
  }
  /// Counts n refusals, for a caller that asked refuses() instead of making n objects in vain.
  void count_rejected(u64 n) { counters_.rejected += n; }

  /// The object, or nullptr if it is gone (or never was).
  Value* get(HandleType handle) {
    Value* value = storage_.find(handle);
    if (!value && !handle.is_null()) ++counters_.stale_handles;
    return value;
  }

  ReleaseResult release(HandleType handle) {
    if (!storage_.find(handle)) [[unlikely]] {
      return refuse(handle);
    }
    if (age_) age_->unlink(handle.index);
    storage_.erase_slot(handle.index);
    ++counters_.released;
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
    storage_.for_each_slot([&](u32 slot, Value& value) { f(HandleType{slot, storage_.generation(slot)}, value); });
  }

  /// f(u32 slot, Value&) likewise: for a walk that needs the handles of a few; handle_at(slot) gives them.
  template <class F>
  void for_each_slot(F&& f) {
    storage_.for_each_slot(f);
  }
  /// Handle of the object that lives in this slot.
  HandleType handle_at(u32 slot) const {
    SPELLPOOL_ASSERT(slot < storage_.slots() && GenerationRule<typename S::GenerationType>::is_live(storage_.generation(slot)));
    return {slot, storage_.generation(slot)};
  }

  /// Ends every object for which dead(const Value&) holds. Returns how many.
  template <class Dead>
  u32 release_if(Dead&& dead) {
    const u32 erased = storage_.erase_if(dead, [&](u32 slot) {
      if (age_) age_->unlink(slot);
    });
    counters_.released += erased;
    return erased;
  }
  /// Ends all. Handles to them go stale.
  void clear() {
    release_if([](const Value&) { return true; });
  }

  /// Changes what happens when the pool is full. serial_of(const Value&) → u64 tells who is older (lower): needed once,
  /// to put what lives now in order.
  template <class SerialOf>
  void set_policy(PolicyId policy, SerialOf&& serial_of) {
    if (policy == this->policy()) return;
    if (policy == PolicyId::Reject) {
      age_.reset();
      return;
    }
    std::vector<AgeList::Member> members;
    members.reserve(storage_.live());
    storage_.for_each_slot([&](u32 slot, Value& value) { members.push_back({serial_of(std::as_const(value)), slot}); });
    age_.emplace(storage_.slots(), std::move(members));
  }
  PolicyId policy() const { return age_ ? PolicyId::StealOldest : PolicyId::Reject; }

  /// How many may live, ≥ 1. Objects above a smaller capacity live on; only new ones wait. Allocates; not for a frame's
  /// hot path.
  void set_capacity(u32 capacity) {
    SPELLPOOL_ASSERT(capacity >= 1);
    const u32 slots = slots_for(storage_, capacity);
    if (slots != storage_.slots()) {
      const u64 calls = storage_.new_calls();
      storage_ = migrate<S>(storage_, slots);
      counters_.new_calls += calls;
      if (age_) age_->resize(slots);
    }
    counters_.capacity = capacity;
  }

  u32 capacity() const { return counters_.capacity; }
  u32 live() const { return storage_.live(); }
  u64 new_calls() const { return counters_.new_calls + storage_.new_calls(); }

  PoolStats stats() const {
    PoolStats stats = counters_;
    stats.live = storage_.live();
    stats.new_calls = new_calls();
    stats.bytes = storage_.bytes() + (age_ ? age_->bytes() : 0);
    stats.retired_slots = storage_.retired();
    return stats;
  }
  const S& storage() const { return storage_; }

 private:
  template <Storage>
  friend class Pool;

  HandleType keep(HandleType handle) {
    if (age_) age_->push_back(handle.index);
    ++counters_.spawned;
    if (storage_.live() > counters_.peak) counters_.peak = storage_.live();
    return handle;
  }
  /// False if the victim's slot was worn out and retired, so that there is still no free one.
  bool steal_oldest() {
    const u32 victim = age_->oldest();
    age_->unlink(victim);
    storage_.erase_slot(victim);
    ++counters_.stolen;
    return storage_.has_free();
  }
  ReleaseResult refuse(HandleType handle) {
    const u32 known = storage_.generation_count();
    const auto now = handle.index < known ? storage_.generation(handle.index) : GenerationRule<typename S::GenerationType>::kFresh;
    const ReleaseResult result = GenerationRule<typename S::GenerationType>::mismatch(handle.generation, now);
    if (result == ReleaseResult::DoubleRelease) ++counters_.double_releases;
    if (result == ReleaseResult::StaleHandle) ++counters_.stale_handles;
    return result;
  }

  S storage_;
  PoolStats counters_;          // live, bytes and retired_slots are asked of the storage
  std::optional<AgeList> age_;  // there if the policy is StealOldest
};

template <class T, std::unsigned_integral Generation = u32>
using FreeListPool = Pool<FreeListStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using HeapPool = Pool<HeapStorage<T, Generation>>;

}  // namespace spellpool::pool
