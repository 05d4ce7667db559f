#pragma once
// The window, or the hidden surface that stands in for it, with its OpenGL 3.3 core context.
#include <memory>
#include <string>

#include "core/types.hpp"
#include "frame/pixel_frame.hpp"

struct SDL_Window;

namespace spellpool::platform {

/// kInBrowser: the browser calls the frame function. kGlslVersion: the first line of a shader for the window's
/// context (WebGL 2 in a browser).
#if defined(__EMSCRIPTEN__)
inline constexpr bool kInBrowser = true;
inline constexpr const char* kGlslVersion = "#version 300 es";
#else
inline constexpr bool kInBrowser = false;
inline constexpr const char* kGlslVersion = "#version 330 core";
#endif

struct WindowOptions {
  std::string title = "Spellpool";
  int width = 1280, height = 720;  ///< Of the client area, in the desktop's units.
  bool fullscreen = false;         ///< The desktop's own resolution.
  bool vsync = true;
  bool headless = false;  ///< Nothing is shown; the context draws into a surface of width × height.
};

struct Size {
  int width = 0, height = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

class SharedFrames;
class Window;

struct WindowResult {
  std::unique_ptr<Window> window;  ///< Null on error.
  std::string error;               ///< One line with the mend: "no display: set DISPLAY or use --headless".
  std::string warning;             ///< "" or one line; the window works all the same.
};

/// Starts SDL's video part and opens the window with its context made current.
/// Driver  the user's SDL_VIDEODRIVER is respected. Else headless means SDL's offscreen driver, with a hidden window on
///         the display as second choice; a shown window needs DISPLAY or WAYLAND_DISPLAY.
/// Errors  no display, no OpenGL 3.3: WindowResult::error. Nothing is left started.
/// Threads the thread that opened it.
class Window {
 public:
  static WindowResult open(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Of the framebuffer: what glViewport and readback take.
  Size drawable_px() const;
  /// In the desktop's units: what mouse events use.
  Size size() const;
  /// The size to open it with next time: size(), or in fullscreen what it was before.
  Size window_size() const;
  /// How much larger than usual things must be drawn to be read, 1 … 3: the framebuffer's pixels for each of the
  /// desktop's units, else see desktop_scale.hpp. 1 when headless. It may change with FrameEvents::resized.
  /// Cost  a few µs; once when opened and when resized.
  float dpi_scale() const;
  /// Pictures a second of the display that the window is on; 0 if it does not say.
  int display_hz() const;
  bool minimised() const;
  bool fullscreen() const;
  bool headless() const { return headless_; }
  /// SDL's name of the driver: "x11", "wayland", "offscreen".
  const char* driver() const;

  void swap();
  /// Memory for the next frame of the CPU renderer, which show_pixels() puts into the window without OpenGL (see
  /// shared_frames.hpp). Without pixels where that is impossible, and while vsync works, which only swap() waits for.
  frame::PixelFrame pixels();
  void show_pixels();
  /// False if the driver reports an error. Some drivers do so although it worked, so treat it as a warning.
  bool set_vsync(bool on);
  void set_fullscreen(bool on);
  void show_cursor(bool shown);

  /// For ImGui's backend.
  SDL_Window* native() const { return window_; }
  void* context() const { return context_; }

 private:
  Window();
  static WindowResult open_with(const WindowOptions& options, const char* driver);

  SDL_Window* window_ = nullptr;
  void* context_ = nullptr;
  Size shown_size_;  ///< Last one outside fullscreen.
  bool video_started_ = false;
  bool headless_ = false;
  bool vsync_works_ = false;
  bool asked_for_shared_ = false;
  std::unique_ptr<SharedFrames> shared_;
};

/// The address of a GL function of the current context, for loaders that ask.
void* gl_function(const char* name);

}  // namespace spellpool::platform
