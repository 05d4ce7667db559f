// The tables as JSON, for tools/pools_table.
#include <gnu/libc-version.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

#include "built.hpp"
#include "pools_measure.hpp"

namespace spellpool::bench {
namespace {

/// What stands behind `key` and `separator` in a file of such lines; "?" if nothing does.
std::string line_of(const char* path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos || line.find_first_not_of(" \t", key.size()) != at) continue;
    std::string value = line.substr(line.find_first_not_of(" \t\"", at + 1));
    while (!value.empty() && value.back() == '"') value.pop_back();
    return value;
  }
  return "?";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char date[16];
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  return date;
}

std::string processor() {
  auto info = [](const char* key) { return line_of("/proc/cpuinfo", key, ':'); };
  return text("%s (family %s, model %s), %u threads", info("model name").c_str(), info("cpu family").c_str(),
              info("model").c_str(), std::thread::hardware_concurrency());
}

constexpr const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::Raw:
      return "raw";
    case Kind::Safe:
      return "safe";
    case Kind::Strategy:
      return "strategy";
    case Kind::Peer:
      break;
  }
  return "peer";
}

}  // namespace

bool append_rows(const std::string& path, const Report& report) {
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (!file) return false;
  std::fprintf(
      file,
      R"({"machine": %s, "os": %s, "libc": "glibc %s", "compiler": %s, "vectors": "%s", "rounds": %u, "quick": %s, "date": "%s"})"
      "\n",
      quoted(processor()).c_str(), quoted(line_of("/etc/os-release", "PRETTY_NAME", '=')).c_str(),
      gnu_get_libc_version(), quoted(built_by()).c_str(), use_fast() ? "AVX2" : "none", pools_options.rounds,
      pools_options.quick ? "true" : "false", today().c_str());
  for (const Report::Cell& c : report.cells) {
    const std::string value =
        is_checksum(c) ? text("\"%08llx\"", static_cast<unsigned long long>(c.value)) : text("%.4g", c.value);
    std::fprintf(file,
                 R"({"table": %s, "column": %s, "row": %s, "kind": "%s", "value": %s})"
                 "\n",
                 quoted(c.table).c_str(), quoted(c.column).c_str(), quoted(c.row).c_str(), name_of(c.kind),
                 value.c_str());
  }
  const bool written = std::ferror(file) == 0;
  return std::fclose(file) == 0 && written;
}

}  // namespace spellpool::bench
