#pragma once
// The only way in which a panel gets its text size, its height and its scroll bar. A panel is drawn at the
// pen's scale, which follows the player's text size; what is higher than its box scrolls.
//
// A part of a panel is a function of (pen, column): it draws from column.y0 downwards between column.x0 and
// column.x1 and returns the y where it ends. With a dry pen it only measures.
#include <algorithm>
#include <cmath>

#include "ui/kit/controls.hpp"

namespace spellpool::ui {

/// A panel may be drawn this much smaller where that saves the scroll bar.
inline constexpr float kLeastFit = 0.92f;
/// Design units: a head that would leave less than this below it scrolls with the rest.
inline constexpr float kLeastBodyUnits = 150.0f;
/// Design units between a panel's edge and its content.
inline constexpr float kPanelSide = 14.0f, kPanelEnd = 10.0f;

/// The column of a panel that is `width` px wide and begins at x0, y0.
inline Rect panel_column(const Pen& pen, float x0, float y0, float width) {
  return {x0 + pen.px(kPanelSide), y0 + pen.px(kPanelEnd), x0 + width - pen.px(kPanelSide), 1e9f};
}

/// Height of a panel of `width` px, with its margins.
template <class Part>
float panel_height(const Pen& pen, float width, const Part& part) {
  const Pen dry(nullptr, pen.scale(), pen.layout());
  return part(dry, panel_column(dry, 0, 0, width)) + dry.px(kPanelEnd);
}

/// Two parts as one.
template <class Head, class Body>
auto one_below_the_other(const Head& head, const Body& body) {
  return [&](const Pen& pen, Rect column) {
    column.y0 = head(pen, column);
    return body(pen, column);
  };
}

/// The pen's scale, or the first one down to kLeastFit of it at which `height_of(pen)` is at most `high` px.
/// Where there is none the panel scrolls, at the pen's scale.
template <class HeightOf>
float scale_without_bar(const Pen& pen, float high, const HeightOf& height_of) {
  for (float share = 1.0f; share >= kLeastFit; share -= 0.02f) {
    if (height_of(Pen(nullptr, pen.scale() * share, pen.layout())) <= high + 0.5f) return pen.scale() * share;
  }
  return pen.scale();
}

/// Draws `part` into `box` at `scale`; what is higher than the box scrolls.
template <class Part>
void draw_panel(const char* name, const Rect& box, const Pen& outer, float scale, const Part& part) {
  outer.panel(box);
  begin_window(name, box);
  const Rect room = box.inset(outer.px(1));
  const float scrolled = begin_scroll("##body", room);
  const Pen pen = Pen(ImGui::GetWindowDrawList(), scale, outer.layout()).within(room);
  const float end = part(pen, panel_column(pen, box.x0, box.y0 - scrolled, box.width()));
  end_scroll(room, end + pen.px(kPanelEnd) - outer.px(1));
  end_window();
}

/// The same with a head, which holds the key that closes the panel: it stays above what scrolls.
template <class Head, class Body>
void draw_headed_panel(const char* name, const Rect& box, const Pen& outer, float scale, const Head& head,
                       const Body& body) {
  outer.panel(box);
  begin_window(name, box);
  const Pen above = Pen(ImGui::GetWindowDrawList(), scale, outer.layout()).within(box);
  Rect column = panel_column(above, box.x0, box.y0, box.width());
  const Rect room{box.x0, head(above, column), box.x1, box.y1 - outer.px(1)};
  column.y0 = room.y0 - begin_scroll("##below", room);
  const Pen pen = Pen(ImGui::GetWindowDrawList(), scale, outer.layout()).within(room);
  end_scroll(room, body(pen, column) + pen.px(kPanelEnd) - outer.px(1));
  end_window();
}

/// With a second head, which stays if that leaves the body enough.
template <class Title, class Head, class Body>
void draw_headed_panel(const char* name, const Rect& box, const Pen& outer, float scale, const Title& title,
                       const Head& head, const Body& body) {
  const Pen dry(nullptr, scale, outer.layout());
  const auto both = one_below_the_other(title, head);
  if (box.height() - panel_height(dry, box.width(), both) < outer.px(kLeastBodyUnits)) {
    draw_headed_panel(name, box, outer, scale, title, one_below_the_other(head, body));
  } else {
    draw_headed_panel(name, box, outer, scale, both, body);
  }
}

/// Where a panel lies that is in the middle of the screen, and its scale.
struct Sheet {
  Rect box;
  float scale = 1;
};
/// In the middle of `free`, as high as its content where there is room.
template <class Part>
Sheet place_sheet(const Rect& free, float width_units, const Pen& outer, const Part& part) {
  const auto width_at = [&](float scale) { return std::min(free.width(), std::floor(width_units * scale)); };
  const auto height_of = [&](const Pen& pen) { return panel_height(pen, width_at(pen.scale()), part); };
  const float scale = scale_without_bar(outer, free.height(), height_of);
  const float wide = width_at(scale),
              high = std::min(height_of(Pen(nullptr, scale, outer.layout())), free.height());
  const float x0 = std::floor(free.middle_x() - wide * 0.5f), y0 = std::floor(free.middle_y() - high * 0.5f);
  return {{x0, y0, x0 + wide, y0 + high}, scale};
}
/// Draws it; returns its box.
template <class Part>
Rect draw_sheet(const char* name, const Rect& free, float width_units, const Pen& outer, const Part& part) {
  const Sheet sheet = place_sheet(free, width_units, outer, part);
  outer.fill(sheet.box, kPanelFill, outer.px(8));
  draw_panel(name, sheet.box, outer, sheet.scale, part);
  return sheet.box;
}
template <class Head, class Body>
Rect draw_headed_sheet(const char* name, const Rect& free, float width_units, const Pen& outer,
                       const Head& head, const Body& body) {
  const Sheet sheet = place_sheet(free, width_units, outer, one_below_the_other(head, body));
  outer.fill(sheet.box, kPanelFill, outer.px(8));
  draw_headed_panel(name, sheet.box, outer, sheet.scale, head, body);
  return sheet.box;
}

}  // namespace spellpool::ui
