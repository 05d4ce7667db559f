#include <algorithm>
#include <cmath>

#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::QuickAbView;

frame::ChoiceRow row_of(const frame::PanelModel& model, u8 strategy) {
  if (strategy < model.strategies.size()) return model.strategies[strategy];
  frame::ChoiceRow unknown;
  unknown.title = "unknown strategy";
  return unknown;
}
ImU32 colour_of(const frame::ChoiceRow& row) { return IM_COL32(row.r, row.g, row.b, 255); }

Line<32> ratio_text(double ratio) { return std::isfinite(ratio) ? Line<32>("%.3f", ratio) : Line<32>("-"); }

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
    // The sentence first: it is what one came for.
    y = wrapped(pen, Cut::Large, column, y, kText, ab.verdict.empty() ? std::string_view("No verdict.") : ab.verdict) +
        pen.px(12);
    y = arms(pen, column, y) + pen.px(14);
    y = interval(pen, column, y) + pen.px(12);
    pen.fill({column.x0, y, column.x1, y + 1}, kRule);
    y += pen.px(8);
    const Line<160> work = ab.equal_work ? Line<160>("Equal work: %s steps under both, with equal hashes after every stretch.",
                                                     count_text(ab.steps).c_str())
                                         : Line<160>("The two did not do the same work: the times cannot be compared.");
    y = sign_line(pen, column, y, ab.equal_work, work) + pen.px(4);
    if (ab.frames > 0)
      y = wrapped(pen, Cut::Small, column, y, kMuted,
                  Line<64>("%s frames were measured.", count_text(ab.frames).c_str())) +
          pen.px(2);
    if (!ab.conditions.empty()) y = wrapped(pen, Cut::Small, column, y, kMuted, ab.conditions) + pen.px(2);
    if (!ab.folder.empty()) {
      const Line<512> folder("Files: %.*s", static_cast<int>(std::min<std::size_t>(ab.folder.size(), 480)),
                             ab.folder.data());
      y = wrapped(pen, Cut::Small, column, y, kMuted, folder);
    }
    y += pen.px(12);
    const float space = pen.px(8), high = pen.px(34), middle = std::floor((column.x0 + column.x1) * 0.5f);
    if (labelled_button(pen, ControlKind::Ask, static_cast<std::size_t>(Action::QuickAb),
                        {column.x0, y, middle - space * 0.5f, y + high}, "Again", key_label(model_, Action::QuickAb),
                        false)) {
      requests_.ask(Action::QuickAb);
    }
    if (labelled_button(pen, ControlKind::Close, static_cast<std::size_t>(ClosePanel::AbCard) + 16,
                        {middle + space * 0.5f, y, column.x1, y + high}, "Close", key_label(model_, Action::Quit),
                        true)) {
      requests_.close_ab_card = true;
    }
    return y + high;
  }

 private:
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

  // A box for each strategy: its sign, its median as a bar against the slower one, its p99.
  float arms(const Pen& pen, const Rect& column, float y) const {
    const QuickAbView& ab = model_.ab;
    struct Arm {
      frame::ChoiceRow row;
      double median_us, p99_us;
    };
    const std::array<Arm, 2> arms = {{{row_of(model_, ab.strategy_a), ab.median_a_us, ab.p99_a_us},
                                      {row_of(model_, ab.strategy_b), ab.median_b_us, ab.p99_b_us}}};
    const double most = std::max({ab.median_a_us, ab.median_b_us, 1e-9});
    const float high = pen.px(50), side = pen.px(24), pad = pen.px(10);
    for (const Arm& arm : arms) {
      const Rect box{column.x0, y, column.x1, y + high};
      const ImU32 colour = colour_of(arm.row);
      pen.fill(box, faded(colour, 0.10f), pen.px(8));
      pen.frame(box, faded(colour, 0.55f), pen.px(8));
      const float top = std::floor(box.middle_y() - side * 0.5f);
      pen.letter_box({box.x0 + pad, top, box.x0 + pad + side, top + side}, colour, arm.row.letter);
      const float left = box.x0 + pad + side + pen.px(10), right = box.x1 - pad;
      const Line<32> median("%s ms", ms_text(arm.median_us).c_str());
      const Line<48> p99("p99 %s ms", ms_text(arm.p99_us).c_str());
      const float p99_x = right,
                  median_x =
                      right - std::max(pen.width(Cut::Small, "p99 00.00 ms"), pen.width(Cut::Small, p99)) - pen.px(18);
      pen.text_right(Cut::Small, p99_x, box.y0 + pen.px(9), kMuted, p99);
      pen.text_right(Cut::Strong, median_x, box.y0 + pen.px(6), kText, median);
      const float title_room = median_x - pen.width(Cut::Strong, median) - pen.px(12) - left;
      pen.text_within(Cut::Strong, left, box.y0 + pen.px(6), title_room, kText, arm.row.title);
      const Rect bar{left, box.y1 - pen.px(15), right, box.y1 - pen.px(9)};
      const double share = std::isfinite(arm.median_us) ? std::clamp(arm.median_us / most, 0.0, 1.0) : 0.0;
      pen.fill(bar, kControl, pen.px(3));
      pen.fill({bar.x0, bar.y0, bar.x0 + std::floor(bar.width() * static_cast<float>(share)), bar.y1}, colour,
               pen.px(3));
      y = box.y1 + pen.px(6);
    }
    return y - pen.px(6);
  }

  // The ratio with its interval on a line on which 1.0 is marked.
  float interval(const Pen& pen, const Rect& column, float y) const {
    const QuickAbView& ab = model_.ab;
    const bool known = std::isfinite(ab.low) && std::isfinite(ab.high) && ab.low <= ab.high;
    const bool same = known && ab.low <= 1.0 && ab.high >= 1.0;
    const frame::ChoiceRow a = row_of(model_, ab.strategy_a), b = row_of(model_, ab.strategy_b);
    const Line<96> what("%.*s over %.*s, block by block", static_cast<int>(std::min<std::size_t>(30, b.title.size())),
                        b.title.data(), static_cast<int>(std::min<std::size_t>(30, a.title.size())), a.title.data());
    const Line<192> words =
        !std::isfinite(ab.ratio) ? Line<192>("%s: not known", what.c_str())
        : known ? Line<192>("%s: %s, 95 %% interval %s to %s", what.c_str(), ratio_text(ab.ratio).c_str(),
                            ratio_text(ab.low).c_str(), ratio_text(ab.high).c_str())
                : Line<192>("%s: %s; too few blocks for an interval", what.c_str(), ratio_text(ab.ratio).c_str());
    y = wrapped(pen, Cut::Small, column, y, kText, words) + pen.px(8);
    if (!std::isfinite(ab.ratio)) return y;
    const double reach = std::max({std::fabs(ab.ratio - 1.0), known ? std::fabs(ab.low - 1.0) : 0.0,
                                   known ? std::fabs(ab.high - 1.0) : 0.0, 0.02}) *
                         1.25;
    const float pad = pen.px(14), from = column.x0 + pad, to = column.x1 - pad, middle = y + pen.px(12);
    const auto at = [&](double ratio) {
      return std::floor(from +
                        (to - from) * static_cast<float>(std::clamp((ratio - (1.0 - reach)) / (2 * reach), 0.0, 1.0)));
    };
    if (!pen.dry()) {
      const float one = at(1.0), thin = std::max(1.0f, pen.px(1));
      pen.fill({from, middle, to, middle + thin}, kControlEdge);
      pen.fill({one, middle - pen.px(11), one + thin, middle + pen.px(11)}, kText);
      const ImU32 colour = same ? kMuted : ab.ratio < 1.0 ? colour_of(b) : colour_of(a);
      if (known) {
        const float half = pen.px(4);
        pen.fill({at(ab.low), middle - half, std::max(at(ab.high), at(ab.low) + 2), middle + half + thin},
                 faded(colour, 0.55f), pen.px(3));
        for (const double end : {ab.low, ab.high})
          pen.fill({at(end), middle - pen.px(7), at(end) + pen.px(2), middle + pen.px(7) + thin}, colour);
      }
      pen.list()->AddCircleFilled(ImVec2(at(ab.ratio), middle + thin * 0.5f), pen.px(6), colour, 20);
      pen.list()->AddCircle(ImVec2(at(ab.ratio), middle + thin * 0.5f), pen.px(6), kInk, 20);
    }
    y = middle + pen.px(14);
    const float line = pen.line_px(Cut::Small);
    const std::string_view left = "faster", right = "slower", equal = same ? "1.0, no difference" : "1.0";
    pen.text(Cut::Small, column.x0, y, kMuted, left);
    pen.text_right(Cut::Small, column.x1, y, kMuted, right);
    pen.text_centred(Cut::Small, {column.x0, y, column.x1, y + line}, same ? kText : kMuted, equal);
    return y + line;
  }

  const frame::PanelModel& model_;
  frame::PanelRequests& requests_;
};

}  // namespace

Rect draw_ab_progress(const Rect& free, const frame::PanelModel& model, const Pen& pen) {
  const QuickAbView& ab = model.ab;
  const float pad = pen.px(14), wide = std::min(free.width(), pen.px(460)), room = wide - pad * 2;
  const Line<96> stop("%.*s stops it; the game goes on where it was",
                      static_cast<int>(std::min<std::size_t>(key_label(model, Action::Quit).size(), 24)),
                      key_label(model, Action::Quit).data());
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
