#include "core/spsc_ring.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace spellpool {
namespace {

TEST(SpscRing, CapacityIsRoundedUpToAPowerOfTwo) {
  EXPECT_EQ(SpscRing<int>(0).capacity(), 2u);
  EXPECT_EQ(SpscRing<int>(2).capacity(), 2u);
  EXPECT_EQ(SpscRing<int>(5).capacity(), 8u);
  EXPECT_EQ(SpscRing<int>(64).capacity(), 64u);
}

TEST(SpscRing, EmptyGivesNothingAndLeavesTheValueAlone) {
  SpscRing<int> ring(4);
  int value = 7;
  EXPECT_FALSE(ring.pop(value));
  EXPECT_EQ(value, 7);
  EXPECT_EQ(ring.size(), 0u);
}

TEST(SpscRing, FullRefusesAndKeepsWhatItHas) {
  SpscRing<int> ring(4);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(ring.push(i));
  EXPECT_FALSE(ring.push(99));
  EXPECT_EQ(ring.size(), 4u);
  int value = -1;
  ASSERT_TRUE(ring.pop(value));
  EXPECT_EQ(value, 0);
  EXPECT_TRUE(ring.push(4));
  EXPECT_FALSE(ring.push(99));
  for (int i = 1; i <= 4; ++i) {
    ASSERT_TRUE(ring.pop(value));
    EXPECT_EQ(value, i);
  }
  EXPECT_FALSE(ring.pop(value));
}

TEST(SpscRing, OrderHoldsThroughManyRounds) {
  SpscRing<u64> ring(8);
  u64 pushed = 0, popped = 0;
  for (u32 round = 0; round < 10'000; ++round) {
    for (u32 i = 0; i < round % 9; ++i) pushed += ring.push(pushed) ? 1u : 0u;
    u64 value = 0;
    for (u32 i = 0; i < (round * 5) % 8 && ring.pop(value); ++i) ASSERT_EQ(value, popped++);
    ASSERT_EQ(ring.size(), pushed - popped);
  }
  EXPECT_GT(popped, 10'000u);
}

TEST(SpscRing, InPlaceIsTheSameAsByCopy) {
  SpscRing<int> ring(4);
  EXPECT_EQ(ring.front(), nullptr);
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 4; ++i) {
      int* const room = ring.room();
      ASSERT_NE(room, nullptr);
      *room = 10 * round + i;
      EXPECT_EQ(ring.size(), static_cast<std::size_t>(i)) << "not yet sent";
      if (i % 2 == 0) ring.publish();
      else EXPECT_TRUE(ring.push(10 * round + i));
    }
    EXPECT_EQ(ring.room(), nullptr);
    for (int i = 0; i < 4; ++i) {
      ASSERT_NE(ring.front(), nullptr);
      EXPECT_EQ(*ring.front(), 10 * round + i);
      EXPECT_EQ(*ring.front(), 10 * round + i) << "still there";
      int value = -1;
      if (i % 2 == 0) ring.drop();
      else EXPECT_TRUE(ring.pop(value) && value == 10 * round + i);
    }
    EXPECT_EQ(ring.front(), nullptr);
  }
}

TEST(SpscRing, TwoThreadsLoseNothingAndKeepTheOrder) {
  struct Pair {
    u64 number, twice;
  };
  SpscRing<Pair> ring(64);
  constexpr u64 kCount = 200'000;
  std::thread producer([&] {
    for (u64 i = 0; i < kCount;) {
      if (ring.push({i, i * 2})) {
        ++i;
      } else {
        std::this_thread::yield();
      }
    }
  });
  u64 expected = 0, torn = 0, wrong = 0;
  while (expected < kCount) {
    Pair pair{};
    if (!ring.pop(pair)) {
      std::this_thread::yield();
      continue;
    }
    wrong += pair.number != expected ? 1u : 0u;
    torn += pair.twice != pair.number * 2 ? 1u : 0u;
    ++expected;
  }
  producer.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(torn, 0u);
}

}  // namespace
}  // namespace spellpool
