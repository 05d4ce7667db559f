#include "ui/controls.hpp"

namespace spellpool::ui {

void reserve_geometry(ImDrawList& list) {
  constexpr int kVertices = 1 << 16;
  if (list.VtxBuffer.Capacity >= kVertices) return;
  list.VtxBuffer.reserve(kVertices);
  list.IdxBuffer.reserve(kVertices * 3 / 2);
  list.CmdBuffer.reserve(64);
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
  if (pen.dry() || box.empty()) return {};
  pen.layout().add(kind, index, box);
  ImGui::SetCursorScreenPos(ImVec2(box.x0, box.y0));
  ImGui::PushID(static_cast<int>(kind) * 256 + static_cast<int>(index));
  Press press;
  press.pressed = ImGui::InvisibleButton("##press", ImVec2(box.width(), box.height()));
  press.hovered = ImGui::IsItemHovered();
  press.held = ImGui::IsItemActive();
  ImGui::PopID();
  return press;
}

bool labelled_button(const Pen& pen, ControlKind kind, std::size_t index, const Rect& box, std::string_view label,
                     std::string_view key, bool on, ImU32 on_colour) {
  const Press press = press_area(pen, kind, index, box);
  const ImU32 fill = on ? faded(on_colour, press.hovered ? 0.46f : 0.34f) : press.hovered ? kControlHot : kControl;
  pen.fill(box, fill, pen.px(6));
  pen.frame(box, on ? on_colour : kControlEdge, pen.px(6));
  if (key.empty()) {
    pen.text_centred(Cut::Small, box, kText, label);
    return press.pressed;
  }
  const float inside = pen.px(6), cap = pen.key_cap_width(key);
  const float together = pen.width(Cut::Small, label) + pen.px(6) + cap;
  const float x = std::fmax(box.x0 + inside, box.middle_x() - together * 0.5f);
  const float cap_x = std::fmin(x + together - cap, box.x1 - inside - cap);
  pen.text_within(Cut::Small, x, pen.centre_y(Cut::Small, box.y0, box.y1), cap_x - pen.px(4) - x, kText, label);
  pen.key_cap(cap_x, box.y0, box.y1, key);
  return press.pressed;
}

bool panel_header(const Pen& pen, const Rect& row, std::string_view title, std::string_view key, std::size_t index) {
  const float cap = pen.key_cap_width(key);
  const Rect close{row.x1 - cap, row.y0, row.x1, row.y1};
  const Press press = press_area(pen, ControlKind::Close, index, close);
  if (press.hovered) pen.fill(close, kControlHot, pen.px(4));
  pen.text_within(Cut::Strong, row.x0, pen.centre_y(Cut::Strong, row.y0, row.y1), row.width() - cap - pen.px(8), kText,
                  title);
  pen.key_cap(close.x0, row.y0, row.y1, key);
  return press.pressed;
}

std::string_view key_label(frame::Action action) {
  const std::string_view key = frame::kHotkeys[static_cast<std::size_t>(action)].key;
  return key == "Escape" ? "Esc" : key;
}

std::string_view pad_label(frame::Action action) {
  struct Name {
    std::string_view sdl, words;
  };
  constexpr std::array<Name, 15> kNames = {{{"a", "A"},
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
                                            {"dpright", "D-pad right"}}};
  const std::string_view pad = frame::kHotkeys[static_cast<std::size_t>(action)].pad;
  for (const Name& name : kNames) {
    if (name.sdl == pad) return name.words;
  }
  return pad;
}

}  // namespace spellpool::ui
