// Pools of mixed types: trays by size, and slots as large as the largest. One promise a test, for both; then the models.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "allocation_probe.hpp"
#include "core/rng.hpp"
#include "pool/memory/size_class_pool.hpp"
#include "pool/memory/variant_pool.hpp"

namespace spellpool::pool {

inline void PrintTo(CellRelease result, std::ostream* out) {
  constexpr const char* kNames[] = {"Released", "NullHandle", "DoubleRelease", "StaleHandle", "WrongType", "ForeignHandle"};
  *out << kNames[static_cast<int>(result)];
}

namespace {

/// Counts how many of it exist, owns a heap block, and notices when it is used after its end. One type for each N.
template <std::size_t N>
struct Thing {
  static inline i64 alive = 0;
  static constexpr u32 kMark = 0x5eed5eedu + N;

  explicit Thing(u64 s) : serial(s), text(std::make_unique<std::string>("a name for " + std::to_string(s))) {
    for (std::size_t i = 0; i < N; ++i) bytes[i] = static_cast<u8>(s + i);
    ++alive;
  }
  Thing(const Thing&) = delete;
  ~Thing() {
    EXPECT_EQ(mark, kMark) << "the destructor of another type, or twice";
    mark = 0;
    --alive;
  }
  bool sound() const {
    for (std::size_t i = 0; i < N; ++i) {
      if (bytes[i] != static_cast<u8>(serial + i)) return false;
    }
    return mark == kMark && *text == "a name for " + std::to_string(serial);
  }
  u64 serial;
  std::unique_ptr<std::string> text;
  u32 mark = kMark;
  u8 bytes[N];
};
using Spark = Thing<4>;    // 24 bytes
using Bolt = Thing<60>;    // 80 bytes
using Boss = Thing<400>;   // 424 bytes or so
static_assert(sizeof(Spark) <= 32 && sizeof(Bolt) > 32 && sizeof(Bolt) <= 128 && sizeof(Boss) > 128 && sizeof(Boss) <= 512);

struct Plain {
  u32 x = 0, y = 0;
};
struct alignas(64) Aligned {
  float lanes[16] = {};
};
struct MoveOnly {
  explicit MoveOnly(std::unique_ptr<int> v) : value(std::move(v)) {}
  std::unique_ptr<int> value;
};
struct Byte {
  u8 value = 0;
};

/// A pool of either kind for these types with room for `slots` of each.
struct TraysKind {
  static constexpr const char* kName = "trays";
  template <class Generation, class... Ts>
  using PoolOf = BasicSizeClassPool<Generation>;
  template <class Generation, class... Ts>
  static PoolOf<Generation, Ts...> make(u32 slots) {
    return PoolOf<Generation, Ts...>({TraySpec{std::max({sizeof(Ts)...}), slots, std::max({alignof(Ts)...})}});
  }
};
struct VariantKind {
  static constexpr const char* kName = "variant";
  template <class Generation, class... Ts>
  using PoolOf = BasicVariantPool<Generation, Ts...>;
  template <class Generation, class... Ts>
  static PoolOf<Generation, Ts...> make(u32 slots) {
    return PoolOf<Generation, Ts...>(slots);
  }
};
struct KindNames {
  template <class Kind>
  static std::string GetName(int) {
    return Kind::kName;
  }
};

template <class Kind>
class MixedPool : public ::testing::Test {
 protected:
  ~MixedPool() override {
    EXPECT_EQ(Spark::alive, 0);
    EXPECT_EQ(Bolt::alive, 0);
    EXPECT_EQ(Boss::alive, 0);
  }
  template <class... Ts>
  static auto of(u32 slots) {
    return Kind::template make<u32, Ts...>(slots);
  }
  template <class Generation, class... Ts>
  static auto of_generation(u32 slots) {
    return Kind::template make<Generation, Ts...>(slots);
  }
};
using Kinds = ::testing::Types<TraysKind, VariantKind>;
TYPED_TEST_SUITE(MixedPool, Kinds, KindNames);

// ---------------------------------------------------------------------------------------------------- one promise a test

TYPED_TEST(MixedPool, GivesOutAsManyAsItsSlotsThenTheNullHandle) {
  auto pool = this->template of<Spark, Boss>(10);
  for (u64 i = 0; i < 5; ++i) {
    EXPECT_TRUE(pool.template make<Spark>(i));
    EXPECT_TRUE(pool.template make<Boss>(i));
  }
  EXPECT_FALSE(pool.template make<Spark>(u64{10}));
  EXPECT_FALSE(pool.template make<Boss>(u64{10}));
  EXPECT_EQ(pool.live(), 10u);
  EXPECT_EQ(Spark::alive + Boss::alive, 10);
  const CellPoolStats stats = pool.stats();
  EXPECT_EQ(stats.rejected, 2u);
  EXPECT_EQ(stats.too_large, 0u);
  EXPECT_EQ(stats.made, 10u);
  EXPECT_EQ(stats.live, 10u);
}

TYPED_TEST(MixedPool, AReleasedHandleNeverResolvesAgain) {
  auto pool = this->template of_generation<u8, Spark, Bolt>(3);
  std::vector<CellHandle<void, u8>> dead;
  u32 made = 0;
  for (;;) {
    const auto spark = pool.template make<Spark>(u64{made});
    const auto bolt = pool.template make<Bolt>(u64{made});
    if (!spark && !bolt) break;
    made += (spark ? 1u : 0u) + (bolt ? 1u : 0u);
    for (const auto& handle : {spark.any(), bolt.any()}) {
      if (!handle) continue;
      ASSERT_EQ(std::count(dead.begin(), dead.end(), handle), 0) << "a name is given once";
      ASSERT_EQ(pool.release(handle), CellRelease::Released);
      dead.push_back(handle);
    }
    if (made % 40 < 2) {
      for (const auto& handle : dead) {
        ASSERT_EQ(pool.template get<Spark>(handle), nullptr);
        ASSERT_EQ(pool.template get<Bolt>(handle), nullptr);
        ASSERT_NE(pool.release(handle), CellRelease::Released);
      }
    }
  }
  EXPECT_EQ(made, 3u * 127) << "3, 5 … 255 for each slot, then it is worn out";
  EXPECT_EQ(pool.stats().retired_slots, 3u);
}

TYPED_TEST(MixedPool, ReleaseSaysWhatIsWrongAndCountsIt) {
  auto pool = this->template of<Spark, Bolt>(4);
  auto other = this->template of<Spark, Bolt>(4);
  const auto first = pool.template make<Spark>(u64{1});
  EXPECT_EQ(pool.release(first), CellRelease::Released);
  EXPECT_EQ(pool.release(first), CellRelease::DoubleRelease);
  const auto second = pool.template make<Bolt>(u64{2});
  ASSERT_EQ(second.index, first.index) << "LIFO";
  EXPECT_EQ(pool.release(first), CellRelease::StaleHandle);
  EXPECT_EQ(pool.get(first), nullptr);

  // Forged: the typed handle of a spark where a bolt lives.
  const CellHandle<Spark> forged{second.index, second.generation, second.tray, second.pool};
  EXPECT_EQ(pool.release(forged), CellRelease::WrongType);
  EXPECT_EQ(pool.get(forged), nullptr);
  EXPECT_EQ(pool.template get<Spark>(second.any()), nullptr);
  EXPECT_EQ(pool.template get<Bolt>(second.any()), pool.get(second));

  const auto others = other.template make<Bolt>(u64{3});
  EXPECT_EQ(pool.release(others), CellRelease::ForeignHandle) << "same slot, same generation, other pool";
  EXPECT_EQ(pool.get(others), nullptr);
  for (const CellHandle<void> handle : {CellHandle<void>{99, second.generation, second.tray, second.pool},
                                        CellHandle<void>{0xffffffffu, second.generation, second.tray, second.pool},
                                        CellHandle<void>{second.index, second.generation, 77, second.pool},
                                        CellHandle<void>{second.index, second.generation, second.tray, 0}}) {
    EXPECT_EQ(pool.release(handle), CellRelease::ForeignHandle);
  }
  // A free slot's generation is nobody's name.
  EXPECT_EQ(pool.release(CellHandle<void>{1, 2, second.tray, second.pool}), CellRelease::ForeignHandle);
  EXPECT_EQ(pool.release(CellHandle<void>{1, 3, second.tray, second.pool}), CellRelease::ForeignHandle) << "not yet so often";
  EXPECT_EQ(pool.release(CellHandle<Spark>{}), CellRelease::NullHandle);
  EXPECT_EQ(pool.release(CellHandle<void>{}), CellRelease::NullHandle);
  EXPECT_EQ(pool.get(CellHandle<Spark>{}), nullptr);

  const CellPoolStats stats = pool.stats();
  EXPECT_EQ(stats.double_releases, 1u);
  EXPECT_EQ(stats.stale_handles, 2u);
  EXPECT_EQ(stats.wrong_types, 3u);
  EXPECT_EQ(stats.foreign_handles, 8u);
  EXPECT_EQ(stats.made, stats.released + stats.live);
  EXPECT_EQ(pool.get(second)->serial, 2u) << "and nothing has changed";
  EXPECT_EQ(Bolt::alive, 2);
}

TYPED_TEST(MixedPool, AnUntypedHandleRunsTheRightDestructor) {
  auto pool = this->template of<Spark, Bolt, Boss>(6);
  const auto spark = pool.template make<Spark>(u64{1}).any();
  const auto bolt = pool.template make<Bolt>(u64{2}).any();
  const auto boss = pool.template make<Boss>(u64{3}).any();
  EXPECT_EQ(pool.release(bolt), CellRelease::Released);
  EXPECT_EQ(Bolt::alive, 0);
  EXPECT_EQ(Spark::alive + Boss::alive, 2);
  EXPECT_EQ(pool.release(boss), CellRelease::Released);
  EXPECT_EQ(Boss::alive, 0);
  EXPECT_EQ(pool.release(spark), CellRelease::Released);
}

TYPED_TEST(MixedPool, EndsWhatLivesWhenItEnds) {
  {
    auto pool = this->template of<Spark, Boss>(70);
    for (u64 i = 0; i < 70; ++i) i % 3 == 0 ? pool.template make<Boss>(i).any() : pool.template make<Spark>(i).any();
    EXPECT_EQ(Spark::alive + Boss::alive, 70);
  }
  EXPECT_EQ(Spark::alive + Boss::alive, 0);
}

TYPED_TEST(MixedPool, ClearEndsAllAndHandlesGoStale) {
  auto pool = this->template of<Spark, Boss>(8);
  const auto spark = pool.template make<Spark>(u64{1});
  const auto boss = pool.template make<Boss>(u64{2});
  pool.clear();
  EXPECT_EQ(pool.live(), 0u);
  EXPECT_EQ(pool.get(spark), nullptr);
  EXPECT_EQ(pool.release(boss), CellRelease::DoubleRelease);
  EXPECT_EQ(pool.stats().released, 2u);
  for (u64 i = 0; i < 8; ++i) EXPECT_TRUE(pool.template make<Boss>(i));
}

TYPED_TEST(MixedPool, AWalkVisitsOneTypeOnly) {
  auto pool = this->template of<Spark, Bolt, Boss>(200);
  for (u64 i = 0; i < 150; ++i) {
    if (i % 2 == 0) pool.template make<Spark>(i);
    if (i % 3 == 0) pool.template make<Bolt>(i);
    if (i % 5 == 0) pool.template make<Boss>(i);
  }
  std::set<u64> seen;
  pool.template for_each<Bolt>([&](Bolt& bolt) {
    EXPECT_TRUE(bolt.sound());
    EXPECT_TRUE(seen.insert(bolt.serial).second);
  });
  EXPECT_EQ(seen.size(), 50u);
  for (const u64 serial : seen) EXPECT_EQ(serial % 3, 0u);
  u32 bosses = 0;
  std::as_const(pool).template for_each<Boss>([&](const Boss& boss) { bosses += boss.serial % 5 == 0 ? 1 : 100; });
  EXPECT_EQ(bosses, 30u);
  pool.template for_each_handle<Spark>([&](CellHandle<Spark> handle, Spark& spark) { EXPECT_EQ(pool.get(handle), &spark); });
  EXPECT_EQ(pool.stats().stale_handles, 0u);
}

TYPED_TEST(MixedPool, ReleaseIfEndsWhatItIsToldAndNoOtherType) {
  auto pool = this->template of<Spark, Bolt>(200);
  for (u64 i = 0; i < 100; ++i) {
    pool.template make<Spark>(i);
    pool.template make<Bolt>(i);
  }
  EXPECT_EQ(pool.template release_if<Spark>([](const Spark& spark) { return spark.serial % 4 == 1; }), 25u);
  EXPECT_EQ(Spark::alive, 75);
  EXPECT_EQ(Bolt::alive, 100);
  pool.template for_each<Spark>([](const Spark& spark) { EXPECT_NE(spark.serial % 4, 1u); });
  EXPECT_EQ(pool.stats().released, 25u);
}

TYPED_TEST(MixedPool, TakesAggregatesMoveOnlyOverAlignedAndTinyTypes) {
  auto pool = this->template of<Plain, MoveOnly, Aligned, Byte, std::string, std::vector<int>>(40);
  const auto plain = pool.template make<Plain>(3u, 4u);
  EXPECT_EQ(pool.get(plain)->y, 4u);
  EXPECT_EQ(pool.get(pool.template make<Plain>())->x, 0u);
  EXPECT_EQ(*pool.get(pool.template make<MoveOnly>(std::make_unique<int>(7)))->value, 7);
  EXPECT_EQ(*pool.get(pool.template make<std::string>(5u, 'x')), "xxxxx") << "round brackets: five of x";
  EXPECT_EQ(pool.get(pool.template make<std::vector<int>>(4u, 9))->size(), 4u);
  for (u32 i = 0; i < 20; ++i) {
    const auto handle = pool.template make<Aligned>();
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(pool.get(handle)) % 64, 0u);
    const auto byte = pool.template make<Byte>(static_cast<u8>(i));
    if (byte) {
      ASSERT_EQ(pool.get(byte)->value, i);
    }
  }
  EXPECT_EQ(pool.get(plain)->x, 3u);
}

TYPED_TEST(MixedPool, ObjectsStayWhereTheyAreWhenThePoolMoves) {
  auto first = this->template of<Spark, Boss>(8);
  const auto spark = first.template make<Spark>(u64{1});
  const Spark* address = first.get(spark);
  auto pool = std::move(first);
  EXPECT_EQ(pool.get(spark), address);
  EXPECT_EQ(first.live(), 0u);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.get(spark), nullptr);
  EXPECT_FALSE(first.template make<Spark>(u64{1}));
  auto third = this->template of<Spark, Boss>(2);
  const auto boss = third.template make<Boss>(u64{5});
  third = std::move(pool);
  EXPECT_EQ(third.get(spark), address);
  EXPECT_EQ(third.get(boss), nullptr);
  EXPECT_EQ(third.stats().made, 1u);
}

