#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ui/editor/editor_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::ColourKey;
using Keys = std::vector<ColourKey>;

constexpr ImU32 kCheckDark = IM_COL32(58, 60, 72, 255), kCheckLight = IM_COL32(92, 95, 108, 255);

ColourKey colour_on(const Keys& keys, float t) {
  if (keys.empty()) return {};
  if (t <= keys.front().t) return keys.front();
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (t > keys[i].t) continue;
    const ColourKey &a = keys[i - 1], &b = keys[i];
    const float share = b.t > a.t ? (t - a.t) / (b.t - a.t) : 1.0f;
    const auto mix = [share](float from, float to) { return from + (to - from) * share; };
    return {t, mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), mix(a.a, b.a)};
  }
  return keys.back();
}

void checker(const Pen& pen, const Rect& box) {
  const float side = pen.px(6);
  pen.fill(box, kCheckDark);
  int row = 0;
  for (float y = box.y0; y < box.y1; y += side, ++row) {
    int column = row;
    for (float x = box.x0; x < box.x1; x += side, ++column) {
      if (column % 2 == 0) pen.fill({x, y, std::min(x + side, box.x1), std::min(y + side, box.y1)}, kCheckLight);
    }
  }
}

void cross(const Pen& pen, ImVec2 at, ImU32 inside) {
  const float radius = std::max(3.0f, 5 * pen.scale());
  pen.list()->AddCircleFilled(at, radius, inside, 16);
  pen.list()->AddCircle(at, radius, kText, 16, std::max(1.5f, pen.scale() * 1.5f));
  pen.list()->AddCircle(at, radius + 1.5f, kInk, 16);
}

// "#rrggbb" or "#rrggbbaa", the # may be missing.
bool parse_hex(const char* text, ColourBytes& bytes) {
  while (*text == ' ' || *text == '#') ++text;
  std::size_t size = 0;
  while (std::isxdigit(static_cast<unsigned char>(text[size])) != 0) ++size;
  if ((size != 6 && size != 8) || text[size] != 0) return false;
  const unsigned long value = std::strtoul(text, nullptr, 16);
  const unsigned long rgb = size == 8 ? value >> 8 : value;
  bytes = {static_cast<int>(rgb >> 16 & 255), static_cast<int>(rgb >> 8 & 255), static_cast<int>(rgb & 255),
           size == 8 ? static_cast<int>(value & 255) : bytes[3]};
  return true;
}

void set_place(Keys& keys, std::size_t i, float t) {
  if (i == 0 || i + 1 == keys.size()) return;
  const float low = keys[i - 1].t + kLeastStep, high = keys[i + 1].t - kLeastStep;
  if (low <= high) keys[i].t = std::clamp(std::floor(t * 100.0f + 0.5f) / 100.0f, low, high);  // else a file put them too close
}

int insert_stop(Keys& keys, float t) {
  if (keys.size() >= kMostCurvePoints) return -1;
  if (keys.empty()) keys.push_back({});
  if (keys.size() == 1) {
    keys[0].t = 0;
    ColourKey end = keys[0];
    end.t = 1;
    keys.push_back(end);
  }
  t = std::floor(std::clamp(t, 0.0f, 1.0f) * 100.0f + 0.5f) / 100.0f;
  std::size_t i = 0;
  while (i < keys.size() && keys[i].t < t) ++i;
  if (i == 0 || i == keys.size() || keys[i].t - keys[i - 1].t < kLeastStep * 2) return -1;
  t = std::min(std::max(t, keys[i - 1].t + kLeastStep), keys[i].t - kLeastStep);  // the ends may cross by a rounding
  // What is seen there now, as bytes: a new stop changes nothing until it is moved.
  const ColourKey seen = key_of(bytes_of(colour_on(keys, t)), t);
  keys.insert(keys.begin() + static_cast<std::ptrdiff_t>(i), seen);
  return static_cast<int>(i);
}

}  // namespace

float picker_height(const Pen& pen) { return pen.px(94); }

