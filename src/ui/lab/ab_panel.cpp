#include <algorithm>
#include <cmath>

#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::QuickAbView;

class AbCard {
 public:
  AbCard(const frame::PanelModel& model, frame::PanelRequests& requests) : model_(model), requests_(requests) {}

  float head(const Pen& pen, const Rect& column) const {
    const float y = column.y0;
    if (panel_header(pen, {column.x0, y, column.x1, y + pen.px(24)}, "Quick A/B: the same play under both strategies",
                     key_label(model_, Action::Quit), ClosePanel::AbCard)) {
      requests_.close_ab_card = true;
    }
    return y + pen.px(24) + pen.px(10);
  }

  float run(const Pen& pen, const Rect& column) const {
    const QuickAbView& ab = model_.ab;
    float y = column.y0;
    // What was found first: it is what one came for. A warning stands above all figures.
    const bool differs = ab.simulation.differs() || ab.whole_frame.differs(), warns = too_noisy();
    if (!differs) {
      y = wrapped(pen, Cut::Large, column, y, warns ? kYellow : kText,
                  ab.verdict.empty() ? std::string_view("No verdict.") : ab.verdict) +
          pen.px(6);
      if (!ab.advice.empty()) y = wrapped(pen, Cut::Body, column, y, kText, ab.advice) + pen.px(6);
      y += pen.px(4);
    }
    for (const QuickAbView::Line* line : {&ab.simulation, &ab.whole_frame}) {
      if (!line->shown) continue;
      y = wrapped(pen, differs ? Cut::Large : Cut::Body, column, y, warns ? kMuted : kText, line->sentence) + pen.px(6);
      y = arms(pen, column, y, *line) + pen.px(4);
      y = interval(pen, column, y, *line) + pen.px(10);
    }
    pen.fill({column.x0, y, column.x1, y + 1}, kRule);
    y += pen.px(8);
    const Line<160> work = ab.equal_work
                               ? Line<160>("Equal work: %s steps under both, with equal hashes after every stretch.",
                                           count_text(ab.steps).c_str())
                               : Line<160>("The two did not do the same work: the times cannot be compared.");
    y = sign_line(pen, column, y, ab.equal_work, work) + pen.px(4);
    if (ab.frames > 0)
      y = wrapped(
              pen, Cut::Small, column, y, kMuted,
              Line<160>("%s frames were measured. p99 of the whole frame: %s ms and %s ms.",
                        count_text(ab.frames).c_str(), ms_text(ab.p99_a_us).c_str(), ms_text(ab.p99_b_us).c_str())) +
          pen.px(2);
    if (!ab.conditions.empty()) y = wrapped(pen, Cut::Small, column, y, kMuted, ab.conditions) + pen.px(2);
    if (!ab.folder.empty()) {
      const Line<512> folder("Files: %.*s", static_cast<int>(std::min<std::size_t>(ab.folder.size(), 480)),
                             ab.folder.data());
      y = wrapped(pen, Cut::Small, column, y, kMuted, folder);
    }
    y += pen.px(12);
    // Where nothing differs, the heavier load is a click away.
    const float space = pen.px(8), high = pen.px(34);
    const bool none = same();
    const float wide = std::floor((column.width() - space * (none ? 2 : 1)) / (none ? 3 : 2));
    float x = column.x0;
    const auto next = [&] {
      const Rect box{x, y, x + wide, y + high};
      x += wide + space;
      return box;
    };
    for (const auto& [action, label] :
         {std::pair{Action::QuickAb, "Again"}, std::pair{Action::SideBySide, "Side by side"}}) {
      if (action == Action::SideBySide && !none) continue;
      if (labelled_button(pen, ControlKind::Ask, static_cast<std::size_t>(action), next(), label,
                          key_label(model_, action), false)) {
        requests_.ask(action);
      }
    }
    if (labelled_button(pen, ControlKind::Close, static_cast<std::size_t>(ClosePanel::AbCard) + 16, next(), "Close",
                        key_label(model_, Action::Quit), true)) {
      requests_.close_ab_card = true;
    }
    return y + high;
  }

 private:
  bool too_noisy() const { return model_.ab.whole_frame.verdict == QuickAbView::Verdict::TooNoisy; }
  /// No line differs, and the machine was quiet enough to say so.
  bool same() const {
    return model_.ab.whole_frame.verdict == QuickAbView::Verdict::None && !model_.ab.simulation.differs();
  }
  static float wrapped(const Pen& pen, Cut cut, const Rect& column, float y, ImU32 colour, std::string_view words) {
    const float room = column.x1 - column.x0;
    pen.text_wrapped(cut, column.x0, y, room, colour, words);
    return y + pen.wrapped_height(cut, words, room);
  }

