#include "measure/report/learn_card.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "measure/record/number_text.hpp"
#include "measure/report/card_canvas.hpp"

namespace spellpool::measure {
namespace {

using frame::LessonMeasure;
using frame::LessonMeasurement;

constexpr Colour kCardText = rgb(238, 241, 250), kCardFaint = rgb(150, 158, 188),
                 kCardAccent = rgb(120, 196, 255), kCardGreen = rgb(95, 211, 140),
                 kCardRed = rgb(255, 110, 104), kCardYellow = rgb(255, 206, 92);
constexpr std::array<Colour, frame::kLessonWalkCount> kWalkInks = {rgb(255, 146, 64), rgb(96, 190, 255),
                                                                   rgb(110, 224, 120)};
constexpr double kSide = 44, kLearnCardInner = kLearnCardWidth - 2 * kSide;
constexpr Rect kCurveBox{118, 128, kLearnCardWidth - 118 - kSide, 256};

std::string grouped_objects(u64 objects) { return grouped_text(static_cast<double>(objects), 0); }

/// Text in lines that fit; returns the base line after the last.
double wrapped(Canvas& canvas, double y, const std::string& words, const TextStyle& style, double step) {
  for (const std::string& line : canvas.wrapped(words, style, kLearnCardInner)) {
    canvas.text(kSide, y, line, style, Align::Left, kLearnCardInner);
    y += step;
  }
  return y;
}

class LearnCard {
 public:
  explicit LearnCard(const frame::LessonResults& results)
      : results_(results), canvas_(kLearnCardWidth, kLearnCardHeight, 1.0) {}

  std::string draw(const std::string& path) {
    ground();
    canvas_.text(kSide, 56, "What I measured", {34, kCardText, 1, true, false});
    canvas_.text(kLearnCardWidth - kSide, 56, "Spellpool: Learn", {18, kCardFaint}, Align::Right);
    canvas_.text(kSide, 96, "Time of an update for each object, by the number of objects of 64 bytes",
                 {17, kCardFaint});
    curve(of(LessonMeasure::Walks));
    canvas_.text(kSide, 462,
                 "Time of a step: pool ÷ new and delete, with its 95 % interval. Grey: by how much identical "
                 "work differed",
                 {17, kCardFaint});
    double y = 500;
    for (const LessonMeasure bet :
         {LessonMeasure::PoolWins, LessonMeasure::NoDifference, LessonMeasure::PoolLoses}) {
      bet_row(y, bet, of(bet));
      y += 58;
    }
    foot();
    return canvas_.save(path);
  }

 private:
  const LessonMeasurement* of(LessonMeasure id) const { return results_[static_cast<std::size_t>(id)].get(); }

  void ground() {
    cairo_t* cairo = canvas_.cairo();
    cairo_pattern_t* night = cairo_pattern_create_linear(0, 0, 0, kLearnCardHeight);
    cairo_pattern_add_color_stop_rgb(night, 0, 0.066, 0.070, 0.150);
    cairo_pattern_add_color_stop_rgb(night, 1, 0.022, 0.024, 0.056);
    cairo_set_source(cairo, night);
    cairo_paint(cairo);
    cairo_pattern_destroy(night);
  }

