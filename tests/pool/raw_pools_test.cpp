// The pools without handles, each mirrored into a plain model.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/rng.hpp"
#include "pool/raw/raw_dense.hpp"
#include "pool/raw/raw_free_list.hpp"
#include "pool/raw/raw_stable.hpp"
#include "storage_kinds.hpp"

namespace spellpool::pool {
struct Mote {
  u32 id;     // who it is: the models know it by this
  u32 steps;  // left to live
  u64 tag;    // made from the id, to see that a row's fields stay together
  u8 small;
};
template <>
struct FieldsOf<Mote> {
  using Hot = FieldList<&Mote::steps>;
  using Cold = FieldList<&Mote::id, &Mote::tag, &Mote::small>;
};

namespace {

Mote mote(u32 id, u32 steps) { return {id, steps, mix64(id), static_cast<u8>(id)}; }
void expect_sound(const Mote& m) {
  EXPECT_EQ(m.tag, mix64(m.id));
  EXPECT_EQ(m.small, static_cast<u8>(m.id));
}

/// id → steps left, of all that live.
using Model = std::map<u32, u32>;

/// One step of the model: who reaches 0 dies.
u32 step(Model& model) {
  u32 died = 0;
  for (auto it = model.begin(); it != model.end();) {
    if (--it->second == 0) {
      it = model.erase(it);
      ++died;
    } else {
      ++it;
    }
  }
  return died;
}

u32 step(RawDense<Mote>& pool) {
  u32* steps = pool.column<&Mote::steps>();
  u32 expected_first = 0;
  return pool.update([&](u32 first, u32 count) {
    EXPECT_EQ(first, expected_first);
    EXPECT_TRUE(count == 64 || (count > 0 && first + count == pool.live()));
    expected_first = first + count;
    for (u32 i = first; i < first + 64; ++i) --steps[i];  // rows behind the last one may be computed on
    return lane_mask(64, [&](u32 i) { return steps[first + i] == 0; });
  });
}
u32 step(RawStable<Mote>& pool) {
  u32* steps = pool.column<&Mote::steps>();
  return pool.update([&](u32 first, u32 count) {
    EXPECT_TRUE((count == 64 && first % 64 == 0) || count == 1);
    for (u32 i = first; i < first + count; ++i) --steps[i];
    return lane_mask(count, [&](u32 i) { return steps[first + i] == 0 || !pool.is_live(first + i); });  // free rows say anything
  });
}
u32 step(RawFreeList<Mote>& pool) {
  return pool.update([](Mote& m) { return --m.steps == 0; });
}

Model contents(RawDense<Mote>& pool) {
  pool.settle();
  Model model;
  for (u32 row = 0; row < pool.live(); ++row) {
    expect_sound(pool.load(row));
    model[pool.load(row).id] = pool.load(row).steps;
  }
  EXPECT_EQ(model.size(), pool.live());
  return model;
}
Model contents(RawStable<Mote>& pool) {
  Model model;
  i64 last = -1;
  pool.for_each([&](u32 row) {
    EXPECT_TRUE(pool.is_live(row));
    EXPECT_GT(i64{row}, last);
    last = row;
    expect_sound(pool.load(row));
    model[pool.load(row).id] = pool.load(row).steps;
  });
  EXPECT_EQ(model.size(), pool.live());
  return model;
}
Model contents(RawFreeList<Mote>& pool) {
  Model model;
  const Mote* last = nullptr;
  pool.for_each([&](const Mote& m) {
    EXPECT_GT(&m, last);
    last = &m;
    expect_sound(m);
    model[m.id] = m.steps;
  });
  return model;
}

template <class Pool>
class RawPools : public ::testing::Test {};
using RawPoolTypes = ::testing::Types<RawDense<Mote>, RawStable<Mote>, RawFreeList<Mote>>;
TYPED_TEST_SUITE(RawPools, RawPoolTypes);

/// Spawns n in the pool and, as far as there is room, in the model.
template <class Pool>
void spawn(Pool& pool, Model& model, u32& next_id, u32 n, Rng& rng, u32 longest) {
  std::vector<u32> steps(n);
  for (u32& s : steps) s = 1 + rng.below(longest);
  const u32 room = pool.capacity() - static_cast<u32>(model.size());
  const u32 id = next_id;
  const u32 made = pool.spawn_n(n, [&](u32 i) { return mote(id + i, steps[i]); });
  ASSERT_EQ(made, std::min(n, room));
  for (u32 i = 0; i < made; ++i) model[id + i] = steps[i];
  next_id += n;
}

TYPED_TEST(RawPools, AgreeWithTheModelWhateverTheirCapacityAndHowManyDie) {
  for (const u32 capacity : {1u, 2u, 63u, 64u, 65u, 128u, 1000u, 4096u, 5003u}) {
    for (const u32 longest : {1u, 3u, 60u}) {
      Rng rng(capacity * 100 + longest);
      TypeParam pool(capacity);
      Model model;
      u32 next_id = 0;
      for (u32 round = 0; round < 60; ++round) {
        // Nothing, a few, many, and more than there is room for.
        const u32 n = round % 4 == 0   ? 0
                      : round % 4 == 1 ? rng.below(8)
                      : round % 4 == 2 ? rng.below(capacity + 1)
                                       : capacity + 1;
        ASSERT_NO_FATAL_FAILURE(spawn(pool, model, next_id, n, rng, longest));
        if (round % 3 != 0) {
          ASSERT_EQ(contents(pool), model);
        }
        ASSERT_EQ(step(pool), step(model));
        if (round % 5 == 0) {
          ASSERT_EQ(contents(pool), model);
        }
      }
    }
  }
}

TYPED_TEST(RawPools, AllDeadMeansEmptyAndUsableAgain) {
  TypeParam pool(300);
  Model model;
  Rng rng(1);
  u32 next_id = 0;
  for (u32 round = 0; round < 5; ++round) {
    ASSERT_NO_FATAL_FAILURE(spawn(pool, model, next_id, 300, rng, 1));
    ASSERT_EQ(step(pool), 300u);
    step(model);
    ASSERT_TRUE(contents(pool).empty());
  }
}

TYPED_TEST(RawPools, FewAmongManyLiveOn) {
  TypeParam pool(20'000);
  Model model;
  pool.spawn_n(20'000, [&](u32 i) {
    const u32 steps = mix64(i) % 50 == 0 ? 9 : 1;
    model[i] = steps;
    return mote(i, steps);
  });
  for (u32 round = 0; round < 9; ++round) {
    ASSERT_EQ(step(pool), step(model));
    ASSERT_EQ(contents(pool), model);
  }
  ASSERT_TRUE(model.empty());
}

// ---- each on its own

TEST(RawDenseTest, SpawnsFillTheHolesBeforeAnyRowMoves) {
  RawDense<Mote> pool(200);
  pool.spawn_n(150, [](u32 i) { return mote(i, i % 10 == 3 ? 1 : 5); });
  ASSERT_EQ(step(pool), 15u);
  ASSERT_EQ(pool.holes().size(), 15u);
  ASSERT_EQ(pool.live(), 135u);
  EXPECT_TRUE(std::is_sorted(pool.holes().begin(), pool.holes().end()));
  for (const u32 row : pool.holes()) EXPECT_EQ(pool.load(row).id % 10, 3u) << "a hole keeps its last values";
  pool.spawn_n(15, [](u32 i) { return mote(1000 + i, 5); });
  EXPECT_TRUE(pool.holes().empty());
  for (u32 row = 0; row < 150; ++row) {
    if (row % 10 == 3) {
      EXPECT_GE(pool.load(row).id, 1000u);
    } else {
      EXPECT_EQ(pool.load(row).id, row) << "nobody else moved";
    }
  }
}

TEST(RawDenseTest, SettlingMovesNoMoreRowsThanThereAreHoles) {
  RawDense<Mote> pool(200);
  pool.spawn_n(200, [](u32 i) { return mote(i, i % 4 == 0 || i > 190 ? 1 : 5); });
  const u32 died = step(pool);
  pool.settle();
  ASSERT_EQ(pool.live(), 200 - died);
  u32 moved = 0;
  for (u32 row = 0; row < pool.live(); ++row) moved += pool.load(row).id != row;
  EXPECT_LE(moved, died);
}

TEST(RawDenseTest, AppendAndKill) {
  RawDense<Mote> pool(100);
  const u32 first = pool.append(40);
  EXPECT_EQ(first, 0u);
  for (u32 row = 0; row < 40; ++row) pool.store(row, mote(row, 2));
  EXPECT_EQ(pool.append(60), 40u);
  for (u32 row = 40; row < 100; ++row) pool.store(row, mote(row, 2));
  for (u32 row = 100; row-- > 0;) {
    if (row % 3 == 0) pool.kill(row);
  }
  std::set<u32> ids;
  for (u32 row = 0; row < pool.live(); ++row) ids.insert(pool.load(row).id);
  EXPECT_EQ(ids.size(), 66u);
  for (const u32 id : ids) EXPECT_NE(id % 3, 0u);
  EXPECT_TRUE(pool.spawn(mote(7, 1)));
  pool.clear();
  EXPECT_EQ(pool.live(), 0u);
}

TEST(RawDenseTest, AMovedFromPoolIsEmptyAndHasNoCapacity) {
  RawDense<Mote> from(100);
  from.spawn_n(70, [](u32 i) { return mote(i, i % 2 + 1); });
  EXPECT_EQ(step(from), 35u);
  RawDense<Mote> to(std::move(from));
  const auto expect_empty = [](RawDense<Mote>& pool) {
    EXPECT_EQ(pool.live(), 0u);
    EXPECT_EQ(pool.capacity(), 0u);
    EXPECT_TRUE(pool.holes().empty());
    EXPECT_EQ(pool.update([](u32, u32) { return ~u64{0}; }), 0u);
    EXPECT_FALSE(pool.spawn(mote(1, 1)));
  };
  expect_empty(from);
  EXPECT_EQ(to.holes().size(), 35u);
  RawDense<Mote> other(10);
  other.spawn(mote(7, 7));
  other = std::move(to);
  expect_empty(to);
  EXPECT_EQ(other.capacity(), 100u);
  EXPECT_EQ(other.live(), 35u);
  EXPECT_EQ(contents(other).size(), 35u);
  EXPECT_EQ(other.spawn_n(100, [](u32 i) { return mote(100 + i, 1); }), 65u);
}

TEST(RawDenseTest, ColumnsAreAlignedAndStay) {
  RawDense<Mote> pool(1000);
  u32* const steps = pool.column<&Mote::steps>();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(steps) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pool.column<&Mote::tag>()) % 64, 0u);
  pool.spawn_n(1000, [](u32 i) { return mote(i, 1); });
  step(pool);
  pool.settle();
  EXPECT_EQ(pool.column<&Mote::steps>(), steps);
}

