#include "measure/record/frame_recorder.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace spellpool::measure {
namespace {

/// What the kernel has counted for this thread so far, in the columns that are known if has_usage.
frame::FrameRecord thread_usage() {
  frame::FrameRecord usage;
#ifdef RUSAGE_THREAD
  rusage kernel{};
  if (getrusage(RUSAGE_THREAD, &kernel) == 0) {
    usage.minflt = static_cast<u32>(kernel.ru_minflt);
    usage.majflt = static_cast<u32>(kernel.ru_majflt);
    usage.nvcsw = static_cast<u32>(kernel.ru_nvcsw);
    usage.nivcsw = static_cast<u32>(kernel.ru_nivcsw);
    usage.has_usage = true;
  }
#endif
  return usage;
}

}  // namespace

FrameRecorder::FrameRecorder(ClockNs now, std::size_t history_frames)
    : now_(now), phases_(now), ring_(std::max<std::size_t>(history_frames, 1)), scratch_(ring_.size()) {
  clock_start_ns_ = begin_ns_ = now_();
}

void FrameRecorder::begin_frame() {
  begin_usage_ = thread_usage();
  begin_allocations_ = thread_allocations();
  phases_.begin_frame();
  begin_ns_ = now_();
}

const frame::FrameRecord& FrameRecorder::end_frame(frame::FrameRecord record) {
  phases_.leave();
  const u64 end_ns = now_();
  const AllocationCounts allocations = thread_allocations();
  const frame::FrameRecord usage = thread_usage();

  record.frame = next_frame_++;
  record.t_ns = end_ns - clock_start_ns_;
  record.frame_us = static_cast<float>(static_cast<double>(end_ns - begin_ns_) * 1e-3);
  record.phase_us = phases_.phase_us();
  record.new_calls = static_cast<u32>(allocations.new_calls - begin_allocations_.new_calls);
  record.delete_calls = static_cast<u32>(allocations.delete_calls - begin_allocations_.delete_calls);
  record.new_bytes = allocations.new_bytes - begin_allocations_.new_bytes;
  record.has_usage = usage.has_usage && begin_usage_.has_usage;
  for (const frame::RecordColumn& column : frame::kRecordColumns) {
    if (column.known != &frame::FrameRecord::has_usage || !record.has_usage) continue;
    record.*column.count = usage.*column.count - begin_usage_.*column.count;
  }

  const std::size_t place = (first_ + count_) % ring_.size();
  ring_[place] = record;
  if (count_ < ring_.size()) {
    ++count_;
  } else {
    first_ = (first_ + 1) % ring_.size();
  }
  own_allocations_ += thread_allocations().new_calls - allocations.new_calls;
  return ring_[place];
}

const frame::FrameFigures& FrameRecorder::figures(std::size_t last_n) {
  constexpr u64 kRefreshFrames = 15;
  const u64 own_before = thread_allocations().new_calls;
  if (last_n != figures_range_ || next_frame_ - figures_at_frame_ >= kRefreshFrames || figures_.frames == 0) {
    figures_range_ = last_n;
    figures_at_frame_ = next_frame_;
    const frame::FrameHistory recent = history();
    scratch_.clear();
    for (std::size_t i = count_ - std::min(last_n, count_); i < count_; ++i) scratch_.add(recent.at(i));
    figures_ = scratch_.figures();
  }
  own_allocations_ += thread_allocations().new_calls - own_before;
  return figures_;
}

double FrameRecorder::fps() const {
  constexpr u64 kWindowNs = 500'000'000;
  if (count_ < 2) return 0.0;
  const frame::FrameHistory recent = history();
  const u64 last_ns = recent.at(count_ - 1).t_ns;
  std::size_t i = count_ - 1;
  while (i > 0 && last_ns - recent.at(i - 1).t_ns <= kWindowNs) --i;
  // One frame longer than half a second is a window of its own.
  if (i == count_ - 1) --i;
  const u64 span_ns = last_ns - recent.at(i).t_ns;
  return span_ns > 0 ? static_cast<double>(count_ - 1 - i) * 1e9 / static_cast<double>(span_ns) : 0.0;
}

u64 FrameRecorder::allocations_of_last_steps(u64 n) const {
  if (count_ == 0) return 0;
  const frame::FrameHistory recent = history();
  const u64 last_step = recent.at(count_ - 1).step;
  u64 calls = 0;
  for (std::size_t i = count_; i-- > 0 && last_step - recent.at(i).step < n;) calls += recent.at(i).new_calls;
  return calls;
}

}  // namespace spellpool::measure
