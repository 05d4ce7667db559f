#include "pool/inspect/line_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "core/rng.hpp"
#include "storage_kinds.hpp"

namespace spellpool::pool {

struct LitMark {
  float x = 0, y = 0;
  u64 number = 0, born = 0;
};
template <>
struct FieldsOf<LitMark> {
  using Hot = FieldList<&LitMark::x, &LitMark::y>;
  using Cold = FieldList<&LitMark::number, &LitMark::born>;
};
template <>
struct OrderOf<LitMark> {
  static u64 serial(const LitMark& mark) { return mark.born; }
  static float score(const LitMark& mark) { return mark.x; }
};

namespace {

/// Reads objects byte by byte and counts the lines, as a cache of any size would.
struct LineCounter {
  std::set<u64> lines;
  void read(const void* object, std::size_t bytes) {
    const auto address = static_cast<u64>(reinterpret_cast<std::uintptr_t>(object));
    for (std::size_t i = 0; i < bytes; ++i) lines.insert((address + i) / 64);
  }
};

TEST(LineMap, CountsTheLinesThatACounterCounts) {
  std::vector<std::byte> memory(64 * 1'024);
  Rng rng(5);
  LineMap map;
  LineCounter counter;
  for (int i = 0; i < 500; ++i) {
    const std::size_t bytes = rng.below(300), at = rng.below(static_cast<u32>(memory.size() - 300));
    map.hold(&memory[at], bytes);
    if (rng.below(2) == 0) {
      map.touch(&memory[at], bytes);
      counter.read(&memory[at], bytes);
    }
    ASSERT_EQ(map.touched(), counter.lines.size());
  }
  std::set<u64> drawn;
  u64 before = 0;
  for (const MemoryPage& page : map.pages()) {
    EXPECT_GT(page.number, before) << "pages rise";
    EXPECT_EQ(page.touched & ~page.held, 0u);
    before = page.number;
    for (u64 line = 0; line < 64; ++line) {
      if ((page.touched >> line & 1) != 0) drawn.insert(page.number * 64 + line);
    }
  }
  EXPECT_EQ(drawn, counter.lines);
}

TEST(LineMap, PackedObjectsTakeAsManyLinesAsTheirBytesFill) {
  struct Spark {
    std::array<float, 12> numbers{};
  };
  PackedPool<Spark> pool(200);
  LineMap map;
  LineCounter counter;
  for (int i = 0; i < 100; ++i) (void)pool.acquire();
  pool.for_each([&](const Spark& spark) {
    map.touch(&spark, sizeof spark);
    counter.read(&spark, sizeof spark);
  });
  EXPECT_EQ(map.touched(), counter.lines.size());
  EXPECT_LE(map.touched(), (100u * 48 + 63) / 64 + 1);
}

template <class K>
class LineMapOf : public ::testing::Test {};
TYPED_TEST_SUITE(LineMapOf, StorageKinds, KindNames);

TYPED_TEST(LineMapOf, TouchesWhatAWalkReadsAtItsTrueAddress) {
  typename TypeParam::template PoolOf<LitMark> pool(300);
  std::vector<typename decltype(pool)::HandleType> live;
  for (u32 i = 0; i < 300; ++i) live.push_back(pool.acquire(LitMark{0, 0, i, i}));
  for (u32 i = 0; i < 300; i += 3) pool.release(live[i]);
  LineMap map;
  map_lines(pool, map);
  const auto& storage = pool.storage();
  LineCounter counter;
  if constexpr (requires { storage.columns(); }) {
    storage.for_each_slot([&](u32 slot, const auto&) {
      const u32 row = storage.place_of(slot);
      counter.read(&storage.columns().template column<&LitMark::x>()[row], sizeof(float));
      counter.read(&storage.columns().template column<&LitMark::y>()[row], sizeof(float));
    });
  } else {
    pool.for_each([&](const LitMark& mark) { counter.read(&mark, sizeof mark); });
    if constexpr (requires { storage.for_each_flag([](const void*, std::size_t) {}); })
      storage.for_each_flag([&](const void* flag, std::size_t bytes) { counter.read(flag, bytes); });
  }
  EXPECT_EQ(map.touched(), counter.lines.size());
  EXPECT_GE(map.held(), (200 * sizeof(LitMark) + 63) / 64);
}

}  // namespace
}  // namespace spellpool::pool
