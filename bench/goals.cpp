#include "goals.hpp"

#include <cstdarg>
#include <cstdio>

namespace spellpool::bench {

std::string text(const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

std::string quoted(const std::string& raw) {
  std::string out = "\"";
  for (const char c : raw) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

bool append_goals(const std::string& path, const std::vector<Goal>& goals) {
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (!file) return false;
  for (const Goal& g : goals) {
    std::fprintf(file, R"({"id": %s, "what": %s, "goal": %.6g, "value": %.4g, "unit": %s, "better": "%s", "ok": %s})"
                 "\n",
                 quoted(g.id).c_str(), quoted(g.what).c_str(), g.goal, g.value, quoted(g.unit).c_str(),
                 g.better == Goal::Better::Higher ? "higher" : "lower", g.ok() ? "true" : "false");
  }
  const bool written = std::ferror(file) == 0;
  return std::fclose(file) == 0 && written;
}

}  // namespace spellpool::bench
