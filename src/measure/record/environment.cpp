#include "measure/record/environment.hpp"

#include <sched.h>
#include <sys/utsname.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#elif defined(__EMSCRIPTEN__)
#include <emscripten.h>
#include <emscripten/version.h>
#endif

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <thread>

#include "measure/record/output_file.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SPELLPOOL_SANITIZED_BUILD 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SPELLPOOL_SANITIZED_BUILD 1
#endif

namespace spellpool::measure {
namespace {

std::string_view unquoted(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\"";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// What follows `key` and `separator` on the first line that begins with key; "NA" if there is none.
std::string value_in_file(const char* path, std::string_view key, char separator) {
  std::string text;
  if (!read_whole_file(path, text).empty()) return "NA";
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::size_t split = line.find(separator);
    if (split == std::string_view::npos || unquoted(line.substr(0, split)) != key) continue;
    const std::string_view value = unquoted(line.substr(split + 1));
    return value.empty() ? "NA" : std::string(value);
  }
  return "NA";
}

#if defined(__EMSCRIPTEN__)
/// The browser or node; and 1 in a cross-origin isolated page, whose clock is finer.
EM_JS(char*, page_browser, (), {
  return stringToNewUTF8(globalThis.navigator && navigator.userAgent ? navigator.userAgent : "node " + process.version);
});
EM_JS(int, page_is_isolated, (), { return globalThis.crossOriginIsolated ? 1 : 0; });
#endif

/// The smallest of 20 steps: browsers add jitter to their clocks. Stops after 20 ms.
double clock_step_us() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  double least = 0;
  for (int i = 0; i < 20 && Clock::now() - start < std::chrono::milliseconds(20); ++i) {
    const Clock::time_point begin = Clock::now();
    Clock::time_point end = begin;
    while (end == begin) end = Clock::now();
    const double step = std::chrono::duration<double, std::micro>(end - begin).count();
    least = least > 0 ? std::min(least, step) : step;
  }
  return least;
}

/// "AMD EPYC (family 25, model 1)": on a virtual machine the name alone may not say which generation it is.
std::string processor_name() {
  const auto info = [](std::string_view key) { return value_in_file("/proc/cpuinfo", key, ':'); };
  const std::string family = info("cpu family"), model = info("model");
  std::string name = info("model name");
  if (family != "NA" && model != "NA") name += " (family " + family + ", model " + model + ")";
  return name;
}

std::string first_line(const char* path) {
  std::string text;
  if (!read_whole_file(path, text).empty() || unquoted(text).empty()) return "NA";
  return std::string(unquoted(text.substr(0, text.find('\n'))));
}

std::string compiler_name() {
#if defined(__clang__)
  return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#else
  return "NA";
#endif
}

std::string allocator_name() {
  const char* preload = std::getenv("LD_PRELOAD");
  if (preload && *preload) return std::string(preload) + " (LD_PRELOAD)";
#if defined(__GLIBC__)
  return "glibc malloc";
#elif defined(__EMSCRIPTEN__)
  return "dlmalloc";
#else
  return "NA";
#endif
}

std::string affinity_list() {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return "NA";
  std::string list;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &set)) continue;
    int last = cpu;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set)) ++last;
    if (!list.empty()) list += ',';
    list += std::to_string(cpu);
    if (last > cpu) list.append("-").append(std::to_string(last));
    cpu = last;
  }
  return list.empty() ? "NA" : list;
#else
  return "NA";
#endif
}

std::string utc_date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  char text[32];
  if (!gmtime_r(&now, &utc) || std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) return "NA";
  return text;
}

}  // namespace

std::string Environment::why_not_comparable() const {
  if (sanitized) return "built with sanitizers";
  return optimised ? "" : "unoptimised build";
}

Environment capture_environment() {
  Environment here;
  here.compiler = compiler_name();
#if defined(__OPTIMIZE__)
  here.optimised = true;
#endif
#if defined(SPELLPOOL_SANITIZED_BUILD)
  here.sanitized = true;
#endif
#if defined(__GLIBC__)
  here.libc = std::string("glibc ") + gnu_get_libc_version();
#endif
  here.allocator = allocator_name();
  here.os = value_in_file("/etc/os-release", "PRETTY_NAME", '=');
  utsname kernel{};
  if (uname(&kernel) == 0) here.kernel = std::string(kernel.sysname) + " " + kernel.release + " " + kernel.machine;
  here.cpu = processor_name();
  here.cpus = std::thread::hardware_concurrency();
  here.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  here.affinity = affinity_list();
  const std::string memory = value_in_file("/proc/meminfo", "MemTotal", ':');
  std::from_chars(memory.data(), memory.data() + memory.size(), here.memory_kib);
  here.clock_step_us = clock_step_us();
#if defined(__EMSCRIPTEN__)
  here.libc = "emscripten " + std::to_string(__EMSCRIPTEN_major__) + "." + std::to_string(__EMSCRIPTEN_minor__) + "." +
              std::to_string(__EMSCRIPTEN_tiny__);
  char* const browser = page_browser();
  here.os = browser;
  std::free(browser);
  here.kernel =
      page_is_isolated() != 0 ? "WebAssembly, cross-origin isolated" : "WebAssembly, not cross-origin isolated";
#endif
  here.date = utc_date();
  return here;
}

}  // namespace spellpool::measure
