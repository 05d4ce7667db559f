#pragma once
#include <cstdlib>
#include <variant>

#include "pool/pool.hpp"
#include "pool/strategies/heap_storage.hpp"

namespace spellpool::pool {

/// The strategies that a SwitchablePool offers: the four pools of pool.hpp and new/delete for comparison
/// (dense only for types with FieldsOf). AllStrategies (exhibits.hpp) has all 14; each adds about half a
/// second of compile time.
struct CoreStrategies {
  template <class T, class Generation>
  using Plain = std::variant<HeapPool<T, Generation>, FreeListPool<T, Generation>, BitmapPool<T, Generation>,
                             PackedPool<T, Generation>>;
  template <class T, class Generation>
  using FieldWise = std::variant<HeapPool<T, Generation>, FreeListPool<T, Generation>, BitmapPool<T, Generation>,
                                 PackedPool<T, Generation>, DensePool<T, Generation>>;
};

namespace detail {
template <class T, class Generation, class Offered>
struct PoolVariant {
  using Type = typename Offered::template Plain<T, Generation>;
  using Pointer = T*;
  using ConstPointer = const T*;
};
/// After the static_assert that T cannot be moved: avoids the same error from the pools that move objects.
template <class T, class Generation>
struct OnePool {
  using Type = std::variant<FreeListPool<T, Generation>>;
};
/// Field-wise storages need FieldsOf<T>.
template <FieldWise T, class Generation, class Offered>
struct PoolVariant<T, Generation, Offered> {
  using Type = typename Offered::template FieldWise<T, Generation>;
  using Pointer = FieldRef<T, Generation>;
  using ConstPointer = ConstFieldRef<T>;
};

/// std::visit for a variant that always holds something, by a switch: it costs no table, and compiles in less time.
/// `call` calls f(pool); if it is not inlined, the loops of all kinds stay out of one large function.
template <class Variant, class F, class Call>
decltype(auto) visit_held(Variant& variant, F&& f, Call call) {
  constexpr std::size_t kCount = std::variant_size_v<std::remove_const_t<Variant>>;
  static_assert(kCount <= 16, "visit_held() has 16 cases: add some");
  switch (variant.index()) {
#define SPELLPOOL_CASE(i)                               \
  case i:                                               \
    if constexpr (i < kCount) {                         \
      return call(f, *std::get_if<i>(&variant));        \
    } else {                                            \
      break;                                            \
    }
#define SPELLPOOL_FOUR_CASES(i) SPELLPOOL_CASE(i) SPELLPOOL_CASE(i + 1) SPELLPOOL_CASE(i + 2) SPELLPOOL_CASE(i + 3)
    SPELLPOOL_FOUR_CASES(0)
    SPELLPOOL_FOUR_CASES(4)
    SPELLPOOL_FOUR_CASES(8)
    SPELLPOOL_FOUR_CASES(12)
#undef SPELLPOOL_FOUR_CASES
#undef SPELLPOOL_CASE
    default: break;
  }
#if defined(__GNUC__)
  __builtin_unreachable();
#else
  std::abort();
#endif
}
struct Inlined {
  template <class F, class Pool>
  SPELLPOOL_FLAT decltype(auto) operator()(F& f, Pool& pool) const {
    return f(pool);
  }
};
struct Apart {
  template <class F, class Pool>
  SPELLPOOL_APART decltype(auto) operator()(F& f, Pool& pool) const {
    return f(pool);
  }
};
struct Rare {
  template <class F, class Pool>
  SPELLPOOL_RARE decltype(auto) operator()(F& f, Pool& pool) const {
    return f(pool);
  }
};
template <class Variant, class F>
decltype(auto) visit_held(Variant& variant, F&& f) {
  return visit_held(variant, f, Inlined{});
}
}  // namespace detail

/// A pool whose strategy is chosen at run time. Each call costs one switch, not one branch per object;
/// group several calls in one visit().
///
///   particles.visit([&](auto& pool) { pool.for_each([](Particle& p) { … }); … });
///
/// Switch   set_strategy() moves every object to the new storage: O(live + slots), plus the allocations of
///          the new storage. Handles, policy, capacity and counters carry over, so the game behaves the
///          same. T* and T& become invalid.
/// Offered  CoreStrategies: heap, free_list, bitmap, packed, and dense if T has FieldsOf; get() of such a T
///          returns a FieldRef under every strategy. T must be nothrow move constructible. There is no
///          range-for: for_each_handle() gives handles. visit() reaches the other members of Pool.
/// Names    row(pool.strategy()).name, from strategy.hpp.
/// Cold     If T has FieldsOf, no walk may change a Cold member: dense would lose the change. Debug builds
///          report that while the strategy is dense.
/// Inside   As for Pool. In addition set_strategy() is refused inside visit(), because it would destroy the
///          visited pool. Inside visit() of a const pool it is not detected.
template <class T, std::unsigned_integral Generation = u32, class Offered = CoreStrategies>
class SwitchablePool {
  static constexpr bool kMovesSafely = std::is_nothrow_move_constructible_v<T>;
  static_assert(kMovesSafely,
                "SwitchablePool<T> moves objects between storages. Give T a noexcept move constructor, or use "
                "FreeListPool<T>, which never moves one.");

