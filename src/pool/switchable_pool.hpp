#pragma once
#include <optional>
#include <variant>

#include "pool/pool_kinds.hpp"

namespace spellpool::pool {

namespace detail {
template <class T, class Generation, class... Others>
struct PoolVariant {
  using Type = std::variant<HeapPool<T, Generation>, FreeListPool<T, Generation>, ActiveFlagPool<T, Generation>, IndexStackPool<T, Generation>,
                            PackedPool<T, Generation>, QueuePool<T, Generation>, RandomPool<T, Generation>, BookPool<T, Generation>,
                            StdFindPool<T, Generation>, BitmapPool<T, Generation>, PmrPool<T, Generation>,
                            ConsoleHeapPool<T, Generation>, Others...>;
  using Pointer = T*;
  using ConstPointer = const T*;
};
/// Parallel arrays need to know the fields.
template <FieldWise T, class Generation>
struct PoolVariant<T, Generation> : PoolVariant<T, Generation, SoaPool<T, Generation>, DensePool<T, Generation>> {
  using Pointer = FieldRef<T>;
  using ConstPointer = ConstFieldRef<T>;
};
}  // namespace detail

/// A pool whose strategy is chosen while the program runs. The choice costs one std::visit per system and step, not one
/// branch per object: do the walk inside visit().
///
///   particles.visit([&](auto& pool) { pool.for_each([](Particle& p) { … }); });
///
/// A switch moves every object to the new storage: O(live + slots), with the allocations that the new storage makes.
/// Handles, policy, capacity and counters carry over; nothing that the game can see changes.
/// A type whose fields are listed (FieldsOf) can be stored in every way, and get() gives a FieldRef; others cannot be taken
/// apart, and soa and dense are not offered.
template <class T, std::unsigned_integral Generation = u32>
class SwitchablePool {
 public:
  using Value = T;
  using HandleType = Handle<T, u32, Generation>;
  using Pointer = typename detail::PoolVariant<T, Generation>::Pointer;
  using ConstPointer = typename detail::PoolVariant<T, Generation>::ConstPointer;

  /// A strategy that is not offered becomes packed.
  SwitchablePool(StrategyId strategy, const PoolSize& size) {
    with_pool_of(offers(strategy) ? strategy : StrategyId::Packed, [&]<class First>() { pool_.emplace(std::in_place_type<First>, size); });
  }
  SwitchablePool(StrategyId strategy, u32 capacity) : SwitchablePool(strategy, PoolSize{.capacity = capacity}) {}

  template <class F>
  decltype(auto) visit(F&& f) {
    return std::visit(std::forward<F>(f), *pool_);
  }
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), *pool_);
  }

  static constexpr bool offers(StrategyId strategy) {
    return FieldWise<T> || (strategy != StrategyId::Soa && strategy != StrategyId::Dense);
  }
  /// False, and nothing changes, if the strategy is not offered.
  bool set_strategy(StrategyId strategy) {
    if (!offers(strategy)) return false;
    if (strategy == this->strategy()) return true;
    prewarm(~u32{0});  // the next kind may be one that makes all slots at once
    with_pool_of(strategy, [&]<class Next>() {
      Next next(visit([](auto& current) { return current.leave(); }));
      pool_->template emplace<Next>(std::move(next));
    });
    return true;
  }
  bool set_policy(PolicyId policy) {
    return visit([&](auto& pool) { return pool.set_policy(policy); });
  }
  void set_capacity(u32 capacity) {
    visit([&](auto& pool) { pool.set_capacity(capacity); });
  }
  void set_growth(u32 grow_by, u32 most_capacity) {
    visit([&](auto& pool) { pool.set_growth(grow_by, most_capacity); });
  }
  void set_fill(bool on) {
    visit([&](auto& pool) { pool.set_fill(on); });
  }
  u32 prewarm(u32 most) {
    return visit([&](auto& pool) { return pool.prewarm(most); });
  }
  u32 trim(u32 keep_free) {
    return visit([&](auto& pool) { return pool.trim(keep_free); });
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
  float pressure() const {
    return visit([](const auto& pool) { return pool.pressure(); });
  }

  // For single objects; a walk belongs inside visit().
  Pointer get(HandleType handle) {
    return visit([&](auto& pool) -> Pointer { return Pointer(pool.get(handle)); });
  }
  ConstPointer peek(HandleType handle) const {
    return visit([&](const auto& pool) -> ConstPointer { return ConstPointer(pool.peek(handle)); });
  }
  ReleaseResult release(HandleType handle) {
    return visit([&](auto& pool) { return pool.release(handle); });
  }
  template <class... Args>
  HandleType acquire(Args&&... args) {
    return visit([&](auto& pool) { return pool.acquire(std::forward<Args>(args)...); });
  }

 private:
  using Variant = typename detail::PoolVariant<T, Generation>::Type;
  static_assert(std::variant_size_v<Variant> + (FieldWise<T> ? 0 : 2) == kStrategyCount, "every row of kStrategies needs its pool here");

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
