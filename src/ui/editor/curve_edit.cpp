#include <algorithm>
#include <cmath>

#include "ui/editor/editor_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::CurveKey;
using CurveKeys = std::vector<CurveKey>;

constexpr float kMostValue = 10.0f;

float hundredth(float value) { return std::floor(value * 100.0f + 0.5f) / 100.0f; }

float value_on(const CurveKeys& keys, float t) {
  if (keys.empty()) return 1;
  if (t <= keys.front().t) return keys.front().value;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (t > keys[i].t) continue;
    const float wide = keys[i].t - keys[i - 1].t;
    const float share = wide > 0 ? (t - keys[i - 1].t) / wide : 1.0f;
    return keys[i - 1].value + (keys[i].value - keys[i - 1].value) * share;
  }
  return keys.back().value;
}

// The top of the value axis: room to drag upwards.
float top_of(const CurveKeys& keys) {
  float most = 1;
  for (const CurveKey& key : keys) most = std::max(most, std::isfinite(key.value) ? key.value : 0.0f);
  return most <= 1.0f ? 1.25f : std::min(kMostValue * 1.02f, most * 1.25f);
}

void set_point(CurveKeys& keys, std::size_t i, float t, float value) {
  keys[i].value = std::clamp(hundredth(value), 0.0f, kMostValue);
  if (i == 0 || i + 1 == keys.size()) return;
  const float low = keys[i - 1].t + kLeastStep, high = keys[i + 1].t - kLeastStep;
  if (low <= high) keys[i].t = std::clamp(hundredth(t), low, high);  // else a file put them too close to move
}

// Ends at 0 and 1 that can be dragged up and down.
void make_editable(CurveKeys& keys) {
  if (keys.empty()) keys.push_back({0, 1});
  if (keys.size() == 1) keys.push_back({1, keys[0].value});
  keys.front().t = 0;
  keys.back().t = 1;
}

// A new point between two others; its index, or −1 if there is no room.
int insert_point(CurveKeys& keys, float t, float value) {
  if (keys.size() >= kMostCurvePoints) return -1;
  t = hundredth(t);
  std::size_t i = 0;
  while (i < keys.size() && keys[i].t < t) ++i;
  if (i == 0 || i == keys.size()) return -1;
  if (keys[i].t - keys[i - 1].t < kLeastStep * 2) return -1;
  t = std::min(std::max(t, keys[i - 1].t + kLeastStep), keys[i].t - kLeastStep);  // the ends may cross by a rounding
  keys.insert(keys.begin() + static_cast<std::ptrdiff_t>(i),
              CurveKey{t, std::clamp(hundredth(value), 0.0f, kMostValue)});
  return static_cast<int>(i);
}

bool removable(const CurveKeys& keys, int point) {
  return point > 0 && static_cast<std::size_t>(point) + 1 < keys.size() && keys.size() > 2;
}

}  // namespace

