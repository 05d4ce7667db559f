#include "app/shell/frame_pacer.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/fixed_step.hpp"
#include "platform/clock.hpp"
#include "platform/window.hpp"

namespace spellpool::app {

void FramePacer::wait(const frame::Settings& settings, bool vsync_works) {
  if (platform::kInBrowser) return;
  i64 frame_ns = settings.frame_cap > 0 ? 1'000'000'000 / settings.frame_cap : 0;
  if (settings.vsync && !vsync_works) frame_ns = std::max(frame_ns, FixedStep::kStep_ns);
  if (frame_ns == 0) return;
  next_ns_ = std::max(next_ns_ + frame_ns, platform::now_ns() - frame_ns);
  const i64 wait_ns = next_ns_ - platform::now_ns();
  if (wait_ns > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(wait_ns));
}

}  // namespace spellpool::app
