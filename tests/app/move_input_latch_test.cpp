#include "app/shell/move_input_latch.hpp"

#include <gtest/gtest.h>

namespace spellpool::app {
namespace {

TEST(MoveInputLatch, AKeyBetweenTwoStepsIsOneStepsMove) {
  MoveInputLatch tap;
  tap.take();
  tap.hold({1, 0});
  tap.hold({});
  EXPECT_EQ(tap.take().x, 1.0f);
  EXPECT_FALSE(tap.take().any());
}

TEST(MoveInputLatch, WhatAStepHasSeenEndsWhenItIsLetGo) {
  MoveInputLatch tap;
  tap.hold({0, -1});
  EXPECT_EQ(tap.take().y, -1.0f);
  tap.hold({0, -1});
  tap.hold({});
  EXPECT_FALSE(tap.take().any()) << "not a step longer than it was held";
  tap.hold({0, 1});
  tap.hold({});
  EXPECT_EQ(tap.take().y, 1.0f);
}

TEST(MoveInputLatch, AKeyDuringAPauseMovesNobodyAfterIt) {
  MoveInputLatch tap;
  tap.take();
  tap.hold({1, 0});
  tap.hold({1, 0}, true);
  tap.hold({}, true);
  EXPECT_FALSE(tap.take().any());
  tap.hold({1, 0}, true);
  EXPECT_EQ(tap.take().x, 1.0f) << "still held when it goes on, or a single step is taken";
}

TEST(MoveInputLatch, TheLatestWayCounts) {
  MoveInputLatch tap;
  tap.hold({1, 0});
  tap.hold({-1, 0});
  EXPECT_EQ(tap.take().x, -1.0f);
  EXPECT_EQ(tap.take().x, -1.0f) << "held on";
}

}  // namespace
}  // namespace spellpool::app
