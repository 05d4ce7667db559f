// A page has no desktop: reports open in another tab, other files are downloaded.
#include <emscripten.h>

#include "platform/desktop.hpp"

namespace spellpool::platform {
namespace {

EM_JS(int, page_open_file, (const char* path), {
  if (!Module.openFile) return 0;
  Module.openFile(UTF8ToString(path));
  return 1;
});

EM_JS(int, page_copy_text, (const char* text), {
  if (!globalThis.navigator || !navigator.clipboard) return 0;
  navigator.clipboard.writeText(UTF8ToString(text)).catch(() => {});
  return 1;
});

}  // namespace

std::string file_address(std::string_view path) { return std::string(path); }

std::string open_with_desktop(const std::string& path) {
  return page_open_file(path.c_str()) != 0 ? "" : "not opened: this page opens no files: " + path;
}

std::string copy_text(const std::string& text) {
  return page_copy_text(text.c_str()) != 0 ? "" : "not copied: this browser lets no page copy (it needs https or localhost)";
}

}  // namespace spellpool::platform
