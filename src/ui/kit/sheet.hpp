#pragma once
// A panel in the middle of the screen that is as high as its content: measured dry, drawn smaller when it would not
// fit, and with a scroll bar as a last resort.
#include <algorithm>
#include <cmath>

#include "ui/kit/controls.hpp"

namespace spellpool::ui {

/// `body(pen, column)` draws from column.y0 downwards between column.x0 and column.x1 and returns the y where it ends;
/// with a dry pen it only measures. Returns the panel's box.
template <class Body>
Rect draw_sheet(const char* name, const Rect& free, float width_units, const Pen& outer, const Body& body) {
  constexpr float kSideUnits = 16, kTopUnits = 12, kBottomUnits = 14;
  float scale = outer.scale(), wide = 0, high = 0;
  const auto measure = [&] {
    const Pen dry(nullptr, scale, outer.layout());
    wide = std::min(free.width(), std::floor(width_units * scale));
    high =
        body(dry, Rect{dry.px(kSideUnits), dry.px(kTopUnits), wide - dry.px(kSideUnits), 1e9f}) + dry.px(kBottomUnits);
  };
  measure();
  while (high > free.height() && scale * kCutUnits[1] > kLeastTextPx) {
    scale *= 0.97f;
    measure();
  }
  const bool scrolls = high > free.height() + 0.5f;
  const float shown = std::min(high, free.height());
  const float x0 = std::floor(free.middle_x() - wide * 0.5f), y0 = std::floor(free.middle_y() - shown * 0.5f);
  const Rect box{x0, y0, x0 + wide, y0 + shown};
  outer.fill(box, kPanelFill, outer.px(8));
  outer.panel(box);
  begin_window(name, box, scrolls);
  const Pen pen = Pen(ImGui::GetWindowDrawList(), scale, outer.layout()).within(box);
  const float top = box.y0 - ImGui::GetScrollY();
  body(pen, Rect{box.x0 + pen.px(kSideUnits), top + pen.px(kTopUnits), box.x1 - pen.px(kSideUnits), 1e9f});
  if (scrolls) {
    ImGui::SetCursorScreenPos(ImVec2(box.x0, top + high - 1));
    ImGui::Dummy(ImVec2(1, 1));
  }
  end_window();
  return box;
}

}  // namespace spellpool::ui
