#include "app/window/side_by_side_mode.hpp"

#include "app/window/window_parts.hpp"
#include "platform/clock.hpp"

namespace spellpool::app {

void SideBySideMode::begin() {
  const pool::StrategyId pooled =
      w_.actions.pooled(w_.game.session().coming(frame::PoolId::Particles).strategy);
  w_.audio.mute();
  w_.shell.renderer().set_trails(0);
  const SideBySide::Screen screen{w_.shell.window(), w_.shell.events(), w_.shell.renderer(),
                                  w_.shell.panels()};
  shown_ =
      std::make_unique<SideBySide>(screen, w_.game.options(), heavy_load(config_as_chosen(w_.game.session())),
                                   pooled, w_.hud.state.settings, *state_of(w_.world()));
  goes_on_ = true;
}

void SideBySideMode::frame() {
  goes_on_ = shown_->frame();
  w_.audio.follow_device(w_.shell.events().last(), platform::now_ns());
  if (shown_->closed()) w_.shell.quit();
}

void SideBySideMode::end() {
  shown_->close();
  frame::Settings settings = w_.hud.state.settings;
  settings.fullscreen = w_.shell.window().fullscreen();
  settings.looks.draw = shown_->settings().looks.draw;
  shown_.reset();
  w_.shell.events().set_scene(w_.keys());
  w_.shell.restore_looks();
  w_.actions.apply(settings);
  w_.shell.window().set_vsync(settings.vsync);
  w_.remember_size();
  w_.notice("");  // what was said before is over
  w_.playback.skip_to(platform::now_ns());
  w_.playback.stale = true;
}

}  // namespace spellpool::app