 public:
  using Value = T;
  using HandleType = Handle<T, u32, Generation>;
  using Pointer = typename detail::PoolVariant<T, Generation, Offered>::Pointer;
  using ConstPointer = typename detail::PoolVariant<T, Generation, Offered>::ConstPointer;
  using Snapshot = PoolSnapshot<T, Generation>;

  /// A strategy that is not offered is replaced by packed, whose objects move; a debug build reports it.
  SwitchablePool(StrategyId strategy, const PoolSize& size)
      : pool_(make(is_offered(strategy) ? strategy : StrategyId::Packed, size, static_cast<Variant*>(nullptr))) {}
  SwitchablePool(StrategyId strategy, u32 capacity) : SwitchablePool(strategy, PoolSize{.capacity = capacity}) {}
  /// Does not compile, with a message: the strategy is missing.
  template <class Size>
    requires std::is_convertible_v<Size, u32> || std::is_same_v<std::remove_cvref_t<Size>, PoolSize>
  explicit SwitchablePool(Size&&) {
    static_assert(detail::kNever<Size>,
                  "Name the first strategy of a SwitchablePool<T>: SwitchablePool<T> pool(StrategyId::Bitmap, 1000);");
  }
  SwitchablePool(SwitchablePool&& other) noexcept : pool_(std::move(other.pool_)) {}
  SwitchablePool& operator=(SwitchablePool&& other) noexcept {
    if (this == &other) return *this;
    if (const char* why = why_fixed_with(other)) return misuse(why), *this;
    pool_ = std::move(other.pool_);
    return *this;
  }
  void swap(SwitchablePool& other) noexcept {
    if (this == &other) return;
    if (const char* why = why_fixed_with(other)) return misuse(why);
    pool_.swap(other.pool_);
  }
  friend void swap(SwitchablePool& a, SwitchablePool& b) noexcept { a.swap(b); }

  /// Calls f(pool) with the pool of the current strategy.
  template <class F>
  decltype(auto) visit(F&& f) {
    const Visit visit(*this);
    return detail::visit_held(pool_, f, detail::Apart{});
  }
  template <class F>
  decltype(auto) visit(F&& f) const {
    return detail::visit_held(pool_, f, detail::Apart{});
  }

  /// visit() for rare code: compiles f for size, in less time; also the function that calls this, if it always does.
  template <class F>
  decltype(auto) visit_rarely(F&& f) {
    const Visit visit(*this);
    return detail::visit_held(pool_, f, detail::Rare{});
  }
  template <class F>
  decltype(auto) visit_rarely(F&& f) const {
    return detail::visit_held(pool_, f, detail::Rare{});
  }

