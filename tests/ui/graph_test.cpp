#include "ui/panels/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace spellpool::ui {
namespace {

using frame::FrameHistory;
using frame::FrameRecord;
using frame::GraphScale;

std::vector<FrameRecord> frames(std::size_t count, u64 first_frame = 0) {
  std::vector<FrameRecord> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i].frame = first_frame + i;
    all[i].frame_us = 1'000.0f + static_cast<float>(i);
  }
  return all;
}

TEST(Columns, EveryFrameHasItsOwnWhereThereIsRoom) {
  const std::vector<FrameRecord> all = frames(50);
  std::vector<GraphColumn> out(100);
  ASSERT_EQ(columns_of({all, 0, all.size()}, 50, out), 50u);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(out[i].worst, i);
    EXPECT_EQ(out[i].frames, 1u);
    EXPECT_FLOAT_EQ(out[i].frame_us, all[i].frame_us);
  }
}

TEST(Columns, TakeTheSlowestFrameAndTheMostNewCalls) {
  std::vector<FrameRecord> all = frames(400);
  all[123].frame_us = 90'000;
  all[123].new_calls = 7;
  all[124].new_calls = 900;
  std::vector<GraphColumn> out(100);
  const std::size_t count = columns_of({all, 0, all.size()}, 100, out);
  ASSERT_LE(count, 100u);
  std::size_t slow = 0, calls = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (out[i].frame_us == 90'000) {
      ++slow;
      EXPECT_EQ(out[i].worst, 123u);
      EXPECT_GE(out[i].new_calls, 7u);
    }
    if (out[i].new_calls == 900) ++calls;
  }
  EXPECT_EQ(slow, 1u);
  EXPECT_EQ(calls, 1u);
}

