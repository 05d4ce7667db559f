// The console heap: a model that predicts every address, and everything that can be done wrong to it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "allocation_probe.hpp"
#include "core/rng.hpp"
#include "pool/memory/console_heap.hpp"

namespace spellpool::pool {

inline void PrintTo(FreeResult result, std::ostream* out) {
  constexpr const char* kNames[] = {"Freed", "NullPointer", "DoubleFree", "ForeignPointer", "DamagedTags"};
  *out << kNames[static_cast<int>(result)];
}

namespace {

std::byte* bytes_at(void* pointer) { return static_cast<std::byte*>(pointer); }

/// Offset from the heap's first byte: the first block of a heap is used from byte 16.
struct Ruler {
  explicit Ruler(ConsoleHeap& heap) {
    void* first = heap.allocate(1);
    base = reinterpret_cast<std::uintptr_t>(first) - 16;
    heap.deallocate(first);
  }
  u64 operator()(const void* pointer) const { return reinterpret_cast<std::uintptr_t>(pointer) - base; }
  std::uintptr_t base;
};

/// Writes where nobody may: AddressSanitizer would report it.
void scribble(void* where, std::size_t bytes, int value = 0x5a) {
  unpoison(where, bytes);
  std::memset(where, value, bytes);
}

struct Block {
  u64 offset, bytes;
  bool is_free;
  bool operator==(const Block&) const = default;
};
std::vector<Block> blocks_of(const ConsoleHeap& heap) {
  std::vector<Block> blocks;
  heap.for_each_block([&](std::size_t offset, std::size_t bytes, bool is_free) { blocks.push_back({offset, bytes, is_free}); });
  return blocks;
}

// ---------------------------------------------------------------------------------------------------- the book's story

// "Say we've got fourteen bytes free, but it's fragmented into two seven-byte pieces with a chunk of in-use memory between
// them. If we try to allocate a twelve-byte object, we'll fail." One byte of the story is 16 here.
TEST(ConsoleHeapStory, FourteenBytesFreeButNoTwelveInOnePiece) {
  constexpr std::size_t kByte = 16;
  ConsoleHeap heap((7 + 2 + 7) * kByte + 4 * kByte);  // three blocks' tags and the end's
  void* seven = heap.allocate(7 * kByte);
  void* chunk = heap.allocate(2 * kByte);
  void* other_seven = heap.allocate(7 * kByte);
  ASSERT_TRUE(seven && chunk && other_seven);
  EXPECT_EQ(heap.stats().free_bytes, 0u);
  EXPECT_EQ(heap.allocate(1), nullptr);
  EXPECT_EQ(heap.stats().failures_while_enough_free, 0u) << "a full heap is not a fragmented one";
  heap.deallocate(seven);
  heap.deallocate(other_seven);

  EXPECT_EQ(heap.stats().free_bytes, 14 * kByte);
  EXPECT_EQ(heap.stats().largest_free, 7 * kByte);
  EXPECT_EQ(heap.stats().holes, 2u);
  EXPECT_EQ(heap.allocate(12 * kByte), nullptr) << "No more sparklies on screen.";
  EXPECT_EQ(heap.stats().failures, 2u);
  EXPECT_EQ(heap.stats().failures_while_enough_free, 1u);
  EXPECT_EQ(heap.allocate(15 * kByte), nullptr);
  EXPECT_EQ(heap.stats().failures_while_enough_free, 1u) << "fifteen would not fit into fourteen";

  EXPECT_EQ(heap.deallocate(chunk), FreeResult::Freed);
  EXPECT_EQ(heap.stats().holes, 1u);
  void* twelve = heap.allocate(12 * kByte);
  EXPECT_EQ(twelve, seven) << "one hole again, and it begins where the first seven were";
  EXPECT_EQ(heap.validate(), "");
}

// Long use turns the heap into foam: half of it free, and nothing larger than a few objects fits.
TEST(ConsoleHeapStory, FoamOfOpenHoles) {
  ConsoleHeap heap(64 * 1024);
  std::vector<void*> live;
  while (void* spark = heap.allocate(48)) live.push_back(spark);
  for (std::size_t i = 1; i < live.size(); i += 2) heap.deallocate(live[i]);
  const ConsoleHeapStats stats = heap.stats();
  EXPECT_GT(stats.free_bytes, 20u * 1024);
  EXPECT_EQ(stats.largest_free, 48u);
  EXPECT_EQ(heap.allocate(64), nullptr);
  EXPECT_EQ(heap.stats().failures_while_enough_free, 1u);
  EXPECT_EQ(heap.stats().longest_search, stats.holes) << "and it looked at every hole to find that out";
}

// ---------------------------------------------------------------------------------------------------- one promise a test

TEST(ConsoleHeap, AFreshHeapIsOneHole) {
  const ConsoleHeap heap(1000);
  const ConsoleHeapStats stats = heap.stats();
  EXPECT_EQ(stats.total_bytes, 992u) << "rounded down to 16";
  EXPECT_EQ(stats.free_bytes, 992u - 32);
  EXPECT_EQ(stats.largest_free, 992u - 32);
  EXPECT_EQ(stats.tag_bytes, 32u);
  EXPECT_EQ(stats.holes, 1u);
  EXPECT_EQ(blocks_of(heap), (std::vector<Block>{{0, 976, true}}));
  EXPECT_EQ(heap.validate(), "");
}

TEST(ConsoleHeap, TheSmallestHeapHoldsOneSmallBlock) {
  for (const std::size_t bytes : {0u, 1u, 48u, 63u}) {
    ConsoleHeap heap(bytes);
    EXPECT_EQ(heap.stats().total_bytes, 48u);
    void* block = heap.allocate(16);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(heap.allocate(0), nullptr);
    EXPECT_EQ(heap.deallocate(block), FreeResult::Freed);
    EXPECT_EQ(heap.validate(), "");
  }
}

TEST(ConsoleHeap, OneAllocationAtConstructionAndNoneAfter) {
  const u64 before = test::new_calls();
  ConsoleHeap heap(10'000);
  EXPECT_EQ(test::new_calls() - before, 1u);
  const u64 calls = test::new_calls_in([&] {
    for (u32 i = 0; i < 1000; ++i) {
      void* a = heap.allocate(100);
      void* b = heap.allocate(i, 64);
      heap.deallocate(a);
      heap.deallocate(b);
      heap.stats();
      heap.validate();
    }
  });
  EXPECT_EQ(calls, 0u);
}

TEST(ConsoleHeap, TheLargestFreeIsWhatCanBeAskedFor) {
  ConsoleHeap heap(1024);
  void* a = heap.allocate(100);
  heap.allocate(40);
  heap.deallocate(a);
  const u64 largest = heap.stats().largest_free;
  EXPECT_EQ(heap.allocate(largest + 1), nullptr);
  EXPECT_NE(heap.allocate(largest), nullptr);
}

TEST(ConsoleHeap, NothingAndTooMuchAreAnswered) {
  ConsoleHeap heap(1024);
  void* a = heap.allocate(0);
  void* b = heap.allocate(0);
  EXPECT_NE(a, nullptr);
  EXPECT_NE(a, b);
  for (const std::size_t bytes : {std::size_t{1025}, ~std::size_t{0}, ~std::size_t{0} - 15, ~std::size_t{0} / 2 + 1}) {
    EXPECT_EQ(heap.allocate(bytes), nullptr) << bytes;
    EXPECT_EQ(heap.allocate(bytes, 4096), nullptr) << bytes;
  }
  EXPECT_EQ(heap.allocate(1, std::size_t{1} << 40), nullptr);
  EXPECT_EQ(heap.stats().failures, 9u);
  EXPECT_EQ(heap.stats().failures_while_enough_free, 0u);
  EXPECT_EQ(heap.validate(), "");
}

TEST(ConsoleHeap, FirstFitTakesTheHoleFreedLast) {
  ConsoleHeap heap(4096);
  void* a = heap.allocate(200);
  heap.allocate(16);
  void* b = heap.allocate(100);
  heap.allocate(16);
  void* c = heap.allocate(300);
  heap.allocate(16);
  heap.deallocate(a);
  heap.deallocate(b);
  heap.deallocate(c);
  const u64 steps = heap.stats().steps;
  EXPECT_EQ(heap.allocate(90), c) << "not b, which fits better, nor a, which is first in memory";
  EXPECT_EQ(heap.stats().steps - steps, 1u);
  EXPECT_EQ(heap.allocate(192), bytes_at(c) + 112) << "what is left of c is still first";
  EXPECT_EQ(heap.stats().steps - steps, 2u);
  EXPECT_EQ(heap.allocate(100), b);
  EXPECT_EQ(heap.allocate(100), a);
  EXPECT_EQ(heap.validate(), "");
}

TEST(ConsoleHeap, ABlockMergesWithItsNeighboursWhicheverGoesFirst) {
  const std::vector<std::vector<int>> orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& order : orders) {
    ConsoleHeap heap(1024);
    heap.allocate(16);
    void* block[3] = {heap.allocate(64), heap.allocate(128), heap.allocate(32)};
    heap.allocate(16);
    for (const int i : order) {
      ASSERT_EQ(heap.deallocate(block[i]), FreeResult::Freed);
      ASSERT_EQ(heap.validate(), "");
    }
    EXPECT_EQ(heap.stats().holes, 2u);
    EXPECT_EQ(blocks_of(heap)[1], (Block{32, 80 + 144 + 48, true}));
  }
}

TEST(ConsoleHeap, ARestThatCouldHoldNothingIsGivenAlong) {
  ConsoleHeap heap(16 * 6);
  void* block = heap.allocate(48);  // 4 units of 5
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(blocks_of(heap), (std::vector<Block>{{0, 80, false}}));
  EXPECT_EQ(heap.stats().used_bytes, 64u);
  EXPECT_EQ(heap.deallocate(block), FreeResult::Freed);
  EXPECT_EQ(heap.stats().used_bytes, 0u);
  EXPECT_EQ(heap.stats().free_bytes, 64u);
}

TEST(ConsoleHeap, OverAlignedBlocksAreAligned) {
  ConsoleHeap heap(1 << 20);
  std::vector<void*> live;
  for (u32 round = 0; round < 3; ++round) {
    for (std::size_t align = 1; align <= 8192; align *= 2) {
      void* block = heap.allocate(24 + round * 40, align);
      ASSERT_NE(block, nullptr) << align;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % align, 0u) << align;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0u) << align;
      std::memset(block, 0x11, 24 + round * 40);
      live.push_back(block);
      ASSERT_EQ(heap.validate(), "");
    }
  }
  for (void* block : live) ASSERT_EQ(heap.deallocate(block), FreeResult::Freed);
  EXPECT_EQ(heap.stats().holes, 1u) << "the gaps before them merge too";
  EXPECT_EQ(heap.validate(), "");
}

