#include "app/paired/fair_pair.hpp"

#include <algorithm>
#include <cmath>

#include "core/fixed_step.hpp"
#include "measure/record/statistics.hpp"
#include "sim/make_world.hpp"

namespace spellpool::app {
namespace {

double median(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  return measure::median_in_place(sorted);
}

}  // namespace

FairPair::FairPair(const sim::WorldConfig& like, const History::LastSteps& past,
                   std::array<pool::StrategyId, 2> strategies, measure::ClockNs now)
    : now_(now), phases_(now), inputs_(past.inputs), commands_(past.commands) {
  for (std::size_t side = 0; side < 2; ++side) {
    sim::WorldConfig config = like;
    for (sim::PoolChoice& pool : config.pools) pool.strategy = strategies[side];
    arms_[side].world = sim::make_world(config);
    arms_[side].world->restore(*past.from);
    arms_[side].state = arms_[side].world->new_state();
    view_.strategies[side] = pool::row(strategies[side]).title;
  }
  from_ = arms_[0].world->new_state();  // the history may drop its own
  arms_[0].world->save(*from_);
  view_.state = inputs_.empty() ? frame::FairPairView::State::None : frame::FairPairView::State::Running;
  view_.rounds = kRounds;
  view_.steps = static_cast<u32>(inputs_.size());
}

/// Which arm has its turn first, and which next.
std::array<std::size_t, 2> FairPair::order() const {
  const std::size_t first = (step_ + round_) % 2;
  return {first, 1 - first};
}

void FairPair::begin_round() {
  for (const std::size_t side : order()) {
    const u64 begin_ns = now_();
    arms_[side].world->restore(*from_);
    arms_[side].restore_us[round_] = us_since(begin_ns);
  }
}

bool FairPair::go_on(double budget_us) {
  if (inputs_.empty()) return true;
  const u64 begin_ns = now_();
  while (!done() && us_since(begin_ns) < budget_us) {
    if (step_ == 0) begin_round();
    for (const std::size_t side : order()) {
      Arm& arm = arms_[side];
      phases_.begin_frame();
      const u64 step_ns = now_();
      arm.world->step(inputs_[step_], commands_[step_], &phases_);
      arm.step_us[round_] += us_since(step_ns);
      arm.update_us[round_] += static_cast<double>(phases_.phase_us()[static_cast<std::size_t>(frame::Phase::Update)]);
      arm.spawn_us[round_] += static_cast<double>(phases_.phase_us()[static_cast<std::size_t>(frame::Phase::Spawn)]);
    }
    if (++step_ < inputs_.size()) continue;
    end_round();
  }
  view_.progress = static_cast<float>(round_ * inputs_.size() + step_) / static_cast<float>(kRounds * inputs_.size());
  return done();
}

void FairPair::end_round() {
  for (const std::size_t side : order()) {
    const u64 begin_ns = now_();
    arms_[side].world->save(*arms_[side].state);
    arms_[side].save_us[round_] = us_since(begin_ns);
  }
  unequal_ = arms_[0].world->hash() != arms_[1].world->hash();
  for (Arm& arm : arms_) {
    for (double* us : {&arm.step_us[round_], &arm.update_us[round_], &arm.spawn_us[round_]})
      *us /= static_cast<double>(inputs_.size());
  }
  step_ = 0;
  ++round_;
  if (done()) judge();
}

void FairPair::judge() {
  view_.state = unequal_ ? frame::FairPairView::State::Unequal : frame::FairPairView::State::Done;
  if (unequal_) return;
  std::array<double, kRounds> effects;
  std::vector<double> controls;
  for (u32 round = 0; round < kRounds; ++round) {
    effects[round] = std::log(arms_[1].step_us[round] / arms_[0].step_us[round]);
    if (round > 0) {
      for (const Arm& arm : arms_) controls.push_back(std::log(arm.step_us[round] / arm.step_us[round - 1]));
    }
  }
  const measure::BootstrapInterval effect = measure::bootstrap_median(effects);
  view_.differs = measure::stands_out(effect, measure::noise_floor(measure::bootstrap_median(controls)));
  view_.ratio = std::exp(effect.point);
  view_.low = std::exp(effect.low);
  view_.high = std::exp(effect.high);
  for (std::size_t side = 0; side < 2; ++side) {
    const Arm& arm = arms_[side];
    view_.step_us[side] = median(arm.step_us);
    view_.update_us[side] = median(arm.update_us);
    view_.spawn_us[side] = median(arm.spawn_us);
    view_.save_us[side] = median(arm.save_us);
    view_.restore_us[side] = median(arm.restore_us);
    const auto [least, most] = std::ranges::minmax(arm.step_us);
    view_.least_us[side] = least;
    view_.most_us[side] = most;
  }
}

}  // namespace spellpool::app
