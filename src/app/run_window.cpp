#include "app/run_window.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include "app/game.hpp"
#include "app/hud.hpp"
#include "app/imgui_host.hpp"
#include "audio/mixer.hpp"
#include "content/png.hpp"
#include "core/fixed_step.hpp"
#include "core/log.hpp"
#include "platform/audio_device.hpp"
#include "platform/clock.hpp"
#include "platform/display_loss.hpp"
#include "platform/events.hpp"
#include "platform/file_watch.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"
#include "platform/window.hpp"
#include "render/renderer.hpp"
#include "render/view.hpp"

namespace spellpool::app {
namespace {

using frame::Action;
using frame::SimCommand;
using frame::SimCommandKind;

constexpr u32 kLeastPanelCapacity = 100;
constexpr u32 kMostPanelCapacity = 500'000;

std::string time_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[32];
  std::strftime(text, sizeof text, "spellpool_%Y-%m-%d_%H-%M-%S", &local);
  return text;
}

/// Pictures are coded and written on a thread of their own, one at a time, so that no frame waits on the disk.
class PictureWriter {
 public:
  ~PictureWriter() {
    if (thread_.joinable()) thread_.join();
  }
  bool busy() const { return thread_.joinable(); }
  /// Not while busy(). "" or why there is no thread to do it.
  std::string write(std::string path, int width, int height, std::vector<u8> rgb) {
    done_ = false;
    try {
      thread_ = std::thread([this, path = std::move(path), width, height, rgb = std::move(rgb)] {
        try {
          const std::string error = content::write_png(path, static_cast<u32>(width), static_cast<u32>(height), rgb, "Spellpool");
          outcome_ = error.empty() ? "Saved " + path : error;
        } catch (const std::exception& e) {
          outcome_ = e.what();
        }
        done_.store(true, std::memory_order_release);
      });
    } catch (const std::system_error& e) {
      return std::string("no picture: ") + e.what();
    }
    return {};
  }
  /// The outcome in a line, once; "" while there is none.
  std::string poll() {
    if (!thread_.joinable() || !done_.load(std::memory_order_acquire)) return {};
    thread_.join();
    return outcome_;
  }

 private:
  std::thread thread_;
  std::atomic<bool> done_{false};
  std::string outcome_;
};

/// The game in a window: events in, steps, picture, panels, swap. frame() does one round of it.
class WindowGame {
 public:
  /// The watch was made before the library read its files, so that no change in between is lost.
  WindowGame(const PlayOptions& options, SpellLibrary& library, std::string data_dir, std::unique_ptr<platform::FileWatch> watch)
      : library_(library), data_dir_(std::move(data_dir)), game_(options, library), hud_(options), device_(fill_audio, this),
        watch_(std::move(watch)) {}

  std::string open();
  bool frame();
  std::string close();
  Game& game() { return game_; }

 private:
  static void fill_audio(void* self, float* samples, int frames) {
    static_cast<WindowGame*>(self)->mixer_->render({samples, static_cast<std::size_t>(frames) * 2});
  }
  static platform::UiWants on_raw_event(void* self, const SDL_Event& event) {
    static_cast<WindowGame*>(self)->imgui_->process(event);
    return {ui::wants_mouse(), ui::wants_text()};
  }
  static std::string on_display_lost(void* self);

  void perform(Action action);
  void queue_choice(SimCommandKind kind, u8 choice);
  void queue_capacity(u32 capacity);
  void toggle_recording();
  void reload_changed_files();
  void take_screenshot();
  frame::InputFrame read_input(const platform::FrameEvents& events);
  void notice(std::string text) { hud_.state.notice = std::move(text); }

  SpellLibrary& library_;
  std::string data_dir_;
  Game game_;
  Hud hud_;
  std::unique_ptr<platform::Window> window_;
  std::unique_ptr<platform::Events> events_;
  std::unique_ptr<render::Renderer> renderer_;
  std::unique_ptr<ImGuiHost> imgui_;
  std::unique_ptr<audio::Mixer> mixer_;
  platform::AudioDevice device_;       // after mixer_: closed first
  std::unique_ptr<platform::FileWatch> watch_;
  PictureWriter pictures_;
  std::array<std::string, frame::kSpellCount> spell_errors_;
  std::string shader_error_;

