#include "app/window/window_game.hpp"

#include <utility>

#include "app/window/lab_mode.hpp"
#include "app/window/learn_mode.hpp"
#include "app/window/play_mode.hpp"
#include "app/window/quick_ab_mode.hpp"
#include "app/window/replay_mode.hpp"
#include "app/window/side_by_side_mode.hpp"
#include "app/window/stress_mode.hpp"
#include "app/window/title_mode.hpp"
#include "core/log.hpp"
#include "platform/clock.hpp"
#include "platform/display_loss.hpp"
#include "platform/free_memory.hpp"
#include "platform/window.hpp"

namespace spellpool::app {

WindowGame::WindowGame(const PlayOptions& options, SpellLibrary& library, SoundLibrary& sounds,
                       std::string data_dir, Shell& shell, std::unique_ptr<platform::FileWatch> watch,
                       Remembered remembered, std::vector<std::string> program)
    : data_dir_(std::move(data_dir)),
      parts_(options, library, sounds, shell, std::move(watch), std::move(remembered), std::move(program)) {
  Game& game = parts_.game;
  add_modes(library);
  if (!options.input.empty() && !options.steps && game.error().empty()) {
    parts_.modes.add(std::make_unique<ReplayMode>(parts_));
    parts_.modes.start_with(ModeId::Replay);
    game.session().index_replay(!options.is_measured());
    parts_.hud.state.hint = false;  // how to play
  } else if (options.title && game.error().empty() && options.allows_title()) {
    parts_.modes.start_with(ModeId::Title);
    title_->begin_at_start();
    if (options.learn) {
      learn_->prepare(options.learn->lesson);
      parts_.modes.request(ModeId::Learn);
    }
  }
}

void WindowGame::add_modes(SpellLibrary& library) {
  Modes& modes = parts_.modes;
  auto title = std::make_unique<TitleMode>(parts_, library, data_dir_);
  auto stress = std::make_unique<StressMode>(parts_);
  title_ = title.get();
  stress_ = stress.get();
  modes.add(std::make_unique<PlayMode>(parts_, *title));
  modes.add(std::move(title));
  modes.add(std::move(stress));
  modes.add(std::make_unique<QuickAbMode>(parts_));
  modes.add(std::make_unique<SideBySideMode>(parts_));
  modes.add(std::make_unique<LabMode>(parts_));
  auto learn = std::make_unique<LearnMode>(parts_);
  learn_ = learn.get();
  modes.add(std::move(learn));
}

std::string WindowGame::open() {
  Game& game = parts_.game;
  const PlayOptions& options = game.options();
  if (!game.error().empty()) return game.error();
  if (platform::kInBrowser) {
    open_in_page();
  } else if (std::string error = open_on_desktop(); !error.empty()) {
    return error;
  }
  parts_.playback.was_paused = parts_.hud.state.paused;
  parts_.scene().begin(parts_.world(), parts_.latch);
  parts_.playback.skip_to(platform::now_ns());
  if (options.stress) parts_.modes.request(ModeId::Stress);
  platform::return_free_memory();
  return game.start();
}

/// Opens everything, and shows the title as soon as there are panels, or the first frame as soon as there is a
/// renderer. "" or an error line.
std::string WindowGame::open_on_desktop() {
  Shell& shell = parts_.shell;
  const PlayOptions& options = parts_.game.options();
  const frame::Settings& settings = parts_.hud.state.settings;
  if (std::string error = shell.open_window(settings); !error.empty()) return error;
  parts_.hud.state.desktop_scale = shell.window().dpi_scale();
  shell.open_panels();
  if (parts_.hud.state.title.shown) parts_.drawing.draw_title_at_once();
  parts_.audio.open(options.voices);
  prepare_window();
  if (std::string error = shell.open_renderer(data_dir_ + "/shaders"); !error.empty()) return error;
  prepare_renderer();
  begin_drawing();
  begin_first_frame();
  draw_first_frame();
  parts_.audio.wait(settings);
  parts_.audio.start(options.voices);
  parts_.content.note_sound_errors();
  parts_.audio.start_device();
  return {};
}

/// Begins the first frame, which frame() draws, and does what is left while the browser draws the ground.
void WindowGame::open_in_page() {
  const PlayOptions& options = parts_.game.options();
  parts_.hud.state.desktop_scale = parts_.shell.window().dpi_scale();
  prepare_window();
  prepare_renderer();
  begin_first_frame();
  parts_.shell.open_panels();
  parts_.audio.open(options.voices);
  begin_drawing();
  parts_.audio.wait(parts_.hud.state.settings);
  parts_.audio.start(options.voices);
}

void WindowGame::prepare_window() {
  Shell& shell = parts_.shell;
  const frame::Settings& settings = parts_.hud.state.settings;
  shell.set_vsync(settings.vsync);
  // The window manager changed the size; that is not the player's choice.
  const platform::Size asked{static_cast<int>(settings.window_width),
                             static_cast<int>(settings.window_height)};
  parts_.files.set_size_at_start(shell.window().fullscreen() ? asked : shell.window().size());
}

void WindowGame::prepare_renderer() {
  const WorldOptions& world = parts_.game.options().world;
  parts_.shell.renderer().reserve(world.particle_capacity(), world.bullet_capacity());
  parts_.drawing.show_looks();
}

/// Events, and what else needs both panels and a renderer.
void WindowGame::begin_drawing() {
  Shell& shell = parts_.shell;
  parts_.content.note_shader_errors(shell.renderer());
  parts_.game.renderer = shell.renderer().name();
  shell.open_events(parts_.keys(), parts_.hud.state.settings);
  parts_.drawing.open();
  parts_.rewind.open();
  platform::watch_display(shell.window(), on_display_lost, this);
}

std::string WindowGame::restore_graphics() {
  if (parts_.modes.is(ModeId::SideBySide)) parts_.modes.end_interruption();  // it draws with the renderer that goes now
  Shell& shell = parts_.shell;
  const WorldOptions& world = parts_.game.options().world;
  shell.panels().restore_graphics();
  if (std::string error = shell.open_renderer(data_dir_ + "/shaders"); !error.empty()) return error;
  shell.renderer().reserve(world.particle_capacity(), world.bullet_capacity());
  shell.restore_looks();
  parts_.rewind.open();
  const platform::Size size = shell.drawable_px();
  shell.renderer().resize(size.width, size.height);
  parts_.hooks().make_figures(shell.renderer());
  if (parts_.game.options().is_measured()) parts_.hooks().bake(shell.renderer(), 0);
  parts_.drawing.warm_up();
  parts_.playback.skip_to(platform::now_ns());
  return {};
}

/// Begins what the first frame needs of OpenGL.
void WindowGame::begin_first_frame() {
  Game& game = parts_.game;
  render::Renderer& renderer = parts_.shell.renderer();
  const platform::Size size = parts_.shell.drawable_px();
  renderer.resize(size.width, size.height);
  parts_.hooks().make_figures(renderer);
  if (game.options().is_measured()) parts_.hooks().bake(renderer, 0);  // else frame by frame, in play
  parts_.playback.snapshot = &parts_.world().build_snapshot(parts_.hud.state.settings.looks);
  game.drawn_by = renderer.path();
  if (platform::kInBrowser) renderer.begin_ground(*parts_.playback.snapshot);
}

/// Shows the first frame at once, and then makes what only later frames need.
void WindowGame::draw_first_frame() {
  if (!parts_.hud.state.title.shown) present_first_frame();  // else the title stays until it is drawn over its demo
  parts_.drawing.warm_up();
  parts_.drawing.warm_up_panels();
}

void WindowGame::present_first_frame() {
  parts_.shell.renderer().draw(*parts_.playback.snapshot, 1.0f);
  parts_.shell.window().swap();
  parts_.game.note_first_frame(platform::now_ns());
}

/// The first frame in a page. Without the title it is not recorded: a first draw allocates, which is no cost of play.
void WindowGame::draw_due_frame() {
  if (parts_.hud.state.title.shown) {
    parts_.modes.current().frame();
    parts_.game.note_first_frame(platform::now_ns());
  } else {
    present_first_frame();
  }
  parts_.playback.skip_to(platform::now_ns());  // a first draw takes long, and is no time of the game's
}

/// Makes what is next of what only later frames need. False: nothing is left.
bool WindowGame::make_next() {
  const i64 begin_ns = platform::now_ns();
  switch (later_) {
    case Later::FirstFrame: break;  // frame() draws it
    case Later::Panels: parts_.drawing.warm_up_panels(); break;
    case Later::Spells: parts_.drawing.warm_up(); break;
    case Later::Sounds:
      parts_.audio.update_sounds();
      parts_.content.note_sound_errors();
      break;
    case Later::SoundDevice: parts_.audio.start_device(); break;
    case Later::Nothing: return false;
  }
  later_ = static_cast<Later>(static_cast<u8>(later_) + 1);
  parts_.playback.last_ns += platform::now_ns() - begin_ns;  // no time of the game's
  return true;
}

bool WindowGame::frame() {
  Modes& modes = parts_.modes;
  if (ReplayIndexer* const indexer = parts_.game.session().indexer()) {
    const bool compares =
        modes.is(ModeId::QuickAb) || modes.requested() == ModeId::QuickAb || parts_.lab.measures();
    indexer->hold(compares || parts_.game.csv().recording());
  }
  const bool first = later_ == Later::FirstFrame;
  // Between frames: what these allocate is no frame's.
  if (!make_next()) parts_.audio.update_sounds();
  if (!first && parts_.game.options().is_measured()) {
    while (make_next()) {  // what is measured has everything ready
    }
  }
  if (!first) parts_.shell.renderer().advance_programs();
  modes.begin_requested();
  if (!modes.interrupted() && parts_.lab.measures()) modes.interrupt(ModeId::Lab);
  if (first) draw_due_frame();
  else modes.current().frame();
  modes.settle(parts_.shell.quits());
  return !parts_.shell.quits() && !(modes.playing().ends_with_game() && parts_.game.finished());
}

/// The shell's window closes later, and its display may be lost then.
WindowGame::~WindowGame() { platform::forget_save(this); }

std::optional<std::string> WindowGame::on_display_lost(void* self) {
  WindowGame& game = *static_cast<WindowGame*>(self);
  WindowParts& parts = game.parts_;
  const PlayOptions& options = parts.game.options();
  std::string where = parts.game.csv().recording() ? parts.game.csv().path() : std::string{};
  for (const std::string* path :
       {&options.record_input, &options.hash_out, &options.audio_out, &options.json}) {
    if (where.empty() && *path != "-") where = *path;
  }
  (void)parts.lab.finish();
  parts.files.wait();
  parts.audio.finish();
  parts.game.stress = game.stress_->run();
  parts.files.collect();  // else what was written just now counts as still being written
  parts.files.save_what_is_left();
  const std::string error = parts.game.save();
  if (error.empty()) return where;
  log(LogLevel::Error, error);
  return std::nullopt;
}

std::string WindowGame::close() {
  Game& game = parts_.game;
  parts_.audio.show(parts_.hud.state);  // --screenshot draws the last frame again, with what it showed
  parts_.audio.close();
  parts_.modes.end_interruption();
  if (const std::string line = parts_.lab.finish(); !line.empty()) log(LogLevel::Info, line);
  parts_.files.wait();
  parts_.audio.finish();
  parts_.files.collect();
  parts_.files.save_what_is_left();
  game.stress = stress_->run();
  game.passes = parts_.shell.renderer().pass_means();
  game.figure_pool = parts_.shell.renderer().figure_pool();
  std::string error;
  if (!game.options().screenshot.empty()) error = parts_.drawing.save_last_frame(game.options().screenshot);
  const audio::MixerStats mixed = parts_.audio.mixer().stats();
  const std::string save_error = game.save(&mixed);
  return error.empty() ? save_error : error;
}

}  // namespace spellpool::app
