#pragma once
// What the shooter's pools have in common: the switches, and a list by spawn id.
#include <algorithm>
#include <vector>

#include "pool/exhibits.hpp"
#include "pool/inspect/slot_map.hpp"
#include "pool/prewarm.hpp"
#include "sim/core/pool_choice.hpp"
#include "sim/core/pool_switch.hpp"

namespace spellpool::sim {

/// A pool of objects with a spawn_id, in any strategy. Objects interact in spawn order, never in slot order:
/// list() sorts handles for the walks in which one object changes another. Only the switches allocate.
template <class T>
class PooledObjects {
 public:
  using HandleType = Handle<T>;
  struct Entry {
    u64 spawn_id;
    HandleType handle;
  };

  explicit PooledObjects(const PoolChoice& choice) : pool_(choice.strategy, choice.size()) {
    pool_.set_policy(choice.policy);
    reserve();
  }

  void apply(const frame::SimCommand& command) {
    turn_switch(pool_, command);
    reserve();
  }

  /// It has a spawn id already: one that a full pool refuses uses it up all the same.
  HandleType add(const T& newborn) { return pool_.acquire(newborn); }

  /// All, by rising spawn id, as they are now. Good until the next list().
  std::span<const Entry> list() const {
    order_.clear();
    pool_.visit([&](const auto& pool) {
      pool.for_each_handle([&](HandleType handle, const T& thing) { order_.push_back({thing.spawn_id, handle}); });
    });
    std::sort(order_.begin(), order_.end(), [](const Entry& a, const Entry& b) { return a.spawn_id < b.spawn_id; });
    return order_;
  }
  auto get(HandleType handle) { return pool_.get(handle); }
  auto peek(HandleType handle) const { return pool_.peek(handle); }
  template <class Dead>
  u32 release_if(Dead&& dead) {
    return pool_.visit([&](auto& pool) { return pool.release_if(dead); });
  }
  /// f(T&), in storage order: only for an f that touches no other object.
  template <class F>
  void for_each(F&& f) {
    pool_.visit([&](auto& pool) { pool.for_each(f); });
  }
  template <class F>
  void for_each(F&& f) const {
    pool_.visit([&](const auto& pool) { pool.for_each(f); });
  }

  u32 live() const { return pool_.live(); }
  u32 capacity() const { return pool_.capacity(); }
  pool::ExhibitPool<T>& pool() { return pool_; }
  const pool::ExhibitPool<T>& pool() const { return pool_; }

 private:
  void reserve() { order_.reserve(std::max(pool_.capacity(), pool_.live())); }

  pool::ExhibitPool<T> pool_;
  mutable std::vector<Entry> order_;  // list()'s scratch
};

}  // namespace spellpool::sim