#if defined(__cpp_exceptions)
struct Throwing {
  explicit Throwing(bool doit) {
    std::fill(std::begin(bytes), std::end(bytes), u8{0xee});  // over the free list's link
    if (doit) throw 7;
  }
  u8 bytes[40];
};
TYPED_TEST(MixedPool, AConstructorThatThrowsCostsNothing) {
  auto pool = this->template of<Throwing, Spark>(5);
  for (u32 round = 0; round < 20; ++round) {
    EXPECT_THROW(pool.template make<Throwing>(true), int);
    if (round < 3) {
      EXPECT_TRUE(pool.template make<Throwing>(false));
    }
  }
  EXPECT_EQ(pool.live(), 3u);
  EXPECT_EQ(pool.stats().made, 3u);
  EXPECT_EQ(pool.stats().rejected, 0u);
  EXPECT_EQ(pool.stats().used_bytes, 3 * sizeof(Throwing));
  EXPECT_TRUE(pool.template make<Spark>(u64{1}));
  EXPECT_TRUE(pool.template make<Spark>(u64{2}));
  EXPECT_FALSE(pool.template make<Spark>(u64{3}));
}
#endif

TYPED_TEST(MixedPool, AllocatesNothingAfterItsConstruction) {
  auto pool = this->template of<Plain, Aligned>(100);
  std::vector<CellHandle<void>> handles(100);
  Rng rng(4);
  EXPECT_EQ(test::new_calls_in([&] {
              for (u32 i = 0; i < 10'000; ++i) {
                auto& handle = handles[rng.below(100)];
                pool.release(handle);
                handle = i % 2 == 0 ? pool.template make<Plain>(i, i).any() : pool.template make<Aligned>().any();
              }
              pool.template for_each<Plain>([](Plain& plain) { ++plain.x; });
              pool.template release_if<Plain>([](const Plain& plain) { return plain.x % 2 == 0; });
              pool.stats();
            }),
            0u);
}

