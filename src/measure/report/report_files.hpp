#pragma once
#include <string>
#include <vector>

#include "measure/report/report.hpp"

namespace spellpool::measure {

/// Writes report.html, report.md, summary.svg and the card of 1200×630 (share.png) into a folder, all with
/// the same free number. A comparison adds the files for other tools: *_mangohud.csv, *_capframex.csv,
/// trace.json, gbench*.json. A file that cannot be written adds a line to `errors`; the others are still
/// written. Returns the paths of the written files, the page first.
std::vector<std::string> write_report(const Report& report, const Comparison* comparison, const std::string& folder,
                                      std::vector<std::string>& errors);

}  // namespace spellpool::measure
