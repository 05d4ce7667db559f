// Figures of what was measured on this machine: the curves of the walks, the ratio of a bet, and the card
// with all of them. Beside each number stand its build, machine and method.
#include <algorithm>
#include <cmath>

#include "ui/kit/headline.hpp"
#include "ui/learn/learn.hpp"

namespace spellpool::ui {
namespace {

using frame::LessonFigure;
using frame::LessonMeasure;
using frame::LessonMeasurement;
using frame::LessonWalkPoint;

constexpr std::array<ImU32, frame::kLessonWalkCount> kWalkColours = {
    IM_COL32(255, 146, 64, 255), IM_COL32(96, 190, 255, 255), IM_COL32(110, 224, 120, 255)};
constexpr ImU32 kPlotFill = IM_COL32(14, 16, 32, 255);

Line<32> ns_text(double ns) { return Line<32>(ns < 10 ? "%.2g ns" : "%.0f ns", ns); }
Line<32> objects_text(u64 objects) {
  if (objects >= u64{1} << 20) return Line<32>("%llu M", static_cast<unsigned long long>(objects >> 20));
  if (objects >= 1'024) return Line<32>("%llu K", static_cast<unsigned long long>(objects >> 10));
  return Line<32>("%llu", static_cast<unsigned long long>(objects));
}
Line<64> ratio_words(const LessonMeasurement& found) {
  return Line<64>("%.2f× (%.2f to %.2f)", found.ratio, found.low, found.high);
}

/// Both axes by powers: equal factors are equal distances.
class WalkPlot {
 public:
  WalkPlot(const Rect& box, const LessonMeasurement& found) : box_(box), found_(found) {
    for (const LessonWalkPoint& point : found.points) {
      for (const frame::LessonSpread& spread : point.ns) {
        least_ns_ = std::min(least_ns_, spread.low);
        most_ns_ = std::max(most_ns_, spread.high);
      }
    }
    least_ns_ = std::max(least_ns_, 0.01) * 0.7;
    most_ns_ = std::max(most_ns_, least_ns_ * 2) * 1.4;
  }

  float x(double objects) const {
    const double first = static_cast<double>(found_.points.front().objects),
                 last = static_cast<double>(found_.points.back().objects);
    return box_.x0 + box_.width() * static_cast<float>(std::log(objects / first) / std::log(last / first));
  }
  float y(double ns) const {
    const double share = std::log(std::max(ns, least_ns_) / least_ns_) / std::log(most_ns_ / least_ns_);
    return box_.y1 - box_.height() * static_cast<float>(share);
  }
  double least_ns() const { return least_ns_; }
  double most_ns() const { return most_ns_; }

 private:
  Rect box_;
  const LessonMeasurement& found_;
  double least_ns_ = 1e9, most_ns_ = 0;
};

void draw_plot_axes(const Pen& pen, const Rect& box, const WalkPlot& plot, const LessonMeasurement& found) {
  pen.fill(box, kPlotFill, pen.px(4));
  const float line = pen.line_px(Cut::Small);
  for (double ns = 0.01; ns <= plot.most_ns(); ns *= 10) {
    for (const double part : {1.0, 3.0}) {
      if (ns * part < plot.least_ns() || ns * part > plot.most_ns()) continue;
      const float y = plot.y(ns * part);
      pen.fill({box.x0, y, box.x1, y + 1}, faded(kRule, part > 1 ? 0.35f : 0.8f));
      pen.text_right(Cut::Small, box.x0 - pen.px(6), y - line * 0.5f, kMuted, ns_text(ns * part));
    }
  }
  float free_from = box.x0 - pen.px(20);
  for (const LessonWalkPoint& point : found.points) {
    const float x = plot.x(static_cast<double>(point.objects));
    const Line<32> words = objects_text(point.objects);
    const float wide = pen.width(Cut::Small, words), at = std::min(x - wide * 0.5f, box.x1 - wide);
    if (at < free_from) continue;
    pen.fill({x, box.y1, x + 1, box.y1 + pen.px(4)}, kMuted);
    pen.text(Cut::Small, at, box.y1 + pen.px(4), kMuted, words);
    free_from = at + wide + pen.px(12);
  }
  for (const frame::LessonCache& cache : found.caches) {
    const double objects = static_cast<double>(cache.bytes) / static_cast<double>(found.object_bytes);
    if (objects < static_cast<double>(found.points.front().objects) ||
        objects > static_cast<double>(found.points.back().objects))
      continue;
    const float x = plot.x(objects);
    for (float y = box.y0; y < box.y1; y += pen.px(7))
      pen.fill({x, y, x + std::max(1.0f, pen.px(1.2f)), std::min(box.y1, y + pen.px(4))},
               faded(kAccent, 0.8f));
    const Line<64> words("%s full: %s", cache.name.c_str(), bytes_text(cache.bytes).c_str());
    const float wide = pen.width(Cut::Small, words), gap = pen.px(5);
    // Above the plot: no curve runs through it.
    pen.text(Cut::Small, std::min(x - gap, box.x1 - wide), box.y0 - line, kAccent, words);
  }
}

/// A disc, a square or a triangle: colour is not all.
void draw_walk_mark(const Pen& pen, ImVec2 at, std::size_t walk) {
  const float r = pen.px(3.6f);
  const ImU32 colour = kWalkColours[walk];
  if (walk == 0) pen.list()->AddCircleFilled(at, r, colour, 12);
  if (walk == 1) pen.list()->AddRectFilled(ImVec2(at.x - r, at.y - r), ImVec2(at.x + r, at.y + r), colour);
  if (walk == 2) {
    pen.list()->AddTriangleFilled(ImVec2(at.x - r, at.y + r), ImVec2(at.x + r, at.y + r),
                                  ImVec2(at.x, at.y - r * 1.2f), colour);
  }
}

void draw_walk_lines(const Pen& pen, const WalkPlot& plot, const LessonFigure& figure,
                     const LessonMeasurement& found) {
  for (std::size_t walk = 0; walk < frame::kLessonWalkCount; ++walk) {
    const std::size_t reach = std::min(figure.reach[walk], found.points.size());
    ImVec2 before;
    for (std::size_t i = 0; i < reach; ++i) {
      const LessonWalkPoint& point = found.points[i];
      const frame::LessonSpread& spread = point.ns[walk];
      const float x = plot.x(static_cast<double>(point.objects));
      const ImVec2 at(x, plot.y(spread.median));
      if (i > 0) pen.list()->AddLine(before, at, kWalkColours[walk], std::max(1.5f, pen.px(2)));
      pen.fill({x - 0.5f, plot.y(spread.high), x + 0.5f, plot.y(spread.low)},
               faded(kWalkColours[walk], 0.7f));
      draw_walk_mark(pen, at, walk);
      before = at;
    }
  }
}

/// "● scattered  12 ns" for each walk, with the time at the last point that is shown. Returns where it ends.
float draw_walk_key(const Pen& pen, const Rect& room, const LessonFigure& figure,
                    const LessonMeasurement& found) {
  float x = room.x0, y = room.y0;
  const float line = pen.line_px(Cut::Small) + pen.px(3);
  for (std::size_t walk = 0; walk < frame::kLessonWalkCount; ++walk) {
    const std::size_t reach = std::min(figure.reach[walk], found.points.size());
    const std::string_view title = frame::kLessonWalkTitles[walk];
    Line<64> words("%.*s", static_cast<int>(title.size()), title.data());
    if (reach > 0) {
      words = Line<64>("%.*s: %s, then %s", static_cast<int>(title.size()), title.data(),
                       ns_text(found.points.front().ns[walk].median).c_str(),
                       ns_text(found.points[reach - 1].ns[walk].median).c_str());
    }
    const float wide = pen.px(14) + pen.width(Cut::Small, words) + pen.px(18);
    if (x > room.x0 && x + wide > room.x1) {
      x = room.x0;
      y += line;
    }
    if (!pen.dry()) draw_walk_mark(pen, ImVec2(x + pen.px(5), y + line * 0.5f), walk);
    pen.text(Cut::Small, x + pen.px(14), y, kText, words);
    x += wide;
  }
  return y + line;
}

float draw_small(const Pen& pen, const Rect& room, float y, std::string_view words, ImU32 colour = kMuted) {
  if (words.empty()) return y;
  pen.text_wrapped(Cut::Small, room.x0, y, room.width(), colour, words);
  return y + pen.wrapped_height(Cut::Small, words, room.width());
}

/// Build, machine and method, as they stand beside the numbers.
float draw_conditions(const Pen& pen, const Rect& room, float y, const LessonMeasurement& found,
                      bool method) {
  const Line<384> words("%s · %s · %s%s%s", found.machine.c_str(), found.build.c_str(), found.date.c_str(),
                        method ? " · " : "", method ? found.method.c_str() : "");
  return draw_small(pen, room, y, words);
}

float draw_walk_curve(const Pen& pen, const Rect& room, const LessonFigure& figure, float high) {
  const LessonMeasurement* const found = figure.measured[0].get();
  const float left = pen.width(Cut::Small, "0.03 ns") + pen.px(8);
  const float labels = pen.line_px(Cut::Small);
  const Rect box{room.x0 + left, room.y0 + labels, room.x1 - pen.px(6), room.y0 + labels + high};
  if (found == nullptr || !found->has_walks()) {
    if (!pen.dry()) {
      pen.fill(box, kPlotFill, pen.px(4));
      pen.text_centred(Cut::Body, box, kMuted,
                       found == nullptr ? "being measured on this machine" : "not measured");
    }
    return box.y1;
  }
  if (!pen.dry()) {
    const WalkPlot plot(box, *found);
    draw_plot_axes(pen, box, plot, *found);
    draw_walk_lines(pen, plot, figure, *found);
  }
  float y = box.y1 + pen.px(6) + pen.line_px(Cut::Small);
  y = draw_walk_key(pen, {room.x0, y, room.x1, y}, figure, *found);
  if (found->caches.empty())
    y = draw_small(pen, room, y, "This machine does not say how large its caches are.", kYellow);
  return draw_conditions(pen, room, y, *found, true);
}

/// The ratio on an axis by powers, the same for all bets. Dashed: what divides a bet's answers.
void draw_ratio_axis(const Pen& pen, const Rect& box, LessonMeasure bet, const LessonMeasurement* found) {
  const auto x = [&](double ratio) {
    const double share = std::clamp(std::log(ratio) / std::log(frame::kRatioReach), -1.0, 1.0);
    return box.middle_x() + box.width() * 0.5f * static_cast<float>(share);
  };
  pen.fill(box, kPlotFill, pen.px(4));
  pen.fill({box.x0, box.y0, x(1), box.y1}, faded(kGreen, 0.08f), pen.px(4));
  pen.fill({x(1), box.y0, box.x1, box.y1}, faded(kRed, 0.08f), pen.px(4));
  pen.fill({x(1), box.y0, x(1) + 1, box.y1}, kMuted);
  for (const double limit : frame::kLessonMeasures[static_cast<std::size_t>(bet)].limits) {
    for (float y = box.y0; y < box.y1; y += pen.px(7))
      pen.fill({x(limit), y, x(limit) + 1, std::min(box.y1, y + pen.px(4))}, faded(kAccent, 0.7f));
  }
  const float line = pen.line_px(Cut::Small);
  for (const double ratio : frame::kRatioMarks) {
    const Line<16> words("%g×", ratio);
    const float wide = pen.width(Cut::Small, words);
    const float at = std::clamp(x(ratio) - wide * 0.5f, box.x0, box.x1 - wide);
    pen.text(Cut::Small, at, box.y1 + pen.px(1), kMuted, words);
    pen.fill({x(ratio), box.y1 - pen.px(4), x(ratio) + 1, box.y1}, kMuted);
  }
  if (box.height() > line * 2.4f) {
    pen.text(Cut::Small, box.x0 + pen.px(8), box.y0 + pen.px(2), kGreen, "pool faster");
    pen.text_right(Cut::Small, box.x1 - pen.px(8), box.y0 + pen.px(2), kRed, "pool slower");
  }
  if (found == nullptr || !found->has_ratio()) return;
  if (found->control > 0 && std::isfinite(found->control))
    pen.fill({x(1 / (1 + found->control)), box.y0, x(1 + found->control), box.y1}, faded(kMoon, 0.16f));
  const bool decided = frame::bet_range(*found) != frame::kNoRange;
  const float y = box.middle_y() + (box.height() > line * 2.4f ? line * 0.4f : 0.0f), thick = pen.px(4);
  const float low = x(found->low), high = std::max(x(found->high), low + pen.px(2));
  // A bar for the interval and a stroke for the ratio, which hides no narrow interval.
  const float at = x(found->ratio), half = std::max(1.0f, pen.px(1.2f));
  pen.fill({low, y - thick, high, y + thick}, decided ? kAccent : kMuted, pen.px(2));
  pen.fill({at - half, y - 2 * thick, at + half, y + 2 * thick}, kMoon);
}

Line<160> noise_words(const LessonMeasurement& found) {
  const bool decided = frame::bet_range(found) != frame::kNoRange;
  return Line<160>(decided ? "Noisy, but clear all the same: %s." : "Too noisy to decide: %s.",
                   found.noise.c_str());
}

float draw_bet_ratio(const Pen& pen, const Rect& room, const LessonFigure& figure, float high) {
  const LessonMeasurement* const found = figure.measured[0].get();
  const Rect box{room.x0, room.y0, room.x1, room.y0 + high};
  if (!pen.dry()) draw_ratio_axis(pen, box, figure.bet, found);
  float y = box.y1 + pen.line_px(Cut::Small) + pen.px(8);
  if (found == nullptr)
    return draw_small(pen, room, y,
                      "Time of a step with the pool ÷ time with new and delete. Dashed: the answers' limits");
  if (!found->has_ratio()) return draw_small(pen, room, y, found->error, kYellow);
  pen.text_within(Cut::Large, room.x0, y, room.width(), kText, ratio_words(*found));
  y += pen.line_px(Cut::Large) + pen.px(2);
  const std::string_view verdict = frame::bet_words(frame::bet_verdict(*found));
  const Line<160> words("%.*s; in brackets, and as the bar: the 95 %% interval",
                        static_cast<int>(verdict.size()), verdict.data());
  y = draw_small(pen, room, y, words, kText);
  const Line<160> control("Identical work differed by up to %.1f %% (the grey band).", 100 * found->control);
  if (std::isfinite(found->control)) y = draw_small(pen, room, y, control);
  if (!found->noise.empty()) y = draw_small(pen, room, y, noise_words(*found), kYellow);
  return draw_conditions(pen, room, y + pen.px(4), *found, true);
}

/// A row for each bet: what it was about, the axis, the number, the verdict, how often it was run.
float draw_card_row(const Pen& pen, const Rect& room, float y, std::size_t row,
                    const LessonMeasurement* found) {
  const float line = pen.line_px(Cut::Small), high = line * 1.25f;
  const std::string_view title = frame::kLessonMeasures[row].title;
  const float number = pen.width(Cut::Strong, "0.00× (0.00 to 0.00)") + pen.px(10);
  pen.text_within(Cut::Strong, room.x0, y, room.width() - number, kText, title);
  if (found != nullptr && found->has_ratio())
    pen.text_right(Cut::Strong, room.x1, y, kText, ratio_words(*found));
  else
    pen.text_right(Cut::Strong, room.x1, y, kMuted, "not measured");
  y += pen.line_px(Cut::Strong) + pen.px(2);
  const float verdict = pen.width(Cut::Small, "no difference found, 20 × 4 runs") + pen.px(12);
  const Rect box{room.x0, y, room.x1 - verdict, y + high};
  if (!pen.dry()) draw_ratio_axis(pen, box, static_cast<LessonMeasure>(row), found);
  y = box.y1 + line;
  if (found != nullptr) {
    const std::string_view words = frame::bet_words(frame::bet_verdict(*found));
    const Line<64> all("%.*s, %u × 4 runs", static_cast<int>(words.size()), words.data(), found->quads);
    pen.text_right(Cut::Small, room.x1, pen.centre_y(Cut::Small, box.y0, box.y1), kMoon, all);
    if (found->has_ratio() && !found->noise.empty())
      y = draw_small(pen, room, y + pen.px(2), noise_words(*found), kYellow);
  }
  return y + pen.px(7);
}

float draw_measured_card(const Pen& pen, const Rect& room, const LessonFigure& figure, float high) {
  LessonFigure curve;
  curve.measured[0] = figure.measured[static_cast<std::size_t>(LessonMeasure::Walks)];
  const LessonMeasurement* any = curve.measured[0].get();
  if (any != nullptr) curve.reach.fill(any->points.size());
  const Rect inner = room.inset(pen.px(10));
  float y = room.y0 + pen.px(10);
  if (any != nullptr && any->has_walks()) {
    const float left = pen.width(Cut::Small, "0.03 ns") + pen.px(8);
    y += pen.line_px(Cut::Small);  // the names of the caches
    const Rect box{inner.x0 + left, y, inner.x1 - pen.px(6), y + high * 0.55f};
    if (!pen.dry()) {
      const WalkPlot plot(box, *any);
      draw_plot_axes(pen, box, plot, *any);
      draw_walk_lines(pen, plot, curve, *any);
    }
    y = box.y1 + pen.px(6) + pen.line_px(Cut::Small);
    y = draw_walk_key(pen, {inner.x0, y, inner.x1, y}, curve, *any) + pen.px(8);
  }
  constexpr std::array kBets = {LessonMeasure::PoolWins, LessonMeasure::NoDifference,
                                LessonMeasure::PoolLoses};
  for (const LessonMeasure bet : kBets) {
    const auto row = static_cast<std::size_t>(bet);
    y = draw_card_row(pen, inner, y, row, figure.measured[row].get());
    if (figure.measured[row] != nullptr) any = figure.measured[row].get();
  }
  if (any != nullptr) y = draw_conditions(pen, inner, y + pen.px(2), *any, false);  // methods differ
  y += pen.px(8);
  if (!pen.dry()) pen.frame({room.x0, room.y0, room.x1, y}, kControlEdge, pen.px(8));
  return y;
}

}  // namespace

float draw_lesson_measured(const Pen& pen, const Rect& room, const LessonFigure& figure, float cell_px) {
  constexpr float kCurveCells = 4.2f, kRatioCells = 1.3f;
  if (figure.kind == LessonFigure::Kind::Ratio)
    return draw_bet_ratio(pen, room, figure, cell_px * kRatioCells);
  if (figure.kind == LessonFigure::Kind::Card)
    return draw_measured_card(pen, room, figure, cell_px * kCurveCells);
  return draw_walk_curve(pen, room, figure, cell_px * kCurveCells);
}

}  // namespace spellpool::ui
