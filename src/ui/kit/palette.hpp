#pragma once
// The colours of the panels; every number is sRGB. One accent; strategies and spells bring their own.
#include <imgui.h>

#include <array>

#include "frame/phase.hpp"

namespace spellpool::ui {

inline constexpr ImU32 kPanelFill = IM_COL32(11, 13, 24, 226);
inline constexpr ImU32 kPanelEdge = IM_COL32(150, 165, 220, 46);
inline constexpr ImU32 kText = IM_COL32(238, 241, 250, 255);
inline constexpr ImU32 kMuted = IM_COL32(172, 180, 204, 255);
inline constexpr ImU32 kAccent = IM_COL32(174, 160, 255, 255);
inline constexpr ImU32 kControl = IM_COL32(148, 160, 214, 34);
inline constexpr ImU32 kControlHot = IM_COL32(148, 160, 214, 66);
inline constexpr ImU32 kControlEdge = IM_COL32(148, 160, 214, 70);
inline constexpr ImU32 kRule = IM_COL32(148, 160, 214, 40);
inline constexpr ImU32 kInk = IM_COL32(10, 11, 20, 255);
inline constexpr ImU32 kRed = IM_COL32(255, 99, 97, 255);
inline constexpr ImU32 kYellow = IM_COL32(246, 204, 84, 255);
inline constexpr ImU32 kGreen = IM_COL32(94, 212, 143, 255);
inline constexpr ImU32 kBlue = IM_COL32(86, 182, 255, 255);

/// One muted colour per phase, in the order of frame::Phase; neighbours differ in hue and in lightness.
inline constexpr std::array<ImU32, frame::kPhaseCount> kPhaseColours = {
    IM_COL32(190, 140, 78, 255), IM_COL32(70, 140, 132, 255), IM_COL32(176, 96, 104, 255), IM_COL32(140, 104, 160, 255),
    IM_COL32(74, 104, 160, 255), IM_COL32(142, 150, 96, 255), IM_COL32(84, 88, 108, 255)};

/// The same colour, with its opacity times `factor` (0 … 1).
constexpr ImU32 faded(ImU32 colour, float factor) {
  const auto alpha = static_cast<ImU32>(static_cast<float>(colour >> IM_COL32_A_SHIFT) * factor + 0.5f);
  return (colour & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT);
}

}  // namespace spellpool::ui
