// A random model test with hostile types: their constructors, destructors and hooks use the pool that they live in, copies and predicates
// throw, and allocations fail. After every operation each pool must agree with a plain ledger.
//   SPELLPOOL_ADVERSARY_OPERATIONS   operations for each strategy or pool (default 40,000)
//   SPELLPOOL_ADVERSARY_SEED         another course of events
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "allocation_probe.hpp"
#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

struct Thrown {};

/// What hostile objects report to, and where they act in the middle of an operation.
class Stage {
 public:
  virtual void born(u32 ledger, u64 id) = 0;
  virtual void ended(u32 ledger, u64 id, bool stolen) = 0;
  virtual void act() noexcept = 0;
  virtual void construct() = 0;  ///< Acts, and may throw.
  virtual void copy() = 0;       ///< May throw.
  virtual void complain(const char* what) = 0;

 protected:
  ~Stage() = default;
};
Stage* stage = nullptr;
i64 existing = 0;  // hostile objects with a destructor that were made and have not ended
u64 refusals = 0;

/// The part that objects with a destructor share. A moved-from one has id 0.
struct Body {
  Body(u32 l, u64 i) : id(i), ledger(l), payload(std::make_unique<u64>(i)) {
    stage->construct();
    ++existing;
  }
  Body(const Body& other) : id(other.id), ledger(other.ledger), payload(std::make_unique<u64>(*other.payload)) {
    stage->copy();
    ++existing;
  }
  Body(Body&& other) noexcept : id(std::exchange(other.id, 0)), ledger(other.ledger), payload(std::move(other.payload)) { ++existing; }
  Body& operator=(const Body&) = delete;
  ~Body() {
    if (mark != 0x5eed5eedu) stage->complain("a destructor ran twice, or over other bytes");
    if (id != 0) {
      if (!sound()) stage->complain("an object was damaged");
      stage->act();
    }
    mark = 0;
    --existing;
  }
  bool sound() const { return mark == 0x5eed5eedu && payload && *payload == id; }

  u64 id;
  u32 ledger;
  std::unique_ptr<u64> payload;
  u32 mark = 0x5eed5eedu;
};

struct Beast : Body {
  static constexpr bool kHooks = true, kCounted = true, kHostile = true;
  Beast(u32 l, u64 i) : Body(l, i) {}
  Beast(u32 l, u64 i, const Beast& parent) : Body(l, parent.sound() ? i : 0) {}
};
struct Pinned : Body {
  static constexpr bool kHooks = true, kCounted = true, kHostile = true;
  Pinned(u32 l, u64 i) : Body(l, i) {}
  Pinned(u32 l, u64 i, const Pinned& parent) : Body(l, parent.sound() ? i : 0) {}
  Pinned(const Pinned&) = delete;
};
/// Its moves are copies, and throw.
struct CopyOnly : Body {
  static constexpr bool kHooks = true, kCounted = true, kHostile = true;
  CopyOnly(u32 l, u64 i) : Body(l, i) {}
  CopyOnly(u32 l, u64 i, const CopyOnly& parent) : Body(l, parent.sound() ? i : 0) {}
  CopyOnly(const CopyOnly& other) : Body(other) {}
};
struct Row {
  static constexpr bool kHooks = true, kCounted = false, kHostile = true;
  Row() = default;
  Row(u32 l, u64 i) : id(i), ledger(l), twice(static_cast<u32>(i * 2)) { stage->construct(); }
  Row(u32 l, u64 i, const Row& parent) : Row(l, parent.sound() ? i : 0) {}
  bool sound() const { return twice == static_cast<u32>(id * 2); }

  u64 id;
  u32 ledger, twice;
};
/// No hooks: the fast paths.
struct PlainRow {
  static constexpr bool kHooks = false, kCounted = false, kHostile = true;
  PlainRow() = default;
  PlainRow(u32 l, u64 i) : id(i), ledger(l), twice(static_cast<u32>(i * 2)) {}
  PlainRow(u32 l, u64 i, const PlainRow& parent) : PlainRow(l, parent.sound() ? i : 0) {}
  bool sound() const { return twice == static_cast<u32>(id * 2); }

  u64 id;
  u32 ledger, twice;
};

}  // namespace

template <class T>
  requires(T::kHostile && T::kHooks)
struct HooksOf<T> {
  static void acquired(T& value) {
    stage->born(value.ledger, value.id);
    stage->act();
  }
  static void released(T& value) {
    if (!value.sound()) stage->complain("released() got a damaged object");
    stage->ended(value.ledger, value.id, false);
    stage->act();
  }
  static void discarded(T& value) {
    if (!value.sound()) stage->complain("discarded() got a damaged object");
    stage->ended(value.ledger, value.id, true);
    stage->act();
  }
};
template <class T>
  requires(T::kHostile)
struct OrderOf<T> {
  static u64 serial(const T& value) { return value.id; }
  static float score(const T& value) { return static_cast<float>(mix64(value.id) % 17); }
};
template <>
struct FieldsOf<Row> {
  using Hot = FieldList<&Row::id, &Row::twice>;
  using Cold = FieldList<&Row::ledger>;
};
template <>
struct FieldsOf<PlainRow> {
  using Hot = FieldList<&PlainRow::twice>;
  using Cold = FieldList<&PlainRow::id, &PlainRow::ledger>;
};

namespace {

template <class P>
constexpr bool kSwitches = requires(P& pool) { pool.set_strategy(StrategyId::Heap); };
template <class P, class F>
decltype(auto) with(P& pool, F&& f) {
  if constexpr (kSwitches<P>) {
    return pool.visit(f);
  } else {
    return f(pool);
  }
}
/// The object that a T&, a T* or a FieldRef leads to.
template <class V>
const auto& object_of(const V& value) {
  if constexpr (requires { value.id; }) {
    return value;
  } else {
    return *value;
  }
}

/// A reference to something that can be called: so that each pool's functions are compiled once.
template <class>
class Call;
template <class R, class... Args>
class Call<R(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Call>)
  Call(F&& f) : of_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* self, Args... args) -> R { return (*static_cast<std::remove_reference_t<F>*>(self))(args...); }) {}
  R operator()(Args... args) const { return call_(of_, args...); }

 private:
  void* of_;
  R (*call_)(void*, Args...);
};

