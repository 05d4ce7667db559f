// "How many bullets?": what is measured now, and the card at its end.
#include <algorithm>
#include <cmath>

#include "ui/kit/sheet.hpp"
#include "ui/shooter/shooter_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::StressRow;
using frame::StressView;

constexpr float kBoxUnits = 270, kLeastBoxUnits = 190;
constexpr float kLeastCardUnits = 280, kWideCardUnits = 420;  // beside the field; with rows and buttons side by side
constexpr float kBudgetShare = 0.66f;        // where the budget stands on the bar

double us_of(float ms) { return static_cast<double>(ms) * 1e3; }

Line<48> bullets_text(const StressRow& row) {
  if (row.bullets == 0) return Line<48>("none");
  return Line<48>(row.or_more ? "%s or more" : "%s", count_text(row.bullets).c_str());
}

// Sign and title of a strategy. Returns the height.
float strategy_line(const Pen& pen, const frame::PanelModel& model, u8 strategy, float x, float y, float room) {
  const frame::ChoiceRow row = strategy_row(model, strategy);
  const float side = pen.px(20), gap = pen.px(8);
  pen.letter_box({x, y, x + side, y + side}, row_colour(row), row.letter);
  pen.text_within(Cut::Strong, x + side + gap, pen.centre_y(Cut::Strong, y, y + side), room - side - gap, kText,
                  row.title);
  return side;
}

// Simulation and drawing end to end on a bar; the mark is the budget. Returns where it ends.
float budget_bar(const Pen& pen, const Rect& column, float y, float budget_ms, float sim_ms, float work_ms) {
  const float high = pen.px(12), full = bounded(budget_ms, 0.01f, 1e6f) / kBudgetShare;
  const Rect bar{column.x0, y, column.x1, y + high};
  const auto at = [&](float ms) {
    return std::floor(bar.x0 + bar.width() * std::min(1.0f, bounded(ms, 0, 1e6f) / full));
  };
  pen.fill(bar, kControl, pen.px(3));
  const float mark = std::floor(bar.x0 + bar.width() * kBudgetShare), sim = at(sim_ms),
              work = std::max(sim, at(work_ms));
  pen.fill({bar.x0, bar.y0, work, bar.y1}, faded(work_ms > budget_ms ? kRed : kGreen, 0.85f), pen.px(3));
  if (sim > bar.x0) pen.fill({bar.x0, bar.y0, sim, bar.y1}, kBlue, pen.px(2));
  pen.fill({mark - 1, bar.y0 - pen.px(3), mark + pen.px(1), bar.y1 + pen.px(3)}, kText);
  return bar.y1;
}

float wrapped(const Pen& pen, Cut cut, const Rect& column, float y, ImU32 colour, std::string_view words) {
  pen.text_wrapped(cut, column.x0, y, column.width(), colour, words);
  return y + pen.wrapped_height(cut, words, column.width());
}

float progress(const Pen& pen, const frame::PanelModel& model, const Rect& column) {
  const StressView& view = model.stress;
  float y = column.y0;
  y = wrapped(pen, Cut::Strong, column, y, kText, "How many bullets?") + pen.px(8);
  y += strategy_line(pen, model, view.strategy, column.x0, y, column.width()) + pen.px(8);
  const Line<32> count = count_text(view.bullets);
  float units = 46;
  while (units > 18 && pen.title_width(units, 0, count) > column.width()) units -= 1;
  pen.title(units, 0, column.x0 + pen.title_width(units, 0, count) * 0.5f, y, kGold, count);
  y += pen.px(units * 1.05f);
  y = wrapped(pen, Cut::Small, column, y, kMuted,
              Line<64>("bullets of %s, level %u", count_text(view.wanted).c_str(), view.level)) +
      pen.px(12);
  y = budget_bar(pen, column, y, view.budget_ms, view.sim_ms, view.work_ms) + pen.px(6);
  y = wrapped(
      pen, Cut::Small, column, y, view.work_ms > view.budget_ms ? kRed : kText,
      Line<64>("%s of %s ms a frame", ms_text(us_of(view.work_ms)).c_str(), ms_text(us_of(view.budget_ms)).c_str()));
  y = wrapped(pen, Cut::Small, column, y, kMuted,
              Line<64>("%s of them simulation", ms_text(us_of(view.sim_ms)).c_str())) +
      pen.px(8);
  const Line<48> held = view.held > 0 ? Line<48>("%s held", count_text(view.held).c_str()) : Line<48>("none held yet");
  const Line<48> broke =
      view.broke > 0 ? Line<48>("%s did not", count_text(view.broke).c_str()) : Line<48>("none too many yet");
  y = wrapped(pen, Cut::Small, column, y, kText, held);
  y = wrapped(pen, Cut::Small, column, y, kText, broke) + pen.px(8);
  const std::string_view key = key_label(model, Action::Stress);
  return wrapped(pen, Cut::Small, column, y, kMuted,
                 Line<64>("%.*s stops it", static_cast<int>(std::min<std::size_t>(key.size(), 24)), key.data()));
}

