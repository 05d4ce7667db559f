// The ten faults that adversarial use found, a test each, and misuse that is refused. Each failed, crashed or was reported by
// AddressSanitizer before it was mended. adversary_test.cpp mixes them at random.
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "allocation_probe.hpp"
#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

template <class Kind>
class EveryFault : public ::testing::Test {};
TYPED_TEST_SUITE(EveryFault, StorageKinds, KindNames);
template <class Kind>
class WholeObjectFault : public ::testing::Test {};
TYPED_TEST_SUITE(WholeObjectFault, WholeObjectKinds, KindNames);

template <class P>
void expect_sums(const P& pool) {
  const PoolStats stats = pool.stats();
  EXPECT_EQ(stats.spawned, stats.released + stats.stolen + stats.live);
  EXPECT_EQ(stats.live + stats.free_slots + stats.retired_slots, stats.slots);
}

/// Counts misuse instead of stopping the program.
class Misuse {
 public:
  Misuse() : before_(set_misuse_handler([](const char*) { ++count_; })) { count_ = 0; }
  ~Misuse() { set_misuse_handler(before_); }
  /// How often since the last call.
  u32 count() { return std::exchange(count_, 0u); }

 private:
  MisuseHandler before_;
  static inline u32 count_ = 0;
};

// ---- 1. Types that cannot move

struct Pinned {
  explicit Pinned(u64 n) : spawn_id(n), text("a name too long for the small buffer " + std::to_string(n)) { ++alive; }
  Pinned(u64 n, const std::string& its_text) : spawn_id(n), text(its_text) { ++alive; }
  Pinned(const Pinned&) = delete;
  ~Pinned() { --alive; }
  float importance() const { return static_cast<float>(spawn_id); }
  static inline i64 alive = 0;
  u64 spawn_id;
  std::string text;
};
/// packed cannot hold them.
template <class Kind>
constexpr bool kHoldsPinned = Kind::kId != StrategyId::Packed;
template <class Kind, class T>
using PinnedPoolOf = typename std::conditional_t<kHoldsPinned<Kind>, Kind, FreeListKind>::template PoolOf<T>;

TYPED_TEST(WholeObjectFault, APoolOfPinnedObjectsGrowsOrRefusesTo) {
  {
    PinnedPoolOf<TypeParam, Pinned> pool(4);
    std::vector<typename decltype(pool)::HandleType> handles;
    for (u64 i = 0; i < 4; ++i) handles.push_back(pool.acquire(i));
    const Pinned* const first = pool.get(handles[0]);
    const bool larger = pool.set_capacity(1000);
    EXPECT_EQ(larger, TypeParam::kId != StrategyId::ConsoleHeap);
    EXPECT_EQ(pool.capacity(), larger ? 1000u : 4u);
    EXPECT_TRUE(pool.set_policy(PolicyId::Grow));
    while (const auto handle = pool.acquire(u64{handles.size()})) {
      handles.push_back(handle);
      if (handles.size() == 3000) break;
    }
    EXPECT_EQ(handles.size(), larger ? 3000u : 4u);
    EXPECT_EQ(pool.get(handles[0]), first);
    for (u64 i = 0; i < handles.size(); ++i) ASSERT_EQ(pool.get(handles[i])->spawn_id, i);
    for (const auto handle : handles) ASSERT_EQ(pool.release(handle), ReleaseResult::Released);
    expect_sums(pool);
  }
  EXPECT_EQ(Pinned::alive, 0);
}

TYPED_TEST(WholeObjectFault, APinnedVictimEndsAfterItsSuccessorWasMadeOfIt) {
  using P = PinnedPoolOf<TypeParam, Pinned>;
  for (const PolicyId policy : {PolicyId::StealOldest, PolicyId::StealLeast}) {
    if (!P::supports(policy)) {
      EXPECT_EQ(TypeParam::kId, StrategyId::ConsoleHeap);
      continue;
    }
    P pool(3);
    ASSERT_TRUE(pool.set_policy(policy));
    auto oldest = pool.acquire(u64{0});
    pool.acquire(u64{1});
    pool.acquire(u64{2});
    const std::string text = pool.get(oldest)->text;
    const auto heir = pool.acquire(u64{9}, pool.get(oldest)->text);  // the argument lives in the victim
    ASSERT_TRUE(heir);
    EXPECT_EQ(pool.get(oldest), nullptr);
    EXPECT_EQ(pool.get(heir)->text, text);
    EXPECT_EQ(pool.live(), 3u);
    expect_sums(pool);
  }
  EXPECT_EQ(Pinned::alive, 0);
}

// ---- 2. Arguments that refer to objects of the pool

TYPED_TEST(WholeObjectFault, ArgumentsMayReferToObjectsOfAPoolThatGrows) {
  typename TypeParam::template PoolOf<std::string> pool(2);
  pool.set_growth(1, 1000);
  (void)pool.set_policy(PolicyId::Grow);
  const auto first = pool.acquire("a text that is too long for the small buffer");
  for (u32 i = 0; i < 100; ++i) {
    const auto copy = pool.acquire(*pool.get(first));
    const auto end = pool.acquire(pool.get(first)->begin() + 2, pool.get(first)->end());
    ASSERT_EQ(*pool.get(copy), "a text that is too long for the small buffer");
    ASSERT_EQ(*pool.get(end), "text that is too long for the small buffer");
  }
  EXPECT_EQ(pool.live(), 201u);
}
TYPED_TEST(WholeObjectFault, ArgumentsMayReferToTheVictim) {
  struct Note {
    u64 spawn_id;
    std::string text;
    float importance() const { return static_cast<float>(spawn_id); }
  };
  for (const PolicyId policy : {PolicyId::StealOldest, PolicyId::StealLeast}) {
    typename TypeParam::template PoolOf<Note> pool(1);
    (void)pool.set_policy(policy);
    auto handle = pool.acquire(u64{0}, std::string("a text that is too long for the small buffer"));
    for (u64 i = 1; i < 50; ++i) {
      handle = i % 2 == 0 ? pool.acquire(*pool.get(handle)) : pool.acquire(i, pool.get(handle)->text);
      ASSERT_EQ(pool.get(handle)->text, "a text that is too long for the small buffer");
    }
    EXPECT_EQ(pool.stats().stolen, 49u);
  }
}

// ---- 3. Memory that runs out

