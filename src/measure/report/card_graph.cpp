#include "measure/report/card_graph.hpp"

#include <algorithm>
#include <cmath>

#include "measure/record/number_text.hpp"
#include "measure/record/statistics.hpp"

namespace spellpool::measure {
namespace {

constexpr Colour kYellow = rgb(246, 204, 84);
constexpr Colour kPlotFill = rgb(6, 8, 18);

/// 1, 2 or 5 times a power of ten, at least value.
double round_up(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double digit : {1.0, 2.0, 5.0, 10.0}) {
    if (digit * power >= value * (1 - 1e-9)) return digit * power;
  }
  return 10.0 * power;
}

/// The longest of each column's steps.
std::vector<double> columns_of(std::span<const double> steps, std::size_t columns) {
  std::vector<double> longest(columns, 0.0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    double& column = longest[i * columns / steps.size()];
    column = std::max(column, steps[i]);
  }
  return longest;
}

/// Outline of the columns' tops, closed along the bottom.
void area_path(cairo_t* cairo, const Rect& plot, const TimeScale& scale, const std::vector<double>& columns) {
  const double width = plot.w / static_cast<double>(columns.size());
  cairo_move_to(cairo, plot.x, plot.bottom());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double y = plot.bottom() - plot.h * scale.height(columns[i]);
    cairo_line_to(cairo, plot.x + width * static_cast<double>(i), y);
    cairo_line_to(cairo, plot.x + width * static_cast<double>(i + 1), y);
  }
  cairo_line_to(cairo, plot.right(), plot.bottom());
  cairo_close_path(cairo);
}

void draw_budget_lines(Canvas& canvas, const Rect& plot, const TimeScale& scale) {
  const auto y_of = [&](double us) { return plot.bottom() - plot.h * scale.height(us); };
  const auto budget = [&](double us, std::string_view text, Colour colour, bool label_below) {
    const double y = y_of(us);
    const double dashes[] = {6, 4};
    cairo_set_dash(canvas.cairo(), dashes, 2, 0);
    canvas.line(plot.x, y, plot.right(), y, colour, 0.85, 1.2);
    cairo_set_dash(canvas.cairo(), nullptr, 0, 0);
    const double base = label_below || y - 17 < plot.y ? y + 13 : y - 4;
    if (base > plot.bottom() - 2) return;  // No room beneath: the other line's label tells the scale.
    const TextStyle style{11, colour};
    const double width = canvas.text_width(text, style);
    canvas.fill({plot.right() - width - 10, base - 11, width + 8, 14}, kPlotFill, 0.72);
    canvas.text(plot.right() - 6, base, text, style, Align::Right);
  };
  constexpr double k60 = 1e6 / 60.0, k30 = 1e6 / 30.0;
  const bool both = scale.top_us >= k30;
  // Close together, the lower line has its label beneath it.
  if (scale.top_us >= k60) budget(k60, "16.67 ms · 60 FPS", kGreen, both && y_of(k60) - y_of(k30) < 18);
  if (both) budget(k30, "33.3 ms · 30 FPS", kYellow, false);
}

}  // namespace

std::string round_time_text(double us, double unit_us) {
  const bool ms = unit_us >= 1000.0;
  const double value = ms ? us / 1000.0 : us;
  const auto is_whole = [](double number) {
    return std::abs(number - std::round(number)) < 1e-6 * std::max(1.0, number);
  };
  int decimals = 0;
  for (double rest = value; decimals < 3 && !is_whole(rest); rest *= 10) ++decimals;
  return grouped_text(value, decimals) + (ms ? " ms" : " µs");
}

double TimeScale::height(double us) const {
  const double share = std::clamp(us / top_us, 0.0, 1.0);
  return square_root ? std::sqrt(share) : share;
}

TimeSpread spread_of(std::span<const double> times_us) {
  TimeSpread spread;
  std::vector<double> sorted(times_us.begin(), times_us.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty()) return spread;
  spread.longest_us = sorted.back();
  spread.usual_us = percentile(sorted, 0.95);
  spread.typical_us = percentile(sorted, 0.5);
  return spread;
}

TimeScale choose_scale(const TimeSpread& spread) {
  TimeScale scale;
  const double usual = std::max(spread.usual_us, spread.typical_us);
  if (!(spread.longest_us > 0) || !std::isfinite(spread.longest_us)) return scale;
  const bool all_fit = !(usual > 0) || spread.longest_us <= 1.6 * usual;
  scale.top_us = all_fit ? spread.longest_us * 1.06 : usual * 1.25;
  // Where even the usual times differ widely.
  if (spread.typical_us > 0) scale.top_us = std::min(scale.top_us, 16.0 * spread.typical_us);
  scale.square_root = spread.typical_us > 0 && scale.top_us > 3.0 * spread.typical_us;
  return scale;
}

