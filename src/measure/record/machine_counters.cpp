#include "measure/record/machine_counters.hpp"

#include <unistd.h>
#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

#include <cerrno>
#include <cstring>
#include <sstream>
#include <string>

#include "measure/record/output_file.hpp"

namespace spellpool::measure {
namespace {

/// Column "steal" of the first line of /proc/stat: the eighth number behind "cpu".
double steal_ms() {
  std::string text;
  if (!read_whole_file("/proc/stat", text).empty()) return kNotKnown;
  std::istringstream line(text.substr(0, text.find('\n')));
  std::string word;
  double value = kNotKnown;
  line >> word;
  for (int column = 0; column < 8; ++column) {
    if (!(line >> value)) return kNotKnown;
  }
  const long ticks = sysconf(_SC_CLK_TCK);
  return ticks > 0 ? value * 1000.0 / static_cast<double>(ticks) : kNotKnown;
}

}  // namespace

MachineCounting::MachineCounting() {
#if defined(__linux__)
  constexpr std::array<u64, 4> kEvents = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CACHE_MISSES,
                                          PERF_COUNT_HW_BRANCH_MISSES};
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
  steal_at_start_ms_ = steal_ms();
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
    if (read(files_[i], &count, sizeof count) == static_cast<ssize_t>(sizeof count) && count > 0) counts[i] = static_cast<double>(count);
  }
#endif
  return {counts[0], counts[1], counts[2], counts[3], steal_ms() - steal_at_start_ms_};
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
