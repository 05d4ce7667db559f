#pragma once
// One line to stderr, "spellpool: …". For start-up, warnings and errors; never called in a steady frame.
#include <cstdio>
#include <string_view>

namespace spellpool {

enum class LogLevel : unsigned char { Info, Warning, Error };

inline void log(LogLevel level, std::string_view text) {
  static constexpr const char* kPrefix[] = {"spellpool: ", "spellpool: warning: ", "spellpool: error: "};
  std::fprintf(stderr, "%s%.*s\n", kPrefix[static_cast<int>(level)], static_cast<int>(text.size()), text.data());
}

}  // namespace spellpool