  static constexpr bool offers(StrategyId strategy) { return offers(strategy, static_cast<Variant*>(nullptr)); }
  /// Returns false and changes nothing if the strategy is not offered, which a debug build reports, or the
  /// call is refused. If memory runs out it throws std::bad_alloc, and nothing has changed.
  bool set_strategy(StrategyId strategy) {
    if (!is_offered(strategy)) return false;
    if (strategy == this->strategy()) return true;
    if (const char* why = why_fixed()) return misuse(why), false;
    prewarm(~u32{0});  // the new storage may prepare all slots at once
    Moving moving{pool_};
    const Leaving<T, Generation> leaving = detail::visit_held(pool_, [](auto& current) { return current.leave(); });
    with_pool_of(strategy, [&]<class Next>() {
      Next next(leaving);
      moving.done(true);
      pool_.template emplace<Next>(std::move(next));
    });
    return true;
  }
  [[nodiscard]] bool set_policy(PolicyId policy) {
    return visit_rarely([&](auto& pool) { return pool.set_policy(policy); });
  }
  [[nodiscard]] bool set_capacity(u32 capacity) {
    return visit_rarely([&](auto& pool) { return pool.set_capacity(capacity); });
  }
  void set_growth(u32 grow_by, u32 max_capacity) {
    visit_rarely([&](auto& pool) { pool.set_growth(grow_by, max_capacity); });
  }
  void set_fill(bool on) {
    visit([&](auto& pool) { pool.set_fill(on); });
  }
  u32 prewarm(u32 limit) {
    return visit([&](auto& pool) { return pool.prewarm(limit); });
  }
  u32 trim(u32 keep_free) {
    return visit_rarely([&](auto& pool) { return pool.trim(keep_free); });
  }

  StrategyId strategy() const {
    return visit_inlined([](const auto& pool) { return std::decay_t<decltype(pool)>::kStrategy; });
  }
  PolicyId policy() const {
    return visit_inlined([](const auto& pool) { return pool.policy(); });
  }
  PoolStats stats() const {
    return visit([](const auto& pool) { return pool.stats(); });
  }
  u32 capacity() const {
    return visit_inlined([](const auto& pool) { return pool.capacity(); });
  }
  u32 live() const {
    return visit_inlined([](const auto& pool) { return pool.live(); });
  }
  u32 size() const { return live(); }
  bool empty() const { return live() == 0; }
  bool full() const {
    return visit_inlined([](const auto& pool) { return pool.full(); });
  }
  float pressure() const {
    return visit_inlined([](const auto& pool) { return pool.pressure(); });
  }

  // Access to single objects.
  Pointer get(HandleType handle) {
    return visit_inlined([&](auto& pool) -> Pointer { return Pointer(pool.get(handle)); });
  }
  ConstPointer get(HandleType handle) const { return peek(handle); }
  ConstPointer peek(HandleType handle) const {
    return visit_inlined([&](const auto& pool) -> ConstPointer { return ConstPointer(pool.peek(handle)); });
  }
  bool contains(HandleType handle) const {
    return visit_inlined([&](const auto& pool) { return pool.contains(handle); });
  }
  ReleaseResult release(HandleType handle) {
    return visit_inlined([&](auto& pool) { return pool.release(handle); });
  }
  bool erase(HandleType handle) { return release(handle) == ReleaseResult::Released; }
  template <class... Args>
  HandleType acquire(Args&&... args) {
    return visit_inlined([&](auto& pool) { return pool.acquire(std::forward<Args>(args)...); });
  }
  template <class... Args>
  HandleType emplace(Args&&... args) {
    return acquire(std::forward<Args>(args)...);
  }

  // Walks: one visit() each. The callable is compiled once per strategy.
  template <class F>
  void for_each(F&& f) {
    visit([&](auto& pool) { pool.for_each(f); });
  }
  template <class F>
  void for_each(F&& f) const {
    visit([&](const auto& pool) { pool.for_each(f); });
  }
  template <class F>
  void for_each_handle(F&& f) {
    visit([&](auto& pool) { pool.for_each_handle(f); });
  }
  template <class Found>
  HandleType find_if(Found&& found) const {
    return visit([&](const auto& pool) { return pool.find_if(found); });
  }
  template <class Dead>
  u32 release_if(Dead&& dead) {
    return visit([&](auto& pool) { return pool.release_if(dead); });
  }
  void clear() {
    visit([](auto& pool) { pool.clear(); });
  }
  template <class Make, class Made>
  u32 acquire_n(u32 n, Make&& make, Made&& made) {
    return visit([&](auto& pool) { return pool.acquire_n(n, make, made); });
  }
  template <class Make>
  u32 acquire_n(u32 n, Make&& make) {
    return visit([&](auto& pool) { return pool.acquire_n(n, make); });
  }
  void save(Snapshot& snapshot) const
    requires std::is_copy_constructible_v<T>
  {
    visit([&](const auto& pool) { pool.save(snapshot); });
  }
  Snapshot save() const
    requires std::is_copy_constructible_v<T>
  {
    Snapshot snapshot;
    save(snapshot);
    return snapshot;
  }
  /// The snapshot may have been saved under another strategy.
  void restore(const Snapshot& snapshot)
    requires std::is_copy_constructible_v<T>
  {
    visit([&](auto& pool) { pool.restore(snapshot); });
  }