TEST(ConsoleHeap, WorksAsAMemoryPolicy) {
  ConsoleHeap heap(1024);
  void* block = heap.allocate(48, 8);
  heap.deallocate(block, 48, 8);
  EXPECT_EQ(heap.stats().live_blocks, 0u);
  heap.deallocate(block, 48, 8);
  EXPECT_EQ(heap.stats().double_frees, 1u);
}

TEST(ConsoleHeap, MovesWithItsBlocks) {
  ConsoleHeap first(1024);
  void* block = first.allocate(100);
  ConsoleHeap heap(std::move(first));
  EXPECT_EQ(heap.validate(), "");
  EXPECT_EQ(heap.deallocate(block), FreeResult::Freed);

  // What is left behind is a heap of nothing.
  EXPECT_EQ(first.allocate(1), nullptr);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.deallocate(block), FreeResult::ForeignPointer);
  EXPECT_EQ(first.validate(), "");
  EXPECT_EQ(first.stats().total_bytes, 0u);
  EXPECT_EQ(first.stats().free_bytes, 0u);
  EXPECT_TRUE(blocks_of(first).empty());
  heap = ConsoleHeap(2048);
  EXPECT_EQ(heap.stats().total_bytes, 2048u);
  EXPECT_EQ(heap.validate(), "");
}