/// Lets each allocation of f fail in turn until none does. `check` runs after each failure.
template <class F, class Check>
void fail_each_allocation(F&& f, Check&& check) {
  for (i64 k = 0; k < 200; ++k) {
    bool threw = false;
    const i64 left = [&] {
      test::fail_new_after(k);
      try {
        f();
      } catch (const std::bad_alloc&) {
        threw = true;
      }
      return test::fail_new_after(-1);
    }();
    if (left >= 0) return;  // no allocation failed
    ASSERT_NO_FATAL_FAILURE(check(k, threw));
  }
  FAIL() << "200 allocations and no end";
}
/// libstdc++'s unsynchronized_pool_resource is no longer usable once an allocation of its own has failed.
template <class Kind>
constexpr bool kSurvivesFailure = Kind::kId != StrategyId::Pmr;

TYPED_TEST(WholeObjectFault, NothingIsLostWhenMemoryRunsOut) {
  if (!kSurvivesFailure<TypeParam>) GTEST_SKIP() << "std::pmr::unsynchronized_pool_resource";
  {
    using P = typename TypeParam::template PoolOf<Tracked>;
    P pool(6);
    std::vector<typename P::HandleType> handles;
    for (u64 i = 0; i < 6; ++i) handles.push_back(pool.acquire(i));
    u32 capacity = 6;
    const auto intact = [&](i64 k, bool) {
      ASSERT_EQ(pool.capacity(), capacity) << k;
      ASSERT_EQ(pool.live(), handles.size()) << k;
      for (u64 i = 0; i < handles.size(); ++i) ASSERT_TRUE(pool.get(handles[i]) && pool.get(handles[i])->sound()) << k << ' ' << i;
      expect_sums(pool);
    };
    fail_each_allocation([&] { (void)pool.set_capacity(40); }, intact);
    EXPECT_EQ(pool.capacity(), 40u);
    fail_each_allocation([&] { (void)pool.set_capacity(7); }, [&](i64 k, bool threw) {
      capacity = 40;
      intact(k, threw);
    });
    capacity = 7;
    fail_each_allocation([&] { (void)pool.set_policy(PolicyId::StealOldest); }, [&](i64 k, bool threw) {
      ASSERT_EQ(pool.policy(), PolicyId::Reject);
      intact(k, threw);
    });
    (void)pool.set_policy(PolicyId::Grow);
    handles.push_back(pool.acquire(u64{6}));
    pool.set_growth(50, 1000);
    typename P::HandleType next;
    fail_each_allocation([&] {
      const Tracked made(7);  // its allocations are not the pool's
      next = pool.acquire(u64{7});
    }, [&](i64 k, bool threw) {
      if (next) {  // the failure met the test's own object, or came after the growth
        ASSERT_EQ(pool.release(next), ReleaseResult::Released);
        next = {};
      }
      capacity = pool.capacity();
      ASSERT_TRUE(capacity == 7 || capacity == 57);
      intact(k, threw);
    });
    EXPECT_TRUE(next);
  }
  EXPECT_EQ(Tracked::alive, 0);
}

TYPED_TEST(EveryFault, AnAcquireThatFindsNoMemoryForASlotIsRejected) {
  if (!kSurvivesFailure<TypeParam>) GTEST_SKIP() << "std::pmr::unsynchronized_pool_resource";
  constexpr bool kNewForEach = TypeParam::kId == StrategyId::Heap;
  typename TypeParam::template PoolOf<Grain, u8> pool(2);
  const auto kept = pool.acquire(u64{1});
  while (pool.stats().retired_slots == 0) ASSERT_EQ(pool.release(pool.acquire(u64{2})), ReleaseResult::Released);
  u64 rejected = 0, failures = 0;
  decltype(pool.acquire(u64{0})) handle;
  fail_each_allocation([&] { handle = pool.acquire(u64{3}); }, [&](i64, bool threw) {
    ASSERT_TRUE(!threw || kNewForEach);
    ASSERT_FALSE(handle);
    ++failures;
    if (!threw) ++rejected;
    ASSERT_EQ(pool.stats().rejected, rejected);
    ASSERT_TRUE(pool.peek(kept)->sound());
    ASSERT_EQ(pool.live(), 1u);
    expect_sums(pool);
  });
  EXPECT_GT(failures, 0u) << "the slot was replaced without an allocation";
  EXPECT_TRUE(pool.contains(handle));
}
TEST(HeapFault, CountsNoCallThatFailed) {
  HeapPool<Grain> pool(2);
  pool.acquire(u64{1});
  const PoolStats before = pool.stats();
  test::fail_new_after(0);
  EXPECT_THROW(pool.acquire(u64{2}), std::bad_alloc);
  test::fail_new_after(-1);
  EXPECT_EQ(pool.stats().new_calls, before.new_calls);
  EXPECT_EQ(pool.stats().bytes, before.bytes);
  EXPECT_TRUE(pool.acquire(u64{2}));
}

struct Copied {
  explicit Copied(u64 n) : spawn_id(n), text("a name too long for the small buffer " + std::to_string(n)) {}
  bool sound() const { return text == "a name too long for the small buffer " + std::to_string(spawn_id); }
  u64 spawn_id;
  std::string text;
};

