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

/// A time: "12.3 µs", from a millisecond on "1.23 ms"; "NA" for what is not known.
inline std::string us_text(double us) {
  if (!std::isfinite(us)) return "NA";
  return us < 1000 ? fixed_text(us, 1) + " µs" : fixed_text(us / 1000, 2) + " ms";
}

}  // namespace spellpool::measure
