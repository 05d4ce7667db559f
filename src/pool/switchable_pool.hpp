#pragma once
#include <optional>
#include <variant>

#include "pool/pool.hpp"

namespace spellpool::pool {

/// A pool whose strategy is chosen while the program runs. The choice costs one std::visit per system and step, not one
/// branch per object: do the walk inside visit().
///
///   particles.visit([&](auto& pool) { pool.for_each([](Particle& p) { … }); });
///
/// A switch moves every object to the new storage: O(live + slots), with the allocations that the new storage makes.
/// Handles, policy, capacity and counters carry over; nothing that the game can see changes.
template <class T, std::unsigned_integral Generation = u32>
class SwitchablePool {
 public:
  using Value = T;
  using HandleType = Handle<T, u32, Generation>;

  SwitchablePool(StrategyId strategy, u32 capacity) {
    with_pool_of(strategy, [&]<class First>() { pool_.emplace(std::in_place_type<First>, capacity); });
  }

  template <class F>
  decltype(auto) visit(F&& f) {
    return std::visit(std::forward<F>(f), *pool_);
  }
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), *pool_);
  }

  void set_strategy(StrategyId strategy) {
    if (strategy == this->strategy()) return;
    with_pool_of(strategy, [&]<class Next>() {
      Next next = visit([](auto& current) { return Next(std::move(current)); });
      pool_->template emplace<Next>(std::move(next));
    });
  }
  template <class SerialOf>
  void set_policy(PolicyId policy, SerialOf&& serial_of) {
    visit([&](auto& pool) { pool.set_policy(policy, serial_of); });
  }
  void set_capacity(u32 capacity) {
    visit([&](auto& pool) { pool.set_capacity(capacity); });
  }

  StrategyId strategy() const {
    return visit([](const auto& pool) { return std::decay_t<decltype(pool)>::kStrategy; });
  }
  PolicyId policy() const {
    return visit([](const auto& pool) { return pool.policy(); });
  }
  PoolStats stats() const {
    return visit([](const auto& pool) { return pool.stats(); });
  }
  u32 capacity() const {
    return visit([](const auto& pool) { return pool.capacity(); });
  }
  u32 live() const {
    return visit([](const auto& pool) { return pool.live(); });
  }

  // For single objects; a walk belongs inside visit().
  T* get(HandleType handle) {
    return visit([&](auto& pool) { return pool.get(handle); });
  }
  ReleaseResult release(HandleType handle) {
    return visit([&](auto& pool) { return pool.release(handle); });
  }
  template <class... Args>
  HandleType acquire(Args&&... args) {
    return visit([&](auto& pool) { return pool.acquire(std::forward<Args>(args)...); });
  }

 private:
  using Variant = std::variant<HeapPool<T, Generation>, FreeListPool<T, Generation>>;
  static_assert(std::variant_size_v<Variant> == kStrategyCount, "every row of kStrategies needs its pool here");

  /// f.template operator()<P>() for the variant's pool P of this strategy.
  template <class F, class... Pools>
  static void with_pool_of(StrategyId strategy, F&& f, std::variant<Pools...>*) {
    ((Pools::kStrategy == strategy ? f.template operator()<Pools>() : void()), ...);
  }
  template <class F>
  static void with_pool_of(StrategyId strategy, F&& f) {
    with_pool_of(strategy, f, static_cast<Variant*>(nullptr));
  }

  std::optional<Variant> pool_;
};

}  // namespace spellpool::pool
