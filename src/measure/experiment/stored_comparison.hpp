#pragma once
#include <string>

#include "measure/experiment/comparison.hpp"

namespace spellpool::measure {

/// A comparison read back from its folder: run.json with frames.csv, or, where it was killed, with what blocks holds.
/// Of several in one folder the newest, or the one whose run.json is named. Summarised. "" or the error.
std::string read_comparison(const std::string& path, Comparison& comparison);

/// What run.json alone contains. Reading it takes about a millisecond.
struct StoredRun {
  /// Without blocks. Effects and sentences are as stored. Of the arms' figures it has only those of frames.
  Comparison comparison;
  std::string path;           ///< Of run.json.
  std::string frames, card;   ///< Paths of the other two; "" where there is none.
};
/// Of a folder the newest one. "" or the error.
std::string read_run(const std::string& path, StoredRun& run);

}  // namespace spellpool::measure
