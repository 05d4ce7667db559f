#pragma once
// What the machine can tell of a stretch of time beside the clock: cycles, instructions, cache misses, and the time that a
// hypervisor took away. Each is NaN where it cannot be had; virtual machines often have no hardware counters.
#include <array>
#include <limits>
#include <string_view>

#include "core/types.hpp"

namespace spellpool::measure {

inline constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

struct MachineCounters {
  double cycles = kNotKnown, instructions = kNotKnown, cache_misses = kNotKnown, branch_misses = kNotKnown;
  double steal_ms = kNotKnown;  ///< Of all CPUs, in the kernel's ticks of 10 ms.
};

/// Counts from start() to stop(), the calling thread's user code.
/// Cost  start() and stop() are some ten microseconds of system calls; nothing in between.   Threads  one.
class MachineCounting {
 public:
  MachineCounting();
  ~MachineCounting();
  MachineCounting(const MachineCounting&) = delete;
  MachineCounting& operator=(const MachineCounting&) = delete;

  void start();
  MachineCounters stop();
  /// "" or why there are no hardware counters, in a few words.
  std::string_view missing() const { return missing_; }

 private:
  std::array<int, 4> files_{-1, -1, -1, -1};
  double steal_at_start_ms_ = kNotKnown;
  std::string_view missing_;
};

/// Resident memory of this process, in KiB.
double resident_kib();

}  // namespace spellpool::measure
