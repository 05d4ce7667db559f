#pragma once
// Text from a file, an environment variable or a device, made safe for one line of a terminal, a table or a
// panel. Nothing in the result can move the cursor, change a colour, end the line or reverse the order of the
// text around it. Input  any bytes. Output  well-formed UTF-8 of the same length in characters, '?' for each
// that was replaced. Outputs with a syntax of their own escape the result once more:
// measure/report/escape.hpp, measure/record/json_text.hpp.
#include <cstddef>
#include <string>
#include <string_view>

namespace spellpool {

/// Length in bytes of the well-formed UTF-8 character at the start of `text`; 0 if there is none.
constexpr std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(0), second = byte(1);
  if (text.empty()) return 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead < 0xF0) {
    const bool in_range =
        (lead != 0xE0 || second >= 0xA0) && (lead != 0xED || second < 0xA0);  // no surrogates
    return in_range && follows(1) && follows(2) ? 3 : 0;
  }
  const bool in_range = (lead != 0xF0 || second >= 0x90) && (lead != 0xF4 || second < 0x90);
  return lead >= 0xF0 && lead < 0xF5 && in_range && follows(1) && follows(2) && follows(3) ? 4 : 0;
}

/// True for what would be obeyed instead of shown: C0 and C1 controls, DEL, line and paragraph separators
/// (U+2028 and U+2029), bidirectional embeddings, overrides and isolates (U+202A … U+202E, U+2066 … U+2069).
/// `character` is one well-formed UTF-8 character.
constexpr bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
  if (character.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (character.size() != 3 || byte(0) != 0xE2) return false;
  return (byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE) ||
         (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);
}

/// True if one_line() would change nothing.
constexpr bool is_one_line(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_bytes(text.substr(at));
    if (bytes == 0 || is_control(text.substr(at, bytes))) return false;
    at += bytes;
  }
  return true;
}

/// The text with '?' for each control character and each byte that belongs to no character.
inline std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    const std::string_view character = text.substr(0, bytes);
    if (bytes == 0 || is_control(character))
      line += '?';
    else
      line += character;
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return line;
}

/// The text, or its first `most` - 1 characters and "…". A byte that belongs to no character counts as one.
inline std::string clipped(std::string_view text, std::size_t most) {
  std::size_t count = 0, cut = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    if (count + 1 == most) cut = at;
    if (count == most) return std::string(text.substr(0, cut)) + "…";
    const std::size_t bytes = character_bytes(text.substr(at));
    at += bytes == 0 ? 1 : bytes;
  }
  return std::string(text);
}

}  // namespace spellpool
