#pragma once
#include <array>
#include <string_view>

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
static_assert(sizeof(FrameRecord) <= 160);

/// A column of frames.csv: one member of a FrameRecord. The file's writer and reader, the trace and the report's
/// line about a spike are made from the rows.
struct RecordColumn {
  std::string_view name;
  // Exactly one of these:
  u64 FrameRecord::*total = nullptr;
  u32 FrameRecord::*count = nullptr;
  float FrameRecord::*time_us = nullptr;
  std::size_t phase = kPhaseCount;        ///< Place in phase_us.

  bool FrameRecord::*known = nullptr;     ///< NA where this is false; null: known in every frame.
  bool hex = false;                       ///< A total, as 16 hex digits.
  bool traced = false;                    ///< An argument of the frame in trace.json.
  const char* before = nullptr;           ///< Words around it in the report; null: it is not there.
  const char* after = "";

  constexpr bool is_known(const FrameRecord& record) const { return known == nullptr || record.*known; }
  constexpr bool is_time() const { return total == nullptr && count == nullptr; }
  constexpr u64 whole(const FrameRecord& record) const { return total != nullptr ? record.*total : record.*count; }
  constexpr auto& us(auto& record) const { return time_us != nullptr ? record.*time_us : record.phase_us[phase]; }
  constexpr void clear(FrameRecord& record) const {
    if (total != nullptr) record.*total = 0;
    else if (count != nullptr) record.*count = 0;
    else us(record) = 0;
  }
};

/// In the order of the file, after its columns of place and strategy.
inline constexpr std::array kRecordColumns = {
    RecordColumn{.name = "seed", .total = &FrameRecord::seed},
    RecordColumn{.name = "frame", .total = &FrameRecord::frame, .traced = true},
    RecordColumn{.name = "step", .total = &FrameRecord::step, .traced = true},
    RecordColumn{.name = "t_ns", .total = &FrameRecord::t_ns},
    RecordColumn{.name = "frame_us", .time_us = &FrameRecord::frame_us},
    RecordColumn{.name = "spawn_us", .phase = 0},
    RecordColumn{.name = "update_us", .phase = 1},
    RecordColumn{.name = "collide_us", .phase = 2},
    RecordColumn{.name = "despawn_us", .phase = 3},
    RecordColumn{.name = "render_us", .phase = 4},
    RecordColumn{.name = "ui_us", .phase = 5},
    RecordColumn{.name = "swap_us", .phase = 6},
    RecordColumn{.name = "live", .count = &FrameRecord::live},
    RecordColumn{.name = "spawned", .count = &FrameRecord::spawned},
    RecordColumn{.name = "despawned", .count = &FrameRecord::despawned},
    RecordColumn{.name = "rejected", .count = &FrameRecord::rejected},
    RecordColumn{.name = "stolen", .count = &FrameRecord::stolen},
    RecordColumn{.name = "new_calls", .count = &FrameRecord::new_calls, .traced = true, .before = "; ",
                 .after = " new"},
    RecordColumn{.name = "delete_calls", .count = &FrameRecord::delete_calls, .traced = true, .before = ", ",
                 .after = " delete"},
    RecordColumn{.name = "new_bytes", .total = &FrameRecord::new_bytes, .traced = true},
    RecordColumn{.name = "minflt", .count = &FrameRecord::minflt, .known = &FrameRecord::has_usage, .traced = true,
                 .before = "; ", .after = " minor"},
    RecordColumn{.name = "majflt", .count = &FrameRecord::majflt, .known = &FrameRecord::has_usage, .traced = true,
                 .before = " and ", .after = " major faults"},
    RecordColumn{.name = "nvcsw", .count = &FrameRecord::nvcsw, .known = &FrameRecord::has_usage, .traced = true,
                 .before = "; switched out ", .after = " times by itself"},
    RecordColumn{.name = "nivcsw", .count = &FrameRecord::nivcsw, .known = &FrameRecord::has_usage, .traced = true,
                 .before = ", ", .after = " by others"},
    RecordColumn{.name = "hash", .total = &FrameRecord::hash, .known = &FrameRecord::has_hash, .hex = true},
};

/// Time of the simulation alone: spawn, update, collide and despawn.
inline double simulation_us(const FrameRecord& record) {
  double sum = 0;
  for (const Phase phase : {Phase::Spawn, Phase::Update, Phase::Collide, Phase::Despawn}) {
    sum += static_cast<double>(record.phase_us[static_cast<std::size_t>(phase)]);
  }
  return sum;
}

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
