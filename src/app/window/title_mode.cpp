#include "app/window/title_mode.hpp"

#include <cstdlib>
#include <utility>

#include "app/play/crash_note.hpp"
#include "app/play/pool_sizes.hpp"
#include "app/window/window_parts.hpp"
#include "core/log.hpp"
#include "platform/clock.hpp"

namespace spellpool::app {
namespace {

constexpr float kMenuPush = 0.5f;  ///< How far a stick is pushed for a step in the menu.

}  // namespace

TitleMode::TitleMode(WindowParts& parts, SpellLibrary& library, const std::string& data_dir)
    : GameMode(parts), library_(library), data_dir_(data_dir), world_at_start_(parts.game.options().world) {}

void TitleMode::begin_at_start() {
  w_.game.session().set_autoplay(true);
  show();
}

Mode::Begin TitleMode::may_begin() {
  demo_ = new_session(frame::kScenes.front().id, true);
  return demo_ ? Begin::Yes : Begin::No;
}

void TitleMode::begin() {
  if (w_.game.csv().recording()) w_.actions.toggle_recording();
  attempt_kept_ = w_.attempt;
  kept_ = enter(std::move(demo_));
  w_.notice("");  // it was about the game
  show();
}

void TitleMode::end_with_any_input() { ends_with_any_input_ = kept_ != nullptr; }

void TitleMode::show() {
  HudState& hud = w_.hud.state;
  hud.paused = hud.slow_motion = hud.scores_open = hud.ab_card_open = hud.editor_open = false;
  hud.title = {};
  hud.title.shown = true;
  hud.title.can_continue = kept_ != nullptr;
  hud.title.selected = kept_ ? frame::TitleItem::Continue : frame::TitleItem::Arena;
  w_.attempt = {};
  ends_with_any_input_ = false;
}

/// Null, with a notice, if a file of that scene cannot be read.
std::unique_ptr<Session> TitleMode::new_session(frame::SceneId scene, bool demo) {
  SessionPlan plan;
  plan.world = world_at_start_;
  plan.autoplay = demo;
  plan.record_replay = kKeepsInputs && !demo;
  std::string error;
  if (plan.world.scene != scene) {
    plan.world.scene = scene;
    plan.world.pools = WorldOptions{}.pools;
    plan.world.preset = sim::PresetId::Default;
    error = load_texts(data_dir_, library_, plan.world);
    if (error.empty()) error = plan.world.wrong_enemies(library_.stages().stage().get());
  }
  if (!error.empty()) {
    log(LogLevel::Warning, error);
    w_.notice(error);
    return nullptr;
  }
  return std::make_unique<Session>(std::move(plan), library_);
}

/// Plays this session from now on. Returns the one before.
std::unique_ptr<Session> TitleMode::enter(std::unique_ptr<Session> session) {
  std::unique_ptr<Session> before = w_.game.exchange(std::move(session));
  const WorldOptions& played = w_.game.options().world;
  w_.shell.renderer().reserve(played.particle_capacity(), played.bullet_capacity());
  w_.shell.events().set_scene(w_.keys());
  const bool new_figures = w_.hooks().make_figures(w_.shell.renderer());
  if (new_figures) w_.drawing.warm_up();
  if (w_.game.options().is_measured()) w_.hooks().bake(w_.shell.renderer(), 0);  // else frame by frame, in play
  if (played.voice_slots && !w_.game.options().voices_given) w_.audio.use_slots(*played.voice_slots);
  w_.latch.clear();
  w_.scene().begin(w_.world(), w_.latch);
  w_.hud.begin_world(w_.world());
  Playback& playback = w_.playback;
  playback.prewarmed = playback.stale = false;
  playback.snapshot = &w_.world().build_snapshot(w_.hud.state.settings.looks);
  playback.alpha = 1;
  if (new_figures) w_.drawing.warm_up_panels();
  playback.skip_to(platform::now_ns());  // what this took is no time of the game's
  return before;
}

void TitleMode::take(const frame::PanelRequests& requests) {
  if (requests.select_title) w_.hud.state.title.selected = *requests.select_title;
  if (requests.choose_title) choose(*requests.choose_title);
}

void TitleMode::choose(frame::TitleItem item) {
  using frame::TitleItem;
  HudState& hud = w_.hud.state;
  w_.actions.question().take_back();
  hud.title.selected = item;
  w_.audio.click(frame::PanelSound::Accept);
  for (const frame::SceneRow& scene : frame::kScenes) {
    if (scene_hooks(scene.id).title_item() == item) return begin_game(scene.id);
  }
  switch (item) {
    case TitleItem::Continue:
      if (!kept_) return;
      enter(std::move(kept_));
      w_.content.catch_up(false);
      return play(attempt_kept_);
    case TitleItem::SideBySide: return w_.actions.perform(frame::Action::SideBySide);
    case TitleItem::Learn: return w_.modes.request(ModeId::Learn);
    case TitleItem::Settings: return w_.actions.perform(frame::Action::Settings);
    case TitleItem::Quit: return w_.shell.quit();
    default: return;
  }
}

void TitleMode::begin_game(frame::SceneId scene) {
  std::unique_ptr<Session> begun = new_session(scene, false);
  if (!begun) return;
  kept_.reset();
  w_.rewind.forget_film();
  enter(std::move(begun));
  w_.content.catch_up(true);
  play({});
}

void TitleMode::play(const Attempt& attempt) {
  w_.attempt = attempt;
  w_.hud.state.title.shown = false;
  w_.latch.mute_held();  // what chose it is still held
  w_.modes.play(ModeId::Play);
}

void TitleMode::take_input(const platform::FrameEvents& events) {
  HudState& hud = w_.hud.state;
  // The title came by itself: what is pressed now is meant for the game, and only brings that back.
  if (ends_with_any_input_ && events.any_input) {
    ends_with_any_input_ = false;
    return choose(frame::TitleItem::Continue);
  }
  const bool covered = hud.settings_open || hud.help;
  // Keys count one by one, however many a slow frame has; a stick counts when it is pushed.
  const int push = events.move_y > kMenuPush ? 1 : events.move_y < -kMenuPush ? -1 : 0;
  const bool pushed = std::exchange(menu_push_, push) != push;
  int by = events.menu_y != 0 ? events.menu_y : pushed ? push : 0;
  const bool accepts = !covered && (events.start_pressed || (events.cast_pressed && !events.mouse_pressed));
  for (std::size_t i = 0; i < events.action_count; ++i) by += perform_in_menu(events.actions[i], covered);
  if (by != 0 && !covered) {
    for (int i = 0; i < std::abs(by); ++i) hud.title.move(by);
    w_.actions.question().take_back();
    w_.audio.click(frame::PanelSound::Move);
  }
  hud.title.asks_to_quit = w_.actions.question().asks();
  if (accepts) choose(hud.title.selected);
}

/// How far the action moves the selection down. `covered`: a panel is open over the menu.
int TitleMode::perform_in_menu(frame::Action action, bool covered) {
  using frame::Action;
  switch (action) {
    case Action::LoadUp:
    case Action::CapacityUp: return -1;  // the D-pad's, in older settings too
    case Action::LoadDown:
    case Action::CapacityDown: return 1;
    case Action::Quit:
      if (covered) w_.actions.close_topmost();
      else w_.actions.ask_to_quit();
      return 0;
    case Action::Help:
    case Action::Settings:
    case Action::SideBySide:
    case Action::Fullscreen:
    case Action::Mute:
    case Action::DrawPath:
    case Action::Screenshot: perform(action); return 0;
    default: return 0;
  }
}

}  // namespace spellpool::app
