// What the player presses between two steps, and what one step sees of it.
#include <gtest/gtest.h>

#include "app/shell/input_latch.hpp"

namespace spellpool::app {
namespace {

class InputLatchTest : public testing::Test {
 protected:
  frame::InputFrame step() {
    const InputLatch::ShownFrame shown{snapshot_, 1.0f, {640, 360}};
    const frame::InputFrame input = latch_.read(events_, shown, {100.0f, 50.0f});
    latch_.step_done();
    return input;
  }

  InputLatch latch_;
  platform::FrameEvents events_;
  frame::RenderSnapshot snapshot_;
};

TEST_F(InputLatchTest, APressShorterThanAFrameCountsForOneStep) {
  events_.rapid_pressed = true;  // and is up again
  latch_.press(events_);
  latch_.pressed.cast = true;
  const u8 buttons = step().buttons;
  EXPECT_TRUE(buttons & frame::kButtonCast);
  EXPECT_TRUE(buttons & frame::kButtonRapid);
  EXPECT_EQ(step().buttons, 0);
}

TEST_F(InputLatchTest, WhatChoseInAMenuCountsAgainOnlyAfterItWasLetGo) {
  events_.cast_held = true;
  events_.move_x = 1;
  latch_.mute_held();
  latch_.hold(events_, false);
  EXPECT_TRUE(latch_.muted());
  EXPECT_EQ(step().buttons, 0);
  EXPECT_EQ(step().move_x, 0);
  events_.cast_held = false;
  events_.move_x = 0;
  latch_.hold(events_, false);
  EXPECT_FALSE(latch_.muted());
  events_.cast_held = true;
  latch_.hold(events_, false);
  EXPECT_EQ(step().buttons, frame::kButtonCast);
}

TEST_F(InputLatchTest, WhatIsPressedWhileTheWorldRestsIsForgotten) {
  latch_.pressed.cast = latch_.pressed.rapid = latch_.pressed.bomb = true;
  latch_.hold(events_, true);
  EXPECT_FALSE(latch_.pressed.bomb);
  EXPECT_EQ(step().buttons, 0);
  latch_.pressed.cast = true;  // by the press that wakes it
  EXPECT_EQ(step().buttons, frame::kButtonCast);
}

TEST_F(InputLatchTest, AWheelSelectsByWholeNotchesRoundTheBar) {
  latch_.turn_wheel(-0.5f);
  EXPECT_EQ(step().select_spell, frame::InputFrame::kKeepSpell);
  latch_.turn_wheel(-0.5f);
  EXPECT_EQ(step().select_spell, 1);
  EXPECT_EQ(step().select_spell, frame::InputFrame::kKeepSpell) << "once";
  latch_.turn_wheel(2.0f);
  EXPECT_EQ(step().select_spell, frame::kSpellCount - 1);
  latch_.follow_spell(4);
  EXPECT_EQ(latch_.wanted_spell(), 4) << "the world selected it";
}

TEST_F(InputLatchTest, AStickAimsFromTheOriginUntilTheMouseMoves) {
  events_.stick_aims = true;
  events_.aim_x = 1;
  const i16 by_stick = step().aim_x16;
  EXPECT_EQ(by_stick, static_cast<i16>((100.0f + 260.0f) * frame::kAimScale));
  events_.stick_aims = false;
  EXPECT_EQ(step().aim_x16, by_stick) << "it was let go";
  events_.mouse_moved = true;
  EXPECT_NE(step().aim_x16, by_stick);
}

TEST_F(InputLatchTest, AnotherWorldSeesNothingOfWhatWasPressed) {
  latch_.pressed.cast = latch_.pressed.bomb = true;
  latch_.select(3);
  latch_.clear();
  const frame::InputFrame input = step();
  EXPECT_EQ(input.buttons, 0);
  EXPECT_EQ(input.select_spell, frame::InputFrame::kKeepSpell);
}

}  // namespace
}  // namespace spellpool::app
