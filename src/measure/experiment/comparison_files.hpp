#pragma once
#include <string>

#include "measure/experiment/comparison.hpp"

namespace spellpool::measure {

/// Paths of what was written; "" for a file that was not.
struct ComparisonFiles {
  std::string run, frames, card;
};

/// Summarises the comparison and writes frames.csv, card.png and last run.json, which names those that are there and
/// tells how it all ended. If one of the three names is taken, all three get the same number: run-2.json. Nothing is
/// overwritten. Without frames there is no table, without a whole block of each arm no card, and after unequal work
/// neither. On an error the state becomes Failed and message tells it; what was written before it stays.
/// Allocates; some 100 ms, most of it the card.   Threads  any, one at a time.
ComparisonFiles write_comparison(Comparison& comparison, const std::string& out_dir);
/// The same with this suffix of the names, which is the comparison's own: what lies there of it is replaced, each
/// file in one rename.
ComparisonFiles write_comparison(Comparison& comparison, const std::string& out_dir, const std::string& suffix);

}  // namespace spellpool::measure
