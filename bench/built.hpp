#pragma once
#include <string>

namespace spellpool::bench {

/// What this program was compiled with: "g++ 12.2.0 -O3 -DNDEBUG".
inline std::string built_by() {
#if defined(__clang__)
  std::string built = std::string("clang++ ") + __clang_version__;  // Debian's ends with a space
  while (built.back() == ' ') built.pop_back();
#else
  std::string built = std::string("g++ ") + __VERSION__;
#endif
  built += std::string(" ") + SPELLPOOL_FLAGS;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  built += ", sanitized";
#endif
  return built;
}

}  // namespace spellpool::bench
