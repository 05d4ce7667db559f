#pragma once
// Lines for a person at a terminal, of which text from files cannot make more (core/one_line.hpp). Never
// called in a steady frame.
#include <cstdio>
#include <string>
#include <string_view>

#include "core/one_line.hpp"

namespace spellpool {

enum class LogLevel : unsigned char { Info, Warning, Error };

/// "spellpool: …" to stderr: for start-up, warnings and errors.
inline void log(LogLevel level, std::string_view text) {
  static constexpr const char* kPrefix[] = {"spellpool: ", "spellpool: warning: ", "spellpool: error: "};
  std::fprintf(stderr, "%s%s\n", kPrefix[static_cast<int>(level)], one_line(text).c_str());
}

/// A result to stdout.
inline void print_line(std::string_view text) { std::fprintf(stdout, "%s\n", one_line(text).c_str()); }

}  // namespace spellpool
