#pragma once
// Frames that the CPU has painted, shown in an X11 window without OpenGL: the server reads them from memory that it
// shares with us (MIT-SHM). On Mesa's software renderer a frame that goes through OpenGL is copied three times on the
// way, twice while the game waits.
//
//   frame::PixelFrame to = frames.begin(width, height);   // paint into it
//   frames.show();                                        // the server copies it while the next one is painted
//
// Two frames take turns; begin() waits until the server has read the frame before the last one. The connection is its
// own, so that its events never reach SDL. Xlib is looked up at run time, as in display_loss.hpp: nothing here links
// to it.
//
// Memory 4 bytes a pixel, twice, shared with the server.
// Errors a server that is remote, has no MIT-SHM or another pixel format: create() returns null. Later errors, for
//        example a size for which there is no memory: begin() returns a frame without pixels, and OpenGL shows it.
// Threads the one that opened the window.
// Source XShm(3), XShmPutImage(3).
#include <memory>

#include "frame/pixel_frame.hpp"

namespace spellpool::platform {

class Window;

class SharedFrames {
 public:
  /// Null where the window cannot show frames this way. Call it after watch_display(), whose handlers it keeps.
  static std::unique_ptr<SharedFrames> create(const Window& window);
  ~SharedFrames();
  SharedFrames(const SharedFrames&) = delete;
  SharedFrames& operator=(const SharedFrames&) = delete;

  /// Memory for the next frame. What it holds is the frame before the last one, or nothing.
  frame::PixelFrame begin(int width_px, int height_px);
  /// Puts the frame of the last begin() into the window.
  void show();

 private:
  struct Impl;
  explicit SharedFrames(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace spellpool::platform
