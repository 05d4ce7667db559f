// The comparison lab: two arms to choose, the comparison that runs beside the game, and what it said.
#include "ui/kit/parts.hpp"
#include "ui/lab/lab_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::LabChoices;
using frame::LabOption;
using frame::LabView;

constexpr float kWidthUnits = 1'120, kHeightUnits = 640, kWideUnits = 820;

class ComparePage {
 public:
  ComparePage(const Pen& pen, const Rect& column, const frame::PanelModel& model, UiState& state,
              frame::PanelRequests& requests)
      : pen_(pen),
        model_(model),
        lab_(model.lab),
        state_(state),
        requests_(requests),
        request_(model.lab.choices),
        at_{pen, column.x0, column.x1, column.y0} {}

  float run() {
    at_.wrapped(Cut::Small,
                "spellpool compare runs beside the window, a fresh process for each block, A and B in turns (ABBA), "
                "after a proof that both do the same work. "
                "The verdict is about this machine.");
    at_.gap(10);
    const float between = pen_.px(16), middle = std::floor((at_.x0 + at_.x1) * 0.5f), top = at_.y;
    const float left = arm(0, {at_.x0, top, middle - between * 0.5f, 0}),
                right = arm(1, {middle + between * 0.5f, top, at_.x1, 0});
    at_.y = std::max(left, right) + pen_.px(12);
    conditions();
    plan();
    if (busy()) progress();
    else start();
    if (!lab_.said.empty() && lab_.result.empty()) {
      at_.wrapped(Cut::Small, lab_.said, kYellow);
      at_.gap(8);
    }
    result();
    if (request_ != lab_.choices) {
      requests_.lab.change = true;
      requests_.lab.choices = request_;
    }
    return at_.y;
  }

 private:
  bool busy() const { return lab_.job == LabView::Job::Comparing || lab_.job == LabView::Job::Reporting; }

  /// A list with what is offered of `options`. `chosen` becomes what was picked.
  void drop(std::size_t index, const Rect& box, std::span<const LabOption> options, u8& chosen) {
    std::array<std::string_view, 40> titles;
    std::array<u8, 40> places{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < options.size() && count < titles.size(); ++i) {
      if (!options[i].offered) continue;
      titles[count] = options[i].title;
      places[count++] = static_cast<u8>(i);
    }
    const std::string_view shown = chosen < options.size() ? options[chosen].title : std::string_view("?");
    const int picked = drop_down(pen_, state_.fields, ControlKind::LabDrop, index, box, shown, {titles.data(), count});
    if (picked >= 0 && !busy()) chosen = places[static_cast<std::size_t>(picked)];
  }

  float arm(std::size_t which, const Rect& column) {
    frame::LabArm& arm = request_.arms[which];
    const frame::ChoiceRow row =
        arm.strategy < model_.strategies.size() ? model_.strategies[arm.strategy] : frame::ChoiceRow{};
    const ImU32 colour = IM_COL32(row.r, row.g, row.b, 255);
    const float pad = pen_.px(10), high = pen_.px(26), space = pen_.px(5), side = pen_.px(22);
    const float bottom = column.y0 + pad * 2 + side + space + (high + space) * 5 - space;
    const Rect box{column.x0, column.y0, column.x1, bottom};
    pen_.fill(box, faded(colour, 0.09f), pen_.px(8));
    pen_.frame(box, faded(colour, 0.55f), pen_.px(8));
    const float x0 = box.x0 + pad, x1 = box.x1 - pad;
    float y = box.y0 + pad;
    pen_.letter_box({x0, y, x0 + side, y + side}, kText, which == 0 ? 'A' : 'B');
    pen_.text_within(Cut::Strong, x0 + side + pen_.px(8), pen_.centre_y(Cut::Strong, y, y + side),
                     x1 - x0 - side * 2 - pen_.px(16), kText, row.title);
    pen_.letter_box({x1 - side, y, x1, y + side}, colour, row.letter);
    y += side + space;
    std::array<LabOption, 40> strategies;
    const std::size_t count = std::min(model_.strategies.size(), strategies.size());
    for (std::size_t i = 0; i < count; ++i) strategies[i] = {model_.strategies[i].name, model_.strategies[i].title};
    const auto line = [&](std::size_t index, std::span<const LabOption> options, u8& chosen) {
      drop(index, {x0, y, x1, y + high}, options, chosen);
      y += high + space;
    };
    line(4 * which, {strategies.data(), count}, arm.strategy);
    line(4 * which + 1, lab_.policies, arm.policy);
    line(4 * which + 2, lab_.allocators, arm.allocator);
    line(4 * which + 3, lab_.memories, arm.memory);
    line(12 + which, lab_.voices, arm.voices);
    return bottom;
  }