TYPED_TEST(WholeObjectFault, ARestoreThatFailsChangesNothing) {
  if (!kSurvivesFailure<TypeParam>) GTEST_SKIP() << "std::pmr::unsynchronized_pool_resource";
  using P = typename TypeParam::template PoolOf<Copied>;
  P pool(5);
  (void)pool.set_policy(PolicyId::StealOldest);
  const auto first = pool.acquire(u64{1}), second = pool.acquire(u64{2});
  const typename P::Snapshot snapshot = pool.save();
  pool.release(second);
  (void)pool.set_policy(PolicyId::Reject);
  (void)pool.set_capacity(30);
  const auto third = pool.acquire(u64{3});
  fail_each_allocation([&] { pool.restore(snapshot); }, [&](i64 k, bool threw) {
    ASSERT_TRUE(threw) << k;
    ASSERT_EQ(pool.live(), 2u);
    ASSERT_EQ(pool.capacity(), 30u);
    ASSERT_EQ(pool.policy(), PolicyId::Reject);
    ASSERT_TRUE(pool.get(first)->sound() && pool.get(third)->sound()) << k;
    ASSERT_FALSE(pool.contains(second));
    expect_sums(pool);
  });
  EXPECT_EQ(pool.capacity(), 5u);
  EXPECT_TRUE(pool.get(first)->sound() && pool.get(second)->sound());
  expect_sums(pool);
}
TYPED_TEST(WholeObjectFault, ASnapshotThatFailsIsEmpty) {
  using P = typename TypeParam::template PoolOf<Copied>;
  P pool(5);
  const auto first = pool.acquire(u64{1});
  pool.acquire(u64{2});
  typename P::Snapshot snapshot = pool.save();
  (void)pool.set_capacity(50);
  for (u64 i = 3; i < 40; ++i) pool.acquire(i);
  fail_each_allocation([&] { pool.save(snapshot); }, [&](i64 k, bool threw) {
    ASSERT_TRUE(threw) << k;
    ASSERT_EQ(snapshot.size(), 0u) << k;
    P other(3);
    other.restore(snapshot);  // an empty pool, and no handle resolves in it
    ASSERT_EQ(other.live(), 0u);
    ASSERT_FALSE(other.contains(first));
    ASSERT_EQ(pool.live(), 39u);
    pool.save(snapshot);
    ASSERT_EQ(snapshot.size(), 39u);
    snapshot = typename P::Snapshot();
  });
  EXPECT_EQ(snapshot.size(), 39u);
}
TEST(SwitchFault, ASwitchThatFailsLosesNothing) {
  ExhibitPool<Tracked> pool(StrategyId::FreeList, PoolSize{.capacity = 30, .prewarm = 4});
  std::vector<ExhibitPool<Tracked>::HandleType> handles;
  for (u64 i = 0; i < 9; ++i) handles.push_back(pool.acquire(i));
  for (const StrategyId to : {StrategyId::Heap, StrategyId::Packed, StrategyId::ConsoleHeap, StrategyId::Book, StrategyId::Bitmap}) {
    const StrategyId from = pool.strategy();
    fail_each_allocation([&] { pool.set_strategy(to); }, [&](i64 k, bool threw) {
      ASSERT_TRUE(threw) << k;
      ASSERT_EQ(pool.strategy(), from);
      for (u64 i = 0; i < handles.size(); ++i) ASSERT_TRUE(pool.get(handles[i]) && pool.get(handles[i])->sound()) << k;
    });
    ASSERT_EQ(pool.strategy(), to);
    for (u64 i = 0; i < handles.size(); ++i) ASSERT_TRUE(pool.get(handles[i])->sound());
  }
}
TYPED_TEST(WholeObjectFault, PinnedObjectsSurviveAPolicyThatFindsNoMemory) {
  using P = PinnedPoolOf<TypeParam, Pinned>;
  if (!kSurvivesFailure<TypeParam> || !P::supports(PolicyId::StealOldest)) GTEST_SKIP();
  P pool(2);
  pool.acquire(u64{0});
  pool.acquire(u64{1});
  fail_each_allocation([&] { (void)pool.set_policy(PolicyId::StealOldest); }, [&](i64, bool) {
    ASSERT_EQ(pool.policy(), PolicyId::Reject);
    ASSERT_FALSE(pool.acquire(u64{2}));
  });
  for (u64 i = 2; i < 20; ++i) ASSERT_TRUE(pool.acquire(i));
  expect_sums(pool);
}

// ---- 4. and 5. Constructors and destructors that use their pool

/// Owns up to two children in the same pool, as handles.
template <class P>
struct Parent {
  using HandleType = Handle<Parent, u32, u32>;
  static inline i64 alive = 0;

  explicit Parent(P* its, u64 n) : pool(its), spawn_id(n), payload(std::make_unique<u64>(n)) { ++alive; }
  Parent(Parent&& other) noexcept
      : pool(other.pool), spawn_id(other.spawn_id), payload(std::move(other.payload)), a(std::exchange(other.a, {})), b(std::exchange(other.b, {})) {
    ++alive;
  }
  ~Parent() {
    --alive;
    if (a) pool->release(a);
    if (b) pool->release(b);
    a = b = {};
    if (payload && respawns > 0 && respawns-- > 0) pool->acquire(pool, u64{1000});
  }
  float importance() const { return static_cast<float>(spawn_id); }

  P* pool;
  u64 spawn_id;
  std::unique_ptr<u64> payload;
  HandleType a, b;
  static inline u32 respawns = 0;  // so many destructors make another object
};
template <class Kind>
struct FamilyOf {
  struct Pool;
  using Member = Parent<Pool>;
  struct Pool : Kind::template PoolOf<Member> {
    using Base = typename Kind::template PoolOf<Member>;
    using Base::Base;
  };
};

template <class Kind>
class FamilyFault : public ::testing::Test {
 public:
  using Family = typename FamilyOf<Kind>::Pool;
  using Member = typename FamilyOf<Kind>::Member;
  using HandleType = typename Member::HandleType;
  void SetUp() override { Member::respawns = 0; }
  void TearDown() override {
    Member::respawns = 0;
    EXPECT_EQ(Member::alive, 0);
  }
  /// A tree of depth `depth`; 2^depth - 1 objects.
  static HandleType tree(Family& pool, u32 depth) {
    if (depth == 0) return {};
    const HandleType root = pool.acquire(&pool, u64{depth});
    const HandleType left = tree(pool, depth - 1), right = tree(pool, depth - 1);
    pool.get(root)->a = left;
    pool.get(root)->b = right;
    return root;
  }
};
TYPED_TEST_SUITE(FamilyFault, WholeObjectKinds, KindNames);

