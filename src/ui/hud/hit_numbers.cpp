#include <algorithm>
#include <cmath>

#include "frame/render_snapshot.hpp"
#include "imgui.h"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

constexpr float kRise_units = 34.0f;
constexpr u32 kHeavy = 30;  // from here on in large letters

ImU32 colour_of(const frame::HitNumber& number, float fade) {
  // Paler than the spell's hue, so that it can be read over its sparks.
  const auto part = [](float hue) {
    return static_cast<int>(255.0f * (0.45f + 0.55f * std::clamp(hue, 0.0f, 1.0f)));
  };
  return faded(IM_COL32(part(number.r), part(number.g), part(number.b), 255), fade);
}

}  // namespace

void draw_hit_numbers(const frame::PanelModel& model, const Pen& pen) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float unit = std::min(window.x, window.y) / frame::kViewHeight;
  for (const frame::HitNumber& number : model.hit_numbers) {
    if (!std::isfinite(number.x) || !std::isfinite(number.y) || !std::isfinite(number.age)) continue;
    const float age = std::clamp(number.age, 0.0f, 1.0f), left = 1.0f - age;
    const float fade = std::min(1.0f, left * 2.5f), rise = 1.0f - left * left * left;
    const Line<16> words("%u", number.value);
    const Cut cut = number.value >= kHeavy ? Cut::Large : Cut::Strong;
    const float wide = pen.width(cut, words), high = pen.line_px(cut);
    const float x = std::floor(0.5f * window.x + number.x * unit - 0.5f * wide);
    const float y =
        std::floor(0.5f * window.y + (number.y - 26.0f - kRise_units * rise) * unit - 0.5f * high);
    if (x < 0 || y < 0 || x + wide > window.x || y + high > window.y) continue;
    pen.text(cut, x + 1, y + 1, faded(IM_COL32(4, 5, 12, 255), 0.85f * fade), words);
    pen.text(cut, x, y, colour_of(number, fade), words);
  }
}

}  // namespace spellpool::ui