bool draw_picker(const EditorController& controller, const Rect& box, ColourBytes& colour, bool alpha) {
  const Pen& pen = controller.pen;
  Editor& editor = controller.editor;
  // Grey and black have no hue, and black no saturation: those that were chosen last stay.
  if (bytes_of(editor.picked, colour[3]) != colour) {
    const Hsv now = hsv_of(colour);
    editor.picked = {now.s > 0.004f && now.v > 0.004f ? now.h : editor.picked.h,
                     now.v > 0.004f ? now.s : editor.picked.s, now.v};
  }
  Hsv& hsv = editor.picked;
  const float line = pen.px(25), gap = pen.px(6), bar = pen.px(14);
  const Rect square{box.x0, box.y0, std::min(box.x0 + pen.px(150), box.x1 - pen.px(110)), box.y1};
  const Rect hue{square.x1 + gap, box.y0, square.x1 + gap + bar, box.y1};
  const Rect opacity = alpha ? Rect{hue.x1 + gap, box.y0, hue.x1 + gap + bar, box.y1} : Rect{};
  const float right = (alpha ? opacity.x1 : hue.x1) + gap * 1.5f;
  bool changed = false;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto share = [](float at, float from, float to) {
    return std::clamp((at - from) / std::max(1.0f, to - from), 0.0f, 1.0f);
  };
  const auto picks = [&](const Press& press) {
    if (press.held) controller.fields.any_held = changed = true;
    return press.held;
  };
  if (picks(press_area(pen, ControlKind::ColourSquare, 0, square))) {
    hsv.s = share(mouse.x, square.x0, square.x1);
    hsv.v = 1.0f - share(mouse.y, square.y0, square.y1);
  }
  if (picks(press_area(pen, ControlKind::ColourHue, 0, hue))) hsv.h = std::min(0.9999f, share(mouse.y, hue.y0, hue.y1));
  int opaque = colour[3];
  if (alpha && picks(press_area(pen, ControlKind::ColourAlpha, 0, opacity))) {
    opaque = static_cast<int>((1.0f - share(mouse.y, opacity.y0, opacity.y1)) * 255.0f + 0.5f);
  }
  ColourBytes wanted = changed ? bytes_of(hsv, opaque) : colour;
  changed = changed && wanted != colour;
  if (changed) editor.begin_step(true);

  const Line<16> shown(alpha ? "#%02x%02x%02x%02x" : "#%02x%02x%02x", wanted[0], wanted[1], wanted[2], wanted[3]);
  std::array<char, 48> typed{};
  const Rect text{right, box.y1 - line, box.x1, box.y1};
  if (text_field(pen, controller.fields, ControlKind::ColourText, 0, text, shown, typed) &&
      parse_hex(typed.data(), wanted)) {
    if (!alpha) wanted[3] = 255;
    editor.begin_step(false);
    changed = true;
  }
  colour = wanted;

  if (!pen.dry()) {
    ImDrawList& list = *pen.list();
    const ImU32 pure = screen_colour(bytes_of(Hsv{hsv.h, 1, 1}, 255)), white = IM_COL32(255, 255, 255, 255),
                black = IM_COL32(0, 0, 0, 255);
    const ImVec2 a(square.x0, square.y0), b(square.x1, square.y1);
    list.AddRectFilledMultiColor(a, b, white, pure, pure, white);
    list.AddRectFilledMultiColor(a, b, faded(black, 0), faded(black, 0), black, black);
    for (int i = 0; i < 6; ++i) {
      const auto at = [&](int part) { return hue.y0 + hue.height() * static_cast<float>(part) / 6.0f; };
      const auto tone = [&](int part) {
        return screen_colour(bytes_of(Hsv{static_cast<float>(part % 6) / 6.0f, 1, 1}, 255));
      };
      list.AddRectFilledMultiColor(ImVec2(hue.x0, at(i)), ImVec2(hue.x1, at(i + 1)), tone(i), tone(i), tone(i + 1),
                                   tone(i + 1));
    }
    const ImU32 solid = screen_colour({colour[0], colour[1], colour[2], 255});
    if (alpha) {
      checker(pen, opacity);
      list.AddRectFilledMultiColor(ImVec2(opacity.x0, opacity.y0), ImVec2(opacity.x1, opacity.y1), solid, solid,
                                   faded(solid, 0), faded(solid, 0));
    }
    for (const Rect& each : {square, hue, opacity}) pen.frame(each, kControlEdge);
    const auto notch = [&](const Rect& of, float down) {
      const float at = std::floor(of.y0 + of.height() * std::clamp(down, 0.0f, 1.0f));
      pen.fill({of.x0 - 2, at - 2, of.x1 + 2, at + 3}, kInk, 2);
      pen.fill({of.x0 - 1, at - 1, of.x1 + 1, at + 2}, kText, 1);
    };
    notch(hue, hsv.h);
    if (alpha) notch(opacity, 1.0f - static_cast<float>(colour[3]) / 255.0f);
    cross(pen, ImVec2(square.x0 + square.width() * hsv.s, square.y0 + square.height() * (1.0f - hsv.v)), solid);
    const Rect swatch{right, box.y0, box.x1, text.y0 - gap};
    checker(pen, swatch);
    pen.fill(swatch, screen_colour(colour));
    pen.frame(swatch, kControlEdge);
  }
  return changed;
}

