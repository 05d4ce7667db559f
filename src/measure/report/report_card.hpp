#pragma once
#include <string>

#include "measure/report/report.hpp"

namespace spellpool::measure {

struct TimeScale;

inline constexpr int kShareCardWidth = 1200;
inline constexpr int kShareCardHeight = 630;

/// The scale of the card's graph: that of the slower arm.
TimeScale share_scale(const Report& report);
/// The report as a picture of the size that links are shown with: the headline, the verdict, the badge, both
/// frame-time curves, the figures that count. Returns "" or the error. Never writes over a file.
std::string draw_share_card(const Report& report, const std::string& path);

}  // namespace spellpool::measure
