#pragma once
#include <array>

#include "frame/phase.hpp"

namespace spellpool::frame {

/// All that is known of one frame: what the live graph draws, what the recorder keeps, what frames.csv has as a row.
/// Plain bytes, 160 or fewer, so that a ring of them is cheap.
struct FrameRecord {
  u64 frame = 0;
  u64 step = 0;
  u64 t_ns = 0;                              ///< Since the recording clock's start, at the end of this frame. A CSV counts from the program's start.
  u64 hash = 0;                              ///< World hash, if has_hash.
  u64 new_bytes = 0;
  u64 seed = 0;
  float frame_us = 0;
  std::array<float, kPhaseCount> phase_us{};
  u32 live = 0, spawned = 0, despawned = 0, rejected = 0, stolen = 0;
  u32 new_calls = 0, delete_calls = 0;       ///< Of the whole frame, on this thread.
  u32 minflt = 0, majflt = 0, nvcsw = 0, nivcsw = 0;
  u8 strategy = 0;                           ///< pool::StrategyId of the particles.
  bool switched = false;                     ///< A strategy, policy or capacity changed in this frame.
  bool has_hash = false;
  bool has_usage = false;                    ///< minflt … nivcsw are known.
};

/// Figures over a range of frames; each is computed by measure/, with the formula in measure/record/statistics.hpp.
struct FrameFigures {
  u64 frames = 0;
  double median_us = 0, p95_us = 0, p99_us = 0, p999_us = 0;
  double average_fps = 0;         ///< n / Σt.
  double low_1_percent_fps = 0;   ///< 1 / mean of the frames at or above p99.
  double allocations_per_frame = 0;
  u64 spikes = 0;                 ///< t > max(2 × rolling median, median + 6·MAD).
};

}  // namespace spellpool::frame
