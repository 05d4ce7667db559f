#include "measure/report/report_card.hpp"

#include <algorithm>
#include <cmath>

#include "measure/record/number_text.hpp"
#include "measure/report/card_graph.hpp"

namespace spellpool::measure {
namespace {

constexpr Colour kReportInk = rgb(10, 12, 22), kReportText = rgb(236, 238, 245), kReportMuted = rgb(165, 172, 191),
                 kReportRule = rgb(150, 160, 190);
constexpr std::array<Colour, 2> kArms = {rgb(230, 159, 0), rgb(86, 180, 233)};
constexpr double kMargin = 48;

/// y is the first base line. Returns the base line after the last; lines after most_lines are left out.
double paragraph(Canvas& canvas, double y, const std::string& text, const TextStyle& style, double step,
                 std::size_t most_lines) {
  const double room = kShareCardWidth - 2 * kMargin;
  std::vector<std::string> lines = canvas.wrapped(text, style, room);
  lines.resize(std::min(lines.size(), most_lines));
  for (const std::string& line : lines) {
    canvas.text(kMargin, y, line, style, Align::Left, room);
    y += step;
  }
  return y;
}

/// Frames as columns: filled up to the median of each, pale up to the longest, a mark where that is beyond the scale.
void curve(Canvas& canvas, const Rect& box, const ReportArm& arm, const TimeScale& scale, const Colour& colour,
           bool dashed) {
  const std::size_t n = arm.frame_us.size();
  const auto columns = static_cast<std::size_t>(std::min(box.w, static_cast<double>(n)));
  if (columns == 0) return;
  const auto y = [&](double us) { return box.bottom() - box.h * scale.height(us); };
  cairo_t* cairo = canvas.cairo();
  const double width = box.w / static_cast<double>(columns);
  std::vector<double> middle(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t first = c * n / columns, last = std::max((c + 1) * n / columns, first + 1);
    std::vector<double> part(arm.frame_us.begin() + static_cast<std::ptrdiff_t>(first),
                             arm.frame_us.begin() + static_cast<std::ptrdiff_t>(last));
    const double most = *std::max_element(part.begin(), part.end());
    middle[c] = median_in_place(part);
    const double x = box.x + width * static_cast<double>(c);
    canvas.fill({x, y(most), std::max(1.0, width), std::max(1.0, y(middle[c]) - y(most))}, colour, 0.35);
    canvas.fill({x, y(middle[c]), width, box.bottom() - y(middle[c])}, colour, 0.16);
    if (most > scale.top_us) mark_beyond(canvas, x + width / 2, box.y - 7, colour);
  }
  for (std::size_t c = 0; c < columns; ++c) {
    const double x = box.x + width * (static_cast<double>(c) + 0.5);
    c == 0 ? cairo_move_to(cairo, x, y(middle[c])) : cairo_line_to(cairo, x, y(middle[c]));
  }
  const double dashes[] = {8, 3};
  cairo_set_dash(cairo, dashes, dashed ? 2 : 0, 0);
  cairo_set_source_rgba(cairo, colour.r, colour.g, colour.b, 1);
  cairo_set_line_width(cairo, 2);
  cairo_stroke(cairo);
  cairo_set_dash(cairo, dashes, 0, 0);
}

}  // namespace

TimeScale share_scale(const Report& r) {
  TimeSpread spread;
  for (std::size_t i = 0; i < std::min<std::size_t>(r.arms.size(), 2); ++i) {
    const TimeSpread arm = spread_of(r.arms[i].frame_us);
    spread.longest_us = std::max(spread.longest_us, arm.longest_us);
    spread.usual_us = std::max(spread.usual_us, arm.usual_us);
    spread.typical_us = std::max(spread.typical_us, arm.typical_us);
  }
  return choose_scale(spread);
}

std::string draw_share_card(const Report& r, const std::string& path) {
  Canvas canvas(kShareCardWidth, kShareCardHeight, 1.0);
  canvas.fill({0, 0, kShareCardWidth, kShareCardHeight}, kReportInk);
  canvas.fill({0, 0, kShareCardWidth, 6}, kArms[1]);
  canvas.text(kMargin, 52, "Spellpool · " + r.title, {20, kReportMuted}, Align::Left, kShareCardWidth - 2 * kMargin);
  const bool has_headline = !r.headline.empty();
  const std::string& headline = has_headline ? r.headline : r.verdict;
  // Two lines of the large size hold less than twice the room: words do not break.
  const bool is_long = canvas.text_width(headline, {34, kReportText, 1, true}) > 1.9 * (kShareCardWidth - 2 * kMargin);
  double y = paragraph(canvas, 102, headline, {is_long ? 27.0 : 34.0, kReportText, 1, true}, is_long ? 34 : 42,
                       is_long ? 3 : 2);
  if (has_headline) y = paragraph(canvas, y - 8, r.verdict, {16, kReportMuted}, 22, 2) + 6;
  const TextStyle badge{18, r.badge == "verdict" ? rgb(95, 211, 172) : rgb(255, 170, 120), 1, true};
  const double badge_width = canvas.text(kMargin, y + 2, r.badge, badge);
  canvas.text(kMargin + badge_width + 14, y + 2, r.badge_told, {16, kReportMuted}, Align::Left,
              kShareCardWidth - 2 * kMargin - badge_width - 14);
  y += 30;
  const std::size_t arms = std::min<std::size_t>(r.arms.size(), 2);
  const Rect box{kMargin + 70, y, 640, kShareCardHeight - y - 112};
  const TimeScale scale = share_scale(r);
  if (arms > 0) {
    canvas.fill(box, rgb(20, 24, 38));
    for (const double us : ticks_of(scale, box.h, 36)) {
      const double at = box.bottom() - box.h * scale.height(us);
      canvas.line(box.x, at, box.right(), at, kReportRule, us == 0 ? 0.5 : 0.18);
      canvas.text(box.x - 8, at + 5, round_time_text(us, scale.top_us), {14, kReportMuted}, Align::Right);
    }
    double told_y = box.bottom() + 20;
    canvas.text(
        box.x, told_y,
        std::string("time of each frame, in order; lower is better") + (scale.square_root ? "; square-root scale" : ""),
        {14, kReportMuted}, Align::Left, box.w);
    for (std::size_t i = 0; i < arms; ++i) {
      curve(canvas, box, r.arms[i], scale, kArms[i], i == 0);
      const std::string beyond = beyond_text(r.arms[i].frame_us, scale, "frame");
      if (!beyond.empty()) canvas.text(box.x, told_y += 19, beyond, {14, kArms[i]}, Align::Left, box.w + 300);
    }
  }
  double fy = y + 18;
  for (std::size_t i = 0; i < arms; ++i) {
    const ReportArm& arm = r.arms[i];
    const double x = box.right() + 32;
    canvas.fill({x, fy - 17, 24, 24}, kArms[i]);
    canvas.text(x + 12, fy + 1, std::string(1, arm.letter), {17, kReportInk, 1, true}, Align::Centre);
    canvas.text(x + 34, fy, arm.name, {20, kReportText, 1, true}, Align::Left, kShareCardWidth - kMargin - x - 34);
    const auto row = [&](const char* name, const std::string& value) {
      fy += 27;
      canvas.text(x, fy, name, {17, kReportMuted});
      canvas.text(kShareCardWidth - kMargin, fy, value, {17, kReportText}, Align::Right);
    };
    row("median", time_text(arm.figures.frame.median_us));
    row("p99", time_text(arm.figures.frame.p99_us));
    const double low = arm.figures.frame.low_1_percent_fps;
    row("1 % low, average", std::isfinite(low) ? grouped_text(low, low < 1000 ? 1 : 0) + " FPS" : "NA");
    row("new calls a frame", arm.has_counters ? grouped_text(arm.figures.frame.allocations_per_frame, 1) : "NA");
    fy += 44;
  }
  if (arms == 0 && !r.forest.empty()) {
    double by = y + 10;
    for (std::size_t i = 0; i < std::min<std::size_t>(r.forest.size(), 12); ++i) {
      canvas.text(kMargin, by, r.forest[i].label, {16, kReportMuted}, Align::Left, 760);
      canvas.text(kShareCardWidth - kMargin, by,
                  (std::isfinite(r.forest[i].point) ? fixed_text(r.forest[i].point, 3) : std::string("NA")) + "  " +
                      r.forest[i].outcome,
                  {16, kReportText}, Align::Right, 330);
      by += 26;
    }
  }
  std::string foot;
  for (const auto& [name, value] : r.system) {
    if (name == "Program" || name == "Processor" || name == "Compiler") foot += (foot.empty() ? "" : " · ") + value;
  }
  if (!r.date.empty()) foot += (foot.empty() ? "" : " · ") + r.date.substr(0, 10);
  canvas.text(kMargin, kShareCardHeight - 24, foot, {14, kReportMuted}, Align::Left, kShareCardWidth - 2 * kMargin);
  return canvas.save(path);
}

}  // namespace spellpool::measure