  FixedStep clock_;
  i64 last_ns_ = 0;
  i64 next_frame_ns_ = 0;              // pacing when vsync does not work
  bool pace_ = false;
  bool quit_ = false;
  bool single_step_ = false;
  bool idle_ = false;                  // paused because the window lost the focus
  bool want_screenshot_ = false;
  bool cast_latched_ = false;
  u8 select_latched_ = frame::InputFrame::kKeepSpell;
  u8 wanted_spell_ = 0;
  float aim_x_ = 200, aim_y_ = 0;      // world
  bool stick_aims_ = false;
  float wheel_ = 0;                    // notches not yet used up
  bool snapshot_stale_ = false;
  const frame::RenderSnapshot* snapshot_ = nullptr;
};

std::string WindowGame::open() {
  if (!game_.error().empty()) return game_.error();
  const PlayOptions& options = game_.options();
  platform::WindowOptions window;
  window.width = static_cast<int>(options.width);
  window.height = static_cast<int>(options.height);
  window.fullscreen = options.fullscreen;
  window.vsync = options.vsync;
  platform::WindowResult opened = platform::Window::open(window);
  if (!opened.window) return opened.error;
  if (!opened.warning.empty()) log(LogLevel::Warning, opened.warning);
  window_ = std::move(opened.window);
  pace_ = options.vsync && !window_->set_vsync(true);
  std::string error;
  renderer_ = render::Renderer::create({data_dir_ + "/shaders", 1.0f, {}}, error);
  if (!renderer_) return error;
  shader_error_ = renderer_->warning();
  if (!shader_error_.empty()) log(LogLevel::Warning, shader_error_);
  renderer_->reserve(options.world.effective_capacity());
  game_.renderer = renderer_->name();
  events_ = std::make_unique<platform::Events>();
  if (!events_->warning().empty()) log(LogLevel::Warning, events_->warning());
  imgui_ = std::make_unique<ImGuiHost>(*window_, true);
  window_->show_cursor(true);

  device_.open();
  if (!device_.warning().empty()) log(LogLevel::Warning, device_.warning());
  audio::MixerOptions sound;
  sound.sample_rate_hz = device_.rate_hz();
  mixer_ = std::make_unique<audio::Mixer>(sound);
  mixer_->set_muted(hud_.state.muted);
  device_.start();

  platform::watch_display(*window_, on_display_lost, this);

  const platform::Size size = window_->drawable_px();
  renderer_->resize(size.width, size.height);
  renderer_->warm_up();
  frame::PanelRequests requests;
  imgui_->draw(hud_.model(game_, size.height), requests, size.width, size.height);
  snapshot_ = &game_.world().build_snapshot();
  last_ns_ = platform::now_ns();
  return game_.start();
}

std::string WindowGame::on_display_lost(void* self) {
  WindowGame& w = *static_cast<WindowGame*>(self);
  const PlayOptions& options = w.game_.options();
  std::string where = w.game_.csv().recording() ? w.game_.csv().path() : std::string{};
  for (const std::string* path : {&options.record_input, &options.hash_out, &options.audio_out, &options.json}) {
    if (where.empty() && *path != "-") where = *path;
  }
  const std::string error = w.game_.save();
  if (error.empty()) return where;
  log(LogLevel::Error, error);
  return {};
}

void WindowGame::queue_choice(SimCommandKind kind, u8 choice) {
  SimCommand command;
  command.kind = kind;
  command.choice = choice;
  game_.queue(command);
}

void WindowGame::queue_capacity(u32 capacity) {
  SimCommand command;
  command.kind = SimCommandKind::SetCapacity;
  command.capacity = std::clamp(capacity, frame::kMinCapacity, frame::kMaxCapacity);
  game_.queue(command);
}

void WindowGame::toggle_recording() {
  measure::CsvRecording& csv = game_.csv();
  if (csv.recording()) {
    const std::string outcome = game_.stop_recording();
    notice(outcome);
    log(LogLevel::Info, outcome);
    return;
  }
  const platform::PathResult folder = platform::recordings_folder();
  std::string error = folder.error;
  std::string path;
  if (error.empty()) {
    path = platform::free_name(folder.path, time_stamp(), ".csv").string();
    error = csv.start(path);
  }
  notice(error.empty() ? "Recording to " + path : error);
  log(error.empty() ? LogLevel::Info : LogLevel::Warning, error.empty() ? "recording to " + path : error);
}

void WindowGame::perform(Action action) {
  HudState& hud = hud_.state;
  const Session& session = game_.session();
  const u32 capacity = session.coming_capacity();
  switch (action) {
    case Action::NextStrategy:
      queue_choice(SimCommandKind::SetStrategy, static_cast<u8>((static_cast<std::size_t>(session.coming_strategy()) + 1) % pool::kStrategyCount));
      hud.hint = false;
      break;
    case Action::NextPolicy:
      queue_choice(SimCommandKind::SetPolicy, static_cast<u8>((static_cast<std::size_t>(session.coming_policy()) + 1) % pool::kPolicyCount));
      break;
    case Action::CapacityDown: queue_capacity(std::max(capacity / 2, std::min(capacity, kLeastPanelCapacity))); break;
    case Action::CapacityUp: queue_capacity(std::min(capacity * 2, std::max(capacity, kMostPanelCapacity))); break;
    case Action::Record: toggle_recording(); break;
    case Action::Pause:
      hud.paused = !(hud.paused || idle_);
      idle_ = false;
      break;
    case Action::SingleStep:
      hud.paused = true;
      single_step_ = true;
      break;
    case Action::SlowMotion: hud.slow_motion = !hud.slow_motion; break;
    case Action::Help: hud.help = !hud.help; break;
    case Action::PoolPanel: hud.pool_panel = !hud.pool_panel; break;
    case Action::Graph: hud.graph = !hud.graph; break;
    case Action::HideUi: hud.hidden = !hud.hidden; break;
    case Action::GraphScale:
      hud.graph_scale = hud.graph_scale == frame::GraphScale::Automatic ? frame::GraphScale::SquareRoot : frame::GraphScale::Automatic;
      break;
    case Action::Spell1:
    case Action::Spell2:
    case Action::Spell3:
      wanted_spell_ = static_cast<u8>(static_cast<u8>(action) - static_cast<u8>(Action::Spell1));
      select_latched_ = wanted_spell_;
      break;
    case Action::NextSpell:
      wanted_spell_ = static_cast<u8>((wanted_spell_ + 1) % frame::kSpellCount);
      select_latched_ = wanted_spell_;
      break;
    case Action::Mute:
      hud.muted = !hud.muted;
      mixer_->set_muted(hud.muted);
      break;
    case Action::Fullscreen:
      hud.fullscreen = !hud.fullscreen;
      window_->set_fullscreen(hud.fullscreen);
      break;
    case Action::Screenshot: want_screenshot_ = true; break;
    case Action::ReloadSpells: watch_->reread(); break;
    case Action::Quit:
      if (hud.help) hud.help = false;
      else if (ui::release_frozen_graph(imgui_->state())) {}
      else if (hud.pool_panel || hud.graph) hud.pool_panel = hud.graph = false;
      else quit_ = true;
      break;
  }
}

void WindowGame::reload_changed_files() {
  bool shaders = false;
  while (const std::unique_ptr<platform::FileChange> change = watch_->poll()) {
    if (change->file >= frame::kSpellCount) {
      shaders = true;
      continue;
    }
    const u32 spell = static_cast<u32>(change->file);
    std::string error = change->error;
    if (error.empty() && change->text == library_.texts()[spell] && spell_errors_[spell].empty()) continue;
    if (error.empty()) error = library_.update(spell, change->text);
    if (!error.empty()) {
      log(LogLevel::Warning, error);
    } else {
      SimCommand command;
      command.kind = SimCommandKind::SetSpell;
      command.spell = static_cast<u8>(spell);
      command.definition = library_.spells()[spell];
      game_.queue(command, change->text);
      notice("Read " + std::string(frame::kSpellFiles[spell]) + ".toml again");
    }
    spell_errors_[spell] = error;
  }
  if (shaders) {
    renderer_->reload_shaders();
    shader_error_ = renderer_->warning();
    if (!shader_error_.empty()) log(LogLevel::Warning, shader_error_);
    notice(shader_error_.empty() ? "Shaders read again" : "A shader is broken");
  }
  std::string& error = hud_.state.error;
  error = shader_error_;
  for (const std::string& spell_error : spell_errors_) {
    if (!spell_error.empty()) error = spell_error;
  }
}

void WindowGame::take_screenshot() {
  if (pictures_.busy()) return;  // the next frame asks again
  want_screenshot_ = false;
  const platform::PathResult folder = platform::recordings_folder();
  std::string error = folder.error.empty() ? platform::make_folder(folder.path) : folder.error;
  std::vector<u8> rgb;
  const platform::Size size = window_->drawable_px();
  if (error.empty() && !render::read_rgb(size.width, size.height, rgb)) error = "the picture could not be read back";
  if (!error.empty()) {
    notice(error);
    return;
  }
  const std::string path = platform::free_name(folder.path, time_stamp(), ".png").string();
  notice(pictures_.write(path, size.width, size.height, std::move(rgb)));
}

frame::InputFrame WindowGame::read_input(const platform::FrameEvents& events) {
  const platform::Size size = window_->drawable_px();
  if (events.mouse_moved) stick_aims_ = false;
  if (events.stick_aims) {
    stick_aims_ = true;
    aim_x_ = game_.world().mage_x() + events.aim_x * 260.0f;
    aim_y_ = game_.world().mage_y() + events.aim_y * 260.0f;
  } else if (!stick_aims_) {
    const render::View view = render::view_of(*snapshot_, clock_.alpha(), size.width, size.height);
    const render::Point aim = render::screen_to_world(view, {events.mouse_x_px, events.mouse_y_px});
    aim_x_ = aim.x;
    aim_y_ = aim.y;
  }
  frame::InputFrame input;
  input.aim_x16 = static_cast<i16>(std::clamp(aim_x_ * frame::kAimScale, -32000.0f, 32000.0f));
  input.aim_y16 = static_cast<i16>(std::clamp(aim_y_ * frame::kAimScale, -32000.0f, 32000.0f));
  input.move_x = static_cast<i8>(std::clamp(events.move_x, -1.0f, 1.0f) * 127.0f);
  input.move_y = static_cast<i8>(std::clamp(events.move_y, -1.0f, 1.0f) * 127.0f);
  if (events.cast_held || cast_latched_) input.buttons = frame::kButtonCast;
  input.select_spell = select_latched_;
  return input;
}

bool WindowGame::frame() {
  const PlayOptions& options = game_.options();
  game_.begin_frame();
  const platform::FrameEvents& events = events_->poll(*window_, on_raw_event, this);
  if (events.quit || platform::window_lost()) quit_ = true;
  for (std::size_t i = 0; i < events.action_count; ++i) perform(events.actions[i]);
  wheel_ += events.wheel;  // smooth wheels send fractions of a notch
  if (const int notches = static_cast<int>(wheel_); notches != 0) {
    wheel_ -= static_cast<float>(notches);
    constexpr int kSpells = static_cast<int>(frame::kSpellCount);
    wanted_spell_ = static_cast<u8>(((wanted_spell_ - notches) % kSpells + kSpells) % kSpells);
    select_latched_ = wanted_spell_;
  }
  if (std::string outcome = pictures_.poll(); !outcome.empty()) notice(std::move(outcome));
  cast_latched_ = cast_latched_ || events.cast_pressed;
  if (cast_latched_) hud_.state.hint = false;
  // Without the focus the game waits, unless it plays or measures by itself. Any sign of the player wakes it.
  const bool by_itself = options.autoplay || options.steps || !options.input.empty() || game_.csv().recording();
  if (events.focus_lost && !by_itself) idle_ = true;
  if (events.focus_gained || events.cast_pressed || events.mouse_moved || events.action_count > 0) idle_ = false;
  device_.update(events, platform::now_ns());
  reload_changed_files();

  // Steps.
  const i64 now = platform::now_ns();
  u32 steps = clock_.advance(now - last_ns_, hud_.state.slow_motion ? 0.25 : 1.0);
  last_ns_ = now;
  float alpha = clock_.alpha();
  if (options.steps) {
    steps = 1;
    alpha = 1.0f;
  }
  if (hud_.state.paused || idle_) {
    steps = single_step_ ? 1 : 0;
    alpha = 1.0f;
  }
  single_step_ = false;
  for (u32 i = 0; i < steps && !game_.finished(); ++i) {
    game_.step(read_input(events), device_.is_open() ? mixer_.get() : nullptr);
    cast_latched_ = false;
    select_latched_ = frame::InputFrame::kKeepSpell;
  }

  // Picture. A step while minimised makes the snapshot stale too: its spans end with the step.
  snapshot_stale_ = snapshot_stale_ || steps > 0;
  const platform::Size size = window_->drawable_px();
  const bool visible = !window_->minimised() && size.width > 0 && size.height > 0 && !quit_;
  if (visible) {
    game_.phases().enter(frame::Phase::Render);
    if (snapshot_stale_) snapshot_ = &game_.world().build_snapshot();
    snapshot_stale_ = false;
    renderer_->resize(size.width, size.height);
    renderer_->draw(*snapshot_, alpha);
    game_.phases().enter(frame::Phase::Ui);
    frame::PanelRequests requests;
    const bool paused = hud_.state.paused;
    hud_.state.paused = paused || idle_;
    const frame::PanelModel& model = hud_.model(game_, size.height);
    hud_.state.paused = paused;
    imgui_->draw(model, requests, size.width, size.height);
    for (std::size_t i = 0; i < requests.command_count; ++i) game_.queue(requests.commands[i]);
    for (std::size_t i = 0; i < requests.action_count; ++i) perform(requests.actions[i]);
    if (want_screenshot_) take_screenshot();
    game_.phases().enter(frame::Phase::Swap);
    window_->swap();
  }
  game_.end_frame();
  if (game_.csv().failed()) toggle_recording();

  if (!visible) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  } else if (pace_) {
    next_frame_ns_ = std::max(next_frame_ns_ + FixedStep::kStep_ns, platform::now_ns() - FixedStep::kStep_ns);
    const i64 wait_ns = next_frame_ns_ - platform::now_ns();
    if (wait_ns > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(wait_ns));
  }
  return !quit_ && !game_.finished();
}

