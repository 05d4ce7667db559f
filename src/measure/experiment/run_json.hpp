#pragma once
#include <string>

#include "measure/experiment/comparison.hpp"

namespace spellpool::measure {

/// Names of the files beside run.json; "" for one that was not written.
struct RunFiles {
  std::string frames;
  std::string card;
};

/// run.json: plan, environment, blocks, arms, quad effects, ratio, definitions. What is not known is null, never 0.
/// For unequal work it holds the reason and no figure.
std::string run_json(const Comparison& comparison, const RunFiles& files);

/// "done", "interrupted", "unequal_work", "failed".
std::string_view state_name(ComparisonState state);

}  // namespace spellpool::measure