// ---------------------------------------------------------------------------------------------------- a heap sized for a pool

TEST(ConsoleHeapSize, NeverFailsBelowItsCountWhateverTheOrder) {
  for (const std::size_t align : {8u, 16u, 32u, 64u, 128u, 1024u}) {
    for (const std::size_t size : {1u, 16u, 17u, 48u, 100u, 128u, 1000u}) {
      for (const u32 count : {1u, 2u, 37u}) {
        SCOPED_TRACE(std::to_string(align) + ' ' + std::to_string(size) + ' ' + std::to_string(count));
        ConsoleHeap heap(ConsoleHeap::bytes_for(count, size, align));
        Rng rng(align * 4099 + size);
        std::vector<void*> live;
        for (u32 i = 0; i < 600; ++i) {
          const bool filling = i / 60 % 2 == 0;
          if (live.size() < count && (live.empty() || rng.below(100) < (filling ? 80u : 30u))) {
            live.push_back(heap.allocate(size, align));
            ASSERT_NE(live.back(), nullptr) << live.size();
          } else {
            std::swap(live[rng.below(static_cast<u32>(live.size()))], live.back());
            ASSERT_EQ(heap.deallocate(live.back()), FreeResult::Freed);
            live.pop_back();
          }
        }
        while (live.size() < count) {
          live.push_back(heap.allocate(size, align));
          ASSERT_NE(live.back(), nullptr);
        }
        ASSERT_EQ(heap.validate(), "");
        if (align <= 16) {
          ASSERT_EQ(heap.allocate(size, align), nullptr) << "and it is no larger than it must be";
        }
      }
    }
  }
}

