#include "app/window/stress_mode.hpp"

#include <algorithm>

#include "app/window/window_parts.hpp"

namespace spellpool::app {

Mode::Begin StressMode::may_begin() { return w_.hooks().has_stages() ? Begin::Yes : Begin::No; }

void StressMode::begin() {
  const PlayOptions& options = w_.game.options();
  const int hz = w_.shell.display_hz();
  const double display_ms = 1000.0 / (hz > 0 ? hz : 60);
  run_.emplace(w_.game, options.budget_ms.value_or(display_ms), StressRun::What::Drawn);
  begun_ = false;
  HudState& hud = w_.hud.state;
  hud.paused = hud.slow_motion = hud.scores_open = false;
  const WorldOptions& world = options.world;
  w_.shell.renderer().reserve(world.particle_capacity(), StressRamp::kTop + world.bullet_capacity());
  w_.shell.window().set_vsync(false);
  show();
}

bool StressMode::leave() {
  run_->leave();
  run_.reset();
  view().state = frame::StressView::State::None;
  w_.shell.window().set_vsync(w_.hud.state.settings.vsync);
  w_.shell.governor().forget();
  w_.modes.play(ModeId::Play);
  return true;
}

void StressMode::perform(frame::Action action) {
  if (action == frame::Action::Stress) leave();
  else GameMode::perform(action);
}

void StressMode::press_cast() {
  if (run_->done()) leave();
  else GameMode::press_cast();
}

void StressMode::end_frame(const frame::FrameRecord& record, bool drawn) {
  const bool there = w_.hooks().in_stress_test(w_.world());
  if (begun_ && !there) {  // back to the title by the world's own key, or by another's command
    leave();
    return;
  }
  begun_ = there;
  if (run_->outdated()) {
    w_.modes.request(ModeId::Stress);  // another strategy: it measures anew
    return;
  }
  const bool measured = is_timed();
  if (drawn && w_.playback.stepped && there) run_->frame_end(record);
  if (measured && run_->done()) keep_result();
  show();
}

frame::StressView& StressMode::view() { return w_.hud.state.stress; }

/// One row for each strategy, the last result.
void StressMode::keep_result() {
  w_.shell.window().set_vsync(w_.hud.state.settings.vsync);
  frame::StressView& stress = view();
  const frame::StressRow row = run_->row();
  const auto same = [&](const frame::StressRow& other) { return other.strategy == row.strategy; };
  const auto rows = stress.rows.begin();
  const auto end = rows + static_cast<std::ptrdiff_t>(stress.row_count);
  stress.latest = static_cast<std::size_t>(std::find_if(rows, end, same) - rows);
  stress.latest = std::min(stress.latest, stress.rows.size() - 1);
  stress.row_count = std::max(stress.row_count, stress.latest + 1);
  stress.rows[stress.latest] = row;
}

}  // namespace spellpool::app
