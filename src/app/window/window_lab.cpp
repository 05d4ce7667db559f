#include <chrono>
#include <thread>

#include "app/window/window_game.hpp"
#include "measure/record/phase_clock.hpp"
#include "platform/clock.hpp"
#include "platform/desktop.hpp"
#include "platform/display_loss.hpp"

namespace spellpool::app {

void WindowGame::apply_lab(const frame::LabRequests& requests) {
  frame::LabRequests asked = requests;
  const bool begins = asked.start || asked.resume_result || asked.act == frame::LabAct::Resume;
  std::string line;
  if (begins && (game_.csv().recording() || measures_bullets())) {
    line = game_.csv().recording() ? "Not begun: end the recording first, the comparison would disturb it" : "Not begun: the bullets are being counted";
    click(frame::PanelSound::Refuse);
    asked.start = asked.resume_result = false;
    if (asked.act == frame::LabAct::Resume) asked.act = frame::LabAct::None;
  }
  const LabController::Request request = lab_controller_->take(asked);
  switch (request.what) {
    case LabController::Request::What::None: break;
    case LabController::Request::What::Open: line = platform::open_with_desktop(request.path); break;
    case LabController::Request::What::Copy:
      line = platform::copy_text(request.path);
      if (line.empty()) line = "Copied " + request.path;
      break;
  }
  if (!line.empty()) lab_controller_->say(line);
}

void WindowGame::follow_lab() {
  const bool calm = !game_.csv().recording() && !measures_bullets() && !game_.options().steps;
  lab_controller_->show(hud_.state.lab_open);
  const std::string line = lab_controller_->update(static_cast<double>(platform::now_ns()) * 1e-9, calm);
  if (!line.empty()) notice(line);
}

/// While a comparison runs beside it the game stands still and draws seldom: whatever it did would be measured too.
bool WindowGame::lab_frame() {
  // A script that follows the layout wants to see what it clicks on.
  const i64 every_ns = game_.options().layout_out.empty() ? 1'000'000'000 : 100'000'000;
  const platform::FrameEvents& events = events_->poll(*window_, on_raw_event, this);
  if (events.quit || platform::window_lost()) quit_ = true;
  hud_.state.lab_open = true;
  hud_.state.help = hud_.state.settings_open = false;
  for (std::size_t i = 0; i < events.action_count; ++i) {
    const frame::Action action = events.actions[i];
    if (action == frame::Action::Quit) lab_controller_->stop();
    if (action == frame::Action::Mute || action == frame::Action::Fullscreen || action == frame::Action::Screenshot) perform(action);
  }
  const i64 now_ns = platform::now_ns();
  device_.update(events, now_ns);
  for (const std::string& line : sounds_.take_notices()) notice(line);
  follow_lab();
  collect_outcomes();
  if (settings_dirty_) save_settings();
  if (events.resized) remember_size();
  const bool due = events.any_input || events.resized || want_screenshot_ || now_ns - lab_drawn_ns_ >= every_ns || !lab_controller_->measures();
  if (visible() && due) {
    measure::PhaseClock nobodys;
    draw(*snapshot_, alpha_, nobodys);
    lab_drawn_ns_ = now_ns;
  }
  last_ns_ = now_ns;  // the world goes on where it was
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  return !quit_;
}

}  // namespace spellpool::app
