#include "platform/window.hpp"

#include <SDL.h>

#if defined(__linux__)
#include <dlfcn.h>
#include <link.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/leak_check.hpp"
#include "core/one_line.hpp"
#include "frame/settings.hpp"
#include "platform/desktop_scale.hpp"
#include "platform/display_loss.hpp"
#include "platform/shared_frames.hpp"

namespace spellpool::platform {
namespace {

bool is_set(const char* variable) {
  const char* text = std::getenv(variable);
  return text != nullptr && text[0] != '\0';
}

bool has_display() { return kInBrowser || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"); }

std::string no_display(const std::string& reason) {
  if (is_set("SDL_VIDEODRIVER")) {
    return std::string("no display: SDL_VIDEODRIVER=") + std::getenv("SDL_VIDEODRIVER") + ": " + reason +
           "; unset it or use --headless";
  }
  if (!has_display()) return "no display: set DISPLAY or use --headless";
  const char* variable = is_set("DISPLAY") ? "DISPLAY" : "WAYLAND_DISPLAY";
  return std::string("no display: nothing answers at ") + variable + "=" + std::getenv(variable) +
         "; mend it or use --headless";
}

/// SDL's last error on one line, or what stands in for it.
std::string sdl_reason() {
  const std::string text = one_line(SDL_GetError());
  return text.empty() ? "SDL gives no reason" : text;
}

void ask_for_gl() {
  SDL_GL_ResetAttributes();
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, kInBrowser ? 0 : 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK,
                      kInBrowser ? SDL_GL_CONTEXT_PROFILE_ES : SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, kInBrowser ? 0 : SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);
  SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
  SDL_GL_SetAttribute(SDL_GL_RED_SIZE, 8);
  SDL_GL_SetAttribute(SDL_GL_GREEN_SIZE, 8);
  SDL_GL_SetAttribute(SDL_GL_BLUE_SIZE, 8);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
  SDL_GL_SetAttribute(SDL_GL_STENCIL_SIZE, 0);
}

#if defined(SPELLPOOL_LEAK_CHECK) && defined(__linux__)
/// What an unloaded driver leaks can be named by no suppression. Libraries that stay loaded still point to it.
void keep_libraries_loaded() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* found) {
        static_cast<std::vector<std::string>*>(found)->emplace_back(library->dlpi_name);
        return 0;
      },
      &names);
  // Not in the walk: it holds a lock that another thread's dlopen waits for.
  for (const std::string& name : names) {
    if (!name.empty()) dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  }
}
#else
void keep_libraries_loaded() {}
#endif

}  // namespace

WindowResult Window::open(const WindowOptions& options) {
  const ForeignAllocations of_drivers;
  if (is_set("SDL_VIDEODRIVER") || !options.headless) return open_with(options, nullptr);
  WindowResult result = open_with(options, "offscreen");
  if (result.window != nullptr || !has_display()) return result;
  WindowResult hidden = open_with(options, nullptr);
  return hidden.window != nullptr ? std::move(hidden) : std::move(result);
}

