// What the test suites of comparable containers promise (plf::colony and plf::hive, EnTT's storage, the SG14 slot
// map), where the pools promise it too. docs/PEERS.md has the table.
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

struct Coin {
  u64 worth = 0;
  u32 mark = 0;
};

}  // namespace
template <>
struct FieldsOf<Coin> {
  using Hot = FieldList<&Coin::mark>;
  using Cold = FieldList<&Coin::worth>;
};
template <>
struct OrderOf<Coin> {
  static u64 serial(const Coin& coin) { return coin.worth; }
};
namespace {

template <class Kind>
class PeerPromise : public ::testing::Test {};
TYPED_TEST_SUITE(PeerPromise, StorageKinds, KindNames);

/// What is promised of objects that are whole in memory.
template <class Kind>
class PeerObjectPromise : public ::testing::Test {};
TYPED_TEST_SUITE(PeerObjectPromise, WholeObjectKinds, KindNames);

template <class P>
using KeyOf = typename P::HandleType;
template <class P>
using Purse = std::map<u64, KeyOf<P>>;  // worth → key

template <class P>
std::multiset<u64> worths(const P& pool) {
  std::multiset<u64> all;
  pool.for_each([&](const Coin& coin) { all.insert(coin.worth); });
  return all;
}
template <class P>
Purse<P> fill(P& pool, u64 first, u64 count) {
  Purse<P> purse;
  for (u64 worth = first; worth < first + count; ++worth) {
    const auto key = pool.acquire(worth);
    EXPECT_TRUE(key) << worth;
    purse[worth] = key;
  }
  return purse;
}
/// The pool holds these coins under these keys, and no other.
template <class P>
void expect_holds(const P& pool, const Purse<P>& purse, const char* when) {
  ASSERT_EQ(pool.size(), purse.size()) << when;
  ASSERT_EQ(pool.empty(), purse.empty()) << when;
  std::multiset<u64> expected;
  for (const auto& [worth, key] : purse) {
    const auto coin = pool.peek(key);
    ASSERT_TRUE(bool(coin)) << when << ' ' << worth;
    ASSERT_EQ(coin->worth, worth) << when;
    expected.insert(worth);
  }
  ASSERT_EQ(worths(pool), expected) << when;
}
template <class P>
constexpr bool kSorts = requires(P pool, bool (*less)(const typename P::Value&, const typename P::Value&)) {
  pool.sort(less);
};
template <class P>
constexpr bool kFindsByAddress =
    requires(const P pool, const typename P::Value* object) { pool.handle_of(object); };

// ------------------------------------------------------------ keys

template <class P>
void keys_survive_the_erasure_of_others() {
  P pool(250);
  Purse<P> living = fill(pool, 0, 250);
  std::vector<KeyOf<P>> gone;
  std::vector<u64> order;
  for (u64 worth = 0; worth < 250; ++worth) order.push_back(worth);
  Rng rng(31);
  for (u32 i = 250; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  for (const u64 worth : order) {
    ASSERT_TRUE(pool.erase(living[worth]));
    gone.push_back(living[worth]);
    living.erase(worth);
    if (living.size() % 10 == 0) {
      expect_holds(pool, living, "after an erasure");
      for (const auto& key : gone) ASSERT_FALSE(pool.contains(key));
    }
  }
  EXPECT_TRUE(pool.empty());
}
TYPED_TEST(PeerPromise, AKeySurvivesTheErasureOfOthersInAnyOrder) {
  keys_survive_the_erasure_of_others<typename TypeParam::template PoolOf<Coin>>();
  keys_survive_the_erasure_of_others<typename TypeParam::template PoolOf<Coin, u16>>();
}

TYPED_TEST(PeerPromise, ErasingAStaleKeyAnswersFalseAndSparesTheNextObject) {
  typename TypeParam::template PoolOf<Coin> pool(3);
  auto living = fill(pool, 1, 3);
  const auto old = living[2];
  ASSERT_TRUE(pool.erase(old));
  EXPECT_FALSE(pool.erase(old)) << "twice";
  living[2] = pool.acquire(u64{2});  // takes the only free slot
  ASSERT_EQ(living[2].index, old.index);
  EXPECT_FALSE(pool.erase(old)) << "the slot has another object";
  EXPECT_FALSE(pool.erase({})) << "null";
  EXPECT_FALSE(pool.contains(old));
  expect_holds(pool, living, "after four erasures, one of them valid");
}

TYPED_TEST(PeerPromise, KeysFromBeforeClearStayUnknownWhenThePoolIsFullAgain) {
  typename TypeParam::template PoolOf<Coin> pool(70);
  const auto before = fill(pool, 0, 70);
  pool.clear();
  EXPECT_TRUE(pool.empty());
  EXPECT_TRUE(pool.begin() == pool.end());
  const auto after = fill(pool, 1000, 70);
  for (const auto& [worth, key] : before) {
    EXPECT_FALSE(pool.contains(key));
    EXPECT_FALSE(bool(pool.peek(key)));
    EXPECT_FALSE(pool.erase(key));
  }
  expect_holds(pool, after, "refilled");
  pool.clear();
  pool.clear();
  EXPECT_TRUE(pool.empty());
}

TYPED_TEST(PeerPromise, RandomBirthsAndDeathsEndInAnEmptyPoolAndReviveNoKey) {
  using P = typename TypeParam::template PoolOf<Coin, u8>;
  P pool(40);
  Purse<P> living;
  std::vector<KeyOf<P>> gone;
  Rng rng(5);
  u64 worth = 0;
  for (u32 round = 0; round < 6; ++round) {
    for (u32 step = 0; step < 200 || !living.empty(); ++step) {
      if (step < 200 && rng.below(2) == 0) {
        const auto key = pool.acquire(worth);
        ASSERT_EQ(bool(key), living.size() < 40);
        if (key) living[worth++] = key;
      } else if (!living.empty()) {
        auto victim = living.begin();
        std::advance(victim, rng.below(static_cast<u32>(living.size())));
        ASSERT_TRUE(pool.erase(victim->second));
        gone.push_back(victim->second);
        living.erase(victim);
      }
    }
    expect_holds(pool, living, "drained");
    for (const auto& key : gone) ASSERT_FALSE(pool.contains(key));
  }
}

// ------------------------------------------------------------ walks

TYPED_TEST(PeerPromise, ALoopThatErasesAsItGoesMissesNoneWhereObjectsStay) {
  using P = typename TypeParam::template PoolOf<Coin>;
  for (const u64 divisor : {1u, 2u, 3u}) {
    P pool(200);
    Purse<P> living = fill(pool, 0, 200);
    std::map<u64, u32> visits;
    for (const auto& [key, coin] : pool.items()) {
      u64 worth;
      if constexpr (std::is_pointer_v<typename P::Pointer>) {
        worth = coin.worth;
      } else {
        worth = coin->worth;
      }
      ASSERT_EQ(key, living.at(worth)) << "visited after its end";
      ASSERT_EQ(++visits[worth], 1u);
      if (worth % divisor == 0) {
        ASSERT_TRUE(pool.erase(KeyOf<P>(key)));
        living.erase(worth);
      }
    }
    if (P::StorageType::kPlaces == Places::Cells) {
      EXPECT_EQ(visits.size(), 200u);
    }
    expect_holds(pool, living, "after the loop");
  }
}

TYPED_TEST(PeerPromise, AnySliceOfAWalkCanBeErasedAndEachObjectIsAskedOnce) {
  for (const u32 count : {0u, 1u, 2u, 15u, 66u}) {
    const u32 step = count > 20 ? 13 : 1;
    for (u32 first = 0; first <= count; first += step) {
      for (u32 last = first; last <= count; last += step) {
        typename TypeParam::template PoolOf<Coin> pool(66);
        fill(pool, 0, count);
        u32 asked = 0;
        std::multiset<u64> kept, all;
        const u32 ended = pool.release_if([&](const Coin& coin) {
          const bool ends = asked >= first && asked < last;
          ++asked;
          all.insert(coin.worth);
          if (!ends) kept.insert(coin.worth);
          return ends;
        });
        ASSERT_EQ(ended, last - first);
        ASSERT_EQ(asked, count);
        ASSERT_EQ(std::set<u64>(all.begin(), all.end()).size(), count);
        ASSERT_EQ(worths(pool), kept);
      }
    }
  }
}

TYPED_TEST(PeerPromise, EraseIfByItsFreeNameCountsAndKeepsTheRest) {
  using P = typename TypeParam::template PoolOf<Coin>;
  P pool(100);
  Purse<P> living = fill(pool, 0, 100);
  EXPECT_EQ(erase_if(pool, [](const Coin& coin) { return coin.worth > 49; }), 50u);
  EXPECT_EQ(erase_if(pool, [](const Coin& coin) { return coin.worth > 49; }), 0u);
  living.erase(living.find(50), living.end());
  expect_holds(pool, living, "the larger half is gone");
  EXPECT_EQ(erase_if(pool, [](const Coin&) { return true; }), 50u);
  EXPECT_TRUE(pool.empty());
}

TYPED_TEST(PeerPromise, FindIfAnswersTheKeyOfAMatchOrNull) {
  typename TypeParam::template PoolOf<Coin> pool(64);
  const auto living = fill(pool, 0, 64);
  for (const u64 worth : {0u, 17u, 63u}) {
    EXPECT_EQ(pool.find_if([&](const Coin& coin) { return coin.worth == worth; }), living.at(worth));
  }
  EXPECT_TRUE(pool.find_if([](const Coin& coin) { return coin.worth == 64; }).is_null());
  pool.clear();
  EXPECT_TRUE(pool.find_if([](const Coin&) { return true; }).is_null());
}

TYPED_TEST(PeerPromise, ChangesMadeInALoopOrThroughAKeyAreKept) {
  typename TypeParam::template PoolOf<Coin> pool(80);
  const auto living = fill(pool, 0, 80);
  pool.for_each([](Coin& coin) { coin.mark = static_cast<u32>(coin.worth) + 1; });
  for (const auto& [worth, key] : living) ASSERT_EQ(pool.peek(key)->mark, worth + 1);
  for (const auto& [worth, key] : living) {
    const auto coin = pool.get(key);
    coin->mark *= 2;
  }
  u64 sum = 0;
  std::as_const(pool).for_each([&](const Coin& coin) { sum += coin.mark; });
  EXPECT_EQ(sum, 80u * 81u);
}

// ------------------------------------------------------------ whole pools

TYPED_TEST(PeerPromise, AMovedFromPoolIsEmptyAndMayBeUsedAgain) {
  using P = typename TypeParam::template PoolOf<Coin>;
  P first(30);
  const auto coins = fill(first, 0, 20);
  P second(std::move(first));
  expect_holds(second, coins, "the target has all");
  EXPECT_EQ(second.capacity(), 30u);
  EXPECT_TRUE(first.empty());
  EXPECT_EQ(first.capacity(), 0u);
  EXPECT_TRUE(first.begin() == first.end());
  EXPECT_FALSE(first.acquire(u64{1})) << "refused, not undefined";
  EXPECT_EQ(first.release_if([](const Coin&) { return true; }), 0u);
  first.clear();
  ASSERT_TRUE(first.set_capacity(5));
  const auto again = fill(first, 500, 5);
  expect_holds(first, again, "used again");

  first = std::move(second);
  expect_holds(first, coins, "assigned over five others");
  for (const auto& [worth, key] : again) {
    EXPECT_TRUE(!first.contains(key) || first.peek(key)->worth != worth);
  }
  EXPECT_TRUE(second.empty());
  P& same = first;
  first = std::move(same);
  expect_holds(first, coins, "assigned to itself");
  second = P(3);
  fill(second, 0, 3);
  EXPECT_FALSE(second.acquire(u64{3}));
}

TYPED_TEST(PeerPromise, SwapExchangesCoinsKeysLimitsAndPolicies) {
  using P = typename TypeParam::template PoolOf<Coin>;
  P a(10), b(200);
  ASSERT_TRUE(b.set_policy(PolicyId::StealOldest));
  const auto few = fill(a, 0, 10);
  auto many = fill(b, 1000, 150);
  for (u64 worth = 1000; worth < 1150; worth += 3) {
    ASSERT_TRUE(b.erase(many[worth]));
    many.erase(worth);
  }
  a.swap(b);
  expect_holds(a, many, "by member");
  expect_holds(b, few, "by member");
  EXPECT_EQ(a.capacity(), 200u);
  EXPECT_EQ(a.policy(), PolicyId::StealOldest);
  EXPECT_FALSE(b.acquire(u64{7})) << "full, and rejects";
  using std::swap;
  swap(a, b);
  expect_holds(a, few, "by free function");
  expect_holds(b, many, "by free function");
  P& same = b;
  b.swap(same);
  expect_holds(b, many, "with itself");
  P none(0);
  none.swap(b);
  expect_holds(none, many, "with an empty one");
  EXPECT_TRUE(b.empty());
  EXPECT_EQ(b.capacity(), 0u);
  for (u64 worth = 2000; none.size() < 200; ++worth) many[worth] = none.acquire(worth);
  expect_holds(none, many, "filled up");
  ASSERT_TRUE(none.acquire(u64{5000}));
  EXPECT_FALSE(none.contains(many[1001])) << "the oldest was the victim";
}

TYPED_TEST(PeerPromise, ReservingAndTrimmingLoseNoCoinAndNoKey) {
  using P = typename TypeParam::template PoolOf<Coin>;
  P pool(16);
  Purse<P> living = fill(pool, 0, 16);
  u64 worth = 16;
  for (const u32 capacity : {17u, 64u, 65u, 500u, 1100u}) {
    ASSERT_TRUE(pool.set_capacity(capacity));
    expect_holds(pool, living, "reserved");
    for (; living.size() < capacity; ++worth) {
      living[worth] = pool.acquire(worth);
      ASSERT_TRUE(living[worth]);
    }
    EXPECT_FALSE(pool.acquire(worth));
    expect_holds(pool, living, "filled");
    for (auto it = living.begin(); it != living.end();) {
      if (it->first % 4 == 1) {
        ++it;
      } else {
        ASSERT_TRUE(pool.erase(it->second));
        it = living.erase(it);
      }
    }
    pool.trim(3);
    EXPECT_EQ(pool.capacity(), living.size() + 3);
    expect_holds(pool, living, "trimmed");
  }
  ASSERT_TRUE(pool.set_capacity(0));
  expect_holds(pool, living, "a capacity of 0 ends nobody");
  EXPECT_FALSE(pool.acquire(worth));
  pool.clear();
  pool.trim(0);
  EXPECT_TRUE(pool.empty());
  ASSERT_TRUE(pool.set_capacity(20));
  expect_holds(pool, fill(pool, 0, 20), "from nothing");
}

TYPED_TEST(PeerPromise, ASnapshotCopiesAPoolIntoAnother) {
  using P = typename TypeParam::template PoolOf<Coin>;
  static_assert(!std::is_copy_constructible_v<P> && !std::is_copy_assignable_v<P>);
  P original(50);
  auto living = fill(original, 0, 50);
  for (u64 worth = 0; worth < 50; worth += 2) {
    original.erase(living[worth]);
    living.erase(worth);
  }
  P copy(3);
  fill(copy, 900, 3);
  copy.restore(original.save());
  EXPECT_EQ(worths(copy), worths(original));
  EXPECT_EQ(copy.capacity(), 50u);
  copy.for_each([](Coin& coin) { coin.mark = 9; });
  copy.clear();
  expect_holds(original, living, "the copy shares nothing with it");
  expect_holds(copy, fill(copy, 0, 50), "the copy is a pool");
}

TYPED_TEST(PeerPromise, SortingOrdersTheWalkAndKeepsEachKey) {
  using P = typename TypeParam::template PoolOf<Coin>;
  if constexpr (!kSorts<P>) {
    EXPECT_TRUE(P::StorageType::kStable) << "only pools whose objects stay have no sort()";
  } else {
    P pool(1500);
    const auto by_worth = [](const Coin& a, const Coin& b) { return a.worth < b.worth; };
    pool.sort(by_worth);
    EXPECT_TRUE(pool.empty());
    Purse<P> living;
    Rng rng(77);
    while (living.size() < 1500) {
      const u64 worth = rng.below(1u << 30);
      if (living.count(worth) == 0) living[worth] = pool.acquire(worth, static_cast<u32>(worth % 7));
    }
    auto walk = [&] {
      std::vector<u64> order;
      pool.for_each([&](const Coin& coin) {
        order.push_back(coin.worth);
        EXPECT_EQ(coin.mark, coin.worth % 7);
      });
      return order;
    };
    std::vector<u64> expected;
    for (const auto& [worth, key] : living) expected.push_back(worth);
    pool.sort(by_worth);
    EXPECT_EQ(walk(), expected);
    expect_holds(pool, living, "rising");
    pool.sort(by_worth);
    EXPECT_EQ(walk(), expected) << "already in order";
    pool.sort([](const Coin& a, const Coin& b) { return a.mark < b.mark; });
    std::stable_sort(expected.begin(), expected.end(), [](u64 a, u64 b) { return a % 7 < b % 7; });
    EXPECT_EQ(walk(), expected) << "equals keep their order";
    for (u32 i = 0; i < 1500; i += 3) {
      ASSERT_TRUE(pool.erase(living[expected[i]]));
      living.erase(expected[i]);
    }
    pool.sort([](const Coin& a, const Coin& b) { return a.worth > b.worth; });
    expected.clear();
    for (const auto& [worth, key] : living) expected.push_back(worth);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(walk(), expected) << "falling, after a third was erased";
    expect_holds(pool, living, "falling");
    for (u64 worth = u64{1} << 32; living.size() < 1500; ++worth) living[worth] = pool.acquire(worth);
    expect_holds(pool, living, "filled up again");
  }
}

// ------------------------------------------------------------ failures

/// Counts its blocks, and refuses after so many more.
struct CountedMemory final : PoolMemory {
  i64 blocks = 0, left = -1;  // left < 0: no limit
  void* allocate(std::size_t bytes, std::size_t align) override {
    if (left == 0) throw std::bad_alloc();
    if (left > 0) --left;
    ++blocks;
    return take_memory(nullptr, bytes, align);
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t align) noexcept override {
    --blocks;
    return_memory(nullptr, memory, bytes, align);
  }
};

TYPED_TEST(PeerPromise, RunningOutOfMemoryAtAnyPointChangesNothing) {
  using P = typename TypeParam::template PoolOf<Coin>;
  CountedMemory memory;
  i64 allowed = 0;
  for (bool made = false; !made; ++allowed) {
    memory.left = allowed;
    try {
      P pool(PoolSize{.capacity = 40, .memory = &memory});
      made = true;
    } catch (const std::bad_alloc&) {
    }
    ASSERT_EQ(memory.blocks, 0) << "a constructor that failed keeps nothing";
  }
  EXPECT_GT(allowed, 1);
  memory.left = -1;
  {
    P pool(PoolSize{.capacity = 40, .memory = &memory});
    Purse<P> living = fill(pool, 0, 40);
    auto until_it_succeeds = [&](auto&& attempt) {
      const u32 capacity = pool.capacity();
      for (i64 blocks = 0;; ++blocks) {
        memory.left = blocks;
        bool done = false;
        try {
          done = attempt();
        } catch (const std::bad_alloc&) {
        }
        memory.left = -1;
        expect_holds(pool, living, "after an attempt");
        if (done || ::testing::Test::HasFatalFailure()) return blocks;
        EXPECT_EQ(pool.capacity(), capacity);
      }
    };
    EXPECT_GT(until_it_succeeds([&] { return pool.set_capacity(400); }), 0);
    for (u64 worth = 40; worth < 400; ++worth) living[worth] = pool.acquire(worth);
    EXPECT_FALSE(pool.acquire(u64{400}));
    ASSERT_TRUE(pool.set_policy(PolicyId::Grow));
    EXPECT_GT(until_it_succeeds([&] {
      const auto key = pool.acquire(u64{400});
      if (key) living[400] = key;
      return bool(key);
    }), 0);
    EXPECT_GT(pool.capacity(), 400u);
    const auto snapshot = pool.save();
    (void)pool.set_policy(PolicyId::Reject);
    pool.clear();
    const Purse<P> saved = std::exchange(living, {});
    memory.left = 0;
    pool.set_fill(true);  // then it is restored into a new storage
    EXPECT_THROW(pool.restore(snapshot), std::bad_alloc);
    expect_holds(pool, living, "a restore that failed");
    pool.set_fill(false);
    EXPECT_NO_THROW(pool.restore(snapshot)) << "in place it needs no memory";
    memory.left = -1;
    expect_holds(pool, saved, "a restore in place");
    (void)pool.set_policy(PolicyId::Reject);
    pool.clear();
    living = fill(pool, 0, 100);
    for (u64 worth = 0; worth < 97; ++worth) {
      pool.erase(living[worth]);
      living.erase(worth);
    }
    until_it_succeeds([&] {
      pool.trim(2);
      return true;
    });
  }
  EXPECT_EQ(memory.blocks, 0) << "all went back to where it came from";
}

TYPED_TEST(PeerPromise, ABatchWhoseMakerThrowsLeavesASoundPool) {
  using P = typename TypeParam::template PoolOf<Coin>;
  P pool(64);
  Purse<P> living = fill(pool, 0, 30);
  for (u64 worth = 0; worth < 30; worth += 2) {
    pool.erase(living[worth]);
    living.erase(worth);
  }
  for (const u32 good : {0u, 1u, 20u, 40u}) {
    std::vector<KeyOf<P>> made;
    EXPECT_THROW(pool.acquire_n(
                     45,
                     [&](u32 i) {
                       if (i == good) throw 7;
                       return Coin{100 + i, 0};
                     },
                     [&](u32, KeyOf<P> key) { made.push_back(key); }),
                 int);
    const auto present = worths(pool);
    ASSERT_EQ(present.size(), pool.size());
    ASSERT_EQ(pool.size(), living.size() + made.size()) << "those that were made, or none";
    for (const auto& key : made) ASSERT_TRUE(pool.contains(key));
    const PoolStats stats = pool.stats();
    ASSERT_EQ(stats.spawned, stats.released + stats.stolen + stats.live);
    pool.release_if([](const Coin& coin) { return coin.worth >= 100; });
    expect_holds(pool, living, "the others were not touched");
  }
  for (u64 worth = 1; worth < 9; worth += 2) {
    pool.erase(living[worth]);
    living.erase(worth);
  }
  const auto make = [](u32 i) { return Coin{1000 + i, 0}; };
  const auto keep = [&](u32 i, KeyOf<P> key) { living[1000 + i] = key; };
  EXPECT_EQ(pool.acquire_n(30, make, keep), 30u) << "the holes first, then new places";
  expect_holds(pool, living, "a batch that succeeds");
  u64 worth = 2000;
  while (const auto key = pool.acquire(worth)) living[worth++] = key;
  EXPECT_EQ(pool.size(), 64u);
  expect_holds(pool, living, "filled up");
}

// ------------------------------------------------------------ iterators

TYPED_TEST(PeerObjectPromise, IteratorsWorkWithTheStandardAlgorithms) {
  using P = typename TypeParam::template PoolOf<Coin>;
  static_assert(std::forward_iterator<typename P::iterator>);
  static_assert(std::forward_iterator<typename P::const_iterator>);
  P pool(120);
  auto living = fill(pool, 0, 120);
  for (u64 worth = 0; worth < 120; worth += 5) {
    pool.erase(living[worth]);
    living.erase(worth);
  }
  const P& fixed = pool;
  EXPECT_EQ(std::distance(pool.begin(), pool.end()), 96);
  EXPECT_EQ(std::distance(fixed.begin(), fixed.end()), 96);
  EXPECT_EQ(std::next(pool.begin(), 96), pool.end());
  const auto is_77 = [](const Coin& coin) { return coin.worth == 77; };
  const auto found = std::find_if(pool.begin(), pool.end(), is_77);
  ASSERT_NE(found, pool.end());
  EXPECT_EQ(found->worth, 77u);
  const auto is_75 = [](const Coin& coin) { return coin.worth == 75; };
  EXPECT_EQ(std::find_if(pool.begin(), pool.end(), is_75), pool.end()) << "erased";
  EXPECT_EQ(std::count_if(fixed.begin(), fixed.end(), [](const Coin& coin) { return coin.worth < 60; }), 48);
  typename P::iterator it{}, before{};
  EXPECT_EQ(it, before);
  it = pool.begin();
  before = it++;
  EXPECT_EQ(before, pool.begin());
  EXPECT_EQ(it, std::next(before));
  static_assert(std::is_same_v<decltype(*it), Coin&>);
  static_assert(std::is_same_v<decltype(*fixed.begin()), const Coin&>);
  for (Coin& coin : pool) coin.mark = 3;
  for (const Coin& coin : fixed) EXPECT_EQ(coin.mark, 3u);
}

TYPED_TEST(PeerPromise, AnIteratorBecomesAConstOneAndComparesWithIt) {
  using P = typename TypeParam::template PoolOf<Coin>;
  static_assert(std::is_convertible_v<typename P::iterator, typename P::const_iterator>);
  static_assert(!std::is_convertible_v<typename P::const_iterator, typename P::iterator>);
  P pool(4);
  fill(pool, 0, 4);
  typename P::const_iterator reader = pool.begin();
  EXPECT_TRUE(reader == pool.begin());
  EXPECT_TRUE(pool.begin() == reader);
  EXPECT_TRUE(reader != pool.end());
  u32 steps = 0;
  for (; reader != pool.end(); ++reader) ++steps;
  EXPECT_EQ(steps, 4u);
}

TYPED_TEST(PeerPromise, ItemsPairEachCoinWithItsKey) {
  using P = typename TypeParam::template PoolOf<Coin>;
  P pool(90);
  auto living = fill(pool, 0, 90);
  for (u64 worth = 0; worth < 90; worth += 4) {
    pool.erase(living[worth]);
    living.erase(worth);
  }
  Purse<P> seen;
  for (const auto& [key, coin] : std::as_const(pool).items()) {
    if constexpr (std::is_pointer_v<typename P::Pointer>) {
      seen[coin.worth] = key;
    } else {
      seen[coin->worth] = key;
    }
  }
  EXPECT_EQ(seen, living);
}

// ------------------------------------------------------------ addresses

TYPED_TEST(PeerObjectPromise, AnAddressLeadsBackToTheKeyWhileItsObjectLives) {
  using P = typename TypeParam::template PoolOf<Coin>;
  if constexpr (!kFindsByAddress<P>) {
    EXPECT_NE(P::StorageType::kPlaces, Places::Cells);
  } else {
    P pool(64);
    auto living = fill(pool, 0, 64);
    (void)pool.set_capacity(150);
    for (u64 worth = 64; worth < 150; ++worth) living[worth] = pool.acquire(worth);
    for (const auto& [worth, key] : living) ASSERT_EQ(pool.handle_of(pool.get(key)), key);
    for (u64 worth = 0; worth < 150; worth += 2) {
      const Coin* const last = pool.get(living[worth]);
      pool.erase(living[worth]);
      living.erase(worth);
      const auto key = pool.handle_of(last);  // packed: another object may lie there now
      ASSERT_TRUE(key.is_null() || pool.get(key) == last);
      ASSERT_TRUE(key.is_null() || !P::StorageType::kStable);
    }
    for (const auto& [worth, key] : living) ASSERT_EQ(pool.handle_of(pool.get(key)), key);
    const Coin outside;
    EXPECT_TRUE(pool.handle_of(&outside).is_null());
    EXPECT_TRUE(pool.handle_of(nullptr).is_null());
    const Coin* const inside = pool.get(living.at(1));
    const auto* const middle = reinterpret_cast<const Coin*>(reinterpret_cast<const std::byte*>(inside) + 4);
    EXPECT_TRUE(pool.handle_of(middle).is_null()) << "no object begins there";
    P other(64);
    const auto theirs = other.acquire(u64{1});
    EXPECT_TRUE(pool.handle_of(other.get(theirs)).is_null());
    pool.clear();
    EXPECT_TRUE(pool.handle_of(inside).is_null());
  }
}

// ------------------------------------------------------------ kinds of objects

struct Delivered {
  const std::string *changeable, *readable;
  std::string owned;
  u64 spawn_id;
  Delivered(std::string& a, const std::string& b, std::string&& c, u64 id)
      : changeable(&a), readable(&b), owned(std::move(c)), spawn_id(id) {
    a += '!';
  }
};

TYPED_TEST(PeerObjectPromise, ArgumentsArriveAsTheyWereGiven) {
  for (const PolicyId policy : {PolicyId::Reject, PolicyId::Grow, PolicyId::StealOldest}) {
    typename TypeParam::template PoolOf<Delivered> pool(2);
    ASSERT_TRUE(pool.set_policy(policy));
    std::string a = "a";
    const std::string b = "b";
    u64 made = 0;
    for (u64 id = 0; id < 4; ++id) {
      std::string c = "a string too long to lie inside the object";
      const auto key = pool.acquire(a, b, std::move(c), id);
      ASSERT_EQ(bool(key), policy != PolicyId::Reject || id < 2);
      if (!key) {
        EXPECT_EQ(c.size(), 42u) << "a refused call takes nothing";
        continue;
      }
      ++made;
      const Delivered& object = *pool.get(key);
      EXPECT_EQ(object.changeable, &a);
      EXPECT_EQ(object.readable, &b);
      EXPECT_EQ(object.owned, "a string too long to lie inside the object");
      EXPECT_EQ(object.spawn_id, id);
      EXPECT_EQ(a, "a" + std::string(made, '!')) << "constructed once";
    }
  }
}

struct Unassignable {
  const u64 id;
  u32& counter;
};
TYPED_TEST(PeerObjectPromise, TypesWithConstAndReferenceMembersAreHeld) {
  static_assert(!std::is_default_constructible_v<Unassignable> && !std::is_move_assignable_v<Unassignable>);
  using P = typename TypeParam::template PoolOf<Unassignable>;
  P pool(20);
  u32 counter = 0;
  std::map<u64, KeyOf<P>> keys;
  for (u64 id = 0; id < 20; ++id) keys[id] = pool.acquire(id, counter);
  EXPECT_EQ(pool.release_if([](const Unassignable& object) { return object.id % 3 == 0; }), 7u);
  ASSERT_TRUE(pool.set_capacity(60));
  [[maybe_unused]] const auto falling = [](const Unassignable& a, const Unassignable& b) { return a.id > b.id; };
  if constexpr (kSorts<P>) pool.sort(falling);
  pool.for_each([](Unassignable& object) { ++object.counter; });
  EXPECT_EQ(counter, 13u);
  for (const auto& [id, key] : keys) {
    if (id % 3 == 0) continue;
    EXPECT_EQ(pool.get(key)->id, id);
  }
}

struct Anchored {
  explicit Anchored(u64 v) : value(v), self(this) {}
  Anchored(Anchored&&) = delete;
  u64 value;
  const Anchored* self;
};
TYPED_TEST(PeerObjectPromise, TypesThatCannotMoveAreHeldWhereObjectsStay) {
  if constexpr (TypeParam::kId == StrategyId::Packed) {
    GTEST_SKIP() << "packed moves its objects";
  } else {
    using P = typename TypeParam::template PoolOf<Anchored>;
    P pool(30);
    std::map<u64, KeyOf<P>> keys;
    for (u64 value = 0; value < 30; ++value) keys[value] = pool.acquire(value);
    for (u64 value = 0; value < 30; value += 2) pool.release(keys[value]);
    EXPECT_EQ(pool.set_capacity(90), TypeParam::kId != StrategyId::ConsoleHeap);
    for (u64 value = 100; value < 110; ++value) keys[value] = pool.acquire(value);
    EXPECT_EQ(pool.release_if([](const Anchored& object) { return object.value < 10; }), 5u);
    pool.for_each([](const Anchored& object) { EXPECT_EQ(object.self, &object); });
    EXPECT_EQ(pool.size(), 20u);
    P other(std::move(pool));  // the storage changes hands, its objects stay
    EXPECT_EQ(other.get(keys[11])->self, other.get(keys[11]));
    EXPECT_EQ(other.get(keys[11])->value, 11u);
  }
}

TYPED_TEST(PeerObjectPromise, MoveOnlyAndStandardTypesAreHeldAndNeverMovedOntoThemselves) {
  {
    using P = typename TypeParam::template PoolOf<std::unique_ptr<u64>>;
    P pool(9);
    std::vector<KeyOf<P>> keys;
    for (u64 i = 0; i < 9; ++i) keys.push_back(pool.acquire(std::make_unique<u64>(i)));
    for (u64 i = 0; i < 9; i += 2) ASSERT_TRUE(pool.erase(keys[i]));
    for (u64 i = 1; i < 9; i += 2) EXPECT_EQ(**pool.get(keys[i]), i);
  }
  using P = typename TypeParam::template PoolOf<std::unordered_set<u64>>;
  P pool(3);
  const auto only = pool.acquire();
  pool.get(only)->insert(42);
  ASSERT_TRUE(pool.erase(only)) << "the last object is the one that goes";
  const auto first = pool.acquire(std::unordered_set<u64>{1, 2, 3}), second = pool.acquire();
  pool.get(second)->insert(5);
  ASSERT_TRUE(pool.erase(second));
  EXPECT_EQ(pool.get(first)->size(), 3u);
  if constexpr (kSorts<P>) pool.sort([](const auto& a, const auto& b) { return a.size() < b.size(); });
  EXPECT_EQ(pool.get(first)->count(3), 1u);
}

struct Nothing {};
TYPED_TEST(PeerObjectPromise, EmptyTypesHaveKeysAndAddressesOfTheirOwn) {
  using P = typename TypeParam::template PoolOf<Nothing>;
  P pool(70);
  std::vector<KeyOf<P>> keys;
  std::set<const void*> addresses;
  for (u32 i = 0; i < 70; ++i) {
    keys.push_back(pool.acquire());
    addresses.insert(pool.get(keys.back()));
  }
  EXPECT_EQ(addresses.size(), 70u);
  EXPECT_FALSE(pool.acquire());
  for (u32 i = 0; i < 70; i += 7) EXPECT_TRUE(pool.erase(keys[i]));
  u32 count = 0;
  pool.for_each([&](const Nothing&) { ++count; });
  EXPECT_EQ(count, 60u);
}

/// Its own operators must not be used by a container that has memory of its own.
struct Guarded {
  explicit Guarded(u64 v) : value(v) {}
  static void* operator new(std::size_t) = delete;
  static void* operator new(std::size_t, void*) = delete;
  static void operator delete(void*) = delete;
  const Guarded* operator&() const = delete;
  u64 value;
};
TYPED_TEST(PeerObjectPromise, OperatorsOfTheTypesOwnAreNotCalled) {
  using P = typename TypeParam::template PoolOf<Guarded>;
  P pool(10);
  const auto key = pool.acquire(u64{3});
  pool.acquire(u64{4});
  (void)pool.set_capacity(100);
  EXPECT_EQ(pool.get(key)->value, 3u);
  EXPECT_EQ(pool.release_if([](const Guarded& object) { return object.value == 4; }), 1u);
  EXPECT_EQ(pool.begin()->value, 3u);
}

/// Calls back when it ends, wherever it ends.
struct Domino {
  explicit Domino(u64 n) : number(n) {}
  Domino(Domino&& other) noexcept : number(std::exchange(other.number, 0)) {}
  ~Domino() {
    if (number != 0 && fallen) fallen(number);
  }
  u64 number;
  static inline std::function<void(u64)> fallen;
};
TYPED_TEST(PeerObjectPromise, ADestructorMayEraseOthersAndItself) {
  using P = typename TypeParam::template PoolOf<Domino>;
  for (const bool by_clear : {false, true}) {
    P pool(12);
    std::map<u64, KeyOf<P>> keys;
    for (u64 number = 1; number <= 12; ++number) keys[number] = pool.acquire(number);
    std::vector<u64> ends;
    Domino::fallen = [&](u64 number) {
      ends.push_back(number);
      EXPECT_FALSE(pool.erase(keys[number])) << "its handle is stale already";
      if (keys.count(number * 2) != 0) pool.erase(keys[number * 2]);
      if (number == 8) pool.erase(keys[1]);  // backwards
    };
    if (by_clear) {
      pool.clear();
    } else {
      EXPECT_TRUE(pool.erase(keys[2]));  // and 4, 8, 1
      EXPECT_EQ(pool.size(), 8u);
      for (const u64 number : {1u, 2u, 4u, 8u}) EXPECT_FALSE(pool.contains(keys[number]));
      for (const u64 number : {3u, 5u, 6u, 7u, 9u, 10u, 11u, 12u}) {
        EXPECT_EQ(pool.get(keys[number])->number, number);
      }
      pool.clear();
    }
    EXPECT_TRUE(pool.empty());
    std::sort(ends.begin(), ends.end());
    EXPECT_EQ(ends, (std::vector<u64>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})) << "each ended once";
    Domino::fallen = nullptr;
  }
}

struct Nested {
  Nested(u64 its_depth, u64& made) : depth(its_depth) {
    if (depth > 0) child = bear(depth - 1, made);
    ++made;
  }
  u64 depth;
  Handle<Nested> child;
  static inline std::function<Handle<Nested>(u64, u64&)> bear;
};
TYPED_TEST(PeerObjectPromise, AConstructorMayAcquireInItsOwnPool) {
  typename TypeParam::template PoolOf<Nested> pool(8);
  Nested::bear = [&](u64 depth, u64& made) { return pool.acquire(depth, made); };
  u64 made = 0;
  Handle<Nested> key = pool.acquire(u64{5}, made);
  EXPECT_EQ(made, 6u);
  EXPECT_EQ(pool.size(), 6u);
  for (u64 depth = 5;; --depth) {
    ASSERT_NE(pool.get(key), nullptr);
    EXPECT_EQ(pool.get(key)->depth, depth);
    key = pool.get(key)->child;
    if (depth == 0) break;
  }
  EXPECT_TRUE(key.is_null());
  pool.acquire(u64{9}, made);
  EXPECT_LE(pool.size(), 8u) << "the limit holds for children too";
  Nested::bear = nullptr;
}

TYPED_TEST(PeerObjectPromise, EachObjectEndsExactlyOnceThroughMovesSwapsAndRestores) {
  {
    using P = typename TypeParam::template PoolOf<Tracked>;
    P a(30), b(5);
    for (u64 i = 0; i < 30; ++i) a.acquire(i);
    for (u64 i = 0; i < 5; ++i) b.acquire(100 + i);
    swap(a, b);
    EXPECT_EQ(Tracked::alive, 35);
    b.release_if([](const Tracked& object) { return object.serial % 2 == 0; });
    EXPECT_EQ(Tracked::alive, 20);
    a = std::move(b);
    EXPECT_EQ(Tracked::alive, 15);
    a.for_each([](const Tracked& object) { EXPECT_TRUE(object.sound()); });
    (void)a.set_capacity(200);
    a.trim(0);
    if constexpr (kSorts<P>) a.sort([](const Tracked& x, const Tracked& y) { return x.serial > y.serial; });
    a.for_each([](const Tracked& object) { EXPECT_TRUE(object.sound()); });
    EXPECT_EQ(Tracked::alive, 15);
    a.clear();
    EXPECT_EQ(Tracked::alive, 0);
    a.acquire(u64{1});
  }
  EXPECT_EQ(Tracked::alive, 0);
}

}  // namespace
}  // namespace spellpool::pool