TYPED_TEST(FamilyFault, AReleaseEndsAllChildrenOnce) {
  typename TestFixture::Family pool(40);
  const auto first = TestFixture::tree(pool, 4), second = TestFixture::tree(pool, 4);
  EXPECT_EQ(pool.live(), 30u);
  EXPECT_EQ(pool.release(first), ReleaseResult::Released);
  EXPECT_EQ(pool.live(), 15u);
  EXPECT_EQ(pool.stats().released, 15u);
  EXPECT_EQ(pool.release(second), ReleaseResult::Released);
  EXPECT_TRUE(pool.empty());
  expect_sums(pool);
}
TYPED_TEST(FamilyFault, ClearAndReleaseIfEndEachObjectOnce) {
  typename TestFixture::Family pool(40);
  TestFixture::tree(pool, 5);
  pool.clear();
  EXPECT_TRUE(pool.empty());
  EXPECT_EQ(pool.stats().released, 31u);
  TestFixture::tree(pool, 5);
  u32 named = 0;
  pool.release_if([&](const auto& member) {
    named += member.spawn_id == 4;
    return member.spawn_id == 4;
  });
  EXPECT_EQ(pool.live(), 1u) << "the root; its children went with theirs";
  EXPECT_EQ(pool.stats().released, 61u);
  expect_sums(pool);
}
TYPED_TEST(FamilyFault, TheEndOfAPoolEndsEachObjectOnce) {
  {
    typename TestFixture::Family pool(40);
    TestFixture::tree(pool, 5);
  }
  EXPECT_EQ(TestFixture::Member::alive, 0);
}
TYPED_TEST(FamilyFault, AMoveOntoAPoolEndsItsObjectsAtOnce) {
  typename TestFixture::Family pool(40), other(8);
  TestFixture::tree(pool, 4);
  pool = std::move(other);
  EXPECT_EQ(TestFixture::Member::alive, 0);
  EXPECT_TRUE(pool.empty());
  EXPECT_EQ(pool.capacity(), 8u);
}
TYPED_TEST(FamilyFault, AStolenParentTakesItsChildrenAlong) {
  for (const PolicyId policy : {PolicyId::StealOldest, PolicyId::StealLeast}) {
    typename TestFixture::Family pool(7);
    (void)pool.set_policy(policy);
    const auto root = TestFixture::tree(pool, 3);
    pool.get(root)->spawn_id = 0;
    if (policy == PolicyId::StealOldest) {
      (void)pool.set_policy(PolicyId::Reject);
      (void)pool.set_policy(policy);
    }
    const auto next = pool.acquire(&pool, u64{9});
    ASSERT_TRUE(next);
    EXPECT_FALSE(pool.contains(root));
    EXPECT_EQ(pool.live(), 1u);
    EXPECT_EQ(pool.stats().stolen, 1u);
    EXPECT_EQ(pool.stats().released, 6u);
    expect_sums(pool);
  }
}
TYPED_TEST(FamilyFault, ADestructorMayAcquireInAFullPool) {
  typename TestFixture::Family pool(4);
  std::vector<typename TestFixture::HandleType> handles;
  for (u64 i = 0; i < 4; ++i) handles.push_back(pool.acquire(&pool, i));
  TestFixture::Member::respawns = 4;
  for (const auto handle : handles) {
    pool.release(handle);
    expect_sums(pool);
    ASSERT_LE(pool.live(), 4u);
  }
  if (TypeParam::kId != StrategyId::ConsoleHeap) {  // there the dying object's block is not free yet
    EXPECT_EQ(pool.live(), 4u) << "each made another one";
  }
  (void)pool.set_policy(PolicyId::StealOldest);
  for (u64 i = 10; i < 20; ++i) {
    TestFixture::Member::respawns = 3;
    pool.acquire(&pool, i);
    expect_sums(pool);
    ASSERT_LE(pool.live(), 4u);
  }
  TestFixture::Member::respawns = 0;
}

/// Its constructor makes `more` others first.
template <class P>
struct Nest {
  Nest(P* pool, u64 n, u32 more) : spawn_id(n), payload(std::make_unique<u64>(n)) {
    ++alive;
    for (u32 i = 0; i < more; ++i) {
      if (const auto handle = pool->acquire(pool, n * 10 + i, 0u)) inner.push_back(handle);
    }
  }
  Nest(Nest&& other) noexcept : spawn_id(other.spawn_id), payload(std::move(other.payload)) { ++alive; }
  ~Nest() { --alive; }
  float importance() const { return static_cast<float>(spawn_id); }
  static inline i64 alive = 0;
  static inline std::vector<Handle<Nest, u32, u32>> inner;
  u64 spawn_id;
  std::unique_ptr<u64> payload;
};
template <class Kind>
struct NestsOf {
  struct Pool;
  using Member = Nest<Pool>;
  struct Pool : Kind::template PoolOf<Member> {
    using Base = typename Kind::template PoolOf<Member>;
    using Base::Base;
  };
};

TYPED_TEST(WholeObjectFault, AConstructorMayAcquireUpToTheCapacity) {
  using P = typename NestsOf<TypeParam>::Pool;
  using Member = typename NestsOf<TypeParam>::Member;
  for (const PolicyId policy : {PolicyId::Reject, PolicyId::StealOldest, PolicyId::StealLeast, PolicyId::Grow, PolicyId::Pressure}) {
    for (u32 before = 0; before <= 4; ++before) {
      for (u32 more = 1; more <= 6; ++more) {
        Member::inner.clear();
        P pool(4);
        (void)pool.set_policy(policy);
        pool.set_growth(1, 8);
        std::vector<typename P::HandleType> handles;
        for (u64 i = 0; i < before; ++i) handles.push_back(pool.acquire(&pool, i, 0u));
        const auto outer = pool.acquire(&pool, u64{7}, more);
        handles.insert(handles.end(), Member::inner.begin(), Member::inner.end());
        if (outer) handles.push_back(outer);
        u32 live = 0;
        for (const auto handle : handles) {
          if (!pool.contains(handle)) continue;
          ++live;
          ASSERT_EQ(*pool.get(handle)->payload, pool.get(handle)->spawn_id) << "one object was built on another";
        }
        ASSERT_EQ(live, pool.live());
        ASSERT_LE(live, policy == PolicyId::Grow ? 8u : 4u);
        ASSERT_EQ(Member::alive, live);
        ASSERT_TRUE(outer || before == 4) << "its slot is reserved while its constructor runs";
        expect_sums(pool);
      }
    }
  }
  EXPECT_EQ(Nest<P>::alive, 0);
}

/// The last object of a worn slot ends: what its destructor acquires must get another slot.
template <class P>
struct Successor {
  explicit Successor(P* its) : pool(its), payload(std::make_unique<u64>(1)) {}
  Successor(Successor&& other) noexcept : pool(other.pool), payload(std::move(other.payload)) {}
  ~Successor() {
    if (payload && succeeds) heir = pool->acquire(pool);
  }
  static inline bool succeeds = false;
  static inline Handle<Successor, u32, u8> heir;
  P* pool;
  std::unique_ptr<u64> payload;
};
template <class Kind>
struct DynastyOf {
  struct Pool;
  using Member = Successor<Pool>;
  struct Pool : Kind::template PoolOf<Member, u8> {
    using Base = typename Kind::template PoolOf<Member, u8>;
    using Base::Base;
  };
};
TYPED_TEST(WholeObjectFault, AWornSlotIsNotReusedByItsLastObjectsDestructor) {
  using P = typename DynastyOf<TypeParam>::Pool;
  using Member = typename DynastyOf<TypeParam>::Member;
  P pool(1);
  auto handle = pool.acquire(&pool);
  for (u32 i = 0; i < 126; ++i) {
    pool.release(handle);
    handle = pool.acquire(&pool);
  }
  ASSERT_EQ(handle.generation, 255);
  Member::succeeds = true;
  Member::heir = {};
  pool.release(handle);
  Member::succeeds = false;
  expect_sums(pool);
  EXPECT_EQ(pool.stats().retired_slots, 1u);
  if (Member::heir) {
    EXPECT_NE(Member::heir.index, handle.index);
    EXPECT_TRUE(pool.contains(Member::heir));
  }
}

// ---- 6. Predicates that throw