// Objects that make and release others of the same pool while they begin and end.
template <class Pool>
struct Nested {
  Nested(Pool& p, u32 depth) : pool(&p), child(depth == 0 ? CellHandle<Nested>{} : p.template make<Nested>(p, depth - 1)) { ++alive; }
  ~Nested() {
    pool->release(child);
    --alive;
  }
  Pool* pool;
  CellHandle<Nested> child;
  static inline i64 alive = 0;
};
TEST(SizeClassPool, ConstructorsAndDestructorsMayUseThePool) {
  using Node = Nested<SizeClassPool>;
  SizeClassPool pool({{sizeof(Node), 10}});
  const auto root = pool.make<Node>(pool, 4u);
  EXPECT_EQ(Node::alive, 5);
  EXPECT_EQ(pool.live(), 5u);
  const auto other = pool.make<Node>(pool, 2u);
  EXPECT_EQ(pool.release(root), CellRelease::Released);
  EXPECT_EQ(Node::alive, 3);
  pool.clear();
  EXPECT_EQ(Node::alive, 0);
  EXPECT_EQ(pool.get(other), nullptr);
  pool.make<Node>(pool, 20u);  // its last descendants find no room
  EXPECT_EQ(pool.live(), 10u);
  EXPECT_EQ(pool.stats().rejected, 1u);
  pool.release_if<Node>([](const Node&) { return true; });
  EXPECT_EQ(Node::alive, 0);
}
// Who ends is gone for everybody, itself included.
struct Ending {
  ~Ending() {
    EXPECT_EQ(pool->get(me), nullptr);
    EXPECT_EQ(pool->release(me), CellRelease::DoubleRelease);
    pool->for_each<Ending>([&](Ending& other) { EXPECT_NE(&other, this); });
  }
  SizeClassPool* pool = nullptr;
  CellHandle<Ending> me;
};
TEST(SizeClassPool, AnObjectIsGoneBeforeItsDestructorRuns) {
  SizeClassPool pool({{sizeof(Ending), 4}});
  for (u32 i = 0; i < 3; ++i) {
    const auto handle = pool.make<Ending>();
    pool.get(handle)->pool = &pool;
    pool.get(handle)->me = handle;
  }
  pool.release_if<Ending>([](const Ending& thing) { return thing.me.index == 1; });
  EXPECT_EQ(pool.live(), 2u);
  pool.clear();
  EXPECT_EQ(pool.stats().double_releases, 3u);
}
// A bolt leaves a spark behind where it ends: also when the pool does.
struct Leaves {
  explicit Leaves(SizeClassPool& p) : pool(&p) {}
  ~Leaves() { pool->make<Spark>(u64{1}); }
  SizeClassPool* pool;
};
TEST(SizeClassPool, ClearAlsoEndsWhatDestructorsMake) {
  {
    SizeClassPool pool({{32, 4}});
    pool.make<Leaves>(pool);
    pool.make<Leaves>(pool);
    EXPECT_EQ(Spark::alive, 0);
  }
  EXPECT_EQ(Spark::alive, 0);
}

