#pragma once
// std::from_chars for floating-point numbers, also where the standard library has it for whole numbers only (libc++
// 18, in the browser build).
#include <charconv>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <version>

namespace spellpool::measure {

template <class Float>
  requires(std::is_floating_point_v<Float>)
std::from_chars_result float_from_chars(const char* first, const char* last, Float& value) {
#if defined(__cpp_lib_to_chars)
  return std::from_chars(first, last, value);
#else
  // strtod takes what from_chars refuses: blanks, a plus sign and hexadecimal digits at the begin.
  const std::string text(first, last);
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const bool hex = text.size() > sign + 1 && text[sign] == '0' && (text[sign + 1] == 'x' || text[sign + 1] == 'X');
  const bool begins = text.size() > sign && (text[sign] == '.' || text[sign] == 'i' || text[sign] == 'n' ||
                                             (text[sign] >= '0' && text[sign] <= '9'));
  if (hex || !begins) return {first, std::errc::invalid_argument};
  char* end = nullptr;
  const double read = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, std::errc::invalid_argument};
  value = static_cast<Float>(read);
  return {first + (end - text.c_str()), std::errc{}};
#endif
}

}  // namespace spellpool::measure