TYPED_TEST(EveryFault, APredicateThatThrowsLeavesTheCountsRight) {
  for (u32 k = 0; k < 12; ++k) {
    typename TypeParam::template PoolOf<Grain, u8> pool(12);
    (void)pool.set_policy(PolicyId::StealOldest);
    std::vector<typename decltype(pool)::HandleType> handles(12);
    u64 serial = 0;
    for (u32 use = 0; use < 127; ++use) {  // the next end wears every slot out
      if (use > 0) pool.clear();
      for (auto& handle : handles) handle = pool.acquire(serial++);
    }
    const u64 spawned = pool.stats().spawned;
    u32 calls = 0;
    EXPECT_THROW(pool.release_if([&](const Grain&) {
      if (calls++ == k) throw k;
      return true;
    }), u32) << k;
    const PoolStats stats = pool.stats();
    ASSERT_EQ(stats.spawned, spawned);
    ASSERT_EQ(stats.live, 12 - k);
    ASSERT_EQ(stats.retired_slots, k);
    expect_sums(pool);
    for (u32 i = 0; i < 40; ++i) ASSERT_TRUE(pool.acquire(serial++)) << k;
    ASSERT_EQ(pool.live(), 12u);
    u32 walked = 0;
    pool.for_each([&](const Grain& grain) { walked += grain.sound(); });
    ASSERT_EQ(walked, 12u);
    expect_sums(pool);
  }
}

// ---- 7. Moves

TYPED_TEST(EveryFault, AMovedFromPoolIsEmptyAndCanBeUsedAgain) {
  using P = typename TypeParam::template PoolOf<Grain>;
  P pool(4);
  (void)pool.set_policy(PolicyId::StealOldest);
  const auto handle = pool.acquire(u64{1});
  P other(std::move(pool));
  EXPECT_TRUE(other.get(handle)->sound());
  EXPECT_EQ(pool.live(), 0u);
  EXPECT_EQ(pool.capacity(), 0u);
  EXPECT_FALSE(pool.acquire(u64{2}));
  EXPECT_FALSE(pool.contains(handle));
  EXPECT_NE(pool.release(handle), ReleaseResult::Released);
  pool.for_each([](const Grain&) { ADD_FAILURE(); });
  pool.clear();
  pool.trim(0);
  EXPECT_TRUE(pool.set_capacity(3));
  EXPECT_TRUE(pool.set_policy(PolicyId::StealOldest));
  for (u64 i = 0; i < 9; ++i) EXPECT_TRUE(pool.acquire(i));
  EXPECT_EQ(pool.live(), 3u);
  expect_sums(pool);
  expect_sums(other);
}
TYPED_TEST(EveryFault, ASelfMoveChangesNothing) {
  typename TypeParam::template PoolOf<Grain> pool(3);
  (void)pool.set_policy(PolicyId::StealOldest);
  auto handle = pool.acquire(u64{1});
  pool.acquire(u64{2});
  auto& self = pool;
  pool = std::move(self);
  pool.swap(self);
  EXPECT_TRUE(pool.get(handle)->sound());
  for (u64 i = 3; i < 10; ++i) EXPECT_TRUE(pool.acquire(i));
  EXPECT_FALSE(pool.contains(handle));
  EXPECT_EQ(pool.live(), 3u);
  expect_sums(pool);
}
TYPED_TEST(WholeObjectFault, AMoveOntoAPoolEndsWhatItHeld) {
  using P = typename TypeParam::template PoolOf<Tracked>;
  P pool(4), other(2);
  for (u64 i = 0; i < 4; ++i) pool.acquire(i);
  const auto handle = other.acquire(u64{9});
  EXPECT_EQ(Tracked::alive, 5);
  pool = std::move(other);
  EXPECT_EQ(Tracked::alive, 1) << "at once, not when the other pool ends";
  EXPECT_TRUE(pool.get(handle)->sound());
  EXPECT_EQ(other.capacity(), 0u);
}
TYPED_TEST(EveryFault, ASwapExchangesObjectsPoliciesAndHandles) {
  using P = typename TypeParam::template PoolOf<Grain>;
  P a(4), b(2);
  (void)a.set_policy(PolicyId::StealOldest);
  const auto of_a = a.acquire(u64{1}), of_b = b.acquire(u64{2});
  swap(a, b);
  EXPECT_EQ(a.get(of_b)->serial, 2u);
  EXPECT_EQ(b.get(of_a)->serial, 1u);
  EXPECT_EQ(a.capacity(), 2u);
  EXPECT_EQ(a.policy(), PolicyId::Reject);
  EXPECT_EQ(b.policy(), PolicyId::StealOldest);
  for (u64 i = 3; i < 9; ++i) EXPECT_TRUE(b.acquire(i));
  EXPECT_EQ(b.live(), 4u);
}
TYPED_TEST(EveryFault, ASwapOrMoveInsideAWalkChangesNeitherPool) {
  using P = typename TypeParam::template PoolOf<Grain>;
  Misuse misuse;
  P a(4), b(2);
  const auto of_a = a.acquire(u64{1}), of_b = b.acquire(u64{2});
  a.for_each([&](const Grain&) {
    swap(a, b);
    swap(b, a);
    a = std::move(b);
    b = std::move(a);
  });
  EXPECT_EQ(misuse.count(), 4u);
  EXPECT_TRUE(a.get(of_a)->sound() && b.get(of_b)->sound());
  EXPECT_EQ(a.capacity(), 4u);
  EXPECT_EQ(b.capacity(), 2u);
}

// ---- 8. Types that can be made of a list of themselves

struct Tree {
  explicit Tree(u64 n) : spawn_id(n) {}
  Tree(std::initializer_list<Tree> of) : spawn_id(1000), children(of) {}
  float importance() const { return static_cast<float>(spawn_id); }
  u64 spawn_id;
  std::vector<Tree> children;
};
TYPED_TEST(WholeObjectFault, AnObjectIsNotWrappedInAListOfItself) {
  for (const PolicyId policy : {PolicyId::StealOldest, PolicyId::StealLeast, PolicyId::Grow}) {
    typename TypeParam::template PoolOf<Tree> pool(1);
    pool.set_growth(1, 4);
    (void)pool.set_policy(policy);
    for (u64 i = 1; i < 5; ++i) {
      const auto handle = i % 2 == 0 ? pool.acquire(i) : pool.acquire(Tree(i));
      ASSERT_EQ(pool.get(handle)->spawn_id, i);
      ASSERT_TRUE(pool.get(handle)->children.empty());
    }
  }
}

// ---- 10. A pool of nothing