// Each makes another where it ends: also while the pool does, which ends all the same.
template <class Pool>
struct Phoenix {
  explicit Phoenix(Pool& p) : pool(&p) { ++alive; }
  ~Phoenix() {
    --alive;
    if (pool->template make<Phoenix>(*pool)) ++reborn;
    rejected = pool->stats().rejected;
  }
  Pool* pool;
  static inline i64 alive = 0;
  static inline u64 reborn = 0, rejected = 0;
};
template <class Pool, class... Size>
void ends_whatever_destructors_make(Size... size) {
  using Bird = Phoenix<Pool>;
  Bird::reborn = Bird::rejected = 0;
  {
    Pool pool(size...), other(size...);
    for (u32 i = 0; i < 3; ++i) pool.template make<Bird>(pool);
    const auto kept = other.template make<Bird>(other);
    pool.release(pool.template make<Bird>(pool));
    EXPECT_EQ(Bird::reborn, 1u);
    EXPECT_EQ(pool.live(), 4u);
    EXPECT_EQ(Bird::alive, 5);

    pool = std::move(other);
    EXPECT_EQ(Bird::alive, 1) << "the target's objects ended";
    EXPECT_EQ(Bird::reborn, 1u);
    EXPECT_EQ(Bird::rejected, 4u);
    EXPECT_EQ(pool.live(), 1u);
    EXPECT_EQ(other.live(), 0u);
    EXPECT_FALSE(other.template make<Bird>(other));
    ASSERT_TRUE(pool.get(kept));
    pool.get(kept)->pool = &pool;
    for (u32 i = 0; i < 3; ++i) EXPECT_TRUE(pool.template make<Bird>(pool));
    EXPECT_EQ(pool.live(), 4u);
  }
  EXPECT_EQ(Bird::alive, 0);
  EXPECT_EQ(Bird::reborn, 1u);
  EXPECT_EQ(Bird::rejected, 4u);
}
TEST(SizeClassPool, ItsEndAndAnAssignmentEndWhateverDestructorsMake) {
  ends_whatever_destructors_make<SizeClassPool>(std::vector<TraySpec>{{16, 5}, {32, 5}}, Spill::Never);
}
struct PhoenixPool : VariantPool<Phoenix<PhoenixPool>, Byte> {
  using VariantPool<Phoenix<PhoenixPool>, Byte>::BasicVariantPool;
};
TEST(VariantPool, ItsEndAndAnAssignmentEndWhateverDestructorsMake) { ends_whatever_destructors_make<PhoenixPool>(5u); }

