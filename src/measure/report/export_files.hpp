#pragma once
// A comparison in the formats of other tools.
//
//   *_mangohud.csv   read by mangoplot, FlightlessMango, CapFrameX       one for each arm
//   *_capframex.csv  read by CapFrameX                                   one for each arm
//   trace.json       ui.perfetto.dev, Tracy's importer, speedscope       a window of frames of each arm, and around every spike
//   gbench_a.json, gbench_b.json   Google Benchmark's compare.py benchmarks
//   gbench.json      both, for compare.py filters gbench.json A B
//
// Frames of the control and of blocks that were cut off are in none of them.
#include <string>

#include "measure/experiment/comparison.hpp"

namespace spellpool::measure {

std::string mangohud_csv(const Comparison& comparison, std::size_t arm);
std::string capframex_csv(const Comparison& comparison, std::size_t arm);
inline constexpr std::size_t kTraceFrames = 2'000;
/// Each arm's frames end to end from 0 on. Every spike that the report lists is among them with its three neighbours
/// to each side, under the name that trace_name_of() gives it.
std::string trace_json(const Comparison& comparison);
/// How long a frame is there, to the nanosecond: what is nested stays nested.
i64 trace_ns(const frame::FrameRecord& record);
/// arm 0 A, 1 B: one name for both. 2: both, by their arm's name.
std::string gbench_json(const Comparison& comparison, std::size_t arm);

}  // namespace spellpool::measure
