// What pools cost: operator new calls, bytes a slot, and poisoned memory under AddressSanitizer.
#include <vector>

#include "allocation_probe.hpp"
#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

using test::new_calls;
using test::new_calls_in;

struct Bytes48 {
  u64 serial = 0;
  u64 rest[5] = {};
};
}  // namespace
template <>
struct OrderOf<Bytes48> {
  static u64 serial(const Bytes48& value) { return value.serial; }
  static float score(const Bytes48& value) { return static_cast<float>(value.serial % 100); }
};
template <>
struct FieldsOf<Bytes48> {
  using Hot = FieldList<&Bytes48::rest>;
  using Cold = FieldList<&Bytes48::serial>;
};
namespace {
struct Bytes4 {
  u32 value = 0;
};
struct Bytes12 {
  u32 value[3] = {};
};

template <class P>
void churn(P& pool, std::vector<typename P::HandleType>& handles) {
  Rng rng(9);
  for (u64 i = 0; i < 20'000; ++i) {
    auto& handle = handles[rng.below(static_cast<u32>(handles.size()))];
    pool.release(handle);
    handle = pool.acquire(i);
    if (i % 1000 == 0) pool.release_if([](const auto& value) { return value.serial % 7 == 3; });
  }
  pool.for_each([](auto& value) { value.rest[0] += 1; });
  pool.clear();
  for (u64 i = 0; i < pool.capacity() + 10; ++i) pool.acquire(i);
}

template <class Kind>
class PoolMemory : public ::testing::Test {};
TYPED_TEST_SUITE(PoolMemory, StorageKinds, KindNames);

TYPED_TEST(PoolMemory, AllocatesWhenMadeAndNeverAfterAndCountsItsCallsRight) {
  const bool a_call_an_object = TypeParam::kId == StrategyId::Heap || TypeParam::kId == StrategyId::Pmr;
  std::vector<Handle<Bytes48>> handles(1200);
  for (const PolicyId policy : {PolicyId::Reject, PolicyId::StealOldest, PolicyId::StealLeast, PolicyId::Pressure}) {
    const u64 before = new_calls();
    typename TypeParam::template PoolOf<Bytes48> pool(1000);
    EXPECT_EQ(pool.new_calls(), new_calls() - before);
    (void)pool.set_policy(policy);
    const u64 calls = new_calls_in([&] { churn(pool, handles); });
    if (!a_call_an_object) {
      EXPECT_EQ(calls, 0u) << row(policy).name;
    }
    if (policy == PolicyId::StealOldest || policy == PolicyId::StealLeast) {
      EXPECT_GT(pool.stats().stolen, 0u);
      EXPECT_EQ(new_calls_in([&] { (void)pool.set_policy(PolicyId::Reject); }), 0u);
    }
    const u64 own = pool.new_calls(), all = new_calls();
    (void)pool.set_capacity(3000);
    EXPECT_EQ(pool.new_calls() - own, new_calls() - all) << "growing";
    for (u64 i = 0; i < 2500; ++i) pool.acquire(i);
    pool.clear();
    pool.trim(100);
    EXPECT_EQ(pool.new_calls() - own, new_calls() - all) << "trimming";
  }
}

TEST(FreeListMemory, BuildingTheAgeListAllocatesOnlyWhenThePolicyIsChosen) {
  FreeListPool<Bytes48> pool(1000);
  const u64 bytes = pool.stats().bytes;
  EXPECT_GT(new_calls_in([&] { (void)pool.set_policy(PolicyId::StealOldest); }), 0u);
  EXPECT_LE(pool.stats().bytes - bytes, 8u * 1001);
  (void)pool.set_policy(PolicyId::Reject);
  EXPECT_EQ(pool.stats().bytes, bytes);
}

TEST(HeapMemory, OneNewPerObjectAndOneDelete) {
  HeapPool<Bytes48> pool(1000);
  std::vector<Handle<Bytes48>> handles(1000);
  const u64 spawned_before = pool.stats().spawned;
  const u64 deletes_before = test::delete_calls();
  const u64 calls = new_calls_in([&] { churn(pool, handles); });
  const PoolStats stats = pool.stats();
  EXPECT_EQ(calls, stats.spawned - spawned_before);
  EXPECT_EQ(test::delete_calls() - deletes_before, stats.released);
  EXPECT_EQ(new_calls_in([&] { pool.acquire(u64{1}); }), 0u) << "a rejected object costs nothing";
}

TEST(HeapMemory, CountsItsOwnCallsRight) {
  const u64 before = new_calls();
  HeapPool<Bytes48> pool(100);
  for (u64 i = 0; i < 60; ++i) pool.acquire(i);
  EXPECT_EQ(pool.new_calls(), new_calls() - before);
  (void)pool.set_capacity(200);
  EXPECT_EQ(pool.new_calls(), new_calls() - before);
}

TEST(SwitchablePoolMemory, CountsTheCallsOfSwitchesRight) {
  const u64 before = new_calls();
  ExhibitPool<Bytes48> pool(StrategyId::Heap, 100);
  for (u64 i = 0; i < 60; ++i) pool.acquire(i);
  for (u32 turn = 1; turn < 8; ++turn) {
    pool.set_strategy(static_cast<StrategyId>(turn % kStrategyCount));
    (void)pool.set_capacity(100 + turn * 10);
    EXPECT_EQ(pool.stats().new_calls, new_calls() - before) << turn;
  }
}

template <class T>
void metadata_is_small() {
  for (const u32 slots : {1u, 64u, 1000u, 20'000u}) {
    const FreeListPool<T> pool(slots);
    const u64 cell = sizeof(T) < 8 ? 8 : (sizeof(T) + 7) / 8 * 8;
    ASSERT_GE(pool.stats().bytes, cell * slots);
    const u64 besides = pool.stats().bytes - cell * slots;
    EXPECT_LE(besides, slots * u64{8} + 12) << slots;
    const double a_slot = static_cast<double>(besides) / slots;
    EXPECT_TRUE(slots < 1000 || a_slot <= 4.2) << a_slot << ": 4 of generation and 1/8 of occupancy are expected";
  }
}

TEST(FreeListMemory, MetadataIsAtMost8BytesASlot) {
  metadata_is_small<Bytes48>();
  metadata_is_small<Bytes4>();
  metadata_is_small<Bytes12>();
}

TEST(FreeListMemory, TheListCostsNoMemoryBeyondTheCells) {
  FreeListPool<Bytes48> pool(64);
  std::vector<const std::byte*> addresses;
  for (u64 i = 0; i < 64; ++i) addresses.push_back(reinterpret_cast<const std::byte*>(pool.get(pool.acquire(i))));
  for (std::size_t i = 1; i < 64; ++i) EXPECT_EQ(addresses[i] - addresses[i - 1], static_cast<std::ptrdiff_t>(sizeof(Bytes48)));
}

TEST(FreeListMemory, ASmallPoolTakesLittleMoreThanItsObjects) {
  const FreeListPool<Bytes48, u8> bytes_of_generation(1000);
  EXPECT_LE(bytes_of_generation.stats().bytes, 1000u * 48 + 1000 + 16 * 8);
}

TEST(FreeListMemory, BytesIsWhatWasAskedOfTheHeap) {
  FreeListPool<Bytes48> pool(100'000);
  EXPECT_NEAR(static_cast<double>(pool.stats().bytes), 100'000 * (48 + 4.125), 16);
  (void)pool.set_capacity(1000);
  EXPECT_LT(pool.stats().bytes, 1000u * 53 + 100'000 * 4) << "a smaller capacity gives the cells back";
}

// ---------------------------------------------------------------------------------------------------- poison

#if defined(SPELLPOOL_POISON)
template <class T>
u32 read_first_word_after_release(u32 releases) {
  FreeListPool<T, u8> pool(8);
  const volatile u32* word = nullptr;
  for (u32 i = 0; i < releases; ++i) {
    const auto handle = pool.acquire();
    word = reinterpret_cast<const volatile u32*>(pool.get(handle));
    pool.release(handle);
  }
  return *word;
}
template <class T>
u32 read_last_word_after_release() {
  FreeListPool<T> pool(8);
  const auto handle = pool.acquire();
  const volatile u32* word = reinterpret_cast<const volatile u32*>(pool.get(handle)) + sizeof(T) / 4 - 1;
  pool.release(handle);
  return *word;
}
#endif

TEST(AsanMustFail, TouchingAReleasedObjectIsReported) {
#if defined(SPELLPOOL_POISON)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(read_first_word_after_release<Bytes48>(1), "use-after-poison");
  EXPECT_DEATH(read_last_word_after_release<Bytes48>(), "use-after-poison");
  EXPECT_DEATH(read_first_word_after_release<Bytes4>(1), "use-after-poison");
  EXPECT_DEATH(read_last_word_after_release<Bytes12>(), "use-after-poison");
#else
  GTEST_SKIP() << "needs a build with AddressSanitizer (preset asan)";
#endif
}

TEST(AsanMustFail, TouchingARetiredSlotIsReported) {
#if defined(SPELLPOOL_POISON)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(read_first_word_after_release<Bytes48>(127), "use-after-poison");
#else
  GTEST_SKIP() << "needs a build with AddressSanitizer (preset asan)";
#endif
}

TEST(AsanMustFail, TouchingAReleasedHeapObjectIsReported) {
#if defined(SPELLPOOL_POISON)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  HeapPool<Bytes48> pool(8);
  const auto handle = pool.acquire(u64{1});
  const volatile u64* word = &pool.get(handle)->serial;
  pool.release(handle);
  EXPECT_DEATH(static_cast<void>(*word), "heap-use-after-free");
#else
  GTEST_SKIP() << "needs a build with AddressSanitizer (preset asan)";
#endif
}

}  // namespace
}  // namespace spellpool::pool
