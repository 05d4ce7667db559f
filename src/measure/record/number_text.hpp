#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace spellpool::measure {

/// A number with a fixed count of decimals and '.', whatever the locale; "n/a" for what is not known.
inline std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return "n/a";
  char text[400];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals);
  return std::string(text, end.ptr);
}

/// The same with ',' between thousands: "12,345.6".
inline std::string grouped_text(double value, int decimals) {
  std::string text = fixed_text(value, decimals);
  if (!std::isfinite(value)) return text;
  const std::size_t first = text[0] == '-' ? 1 : 0;
  std::size_t at = std::min(text.find('.'), text.size());
  while (at > first + 3) text.insert(at -= 3, 1, ',');
  return text;
}

}  // namespace spellpool::measure