TEST(RawStableTest, TheLowestFreeRowIsTakenFirstAndRowsStay) {
  constexpr u32 kCapacity = 9000;  // three words of summary
  RawStable<Mote> pool(kCapacity);
  std::map<u32, u32> id_of_row;
  std::set<u32> free;
  for (u32 row = 0; row < kCapacity; ++row) free.insert(row);
  Rng rng(8);
  u32 next_id = 0;
  for (u32 round = 0; round < 200; ++round) {
    const u32 births = round % 5 == 0 ? kCapacity + 1 : rng.below(1000);
    if (round % 2 == 0) {
      for (u32 i = 0; i < births && !free.empty(); ++i) {
        ASSERT_EQ(pool.spawn(mote(next_id, 5)), *free.begin());
        id_of_row[*free.begin()] = next_id++;
        free.erase(free.begin());
      }
    } else {
      const u32 made = std::min(births, static_cast<u32>(free.size()));
      ASSERT_EQ(pool.spawn_n(
                    births, [&](u32 i) { return mote(next_id + i, 5); },
                    [&](u32 i, u32 row) {
                      ASSERT_EQ(row, *free.begin());
                      id_of_row[row] = next_id + i;
                      free.erase(free.begin());
                    }),
                made);
      next_id += made;
    }
    const u32 one_in = 1 + rng.below(6) * (round % 3);
    for (auto it = id_of_row.begin(); it != id_of_row.end();) {
      if (rng.below(one_in) == 0) {
        pool.kill(it->first);
        ASSERT_FALSE(pool.is_live(it->first));
        free.insert(it->first);
        it = id_of_row.erase(it);
      } else {
        ++it;
      }
    }
    ASSERT_EQ(pool.live(), id_of_row.size());
    for (const auto& [row, id] : id_of_row) ASSERT_EQ(pool.load(row).id, id);
  }
}

