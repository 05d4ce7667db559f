#include "platform/shared_frames.hpp"

#include <SDL.h>
// Without the headers of Xlib and Xext the program builds, and OpenGL shows all frames.
#if defined(SDL_VIDEO_DRIVER_X11) && !(__has_include(<X11/Xlib.h>) && __has_include(<X11/extensions/XShm.h>))
#undef SDL_VIDEO_DRIVER_X11
#endif
#include <SDL_syswm.h>

#include "platform/display_loss.hpp"
#include "platform/window.hpp"

#if defined(SDL_VIDEO_DRIVER_X11)
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <dlfcn.h>
#include <poll.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include <array>
#include <string_view>
#endif

namespace spellpool::platform {

#if defined(SDL_VIDEO_DRIVER_X11)
namespace {

/// Rows are multiples of so many pixels: each begins at a cache line.
constexpr int kStride_px = 64;
/// How long the server may take to read a frame before it is given up.
constexpr int kPatience_ms = 1000;

}  // namespace

/// What is used of the two libraries.
struct XSharedLibrary {
  void* xlib = nullptr;
  void* xext = nullptr;
  decltype(&XOpenDisplay) open_display = nullptr;
  decltype(&XCloseDisplay) close_display = nullptr;
  decltype(&XDisplayString) display_string = nullptr;
  decltype(&XGetWindowAttributes) attributes = nullptr;
  decltype(&XCreateGC) create_context = nullptr;
  decltype(&XFreeGC) free_context = nullptr;
  decltype(&XSync) sync = nullptr;
  decltype(&XFlush) flush = nullptr;
  decltype(&XPending) pending = nullptr;
  decltype(&XNextEvent) next_event = nullptr;
  decltype(&XConnectionNumber) connection = nullptr;
  decltype(&XSetErrorHandler) set_error_handler = nullptr;
  decltype(&XShmQueryExtension) has_shared = nullptr;
  decltype(&XShmGetEventBase) event_base = nullptr;
  decltype(&XShmCreateImage) create_image = nullptr;
  decltype(&XShmAttach) attach = nullptr;
  decltype(&XShmDetach) detach = nullptr;
  decltype(&XShmPutImage) put_image = nullptr;

  XSharedLibrary() : xlib(::dlopen("libX11.so.6", RTLD_NOW)), xext(::dlopen("libXext.so.6", RTLD_NOW)) {
    if (xlib == nullptr || xext == nullptr) return;
    complete = look_up(xlib, "XOpenDisplay", open_display) && look_up(xlib, "XCloseDisplay", close_display) &&
               look_up(xlib, "XDisplayString", display_string) && look_up(xlib, "XGetWindowAttributes", attributes) &&
               look_up(xlib, "XCreateGC", create_context) && look_up(xlib, "XFreeGC", free_context) &&
               look_up(xlib, "XSync", sync) && look_up(xlib, "XFlush", flush) && look_up(xlib, "XPending", pending) &&
               look_up(xlib, "XNextEvent", next_event) && look_up(xlib, "XConnectionNumber", connection) &&
               look_up(xlib, "XSetErrorHandler", set_error_handler) &&
               look_up(xext, "XShmQueryExtension", has_shared) && look_up(xext, "XShmGetEventBase", event_base) &&
               look_up(xext, "XShmCreateImage", create_image) && look_up(xext, "XShmAttach", attach) &&
               look_up(xext, "XShmDetach", detach) && look_up(xext, "XShmPutImage", put_image);
  }
  ~XSharedLibrary() {
    if (xext != nullptr) ::dlclose(xext);
    if (xlib != nullptr) ::dlclose(xlib);
  }
  XSharedLibrary(const XSharedLibrary&) = delete;
  XSharedLibrary& operator=(const XSharedLibrary&) = delete;

  bool complete = false;

 private:
  template <class Function>
  static bool look_up(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
  }
};

namespace {

bool g_refused = false;  // Xlib hands its handlers no context.
int on_refusal(Display*, XErrorEvent*) {
  g_refused = true;
  return 0;
}

}  // namespace

struct SharedFrames::Impl {
  struct Frame {
    XImage* image = nullptr;
    XShmSegmentInfo segment{};
    bool attached = false, being_read = false;
  };

  XSharedLibrary library;
  Display* display = nullptr;
  ::Window window = 0;
  GC context = nullptr;
  Visual* visual = nullptr;
  unsigned depth = 0;
  int completion = 0;  // Type of the event that says that a frame was read.
  std::array<Frame, 2> frames;
  std::size_t now = 0;
  int width = 0, height = 0;
  bool failed = false;

  ~Impl() {
    if (display == nullptr) return;
    release();
    if (context != nullptr) library.free_context(display, context);
    library.close_display(display);
  }

  /// True if `request` went through. Waits for the server.
  template <class Request>
  bool accepted(Request&& request) {
    library.sync(display, False);
    g_refused = false;
    const XErrorHandler before = library.set_error_handler(on_refusal);
    request();
    library.sync(display, False);
    library.set_error_handler(before);
    return !g_refused;
  }

