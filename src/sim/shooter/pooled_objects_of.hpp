#pragma once
// The definitions of PooledObjects<T>. Each is compiled for every strategy, so one .cpp file for each type includes
// this, specialises PortOf<T> and instantiates PooledObjects<T>.
#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/core/pool_port_of.hpp"
#include "sim/core/pool_switch.hpp"
#include "sim/core/shared_walk.hpp"
#include "sim/shooter/pooled_objects.hpp"

namespace spellpool::sim {

/// What a port shows of a T: kId, kFields, age(const T&) → 0 … 1.
template <class T>
struct PortOf;

inline float share_of(u32 age, u32 life) { return std::min(1.0f, static_cast<float>(age) / static_cast<float>(life)); }

template <class T>
PooledObjects<T>::PooledObjects(const PoolChoice& choice) : pool_(choice.strategy, choice.size()) {
  (void)pool_.set_policy(choice.policy);
  reserve();
}
template <class T>
PooledObjects<T>::~PooledObjects() = default;

template <class T>
void PooledObjects<T>::apply(const frame::SimCommand& command) {
  turn_switch(pool_, command);
  reserve();
}
template <class T>
auto PooledObjects<T>::add(T object) -> HandleType {
  object.spawn_id = next_spawn_id_++;
  if (budget_ != nullptr && !budget_->take(PortOf<T>::kId)) return {};
  return pool_.acquire(object);
}
template <class T>
auto PooledObjects<T>::add_anyway(T object) -> HandleType {
  object.spawn_id = next_spawn_id_++;
  if (budget_ != nullptr) budget_->take_anyway(PortOf<T>::kId);
  return pool_.acquire(object);
}
template <class T>
auto PooledObjects<T>::list() const -> std::span<const Entry> {
  order_.resize(pool_.live());
  pool_.visit([to = order_.data()](const auto& pool) mutable {
    pool.for_each_handle([&](HandleType handle, const T& object) { *to++ = {object.spawn_id, handle}; });
  });
  std::sort(order_.begin(), order_.end(), [](const Entry& a, const Entry& b) { return a.spawn_id < b.spawn_id; });
  return order_;
}
template <class T>
void PooledObjects<T>::call_for_each(void* its, void (*f)(void*, HandleType, const T&)) const {
  sim::call_for_each<T>(pool_, its, f);
}
template <class T>
void PooledObjects<T>::call_for_each(void* its, void (*f)(void*, T&)) {
  pool_.visit_rarely([=](auto& pool) { pool.for_each([=](T& object) { f(its, object); }); });
}
template <class T>
void PooledObjects<T>::save(State& state) const {
  pool_.save(state.objects);
  state.next_spawn_id = next_spawn_id_;
}
template <class T>
void PooledObjects<T>::restore(const State& state) {
  pool_.restore(state.objects);
  next_spawn_id_ = state.next_spawn_id;
  reserve();
}
template <class T>
u32 PooledObjects<T>::live() const {
  return pool_.live();
}
template <class T>
u32 PooledObjects<T>::capacity() const {
  return pool_.capacity();
}
template <class T>
std::unique_ptr<PoolPort> PooledObjects<T>::port() {
  return std::make_unique<PoolPortOf<T>>(PortOf<T>::kId, pool_, PortOf<T>::kFields, PortOf<T>::age);
}
template <class T>
void PooledObjects<T>::reserve() {
  order_.reserve(std::max(pool_.capacity(), pool_.live()));
}

}  // namespace spellpool::sim
