// Handles of sibling pools, in a program whose handles carry their pool's number (SPELLPOOL_CHECK_OWNERS=1). It is a program of its own
// because all files of a program must agree on the layout of handles.
#include "../storage_kinds.hpp"

#if !SPELLPOOL_CHECK_OWNERS
#error "compile this program with -DSPELLPOOL_CHECK_OWNERS=1"
#endif

namespace spellpool::pool {
namespace {

template <class Kind>
class SiblingPools : public ::testing::Test {};
TYPED_TEST_SUITE(SiblingPools, StorageKinds, KindNames);

TYPED_TEST(SiblingPools, AHandleOfAnotherPoolIsForeign) {
  typename TypeParam::template PoolOf<Grain> mine(4), other(4);
  const auto handle = mine.acquire(u64{1}), theirs = other.acquire(u64{2});
  ASSERT_EQ(handle, theirs) << "the same slot and generation";
  EXPECT_EQ(mine.release(theirs), ReleaseResult::ForeignHandle);
  EXPECT_TRUE(mine.get(theirs) == nullptr);
  EXPECT_TRUE(mine.peek(theirs) == nullptr);
  EXPECT_FALSE(mine.contains(theirs));
  EXPECT_FALSE(mine.erase(theirs));
  EXPECT_EQ(mine.stats().foreign_handles, 3u);
  EXPECT_EQ(mine.stats().stale_handles, 0u);
  EXPECT_EQ(mine.get(handle)->serial, 1u);
  EXPECT_EQ(mine.live(), 1u);
}
TYPED_TEST(SiblingPools, EveryHandleThatAPoolGivesNamesItsOwner) {
  typename TypeParam::template PoolOf<Grain> pool(8), other(8);
  const auto own = [&](auto handle) { return pool.contains(handle) && !other.contains(handle); };
  for (u64 i = 0; i < 3; ++i) other.acquire(i);
  const auto first = pool.acquire(u64{0});
  EXPECT_TRUE(own(first));
  pool.acquire_n(2, [](u32 i) { return Grain(1 + i); }, [&](u32, auto handle) { EXPECT_TRUE(own(handle)); });
  pool.for_each_handle([&](auto handle, const Grain&) { EXPECT_TRUE(own(handle)); });
  for (const auto& [handle, grain] : std::as_const(pool).items()) EXPECT_TRUE(own(handle));
  EXPECT_TRUE(own(pool.find_if([](const Grain& grain) { return grain.serial == 2; })));
  EXPECT_TRUE(own(pool.handle_at(first.index)));
}
TYPED_TEST(SiblingPools, AHandleFollowsItsObjectsWhenPoolsMoveOrSwap) {
  using P = typename TypeParam::template PoolOf<Grain>;
  P a(4), b(4);
  const auto of_a = a.acquire(u64{1}), of_b = b.acquire(u64{2});
  swap(a, b);
  EXPECT_EQ(a.get(of_b)->serial, 2u);
  EXPECT_EQ(b.get(of_a)->serial, 1u);
  EXPECT_FALSE(a.contains(of_a) || b.contains(of_b));
  const P moved(std::move(a));
  EXPECT_TRUE(moved.contains(of_b));
  EXPECT_TRUE(a.set_capacity(4));
  const auto later = a.acquire(u64{3});
  EXPECT_FALSE(moved.contains(later) || a.contains(of_b));
}
TEST(SiblingHandles, AHandleSurvivesASwitchOfStrategy) {
  ExhibitPool<Grain> pool(StrategyId::FreeList, 4), other(StrategyId::FreeList, 4);
  const auto handle = pool.acquire(u64{1}), theirs = other.acquire(u64{2});
  for (const StrategyRow& each : kStrategies) {
    ASSERT_TRUE(pool.set_strategy(each.id));
    EXPECT_TRUE(pool.contains(handle)) << each.name;
    EXPECT_EQ(pool.release(theirs), ReleaseResult::ForeignHandle) << each.name;
  }
}
TEST(SiblingHandles, AHandleThatWasPutTogetherIsNotChecked) {
  FreeListPool<Grain> pool(4);
  const auto handle = pool.acquire(u64{1});
  EXPECT_TRUE(pool.contains({handle.index, handle.generation}));
}

}  // namespace
}  // namespace spellpool::pool