// ---------------------------------------------------------------------------------------------------- what must not compile

template <class Pool, class T, class Name>
concept CanGet = requires(Pool& pool, Name name) { pool.template get<T>(name); };
static_assert(CanGet<SizeClassPool, Spark, CellHandle<Spark>> && CanGet<SizeClassPool, Spark, CellHandle<void>>);
static_assert(!CanGet<SizeClassPool, Bolt, CellHandle<Spark>>, "a spark's handle does not name a bolt");
static_assert(!CanGet<SizeClassPool, Spark, CellHandle<Spark, u8>>, "nor one of another width");
static_assert(!CanGet<VariantPool<Spark, Bolt>, Bolt, CellHandle<Spark>>);
static_assert(!CanGet<VariantPool<Spark, Bolt>, Boss, CellHandle<Boss>>, "no boss lives there");
static_assert(CanGet<VariantPool<Spark, Bolt>, Bolt, CellHandle<void>>);
static_assert(!std::is_copy_constructible_v<SizeClassPool> && !std::is_copy_constructible_v<VariantPool<Spark>>);
static_assert(sizeof(CellHandle<Spark>) == 12);

// ---------------------------------------------------------------------------------------------------- trays

TEST(SizeClassPool, PutsObjectsIntoTheSmallestTrayTheyFit) {
  SizeClassPool pool({{512, 5}, {32, 10}, {128, 8}});
  const auto spark = pool.make<Spark>(u64{1});
  const auto bolt = pool.make<Bolt>(u64{2});
  const auto boss = pool.make<Boss>(u64{3});
  EXPECT_EQ(spark.tray, 0u) << "sorted by size";
  EXPECT_EQ(bolt.tray, 1u);
  EXPECT_EQ(boss.tray, 2u);
  ASSERT_EQ(pool.tray_count(), 3u);
  const u64 sizes[] = {32, 128, 512};
  const u32 slots[] = {10, 8, 5};
  const u64 used[] = {sizeof(Spark), sizeof(Bolt), sizeof(Boss)};
  for (std::size_t i = 0; i < 3; ++i) {
    const TrayStats tray = pool.tray_stats(i);
    EXPECT_EQ(tray.cell_bytes, sizes[i]);
    EXPECT_EQ(tray.align, 16u);
    EXPECT_EQ(tray.slots, slots[i]);
    EXPECT_EQ(tray.live, 1u);
    EXPECT_EQ(tray.used_bytes, used[i]);
    EXPECT_EQ(tray.wasted_bytes, sizes[i] - used[i]);
    EXPECT_GE(tray.bytes, slots[i] * (sizes[i] + 12));
    EXPECT_LE(tray.bytes, slots[i] * (sizes[i] + 12) + 8 + 8);
  }
  EXPECT_EQ(pool.waste(), 32 + 128 + 512 - sizeof(Spark) - sizeof(Bolt) - sizeof(Boss));
}

TEST(SizeClassPool, SpillsToTheNextLargerTrayWithRoom) {
  SizeClassPool pool({{32, 2}, {128, 2}, {512, 1}});
  pool.make<Bolt>(u64{0});
  const u64 waste = pool.waste();
  const u16 trays[] = {0, 0, 1, 2};
  std::vector<CellHandle<Spark>> sparks;
  for (const u16 tray : trays) {
    sparks.push_back(pool.make<Spark>(u64{1}));
    ASSERT_TRUE(sparks.back());
    EXPECT_EQ(sparks.back().tray, tray);
  }
  EXPECT_FALSE(pool.make<Spark>(u64{1}));
  EXPECT_FALSE(pool.make<Bolt>(u64{1}));
  EXPECT_EQ(pool.tray_stats(0).spilled, 2u);
  EXPECT_EQ(pool.tray_stats(1).spilled, 0u);
  EXPECT_EQ(pool.tray_stats(1).taken_in, 1u);
  EXPECT_EQ(pool.tray_stats(2).taken_in, 1u);
  EXPECT_EQ(pool.tray_stats(0).rejected, 1u);
  EXPECT_EQ(pool.tray_stats(1).rejected, 1u);
  EXPECT_EQ(pool.tray_stats(2).rejected, 0u);
  EXPECT_EQ(pool.waste() - waste, 32 + 32 + 128 + 512 - 4 * sizeof(Spark));
  u32 seen = 0;
  pool.for_each<Spark>([&](Spark&) { ++seen; });
  EXPECT_EQ(seen, 4u) << "the walk looks into the larger trays too";

  pool.release(sparks[0]);
  pool.set_spill(Spill::Never);
  EXPECT_EQ(pool.make<Spark>(u64{2}).tray, 0u);
  pool.release(sparks[3]);
  EXPECT_FALSE(pool.make<Spark>(u64{2})) << "there is room in a larger one, but it may not";
  EXPECT_EQ(pool.tray_stats(0).spilled, 2u);
  EXPECT_EQ(pool.tray_stats(0).peak, 2u);
  EXPECT_EQ(pool.stats().rejected, 3u);
  EXPECT_EQ(pool.stats().spilled, 2u);
}

