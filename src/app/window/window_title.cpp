// The title screen: a menu over a demo that plays a world of its own. The player's game waits meanwhile.
#include <algorithm>
#include <cstdlib>

#include "app/cli/pool_sizes.hpp"
#include "app/play/crash_note.hpp"
#include "app/window/window_game.hpp"
#include "core/log.hpp"
#include "platform/clock.hpp"
#include "sim/spells/world.hpp"

namespace spellpool::app {
namespace {

constexpr double kTitleAfter_s = 30.0;
constexpr float kMenuPush = 0.5f;  ///< How far a stick is pushed for a step in the menu.

}  // namespace

/// Not in demo mode, and not where the run is recorded: another world would spoil the recording.
bool WindowGame::may_open_title() const {
  const PlayOptions& o = game_.options();
  if (hud_.state.title.shown || plays_by_itself() || transport_) return false;
  return o.record_input.empty() && o.hash_out.empty() && o.json.empty() && o.audio_out.empty() && o.commands.empty() &&
         o.screenshot.empty() && o.record_csv.empty();
}

void WindowGame::open_title() {
  std::unique_ptr<Session> demo = new_session(frame::SceneId::Spells, true);
  if (!demo) return;
  hud_.state.notice.clear();  // it was about the game
  if (game_.csv().recording()) toggle_recording();
  if (stress_) leave_stress();
  by_hand_kept_ = by_hand_;
  kept_ = enter(std::move(demo));
  show_title();
}

void WindowGame::show_title() {
  HudState& hud = hud_.state;
  hud.paused = hud.slow_motion = hud.scores_open = hud.ab_card_open = hud.editor_open = false;
  hud.title = {};
  hud.title.shown = true;
  hud.title.can_continue = kept_ != nullptr;
  hud.title.selected = kept_ ? frame::TitleItem::Continue : frame::TitleItem::Arena;
  by_hand_ = title_by_itself_ = false;
  quiet_s_ = 0;
}

/// Null, with a notice, if a file of that scene cannot be read.
std::unique_ptr<Session> WindowGame::new_session(frame::SceneId scene, bool demo) {
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
    notice(error);
    return nullptr;
  }
  return std::make_unique<Session>(std::move(plan), library_);
}

/// Plays this session from now on. Returns the one before.
std::unique_ptr<Session> WindowGame::enter(std::unique_ptr<Session> session) {
  std::unique_ptr<Session> before = game_.exchange(std::move(session));
  const WorldOptions& played = game_.options().world;
  renderer_->reserve(played.particle_capacity(), played.bullet_capacity());
  events_->set_scene(key_scene());
  if (shooter()) {
    renderer_->ready_shooter();
    renderer_->prepare_garden();
    shooter_state_ = shooter()->state;
    difficulty_heard_ = shooter()->difficulty;
  }
  if (const std::optional<u32> slots = played.voice_slots; slots && controller_ && !game_.options().voices_given && controller_->choice().slots != *slots) {
    frame::VoiceRequests scene;
    scene.set_slots = true;
    scene.slots = *slots;
    controller_->take(scene, {}, {});
  }
  if (const sim::World* mage = spells()) wanted_spell_ = mage->selected_spell();
  challenge_phase_ = challenge().phase;
  challenges_ = challenge().finished;
  challenge_pending_ = challenge_latched_ = cast_latched_ = rapid_latched_ = bomb_latched_ = false;
  select_latched_ = frame::InputFrame::kKeepSpell;
  follows_mouse_ = rewound_ = false;
  lost_at_.reset();
  want_difficulty_.reset();
  prewarmed_ = false;
  hud_.begin_world(world());
  snapshot_ = &world().build_snapshot(hud_.state.settings.looks);
  snapshot_stale_ = false;
  alpha_ = 1;
  last_ns_ = platform::now_ns();  // what this took is no time of the game's
  return before;
}

