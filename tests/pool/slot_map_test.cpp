// The slot map against what the pool does: predicted places against the places that spawns then get, bytes against the object.
#include "pool/inspect/slot_map.hpp"

#include <cstring>
#include <set>

#include "storage_kinds.hpp"

namespace spellpool::pool {

struct Mark {
  u64 number = 0;
  u64 born = 0;  ///< A serial: who came first.
  float age = 0;
};
template <>
struct FieldsOf<Mark> {
  using Hot = FieldList<&Mark::age>;
  using Cold = FieldList<&Mark::number, &Mark::born>;
};
template <>
struct OrderOf<Mark> {
  static u64 serial(const Mark& mark) { return mark.born; }
  static float score(const Mark& mark) { return mark.age; }
};

namespace {

float age_of(const Mark& mark) { return mark.age; }

template <class K>
class SlotMapOf : public ::testing::Test {};
TYPED_TEST_SUITE(SlotMapOf, StorageKinds, KindNames);

// A pool in the middle of its life: live ones and free ones in no order.
template <class P>
std::vector<typename P::HandleType> churned(P& pool, u32 capacity, u64 seed) {
  Rng rng(seed);
  std::vector<typename P::HandleType> live;
  for (u32 i = 0; i < capacity * 6; ++i) {
    if (live.size() == capacity || (!live.empty() && rng.below(100) < 45)) {
      const u32 at = rng.below(static_cast<u32>(live.size()));
      pool.release(live[at]);
      live[at] = live.back();
      live.pop_back();
    } else {
      live.push_back(pool.acquire(u64{i}, u64{i}, rng.unit()));
    }
  }
  return live;
}

TYPED_TEST(SlotMapOf, ShowsEveryObjectAtItsPlaceWithItsAge) {
  typename TypeParam::template PoolOf<Mark> pool(150);
  const auto live = churned(pool, 150, 1);
  SlotMap map;
  map_slots(pool, map, 8, age_of);
  ASSERT_EQ(map.cells.size(), pool.stats().slots);
  u32 shown = 0;
  for (const u8 cell : map.cells) shown += cell >= kSlotLive;
  EXPECT_EQ(shown, live.size());
  EXPECT_EQ(map.live, live.size());
  EXPECT_EQ(map.free, pool.stats().free_slots);
  for (const auto handle : live) {
    const u32 place = pool.storage().place_of(handle.index);
    const float age = pool.peek(handle)->age;
    EXPECT_EQ(map.cells[place], kSlotLive + static_cast<u32>(age * 15.9984f));
    const SlotDetail detail = look_at_place(pool, place, age_of);
    EXPECT_EQ(detail.slot, handle.index);
    EXPECT_EQ(detail.generation, handle.generation);
    EXPECT_EQ(detail.cell, map.cells[place]);
    const u64 number = pool.peek(handle)->number;
    const u32 at = detail.object_at;
    ASSERT_GE(detail.byte_count, at + sizeof(Mark));
    u64 read = 0;
    std::memcpy(&read, &detail.bytes[at], sizeof read);
    EXPECT_EQ(read, number) << "the bytes of place " << place << " are not its object's";
  }
}

TYPED_TEST(SlotMapOf, TheNextPlacesAreThoseThatTheNextSpawnsGet) {
  for (u64 seed = 1; seed <= 20; ++seed) {
    typename TypeParam::template PoolOf<Mark> pool(60);
    auto live = churned(pool, 60, seed);
    SlotMap map;
    map_slots(pool, map, 1000, age_of);
    constexpr bool kUnknown = TypeParam::kId == StrategyId::Random || TypeParam::kId == StrategyId::Heap ||
                              TypeParam::kId == StrategyId::Pmr || TypeParam::kId == StrategyId::ConsoleHeap;
    if (kUnknown) {
      EXPECT_TRUE(map.next.empty());
      return;
    }
    ASSERT_EQ(map.next.size(), map.free) << "seed " << seed;
    for (const u32 place : map.next) {
      EXPECT_EQ(map.cells[place], kSlotFree);
      const auto handle = pool.acquire(u64{1}, u64{1000}, 0.5f);
      EXPECT_EQ(pool.storage().place_of(handle.index), place) << "seed " << seed;
    }
  }
}

#if !defined(SPELLPOOL_ONLY_KIND)
TEST(SlotMap, AFreeCellOfTheUnionListSaysInItsOwnBytesWhichOneIsNext) {
  FreeListPool<Mark> pool(60);
  churned(pool, 60, 3);
  SlotMap map;
  map_slots(pool, map, 1000, age_of);
  for (std::size_t i = 0; i + 1 < map.next.size(); ++i) {
    const SlotDetail detail = look_at_place(pool, map.next[i], age_of);
    ASSERT_EQ(detail.link_bytes, sizeof(u32));
    u32 next = 0;
    std::memcpy(&next, &detail.bytes[detail.link_at], sizeof next);
    EXPECT_EQ(next, map.next[i + 1]);
  }
}
#endif

TYPED_TEST(SlotMapOf, FilledCellsAreThoseWhoseBytesAreFilled) {
  typename TypeParam::template PoolOf<Mark> pool(40);
  SlotMap map;
  std::vector<typename TypeParam::template PoolOf<Mark>::HandleType> live;
  for (u32 i = 0; i < 20; ++i) live.push_back(pool.acquire(u64{i}, u64{i}, 0.0f));
  pool.release(live[3]);
  pool.set_fill(true);
  map_slots(pool, map, 8, age_of);
  EXPECT_EQ(map.filled, 0u);  // none has come back since
  const bool cells = map.places == PlaceKind::Cells, packed = TypeParam::kId == StrategyId::Packed;  // packed ones are filled at the end
  for (const u32 i : {5u, 7u, 11u}) {
    const u32 place = pool.storage().place_of(live[i].index);
    pool.release(live[i]);
    map_slots(pool, map, 8, age_of);
    EXPECT_TRUE(packed || (map.cells[place] == kSlotFilled) == cells);
  }
  EXPECT_EQ(map.filled, cells || packed ? 3u : 0u);
  pool.set_fill(false);
  map_slots(pool, map, 8, age_of);
  EXPECT_EQ(map.filled, 0u);
}

TYPED_TEST(SlotMapOf, StolenPlacesAreMarkedAndFade) {
  for (const PolicyId policy : {PolicyId::StealOldest, PolicyId::StealLeast}) {
    typename TypeParam::template PoolOf<Mark> pool(30);
    (void)pool.set_policy(policy);
    typename TypeParam::template PoolOf<Mark>::HandleType first;
    for (u32 i = 0; i < 30; ++i) {
      const auto handle = pool.acquire(u64{i}, u64{i}, i == 4 ? 0.0f : 0.5f);
      if (i == (policy == PolicyId::StealOldest ? 0u : 4u)) first = handle;
    }
    watch_steals(pool, true);
    const u32 place = pool.storage().place_of(first.index);
    pool.acquire(u64{99}, u64{99}, 0.5f);
    EXPECT_FALSE(pool.contains(first));
    SlotMap map;
    map_slots(pool, map, 8, age_of);
    EXPECT_EQ(map.stolen, 1u);
    EXPECT_NE(map.cells[place] & kSlotStolen, 0);
    (void)pool.set_capacity(200);  // marks follow the slots
    for (u32 i = 0; i < StealMarks::kShown; ++i) {
      EXPECT_TRUE(stolen_lately(pool, place));
      fade_steals(pool);
    }
    EXPECT_FALSE(stolen_lately(pool, place));
    watch_steals(pool, false);
    map_slots(pool, map, 8, age_of);
    EXPECT_EQ(map.stolen, 0u);
  }
}

// One that finds no memory for its table.
struct Poor final : SlotListener {
  static constexpr char kKind = 0;
  explicit Poor(int& count) : SlotListener(&kKind, false), gone(count) {}
  ~Poor() override { ++gone; }
  void resized(u32) override { throw std::bad_alloc(); }
  int& gone;
};

TYPED_TEST(SlotMapOf, AListenerThatFindsNoMemoryIsGoneAndThePoolGoesOn) {
  typename TypeParam::template PoolOf<Mark> pool(8);
  int gone = 0;
  EXPECT_THROW(pool.attach(new Poor(gone)), std::bad_alloc);
  EXPECT_EQ(gone, 1);
  EXPECT_TRUE(pool.set_capacity(64));  // would call resized() of one that is still in the list
  for (u32 i = 0; i < 64; ++i) EXPECT_TRUE(pool.acquire(u64{i}, u64{i}, 0.5f));
}

TYPED_TEST(SlotMapOf, UsedUpSlotsAreShownAsRetired) {
  typename TypeParam::template PoolOf<Mark, u8> pool(4);
  for (u32 i = 0; i < 700; ++i) pool.release(pool.acquire(u64{i}, u64{i}, 0.0f));
  const auto last = pool.acquire(u64{1}, u64{1}, 0.0f);
  SlotMap map;
  map_slots(pool, map, 8, age_of);
  ASSERT_GT(pool.stats().retired_slots, 0u);
  u32 retired = 0;
  for (const u8 cell : map.cells) retired += cell == kSlotRetired;
  EXPECT_EQ(retired, pool.stats().retired_slots);
  EXPECT_EQ(map.live + map.free + map.retired, map.cells.size());
  for (u32 place = 0; place < map.cells.size(); ++place) EXPECT_EQ(look_at_place(pool, place, age_of).cell, map.cells[place]) << place;
  EXPECT_GE(map.cells[pool.storage().place_of(last.index)], kSlotLive);
}

}  // namespace
}  // namespace spellpool::pool
