#include <algorithm>
#include <cmath>

#include "ui/hud/duet.hpp"
#include "ui/kit/controls.hpp"

namespace spellpool::ui {
namespace {

using frame::DuetStep;
using frame::DuetView;

constexpr ImU32 kPlotFill = IM_COL32(0, 0, 0, 90);

/// A plot whose x axis has room for kDuetGraphSteps steps; the newest is at the right once it is full. `shown` begins
/// with a pair of steps; only whole pairs are drawn.
struct Plot {
  Rect box;
  std::span<const DuetStep> shown;

  std::size_t pairs() const { return shown.size() / 2; }
  const DuetStep& first(std::size_t pair) const { return shown[pair * 2]; }
  const DuetStep& second(std::size_t pair) const { return shown[pair * 2 + 1]; }
  float x(std::size_t pair) const {
    return box.x0 + box.width() * (static_cast<float>(pair) * 2 + 1) / static_cast<float>(kDuetGraphSteps);
  }
  /// `share` 0 … 1 of the height.
  float y(float share) const { return box.y1 - std::clamp(share, 0.0f, 1.0f) * box.height(); }
};

/// A line through `value(pair)`, 0 … 1 of the height, broken where it is not known.
template <class Value>
void draw_line(const Pen& pen, const Plot& plot, ImU32 colour, float thick, const Value& value) {
  if (pen.dry()) return;
  ImDrawList& list = *pen.list();
  list.PathClear();
  for (std::size_t i = 0; i < plot.pairs(); ++i) {
    const float share = value(i);
    if (std::isfinite(share)) list.PathLineTo(ImVec2(plot.x(i), plot.y(share)));
    if (!std::isfinite(share) || i + 1 == plot.pairs()) list.PathStroke(colour, ImDrawFlags_None, thick);
  }
}

/// What lies between two lines.
template <class Low, class High>
void draw_band(const Pen& pen, const Plot& plot, ImU32 colour, const Low& low, const High& high) {
  for (std::size_t i = 0; i < plot.pairs(); ++i) {
    const float from = low(i), to = high(i);
    if (!std::isfinite(from) || !std::isfinite(to)) continue;
    const float x0 = i == 0 ? plot.box.x0 : (plot.x(i - 1) + plot.x(i)) * 0.5f;
    pen.fill({x0, plot.y(to), (plot.x(i) + plot.x(i + 1)) * 0.5f, std::max(plot.y(from), plot.y(to) + 1)}, colour);
  }
}

/// The sign of a line, behind its end; `y0` its middle.
void draw_end(const Pen& pen, const Plot& plot, float y0, const frame::DuetSide& side) {
  const float box = pen.px(16),
              left = (plot.pairs() > 0 ? std::min(plot.box.x1, plot.x(plot.pairs() - 1)) : plot.box.x0) + pen.px(5),
              top = std::floor(std::clamp(y0 - box * 0.5f, plot.box.y0, plot.box.y1 - box));
  pen.fill({left, top, left + box, top + box}, duet_colour(side), pen.px(3));
  pen.text_centred(Cut::Small, {left, top, left + box, top + box}, kInk, std::string_view(&side.letter, 1));
}

/// A level with its label at the left of the plot.
void draw_level(const Pen& pen, const Plot& plot, float share, ImU32 colour, std::string_view label) {
  const float y = std::floor(plot.y(share)), line = pen.line_px(Cut::Small);
  pen.fill({plot.box.x0, y, plot.box.x1, y + 1}, colour);
  pen.text_right(Cut::Small, plot.box.x0 - pen.px(6),
                 std::clamp(y - std::floor(line * 0.5f), plot.box.y0 - pen.px(3), plot.box.y1 - line + pen.px(3)),
                 kMuted, label);
}

void draw_times(const Pen& pen, const Plot& plot, const DuetView& duet) {
  const float top = duet_axis_top_us(plot.shown, duet.clock);
  pen.fill(plot.box, kPlotFill);
  draw_level(pen, plot, 1.0f, faded(kRule, 0.6f), duet_time_text(top, top));
  draw_level(pen, plot, 0.5f, kRule, duet_time_text(top * 0.5f, top));
  draw_level(pen, plot, 0.0f, kControlEdge, "0");
  constexpr float kBudget_us = 1e6f / 60.0f;
  const float budget = kBudget_us / top;
  // Label the line only where the label covers no other.
  const bool told = budget > 0.2f && budget < 0.8f && std::fabs(budget - 0.5f) > 0.15f;
  if (budget < 1) draw_level(pen, plot, budget, IM_COL32(226, 232, 255, 120), told ? "16.67 ms" : "");
  if (plot.shown.empty()) return pen.text_centred(Cut::Small, plot.box, kMuted, "no step yet");
  // The longer one first, so that the other is seen before it.
  const auto& last = plot.shown.back().running[static_cast<std::size_t>(duet.clock)];
  const std::size_t back = last.median_us[1] > last.median_us[0] ? 1 : 0;
  for (const std::size_t side : {back, 1 - back}) {
    const ImU32 colour = duet_colour(duet.sides[side]);
    const auto each = [&](std::size_t pair) {
      return (duet_us(plot.first(pair), duet.clock, side) + duet_us(plot.second(pair), duet.clock, side)) * 0.5f / top;
    };
    draw_band(pen, plot, faded(colour, 0.13f), [](std::size_t) { return 0.0f; }, each);
    draw_line(pen, plot, faded(colour, 0.6f), std::max(1.0f, pen.scale()), each);
  }
  std::array<float, 2> ends{};
  for (const std::size_t side : {back, 1 - back}) {
    draw_line(pen, plot, duet_colour(duet.sides[side]), std::max(2.0f, pen.scale() * 2.4f), [&](std::size_t pair) {
      return plot.second(pair).running[static_cast<std::size_t>(duet.clock)].median_us[side] / top;
    });
    ends[side] = plot.y(std::isfinite(last.median_us[side]) ? last.median_us[side] / top : 0.0f);
  }
  // The two signs never cover each other.
  const float apart = pen.px(18), upper = std::min(ends[0], ends[1]), lower = std::max(ends[0], ends[1]);
  if (lower - upper < apart) {
    const float push = (apart - (lower - upper)) * 0.5f;
    ends[back] -= push;
    ends[1 - back] += push;
    const float over = std::max(0.0f, ends[1 - back] + pen.px(8) - plot.box.y1);
    ends[0] -= over;
    ends[1] -= over;
  }
  for (std::size_t side = 0; side < 2; ++side) draw_end(pen, plot, ends[side], duet.sides[side]);
}

/// The ratio of each run of steps, with the middle half of them as a band; on a logarithmic axis that always shows 1.
void draw_ratios(const Pen& pen, const Plot& plot, const DuetView& duet) {
  pen.fill(plot.box, kPlotFill);
  const auto of = [&](std::size_t pair) -> const frame::DuetFigures& {
    return plot.second(pair).running[static_cast<std::size_t>(duet.clock)];
  };
  float least = 0, most = 0;
  for (std::size_t pair = 0; pair < plot.pairs(); ++pair) {
    if (!(of(pair).low > 0) || !std::isfinite(of(pair).high)) continue;
    least = std::min(least, std::log(of(pair).low));
    most = std::max(most, std::log(of(pair).high));
  }
  least = std::max(least, std::log(0.02f));
  most = std::min(most, std::log(50.0f));
  const float margin = std::max(0.03f, (most - least) * 0.12f);
  least -= margin;
  most += margin;
  const auto share = [&](float ratio) {
    return ratio > 0 ? (std::log(ratio) - least) / (most - least) : std::numeric_limits<float>::quiet_NaN();
  };
  const ImU32 neutral = kAccent;
  draw_band(pen, plot, faded(neutral, 0.28f), [&](std::size_t pair) { return share(of(pair).low); },
            [&](std::size_t pair) { return share(of(pair).high); });
  draw_level(pen, plot, share(1.0f), IM_COL32(238, 241, 250, 170), "1×");
  draw_line(pen, plot, neutral, std::max(2.0f, pen.scale() * 2.4f),
            [&](std::size_t pair) { return share(of(pair).ratio); });
  // Labels the end of the axis that is farther from 1, to show the scale.
  const bool below = share(1.0f) > 0.5f;
  const float end = std::exp(below ? least : most);
  const Line<16> label(end < 9.95f ? "%.2f×" : "%.0f×", static_cast<double>(end));
  draw_level(pen, plot, below ? 0.0f : 1.0f, faded(kRule, 0.6f), label);
}

}  // namespace

Line<32> duet_time_text(float us, float most_us) {
  if (!std::isfinite(us)) return Line<32>("-");
  // A step of the usual load takes 0.2 to 4 ms: in one unit throughout, the two sides are easy to compare.
  constexpr float kMilliseconds_us = 9'995.0f;
  if (most_us < kMilliseconds_us)
    return Line<32>("%s µs", count_text(static_cast<u64>(std::max(0.0f, us) + 0.5f)).c_str());
  return Line<32>("%s ms", ms_text(static_cast<double>(us)).c_str());
}

float duet_axis_top_us(std::span<const DuetStep> shown, frame::DuetClock clock) {
  std::array<float, kDuetGraphSteps * 2> times;
  std::size_t count = 0;
  for (const DuetStep& pair : shown.last(std::min(shown.size(), kDuetGraphSteps))) {
    for (std::size_t side = 0; side < 2; ++side) {
      const float us = duet_us(pair, clock, side);
      if (std::isfinite(us) && us > 0) times[count++] = us;
    }
  }
  if (count == 0) return 1'000.0f;
  const std::size_t place = std::min(count - 1, count * 98 / 100);
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(place),
                   times.begin() + static_cast<std::ptrdiff_t>(count));
  const float wanted = times[place] * 1.1f;
  for (float power = 1.0f; power < 1e9f; power *= 10.0f) {
    for (const float step : {1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 8.0f}) {
      if (step * power >= wanted) return step * power;
    }
  }
  return 1e9f;
}

