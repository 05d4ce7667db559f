#pragma once
// Which frames were spikes, and why, in words. The rule is that of FrameFigures::spikes: a time above both twice the
// rolling median of the up to 60 frames before it and the median of all by six median absolute deviations.
//
// Cost    a pass over the history with a sorted window, about 60 µs for 1,200 frames; two partial sorts for the
// medians.
#include <vector>

#include "frame/views/panel_model.hpp"
#include "ui/kit/pen.hpp"

namespace spellpool::ui {

struct SpikeSearch {
  std::vector<u8> spike;  ///< One per frame of the history, oldest first.
  std::vector<float> scratch;
  float median_us = 0;  ///< Of all; 0 for none.

  /// Allocates only when the history's ring is larger than any before.
  void run(const frame::FrameHistory& history);
};

/// "38.2 ms, 2.4× the median. Render took 31.0 of it. …" `toggled`: the strategy changed in it; `spike`: it is one.
Line<640> why_words(const frame::FrameRecord& record, float median_us, bool spike, bool toggled);

}  // namespace spellpool::ui