  bool make(Frame& frame) {
    const int stride = (width + kStride_px - 1) / kStride_px * kStride_px;
    frame.image = library.create_image(display, visual, depth, ZPixmap, nullptr, &frame.segment,
                                       static_cast<unsigned>(stride), static_cast<unsigned>(height));
    if (frame.image == nullptr) return false;
    if (frame.image->bits_per_pixel != 32 || frame.image->byte_order != LSBFirst ||
        frame.image->bytes_per_line != stride * 4)
      return false;
    const std::size_t bytes = static_cast<std::size_t>(frame.image->bytes_per_line) * static_cast<std::size_t>(height);
    frame.segment.shmid = ::shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    if (frame.segment.shmid < 0) return false;
    void* const memory = ::shmat(frame.segment.shmid, nullptr, 0);
    if (memory == reinterpret_cast<void*>(-1)) {
      ::shmctl(frame.segment.shmid, IPC_RMID, nullptr);
      return false;
    }
    frame.segment.shmaddr = frame.image->data = static_cast<char*>(memory);
    frame.segment.readOnly = True;
    frame.attached = accepted([&] { library.attach(display, &frame.segment); });
    ::shmctl(frame.segment.shmid, IPC_RMID, nullptr);  // it goes with the last of those that use it
    return frame.attached;
  }

  void release() {
    for (Frame& frame : frames) {
      if (frame.attached) library.detach(display, &frame.segment);
      if (frame.image != nullptr) {
        frame.image->data = nullptr;
        frame.image->f.destroy_image(frame.image);
      }
    }
    library.sync(display, False);
    for (Frame& frame : frames) {
      if (frame.segment.shmaddr != nullptr) ::shmdt(frame.segment.shmaddr);
      frame = {};
    }
  }

  void take_events() {
    while (library.pending(display) > 0) {
      XEvent event;
      library.next_event(display, &event);
      if (event.type != completion) continue;
      const ShmSeg segment = reinterpret_cast<const XShmCompletionEvent&>(event).shmseg;
      for (Frame& frame : frames) {
        if (frame.segment.shmseg == segment) frame.being_read = false;
      }
    }
  }

  /// Waits until the server has read a frame. False: it does not answer, or the window is gone.
  bool wait(const Frame& frame) {
    for (int waited_ms = 0;;) {
      take_events();
      if (!frame.being_read) return true;
      if (window_lost() || waited_ms >= kPatience_ms) return false;
      constexpr int kLook_ms = 50;
      pollfd socket{library.connection(display), POLLIN, 0};
      if (::poll(&socket, 1, kLook_ms) == 0) waited_ms += kLook_ms;
    }
  }
};

SharedFrames::SharedFrames(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SharedFrames::~SharedFrames() = default;

std::unique_ptr<SharedFrames> SharedFrames::create(const Window& window) {
  if (window.headless() || std::string_view(window.driver()) != "x11") return nullptr;
  SDL_SysWMinfo info;
  SDL_VERSION(&info.version);
  if (SDL_GetWindowWMInfo(window.native(), &info) != SDL_TRUE || info.subsystem != SDL_SYSWM_X11) return nullptr;
  auto impl = std::make_unique<Impl>();
  XSharedLibrary& library = impl->library;
  if (!library.complete) return nullptr;
  impl->window = info.info.x11.window;
  impl->display = library.open_display(library.display_string(info.info.x11.display));
  if (impl->display == nullptr || library.has_shared(impl->display) == False) return nullptr;
  XWindowAttributes attributes{};
  bool known = false;
  if (!impl->accepted([&] { known = library.attributes(impl->display, impl->window, &attributes) != 0; }) || !known)
    return nullptr;
  const Visual* const visual = attributes.visual;
  if (visual == nullptr || visual->red_mask != 0xFF0000 || visual->green_mask != 0xFF00 || visual->blue_mask != 0xFF)
    return nullptr;
  impl->visual = attributes.visual;
  impl->depth = static_cast<unsigned>(attributes.depth);
  impl->completion = library.event_base(impl->display) + ShmCompletion;
  impl->context = library.create_context(impl->display, impl->window, 0, nullptr);
  std::unique_ptr<SharedFrames> made(new SharedFrames(std::move(impl)));
  const Size size = window.drawable_px();
  return made->begin(size.width, size.height).pixels != nullptr ? std::move(made) : nullptr;
}

frame::PixelFrame SharedFrames::begin(int width_px, int height_px) {
  Impl& own = *impl_;
  if (width_px <= 0 || height_px <= 0 || window_lost()) return {};
  if (width_px != own.width || height_px != own.height) {
    own.release();
    own.width = width_px;
    own.height = height_px;
    own.failed = !own.make(own.frames[0]) || !own.make(own.frames[1]);
  }
  if (own.failed) return {};
  Impl::Frame& frame = own.frames[own.now];
  own.failed = !own.wait(frame);
  if (own.failed) return {};
  return {reinterpret_cast<u32*>(frame.image->data), frame.image->bytes_per_line / 4, own.width, own.height};
}

void SharedFrames::show() {
  Impl& own = *impl_;
  Impl::Frame& frame = own.frames[own.now];
  if (own.failed || frame.image == nullptr) return;
  own.library.put_image(own.display, own.window, own.context, frame.image, 0, 0, 0, 0, static_cast<unsigned>(own.width),
                        static_cast<unsigned>(own.height), True);
  own.library.flush(own.display);
  frame.being_read = true;
  own.now = 1 - own.now;
}

#else

struct SharedFrames::Impl {};
SharedFrames::SharedFrames(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SharedFrames::~SharedFrames() = default;
std::unique_ptr<SharedFrames> SharedFrames::create(const Window&) { return nullptr; }
frame::PixelFrame SharedFrames::begin(int, int) { return {}; }
void SharedFrames::show() {}

#endif

}  // namespace spellpool::platform
