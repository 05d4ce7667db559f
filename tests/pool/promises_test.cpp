// What every storage promises, one promise a test.
#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

struct Number {
  u64 value = 0;
};
u64 serial_of(const Number& number) { return number.value; }

template <class Kind>
class EveryPool : public ::testing::Test {
 public:
  template <class T, class Generation = u32>
  using PoolOf = typename Kind::template PoolOf<T, Generation>;
};
TYPED_TEST_SUITE(EveryPool, StorageKinds, KindNames);

TYPED_TEST(EveryPool, GivesOutAsManyAsItsCapacityThenTheNullHandle) {
  typename TypeParam::template PoolOf<Number> pool(100);
  for (u64 i = 0; i < 100; ++i) EXPECT_TRUE(pool.acquire(i));
  EXPECT_FALSE(pool.acquire(u64{100}));
  EXPECT_EQ(pool.stats().rejected, 1u);
  EXPECT_EQ(pool.live(), 100u);
}

TYPED_TEST(EveryPool, ReleasedHandleNeverResolvesAgain) {
  typename TypeParam::template PoolOf<Number, u8> pool(5);
  using HandleType = typename decltype(pool)::HandleType;
  std::vector<HandleType> dead, live;
  Rng rng(11);
  auto none_resolves = [&] {
    for (const HandleType handle : dead) {
      ASSERT_EQ(pool.get(handle), nullptr) << handle.index << ' ' << int{handle.generation};
      ASSERT_NE(pool.release(handle), ReleaseResult::Released);
    }
  };
  for (u32 round = 0; round < 700; ++round) {
    while (const HandleType handle = pool.acquire(u64{round})) {
      ASSERT_EQ(std::count(dead.begin(), dead.end(), handle), 0) << "a name is given once";
      live.push_back(handle);
    }
    if (round % 50 == 20) {
      pool.clear();
      dead.insert(dead.end(), live.begin(), live.end());
      live.clear();
    }
    if (round % 60 == 30) pool.set_capacity(1 + rng.below(4));  // shrink …
    if (round % 60 == 40) pool.set_capacity(5 + rng.below(8));  // … and grow: old generations are still known
    for (u32 i = 0; i < 3 && !live.empty(); ++i) {
      const u32 pick = rng.below(static_cast<u32>(live.size()));
      ASSERT_EQ(pool.release(live[pick]), ReleaseResult::Released);
      dead.push_back(live[pick]);
      live[pick] = live.back();
      live.pop_back();
    }
    if (round % 20 == 0) none_resolves();
  }
  none_resolves();
  EXPECT_GT(pool.stats().retired_slots, 5u);
}

TYPED_TEST(EveryPool, AWornOutSlotIsRetiredAndReplacedWhenTheCapacityIsSet) {
  typename TypeParam::template PoolOf<Number, u8> pool(1);
  u32 tenants = 0;
  while (const auto handle = pool.acquire(u64{1})) {
    ++tenants;
    ASSERT_EQ(pool.release(handle), ReleaseResult::Released);
    ASSERT_EQ(pool.release(handle), ReleaseResult::DoubleRelease);
  }
  EXPECT_EQ(tenants, 127u);  // 3, 5 … 255
  EXPECT_EQ(pool.stats().retired_slots, 1u);
  pool.set_capacity(1);
  EXPECT_TRUE(pool.acquire(u64{1}));
}

TYPED_TEST(EveryPool, TellsDoubleReleaseFromStaleAndCountsBoth) {
  typename TypeParam::template PoolOf<Number> pool(2);
  const auto first = pool.acquire(u64{1});
  EXPECT_EQ(pool.release(first), ReleaseResult::Released);
  EXPECT_EQ(pool.release(first), ReleaseResult::DoubleRelease);
  const auto second = pool.acquire(u64{2});
  ASSERT_EQ(second.index, first.index);
  EXPECT_EQ(pool.release(first), ReleaseResult::StaleHandle);
  EXPECT_EQ(pool.get(first), nullptr);
  EXPECT_EQ(pool.release({}), ReleaseResult::NullHandle);
  EXPECT_EQ(pool.get({}), nullptr);
  const PoolStats stats = pool.stats();
  EXPECT_EQ(stats.double_releases, 1u);
  EXPECT_EQ(stats.stale_handles, 2u);
  EXPECT_EQ(stats.released, 1u);
  EXPECT_EQ(pool.get(second)->value, 2u);
}

