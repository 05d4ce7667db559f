// One walk shared by threads (Pool::split), and read-only walks at the same time. To be run under
// -fsanitize=thread as well: every object is written by its worker without a lock.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <type_traits>
#include <vector>

#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

struct Ember {
  u64 number = 0;
  u64 heat = 0;
  u32 visits = 0;
};

}  // namespace
template <>
struct FieldsOf<Ember> {
  using Hot = FieldList<&Ember::heat, &Ember::visits>;
  using Cold = FieldList<&Ember::number>;
};
namespace {

template <class Kind>
class SharedWalks : public ::testing::Test {};
using SplitKinds = ::testing::Types<FreeListKind, BitmapKind, PackedKind, DenseKind>;
TYPED_TEST_SUITE(SharedWalks, SplitKinds, KindNames);

constexpr u32 kWorkers = 4;

/// work(job) for every job below `jobs`, on kWorkers threads, each job once.
template <class Work>
void run_on_workers(u32 jobs, Work&& work) {
  std::atomic<u32> next{0};
  std::vector<std::thread> workers;
  for (u32 i = 0; i < kWorkers; ++i) {
    workers.emplace_back([&] {
      for (u32 job; (job = next.fetch_add(1)) < jobs;) work(job);
    });
  }
  for (std::thread& worker : workers) worker.join();
}

/// About `live` embers with gaps between them, from twice as many. Returns the sum of their numbers.
template <class P>
u64 light(P& pool, u32 live) {
  const u32 gap = live < 500 ? 3 : 100;
  std::vector<typename P::HandleType> handles;
  for (u32 i = 0; i < live * 2; ++i) handles.push_back(pool.acquire(u64{i}));
  u64 sum = 0;
  for (u32 i = 0; i < live * 2; ++i) {
    if ((i / gap) % 2 == (live % 2)) {
      pool.release(handles[i]);
    } else {
      sum += i;
    }
  }
  return sum;
}
template <class P>
void expect_each_visited(const P& pool, u32 times) {
  u32 wrong = 0;
  pool.for_each([&](const Ember& ember) {
    wrong += ember.visits != times || ember.heat != times * ember.number;
  });
  EXPECT_EQ(wrong, 0u);
}

// ------------------------------------------------------------ split

TYPED_TEST(SharedWalks, EachObjectIsVisitedOnceByOneWorker) {
  using P = typename TypeParam::template PoolOf<Ember>;
  for (const u32 live : {0u, 1u, 5u, 63u, 64u, 65u, 1000u, 3001u}) {
    P pool(live * 2);
    const u64 expected = light(pool, live);
    u32 walks = 0;
    for (const u32 parts : {1u, 2u, 3u, 4u, 7u, 64u, 1000u, 7000u}) {
      std::vector<u64> sums(parts), counts(parts);
      {
        auto walk = pool.split(parts);
        ASSERT_EQ(walk.parts(), parts);
        run_on_workers(parts, [&](u32 part) {
          walk.for_each(part, [&](Ember& ember) {
            ++ember.visits;
            ember.heat += ember.number;
            sums[part] += ember.number;
            ++counts[part];
          });
        });
      }
      expect_each_visited(pool, ++walks);
      u64 sum = 0, count = 0;
      for (const u64 s : sums) sum += s;
      for (const u64 c : counts) count += c;
      ASSERT_EQ(sum, expected) << live << " objects in " << parts << " parts";
      ASSERT_EQ(count, pool.live());
    }
  }
}

TYPED_TEST(SharedWalks, NoPartIsOnePart) {
  typename TypeParam::template PoolOf<Ember> pool(20);
  light(pool, 10);
  auto walk = pool.split(0);
  ASSERT_EQ(walk.parts(), 1u);
  u32 visits = 0;
  walk.for_each(0, [&](Ember&) { ++visits; });
  EXPECT_EQ(visits, pool.live());
}

TYPED_TEST(SharedWalks, ADefaultOrMovedFromPoolHasEmptyParts) {
  using P = typename TypeParam::template PoolOf<Ember>;
  P none(0), source(100);
  light(source, 50);
  const u32 lit = source.live();
  const P target(std::move(source));
  for (P* pool : {&none, &source}) {
    auto walk = pool->split(5);
    run_on_workers(5, [&](u32 part) { walk.for_each(part, [](Ember&) { ADD_FAILURE(); }); });
    if constexpr (requires { walk.objects(0); }) {
      EXPECT_EQ(walk.objects(0).size(), 0u);
    }
    if constexpr (requires { walk.rows(0); }) {
      EXPECT_EQ(walk.rows(4).count, 0u);
    }
  }
  EXPECT_EQ(target.live(), lit);
}

TYPED_TEST(SharedWalks, PartsDependOnTheContentsAndTheirNumberAlone) {
  typename TypeParam::template PoolOf<Ember> pool(800);
  light(pool, 400);
  for (const u32 parts : {3u, 16u}) {
    std::vector<std::vector<u64>> first(parts), second(parts);
    {
      auto walk = pool.split(parts);
      for (u32 part = 0; part < parts; ++part) {
        walk.for_each(part, [&](const Ember& ember) { first[part].push_back(ember.number); });
      }
    }
    {
      auto walk = pool.split(parts);
      run_on_workers(parts, [&](u32 part) {
        const u32 mirrored = parts - 1 - part;  // in another order
        walk.for_each(mirrored, [&](const Ember& ember) { second[mirrored].push_back(ember.number); });
      });
    }
    EXPECT_EQ(first, second);
    std::vector<u64> joined, whole;
    for (const auto& part : first) joined.insert(joined.end(), part.begin(), part.end());
    pool.for_each([&](const Ember& ember) { whole.push_back(ember.number); });
    EXPECT_EQ(joined, whole) << "the parts in a row are the walk";
  }
}

TYPED_TEST(SharedWalks, PartsOfAFullPoolAreEven) {
  for (const u32 parts : {2u, 5u}) {
    typename TypeParam::template PoolOf<Ember> pool(6400);
    for (u64 i = 0; i < 6400; ++i) pool.acquire(i);
    auto walk = pool.split(parts);
    for (u32 part = 0; part < parts; ++part) {
      u32 count = 0;
      walk.for_each(part, [&](Ember&) { ++count; });
      EXPECT_NEAR(count, 6400.0 / parts, 64.0) << part;
    }
  }
}

/// All strategies, on one thread.
template <class Kind>
class PartsOfAWalk : public ::testing::Test {};
TYPED_TEST_SUITE(PartsOfAWalk, StorageKinds, KindNames);

TYPED_TEST(PartsOfAWalk, InARowAreTheWholeWalk) {
  for (const u32 live : {0u, 1u, 40u, 700u}) {
    typename TypeParam::template PoolOf<Ember> pool(live * 2);
    light(pool, live);
    for (const u32 parts : {1u, 2u, 5u, 900u}) {
      std::vector<u64> joined, whole;
      {
        auto walk = pool.split(parts);
        for (u32 part = 0; part < parts; ++part) {
          walk.for_each(part, [&](const Ember& ember) { joined.push_back(ember.number); });
        }
      }
      pool.for_each([&](const Ember& ember) { whole.push_back(ember.number); });
      ASSERT_EQ(whole.size(), pool.live());
      EXPECT_EQ(joined, whole) << live << " objects in " << parts << " parts";
    }
  }
}

TEST(SharedWalkSpans, ObjectsOfAPackedPoolLieSideBySideAndAreCutWithoutGaps) {
  PackedPool<Ember> pool(2002);
  light(pool, 1001);
  u32 walks = 0;
  for (const u32 parts : {1u, 4u, 9u, 1500u}) {
    {
      auto walk = pool.split(parts);
      const Ember* expected = walk.objects(0).data();
      u32 count = 0;
      for (u32 part = 0; part < parts; ++part) {
        const auto run = walk.objects(part);
        ASSERT_EQ(run.data(), expected);
        ASSERT_EQ(run.end(), run.begin() + run.size());
        ASSERT_LE(run.size(), pool.live() / parts + 1);
        expected += run.size();
        count += run.size();
      }
      ASSERT_EQ(count, pool.live());
      run_on_workers(parts, [&](u32 part) {
        const auto run = walk.objects(part);
        for (u32 i = 0; i < run.size(); ++i) ++run[i].visits;
        for (Ember& ember : run) ember.heat += ember.number;
      });
    }
    expect_each_visited(pool, ++walks);
  }
}

TEST(SharedWalkSpans, RowsOfADensePoolAreCutWithoutGapsAndColumnsWrittenByWorkers) {
  DensePool<Ember> pool(2002);
  light(pool, 1001);
  u32 walks = 0;
  for (const u32 parts : {1u, 4u, 9u, 1500u}) {
    {
      auto walk = pool.split(parts);
      u32 next = 0;
      for (u32 part = 0; part < parts; ++part) {
        const Rows rows = walk.rows(part);
        ASSERT_EQ(rows.first, next);
        ASSERT_LE(rows.count, pool.live() / parts + 1);
        next += rows.count;
      }
      ASSERT_EQ(next, pool.live()) << "no hole is left in the rows";
      const u64* const number = walk.column<&Ember::number>();
      u64* const heat = walk.column<&Ember::heat>();
      u32* const visits = walk.column<&Ember::visits>();
      run_on_workers(parts, [&](u32 part) {
        const Rows rows = walk.rows(part);
        for (u32 row = rows.first; row < rows.first + rows.count; ++row) {
          ++visits[row];
          heat[row] += number[row];
        }
      });
    }
    expect_each_visited(pool, ++walks);
  }
}

// ------------------------------------------------------------ what is refused meanwhile

u32 misuses = 0;
void count_misuse(const char*) { ++misuses; }

class CountedMisuse {
 public:
  CountedMisuse() : before_(set_misuse_handler(count_misuse)) { misuses = 0; }
  ~CountedMisuse() { set_misuse_handler(before_); }
  CountedMisuse(const CountedMisuse&) = delete;
  CountedMisuse& operator=(const CountedMisuse&) = delete;

