#pragma once
// The pace of a window's frames, where the display does not set it.
#include "core/types.hpp"
#include "frame/settings.hpp"

namespace spellpool::app {

class FramePacer {
 public:
  /// Sleeps until the next frame's time if there is a frame cap, or if vsync is wanted and `vsync_works` is false.
  /// A frame that is late is not made up for. In a browser it returns at once: sleeping would block the page.
  void wait(const frame::Settings& settings, bool vsync_works);

 private:
  i64 next_ns_ = 0;
};

}  // namespace spellpool::app