class Card {
 public:
  Card(const frame::PanelModel& model, frame::PanelRequests& requests)
      : model_(model), view_(model.stress), requests_(requests) {}

  float run(const Pen& pen, const Rect& column) const {
    const std::size_t latest = std::min(view_.latest, view_.rows.size() - 1);
    const StressRow& row = view_.rows[latest];
    float y = column.y0;
    y = wrapped(pen, Cut::Strong, column, y, kText, "How many bullets?") + pen.px(6);
    const Line<32> number = row.bullets > 0 ? count_text(row.bullets) : Line<32>("NONE");
    float units = 54;
    while (units > 20 && pen.title_width(units, 0, number) > column.width()) units -= 1;
    pen.title(units, 0, std::floor((column.x0 + column.x1) * 0.5f), y, kGold, number);
    y += pen.px(units * 1.1f);
    const Line<32> budget = ms_text(us_of(view_.budget_ms));
    const Line<128> what =
        row.bullets == 0 ? Line<128>("not even %u bullets hold %s ms a frame: the rest of the frame takes longer",
                                     view_.broke, budget.c_str())
        : row.or_more    ? Line<128>("or more: the maximum that was tried holds %s ms a frame", budget.c_str())
                         : Line<128>("hold %s ms a frame; %s do not", budget.c_str(), count_text(view_.broke).c_str());
    y = wrapped(pen, Cut::Body, column, y, kText, what) + pen.px(10);
    y = budget_bar(pen, column, y, view_.budget_ms, row.sim_ms, row.work_ms) + pen.px(6);
    y = wrapped(pen, Cut::Small, column, y, kMuted,
                Line<128>("%s ms in the median: simulation %s, drawing and all else %s",
                          ms_text(us_of(row.work_ms)).c_str(), ms_text(us_of(row.sim_ms)).c_str(),
                          ms_text(us_of(row.draw_ms)).c_str())) +
        pen.px(10);
    y = table(pen, column, y) + pen.px(8);
    y = wrapped(pen, Cut::Small, column, y, kText, verdict()) + pen.px(4);
    if (!model_.build_note.empty()) y = wrapped(pen, Cut::Small, column, y, kRed, model_.build_note) + pen.px(4);
    y += pen.px(8);
    const float space = pen.px(8), high = pen.px(34), middle = std::floor((column.x0 + column.x1) * 0.5f);
    const bool wide = is_wide(pen, column);
    const float first_end = wide ? middle - space * 0.5f : column.x1;
    if (labelled_button(pen, ControlKind::Ask, static_cast<std::size_t>(Action::ToggleStrategy),
                        {column.x0, y, first_end, y + high}, "Another strategy",
                        key_label(model_, Action::ToggleStrategy), true)) {
      requests_.ask(Action::ToggleStrategy);
    }
    if (!wide) y += high + space;
    const float second = wide ? middle + space * 0.5f : column.x0;
    if (labelled_button(pen, ControlKind::Ask, static_cast<std::size_t>(Action::Stress),
                        {second, y, column.x1, y + high}, "Title", key_label(model_, Action::Cast), false)) {
      requests_.ask(Action::Stress);
    }
    y += high + pen.px(6);
    const std::string_view next = key_label(model_, Action::NextStrategy);
    return wrapped(pen, Cut::Small, column, y, kMuted,
                   Line<96>("%.*s goes round all strategies", static_cast<int>(std::min<std::size_t>(next.size(), 24)),
                            next.data()));
  }

 private:
  std::span<const StressRow> rows() const { return {view_.rows.data(), std::min(view_.row_count, view_.rows.size())}; }

  static bool is_wide(const Pen& pen, const Rect& column) { return column.width() >= pen.px(kWideCardUnits); }