TYPED_TEST(EveryFault, APoolOfNothingRefusesEverything) {
  typename TypeParam::template PoolOf<Grain> pool(0);
  for (const PolicyId policy : {PolicyId::Reject, PolicyId::StealOldest, PolicyId::StealLeast, PolicyId::Pressure}) {
    ASSERT_TRUE(pool.set_policy(policy));
    EXPECT_FALSE(pool.acquire(u64{1}));
  }
  EXPECT_TRUE(pool.full() && pool.empty());
  pool.for_each([](const Grain&) { ADD_FAILURE(); });
  for ([[maybe_unused]] const auto& grain : std::as_const(pool)) ADD_FAILURE();
  pool.clear();
  EXPECT_EQ(pool.trim(0), 0u);
  EXPECT_EQ(pool.stats().rejected, 4u);
  EXPECT_TRUE(pool.set_policy(PolicyId::Grow));
  EXPECT_TRUE(pool.acquire(u64{2}));
  EXPECT_TRUE(pool.set_capacity(0));
  EXPECT_FALSE(pool.acquire(u64{3}));
  EXPECT_EQ(pool.live(), 1u) << "a smaller capacity ends nothing";
  expect_sums(pool);
}

// ---- misuse inside walks

TYPED_TEST(EveryFault, WhatAWalkMustNotDoIsRefusedAndChangesNothing) {
  using P = typename TypeParam::template PoolOf<Grain>;
  Misuse misuse;
  P pool(8);
  std::vector<typename P::HandleType> handles;
  for (u64 i = 0; i < 6; ++i) handles.push_back(pool.acquire(i));
  const typename P::Snapshot snapshot = pool.save();
  const auto misuse_all = [&] {
    EXPECT_FALSE(pool.acquire(u64{99}));
    EXPECT_EQ(pool.release(handles[0]), ReleaseResult::Refused);
    EXPECT_FALSE(pool.set_capacity(50));
    EXPECT_FALSE(pool.set_policy(PolicyId::Grow));
    EXPECT_EQ(pool.trim(0), 0u);
    EXPECT_EQ(pool.prewarm(5), 0u);
    pool.clear();
    pool.restore(snapshot);
    EXPECT_EQ(misuse.count(), 8u);
    EXPECT_EQ(pool.live(), 6u);
    EXPECT_EQ(pool.capacity(), 8u);
    EXPECT_EQ(pool.policy(), PolicyId::Reject);
    typename P::Snapshot another;
    pool.save(another);  // this may be done
    EXPECT_EQ(another.size(), 6u);
    EXPECT_EQ(misuse.count(), 0u);
  };
  pool.for_each([&](const Grain&) { misuse_all(); });
  std::as_const(pool).for_each([&](const Grain&) { misuse_all(); });
  pool.for_each_handle([&](auto, const Grain&) { misuse_all(); });
  pool.find_if([&](const Grain&) {
    misuse_all();
    return false;
  });
  pool.release_if([&](const Grain&) {
    misuse_all();
    return false;
  });
  {
    auto walk = pool.split(2);
    misuse_all();
  }
  if constexpr (requires { pool.update_rows([](u32, u32) { return u64{0}; }); }) {
    pool.update_rows([&](u32, u32) {
      misuse_all();
      return u64{0};
    });
  }
  if constexpr (requires { pool.sort([](const Grain&, const Grain&) { return false; }); }) {
    pool.sort([&](const Grain& a, const Grain& b) {
      misuse_all();
      return a.serial > b.serial;
    });
  }
  pool.acquire_n(1, [&](u32 i) {
    misuse_all();
    return Grain(i);
  });
  EXPECT_EQ(pool.live(), 7u);
  for (const auto handle : handles) EXPECT_TRUE(pool.get(handle)->sound());
  expect_sums(pool);
}
TYPED_TEST(EveryFault, AWalkInsideAPredicateSeesWhatLivesAndMovesNothing) {
  constexpr u32 kMany = 600;  // so many that dense ends some of them while it still asks others
  typename TypeParam::template PoolOf<Grain> pool(kMany);
  for (u64 i = 0; i < kMany; ++i) pool.acquire(i);
  std::vector<u64> asked;
  u32 ended = 0;
  pool.release_if([&](const Grain& grain) {
    asked.push_back(grain.serial);
    u32 seen = 0;
    pool.for_each([&](const Grain& each) { seen += each.sound(); });
    if (TypeParam::kId == StrategyId::Dense) {  // it asks many rows before it ends those that were named
      EXPECT_GE(seen, kMany - ended);
      EXPECT_LE(seen, kMany);
    } else {
      EXPECT_EQ(seen, kMany - ended);
    }
    ended += grain.serial % 3 == 0;
    return grain.serial % 3 == 0;
  });
  std::sort(asked.begin(), asked.end());
  EXPECT_EQ(std::unique(asked.begin(), asked.end()) - asked.begin(), kMany) << "each is asked";
  EXPECT_EQ(asked.size(), kMany) << "and once";
  EXPECT_EQ(pool.live(), kMany - kMany / 3);
  pool.for_each([](const Grain& grain) {
    EXPECT_TRUE(grain.sound());
    EXPECT_NE(grain.serial % 3, 0u);
  });
}
TYPED_TEST(EveryFault, AWalkInsideASearchMovesNothing) {
  typename TypeParam::template PoolOf<Grain> pool(60);
  std::vector<typename decltype(pool)::HandleType> handles;
  for (u64 i = 0; i < 60; ++i) handles.push_back(pool.acquire(i));
  for (u64 i = 0; i < 60; i += 3) pool.release(handles[i]);  // dense: holes that a walk of its own closes
  std::vector<u64> asked;
  (void)pool.find_if([&](const Grain& grain) {
    asked.push_back(grain.serial);
    pool.for_each([](const Grain& each) { EXPECT_TRUE(each.sound()); });
    return false;
  });
  std::sort(asked.begin(), asked.end());
  EXPECT_EQ(std::unique(asked.begin(), asked.end()) - asked.begin(), 40) << "each is asked";
  EXPECT_EQ(asked.size(), 40u) << "and once";
}
TYPED_TEST(EveryFault, ACallbackOfAcquireNMayThrow) {
  for (u64 k = 0; k < 10; ++k) {
    typename TypeParam::template PoolOf<Grain> pool(20);
    std::vector<typename decltype(pool)::HandleType> handles;
    for (u64 i = 0; i < 12; ++i) handles.push_back(pool.acquire(i));
    pool.acquire_n(8, [](u32 i) { return Grain(20 + i); });
    for (u64 i = 0; i < 12; i += 2) pool.release(handles[i]);  // holes
    std::vector<typename decltype(pool)::HandleType> told;
    EXPECT_THROW(pool.acquire_n(5, [](u32 i) { return Grain(30 + i); }, [&](u32 i, auto handle) {
      told.push_back(handle);
      if (i == k % 5) throw k;
    }), u64);
    EXPECT_GE(pool.live(), 14 + told.size());
    for (u64 i = 0; i < told.size(); ++i) EXPECT_EQ(pool.get(told[i])->serial, 30 + i);
    EXPECT_THROW(pool.acquire_n(1, [&](u32) -> Grain { throw k; }), u64);
    expect_sums(pool);
    u32 seen = 0;
    pool.for_each_handle([&](auto handle, const Grain& grain) {
      seen += grain.sound() && pool.contains(handle);
    });
    EXPECT_EQ(seen, pool.live());
    pool.clear();
    expect_sums(pool);
    for (u64 i = 0; i < 20; ++i) ASSERT_TRUE(pool.acquire(i));
  }
}
TEST(SwitchFault, NothingSwitchesInsideAVisitOrAWalk) {
  Misuse misuse;
  ExhibitPool<Tracked> pool(StrategyId::FreeList, 4), other(StrategyId::Packed, 4);
  const auto handle = pool.acquire(u64{1}), theirs = other.acquire(u64{2});
  pool.visit([&](auto&) {
    EXPECT_FALSE(pool.set_strategy(StrategyId::Heap));
    pool = std::move(other);
    other = std::move(pool);
    swap(pool, other);
  });
  pool.visit_rarely([&](auto&) { EXPECT_FALSE(pool.set_strategy(StrategyId::Heap)); });
  pool.for_each([&](const Tracked&) { EXPECT_FALSE(pool.set_strategy(StrategyId::Heap)); });
  EXPECT_EQ(misuse.count(), 6u);
  EXPECT_EQ(pool.strategy(), StrategyId::FreeList);
  EXPECT_TRUE(pool.get(handle)->sound() && other.get(theirs)->sound());
  swap(pool, other);
  EXPECT_TRUE(other.get(handle)->sound() && pool.get(theirs)->sound());
  EXPECT_EQ(pool.strategy(), StrategyId::Packed);
}

