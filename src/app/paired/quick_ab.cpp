#include "app/paired/quick_ab.hpp"

#include <fmt/format.h>

#include <cmath>

#include "app/play/game.hpp"
#include "measure/experiment/comparison_files.hpp"
#include "sim/make_world.hpp"

namespace spellpool::app {
namespace {

constexpr u64 kLeadIn_steps = 240;
/// Of each world, in one frame.
constexpr u64 kSlice_steps = 20;
/// Part of the progress bar.
constexpr float kLeadInShare = 0.08f;

measure::ComparisonPlan plan_of(const sim::WorldConfig& like, pool::StrategyId a, pool::StrategyId b, const QuickAbConditions& conditions) {
  const sim::PoolChoice& particles = like.pools[static_cast<std::size_t>(frame::PoolId::Particles)];
  measure::ComparisonPlan plan;
  plan.scene = frame::row(like.scene).name;
  plan.strategies = {a, b};
  plan.warmup_steps = kLeadIn_steps;
  plan.seed = like.seed;
  plan.capacity = particles.capacity;
  plan.policy = pool::row(particles.policy).name;
  plan.preset = sim::kPresets[static_cast<std::size_t>(like.preset)].name;
  plan.draw = fmt::format("{}x{} window", conditions.width_px, conditions.height_px);
  return plan;
}

measure::Environment environment_of(const QuickAbConditions& conditions) {
  measure::Environment environment = measure::capture_environment();
  environment.version = SPELLPOOL_VERSION;
  environment.build_type = SPELLPOOL_BUILD;
  environment.flags = SPELLPOOL_FLAGS;
  environment.command_line = "quick A/B by key";
  environment.renderer = conditions.renderer;
  environment.vsync = "off";
  return environment;
}

}  // namespace

QuickAb::Arm QuickAb::make_arm(sim::WorldConfig config, pool::StrategyId strategy) {
  for (sim::PoolChoice& pool : config.pools) pool.strategy = strategy;
  Arm arm;
  arm.world = sim::make_world(config);
  arm.player = arm.world->scripted_player(config.seed);
  return arm;
}

QuickAb::QuickAb(const sim::WorldConfig& like, pool::StrategyId a, pool::StrategyId b, const QuickAbConditions& conditions)
    : strategies_{a, b},
      arms_{make_arm(like, a), make_arm(like, b)},
      ab_(plan_of(like, a, b, conditions), environment_of(conditions)),
      seed_(like.seed),
      texts_(std::make_unique<QuickAbTexts>()) {
  texts_->conditions = fmt::format("{} build · {} · {}×{}\n"
                                   "Vsync off, no cap, one step a frame, both worlds in one process: an indication.\n"
                                   "For a careful comparison run spellpool compare.",
                                   SPELLPOOL_BUILD, conditions.renderer, conditions.width_px, conditions.height_px);
}

void QuickAb::play(Arm& arm, frame::PhaseSink* phases, std::optional<frame::Amount> shown) {
  arm.world->step(arm.player->next(), {}, phases, shown);
}

void QuickAb::step(frame::PhaseSink& phases, std::optional<frame::Amount> shown) {
  if (done()) return;
  if (ab_.stage() != measure::InPlaceAb::Stage::LeadIn) {
    arm_ = ab_.arm();
    play(arms_[arm_], &phases, shown);
    return;
  }
  for (u64 i = 0; i < kSlice_steps && world().steps() < kLeadIn_steps; ++i) {
    for (Arm& arm : arms_) play(arm, &phases);
  }
}

frame::FrameRecord QuickAb::record() {
  Arm& arm = arms_[arm_];
  return record_of(*arm.world, seed_, arm.last);
}

void QuickAb::frame_end(const frame::FrameRecord& record) {
  if (done()) return;
  if (ab_.stage() == measure::InPlaceAb::Stage::LeadIn) {
    if (world().steps() >= kLeadIn_steps) {
      for (Arm& arm : arms_) arm.last = arm.world->pool(frame::PoolId::Particles).stats();
      ab_.begin();
    }
    return;
  }
  if (ab_.end_frame(record)) ab_.end_block(world().hash());
  if (ab_.stage() == measure::InPlaceAb::Stage::Over) finish();
}

void QuickAb::cancel() {
  if (done()) return;
  ab_.cancel();
  finish();
}

void QuickAb::finish() {
  found_ = std::make_shared<measure::Comparison>(ab_.take());
  measure::summarise(*found_);
  texts_->verdict = found_->verdict;
}

frame::QuickAbView QuickAb::view() const {
  frame::QuickAbView view;
  view.strategy_a = static_cast<u8>(strategies_[0]);
  view.strategy_b = static_cast<u8>(strategies_[1]);
  view.conditions = texts_->conditions;
  if (!done()) {
    view.state = frame::QuickAbView::State::Running;
    if (ab_.stage() == measure::InPlaceAb::Stage::LeadIn) {
      view.progress = kLeadInShare * static_cast<float>(arms_[0].world->steps()) / static_cast<float>(kLeadIn_steps);
      view.text = "filling the air with spells";
      return view;
    }
    view.progress = kLeadInShare + (1 - kLeadInShare) * ab_.progress();
    view.text = "timing a few frames";
    if (ab_.stage() == measure::InPlaceAb::Stage::Calibration) return view;
    std::array<char, 96>& text = texts_->progress;
    const auto end = fmt::format_to_n(text.data(), text.size(), "block {} of {}, {}, {:.0f} s left", ab_.block() + 1, ab_.blocks(),
                                      pool::row(strategies_[ab_.arm()]).title, std::ceil(ab_.left_s()));
    view.text = std::string_view(text.data(), static_cast<std::size_t>(end.out - text.data()));
    return view;
  }
  const measure::Comparison& c = *found_;
  view.progress = 1.0f;
  view.equal_work = c.state != measure::ComparisonState::UnequalWork;
  if (view.equal_work && c.blocks.empty()) return view;
  view.state = frame::QuickAbView::State::Done;
  view.verdict = texts_->verdict;
  view.folder = texts_->folder;
  view.steps = c.hashed_steps;
  view.ratio = view.low = view.high = measure::kUnknown;
  view.median_a_us = view.median_b_us = view.p99_a_us = view.p99_b_us = measure::kUnknown;
  if (!view.equal_work) return view;
  const frame::FrameFigures &a = c.arms[0].figures.frame, &b = c.arms[1].figures.frame;
  view.median_a_us = a.median_us;
  view.median_b_us = b.median_us;
  view.p99_a_us = a.p99_us;
  view.p99_b_us = b.p99_us;
  view.frames = a.frames + b.frames;
  view.ratio = std::exp(c.effect.point);
  view.low = std::exp(c.effect.low);
  view.high = std::exp(c.effect.high);
  return view;
}

std::function<TaskOutcome()> QuickAb::saver(const std::string& folder) {
  cancel();
  if (view().state == frame::QuickAbView::State::None) return [] { return TaskOutcome{}; };
  texts_->folder = folder;
  return [found = found_, folder]() -> TaskOutcome {
    measure::write_comparison(*found, folder);
    if (found->state == measure::ComparisonState::Failed) return {true, "quick A/B: " + found->message};
    return {false, "quick A/B saved in " + folder};
  };
}

}  // namespace spellpool::app