TEST(Columns, HoldEveryFrameOnceAndNeverPassTheWidth) {
  std::vector<GraphColumn> out(kMaxColumns);
  for (const std::size_t count : {1u, 2u, 3u, 7u, 99u, 100u, 101u, 640u, 1'201u}) {
    for (const u64 first : {u64{0}, u64{1}, u64{17}, u64{999'983}}) {
      const std::vector<FrameRecord> all = frames(count, first);
      for (const std::size_t width : {1u, 2u, 3u, 10u, 99u, 100u, 700u, 5'000u}) {
        const std::size_t columns = columns_of({all, 0, count}, width, out);
        ASSERT_GE(columns, 1u);
        ASSERT_LE(columns, std::min(width, out.size())) << count << " frames, width " << width;
        std::size_t sum = 0;
        for (std::size_t i = 0; i < columns; ++i) {
          ASSERT_GE(out[i].worst, sum) << count << " frames from " << first << ", width " << width;
          sum += out[i].frames;
          ASSERT_LT(out[i].worst, sum);
        }
        ASSERT_EQ(sum, count) << "from " << first << ", width " << width;
      }
    }
  }
}

TEST(Columns, KeepTheirFramesWhileTheGraphScrolls) {
  // A full ring moves on by one frame: all whole groups in the middle are the same as before.
  std::vector<FrameRecord> all = frames(1'001, 40);
  std::vector<GraphColumn> before(200), after(200);
  const std::size_t n = columns_of({std::span(all).first(1'000), 0, 1'000}, 200, before);
  const std::size_t m = columns_of({std::span(all).subspan(1), 0, 1'000}, 200, after);
  std::vector<u64> seen;
  for (std::size_t i = 1; i + 1 < n; ++i) seen.push_back(all[before[i].worst].frame);
  std::size_t same = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (const u64 frame : seen) same += all[after[i].worst + 1].frame == frame;
  }
  EXPECT_GE(same + 1, seen.size());
}

TEST(Columns, ReadTheRingFromItsOldestFrame) {
  std::vector<FrameRecord> ring = frames(10);
  std::vector<GraphColumn> out(10);
  ASSERT_EQ(columns_of({ring, 7, 4}, 10, out), 4u);
  EXPECT_FLOAT_EQ(out[0].frame_us, ring[7].frame_us);
  EXPECT_FLOAT_EQ(out[3].frame_us, ring[0].frame_us);
}

TEST(Columns, MarkAToggleWhereItsFirstFrameStands) {
  std::vector<FrameRecord> all = frames(30);
  for (std::size_t i = 12; i < 30; ++i) all[i].strategy = 1;
  all[12].switched = true;
  all[20].switched = true;  // A capacity: no change of strategy.
  std::vector<GraphColumn> out(30);
  ASSERT_EQ(columns_of({all, 0, 30}, 30, out), 30u);
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(out[i].toggled, i == 12) << i;
    EXPECT_EQ(out[i].switched, i == 12 || i == 20) << i;
    EXPECT_EQ(out[i].strategy, i >= 12 ? 1 : 0) << i;
  }
}

TEST(Columns, KeepAToggleThereAndBackWithinOneColumn) {
  std::vector<FrameRecord> all = frames(40);
  all[21].strategy = 1;
  std::vector<GraphColumn> out(4);
  const std::size_t count = columns_of({all, 0, 40}, 4, out);
  std::size_t toggled = 0;
  for (std::size_t i = 0; i < count; ++i) toggled += out[i].toggled;
  EXPECT_EQ(toggled, 1u);
}

TEST(Columns, AreNoneForAnEmptyHistory) {
  std::vector<GraphColumn> out(10);
  EXPECT_EQ(columns_of({}, 10, out), 0u);
  const std::vector<FrameRecord> all = frames(5);
  EXPECT_EQ(columns_of({all, 0, 0}, 10, out), 0u);
  EXPECT_EQ(columns_of({all, 0, 5}, 0, out), 0u);
  EXPECT_EQ(columns_of({all, 0, 5}, 10, {}), 0u);
}

TEST(Columns, CountNoMoreFramesThanTheRingHolds) {
  const std::vector<FrameRecord> all = frames(5);
  std::vector<GraphColumn> out(100);
  EXPECT_EQ(columns_of({all, 0, 900}, 100, out), 5u);
}

TEST(Columns, AreFiniteForTimesThatAreNot) {
  std::vector<FrameRecord> all = frames(4);
  all[0].frame_us = std::numeric_limits<float>::quiet_NaN();
  all[1].frame_us = std::numeric_limits<float>::infinity();
  all[2].frame_us = -5;
  std::vector<GraphColumn> out(4);
  ASSERT_EQ(columns_of({all, 0, 4}, 4, out), 4u);
  for (const GraphColumn& column : out) {
    EXPECT_TRUE(std::isfinite(column.frame_us));
    EXPECT_GE(column.frame_us, 0);
  }
}

TEST(Axis, EndsAboveBothBudgetLines) {
  EXPECT_GT(axis_top_us({}), 33'333.0f);
  const std::vector<GraphColumn> calm(100);
  EXPECT_GT(axis_top_us(calm), 33'333.0f);
}

TEST(Axis, IsNotStretchedByAFewSpikes) {
  std::vector<GraphColumn> columns(1'000);
  const float calm = axis_top_us(columns);
  for (std::size_t i = 0; i < 10; ++i) columns[i * 50].frame_us = 150'000;
  EXPECT_FLOAT_EQ(axis_top_us(columns), calm);
  for (GraphColumn& column : columns) column.frame_us = 55'000;
  EXPECT_GT(axis_top_us(columns), 55'000.0f);
}

TEST(Axis, SharesGoFromZeroToOneOnBothScales) {
  for (const GraphScale scale : {GraphScale::Automatic, GraphScale::SquareRoot}) {
    EXPECT_FLOAT_EQ(axis_share(0, 40'000, scale), 0);
    EXPECT_FLOAT_EQ(axis_share(40'000, 40'000, scale), 1);
    EXPECT_FLOAT_EQ(axis_share(1e12f, 40'000, scale), 1);
    EXPECT_FLOAT_EQ(axis_share(-3, 40'000, scale), 0);
    EXPECT_FLOAT_EQ(axis_share(std::numeric_limits<float>::quiet_NaN(), 40'000, scale), 0);
    EXPECT_FLOAT_EQ(axis_share(5, 0, scale), 0);
  }
  EXPECT_FLOAT_EQ(axis_share(10'000, 40'000, GraphScale::Automatic), 0.25f);
  EXPECT_FLOAT_EQ(axis_share(10'000, 40'000, GraphScale::SquareRoot), 0.5f);
}

TEST(Budget, ChangesAtHalfOneAndTwoBudgets) {
  EXPECT_EQ(budget_of(0), Budget::Half);
  EXPECT_EQ(budget_of(8'300), Budget::Half);
  EXPECT_EQ(budget_of(8'400), Budget::Within);
  EXPECT_EQ(budget_of(16'600), Budget::Within);
  EXPECT_EQ(budget_of(16'700), Budget::Twice);
  EXPECT_EQ(budget_of(33'300), Budget::Twice);
  EXPECT_EQ(budget_of(33'400), Budget::Over);
}

}  // namespace
}  // namespace spellpool::ui
