#include <algorithm>
#include <array>
#include <cmath>

#include "ui/kit/controls.hpp"
#include "ui/kit/headline.hpp"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

using frame::TitleItem;

constexpr float kAppear_s = 0.6f;
constexpr float kHeadUnits = 62, kRowUnits = 38, kRowGapUnits = 5, kMenuUnits = 300, kWordsUnits = 720;
constexpr ImU32 kNightFill = IM_COL32(6, 7, 16, 255);
constexpr std::string_view kName = "SPELLPOOL";
constexpr std::array<std::string_view, 2> kSentences = {
    "A game about one idea, the object pool: thousands of sparks that reuse the same memory.",
    "Switch the pool off while you play, and measure the difference.",
};

class TitleScreen {
 public:
  TitleScreen(const frame::PanelModel& model, float age_s, frame::PanelRequests& requests)
      : model_(model),
        requests_(requests),
        seen_(model.title.starting || !std::isfinite(age_s) ? 1.0f : ease_out(age_s / kAppear_s)) {}

  /// Everything between column.y0 and the returned y.
  float run(const Pen& pen, const Rect& column) const {
    const float middle = std::floor((column.x0 + column.x1) * 0.5f);
    float y = column.y0;
    y += headline(pen, kHeadUnits, 0.3f, middle, y, column.width(), 1, kMoon, kName) + pen.px(6);
    y = sentences(pen, column, middle, y) + pen.px(20);
    y = menu(pen, middle, y) + pen.px(6);
    return keys(pen, column, middle, y);
  }

 private:
  /// The least width at which `words` need no more lines than in `room`: lines of about equal length.
  static float balanced_width(const Pen& pen, std::string_view words, float room) {
    float width = std::min(room, pen.width(Cut::Body, words));
    if (width < room) return width;
    const float high = pen.wrapped_height(Cut::Body, words, room), step = pen.px(4);
    while (width > step && pen.wrapped_height(Cut::Body, words, width - step) <= high) width -= step;
    return width;
  }

  float sentences(const Pen& pen, const Rect& column, float middle, float y) const {
    const float pad = pen.px(14), room = std::min(column.width() - pad * 2, pen.px(kWordsUnits));
    float wide = 0, high = 0;
    for (const std::string_view words : kSentences) {
      wide = std::max(wide, balanced_width(pen, words, room));
      high += pen.wrapped_height(Cut::Body, words, room);
    }
    const Rect box{std::floor(middle - wide * 0.5f) - pad, y, std::floor(middle + wide * 0.5f) + pad,
                   y + high + pen.px(14)};
    pen.fill(box, faded(kNightFill, 0.66f), pen.px(8));
    y += pen.px(7);
    for (const std::string_view words : kSentences) {
      const float one = balanced_width(pen, words, room);
      pen.text_wrapped(Cut::Body, std::floor(middle - one * 0.5f), y, one, kText, words);
      y += pen.wrapped_height(Cut::Body, words, room);
    }
    return box.y1;
  }

