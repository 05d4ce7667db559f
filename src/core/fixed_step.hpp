#pragma once
#include "core/types.hpp"

namespace spellpool {

/// Steps per second of the simulation, everywhere.
inline constexpr u32 kStepsPerSecond = 60;
inline constexpr float kStep_s = 1.0f / 60.0f;

/// Turns passing time into whole steps plus a rest, in integer nanoseconds. A step is 16,666,666 ns, so a step too many
/// comes every 116 hours; nothing else adds up.
/// A long stall (a breakpoint, a dragged window) is cut to max_steps: the game slows down, it never spirals.
class FixedStep {
 public:
  static constexpr i64 kStep_ns = 1'000'000'000 / kStepsPerSecond;

  explicit FixedStep(u32 max_steps = 4) : max_steps_(max_steps) {}

  /// Adds elapsed_ns × speed (1 = real time, 0.25 = slow motion) and returns how many steps are due, at most max_steps.
  u32 advance(i64 elapsed_ns, double speed = 1.0) {
    if (elapsed_ns < 0) elapsed_ns = 0;
    if (elapsed_ns > 1'000'000'000) elapsed_ns = 1'000'000'000;
    rest_ns_ += static_cast<i64>(static_cast<double>(elapsed_ns) * speed);
    u32 steps = 0;
    while (rest_ns_ >= kStep_ns && steps < max_steps_) {
      rest_ns_ -= kStep_ns;
      ++steps;
    }
    if (rest_ns_ >= kStep_ns) rest_ns_ = 0;
    return steps;
  }

  /// Where this image lies between the last step and the next, [0, 1).
  float alpha() const { return static_cast<float>(rest_ns_) / static_cast<float>(kStep_ns); }

 private:
  u32 max_steps_;
  i64 rest_ns_ = 0;
};

}  // namespace spellpool
