// "How many bullets?" in the window. Vsync is off and each frame is one step for as long as it measures.
#include <algorithm>

#include "app/window/window_game.hpp"

namespace spellpool::app {

void WindowGame::begin_stress() {
  if (!shooter() || quick_ab_) return;
  const PlayOptions& options = game_.options();
  const double display_ms = 1000.0 / (display_hz_ > 0 ? display_hz_ : 60);
  stress_.emplace(game_, options.budget_ms.value_or(display_ms), StressRun::What::Drawn);
  stress_begun_ = false;
  HudState& hud = hud_.state;
  hud.paused = hud.slow_motion = hud.scores_open = false;
  renderer_->reserve(options.world.particle_capacity(), StressRamp::kTop + options.world.bullet_capacity());
  window_->set_vsync(false);
  show_stress();
}

void WindowGame::leave_stress() {
  stress_->leave();
  stress_.reset();
  hud_.state.stress.state = frame::StressView::State::None;
  window_->set_vsync(hud_.state.settings.vsync);
  governor_.forget();
}

/// After each frame. `whole`: it was one step and its picture, so its time counts.
void WindowGame::follow_stress(const frame::FrameRecord& record, bool whole) {
  const bool there = shooter()->state == frame::ShooterState::Stress;
  if (stress_begun_ && !there) return leave_stress();  // back to the title by the world's own key, or by another's command
  stress_begun_ = there;
  if (stress_->outdated()) {
    want_stress_ = true;  // another strategy: anew with it
    return;
  }
  const bool measured = measures_bullets();
  if (whole && there) stress_->frame_end(record);
  if (measured && stress_->done()) {
    window_->set_vsync(hud_.state.settings.vsync);
    frame::StressView& view = hud_.state.stress;
    const frame::StressRow row = stress_->row();
    const auto same = [&](const frame::StressRow& other) { return other.strategy == row.strategy; };
    const auto rows = view.rows.begin();
    view.latest = static_cast<std::size_t>(std::find_if(rows, rows + static_cast<std::ptrdiff_t>(view.row_count), same) - rows);
    view.latest = std::min(view.latest, view.rows.size() - 1);
    view.row_count = std::max(view.row_count, view.latest + 1);
    view.rows[view.latest] = row;
  }
  show_stress();
}

void WindowGame::show_stress() { stress_->show(hud_.state.stress); }

}  // namespace spellpool::app