TYPED_TEST(EveryPool, MadeUpHandlesResolveToNothing) {
  typename TypeParam::template PoolOf<Number> pool(8);
  const auto live = pool.acquire(u64{5});
  for (u32 index : {0u, 1u, 7u, 8u, 1000u, 0xffffffffu}) {
    for (u32 generation : {0u, 1u, 2u, 4u, 5u, 0xfffffffeu, 0xffffffffu}) {
      EXPECT_EQ(pool.get({index, generation}), nullptr) << index << ' ' << generation;
      EXPECT_NE(pool.release({index, generation}), ReleaseResult::Released) << index << ' ' << generation;
    }
  }
  EXPECT_EQ(pool.get(live)->value, 5u);
  std::set<u32> slots;
  for (u64 i = 1; i < 8; ++i) slots.insert(pool.acquire(i).index);
  EXPECT_EQ(slots.size(), 7u);
  EXPECT_EQ(slots.count(live.index), 0u);
}

TYPED_TEST(EveryPool, TheSlotFreedLastIsUsedFirst) {
  typename TypeParam::template PoolOf<Number> pool(16);
  std::vector<Handle<Number>> handles;
  for (u64 i = 0; i < 16; ++i) handles.push_back(pool.acquire(i));
  for (u32 i = 0; i < 16; ++i) EXPECT_EQ(handles[i].index, i) << "a fresh pool fills from slot 0";
  for (u32 slot : {3u, 9u, 4u}) pool.release(handles[slot]);
  EXPECT_EQ(pool.acquire(u64{0}).index, 4u);
  EXPECT_EQ(pool.acquire(u64{0}).index, 9u);
  EXPECT_EQ(pool.acquire(u64{0}).index, 3u);
}

TYPED_TEST(EveryPool, ObjectsDoNotMoveWhileOthersComeAndGo) {
  typename TypeParam::template PoolOf<Number> pool(300);
  const auto handle = pool.acquire(u64{42});
  const Number* address = pool.get(handle);
  std::vector<Handle<Number>> others;
  for (u64 i = 0; i < 299; ++i) others.push_back(pool.acquire(i));
  for (std::size_t i = 0; i < others.size(); i += 2) pool.release(others[i]);
  for (u64 i = 0; i < 100; ++i) pool.acquire(i);
  EXPECT_EQ(pool.get(handle), address);
  EXPECT_EQ(address->value, 42u);
}

TYPED_TEST(EveryPool, AWalkVisitsEachLiveObjectOnceAndNothingElse) {
  for (const u32 capacity : {1u, 63u, 64u, 65u, 128u, 1000u, 4099u}) {
    typename TypeParam::template PoolOf<Number> pool(capacity);
    std::vector<Handle<Number>> handles;
    for (u64 i = 0; i < capacity; ++i) handles.push_back(pool.acquire(i));
    std::vector<u32> visits(capacity);
    pool.for_each([&](const Number& number) { ++visits[number.value]; });
    EXPECT_EQ(std::count(visits.begin(), visits.end(), 1u), capacity) << "full";

    std::set<u64> kept;
    for (u64 i = 0; i < capacity; ++i) {
      if (i % 97 == 62 % capacity || i == capacity - 1) {
        kept.insert(i);
      } else {
        pool.release(handles[i]);
      }
    }
    std::multiset<u64> seen;
    pool.for_each_handle([&](Handle<Number> handle, const Number& number) {
      EXPECT_EQ(handle, handles[number.value]);
      seen.insert(number.value);
    });
    EXPECT_EQ(seen, std::multiset<u64>(kept.begin(), kept.end())) << "sparse, " << capacity;
    pool.clear();
    pool.for_each([](const Number&) { FAIL() << "empty"; });
  }
}

