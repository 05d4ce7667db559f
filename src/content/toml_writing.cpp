#include "content/toml_writing.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace spellpool::content {

std::string number(float value) {
  std::string text = fmt::format("{}", value);
  if (static_cast<float>(std::strtod(text.c_str(), nullptr)) != value)
    text = fmt::format("{}", static_cast<double>(value));
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04x}", byte);
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace spellpool::content
