#include "ui/kit/fields.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace spellpool::ui {
namespace {

u32 id_of(ControlKind kind, std::size_t index) {
  return (static_cast<u32>(kind) + 1) << 16 | static_cast<u32>(index & 0xFFFFu);
}

struct Track {
  float from = 0, to = 0, middle = 0, knob = 0;
  float at(float way) const { return from + (to - from) * way; }
};

Track track_in(const Pen& pen, const Rect& box) {
  const float knob = std::max(3.0f, 6 * pen.scale());
  return {box.x0 + knob, box.x1 - knob, std::floor(box.middle_y()), knob};
}

float mouse_way(const Track& track) {
  return std::clamp((ImGui::GetIO().MousePos.x - track.from) / std::max(1.0f, track.to - track.from), 0.0f, 1.0f);
}

void draw_track(const Pen& pen, const Track& track, float from_way, float to_way) {
  const float thin = std::max(1.0f, pen.px(3) * 0.5f);
  pen.fill({track.from, track.middle - thin, track.to, track.middle + thin}, kControlHot, thin);
  pen.fill({track.at(from_way), track.middle - thin, track.at(to_way), track.middle + thin}, faded(kAccent, 0.75f),
           thin);
}

void draw_knob(const Pen& pen, const Track& track, float way, bool hot) {
  if (!pen.dry())
    pen.list()->AddCircleFilled(ImVec2(track.at(way), track.middle), track.knob, hot ? kText : kAccent, 20);
}

}  // namespace

float way_of(const Scale& scale, float value) {
  if (!std::isfinite(value)) value = scale.low;
  value = std::clamp(value, scale.low, scale.high);
  if (scale.low < 0 && scale.high > 0) {
    const float zero = -scale.low / (scale.high - scale.low);
    const float side = value < 0 ? -scale.low : scale.high;
    const float share = std::pow(std::fabs(value) / side, 1.0f / scale.power);
    return value < 0 ? zero * (1.0f - share) : zero + (1.0f - zero) * share;
  }
  return std::pow((value - scale.low) / (scale.high - scale.low), 1.0f / scale.power);
}

float value_at(const Scale& scale, float way) {
  way = std::clamp(way, 0.0f, 1.0f);
  if (scale.low < 0 && scale.high > 0) {
    const float zero = -scale.low / (scale.high - scale.low);
    if (std::fabs(way - zero) < 0.015f) return 0;  // Zero is easy to find again.
    if (way < zero) return scale.low * std::pow((zero - way) / zero, scale.power);
    return scale.high * std::pow((way - zero) / (1.0f - zero), scale.power);
  }
  return scale.low + (scale.high - scale.low) * std::pow(way, scale.power);
}

float tidy(float value, bool whole) {
  if (!std::isfinite(value)) return 0;
  if (whole) return std::floor(value + 0.5f);
  const double size = std::fabs(static_cast<double>(value));
  if (size < 1e-4) return 0;
  const double step = std::pow(10.0, std::floor(std::log10(size)) - 2.0);
  return static_cast<float>(std::floor(static_cast<double>(value) / step + 0.5) * step);
}

bool slider(const Pen& pen, FieldState& state, ControlKind kind, std::size_t index, const Rect& box, const Scale& scale,
            float& value) {
  const Press press = press_area(pen, kind, index, box);
  const Track track = track_in(pen, box);
  if (press.held) {
    value = value_at(scale, mouse_way(track));
    state.any_held = true;
  }
  const float way = way_of(scale, value);
  const float start = scale.low < 0 && scale.high > 0 ? way_of(scale, 0) : 0.0f;
  draw_track(pen, track, std::min(start, way), std::max(start, way));
  draw_knob(pen, track, way, press.hovered || press.held);
  return press.held;
}