/// Any pool of T with 8-bit generations, so that the model is compiled once for each T.
template <class T>
class AnyPool {
 public:
  using HandleType = Handle<T, u32, u8>;
  using Snapshot = PoolSnapshot<T, u8>;
  struct Seen {
    bool there = false, sound = false;
    u64 id = 0;
    u32 ledger = 0;
  };
  virtual ~AnyPool() = default;
  virtual HandleType acquire(u32 ledger, u64 id) = 0;
  virtual HandleType acquire_copy(u32 ledger, u64 id) = 0;
  virtual HandleType acquire_from(HandleType parent, u32 ledger, u64 id) = 0;
  virtual u32 acquire_n(u32 n, Call<T(u32)> make, Call<void(u32, HandleType)> made) = 0;
  virtual ReleaseResult release(HandleType handle) = 0;
  virtual bool erase(HandleType handle) = 0;
  virtual bool contains(HandleType handle) = 0;
  virtual bool resolves(HandleType handle) = 0;  ///< By get().
  virtual Seen peek(HandleType handle) = 0;
  virtual bool names(HandleType handle) = 0;  ///< handle_at() and handle_of() agree with the handle.
  virtual void for_each(Call<void(T&)> f) = 0;
  virtual void for_each_const(Call<void(const T&)> f) = 0;
  virtual void for_each_handle(Call<void(HandleType, T&)> f) = 0;
  virtual bool find_if(Call<bool(const T&)> found) = 0;
  virtual void range_for(Call<void(const T&)> f) = 0;
  virtual void items(Call<bool(HandleType, const T&)> f) = 0;  ///< Until f returns false.
  virtual void split(u32 parts, Call<void(const T&)> f, Call<void()> after) = 0;
  virtual bool update_rows(Call<bool(u64)> dead, Call<void()> after) = 0;  ///< dead(id) for each row; false: not offered.
  virtual u32 release_if(Call<bool(const T&)> dead) = 0;
  virtual void clear() = 0;
  virtual bool sort(Call<bool(const T&, const T&)> less) = 0;  ///< False: not offered.
  virtual bool supports(PolicyId policy) = 0;
  virtual bool set_policy(PolicyId policy) = 0;
  virtual PolicyId policy() = 0;
  virtual bool set_capacity(u32 capacity) = 0;
  virtual bool set_strategy(StrategyId strategy) = 0;
  virtual StrategyId strategy() = 0;
  virtual bool offers(StrategyId strategy) = 0;
  virtual void set_growth(u32 by, u32 most) = 0;
  virtual void prewarm(u32 slots) = 0;
  virtual void trim(u32 keep) = 0;
  virtual void set_fill(bool on) = 0;
  virtual void batch(bool on) = 0;
  virtual void save(Snapshot& snapshot) = 0;
  virtual void restore(const Snapshot& snapshot) = 0;
  virtual void swap(AnyPool& other) = 0;
  virtual void move_from(AnyPool& other) = 0;
  virtual std::unique_ptr<AnyPool> moved() = 0;
  virtual PoolStats stats() = 0;
  virtual bool fixed() = 0;
  u32 live() { return stats().live; }
  u32 capacity() { return stats().capacity; }
};

template <class P>
class Adapter final : public AnyPool<typename P::Value> {
  using T = typename P::Value;
  using Base = AnyPool<T>;
  using typename Base::Seen;
  using typename Base::Snapshot;
  static constexpr bool kCopies = std::is_copy_constructible_v<T>;

 public:
  using typename Base::HandleType;

  Adapter(StrategyId first, const PoolSize& size)
    requires kSwitches<P>
      : pool_(first, size) {}
  Adapter(StrategyId, const PoolSize& size)
    requires(!kSwitches<P>)
      : pool_(size) {}
  explicit Adapter(P&& other) : pool_(std::move(other)) {}

