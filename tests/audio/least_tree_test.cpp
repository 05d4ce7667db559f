// The tournament of slots against a plain search.
#include "audio/least_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/rng.hpp"

namespace spellpool::audio {
namespace {

/// With keys that are often alike.
u64 any_rank(Rng& dice, u32 slot) {
  const u32 kinds = dice.below(2) == 0 ? 4 : 1u << 31;
  const u64 key = dice.below(kinds), age = dice.below(1u << 20);
  return key << 33 | age << LeastTree::kSlotBits | slot;
}

TEST(LeastTree, ItsLeastIsThatOfAPlainSearch) {
  Rng dice(8);
  for (int round = 0; round < 300; ++round) {
    const u32 most = 1 + dice.below(round < 250 ? 300 : 4'096), slots = 1 + dice.below(most);
    LeastTree tree(most);
    EXPECT_EQ(tree.least(), LeastTree::kNobody);
    tree.clear(slots);
    std::vector<u64> plain(slots, LeastTree::kNobody);
    if (dice.below(2) == 0) {  // all at once
      for (u32 slot = 0; slot < slots; ++slot) tree.put(slot, plain[slot] = any_rank(dice, slot));
      tree.build();
    }
    for (int change = 0; change < 200; ++change) {
      // Often the least itself, as when voices are stolen.
      const u32 slot = dice.below(3) == 0 && tree.least() != LeastTree::kNobody ? LeastTree::slot_of(tree.least()) : dice.below(slots);
      plain[slot] = dice.below(4) == 0 ? LeastTree::kNobody : any_rank(dice, slot);
      tree.set(slot, plain[slot]);
      const auto least = std::min_element(plain.begin(), plain.end());
      ASSERT_EQ(tree.least(), *least) << "change " << change << " of " << slots << " slots";
      if (*least != LeastTree::kNobody) { ASSERT_EQ(LeastTree::slot_of(tree.least()), static_cast<u32>(least - plain.begin())); }
    }
    for (u32 slot = 0; slot < slots; ++slot) ASSERT_EQ(tree.rank_of(slot), plain[slot]);
    tree.clear(slots);
    ASSERT_EQ(tree.least(), LeastTree::kNobody);
  }
}

}  // namespace
}  // namespace spellpool::audio