TEST(SizeClassPool, ATypeLargerThanEveryTrayIsRefusedAndCounted) {
  SizeClassPool pool({{32, 2}, {128, 2}});
  EXPECT_FALSE(pool.fits<Boss>());
  EXPECT_TRUE(pool.fits<Bolt>());
  EXPECT_FALSE(pool.fits<Aligned>()) << "64 bytes, but aligned to 64 and the trays to 16";
  EXPECT_FALSE(pool.make<Boss>(u64{1}));
  EXPECT_FALSE(pool.make<Aligned>());
  EXPECT_EQ(pool.stats().too_large, 2u);
  EXPECT_EQ(pool.stats().rejected, 2u);
  EXPECT_EQ(Boss::alive, 0);
  SizeClassPool none({});
  EXPECT_FALSE(none.make<Spark>(u64{1}));
  EXPECT_EQ(none.stats().too_large, 1u);
  EXPECT_EQ(none.waste(), 0u);
}

TEST(SizeClassPool, AnOverAlignedTypeSkipsTraysThatAreNotAligned) {
  SizeClassPool pool({{50, 4, 64}, {64, 4}, {128, 4}, {256, 4, 256}});
  const u16 trays[] = {1, 1, 1, 1, 3, 3, 3, 3};
  EXPECT_EQ(pool.tray_stats(1).cell_bytes, 64u) << "50 rounded up to its alignment";
  EXPECT_EQ(pool.tray_stats(1).align, 64u);
  for (const u16 tray : trays) {
    const auto handle = pool.make<Aligned>();
    ASSERT_EQ(handle.tray, tray);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pool.get(handle)) % (tray == 3 ? 256u : 64u), 0u);
  }
  EXPECT_FALSE(pool.make<Aligned>());
  EXPECT_EQ(pool.tray_stats(0).live + pool.tray_stats(2).live, 0u);
}

TEST(SizeClassPool, TypesOfEqualShapeAreNotConfused) {
  struct A {
    u32 value;
  };
  struct B {
    u32 value;
  };
  SizeClassPool pool({{16, 4}});
  const auto a = pool.make<A>(1u).any();
  const auto b = pool.make<B>(2u).any();
  EXPECT_EQ(pool.get<A>(b), nullptr);
  EXPECT_EQ(pool.get<B>(a), nullptr);
  u32 sum = 0;
  pool.for_each<B>([&](B& value) { sum += value.value; });
  EXPECT_EQ(sum, 2u);
}

TEST(SizeClassPool, AllocatesOnceForEachTrayAndOnceForTheirList) {
  std::vector<TraySpec> trays = {{32, 100}, {128, 30}, {512, 5}};
  EXPECT_EQ(test::new_calls_in([&] { SizeClassPool pool(std::move(trays)); }), 3u + 1);
}

// ---------------------------------------------------------------------------------------------------- waste

// The same things in both: what the trays leave of their cells against what slots as large as the largest leave.
TEST(Waste, TraysWasteLessThanSlotsAsLargeAsTheLargest) {
  SizeClassPool trays({{32, 1000}, {128, 300}, {512, 50}});
  VariantPool<Spark, Bolt, Boss> variant(1350);
  for (u64 i = 0; i < 1000; ++i) trays.make<Spark>(i), variant.make<Spark>(i);
  for (u64 i = 0; i < 300; ++i) trays.make<Bolt>(i), variant.make<Bolt>(i);
  for (u64 i = 0; i < 50; ++i) trays.make<Boss>(i), variant.make<Boss>(i);
  const u64 used = 1000 * sizeof(Spark) + 300 * sizeof(Bolt) + 50 * sizeof(Boss);
  EXPECT_EQ(trays.stats().used_bytes, used);
  EXPECT_EQ(variant.stats().used_bytes, used);
  EXPECT_EQ(trays.waste(), 1000 * 32 + 300 * 128 + 50 * 512 - used);
  const u64 slot = (sizeof(Boss) + 7) / 8 * 8;
  EXPECT_EQ(variant.waste(), 1350 * slot - used);
  EXPECT_GT(variant.waste(), 15 * trays.waste());
  EXPECT_GT(variant.stats().bytes, 5 * trays.stats().bytes);
}

TEST(VariantPool, ShowsItsOneTray) {
  VariantPool<Spark, Boss> pool(10);
  pool.make<Boss>(u64{1});
  const auto spark = pool.make<Spark>(u64{1});
  EXPECT_EQ(pool.waste(), sizeof(Boss) - sizeof(Spark));
  const TrayStats tray = pool.tray_stats();
  EXPECT_EQ(tray.cell_bytes, sizeof(Boss));
  EXPECT_EQ(tray.slots, 10u);
  EXPECT_EQ(tray.live, 2u);
  EXPECT_LE(tray.bytes, 10 * (sizeof(Boss) + 5) + 8 + 4);
  pool.release(spark);
  EXPECT_EQ(pool.waste(), 0u);
  EXPECT_EQ(pool.tray_stats().peak, 2u);
}

TEST(VariantPool, AWalkOverAllCallsEachAsWhatItIs) {
  VariantPool<Spark, Bolt, Boss> pool(20);
  for (u64 i = 0; i < 4; ++i) pool.make<Spark>(i), pool.make<Boss>(i);
  pool.make<Bolt>(u64{9});
  std::map<std::size_t, u32> seen;
  pool.for_each_any([&](auto& thing) {
    EXPECT_TRUE(thing.sound());
    ++seen[sizeof(thing)];
  });
  EXPECT_EQ(seen, (std::map<std::size_t, u32>{{sizeof(Spark), 4}, {sizeof(Bolt), 1}, {sizeof(Boss), 4}}));
}

