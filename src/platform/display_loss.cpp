#include "platform/display_loss.hpp"

#include <SDL.h>
// Without Xlib's headers the program builds and only lacks this protection.
#if defined(SDL_VIDEO_DRIVER_X11) && !__has_include(<X11/Xlib.h>)
#undef SDL_VIDEO_DRIVER_X11
#endif
#include <SDL_syswm.h>
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/log.hpp"
#include "platform/window.hpp"

namespace spellpool::platform {
namespace {

// Xlib hands its handlers no context: statics are the only way.
std::atomic<bool> g_window_lost{false};
std::atomic<SaveFunction> g_save{nullptr};
std::atomic<void*> g_context{nullptr};
std::atomic<bool> g_ending{false};

#if defined(SDL_VIDEO_DRIVER_X11)
std::atomic<XID> g_our_window{0};
Display* g_display = nullptr;
int (*g_sync)(Display*, Bool) = nullptr;
Status (*g_attributes)(Display*, XID, XWindowAttributes*) = nullptr;

int on_error(Display*, XErrorEvent* event) {
  // BadWindow and BadDrawable name our window only when it is gone; GLX has codes of its own for the same.
  if (event->resourceid == g_our_window.load() && event->error_code != BadMatch && event->error_code != BadAccess &&
      event->error_code != BadValue) {
    g_window_lost.store(true, std::memory_order_relaxed);
  }
  return 0;
}

/// Xlib ends the process when this returns.
int on_io_error(Display*) {
  if (g_ending.exchange(true)) std::_Exit(2);
  const SaveFunction save = g_save.load();
  if (save == nullptr) {
    log(LogLevel::Error, "the display was lost while the window closed; everything was saved before");
  } else {
    const std::optional<std::string> saved = save(g_context.load());
    log(LogLevel::Error, !saved           ? "the display was lost; not everything could be saved"
                         : saved->empty() ? "the display was lost; nothing was being recorded"
                                          : "the display was lost; what was recorded is saved in " + *saved);
  }
  std::fflush(nullptr);
  std::_Exit(2);
}
#endif

}  // namespace

bool watch_display([[maybe_unused]] const Window& window, SaveFunction save, void* context) {
  g_save.store(save);
  g_context.store(context);
#if defined(SDL_VIDEO_DRIVER_X11)
  if (std::string_view(window.driver()) != "x11") return false;
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  if (SDL_GetWindowWMInfo(window.native(), &info) != SDL_TRUE || info.subsystem != SDL_SYSWM_X11) return false;
  g_our_window.store(info.info.x11.window);

  void* xlib = ::dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
  if (xlib == nullptr) return false;
  using SetErrorHandler = XErrorHandler (*)(XErrorHandler);
  using SetIoErrorHandler = XIOErrorHandler (*)(XIOErrorHandler);
  const auto set_error = reinterpret_cast<SetErrorHandler>(::dlsym(xlib, "XSetErrorHandler"));
  const auto set_io_error = reinterpret_cast<SetIoErrorHandler>(::dlsym(xlib, "XSetIOErrorHandler"));
  if (set_error != nullptr) set_error(on_error);
  if (set_io_error != nullptr) set_io_error(on_io_error);
  g_display = info.info.x11.display;
  g_sync = reinterpret_cast<int (*)(Display*, Bool)>(::dlsym(xlib, "XSync"));
  g_attributes = reinterpret_cast<Status (*)(Display*, XID, XWindowAttributes*)>(::dlsym(xlib, "XGetWindowAttributes"));
  ::dlclose(xlib);  // SDL holds it.
  return set_error != nullptr && set_io_error != nullptr;
#else
  return false;
#endif
}

void forget_save(void* context) {
  if (g_context.load() != context) return;
  g_save.store(nullptr);
  g_context.store(nullptr);
}

void settle_display() {
#if defined(SDL_VIDEO_DRIVER_X11)
  if (g_display != nullptr && g_sync != nullptr) g_sync(g_display, False);
  g_display = nullptr;
#endif
}

bool window_lost() { return g_window_lost.load(std::memory_order_relaxed); }
bool window_lost_now() {
#if defined(SDL_VIDEO_DRIVER_X11)
  XWindowAttributes attributes;
  if (g_display != nullptr && g_attributes != nullptr && !window_lost())
    g_attributes(g_display, g_our_window.load(), &attributes);
#endif
  return window_lost();
}
void end_after_loss(int exit_code) {
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

}  // namespace spellpool::platform
