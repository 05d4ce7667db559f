#pragma once
#include <string>

#include "core/types.hpp"

namespace spellpool::measure {

/// A clock with longer steps is coarse: a step of the game takes about 25 µs.
inline constexpr double kCoarseClock_us = 1.0;

/// All that may change a timing and is not the game itself. A text that is not known is "NA".
struct Environment {
  std::string version = "NA";     ///< Of Spellpool. Set by the caller, like the next three.
  std::string build_type = "NA";  ///< "release", "debug", "address+undefined".
  std::string flags = "NA";       ///< As given to the compiler.
  std::string command_line = "NA";
  std::string compiler = "NA";  ///< "g++ 12.2.0"
  bool optimised = false;       ///< Built with -O1 or more.
  bool sanitized = false;
  std::string libc = "NA";       ///< "glibc 2.36"
  std::string allocator = "NA";  ///< "glibc malloc", or what LD_PRELOAD puts in its place.
  std::string os = "NA";
  std::string kernel = "NA";
  std::string cpu = "NA";
  u32 cpus = 0;
  std::string governor = "NA";  ///< Of CPU 0; virtual machines have none.
  std::string affinity = "NA";  ///< CPUs this process may run on: "0-1,4".
  u64 memory_kib = 0;
  double clock_step_us = 0;     ///< Smallest step of the clock that times frames; 0: not known.
  std::string date = "NA";      ///< UTC, "2026-11-21T03:42:21Z".
  std::string renderer = "NA";  ///< GL renderer, or "none (simulation only)". Reported by the blocks.
  std::string vsync = "NA";     ///< "off", "on", "NA" without a window. Reported by the blocks.

  /// Times of an unoptimised or sanitized build say nothing about a pool.
  bool comparable() const { return optimised && !sanitized; }
  /// The clock is too coarse to time single steps, as in browsers: only sums over many steps are known.
  bool coarse_clock() const { return clock_step_us > kCoarseClock_us; }
  /// Why not, in a few words: "unoptimised build"; "" if comparable.
  std::string why_not_comparable() const;
};

/// What this process can tell of itself and its machine. Reads a few small files of /proc and /sys.
Environment capture_environment();

}  // namespace spellpool::measure
