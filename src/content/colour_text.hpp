#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/types.hpp"

namespace spellpool::content {

/// Linear light and alpha, each 0 … 1.
struct LinearColour {
  float r = 0, g = 0, b = 0, a = 1;
};

/// The linear value of an sRGB byte. The table is computed by IEEE + - * / alone, so it is the same everywhere.
/// Source  IEC 61966-2-1.
float linear_from_srgb(u8 byte);
/// The sRGB byte whose linear value is nearest.
u8 srgb_from_linear(float linear);

/// "#rrggbb" or "#rrggbbaa", the colour in sRGB; or nothing.
std::optional<LinearColour> parse_colour(std::string_view text);
/// The inverse, rounded to bytes; alpha is left out when it is 1.
std::string format_colour(const LinearColour& colour);

}  // namespace spellpool::content