  void conditions() {
    const float high = pen_.px(26), space = pen_.px(6), between = pen_.px(16),
                wide = std::floor((at_.width() - between) * 0.5f), label = pen_.px(62);
    const auto cell = [&](std::size_t column, std::string_view name, std::size_t index,
                          std::span<const LabOption> options, u8& chosen) {
      const float x0 = at_.x0 + static_cast<float>(column) * (wide + between);
      pen_.text(Cut::Small, x0, pen_.centre_y(Cut::Small, at_.y, at_.y + high), kMuted, name);
      drop(index, {x0 + label, at_.y, x0 + wide, at_.y + high}, options, chosen);
    };
    cell(0, "Scene", 8, lab_.scenes, request_.scene);
    // The loads are the spells' alone.
    if (request_.scene == 0) cell(1, "Load", 9, lab_.presets, request_.preset);
    // Each step first goes back so many and plays them again, as a game over a network does.
    if (request_.scene == lab_.storage_scene) cell(1, "Rollback", 14, lab_.rollbacks, request_.rollback);
    at_.y += high + space;
    cell(0, "Heap", 10, lab_.heaps, request_.heap);
    cell(1, "Plan", 11, lab_.plans, request_.plan);
    at_.y += high + pen_.px(6);
  }

  bool own_plan() const { return !lab_.plans.empty() && request_.plan + std::size_t{1} >= lab_.plans.size(); }

  void plan() {
    at_.wrapped(Cut::Small, lab_.plan_told);
    at_.gap(6);
    if (!own_plan()) return;
    const float high = pen_.px(26), field = pen_.px(70), space = pen_.px(8);
    float x = at_.x0;
    const auto number = [&](std::size_t index, std::string_view name, float least, float most, u32& value) {
      pen_.text(Cut::Small, x, pen_.centre_y(Cut::Small, at_.y, at_.y + high), kMuted, name);
      x += pen_.width(Cut::Small, name) + pen_.px(6);
      auto wanted = static_cast<float>(value);
      if (number_field(pen_, state_.fields, ControlKind::LabNumber, index, {x, at_.y, x + field, at_.y + high}, least,
                       most, true, wanted) &&
          !busy())
        value = static_cast<u32>(wanted);
      x += field + space * 2;
    };
    number(0, "Quads", 1, static_cast<float>(frame::kMostLabQuads), request_.quads);
    number(1, "Steps", static_cast<float>(frame::kLeastLabSteps), static_cast<float>(frame::kMostLabSteps),
           request_.steps);
    constexpr std::array<std::string_view, 2> kDrawn = {"simulation only", "drawn"};
    const int picked = segments(pen_, ControlKind::LabDrawn, 0,
                                {x, at_.y, std::max(x + pen_.px(10), std::min(at_.x1, x + pen_.px(300))), at_.y + high},
                                kDrawn, request_.drawn ? 1 : 0);
    if (picked >= 0 && !busy()) request_.drawn = picked == 1;
    at_.y += high + pen_.px(8);
  }

  bool button(LabKey key, const Rect& box, std::string_view label, bool on = false) {
    return labelled_button(pen_, ControlKind::LabButton, static_cast<std::size_t>(key), box, label, "", on);
  }

  void start() {
    if (!lab_.wrong.empty()) at_.wrapped(Cut::Small, lab_.wrong, kYellow);
    else if (!lab_.estimate.empty()) at_.wrapped(Cut::Body, lab_.estimate, kText);
    else at_.wrapped(Cut::Body, "A block is tried to tell how long it will take…", kMuted);
    at_.gap(8);
    const float high = pen_.px(32);
    if (button(LabKey::Start, {at_.x0, at_.y, at_.x0 + std::min(at_.width(), pen_.px(240)), at_.y + high},
               "Start the comparison", lab_.wrong.empty()) &&
        lab_.wrong.empty()) {
      requests_.lab.start = true;
    }
    at_.y += high + pen_.px(10);
  }

  void progress() {
    const bool compares = lab_.job == LabView::Job::Comparing;
    const float share = std::isfinite(lab_.progress) ? std::clamp(lab_.progress, 0.0f, 1.0f) : 0.0f;
    const Line<16> percent("%.0f %%", static_cast<double>(share * 100.0f));
    if (compares) pen_.text_right(Cut::Strong, at_.x1, at_.y, kText, percent);
    at_.heading(lab_.stopping ? "Stopping: what is done is kept" : compares ? "Comparing" : "The report is being made");
    at_.wrapped(Cut::Small, lab_.text, kText);
    at_.gap(6);
    const Rect bar{at_.x0, at_.y, at_.x1, at_.y + pen_.px(10)};
    pen_.fill(bar, kControl, pen_.px(5));
    if (share > 0)
      pen_.fill({bar.x0, bar.y0, bar.x0 + std::max(pen_.px(6), bar.width() * share), bar.y1}, kAccent, pen_.px(5));
    pen_.frame(bar, kControlEdge, pen_.px(5));
    at_.y = bar.y1 + pen_.px(8);
    if (compares) {
      at_.wrapped(Cut::Small,
                  "The game stands still and draws once a second meanwhile: two programs on one machine disturb each "
                  "other. Leave the mouse alone, or minimise the window.",
                  kYellow);
      at_.gap(8);
      const float high = pen_.px(32);
      if (button(LabKey::Stop, {at_.x0, at_.y, at_.x0 + std::min(at_.width(), pen_.px(300)), at_.y + high},
                 "Stop; what is done is kept") &&
          !lab_.stopping)
        requests_.lab.stop = true;
      at_.y += high + pen_.px(10);
    }
  }