std::string time_text(double us) {
  if (!std::isfinite(us)) return "NA";
  if (us < 1'000) return grouped_text(us, us < 10 ? 2 : 1) + " µs";
  return grouped_text(us / 1'000, us < 100'000 ? 2 : 1) + " ms";
}

std::string beyond_text(std::span<const double> times_us, const TimeScale& scale, std::string_view unit) {
  const auto beyond = std::count_if(times_us.begin(), times_us.end(), [&](double us) { return us > scale.top_us; });
  if (beyond == 0) return "";
  const auto longest = std::max_element(times_us.begin(), times_us.end());
  const auto count = [](auto n) { return grouped_text(static_cast<double>(n), 0); };
  return "▲ " + count(beyond) + " of " + count(times_us.size()) + " " + std::string(unit) + "s " +
         (beyond == 1 ? "is beyond the scale: " : "are beyond the scale; the longest, ") + std::string(unit) + " " +
         count(longest - times_us.begin() + 1) + (beyond == 1 ? " took " : ", took ") + time_text(*longest);
}

void mark_beyond(Canvas& canvas, double x, double top, const Colour& colour) {
  cairo_t* cairo = canvas.cairo();
  cairo_move_to(cairo, x, top);
  cairo_line_to(cairo, x + 4, top + 6);
  cairo_line_to(cairo, x - 4, top + 6);
  cairo_close_path(cairo);
  cairo_set_source_rgb(cairo, colour.r, colour.g, colour.b);
  cairo_fill(cairo);
}

std::vector<double> ticks_of(const TimeScale& scale, double height_px, double least_gap_px) {
  std::vector<double> ticks{0.0};
  if (!scale.square_root) {
    const double step = round_up(scale.top_us * least_gap_px / height_px);
    for (double us = step; us <= scale.top_us; us += step) ticks.push_back(us);
    return ticks;
  }
  // From the top down, so that the long frames have their round number; each tick the next lower one with room.
  double below = 1.0 + least_gap_px / height_px;
  std::vector<double> falling;
  for (double power = round_up(scale.top_us) * 10; power > scale.top_us * 1e-6; power /= 10) {
    const double decade = std::pow(10.0, std::floor(std::log10(power) + 1e-9));
    for (const double digit : {5.0, 2.0, 1.0}) {
      const double us = digit * decade;
      if (us > scale.top_us) continue;
      const double h = scale.height(us);
      if (below - h < least_gap_px / height_px || h < least_gap_px / height_px) continue;
      falling.push_back(us);
      below = h;
    }
  }
  ticks.insert(ticks.end(), falling.rbegin(), falling.rend());
  return ticks;
}

void draw_graph(Canvas& canvas, const Rect& plot, const TimeScale& scale, std::span<const double> median_us,
                std::span<const double> max_us, const GraphLook& look) {
  cairo_t* cairo = canvas.cairo();
  canvas.fill(plot, kPlotFill, 0.6);
  for (const double us : ticks_of(scale, plot.h, 30)) {
    const double y = plot.bottom() - plot.h * scale.height(us);
    canvas.line(plot.x, y, plot.right(), y, kRule, us == 0 ? 0.5 : 0.16);
    canvas.text(plot.x - 8, y + 4, round_time_text(us, scale.top_us), {12, kMuted, 1.0, false}, Align::Right);
  }
  if (median_us.empty()) return;

  const auto columns = std::min(median_us.size(), static_cast<std::size_t>(plot.w / 2));
  const std::vector<double> middle = columns_of(median_us, columns), longest = columns_of(max_us, columns);
  cairo_save(cairo);
  cairo_rectangle(cairo, plot.x, plot.y, plot.w, plot.h);
  cairo_clip(cairo);
  area_path(cairo, plot, scale, longest);
  cairo_set_source_rgba(cairo, look.colour.r, look.colour.g, look.colour.b, 0.40);
  cairo_fill(cairo);
  cairo_save(cairo);
  area_path(cairo, plot, scale, middle);
  cairo_clip(cairo);
  cairo_pattern_t* fade = cairo_pattern_create_linear(0, plot.y, 0, plot.bottom());
  cairo_pattern_add_color_stop_rgba(fade, 0, look.colour.r, look.colour.g, look.colour.b, 0.80);
  cairo_pattern_add_color_stop_rgba(fade, 1, look.colour.r, look.colour.g, look.colour.b, 0.42);
  cairo_set_source(cairo, fade);
  cairo_paint(cairo);
  cairo_pattern_destroy(fade);
  canvas.pattern(plot, look.pattern, kPlotFill, 0.34);
  cairo_restore(cairo);

  const double width = plot.w / static_cast<double>(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    const double y = plot.bottom() - plot.h * scale.height(middle[i]);
    cairo_line_to(cairo, plot.x + width * static_cast<double>(i), y);
    cairo_line_to(cairo, plot.x + width * static_cast<double>(i + 1), y);
  }
  cairo_set_source_rgba(cairo, look.colour.r, look.colour.g, look.colour.b, 1);
  cairo_set_line_width(cairo, 1.3);
  cairo_stroke(cairo);
  cairo_restore(cairo);
  const auto most = static_cast<std::size_t>(std::max_element(longest.begin(), longest.end()) - longest.begin());
  for (std::size_t i = 0; i < columns; ++i) {
    if (longest[i] > scale.top_us)
      mark_beyond(canvas, plot.x + width * (static_cast<double>(i) + 0.5), plot.y - 7, look.colour);
  }
  draw_budget_lines(canvas, plot, scale);
  if (longest[most] <= scale.top_us) return;
  // How long the longest was, on the side of its mark where there is room.
  const TextStyle style{12, look.colour, 1, true};
  const std::string text = time_text(longest[most]);
  const double x = plot.x + width * (static_cast<double>(most) + 0.5), wide = canvas.text_width(text, style);
  const double left = x + 10 + wide <= plot.right() ? x + 8 : x - 8 - wide;
  canvas.fill({left - 2, plot.y + 2, wide + 4, 15}, kPlotFill, 0.8);
  canvas.text(left, plot.y + 14, text, style);
}

}  // namespace spellpool::measure