TYPED_TEST(EveryPool, ReleaseIfEndsExactlyTheChosen) {
  typename TypeParam::template PoolOf<Number> pool(500);
  std::vector<Handle<Number>> handles;
  for (u64 i = 0; i < 500; ++i) handles.push_back(pool.acquire(i));
  EXPECT_EQ(pool.release_if([](const Number& number) { return number.value % 3 == 1; }), 167u);
  for (u64 i = 0; i < 500; ++i) EXPECT_EQ(pool.get(handles[i]) != nullptr, i % 3 != 1) << i;
  EXPECT_EQ(pool.stats().released, 167u);
}

// ---------------------------------------------------------------------------------------------------- policies

TYPED_TEST(EveryPool, StealsTheOldestByBirthWhereverItLies) {
  typename TypeParam::template PoolOf<Number> pool(4);
  pool.set_policy(PolicyId::StealOldest, [](const Number& n) { return serial_of(n); });
  std::vector<Handle<Number>> handles{{}};
  for (u64 serial = 1; serial <= 4; ++serial) handles.push_back(pool.acquire(serial));
  pool.release(handles[1]);
  handles.push_back(pool.acquire(u64{5}));  // lies in slot 0, though it is the youngest
  for (u64 serial = 6; serial < 40; ++serial) {
    handles.push_back(pool.acquire(serial));
    ASSERT_TRUE(handles.back());
    std::set<u64> living;
    pool.for_each([&](const Number& number) { living.insert(number.value); });
    ASSERT_EQ(living, (std::set<u64>{serial - 3, serial - 2, serial - 1, serial}));
    ASSERT_EQ(pool.get(handles[serial - 4]), nullptr);
  }
  EXPECT_EQ(pool.stats().stolen, 34u);
  EXPECT_EQ(pool.stats().rejected, 0u);
}

TYPED_TEST(EveryPool, APolicyChosenLateStillKnowsWhoIsOldest) {
  typename TypeParam::template PoolOf<Number> pool(50);
  std::vector<Handle<Number>> handles;
  Rng rng(2);
  u64 serial = 0;
  for (u32 i = 0; i < 50; ++i) handles.push_back(pool.acquire(serial++));
  for (u32 i = 0; i < 400; ++i) {  // shuffle slots against ages
    Handle<Number>& handle = handles[rng.below(50)];
    pool.release(handle);
    handle = pool.acquire(serial++);
  }
  std::set<u64> living;
  pool.for_each([&](const Number& number) { living.insert(number.value); });
  for (u32 turn = 0; turn < 3; ++turn) {
    pool.set_policy(PolicyId::StealOldest, [](const Number& n) { return serial_of(n); });
    for (u32 i = 0; i < 20; ++i) {
      living.erase(living.begin());
      living.insert(serial);
      ASSERT_TRUE(pool.acquire(serial++));
      std::set<u64> now;
      pool.for_each([&](const Number& number) { now.insert(number.value); });
      ASSERT_EQ(now, living);
    }
    pool.set_policy(PolicyId::Reject, [](const Number&) { return u64{0}; });
    ASSERT_FALSE(pool.acquire(u64{0}));
  }
  EXPECT_EQ(pool.stats().stolen, 60u);
  EXPECT_EQ(pool.stats().rejected, 3u);
}

TYPED_TEST(EveryPool, StealingAnObjectThatTheNewOneIsMadeFromIsSafe) {
  typename TypeParam::template PoolOf<Tracked> pool(1);
  pool.set_policy(PolicyId::StealOldest, [](const Tracked& t) { return t.serial; });
  const auto old = pool.acquire(u64{7});
  const auto fresh = pool.acquire(pool.get(old)->serial);
  EXPECT_EQ(pool.get(fresh)->serial, 7u);
  const auto moved = pool.acquire(std::move(*pool.get(fresh)));
  ASSERT_NE(pool.get(moved), nullptr);
  EXPECT_TRUE(pool.get(moved)->sound());
}

// ---------------------------------------------------------------------------------------------------- capacity

