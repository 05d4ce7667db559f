#include "app/window/window_parts.hpp"

#include "platform/clock.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {

WindowParts::WindowParts(const PlayOptions& options, SpellLibrary& library, SoundLibrary& sounds, Shell& its_shell,
                         std::unique_ptr<platform::FileWatch> watch, Remembered remembered,
                         std::vector<std::string> program)
    : game(options, library), hud(options, with_options(remembered.settings, options)),
      files(options, std::move(remembered), hud.state), shell(its_shell), audio(sounds),
      content(library, sounds, game, hud.state, files, std::move(watch)),
      lab(platform::recordings_folder().path.string(), options.world.data_dir, std::move(program)),
      rewind(*this), drawing(*this), actions(*this) {
  game.sounds = &sounds;
  for (const frame::SceneRow& scene : frame::kScenes) {
    scenes_[static_cast<std::size_t>(scene.id)] = scene_hooks(scene.id).new_play();
  }
}

SceneContext WindowParts::scene_context() {
  return {world(), hud.state, latch, attempt, game.options().world.seed, game.options().is_scripted()};
}

void WindowParts::settle(const SceneContext& context) {
  if (context.scores_changed) files.scores_changed();
  audio.click(context.sound);
}

frame::Scenes WindowParts::keys() {
  return modes.playing_id() == ModeId::Replay ? frame::Scenes::Replay : hooks().keys();
}

void WindowParts::follow_lab() {
  const bool calm = !game.csv().recording() && !modes.playing().is_timed() && !game.options().steps;
  lab.show(hud.state.lab_open);
  const std::string line = lab.update(static_cast<double>(platform::now_ns()) * 1e-9, calm);
  if (!line.empty()) notice(line);
}

void WindowParts::follow_focus(const platform::FrameEvents& events) {
  if (events.focus_lost && !game.options().is_scripted() && !game.csv().recording()) playback.idle = true;
  if (events.focus_gained || events.any_input) playback.idle = false;
}

/// The window has another size, or is on another display.
void WindowParts::remember_size() {
  shell.resized(hud.state);
  const platform::Size units = shell.window().window_size();
  frame::Settings& settings = hud.state.settings;
  if (platform::kInBrowser) settings.fullscreen = shell.window().fullscreen();  // Escape ends it without asking the game
  const bool too_small = units.width < static_cast<int>(frame::kLeastWindowWidth) ||
                         units.height < static_cast<int>(frame::kLeastWindowHeight);
  if (too_small) return;
  settings.window_width = static_cast<u32>(units.width);
  settings.window_height = static_cast<u32>(units.height);
  files.settings_changed();
}

}  // namespace spellpool::app
