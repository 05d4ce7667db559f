#include "platform/sound_lead.hpp"

#include <gtest/gtest.h>

namespace spellpool::platform {
namespace {

class Frames {
 public:
  /// One frame of `ms` after another.
  void pass(int frames, double ms) {
    for (int i = 0; i < frames; ++i) lead.frame(now_ns_ += static_cast<i64>(ms * 1e6));
  }
  SoundLead lead;

 private:
  i64 now_ns_ = 1;
};

TEST(SoundLead, IsShortWhereFramesAre) {
  Frames frames;
  EXPECT_FALSE(frames.lead.may_begin());
  frames.pass(25, 16);
  EXPECT_TRUE(frames.lead.may_begin());
  EXPECT_DOUBLE_EQ(frames.lead.ahead_s(), SoundLead::kLeast_s);
}

TEST(SoundLead, CoversALongFrameForAWhile) {
  Frames frames;
  frames.pass(60, 16);
  frames.pass(1, 300);
  EXPECT_GE(frames.lead.ahead_s(), 0.4);
  frames.pass(60, 50);  // three seconds
  EXPECT_GE(frames.lead.ahead_s(), 0.2);
  frames.pass(140, 50);  // ten
  EXPECT_DOUBLE_EQ(frames.lead.ahead_s(), SoundLead::kLeast_s);
}

TEST(SoundLead, SoundBeginsAfterTheLongFramesOfTheBeginning) {
  Frames frames;
  frames.pass(2, 1000);
  EXPECT_FALSE(frames.lead.may_begin());
  EXPECT_LE(frames.lead.ahead_s(), SoundLead::kMost_s);
  frames.pass(4, 60);
  EXPECT_FALSE(frames.lead.may_begin());
  frames.pass(1, 400);
  frames.pass(4, 60);
  EXPECT_FALSE(frames.lead.may_begin());
  frames.pass(2, 60);
  EXPECT_TRUE(frames.lead.may_begin());
}

TEST(SoundLead, SoundBeginsWhereAllFramesAreLong) {
  Frames frames;
  frames.pass(4, 900);
  EXPECT_FALSE(frames.lead.may_begin());
  frames.pass(2, 900);
  EXPECT_TRUE(frames.lead.may_begin());
}

// Nobody heard the minutes in which a page was hidden.
TEST(SoundLead, ATimeWithoutFramesIsOneLongFrame) {
  Frames frames;
  frames.pass(60, 16);
  frames.pass(1, 600'000);
  EXPECT_LE(frames.lead.ahead_s(), SoundLead::kMost_s);
  frames.pass(800, 16);
  EXPECT_DOUBLE_EQ(frames.lead.ahead_s(), SoundLead::kLeast_s);
}

TEST(SoundLead, EachTimeThatLittleWasLeftMoreIsKeptAhead) {
  Frames frames;
  frames.pass(2, 16);
  frames.lead.left(0.05);
  EXPECT_DOUBLE_EQ(frames.lead.ahead_s(), SoundLead::kLeast_s);
  frames.lead.left(0.01);
  EXPECT_DOUBLE_EQ(frames.lead.ahead_s(), SoundLead::kLeast_s + SoundLead::kMore_s);
  for (int i = 0; i < 100; ++i) frames.lead.left(0);
  EXPECT_DOUBLE_EQ(frames.lead.ahead_s(), SoundLead::kLeast_s + SoundLead::kMostMore_s);
}

}  // namespace
}  // namespace spellpool::platform
