#pragma once
#include <string>

#include "measure/comparison.hpp"

namespace spellpool::measure {

/// A comparison read back from its folder: run.json with frames.csv, or, where it was killed, with what blocks holds. Of several in one
/// folder the newest, or the one whose run.json is named. Summarised. "" or the error.
std::string read_comparison(const std::string& path, Comparison& comparison);

}  // namespace spellpool::measure
