#pragma once
#include <span>
#include <string>
#include <string_view>
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
/// How long the times of a graph are.
struct TimeSpread {
  double longest_us = 0;
  double usual_us = 0;    ///< 95 % are at most as long.
  double typical_us = 0;  ///< The median.
};
TimeSpread spread_of(std::span<const double> times_us);
/// A scale that the usual times fill. A few longer ones do not stretch it: they are marked at the top and told in
/// words, beyond_text().
TimeScale choose_scale(const TimeSpread& spread);
/// "▲ 9 of 200 steps are beyond the scale; the longest, step 48, took 12.14 ms"; "" if none is. `unit`: "step",
/// "frame".
std::string beyond_text(std::span<const double> times_us, const TimeScale& scale, std::string_view unit);
/// With three digits or more: "6.3 µs", "12.14 ms"; "NA" for what is not known.
std::string time_text(double us);
/// The mark of a time that is beyond the scale: a triangle whose point is at x, top.
void mark_beyond(Canvas& canvas, double x, double top, const Colour& colour);
/// Duration in µs, or in ms if unit_us is 1000 or more, with as many decimals as a round value needs: "0.5 ms".
std::string round_time_text(double us, double unit_us);
/// Round values from 0 up, at least least_gap apart on a plot that is height_px high.
std::vector<double> ticks_of(const TimeScale& scale, double height_px, double least_gap_px);

struct GraphLook {
  Colour colour;
  Pattern pattern = Pattern::Diagonal;
};

/// One frame-time graph: an area up to the middle of an arm's blocks at each step, a pale one up to the slowest
/// block. Columns of several steps show the longest; one that leaves the scale has a small triangle at the top, and
/// the longest of all its time beside it. Lines at 16.67 and 33.3 ms where the scale reaches them.
void draw_graph(Canvas& canvas, const Rect& plot, const TimeScale& scale, std::span<const double> median_us,
                std::span<const double> max_us, const GraphLook& look);

}  // namespace spellpool::measure
