#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/hud/duet.hpp"
#include "ui/kit/controls.hpp"

namespace spellpool::ui {
namespace {

using frame::DuetFigures;
using frame::DuetView;

constexpr std::size_t kLeastPlayed = 60;

Line<32> ratio_text(float ratio) {
  if (!std::isfinite(ratio)) return Line<32>("-");
  return Line<32>(ratio < 9.995f ? "%.2f" : "%.1f", static_cast<double>(ratio));
}

/// What the ratio is of.
Line<96> of_what(const DuetView& duet) {
  const std::string_view a = duet.sides[0].title;
  return Line<96>("the time of %.*s", static_cast<int>(std::min<std::size_t>(60, a.size())), a.data());
}

/// What the difference of the steps is of a frame of A's with its drawing, where that is measured.
std::optional<Line<96>> part_of_frame(const DuetView& duet, const DuetFigures& figures) {
  constexpr float kNoticed = 0.03f;
  if (duet.clock != frame::DuetClock::Step || duet.film) return std::nullopt;
  const float whole = duet.played.back().running[static_cast<std::size_t>(frame::DuetClock::Both)].median_us[0];
  const float less = figures.median_us[0] - figures.median_us[1], part = std::fabs(less);
  if (!std::isfinite(whole) || !(whole > 0)) return std::nullopt;
  const Line<32> times("%.2f of %.1f ms", static_cast<double>(part) * 1e-3, static_cast<double>(whole) * 1e-3);
  if (part < kNoticed * whole) return Line<96>("%s with drawing: too little to notice", times.c_str());
  return Line<96>("%s with drawing: %.0f %% %s", times.c_str(), static_cast<double>(part / whole) * 100,
                  less > 0 ? "less" : "more");
}

/// Sign, title, median as figure and as a bar against the slower one.
float draw_arm(const Rect& column, float y, const frame::DuetSide& side, float median_us, float p95_us, float most_us,
               const Pen& pen) {
  const float box = pen.px(22), left = column.x0 + box + pen.px(9), line = pen.line_px(Cut::Strong);
  const ImU32 colour = duet_colour(side);
  pen.letter_box({column.x0, y, column.x0 + box, y + box}, colour, side.letter);
  const Line<32> median = duet_time_text(median_us, most_us);
  const Line<48> p95("p95 %s", duet_time_text(p95_us, most_us).c_str());
  const float median_wide = std::max(pen.width(Cut::Strong, "00.00 ms"), pen.width(Cut::Strong, median));
  const float p95_wide = std::max(pen.width(Cut::Small, "p95 00.00 ms"), pen.width(Cut::Small, p95));
  float right = column.x1;
  const bool with_p95 =
      right - p95_wide - pen.px(12) - median_wide - pen.px(12) - left >= pen.width(Cut::Strong, side.title);
  const float text_y = pen.centre_y(Cut::Strong, y, y + box);
  if (with_p95) {
    pen.text_right(Cut::Small, right, pen.centre_y(Cut::Small, y, y + box), kMuted, p95);
    right -= p95_wide + pen.px(12);
  }
  pen.text_right(Cut::Strong, right, text_y, kText, median);
  pen.text_within(Cut::Strong, left, text_y, right - median_wide - pen.px(10) - left, kText, side.title);
  y += std::max(box, line) + pen.px(4);
  const Rect bar{column.x0, y, column.x1, y + pen.px(6)};
  const float share = std::isfinite(median_us) && most_us > 0 ? std::clamp(median_us / most_us, 0.0f, 1.0f) : 0.0f;
  pen.fill(bar, kControl, pen.px(3));
  pen.fill({bar.x0, bar.y0, bar.x0 + std::floor(bar.width() * share), bar.y1}, colour, pen.px(3));
  return bar.y1;
}

}  // namespace

void draw_duet_figures(const Rect& box, const frame::PanelModel& model, const Pen& pen) {
  const DuetView& duet = *model.duet;
  const DuetFigures figures =
      duet.played.empty() ? DuetFigures{} : duet.played.back().running[static_cast<std::size_t>(duet.clock)];
  const float most = std::fmax(figures.median_us[0], figures.median_us[1]);
  const float small = pen.line_px(Cut::Small);
  float y = box.y0;
  const Line<64> head("Median of the last %u steps",
                      static_cast<unsigned>(std::min(duet.played.size(), frame::kDuetWindow)));
  const Line<48> live("%s objects each", count_text(duet.live).c_str());
  const bool both = pen.width(Cut::Small, head) + pen.px(16) + pen.width(Cut::Small, live) <= box.width();
  pen.text_within(Cut::Small, box.x0, y, box.width(), kMuted,
                  fitting(pen, Cut::Small, box.width(), {head, "Running medians"}));
  if (both) pen.text_right(Cut::Small, box.x1, y, kMuted, live);
  y += small + pen.px(4);
  for (std::size_t side = 0; side < 2; ++side) {
    y = draw_arm(box, y, duet.sides[side], figures.median_us[side], figures.p95_us[side], most, pen) + pen.px(8);
  }

  // The ratio, large, in the colour of who is faster; beside it what it is of, and its spread.
  const Line<32> ratio("%s×", ratio_text(figures.ratio).c_str());
  // A second of steps at least, and medians that say the same as the ratio: else neither is called faster.
  const bool known = std::isfinite(figures.ratio),
             agree = (figures.ratio < 1) == (figures.median_us[1] < figures.median_us[0]);
  const bool apart =
      known && agree && duet.played.size() >= kLeastPlayed && (figures.high < 1 || figures.low > 1);
  const ImU32 colour = apart ? duet_colour(duet.sides[figures.ratio < 1 ? 1 : 0]) : kText;
  const float units = 44, high = pen.px(units);
  const float wide = pen.title_width(units, 0, ratio);
  y += pen.px(1);
  pen.title(units, 0, box.x0 + wide * 0.5f, y, colour, ratio);
  pen.layout().duet_ratio = apart ? figures.ratio : 0;
  const float left = box.x0 + std::max(wide, pen.title_width(units, 0, "0.00×")) + pen.px(14), room = box.x1 - left;
  const float middle = y + high * 0.5f;
  const Line<96> titles = of_what(duet);
  const Line<32> letters("the time of %c", duet.sides[0].letter);
  pen.text_within(Cut::Small, left, middle - small - pen.px(1), room, kText,
                  known && !apart
                      ? fitting(pen, Cut::Small, room, {"no clear difference at this load", "no clear difference"})
                      : fitting(pen, Cut::Small, room, {titles, letters}));
  const Line<32> bounds("%s to %s", ratio_text(figures.low).c_str(), ratio_text(figures.high).c_str());
  const Line<64> spread("step by step; half of them: %s", bounds.c_str());
  pen.text_within(Cut::Small, left, middle + pen.px(1), room, kMuted,
                  known ? fitting(pen, Cut::Small, room, {spread, bounds}) : std::string_view("not known yet"));
  y += high + pen.px(6);

  pen.fill({box.x0, y, box.x1, y + 1}, kRule);
  y += pen.px(6);
  const float sign = pen.px(15), words = box.x0 + sign + pen.px(7);
  const bool equal = duet.differs_at == 0;
  const Line<96> work = !equal ? Line<96>("Not equal work: they differ at step %s", count_text(duet.differs_at).c_str())
                        : duet.equal_steps == 0
                            ? Line<96>("Step %s; no hashes compared yet", count_text(duet.steps).c_str())
                            : Line<96>("Equal work: equal hashes at step %s", count_text(duet.equal_steps).c_str());
  if (!equal || duet.equal_steps > 0) draw_check(pen, box.x0, y + std::floor((small - sign) * 0.5f), sign, equal);
  pen.text_within(Cut::Small, words, y, box.x1 - words, equal ? kText : kRed,
                  fitting(pen, Cut::Small, box.x1 - words, {work, equal ? "Equal work so far" : "Not equal work"}));
  y += small + pen.px(3);
  const std::string_view worth = "An indication: both share one process.",
                         film = "An indication: both share one process. Timed before filming.";
  if (const std::optional<Line<96>> part = apart ? part_of_frame(duet, figures) : std::nullopt) {
    const Line<128> sentence("%s. An indication.", part->c_str());
    pen.text_within(Cut::Small, box.x0, y, box.width(), kText,
                    fitting(pen, Cut::Small, box.width(), {sentence, *part}));
  } else {
    pen.text_within(Cut::Small, box.x0, y, box.width(), kMuted,
                    duet.film ? fitting(pen, Cut::Small, box.width(), {film, worth}) : worth);
  }
}

}  // namespace spellpool::ui
