#include "app/window/window_game.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "content/png.hpp"
#include "core/log.hpp"
#include "platform/clock.hpp"
#include "platform/display_loss.hpp"
#include "platform/free_memory.hpp"
#include "platform/paths.hpp"
#include "render/view.hpp"
#include "sim/spells/world.hpp"
#include "ui/kit/layout.hpp"

namespace spellpool::app {
namespace {

constexpr double kPrewarm_us = 500.0;      ///< Of a frame, until all slots are ready.
constexpr double kSlowMotion = 0.25;       ///< Of the speed,
constexpr double kSlotMotion = 0.0625;     ///< and while single slots are watched.
constexpr double kSettingsSettle_s = 0.7;  ///< A slider that is being dragged is not a file write each frame.

}  // namespace

WindowGame::WindowGame(const PlayOptions& options, SpellLibrary& library, SoundLibrary& sounds, std::string data_dir,
                       std::unique_ptr<platform::FileWatch> watch, Remembered remembered,
                       std::vector<std::string> program)
    : library_(library), sounds_(sounds), data_dir_(std::move(data_dir)), game_(options, library), remembered_(std::move(remembered)),
      settings_at_start_(with_options(remembered_.settings, options)), hud_(options, settings_at_start_), sound_controller_(sounds), device_(fill_audio, this),
      watch_(std::move(watch)), world_at_start_(game_.options().world) {
  game_.sounds = &sounds;
  lab_controller_ = std::make_unique<LabController>(platform::recordings_folder().path.string(), options.world.data_dir, std::move(program));
  hud_.state.filed = library.spells();
  hud_.state.high_scores = remembered_.scores;
  hud_.state.settings_path = remembered_.settings_path;
  if (!remembered_.settings_unkept.empty()) hud_.state.settings_unkept = remembered_.settings_unkept;
  for (const std::string& message : remembered_.messages) {
    log(LogLevel::Warning, message);
    hud_.state.notice = message;
  }
  if (!options.input.empty() && !options.steps && game_.error().empty()) {
    transport_.emplace(game_.session().replay_steps());
    game_.session().index_replay(!options.is_measured());
    index_marks_.reserve(ReplayMarks::kMost);
    hud_.state.hint = false;  // how to play
  }
  if (options.title && game_.error().empty() && may_open_title()) {
    game_.session().set_autoplay(true);
    show_title();
  }
}

void WindowGame::fill_audio(void* self, float* samples, int frames) {
  auto* const game = static_cast<WindowGame*>(self);
  const i64 begin_ns = platform::now_ns();
  game->mixer_->render({samples, static_cast<std::size_t>(frames) * 2});
  game->controller_->report_load(platform::now_ns() - begin_ns, static_cast<u32>(frames));
}

platform::UiWants WindowGame::on_raw_event(void* self, const SDL_Event& event) {
  static_cast<WindowGame*>(self)->imgui_->process(event);
  return {ui::wants_mouse(), ui::wants_text()};
}

std::string WindowGame::open() {
  if (!game_.error().empty()) return game_.error();
  const PlayOptions& options = game_.options();
  const frame::Settings& settings = hud_.state.settings;
  platform::WindowOptions window;
  window.width = static_cast<int>(settings.window_width);
  window.height = static_cast<int>(settings.window_height);
  window.fullscreen = settings.fullscreen;
  window.vsync = settings.vsync;
  // Fonts for the window as it is asked for; the rare other one bakes its own.
  std::optional<EarlyFonts> fonts;
  if (!window.fullscreen) {
    const float width = static_cast<float>(window.width), height = static_cast<float>(window.height);
    fonts.emplace(ui::design_scale(width, height, hud_.text_scale(window.height)));
  }
  platform::WindowResult opened = platform::Window::open(window);
  if (!opened.window) return opened.error;
  if (!opened.warning.empty()) log(LogLevel::Warning, opened.warning);
  window_ = std::move(opened.window);
  imgui_ = std::make_unique<ImGuiHost>(*window_, true, fonts ? &*fonts : nullptr);
  hud_.state.desktop_scale = window_->dpi_scale();
  if (hud_.state.title.shown) show_title_at_once();
  device_.open();
  if (!device_.warning().empty()) log(LogLevel::Warning, device_.warning());
  // All sounds are rendered before the mixer can be made: a third of a second that another core has.
  std::future<std::unique_ptr<audio::Mixer>> mixer = std::async([this, rate_hz = device_.rate_hz(), voices = options.voices] {
    return std::make_unique<audio::Mixer>(mixer_options(voices), sounds_.bank(rate_hz));
  });
  vsync_works_ = !settings.vsync || window_->set_vsync(true);
  // What the desktop made of the size is not a choice of the player's.
  const platform::Size got = window_->fullscreen() ? platform::Size{window.width, window.height} : window_->size();
  settings_at_start_.window_width = hud_.state.settings.window_width = static_cast<u32>(got.width);
  settings_at_start_.window_height = hud_.state.settings.window_height = static_cast<u32>(got.height);
  std::string error;
  render::RendererOptions renderer{data_dir_ + "/shaders", 1.0f, {}};
  renderer.figures_may_be_late = true;
  renderer_ = render::Renderer::create(renderer, error);
  if (!renderer_) return error;
  shader_error_ = renderer_->warning();
  if (!shader_error_.empty()) log(LogLevel::Warning, shader_error_);
  renderer_->reserve(options.world.particle_capacity(), options.world.bullet_capacity());
  show_looks();
  game_.renderer = renderer_->name();
  events_ = std::make_unique<platform::Events>();
  if (!events_->warning().empty()) log(LogLevel::Warning, events_->warning());
  events_->set_scene(key_scene());
  events_->set_bindings(settings.bindings);
  if (!events_->binding_warning().empty()) log(LogLevel::Warning, events_->binding_warning());
  slots_ = std::make_unique<SlotMapFeed>();
  film_ = std::make_unique<render::Film>();
  window_->show_cursor(true);
  display_hz_ = window_->display_hz();

  platform::watch_display(*window_, on_display_lost, this);

  // The first picture at once; what is only needed later is made while the player looks at it.
  const platform::Size size = window_->drawable_px();
  renderer_->resize(size.width, size.height);
  if (shooter()) {
    renderer_->ready_shooter();
    renderer_->prepare_garden();
  }
  snapshot_ = &world().build_snapshot(settings.looks);
  if (!hud_.state.title.shown) {  // else the title stays until it is drawn over its demo
    renderer_->draw(*snapshot_, 1.0f);
    window_->swap();
    game_.first_frame_ms = static_cast<double>(platform::now_ns() - options.started_ns) * 1e-6;
  }
  game_.drawn_by = renderer_->path();
  renderer_->warm_up();
  warm_up_panels();

  mixer_ = mixer.get();
  set_volumes(settings);
  for (const std::string& line : sounds_.errors()) log(LogLevel::Warning, line);
  if (!sounds_.errors().empty()) sound_error_ = sounds_.errors().front();
  sounds_.watch();
  controller_ = std::make_unique<VoiceController>(*mixer_, options.voices);
  device_.start();
  was_paused_ = hud_.state.paused;
  if (shooter()) difficulty_heard_ = shooter()->difficulty;
  last_ns_ = platform::now_ns();
  want_stress_ = options.stress;
  platform::return_free_memory();
  return game_.start();
}

/// The title by Dear ImGui alone, before any of the game's shaders is compiled.
void WindowGame::show_title_at_once() {
  const platform::Size size = window_->drawable_px();
  hud_.state.title.starting = true;
  const frame::PanelModel& model = hud_.model(game_, size.height);
  if (!imgui_->draw_alone(model, size.width, size.height)) {
    frame::PanelRequests unheard;
    imgui_->draw(model, unheard, size.width, size.height);
  }
  window_->swap();
  hud_.state.title.starting = false;
  game_.first_frame_ms = static_cast<double>(platform::now_ns() - game_.options().started_ns) * 1e-6;
}

/// Draws what a game shows sooner or later once, unseen: Dear ImGui makes a window's memory when it first opens, and that shall
/// be now rather than in a frame that is measured.
void WindowGame::warm_up_panels() {
  using Phase = frame::ChallengeView::Phase;
  const platform::Size size = window_->drawable_px();
  const frame::PanelModel plain = hud_.model(game_, size.height);
  const auto draw = [&](auto&& change) {
    frame::PanelModel model = plain;
    change(model);
    for (int pass = 0; pass < 2; ++pass) imgui_->warm_up(*renderer_, model);
  };
  draw([](frame::PanelModel& m) { m.pool_panel = m.graph = m.hint = true; });
  for (const Phase phase : {Phase::Countdown, Phase::Running, Phase::Over}) {
    draw([phase](frame::PanelModel& m) {
      m.challenge.phase = phase;
      m.challenge.left_s = 2.0f;
      m.challenge.finale = 1.0f;
      m.combo = m.challenge.result.best_combo = 99;
    });
  }
  draw([](frame::PanelModel& m) { m.scores_open = true; });
  if (transport_) draw([this](frame::PanelModel& m) { m.replay = replay_view(); });
  draw([](frame::PanelModel& m) { m.voices_open = true; });
  draw([](frame::PanelModel& m) { m.help = true; });
  draw([](frame::PanelModel& m) { m.lab.open = true; });
  draw([](frame::PanelModel& m) { m.title.shown = m.title.can_continue = true; });
  draw([](frame::PanelModel& m) { m.ab.state = frame::QuickAbView::State::Running; });
  if (shooter()) {
    for (const frame::ShooterState state : {frame::ShooterState::Playing, frame::ShooterState::Continue, frame::ShooterState::Won, frame::ShooterState::Lost}) {
      frame::ShooterView view = *shooter();
      view.state = state;
      view.boss_title = view.phase_title = view.stage_title;
      draw([&view](frame::PanelModel& m) { m.shooter = &view; });
    }
    frame::ShooterView view = *shooter();
    view.state = frame::ShooterState::Stress;
    for (const frame::StressView::State state : {frame::StressView::State::Running, frame::StressView::State::Done}) {
      draw([&](frame::PanelModel& m) {
        m.shooter = &view;
        m.stress.state = state;
      });
    }
  }
  draw([](frame::PanelModel&) {});
}

std::string WindowGame::on_display_lost(void* self) {
  WindowGame& w = *static_cast<WindowGame*>(self);
  const PlayOptions& options = w.game_.options();
  std::string where = w.game_.csv().recording() ? w.game_.csv().path() : std::string{};
  for (const std::string* path : {&options.record_input, &options.hash_out, &options.audio_out, &options.json}) {
    if (where.empty() && *path != "-") where = *path;
  }
  if (w.lab_controller_) (void)w.lab_controller_->finish();
  for (BackgroundTask* task : w.tasks()) task->wait();
  w.save_what_is_dirty();
  const std::string error = w.game_.save();
  if (error.empty()) return where;
  log(LogLevel::Error, error);
  return {};
}

// ---------------------------------------------------------------------------------------------------- the player

frame::InputFrame WindowGame::read_input(const platform::FrameEvents& events) {
  const platform::Size size = window_->drawable_px();
  if (events.mouse_moved) stick_aims_ = false;
  if (events.stick_aims) {
    stick_aims_ = true;
    const sim::World* mage = spells();
    aim_x_ = (mage ? mage->mage_x() : 0) + events.aim_x * 260.0f;
    aim_y_ = (mage ? mage->mage_y() : 0) + events.aim_y * 260.0f;
  } else if (!stick_aims_) {
    const render::View view = render::view_of(*snapshot_, clock_.alpha(), size.width, size.height);
    const render::Point aim = render::screen_to_world(view, {events.mouse_x_px, events.mouse_y_px});
    aim_x_ = aim.x;
    aim_y_ = aim.y;
  }
  frame::InputFrame input;
  input.aim_x16 = static_cast<i16>(std::clamp(aim_x_ * frame::kAimScale, -32000.0f, 32000.0f));
  input.aim_y16 = static_cast<i16>(std::clamp(aim_y_ * frame::kAimScale, -32000.0f, 32000.0f));
  move_.give(input);
  u32 buttons = 0;
  if ((events.cast_held && !muffled_) || cast_latched_) buttons |= frame::kButtonCast;
  if ((events.rapid_held && !muffled_) || rapid_latched_) buttons |= frame::kButtonRapid;
  if (challenge_latched_) buttons |= frame::kButtonChallenge;
  if (const frame::ShooterView* view = shooter()) buttons = shooter_buttons(events, *view, input, buttons);
  else if (hud_.state.settings.looks.motion != frame::Amount::Full)
    buttons |= frame::kButtonNoHitStop;
  input.buttons = static_cast<u8>(buttons);
  input.select_spell = select_latched_;
  return input;
}

/// The ship follows the mouse from when a hand moves it until a key or a stick says where to.
u32 WindowGame::shooter_buttons(const platform::FrameEvents& events, const frame::ShooterView& view, frame::InputFrame& input, u32 buttons) {
  if (input.move_x != 0 || input.move_y != 0) follows_mouse_ = false;
  else if (events.mouse_travelled) follows_mouse_ = true;
  buttons &= ~u32{frame::kButtonRapid};
  if (events.focus_held || events.rapid_held) buttons |= frame::kButtonFocus;
  if (bomb_latched_) buttons |= frame::kButtonBomb;
  if (follows_mouse_) buttons |= frame::kButtonFollow;
  if (view.state == frame::ShooterState::Playing) return buttons;
  if (cast_latched_) buttons |= frame::kButtonStart;
  // A click on the title chooses a difficulty: to the world that is so many presses to the side.
  if (view.state != frame::ShooterState::Title || want_difficulty_ == view.difficulty) want_difficulty_.reset();
  if (want_difficulty_) {
    press_aside_ = !press_aside_;
    input.move_x = static_cast<i8>(!press_aside_ ? 0 : *want_difficulty_ > view.difficulty ? 127 : -127);
  }
  return buttons;
}

/// Between the stages Enter and a gamepad's Start go on as the fire button does; it also ends a pause there, which nothing shows.
bool WindowGame::takes_start(const platform::FrameEvents& events) {
  const frame::ShooterView* view = shooter();
  if (!view || view->state == frame::ShooterState::Playing) return false;
  const bool counts_down = view->state == frame::ShooterState::Continue;
  const bool begins = events.start_pressed && !(counts_down && hud_.state.paused);
  cast_latched_ = cast_latched_ || begins;
  if ((events.cast_pressed || begins) && !counts_down) hud_.state.paused = false;
  return begins;
}

void WindowGame::take_wheel(const platform::FrameEvents& events) {
  wheel_ += events.wheel;  // smooth wheels send fractions of a notch
  const int notches = static_cast<int>(wheel_);
  if (notches == 0) return;
  wheel_ -= static_cast<float>(notches);
  constexpr int kSpells = static_cast<int>(frame::kSpellCount);
  select(static_cast<u8>(((wanted_spell_ - notches) % kSpells + kSpells) % kSpells));
}

bool WindowGame::plays_by_itself() const {
  const PlayOptions& options = game_.options();
  return options.autoplay || options.steps || !options.input.empty();
}

/// Free play in a scene without one.
frame::ChallengeView WindowGame::challenge() { return spells() ? spells()->challenge().view() : frame::ChallengeView{}; }

void WindowGame::begin_by_hand() {
  by_hand_ = true;
  rewound_ = false;
  begun_at_ = world().steps();
  lost_at_.reset();
}

/// A challenge that the player began and ended goes into the table as soon as its time is up; a few seconds later its sheet opens.
void WindowGame::watch_challenge() {
  using Phase = frame::ChallengeView::Phase;
  HudState& hud = hud_.state;
  const frame::ChallengeView challenge = this->challenge();
  const Phase before = std::exchange(challenge_phase_, challenge.phase);
  const bool alone = hud.title.shown || plays_by_itself();
  if (challenge.phase == Phase::Countdown && before != Phase::Countdown) begin_by_hand();
  by_hand_ = by_hand_ && !alone;
  rewound_ = rewound_ && !alone;
  if (challenge.phase == Phase::Over && before != Phase::Over && (by_hand_ || rewound_)) {
    lost_at_ = world().steps();
    if (by_hand_) keep_score(challenge.result);
    else hud.new_score = frame::kMostHighScores;
  }
  if (challenge_pending_ && challenge.phase == Phase::Free) {
    challenge_pending_ = false;
    challenge_latched_ = true;
  }
  if (challenge.finished == challenges_) return;
  challenges_ = challenge.finished;
  hud.scores_open = hud.scores_open || ((by_hand_ || rewound_) && !challenge_latched_);
}

const frame::ShooterView* WindowGame::shooter() const { return game_.session().world().shooter_view(); }

bool WindowGame::in_flight() const {
  const frame::ShooterView* view = shooter();
  const bool plays = view && (view->state == frame::ShooterState::Playing || view->state == frame::ShooterState::Continue);
  return plays && !hud_.state.title.shown && !plays_by_itself();
}

/// A stage that the player ended goes into its difficulty's table.
void WindowGame::watch_shooter() {
  const frame::ShooterView* view = shooter();
  if (!view) return;
  const auto over = [](frame::ShooterState state) { return state == frame::ShooterState::Won || state == frame::ShooterState::Lost; };
  const frame::ShooterState before = std::exchange(shooter_state_, view->state);
  HudState& hud = hud_.state;
  if (before == frame::ShooterState::Title && view->state == frame::ShooterState::Playing) begin_by_hand();
  const bool alone = hud.title.shown || plays_by_itself();
  by_hand_ = by_hand_ && !alone;
  rewound_ = rewound_ && !alone;
  const bool lost = view->state == frame::ShooterState::Continue || view->state == frame::ShooterState::Lost;
  if (lost && before == frame::ShooterState::Playing && (by_hand_ || rewound_)) lost_at_ = world().steps();
  if (!over(view->state)) {
    hud.new_score = frame::kMostHighScores;
    return;
  }
  if (over(before) || !by_hand_) return;
  std::vector<frame::ShooterScore>& table = hud.high_scores.shooter[static_cast<std::size_t>(view->difficulty)];
  hud.new_score = frame::insert_score(table, frame::ShooterScore{view->score, view->graze, static_cast<u32>(view->stage_s), view->continues, time_stamp().substr(0, 10)});
  if (hud.new_score == frame::kMostHighScores) return;
  scores_dirty_ = true;
  save_scores();
}

void WindowGame::keep_score(const frame::ChallengeResult& result) {
  HudState& hud = hud_.state;
  hud.new_score = frame::insert_score(hud.high_scores, {result, time_stamp().substr(0, 10), game_.options().world.seed});
  if (hud.new_score == frame::kMostHighScores) return;
  scores_dirty_ = true;
  save_scores();
}

// ---------------------------------------------------------------------------------------------------- a frame

/// The window has another size, or is on another display.
void WindowGame::remember_size() {
  hud_.state.desktop_scale = window_->dpi_scale();
  display_hz_ = window_->display_hz();
  governor_.interrupt();  // a border that is being dragged
  const platform::Size units = window_->window_size();
  frame::Settings& settings = hud_.state.settings;
  if (units.width < static_cast<int>(frame::kLeastWindowWidth) || units.height < static_cast<int>(frame::kLeastWindowHeight)) return;
  settings.window_width = static_cast<u32>(units.width);
  settings.window_height = static_cast<u32>(units.height);
  save_settings_soon();
}

bool WindowGame::visible() const {
  const platform::Size size = window_->drawable_px();
  return !window_->minimised() && size.width > 0 && size.height > 0 && !quit_;
}

void WindowGame::play_steps(const platform::FrameEvents& events, double passed_s) {
  const double slow = hud_.state.slot_map_open ? kSlotMotion : kSlowMotion;
  u32 steps = clock_.advance(static_cast<i64>(passed_s * 1e9), hud_.state.slow_motion ? slow : 1.0);
  alpha_ = clock_.alpha();
  if (game_.options().steps || measures_bullets()) {
    steps = 1;
    alpha_ = 1.0f;
  }
  game_.session().keep_history(keeps_history() && !game_.csv().recording());
  if (turns_back(events, steps)) {
    single_step_ = false;
    return;
  }
  if (const History* history = game_.session().history(); single_step_ && history && world().steps() < history->last()) {  // on through what was played
    turn_back(world().steps() + 1);
    single_step_ = false;
    return;
  }
  if (hud_.state.paused || idle_) {
    steps = single_step_ ? 1 : 0;
    alpha_ = 1.0f;
  }
  single_step_ = false;
  stepped_ = steps == 1;
  for (u32 i = 0; i < steps && !game_.finished(); ++i) {
    const bool drawn = i + 1 == steps && visible();  // a frame shows only its last step
    game_.step(read_input(events), drawn ? std::optional(hud_.state.settings.looks.density) : std::nullopt);
    controller_->hear(game_.step_sounds(), device_.is_open());
    cast_latched_ = rapid_latched_ = challenge_latched_ = bomb_latched_ = false;
    select_latched_ = frame::InputFrame::kKeepSpell;
    if (const sim::World* mage = spells()) wanted_spell_ = mage->selected_spell();
  }
  // A step while minimised makes the snapshot stale too: its spans end with the step.
  snapshot_stale_ = snapshot_stale_ || steps > 0;
}

/// What the voice panel and the sound editor look at; good for this frame.
void WindowGame::show_sounds() {
  HudState& hud = hud_.state;
  mixer_->show_board(hud.voices_open);
  if (hud.voices_open) hud.voices = controller_->view(device_.is_open(), device_text_ = device_.describe());
  hud.sound_editor = sound_controller_.view(hud.sound_editor.open, mixer_->bank());
}

/// Clicks for a pause and for a choice on the shooter's title, from any source.
void WindowGame::hear_changes() {
  const bool paused = hud_.state.paused;
  if (std::exchange(was_paused_, paused) != paused) click(paused ? frame::PanelSound::Pause : frame::PanelSound::Resume);
  const frame::ShooterView* view = shooter();
  if (view == nullptr) return;
  const bool chosen = std::exchange(difficulty_heard_, view->difficulty) != view->difficulty;
  if (chosen && view->state == frame::ShooterState::Title && !plays_by_itself()) click(frame::PanelSound::Move);
}

void WindowGame::draw(const frame::RenderSnapshot& snapshot, float alpha, frame::PhaseSink& phases) {
  const platform::Size size = window_->drawable_px();
  show_looks();
  renderer_->resize(size.width, size.height, render::Settle::Later);
  show_rewind();
  renderer_->paint_into(renderer_->software() && renderer_->paints_panels() ? window_->pixels() : frame::PixelFrame{});
  renderer_->draw_held(snapshot, alpha);
  keep_picture();
  phases.enter(frame::Phase::Ui);
  frame::PanelRequests requests;
  const bool paused = hud_.state.paused;
  hud_.state.paused = paused || idle_;
  hud_.state.slot_map = slots_->view(world(), slot_request_, {render::view_of(snapshot, alpha, size.width, size.height), alpha});
  show_sounds();
  if (hud_.state.memory_open) {
    if (!paused) lab_.tick();
    hud_.state.memory = lab_.view(world());
  }
  hud_.state.drawn_by = drawn_by();
  hud_.state.replay = replay_view();
  hud_.state.rewind = rewind_view();
  if (hud_.state.lab_open) hud_.state.lab = lab_controller_->view();
  const frame::PanelModel& model = hud_.model(game_, size.height);
  hud_.state.paused = paused;
  imgui_->know_image(film_->texture(), film_->image());
  imgui_->draw_over(*renderer_, model, requests, &phases);
  if (platform::window_lost()) return;
  apply(requests);
  write_layout();
  if (want_screenshot_) take_screenshot();
  phases.enter(frame::Phase::Swap);
  if (imgui_->in_pixels()) window_->show_pixels();
  else window_->swap();
}

/// Waits for the next frame's time where a cap or a vsync that does not work asks for it.
void WindowGame::pace() {
  const frame::Settings& settings = hud_.state.settings;
  i64 frame_ns = settings.frame_cap > 0 ? 1'000'000'000 / settings.frame_cap : 0;
  if (settings.vsync && !vsync_works_) frame_ns = std::max(frame_ns, FixedStep::kStep_ns);
  if (frame_ns == 0) return;
  next_frame_ns_ = std::max(next_frame_ns_ + frame_ns, platform::now_ns() - frame_ns);
  const i64 wait_ns = next_frame_ns_ - platform::now_ns();
  if (wait_ns > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(wait_ns));
}

bool WindowGame::governs_quality() {
  return hud_.state.settings.looks.quality == frame::Quality::Auto && !game_.options().is_measured() && !game_.csv().recording() && !quick_ab_ && !measures_bullets();
}

/// The renderer draws with what the settings say; where that is Auto, with what holds the frame rate, or as painted while it is measured.
void WindowGame::show_looks() {
  const frame::LookSettings looks = with_quality(hud_.state.settings.looks, governs_quality() ? governor_.level() : frame::Quality::High);
  hud_.state.quality_now = looks.quality;
  if (looks == looks_shown_) return;
  looks_shown_ = looks;
  renderer_->set_looks(looks);
}

void WindowGame::govern_quality(const frame::FrameRecord& record, double passed_s) {
  if (!governs_quality()) return;
  const bool plain = !transport_ || (!transport_->seeking() && transport_->speed_place() <= ReplayTransport::kPlain);
  if (hud_.state.paused || idle_ || !plain) {
    governor_.interrupt();  // a world that stands still is little work, one that runs ahead too much
    return;
  }
  const frame::Settings& settings = hud_.state.settings;
  const bool waits = settings.vsync && vsync_works_;
  governor_.aim(rate_to_hold(settings.frame_cap, settings.vsync, waits ? display_hz_ : 0));
  const double swap_us = static_cast<double>(record.phase_us[static_cast<std::size_t>(frame::Phase::Swap)]);
  const FrameTimes times{static_cast<double>(record.frame_us) * 1e-3, swap_us * 1e-3, passed_s * 1e3, waits};
  governor_.note(work_ms(times, governor_.budget_ms()), times.passed_ms);
}

ModeId WindowGame::mode() const {
  if (quick_ab_) return ModeId::QuickAb;
  if (side_by_side_) return ModeId::SideBySide;
  if (lab_controller_->measures()) return ModeId::Lab;
  if (stress_) return ModeId::Stress;
  if (hud_.state.title.shown) return ModeId::Title;
  return transport_ ? ModeId::Replay : ModeId::Play;
}

bool WindowGame::frame() {
  if (ReplayIndexer* const indexer = game_.session().indexer()) indexer->hold(quick_ab_ || want_quick_ab_ || lab_controller_->measures() || game_.csv().recording());
  if (want_quick_ab_ && lab_controller_->busy()) hud_.state.lab_open = false;  // its child ends first
  else if (std::exchange(want_quick_ab_, false)) start_quick_ab();  // between frames: what it allocates is no frame's
  if (std::exchange(want_side_by_side_, false)) start_side_by_side();
  if (quick_ab_) return quick_ab_frame();
  if (side_by_side_) return side_by_side_frame();
  if (lab_controller_->measures()) return lab_frame();
  if (std::exchange(want_stress_, false)) begin_stress();  // between frames, too
  if (!prewarmed_) prewarmed_ = world().prewarm(kPrewarm_us);
  click_count_ = 0;
  events_->point_with_pad(anything_open());
  game_.begin_frame();
  const platform::FrameEvents& events = events_->poll(*window_, on_raw_event, this);
  if (events.quit || platform::window_lost()) quit_ = true;
  const i64 now = platform::now_ns();
  const double passed_s = static_cast<double>(now - last_ns_) * 1e-9;
  last_ns_ = now;

  listen(events);
  watch_for_players(events, passed_s);
  const bool holds = events.cast_held || events.rapid_held || events.move_x != 0 || events.move_y != 0;
  muffled_ = muffled_ && holds;
  move_.hold(muffled_ ? MoveInputLatch::Move{} : MoveInputLatch::Move{events.move_x, events.move_y}, hud_.state.paused || idle_);
  if (hud_.state.title.shown) {
    listen_on_title(events);
  } else if (!muffled_) {
    const bool begins = takes_start(events);
    for (std::size_t i = 0; i < events.action_count; ++i) {
      if (begins && events.actions[i] == frame::Action::Pause) continue;
      const bool open = anything_open();
      perform(events.actions[i]);
      answer_key(events.actions[i], open);
    }
    take_wheel(events);
    if (stress_ && stress_->done() && events.cast_pressed) leave_stress();
    else cast_latched_ = cast_latched_ || events.cast_pressed;
    rapid_latched_ = rapid_latched_ || events.rapid_pressed;
  }
  if (cast_latched_ && hud_.state.hint) {
    hud_.state.hint = false;
    hud_.state.settings.newcomer = false;
    save_settings_soon();
  }
  // Without the focus the game waits, unless it plays or measures by itself. Any sign of the player wakes it.
  if (events.focus_lost && !plays_by_itself() && !game_.csv().recording()) idle_ = true;
  if (events.focus_gained || events.any_input) idle_ = false;
  device_.update(events, now);
  if (sounds_.update()) mixer_->set_bank(sounds_.bank(mixer_->sample_rate_hz()));
  for (const std::string& line : sounds_.take_notices()) notice(line);
  if (const std::optional<frame::AudioEvent> event = sound_controller_.update(); event && device_.is_open()) mixer_->play(*event);
  if (const std::string line = controller_->update(); !line.empty()) notice(line);
  follow_lab();
  reload_changed_files();
  collect_outcomes();
  if (settings_dirty_ && (settings_wait_s_ += passed_s) >= kSettingsSettle_s) {
    settings_wait_s_ = 0;
    save_settings();
  }
  if (scores_dirty_) save_scores();
  if (events.resized) remember_size();

  if (transport_) play_replay(passed_s);
  else play_steps(events, passed_s);
  rewind_sound_.update(*mixer_, runs_back_ && device_.is_open(), now);
  compare_while_paused(passed_s);
  watch_challenge();
  watch_shooter();
  watch_console();
  watch_slots();
  hear_changes();

  const bool draws = visible();
  if (draws) {
    game_.phases().enter(frame::Phase::Render);
    if (snapshot_stale_) snapshot_ = &world().build_snapshot(hud_.state.settings.looks);
    snapshot_stale_ = false;
    draw(*snapshot_, alpha_, game_.phases());
  } else {
    write_layout();  // the steps of a hidden window go on
  }
  const frame::FrameRecord& record = game_.end_frame();
  if (draws) govern_quality(record, passed_s);
  if (stress_) follow_stress(record, draws && stepped_);
  if (game_.csv().failed()) toggle_recording();

  if (draws && !measures_bullets()) pace();
  else std::this_thread::sleep_for(std::chrono::milliseconds(30));
  return !quit_ && (transport_ || !game_.finished());
}

// ---------------------------------------------------------------------------------------------------- the quick A/B

frame::Scenes WindowGame::key_scene() const {
  if (transport_) return frame::Scenes::Replay;
  return shooter() ? frame::Scenes::Shooter : frame::Scenes::Spells;
}

sim::WorldConfig WindowGame::world_as_chosen() {
  sim::WorldConfig like = game_.session().config();
  for (const frame::PoolName& pool : frame::pools_of(like.scene)) like.pools[static_cast<std::size_t>(pool.id)] = game_.session().coming(pool.id);
  if (const sim::World* played = spells()) like.spells = played->spells();
  like.load = game_.session().coming_load();
  return like;
}

std::unique_ptr<sim::WorldState> WindowGame::this_moment() const {
  const sim::GameWorld& played = game_.session().world();
  std::unique_ptr<sim::WorldState> state = played.new_state();
  played.save(*state);
  return state;
}

void WindowGame::start_quick_ab() {
  if (ab_task_.busy() || quick_ab_ || stress_) return;
  const sim::WorldConfig like = world_as_chosen();
  const pool::StrategyId now = game_.session().coming(frame::PoolId::Particles).strategy;
  const pool::StrategyId b = now == pool::StrategyId::Heap ? pool::StrategyId::FreeList : now;
  const platform::Size size = window_->drawable_px();
  QuickAbConditions conditions;
  conditions.renderer = game_.renderer;
  conditions.width_px = size.width;
  conditions.height_px = size.height;
  quick_ab_.emplace(like, pool::StrategyId::Heap, b, conditions, this_moment().get());
  ab_recorder_ = std::make_unique<measure::FrameRecorder>(measure::steady_now_ns, measure::FrameRecorder::kHistoryFrames);
  hud_.state.ab_card_open = hud_.state.scores_open = hud_.state.lab_open = false;
  lab_controller_->show(false);
  window_->set_vsync(false);
}

bool WindowGame::quick_ab_frame() {
  ab_recorder_->begin_frame();
  const platform::FrameEvents& events = events_->poll(*window_, on_raw_event, this);
  if (events.quit || platform::window_lost()) quit_ = true;
  for (std::size_t i = 0; i < events.action_count; ++i) {
    if (events.actions[i] == frame::Action::Quit) quick_ab_->cancel();
    if (events.actions[i] == frame::Action::QuickAb) quick_ab_->start_anyway();
  }
  device_.update(events, platform::now_ns());
  quick_ab_->step(ab_recorder_->phases(), visible() ? std::optional(hud_.state.settings.looks.density) : std::nullopt);
  hud_.state.ab = quick_ab_->view();
  if (window_->minimised()) {
    quick_ab_->cancel();  // a minimised window draws no frames to measure
    notice("The quick A/B ended: the window was minimised");
  } else if (visible()) {
    ab_recorder_->phases().enter(frame::Phase::Render);
    draw(quick_ab_->world().build_snapshot(hud_.state.settings.looks), 1.0f, ab_recorder_->phases());
  }
  quick_ab_->frame_end(ab_recorder_->end_frame(quick_ab_->record()));
  if (quick_ab_->waiting()) std::this_thread::sleep_for(std::chrono::milliseconds(30));
  if (quick_ab_->done() || quit_) end_quick_ab();
  return !quit_;
}

/// The player's world was never touched: the next frame goes on with it.
void WindowGame::end_quick_ab() {
  const platform::PathResult recordings = platform::recordings_folder();
  std::function<TaskOutcome()> work;
  if (recordings.error.empty()) work = quick_ab_->saver(platform::free_name(recordings.path, "quick_ab_" + time_stamp(), "").string());
  hud_.state.ab = quick_ab_->view();  // before the work starts
  const std::string error = work ? ab_task_.start(std::move(work)) : recordings.error;
  if (!error.empty()) notice(error);
  ab_texts_ = std::move(*quick_ab_).take_texts();
  quick_ab_.reset();
  hud_.state.ab_card_open = hud_.state.ab.state == frame::QuickAbView::State::Done;
  window_->set_vsync(hud_.state.settings.vsync);
  last_ns_ = platform::now_ns();
  snapshot_stale_ = true;
}

// ---------------------------------------------------------------------------------------------------- side by side

void WindowGame::start_side_by_side() {
  if (quick_ab_ || side_by_side_ || transport_) return;
  const pool::StrategyId now = game_.session().coming(frame::PoolId::Particles).strategy;
  const pool::StrategyId pooled = now == pool::StrategyId::Heap ? last_pooled_ : now;
  mixer_->set_muted(true);
  renderer_->set_trails(0);
  side_by_side_ = std::make_unique<SideBySide>(SideBySide::Screen{*window_, *events_, *renderer_, *imgui_}, game_.options(),
                                               heavy_load(world_as_chosen()), pooled, hud_.state.settings, *this_moment());
}

bool WindowGame::side_by_side_frame() {
  const bool goes_on = side_by_side_->frame();
  device_.update(events_->last(), platform::now_ns());
  quit_ = quit_ || side_by_side_->closed();
  if (!goes_on) end_side_by_side();
  return !quit_;
}

/// The player's world was never touched: the next frame goes on with it.
void WindowGame::end_side_by_side() {
  side_by_side_->close();
  frame::Settings settings = hud_.state.settings;
  settings.fullscreen = window_->fullscreen();
  settings.looks.draw = side_by_side_->settings().looks.draw;
  side_by_side_.reset();
  events_->set_scene(key_scene());
  renderer_->set_looks(looks_shown_);
  apply(settings);
  window_->set_vsync(settings.vsync);
  remember_size();
  last_ns_ = platform::now_ns();
  snapshot_stale_ = true;
}

// ---------------------------------------------------------------------------------------------------- the end

std::string WindowGame::close() {
  show_sounds();  // a picture of the last frame shows them as they were
  device_.close();
  if (quick_ab_) end_quick_ab();
  if (side_by_side_) end_side_by_side();
  if (const std::string line = lab_controller_->finish(); !line.empty()) log(LogLevel::Info, line);
  for (BackgroundTask* task : tasks()) task->wait();
  controller_->finish();
  collect_outcomes();
  save_what_is_dirty();
  if (stress_) game_.stress = &*stress_;
  game_.passes = renderer_->pass_means();
  std::string error;
  const PlayOptions& options = game_.options();
  if (!options.screenshot.empty() && platform::window_lost()) error = "--screenshot: the window was gone before the last picture";
  if (!options.screenshot.empty() && !platform::window_lost()) {
    const frame::RenderSnapshot& last = world().build_snapshot(hud_.state.settings.looks);
    renderer_->paint_into({});
    renderer_->draw_held(last, 1.0f);
    const int width = renderer_->width_px(), height = renderer_->height_px();
    frame::PanelRequests requests;
    hud_.state.slot_map = slots_->view(world(), slot_request_, {render::view_of(last, 1.0f, width, height), 1.0f});
    if (hud_.state.lab_open) hud_.state.lab = lab_controller_->view();
    if (!hud_.state.hidden) imgui_->draw_over(*renderer_, hud_.model(game_, height), requests);
    renderer_->present();
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

}  // namespace spellpool::app