bool range_slider(const Pen& pen, FieldState& state, ControlKind kind, std::size_t index, const Rect& box,
                  const Scale& scale, float& low, float& high) {
  const Press press = press_area(pen, kind, index, box);
  const Track track = track_in(pen, box);
  float low_way = way_of(scale, low), high_way = way_of(scale, high);
  bool changed = false;
  if (press.held) {
    state.any_held = true;
    // Where the press began decides which knob follows.
    const float began = (ImGui::GetIO().MouseClickedPos[0].x - track.from) / std::max(1.0f, track.to - track.from);
    const ImGuiID which = ImGui::GetID("##knob") + static_cast<ImGuiID>(id_of(kind, index));
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    if (ImGui::IsMouseClicked(0)) {
      const bool upper =
          std::fabs(began - high_way) < std::fabs(began - low_way) || (low_way == high_way && began > low_way);
      kept.SetInt(which, upper ? 1 : 0);
    }
    const float value = value_at(scale, mouse_way(track));
    if (kept.GetInt(which) == 1) {
      high = value;
      low = std::min(low, high);
    } else {
      low = value;
      high = std::max(low, high);
    }
    low_way = way_of(scale, low);
    high_way = way_of(scale, high);
    changed = true;
  }
  draw_track(pen, track, low_way, high_way);
  draw_knob(pen, track, low_way, press.hovered || press.held);
  draw_knob(pen, track, high_way, press.hovered || press.held);
  return changed;
}

bool text_field(const Pen& pen, FieldState& state, ControlKind kind, std::size_t index, const Rect& box,
                std::string_view shown, std::array<char, 48>& typed) {
  const Rect seen = box.cut_to(pen.clip());
  if (pen.dry() || seen.empty()) return false;
  pen.layout().add(kind, index, seen);
  const u32 id = id_of(kind, index);
  Typing* mine = state.typing[0].id == id ? &state.typing[0] : state.typing[1].id == id ? &state.typing[1] : nullptr;
  std::array<char, 48> fresh{};
  if (mine == nullptr) std::memcpy(fresh.data(), shown.data(), std::min(shown.size(), fresh.size() - 1));
  char* text = mine != nullptr ? mine->text.data() : fresh.data();

  ImFont* font = pen.font(Cut::Small);
  ImGui::PushFont(font);
  ImGui::SetWindowFontScale(pen.font_px(Cut::Small) / font->FontSize);
  const float inside = std::max(0.0f, std::floor((box.height() - ImGui::GetFontSize()) * 0.5f));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(pen.px(6), inside));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, pen.px(6));
  ImGui::SetCursorScreenPos(ImVec2(box.x0, box.y0));
  ImGui::SetNextItemWidth(box.width());
  ImGui::PushID(static_cast<int>(id));
  const bool entered = ImGui::InputText("##text", text, fresh.size(),
                                        ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue);
  const bool active = ImGui::IsItemActive(), left = ImGui::IsItemDeactivatedAfterEdit();
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  ImGui::PopStyleVar(2);
  ImGui::SetWindowFontScale(1.0f);
  ImGui::PopFont();
  pen.frame(box, active ? kAccent : hovered ? kMuted : kControlEdge, pen.px(6));
  if (active && mine == nullptr) {
    // The other field, if one is just being left, keeps its text until it was drawn.
    Typing& slot = state.typing[0].id == 0 ? state.typing[0] : state.typing[1];
    slot.id = id;
    slot.text = fresh;
  }
  if (active && !entered) return false;
  if (mine == nullptr) return false;
  typed = mine->text;
  mine->id = 0;
  return (entered || left) && shown != std::string_view(typed.data());
}

bool number_field(const Pen& pen, FieldState& state, ControlKind kind, std::size_t index, const Rect& box, float least,
                  float most, bool whole, float& value) {
  const Line<32> shown(whole ? "%.0f" : "%.4g", static_cast<double>(value));
  std::array<char, 48> typed{};
  if (!text_field(pen, state, kind, index, box, shown, typed)) return false;
  for (char& letter : typed) letter = letter == ',' ? '.' : letter;
  char* end = typed.data();
  const double wanted = std::strtod(typed.data(), &end);
  while (*end == ' ') ++end;
  if (end == typed.data() || *end != 0 || !std::isfinite(wanted)) return false;
  const auto fits = static_cast<float>(std::clamp(wanted, static_cast<double>(least), static_cast<double>(most)));
  value = whole ? std::floor(fits + 0.5f) : fits;
  return true;
}

