// What a pool does for its users beside keeping objects: snapshots, hooks, scope handles, the report of leaks.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "pool/inspect/capacity_adviser.hpp"
#include "pool/scope_handle.hpp"
#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

template <class Kind>
class PoolCare : public ::testing::Test {};
TYPED_TEST_SUITE(PoolCare, StorageKinds, KindNames);

// ---------------------------------------------------------------------------------------------------- snapshots

template <class P>
std::map<u64, typename P::HandleType> living(const P& pool) {
  std::map<u64, typename P::HandleType> all;
  pool.for_each_handle([&](auto handle, const Grain& grain) {
    EXPECT_TRUE(grain.sound());
    all[grain.serial] = handle;
  });
  return all;
}

TYPED_TEST(PoolCare, ARestoredPoolIsThePoolThatWasSaved) {
  for (const PolicyId policy : {PolicyId::Reject, PolicyId::StealOldest, PolicyId::StealLeast, PolicyId::Grow}) {
    typename TypeParam::template PoolOf<Grain, u8> pool(50);
    (void)pool.set_policy(policy);
    Rng rng(7);
    u64 serial = 1;
    auto play = [&](u32 operations) {
      for (u32 i = 0; i < operations; ++i) {
        pool.acquire(serial++);
        if (i % 3 == 0) {
          const auto all = living(pool);
          auto it = all.lower_bound(rng.below(static_cast<u32>(serial)));
          if (it != all.end()) pool.release(it->second);
        }
      }
    };
    play(300);
    PoolSnapshot<Grain, u8> snapshot;
    pool.save(snapshot);
    const auto then = living(pool);
    const PoolStats stats = pool.stats();
    const u64 serial_then = serial;
    const u64 rng_then = rng.state();
    std::vector<std::map<u64, Handle<Grain, u32, u8>>> futures;
    for (u32 turn = 0; turn < 3; ++turn) {
      play(400);
      (void)pool.set_capacity(80 + turn);
      (void)pool.set_policy(PolicyId::Reject);
      const auto later = living(pool);
      pool.restore(snapshot);
      serial = serial_then;
      rng = Rng(rng_then);
      ASSERT_EQ(living(pool), then);
      const PoolStats now = pool.stats();
      EXPECT_EQ(now.capacity, stats.capacity);
      EXPECT_EQ(now.slots, stats.slots);
      EXPECT_EQ(now.free_slots, stats.free_slots);
      EXPECT_EQ(now.spawned, stats.spawned);
      EXPECT_EQ(now.stolen, stats.stolen);
      EXPECT_EQ(pool.policy(), policy);
      for (const auto& [born, handle] : then) EXPECT_TRUE(pool.contains(handle));
      for (const auto& [born, handle] : later) EXPECT_EQ(pool.contains(handle), then.count(born) == 1) << born;
    }
    // The same play from there on has the same outcome, whatever came between.
    play(200);
    std::vector<u64> first, second;
    for (const auto& [born, handle] : living(pool)) first.push_back(born);
    pool.restore(snapshot);
    serial = serial_then;
    rng = Rng(rng_then);
    play(200);
    for (const auto& [born, handle] : living(pool)) second.push_back(born);
    EXPECT_EQ(first, second);
  }
}