float draw_curve(const EditorController& controller, CurveKeys& keys, int which, std::string_view title, float y) {
  const Pen& pen = controller.pen;
  Editor& editor = controller.editor;
  const float line = pen.px(25), field = pen.px(54);
  const bool chosen_here =
      editor.curve == which && editor.point >= 0 && static_cast<std::size_t>(editor.point) < keys.size();
  pen.text(Cut::Small, controller.x0, pen.centre_y(Cut::Small, y, y + line), kMuted, title);
  if (chosen_here) {
    // The chosen point in numbers.
    const auto i = static_cast<std::size_t>(editor.point);
    CurveKey wanted = keys[i];
    const Rect value{controller.x1 - field, y, controller.x1, y + line},
        at{value.x0 - pen.px(4) - field, y, value.x0 - pen.px(4), y + line};
    pen.text_right(Cut::Small, at.x0 - pen.px(6), pen.centre_y(Cut::Small, y, y + line), kMuted, "life, factor");
    const bool moved = number_field(pen, controller.fields, ControlKind::CurveText, static_cast<std::size_t>(which) * 2,
                                    at, 0, 1, false, wanted.t);
    const bool raised =
        number_field(pen, controller.fields, ControlKind::CurveText, static_cast<std::size_t>(which) * 2 + 1, value, 0,
                     kMostValue, false, wanted.value);
    if (moved || raised) {
      editor.begin_step(false);
      set_point(keys, i, wanted.t, wanted.value);
    }
  } else if (keys.empty()) {
    pen.text_right(Cut::Small, controller.x1, pen.centre_y(Cut::Small, y, y + line), kMuted, "1 all along");
  }
  y += line + pen.px(2);

  const Rect plot{controller.x0, y, controller.x1, y + pen.px(66)};
  const Press press = press_area(pen, ControlKind::Curve, static_cast<std::size_t>(which), plot);
  const float pad = pen.px(8);
  const Rect inside{plot.x0 + pad, plot.y0 + pen.px(6), plot.x1 - pad, plot.y1 - pen.px(6)};
  const float top = top_of(keys);
  const auto x_of = [&](float t) { return inside.x0 + inside.width() * std::clamp(t, 0.0f, 1.0f); };
  const auto y_of = [&](float value) { return inside.y1 - inside.height() * std::clamp(value / top, 0.0f, 1.0f); };
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float mouse_t = (mouse.x - inside.x0) / std::max(1.0f, inside.width());
  const float mouse_value = (inside.y1 - mouse.y) / std::max(1.0f, inside.height()) * top;

  int near = -1;
  float nearest = pen.px(9) * pen.px(9);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const float dx = x_of(keys[i].t) - mouse.x, dy = y_of(keys[i].value) - mouse.y;
    if (dx * dx + dy * dy < nearest) {
      nearest = dx * dx + dy * dy;
      near = static_cast<int>(i);
    }
  }
  if (press.held && ImGui::IsMouseClicked(0)) {
    if (near < 0 && keys.size() < kMostCurvePoints) {
      editor.begin_step(true);
      make_editable(keys);
      near = insert_point(keys, mouse_t, mouse_value);
    }
    editor.curve = which;
    editor.point = near;
  }
  if (press.held) {
    controller.fields.any_held = true;
    const bool dragged = ImGui::IsMouseDragging(0, 2.0f) || editor.gesture;
    if (dragged && editor.curve == which && editor.point >= 0 && static_cast<std::size_t>(editor.point) < keys.size()) {
      CurveKeys wanted = keys;
      set_point(wanted, static_cast<std::size_t>(editor.point), mouse_t, mouse_value);
      const CurveKey &before = keys[static_cast<std::size_t>(editor.point)],
                     &after = wanted[static_cast<std::size_t>(editor.point)];
      if (before.t != after.t || before.value != after.value) {
        editor.begin_step(true);
        keys = wanted;
      }
    }
  }
  if (press.hovered && !press.held && ImGui::IsMouseClicked(1) && removable(keys, near)) {
    editor.begin_step(false);
    keys.erase(keys.begin() + near);
    editor.point = -1;
  }
  const int chosen = editor.curve == which ? editor.point : -1;
  if (chosen >= 0 && !ImGui::GetIO().WantTextInput && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Delete), false) &&
      removable(keys, chosen)) {
    editor.begin_step(false);
    keys.erase(keys.begin() + chosen);
    editor.point = -1;
  }

  if (!pen.dry()) {
    ImDrawList& list = *pen.list();
    pen.fill(plot, IM_COL32(0, 0, 0, 90), pen.px(6));
    pen.frame(plot, press.hovered ? kMuted : kControlEdge, pen.px(6));
    for (const float t : {0.25f, 0.5f, 0.75f})
      pen.fill({std::floor(x_of(t)), inside.y0, std::floor(x_of(t)) + 1, inside.y1}, kRule);
    const float one = std::floor(y_of(1));
    pen.fill({inside.x0, one, inside.x1, one + 1}, kRule);
    pen.fill({inside.x0, inside.y1, inside.x1, inside.y1 + 1}, kRule);
    pen.text(Cut::Small, inside.x0 + pen.px(2), one + 1, faded(kMuted, 0.7f), "1");
    // The area under the line, then the line.
    const auto drawn = keys.empty() ? std::size_t{2} : keys.size();
    for (std::size_t i = 0; i + 1 < drawn || (i == 0 && drawn == 1); ++i) {
      const ImVec2 a = keys.empty() ? ImVec2(x_of(0), y_of(1)) : ImVec2(x_of(keys[i].t), y_of(keys[i].value));
      const ImVec2 b = keys.empty()          ? ImVec2(x_of(1), y_of(1))
                       : i + 1 < keys.size() ? ImVec2(x_of(keys[i + 1].t), y_of(keys[i + 1].value))
                                             : ImVec2(x_of(1), a.y);
      list.AddQuadFilled(a, b, ImVec2(b.x, inside.y1), ImVec2(a.x, inside.y1),
                         faded(kAccent, keys.empty() ? 0.06f : 0.16f));
      list.AddLine(a, b, keys.empty() ? faded(kAccent, 0.5f) : kAccent, std::max(1.5f, pen.scale() * 1.6f));
    }
    if (!keys.empty()) {
      list.AddLine(ImVec2(x_of(0), y_of(keys.front().value)), ImVec2(x_of(keys.front().t), y_of(keys.front().value)),
                   kAccent, 1.0f);
      list.AddLine(ImVec2(x_of(keys.back().t), y_of(keys.back().value)), ImVec2(x_of(1), y_of(keys.back().value)),
                   kAccent, 1.0f);
    }
    const float dot = std::max(3.0f, 4.5f * pen.scale());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const ImVec2 at(x_of(keys[i].t), y_of(keys[i].value));
      const Rect mark{at.x - dot, at.y - dot, at.x + dot, at.y + dot};
      if (!mark.cut_to(pen.clip()).empty())
        pen.layout().add(ControlKind::CurvePoint, static_cast<std::size_t>(which) * 16 + i, mark);
      list.AddCircleFilled(at, dot, static_cast<int>(i) == chosen ? kText : kAccent, 16);
      list.AddCircle(at, dot, kInk, 16);
      if (static_cast<int>(i) == near && press.hovered) list.AddCircle(at, dot + pen.px(3), kText, 20);
    }
    if (press.hovered && near < 0 && !press.held && keys.size() < kMostCurvePoints) {
      list.AddCircle(ImVec2(mouse.x, y_of(value_on(keys, mouse_t))), dot, faded(kText, 0.6f), 16);
    }
  }
  return plot.y1;
}

}  // namespace spellpool::ui