TEST(RawStableTest, FullGivesNoRow) {
  RawStable<Mote> pool(65);
  for (u32 i = 0; i < 65; ++i) ASSERT_EQ(pool.spawn(mote(i, 1)), i);
  EXPECT_EQ(pool.spawn(mote(99, 1)), RawStable<Mote>::kNoRow);
  EXPECT_FALSE(pool.is_live(65));
  EXPECT_FALSE(pool.is_live(100'000));
  pool.kill(64);
  EXPECT_EQ(pool.spawn(mote(99, 1)), 64u);
}

TEST(RawStableTest, AMovedFromPoolIsEmptyAndHasNoCapacity) {
  RawStable<Mote> from(100);
  for (u32 i = 0; i < 70; ++i) from.spawn(mote(i, 2));
  from.kill(3);
  RawStable<Mote> to(std::move(from));
  const auto expect_empty = [](RawStable<Mote>& pool) {
    EXPECT_EQ(pool.live(), 0u);
    EXPECT_EQ(pool.capacity(), 0u);
    EXPECT_FALSE(pool.is_live(0));
    EXPECT_EQ(pool.update([](u32, u32) { return ~u64{0}; }), 0u);
    pool.for_each([](u32 row) { ADD_FAILURE() << row; });
    EXPECT_EQ(pool.spawn(mote(1, 1)), RawStable<Mote>::kNoRow);
  };
  expect_empty(from);
  RawStable<Mote> other(10);
  other.spawn(mote(7, 7));
  other = std::move(to);
  expect_empty(to);
  EXPECT_EQ(other.capacity(), 100u);
  EXPECT_EQ(other.live(), 69u);
  EXPECT_FALSE(other.is_live(3));
  EXPECT_EQ(other.spawn(mote(100, 1)), 3u);
}

TEST(RawPools, RefuseACapacityThatIsNone) {
  static u32 refused;
  refused = 0;
  const MisuseHandler before = set_misuse_handler([](const char*) { ++refused; });
  RawDense<Mote> dense(~u32{0});
  RawStable<Mote> stable(kMaxCapacity + 1);
  set_misuse_handler(before);
  EXPECT_EQ(refused, 2u);
  EXPECT_EQ(dense.capacity(), 0u);
  EXPECT_EQ(stable.capacity(), 0u);
  EXPECT_FALSE(dense.spawn(mote(1, 1)));
  EXPECT_EQ(stable.spawn(mote(1, 1)), RawStable<Mote>::kNoRow);
}

template <class T, bool Walkable>
void fill_and_drain() {
  RawFreeList<T, Walkable> pool(100);
  std::vector<T*> all;
  for (u32 i = 0; i < 100; ++i) {
    all.push_back(pool.acquire());
    ASSERT_NE(all.back(), nullptr);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(all.back()) % alignof(T), 0u);
  }
  ASSERT_EQ(pool.acquire(), nullptr);
  ASSERT_EQ(std::set<T*>(all.begin(), all.end()).size(), 100u);
  for (T* p : all) pool.release(p);
  ASSERT_EQ(pool.acquire(), all.back()) << "the cell released last is taken first";
  pool.release(all.back());
}

TEST(RawFreeListTest, AnySizeAndAlignment) {
  struct Byte {
    u8 b = 1;
  };
  struct Odd {
    u8 b[13] = {};
  };
  struct alignas(128) Wide {
    u8 b = 1;
  };
  fill_and_drain<Byte, true>();
  fill_and_drain<Byte, false>();
  fill_and_drain<Odd, true>();
  fill_and_drain<Odd, false>();
  fill_and_drain<Wide, true>();
  fill_and_drain<Wide, false>();
}

TEST(RawFreeListTest, ObjectsEndOnceHoweverTheyEnd) {
  {
    RawFreeList<Tracked> pool(500);
    Rng rng(4);
    std::map<u64, Tracked*> live;
    u64 serial = 0;
    for (u32 round = 0; round < 200; ++round) {
      for (u32 n = rng.below(60); n > 0; --n) {
        Tracked* const t = pool.acquire(serial);
        ASSERT_EQ(t == nullptr, live.size() == 500);
        if (t) live[serial] = t;
        ++serial;
      }
      for (u32 n = rng.below(20); n > 0 && !live.empty(); --n) {
        auto it = live.lower_bound(rng.below(static_cast<u32>(serial)));
        if (it == live.end()) it = live.begin();
        pool.release(it->second);
        live.erase(it);
      }
      const u64 unlucky = rng.below(5);
      const u32 ended = pool.release_if([&](const Tracked& t) { return t.serial % 5 == unlucky; });
      ASSERT_EQ(ended, std::erase_if(live, [&](const auto& item) { return item.first % 5 == unlucky; }));
      ASSERT_EQ(Tracked::alive, static_cast<i64>(live.size()));
      u32 seen = 0;
      pool.for_each([&](Tracked& t) {
        ASSERT_TRUE(t.sound());
        ASSERT_EQ(live.at(t.serial), &t);
        ++seen;
      });
      ASSERT_EQ(seen, live.size());
    }
  }
  EXPECT_EQ(Tracked::alive, 0) << "the pool's end ends what still lived";
}

TEST(RawFreeListTest, AThrowingConstructorLeavesTheCellFree) {
  struct Fussy {
    explicit Fussy(bool fail) {
      for (u8& byte : bytes) byte = 0xee;  // over the link
      if (fail) throw std::runtime_error("no");
    }
    u8 bytes[24];
  };
  RawFreeList<Fussy> pool(3);
  EXPECT_THROW(pool.acquire(true), std::runtime_error);
  Fussy* const a = pool.acquire(false);
  EXPECT_THROW(pool.acquire(true), std::runtime_error);
  Fussy* const b = pool.acquire(false);
  Fussy* const c = pool.acquire(false);
  EXPECT_TRUE(a && b && c && a != b && b != c && a != c);
  EXPECT_EQ(pool.acquire(false), nullptr);
  u32 live = 0;
  pool.for_each([&](Fussy&) { ++live; });
  EXPECT_EQ(live, 3u);
}

/// Its constructor acquires others first, and may throw after that.
template <bool kThrows>
struct Nest {
  using Pool = RawFreeList<Nest>;
  Nest(Pool& pool, u32 depth, bool fail) noexcept(!kThrows) : id(depth) {
    if (depth > 0) child = pool.acquire(pool, depth - 1, false);
    if constexpr (kThrows) {
      if (fail) throw std::runtime_error("no");
    }
  }
  u32 id;
  Nest* child = nullptr;
};
TEST(RawFreeListTest, AConstructorMayAcquireInItsOwnPool) {
  RawFreeList<Nest<false>> pool(4);
  const Nest<false>* const first = pool.acquire(pool, 2u, false);
  ASSERT_TRUE(first && first->child && first->child->child);
  EXPECT_EQ(first->id, 2u);
  EXPECT_EQ(first->child->id, 1u);
  EXPECT_EQ(first->child->child->id, 0u);
  const Nest<false>* const last = pool.acquire(pool, 1u, false);  // its child finds no room
  ASSERT_TRUE(last);
  EXPECT_EQ(last->child, nullptr);
  EXPECT_EQ(pool.acquire(pool, 0u, false), nullptr);

  RawFreeList<Nest<true>> other(3);
  EXPECT_THROW(other.acquire(other, 1u, true), std::runtime_error);
  u32 live = 0;
  other.for_each([&](const Nest<true>& nest) { live += nest.id == 0 ? 1 : 100; });
  EXPECT_EQ(live, 1u) << "the child alone";
  EXPECT_TRUE(other.acquire(other, 1u, false));
  EXPECT_EQ(other.acquire(other, 0u, false), nullptr);
}

TEST(RawFreeListTest, SpawnManyTellsWhereTheyAre) {
  RawFreeList<Mote> pool(10);
  std::vector<Mote*> made;
  EXPECT_EQ(pool.spawn_n(
                25, [](u32 i) { return mote(i, 1); }, [&](Mote* m) { made.push_back(m); }),
            10u);
  ASSERT_EQ(made.size(), 10u);
  for (u32 i = 0; i < 10; ++i) EXPECT_EQ(made[i]->id, i);
}

#if defined(SPELLPOOL_POISON)
TEST(RawFreeListDeathTest, TheSanitizerSeesUseAfterRelease) {
  RawFreeList<Mote> pool(10);
  Mote* const m = pool.acquire(mote(1, 1));
  pool.release(m);
  EXPECT_DEATH(m->steps = 3, "use-after-poison");
}
#endif

// ---- the lanes under them

TEST(Lanes, MaskAndListAgreeWithTheSlowWay) {
  Rng rng(6);
  for (u32 round = 0; round < 3000; ++round) {
    const u32 count = 1 + rng.below(64);
    u64 truth = rng.next_u64();
    for (u32 thinner = round % 6; thinner > 0; --thinner) truth &= rng.next_u64();
    if (round % 50 == 0) truth = ~u64{0};
    const u64 mask = lane_mask(count, [&](u32 i) { return (truth >> i & 1) != 0; });
    ASSERT_EQ(mask, truth & low_lanes(count));
    std::vector<u32> slow;
    for (u32 i = 0; i < 64; ++i) {
      if (mask >> i & 1) slow.push_back(1000 + i);
    }
    u32 fast[64 + kLaneSlack];
    const u32* const end = write_lanes(mask, 1000, fast);
    ASSERT_EQ(std::vector<u32>(static_cast<const u32*>(fast), end), slow);
  }
  EXPECT_EQ(low_lanes(0), 0u);
  EXPECT_EQ(low_lanes(1), 1u);
  EXPECT_EQ(low_lanes(64), ~u64{0});
}

}  // namespace
}  // namespace spellpool::pool
