#include "measure/record/machine_counters.hpp"

#include <unistd.h>
#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <sstream>
#include <string>

#include "measure/record/output_file.hpp"

namespace spellpool::measure {
namespace {

/// The first numbers of a file's first line, which begins with `name`. NaN from the first one on that is missing.
template <std::size_t N>
std::array<double, N> numbers_of_line(const char* path, std::string_view name = {}) {
  std::array<double, N> numbers;
  numbers.fill(kNotKnown);
  std::string text;
  if (!read_whole_file(path, text).empty()) return numbers;
  std::istringstream line(text.substr(0, text.find('\n')));
  std::string word;
  if (!name.empty() && (!(line >> word) || word != name)) return numbers;
  for (double& number : numbers) {
    double value = 0;
    if (!(line >> value)) break;
    number = value;
  }
  return numbers;
}

double sum_of_known(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : a + b; }

}  // namespace

MachineReading read_machine() {
  MachineReading reading;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  reading.wall_ms = std::chrono::duration<double, std::milli>(now).count();
  // user nice system idle iowait irq softirq steal, of all CPUs, in ticks
  const std::array<double, 8> cpu = numbers_of_line<8>("/proc/stat", "cpu");
  const long ticks = sysconf(_SC_CLK_TCK);
  if (ticks > 0 && std::isfinite(cpu[7])) {
    const double ms = 1000.0 / static_cast<double>(ticks);
    reading.busy_ms = ms * (cpu[0] + cpu[1] + cpu[2] + cpu[5] + cpu[6]);
    reading.steal_ms = ms * cpu[7];
    reading.cpu_ms = reading.busy_ms + reading.steal_ms + ms * (cpu[3] + cpu[4]);
  }
  timespec own{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) == 0) {
    reading.own_ms = 1e3 * static_cast<double>(own.tv_sec) + 1e-6 * static_cast<double>(own.tv_nsec);
  }
  reading.waited_ms = 1e-6 * numbers_of_line<2>("/proc/thread-self/schedstat")[1];
  const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  if (cpus > 0) reading.load = numbers_of_line<1>("/proc/loadavg")[0] / static_cast<double>(cpus);
  return reading;
}

MachineUse use_between(const MachineReading& from, const MachineReading& to) {
  MachineUse use;
  use.measured_ms = to.wall_ms - from.wall_ms;
  use.cpu_ms = to.cpu_ms - from.cpu_ms;
  use.others_ms = (to.busy_ms - from.busy_ms) - (to.own_ms - from.own_ms);
  use.steal_ms = to.steal_ms - from.steal_ms;
  use.waited_ms = to.waited_ms - from.waited_ms;
  use.load = std::fmax(from.load, to.load);
  return use;
}

MachineUse operator+(const MachineUse& a, const MachineUse& b) {
  MachineUse both;
  for (const auto& [name, member] : kMachineUseKeys) both.*member = sum_of_known(a.*member, b.*member);
  both.load = std::fmax(a.load, b.load);
  return both;
}

MachineCounting::MachineCounting() {
#if defined(__linux__)
  constexpr std::array<u64, 4> kEvents = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                                          PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_BRANCH_MISSES};
  for (std::size_t i = 0; i < kEvents.size(); ++i) {
    perf_event_attr what{};
    what.type = PERF_TYPE_HARDWARE;
    what.size = sizeof what;
    what.config = kEvents[i];
    what.disabled = 1;
    what.exclude_kernel = 1;
    what.exclude_hv = 1;
    files_[i] = static_cast<int>(syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (files_[i] < 0) missing_ = std::strerror(errno);
  }
#else
  missing_ = "not on this system";
#endif
}

MachineCounting::~MachineCounting() {
  for (const int file : files_) {
    if (file >= 0) close(file);
  }
}

void MachineCounting::start() {
  start_ = read_machine();
#if defined(__linux__)
  for (const int file : files_) {
    if (file < 0) continue;
    ioctl(file, PERF_EVENT_IOC_RESET, 0);
    ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
  }
#endif
}

MachineCounters MachineCounting::stop() {
  std::array<double, 4> counts{kNotKnown, kNotKnown, kNotKnown, kNotKnown};
#if defined(__linux__)
  for (std::size_t i = 0; i < files_.size(); ++i) {
    u64 count = 0;
    if (files_[i] < 0) continue;
    ioctl(files_[i], PERF_EVENT_IOC_DISABLE, 0);
    // A counter that was never scheduled reads 0: that is not known, too.
    if (read(files_[i], &count, sizeof count) == static_cast<ssize_t>(sizeof count) && count > 0)
      counts[i] = static_cast<double>(count);
  }
#endif
  return {counts[0], counts[1], counts[2], counts[3], use_between(start_, read_machine())};
}

double resident_kib() {
  std::string text;
  if (!read_whole_file("/proc/self/statm", text).empty()) return kNotKnown;
  std::istringstream line(text);
  double size = 0, resident = 0;
  if (!(line >> size >> resident)) return kNotKnown;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1024.0;
}

}  // namespace spellpool::measure
