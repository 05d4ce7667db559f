#include "ui/panels/spikes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace spellpool::ui {
namespace {

using frame::FrameRecord;

// The rule, written down again the long way.
std::vector<u8> spikes_by_definition(const std::vector<FrameRecord>& frames) {
  const auto median = [](std::vector<float> values) {
    std::sort(values.begin(), values.end());
    return values[(values.size() + 1) / 2 - 1];
  };
  std::vector<float> all;
  for (const FrameRecord& record : frames) all.push_back(record.frame_us);
  const float middle = median(all);
  std::vector<float> away;
  for (const float value : all) away.push_back(std::fabs(value - middle));
  const float mad = median(away);
  std::vector<u8> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t from = i > 60 ? i - 60 : 0;
    const float rolling =
        i - from < 8
            ? middle
            : median({all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(i)});
    result.push_back(all[i] > std::max(2 * rolling, middle + 6 * mad) ? 1 : 0);
  }
  return result;
}

TEST(Spikes, AreThoseOfTheDefinition) {
  std::vector<FrameRecord> frames(700);
  u32 state = 12'345;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    state = state * 1'664'525u + 1'013'904'223u;
    frames[i].frame_us =
        6'000.0f + static_cast<float>(state >> 20) + (state % 23 == 0 ? 20'000.0f : 0.0f) + (i > 400 ? 5'000.0f : 0.0f);
  }
  SpikeSearch search;
  search.run({frames, 0, frames.size()});
  const std::vector<u8> expected = spikes_by_definition(frames);
  ASSERT_GE(search.spike.size(), expected.size());
  EXPECT_GT(std::count(expected.begin(), expected.end(), 1), 5);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(search.spike[i], expected[i]) << i;
}

TEST(Spikes, AreNoneInNothingAndSurviveTimesThatAreNone) {
  SpikeSearch search;
  search.run({});
  EXPECT_EQ(search.median_us, 0);
  std::vector<FrameRecord> frames(100);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i].frame_us = i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
  }
  search.run({frames, 90, 100});
  EXPECT_TRUE(std::isfinite(search.median_us));
}

TEST(Why, NamesWhatTookTheTime) {
  FrameRecord record;
  record.frame_us = 38'200;
  record.phase_us = {500, 1'500, 400, 200, 31'000, 500, 600};
  record.has_usage = true;
  record.minflt = 412;
  record.nivcsw = 3;
  record.new_calls = 2'925;
  record.switched = true;
  const std::string words = why_words(record, 15'900, true, true).c_str();
  EXPECT_EQ(words,
            "38.20 ms, 2.4× the median. Render took 31.00 of it. 412 page faults, 3 involuntary context switches. "
            "2,925 new calls. The strategy changed in this frame. ");
}

TEST(Why, SaysWhenTheTimePassedElsewhere) {
  FrameRecord record;
  record.frame_us = 40'000;
  record.phase_us[0] = 1'000;
  EXPECT_NE(std::string(why_words(record, 8'000, true, false).c_str()).find("outside all phases"), std::string::npos);
  EXPECT_NE(std::string(why_words(record, 40'000, false, false).c_str()).find("no spike"), std::string::npos);
}

}  // namespace
}  // namespace spellpool::ui