  HandleType acquire(u32 ledger, u64 id) override { return pool_.acquire(ledger, id); }
  HandleType acquire_copy(u32 ledger, u64 id) override {
    if constexpr (std::is_move_constructible_v<T>) {
      return pool_.acquire(T(ledger, id));
    } else {
      return pool_.acquire(ledger, id);
    }
  }
  HandleType acquire_from(HandleType parent, u32 ledger, u64 id) override {
    const auto ref = pool_.get(parent);
    return ref ? pool_.acquire(ledger, id, *ref) : pool_.acquire(ledger, id);
  }
  u32 acquire_n(u32 n, Call<T(u32)> make, Call<void(u32, HandleType)> made) override {
    if constexpr (std::is_move_constructible_v<T>) {
      return pool_.acquire_n(n, make, made);
    } else {
      return 0;
    }
  }
  ReleaseResult release(HandleType handle) override { return pool_.release(handle); }
  bool erase(HandleType handle) override { return pool_.erase(handle); }
  bool contains(HandleType handle) override { return pool_.contains(handle); }
  bool resolves(HandleType handle) override { return !(pool_.get(handle) == nullptr); }
  Seen peek(HandleType handle) override {
    const auto ref = pool_.peek(handle);
    if (ref == nullptr) return {};
    return {true, ref->sound(), ref->id, ref->ledger};
  }
  bool names(HandleType handle) override {
    return with(pool_, [&](const auto& pool) {
      if constexpr (requires { pool.handle_of(pool.peek(handle)); }) {
        if (!(pool.handle_of(pool.peek(handle)) == handle)) return false;
      }
      return pool.handle_at(handle.index) == handle;
    });
  }
  void for_each(Call<void(T&)> f) override { pool_.for_each(f); }
  void for_each_const(Call<void(const T&)> f) override { std::as_const(pool_).for_each(f); }
  void for_each_handle(Call<void(HandleType, T&)> f) override { pool_.for_each_handle(f); }
  bool find_if(Call<bool(const T&)> found) override { return !pool_.find_if(found).is_null(); }
  void range_for(Call<void(const T&)> f) override {
    with(pool_, [&](const auto& pool) {
      for (const auto& value : pool) f(object_of(value));
    });
  }
  void items(Call<bool(HandleType, const T&)> f) override {
    with(pool_, [&](auto& pool) {
      for (auto [handle, value] : pool.items()) {
        if (!f(handle, object_of(value))) break;
      }
    });
  }
  void split(u32 parts, Call<void(const T&)> f, Call<void()> after) override {
    with(pool_, [&](auto& pool) {
      auto shared = pool.split(parts);
      for (u32 part = 0; part < shared.parts(); ++part) shared.for_each(part, f);
      after();
    });
  }
  bool update_rows(Call<bool(u64)> dead, Call<void()> after) override {
    return with(pool_, [&](auto& pool) {
      if constexpr (requires { pool.template column<&T::id>(); pool.update_rows([](u32, u32) { return u64{0}; }); }) {
        pool.update_rows([&](u32 first, u32 rows) {
          u64 mask = 0;
          for (u32 i = 0; i < rows; ++i) mask |= u64{dead(pool.template column<&T::id>()[first + i])} << i;
          after();
          return mask;
        });
        return true;
      }
      return false;
    });
  }
  u32 release_if(Call<bool(const T&)> dead) override { return pool_.release_if(dead); }
  void clear() override { pool_.clear(); }
  bool sort(Call<bool(const T&, const T&)> less) override {
    return with(pool_, [&](auto& pool) {
      if constexpr (requires { pool.sort(less); }) {
        pool.sort(less);
        return true;
      }
      return false;
    });
  }
  bool supports(PolicyId policy) override {
    return with(pool_, [&](const auto& pool) { return pool.supports(policy); });
  }
  bool set_policy(PolicyId policy) override { return pool_.set_policy(policy); }
  PolicyId policy() override { return pool_.policy(); }
  bool set_capacity(u32 capacity) override { return pool_.set_capacity(capacity); }
  bool set_strategy([[maybe_unused]] StrategyId strategy) override {
    if constexpr (kSwitches<P>) {
      return pool_.set_strategy(strategy);
    } else {
      return false;
    }
  }
  StrategyId strategy() override {
    if constexpr (kSwitches<P>) {
      return pool_.strategy();
    } else {
      return P::kStrategy;
    }
  }
  bool offers([[maybe_unused]] StrategyId strategy) override {
    if constexpr (kSwitches<P>) {
      return P::offers(strategy);
    } else {
      return false;
    }
  }
  void set_growth(u32 by, u32 most) override { pool_.set_growth(by, most); }
  void prewarm(u32 slots) override { pool_.prewarm(slots); }
  void trim(u32 keep) override { pool_.trim(keep); }
  void set_fill(bool on) override { pool_.set_fill(on); }
  void batch(bool on) override {
    with(pool_, [&](auto& pool) { on ? pool.begin_batch() : pool.end_batch(); });
  }
  void save([[maybe_unused]] Snapshot& snapshot) override {
    if constexpr (kCopies) pool_.save(snapshot);
  }
  void restore([[maybe_unused]] const Snapshot& snapshot) override {
    if constexpr (kCopies) pool_.restore(snapshot);
  }
  void swap(Base& other) override {
    using std::swap;
    swap(pool_, static_cast<Adapter&>(other).pool_);
  }
  void move_from(Base& other) override { pool_ = std::move(static_cast<Adapter&>(other).pool_); }
  std::unique_ptr<Base> moved() override { return std::make_unique<Adapter>(std::move(pool_)); }
  PoolStats stats() override { return pool_.stats(); }
  bool fixed() override {
    return with(pool_, [](const auto& pool) { return pool.why_fixed() != nullptr; });
  }

 private:
  P pool_;
};

constexpr u32 kMostSlots = 40;

template <class T>
class World final : public Stage {
  using P = AnyPool<T>;
  using HandleType = typename P::HandleType;
  static constexpr bool kCopies = std::is_copy_constructible_v<T>;
  static constexpr bool kMoves = std::is_move_constructible_v<T>;
  static constexpr bool kMovesSafely = std::is_nothrow_move_constructible_v<T>;

  struct Ledger {
    std::map<u64, HandleType> live;  // by id; the handle is null until acquire() has returned it
    std::vector<HandleType> dead;
    u64 spawned = 0, released = 0, stolen = 0;
  };
  struct Saved {
    typename P::Snapshot snapshot;
    Ledger ledger;
    u32 of = 0;
    bool empty = true;
  };

  /// The world's own code runs: its allocations do not fail.
  struct Outside {
    World& world;
    explicit Outside(World& its) : world(its) { world.fail_after_ = test::fail_new_after(-1); }
    ~Outside() { test::fail_new_after(world.fail_after_); }
  };
  /// The pool's code runs.
  struct Inside {
    World& world;
    explicit Inside(World& its) : world(its) { test::fail_new_after(world.fail_after_); }
    ~Inside() { world.fail_after_ = test::fail_new_after(-1); }
  };

 public:
  World(u64 seed, StrategyId first, P* (*make)(StrategyId, const PoolSize&)) : rng_(seed), seed_(seed) {
    stage = this;
    for (u32 which : {0u, 1u}) {
      pools_[which] = make(first, size());
      ledger_of_[which] = next_ledger_++;
      ledgers_[ledger_of_[which]];
    }
  }
  ~World() {
    closing_[0] = closing_[1] = true;
    saved_.clear();
    for (u32 which : {0u, 1u}) {
      delete pools_[which];
      pools_[which] = nullptr;
    }
    check(!T::kCounted || existing == 0, "objects are left when every pool has ended");
    existing = 0;
    stage = nullptr;
  }

  bool failed() const { return failed_; }
  u64 operations() const { return operations_; }

  void step() {
    ++operations_;
    budget_ = 12;
    throw_copy_ = rng_.below(8) == 0 ? static_cast<i64>(rng_.below(12)) : -1;
    fail_after_ = rng_.below(5) == 0 ? static_cast<i64>(rng_.below(7)) : -1;
    // libstdc++'s unsynchronized_pool_resource crashes after an allocation of its own has failed.
    if (pools_[0]->strategy() == StrategyId::Pmr || pools_[1]->strategy() == StrategyId::Pmr) fail_after_ = -1;
    armed_ = fail_after_ >= 0;
    const u32 which = rng_.below(2);
    operation_ = rng_.below(100);
    if (operation_ < 34) {
      acquire(which);
    } else if (operation_ < 50) {
      release_live(which);
    } else if (operation_ < 53) {
      use_wrong_handles(which);
    } else if (operation_ < 57) {
      release_some(which);
    } else if (operation_ < 60) {
      walk(which);
    } else if (operation_ < 61) {
      clear(which);
    } else if (operation_ < 66) {
      range_for(which);
    } else if (operation_ < 70) {
      acquire_some(which);
    } else if (operation_ < 82) {
      change_structure(which);
    } else if (operation_ < 86) {
      switch_strategy(which);
    } else if (operation_ < 90) {
      save(which);
    } else if (operation_ < 93) {
      restore(which);
    } else if (operation_ < 97) {
      move_pools(which);
    } else {
      odds_and_ends(which);
    }
    fail_after_ = -1;
    armed_ = false;
    throw_copy_ = -1;
    for (u32 each : {0u, 1u}) verify(each);
    i64 expected = pools_[0]->live() + pools_[1]->live();
    for (const Saved& saved : saved_) expected += saved.snapshot.size();
    check(!T::kCounted || existing == expected, "objects made minus ended is not what lives");
  }

