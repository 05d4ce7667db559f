#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/enum_table.hpp"
#include "core/handle.hpp"
#include "core/state_hash.hpp"

namespace spellpool {
namespace {

// Computed by a separate implementation (Python, big integers).
TEST(Rng, NumbersArePinned) {
  Rng one(1);
  EXPECT_EQ(one.next_u64(), 0x910a2dec89025cc1ull);
  EXPECT_EQ(one.next_u64(), 0xbeeb8da1658eec67ull);
  EXPECT_EQ(one.next_u64(), 0xf893a2eefb32555eull);
  EXPECT_EQ(one.next_u64(), 0x71c18690ee42c90bull);
  Rng zero(0);
  EXPECT_EQ(zero.next_u64(), 0xe220a8397b1dcdafull);
  EXPECT_EQ(zero.next_u32(), 0x6e789e6au);
  EXPECT_EQ(zero.unit(), static_cast<float>(0x06c45du) / 16777216.0f);
  static_assert(mix64(1) == 0x5692161d100b05e5ull && mix64(0xdeadbeef) == 0x4e062702ec929eeaull);
}

TEST(Rng, DrawsStayInTheirRangesAndFillThem) {
  Rng rng(7);
  u32 seen[7] = {};
  float low = 1.0f, high = 0.0f, signed_low = 1.0f;
  for (u32 i = 0; i < 70'000; ++i) {
    const float unit = rng.unit();
    const float sign = rng.signed_unit();
    const u32 below = rng.below(7);
    ASSERT_TRUE(unit >= 0.0f && unit < 1.0f && sign >= -1.0f && sign < 1.0f && below < 7);
    low = std::min(low, unit);
    high = std::max(high, unit);
    signed_low = std::min(signed_low, sign);
    ++seen[below];
  }
  EXPECT_LT(low, 0.001f);
  EXPECT_GT(high, 0.999f);
  EXPECT_LT(signed_low, -0.999f);
  for (const u32 count : seen) EXPECT_NEAR(count, 10'000.0, 500.0);
}

TEST(StateHash, ValueIsPinned) {
  EXPECT_EQ(StateHash{}.add(u8{1}).add(u64{2}).value(), 0xc79949454dc8d17full);
  EXPECT_EQ(StateHash{}.add(1.5f).value(), 0xddedb318272dc329ull);
}

TEST(StateHash, OrderAndEveryBitCount) {
  EXPECT_NE(StateHash{}.add(1).add(2).value(), StateHash{}.add(2).add(1).value());
  EXPECT_NE(StateHash{}.add(0).value(), StateHash{}.value());
  EXPECT_NE(StateHash{}.add(0.0f).value(), StateHash{}.add(-0.0f).value());
  std::vector<u64> all;
  for (u32 bit = 0; bit < 64; ++bit) all.push_back(StateHash{}.add(u64{1} << bit).value());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

TEST(SetHash, DoesNotDependOnTheOrderOfTheVisit) {
  std::vector<u64> members;
  Rng rng(3);
  for (u32 i = 0; i < 100; ++i) members.push_back(rng.next_u64());
  auto hash = [&] {
    SetHash set;
    for (const u64 member : members) set.add(member);
    return set.value();
  };
  const u64 forward = hash();
  std::reverse(members.begin(), members.end());
  EXPECT_EQ(hash(), forward);
  std::swap(members[3], members[70]);
  EXPECT_EQ(hash(), forward);
}

TEST(SetHash, FeelsEachMemberAndTheirNumber) {
  auto hash = [](std::initializer_list<u64> members) {
    SetHash set;
    for (const u64 member : members) set.add(mix64(member));
    return set.value();
  };
  EXPECT_NE(hash({1, 2, 3}), hash({1, 2}));
  EXPECT_NE(hash({1, 2, 3}), hash({1, 2, 4}));
  EXPECT_NE(hash({1, 1}), hash({1}));
  SetHash with_zero;
  with_zero.add(0);
  EXPECT_NE(with_zero.value(), SetHash{}.value());
}

TEST(Handle, DefaultIsNullAndWidthsAreAsStated) {
  struct Bullet;
  struct Voice;
  constexpr Handle<Bullet> null;
  EXPECT_TRUE(null.is_null());
  EXPECT_FALSE(null);
  EXPECT_TRUE((Handle<Bullet>{0, 3}));
  EXPECT_NE((Handle<Bullet>{1, 3}), (Handle<Bullet>{1, 5}));
  EXPECT_NE((Handle<Bullet>{1, 3}), (Handle<Bullet>{2, 3}));
  static_assert(sizeof(Handle<Bullet>) == 8 && sizeof(Handle<Bullet, u16, u16>) == 4);
  static_assert(!std::is_same_v<Handle<Bullet>, Handle<Voice>> && !std::is_convertible_v<Handle<Bullet>, Handle<Voice>>);
}

TEST(EnumTable, FindsWholeNamesOnly) {
  enum class Fruit : u8 { Apple, Pear };
  struct Row {
    Fruit id;
    std::string_view name;
  };
  constexpr std::array kFruits = {Row{Fruit::Apple, "apple"}, Row{Fruit::Pear, "pear"}};
  constexpr std::array kMixed = {Row{Fruit::Pear, "pear"}, Row{Fruit::Apple, "apple"}};
  static_assert(rows_in_order(kFruits) && !rows_in_order(kMixed));
  EXPECT_EQ(find_by_name<Fruit>(kFruits, "pear"), Fruit::Pear);
  EXPECT_EQ(find_by_name<Fruit>(kFruits, "pea"), std::nullopt);
  EXPECT_EQ(find_by_name<Fruit>(kFruits, "pears"), std::nullopt);
  EXPECT_EQ(find_by_name<Fruit>(kFruits, ""), std::nullopt);
}

}  // namespace
}  // namespace spellpool