// ---------------------------------------------------------------------------------------------------- the models

template <class Generation>
class Model {
 public:
  using Any = CellHandle<void, Generation>;
  struct Living {
    std::size_t type;
    u64 serial;
  };
  static constexpr std::size_t kSizes[] = {sizeof(Spark), sizeof(Bolt), sizeof(Boss)};

  template <class Pool>
  void check(Pool& pool) {
    std::map<u64, std::size_t> by_serial;
    for (const auto& [key, thing] : live) {
      by_serial[thing.serial] = thing.type;
      const bool is[] = {sound<Spark>(pool, handles.at(key), thing), sound<Bolt>(pool, handles.at(key), thing),
                         sound<Boss>(pool, handles.at(key), thing)};
      for (std::size_t type = 0; type < 3; ++type) ASSERT_EQ(is[type], type == thing.type);
      wrong_types += 2;
    }
    std::map<u64, std::size_t> visits;
    pool.template for_each<Spark>([&](Spark& thing) { visits[thing.serial] += 1; });
    pool.template for_each<Bolt>([&](Bolt& thing) { visits[thing.serial] += 100; });
    pool.template for_each<Boss>([&](Boss& thing) { visits[thing.serial] += 10'000; });
    ASSERT_EQ(visits.size(), by_serial.size());
    constexpr std::size_t kOnce[] = {1, 100, 10'000};
    for (const auto& [serial, type] : by_serial) ASSERT_EQ(visits.at(serial), kOnce[type]);
    for (const Any& handle : dead) {
      ASSERT_EQ(pool.template get<Bolt>(handle), nullptr);
      ++stale;
    }
    const CellPoolStats stats = pool.stats();
    ASSERT_EQ(stats.live, live.size());
    ASSERT_EQ(stats.made, made);
    ASSERT_EQ(stats.released, released);
    ASSERT_EQ(stats.rejected, rejected);
    ASSERT_EQ(stats.double_releases, double_releases);
    ASSERT_EQ(stats.stale_handles, stale);
    ASSERT_EQ(stats.wrong_types, wrong_types);
    ASSERT_EQ(stats.foreign_handles, 0u);
    ASSERT_EQ(stats.used_bytes, used());
    ASSERT_EQ(stats.wasted_bytes, pool.waste());
    ASSERT_EQ(Spark::alive + Bolt::alive + Boss::alive, static_cast<i64>(live.size()));
  }
  u64 used() const {
    u64 used = 0;
    for (const auto& [key, thing] : live) used += kSizes[thing.type];
    return used;
  }

  std::map<std::pair<u16, u32>, Living> live;  // {tray, slot}
  std::map<std::pair<u16, u32>, Any> handles;
  std::map<std::pair<u16, u32>, u64> last_generation;
  std::vector<Any> dead;
  u64 made = 0, released = 0, rejected = 0, stale = 0, double_releases = 0, wrong_types = 0;

 private:
  template <class T, class Pool>
  static bool sound(Pool& pool, Any handle, const Living& thing) {
    const T* object = pool.template get<T>(handle);
    return object && object->serial == thing.serial && object->sound();
  }
};

/// predict(type, model) says in which tray the object will be (or -1 for refused) and counts as the pool should.
template <class Generation, class Pool, class Predict>
void agree_with_the_model(Pool& pool, u64 seed, bool wears, Predict&& predict) {
  Model<Generation> model;
  Rng rng(seed);
  u64 serial = 0;
  for (u32 i = 0; i < 4000; ++i) {
    const bool filling = i / 200 % 3 != 2;
    const u32 dice = rng.below(100);
    if (dice < (filling ? 65u : 30u)) {
      const std::size_t type = rng.below(10) < 6 ? 0 : 1 + rng.below(2);
      const int tray = predict(type, model);
      ++serial;
      const auto handle = type == 0   ? pool.template make<Spark>(serial).any()
                          : type == 1 ? pool.template make<Bolt>(serial).any()
                                      : pool.template make<Boss>(serial).any();
      if (!wears) {
        ASSERT_EQ(handle.is_null(), tray < 0);
      } else {
        ASSERT_TRUE(handle.is_null() || tray >= 0);
      }
      if (handle.is_null()) {
        ++model.rejected;
        continue;
      }
      if (!wears) {
        ASSERT_EQ(handle.tray, tray);
      }
      const auto key = std::pair{handle.tray, handle.index};
      ASSERT_EQ(model.live.count(key), 0u) << "a slot has one object";
      ASSERT_GT(handle.generation, model.last_generation[key]) << "generations only go up";
      ASSERT_EQ(handle.generation % 2, 1);
      model.last_generation[key] = handle.generation;
      model.live[key] = {type, serial};
      model.handles[key] = handle;
      ++model.made;
    } else if (dice < 88) {
      if (model.live.empty()) continue;
      auto it = std::next(model.live.begin(), rng.below(static_cast<u32>(model.live.size())));
      const auto handle = model.handles.at(it->first);
      ASSERT_EQ(pool.release(handle), CellRelease::Released);
      ++model.released;
      model.dead.push_back(handle);
      if (model.dead.size() > 100) model.dead.erase(model.dead.begin() + rng.below(100));
      model.live.erase(it);
    } else if (dice < 95) {
      if (model.dead.empty()) continue;
      const auto handle = model.dead[rng.below(static_cast<u32>(model.dead.size()))];
      const auto key = std::pair{handle.tray, handle.index};
      const bool last = model.last_generation.at(key) == handle.generation;
      ASSERT_EQ(pool.release(handle), last ? CellRelease::DoubleRelease : CellRelease::StaleHandle);
      ++(last ? model.double_releases : model.stale);
    } else if (dice == 95) {
      const u64 modulus = 2 + rng.below(4);
      u32 expected = 0;
      for (auto it = model.live.begin(); it != model.live.end();) {
        if (it->second.type == 1 && it->second.serial % modulus == 0) {
          model.dead.push_back(model.handles.at(it->first));
          it = model.live.erase(it);
          ++expected;
        } else {
          ++it;
        }
      }
      model.released += expected;
      ASSERT_EQ(pool.template release_if<Bolt>([&](const Bolt& bolt) { return bolt.serial % modulus == 0; }), expected);
    } else if (dice == 96 && i % 5 == 0) {
      pool.clear();
      model.released += model.live.size();
      for (const auto& [key, thing] : model.live) model.dead.push_back(model.handles.at(key));
      model.live.clear();
    }
    if (i % 20 == 0) {
      model.check(pool);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  model.check(pool);
  EXPECT_GT(model.rejected, 0u) << "the run never met a full pool";
  EXPECT_EQ(pool.stats().retired_slots > 0, wears);
}

template <class Generation>
void drive_trays(u64 seed, const std::array<u32, 3>& slots, bool wears, Spill spill) {
  BasicSizeClassPool<Generation> pool({{32, slots[0]}, {128, slots[1]}, {512, slots[2]}}, spill);
  u64 spilled[3] = {}, rejected[3] = {};
  agree_with_the_model<Generation>(pool, seed, wears, [&](std::size_t type, const Model<Generation>& model) {
    u32 live[3] = {};
    for (const auto& [key, thing] : model.live) ++live[key.first];
    for (std::size_t tray = type; tray < 3; ++tray) {
      if (live[tray] < slots[tray]) {
        spilled[type] += tray != type ? 1 : 0;
        return static_cast<int>(tray);
      }
      if (spill == Spill::Never) break;
    }
    ++rejected[type];
    return -1;
  });
  if (::testing::Test::HasFatalFailure() || wears) return;
  for (std::size_t tray = 0; tray < 3; ++tray) {
    EXPECT_EQ(pool.tray_stats(tray).spilled, spilled[tray]);
    EXPECT_EQ(pool.tray_stats(tray).rejected, rejected[tray]);
    EXPECT_LE(pool.tray_stats(tray).peak, slots[tray]);
  }
  EXPECT_EQ(pool.stats().spilled > 0, spill == Spill::LargerTray);
}

TEST(SizeClassPoolModel, AgreesWithAMap) {
  for (u64 seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    drive_trays<u32>(seed, {20, 8, 5}, false, seed % 2 == 0 ? Spill::Never : Spill::LargerTray);
  }
  EXPECT_EQ(Spark::alive + Bolt::alive + Boss::alive, 0);
}

TEST(SizeClassPoolModel, AgreesWithAMapWhileSlotsWearOut) {
  for (u64 seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    drive_trays<u8>(seed * 77, {4, 3, 2}, true, Spill::LargerTray);
  }
  EXPECT_EQ(Spark::alive + Bolt::alive + Boss::alive, 0);
}

template <class Generation>
void drive_variant(u64 seed, bool wears, u32 slots) {
  BasicVariantPool<Generation, Spark, Bolt, Boss> pool(slots);
  agree_with_the_model<Generation>(pool, seed, wears, [&](std::size_t, const Model<Generation>& model) {
    return model.live.size() < slots ? 0 : -1;
  });
}

TEST(VariantPoolModel, AgreesWithAMap) {
  for (u64 seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    drive_variant<u32>(seed * 3, false, 66);
    drive_variant<u8>(seed * 5, true, 5);
  }
  EXPECT_EQ(Spark::alive + Bolt::alive + Boss::alive, 0);
}

// ---------------------------------------------------------------------------------------------------- poison

#if defined(SPELLPOOL_POISON)
template <class Pool>
u8 read_after_release(Pool pool, std::ptrdiff_t at, u32 releases) {
  const volatile u8* byte = nullptr;
  for (u32 i = 0; i < releases; ++i) {
    const auto handle = pool.template make<Plain>();
    byte = reinterpret_cast<const volatile u8*>(pool.get(handle));
    pool.release(handle);
  }
  return byte[at];
}
template <class Pool>
u8 read_beside(Pool pool, std::ptrdiff_t at) {
  const volatile u8* byte = reinterpret_cast<const volatile u8*>(pool.get(pool.template make<Plain>()));
  return byte[at];
}
#endif

TYPED_TEST(MixedPool, AsanMustFailWhenAReleasedObjectIsTouched) {
#if defined(SPELLPOOL_POISON)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(read_after_release(this->template of<Plain, Spark>(4), 0, 1), "use-after-poison");
  EXPECT_DEATH(read_after_release(this->template of<Plain, Spark>(4), 7, 1), "use-after-poison");
  EXPECT_DEATH(read_after_release(this->template of_generation<u8, Plain, Spark>(1), 0, 127), "use-after-poison");
#else
  GTEST_SKIP() << "needs a build with AddressSanitizer (preset asan)";
#endif
}

TYPED_TEST(MixedPool, AsanMustFailWhenAnObjectLeavesItsBytes) {
#if defined(SPELLPOOL_POISON)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(read_beside(this->template of<Plain, Spark>(4), 8), "use-after-poison");
  EXPECT_EQ(read_beside(this->template of<Plain, Spark>(4), 7), 0);
#else
  GTEST_SKIP() << "needs a build with AddressSanitizer (preset asan)";
#endif
}

}  // namespace
}  // namespace spellpool::pool