  static float sign_line(const Pen& pen, const Rect& column, float y, bool good, std::string_view words) {
    const float side = pen.px(16), left = column.x0 + side + pen.px(6), room = column.x1 - left;
    draw_check(pen, column.x0, y + pen.px(1), side, good);
    pen.text_wrapped(Cut::Small, left, y, room, good ? kText : kRed, words);
    return y + std::max(side, pen.wrapped_height(Cut::Small, words, room));
  }

  // A row for each strategy: its sign and title, and its median as a bar against the slower one.
  float arms(const Pen& pen, const Rect& column, float y, const QuickAbView::Line& line) const {
    struct Arm {
      frame::ChoiceRow row;
      double median_us;
    };
    const std::array<Arm, 2> arms = {{{strategy_row(model_, model_.ab.strategy_a), line.median_a_us},
                                      {strategy_row(model_, model_.ab.strategy_b), line.median_b_us}}};
    const double most = std::max({line.median_a_us, line.median_b_us, 1e-9});
    const float high = pen.px(24), side = pen.px(20);
    const float title_x = column.x0 + side + pen.px(8), most_title = std::floor(column.width() * 0.4f);
    float title_wide = 0, time_wide = pen.width(Cut::Strong, "00.00 ms");
    for (const Arm& arm : arms) {
      title_wide = std::max(title_wide, std::min(pen.width(Cut::Small, arm.row.title), most_title));
      time_wide = std::max(time_wide, pen.width(Cut::Strong, Line<32>("%s ms", ms_text(arm.median_us).c_str())));
    }
    for (const Arm& arm : arms) {
      const Rect box{column.x0, y, column.x1, y + high};
      const ImU32 colour = row_colour(arm.row);
      const float top = std::floor(box.middle_y() - side * 0.5f);
      pen.letter_box({box.x0, top, box.x0 + side, top + side}, colour, arm.row.letter);
      pen.text_within(Cut::Small, title_x, pen.centre_y(Cut::Small, box.y0, box.y1), most_title, kText, arm.row.title);
      pen.text_right(Cut::Strong, box.x1, pen.centre_y(Cut::Strong, box.y0, box.y1), kText,
                     Line<32>("%s ms", ms_text(arm.median_us).c_str()));
      const Rect bar{title_x + title_wide + pen.px(10), std::floor(box.middle_y() - pen.px(5)),
                     box.x1 - time_wide - pen.px(12), std::floor(box.middle_y() + pen.px(5))};
      const double share = std::isfinite(arm.median_us) ? std::clamp(arm.median_us / most, 0.0, 1.0) : 0.0;
      if (bar.width() > 0) {
        pen.fill(bar, kControl, pen.px(3));
        pen.fill({bar.x0, bar.y0, bar.x0 + std::floor(bar.width() * static_cast<float>(share)), bar.y1}, colour,
                 pen.px(3));
      }
      y = box.y1 + pen.px(2);
    }
    return y - pen.px(2);
  }

  // How far the scale reaches from 1 on both sides: one scale for both lines.
  double reach() const {
    double reach = 0.02;
    for (const QuickAbView::Line* line : {&model_.ab.simulation, &model_.ab.whole_frame}) {
      if (!line->shown) continue;
      for (const double ratio : {line->ratio, line->low, line->high}) {
        if (std::isfinite(ratio)) reach = std::max(reach, std::fabs(ratio - 1.0));
      }
    }
    return reach * 1.25;
  }

