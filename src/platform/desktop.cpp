#include "platform/desktop.hpp"

#include <SDL.h>
#include <unistd.h>

#include <cstdlib>

namespace spellpool::platform {
namespace {

/// SDL itself cannot tell that it is missing.
bool on_path(std::string_view program) {
  const char* const value = std::getenv("PATH");
  std::string_view rest = value != nullptr ? value : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string file = std::string(rest.substr(0, colon)) + "/" + std::string(program);
    if (::access(file.c_str(), X_OK) == 0) return true;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return false;
}

}  // namespace

std::string file_address(std::string_view path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string address = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) address += c;
    else ((address += '%') += kDigits[byte >> 4]) += kDigits[byte & 15];
  }
  return address;
}

std::string open_with_desktop(const std::string& path) {
  if (!on_path("xdg-open")) return "not opened: there is no xdg-open here (apt-get install xdg-utils): " + path;
  if (SDL_OpenURL(file_address(path).c_str()) != 0) return std::string("not opened: ") + SDL_GetError() + ": " + path;
  return "";
}

std::string copy_text(const std::string& text) {
  return SDL_SetClipboardText(text.c_str()) == 0 ? "" : std::string("not copied: ") + SDL_GetError();
}

}  // namespace spellpool::platform