/// 64 objects whose first and last stand as in a run, and whose others do not: they must not be copied as one.
TYPED_TEST(PoolCare, ASnapshotInAnyOrderIsRestored) {
  constexpr u32 kSlots = 150;  // two whole words of slots, and one in part
  PackedPool<Grain> sorted(kSlots);
  std::vector<Handle<Grain>> handles;
  for (u64 born = 1; born <= kSlots; ++born) handles.push_back(sorted.acquire(born));
  sorted.sort([](const Grain& a, const Grain& b) {
    const auto rank = [](u64 born) { return born > 1 && born < 64 ? 65 - born : born; };
    return rank(a.serial) < rank(b.serial);
  });
  std::map<u64, Handle<Grain>> there;
  for (u32 slot = 0; slot < kSlots; ++slot) there[slot + 1] = handles[slot];
  for (const u32 gone : {70u, 71u, 149u}) {
    sorted.release(handles[gone]);
    there.erase(gone + 1);
  }
  typename TypeParam::template PoolOf<Grain> pool(kSlots);
  (void)pool.set_policy(PolicyId::Reject);
  for (const bool was_full : {false, true}) {
    while (was_full && pool.acquire(u64{9'999})) {}
    pool.restore(sorted.save());
    EXPECT_EQ(living(pool), there);
    std::set<u32> fresh;
    for (u32 i = 0; i < 3; ++i) fresh.insert(pool.acquire(u64{1'000}).index);
    EXPECT_EQ(fresh, (std::set<u32>{70, 71, 149}));
    EXPECT_FALSE(pool.acquire(u64{1'000})) << "the rest is taken";
  }
}

TEST(Snapshots, AHandleIssuedSinceMayNameAnotherObjectAfterARestore) {
  FreeListPool<Grain> pool(2);
  const auto snapshot = pool.save();
  const auto since = pool.acquire(u64{1});
  pool.restore(snapshot);
  EXPECT_FALSE(pool.contains(since));
  EXPECT_EQ(pool.acquire(u64{2}), since) << "generations went back";
}

TEST(Snapshots, AnEmptyOneGivesAnEmptyPoolWithoutCapacity) {
  FreeListPool<Grain> pool(2);
  const auto first = pool.acquire(u64{1});
  pool.restore({});
  EXPECT_EQ(pool.live(), 0u);
  EXPECT_EQ(pool.capacity(), 0u);
  EXPECT_FALSE(pool.acquire(u64{2}));
  ASSERT_TRUE(pool.set_policy(PolicyId::Grow));
  EXPECT_EQ(pool.acquire(u64{3}), first) << "generations begin anew";
}

// ---------------------------------------------------------------------------------------------------- hooks

struct Watched {
  u64 spawn_id;
  float weight;
  float importance() const { return weight; }
};
struct Heard {
  i64 slots = 0;
  std::vector<u64> acquired, released, discarded;
};
Heard heard;

}  // namespace
template <>
struct FieldsOf<Watched> {
  using Hot = FieldList<&Watched::weight>;
  using Cold = FieldList<&Watched::spawn_id>;
};
template <>
struct HooksOf<Watched> {
  static void created(u32 slots) { heard.slots += slots; }
  static void acquired(Watched& watched) { heard.acquired.push_back(watched.spawn_id); }
  static void released(Watched& watched) { heard.released.push_back(watched.spawn_id); }
  static void discarded(Watched& watched) { heard.discarded.push_back(watched.spawn_id); }
  static void destroyed(u32 slots) { heard.slots -= slots; }
};
namespace {

TYPED_TEST(PoolCare, HooksHearEachBeginningAndEndOnce) {
  heard = {};
  {
    typename TypeParam::template PoolOf<Watched> pool(4);
    EXPECT_EQ(heard.slots, 4);
    const auto first = pool.acquire(u64{1}, 5.0f);
    for (u64 i = 2; i <= 6; ++i) pool.acquire(i, static_cast<float>(i));
    EXPECT_EQ(heard.acquired, (std::vector<u64>{1, 2, 3, 4})) << "what was refused has not begun";
    pool.release(first);
    pool.release(first);
    EXPECT_EQ(heard.released, (std::vector<u64>{1}));
    pool.release_if([](const Watched& watched) { return watched.spawn_id == 3; });
    EXPECT_EQ(heard.released, (std::vector<u64>{1, 3}));
    pool.acquire(u64{7}, 1.0f);
    pool.acquire(u64{8}, 9.0f);
    (void)pool.set_policy(PolicyId::StealOldest);
    pool.acquire(u64{9}, 3.0f);
    EXPECT_EQ(heard.discarded, (std::vector<u64>{2}));
    (void)pool.set_policy(PolicyId::StealLeast);
    pool.acquire(u64{10}, 3.0f);
    EXPECT_EQ(heard.discarded, (std::vector<u64>{2, 7}));
    (void)pool.set_capacity(90);
    EXPECT_EQ(heard.slots, 90);
    pool.trim(0);
    EXPECT_EQ(heard.slots, static_cast<i64>(pool.stats().slots));
    EXPECT_LT(heard.slots, 90);
    auto moved = std::move(pool);
    moved.clear();
    EXPECT_EQ(heard.released.size() + heard.discarded.size(), heard.acquired.size());
  }
  EXPECT_EQ(heard.slots, 0);
}

TEST(SwitchablePoolCare, HooksHearOfNoBeginningOrEndInASwitch) {
  heard = {};
  {
    ExhibitPool<Watched> pool(StrategyId::Heap, 8);
    for (u64 i = 1; i <= 5; ++i) pool.acquire(i, 1.0f);
    for (const StrategyRow& strategy : kStrategies) {
      pool.set_strategy(strategy.id);
      EXPECT_EQ(heard.slots, 8) << strategy.name;
    }
    EXPECT_EQ(heard.acquired.size(), 5u);
    EXPECT_TRUE(heard.released.empty() && heard.discarded.empty());
  }
  EXPECT_EQ(heard.slots, 0);
}

// ---------------------------------------------------------------------------------------------------- scope handles

TYPED_TEST(PoolCare, AScopeHandleReleasesAtTheEndOfItsScopeAndOnlyOnce) {
  using PoolType = typename TypeParam::template PoolOf<Grain>;
  PoolType pool(2);
  typename PoolType::HandleType kept;
  {
    ScopeHandle a(pool, pool.acquire(u64{1}));
    ScopeHandle b(pool, pool.acquire(u64{2}));
    ScopeHandle refused(pool, pool.acquire(u64{3}));
    EXPECT_TRUE(a && b && !refused);
    EXPECT_EQ(a.get()->serial, 1u);
    ScopeHandle moved = std::move(a);
    EXPECT_FALSE(a);
    b = std::move(moved);  // gives up what it had
    EXPECT_EQ(pool.live(), 1u);
    kept = b.detach();
  }
  EXPECT_EQ(pool.live(), 1u);
  EXPECT_TRUE(pool.contains(kept));
  {
    ScopeHandle early(pool, kept);
    pool.clear();
  }
  EXPECT_EQ(pool.stats().released, 2u);
  EXPECT_EQ(pool.stats().double_releases, 1u) << "somebody was before it";
}

// ---------------------------------------------------------------------------------------------------- many at once

TYPED_TEST(PoolCare, AcquiringManyIsAcquiringEach) {
  for (const PolicyId policy : {PolicyId::Reject, PolicyId::StealOldest, PolicyId::StealLeast, PolicyId::Grow}) {
    typename TypeParam::template PoolOf<Grain> many(100), single(100);
    for (auto* pool : {&many, &single}) {
      pool->set_growth(30, 200);
      (void)pool->set_policy(policy);
    }
    Rng rng(3);
    u64 serial = 1;
    for (u32 round = 0; round < 60; ++round) {
      const u32 n = rng.below(70);
      u32 told = 0, refused = 0;
      const u32 born = many.acquire_n(n, [&](u32 i) { return Grain(serial + i); }, [&](u32 i, auto handle) {
        ASSERT_EQ(i, told++);
        if (handle.is_null()) return static_cast<void>(++refused);
        ASSERT_EQ(many.peek(handle)->serial, serial + i);
      });
      ASSERT_EQ(told, n);
      ASSERT_EQ(born + refused, n);
      for (u32 i = 0; i < n; ++i) single.acquire(serial + i);
      serial += n;
      ASSERT_EQ(living(many).size(), living(single).size());
      auto alike = living(single);
      for (const auto& [born_as, handle] : living(many)) ASSERT_EQ(alike.count(born_as), 1u) << row(policy).name << ' ' << born_as;
      const u64 modulus = 2 + rng.below(4);
      for (auto* pool : {&many, &single}) pool->release_if([&](const Grain& grain) { return grain.serial % modulus == 0; });
    }
    EXPECT_EQ(many.stats().spawned, single.stats().spawned);
    EXPECT_EQ(many.stats().peak, single.stats().peak);
    EXPECT_EQ(many.stats().stolen, single.stats().stolen);
    EXPECT_EQ(many.stats().rejected, single.stats().rejected);
  }
}

TEST(DensePool, KernelsOverColumnsEndWhomTheirMaskNames) {
  for (const PolicyId policy : {PolicyId::Reject, PolicyId::StealOldest}) {
    DensePool<Grain, u8> pool(90);
    (void)pool.set_policy(policy);
    std::map<u64, Handle<Grain, u32, u8>> expected;
    Rng rng(9);
    u64 serial = 1;
    for (u32 round = 0; round < 1200; ++round) {
      const u32 n = rng.below(60);
      pool.acquire_n(n, [&](u32 i) { return Grain(serial + i); }, [&](u32 i, auto handle) {
        if (handle) expected[serial + i] = handle;
      });
      serial += n;
      std::erase_if(expected, [&](const auto& entry) { return !pool.contains(entry.second); });  // the stolen
      if (round % 3 == 0 && !expected.empty()) {  // a hole that no kernel made
        ASSERT_EQ(pool.release(expected.begin()->second), ReleaseResult::Released);
        expected.erase(expected.begin());
      }
      const u64 modulus = 2 + rng.below(6);
      const u32 died = pool.update_rows([&](u32 first, u32 count) {
        const u64* serials = pool.column<&Grain::serial>();
        u64 dead = 0;
        for (u32 i = 0; i < count; ++i) dead |= u64{(serials[first + i] + round) % modulus == 0} << i;
        return dead;
      });
      ASSERT_EQ(died, std::erase_if(expected, [&](const auto& entry) { return (entry.first + round) % modulus == 0; }));
      ASSERT_EQ(living(pool), expected);
      const PoolStats stats = pool.stats();
      ASSERT_EQ(stats.spawned, stats.released + stats.stolen + stats.live);
      ASSERT_EQ(stats.live, expected.size());
    }
    EXPECT_GT(pool.stats().retired_slots, 0u) << pool.stats().spawned << " born in " << pool.stats().slots << " slots";
    EXPECT_EQ(pool.stats().stolen > 0, policy == PolicyId::StealOldest);
  }
}

TEST(DensePool, KernelsOverNamedColumnsGetEachRowOnceAtItsOwnAddress) {
  for (const u32 live : {0u, 1u, 63u, 64u, 65u, 200u}) {
    DensePool<Grain> pool(200);
    for (u64 i = 0; i < live; ++i) pool.acquire(i);
    pool.release_if([](const Grain& grain) { return grain.serial % 7 == 3; });  // holes: the walk closes them first
    const u32 before = pool.live();
    std::vector<u32> counts;
    std::multiset<u64> seen;
    const u32 died = pool.update_rows<&Grain::serial>([&](u32 count, const u64* serials) {
      counts.push_back(count);
      seen.insert(serials, serials + count);
      return lane_mask(count, [=](u32 i) { return serials[i] % 2 == 0; });
    });
    std::multiset<u64> expected, odd, left;
    for (u64 i = 0; i < live; ++i) {
      if (i % 7 == 3) continue;
      expected.insert(i);
      if (i % 2 != 0) odd.insert(i);
    }
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(counts.size(), (before + 63) / 64);
    for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i], std::min(before - 64 * static_cast<u32>(i), 64u));
    pool.for_each([&](const Grain& grain) { left.insert(grain.serial); });
    EXPECT_EQ(left, odd);
    EXPECT_EQ(died, expected.size() - odd.size());
  }
}

TEST(DensePool, BitsAboveTheRowsOfAGroupAreIgnored) {
  for (const u32 live : {1u, 10u, 63u, 64u, 74u}) {
    DensePool<Grain> pool(128), named(128);
    for (u64 i = 0; i < live; ++i) pool.acquire(i), named.acquire(i);
    EXPECT_EQ(pool.update_rows([](u32, u32) { return ~u64{0}; }), live);
    EXPECT_EQ(named.update_rows<&Grain::serial>([](u32, const u64*) { return ~u64{0}; }), live);
    for (const DensePool<Grain>* each : {&pool, &named}) {
      EXPECT_EQ(each->live(), 0u);
      EXPECT_EQ(each->stats().released, live);
    }
    for (u64 i = 0; i < 128; ++i) EXPECT_TRUE(pool.acquire(i) && named.acquire(i));
  }
}

#if !defined(NDEBUG) || defined(SPELLPOOL_ASSERTS)
TEST(DensePoolDeathTest, DebugBuildsStopWhereANullRowRefIsUsed) {
  DensePool<Grain> pool(2);
  const auto handle = pool.acquire(u64{1});
  pool.release(handle);
  EXPECT_DEATH(pool.get(handle)->x = 1, "this RowRef is null");
  EXPECT_DEATH((*pool.get(handle)).x = 1, "this RowRef is null");
  SwitchablePool<Grain> switchable(StrategyId::Dense, 2);
  EXPECT_DEATH(switchable.get({})->x = 1, "this RowRef is null");
}
#endif

// ---------------------------------------------------------------------------------------------------- the adviser

TEST(CapacityAdviser, ProposesThePeakWithAnEighthOnTopInTwoDigits) {
  CapacityAdviser adviser;
  EXPECT_FALSE(adviser.knows());
  for (u32 i = 0; i < 600; ++i) adviser.note(i == 300 ? 21'900 : 800);
  EXPECT_TRUE(adviser.knows());
  EXPECT_EQ(adviser.peak(), 21'900u);
  EXPECT_EQ(adviser.proposal(), 25'000u);
  EXPECT_GT(adviser.average(), 800.0f);
  EXPECT_LT(adviser.average(), 900.0f);
  adviser.reset();
  for (u32 i = 0; i < 600; ++i) adviser.note(6);
  EXPECT_EQ(adviser.proposal(), 7u);
  adviser.note(0xffffffffu / 2);
  EXPECT_GT(adviser.proposal(), 0xffffffffu / 2) << "no overflow";
}

// ---------------------------------------------------------------------------------------------------- leaks

TYPED_TEST(PoolCare, TheLeakReportNamesThePlacesThatBeganWhatIsStillAlive) {
  typename TypeParam::template PoolOf<Grain> pool(20);
  EXPECT_EQ(leaks(pool).text(), "");
  pool.acquire(u64{0});
  track_sites(pool, true);
  const u32 line = __LINE__ + 1;
  for (u64 i = 1; i <= 3; ++i) acquire_at(pool, Site::here(), i);
  const auto gone = acquire_at(pool, Site::here(), u64{4});
  pool.release(gone);
  pool.acquire(u64{5});  // in the slot that a site was known of, and itself from nowhere
  (void)pool.set_capacity(300);
  const std::string text = leaks(pool).text();
  EXPECT_EQ(text, "5 objects are alive:\n  3 from " + std::string(__FILE__) + ":" + std::to_string(line) + "\n  2 from an unknown place\n");
  pool.clear();
  EXPECT_EQ(leaks(pool).text(), "");
}

TYPED_TEST(PoolCare, SitesTrackedLateAreRightForASlotThatIsUsedAgain) {
  typename TypeParam::template PoolOf<Grain> pool(1);
  pool.release(pool.acquire(u64{1}));  // the pool has had its peak
  track_sites(pool, true);
  pool.release(acquire_at(pool, Site::here(), u64{2}));
  pool.acquire(u64{3});
  EXPECT_EQ(leaks(pool).text(), "1 object is alive:\n  1 from an unknown place\n");
}

TYPED_TEST(PoolCare, HooksHearOfTheSlotsOfARestoredPool) {
  heard = {};
  {
    typename TypeParam::template PoolOf<Watched> pool(4);
    PoolSnapshot<Watched, u32> snapshot;
    pool.save(snapshot);
    (void)pool.set_capacity(90);
    pool.restore(snapshot);
    EXPECT_EQ(heard.slots, 4);
  }
  EXPECT_EQ(heard.slots, 0);
}

TYPED_TEST(PoolCare, APoolThatIsNotYetReadyDecidesAsOneThatIs) {
  using P = typename TypeParam::template PoolOf<Grain>;
  for (const u32 ready : {0u, 1u, 64u, 299u, 300u, 5'000u}) {
    P whole(300), partly(PoolSize{.capacity = 300, .prewarm = ready});
    EXPECT_EQ(partly.capacity(), 300u);
    Rng rng(ready + 1);
    std::vector<std::pair<typename P::HandleType, typename P::HandleType>> live;
    for (u32 i = 0; i < 3'000; ++i) {
      if (i % 100 == 99) partly.prewarm(20);
      if (!live.empty() && rng.below(100) < 40) {
        const u32 at = rng.below(static_cast<u32>(live.size()));
        EXPECT_EQ(whole.release(live[at].first), ReleaseResult::Released);
        EXPECT_EQ(partly.release(live[at].second), ReleaseResult::Released);
        live[at] = live.back();
        live.pop_back();
        continue;
      }
      const auto a = whole.acquire(u64{i}), b = partly.acquire(u64{i});
      ASSERT_EQ(a.is_null(), b.is_null()) << "ready " << ready << " step " << i;
      if (!a.is_null()) live.push_back({a, b});
    }
    for (const auto& [a, b] : live) EXPECT_EQ(whole.peek(a)->serial, partly.peek(b)->serial);
    const PoolStats w = whole.stats(), p = partly.stats();
    EXPECT_EQ(w.live, p.live);
    EXPECT_EQ(w.rejected, p.rejected);
    EXPECT_EQ(w.peak, p.peak);
    EXPECT_EQ(p.live + p.free_slots + p.retired_slots, p.slots);
    while (partly.prewarm(100) > 0) {
    }
    EXPECT_GE(partly.stats().slots, 300u);
    EXPECT_EQ(partly.prewarm(100), 0u) << "there is nothing left to do";
  }
}

TYPED_TEST(PoolCare, PrewarmingMovesNobodyWhereObjectsStayAndEndsInOneBlock) {
  using P = typename TypeParam::template PoolOf<Grain>;
  P pool(PoolSize{.capacity = 4'000, .prewarm = 100});
  constexpr bool kCells = P::StorageType::kPlaces == Places::Cells;
  EXPECT_EQ(pool.stats().slots, kCells ? 100u : 4'000u);
  std::vector<std::pair<typename P::HandleType, const void*>> live;
  const auto address = [&](typename P::HandleType handle) -> const void* {
    if constexpr (kCells) return pool.peek(handle);
    return nullptr;
  };
  for (u32 i = 0; i < 100; ++i) live.push_back({pool.acquire(u64{i}), nullptr});
  for (auto& [handle, at] : live) at = address(handle);
  u32 calls = 0;
  for (; pool.prewarm(500) > 0; ++calls) {
    for (const auto& [handle, at] : live) ASSERT_EQ(address(handle), at);
  }
  EXPECT_EQ(calls, kCells ? 7u : 0u);
  const u64 news = pool.new_calls();
  for (u32 i = 100; i < 4'000; ++i) EXPECT_FALSE(pool.acquire(u64{i}).is_null());
  const bool calls_new = TypeParam::kId == StrategyId::Heap || TypeParam::kId == StrategyId::Pmr;
  EXPECT_TRUE(calls_new || pool.new_calls() == news) << "what is ready allocates nothing";
  if constexpr (kCells) {
    EXPECT_TRUE(pool.storage().plain()) << "one block, the quick way";
  }
  EXPECT_TRUE(pool.acquire(u64{1}).is_null());
}

TYPED_TEST(PoolCare, TrimWithoutANumberKeepsWhatTheSizeSays) {
  typename TypeParam::template PoolOf<Grain> pool(PoolSize{.capacity = 50, .grow_by = 10, .keep_free = 7});
  (void)pool.set_policy(PolicyId::Grow);
  std::vector<typename TypeParam::template PoolOf<Grain>::HandleType> live;
  for (u32 i = 0; i < 75; ++i) live.push_back(pool.acquire(u64{i}));
  EXPECT_EQ(pool.capacity(), 80u) << "three times ten";
  for (u32 i = 5; i < 75; ++i) pool.release(live[i]);
  pool.trim();
  EXPECT_EQ(pool.capacity(), 12u);
}

TYPED_TEST(PoolCare, ABatchFitsWhereNotAllSlotsAreReady) {
  using P = typename TypeParam::template PoolOf<Grain>;
  const auto born = [](u32 i) { return Grain(u64{i} + 1); };
  ExhibitPool<Grain> switched(StrategyId::FreeList, PoolSize{.capacity = 4'096, .prewarm = 64});
  ASSERT_TRUE(switched.set_strategy(TypeParam::kId));
  EXPECT_EQ(switched.visit([&](auto& pool) { return pool.acquire_n(1'000, born); }), 1'000u);
  FreeListPool<Grain> half(PoolSize{.capacity = 4'096, .prewarm = 64});
  P heir(half.leave());
  half.done_leaving(true);
  EXPECT_EQ(heir.acquire_n(1'000, born), 1'000u);
  P saved(PoolSize{.capacity = 4'096, .prewarm = 64}), pool(4'096);
  PoolSnapshot<Grain, u32> snapshot;
  saved.acquire(u64{1});
  saved.save(snapshot);
  pool.restore(snapshot);
  EXPECT_EQ(pool.acquire_n(1'000, born), 1'000u);
  EXPECT_EQ(pool.live(), 1'001u);
  u32 sound = 0;
  pool.for_each([&](const Grain& grain) { sound += grain.sound() ? 1u : 0u; });
  EXPECT_EQ(sound, 1'001u);
}

TYPED_TEST(PoolCare, ACapacityThatGrowsUsesTheReserveFirst) {
  using P = typename TypeParam::template PoolOf<Grain>;
  P pool(PoolSize{.capacity = 1'000, .prewarm = 10});
  EXPECT_EQ(pool.prewarm(0), P::StorageType::kPlaces == Places::Cells ? 990u : 0u) << "nothing is asked for, and nothing done";
  (void)pool.set_capacity(900);
  EXPECT_GE(pool.stats().slots, 900u);
  if constexpr (P::StorageType::kPlaces == Places::Cells) {
    EXPECT_TRUE(pool.storage().plain()) << "still the one block that was taken at the start";
  }
  (void)pool.set_capacity(1'010);
  for (u32 i = 0; i < 1'010; ++i) EXPECT_FALSE(pool.acquire(u64{i}).is_null());
}

TYPED_TEST(PoolCare, TrimWithAnAbsurdNumberKeepsTheCapacity) {
  typename TypeParam::template PoolOf<Grain> pool(20);
  for (u32 i = 0; i < 10; ++i) pool.acquire(u64{i});
  pool.trim(~u32{0});
  EXPECT_EQ(pool.capacity(), 20u);
}

TEST(PoolPressure, IsWholeWhereThePoolIsFullHoweverSmall) {
  for (const u32 capacity : {1u, 2u, 3u, 4u, 9u}) {
    FreeListPool<Grain> pool(capacity);
    (void)pool.set_policy(PolicyId::Pressure);
    EXPECT_EQ(pool.pressure(), 0.0f);
    for (u32 i = 0; i < capacity; ++i) pool.acquire(u64{i});
    EXPECT_EQ(pool.pressure(), 1.0f) << capacity;
  }
}

}  // namespace
}  // namespace spellpool::pool
