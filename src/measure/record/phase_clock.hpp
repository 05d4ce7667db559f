#pragma once
#include <chrono>

#include "frame/phase.hpp"

namespace spellpool::measure {

/// A clock in nanoseconds that never runs backwards; tests give their own.
using ClockNs = u64 (*)();

inline u64 steady_now_ns() {
  return static_cast<u64>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

/// Adds up how long each phase of a frame takes. A phase may be entered many times; its times add up.
/// Time before the first enter() and after leave() belongs to no phase, so the sum is at most the frame time.
/// Cost  one clock read per call (about 25 ns), no allocation.   Threads  one.
class PhaseClock final : public frame::PhaseSink {
 public:
  explicit PhaseClock(ClockNs now = steady_now_ns) : now_(now) {}

  /// Forgets the last frame's times.
  void begin_frame() {
    spent_ns_.fill(0);
    running_ = false;
  }

  /// Passes phases and slots on to this sink, until the next call; null: to none.
  void report_to(frame::PhaseSink* more) { more_ = more; }
  bool wants_slots() const override { return more_ != nullptr && more_->wants_slots(); }
  void slot(bool acquired, u32 slot) override {
    if (more_ != nullptr) more_->slot(acquired, slot);
  }

  void enter(frame::Phase phase) override {
    if (more_ != nullptr) more_->enter(phase);
    const u64 now = now_();
    close(now);
    current_ = phase;
    since_ns_ = now;
    running_ = true;
  }

  /// Ends the running phase without beginning another: before a wait that is no work, and at the frame's end.
  void leave() override {
    if (more_ != nullptr) more_->leave();
    if (running_) close(now_());
    running_ = false;
  }

  std::array<float, frame::kPhaseCount> phase_us() const {
    std::array<float, frame::kPhaseCount> us{};
    for (std::size_t i = 0; i < us.size(); ++i) us[i] = static_cast<float>(static_cast<double>(spent_ns_[i]) * 1e-3);
    return us;
  }

 private:
  void close(u64 now) {
    if (running_) spent_ns_[static_cast<std::size_t>(current_)] += now - since_ns_;
  }

  ClockNs now_;
  frame::PhaseSink* more_ = nullptr;
  std::array<u64, frame::kPhaseCount> spent_ns_{};
  u64 since_ns_ = 0;
  frame::Phase current_{};
  bool running_ = false;
};

}  // namespace spellpool::measure