  float table(const Pen& pen, const Rect& column, float y) const {
    pen.fill({column.x0, y, column.x1, y + 1}, kRule);
    y += pen.px(6);
    // In a narrow card the numbers stand below the strategy.
    const bool wide = is_wide(pen, column);
    const float below = wide ? 0 : pen.px(22), line = pen.px(26) + below,
                numbers = column.x0 + column.width() * (wide ? 0.74f : 0.5f);
    for (std::size_t i = 0; i < rows().size(); ++i) {
      const StressRow& row = rows()[i];
      const bool now = i == view_.latest;
      if (now)
        pen.fill({column.x0 - pen.px(6), y - pen.px(2), column.x1 + pen.px(6), y + line - pen.px(4)},
                 faded(kGold, 0.10f), pen.px(5));
      const Line<48> count = bullets_text(row);
      strategy_line(pen, model_, row.strategy, column.x0, y,
                    wide ? numbers - pen.width(Cut::Strong, count) - pen.px(10) - column.x0 : column.width());
      const float top = y + below, bottom = top + pen.px(20);
      if (wide)
        pen.text_right(Cut::Strong, numbers, pen.centre_y(Cut::Strong, top, bottom), now ? kGold : kText, count);
      else
        pen.text(Cut::Strong, column.x0 + pen.px(28), pen.centre_y(Cut::Strong, top, bottom), now ? kGold : kText,
                 count);
      pen.text_right(Cut::Small, column.x1, pen.centre_y(Cut::Small, top, bottom), kMuted,
                     Line<48>("sim %s ms", ms_text(us_of(row.sim_ms)).c_str()));
      y += line;
    }
    return y;
  }

  // What differs by less than the search can tell is no difference.
  std::string_view verdict() const {
    const StressRow& row = view_.rows[std::min(view_.latest, view_.rows.size() - 1)];
    if (row.bullets > 0 && !row.or_more &&
        frame::uneven(static_cast<double>(row.work_ms), static_cast<double>(view_.budget_ms))) {
      return "Uneven: what held took far less than the budget, so something else had the machine. Try again.";
    }
    if (rows().size() < 2) return "One strategy tells little: try another.";
    const auto [least, most] = std::minmax_element(
        rows().begin(), rows().end(), [](const StressRow& a, const StressRow& b) { return a.bullets < b.bullets; });
    if (static_cast<double>(most->bullets) <= static_cast<double>(least->bullets) * 1.1) {
      return "No difference that this search could tell (it ends within 5 %). That is a result too: drawing is the "
             "same for all.";
    }
    return "A difference. Try both again before you believe it: what else the machine does counts too.";
  }

  const frame::PanelModel& model_;
  const StressView& view_;
  frame::PanelRequests& requests_;
};

}  // namespace

void draw_stress(Rect& rest, const frame::PanelModel& model, const Pen& outer, frame::PanelRequests& requests) {
  Layout& layout = outer.layout();
  const float gap = outer.px(8);
  if (model.stress.state == StressView::State::Done) {
    const Card card(model, requests);
    Rect room = rest;
    // Right of the field where the window is wide, so that the bullets can be seen; else alone in the middle.
    const Rect field = shooter_field();
    if (rest.x1 - field.x1 - gap >= outer.px(kLeastCardUnits)) room = {field.x1 + gap, rest.y0, rest.x1, rest.y1};
    else if (rest.contains(field.x0, rest.middle_y()) && rest.contains(field.x1 - 1, rest.middle_y()))
      room = {field.x0, rest.y0, field.x1, rest.y1};
    const Rect box = draw_sheet("##stress", room, 520, outer,
                                [&](const Pen& pen, const Rect& column) { return card.run(pen, column); });
    layout.of(Part::StressCard) = box;
    rest.x1 = std::min(rest.x1, box.x0 - gap);
    return;
  }
  if (model.stress.state != StressView::State::Running) return;
  const float beside = std::min(rest.x1, shooter_field().x0 - gap) - rest.x0;
  const float wide = beside >= outer.px(kLeastBoxUnits) ? std::min(beside, outer.px(kBoxUnits))
                                                        : std::min(rest.width(), outer.px(kBoxUnits));
  const float pad = outer.px(14);
  const auto measure = [&](const Pen& pen) { return progress(pen, model, {0, 0, wide - pad * 2, 0}) + pad * 2; };
  float scale = outer.scale();
  while (measure(Pen(nullptr, scale, layout)) > rest.height() && scale * kCutUnits[1] > kLeastTextPx) scale *= 0.97f;
  const Pen pen(outer.list(), scale, layout);
  const float high = std::ceil(measure(Pen(nullptr, scale, layout)));
  if (high > rest.height()) return;
  const Rect box{rest.x0, rest.y0, rest.x0 + wide, rest.y0 + high};
  pen.fill(box, faded(kPanelFill, 0.82f), pen.px(8));
  progress(pen, model, {box.x0 + pad, box.y0 + pad, box.x1 - pad, 0});
  layout.of(Part::Stress) = box;
  rest.y0 = std::min(rest.y1, box.y1 + gap);
}

}  // namespace spellpool::ui