  void curve(const LessonMeasurement* found) {
    canvas_.panel(kCurveBox);
    if (found == nullptr || !found->has_walks()) {
      canvas_.text(kCurveBox.x + kCurveBox.w / 2, kCurveBox.y + kCurveBox.h / 2, "not measured",
                   {18, kCardFaint}, Align::Centre);
      return;
    }
    double least = 1e9, most = 0;
    for (const frame::LessonWalkPoint& point : found->points) {
      for (const frame::LessonSpread& spread : point.ns) {
        least = std::min(least, spread.low);
        most = std::max(most, spread.high);
      }
    }
    least = std::max(least, 0.01) * 0.7;
    most = std::max(most, 2 * least) * 1.4;
    const double first = static_cast<double>(found->points.front().objects),
                 last = static_cast<double>(found->points.back().objects);
    const auto x = [&](double objects) {
      return kCurveBox.x + kCurveBox.w * std::log(objects / first) / std::log(last / first);
    };
    const auto y = [&](double ns) {
      return kCurveBox.bottom() -
             kCurveBox.h * std::log(std::max(ns, least) / least) / std::log(most / least);
    };
    for (const double ns : {0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0}) {
      if (ns < least || ns > most) continue;
      canvas_.line(kCurveBox.x, y(ns), kCurveBox.right(), y(ns), kCardFaint, 0.2);
      canvas_.text(kCurveBox.x - 8, y(ns) + 5,
                   fixed_text(ns, ns < 0.1 ? 2
                                  : ns < 1 ? 1
                                           : 0) +
                       " ns",
                   {14, kCardFaint}, Align::Right);
    }
    for (std::size_t i = 0; i < found->points.size(); i += 3) {
      const double at = x(static_cast<double>(found->points[i].objects));
      canvas_.text(at, kCurveBox.bottom() + 20, grouped_objects(found->points[i].objects), {14, kCardFaint},
                   i == 0                          ? Align::Left
                   : i + 1 == found->points.size() ? Align::Right
                                                   : Align::Centre);
    }
    caches(*found, x, first, last);
    lines(*found, x, y);
    double at = kCurveBox.x;
    for (std::size_t walk = 0; walk < frame::kLessonWalkCount; ++walk) {
      canvas_.fill({at, kCurveBox.bottom() + 34, 14, 10}, kWalkInks[walk]);
      at += 22 +
            canvas_.text(at + 20, kCurveBox.bottom() + 44,
                         std::string(frame::kLessonWalkTitles[walk]) + ": " +
                             fixed_text(found->points.front().ns[walk].median, 2) + " ns, then " +
                             fixed_text(found->points.back().ns[walk].median, 2) + " ns",
                         {15, kCardText}) +
            22;
    }
  }