TYPED_TEST(EveryPool, ACapacityBelowTheLivingOnlyStopsNewOnes) {
  typename TypeParam::template PoolOf<Number> pool(100);
  std::vector<Handle<Number>> handles;
  for (u64 i = 0; i < 100; ++i) handles.push_back(pool.acquire(i));
  for (u64 i = 0; i < 100; i += 2) pool.release(handles[i]);
  pool.set_capacity(10);
  EXPECT_EQ(pool.live(), 50u);
  EXPECT_EQ(pool.capacity(), 10u);
  for (u64 i = 1; i < 100; i += 2) {
    ASSERT_NE(pool.get(handles[i]), nullptr);
    ASSERT_EQ(pool.get(handles[i])->value, i);
  }
  EXPECT_FALSE(pool.acquire(u64{0}));
  for (u64 i = 1; i < 81; i += 2) pool.release(handles[i]);
  EXPECT_FALSE(pool.acquire(u64{0}));
  pool.release(handles[81]);
  EXPECT_TRUE(pool.acquire(u64{0}));
  EXPECT_FALSE(pool.acquire(u64{0}));
  pool.set_capacity(1000);
  for (u32 i = 0; i < 990; ++i) ASSERT_TRUE(pool.acquire(u64{i}));
  EXPECT_FALSE(pool.acquire(u64{0}));
}

TYPED_TEST(EveryPool, StealingGoesOnAcrossCapacities) {
  typename TypeParam::template PoolOf<Number> pool(20);
  pool.set_policy(PolicyId::StealOldest, [](const Number& n) { return serial_of(n); });
  u64 serial = 0;
  for (u32 i = 0; i < 20; ++i) pool.acquire(serial++);
  for (const u32 capacity : {40u, 30u, 90u, 20u}) {
    pool.set_capacity(capacity);
    const u64 stolen_before = pool.stats().stolen;
    while (pool.live() > capacity) {
      ASSERT_FALSE(pool.acquire(serial)) << "above the capacity new ones wait, and nobody is stolen for them";
      pool.release_if([&](const Number& number) { return number.value == serial - pool.live(); });
    }
    ASSERT_EQ(pool.stats().stolen, stolen_before);
    for (u32 i = 0; i < 100; ++i) {
      ASSERT_TRUE(pool.acquire(serial++));
      u64 oldest = ~u64{0}, youngest = 0;
      pool.for_each([&](const Number& number) {
        oldest = std::min(oldest, number.value);
        youngest = std::max(youngest, number.value);
      });
      ASSERT_EQ(youngest, serial - 1);
      ASSERT_EQ(youngest - oldest + 1, pool.live()) << "the living are the youngest, without a gap";
    }
  }
}

// ---------------------------------------------------------------------------------------------------- kinds of objects

/// Writes over its cell, then throws: what a free list's link must survive.
struct ThrowsInTurn {
  static inline u32 countdown = 0;
  static inline i64 alive = 0;
  explicit ThrowsInTurn(u64 v) {
    std::fill(std::begin(bytes), std::end(bytes), u8{0xAB});
    if (countdown > 0 && --countdown == 0) throw 7;
    value = v;
    ++alive;
  }
  ThrowsInTurn(ThrowsInTurn&& other) noexcept : value(other.value) { ++alive; }
  ~ThrowsInTurn() { --alive; }
  u8 bytes[16];
  u64 value = 0;
};

template <class P, class Acquire>
void stays_usable_after_throws(P& pool, u32 capacity, Acquire&& acquire) {
  std::set<u32> slots;
  for (u32 i = 0; i < capacity; ++i) {
    const PoolStats before = pool.stats();
    EXPECT_THROW(acquire(true), int);
    const PoolStats after = pool.stats();
    ASSERT_EQ(after.live, before.live);
    ASSERT_EQ(after.spawned, before.spawned);
    const auto handle = acquire(false);
    ASSERT_TRUE(handle);
    ASSERT_LT(handle.index, capacity);
    ASSERT_TRUE(slots.insert(handle.index).second) << "slot " << handle.index << " was given twice";
  }
  EXPECT_FALSE(acquire(false));
}

TYPED_TEST(EveryPool, AConstructorThatThrowsChangesNothing) {
  {
    typename TypeParam::template PoolOf<ThrowsInTurn> pool(20);
    stays_usable_after_throws(pool, 20, [&](bool fail) {
      ThrowsInTurn::countdown = fail ? 1 : 0;
      return pool.acquire(u64{3});
    });
    pool.for_each([](const ThrowsInTurn& object) { EXPECT_EQ(object.value, 3u); });
  }
  EXPECT_EQ(ThrowsInTurn::alive, 0);
}

