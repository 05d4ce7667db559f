#include "measure/report/card.hpp"

#include <algorithm>
#include <cmath>

#include "core/rng.hpp"
#include "measure/record/number_text.hpp"
#include "measure/report/card_canvas.hpp"
#include "measure/report/card_graph.hpp"

namespace spellpool::measure {
namespace {

constexpr Colour kText = rgb(238, 241, 250);
constexpr Colour kFaint = rgb(128, 137, 168);
constexpr Colour kRed = rgb(255, 99, 97);
constexpr Colour kInk = rgb(10, 11, 20);
/// The panels' colours in ui/, in the order of frame::Phase. A number stands beside each.
constexpr std::array<Colour, frame::kPhaseCount> kPhaseColours = {
    rgb(190, 140, 78), rgb(70, 140, 132), rgb(176, 96, 104), rgb(140, 104, 160),
    rgb(74, 104, 160), rgb(142, 150, 96), rgb(84, 88, 108)};

// The 12 px grid.
constexpr double kGap = 12;
constexpr Rect kTitle{24, 24, 1552, 80};
constexpr Rect kGraphA{24, 116, 1020, 252};
constexpr Rect kGraphB{24, 380, 1020, 252};
constexpr Rect kRatio{24, 644, 1020, 144};
constexpr Rect kTable{1056, 116, 520, 312};
constexpr Rect kPhases{1056, 440, 520, 348};
constexpr Rect kFooter{24, 800, 1552, 76};

struct TimeUnit {
  std::string_view name;
  double us;
  int decimals;
};
/// µs below a millisecond, ms above; enough decimals for three digits or more.
TimeUnit unit_for(double us) {
  if (!(us >= 1000.0)) return {"µs", 1.0, us < 10.0 ? 2 : 1};
  return {"ms", 1000.0, us < 100'000.0 ? 2 : 1};
}

std::string lower_first(std::string_view title) {
  std::string text(title);
  const bool one_capital = text.size() > 1 && text[1] >= 'a' && text[1] <= 'z';
  if (one_capital && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

class Card {
 public:
  Card(const Comparison& comparison, double scale)
      : c_(comparison),
        same_(c_.plan.strategies[0] == c_.plan.strategies[1]),
        in_place_(c_.plan.method == Method::InPlace),
        canvas_(kCardWidth, kCardHeight, scale) {}

  std::string draw(const std::string& path) {
    background();
    title();
    // Both graphs have the scale of the slower arm.
    TimeSpread spread;
    for (const ArmResult& arm : c_.arms) {
      const TimeSpread slowest = spread_of(arm.step_max_us), middle = spread_of(arm.step_median_us);
      spread.longest_us = std::max(spread.longest_us, slowest.longest_us);
      spread.usual_us = std::max(spread.usual_us, slowest.usual_us);
      spread.typical_us = std::max(spread.typical_us, middle.typical_us);
    }
    const TimeScale scale = choose_scale(spread);
    graph(0, kGraphA, scale);
    graph(1, kGraphB, scale);
    ratio();
    table();
    phases();
    footer();
    return canvas_.save(path);
  }

 private:
  const pool::StrategyRow& strategy(std::size_t arm) const { return pool::row(c_.plan.strategies[arm]); }
  Colour colour(std::size_t arm) const { return rgb(strategy(arm).r, strategy(arm).g, strategy(arm).b); }
  static Pattern pattern_of(std::size_t arm) { return arm == 0 ? Pattern::Diagonal : Pattern::Dots; }
  std::string letter(std::size_t arm) const {
    return std::string(1, same_ ? (arm == 0 ? 'A' : 'B') : strategy(arm).letter);
  }
  std::string name(std::size_t arm) const {
    return same_ ? arm_title(c_.plan, arm) + " (" + letter(arm) + ")" : arm_title(c_.plan, arm);
  }

  void background() {
    cairo_t* cairo = canvas_.cairo();
    cairo_pattern_t* night = cairo_pattern_create_linear(0, 0, 0, kCardHeight);
    cairo_pattern_add_color_stop_rgb(night, 0, 0.066, 0.070, 0.150);
    cairo_pattern_add_color_stop_rgb(night, 0.6, 0.036, 0.040, 0.090);
    cairo_pattern_add_color_stop_rgb(night, 1, 0.016, 0.018, 0.044);
    cairo_set_source(cairo, night);
    cairo_paint(cairo);
    cairo_pattern_destroy(night);
    // Each arm's light from its side, and a little dust.
    for (std::size_t arm = 0; arm < 2; ++arm) {
      const double x = arm == 0 ? 220 : 1420, y = arm == 0 ? 40 : 840;
      cairo_pattern_t* glow = cairo_pattern_create_radial(x, y, 0, x, y, 760);
      const Colour light = colour(arm);
      cairo_pattern_add_color_stop_rgba(glow, 0, light.r, light.g, light.b, 0.11);
      cairo_pattern_add_color_stop_rgba(glow, 1, light.r, light.g, light.b, 0);
      cairo_set_source(cairo, glow);
      cairo_paint(cairo);
      cairo_pattern_destroy(glow);
    }
    Rng rng{7};
    for (int i = 0; i < 170; ++i) {
      const double x = static_cast<double>(rng.unit()) * kCardWidth;
      const double y = static_cast<double>(rng.unit()) * kCardHeight;
      const double size = 0.5 + static_cast<double>(rng.unit());
      const double light = 0.10 + 0.35 * static_cast<double>(rng.unit());
      cairo_arc(cairo, x, y, size, 0, 6.2832);
      cairo_set_source_rgba(cairo, 0.85, 0.88, 1.0, light);
      cairo_fill(cairo);
    }
  }

  void title() {
    std::string reason = c_.environment.comparable() ? "" : c_.environment.why_not_comparable();
    const bool whole = c_.state == ComparisonState::Done;
    double room = kTitle.w;
    if (!reason.empty() || !whole) {
      if (!whole) {
        const std::size_t planned = std::size_t{c_.plan.quads} * 4, done = c_.arms[0].blocks + c_.arms[1].blocks;
        if (!reason.empty()) reason += ", ";
        reason += "ended after " + std::to_string(done) + " of " + std::to_string(planned) + " blocks";
      }
      room -= stamp(c_.environment.comparable() ? "INCOMPLETE" : "NOT COMPARABLE", reason) + 36;
    }
    const Headline headline = headline_of();
    const TextStyle first{28, headline.warns ? kRed : kText, 1, true, false}, second{19, kText};
    canvas_.text(kTitle.x, kTitle.y + 28, headline.first, first, Align::Left, room);
    canvas_.text(kTitle.x, kTitle.y + 54, headline.second, second, Align::Left, room);
    const u64 step_count = in_place_ ? c_.arms[0].figures.frame.frames : c_.plan.steps;
    std::string line = in_place_ ? "Quick A/B: " : "";
    line += same_ ? std::string(strategy(0).title) + " against itself, a control" : arms_text();
    line += " · scene " + c_.plan.scene;
    if (c_.plan.preset != "NA" && c_.plan.preset != "default") line += ", preset " + c_.plan.preset;
    line += ", same " + grouped_text(static_cast<double>(step_count), 0) + (step_count == 1 ? " step" : " steps");
    line += c_.plan.sim_only ? " · simulation only, nothing drawn" : " · one step per frame, no cap";
    line += " · " + std::to_string(c_.arms[0].blocks + c_.arms[1].blocks) +
            (in_place_ ? " blocks in the running window, two worlds in turns ABBA BAAB"
                       : " blocks, each a fresh process, in turns ABBA BAAB");
    if (c_.plan.capacity > 0) line += " · capacity " + grouped_text(c_.plan.capacity, 0);
    canvas_.text(kTitle.x, kTitle.y + 77, line, {15, kMuted}, Align::Left, room);
  }

  std::string arms_text() const { return arm_title(c_.plan, 0) + " and " + lower_first(arm_title(c_.plan, 1)); }

  struct Headline {
    std::string first, second;
    bool warns = false;
  };
  /// The findings in words, the warning before them.
  Headline headline_of() const {
    Headline headline;
    std::vector<std::string> lines;
    bool differs = false;
    for (const TimedPart part : shown_parts(c_)) {
      lines.push_back(std::string(part_title(c_, part)) + ": " + part_sentence(c_, part));
      differs = differs || outcome_of(c_, part) == Outcome::Faster || outcome_of(c_, part) == Outcome::Slower;
    }
    const Outcome whole = outcome_of(c_, TimedPart::WholeFrame);
    headline.warns = whole == Outcome::TooNoisy;
    if (differs) {
      headline.first = lines[0];
      if (lines.size() > 1) headline.second = lines[1];
    } else {
      headline.first = whole == Outcome::Unknown ? arms_text() : plain_headline(c_);
      for (const std::string& line : lines) headline.second += (headline.second.empty() ? "" : " · ") + line;
    }
    return headline;
  }

  /// Right of the title, a little askew. Returns its width.
  double stamp(std::string_view words, std::string_view reason) {
    const TextStyle large{26, kRed, 1, true}, small{14, kRed};
    const double width =
        std::clamp(std::max(canvas_.text_width(words, large), canvas_.text_width(reason, small)) + 32, 200.0, 440.0);
    cairo_t* cairo = canvas_.cairo();
    cairo_save(cairo);
    cairo_translate(cairo, kTitle.right() - width / 2 - 8, kTitle.y + 38);
    cairo_rotate(cairo, -0.035);
    const Rect box{-width / 2, -32, width, 64};
    canvas_.rounded(box, 6);
    cairo_set_source_rgba(cairo, kRed.r, kRed.g, kRed.b, 0.10);
    cairo_fill_preserve(cairo);
    cairo_set_source_rgba(cairo, kRed.r, kRed.g, kRed.b, 0.95);
    cairo_set_line_width(cairo, 2.5);
    cairo_stroke(cairo);
    canvas_.text(0, -1, words, large, Align::Centre, width - 24);
    canvas_.text(0, 20, reason, small, Align::Centre, width - 24);
    cairo_restore(cairo);
    return width;
  }

  /// A square of the arm's colour and pattern with its letter; x, y is its top left.
  void chip(std::size_t arm, double x, double y, double size) {
    cairo_t* cairo = canvas_.cairo();
    const Rect box{x, y, size, size};
    const Colour fill = colour(arm);
    cairo_save(cairo);
    canvas_.rounded(box, 4);
    cairo_clip(cairo);
    canvas_.fill(box, fill);
    canvas_.pattern(box, pattern_of(arm), kInk, 0.22);
    cairo_restore(cairo);
    canvas_.text(x + size / 2, y + size * 0.76, letter(arm), {size * 0.72, kInk, 1, true}, Align::Centre);
  }

  void graph(std::size_t arm, const Rect& panel, const TimeScale& scale) {
    const ArmResult& a = c_.arms[arm];
    canvas_.panel(panel);
    chip(arm, panel.x + kGap, panel.y + kGap, 22);
    const double title_width =
        canvas_.text(panel.x + 44, panel.y + 30, name(arm), {18, kText, 1, true}, Align::Left, 420);
    std::string note = "frame time at each step: bright, the median of " + std::to_string(a.blocks) +
                       (a.blocks == 1 ? " block" : " blocks") + "; pale, the slowest";
    if (in_place_)
      note = "frame time at each measured step, " + std::to_string(a.blocks) + (a.blocks == 1 ? " block" : " blocks");
    if (scale.square_root) note += " · square-root scale";
    canvas_.text(panel.right() - 16, panel.y + 29, note, {13, kMuted}, Align::Right, panel.w - title_width - 96);
    canvas_.text(panel.right() - 16, panel.y + 46, beyond_text(a.step_max_us, scale, "step"), {13, colour(arm)},
                 Align::Right, panel.w - 92);

    const Rect plot{panel.x + 76, panel.y + 60, panel.w - 92, panel.h - 90};
    draw_graph(canvas_, plot, scale, a.step_median_us, a.step_max_us, {colour(arm), pattern_of(arm)});
    const TextStyle small{12, kMuted};
    const auto steps = static_cast<double>(a.step_median_us.size());
    const double left_end = plot.x + canvas_.text(plot.x, plot.bottom() + 18, "step 1", small);
    const std::string last = grouped_text(steps, 0);
    const double right_start = plot.right() - canvas_.text(plot.right(), plot.bottom() + 18, last, small, Align::Right);
    for (int quarter = 1; quarter < 4; ++quarter) {
      const double share = quarter / 4.0;
      if (steps < 8) break;
      const std::string text = grouped_text(std::round(steps * share), 0);
      const double x = plot.x + plot.w * share, half = canvas_.text_width(text, small) / 2;
      if (x - half < left_end + 8 || x + half > right_start - 8) continue;
      canvas_.text(x, plot.bottom() + 18, text, small, Align::Centre);
    }
  }

  /// One row: label, a number for each arm right-aligned, its unit beside it.
  void row(double y, std::string_view label, std::string_view a, std::string_view b, std::string_view unit,
           double size_px, double label_x) {
    const double unit_width = 32, right_a = kTable.right() - 176, right_b = kTable.right() - 52;
    const double left = std::min(right_a - canvas_.text_width(a, {size_px, kText}), right_a - 60);
    canvas_.text(label_x, y, label, {size_px, kMuted}, Align::Left, left - label_x - 8);
    canvas_.text(right_a, y, a, {size_px, kText}, Align::Right, 110);
    canvas_.text(right_b, y, b, {size_px, kText}, Align::Right, 110 - unit_width + 24);
    if (a != "n/a") canvas_.text(right_a + 5, y, unit, {size_px * 0.8, kFaint}, Align::Left, unit_width);
    if (b != "n/a") canvas_.text(right_b + 5, y, unit, {size_px * 0.8, kFaint}, Align::Left, unit_width);
  }

  void column_heads(double y) {
    for (std::size_t arm = 0; arm < 2; ++arm) {
      const double right = arm == 0 ? kTable.right() - 176 : kTable.right() - 52;
      chip(arm, right - 20, y, 20);
    }
  }

  void table() {
    canvas_.panel(kTable);
    const double x = kTable.x + 16;
    canvas_.text(x, kTable.y + 30, "Frame times", {18, kText, 1, true});
    column_heads(kTable.y + 14);
    const frame::FrameFigures &a = c_.arms[0].figures.frame, &b = c_.arms[1].figures.frame;
    const TimeUnit time = unit_for(std::max(a.median_us, b.median_us));
    const auto us = [&](double value) { return grouped_text(value / time.us, time.decimals); };
    // As many decimals for both arms as the larger one needs.
    const auto pair = [](double first, double second) {
      const double larger = std::max(std::abs(first), std::abs(second));
      return larger < 1000.0 ? 1 : 0;
    };
    double y = kTable.y + 64;
    constexpr double kStep = 29;
    const auto next = [&](std::string_view label, const std::string& left, const std::string& right,
                          std::string_view unit) {
      if (y > kTable.y + 64) canvas_.line(x, y - 20.5, kTable.right() - 16, y - 20.5, kRule, 0.12);
      row(y, label, left, right, unit, 16, x);
      y += kStep;
    };
    next("median", us(a.median_us), us(b.median_us), time.name);
    next("95 % are below (p95)", us(a.p95_us), us(b.p95_us), time.name);
    next("99 % are below (p99)", us(a.p99_us), us(b.p99_us), time.name);
    const int fps = pair(a.average_fps, b.average_fps);
    next("average", grouped_text(a.average_fps, fps), grouped_text(b.average_fps, fps), "FPS");
    const int low = pair(a.low_1_percent_fps, b.low_1_percent_fps);
    next("1 % low, average kind", grouped_text(a.low_1_percent_fps, low), grouped_text(b.low_1_percent_fps, low),
         "FPS");
    next("allocations a frame", grouped_text(a.allocations_per_frame, 1), grouped_text(b.allocations_per_frame, 1), "");
    next("spikes", grouped_text(static_cast<double>(a.spikes), 0), grouped_text(static_cast<double>(b.spikes), 0), "");
    const TextStyle note{12, kFaint};
    const double room = kTable.w - 32;
    canvas_.text(x, kTable.bottom() - 30, "average: frames / time · 1 % low: 1 / mean of the frames at or above p99",
                 note, Align::Left, room);
    canvas_.text(x, kTable.bottom() - 13, "spike: above 2 × the median of the 60 before and median + 6 MAD", note,
                 Align::Left, room);
  }

  /// A swatch with the phase's number.
  void phase_mark(const Rect& box, std::size_t phase) {
    canvas_.fill(box, kPhaseColours[phase]);
    const std::string number = std::to_string(phase + 1);
    if (box.w >= 12)
      canvas_.text(box.x + box.w / 2, box.y + box.h / 2 + 4.5, number, {12, kText, 1, true}, Align::Centre);
  }

  void phases() {
    canvas_.panel(kPhases);
    const double x = kPhases.x + 16;
    canvas_.text(x, kPhases.y + 30, "Where the time goes", {18, kText, 1, true});
    canvas_.text(kPhases.right() - 16, kPhases.y + 29, "median of each phase", {13, kMuted}, Align::Right);
    std::array<double, 2> total{};
    double longest = 0;
    for (std::size_t arm = 0; arm < 2; ++arm) {
      for (const PhaseFigures& phase : c_.arms[arm].figures.phases) {
        if (!std::isfinite(phase.median_us)) continue;
        total[arm] += phase.median_us;
      }
      longest = std::max(longest, total[arm]);
    }
    for (std::size_t arm = 0; arm < 2; ++arm) {
      const double top = kPhases.y + 46 + 32 * static_cast<double>(arm);
      chip(arm, x, top, 24);
      const double bar_x = x + 34, room = kPhases.w - 66;
      canvas_.fill({bar_x, top, room, 24}, kRule, 0.08);
      double at = bar_x;
      for (std::size_t phase = 0; phase < frame::kPhaseCount && longest > 0; ++phase) {
        const double us = c_.arms[arm].figures.phases[phase].median_us;
        if (!(us > 0)) continue;
        const double width = room * us / longest;
        phase_mark({at, top, width, 24}, phase);
        at += width;
        if (width > 2) canvas_.line(at - 0.5, top, at - 0.5, top + 24, kInk, 0.8);
      }
    }
    column_heads(kPhases.y + 114);
    double y = kPhases.y + 160;
    for (std::size_t phase = 0; phase < frame::kPhaseCount; ++phase) {
      phase_mark({x, y - 14, 18, 18}, phase);
      // Each row in its own unit: a phase of 4 µs beside one of 40 ms is still to be read.
      const TimeUnit time =
          unit_for(std::max(c_.arms[0].figures.phases[phase].median_us, c_.arms[1].figures.phases[phase].median_us));
      const auto us = [&](std::size_t arm) {
        return grouped_text(c_.arms[arm].figures.phases[phase].median_us / time.us, time.decimals);
      };
      row(y, frame::kPhaseNames[phase], us(0), us(1), time.name, 15, x + 30);
      y += 27.5;
    }
  }

  /// What the card says beside a ratio.
  std::string outcome_text(TimedPart part) const {
    switch (outcome_of(c_, part)) {
      case Outcome::Unknown:
        return c_.plan.different_work ? "Different work: no verdict on speed" : "An indication, not a verdict";
      case Outcome::TooNoisy: return "Too noisy to decide";
      case Outcome::None: return "No difference found";
      case Outcome::Faster:
      case Outcome::Slower: break;
    }
    const bool verdict = !in_place_ && c_.of(part).effect.quads >= kLeastQuadsForVerdict && c_.environment.comparable();
    std::string text = letter(1);
    text += outcome_of(c_, part) == Outcome::Faster ? " is faster here" : " is slower here";
    return verdict ? text : text + ": an indication";
  }

  /// A row for each of the times that are judged; all rows have one scale.
  void ratio() {
    canvas_.panel(kRatio);
    const double x = kRatio.x + 16;
    const std::vector<TimedPart> parts = shown_parts(c_);
    const bool two = parts.size() > 1;
    canvas_.text(x, kRatio.y + 22, "Time of " + lower_first(name(1)) + " / " + lower_first(name(0)),
                 {15, kText, 1, true}, Align::Left, 450);
    const double row_h = two ? 46 : 92;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const TimeEffect& found = c_.of(parts[i]);
      const BootstrapInterval& effect = found.effect;
      const bool interval = std::isfinite(effect.low);
      const double y = kRatio.y + 30 + row_h * static_cast<double>(i);
      const double width = canvas_.text(x, y + (two ? 30 : 54), fixed_text(std::exp(effect.point), 3),
                                        {two ? 30.0 : 46.0, kText, 1, true, false});
      const double bx = x + width + 14, bw = 452 - width - 14;
      canvas_.text(bx, y + (two ? 16 : 36), std::string(part_title(c_, parts[i])) + ": " + outcome_text(parts[i]),
                   {14, rgb(174, 160, 255), 1, true}, Align::Left, bw);
      canvas_.text(bx, y + (two ? 34 : 56),
                   interval ? "95 % interval " + fixed_text(std::exp(effect.low), 3) + " to " +
                                  fixed_text(std::exp(effect.high), 3)
                            : "no interval: it needs 6 whole quads",
                   {14, kMuted}, Align::Left, bw);
    }
    const TimeEffect& whole = c_.whole;
    std::string basis = std::to_string(whole.effect.quads) + (whole.effect.quads == 1 ? " quad" : " quads");
    if (std::isfinite(whole.effect.low) && std::isfinite(whole.control.low)) {
      basis += in_place_ ? ", bootstrap · order alone" : ", bootstrap · A against A";
      for (const TimedPart part : parts) {
        const BootstrapInterval& control = c_.of(part).control;
        basis += (part == parts[0] ? " " : "; ") + fixed_text(std::exp(control.low), 3) + " to " +
                 fixed_text(std::exp(control.high), 3);
      }
    } else {
      basis += " of 4 blocks · median over quads, bootstrap over quads";
    }
    canvas_.text(x, kRatio.y + 134, basis, {12, kFaint}, Align::Left, 452);
    if (!std::isfinite(whole.effect.point)) return;
    const Rect plot{kRatio.x + 480, kRatio.y + 16, kRatio.w - 508, kRatio.h - 50};
    double reach = 0.002;
    for (const TimedPart part : parts) {
      for (const double r : c_.of(part).quad_effects) reach = std::max(reach, std::abs(r));
    }
    reach *= 1.15;
    canvas_.fill(plot, rgb(6, 8, 18), 0.6);
    const double h = plot.h / static_cast<double>(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      effect_plot({plot.x, plot.y + h * static_cast<double>(i), plot.w, h}, c_.of(parts[i]), reach);
    }
    const TextStyle small{12, kMuted};
    canvas_.text(plot.x + plot.w / 2, plot.bottom() + 17, "1, the same", small, Align::Centre);
    canvas_.text(plot.x, plot.bottom() + 17, fixed_text(std::exp(-reach), 3) + "  ← " + letter(1) + " took less time",
                 small);
    std::string first_wins(letter(0));
    first_wins.append(" took less time →  ").append(fixed_text(std::exp(reach), 3));
    canvas_.text(plot.right(), plot.bottom() + 17, first_wins, small, Align::Right);
  }

  /// Every quad as a dot, the interval as a bar, the median as a diamond, and the line at 1.
  void effect_plot(const Rect& plot, const TimeEffect& found, double reach) {
    cairo_t* cairo = canvas_.cairo();
    const BootstrapInterval& effect = found.effect;
    const auto x_of = [&](double r) { return plot.x + plot.w * (0.5 + 0.5 * r / reach); };
    const double middle = plot.y + plot.h * 0.5;
    canvas_.line(x_of(0), plot.y, x_of(0), plot.bottom(), kText, 0.7, 1.2);
    if (std::isfinite(effect.low)) {
      const Rect bar{x_of(effect.low), middle - 9, std::max(2.0, x_of(effect.high) - x_of(effect.low)), 18};
      canvas_.fill(bar, rgb(174, 160, 255), 0.34);
      canvas_.line(bar.x, bar.y - 3, bar.x, bar.bottom() + 3, rgb(174, 160, 255), 1, 1.5);
      canvas_.line(bar.right(), bar.y - 3, bar.right(), bar.bottom() + 3, rgb(174, 160, 255), 1, 1.5);
    }
    for (std::size_t i = 0; i < found.quad_effects.size(); ++i) {
      // Spread over the height in the order of the run, so that dots do not hide each other.
      const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(found.quad_effects.size());
      cairo_arc(cairo, x_of(found.quad_effects[i]), plot.y + 6 + (plot.h - 12) * share, 3.2, 0, 6.2832);
      cairo_set_source_rgba(cairo, kText.r, kText.g, kText.b, 0.62);
      cairo_fill(cairo);
    }
    const double px = x_of(effect.point);
    cairo_move_to(cairo, px, middle - 12);
    cairo_line_to(cairo, px + 8, middle);
    cairo_line_to(cairo, px, middle + 12);
    cairo_line_to(cairo, px - 8, middle);
    cairo_close_path(cairo);
    cairo_set_source_rgb(cairo, 0.68, 0.63, 1.0);
    cairo_fill_preserve(cairo);
    cairo_set_source_rgb(cairo, kInk.r, kInk.g, kInk.b);
    cairo_set_line_width(cairo, 1.5);
    cairo_stroke(cairo);
  }

  void footer() {
    canvas_.panel(kFooter);
    const Environment& e = c_.environment;
    std::string machine;
    const auto add = [](std::string& line, const std::string& text) {
      if (text.empty() || text == "NA") return;
      line += (line.empty() ? "" : " · ") + text;
    };
    add(machine, e.build_type == "NA" ? "build type not known" : e.build_type + " build");
    add(machine, e.compiler);
    add(machine, e.allocator);
    const TextStyle style{14, kMuted};
    add(machine, canvas_.elided(e.cpu, style, 420) + (e.cpus > 0 ? " (" + std::to_string(e.cpus) + " CPUs)" : ""));
    add(machine, "renderer " + canvas_.elided(e.renderer == "NA" ? "not known" : e.renderer, style, 420));
    add(machine, e.os);
    std::string run = "seed " + std::to_string(c_.plan.seed);
    if (e.version != "NA") add(run, "Spellpool " + e.version);
    add(run, e.date);
    add(run, e.command_line);
    constexpr double kEqual = 250;
    const double x = kFooter.x + 16, room = kFooter.w - kEqual - 56;
    canvas_.text(x, kFooter.y + 31, machine, style, Align::Left, room);
    canvas_.text(x, kFooter.y + 56, run, style, Align::Left, room);
    const double ex = kFooter.right() - kEqual;
    canvas_.line(ex - 20, kFooter.y + 14, ex - 20, kFooter.bottom() - 14, kRule, 0.25);
    canvas_.tick_mark(ex, kFooter.y + 32, 18, kGreen);
    canvas_.text(ex + 24, kFooter.y + 31, in_place_ ? "work equal, block by block" : "work equal, hash by hash",
                 {15, kText, 1, true}, Align::Left, kEqual - 36);
    canvas_.text(ex + 24, kFooter.y + 56,
                 grouped_text(static_cast<double>(c_.hashed_steps), 0) + " steps · " + hash_text(c_.final_hash),
                 {13, kMuted}, Align::Left, kEqual - 36);
  }

  const Comparison& c_;
  const bool same_, in_place_;
  Canvas canvas_;
};

}  // namespace

std::string draw_card(const Comparison& comparison, const std::string& path, double scale) {
  return Card(comparison, scale).draw(path);
}

}  // namespace spellpool::measure