 private:
  using Variant = typename std::conditional_t<kMovesSafely, detail::PoolVariant<T, Generation, Offered>,
                                              detail::OnePool<T, Generation>>::Type;

  template <class... Pools>
  static constexpr bool offers(StrategyId strategy, std::variant<Pools...>*) {
    return ((Pools::kStrategy == strategy) || ...);
  }
  static bool is_offered(StrategyId strategy) {
    if (offers(strategy)) return true;
    if constexpr (kDebugChecks) {
      misuse(
          "this SwitchablePool does not offer that strategy. Ask offers(strategy). CoreStrategies has heap, free_list, "
          "bitmap and packed, and dense "
          "if the type has FieldsOf; ExhibitPool has all.");
    }
    return false;
  }
  struct Visit {
    explicit Visit(SwitchablePool& its) : pool(its) { ++pool.visits_; }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() { --pool.visits_; }
    SwitchablePool& pool;
  };
  /// For calls that are short, and made for each object.
  template <class F>
  decltype(auto) visit_inlined(F&& f) {
    const Visit visit(*this);
    return detail::visit_held(pool_, f);
  }
  template <class F>
  decltype(auto) visit_inlined(F&& f) const {
    return detail::visit_held(pool_, f);
  }
  const char* why_fixed() const {
    const char* const why = detail::visit_held(pool_, [](const auto& pool) { return pool.why_fixed(); });
    return why || visits_ == 0 ? why
                               : "set_strategy(), a move or a swap inside visit() of the same pool. Do it afterwards.";
  }
  const char* why_fixed_with(const SwitchablePool& other) const {
    const char* const why = why_fixed();
    return why ? why : other.why_fixed();
  }
  /// Unlocks the pool that objects move out of, even if an exception is thrown.
  struct Moving {
    Variant& pool;
    bool ended = false;
    void done(bool left) {
      ended = true;
      detail::visit_held(pool, [&](auto& current) { current.done_leaving(left); });
    }
    ~Moving() {
      if (!ended) done(false);
    }
  };

  template <class First, class... Rest>
  static Variant make(StrategyId strategy, const PoolSize& size, std::variant<First, Rest...>*) {
    return make_one<First, Rest...>(strategy, size);
  }
  template <class First, class... Rest>
  static Variant make_one(StrategyId strategy, const PoolSize& size) {
    if constexpr (sizeof...(Rest) > 0) {
      if (First::kStrategy != strategy) return make_one<Rest...>(strategy, size);
    }
    return Variant(std::in_place_type<First>, size);
  }
  /// Calls f.template operator()<P>() for the variant's pool P of this strategy.
  template <class F, class... Pools>
  static void with_pool_of(StrategyId strategy, F&& f, std::variant<Pools...>*) {
    ((Pools::kStrategy == strategy ? f.template operator()<Pools>() : void()), ...);
  }
  template <class F>
  static void with_pool_of(StrategyId strategy, F&& f) {
    with_pool_of(strategy, f, static_cast<Variant*>(nullptr));
  }

  Variant pool_;
  u32 visits_ = 0;
};

/// Releases every object for which dead(Value&) returns true: release_if() under the std name.
template <class T, std::unsigned_integral Generation, class Offered, class Dead>
u32 erase_if(SwitchablePool<T, Generation, Offered>& pool, Dead&& dead) {
  return pool.release_if(dead);
}

}  // namespace spellpool::pool
