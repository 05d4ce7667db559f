#pragma once
#include <string>

#include "core/types.hpp"

namespace spellpool::measure {

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
  std::string date = "NA";      ///< UTC, "2026-11-21T03:42:21Z".
  std::string renderer = "NA";  ///< GL renderer, or "none (simulation only)". Reported by the blocks.
  std::string vsync = "NA";     ///< "off", "on", "NA" without a window. Reported by the blocks.

  /// Times of an unoptimised or sanitized build say nothing about a pool.
  bool comparable() const { return optimised && !sanitized; }
  /// Why not, in a few words: "unoptimised build"; "" if comparable.
  std::string why_not_comparable() const;
};

/// What this process can tell of itself and its machine. Reads a few small files of /proc and /sys.
Environment capture_environment();

}  // namespace spellpool::measure
