#pragma once
#include <string>

#include "core/log.hpp"

namespace spellpool::app {

/// Logs what is wrong with an option, a file or the start. Returns the program's exit code.
inline int fail(const std::string& error) {
  log(LogLevel::Error, error);
  return 2;
}

}  // namespace spellpool::app