struct ThrowsWhenMade {
  ThrowsWhenMade(int fail) : number(fail) {
    if (fail != 0) throw 7;
  }
  int number;
};
/// No constructor of its own: made by T{…} only, and its first member is written before the second throws.
struct Aggregate {
  u64 first;
  ThrowsWhenMade second;
};

TYPED_TEST(EveryPool, AnAggregateThatThrowsHalfWayChangesNothing) {
  typename TypeParam::template PoolOf<Aggregate> pool(20);
  stays_usable_after_throws(pool, 20, [&](bool fail) { return pool.acquire(~u64{0}, fail ? 1 : 0); });
}

TYPED_TEST(EveryPool, AThrowWhileStealingKeepsTheAccount) {
  {
    typename TypeParam::template PoolOf<ThrowsInTurn> pool(3);
    pool.set_policy(PolicyId::StealOldest, [](const ThrowsInTurn& t) { return t.value; });
    for (u64 i = 0; i < 3; ++i) pool.acquire(i);
    for (u64 i = 3; i < 30; ++i) {
      ThrowsInTurn::countdown = 1;
      EXPECT_THROW(pool.acquire(i), int);
      ThrowsInTurn::countdown = 0;
      ASSERT_TRUE(pool.acquire(i));
      const PoolStats stats = pool.stats();
      ASSERT_EQ(stats.spawned, stats.released + stats.stolen + stats.live);
      ASSERT_EQ(ThrowsInTurn::alive, stats.live);
    }
  }
  EXPECT_EQ(ThrowsInTurn::alive, 0);
}

template <std::size_t Alignment>
struct alignas(Alignment) Aligned {
  u8 byte = 0;
};

template <class P>
void addresses_are_aligned() {
  P pool(70);
  for (u32 i = 0; i < 70; ++i) pool.acquire();
  auto check = [&] {
    std::set<const void*> addresses;
    pool.for_each([&](const typename P::Value& value) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&value) % alignof(typename P::Value), 0u);
      addresses.insert(&value);
    });
    EXPECT_EQ(addresses.size(), 70u);
  };
  check();
  pool.set_capacity(200);
  check();
}

TYPED_TEST(EveryPool, OverAlignedTypesAreAligned) {
  addresses_are_aligned<typename TypeParam::template PoolOf<Aligned<1>>>();
  addresses_are_aligned<typename TypeParam::template PoolOf<Aligned<16>>>();
  addresses_are_aligned<typename TypeParam::template PoolOf<Aligned<64>>>();
  addresses_are_aligned<typename TypeParam::template PoolOf<Aligned<256>>>();
}

TYPED_TEST(EveryPool, MoveOnlyObjectsLiveAndMoveWithTheirStorage) {
  struct MoveOnly {
    std::unique_ptr<u64> value;
  };
  typename TypeParam::template PoolOf<MoveOnly> pool(4);
  const auto handle = pool.acquire(std::make_unique<u64>(9));
  pool.set_capacity(400);
  ASSERT_NE(pool.get(handle), nullptr);
  EXPECT_EQ(*pool.get(handle)->value, 9u);
}

TYPED_TEST(EveryPool, DestroysWhatIsLeft) {
  {
    typename TypeParam::template PoolOf<Tracked> pool(100);
    std::vector<typename decltype(pool)::HandleType> handles;
    for (u64 i = 0; i < 100; ++i) handles.push_back(pool.acquire(i));
    for (u32 i = 0; i < 100; i += 3) pool.release(handles[i]);
    pool.set_capacity(150);
    EXPECT_EQ(Tracked::alive, 66);
    auto moved = std::move(pool);
    EXPECT_EQ(Tracked::alive, 66);
    EXPECT_TRUE(moved.get(handles[1])->sound());
  }
  EXPECT_EQ(Tracked::alive, 0);
}

// ---------------------------------------------------------------------------------------------------- what does not compile

struct Voice {
  float gain = 0;
};
template <class P, class H>
concept Accepts = requires(P pool, H handle) {
  pool.get(handle);
  pool.release(handle);
};

