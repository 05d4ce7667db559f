// The settings reader under any bytes: no crash, errors and warnings of one line, few of them, and what is read is
// written and read again the same without a warning.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "content/player/settings_file.hpp"

namespace {

using namespace spellpool;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "settings_fuzz: %s\n", what);
  std::abort();
}
bool is_line(const std::string& text) {
  return text.size() < 1500 && text.find_first_of("\n\r\x1b") == std::string::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const content::SettingsResult result = content::parse_settings(text, "fuzz.toml");
  expect(result.warnings.size() <= content::kMostWarnings + 1, "too many warnings");
  for (const std::string& warning : result.warnings) expect(is_line(warning), "a warning is no line");
  if (!result.settings) {
    expect(!result.error.empty() && is_line(result.error), "the error is no line");
    return 0;
  }
  expect(result.error.empty(), "settings and an error");
  const std::string written = content::format_settings(*result.settings);
  const content::SettingsResult again = content::parse_settings(written, "again.toml");
  expect(again.settings.has_value() && again.warnings.empty(), "what was written is not read");
  expect(*again.settings == *result.settings, "what was written is read as something else");
  return 0;
}
