#include "app/window/window_game.hpp"
#include "platform/clock.hpp"
#include "sim/spells/world.hpp"

namespace spellpool::app {
namespace {

constexpr double kPairAfter_s = 0.4, kPairBudget_us = 8'000;
constexpr i64 kTap_ns = 300'000'000;  ///< While paused a press is one step; held for longer, time runs.

}  // namespace

/// Only for a game that a player can turn back: none of known length, none that is recorded to CSV or watched.
bool WindowGame::keeps_history() const {
  const PlayOptions& options = game_.options();
  return !transport_ && !hud_.state.title.shown && !options.steps && options.record_csv.empty() && !stress_;
}

/// True if this frame shows the past instead of playing on. `steps`: what has passed.
bool WindowGame::turns_back(const platform::FrameEvents& events, u32 steps) {
  HudState& hud = hud_.state;
  const bool held = events.rewind_held || events.rewind_pressed;
  const bool was_held = rewind_held_ns_ != 0 && !events.rewind_pressed;
  rewind_held_ns_ = !events.rewind_held ? 0 : was_held ? rewind_held_ns_ : platform::now_ns();
  turning_back_ = false;
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
  }
  if (target != now) turn_back(target);
  return true;
}

void WindowGame::turn_back(u64 step) {
  game_.turn_back(step);
  if (by_hand_) notice("Time was turned back: what is played on from here stays out of the table");
  by_hand_ = false;
  if (const sim::World* mage = spells()) wanted_spell_ = mage->selected_spell();
  challenge_phase_ = challenge().phase;
  challenges_ = challenge().finished;
  if (shooter()) shooter_state_ = shooter()->state;
  hud_.begin_world(world());
  snapshot_stale_ = true;
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

frame::RewindView WindowGame::rewind_view() {
  frame::RewindView view;
  const History* const history = game_.session().history();
  const std::optional<u64> first = history ? history->first() : std::nullopt;
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
  if (pair_) view.pair = pair_->view();
  return view;
}

}  // namespace spellpool::app