  // ---- Stage

  void born(u32 ledger, u64 id) override {
    const Outside outside(*this);
    Ledger& its = ledgers_[ledger];
    check(its.live.emplace(id, HandleType{}).second, "an object was born twice");
    ++its.spawned;
  }
  void ended(u32 ledger, u64 id, bool stolen) override {
    const Outside outside(*this);
    Ledger& its = ledgers_[ledger];
    const auto it = its.live.find(id);
    if (it == its.live.end()) return complain("an object ended that was not alive");
    if (it->second) {
      note_end(its, it->second);
      for (P* pool : pools_) {
        if (pool && &ledger_of(*pool) == &its) check(!pool->contains(it->second), "the handle is still good inside the hook");
      }
    }
    its.live.erase(it);
    ++(stolen ? its.stolen : its.released);
  }
  void copy() override {
    if (throw_copy_ >= 0 && throw_copy_-- == 0) throw Thrown{};
  }
  void construct() override {
    act();
    if (depth_ == 0 && rng_.below(24) == 0) throw Thrown{};
    if (depth_ > 0 && rng_.below(12) == 0) throw Thrown{};
  }
  void complain(const char* what) override {
    if (failed_) return;
    failed_ = true;
    test::fail_new_after(-1);
    ADD_FAILURE() << what << ": operation " << operations_ << ", kind " << operation_ << ", seed " << seed_;
  }
  void act() noexcept override {
    if (depth_ >= 3 || budget_ <= 0 || rng_.below(5) != 0) return;
    const Outside outside(*this);
    ++depth_;
    ++acts_;
    --budget_;
    const u32 which = rng_.below(2);
    if (pools_[which]) {
      switch (rng_.below(12)) {
        case 0:
        case 1:
        case 2:
        case 3: acquire(which); break;
        case 4:
        case 5:
        case 6: release_live(which); break;
        case 7: peek(which); break;
        case 8: rng_.below(4) == 0 ? clear(which) : release_some(which); break;
        case 9: change_structure(which); break;
        case 10: count(which); break;
        case 11:
          if (!keep_ledgers_ && pools_[0] && pools_[1]) swap_pools();
          break;
      }
    }
    --depth_;
  }
 private:
  PoolSize size() {
    PoolSize its{.capacity = rng_.below(12) == 0 ? 0 : 1 + rng_.below(14)};
    if (rng_.below(3) == 0) its.prewarm = rng_.below(its.capacity + 1);
    its.grow_by = 1 + rng_.below(4);
    its.max_capacity = kMostSlots;
    return its;
  }
  void check(bool holds, const char* what) {
    if (!holds) complain(what);
  }
  void note_end(Ledger& ledger, HandleType handle) {
    if (ledger.dead.size() < 24) {
      ledger.dead.push_back(handle);
    } else {
      ledger.dead[rng_.below(24)] = handle;
    }
  }
  Ledger& ledger_of(P& pool) { return ledgers_[ledger_of_[&pool == pools_[1] ? 1 : 0]]; }
  Ledger& ledger(u32 which) { return ledgers_[ledger_of_[which]]; }
  bool fixed(u32 which) { return pools_[which]->fixed(); }
  PolicyId any_policy() {
    static constexpr PolicyId kAll[] = {PolicyId::Reject, PolicyId::StealOldest, PolicyId::StealLeast, PolicyId::Grow,
                                        PolicyId::Pressure};  // not Assert: it stops the program
    return kAll[rng_.below(5)];
  }
  /// An object that lives and whose handle is known; null if there is none.
  HandleType any_live(u32 which) {
    Ledger& its = ledger(which);
    if (its.live.empty()) return {};
    auto it = its.live.begin();
    std::advance(it, rng_.below(static_cast<u32>(its.live.size())));
    return it->second;
  }

  // ---- operations