 private:
  MisuseHandler before_;
};

TYPED_TEST(SharedWalks, AcquireAndReleaseAreRefusedWhileASplitLives) {
  using P = typename TypeParam::template PoolOf<Ember>;
  const CountedMisuse counted;
  P pool(10);
  const auto handle = pool.acquire(u64{1});
  pool.acquire(u64{2});
  {
    auto outer = pool.split(2);
    {
      auto inner = pool.split(3);
      EXPECT_FALSE(pool.acquire(u64{3}));
      EXPECT_EQ(pool.release(handle), ReleaseResult::Refused);
      EXPECT_EQ(misuses, TypeParam::kId == StrategyId::Dense ? 3u : 2u) << "a second split would move rows";
    }
    EXPECT_FALSE(pool.acquire(u64{3})) << "the outer walk still runs";
    EXPECT_FALSE(pool.erase(handle));
    EXPECT_EQ(pool.release_if([](const Ember&) { return true; }), 0u);
    EXPECT_EQ(pool.acquire_n(2, [](u32 i) { return Ember{i, 0, 0}; }), 0u);
    EXPECT_FALSE(pool.set_capacity(50));
    EXPECT_EQ(pool.trim(0), 0u);
    EXPECT_GE(misuses, 8u);
    EXPECT_TRUE(pool.contains(handle));
    EXPECT_EQ(pool.peek(handle)->number, 1u);
    EXPECT_EQ(pool.live(), 2u);
    EXPECT_EQ(pool.capacity(), 10u);
    u32 visits = 0;
    for (u32 part = 0; part < 2; ++part) outer.for_each(part, [&](Ember&) { ++visits; });
    EXPECT_EQ(visits, 2u);
  }
  const u32 before = misuses;
  EXPECT_TRUE(pool.acquire(u64{3}));
  EXPECT_EQ(pool.release(handle), ReleaseResult::Released);
  EXPECT_TRUE(pool.set_capacity(50));
  EXPECT_EQ(misuses, before) << "unlocked";
  EXPECT_EQ(pool.stats().rejected, 0u);
}

TYPED_TEST(SharedWalks, AnExceptionOutOfAPartUnlocksThePool) {
  typename TypeParam::template PoolOf<Ember> pool(10);
  const auto handle = pool.acquire(u64{1});
  EXPECT_THROW(pool.split(1).for_each(0, [](Ember&) { throw 7; }), int);
  EXPECT_TRUE(pool.acquire(u64{2}));
  EXPECT_TRUE(pool.erase(handle));
}

// ------------------------------------------------------------ readers

TYPED_TEST(SharedWalks, AConstPoolIsReadByManyThreadsAtOnce) {
  using P = typename TypeParam::template PoolOf<Ember>;
  P pool(1200);
  const u64 expected = light(pool, 600);
  const u32 lit = pool.live();
  typename P::HandleType last;
  u64 last_number = 0;
  pool.for_each_handle([&](auto handle, const Ember& ember) {
    last = handle;
    last_number = ember.number;
  });
  const P& fixed = pool;
  std::atomic<u32> wrong{0};
  run_on_workers(60, [&](u32 job) {
    u64 sum = 0, keyed = 0, looped = 0;
    fixed.for_each([&](const Ember& ember) { sum += ember.number; });
    fixed.for_each_handle([&](auto handle, const Ember& ember) {
      keyed += fixed.contains(handle) ? ember.number : 0;
    });
    for (const auto& [handle, ember] : fixed.items()) {
      if constexpr (std::is_pointer_v<typename P::Pointer>) {
        looped += ember.number;
      } else {
        looped += ember->number;
      }
    }
    wrong += sum != expected || keyed != expected || looped != expected;
    wrong += fixed.find_if([&](const Ember& ember) { return ember.number == last_number; }) != last;
    wrong += fixed.peek(last)->number != last_number || fixed.get(last)->number != last_number;
    wrong += fixed.live() != lit || fixed.stats().live != lit || job > 60;
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_TRUE(pool.erase(last)) << "the owner may change it again";
  u32 born = 0;
  while (pool.acquire(u64{0})) ++born;
  EXPECT_EQ(born, 1200 - lit + 1);
}

TYPED_TEST(SharedWalks, SnapshotsAreTakenByManyThreadsAtOnce) {
  using P = typename TypeParam::template PoolOf<Ember>;
  P pool(200);
  light(pool, 100);
  const u32 lit = pool.live();
  std::vector<typename P::Snapshot> snapshots(8);
  run_on_workers(8, [&](u32 job) { std::as_const(pool).save(snapshots[job]); });
  for (const auto& snapshot : snapshots) EXPECT_EQ(snapshot.size(), lit);
  pool.clear();
  pool.restore(snapshots[7]);
  EXPECT_EQ(pool.live(), lit);
}

TYPED_TEST(SharedWalks, PoolsOfSeveralThreadsShareNothing) {
  using P = typename TypeParam::template PoolOf<Ember>;
  std::vector<u64> sums(12);
  run_on_workers(12, [&](u32 job) {
    P pool(64);
    (void)pool.set_policy(PolicyId::Grow);
    std::vector<typename P::HandleType> handles;
    for (u64 i = 0; i < 300; ++i) handles.push_back(pool.acquire(i));
    for (u32 i = 0; i < 300; i += 2) pool.release(handles[i]);
    pool.for_each([&](const Ember& ember) { sums[job] += ember.number; });
  });
  for (const u64 sum : sums) EXPECT_EQ(sum, 150u * 150u);
}

}  // namespace
}  // namespace spellpool::pool
