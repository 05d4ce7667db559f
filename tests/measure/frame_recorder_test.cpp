#include "measure/record/frame_recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>

namespace spellpool::measure {
namespace {

u64 fake_now = 0;
u64 fake_clock() { return fake_now; }

using frame::Phase;

class FrameRecorderTest : public testing::Test {
 protected:
  void SetUp() override { fake_now = 1'000'000'000; }
  /// A frame of this length, followed by a wait that belongs to none.
  const frame::FrameRecord& play(FrameRecorder& recorder, u64 frame_ns, u64 wait_ns = 0, u64 step = 0) {
    recorder.begin_frame();
    fake_now += frame_ns;
    frame::FrameRecord partial;
    partial.step = step;
    const frame::FrameRecord& record = recorder.end_frame(partial);
    fake_now += wait_ns;
    return record;
  }
};

TEST_F(FrameRecorderTest, PhasesAddUpAndMayBeEnteredAgain) {
  PhaseClock clock(fake_clock);
  clock.begin_frame();
  fake_now += 500;  // Before the first phase: belongs to none.
  clock.enter(Phase::Spawn);
  fake_now += 2'000;
  clock.enter(Phase::Update);
  fake_now += 30'000;
  clock.enter(Phase::Spawn);
  fake_now += 1'000;
  clock.leave();
  fake_now += 9'000;
  clock.leave();
  const auto us = clock.phase_us();
  EXPECT_FLOAT_EQ(us[static_cast<std::size_t>(Phase::Spawn)], 3.0f);
  EXPECT_FLOAT_EQ(us[static_cast<std::size_t>(Phase::Update)], 30.0f);
  EXPECT_FLOAT_EQ(us[static_cast<std::size_t>(Phase::Swap)], 0.0f);
  clock.begin_frame();
  EXPECT_FLOAT_EQ(clock.phase_us()[0], 0.0f);
}

TEST_F(FrameRecorderTest, FillsTimesAndKeepsWhatTheCallerSet) {
  FrameRecorder recorder(fake_clock);
  fake_now += 5'000;
  recorder.begin_frame();
  recorder.phases().enter(Phase::Render);
  fake_now += 250'000;
  frame::FrameRecord partial;
  partial.live = 77;
  partial.step = 9;
  const frame::FrameRecord& record = recorder.end_frame(partial);
  EXPECT_EQ(record.frame, 0u);
  EXPECT_EQ(record.t_ns, 255'000u);
  EXPECT_FLOAT_EQ(record.frame_us, 250.0f);
  EXPECT_FLOAT_EQ(record.phase_us[static_cast<std::size_t>(Phase::Render)], 250.0f);
  EXPECT_EQ(record.live, 77u);
  EXPECT_EQ(record.step, 9u);
  EXPECT_EQ(play(recorder, 1).frame, 1u);
}

TEST_F(FrameRecorderTest, CountsTheFramesAllocationsAndNoOthers) {
  FrameRecorder recorder(fake_clock);
  ::operator delete(::operator new(1000));
  recorder.begin_frame();
  void* kept = ::operator new(100);
  ::operator delete(::operator new(28));
  const frame::FrameRecord& record = recorder.end_frame({});
  EXPECT_EQ(record.new_calls, 2u);
  EXPECT_EQ(record.delete_calls, 1u);
  EXPECT_EQ(record.new_bytes, 128u);
  ::operator delete(kept);
}

TEST_F(FrameRecorderTest, SeesPageFaults) {
  FrameRecorder recorder(fake_clock);
  recorder.begin_frame();
  constexpr std::size_t kBytes = 64 << 20;  // Above malloc's mmap threshold: fresh pages.
  auto* memory = static_cast<volatile char*>(std::malloc(kBytes));
  for (std::size_t i = 0; i < kBytes; i += 4096) memory[i] = 1;
  const frame::FrameRecord& record = recorder.end_frame({});
  std::free(const_cast<char*>(memory));
  ASSERT_TRUE(record.has_usage);
  EXPECT_GT(record.minflt, 10u);
}

TEST_F(FrameRecorderTest, HistoryHoldsTheLastFramesInOrder) {
  FrameRecorder recorder(fake_clock, 8);
  for (u64 i = 0; i < 20; ++i) play(recorder, 1'000 * (i + 1));
  const frame::FrameHistory history = recorder.history();
  ASSERT_EQ(history.count, 8u);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(history.at(i).frame, 12 + i);
}

TEST_F(FrameRecorderTest, ItselfAllocatesNothing) {
  FrameRecorder recorder(fake_clock, 64);
  const u64 before = thread_allocations().new_calls;
  for (int i = 0; i < 500; ++i) {
    play(recorder, 1'000'000 + static_cast<u64>(i) * 100);
    recorder.figures(40 + static_cast<std::size_t>(i % 30));
    recorder.fps();
    recorder.allocations_of_last_steps(60);
  }
  EXPECT_EQ(thread_allocations().new_calls, before);
  EXPECT_EQ(recorder.own_allocations(), 0u);
}

TEST_F(FrameRecorderTest, FiguresAreOfTheLastFramesOnly) {
  FrameRecorder recorder(fake_clock, 256);
  for (int i = 0; i < 100; ++i) play(recorder, 9'000'000);
  for (int i = 0; i < 50; ++i) play(recorder, 1'000'000);
  EXPECT_EQ(recorder.figures(50).median_us, 1000);
  EXPECT_EQ(recorder.figures(50).frames, 50u);
  EXPECT_EQ(recorder.figures(150).median_us, 9000);
  EXPECT_EQ(recorder.figures(9999).frames, 150u);
}

TEST_F(FrameRecorderTest, FiguresOfNoFramesAreUnknown) {
  FrameRecorder recorder(fake_clock);
  EXPECT_TRUE(std::isnan(recorder.figures().median_us));
  EXPECT_EQ(recorder.fps(), 0.0);
  EXPECT_EQ(recorder.allocations_of_last_steps(60), 0u);
}

TEST_F(FrameRecorderTest, FpsIsFramesOverWallTimeOfTheLastHalfSecond) {
  FrameRecorder recorder(fake_clock);
  for (int i = 0; i < 100; ++i) play(recorder, 1'000'000, 99'000'000);  // Ten a second …
  EXPECT_NEAR(recorder.fps(), 10.0, 1e-9);
  for (int i = 0; i < 60; ++i) play(recorder, 5'000'000, 5'000'000);  // … then a hundred.
  EXPECT_NEAR(recorder.fps(), 100.0, 1e-9);
  play(recorder, 2'000'000'000);  // Longer than the window itself.
  EXPECT_NEAR(recorder.fps(), 1.0 / 2.005, 1e-9);
}

TEST_F(FrameRecorderTest, AllocationsOfTheLastStepsCountSteps) {
  FrameRecorder recorder(fake_clock);
  for (u64 step = 1; step <= 100; ++step) {
    recorder.begin_frame();
    ::operator delete(::operator new(8));
    frame::FrameRecord partial;
    partial.step = step;
    recorder.end_frame(partial);
  }
  EXPECT_EQ(recorder.allocations_of_last_steps(60), 60u);
  EXPECT_EQ(recorder.allocations_of_last_steps(1000), 100u);
}

}  // namespace
}  // namespace spellpool::measure
