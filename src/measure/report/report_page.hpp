#pragma once
#include <string_view>

namespace spellpool::measure {

/// Style and script of report.html. No network, no library: two canvases and a few hundred lines.
extern const std::string_view kReportStyle, kReportScript;

}  // namespace spellpool::measure