  void result() {
    if (lab_.result.empty() || busy()) return;
    pen_.fill({at_.x0, at_.y, at_.x1, at_.y + 1}, kRule);
    at_.gap(9);
    if (!lab_.result_badge.empty()) {
      badge_pill(pen_, at_.x0, at_.y, lab_.result_badge);
      at_.y += badge_pill_height(pen_) + pen_.px(5);
    }
    at_.wrapped(Cut::Large, lab_.result, kText);
    at_.gap(4);
    if (!lab_.result_folder.empty()) at_.wrapped(Cut::Small, lab_.result_folder);
    at_.gap(8);
    const float high = pen_.px(28), wide = std::min(pen_.px(200), std::floor((at_.width() - pen_.px(8)) * 0.5f));
    if (button(LabKey::ShowResult, {at_.x0, at_.y, at_.x0 + wide, at_.y + high}, "Show its figures"))
      state_.lab.results = true;
    if (lab_.result_can_resume &&
        button(LabKey::ResumeResult, {at_.x0 + wide + pen_.px(8), at_.y, at_.x0 + wide * 2 + pen_.px(8), at_.y + high},
               "Go on with it", true)) {
      requests_.lab.resume_result = true;
    }
    at_.y += high + pen_.px(4);
  }

  const Pen& pen_;
  const frame::PanelModel& model_;
  const LabView& lab_;
  UiState& state_;
  frame::PanelRequests& requests_;
  LabChoices request_;
  LabColumn at_;
};

}  // namespace

float lab_compare_page(const Pen& pen, const Rect& column, const frame::PanelModel& model, UiState& state,
                       frame::PanelRequests& requests) {
  return ComparePage(pen, column, model, state, requests).run();
}

Rect draw_lab(const Rect& free, const frame::PanelModel& model, UiState& state, const Pen& outer,
              frame::PanelRequests& requests) {
  const float wide = std::min(free.width(), outer.px(kWidthUnits)),
              high = std::min(free.height(), outer.px(kHeightUnits));
  const float x0 = std::floor(free.middle_x() - wide * 0.5f), y0 = std::floor(free.middle_y() - high * 0.5f);
  const Rect box{x0, y0, x0 + wide, y0 + high};
  outer.fill(box, kPanelFill, outer.px(8));
  outer.panel(box);
  begin_window("##lab", box);
  const Pen pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout());
  const float side = pen.px(16), left = box.x0 + side, right = box.x1 - side;
  float y = box.y0 + pen.px(10);
  if (panel_header(pen, {left, y, right, y + pen.px(24)}, "Comparison lab", key_label(model, Action::Lab),
                   ClosePanel::Lab))
    requests.ask(Action::Lab);
  y += pen.px(24) + pen.px(8);
  constexpr std::array<std::string_view, 2> kPages = {"Compare", "Results"};
  const int page = segments(pen, ControlKind::LabTab, 0, {left, y, std::min(right, left + pen.px(320)), y + pen.px(26)},
                            kPages, state.lab.results ? 1 : 0);
  if (page >= 0) state.lab.results = page == 1;
  if (state.lab.results) {
    const Rect again{std::max(left + pen.px(330), right - pen.px(130)), y, right, y + pen.px(26)};
    if (labelled_button(pen, ControlKind::LabButton, static_cast<std::size_t>(LabKey::ReadAgain), again,
                        model.lab.reading ? "reading…" : "Read again", "", false)) {
      requests.lab.read_again = true;
    }
  }
  y += pen.px(26) + pen.px(8);
  const Rect room{box.x0 + outer.px(1), y, box.x1 - outer.px(1), box.y1 - outer.px(8)};
  if (room.height() > pen.px(20) && state.lab.results) {
    const float gap = pen.px(12);
    if (room.width() >= pen.px(kWideUnits)) {
      const float middle = std::floor(room.x0 + room.width() * 0.56f);
      lab_results(pen, {left, room.y0, middle, room.y1}, {middle + gap, room.y0, right, room.y1}, model, requests);
    } else {
      const float middle = std::floor(room.y0 + room.height() * 0.42f);
      lab_results(pen, {left, room.y0, right, middle}, {left, middle + gap, right, room.y1}, model, requests);
    }
  } else if (room.height() > pen.px(20)) {
    const float scrolled = begin_scroll("##compare", room);
    const Pen inner = Pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout()).within(room);
    const float end = lab_compare_page(inner, {left, room.y0 - scrolled, right - pen.px(4), 0}, model, state, requests);
    end_scroll(room, end + pen.px(4));
  }
  end_window();
  return box;
}

}  // namespace spellpool::ui