void draw_duet_graphs(const Rect& box, const frame::PanelModel& model, const Pen& pen) {
  const DuetView& duet = *model.duet;
  std::span<const DuetStep> shown = duet.played.last(std::min(duet.played.size(), kDuetGraphSteps));
  if ((duet.played.size() - shown.size()) % 2 != 0) shown = shown.subspan(1);
  const float line = pen.line_px(Cut::Small), gutter = pen.px(58), signs = pen.px(26);
  // One clock at a time: its name stands above both plots.
  const std::string_view title = frame::kDuetClocks[static_cast<std::size_t>(duet.clock)].title;
  float x = box.x0 + pen.text_within(Cut::Strong, box.x0, box.y0 - pen.px(2), box.width(), kText, title) + pen.px(10);
  const std::string_view key = duet.film ? std::string_view{} : key_label(model, frame::Action::GraphScale);
  const Line<48> seconds("last %u s", static_cast<unsigned>(kDuetGraphSteps / 60));
  if (x + pen.width(Cut::Small, seconds) < box.x1) x += pen.text(Cut::Small, x, box.y0, kMuted, seconds) + pen.px(12);
  if (!key.empty() &&
      x + pen.key_cap_width(key) + pen.px(6) + pen.width(Cut::Small, "step, drawing, both") < box.x1 - signs) {
    x += pen.key_cap(x, box.y0 - pen.px(1), box.y0 + line, key) + pen.px(6);
    pen.text(Cut::Small, x, box.y0, kMuted, "step, drawing, both");
  }
  const float top = box.y0 + line + pen.px(8), between = line + pen.px(8);
  const float room = box.y1 - top - between, ratio_high = std::floor(room * 0.36f);
  if (room < pen.px(50) || box.width() < gutter + signs + pen.px(60)) return;
  const Rect times{box.x0 + gutter, top, box.x1 - signs, box.y1 - ratio_high - between};
  const Rect ratios{times.x0, box.y1 - ratio_high, times.x1, box.y1};
  draw_times(pen, {times, shown}, duet);
  const Line<96> longest("%c over %c, running median and the middle half", duet.sides[1].letter, duet.sides[0].letter);
  const Line<48> shorter("%c over %c, running median", duet.sides[1].letter, duet.sides[0].letter);
  const Line<16> shortest("%c over %c", duet.sides[1].letter, duet.sides[0].letter);
  const std::string_view what = fitting(pen, Cut::Small, times.width(), {longest, shorter, shortest});
  pen.text_within(Cut::Small, times.x0, times.y1 + pen.px(4), times.width(), kMuted, what);
  const Line<48> lower("below 1: %c is faster", duet.sides[1].letter);
  if (pen.width(Cut::Small, what) + pen.px(20) + pen.width(Cut::Small, lower) < times.width()) {
    pen.text_right(Cut::Small, times.x1, times.y1 + pen.px(4), kMuted, lower);
  }
  draw_ratios(pen, {ratios, shown}, duet);
}

}  // namespace spellpool::ui
