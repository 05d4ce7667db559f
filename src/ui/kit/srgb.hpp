#pragma once
// Colours of spells are linear light; screens and colour pickers speak sRGB bytes. A byte goes to linear and back to
// itself, so an edited colour is written into the file as it was chosen.  Source  IEC 61966-2-1.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "frame/defs/spell_def.hpp"

namespace spellpool::ui {

inline float linear_of(int byte) {
  const double encoded = static_cast<double>(byte) / 255.0;
  return static_cast<float>(encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4));
}

inline int srgb_byte_of(float linear) {
  if (!(linear > 0)) return 0;
  const double light = std::min(1.0, static_cast<double>(linear));
  const double encoded = light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1.0 / 2.4) - 0.055;
  return std::clamp(static_cast<int>(encoded * 255.0 + 0.5), 0, 255);
}

/// r, g, b, a as bytes.
using ColourBytes = std::array<int, 4>;

inline ColourBytes bytes_of(const frame::ColourKey& key) {
  const float alpha = key.a > 0 ? std::min(1.0f, key.a) : 0.0f;
  return {srgb_byte_of(key.r), srgb_byte_of(key.g), srgb_byte_of(key.b), static_cast<int>(alpha * 255.0f + 0.5f)};
}

inline frame::ColourKey key_of(const ColourBytes& bytes, float t) {
  return {t, linear_of(bytes[0]), linear_of(bytes[1]), linear_of(bytes[2]), static_cast<float>(bytes[3]) / 255.0f};
}

inline ImU32 screen_colour(const ColourBytes& bytes) { return IM_COL32(bytes[0], bytes[1], bytes[2], bytes[3]); }

/// Hue in turns, saturation and value, each 0 … 1.
struct Hsv {
  float h = 0, s = 0, v = 0;
};

inline Hsv hsv_of(const ColourBytes& bytes) {
  Hsv hsv;
  ImGui::ColorConvertRGBtoHSV(static_cast<float>(bytes[0]) / 255.0f, static_cast<float>(bytes[1]) / 255.0f,
                              static_cast<float>(bytes[2]) / 255.0f, hsv.h, hsv.s, hsv.v);
  return hsv;
}

inline ColourBytes bytes_of(const Hsv& hsv, int alpha) {
  float r = 0, g = 0, b = 0;
  ImGui::ColorConvertHSVtoRGB(hsv.h, hsv.s, hsv.v, r, g, b);
  const auto byte = [](float part) { return std::clamp(static_cast<int>(part * 255.0f + 0.5f), 0, 255); };
  return {byte(r), byte(g), byte(b), alpha};
}

}  // namespace spellpool::ui
