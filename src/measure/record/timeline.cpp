#include "measure/record/timeline.hpp"

#include <algorithm>
#include <tuple>

namespace spellpool::measure {

Timeline::Timeline(ClockNs now) : now_(now) {
  events_.reserve(kMostEvents);
  memory_.reserve(kMostEvents);
  slots_.reserve(kMostEvents);
  marks_.reserve(kMostMarks);
}

void Timeline::begin() {
  // What one event costs: some that are then forgotten.
  events_.clear();
  const u64 from_ns = begin_ns_ = now_();
  for (u32 i = 0; i < kTried; ++i) note(What::Acquire, i, 0);
  tried_ns_ = now_() - from_ns;
  events_.clear();
  marks_.clear();
  left_out_ = 0;
  begin_ns_ = now_();
}

void Timeline::enter(frame::Phase phase) {
  if (marks_.size() < kMostMarks) marks_.push_back({since_begin(), phase});
}

u32 Timeline::pair(std::size_t first, std::size_t last, std::vector<frame::TimelineBlock>& blocks) const {
  blocks.clear();
  u32 rows = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Event& event = events_[i];
    if (i == first || event.place != events_[i - 1].place) ++rows;
    const u32 row = rows - 1;
    const bool comes = event.what == What::New || event.what == What::Acquire;
    const bool open = i > first && events_[i - 1].place == event.place && !blocks.back().ended;
    if (open) {  // a slot that comes again before it was released was stolen
      blocks.back().to_ns = event.at_ns;
      blocks.back().ended = true;
    }
    if (comes) {
      blocks.push_back({event.at_ns, length_ns_, row, event.size_bytes, true, false});
    } else if (!open) {
      blocks.push_back({0, event.at_ns, row, 0, false, true});
    }
  }
  return rows;
}

void Timeline::end() {
  length_ns_ = since_begin();
  const std::size_t count = events_.size();
  const auto is_slot = [](const Event& event) { return event.what == What::Acquire || event.what == What::Release; };
  view_ = {};
  for (const Event& event : events_) {
    view_.new_calls += event.what == What::New;
    view_.delete_calls += event.what == What::Delete;
    view_.acquired += event.what == What::Acquire;
    view_.released += event.what == What::Release;
  }
  std::sort(events_.begin(), events_.end(), [&](const Event& a, const Event& b) {
    return std::tuple(is_slot(a), a.place, a.at_ns, a.what == What::New || a.what == What::Acquire) <
           std::tuple(is_slot(b), b.place, b.at_ns, b.what == What::New || b.what == What::Acquire);
  });
  const auto memory_end = static_cast<std::size_t>(
      std::partition_point(events_.begin(), events_.end(), [&](const Event& e) { return !is_slot(e); }) -
      events_.begin());
  view_.memory_rows = pair(0, memory_end, memory_);
  view_.slot_rows = pair(memory_end, count, slots_);
  view_.memory = memory_;
  view_.slots = slots_;
  view_.phases = marks_;
  view_.length_ns = length_ns_;
  view_.left_out = left_out_;
  view_.events = static_cast<u32>(count);
  view_.recorder_ns = static_cast<u32>(tried_ns_ * count / kTried);
}

}  // namespace spellpool::measure