TYPED_TEST(EveryPool, AHandleOfAnotherPoolDoesNotCompile) {
  using Numbers = typename TypeParam::template PoolOf<Number>;
  static_assert(Accepts<Numbers, Handle<Number>>);
  static_assert(!Accepts<Numbers, Handle<Voice>>);
  static_assert(!Accepts<Numbers, Handle<Number, u32, u8>>);
  static_assert(!Accepts<Numbers, u64>);
  static_assert(!Accepts<SwitchablePool<Number>, Handle<Voice>>);
  static_assert(!std::is_copy_constructible_v<Numbers> && std::is_move_constructible_v<Numbers>);
}

// ---------------------------------------------------------------------------------------------------- switching

TEST(SwitchablePool, HandlesPolicyCapacityAndCountersCarryOver) {
  SwitchablePool<Tracked> pool(StrategyId::Heap, 64);
  std::vector<SwitchablePool<Tracked>::HandleType> handles;
  for (u64 i = 0; i < 80; ++i) handles.push_back(pool.acquire(i));
  for (u32 i = 0; i < 64; i += 3) pool.release(handles[i]);
  pool.release(handles[0]);
  pool.set_policy(PolicyId::StealOldest, [](const Tracked& t) { return t.serial; });
  const PoolStats before = pool.stats();
  for (u32 turn = 0; turn < 7; ++turn) {
    pool.set_strategy(static_cast<StrategyId>((turn + 1) % kStrategyCount));
    ASSERT_EQ(pool.strategy(), static_cast<StrategyId>((turn + 1) % kStrategyCount));
    for (u32 i = 0; i < 64; ++i) {
      const Tracked* value = pool.visit([&](auto& p) { return p.get(handles[i]); });
      ASSERT_EQ(value != nullptr, i % 3 != 0) << i;
      ASSERT_TRUE(!value || (value->serial == i && value->sound()));
    }
    const PoolStats now = pool.stats();
    EXPECT_EQ(now.live, before.live);
    EXPECT_EQ(now.peak, before.peak);
    EXPECT_EQ(now.capacity, before.capacity);
    EXPECT_EQ(now.spawned, before.spawned);
    EXPECT_EQ(now.released, before.released);
    EXPECT_EQ(now.rejected, before.rejected);
    EXPECT_EQ(now.double_releases, before.double_releases);
    EXPECT_EQ(pool.policy(), PolicyId::StealOldest);
    EXPECT_GE(now.new_calls, before.new_calls);
  }
  EXPECT_EQ(Tracked::alive, pool.live());
}

TEST(SwitchablePool, SwitchingToTheSameStrategyDoesNothing) {
  SwitchablePool<Number> pool(StrategyId::FreeList, 8);
  const Number* address = pool.get(pool.acquire(u64{1}));
  const u64 calls = pool.stats().new_calls;
  pool.set_strategy(StrategyId::FreeList);
  EXPECT_EQ(pool.stats().new_calls, calls);
  pool.visit([&](auto& p) { p.for_each([&](const Number& n) { EXPECT_EQ(&n, address); }); });
}

TEST(SwitchablePool, StrategiesStealAndRejectAlike) {
  for (const PolicyId policy : {PolicyId::Reject, PolicyId::StealOldest}) {
    std::vector<std::vector<u64>> living;
    for (u32 arm = 0; arm < kStrategyCount + 1; ++arm) {
      SwitchablePool<Number> pool(static_cast<StrategyId>(arm % kStrategyCount), 30);
      pool.set_policy(policy, [](const Number& n) { return serial_of(n); });
      Rng rng(5);
      for (u64 i = 0; i < 3000; ++i) {
        pool.acquire(i);
        const u64 chosen = rng.below(40);
        if (i % 4 == 0) pool.visit([&](auto& p) { p.release_if([&](const Number& n) { return n.value % 40 == chosen; }); });
        if (arm == kStrategyCount && i % 100 == 0) pool.set_strategy(static_cast<StrategyId>(i / 100 % kStrategyCount));
        if (i % 500 == 250) pool.set_capacity(10 + rng.below(50));
      }
      living.emplace_back();
      pool.visit([&](auto& p) { p.for_each([&](const Number& n) { living.back().push_back(n.value); }); });
      std::sort(living.back().begin(), living.back().end());
      ASSERT_FALSE(living.back().empty());
      EXPECT_EQ(living.back(), living.front());
    }
  }
}

}  // namespace
}  // namespace spellpool::pool
