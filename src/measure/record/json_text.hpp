#pragma once
// JSON for files and for a terminal. Strings may be any bytes: what is not UTF-8 becomes U+FFFD, and control
// characters and overrides become \uXXXX, so a reader gets them, and a terminal does not act on them.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/one_line.hpp"

namespace spellpool::measure {

/// `indent`: spaces a level; -1 writes one line.
inline std::string json_text(const nlohmann::ordered_json& json, int indent) {
  const std::string dumped = json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string text;
  text.reserve(dumped.size());
  for (std::string_view rest = dumped; !rest.empty();) {
    const std::string_view character = rest.substr(0, character_bytes(rest));
    rest.remove_prefix(character.size());
    if (character == "\n" || !is_control(character)) {
      text += character;
      continue;
    }
    // A control of two or three bytes, or DEL: below U+10000, so one \uXXXX.
    const auto byte = [&](std::size_t i) {
      return static_cast<unsigned>(static_cast<unsigned char>(character[i]));
    };
    const unsigned code = character.size() == 1 ? byte(0)
                          : character.size() == 2
                              ? (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu)
                              : (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", code & 0xFFFFu);
    text += escaped;
  }
  return text;
}

}  // namespace spellpool::measure
