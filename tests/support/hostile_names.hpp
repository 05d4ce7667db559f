#pragma once
// Hostile names, as a file from elsewhere may contain them, and a check of what they must not put into an output.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace spellpool::test {

struct HostileName {
  const char* what;
  std::string text;
};

inline std::array<HostileName, 14> hostile_names() {
  using namespace std::string_literals;
  return {{{"an image tag", "<img src=x onerror=alert(1)>"},
           {"the end of a script", "</script><script>alert(1)</script>"},
           {"pipes", "a|b||c"},
           {"line ends", "one\ntwo\r\n\n# three\n- four"},
           {"a link", "[a](javascript:x) ![b](http://example.invalid/p.png) <http://example.invalid>"},
           {"backticks", "`a` ```b``` *c* _d_ ~~e~~ &amp; \\"},
           {"a terminal's title", "\x1b]0;owned\x07name"},
           {"a terminal's colours", "\x1b[31mred\x1b[0m"},
           {"C1 controls",
            "\xc2\x9b"
            "31mred"
            "\xc2\x9d"
            "0;owned\xc2\x9c"},
           {"NUL", "zero\0rest"s},
           {"broken UTF-8", "\xff\xfe\xc3(\xe2\x82\xf0\x9f\xed\xa0\x80"},
           {"text from right to left",
            "\xe2\x80\xae"
            "gnp.exe \xe2\x81\xa6 isolated"},
           {"quotes and commas", "\"a\",\"b\",'c',=1+1"},
           {"10,000 characters", std::string(10'000, 'x')}}};
}

/// Length in bytes of the well-formed UTF-8 character at the start of `text`; 0 if there is none.
inline std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(0), second = byte(1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead < 0xF0) {
    const bool in_range = (lead != 0xE0 || second >= 0xA0) && (lead != 0xED || second < 0xA0);
    return tail(1) && tail(2) && in_range ? 3 : 0;
  }
  if (lead >= 0xF0 && lead < 0xF5) {
    const bool in_range = (lead != 0xF0 || second >= 0x90) && (lead != 0xF4 || second < 0x90);
    return tail(1) && tail(2) && tail(3) && in_range ? 4 : 0;
  }
  return 0;
}

/// "" if the text is well-formed UTF-8 whose only control characters are line feeds; else what it contains
/// and where.
inline std::string unsafe_in(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_bytes(text.substr(at));
    const auto here = [&](const char* what) { return std::string(what) + " at byte " + std::to_string(at); };
    if (bytes == 0) return here("broken UTF-8");
    const std::string_view character = text.substr(at, bytes);
    const auto lead = static_cast<unsigned char>(character[0]);
    if (bytes == 1 && ((lead < 0x20 && lead != '\n') || lead == 0x7F)) return here("a control character");
    if (bytes == 2 && lead == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0)
      return here("a C1 control");
    if (character >= "\xe2\x80\xa8" && character <= "\xe2\x80\xae")
      return here("a line separator or an override");
    if (character >= "\xe2\x81\xa6" && character <= "\xe2\x81\xa9") return here("an isolate");
    at += bytes;
  }
  return "";
}

}  // namespace spellpool::test