  template <class X>
  void caches(const LessonMeasurement& found, const X& x, double first, double last) {
    for (const frame::LessonCache& cache : found.caches) {
      const double objects = static_cast<double>(cache.bytes) / static_cast<double>(found.object_bytes);
      if (objects < first || objects > last) continue;
      const double at = x(objects);
      const double dashes[] = {5, 4};
      cairo_set_dash(canvas_.cairo(), dashes, 2, 0);
      canvas_.line(at, kCurveBox.y, at, kCurveBox.bottom(), kCardAccent, 0.8);
      cairo_set_dash(canvas_.cairo(), dashes, 0, 0);
      const u64 kib = cache.bytes >> 10;
      const std::string words =
          cache.name + " full, " +
          (kib < 1'024 ? std::to_string(kib) + " KiB" : std::to_string(kib >> 10) + " MiB");
      const bool right = at > kCurveBox.right() - 150;
      canvas_.text(at + (right ? -6 : 6), kCurveBox.y + 18, words, {14, kCardAccent},
                   right ? Align::Right : Align::Left);
    }
    if (found.caches.empty())
      canvas_.text(kCurveBox.x + 10, kCurveBox.y + 20, "cache sizes are not known", {14, kCardYellow});
  }

  template <class X, class Y>
  void lines(const LessonMeasurement& found, const X& x, const Y& y) {
    cairo_t* cairo = canvas_.cairo();
    for (std::size_t walk = 0; walk < frame::kLessonWalkCount; ++walk) {
      const Colour& ink = kWalkInks[walk];
      cairo_set_source_rgba(cairo, ink.r, ink.g, ink.b, 1);
      cairo_set_line_width(cairo, 2.4);
      for (std::size_t i = 0; i < found.points.size(); ++i) {
        const double at = x(static_cast<double>(found.points[i].objects)),
                     ns = y(found.points[i].ns[walk].median);
        i == 0 ? cairo_move_to(cairo, at, ns) : cairo_line_to(cairo, at, ns);
      }
      cairo_stroke(cairo);
      for (const frame::LessonWalkPoint& point : found.points) {
        const double at = x(static_cast<double>(point.objects));
        canvas_.line(at, y(point.ns[walk].low), at, y(point.ns[walk].high), ink, 0.7);
        mark(at, y(point.ns[walk].median), walk);
      }
    }
  }

  /// A disc, a square or a triangle: colour is not all.
  void mark(double x, double y, std::size_t walk) {
    cairo_t* cairo = canvas_.cairo();
    const Colour& ink = kWalkInks[walk];
    constexpr double kRadius = 4;
    if (walk == 0) cairo_arc(cairo, x, y, kRadius, 0, 6.2832);
    if (walk == 1) cairo_rectangle(cairo, x - kRadius, y - kRadius, 2 * kRadius, 2 * kRadius);
    if (walk == 2) {
      cairo_move_to(cairo, x - kRadius, y + kRadius);
      cairo_line_to(cairo, x + kRadius, y + kRadius);
      cairo_line_to(cairo, x, y - kRadius * 1.3);
      cairo_close_path(cairo);
    }
    cairo_set_source_rgba(cairo, ink.r, ink.g, ink.b, 1);
    cairo_fill(cairo);
  }

  void bet_row(double y, LessonMeasure bet, const LessonMeasurement* found) {
    canvas_.text(kSide, y, frame::kLessonMeasures[static_cast<std::size_t>(bet)].title,
                 {18, kCardText, 1, true}, Align::Left, 400);
    const Rect box{460, y - 17, 330, 26};
    const auto x = [&](double ratio) {
      const double share = std::log(ratio) / std::log(frame::kRatioReach);
      return box.x + box.w * 0.5 * (1 + std::clamp(share, -1.0, 1.0));
    };
    canvas_.panel(box);
    canvas_.fill({box.x, box.y, x(1) - box.x, box.h}, kCardGreen, 0.12);
    canvas_.fill({x(1), box.y, box.right() - x(1), box.h}, kCardRed, 0.12);
    canvas_.line(x(1), box.y, x(1), box.bottom(), kCardFaint, 0.8);
    if (found == nullptr || !found->has_ratio()) {
      canvas_.text(820, y, "not measured", {18, kCardFaint});
      return;
    }
    const Colour ink = frame::bet_range(*found) != frame::kNoRange ? kCardAccent : kCardFaint;
    if (found->control > 0 && std::isfinite(found->control)) {
      const double from = x(1 / (1 + found->control));
      canvas_.fill({from, box.y, x(1 + found->control) - from, box.h}, kCardFaint, 0.35);
    }
    canvas_.fill({x(found->low), y - 8, std::max(2.0, x(found->high) - x(found->low)), 8}, ink);
    canvas_.fill({x(found->ratio) - 1.5, y - 13, 3, 18}, kCardText);  // hides no narrow interval
    canvas_.text(820, y,
                 fixed_text(found->ratio, 2) + "× (" + fixed_text(found->low, 2) + " to " +
                     fixed_text(found->high, 2) + ")",
                 {18, kCardText, 1, true});
    canvas_.text(820, y + 20,
                 std::string(frame::bet_words(frame::bet_verdict(*found))) + ", " +
                     std::to_string(found->quads) + " × 4 runs",
                 {14, kCardFaint}, Align::Left, kLearnCardWidth - kSide - 820);
    if (!found->noise.empty())
      canvas_.text(kSide, y + 20, "noisy: " + found->noise, {14, kCardYellow}, Align::Left, 400);
  }

  void foot() {
    const LessonMeasurement* any = nullptr;
    std::string methods = "Runs of a bet: four in the order A B B A, in one process, without drawing";
    for (const auto& found : results_) {
      if (any == nullptr) any = found.get();
    }
    if (any == nullptr) return;
    if (const LessonMeasurement* const walks = of(LessonMeasure::Walks); walks != nullptr)
      methods = "Times for each object: " + walks->method + ". " + methods;
    const TextStyle small{14, kCardFaint};
    const double y = wrapped(canvas_, 690, any->machine + " · " + any->build + " · " + any->date, small, 20);
    wrapped(canvas_, y, methods, small, 20);
  }

  const frame::LessonResults& results_;
  Canvas canvas_;
};

}  // namespace

std::string draw_learn_card(const frame::LessonResults& results, const std::string& path) {
  return LearnCard(results).draw(path);
}

}  // namespace spellpool::measure
