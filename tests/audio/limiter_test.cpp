// A stretch at a time gives what a frame at a time gives.
#include "audio/limiter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rng.hpp"

namespace spellpool::audio {
namespace {

TEST(Limiter, AStretchGivesTheSameBitsAsItsFramesOneByOne) {
  Rng rng(3);
  Limiter by_frame(48'000), by_stretch(48'000);
  u32 at_rest = 0;
  for (int stretch = 0; stretch < 3'000; ++stretch) {
    // Left, then right is loud for a while; each time it is quiet for as long as the limiter takes to let go.
    const float left_level = stretch % 800 < 20 ? 3.0f : 0.9f, right_level = stretch % 800 / 20 == 20 ? 3.0f : 0.9f;
    const u32 count = rng.below(257);
    std::vector<float> left, right;
    for (u32 i = 0; i < count; ++i) {
      left.push_back(rng.below(500) == 0 ? Limiter::kCeiling : left_level * rng.signed_unit());
      right.push_back(right_level * rng.signed_unit());
    }
    const u64 limited_before = by_frame.limited_frames();
    std::vector<float> stretch_left = left, stretch_right = right;
    by_stretch.process(stretch_left.data(), stretch_right.data(), count);
    for (u32 i = 0; i < count; ++i) {
      by_frame.process(left[i], right[i]);
      ASSERT_EQ(stretch_left[i], left[i]) << "stretch " << stretch << ", frame " << i;
      ASSERT_EQ(stretch_right[i], right[i]) << "stretch " << stretch << ", frame " << i;
    }
    ASSERT_EQ(by_stretch.limited_frames(), by_frame.limited_frames());
    at_rest += by_frame.limited_frames() == limited_before ? 1 : 0;
  }
  EXPECT_GT(at_rest, 300u);
  EXPECT_LT(at_rest, 2'700u);
}

TEST(Limiter, ThePeakIsTheLargestSize) {
  Rng rng(4);
  for (u32 count = 0; count < 70; ++count) {
    std::vector<float> samples;
    float most = 0.0f;
    for (u32 i = 0; i < count; ++i) {
      samples.push_back(2.0f * rng.signed_unit());
      most = std::max(most, std::fabs(samples[i]));
    }
    EXPECT_EQ(peak_of(samples.data(), count), most);
  }
}

}  // namespace
}  // namespace spellpool::audio