TEST(ConsoleHeapSize, CostsSixteenBytesABlock) {
  EXPECT_EQ(ConsoleHeap::bytes_for(1000, 48), 1000u * 64 + 16);
  EXPECT_EQ(ConsoleHeap::bytes_for(1000, 49), 1000u * 80 + 16);
  constexpr std::size_t kNone = ConsoleHeap::bytes_for(0, 48);
  EXPECT_EQ(kNone, 16u);
}

// ---------------------------------------------------------------------------------------------------- misuse

TEST(ConsoleHeapMisuse, ASecondFreeIsFoundHoweverTheHolesMerged) {
  for (u32 which_first = 0; which_first < 3; ++which_first) {
    ConsoleHeap heap(1024);
    std::vector<void*> blocks;
    for (u32 i = 0; i < 3; ++i) blocks.push_back(heap.allocate(64));
    std::rotate(blocks.begin(), blocks.begin() + which_first, blocks.end());
    u64 found = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_EQ(heap.deallocate(blocks[i]), FreeResult::Freed);
      for (std::size_t k = 0; k <= i; ++k) {
        ASSERT_EQ(heap.deallocate(blocks[k]), FreeResult::DoubleFree) << which_first << ' ' << i << ' ' << k;
        ++found;
      }
      ASSERT_EQ(heap.stats().double_frees, found);
      ASSERT_EQ(heap.validate(), "");
    }
    EXPECT_EQ(heap.stats().foreign_pointers, 0u);
    EXPECT_EQ(heap.stats().holes, 1u);
  }
}

TEST(ConsoleHeapMisuse, ForeignPointersAreRefused) {
  ConsoleHeap heap(1024), other(1024);
  auto* block = bytes_at(heap.allocate(200));
  void* others = other.allocate(200);
  std::memset(block, 0, 200);
  int local = 0;
  const std::vector<void*> foreign = {others,    &local,      block + 1,  block + 8,      block + 16,
                                      block + 64, block - 16, block - 8, block + 1024, reinterpret_cast<void*>(16)};
  for (void* pointer : foreign) {
    EXPECT_EQ(heap.deallocate(pointer), FreeResult::ForeignPointer) << static_cast<std::byte*>(pointer) - block;
  }
  EXPECT_EQ(heap.stats().foreign_pointers, foreign.size());
  EXPECT_EQ(heap.deallocate(nullptr), FreeResult::NullPointer);
  EXPECT_EQ(heap.stats().foreign_pointers, foreign.size());
  EXPECT_EQ(heap.stats().live_blocks, 1u);
  EXPECT_EQ(heap.stats().free_calls, foreign.size() + 1);
  EXPECT_EQ(heap.validate(), "");
  EXPECT_EQ(heap.deallocate(block), FreeResult::Freed);
}

TEST(ConsoleHeapMisuse, NoPointerIntoTheMemoryOfAUsedHeapIsFreedUnlessItIsABlock) {
  ConsoleHeap heap(16 * 1024);
  const Ruler offset(heap);
  Rng rng(5);
  std::vector<void*> live;
  for (u32 round = 0; round < 40; ++round) {
    while (void* block = heap.allocate(rng.below(300))) live.push_back(block);
    for (u32 i = 0; i < 30 && !live.empty(); ++i) {
      std::swap(live[rng.below(static_cast<u32>(live.size()))], live.back());
      ASSERT_EQ(heap.deallocate(live.back()), FreeResult::Freed);
      live.pop_back();
    }
    // Old tags lie about everywhere in these blocks by now.
    for (u64 at = 0; at < heap.stats().total_bytes + 64; at += 8) {
      void* pointer = reinterpret_cast<void*>(offset.base + at);
      if (std::find(live.begin(), live.end(), pointer) != live.end()) continue;
      const FreeResult result = heap.deallocate(pointer);
      ASSERT_TRUE(result == FreeResult::ForeignPointer || result == FreeResult::DoubleFree) << at;
    }
    ASSERT_EQ(heap.validate(), "");
  }
}

TEST(ConsoleHeapMisuse, TheTagsOfAHeapThatStoodHereBeforeMeanNothing) {
  std::vector<void*> blocks;
  for (u32 round = 0; round < 20; ++round) {
    ConsoleHeap heap(4096);  // most likely at the same address each time
    for (void* old : blocks) ASSERT_NE(heap.deallocate(old), FreeResult::Freed);
    blocks.clear();
    ASSERT_NE(heap.allocate(2000), nullptr);
    while (void* block = heap.allocate(64)) blocks.push_back(block);
  }
}