using FaultDeathTest = ::testing::Test;
TEST(FaultDeathTest, MisuseStopsTheProgramWithAMessage) {
  FreeListPool<Grain> pool(4);
  const auto handle = pool.acquire(u64{1});
  EXPECT_DEATH(pool.for_each([&](const Grain&) { pool.acquire(u64{2}); }), "spellpool: acquire\\(\\) or release\\(\\) was called inside a walk");
  EXPECT_DEATH(pool.for_each([&](const Grain&) { pool.release(handle); }), "spellpool: acquire\\(\\) or release\\(\\) was called inside a walk");
  EXPECT_DEATH(pool.release_if([&](const Grain&) { return pool.set_capacity(9); }), "spellpool: the capacity, policy or contents were to change");
  ExhibitPool<Grain> switchable(StrategyId::Dense, 4);
  EXPECT_DEATH(switchable.visit([&](auto&) { switchable.set_strategy(StrategyId::Heap); }), "spellpool: set_strategy");
}

/// Structure must not change from inside a constructor, destructor or hook.
template <class P>
struct Meddler {
  explicit Meddler(P* its) : pool(its) { meddle(); }
  Meddler(Meddler&& other) noexcept : pool(std::exchange(other.pool, nullptr)) {}
  ~Meddler() {
    if (pool) meddle();
  }
  void meddle() {
    refused += !pool->set_capacity(100);
    refused += !pool->set_policy(PolicyId::Grow);
    refused += pool->trim(0) == 0;
  }
  static inline u32 refused = 0;
  P* pool;
};
template <class Kind>
struct MeddlersOf {
  struct Pool;
  using Member = Meddler<Pool>;
  struct Pool : Kind::template PoolOf<Member> {
    using Base = typename Kind::template PoolOf<Member>;
    using Base::Base;
  };
};
TYPED_TEST(WholeObjectFault, StructureDoesNotChangeInsideConstructorsAndDestructors) {
  Misuse misuse;
  typename MeddlersOf<TypeParam>::Pool pool(4);
  MeddlersOf<TypeParam>::Member::refused = 0;
  const auto handle = pool.acquire(&pool);
  EXPECT_EQ(misuse.count(), 3u);
  pool.release(handle);
  EXPECT_EQ(misuse.count(), 3u);
  EXPECT_EQ(MeddlersOf<TypeParam>::Member::refused, 6u);
  EXPECT_EQ(pool.capacity(), 4u);
  EXPECT_EQ(pool.policy(), PolicyId::Reject);
}

/// Cannot be moved. While it ends it releases `next`, and the last of a chain acquires a new one.
template <template <class, class> class PoolOf>
struct ChainLink {
  using Pool = PoolOf<ChainLink, u32>;
  using HandleType = Handle<ChainLink, u32, u32>;
  ChainLink(Pool* its, u64 n) : pool(its), id(n) {}
  ChainLink(const ChainLink&) = delete;
  ~ChainLink() {
    if (next) pool->release(next);
    else if (spawns) born = pool->acquire(pool, u64{99});
  }
  Pool* pool;
  u64 id;
  HandleType next{};
  bool spawns = false;
  static inline HandleType born{};
};

template <class Pool>
void grows_while_slots_are_being_emptied() {
  Pool pool(6);
  using Link = typename Pool::Value;
  std::vector<typename Link::HandleType> all;
  for (u64 i = 0; i < 6; ++i) all.push_back(pool.acquire(&pool, i));
  (void)pool.set_policy(PolicyId::Grow);
  pool.set_growth(1, 100);
  ASSERT_TRUE(pool.set_capacity(4));  // six live, six slots
  (*pool.get(all[0])).next = all[1];
  (*pool.get(all[1])).spawns = true;
  Link::born = {};
  // In the second destructor four are live and the pool is full. It grows to five, for which six slots would do, but two are being emptied.
  EXPECT_TRUE(pool.release(all[0]) == ReleaseResult::Released);
  ASSERT_TRUE(pool.contains(Link::born));
  EXPECT_EQ((*pool.get(Link::born)).id, 99u);
  for (u64 i = 2; i < 6; ++i) EXPECT_EQ((*pool.get(all[i])).id, i) << "an object was built over another";
  EXPECT_EQ(pool.live(), 5u);
}
template <class T, class G>
using FreeListOf = FreeListPool<T, G>;
template <class T, class G>
using BitmapOf = BitmapPool<T, G>;
TEST(PinnedFault, APoolThatGrowsInDestructorsFindsANewSlot) {
  grows_while_slots_are_being_emptied<FreeListPool<ChainLink<FreeListOf>>>();
  grows_while_slots_are_being_emptied<BitmapPool<ChainLink<BitmapOf>>>();
}

