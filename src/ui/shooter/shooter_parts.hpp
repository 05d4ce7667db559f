#pragma once
// What the shooter's HUD and its screens draw alike: signs, and lines of words and keys.
#include <span>

#include "ui/kit/controls.hpp"
#include "ui/kit/headline.hpp"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {

inline constexpr ImU32 kGold = IM_COL32(255, 206, 112, 255);

/// A word of a line, a key of the keyboard, a button of the gamepad, or the dot between two sentences.
struct Bit {
  enum class Look : u8 { Words, Key, Pad, Dot };
  std::string_view text;
  Look look = Look::Words;
};
float bits_width(const Pen& pen, std::span<const Bit> bits);
/// From x on, centred on y0 … y1, in the small cut. What has no text is left out.
void draw_bits(const Pen& pen, float x, float y0, float y1, ImU32 colour, std::span<const Bit> bits);

/// Signs, centred, `half` px to each side.
void draw_ship(const Pen& pen, ImVec2 centre, float half, ImU32 colour);
void draw_bomb(const Pen& pen, ImVec2 centre, float half, ImU32 colour);
void draw_diamond(const Pen& pen, ImVec2 centre, float half, ImU32 colour, bool filled);
void draw_star(const Pen& pen, ImVec2 centre, float half, ImU32 colour);
/// One to four diamonds, filled up to the difficulty; left end at x. Returns the width.
float draw_difficulty(const Pen& pen, float x, float middle, frame::Difficulty difficulty, ImU32 colour);
float difficulty_width(const Pen& pen);

/// "4:07"
Line<16> clock_text(float seconds);
const frame::DifficultyRow& row_of(frame::Difficulty difficulty);
/// The difficulty's table; null without one.
const std::vector<frame::ShooterScore>* shooter_table(const frame::PanelModel& model);

inline float bounded(float value, float low, float high) {
  return std::isfinite(value) ? std::clamp(value, low, high) : low;
}

}  // namespace spellpool::ui
