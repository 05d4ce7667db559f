#pragma once
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "core/state_hash.hpp"
#include "pool/exhibits.hpp"
#include "sim/core/pool_choice.hpp"
#include "sim/core/pool_port.hpp"
#include "sim/shooter/slot_budget.hpp"

namespace spellpool::sim {

/// A pool of objects that have a spawn_id, in any strategy. Where one object changes another, objects are visited in
/// the order of their spawn, never of their slots: list() sorts handles for those walks. Allocates only in apply().
/// The functions that are no templates are compiled once for each type: pooled_objects_of.hpp.
template <class T>
class PooledObjects {
 public:
  using HandleType = Handle<T>;
  struct Entry {
    u64 spawn_id;
    HandleType handle;
  };

  explicit PooledObjects(const PoolChoice& choice);
  ~PooledObjects();

  void apply(const frame::SimCommand& command);

  /// From now on it asks there for each slot; the budget outlives it.
  void live_on(SlotBudget& budget) { budget_ = &budget; }

  /// Gives it the next spawn id. An object that a full pool rejects, or the budget, uses its id up too.
  HandleType add(T object);
  /// The same without the budget's leave.
  HandleType add_anyway(T object);
  u64 next_spawn_id() const { return next_spawn_id_; }

  /// All, by rising spawn id, as they are now. Valid until the next list().
  std::span<const Entry> list() const;
  auto get(HandleType handle) { return pool_.get(handle); }
  auto peek(HandleType handle) const { return pool_.peek(handle); }
  template <class Dead>
  u32 release_if(Dead&& dead) {
    return pool_.visit([&](auto& pool) { return pool.release_if(dead); });
  }
  /// f(T&), in the storage's order: only for changes that no other object sees.
  template <class F>
  void for_each(F&& f) {
    pool_.visit([&](auto& pool) { pool.for_each(f); });
  }
  template <class F>
  void for_each(F&& f) const {
    pool_.visit([&](const auto& pool) { pool.for_each(f); });
  }

  /// for_each() for walks outside the usual step: f is compiled once, not for every strategy, and is called through a
  /// pointer.
  template <class F>
  void look_at_each(F&& f) const {
    call_for_each(
        &f, [](void* its, HandleType, const T& object) { (*static_cast<std::remove_reference_t<F>*>(its))(object); });
  }
  template <class F>
  void change_each(F&& f) {
    call_for_each(&f, [](void* its, T& object) { (*static_cast<std::remove_reference_t<F>*>(its))(object); });
  }
  /// The objects, in any order, and the next spawn id. fields(StateHash&, const T&) adds those of one object.
  template <class Fields>
  void add_to(StateHash& hash, Fields&& fields) const {
    SetHash set;
    look_at_each([&](const T& object) {
      StateHash one;
      fields(one, object);
      set.add(one.value());
    });
    hash.add(set.value(), next_spawn_id_);
  }

  struct State {
    typename pool::ExhibitPool<T>::Snapshot objects;
    u64 next_spawn_id = 1;
  };
  void save(State& state) const;
  void restore(const State& state);

  u32 live() const;
  u32 capacity() const;
  pool::ExhibitPool<T>& pool() { return pool_; }
  const pool::ExhibitPool<T>& pool() const { return pool_; }
  /// The pool for the rest of the program; this outlives it.
  std::unique_ptr<PoolPort> port();

 private:
  void reserve();
  void call_for_each(void* its, void (*f)(void* its, HandleType, const T&)) const;
  void call_for_each(void* its, void (*f)(void* its, T&));

  pool::ExhibitPool<T> pool_;
  u64 next_spawn_id_ = 1;
  SlotBudget* budget_ = nullptr;
  mutable std::vector<Entry> order_;  // list()'s scratch
};

}  // namespace spellpool::sim
