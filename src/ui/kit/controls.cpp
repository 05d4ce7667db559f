#include "ui/kit/controls.hpp"

#include <algorithm>
#include <array>

namespace spellpool::ui {

void reserve_geometry(ImDrawList& list) {
  constexpr int kVertices = 1 << 16, kPoints = 512;
  if (list.VtxBuffer.Capacity >= kVertices) return;
  list.VtxBuffer.reserve(kVertices);
  list.IdxBuffer.reserve(kVertices * 3 / 2);
  list.CmdBuffer.reserve(64);
  list._Path.reserve(kPoints);
  // Later versions keep room for a line's points, which the longest line so far has made: a long one out of sight.
  std::array<ImVec2, kPoints> far_away;
  far_away.fill(ImVec2(-1000.0f, -1000.0f));
  list.AddPolyline(far_away.data(), kPoints, IM_COL32(0, 0, 0, 1), ImDrawFlags_Closed, 3.0f);
  list.AddConvexPolyFilled(far_away.data(), kPoints, IM_COL32(0, 0, 0, 1));
}

void begin_window(const char* name, const Rect& box, bool scrolls) {
  ImGui::SetNextWindowPos(ImVec2(box.x0, box.y0));
  ImGui::SetNextWindowSize(ImVec2(box.width(), box.height()));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                           ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus |
                           ImGuiWindowFlags_NoBackground;
  if (!scrolls) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::Begin(name, nullptr, flags);
  reserve_geometry(*ImGui::GetWindowDrawList());
}

void end_window() {
  ImGui::End();
  ImGui::PopStyleVar(3);
}

Press press_area(const Pen& pen, ControlKind kind, std::size_t index, const Rect& box) {
  const Rect seen = box.cut_to(pen.clip());
  if (pen.dry() || seen.empty()) return {};
  pen.layout().add(kind, index, seen);
  ImGui::SetCursorScreenPos(ImVec2(seen.x0, seen.y0));
  ImGui::PushID(static_cast<int>(kind) * 4096 + static_cast<int>(index));
  Press press;
  press.pressed = ImGui::InvisibleButton("##press", ImVec2(seen.width(), seen.height()));
  press.hovered = ImGui::IsItemHovered();
  press.held = ImGui::IsItemActive();
  ImGui::PopID();
  if (press.pressed) {
    pen.layout().pressed = kind;
    pen.layout().any_pressed = true;
  }
  return press;
}

bool labelled_button(const Pen& pen, ControlKind kind, std::size_t index, const Rect& box, std::string_view label,
                     std::string_view key, bool on, ImU32 on_colour) {
  const Press press = press_area(pen, kind, index, box);
  const ImU32 fill = on ? faded(on_colour, press.hovered ? 0.46f : 0.34f) : press.hovered ? kControlHot : kControl;
  pen.fill(box, fill, pen.px(6));
  pen.frame(box, on ? on_colour : kControlEdge, pen.px(6));
  const float inside = pen.px(6), cap = pen.key_cap_width(key);
  const float together = pen.width(Cut::Small, label) + pen.px(6) + cap;
  if (key.empty() || together > box.width() - inside) {
    pen.text_centred(Cut::Small, {box.x0 + pen.px(3), box.y0, box.x1 - pen.px(3), box.y1}, kText, label);
    return press.pressed;
  }
  const float x = std::fmax(box.x0 + inside, box.middle_x() - together * 0.5f);
  const float cap_x = std::fmin(x + together - cap, box.x1 - inside - cap);
  pen.text_within(Cut::Small, x, pen.centre_y(Cut::Small, box.y0, box.y1), cap_x - pen.px(4) - x, kText, label);
  pen.key_cap(cap_x, box.y0, box.y1, key);
  return press.pressed;
}

int segments(const Pen& pen, ControlKind kind, std::size_t first_index, const Rect& box,
             std::span<const std::string_view> labels, std::size_t chosen) {
  int picked = -1;
  pen.fill(box, kControl, pen.px(6));
  pen.frame(box, kControlEdge, pen.px(6));
  const auto count = static_cast<float>(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto place = static_cast<float>(i);
    const Rect part{std::floor(box.x0 + box.width() * place / count), box.y0,
                    std::floor(box.x0 + box.width() * (place + 1) / count), box.y1};
    const Press press = press_area(pen, kind, first_index + i, part);
    if (i == chosen) {
      pen.fill(part, faded(kAccent, press.hovered ? 0.46f : 0.34f), pen.px(6));
      pen.frame(part, kAccent, pen.px(6));
    } else if (press.hovered) {
      pen.fill(part, kControlHot, pen.px(6));
    }
    pen.text_centred(Cut::Small, {part.x0 + pen.px(3), part.y0, part.x1 - pen.px(3), part.y1},
                     i == chosen ? kText : kMuted, labels[i]);
    if (press.pressed && i != chosen) picked = static_cast<int>(i);
  }
  return picked;
}

void draw_check(const Pen& pen, float x, float y, float side, bool good) {
  if (pen.dry()) return;
  const ImU32 colour = good ? kGreen : kRed;
  const float thick = std::max(1.5f, pen.scale() * 1.6f);
  const auto at = [&](float u, float v) { return ImVec2(x + side * u, y + side * v); };
  pen.list()->AddCircle(at(0.5f, 0.5f), side * 0.45f, colour, 20, std::max(1.5f, pen.scale() * 1.5f));
  if (good) {
    pen.list()->AddLine(at(0.28f, 0.52f), at(0.44f, 0.68f), colour, thick);
    pen.list()->AddLine(at(0.44f, 0.68f), at(0.72f, 0.34f), colour, thick);
  } else {
    pen.list()->AddLine(at(0.34f, 0.34f), at(0.66f, 0.66f), colour, thick);
    pen.list()->AddLine(at(0.66f, 0.34f), at(0.34f, 0.66f), colour, thick);
  }
}

bool panel_header(const Pen& pen, const Rect& row, std::string_view title, std::string_view key, ClosePanel which) {
  const std::string_view sign = key.empty() ? std::string_view("×") : key;
  const float cap = pen.key_cap_width(sign);
  const Rect close{row.x1 - cap, row.y0, row.x1, row.y1};
  const Press press = press_area(pen, ControlKind::Close, static_cast<std::size_t>(which), close);
  if (press.hovered) pen.fill(close, kControlHot, pen.px(4));
  pen.text_within(Cut::Strong, row.x0, pen.centre_y(Cut::Strong, row.y0, row.y1), row.width() - cap - pen.px(8), kText,
                  title);
  pen.key_cap(close.x0, row.y0, row.y1, sign);
  return press.pressed;
}

float begin_scroll(const char* name, const Rect& box) {
  ImGui::SetCursorScreenPos(ImVec2(box.x0, box.y0));
  ImGui::BeginChild(name, ImVec2(box.width(), box.height()), false,
                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground);
  reserve_geometry(*ImGui::GetWindowDrawList());
  return ImGui::GetScrollY();
}

void end_scroll(const Rect& box, float bottom) {
  ImGui::SetCursorScreenPos(ImVec2(box.x0, std::floor(bottom) - 1));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
}

frame::ChoiceRow strategy_row(const frame::PanelModel& model, u8 strategy) {
  if (strategy < model.strategies.size()) return model.strategies[strategy];
  frame::ChoiceRow unknown;
  unknown.title = "unknown strategy";
  return unknown;
}

std::string_view key_words(std::string_view sdl_name) {
  struct Name {
    std::string_view sdl, words;
  };
  constexpr std::array<Name, 9> kNames = {{{"Escape", "Esc"},
                                           {"Return", "Enter"},
                                           {"Left Shift", "L Shift"},
                                           {"Right Shift", "R Shift"},
                                           {"Left Ctrl", "L Ctrl"},
                                           {"Right Ctrl", "R Ctrl"},
                                           {"PageUp", "Pg up"},
                                           {"PageDown", "Pg down"},
                                           {"Backspace", "Backsp."}}};
  for (const Name& name : kNames) {
    if (name.sdl == sdl_name) return name.words;
  }
  return sdl_name;
}

Line<32> pad_words(std::string_view sdl_name) {
  struct Name {
    std::string_view sdl, words;
  };
  constexpr std::array<Name, 21> kNames = {{{"a", "A"},
                                            {"b", "B"},
                                            {"x", "X"},
                                            {"y", "Y"},
                                            {"back", "Back"},
                                            {"start", "Start"},
                                            {"guide", "Guide"},
                                            {"leftshoulder", "LB"},
                                            {"rightshoulder", "RB"},
                                            {"leftstick", "L3"},
                                            {"rightstick", "R3"},
                                            {"dpup", "D-pad up"},
                                            {"dpdown", "D-pad down"},
                                            {"dpleft", "D-pad left"},
                                            {"dpright", "D-pad right"},
                                            {"misc1", "Share"},
                                            {"touchpad", "Touchpad"},
                                            {"paddle1", "Paddle 1"},
                                            {"paddle2", "Paddle 2"},
                                            {"paddle3", "Paddle 3"},
                                            {"paddle4", "Paddle 4"}}};
  const bool shifted = sdl_name.substr(0, 3) == "lt+";
  std::string_view words = shifted ? sdl_name.substr(3) : sdl_name;
  for (const Name& name : kNames) {
    if (name.sdl == words) {
      words = name.words;
      break;
    }
  }
  return Line<32>(shifted ? "LT + %.*s" : "%.*s", static_cast<int>(words.size()), words.data());
}

std::string_view key_label(const frame::PanelModel& model, frame::Action action) {
  const auto row = static_cast<std::size_t>(action);
  return key_words(model.settings != nullptr ? std::string_view(model.settings->bindings[row].key)
                                             : frame::kHotkeys[row].key);
}

Line<32> pad_label(const frame::PanelModel& model, frame::Action action) {
  const auto row = static_cast<std::size_t>(action);
  return pad_words(model.settings != nullptr ? std::string_view(model.settings->bindings[row].pad)
                                             : frame::kHotkeys[row].pad);
}

}  // namespace spellpool::ui
