#include "app/window/window_game.hpp"
#include "platform/clock.hpp"
#include "sim/spells/world.hpp"

namespace spellpool::app {
namespace {

constexpr double kPairAfter_s = 0.4, kPairBudget_us = 8'000;
constexpr i64 kTap_ns = 300'000'000;  ///< While paused a press is one step; held for longer, time runs.

constexpr u64 kRetryChallenge_steps = 10 * kStepsPerSecond, kRetryShooter_steps = 5 * kStepsPerSecond;

}  // namespace

/// Only for a game that a player can turn back: none of known length, none that is recorded to CSV or watched.
bool WindowGame::keeps_history() const {
  const PlayOptions& options = game_.options();
  return !transport_ && !hud_.state.title.shown && !options.steps && options.record_csv.empty() && !stress_;
}

/// True if this frame shows the past instead of playing on. `steps`: what has passed.
bool WindowGame::turns_back(const platform::FrameEvents& events, u32 steps) {
  HudState& hud = hud_.state;
  if (events.rewind_pressed && retry()) {
    rewind_held_ns_ = platform::now_ns();
    return true;
  }
  const bool held = events.rewind_held || events.rewind_pressed;
  const bool was_held = rewind_held_ns_ != 0 && !events.rewind_pressed;
  rewind_held_ns_ = !events.rewind_held ? 0 : was_held ? rewind_held_ns_ : platform::now_ns();
  turning_back_ = runs_back_ = false;
  if (!held && !rewind_to_) return false;
  if (game_.csv().recording()) {
    if (!was_held && held) notice("Time does not turn back while a recording runs");
    return false;
  }
  const History* const history = game_.session().history();
  const std::optional<u64> first = history ? history->first() : std::nullopt;
  if (!first) {
    if (!was_held && held) {
      notice(history && history->too_large() ? "There is no way back at this load: a saved world takes more than 4 MiB" : "There is nothing to return to");
      click(frame::PanelSound::Refuse);
    }
    return held && hud.paused;
  }
  turning_back_ = true;
  alpha_ = 1.0f;
  const u64 now = world().steps();
  u64 target = now;
  if (rewind_to_) {
    target = std::clamp(*rewind_to_, *first, history->last());
    hud.paused = true;
  } else if (!was_held) {
    target = now > *first ? now - 1 : now;
  } else if (!hud.paused || platform::now_ns() - rewind_held_ns_ > kTap_ns) {
    target = now - std::min<u64>(steps, now - *first);
    runs_back_ = now > *first;
  }
  if (target != now) turn_back(target);
  return true;
}

void WindowGame::turn_back(u64 step) {
  game_.turn_back(step);
  if (by_hand_) notice("Time was turned back: what is played on from here stays out of the table");
  rewound_ = rewound_ || by_hand_;
  by_hand_ = false;
  if (const sim::World* mage = spells()) wanted_spell_ = mage->selected_spell();
  challenge_phase_ = challenge().phase;
  challenges_ = challenge().finished;
  if (shooter()) shooter_state_ = shooter()->state;
  hud_.begin_world(world());
  snapshot_stale_ = true;
}

/// Where a lost game can be tried again from, while its board is shown: some seconds before it was lost.
std::optional<u64> WindowGame::retry_step() {
  const History* const history = game_.session().history();
  const std::optional<u64> first = history ? history->first() : std::nullopt;
  if (!lost_at_ || !first || game_.csv().recording()) return std::nullopt;
  const frame::ShooterView* const view = shooter();
  const bool board = view ? view->state == frame::ShooterState::Continue || view->state == frame::ShooterState::Lost : hud_.state.scores_open;
  const u64 least = std::max({*first, begun_at_, *lost_at_ - std::min(*lost_at_, view ? kRetryShooter_steps : kRetryChallenge_steps)});
  if (!board || least + kStepsPerSecond > *lost_at_) return std::nullopt;
  return least;
}

/// False: there is nothing to try again.
bool WindowGame::retry() {
  const std::optional<u64> step = retry_step();
  if (!step) return false;
  HudState& hud = hud_.state;
  hud.scores_open = hud.paused = false;
  lost_at_.reset();
  cast_latched_ = rapid_latched_ = bomb_latched_ = challenge_latched_ = challenge_pending_ = false;
  turn_back(*step);
  return true;
}

/// After a moment of pause the last steps are played again in new/delete and in the pool, a little in each frame.
void WindowGame::compare_while_paused(double passed_s) {
  const HudState& hud = hud_.state;
  const History* const history = game_.session().history();
  const bool may = hud.paused && history && !turning_back_ && !game_.csv().recording() && !lab_controller_->busy();
  paused_s_ = may ? paused_s_ + passed_s : 0;
  if (!may || (pair_ && pair_at_ != world().steps())) pair_.reset();
  if (paused_s_ < kPairAfter_s) return;
  if (!pair_) {
    const History::LastSteps past = history->last_steps(world().steps(), FairPair::kLeast_steps);
    if (past.inputs.empty()) return;
    const pool::StrategyId now = world().pool(frame::PoolId::Particles).strategy();
    pair_ = std::make_unique<FairPair>(world_as_chosen(), past, std::array{pool::StrategyId::Heap, now == pool::StrategyId::Heap ? last_pooled_ : now});
    pair_at_ = world().steps();
  }
  if (!pair_->done()) pair_->go_on(kPairBudget_us);
}

/// Light leaves trails while time runs backward; they fade within a few frames when it stops.
void WindowGame::show_rewind() {
  constexpr float kGone = 0.3f, kFades = 0.85f;
  const frame::Amount motion = hud_.state.settings.looks.motion;
  const float full = motion == frame::Amount::Full ? 0.94f : motion == frame::Amount::Reduced ? 0.75f : 0.0f;
  if (runs_back_) trails_ = full;
  else trails_ = trails_ * kFades > kGone ? trails_ * kFades : 0.0f;
  renderer_->set_trails(quick_ab_ ? 0.0f : trails_);
}

/// One a second, of the present: small, for the past's bar.
void WindowGame::keep_picture() {
  const History* const history = game_.session().history();
  if (!history || history->too_large() || turning_back_ || quick_ab_ || world().steps() < history->last()) return;
  if (const std::optional<u32> place = film_index_.due(world().steps())) renderer_->add_to(*film_, *place);
}

frame::RewindView WindowGame::rewind_view() {
  frame::RewindView view;
  const History* const history = game_.session().history();
  const std::optional<u64> first = history ? history->first() : std::nullopt;
  view.rewound = rewound_;
  if (const std::optional<u64> retried = retry_step()) view.retry_s = static_cast<float>(*lost_at_ - *retried) / static_cast<float>(kStepsPerSecond);
  if (!history || game_.csv().recording() || (!first && !pair_)) return view;
  view.shown = turning_back_ || hud_.state.paused;
  view.running = turning_back_ && !rewind_to_;
  view.possible = first.has_value();
  view.step = game_.session().world().steps();
  view.first = first.value_or(view.step);
  view.last = std::max(history->last(), view.step);
  view.bytes = history->bytes();
  view.state_bytes = history->state_bytes();
  view.save_us = history->save_us();
  if (first) view.film = film_index_.pictures(view.first, view.last);
  view.film_texture = film_->texture();
  if (pair_) view.pair = pair_->view();
  return view;
}

}  // namespace spellpool::app
