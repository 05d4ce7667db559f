#include "platform/sound_lead.hpp"

#include <gtest/gtest.h>

namespace spellpool::platform {
namespace {

class Frames {
 public:
  /// `count` frames of `ms` each.
  void pass(int count, double ms) {
    for (int i = 0; i < count; ++i) lead.begin_frame(now_ns_ += static_cast<i64>(ms * 1e6));
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
  EXPECT_DOUBLE_EQ(frames.lead.lead_s(), SoundLead::kMinimum_s);
}

TEST(SoundLead, CoversALongFrameForAWhile) {
  Frames frames;
  frames.pass(60, 16);
  frames.pass(1, 300);
  EXPECT_DOUBLE_EQ(frames.lead.lead_s(), SoundLead::kMaximum_s);
  frames.pass(100, 50);  // five seconds
  EXPECT_NEAR(frames.lead.lead_s(), 0.391, 0.01);
  frames.pass(600, 16);  // ten
  EXPECT_DOUBLE_EQ(frames.lead.lead_s(), SoundLead::kMinimum_s);
}

TEST(SoundLead, SoundBeginsAfterTheLongFramesOfTheStart) {
  Frames frames;
  frames.pass(2, 900);
  EXPECT_FALSE(frames.lead.may_begin());
  EXPECT_DOUBLE_EQ(frames.lead.lead_s(), SoundLead::kMaximum_s);
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

// The sound of a hidden page pauses, so there is no gap to cover.
TEST(SoundLead, AHiddenPageIsNoLongFrame) {
  Frames frames;
  frames.pass(60, 16);
  frames.pass(1, 600'000);
  EXPECT_DOUBLE_EQ(frames.lead.lead_s(), SoundLead::kMinimum_s);
}

TEST(SoundLead, EachTimeThatLittleWasLeftMoreIsKeptAhead) {
  Frames frames;
  frames.pass(2, 16);
  frames.lead.set_rest(0.05);
  EXPECT_DOUBLE_EQ(frames.lead.lead_s(), SoundLead::kMinimum_s);
  frames.lead.set_rest(0.01);
  EXPECT_DOUBLE_EQ(frames.lead.lead_s(), SoundLead::kMinimum_s + SoundLead::kStep_s);
  for (int i = 0; i < 100; ++i) frames.lead.set_rest(0);
  EXPECT_DOUBLE_EQ(frames.lead.lead_s(), SoundLead::kMinimum_s + SoundLead::kMaximumAdded_s);
  frames.pass(60 * 60, 1000.0 / 60);  // a minute
  EXPECT_NEAR(frames.lead.lead_s(), SoundLead::kMinimum_s + SoundLead::kMaximumAdded_s / 2.718, 0.002);
}

}  // namespace
}  // namespace spellpool::platform