  // The ratio with its interval on a scale on which 1.0 is marked.
  float interval(const Pen& pen, const Rect& column, float y, const QuickAbView::Line& line) const {
    if (!std::isfinite(line.ratio)) return y;
    const bool known = std::isfinite(line.low) && std::isfinite(line.high) && line.low <= line.high;
    const frame::ChoiceRow a = strategy_row(model_, model_.ab.strategy_a),
                           b = strategy_row(model_, model_.ab.strategy_b);
    const std::string_view left = "faster", right = "slower";
    const float pad = pen.px(14), from = column.x0 + pen.width(Cut::Small, left) + pad,
                to = column.x1 - pen.width(Cut::Small, right) - pad, middle = y + pen.px(12),
                reach = static_cast<float>(this->reach());
    if (to - from < pen.px(20)) return y;
    const auto at = [&](double ratio) {
      const float share = (static_cast<float>(ratio) - (1 - reach)) / (2 * reach);
      return std::floor(from + (to - from) * std::clamp(share, 0.0f, 1.0f));
    };
    if (!pen.dry()) {
      const float one = at(1.0), thin = std::max(1.0f, pen.px(1));
      pen.fill({from, middle, to, middle + thin}, kControlEdge);
      pen.fill({one, middle - pen.px(11), one + thin, middle + pen.px(11)}, kText);
      const ImU32 colour = !line.differs() ? kMuted : line.ratio < 1.0 ? row_colour(b) : row_colour(a);
      if (known) {
        const float half = pen.px(4);
        pen.fill({at(line.low), middle - half, std::max(at(line.high), at(line.low) + 2), middle + half + thin},
                 faded(colour, 0.55f), pen.px(3));
        for (const double end : {line.low, line.high})
          pen.fill({at(end), middle - pen.px(7), at(end) + pen.px(2), middle + pen.px(7) + thin}, colour);
      }
      pen.list()->AddCircleFilled(ImVec2(at(line.ratio), middle + thin * 0.5f), pen.px(6), colour, 20);
      pen.list()->AddCircle(ImVec2(at(line.ratio), middle + thin * 0.5f), pen.px(6), kInk, 20);
    }
    const float text_y = pen.centre_y(Cut::Small, middle - pen.px(8), middle + pen.px(8));
    pen.text(Cut::Small, column.x0, text_y, kMuted, left);
    pen.text_right(Cut::Small, column.x1, text_y, kMuted, right);
    return middle + pen.px(12);
  }

  const frame::PanelModel& model_;
  frame::PanelRequests& requests_;
};

}  // namespace

Rect draw_ab_progress(const Rect& free, const frame::PanelModel& model, const Pen& pen) {
  const QuickAbView& ab = model.ab;
  const float pad = pen.px(14), wide = std::min(free.width(), pen.px(460)), room = wide - pad * 2;
  const auto key = [&](Action action) {
    const std::string_view label = key_label(model, action).substr(0, 24);
    return Line<32>("%.*s", static_cast<int>(label.size()), label.data());
  };
  const Line<32> quit = key(Action::Quit), again = key(Action::QuickAb);
  const Line<96> stop = ab.waiting ? Line<96>("%s cancels it, %s starts it anyway", quit.c_str(), again.c_str())
                                   : Line<96>("%s stops it; the game goes on where it was", quit.c_str());
  const float text_high = pen.wrapped_height(Cut::Small, ab.text, room),
              stop_high = pen.wrapped_height(Cut::Small, stop, room);
  const float high = pen.px(12) + pen.line_px(Cut::Strong) + pen.px(6) + text_high + pen.px(9) + pen.px(10) +
                     pen.px(8) + stop_high + pen.px(12);
  const float x0 = std::floor(free.middle_x() - wide * 0.5f);
  const Rect box{x0, free.y0, x0 + wide, std::min(free.y1, free.y0 + high)};
  pen.fill(box, kPanelFill, pen.px(8));
  pen.panel(box);
  float y = box.y0 + pen.px(12);
  const float share = std::isfinite(ab.progress) ? std::clamp(ab.progress, 0.0f, 1.0f) : 0.0f;
  const Line<16> percent("%.0f %%", static_cast<double>(share * 100.0f));
  pen.text_right(Cut::Strong, box.x1 - pad, y, kText, percent);
  pen.text_within(Cut::Strong, box.x0 + pad, y, room - pen.width(Cut::Strong, percent) - pen.px(8), kText, "Quick A/B");
  y += pen.line_px(Cut::Strong) + pen.px(6);
  pen.text_wrapped(Cut::Small, box.x0 + pad, y, room, kMuted, ab.text);
  y += text_high + pen.px(9);
  const Rect bar{box.x0 + pad, y, box.x1 - pad, y + pen.px(10)};
  pen.fill(bar, kControl, pen.px(5));
  if (share > 0)
    pen.fill({bar.x0, bar.y0, bar.x0 + std::max(pen.px(6), bar.width() * share), bar.y1}, kAccent, pen.px(5));
  pen.frame(bar, kControlEdge, pen.px(5));
  y = bar.y1 + pen.px(8);
  pen.text_wrapped(Cut::Small, box.x0 + pad, y, room, kMuted, stop);
  return box;
}

Rect draw_ab_card(const Rect& free, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests) {
  const AbCard card(model, requests);
  return draw_headed_sheet(
      "##ab", free, 560, pen, [&](const Pen& at, const Rect& column) { return card.head(at, column); },
      [&](const Pen& at, const Rect& column) { return card.run(at, column); });
}

}  // namespace spellpool::ui
