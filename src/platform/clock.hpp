#pragma once
#include <chrono>

#include "core/types.hpp"

namespace spellpool::platform {

/// Monotonic time in nanoseconds, from an arbitrary start.
inline i64 now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace spellpool::platform