WindowResult Window::open_with(const WindowOptions& options, const char* driver) {
  // A hint, not the environment: programs that we start choose for themselves.
  if (driver != nullptr) SDL_SetHint(SDL_HINT_VIDEODRIVER, driver);
  // A window that loses the focus stays as it is, and the desktop's compositor stays on.
  SDL_SetHint(SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0");
  SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
  std::unique_ptr<Window> window(new Window);
  window->headless_ = options.headless;
  window->shown_size_ = {options.width, options.height};
  window->video_started_ = SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
  const std::string reason = window->video_started_ ? "" : sdl_reason();
  if (driver != nullptr) SDL_SetHint(SDL_HINT_VIDEODRIVER, nullptr);
  // Without a display SDL takes a driver that shows nothing, and says that all is well.
  const std::string_view name = window->driver();
  const bool shows = name != "offscreen" && name != "dummy" && name != "evdev";
  if (!window->video_started_ || (!options.headless && !shows && !is_set("SDL_VIDEODRIVER"))) {
    return {nullptr, no_display(reason), ""};
  }

  ask_for_gl();
  u32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
  if (options.headless) flags = SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN;
  if (options.fullscreen && !options.headless) flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
  window->window_ = SDL_CreateWindow(options.title.c_str(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                     options.width, options.height, flags);
  if (window->window_ != nullptr) window->context_ = SDL_GL_CreateContext(window->window_);
  if (window->context_ == nullptr || SDL_GL_MakeCurrent(window->window_, window->context_) != 0) {
    if (kInBrowser) return {nullptr, "this browser has no WebGL 2: " + sdl_reason(), ""};
    return {nullptr,
            std::string("no OpenGL 3.3 on the video driver '") + window->driver() + "': " + sdl_reason() +
                "; a Mesa driver (libgl1-mesa-dri) has it in software",
            ""};
  }
  if (!options.headless && !kInBrowser)
    SDL_SetWindowMinimumSize(window->window_, static_cast<int>(frame::kLeastWindowWidth),
                             static_cast<int>(frame::kLeastWindowHeight));
  std::string warning;
  if (!options.headless && !window->set_vsync(options.vsync)) {
    warning = std::string("vsync could not be turned ") + (options.vsync ? "on" : "off") + ": " + sdl_reason();
  }
  return {std::move(window), "", std::move(warning)};
}

Window::Window() = default;

Window::~Window() {
  shared_.reset();
  keep_libraries_loaded();
  if (context_ != nullptr) SDL_GL_DeleteContext(context_);
  if (window_ != nullptr) SDL_DestroyWindow(window_);
  // If another program has already destroyed the window, the X error must reach our handler. SDL removes
  // that handler next, so wait for the server here.
  settle_display();
  if (video_started_) SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

Size Window::drawable_px() const {
  Size size;
  SDL_GL_GetDrawableSize(window_, &size.width, &size.height);
  return size;
}

Size Window::size() const {
  Size size;
  SDL_GetWindowSize(window_, &size.width, &size.height);
  return size;
}

Size Window::window_size() const { return fullscreen() ? shown_size_ : size(); }

float Window::dpi_scale() const {
  if (headless_) return 1.0f;
  const Size in_desktop_units = size(), in_pixels = drawable_px();
  if (in_desktop_units.width > 0 && in_pixels.width > in_desktop_units.width) {
    return std::min(3.0f, static_cast<float>(in_pixels.width) / static_cast<float>(in_desktop_units.width));
  }
  float density = 0;
  if (SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(window_), nullptr, nullptr, &density) != 0) density = 0;
  return scale_of(desktop_dpi(window_), density);
}

int Window::display_hz() const {
  SDL_DisplayMode mode{};
  return SDL_GetCurrentDisplayMode(SDL_GetWindowDisplayIndex(window_), &mode) == 0 ? mode.refresh_rate : 0;
}

bool Window::minimised() const { return (SDL_GetWindowFlags(window_) & SDL_WINDOW_MINIMIZED) != 0; }
bool Window::fullscreen() const { return (SDL_GetWindowFlags(window_) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0; }

const char* Window::driver() const {
  const char* name = SDL_GetCurrentVideoDriver();
  return name != nullptr ? name : "none";
}

void Window::swap() { SDL_GL_SwapWindow(window_); }

frame::PixelFrame Window::pixels() {
  if (vsync_works_) return {};
  if (!std::exchange(asked_for_shared_, true)) shared_ = SharedFrames::create(*this);
  const Size size = drawable_px();
  return shared_ ? shared_->begin(size.width, size.height) : frame::PixelFrame{};
}

void Window::show_pixels() {
  if (shared_) shared_->show();
}

bool Window::set_vsync(bool on) {
  const bool done = SDL_GL_SetSwapInterval(on ? 1 : 0) == 0;
  vsync_works_ = on && done;
  return done;
}

void Window::set_fullscreen(bool on) {
  if (headless_) return;
  if (on && !fullscreen()) shown_size_ = size();
  SDL_SetWindowFullscreen(window_, on ? static_cast<u32>(SDL_WINDOW_FULLSCREEN_DESKTOP) : 0u);
}

void Window::show_cursor(bool shown) { SDL_ShowCursor(shown ? SDL_ENABLE : SDL_DISABLE); }

void* gl_function(const char* name) { return SDL_GL_GetProcAddress(name); }

}  // namespace spellpool::platform
