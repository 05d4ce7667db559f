#include "platform/desktop_scale.hpp"

#include <SDL.h>
#if defined(SDL_VIDEO_DRIVER_X11) && !__has_include(<X11/Xlib.h>)
#undef SDL_VIDEO_DRIVER_X11
#endif
#include <SDL_syswm.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace spellpool::platform {

float desktop_dpi([[maybe_unused]] SDL_Window* window) {
#if defined(SDL_VIDEO_DRIVER_X11)
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  if (SDL_GetWindowWMInfo(window, &info) != SDL_TRUE || info.subsystem != SDL_SYSWM_X11) return 0.0f;
  void* xlib = ::dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
  if (xlib == nullptr) return 0.0f;
  using GetDefault = char* (*)(Display*, const char*, const char*);
  const auto get_default = reinterpret_cast<GetDefault>(::dlsym(xlib, "XGetDefault"));
  const char* text = get_default != nullptr ? get_default(info.info.x11.display, "Xft", "dpi") : nullptr;
  const float dpi = text != nullptr ? std::strtof(text, nullptr) : 0.0f;
  ::dlclose(xlib);  // SDL holds it.
  return dpi;
#else
  return 0.0f;
#endif
}

float scale_of(float desktop_dpi, float display_dpi) {
  const auto known = [](float dpi) { return std::isfinite(dpi) && dpi > 0.0f; };
  float scale = 1.0f;
  if (known(desktop_dpi)) {
    scale = std::floor(desktop_dpi / 96.0f * 4.0f + 0.5f) / 4.0f;
  } else if (known(display_dpi)) {
    scale = std::floor(display_dpi / 96.0f * 2.0f) / 2.0f;
  }
  return std::clamp(scale, 1.0f, 3.0f);
}

}  // namespace spellpool::platform
