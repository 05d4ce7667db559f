// What arenas promise: where memory lies, how long it stays, what a full block does, and how containers use them.
#include "pool/memory/arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "allocation_probe.hpp"
#include "core/rng.hpp"
#include "pool/memory/arena_resource.hpp"
#include "pool/memory/frame_array.hpp"
#include "pool/memory/switchable_memory.hpp"

namespace spellpool::pool {
namespace {

using test::delete_calls;
using test::new_calls;
using test::new_calls_in;

constexpr std::size_t kMost = ~std::size_t{0};
constexpr std::size_t kHuge[] = {kMost, kMost - 7, kMost - 4096, kMost / 2 + 1, Arena::kMostBytes + 1};

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
bool aligned(const void* pointer, std::size_t align) { return address(pointer) % align == 0; }

struct Hit {
  u32 target = 0;
  float damage = 0;
  bool operator==(const Hit&) const = default;
};

// ---------------------------------------------------------------------------------------------------- memory

TEST(ArenaAllocate, EveryAlignmentUpTo4096ComesFromTheBlock) {
  Arena arena(1 << 20);
  Rng rng(1);
  for (u32 round = 0; round < 40; ++round) {
    for (std::size_t align = 1; align <= 4096; align *= 2) {
      const std::size_t bytes = 1 + rng.below(70);
      void* const memory = arena.allocate(bytes, align);
      ASSERT_TRUE(aligned(memory, align)) << align;
      std::memset(memory, 0xab, bytes);
    }
  }
  EXPECT_EQ(arena.stats().overflow_calls, 0u);
}

TEST(ArenaAllocate, LargerAlignmentsComeFromTheHeapAndAreAligned) {
  Arena arena(1 << 20);
  for (const std::size_t align : {8192u, 65536u, 1u << 20}) {
    void* const memory = arena.allocate(100, align);
    ASSERT_TRUE(aligned(memory, align)) << align;
    std::memset(memory, 0xab, 100);
  }
  EXPECT_EQ(arena.stats().overflow_calls, 3u);
  EXPECT_EQ(arena.used_bytes(), 0u);
}

TEST(ArenaAllocate, OverflowIsAlignedToo) {
  Arena arena(0);
  for (std::size_t align = 1; align <= 8192; align *= 2) {
    for (const std::size_t bytes : {0u, 1u, 7u, 64u, 5000u}) {
      void* const memory = arena.allocate(bytes, align);
      ASSERT_NE(memory, nullptr);
      ASSERT_TRUE(aligned(memory, align)) << align;
      ASSERT_TRUE(aligned(memory, 8));
      if (bytes > 0) std::memset(memory, 0xab, bytes);
    }
  }
}

TEST(ArenaAllocate, OneOperatorNewAtConstructionAndNoneWhileItFits) {
  u64 before = new_calls();
  {
    Arena arena(1 << 16);
    EXPECT_EQ(new_calls() - before, 1u);
    before = delete_calls();
    EXPECT_EQ(new_calls_in([&] {
                for (u32 frame = 0; frame < 100; ++frame) {
                  const ArenaScope scope(arena);
                  for (u32 i = 0; i < 100; ++i) arena.make<Hit>(i, 1.0f);
                  arena.make_array<u64>(1000);
                }
                arena.reset();
              }),
              0u);
    EXPECT_EQ(arena.stats().new_calls, 1u);
    EXPECT_EQ(delete_calls(), before);
  }
  EXPECT_EQ(delete_calls() - before, 1u);
}

TEST(ArenaAllocate, TheWholeBlockCanBeUsed) {
  Arena arena(64 * 100);
  EXPECT_EQ(arena.capacity_bytes(), 6400u);
  EXPECT_EQ(new_calls_in([&] {
              for (u32 i = 0; i < 100; ++i) std::memset(arena.allocate(64, 64), 1, 64);
            }),
            0u);
  EXPECT_EQ(arena.used_bytes(), 6400u);
  EXPECT_EQ(new_calls_in([&] { std::memset(arena.allocate(1, 1), 1, 1); }), 1u) << "full to the last byte";
  arena.reset();
  EXPECT_EQ(new_calls_in([&] { std::memset(arena.allocate(6400, 1), 1, 6400); }), 0u);
  arena.reset();
  EXPECT_EQ(new_calls_in([&] { std::memset(arena.allocate(6401, 1), 1, 6401); }), 1u);
}

TEST(ArenaAllocate, CapacityIsRoundedUpNeverDown) {
  for (const std::size_t bytes : {0u, 1u, 63u, 64u, 65u, 1000u, 4096u, 100'001u}) {
    const Arena arena(bytes);
    EXPECT_GE(arena.capacity_bytes(), bytes);
    EXPECT_LT(arena.capacity_bytes(), bytes + 64);
  }
}

TEST(ArenaAllocate, ZeroBytesHaveAnAlignedAddressAndTakeNoRoom) {
  Arena arena(4096);
  EXPECT_NE(arena.allocate(0, 1), nullptr);
  EXPECT_EQ(arena.used_bytes(), 0u);
  void* const before = arena.allocate(8, 8);
  std::memset(before, 7, 8);
  for (std::size_t align = 1; align <= 1024; align *= 2) EXPECT_TRUE(aligned(arena.allocate(0, align), align));
  EXPECT_TRUE(arena.make_array<u64>(0).empty());
  void* const after = arena.allocate(8, 8);
  std::memset(after, 9, 8);
  EXPECT_NE(before, after);
  EXPECT_EQ(*static_cast<u8*>(before), 7);
  EXPECT_EQ(arena.stats().overflow_calls, 0u);
}

TEST(ArenaAllocate, MoreThanTheMachineHasIsBadAllocAndChangesNothing) {
  Arena arena(4096);
  arena.make<u64>(1u);
  const std::size_t used = arena.used_bytes();
  for (const std::size_t bytes : kHuge) {
    for (const std::size_t align : {1u, 8u, 64u, 4096u, 8192u}) {
      EXPECT_THROW(static_cast<void>(arena.allocate(bytes, align)), std::bad_alloc) << bytes << ' ' << align;
    }
    EXPECT_THROW(arena.make_array<u8>(bytes), std::bad_alloc);
    EXPECT_THROW(arena.make_array<Hit>(bytes), std::bad_alloc);
    EXPECT_THROW(Arena{bytes}, std::bad_alloc);
  }
  EXPECT_THROW(arena.make_array<Hit>(kMost / sizeof(Hit) + 2), std::bad_alloc) << "8 bytes after wrapping round";
  EXPECT_THROW(static_cast<void>(arena.allocate(1, ~(kMost / 2))), std::bad_alloc) << "the largest power of two";
  EXPECT_EQ(arena.used_bytes(), used);
  const ArenaStats stats = arena.stats();
  EXPECT_EQ(stats.overflow_calls, 0u);
  EXPECT_EQ(stats.peak_bytes, used);
}

TEST(ArenaMake, ConstructsWithItsArgumentsAndArraysOfZeros) {
  Arena arena(1 << 16);
  std::memset(arena.allocate(1 << 15), 0xff, 1 << 15);
  arena.reset();
  const Hit* const hit = arena.make<Hit>(7u, 2.5f);
  EXPECT_EQ(*hit, (Hit{7, 2.5f}));
  EXPECT_EQ(*arena.make<Hit>(), Hit{});
  for (const u64 value : arena.make_array<u64>(500)) ASSERT_EQ(value, 0u);
  struct alignas(256) Wide {
    u8 lanes[256];
  };
  const std::span<Wide> wide = arena.make_array<Wide>(5);
  ASSERT_EQ(wide.size(), 5u);
  EXPECT_TRUE(aligned(wide.data(), 256));
  EXPECT_TRUE(aligned(arena.make<Wide>(), 256));
}

// ---------------------------------------------------------------------------------------------------- markers

TEST(ArenaMarkers, NestedScopesGiveBackTheirOwnOnly) {
  Arena arena(1 << 12);
  u64* const outer = arena.make<u64>(1u);
  const std::size_t used_outer = arena.used_bytes();
  u64* reused = nullptr;
  {
    const ArenaScope scope(arena);
    u64* const middle = arena.make<u64>(2u);
    const std::size_t used_middle = arena.used_bytes();
    {
      const ArenaScope inner(arena);
      reused = arena.make<u64>(3u);
      arena.make_array<u64>(50);
    }
    EXPECT_EQ(arena.used_bytes(), used_middle);
    EXPECT_EQ(*middle, 2u);
    EXPECT_EQ(arena.make<u64>(4u), reused) << "what the inner scope had is given out again";
    EXPECT_EQ(*middle, 2u);
  }
  EXPECT_EQ(arena.used_bytes(), used_outer);
  EXPECT_EQ(*outer, 1u);
  arena.reset();
  EXPECT_EQ(arena.used_bytes(), 0u);
}

TEST(ArenaMarkers, RewindingTwiceToTheSameMarkerIsFine) {
  Arena arena(1 << 12);
  arena.make<u64>(1u);
  const Arena::Marker marker = arena.mark();
  for (u32 i = 0; i < 3; ++i) {
    arena.make_array<u64>(i * 300);
    arena.rewind(marker);
    arena.rewind(marker);
    EXPECT_EQ(arena.used_bytes(), 8u);
    EXPECT_EQ(arena.stats().overflow_bytes, 0u);
  }
}

TEST(ArenaMarkers, RewindFreesOverflowsSinceTheMarkerAndNoOthers) {
  Arena arena(64);
  char* const kept = static_cast<char*>(arena.allocate(100));
  std::memset(kept, 'k', 100);
  const Arena::Marker marker = arena.mark();
  const u64 news = new_calls(), deletes = delete_calls();
  for (u32 i = 0; i < 5; ++i) std::memset(arena.allocate(200), 'x', 200);
  EXPECT_EQ(new_calls() - news, 5u);
  EXPECT_EQ(arena.stats().overflow_bytes, 1100u);
  arena.rewind(marker);
  EXPECT_EQ(delete_calls() - deletes, 5u);
  EXPECT_EQ(arena.stats().overflow_bytes, 100u);
  EXPECT_EQ(std::count(kept, kept + 100, 'k'), 100);
  arena.reset();
  EXPECT_EQ(delete_calls() - deletes, 6u);
  EXPECT_EQ(arena.stats().overflow_bytes, 0u);
}

TEST(ArenaMarkersDeathTest, AMarkerThatRewindingHasPassedIsAnErrorOrNothing) {
  Arena arena(1 << 12);
  const Arena::Marker start = arena.mark();
  arena.make_array<u64>(10);
  const Arena::Marker later = arena.mark();
  arena.rewind(start);
#if !defined(NDEBUG) || defined(SPELLPOOL_ASSERTS)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(arena.rewind(later), "assertion failed");
#else
  arena.rewind(later);
  EXPECT_EQ(arena.used_bytes(), 0u);
#endif
}

// ---------------------------------------------------------------------------------------------------- full

TEST(ArenaOverflow, GoesToTheHeapIsCountedAndGivenBackAtReset) {
  Arena arena(1000);
  std::vector<char*> blocks;
  for (u32 i = 0; i < 20; ++i) {
    blocks.push_back(static_cast<char*>(arena.allocate(100)));
    std::memset(blocks.back(), static_cast<int>('a' + i), 100);
  }
  for (u32 i = 0; i < 20; ++i) ASSERT_EQ(std::count(blocks[i], blocks[i] + 100, static_cast<char>('a' + i)), 100);
  const ArenaStats full = arena.stats();
  EXPECT_EQ(full.capacity_bytes, 1024u);
  EXPECT_EQ(full.used_bytes, 9u * 112) << "100 bytes at a multiple of 16 take 112";
  EXPECT_EQ(full.overflow_calls, 11u);
  EXPECT_EQ(full.overflow_bytes, 1100u);
  EXPECT_EQ(full.overflow_total_bytes, 1100u);
  EXPECT_EQ(full.new_calls, 12u);

  const u64 deletes = delete_calls();
  arena.reset();
  EXPECT_EQ(delete_calls() - deletes, 11u);
  EXPECT_EQ(new_calls_in([&] { static_cast<void>(arena.allocate(1000)); }), 0u) << "the block is empty again";
  const ArenaStats after = arena.stats();
  EXPECT_EQ(after.overflow_calls, 11u);
  EXPECT_EQ(after.overflow_total_bytes, 1100u);
  EXPECT_EQ(after.overflow_bytes, 0u);
}

TEST(ArenaOverflow, SmallerOnesStillFitInTheBlock) {
  Arena arena(256);
  static_cast<void>(arena.allocate(200, 8));
  static_cast<void>(arena.allocate(100, 8));
  EXPECT_EQ(arena.stats().overflow_calls, 1u);
  static_cast<void>(arena.allocate(48, 8));
  EXPECT_EQ(arena.stats().overflow_calls, 1u);
  EXPECT_EQ(arena.used_bytes(), 248u);
}

TEST(ArenaOverflow, IsFreedByTheDestructor) {
  const u64 deletes = delete_calls();
  const u64 news = new_calls();
  {
    Arena arena(64);
    for (u32 i = 0; i < 10; ++i) static_cast<void>(arena.allocate(500));
  }
  EXPECT_EQ(delete_calls() - deletes, new_calls() - news);
}

TEST(ArenaStatsTest, PeakIsTheMostThatWasOutWhereverItLay) {
  Arena arena(1024);
  {
    const ArenaScope scope(arena);
    static_cast<void>(arena.allocate(800, 8));
    {
      const ArenaScope inner(arena);
      static_cast<void>(arena.allocate(200, 8));
      EXPECT_EQ(arena.stats().peak_bytes, 1000u) << "the peak of now";
    }
    static_cast<void>(arena.allocate(2000, 8));
  }
  EXPECT_EQ(arena.stats().peak_bytes, 2800u);
  EXPECT_EQ(arena.stats().peak_since_reset_bytes, 2800u);
  EXPECT_EQ(arena.stats().resets, 0u);
  arena.reset();
  EXPECT_EQ(arena.stats().resets, 1u);
  EXPECT_EQ(arena.stats().peak_bytes, 2800u);
  EXPECT_EQ(arena.stats().peak_since_reset_bytes, 0u);
  static_cast<void>(arena.allocate(96, 8));
  EXPECT_EQ(arena.stats().peak_since_reset_bytes, 96u);
  EXPECT_EQ(arena.stats().peak_bytes, 2800u);
}

TEST(ArenaStatsTest, ABlockOfThePeaksSizeWouldNotHaveOverflowed) {
  const auto work = [](Arena& arena) {
    for (u32 frame = 0; frame < 10; ++frame) {
      for (u32 i = 0; i < 50; ++i) static_cast<void>(arena.allocate(8 * (1 + (i * 7 + frame) % 30), 8));
      arena.reset();
    }
  };
  Arena small(512);
  work(small);
  EXPECT_GT(small.stats().overflow_calls, 0u);
  Arena enough(small.stats().peak_bytes);
  work(enough);
  EXPECT_EQ(enough.stats().overflow_calls, 0u);
}

// ---------------------------------------------------------------------------------------------------- model

/// Allocations with random sizes, alignments, scopes and resets against a list of what is out: contents keep, nothing overlaps.
class ArenaModel {
 public:
  ArenaModel(std::size_t capacity, u64 seed) : arena_(capacity), rng_(seed) {}

  void run(u32 operations) {
    for (u32 i = 0; i < operations; ++i) {
      const u32 dice = rng_.below(1000);
      if (dice < 800) {
        allocate();
      } else if (dice < 890) {
        marks_.push_back({arena_.mark(), blocks_.size(), overflow_bytes_});
      } else if (dice < 995) {
        rewind();
      } else {
        check();
        arena_.reset();
        blocks_.clear();
        marks_.clear();
        by_address_.clear();
        overflow_bytes_ = 0;
      }
      if (::testing::Test::HasFatalFailure()) return;
      if (i % 64 == 0) check();
    }
    check();
  }
  ArenaStats stats() const { return arena_.stats(); }

 private:
  struct Block {
    u8* memory;
    std::size_t bytes;
    u64 serial;
  };
  struct Mark {
    Arena::Marker marker;
    std::size_t blocks;
    std::size_t overflow_bytes;
  };

  static u8 fill(u64 serial, std::size_t at) { return static_cast<u8>(mix64(serial) + at); }

  void allocate() {
    const std::size_t align = std::size_t{1} << rng_.below(rng_.below(20) == 0 ? 14 : 7);
    const std::size_t bytes = rng_.below(rng_.below(10) == 0 ? 2000 : 200);
    const u64 before = arena_.overflow_calls();
    const std::size_t used = arena_.used_bytes();
    auto* const memory = static_cast<u8*>(arena_.allocate(bytes, align));
    const bool overflowed = arena_.overflow_calls() != before;
    ASSERT_NE(memory, nullptr);
    ASSERT_TRUE(aligned(memory, align));
    // It overflows when it does not fit, not before.
    ASSERT_EQ(overflowed, bytes > arena_.capacity_bytes() - used || align > Arena::kBlockAlign);
    if (overflowed) {
      ASSERT_EQ(arena_.used_bytes(), used);
      overflow_bytes_ += bytes;
    } else {
      ASSERT_GE(arena_.used_bytes(), used + bytes);
      ASSERT_LT(arena_.used_bytes(), used + bytes + std::max(align, std::size_t{8}));
    }
    peak_ = std::max(peak_, arena_.used_bytes() + overflow_bytes_);
    for (std::size_t at = 0; at < bytes; ++at) memory[at] = fill(serial_, at);
    if (bytes > 0) {
      const auto next = by_address_.lower_bound(address(memory));
      ASSERT_TRUE(next == by_address_.end() || address(memory) + bytes <= next->first);
      ASSERT_TRUE(next == by_address_.begin() || std::prev(next)->first + std::prev(next)->second <= address(memory));
      by_address_[address(memory)] = bytes;
    }
    blocks_.push_back({memory, bytes, serial_++});
  }
  void rewind() {
    if (marks_.empty()) return;
    // Sometimes over several scopes at once.
    const std::size_t to = rng_.below(4) == 0 ? rng_.below(static_cast<u32>(marks_.size())) : marks_.size() - 1;
    const Mark mark = marks_[to];
    marks_.resize(to);
    arena_.rewind(mark.marker);
    for (std::size_t i = mark.blocks; i < blocks_.size(); ++i) by_address_.erase(address(blocks_[i].memory));
    blocks_.resize(mark.blocks);
    overflow_bytes_ = mark.overflow_bytes;
  }
  void check() {
    for (const Block& block : blocks_) {
      for (std::size_t at = 0; at < block.bytes; ++at) ASSERT_EQ(block.memory[at], fill(block.serial, at)) << block.serial;
    }
    const ArenaStats stats = arena_.stats();
    ASSERT_LE(stats.used_bytes, stats.capacity_bytes);
    ASSERT_EQ(stats.overflow_bytes, overflow_bytes_);
    ASSERT_EQ(stats.new_calls, stats.overflow_calls + 1);
    ASSERT_EQ(stats.peak_bytes, peak_);
    ASSERT_LE(stats.peak_since_reset_bytes, peak_);
  }

  Arena arena_;
  Rng rng_;
  std::vector<Block> blocks_;
  std::vector<Mark> marks_;
  std::map<std::uintptr_t, std::size_t> by_address_;
  std::size_t overflow_bytes_ = 0;
  std::size_t peak_ = 0;
  u64 serial_ = 1;
};

TEST(ArenaModelTest, NothingOverlapsAndContentsKeep) {
  u64 overflows = 0;
  for (const std::size_t capacity : {0u, 64u, 1000u, 8192u, 100'000u}) {
    for (u64 seed = 1; seed <= 4; ++seed) {
      ArenaModel model(capacity, seed * 77 + capacity);
      model.run(4000);
      if (HasFatalFailure()) FAIL() << "capacity " << capacity << ", seed " << seed;
      overflows += model.stats().overflow_calls;
    }
  }
  EXPECT_GT(overflows, 1000u);
}

// ---------------------------------------------------------------------------------------------------- frames

TEST(FrameArenaTest, AFrameEndsWhatTheLastOneAllocatedAndTellsWhatItTook) {
  FrameArena arena(1024);
  EXPECT_EQ(arena.last_frame().peak_bytes, 0u);
  for (u32 frame = 0; frame < 5; ++frame) {
    arena.begin_frame();
    EXPECT_EQ(arena.used_bytes(), 0u);
    {
      const ArenaScope scope(arena);
      static_cast<void>(arena.allocate(400, 8));
    }
    static_cast<void>(arena.allocate(80, 8));
  }
  arena.begin_frame();
  EXPECT_EQ(arena.last_frame().peak_bytes, 400u);
  EXPECT_EQ(arena.last_frame().overflow_calls, 0u);
  for (u32 i = 0; i < 3; ++i) static_cast<void>(arena.allocate(1000, 8));
  arena.begin_frame();
  EXPECT_EQ(arena.last_frame().peak_bytes, 3000u);
  EXPECT_EQ(arena.last_frame().overflow_calls, 2u);
  arena.begin_frame();
  EXPECT_EQ(arena.last_frame().peak_bytes, 0u);
  EXPECT_EQ(arena.last_frame().overflow_calls, 0u);
  EXPECT_EQ(arena.stats().overflow_calls, 2u);
}

TEST(DoubleFrameArenaTest, DataOfAFrameStaysGoodAllThroughTheNext) {
  DoubleFrameArena arena(1 << 12);
  std::span<u32> last;
  for (u32 frame = 0; frame < 20; ++frame) {
    arena.begin_frame();
    EXPECT_EQ(arena.current().used_bytes(), 0u);
    const std::span<u32> mine = arena.current().make_array<u32>(frame % 3 == 0 ? 2000 : 300);  // some of them overflow
    std::fill(mine.begin(), mine.end(), frame);
    for (const u32 value : last) ASSERT_EQ(value, frame - 1);
    const ArenaStats previous = arena.previous().stats();
    EXPECT_EQ(previous.used_bytes + previous.overflow_bytes, last.size_bytes());
    last = mine;
  }
}

// ---------------------------------------------------------------------------------------------------- containers

template <class T>
using ArenaVector = std::vector<T, ArenaAllocator<T>>;
using ArenaText = std::basic_string<char, std::char_traits<char>, ArenaAllocator<char>>;
using ArenaMap = std::map<u32, ArenaText, std::less<>, ArenaAllocator<std::pair<const u32, ArenaText>>>;

TEST(ArenaAllocatorTest, StandardContainersWorkAndAskTheHeapForNothing) {
  Arena arena(1 << 20);
  for (u32 frame = 0; frame < 3; ++frame) {
    EXPECT_EQ(new_calls_in([&] {
                ArenaVector<Hit> hits(arena);
                for (u32 i = 0; i < 1000; ++i) hits.push_back({i, static_cast<float>(i)});
                for (u32 i = 0; i < 1000; ++i) ASSERT_EQ(hits[i], (Hit{i, static_cast<float>(i)}));

                ArenaMap names(arena);
                for (u32 i = 0; i < 200; ++i) names.emplace(i * 7919 % 200, ArenaText(i % 60, 'x', arena));
                ASSERT_EQ(names.size(), 200u);
                for (u32 i = 0; i < 200; i += 2) names.erase(i);
                ASSERT_EQ(names.size(), 100u);

                using Pair = std::pair<const u64, u32>;
                std::unordered_map<u64, u32, std::hash<u64>, std::equal_to<>, ArenaAllocator<Pair>> found(arena);
                for (u64 i = 0; i < 500; ++i) found[i * i] = static_cast<u32>(i);
                for (u64 i = 0; i < 500; ++i) ASSERT_EQ(found.at(i * i), i);

                std::list<u32, ArenaAllocator<u32>> list(arena);
                for (u32 i = 0; i < 100; ++i) i % 2 ? list.push_back(i) : list.push_front(i);
                list.sort();
                ASSERT_EQ(list.front(), 0u);
              }),
              0u);
    EXPECT_GT(arena.used_bytes(), 10'000u);
    arena.reset();
  }
  EXPECT_EQ(arena.stats().overflow_calls, 0u);
}

TEST(ArenaAllocatorTest, EqualMeansTheSameArena) {
  Arena a(64), b(64);
  EXPECT_EQ(ArenaAllocator<u32>(a), ArenaAllocator<u64>(a));
  EXPECT_NE(ArenaAllocator<u32>(a), ArenaAllocator<u32>(b));
  EXPECT_EQ(&ArenaAllocator<u64>(ArenaAllocator<u32>(b)).arena(), &b);
}

TEST(ArenaAllocatorTest, TheArenaGoesAlongWhenContainersAreAssignedOrSwapped) {
  Arena a(1 << 12), b(1 << 12);
  ArenaVector<u32> in_a({1, 2, 3}, a);
  ArenaVector<u32> in_b({4, 5}, b);
  const u32* const data_of_a = in_a.data();

  swap(in_a, in_b);
  EXPECT_EQ(&in_b.get_allocator().arena(), &a);
  EXPECT_EQ(in_b.data(), data_of_a);

  ArenaVector<u32> moved(b);
  moved = std::move(in_b);
  EXPECT_EQ(&moved.get_allocator().arena(), &a);
  EXPECT_EQ(moved.data(), data_of_a) << "moving copies no element";

  ArenaVector<u32> copied(b);
  copied = moved;
  EXPECT_EQ(&copied.get_allocator().arena(), &a);
  EXPECT_EQ(copied, moved);
  EXPECT_NE(copied.data(), moved.data());
  const ArenaVector<u32> copy(moved);
  EXPECT_EQ(&copy.get_allocator().arena(), &a);
}

TEST(ArenaAllocatorTest, MoreThanTheMachineHasIsBadAlloc) {
  Arena arena(64);
  ArenaAllocator<Hit> allocator(arena);
  for (const std::size_t count : kHuge) EXPECT_THROW(static_cast<void>(allocator.allocate(count)), std::bad_alloc);
  EXPECT_THROW(static_cast<void>(allocator.allocate(kMost / sizeof(Hit) + 2)), std::bad_alloc);
}

TEST(ArenaResourceTest, PmrContainersWorkAndAskTheHeapForNothing) {
  Arena arena(1 << 20);
  ArenaResource resource(arena);
  EXPECT_EQ(new_calls_in([&] {
              std::pmr::vector<std::pmr::string> lines(&resource);
              for (u32 i = 0; i < 100; ++i) lines.emplace_back(i, 'y');
              for (u32 i = 0; i < 100; ++i) ASSERT_EQ(lines[i].size(), i);
              std::pmr::map<u32, std::pmr::vector<u32>> lists(&resource);
              for (u32 i = 0; i < 1000; ++i) lists[i % 37].push_back(i);
              ASSERT_EQ(lists.at(5).size(), 27u);
              std::pmr::unordered_map<u32, u32> table(&resource);
              for (u32 i = 0; i < 1000; ++i) table[i] = i;
              ASSERT_EQ(table.at(999), 999u);
            }),
            0u);
  EXPECT_GT(arena.used_bytes(), 5000u);
  EXPECT_EQ(&resource.arena(), &arena);
}

TEST(ArenaResourceTest, KeepsAlignmentAndEqualsOnlyItself) {
  Arena arena(1 << 16);
  ArenaResource resource(arena), other(arena);
  for (std::size_t align = 1; align <= 4096; align *= 2) {
    void* const memory = resource.allocate(3, align);
    EXPECT_TRUE(aligned(memory, align));
    resource.deallocate(memory, 3, align);
  }
  EXPECT_TRUE(resource.is_equal(resource));
  EXPECT_FALSE(resource.is_equal(other));
  for (const std::size_t bytes : kHuge) EXPECT_THROW(static_cast<void>(resource.allocate(bytes)), std::bad_alloc);
}

// ---------------------------------------------------------------------------------------------------- switching

/// A frame's work: 20 lists and a map; the sum depends on all of it.
u64 frame_work(std::pmr::memory_resource& memory, u64 seed) {
  Rng rng(seed);
  std::pmr::vector<std::pmr::vector<u64>> lists(&memory);
  std::pmr::map<u64, u64> table(&memory);
  for (u32 i = 0; i < 20; ++i) lists.emplace_back(rng.below(40), rng.next_u64());
  for (const auto& list : lists) table[list.size()] += list.empty() ? 1 : list[0];
  u64 sum = 0;
  for (const auto& [key, value] : table) sum = mix64(sum ^ key ^ value);
  return sum;
}

TEST(SwitchableMemoryTest, TheSameWorkGivesTheSameResultAndTheHeapsCallsAreCountedExactly) {
  SwitchableMemory memory(1 << 16);
  EXPECT_EQ(memory.source(), MemorySource::Arena);
  for (u64 frame = 0; frame < 12; ++frame) {
    const bool heap = frame / 3 % 2 == 1;
    memory.choose(heap ? MemorySource::Heap : MemorySource::Arena);
    ASSERT_TRUE(memory.begin_frame());
    ASSERT_EQ(memory.source(), heap ? MemorySource::Heap : MemorySource::Arena);
    const u64 expected = frame_work(*std::pmr::new_delete_resource(), frame);
    u64 sum = 0;
    const u64 deletes = delete_calls();
    const u64 calls = new_calls_in([&] { sum = frame_work(memory, frame); });
    EXPECT_EQ(delete_calls() - deletes, calls);
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(memory.blocks_out(), 0u);
    ASSERT_TRUE(memory.begin_frame());
    EXPECT_EQ(memory.last_source(), heap ? MemorySource::Heap : MemorySource::Arena);
    EXPECT_EQ(memory.last_frame().new_calls, calls);
    EXPECT_EQ(calls, heap ? memory.last_frame().allocations : 0u);
    EXPECT_GT(memory.last_frame().allocations, 20u);
    EXPECT_GT(memory.last_frame().bytes, 20u * 24);
  }
  EXPECT_EQ(memory.total(MemorySource::Arena).new_calls, 0u);
  EXPECT_GT(memory.total(MemorySource::Arena).allocations, 6u * 20);
  EXPECT_EQ(memory.total(MemorySource::Heap).new_calls, memory.total(MemorySource::Heap).allocations);
  EXPECT_GT(memory.arena().stats().peak_bytes, 20u * 24);
}

TEST(SwitchableMemoryTest, WhileSomethingIsOutNothingSwitchesAndNothingIsReset) {
  for (const MemorySource first : {MemorySource::Arena, MemorySource::Heap}) {
    const MemorySource second = first == MemorySource::Arena ? MemorySource::Heap : MemorySource::Arena;
    SwitchableMemory memory(1 << 12, first);
    ASSERT_TRUE(memory.begin_frame());
    {
      const std::pmr::vector<u64> kept(10, 42, &memory);
      memory.choose(second);
      EXPECT_EQ(memory.source(), first) << "never in the middle of a frame";
      for (u32 frame = 0; frame < 3; ++frame) {
        EXPECT_FALSE(memory.begin_frame());
        EXPECT_EQ(memory.source(), first);
        EXPECT_EQ(memory.chosen(), second);
        EXPECT_EQ(memory.blocks_out(), 1u);
        const std::pmr::vector<u64> other(10, 7, &memory);
        EXPECT_EQ(std::count(kept.begin(), kept.end(), 42u), 10);
      }
    }
    EXPECT_TRUE(memory.begin_frame());
    EXPECT_EQ(memory.source(), second);
  }
}

TEST(SwitchableMemoryTest, AnArenaTooSmallShowsItsOverflowsAsNewCalls) {
  SwitchableMemory memory(256);
  ASSERT_TRUE(memory.begin_frame());
  {
    const std::pmr::vector<u64> fits(30, 1, &memory);
    EXPECT_EQ(new_calls_in([&] { const std::pmr::vector<u64> overflows(30, 1, &memory); }), 1u);
  }
  ASSERT_TRUE(memory.begin_frame());
  EXPECT_EQ(memory.last_frame().allocations, 2u);
  EXPECT_EQ(memory.last_frame().new_calls, 1u);
  EXPECT_EQ(memory.last_frame().bytes, 480u);
  EXPECT_EQ(memory.arena().used_bytes(), 0u);
}

TEST(SwitchableMemoryTest, GetsLargerWhenNothingIsOutAndKeepsItsFigures) {
  SwitchableMemory memory(1'000);
  void* first = memory.allocate(800, 8);
  memory.reserve(100'000);
  EXPECT_FALSE(memory.begin_frame()) << "a block is out";
  EXPECT_LT(memory.arena().capacity_bytes(), 2'000u);
  memory.deallocate(first, 800, 8);
  EXPECT_TRUE(memory.begin_frame());
  EXPECT_GE(memory.arena().capacity_bytes(), 100'000u);
  EXPECT_GE(memory.arena().stats().peak_bytes, 800u);
  void* large = memory.allocate(90'000, 8);
  std::memset(large, 1, 90'000);
  EXPECT_EQ(memory.arena().overflow_calls(), 0u);
  memory.deallocate(large, 90'000, 8);
  memory.reserve(10);
  EXPECT_TRUE(memory.begin_frame());
  EXPECT_GE(memory.arena().capacity_bytes(), 100'000u) << "never smaller";
}

TEST(FrameArrayTest, TakesFromTheResourceAndGivesBackOnce) {
  SwitchableMemory memory(10'000, MemorySource::Heap);
  {
    FrameArray<u64> array;
    array.take(memory, 0);
    EXPECT_EQ(memory.blocks_out(), 0u);
    array.take(memory, 100);
    for (u64 i = 0; i < array.size(); ++i) array[i] = i;
    EXPECT_EQ(memory.blocks_out(), 1u);
    FrameArray<u64> moved = std::move(array);
    EXPECT_EQ(moved[99], 99u);
    EXPECT_EQ(memory.blocks_out(), 1u);
    moved.take(memory, 5);  // instead of the hundred
    EXPECT_EQ(memory.blocks_out(), 1u);
    EXPECT_EQ(moved.size(), 5u);
    moved.give_back();
    moved.give_back();
    EXPECT_EQ(memory.blocks_out(), 0u);
    moved.take(memory, 7);
  }
  EXPECT_EQ(memory.blocks_out(), 0u);
  EXPECT_EQ(memory.total(MemorySource::Heap).allocations, 3u);
}

TEST(SwitchableMemoryTest, KeepsAlignmentFromBothSources) {
  for (const MemorySource source : {MemorySource::Arena, MemorySource::Heap}) {
    SwitchableMemory memory(1 << 16, source);
    for (std::size_t align = 1; align <= 4096; align *= 2) {
      void* const block = memory.allocate(24, align);
      EXPECT_TRUE(aligned(block, align)) << align;
      std::memset(block, 1, 24);
      memory.deallocate(block, 24, align);
    }
    for (const std::size_t bytes : kHuge) EXPECT_THROW(static_cast<void>(memory.allocate(bytes)), std::bad_alloc);
    EXPECT_EQ(memory.blocks_out(), 0u) << "a failed call is not out";
  }
}

// ---------------------------------------------------------------------------------------------------- poison

#if defined(SPELLPOOL_POISON)
template <class F>
u64 read_after(std::size_t capacity, F&& end) {
  Arena arena(capacity);
  const Arena::Marker marker = arena.mark();
  const volatile u64* const word = arena.make<u64>(1u);
  end(arena, marker);
  return *word;
}
#endif

TEST(AsanMustFail, TouchingArenaMemoryAfterItsEndIsReported) {
#if defined(SPELLPOOL_POISON)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(read_after(4096, [](Arena& arena, Arena::Marker) { arena.reset(); }), "use-after-poison");
  EXPECT_DEATH(read_after(4096, [](Arena& arena, Arena::Marker marker) { arena.rewind(marker); }), "use-after-poison");
  EXPECT_DEATH(read_after(0, [](Arena& arena, Arena::Marker) { arena.reset(); }), "heap-use-after-free");
#else
  GTEST_SKIP() << "needs a build with AddressSanitizer (preset asan)";
#endif
}

TEST(AsanMustFail, TouchingMoreThanWasAllocatedIsReported) {
#if defined(SPELLPOOL_POISON)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  Arena arena(4096);
  const volatile u8* const fresh = static_cast<u8*>(arena.allocate(13, 1));
  static_cast<void>(fresh[12]);
  EXPECT_DEATH(static_cast<void>(fresh[13]), "use-after-poison|heap-buffer-overflow");
  EXPECT_DEATH(static_cast<void>(fresh[-1]), "use-after-poison") << "not given out yet";
#else
  GTEST_SKIP() << "needs a build with AddressSanitizer (preset asan)";
#endif
}

TEST(AsanMustFail, TouchingAVectorsOldBufferIsReported) {
#if defined(SPELLPOOL_POISON)
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const std::size_t capacity : {4096u, 0u}) {
    Arena arena(capacity);
    ArenaVector<u64> numbers(4, 1, arena);
    const volatile u64* const before = numbers.data();
    numbers.resize(100);
    EXPECT_DEATH(static_cast<void>(*before), "use-after-poison");
    ArenaResource resource(arena);
    std::pmr::vector<u64> others(4, 1, &resource);
    const volatile u64* const old = others.data();
    others.resize(100);
    EXPECT_DEATH(static_cast<void>(*old), "use-after-poison");
  }
#else
  GTEST_SKIP() << "needs a build with AddressSanitizer (preset asan)";
#endif
}

}  // namespace
}  // namespace spellpool::pool
