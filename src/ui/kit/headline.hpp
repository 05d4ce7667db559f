#pragma once
// What the title screens share: large capitals, a column that shrinks until it fits, and how they appear.
#include <algorithm>

#include "ui/kit/pen.hpp"

namespace spellpool::ui {

inline constexpr ImU32 kNight = IM_COL32(4, 5, 12, 255), kMoon = IM_COL32(232, 230, 255, 255);

inline float ease_out(float share) {
  const float left = 1.0f - std::clamp(share, 0.0f, 1.0f);
  return 1.0f - left * left * left;
}

/// The pen's scale, or the first below it at which `body(pen)` is no higher than `high` px and the text can still be
/// read.
template <class Body>
float fitting_scale(const Pen& pen, float high, const Body& body) {
  float scale = pen.scale();
  while (body(Pen(nullptr, scale, pen.layout())) > high && scale * kCutUnits[1] > kLeastTextPx) scale *= 0.97f;
  return scale;
}

/// Capitals with their shade, as large as fits into `room` px; centred at `middle`, top at y. Returns the height.
inline float headline(const Pen& pen, float units, float spread, float middle, float y, float room, float seen,
                      ImU32 colour, std::string_view words) {
  while (units > 14 && pen.title_width(units, units * spread, words) > room) units -= 1;
  for (const float shift : {2.0f, 1.0f}) {
    pen.title(units, units * spread, middle, y + pen.px(shift), faded(kNight, 0.5f * seen), words);
  }
  pen.title(units, units * spread, middle, y, faded(colour, seen), words);
  return pen.px(units * 1.12f);
}

}  // namespace spellpool::ui
