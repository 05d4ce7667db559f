#pragma once
#include "core/types.hpp"

namespace spellpool::pool {

/// Proposes a capacity from what a pool has held: its peak with an eighth on top, in two leading digits, so that one
/// can say it. The average tells whether the peak was an exception: a pool that is usually a tenth full may rather
/// steal than be large.
/// Note one figure a step. Cost O(1), 24 bytes.
class CapacityAdviser {
 public:
  void note(u32 live) {
    if (live > peak_) peak_ = live;
    average_ =
        steps_ == 0 ? static_cast<float>(live) : average_ + (static_cast<float>(live) - average_) / kWindow_steps;
    ++steps_;
  }
  /// Forgets; for a new level or another load.
  void reset() { *this = CapacityAdviser{}; }

  bool knows() const { return steps_ >= static_cast<u64>(kWindow_steps); }
  u32 peak() const { return peak_; }
  float average() const { return average_; }  ///< Moving, over about kWindow_steps.
  u32 proposal() const {
    const u64 wanted = u64{peak_} + peak_ / 8 + 1;
    u64 unit = 1;
    while (wanted / unit >= 100) unit *= 10;
    return static_cast<u32>((wanted + unit - 1) / unit * unit);
  }

  static constexpr float kWindow_steps = 600.0f;

 private:
  u32 peak_ = 0;
  float average_ = 0;
  u64 steps_ = 0;
};

}  // namespace spellpool::pool
