#include "measure/record/timeline.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace spellpool::measure {
namespace {

u64 test_time_ns = 0;
u64 test_now() { return test_time_ns; }

struct Recorded {
  Timeline timeline{test_now};
  template <class F>
  explicit Recorded(F&& frame) {
    test_time_ns = 1'000;
    timeline.begin();
    report_allocations_to(&timeline);
    frame(timeline);
    report_allocations_to(nullptr);
    timeline.end();
  }
  const frame::TimelineRow& view() const { return timeline.view(); }
};

TEST(Timeline, PairsEachNewWithItsDelete) {
  // Calls of the functions themselves: a compiler may leave out a new with its delete.
  void* const before = ::operator new(8);
  void* kept = nullptr;
  const Recorded frame([&](Timeline&) {
    test_time_ns = 1'100;
    void* const brief = ::operator new(4);
    test_time_ns = 1'200;
    ::operator delete(before);
    test_time_ns = 1'300;
    ::operator delete(brief);
    test_time_ns = 1'400;
    kept = ::operator new(16);
    test_time_ns = 1'500;
  });
  ::operator delete(kept);
  const frame::TimelineRow& row = frame.view();
  EXPECT_EQ(row.new_calls, 2u);
  EXPECT_EQ(row.delete_calls, 2u);
  EXPECT_EQ(row.length_ns, 500u);
  EXPECT_EQ(row.events, 4u);
  u32 brief = 0, old = 0, left = 0;
  for (const frame::TimelineBlock& block : row.memory) {
    brief += block.born && block.ended && block.from_ns == 100 && block.to_ns == 300 && block.size_bytes == 4;
    old += !block.born && block.ended && block.from_ns == 0 && block.to_ns == 200;
    left += block.born && !block.ended && block.from_ns == 400 && block.to_ns == 500;
  }
  EXPECT_EQ(brief, 1u);
  EXPECT_EQ(old, 1u);
  EXPECT_EQ(left, 1u);
  EXPECT_LE(row.memory_rows, 3u);
}

TEST(Timeline, HasSlotsByTheirNumberAndPhasesByTheirTime) {
  const Recorded frame([](Timeline& timeline) {
    timeline.enter(frame::Phase::Update);
    test_time_ns = 1'050;
    timeline.slot(false, 7);
    test_time_ns = 1'060;
    timeline.enter(frame::Phase::Spawn);
    timeline.slot(true, 7);
    timeline.slot(true, 9);
    test_time_ns = 1'100;
  });
  const frame::TimelineRow& row = frame.view();
  EXPECT_EQ(row.acquired, 2u);
  EXPECT_EQ(row.released, 1u);
  EXPECT_EQ(row.slot_rows, 2u) << "7 and 9";
  ASSERT_EQ(row.slots.size(), 3u);
  EXPECT_EQ(row.slots[0].row, 0u);
  EXPECT_EQ(row.slots[0].to_ns, 50u);
  EXPECT_FALSE(row.slots[0].born);
  EXPECT_EQ(row.slots[1].row, 0u);
  EXPECT_EQ(row.slots[1].from_ns, 60u);
  EXPECT_FALSE(row.slots[1].ended);
  EXPECT_EQ(row.slots[2].row, 1u);
  ASSERT_EQ(row.phases.size(), 2u);
  EXPECT_EQ(row.phases[1].at_ns, 60u);
}

TEST(Timeline, ASlotThatIsStolenEndsItsBlock) {
  const Recorded frame([](Timeline& timeline) {
    test_time_ns = 1'100;
    timeline.slot(true, 3);
    test_time_ns = 1'200;
    timeline.slot(true, 3);
    test_time_ns = 1'300;
  });
  const frame::TimelineRow& row = frame.view();
  ASSERT_EQ(row.slots.size(), 2u);
  EXPECT_EQ(row.slots[0].from_ns, 100u);
  EXPECT_EQ(row.slots[0].to_ns, 200u);
  EXPECT_TRUE(row.slots[0].ended);
  EXPECT_EQ(row.slots[1].from_ns, 200u);
  EXPECT_EQ(row.slots[1].to_ns, 300u);
  EXPECT_FALSE(row.slots[1].ended);
}

TEST(PhaseClock, WantsSlotsWhereItsSinkDoes) {
  PhaseClock clock(test_now), phases_alone(test_now);
  EXPECT_FALSE(clock.wants_slots());
  clock.report_to(&phases_alone);
  EXPECT_FALSE(clock.wants_slots());
  Timeline timeline(test_now);
  clock.report_to(&timeline);
  EXPECT_TRUE(clock.wants_slots());
}

TEST(Timeline, CountsWhatHasNoRoomAndAllocatesNothingItself) {
  const AllocationCounts before = thread_allocations();
  u64 own = 0;
  const Recorded frame([&](Timeline& timeline) {
    const AllocationCounts begun = thread_allocations();
    for (u32 i = 0; i < Timeline::kMostEvents + 5; ++i) timeline.slot(true, i);
    own = thread_allocations().new_calls - begun.new_calls;
  });
  EXPECT_EQ(own, 0u);
  EXPECT_EQ(frame.view().left_out, 5u);
  EXPECT_GT(thread_allocations().new_calls, before.new_calls) << "its memory is taken when it is made";
}

TEST(Timeline, NothingIsRecordedBetweenFrames) {
  const Recorded frame([](Timeline&) {});
  auto later = std::make_unique<int>(4);
  EXPECT_EQ(frame.view().new_calls, 0u);
  EXPECT_EQ(frame.view().memory.size(), 0u);
}

}  // namespace
}  // namespace spellpool::measure