/// A heap with: live A (64), live B (64), hole (64), live C (64), hole (the rest).
struct Damaged {
  Damaged() {
    a = bytes_at(heap.allocate(64));
    b = bytes_at(heap.allocate(64));
    hole = bytes_at(heap.allocate(64));
    c = bytes_at(heap.allocate(64));
    heap.deallocate(hole);
  }
  /// Damages and frees; nothing else may have changed.
  void expect(FreeResult expected, std::byte* where, std::size_t bytes, std::byte* freed, int value = 0x5a) {
    std::vector<std::byte> before(bytes);
    unpoison(where, bytes);
    std::memcpy(before.data(), where, bytes);
    scribble(where, bytes, value);
    EXPECT_NE(heap.validate(), "");
    const ConsoleHeapStats was = heap.stats();
    EXPECT_EQ(heap.deallocate(freed), expected);
    EXPECT_EQ(heap.stats().live_blocks, was.live_blocks);
    EXPECT_EQ(heap.stats().holes, was.holes);
    EXPECT_EQ(heap.stats().damaged_tags - was.damaged_tags, expected == FreeResult::DamagedTags ? 1u : 0u);
    EXPECT_EQ(heap.stats().foreign_pointers - was.foreign_pointers, expected == FreeResult::ForeignPointer ? 1u : 0u);
    unpoison(where, bytes);
    std::memcpy(where, before.data(), bytes);
    EXPECT_EQ(heap.validate(), "") << "and with the damage undone all is well";
  }
  ConsoleHeap heap{1024};
  std::byte *a, *b, *hole, *c;
};

TEST(ConsoleHeapMisuse, DamagedTagsAreFoundByTheFreeThatWouldFollowThem) {
  for (const int value : {0, 0x5a, 0xcd, 0xff}) {
    SCOPED_TRACE(value);
    Damaged heap;
    heap.expect(FreeResult::DamagedTags, heap.a + 64, 1, heap.a, value ^ 0x31);     // one byte too many: A's footer
    heap.expect(FreeResult::DamagedTags, heap.a + 64, 8, heap.a, value);
    heap.expect(FreeResult::DamagedTags, heap.a + 64, 8, heap.b, value);            // B's left neighbour
    heap.expect(FreeResult::DamagedTags, heap.b - 8, 8, heap.b, value);             // an underrun: B's header
    heap.expect(FreeResult::DamagedTags, heap.b - 8, 8, heap.a, value);             // A's right neighbour
    heap.expect(FreeResult::ForeignPointer, heap.a + 64, 16, heap.b, value);        // both gone: no trace of B
    heap.expect(FreeResult::DamagedTags, heap.a + 64, 16, heap.a, value);
    heap.expect(FreeResult::DamagedTags, heap.hole - 8, 8, heap.b, value);          // the hole to B's right
    heap.expect(FreeResult::DamagedTags, heap.hole - 8, 8, heap.c, value);          // … and to C's left
    heap.expect(FreeResult::DamagedTags, heap.hole + 64, 8, heap.b, value);         // its footer
    heap.expect(FreeResult::DamagedTags, heap.hole + 64, 8, heap.c, value);
    heap.expect(FreeResult::DamagedTags, heap.hole, 4, heap.b, value);              // its links: written after its free
    heap.expect(FreeResult::DamagedTags, heap.hole, 8, heap.c, value);
    if (value == 0xff) continue;  // what stands in the link back: the hole is first in the list
    heap.expect(FreeResult::DamagedTags, heap.hole + 4, 4, heap.c, value);
  }
}

TEST(ConsoleHeapMisuse, ALinkToAnywhereElseIsFound) {
  Damaged heap;
  const auto rest_unit = static_cast<u32>(blocks_of(heap.heap).back().offset / 16);
  std::vector<u32> units = {63, 64, 65, 0x7fffffff, 0x80000000, 0xfffffffd, 0xfffffffe, 0xffffffff};
  for (u32 unit = 0; unit <= rest_unit; ++unit) units.push_back(unit);
  u64 damaged = 0;
  for (const u32 unit : units) {
    u32 old[2];
    unpoison(heap.hole, 8);
    std::memcpy(old, heap.hole, 8);
    for (int side = 0; side < 2; ++side) {
      if (old[side] == unit) continue;
      unpoison(heap.hole, 8);
      std::memcpy(heap.hole + side * 4, &unit, 4);
      EXPECT_EQ(heap.heap.deallocate(heap.b), FreeResult::DamagedTags) << unit;
      EXPECT_EQ(heap.heap.allocate(400), nullptr) << "the rest could hold it, but the way there is damaged: " << unit;
      damaged += 2;
      EXPECT_EQ(heap.heap.stats().damaged_tags, damaged) << unit;
      unpoison(heap.hole, 8);
      std::memcpy(heap.hole, old, 8);
      EXPECT_EQ(heap.heap.validate(), "");
    }
  }
}

