#include "pool/inspect/line_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "core/rng.hpp"
#include "pool/pool.hpp"

namespace spellpool::pool {
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

}  // namespace
}  // namespace spellpool::pool