/// Where objects move, the moves must not use the pool: that is refused, and does not build one object on another.
struct Mover {
  explicit Mover(u64 n) : number(n), text("a name too long for the small buffer " + std::to_string(n)) {}
  Mover(Mover&& other) noexcept : number(other.number), text(std::move(other.text)) {
    if (moved) moved();
  }
  static inline void (*moved)() = nullptr;
  u64 number;
  std::string text;
};
TEST(PackedFault, AMoveConstructorThatAcquiresIsRefused) {
  static PackedPool<Mover>* its = nullptr;
  static u32 null_handles = 0;
  Misuse misuse;
  PackedPool<Mover> pool(8);
  its = &pool;
  Mover::moved = [] { null_handles += its->acquire(u64{77}).is_null(); };
  const auto a = pool.acquire(u64{1}), b = pool.acquire(u64{2});
  Mover::moved = nullptr;
  EXPECT_EQ(null_handles, misuse.count());
  EXPECT_GT(null_handles, 0u);
  EXPECT_EQ(pool.live(), 2u);
  EXPECT_EQ(pool.get(a)->number, 1u);
  EXPECT_EQ(pool.get(b)->number, 2u);
  expect_sums(pool);
}

/// Below the peak acquire() takes its fast path. There the new object moves into the array while the pool is locked, too.
TEST(PackedFault, AMoveConstructorThatUsesThePoolBelowThePeakIsRefused) {
  using Its = PackedPool<Mover>;
  static Its* its = nullptr;
  static Its::HandleType other;
  static u32 refused = 0;
  refused = 0;
  Misuse misuse;
  Its pool(8);
  its = &pool;
  other = pool.acquire(u64{1});
  for (u64 i = 0; i < 4; ++i) pool.release(pool.acquire(i));
  Mover::moved = [] {
    refused += its->acquire(u64{77}).is_null();
    refused += its->release(other) == ReleaseResult::Refused;
    refused += !its->set_capacity(20);
  };
  const auto mine = pool.acquire(u64{2});
  Mover::moved = nullptr;
  EXPECT_EQ(misuse.count(), 3u);  // one move
  EXPECT_EQ(refused, 3u);
  EXPECT_EQ(pool.live(), 2u);
  EXPECT_EQ(pool.get(mine)->number, 2u);
  EXPECT_EQ(pool.release(other), ReleaseResult::Released);  // unlocked again
  EXPECT_FALSE(pool.acquire(u64{4}).is_null());
  EXPECT_TRUE(pool.set_capacity(20));
  EXPECT_EQ(misuse.count(), 0u);
  expect_sums(pool);
}

/// A release moves the last object into the gap, and the released one out of the array, while the pool is locked.
TEST(PackedFault, AMoveConstructorThatUsesThePoolDuringAReleaseIsRefused) {
  using Its = PackedPool<Mover>;
  static Its* its = nullptr;
  static Its::HandleType other;
  static u32 refused = 0;
  refused = 0;
  Misuse misuse;
  Its pool(8);
  its = &pool;
  const auto a = pool.acquire(u64{1}), b = pool.acquire(u64{2}), c = pool.acquire(u64{3});
  other = b;
  Mover::moved = [] {
    refused += its->acquire(u64{77}).is_null();
    refused += its->release(other) == ReleaseResult::Refused;
  };
  EXPECT_EQ(pool.release(a), ReleaseResult::Released);
  Mover::moved = nullptr;
  EXPECT_EQ(misuse.count(), 4u);  // two moves
  EXPECT_EQ(refused, 4u);
  EXPECT_EQ(pool.live(), 2u);
  EXPECT_EQ(pool.get(b)->number, 2u);
  EXPECT_EQ(pool.get(c)->number, 3u);
  EXPECT_FALSE(pool.acquire(u64{4}).is_null());  // unlocked again
  EXPECT_EQ(pool.release(b), ReleaseResult::Released);
  EXPECT_EQ(misuse.count(), 0u);
  expect_sums(pool);
}

/// Moves that are copies throw, and then the victim lives on.
TYPED_TEST(WholeObjectFault, AThrowingCopyDoesNotCostAVictim) {
  struct Heavy {
    explicit Heavy(u64 n) : spawn_id(n) {}
    Heavy(const Heavy& other) : spawn_id(other.spawn_id) {
      if (throws_after() >= 0 && throws_after()-- == 0) throw std::bad_alloc();
    }
    static i32& throws_after() {
      static i32 copies = -1;
      return copies;
    }
    u64 spawn_id;
  };
  using P = PinnedPoolOf<TypeParam, Heavy>;
  if constexpr (TypeParam::kId == StrategyId::ConsoleHeap) {
    GTEST_SKIP() << "no spare slot: a copy that throws comes after the victim's end";
  } else {
    for (i32 k = 0; k < 3; ++k) {
      P pool(2);
      (void)pool.set_policy(PolicyId::StealOldest);
      const auto first = pool.acquire(u64{1}), second = pool.acquire(u64{2});
      const Heavy third(3);
      bool threw = false;
      Heavy::throws_after() = k;
      try {
        pool.acquire(third);
      } catch (const std::bad_alloc&) {
        threw = true;
      }
      Heavy::throws_after() = -1;
      EXPECT_EQ(pool.contains(first), threw) << k;
      EXPECT_TRUE(pool.contains(second));
      EXPECT_EQ(pool.live(), 2u);
      EXPECT_TRUE(k > 0 || threw);
      expect_sums(pool);
    }
  }
}

}  // namespace

/// Hooks that count slots.
namespace {
struct Slotted {
  explicit Slotted(u64 n) : text(std::to_string(n)) {}
  std::string text;
  static inline i64 slots = 0;
};
}  // namespace
template <>
struct HooksOf<Slotted> {
  static void created(u32 slots) { Slotted::slots += slots; }
  static void destroyed(u32 slots) { Slotted::slots -= slots; }
};
namespace {
TEST(SwitchFault, EachSlotThatIsCreatedIsDestroyedOnce) {
  {
    ExhibitPool<Slotted> pool(StrategyId::FreeList, 10);
    EXPECT_EQ(Slotted::slots, 10);
    for (const StrategyRow& each : kStrategies) {
      if (pool.offers(each.id)) {
        EXPECT_TRUE(pool.set_strategy(each.id));
      }
      ASSERT_EQ(Slotted::slots, pool.stats().slots) << each.name;
    }
    const auto snapshot = pool.save();
    (void)pool.set_capacity(30);
    pool.restore(snapshot);
    EXPECT_EQ(Slotted::slots, pool.stats().slots);
    ExhibitPool<Slotted> other(std::move(pool));
    EXPECT_EQ(Slotted::slots, other.stats().slots);
  }
  EXPECT_EQ(Slotted::slots, 0);
}

}  // namespace
}  // namespace spellpool::pool
