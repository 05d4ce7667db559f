#include "core/radix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/rng.hpp"

namespace spellpool {
namespace {

/// Where radix_order() puts each, against std::stable_sort.
void expect_stable_order(const std::vector<u64>& keys) {
  const u32 count = static_cast<u32>(keys.size());
  std::vector<u32> expected(count);
  for (u32 i = 0; i < count; ++i) expected[i] = i;
  std::stable_sort(expected.begin(), expected.end(), [&](u32 a, u32 b) { return keys[a] < keys[b]; });
  constexpr RadixEntry kUntouched = {0xdddddddd, 0xdddddddd};
  std::vector<RadixEntry> scratch(count + 1, kUntouched), more(count + 1, kUntouched);
  const auto order = radix_order(count, [&](u32 i) { return keys[i]; }, {scratch.data(), count}, {more.data(), count});
  ASSERT_EQ(order.size(), count);
  for (u32 i = 0; i < count; ++i) ASSERT_EQ(order[i].index, expected[i]) << "place " << i << " of " << count;
  for (const auto* array : {&scratch, &more}) EXPECT_EQ(array->back().index, kUntouched.index) << "it wrote behind its scratch";
}

TEST(RadixSort, NoneAndOne) {
  expect_stable_order({});
  expect_stable_order({0});
  expect_stable_order({~u64{0}});
}

TEST(RadixSort, SortedReversedAndAllTheSame) {
  std::vector<u64> rising, falling, same(1'000, 77);
  for (u64 i = 0; i < 1'000; ++i) {
    rising.push_back(1'000'000 + i * 3);
    falling.push_back(1'000'000 - i * 3);
  }
  expect_stable_order(rising);
  expect_stable_order(falling);
  expect_stable_order(same);
}

TEST(RadixSort, EqualKeysStayAsTheyStood) {
  Rng rng(1);
  for (const u64 different : {2u, 7u, 300u}) {
    std::vector<u64> keys;
    for (u32 i = 0; i < 5'000; ++i) keys.push_back(rng.next_u64() % different * 0x0001'0001'0000'1001ull);
    expect_stable_order(keys);
  }
}

TEST(RadixSort, TheEndsOf64Bits) {
  expect_stable_order({~u64{0}, 0, u64{1} << 63, (u64{1} << 63) - 1, 1, ~u64{0} - 1, 0, ~u64{0}});
  expect_stable_order({u64{1} << 32, 0, (u64{1} << 32) - 1, u64{1} << 32, (u64{1} << 32) + 1});
  expect_stable_order({~u64{0}, ~u64{0} - (u64{1} << 32), ~u64{0} - 255, ~u64{0} - 256});
}

TEST(RadixSort, AnySpreadFromAnyStart) {
  Rng rng(2);
  for (int bits = 1; bits <= 64; ++bits) {
    for (const u32 count : {2u, 3u, 100u, 2'000u}) {
      const u64 start = bits == 64 ? 0 : rng.next_u64() >> 1;
      std::vector<u64> keys;
      for (u32 i = 0; i < count; ++i) keys.push_back(start + (rng.next_u64() >> (64 - bits)));
      expect_stable_order(keys);
    }
  }
}

/// A byte in the middle may be the same in all.
TEST(RadixSort, BytesThatNobodyDiffersIn) {
  Rng rng(3);
  for (const u64 mask : {0xff0000ffull, 0xff00000000ff0000ull, 0x00ff000000000000ull, 0xff00ull}) {
    std::vector<u64> keys;
    for (u32 i = 0; i < 3'000; ++i) keys.push_back(rng.next_u64() & mask);
    expect_stable_order(keys);
  }
}

}  // namespace
}  // namespace spellpool