Edited number_row(const Pen& pen, FieldState& state, std::size_t index, const Rect& box, const NumberSpan& span,
                  float& value) {
  const auto rounded = [&span](float wanted) {
    return span.step > 0 ? std::floor(wanted / span.step + 0.5f) * span.step : tidy(wanted, span.whole);
  };
  const Rect text{box.x1 - pen.px(62), box.y0, box.x1, box.y1};
  const float before = value;
  float wanted = value;
  Edited edited = Edited::No;
  if (slider(pen, state, ControlKind::FieldSlider, index, {box.x0, box.y0, text.x0 - pen.px(6), box.y1}, span.scale,
             wanted)) {
    value = wanted = rounded(wanted);
    if (value != before) edited = Edited::Held;
  }
  if (number_field(pen, state, ControlKind::FieldText, index * 2, text, span.least, span.most, span.whole, wanted)) {
    value = span.step > 0 ? rounded(wanted) : wanted;
    edited = Edited::Typed;
  }
  return edited;
}

int drop_down(const Pen& pen, FieldState& state, ControlKind kind, std::size_t index, const Rect& box,
              std::string_view shown, std::span<const std::string_view> items) {
  const Press press = press_area(pen, kind, index, box);
  pen.fill(box, press.hovered ? kControlHot : kControl, pen.px(6));
  pen.frame(box, kControlEdge, pen.px(6));
  const float sign = pen.px(14);
  pen.text_within(Cut::Small, box.x0 + pen.px(8), pen.centre_y(Cut::Small, box.y0, box.y1),
                  box.width() - pen.px(14) - sign, kText, shown);
  if (pen.dry()) return -1;
  const ImVec2 tip(box.x1 - pen.px(12), std::floor(box.middle_y()) + pen.px(3));
  const float half = pen.px(4);
  pen.list()->AddTriangleFilled(ImVec2(tip.x - half, tip.y - half), ImVec2(tip.x + half, tip.y - half), tip, kMuted);

  const u32 id = id_of(kind, index);
  ImGui::PushID(static_cast<int>(id));
  if (press.pressed) {
    state.open_drop = id;
    state.close_drop = false;
    ImGui::OpenPopup("##drop");
  }
  int picked = -1;
  if (state.open_drop == id) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float line = pen.px(25), pad = pen.px(5);
    const float whole = line * static_cast<float>(items.size()) + pad * 2;
    const float high = std::min(whole, std::floor(display.y * 0.7f));
    float wide = box.width();
    for (std::string_view item : items) wide = std::max(wide, pen.width(Cut::Small, item) + pen.px(28));
    const float x0 = std::floor(std::clamp(box.x0, 0.0f, std::max(0.0f, display.x - wide)));
    float y0 = box.y1 + pen.px(3);
    if (y0 + high > display.y) y0 = std::max(0.0f, box.y0 - pen.px(3) - high);
    const Rect list{x0, std::floor(std::min(y0, display.y - high)), x0 + wide,
                    std::floor(std::min(y0, display.y - high)) + high};
    ImGui::SetNextWindowPos(ImVec2(list.x0, list.y0));
    ImGui::SetNextWindowSizeConstraints(ImVec2(list.width(), list.height()), ImVec2(list.width(), list.height()));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    const bool open =
        ImGui::BeginPopup("##drop", ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    if (open) {
      const Pen inner = Pen(ImGui::GetWindowDrawList(), pen.scale(), pen.layout()).within(list);
      inner.fill(list, IM_COL32(17, 19, 33, 252), pen.px(8));
      inner.frame(list, kControlEdge, pen.px(8));
      float y = list.y0 + pad - ImGui::GetScrollY();
      for (std::size_t i = 0; i < items.size(); ++i, y += line) {
        const Rect row{list.x0 + pad, y, list.x1 - pad, y + line};
        const Press choice = press_area(inner, ControlKind::DropItem, i, row);
        if (choice.hovered) inner.fill(row, kControlHot, pen.px(5));
        const bool chosen = items[i] == shown;
        inner.text_within(Cut::Small, row.x0 + pen.px(6), inner.centre_y(Cut::Small, row.y0, row.y1),
                          row.width() - pen.px(8), chosen ? kAccent : kText,
                          items[i].empty() ? std::string_view("none") : items[i]);
        if (choice.pressed) picked = static_cast<int>(i);
      }
      ImGui::SetCursorScreenPos(ImVec2(list.x0, y + pad - 1));
      ImGui::Dummy(ImVec2(1, 1));
      if (picked >= 0 || state.close_drop) {
        ImGui::CloseCurrentPopup();
        state.open_drop = 0;
        state.close_drop = false;
      }
      ImGui::EndPopup();
    } else {
      state.open_drop = 0;
    }
  }
  ImGui::PopID();
  return picked;
}

}  // namespace spellpool::ui