void WindowGame::choose(frame::TitleItem item) {
  using frame::TitleItem;
  HudState& hud = hud_.state;
  question_.take_back();
  hud.title.selected = item;
  click(frame::PanelSound::Accept);
  switch (item) {
    case TitleItem::Continue:
      if (!kept_) return;
      enter(std::move(kept_));
      by_hand_ = by_hand_kept_;
      break;
    case TitleItem::Arena:
    case TitleItem::Shooter: {
      std::unique_ptr<Session> begun = new_session(item == TitleItem::Arena ? frame::SceneId::Spells : frame::SceneId::Shooter, false);
      if (!begun) return;
      kept_.reset();
      film_index_.forget();
      film_->forget();
      enter(std::move(begun));
      by_hand_ = false;
      break;
    }
    case TitleItem::SideBySide: perform(frame::Action::SideBySide); return;
    case TitleItem::Settings: perform(frame::Action::Settings); return;
    case TitleItem::Quit: quit_ = true; return;
  }
  hud.title.shown = false;
  muffled_ = true;  // what chose it is still held
}

/// Keys and gamepad on the title. The mouse comes by the panel's requests.
void WindowGame::listen_on_title(const platform::FrameEvents& events) {
  using frame::Action;
  HudState& hud = hud_.state;
  // A player who was reading did not ask for a menu: what is pressed now is meant for the game, and only wakes it.
  if (title_by_itself_ && events.any_input) {
    title_by_itself_ = false;
    return choose(frame::TitleItem::Continue);
  }
  const bool covered = hud.settings_open || hud.help;
  // Keys count one by one, however many a slow frame has; a stick counts when it is pushed.
  const int push = events.move_y > kMenuPush ? 1 : events.move_y < -kMenuPush ? -1 : 0;
  const bool pushed = std::exchange(menu_push_, push) != push;
  int by = events.menu_y != 0 ? events.menu_y : pushed ? push : 0;
  bool accepts = !covered && (events.start_pressed || (events.cast_pressed && !events.mouse_pressed));
  for (std::size_t i = 0; i < events.action_count; ++i) {
    switch (const Action action = events.actions[i]) {
      case Action::LoadUp:
      case Action::CapacityUp: --by; break;  // the D-pad's, in older settings too
      case Action::LoadDown:
      case Action::CapacityDown: ++by; break;
      case Action::Quit:
        if (covered) close_topmost();
        else ask_to_quit();
        break;
      case Action::Help:
      case Action::Settings:
      case Action::SideBySide:
      case Action::Fullscreen:
      case Action::Mute:
      case Action::DrawPath:
      case Action::Screenshot: perform(action); break;
      default: break;
    }
  }
  if (by != 0 && !covered) {
    for (int i = 0; i < std::abs(by); ++i) hud.title.move(by);
    question_.take_back();
    click(frame::PanelSound::Move);
  }
  hud.title.asks_to_quit = question_.asks();
  if (accepts) choose(hud.title.selected);
}

/// The title asks in its own place, everything else by a notice.
void WindowGame::ask_to_quit() {
  if (question_.press()) quit_ = true;
  else if (!hud_.state.title.shown) notice(QuitQuestion::words(hud_.state.settings));
}

/// After kTitleAfter_s without input the title comes back; the player's game waits behind it, and any input brings it back.
void WindowGame::watch_for_players(const platform::FrameEvents& events, double passed_s) {
  if (!may_open_title()) return;
  const frame::ShooterView* view = shooter();
  const bool plays = view ? view->state != frame::ShooterState::Title : challenge().phase != frame::ChallengeView::Phase::Free;
  if (events.any_input || plays || hud_.state.paused || idle_ || anything_open() || game_.csv().recording() || stress_) {
    quiet_s_ = 0;
    return;
  }
  quiet_s_ += passed_s;
  if (quiet_s_ < kTitleAfter_s) return;
  open_title();
  title_by_itself_ = kept_ != nullptr;
}

}  // namespace spellpool::app
