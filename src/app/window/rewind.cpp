#include "app/window/rewind.hpp"

#include <algorithm>

#include "app/window/window_parts.hpp"
#include "platform/clock.hpp"

namespace spellpool::app {
namespace {

constexpr double kPairAfter_s = 0.4, kPairBudget_us = 8'000;
constexpr i64 kTap_ns = 300'000'000;  ///< While paused a press is one step; held for longer, time runs.

}  // namespace

bool Rewind::turns_back(const platform::FrameEvents& events, u32 steps) {
  HudState& hud = w_.hud.state;
  if (events.rewind_pressed && retry()) {
    key_held_ns_ = platform::now_ns();
    return true;
  }
  const bool held = events.rewind_held || events.rewind_pressed;
  const bool was_held = key_held_ns_ != 0 && !events.rewind_pressed;
  key_held_ns_ = !events.rewind_held ? 0 : was_held ? key_held_ns_ : platform::now_ns();
  turning_back_ = runs_back_ = false;
  if (!held && !held_at_) return false;
  if (w_.game.csv().recording()) {
    if (!was_held && held) w_.notice("Time does not turn back while a recording runs");
    return false;
  }
  const History* const history = w_.game.session().history();
  const std::optional<u64> first = history ? history->first() : std::nullopt;
  if (!first) {
    if (!was_held && held) {
      const bool too_large = history && history->too_large();
      w_.notice(too_large ? "There is no way back at this load: a saved world takes more than 4 MiB"
                          : "There is nothing to return to");
      w_.audio.click(frame::PanelSound::Refuse);
    }
    return held && hud.paused;
  }
  turning_back_ = true;
  w_.playback.alpha = 1.0f;
  const u64 now = w_.world().steps();
  u64 target = now;
  if (held_at_) {
    target = std::clamp(*held_at_, *first, history->last());
    hud.paused = true;
  } else if (!was_held) {
    target = now > *first ? now - 1 : now;
  } else if (!hud.paused || platform::now_ns() - key_held_ns_ > kTap_ns) {
    target = now - std::min<u64>(steps, now - *first);
    runs_back_ = now > *first;
  }
  if (target != now) turn_back(target);
  return true;
}

void Rewind::turn_back(u64 step) {
  w_.game.turn_back(step);
  if (w_.attempt.by_hand)
    w_.notice("Time was turned back: what is played on from here stays out of the table");
  w_.attempt.turn_back();
  w_.scene().turn_back(w_.world(), w_.latch);
  w_.hud.begin_world(w_.world());
  w_.playback.stale = true;
}

/// Where a lost game can be tried again from, while its board is shown: some seconds before it was lost.
std::optional<u64> Rewind::retry_step() {
  const History* const history = w_.game.session().history();
  const std::optional<u64> first = history ? history->first() : std::nullopt;
  const std::optional<u64> lost_at = w_.attempt.lost_at;
  if (!lost_at || !first || w_.game.csv().recording()) return std::nullopt;
  const std::optional<u64> back = w_.hooks().retry_steps(w_.world(), w_.hud.state);
  if (!back) return std::nullopt;
  const u64 least = std::max({*first, w_.attempt.begun_at, *lost_at - std::min(*lost_at, *back)});
  if (least + kStepsPerSecond > *lost_at) return std::nullopt;
  return least;
}

bool Rewind::retry() {
  const std::optional<u64> step = retry_step();
  if (!step) return false;
  HudState& hud = w_.hud.state;
  hud.scores_open = hud.paused = false;
  w_.attempt.lost_at.reset();
  w_.latch.clear_presses();
  w_.scene().retry();
  turn_back(*step);
  return true;
}

void Rewind::follow(i64 now_ns, double passed_s) {
  sound_.update(w_.audio.mixer(), runs_back_ && w_.audio.is_open(), now_ns);
  compare_while_paused(passed_s);
}

/// After a moment of pause the last steps are played again in new/delete and in the pool, a little in each
/// frame.
void Rewind::compare_while_paused(double passed_s) {
  const History* const history = w_.game.session().history();
  const bool measures = w_.game.csv().recording() || w_.lab.busy();
  const bool may = w_.hud.state.paused && history && !turning_back_ && !measures;
  paused_s_ = may ? paused_s_ + passed_s : 0;
  if (!may || (pair_ && pair_at_ != w_.world().steps())) pair_.reset();
  if (paused_s_ < kPairAfter_s) return;
  if (!pair_) {
    const History::LastSteps past = history->last_steps(w_.world().steps(), FairPair::kLeast_steps);
    if (past.inputs.empty()) return;
    const pool::StrategyId now = w_.world().pool(frame::PoolId::Particles).strategy();
    const pool::StrategyId pooled = w_.actions.pooled(now);
    pair_ = std::make_unique<FairPair>(config_as_chosen(w_.game.session()), past,
                                       std::array{pool::StrategyId::Heap, pooled});
    pair_at_ = w_.world().steps();
  }
  if (!pair_->done()) pair_->go_on(kPairBudget_us);
}

void Rewind::show_trails(bool measured) {
  constexpr float kGone = 0.3f, kFades = 0.85f;
  const frame::Amount motion = w_.hud.state.settings.looks.motion;
  const float full = motion == frame::Amount::Full ? 0.94f : motion == frame::Amount::Reduced ? 0.75f : 0.0f;
  if (runs_back_) trails_ = full;
  else trails_ = trails_ * kFades > kGone ? trails_ * kFades : 0.0f;
  w_.shell.renderer().set_trails(measured ? 0.0f : trails_);
}

void Rewind::keep_thumbnail(bool measured) {
  const History* const history = w_.game.session().history();
  if (!history || history->too_large() || turning_back_ || measured || w_.world().steps() < history->last())
    return;
  const std::optional<u32> place = film_index_.due(w_.world().steps());
  if (place) w_.shell.renderer().add_to(*film_, *place);
}

void Rewind::open() {
  film_ = std::make_unique<render::Film>();
  film_index_.forget();
}

void Rewind::forget_film() {
  film_index_.forget();
  film_->forget();
}

frame::RewindView Rewind::view() {
  frame::RewindView view;
  const History* const history = w_.game.session().history();
  const std::optional<u64> first = history ? history->first() : std::nullopt;
  view.rewound = w_.attempt.rewound;
  if (const std::optional<u64> retried = retry_step()) {
    view.retry_s = static_cast<float>(*w_.attempt.lost_at - *retried) / static_cast<float>(kStepsPerSecond);
  }
  if (!history || w_.game.csv().recording() || (!first && !pair_)) return view;
  view.shown = turning_back_ || w_.hud.state.paused;
  view.running = turning_back_ && !held_at_;
  view.possible = first.has_value();
  view.step = w_.world().steps();
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
