#include "app/window/lab_mode.hpp"

#include <chrono>
#include <thread>

#include "app/window/window_parts.hpp"
#include "measure/record/phase_clock.hpp"
#include "platform/clock.hpp"

namespace spellpool::app {

bool LabMode::goes_on() const { return w_.lab.measures(); }

void LabMode::perform(frame::Action action) {
  using frame::Action;
  if (action == Action::Quit) w_.lab.stop();
  if (action == Action::Mute || action == Action::Fullscreen || action == Action::Screenshot)
    w_.actions.perform(action);
}

void LabMode::frame() {
  // A script that follows the layout wants to see what it clicks on.
  const i64 every_ns = w_.game.options().layout_out.empty() ? 1'000'000'000 : 100'000'000;
  const platform::FrameEvents& events = w_.shell.poll();
  HudState& hud = w_.hud.state;
  hud.lab_open = true;
  hud.help = hud.settings_open = false;
  for (std::size_t i = 0; i < events.action_count; ++i) perform(events.actions[i]);
  const i64 now_ns = platform::now_ns();
  w_.audio.follow_device(events, now_ns);
  w_.audio.take_notices(hud);
  w_.follow_lab();
  w_.files.collect();
  w_.files.save_settings_if_dirty();
  if (events.resized) w_.remember_size();
  w_.follow_focus(events);  // for the game that goes on afterwards
  const bool asked = events.any_input || events.resized || w_.files.wants_screenshot();
  if (w_.shell.visible() && (asked || now_ns - drawn_ns_ >= every_ns || !w_.lab.measures())) {
    measure::PhaseClock unread;
    w_.drawing.draw(*w_.playback.snapshot, w_.playback.alpha, unread);
    drawn_ns_ = now_ns;
  }
  w_.playback.skip_to(now_ns);  // the world goes on where it was
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
}

}  // namespace spellpool::app