  float menu(const Pen& outer, float middle, float y) const {
    const float wide = outer.px(kMenuUnits), high = outer.px(kRowUnits), space = outer.px(kRowGapUnits);
    const frame::TitleView& title = model_.title;
    std::size_t rows = 0;
    for (const frame::TitleRow& row : frame::kTitleRows) rows += title.offers(row.id) ? 1 : 0;
    const Rect box{std::floor(middle - wide * 0.5f), y, std::floor(middle + wide * 0.5f),
                   y + static_cast<float>(rows) * (high + space) - space};
    if (!outer.dry()) {
      begin_window("##title", box);
      const Pen pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout());
      for (const frame::TitleRow& row : frame::kTitleRows) {
        if (!title.offers(row.id)) continue;
        item(pen, row, {box.x0, y, box.x1, y + high});
        y += high + space;
      }
      end_window();
    }
    return box.y1;
  }

  void item(const Pen& pen, const frame::TitleRow& row, const Rect& box) const {
    const Press press = press_area(pen, ControlKind::TitleItem, static_cast<std::size_t>(row.id), box);
    const bool on = model_.title.selected == row.id;
    pen.fill(box, faded(on ? kAccent : IM_COL32(10, 12, 26, 255), (on ? 0.42f : 0.72f) * seen_), pen.px(8));
    pen.frame(box, faded(on ? kAccent : kControlEdge, seen_), pen.px(8), on ? std::max(1.0f, pen.px(2)) : 1.0f);
    pen.text_centred(on ? Cut::Strong : Cut::Body, box, kText, row.title);
    if (on) {  // the mark beside it: colour is not all
      const float x = box.x0 + pen.px(16), y = box.middle_y(), half = pen.px(5);
      pen.list()->AddTriangleFilled(ImVec2(x - half, y - half), ImVec2(x - half, y + half), ImVec2(x + half, y), kText);
    }
    if (press.hovered && !on && mouse_moved()) requests_.select_title = row.id;
    if (press.pressed) requests_.choose_title = row.id;
  }

  static bool mouse_moved() {
    const ImVec2 by = ImGui::GetIO().MouseDelta;
    return by.x != 0 || by.y != 0;
  }

  float keys(const Pen& pen, const Rect& column, float middle, float y) const {
    const frame::TitleView& title = model_.title;
    const std::string_view chosen = frame::kTitleRows[static_cast<std::size_t>(title.selected)].description;
    const Line<64> question("Press %.*s again to quit.",
                            static_cast<int>(key_label(model_, frame::Action::Quit).size()),
                            key_label(model_, frame::Action::Quit).data());
    const std::string_view words = title.starting       ? std::string_view("Starting …")
                                   : title.asks_to_quit ? std::string_view(question)
                                                        : chosen;
    const float pad = pen.px(12), high = pen.px(30);
    const float wide = std::min(column.width() - pad * 2, pen.width(Cut::Body, words));
    const Rect box{std::floor(middle - wide * 0.5f) - pad, y, std::floor(middle + wide * 0.5f) + pad, y + high};
    pen.fill(box, faded(kNightFill, 0.66f), pen.px(8));
    pen.text_within(Cut::Body, box.x0 + pad, pen.centre_y(Cut::Body, box.y0, box.y1), wide,
                    title.asks_to_quit ? kYellow : kText, words);
    y = box.y1 + pen.px(6);
    constexpr std::string_view kHow = "arrow keys and Enter · mouse · stick or D-pad and A";
    const float line = pen.line_px(Cut::Small) + pen.px(6),
                room = std::min(column.width() - pad * 2, pen.width(Cut::Small, kHow));
    pen.fill({middle - room * 0.5f - pad, y, middle + room * 0.5f + pad, y + line}, faded(kNightFill, 0.5f), pen.px(6));
    pen.text_within(Cut::Small, std::floor(middle - room * 0.5f), y + pen.px(3), room, kMuted, kHow);
    return y + line;
  }

  const frame::PanelModel& model_;
  frame::PanelRequests& requests_;
  float seen_;
};

}  // namespace

Rect draw_title(const Rect& free, const frame::PanelModel& model, float age_s, const Pen& outer,
                frame::PanelRequests& requests) {
  const TitleScreen screen(model, age_s, requests);
  const auto height = [&](const Pen& pen) { return screen.run(pen, free) - free.y0; };
  const float scale = fitting_scale(outer, free.height(), height);
  const Pen pen(outer.list(), scale, outer.layout());
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  if (model.title.starting) pen.fill({0, 0, display.x, display.y}, kNightFill);
  Rect column = free;
  column.y0 += std::floor(std::max(0.0f, (free.height() - height(Pen(nullptr, scale, outer.layout()))) * 0.42f));
  column.y1 = screen.run(pen, column);
  return column;
}

}  // namespace spellpool::ui
