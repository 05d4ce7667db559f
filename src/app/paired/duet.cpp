#include "app/paired/duet.hpp"

#include <algorithm>

#include "app/paired/from_moment.hpp"
#include "app/play/session.hpp"
#include "app/scene_hooks.hpp"
#include "sim/make_world.hpp"

namespace spellpool::app {

Duet::Duet(const sim::WorldConfig& like, const DuetPlan& plan, measure::ClockNs now)
    : config_(like), plan_(plan), now_(now) {
  for (std::size_t side = 0; side < 2; ++side) {
    for (sim::PoolChoice& pool : config_.pools) pool.strategy = plan.strategies[side];
    worlds_[side] = sim::make_world(config_);
    if (!plan.from) continue;
    worlds_[side]->restore(*plan.from);
    commands_[side] = commands_to(*worlds_[side], config_);
  }
  plan_.from = nullptr;
  equal_steps_ = steps();
  script_ = make_player(*worlds_[0], like.seed ^ steps(), plan.showcase);
  record_.reserve(static_cast<std::size_t>(std::min<u64>(plan.expected_steps, 1'000'000)));
}

void Duet::step(const frame::InputFrame* by_hand, std::optional<frame::Amount> shown) {
  frame::InputFrame input;
  if (by_hand != nullptr) {
    input = *by_hand;
    hand_played_ = true;
  } else {
    if (hand_played_) script_ = make_player(*worlds_[0], config_.seed ^ steps(), plan_.showcase);
    hand_played_ = false;
    input = script_->next();
  }
  first_ = measure::duet_first(steps());
  now_playing_ = {};
  now_playing_.b_first = first_ == 1;
  now_playing_.draw_us.fill(std::numeric_limits<float>::quiet_NaN());
  for (const std::size_t side : order()) {
    measure::Timeline* const timeline = timelines_wait_ ? timelines_[side].get() : nullptr;
    if (timeline != nullptr) timeline->begin();
    measure::report_allocations_to(timeline);
    const u64 begin_ns = now_();
    worlds_[side]->step(input, commands_[side], timeline, shown);
    now_playing_.step_us[side] = static_cast<float>(static_cast<double>(now_() - begin_ns) * 1e-3);
    measure::report_allocations_to(nullptr);
    if (timeline != nullptr) timeline->end();
  }
  timelines_wait_ = false;
  for (std::vector<frame::SimCommand>& commands : commands_) commands.clear();
  const bool plants = plan_.plant_difference > 0 && !planted_ && steps() >= plan_.plant_difference;
  if (plants) planted_ = scene_hooks(*worlds_[1]).drop_one_particle(*worlds_[1]);
}

void apply_load(sim::WorldConfig& config, const frame::Load& load) {
  sim::PoolChoice& particles = config.pools[static_cast<std::size_t>(frame::PoolId::Particles)];
  const u32 usual = frame::row(frame::PoolId::Particles).default_capacity(config.scene);
  config.load = load;
  particles.capacity = std::max(particles.capacity, frame::loaded_capacity(usual, load));
  if (!is_usual(load)) particles.policy = pool::PolicyId::Reject;
}

void Duet::set_load(const frame::Load& load) {
  apply_load(config_, load);
  for (std::size_t side = 0; side < 2; ++side) commands_[side] = commands_to(*worlds_[side], config_);
}

void Duet::record_timelines() {
  for (std::unique_ptr<measure::Timeline>& timeline : timelines_) {
    if (timeline == nullptr) timeline = std::make_unique<measure::Timeline>(now_);
  }
  timelines_wait_ = true;
}

frame::TimelineView Duet::timelines() const {
  frame::TimelineView view;
  view.waits = timelines_wait_;
  if (timelines_wait_ || timelines_[0] == nullptr) return view;
  for (std::size_t side = 0; side < 2; ++side) view.rows[side] = timelines_[side]->view();
  view.count = 2;
  return view;
}

bool Duet::end_step() {
  record_.add(now_playing_);
  return steps() % kHashEvery_steps != 0 || check();
}

bool Duet::check() {
  if (differs_at_ > 0 || steps() == equal_steps_) return differs_at_ == 0;
  const u64 hash = worlds_[0]->hash();
  if (hash == worlds_[1]->hash()) {
    equal_steps_ = steps();
    equal_hash_ = hash;
  } else {
    differs_at_ = steps();
  }
  return differs_at_ == 0;
}

}  // namespace spellpool::app