std::string WindowGame::close() {
  device_.close();
  std::string error;
  const PlayOptions& options = game_.options();
  if (!options.screenshot.empty() && platform::window_lost()) error = "--screenshot: the window was gone before the last picture";
  if (!options.screenshot.empty() && !platform::window_lost()) {
    renderer_->draw(game_.world().build_snapshot(), 1.0f);
    const int width = renderer_->width_px(), height = renderer_->height_px();
    frame::PanelRequests requests;
    if (!hud_.state.hidden) imgui_->draw(hud_.model(game_, height), requests, width, height);
    std::vector<u8> rgb;
    if (render::read_rgb(width, height, rgb)) {
      error = content::write_png(options.screenshot, static_cast<u32>(width), static_cast<u32>(height), rgb, "Spellpool",
                                 content::Overwrite::Yes);
    } else {
      error = "--screenshot: the picture could not be read back from OpenGL";
    }
  }
  const audio::MixerStats heard = mixer_->stats();
  const std::string save_error = game_.save(&heard);
  return error.empty() ? save_error : error;
}

int fail(const std::string& error) {
  log(LogLevel::Error, error);
  return 2;
}

/// Spells first, in the order of the bar, then all shaders.
std::unique_ptr<platform::FileWatch> watch_files(const std::string& data_dir) {
  std::vector<std::filesystem::path> files;
  for (u32 i = 0; i < frame::kSpellCount; ++i) files.emplace_back(SpellLibrary::path(data_dir, i));
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir + "/shaders", ec)) files.push_back(entry.path());
  return std::make_unique<platform::FileWatch>(std::move(files), std::size_t{1} << 20);
}

}  // namespace

int run_window(const PlayOptions& options) {
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return fail(data.error);
  SpellLibrary library;
  auto watch = watch_files(data.path.string());
  if (std::string error = library.load(data.path.string()); !error.empty()) return fail(error);
  WindowGame game(options, library, data.path.string(), std::move(watch));
  if (std::string error = game.open(); !error.empty()) return fail(error);
  try {
    while (game.frame()) {
    }
  } catch (...) {
    game.close();  // whatever it was, what was recorded is saved first
    throw;
  }
  if (std::string error = game.close(); !error.empty()) return fail(error);
  return platform::stop_requested() ? 130 : 0;
}

}  // namespace spellpool::app