  void acquire(u32 which) {
    P& pool = *pools_[which];
    const u64 id = next_id_++;
    const u32 of = ledger_of_[which];
    const PoolStats before = pool.stats();
    const PolicyId policy = pool.policy();
    const u64 acts = acts_, refused = refusals;
    const bool fixed_before = fixed(which);
    const u32 variant = rng_.below(4);
    const HandleType parent = variant == 1 ? any_live(which) : HandleType{};
    const bool keep = std::exchange(keep_ledgers_, true);
    HandleType handle;
    bool threw = false;
    try {
      Inside inside(*this);
      handle = variant == 0 ? pool.acquire_copy(of, id) : parent ? pool.acquire_from(parent, of, id) : pool.acquire(of, id);
    } catch (const Thrown&) {
      threw = true;
    } catch (const std::bad_alloc&) {
      threw = true;
      check(armed_, "acquire() threw bad_alloc though no allocation failed");
    }
    keep_ledgers_ = keep;
    Ledger& its = ledgers_[of];
    if constexpr (!T::kHooks) {
      reconcile(which, pool.stats().stolen - before.stolen);
      if (handle) born(of, id);
    }
    const auto it = its.live.find(id);
    if (handle) {
      check(handle.generation % 2 == 1, "a handle's generation is even");
      if (it == its.live.end()) {
        note_end(its, handle);
      } else {
        it->second = handle;
      }
    } else {
      check(it == its.live.end(), "an object lives that acquire() did not return");
    }
    if (threw || acts != acts_ || armed_ || fixed_before || refused != refusals || closing_[which]) return;
    constexpr bool kMayBeFixed = !kMovesSafely;  // console_heap: no slots can be added
    const bool above = before.live > before.capacity, full = before.live == before.capacity;
    const bool steals = policy == PolicyId::StealOldest || policy == PolicyId::StealLeast;
    const bool grows = policy == PolicyId::Grow && before.capacity < kMostSlots;
    const bool null = above || (full && !grows && !(steals && before.live > 0));
    check(null ? !handle : (handle || kMayBeFixed), "acquire() does not follow the policy");
    check(pool.stats().stolen - before.stolen == (handle && full && steals ? 1u : 0u), "acquire() stole when it should not, or not when it should");
  }
  /// Types without hooks: finds what was stolen.
  void reconcile(u32 which, u64 stolen) {
    Ledger& its = ledger(which);
    for (auto it = its.live.begin(); stolen > 0 && it != its.live.end();) {
      const auto [id, handle] = *it++;
      if (pools_[which]->contains(handle)) continue;
      ended(ledger_of_[which], id, true);
      --stolen;
    }
    check(stolen == 0, "stolen objects are alive");
  }
  void release_live(u32 which) {
    const HandleType handle = any_live(which);
    if (!handle) return;
    P& pool = *pools_[which];
    const bool there = pool.contains(handle);
    check(there || closing_[which], "an object of the ledger is gone");
    const u64 refused = refusals, id = pool.peek(handle).id;
    ReleaseResult result;
    {
      Inside inside(*this);
      result = rng_.below(2) == 0 ? pool.release(handle) : pool.erase(handle) ? ReleaseResult::Released : ReleaseResult::Refused;
    }
    if (result == ReleaseResult::Released) {
      if constexpr (!T::kHooks) ended(ledger_of_[which], id, false);
      check(there && !pool.contains(handle), "a released handle is good");
    } else {
      check(!there || refusals != refused, "a live object was not released");
    }
  }
  void use_wrong_handles(u32 which) {
    P& pool = *pools_[which];
    Ledger& its = ledger(which);
    const PoolStats before = pool.stats();
    if (!its.dead.empty()) {
      const HandleType dead = its.dead[rng_.below(static_cast<u32>(its.dead.size()))];
      check(!pool.resolves(dead) && !pool.peek(dead).there && !pool.contains(dead), "a dead handle resolves");
      check(pool.release(dead) != ReleaseResult::Released, "a dead handle released something");
    }
    check(pool.release({}) == ReleaseResult::NullHandle, "a null handle is not told");
    HandleType odd;
    odd.index = rng_.below(80);
    odd.generation = static_cast<decltype(odd.generation)>(rng_.below(128) * 2);
    check(pool.release(odd) != ReleaseResult::Released && !pool.resolves(odd), "an even generation resolves");
    // A sibling's handle: refused where owners are checked, and where nothing lives under that name.
    for (const auto& [id, handle] : ledger(1 - which).live) {
      bool same = false;
#if !SPELLPOOL_CHECK_OWNERS
      for (const auto& [mine, own] : its.live) same = same || own == handle;
#endif
      if (same) continue;
      check(!pool.contains(handle) && !pool.peek(handle).there && !pool.resolves(handle), "a sibling's handle resolves");
      check(pool.release(handle) != ReleaseResult::Released, "a sibling's handle released something");
    }
    const PoolStats after = pool.stats();
    check(before.live == after.live && before.released == after.released, "a wrong handle changed the pool");
  }
  void peek(u32 which) {
    const HandleType handle = any_live(which);
    if (!handle) return;
    const auto seen = pools_[which]->peek(handle);
    check(seen.there ? seen.sound : closing_[which], "a live object is damaged or gone");
  }
  /// Everything that a walk's callback may and may not do.
  void disturb(u32 which) {
    if (rng_.below(3) != 0) return;
    P& pool = *pools_[which];
    const u64 acts = acts_, before = refusals;
    const PoolStats stats = pool.stats();
    switch (rng_.below(10)) {
      case 0: check(!pool.acquire(ledger_of_[which], next_id_), "acquire() inside a walk was not refused"); break;
      case 1:
        if (const HandleType handle = any_live(which); pool.contains(handle)) check(pool.release(handle) == ReleaseResult::Refused, "release() inside a walk was not refused");
        break;
      case 2: check(!pool.set_capacity(30), "set_capacity() inside a walk was not refused"); break;
      case 3: check(!pool.set_policy(any_policy()) || before == refusals, "set_policy() inside a walk was not refused"); break;
      case 4: pool.trim(0); break;
      case 5: pool.clear(); break;
      case 6:
        if (!saved_.empty()) pool.restore(saved_.back().snapshot);
        break;
      case 7: {
        const StrategyId now = pool.strategy();
        pool.set_strategy(static_cast<StrategyId>(rng_.below(kStrategyCount)));
        check(pool.strategy() == now, "set_strategy() inside a walk was not refused");
        break;
      }
      case 8: swap_pools(); break;
      default: count(which); break;
    }
    const PoolStats after = pool.stats();
    check(acts == acts_ && after.live <= stats.live && stats.capacity == after.capacity && stats.slots == after.slots,
          "a refused call changed the pool");
  }
  /// Walks that only read, and may run anywhere.
  void count(u32 which) {
    P& pool = *pools_[which];
    u32 seen = 0, sound = 0;
    const auto look = [&](const T& value) {
      ++seen;
      sound += value.sound();
    };
    switch (rng_.below(4)) {
      case 0: pool.for_each_const(look); break;
      case 1: pool.for_each(look); break;
      case 2:
        pool.find_if([&](const T& value) {
          look(value);
          return false;
        });
        break;
      case 3: pool.range_for(look); break;
    }
    check(seen == pool.live() && sound == seen, "a walk does not see each live object once");
  }
  void release_some(u32 which) {
    P& pool = *pools_[which];
    const u64 modulus = 2 + rng_.below(4), acts = acts_, refused = refusals;
    i64 throw_after = rng_.below(4) == 0 ? static_cast<i64>(rng_.below(8)) : -1;
    const u64 released = ledger(which).released;
    const bool disturbs = depth_ == 0;
    std::vector<u64> named;
    u32 ended_count = 0;
    bool threw = false;
    const u32 of = ledger_of_[which];
    try {
      Inside inside(*this);
      ended_count = pool.release_if([&](const T& value) {
        const Outside outside(*this);
        if (throw_after >= 0 && throw_after-- == 0) throw Thrown{};
        check(value.sound(), "the predicate sees a damaged object");
        const u64 id = value.id;
        if (disturbs) disturb(which);
        if (id % modulus != 0) return false;
        if constexpr (!T::kHooks) named.push_back(id);
        return true;
      });
    } catch (const Thrown&) {
      threw = true;
    }
    if constexpr (!T::kHooks) {
      for (const u64 id : named) ended(of, id, false);
    }
    if (!threw && acts == acts_ && (refused == refusals || disturbs)) {
      check(ended_count == ledgers_[of].released - released, "release_if() does not return how many ended");
    }
  }
  void clear(u32 which) {
    P& pool = *pools_[which];
    const u64 acts = acts_, refused = refusals;
    std::vector<u64> named;
    if constexpr (!T::kHooks) {
      for (const auto& [id, handle] : ledger(which).live) named.push_back(id);
    }
    {
      Inside inside(*this);
      pool.clear();
    }
    for (const u64 id : named) ended(ledger_of_[which], id, false);
    check(pool.live() == 0 || acts != acts_ || refused != refusals, "clear() left objects");
  }
  void walk(u32 which) {
    P& pool = *pools_[which];
    u32 seen = 0;
    const u32 live = pool.live();
    const auto look = [&](const T& value) {
      ++seen;
      check(ledger(which).live.count(value.id) == 1 && value.sound(), "a walk sees an object that is not alive");
      disturb(which);
    };
    switch (rng_.below(5)) {
      case 0: pool.for_each([&](T& value) { look(value); }); break;
      case 1: pool.for_each_const(look); break;
      case 2:
        pool.for_each_handle([&](HandleType handle, T& value) {
          const auto it = ledger(which).live.find(value.id);
          check(it != ledger(which).live.end() && it->second == handle, "a walk gives a wrong handle");
          look(value);
        });
        break;
      case 3:
        check(!pool.find_if([&](const T& value) {
          look(value);
          return false;
        }), "find_if() found what it was not looking for");
        break;
      case 4:
        pool.split(1 + rng_.below(4), look, [&] { disturb(which); });
        break;
    }
    check(seen == live, "a walk does not see each live object once");
  }
  void range_for(u32 which) {
    const bool keep = std::exchange(keep_ledgers_, true);
    u32 steps = 0;
    pools_[which]->items([&](HandleType handle, const T& value) {
      const u64 id = value.id;
      const auto it = ledger(which).live.find(id);
      check(value.sound() && it != ledger(which).live.end() && it->second == handle, "range-for visits an object that is not alive");
      switch (rng_.below(7)) {
        case 0: acquire(which); break;
        case 1:
        case 2: {
          bool released;
          {
            Inside inside(*this);
            released = pools_[which]->erase(handle);
          }
          if constexpr (!T::kHooks) ended(ledger_of_[which], id, false);
          check(released, "an object that range-for visits could not be released");
          break;
        }
        case 3: release_live(which); break;
        case 4:
          if (rng_.below(3) == 0) release_some(which);
          break;
        default: break;
      }
      return ++steps < 60;
    });
    keep_ledgers_ = keep;
  }
  void acquire_some(u32 which) {
    if constexpr (kMoves) {
      P& pool = *pools_[which];
      const u32 n = rng_.below(9), of = ledger_of_[which];
      const u64 first = next_id_, stolen = pool.stats().stolen;
      next_id_ += n;
      const i64 throw_at = rng_.below(3) == 0 ? static_cast<i64>(rng_.below(8)) : -1;
      const bool keep = std::exchange(keep_ledgers_, true);
      const bool throw_made = rng_.below(2) == 0;
      try {
        Inside inside(*this);
        pool.acquire_n(
            n,
            [&](u32 i) {
              const Outside outside(*this);
              if (!throw_made && i == throw_at) throw Thrown{};
              disturb(which);
              return T(of, first + i);
            },
            [&](u32 i, HandleType handle) {
              const Outside outside(*this);
              if (handle) {
                if constexpr (!T::kHooks) born(of, first + i);
                const auto it = ledgers_[of].live.find(first + i);
                if (it == ledgers_[of].live.end()) {
                  note_end(ledgers_[of], handle);
                } else {
                  it->second = handle;
                }
              }
              disturb(which);
              if (throw_made && i == throw_at) throw Thrown{};
            });
      } catch (const Thrown&) {
      } catch (const std::bad_alloc&) {
        check(armed_, "acquire_n() threw bad_alloc though no allocation failed");
      }
      keep_ledgers_ = keep;
      if constexpr (!T::kHooks) {
        pool.for_each_handle([&](HandleType handle, const T& value) {  // those that made() was not told of any more
          if (value.id < first || ledgers_[of].live.count(value.id) > 0) return;
          born(of, value.id);
          ledgers_[of].live[value.id] = handle;
        });
        reconcile(which, pool.stats().stolen - stolen);
      }
    }
  }
  void change_structure(u32 which) {
    P& pool = *pools_[which];
    const PoolStats before = pool.stats();
    const PolicyId policy = pool.policy();
    const u64 refused = refusals;
    const bool locked = fixed(which);
    bool threw = false, asked = true, told = true;
    try {
      Inside inside(*this);
      switch (rng_.below(6)) {
        case 0: told = pool.set_capacity(rng_.below(20)); break;
        case 1: {
          const PolicyId next = any_policy();
          asked = next != policy && pool.supports(next);
          told = pool.set_policy(next) || !asked;
          break;
        }
        case 2: pool.trim(rng_.below(6)); break;
        case 3: pool.prewarm(1 + rng_.below(8)); break;
        case 4:
          asked = pool.sort([&](const T& a, const T& b) {
            if (rng_.below(200) == 0) throw Thrown{};
            return a.id < b.id;
          });
          break;
        case 5:
          asked = false;
          pool.set_growth(1 + rng_.below(5), kMostSlots);
          break;
      }
    } catch (const std::bad_alloc&) {
      threw = true;
      check(armed_, "bad_alloc though no allocation failed");
    } catch (const Thrown&) {
      threw = true;
    }
    if (locked && asked) check(refusals > refused, "a change of structure from inside was not refused");
    if (!locked) check(refusals == refused, "a change of structure was refused though nothing runs");
    const PoolStats after = pool.stats();
    if (threw || (locked && asked)) {
      check(after.capacity == before.capacity && pool.policy() == policy && after.trimmed == before.trimmed, "a call that failed changed the pool");
    }
    if (locked && asked) check(after.slots == before.slots, "a refused call changed the slots");
    if (!told && !locked) check(!kMovesSafely, "set_capacity() or set_policy() returned false");
    check(after.live == before.live, "a change of structure ended objects");
  }
  void switch_strategy(u32 which) {
    P& pool = *pools_[which];
    const PoolStats before = pool.stats();
    const StrategyId from = pool.strategy(), to = static_cast<StrategyId>(rng_.below(kStrategyCount));
    bool threw = false;
    if (kDebugChecks && !pool.offers(to)) return;  // it is reported: owners/debug_checks_test.cpp
    if (to == StrategyId::Pmr) fail_after_ = -1;
    try {
      Inside inside(*this);
      check(pool.set_strategy(to) == pool.offers(to), "set_strategy() was refused");
    } catch (const std::bad_alloc&) {
      threw = true;
      check(armed_, "set_strategy() threw bad_alloc though no allocation failed");
    }
    const PoolStats after = pool.stats();
    if (threw) check(pool.strategy() == from, "a failed set_strategy() changed the strategy");
    check(after.live == before.live && after.capacity == before.capacity && after.peak == before.peak, "set_strategy() changed figures");
  }
  void save(u32 which) {
    if constexpr (kCopies) {
      if (saved_.size() < 2) saved_.emplace_back();
      Saved& saved = saved_[rng_.below(static_cast<u32>(saved_.size()))];
      saved.of = ledger_of_[which];
      saved.ledger = {};
      saved.empty = true;
      closing_[0] = closing_[1] = true;  // copies of objects end: they are no objects of the pools
      try {
        Inside inside(*this);
        pools_[which]->save(saved.snapshot);
        saved.empty = false;
      } catch (const Thrown&) {
      } catch (const std::bad_alloc&) {
        check(armed_, "save() threw bad_alloc though no allocation failed");
      }
      closing_[0] = closing_[1] = false;
      if (saved.empty) {
        check(saved.snapshot.size() == 0, "a snapshot that failed is not empty");
      } else {
        saved.ledger = ledgers_[saved.of];
        check(saved.snapshot.size() == saved.ledger.live.size(), "a snapshot does not hold what lives");
      }
    }
  }
  void restore(u32 which) {
    if constexpr (kCopies) {
      if (saved_.empty()) return;
      Saved& saved = saved_[rng_.below(static_cast<u32>(saved_.size()))];
      if (saved.of != ledger_of_[which] && !saved.empty) return;
      P& pool = *pools_[which];
      const PoolStats before = pool.stats();
      const PolicyId policy = pool.policy();
      closing_[which] = true;
      bool threw = false;
      const u64 acts = acts_;
      try {
        Inside inside(*this);
        pool.restore(saved.snapshot);
      } catch (const Thrown&) {
        threw = true;
      } catch (const std::bad_alloc&) {
        threw = true;
        check(armed_, "restore() threw bad_alloc though no allocation failed");
      }
      closing_[which] = false;
      if (!threw) {
        ledger(which) = saved.ledger;
      } else {
        const PoolStats after = pool.stats();
        check(acts != acts_ || (pool.policy() == policy && after.capacity == before.capacity), "a failed restore() changed the pool");
        check(acts != acts_ || (after.live == before.live && after.spawned == before.spawned), "a failed restore() changed the objects");
      }
    }
  }
  void swap_pools() {
    const bool locked = fixed(0) || fixed(1);
    const u64 refused = refusals, acts = acts_;
    const u32 live[2] = {pools_[0]->live(), pools_[1]->live()};
    {
      Inside inside(*this);
      pools_[0]->swap(*pools_[1]);
    }
    check((refusals > refused) == locked, "swap() inside an operation was not refused, or was refused outside of one");
    if (!locked) std::swap(ledger_of_[0], ledger_of_[1]);
    check(acts == acts_, "swap() ran destructors");
    check(pools_[0]->live() == live[locked ? 0 : 1] && pools_[1]->live() == live[locked ? 1 : 0], "swap() lost objects");
  }
  void move_pools(u32 which) {
    P& pool = *pools_[which];
    switch (rng_.below(4)) {
      case 0: swap_pools(); break;
      case 1: {
        Inside inside(*this);
        pool.move_from(pool);
        break;
      }
      case 2: {
        fail_after_ = -1;
        Inside inside(*this);
        const std::unique_ptr<P> elsewhere = pool.moved();
        check(pool.live() == 0 && pool.capacity() == 0, "a moved-from pool is not empty");
        if (rng_.below(2) == 0) {
          const Outside outside(*this);
          const bool keep = std::exchange(keep_ledgers_, true);
          const u32 of = std::exchange(ledger_of_[which], next_ledger_++);
          acquire(which);
          (void)pool.set_policy(any_policy());
          acquire(which);
          if (pool.set_capacity(rng_.below(6))) acquire(which);
          closing_[which] = true;
          pool.clear();
          closing_[which] = false;
          budget_ = 0;
          ledgers_.erase(std::exchange(ledger_of_[which], of));
          keep_ledgers_ = keep;
        }
        closing_[which] = true;
        budget_ = 0;
        pool.move_from(*elsewhere);
        closing_[which] = false;
        break;
      }
      case 3: {
        closing_[which] = true;
        const bool keep = std::exchange(keep_ledgers_, true);
        {
          Inside inside(*this);
          pool.move_from(*pools_[1 - which]);
        }
        keep_ledgers_ = keep;
        closing_[which] = false;
        ledgers_.erase(ledger_of_[which]);
        ledger_of_[which] = std::exchange(ledger_of_[1 - which], next_ledger_++);
        check(pools_[1 - which]->live() == 0 && pools_[1 - which]->capacity() == 0, "a moved-from pool is not empty");
        if (rng_.below(2) == 0) pools_[1 - which]->set_capacity(1 + rng_.below(10));
        pools_[1 - which]->set_growth(1 + rng_.below(4), kMostSlots);
        break;
      }
    }
  }
  void odds_and_ends(u32 which) {
    P& pool = *pools_[which];
    switch (rng_.below(3)) {
      case 0: pool.set_fill(rng_.below(2) == 0); break;
      case 1: pool.batch(rng_.below(2) == 0); break;
      case 2:
        if constexpr (std::is_same_v<T, PlainRow>) {
          std::vector<u64> named;
          const bool throws = rng_.below(4) == 0;
          try {
            pool.update_rows(
                [&](u64 id) {
                  if (id % 4 == 0) named.push_back(id);
                  return id % 4 == 0;
                },
                [&] {
                  disturb(which);
                  if (throws) throw Thrown{};
                });
          } catch (const Thrown&) {
            named.clear();
          }
          for (const u64 id : named) ended(ledger_of_[which], id, false);
        }
        break;
    }
  }

