#pragma once
#include <vector>

#include "frame/views/timeline_view.hpp"
#include "measure/record/allocation_counter.hpp"
#include "measure/record/phase_clock.hpp"

namespace spellpool::measure {

/// Records one frame: each new and delete of this thread, each slot of the particles' pool that is acquired or
/// released, and when each phase began.
///
///   timeline.begin();
///   clock.report_to(&timeline); report_allocations_to(&timeline);   // … the frame …
///   report_allocations_to(nullptr); clock.report_to(nullptr);
///   timeline.end();                                                 // sorts and pairs; then view()
///
/// Cost     A clock read and a store for each event, some 30 ns: view().recorder_ns tells it. Nothing where no frame
///          is recorded.
/// Memory   About 4 MiB, taken by the constructor. What has no room is counted.
/// Threads  one.
class Timeline final : public frame::PhaseSink, public AllocationSink {
 public:
  static constexpr std::size_t kMostEvents = 65'536, kMostMarks = 64;

  explicit Timeline(ClockNs now = steady_now_ns);

  void begin();
  void end();

  void enter(frame::Phase phase) override;
  void leave() override {}
  bool wants_slots() const override { return true; }
  void slot(bool acquired, u32 slot) override { note(acquired ? What::Acquire : What::Release, slot, 0); }
  void allocated(u64 address, std::size_t size_bytes) override {
    note(What::New, address, static_cast<u32>(size_bytes));
  }
  void freed(u64 address) override { note(What::Delete, address, 0); }

  /// Of the last frame; empty before the first. Title and colour are the caller's.
  const frame::TimelineRow& view() const { return view_; }

 private:
  enum class What : u8 { New, Delete, Acquire, Release };
  struct Event {
    u64 place;  ///< Address, or slot.
    u32 at_ns, size_bytes;
    What what;
  };

  void note(What what, u64 place, u32 size_bytes) {
    if (events_.size() == kMostEvents) {
      ++left_out_;
      return;
    }
    events_.push_back({place, since_begin(), size_bytes, what});
  }
  u32 since_begin() const { return static_cast<u32>(now_() - begin_ns_); }
  /// Blocks of the events [first, last), which are sorted by place and time: a row for each place. Returns their
  /// number.
  u32 pair(std::size_t first, std::size_t last, std::vector<frame::TimelineBlock>& blocks) const;

  ClockNs now_;
  u64 begin_ns_ = 0;
  static constexpr u32 kTried = 512;
  u64 left_out_ = 0, tried_ns_ = 0;
  u32 length_ns_ = 0;
  std::vector<Event> events_;
  std::vector<frame::TimelineBlock> memory_, slots_;
  std::vector<frame::TimelineMark> marks_;
  frame::TimelineRow view_;
};

}  // namespace spellpool::measure
