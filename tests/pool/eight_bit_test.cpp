// The pool of an 8-bit machine, as games of the eighties wrote it: the smallest one that is right for its job, and where
// active_flag.hpp comes from. Sixteen bullets, five bytes each, one array a field: an index register reaches everything, and
// nothing is multiplied by five.
#include <gtest/gtest.h>

#include "core/types.hpp"

namespace spellpool {
namespace {

/// Layout   active[16] x[16] y[16] dx[16] dy[16], a byte each: 80 bytes, the pool and all it holds
/// Cost     spawn looks at 16 flags at worst, update always at 16. At sixteen that is no cost.
/// Full     spawn() gives kNone; the game just fires no bullet.
/// Numbers  Bytes wrap round: 255 + 1 is 0, so a bullet leaves on the right and comes in on the left, and a step of 255 is one
///          to the left.
class Bullets {
 public:
  static constexpr u8 kSlots = 16;
  static constexpr u8 kNone = 0xff;

  u8 spawn(u8 at_x, u8 at_y, u8 step_x, u8 step_y) {
    for (u8 slot = 0; slot != kSlots; ++slot) {
      if (active[slot] != 0) continue;
      active[slot] = 1;
      x[slot] = at_x;
      y[slot] = at_y;
      dx[slot] = step_x;
      dy[slot] = step_y;
      return slot;
    }
    return kNone;
  }
  void update() {
    for (u8 slot = 0; slot != kSlots; ++slot) {
      if (active[slot] == 0) continue;
      x[slot] = static_cast<u8>(x[slot] + dx[slot]);
      y[slot] = static_cast<u8>(y[slot] + dy[slot]);
    }
  }
  void release(u8 slot) { active[slot] = 0; }

  u8 active[kSlots] = {};
  u8 x[kSlots] = {}, y[kSlots] = {}, dx[kSlots] = {}, dy[kSlots] = {};
};
static_assert(sizeof(Bullets) == 80, "sixteen times five bytes, and not one more");

u8 left(u8 pixels) { return static_cast<u8>(256 - pixels); }

TEST(EightBitBullets, SixteenFindRoomAndTheSeventeenthIsRefused) {
  Bullets bullets;
  for (u8 i = 0; i < 16; ++i) EXPECT_EQ(bullets.spawn(i, 0, 0, 0), i);
  EXPECT_EQ(bullets.spawn(99, 99, 9, 9), Bullets::kNone);
  for (u8 i = 0; i < 16; ++i) EXPECT_EQ(bullets.x[i], i) << "the refused one wrote into slot " << int{i};
}

TEST(EightBitBullets, TheLowestFreeSlotIsUsedFirst) {
  Bullets bullets;
  for (u8 i = 0; i < 16; ++i) bullets.spawn(i, 0, 0, 0);
  bullets.release(11);
  bullets.release(3);
  bullets.release(7);
  EXPECT_EQ(bullets.spawn(100, 0, 0, 0), 3);
  EXPECT_EQ(bullets.spawn(101, 0, 0, 0), 7);
  EXPECT_EQ(bullets.spawn(102, 0, 0, 0), 11);
  EXPECT_EQ(bullets.spawn(103, 0, 0, 0), Bullets::kNone);
  EXPECT_EQ(bullets.x[3], 100);
  EXPECT_EQ(bullets.x[2], 2);
}

TEST(EightBitBullets, ANewBulletHasNothingOfTheOneBefore) {
  Bullets bullets;
  bullets.spawn(10, 20, 3, 4);
  bullets.update();
  bullets.release(0);
  EXPECT_EQ(bullets.spawn(50, 60, 0, 0), 0);
  bullets.update();
  EXPECT_EQ(bullets.x[0], 50);
  EXPECT_EQ(bullets.y[0], 60);
}

TEST(EightBitBullets, EachFliesByItsOwnStepAndReleasedOnesStandStill) {
  Bullets bullets;
  bullets.spawn(10, 100, 2, 0);
  bullets.spawn(10, 100, 0, left(3));
  bullets.spawn(10, 100, 5, 5);
  bullets.release(2);
  for (int frame = 0; frame < 4; ++frame) bullets.update();
  EXPECT_EQ(bullets.x[0], 18);
  EXPECT_EQ(bullets.y[0], 100);
  EXPECT_EQ(bullets.x[1], 10);
  EXPECT_EQ(bullets.y[1], 88);
  EXPECT_EQ(bullets.x[2], 10);
  EXPECT_EQ(bullets.y[2], 100);
}

TEST(EightBitBullets, CoordinatesWrapRound) {
  Bullets bullets;
  bullets.spawn(254, 1, 3, left(2));
  bullets.update();
  EXPECT_EQ(bullets.x[0], 1);
  EXPECT_EQ(bullets.y[0], 255);
  for (int frame = 1; frame < 256; ++frame) bullets.update();
  EXPECT_EQ(bullets.x[0], 254) << "256 steps lead back to the start, however large they are";
  EXPECT_EQ(bullets.y[0], 1);
}

TEST(EightBitBullets, ReleasingTwiceIsHarmlessButNobodyTells) {
  Bullets bullets;
  bullets.spawn(1, 1, 0, 0);
  bullets.release(0);
  bullets.release(0);
  EXPECT_EQ(bullets.spawn(2, 2, 0, 0), 0);
  EXPECT_EQ(bullets.spawn(3, 3, 0, 0), 1);
  bullets.release(0);  // by the first one's owner, who kept the number: what handles are for
  EXPECT_EQ(bullets.active[0], 0);
}

}  // namespace
}  // namespace spellpool