  void verify(u32 which) {
    if (failed_) return;
    Ledger& its = ledger(which);
    P& pool = *pools_[which];
    const PoolStats stats = pool.stats();
    check(!pool.fixed(), "a lock is left");
    check(stats.live == its.live.size(), "the live count is wrong");
    check(stats.spawned == its.spawned && stats.released == its.released && stats.stolen == its.stolen, "a counter is wrong");
    check(stats.spawned == stats.released + stats.stolen + stats.live, "spawned is not released + stolen + live");
    check(u64{stats.live} + stats.free_slots + stats.retired_slots == stats.slots, "live + free + retired is not slots");
    check(stats.peak >= stats.live, "the peak is below the live count");
    for (const auto& [id, handle] : its.live) {
      const auto seen = pool.peek(handle);
      if (!seen.there) return complain("a live handle does not resolve");
      check(seen.id == id && seen.sound && pool.contains(handle), "a live handle resolves to another object");
      check(seen.ledger == ledger_of_[which], "an object is in the wrong pool");
      check(pool.names(handle), "handle_at() or handle_of() gives another handle");
    }
    for (const HandleType handle : its.dead) check(!pool.contains(handle), "a dead handle resolves");
    if (operations_ % 8 == 0) {
      u32 seen = 0;
      pool.for_each_const([&](const T& value) { seen += its.live.count(value.id) == 1 ? 1u : 1'000'000u; });
      check(seen == its.live.size(), "a walk does not see each live object once");
    }
  }

