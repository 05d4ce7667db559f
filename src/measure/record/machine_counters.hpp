#pragma once
// What the machine can tell of a stretch of time beside the clock: cycles, instructions, cache misses, and the
// processor time that other programs and a hypervisor took. Each is NaN where it cannot be had; virtual machines
// often have no hardware counters.
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "core/types.hpp"

namespace spellpool::measure {

inline constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

/// What the machine has done up to a moment. Differences tell something, see use_between(). /proc/stat counts in
/// ticks of 10 ms.
struct MachineReading {
  double wall_ms = kNotKnown;    ///< The steady clock.
  double cpu_ms = kNotKnown;     ///< Of all CPUs together, working or idle.
  double busy_ms = kNotKnown;    ///< Of it, working for any program.
  double steal_ms = kNotKnown;   ///< Of it, taken by a hypervisor.
  double own_ms = kNotKnown;     ///< CPU time of this process, all threads.
  double waited_ms = kNotKnown;  ///< The calling thread was ready to run and no CPU was free for it.
  double load = kNotKnown;       ///< Load average of the last minute, per CPU.
};
/// Some 0.1 ms; allocates.   Threads  any; waited_ms is that thread's.
MachineReading read_machine();

/// What the machine did in a stretch of time, or in several that do not overlap.
struct MachineUse {
  double measured_ms = kNotKnown;  ///< The time itself.
  double cpu_ms = kNotKnown;       ///< Of all CPUs together.
  double others_ms = kNotKnown;    ///< Of cpu_ms, used by other processes.
  double steal_ms = kNotKnown;     ///< Of cpu_ms, taken by a hypervisor.
  double waited_ms = kNotKnown;    ///< Of measured_ms, see MachineReading.
  double load = kNotKnown;         ///< The highest at an end of a stretch.
};
MachineUse use_between(const MachineReading& from, const MachineReading& to);
/// Of both stretches. What is known of one only is that one's.
MachineUse operator+(const MachineUse& a, const MachineUse& b);

/// What files call the members.
inline constexpr std::array<std::pair<const char*, double MachineUse::*>, 6> kMachineUseKeys = {{
    {"steal_ms", &MachineUse::steal_ms},
    {"measured_ms", &MachineUse::measured_ms},
    {"cpu_ms", &MachineUse::cpu_ms},
    {"others_ms", &MachineUse::others_ms},
    {"waited_ms", &MachineUse::waited_ms},
    {"load", &MachineUse::load},
}};

struct MachineCounters {
  double cycles = kNotKnown, instructions = kNotKnown, cache_misses = kNotKnown, branch_misses = kNotKnown;
  MachineUse use;
};

/// Counts from start() to stop(), the calling thread's user code.
/// Cost  start() and stop() are some 0.1 ms of system calls; nothing in between.   Threads  one.
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
  MachineReading start_;
  std::string_view missing_;
};

/// Resident memory of this process, in KiB.
double resident_kib();

}  // namespace spellpool::measure