float draw_gradient(const EditorController& controller, Keys& keys, float y) {
  const Pen& pen = controller.pen;
  Editor& editor = controller.editor;
  const float line = pen.px(20);
  pen.text(Cut::Small, controller.x0, pen.centre_y(Cut::Small, y, y + line), kMuted, "colour over life");
  y += line + pen.px(2);
  const Rect bar{controller.x0 + pen.px(6), y, controller.x1 - pen.px(6), y + pen.px(20)};
  const Rect area{controller.x0, y, controller.x1, bar.y1 + pen.px(15)};
  const Press press = press_area(pen, ControlKind::ColourBar, 0, area);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float t = std::clamp((mouse.x - bar.x0) / std::max(1.0f, bar.width()), 0.0f, 1.0f);
  const auto x_of = [&](float at) { return std::floor(bar.x0 + bar.width() * std::clamp(at, 0.0f, 1.0f)); };
  int near = -1;
  float nearest = pen.px(8);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (const float away = std::fabs(x_of(keys[i].t) - mouse.x); away < nearest) {
      nearest = away;
      near = static_cast<int>(i);
    }
  }
  if (press.held && ImGui::IsMouseClicked(0)) {
    if (near < 0 && keys.size() < kMostCurvePoints) {
      editor.begin_step(true);
      near = insert_stop(keys, t);
    }
    if (near >= 0) editor.stop = near;
  }
  if (keys.empty()) keys.push_back({});
  editor.stop = std::clamp(editor.stop, 0, static_cast<int>(keys.size()) - 1);
  const auto chosen = static_cast<std::size_t>(editor.stop);
  if (press.held) {
    controller.fields.any_held = true;
    if (ImGui::IsMouseDragging(0, 2.0f) || editor.gesture) {
      Keys wanted = keys;
      set_place(wanted, chosen, t);
      if (wanted[chosen].t != keys[chosen].t) {
        editor.begin_step(true);
        keys = wanted;
      }
    }
  }
  const bool inner = near > 0 && static_cast<std::size_t>(near) + 1 < keys.size();
  if (press.hovered && !press.held && ImGui::IsMouseClicked(1) && inner) {
    editor.begin_step(false);
    keys.erase(keys.begin() + near);
    editor.stop = std::clamp(editor.stop, 0, static_cast<int>(keys.size()) - 1);
  }

  if (!pen.dry()) {
    checker(pen, bar);
    constexpr int kPieces = 40;
    for (int i = 0; i < kPieces; ++i) {
      const float from = static_cast<float>(i) / kPieces, to = static_cast<float>(i + 1) / kPieces;
      const ImU32 a = screen_colour(bytes_of(colour_on(keys, from))), b = screen_colour(bytes_of(colour_on(keys, to)));
      pen.list()->AddRectFilledMultiColor(ImVec2(x_of(from), bar.y0), ImVec2(x_of(to), bar.y1), a, b, b, a);
    }
    pen.frame(bar, press.hovered ? kMuted : kControlEdge);
    const float half = pen.px(5);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const float x = x_of(keys[i].t);
      const ColourBytes bytes = bytes_of(keys[i]);
      const Rect mark{x - half, bar.y1 + pen.px(4), x + half, bar.y1 + pen.px(14)};
      const bool is_chosen = i == static_cast<std::size_t>(editor.stop);
      pen.list()->AddTriangleFilled(ImVec2(x, bar.y1 - 1), ImVec2(x + half, mark.y0), ImVec2(x - half, mark.y0),
                                    is_chosen ? kText : kMuted);
      pen.fill(mark, screen_colour({bytes[0], bytes[1], bytes[2], 255}), pen.px(2));
      pen.frame(mark, is_chosen ? kText : kMuted, pen.px(2), is_chosen ? 2.0f : 1.0f);
      if (!mark.cut_to(pen.clip()).empty()) pen.layout().add(ControlKind::ColourStop, i, mark);
    }
  }
  y = area.y1 + pen.px(5);
  const std::size_t shown = std::min(static_cast<std::size_t>(editor.stop), keys.size() - 1);
  ColourBytes colour = bytes_of(keys[shown]);
  const Rect box{controller.x0, y, controller.x1, y + picker_height(pen)};
  if (draw_picker(controller, box, colour, true)) keys[shown] = key_of(colour, keys[shown].t);
  return box.y1;
}

}  // namespace spellpool::ui