TEST(ConsoleHeapMisuse, ASearchEndsAtDamage) {
  for (const std::ptrdiff_t at : {-8, 0, 4, 64}) {
    SCOPED_TRACE(at);
    Damaged heap;
    scribble(heap.hole + at, 4);
    EXPECT_EQ(heap.heap.allocate(64), nullptr) << "the hole is first in the list";
    EXPECT_EQ(heap.heap.stats().damaged_tags, 1u);
    EXPECT_EQ(heap.heap.stats().failures, 1u);
    EXPECT_EQ(heap.heap.stats().failures_while_enough_free, 0u);
    EXPECT_EQ(heap.heap.stats().live_blocks, 3u);
  }
}

// Whatever is written over the heap, nothing outside it is touched and everything ends. (AddressSanitizer watches.)
TEST(ConsoleHeapMisuse, RandomDamageNeverLeadsOutOfTheHeap) {
  u64 refused = 0, freed = 0;
  for (u64 seed = 1; seed <= 300; ++seed) {
    ConsoleHeap heap(4096);
    const Ruler offset(heap);
    Rng rng(seed);
    std::vector<void*> live;
    for (u32 i = 0; i < 300; ++i) {
      const u32 dice = rng.below(100);
      if (dice < 50) {
        const u32 bytes = rng.below(200);
        if (void* block = heap.allocate(bytes, std::size_t{16} << rng.below(4))) {
          EXPECT_LE(offset(block) + bytes, 4096u - 16);
          live.push_back(block);
        }
      } else if (dice < 95) {
        if (live.empty()) continue;
        ++(heap.deallocate(live[rng.below(static_cast<u32>(live.size()))]) == FreeResult::Freed ? freed : refused);
      } else {
        auto* where = reinterpret_cast<std::byte*>(offset.base + rng.below(4096 / 8) * 8);
        const u64 garbage = rng.below(2) == 0 ? rng.below(256) : rng.next_u64();
        unpoison(where, 8);
        std::memcpy(where, &garbage, 8);
      }
      heap.stats();
      heap.validate();
    }
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(freed, 1000u);
}

// ---------------------------------------------------------------------------------------------------- the model

/// First fit over a LIFO list, written the slow and obvious way: it predicts every address.
class Model {
 public:
  Model(u64 total, std::uintptr_t base) : end_(total - 16), base_(base) { holes_.push_back({0, end_}); }

  /// Offset of the block's first usable byte, or 0.
  u64 allocate(u64 bytes, u64 align) {
    u64 size = 16 + std::max<u64>(16, (bytes + 15) / 16 * 16);
    if (align > 16) size = (size + align - 1) / align * align;
    steps = 0;
    for (std::size_t i = 0; i < holes_.size(); ++i) {
      ++steps;
      const Hole hole = holes_[i];
      u64 start = hole.start;
      while ((base_ + start + 16) % std::max<u64>(align, 16) != 0 || start - hole.start == 16) start += 16;
      if (start + size > hole.end) continue;
      const u64 end = hole.end - start - size == 16 ? hole.end : start + size;
      live[start] = end;
      const Hole front{hole.start, start}, rest{end, hole.end};
      if (!front.empty()) {
        holes_[i] = front;
        if (!rest.empty()) holes_.insert(holes_.begin(), rest);
      } else if (!rest.empty()) {
        holes_[i] = rest;
      } else {
        holes_.erase(holes_.begin() + static_cast<std::ptrdiff_t>(i));
      }
      return start + 16;
    }
    return 0;
  }
  void deallocate(u64 offset) {
    Hole merged{offset - 16, live.at(offset - 16)};
    live.erase(offset - 16);
    for (std::size_t i = holes_.size(); i-- > 0;) {
      if (holes_[i].end != merged.start && holes_[i].start != merged.end) continue;
      merged = {std::min(merged.start, holes_[i].start), std::max(merged.end, holes_[i].end)};
      holes_.erase(holes_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    holes_.insert(holes_.begin(), merged);
  }
  std::vector<Block> blocks() const {
    std::map<u64, Block> sorted;
    for (const Hole& hole : holes_) sorted[hole.start] = {hole.start, hole.end - hole.start, true};
    for (const auto& [start, end] : live) sorted[start] = {start, end - start, false};
    std::vector<Block> blocks;
    for (const auto& [start, block] : sorted) blocks.push_back(block);
    return blocks;
  }
  u64 free_bytes() const {
    u64 sum = 0;
    for (const Hole& hole : holes_) sum += hole.end - hole.start - 16;
    return sum;
  }
  u64 largest() const {
    u64 most = 0;
    for (const Hole& hole : holes_) most = std::max(most, hole.end - hole.start - 16);
    return most;
  }
  u64 holes() const { return holes_.size(); }

  std::map<u64, u64> live;  // start → end, tags included
  u64 steps = 0;

 private:
  struct Hole {
    u64 start, end;
    bool empty() const { return start == end; }
  };
  u64 end_;
  std::uintptr_t base_;
  std::vector<Hole> holes_;
};

void fill(void* block, u64 bytes, u64 id) {
  Rng rng(id);
  for (u64 i = 0; i < bytes; ++i) bytes_at(block)[i] = static_cast<std::byte>(rng.below(256));
}
bool filled(void* block, u64 bytes, u64 id) {
  Rng rng(id);
  for (u64 i = 0; i < bytes; ++i) {
    if (bytes_at(block)[i] != static_cast<std::byte>(rng.below(256))) return false;
  }
  return true;
}

struct Mix {
  const char* name;
  u32 least, most;  // bytes
  u32 aligns;       // up to 16 << (aligns - 1)
};

void agree_with_the_model(u64 total, const Mix& mix, u64 seed) {
  struct Living {
    void* pointer;
    u64 bytes, id;
  };
  ConsoleHeap heap(total);
  const Ruler offset(heap);
  Model model(heap.stats().total_bytes, offset.base);
  const ConsoleHeapStats start = heap.stats();
  Rng rng(seed);
  std::vector<Living> live;
  u64 next_id = 1, steps = 0, longest = 1, failures = 0, fragmented = 0, allocations = 0, frees = 0;
  for (u32 i = 0; i < 2'500; ++i) {
    const bool filling = i / 250 % 3 != 2;
    if (live.empty() || rng.below(100) < (filling ? 65u : 30u)) {
      const u64 bytes = mix.least + rng.below(mix.most - mix.least + 1);
      const u64 align = u64{16} << rng.below(mix.aligns);
      const u64 free_before = model.free_bytes();
      const u64 expected = model.allocate(bytes, align);
      void* block = heap.allocate(bytes, align);
      ++allocations;
      steps += model.steps;
      longest = std::max(longest, model.steps);
      ASSERT_EQ(block ? offset(block) : 0, expected) << bytes << ' ' << align;
      if (!block) {
        ++failures;
        const u64 rounded = std::max<u64>(16, (bytes + 15) / 16 * 16);
        if (align == 16) fragmented += rounded <= free_before ? 1 : 0;
      } else {
        fill(block, bytes, next_id);
        live.push_back({block, bytes, next_id++});
      }
    } else {
      std::swap(live[rng.below(static_cast<u32>(live.size()))], live.back());
      const Living gone = live.back();
      live.pop_back();
      ASSERT_TRUE(filled(gone.pointer, gone.bytes, gone.id)) << "somebody wrote into a live block";
      model.deallocate(offset(gone.pointer));
      ASSERT_EQ(heap.deallocate(gone.pointer), FreeResult::Freed);
      ++frees;
    }
    ASSERT_EQ(heap.validate(), "");
    ASSERT_EQ(blocks_of(heap), model.blocks());
    const ConsoleHeapStats stats = heap.stats();
    ASSERT_EQ(stats.free_bytes, model.free_bytes());
    ASSERT_EQ(stats.largest_free, model.largest());
    ASSERT_EQ(stats.holes, model.holes());
    ASSERT_EQ(stats.live_blocks, live.size());
    ASSERT_EQ(stats.total_bytes, stats.used_bytes + stats.free_bytes + stats.tag_bytes);
    ASSERT_EQ(stats.tag_bytes, 16 * (stats.holes + stats.live_blocks + 1));
    ASSERT_EQ(stats.steps - start.steps, steps);
    ASSERT_EQ(stats.longest_search, longest);
    ASSERT_EQ(stats.failures, failures);
    if (mix.aligns == 1) {
      ASSERT_EQ(stats.failures_while_enough_free, fragmented);
    }
    ASSERT_LE(stats.failures_while_enough_free, stats.failures);
    if (i % 50 == 0) {
      for (const Living& l : live) ASSERT_TRUE(filled(l.pointer, l.bytes, l.id));
    }
  }
  EXPECT_GT(failures, 20u) << "the run never met a full heap";
  if (mix.least != mix.most) {
    EXPECT_GT(heap.stats().failures_while_enough_free, 0u) << "the run never met a fragmented heap";
  }
  for (const Living& l : live) {
    ASSERT_TRUE(filled(l.pointer, l.bytes, l.id));
    ASSERT_EQ(heap.deallocate(l.pointer), FreeResult::Freed);
    ++frees;
  }
  const ConsoleHeapStats stats = heap.stats();
  EXPECT_EQ(stats.holes, 1u) << "all free is one hole";
  EXPECT_EQ(stats.free_bytes, start.free_bytes);
  EXPECT_EQ(stats.allocate_calls - start.allocate_calls, allocations);
  EXPECT_EQ(stats.free_calls - start.free_calls, frees);
  EXPECT_EQ(stats.double_frees + stats.foreign_pointers + stats.damaged_tags, 0u);
  EXPECT_EQ(heap.validate(), "");
}

TEST(ConsoleHeapModel, PredictsEveryAddress) {
  const Mix mixes[] = {{"small", 0, 64, 1}, {"mixed", 0, 400, 1}, {"equal", 48, 48, 1}, {"aligned", 0, 300, 5}};
  for (const Mix& mix : mixes) {
    for (u64 seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(std::string(mix.name) + ' ' + std::to_string(seed));
      agree_with_the_model(2'000 + seed * 1'000, mix, seed * 7919);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

// ---------------------------------------------------------------------------------------------------- poison

#if defined(SPELLPOOL_POISON)
u8 read_at(std::ptrdiff_t at, std::size_t bytes, bool released) {
  ConsoleHeap heap(1024);
  heap.allocate(32);
  const volatile u8* block = static_cast<const volatile u8*>(heap.allocate(bytes));
  heap.allocate(32);
  if (released) heap.deallocate(const_cast<u8*>(block));
  return block[at];
}
#endif

TEST(AsanMustFail, TouchingAFreedBlockOfAConsoleHeapIsReported) {
#if defined(SPELLPOOL_POISON)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(read_at(0, 48, true), "use-after-poison");
  EXPECT_DEATH(read_at(47, 48, true), "use-after-poison");
#else
  GTEST_SKIP() << "needs a build with AddressSanitizer (preset asan)";
#endif
}

TEST(AsanMustFail, LeavingABlockOfAConsoleHeapIsReported) {
#if defined(SPELLPOOL_POISON)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(read_at(48, 48, false), "use-after-poison");
  EXPECT_DEATH(read_at(41, 41, false), "use-after-poison");
  EXPECT_DEATH(read_at(-1, 48, false), "use-after-poison");
  EXPECT_EQ(read_at(40, 41, false), 0xCD);
#else
  GTEST_SKIP() << "needs a build with AddressSanitizer (preset asan)";
#endif
}

TEST(ConsoleHeap, AnAssignedHeapIsTheSameAndGoesOnAlike) {
  constexpr std::size_t kBytes = 4096;
  ConsoleHeap first(kBytes), copy;
  Rng rng(11);
  std::vector<std::size_t> offsets;
  const auto churn = [](ConsoleHeap& heap, Rng& random, std::vector<std::size_t>& live, int rounds) {
    for (int i = 0; i < rounds; ++i) {
      const bool frees = !live.empty() && random.below(100) < 48;
      if (frees) {
        const std::size_t which = random.below(static_cast<u32>(live.size()));
        ASSERT_EQ(heap.deallocate(heap.at(live[which])), FreeResult::Freed);
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(which));
      } else if (void* const block = heap.allocate(1 + random.below(200))) {
        std::memset(block, static_cast<int>(live.size()), 1);
        live.push_back(heap.offset_of(block));
      }
    }
  };
  for (int round = 0; round < 20; ++round) {
    churn(first, rng, offsets, 100);
    copy.assign(first);
    EXPECT_EQ(copy.validate(), "");
    EXPECT_EQ(copy.stats().free_bytes, first.stats().free_bytes);
    EXPECT_EQ(copy.stats().largest_free, first.stats().largest_free);
    for (const std::size_t offset : offsets) {
      EXPECT_EQ(std::memcmp(copy.at(offset), first.at(offset), 1), 0) << "its bytes are there";
      EXPECT_NE(copy.at(offset), first.at(offset));
    }
    Rng again = rng;
    std::vector<std::size_t> theirs = offsets;
    churn(copy, again, theirs, 50);
    churn(first, rng, offsets, 50);
    EXPECT_EQ(theirs, offsets) << "the same requests find the same places";
  }
  copy.assign(ConsoleHeap());
  EXPECT_EQ(copy.allocate(1), nullptr);
  EXPECT_EQ(copy.validate(), "");
}

}  // namespace
}  // namespace spellpool::pool
