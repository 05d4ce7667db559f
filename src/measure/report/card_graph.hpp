#pragma once
#include <span>
#include <string>
#include <vector>

#include "measure/report/card_canvas.hpp"

namespace spellpool::measure {

/// Colours of the card and of its graphs.
inline constexpr Colour kMuted = rgb(172, 180, 204), kRule = rgb(148, 160, 214), kGreen = rgb(94, 212, 143);

/// From frame time to height: linear, or by square root when a few long frames would flatten the rest.
struct TimeScale {
  double top_us = 1;
  bool square_root = false;
  /// 0 at the bottom, 1 at the top.
  double height(double us) const;
};
/// A scale that is readable at typical_us and, up to 16 times of it, holds longest_us. Frames beyond are marked at the
/// top.
TimeScale choose_scale(double longest_us, double typical_us);
/// Duration in µs, or in ms if unit_us is 1000 or more, with as many decimals as a round value needs: "0.5 ms".
std::string round_time_text(double us, double unit_us);
/// Round values from 0 up, at least least_gap apart on a plot that is height_px high.
std::vector<double> ticks_of(const TimeScale& scale, double height_px, double least_gap_px);

struct GraphLook {
  Colour colour;
  Pattern pattern = Pattern::Diagonal;
};

/// One frame-time graph: an area up to the middle of an arm's blocks at each step, a pale one up to the slowest block.
/// Columns of several steps show the longest; one that leaves the scale has a small triangle at the top. Lines at 16.67
/// and 33.3 ms where the scale reaches them.
void draw_graph(Canvas& canvas, const Rect& plot, const TimeScale& scale, std::span<const double> median_us,
                std::span<const double> max_us, const GraphLook& look);

}  // namespace spellpool::measure