  Rng rng_;
  u64 seed_ = 0;
  P* pools_[2] = {};
  u32 ledger_of_[2] = {};
  std::map<u32, Ledger> ledgers_;
  u32 next_ledger_ = 1;
  u64 next_id_ = 1;
  std::vector<Saved> saved_;
  bool closing_[2] = {};  // objects end there without hooks
  bool keep_ledgers_ = false, failed_ = false, armed_ = false;
  i64 fail_after_ = -1, throw_copy_ = -1;
  u32 depth_ = 0, operation_ = 0;
  i32 budget_ = 0;
  u64 acts_ = 0, operations_ = 0;
};

u64 setting(const char* name, u64 otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// `share` of the usual number of operations, in worlds of at most 3,000 each.
template <class P>
void run(StrategyId first, u64 share) {
  const MisuseHandler before = set_misuse_handler([](const char*) { ++refusals; });
  const u64 operations = setting("SPELLPOOL_ADVERSARY_OPERATIONS", 40'000) / share, seed = setting("SPELLPOOL_ADVERSARY_SEED", 1);
  u64 done = 0;
  for (u64 round = 0; done < operations && !::testing::Test::HasFailure(); ++round) {
    const u64 its_seed = mix64(seed * 1'000'003 + round * 64 + static_cast<u64>(first));
    World<typename P::Value> world(its_seed, first, [](StrategyId strategy, const PoolSize& size) -> AnyPool<typename P::Value>* {
      return new Adapter<P>(strategy, size);
    });
    for (u32 i = 0; i < 3'000 && done < operations && !world.failed(); ++i, ++done) world.step();
  }
  ::testing::Test::RecordProperty("operations", std::to_string(done));
  set_misuse_handler(before);
}

class Adversary : public ::testing::TestWithParam<StrategyId> {};

TEST_P(Adversary, ObjectsThatUseTheirPoolFromEverywhere) {
  if (!ExhibitPool<Beast, u8>::offers(GetParam())) GTEST_SKIP() << "only for types with fields";
  run<ExhibitPool<Beast, u8>>(GetParam(), 2);
}
TEST_P(Adversary, RowsWithHooksThatUseTheirPool) { run<ExhibitPool<Row, u8>>(GetParam(), 2); }
TEST_P(Adversary, PlainRows) { run<ExhibitPool<PlainRow, u8>>(GetParam(), 2); }

std::vector<StrategyId> every_strategy() {
  std::vector<StrategyId> all;
  for (const StrategyRow& each : kStrategies) all.push_back(each.id);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Pool, Adversary, ::testing::ValuesIn(every_strategy()),
                         [](const auto& param) { return std::string(row(param.param).name); });

TEST(AdversaryPinned, FreeList) { run<FreeListPool<Pinned, u8>>(StrategyId::FreeList, 2); }
TEST(AdversaryPinned, Bitmap) { run<BitmapPool<Pinned, u8>>(StrategyId::Bitmap, 2); }
TEST(AdversaryPinned, StdFind) { run<StdFindPool<Pinned, u8>>(StrategyId::StdFind, 2); }
TEST(AdversaryPinned, Heap) { run<HeapPool<Pinned, u8>>(StrategyId::Heap, 2); }
TEST(AdversaryPinned, Pmr) { run<PmrPool<Pinned, u8>>(StrategyId::Pmr, 2); }
TEST(AdversaryPinned, ConsoleHeap) { run<ConsoleHeapPool<Pinned, u8>>(StrategyId::ConsoleHeap, 2); }
TEST(AdversaryCopyOnly, FreeList) { run<FreeListPool<CopyOnly, u8>>(StrategyId::FreeList, 2); }
TEST(AdversaryCopyOnly, Heap) { run<HeapPool<CopyOnly, u8>>(StrategyId::Heap, 2); }
TEST(AdversaryCopyOnly, ConsoleHeap) { run<ConsoleHeapPool<CopyOnly, u8>>(StrategyId::ConsoleHeap, 2); }

}  // namespace
}  // namespace spellpool::pool
