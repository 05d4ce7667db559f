#include "app/paired/quick_ab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/paired/from_moment.hpp"
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

measure::ComparisonPlan plan_of(const sim::WorldConfig& like, pool::StrategyId a, pool::StrategyId b,
                                const QuickAbConditions& conditions) {
  const sim::PoolChoice& particles = like.pools[static_cast<std::size_t>(frame::PoolId::Particles)];
  measure::ComparisonPlan plan;
  plan.scene = frame::row(like.scene).name;
  plan.strategies = {a, b};
  plan.warmup_steps = kLeadIn_steps;
  plan.seed = like.seed;
  plan.capacity = particles.capacity;
  plan.policy = pool::row(particles.policy).name;
  plan.preset = sim::kPresets[static_cast<std::size_t>(like.preset)].name;
  if (const frame::Load& load = like.load; load != frame::Load{}) {
    plan.preset +=
        fmt::format(", sparks ×{}, churn ×{}{}", load.sparks, load.churn, load.aged_heap ? ", aged heap" : "");
  }
  plan.sim_only = !conditions.draws;
  plan.draw = plan.sim_only ? "none" : fmt::format("{}x{} window", conditions.width_px, conditions.height_px);
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

QuickAb::Arm QuickAb::make_arm(sim::WorldConfig config, pool::StrategyId strategy, const sim::WorldState* from) {
  for (sim::PoolChoice& pool : config.pools) pool.strategy = strategy;
  Arm arm;
  arm.world = sim::make_world(config);
  if (from) {
    arm.world->restore(*from);
    arm.first = commands_to(*arm.world, config);
  }
  arm.player = arm.world->scripted_player(config.seed ^ arm.world->steps());
  return arm;
}

QuickAb::QuickAb(const sim::WorldConfig& like, pool::StrategyId a, pool::StrategyId b,
                 const QuickAbConditions& conditions, const sim::WorldState* from)
    : strategies_{a, b},
      arms_{make_arm(like, a, from), make_arm(like, b, from)},
      ahead_(arms_[0].world->steps() + kLeadIn_steps),
      ab_(plan_of(like, a, b, conditions), environment_of(conditions), conditions.budget_us),
      seed_(like.seed),
      longest_wait_ms_(conditions.longest_wait_ms),
      read_machine_(conditions.read_machine),
      asked_(read_machine_()),
      looked_(asked_),
      texts_(std::make_unique<QuickAbTexts>()) {
  texts_->conditions = fmt::format(
      "{} build · {} · {}×{} · vsync off, no cap, one step a frame, both worlds in one process: "
      "an indication. For a careful comparison run spellpool compare.",
      SPELLPOOL_BUILD, conditions.renderer, conditions.width_px, conditions.height_px);
}

void QuickAb::play(Arm& arm, frame::PhaseSink* phases, std::optional<frame::Amount> shown) {
  arm.world->step(arm.player->next(), arm.first, phases, shown);
  arm.first.clear();
}

void QuickAb::step(frame::PhaseSink& phases, std::optional<frame::Amount> shown) {
  if (done()) return;
  if (ab_.stage() != measure::InPlaceAb::Stage::LeadIn) {
    arm_ = ab_.arm();
    play(arms_[arm_], &phases, shown);
    return;
  }
  for (u64 i = 0; i < kSlice_steps && world().steps() < ahead_; ++i) {
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
    if (world().steps() >= ahead_ && may_begin()) {
      begun_ = read_machine_();
      for (Arm& arm : arms_) arm.last = arm.world->pool(frame::PoolId::Particles).stats();
      ab_.begin();
    }
    return;
  }
  if (ab_.end_frame(record)) ab_.end_block(world().hash());
  if (ab_.stage() == measure::InPlaceAb::Stage::Over) finish();
}

bool QuickAb::may_begin() {
  if (anyway_) {
    disturbance_.clear();
    return true;
  }
  const measure::MachineReading now = read_machine_();
  if (now.wall_ms - looked_.wall_ms < kLook_ms) return false;
  disturbance_ = measure::judge_noise(measure::readings_of(measure::use_between(looked_, now))).evidence;
  looked_ = now;
  if (now.wall_ms - asked_.wall_ms >= longest_wait_ms_) disturbance_.clear();
  return disturbance_.empty();
}

void QuickAb::cancel() {
  if (done()) return;
  ab_.cancel();
  finish();
}

void QuickAb::finish() {
  disturbance_.clear();
  found_ = std::make_shared<measure::Comparison>(ab_.take());
  measure::Comparison& c = *found_;
  c.machine = measure::use_between(begun_, read_machine_());
  measure::summarise(c);
  texts_->verdict = c.verdict;
  bool differs = false;
  for (const measure::TimedPart part : measure::kTimedParts) {
    const measure::Outcome outcome = measure::outcome_of(c, part);
    differs = differs || outcome == measure::Outcome::Faster || outcome == measure::Outcome::Slower;
    texts_->sentences[static_cast<std::size_t>(part)] =
        fmt::format("{}: {}.", measure::part_title(c, part), measure::part_sentence(c, part));
  }
  const measure::Outcome whole = measure::outcome_of(c, measure::TimedPart::WholeFrame);
  if (whole == measure::Outcome::TooNoisy) texts_->advice = measure::kNoiseAdvice;
  else if (whole == measure::Outcome::None && !differs)
    texts_->advice = "Side by side shows both under a heavier load.";
}

frame::QuickAbView::Line QuickAb::line(measure::TimedPart part) const {
  const measure::Comparison& c = *found_;
  const std::vector<measure::TimedPart> shown = measure::shown_parts(c);
  const measure::BootstrapInterval& effect = c.of(part).effect;
  frame::QuickAbView::Line line;
  line.shown = std::find(shown.begin(), shown.end(), part) != shown.end();
  line.verdict = static_cast<frame::QuickAbView::Verdict>(measure::outcome_of(c, part));
  line.median_a_us = measure::median_us(c.arms[0].figures, part);
  line.median_b_us = measure::median_us(c.arms[1].figures, part);
  line.ratio = std::exp(effect.point);
  line.low = std::exp(effect.low);
  line.high = std::exp(effect.high);
  line.sentence = texts_->sentences[static_cast<std::size_t>(part)];
  return line;
}

frame::QuickAbView QuickAb::view() const {
  // Allocates nothing: it is called in measured frames.
  const auto write_progress = [this](auto format, const auto&... values) {
    std::array<char, 160>& text = texts_->progress;
    const auto end = fmt::format_to_n(text.data(), text.size(), fmt::runtime(format), values...);
    return std::string_view(text.data(), static_cast<std::size_t>(end.out - text.data()));
  };
  frame::QuickAbView view;
  view.strategy_a = static_cast<u8>(strategies_[0]);
  view.strategy_b = static_cast<u8>(strategies_[1]);
  view.conditions = texts_->conditions;
  if (!done()) {
    view.state = frame::QuickAbView::State::Running;
    if (ab_.stage() == measure::InPlaceAb::Stage::LeadIn) {
      view.progress = kLeadInShare * (1.0f - static_cast<float>(ahead_ - std::min(ahead_, arms_[0].world->steps())) /
                                                 static_cast<float>(kLeadIn_steps));
      view.text = "filling the air with spells";
      view.waiting = waiting();
      if (!view.waiting) return view;
      const double left_s = (asked_.wall_ms + longest_wait_ms_ - looked_.wall_ms) * 1e-3;
      view.text = write_progress("waiting for a quiet machine, {:.0f} s at most: {}", std::ceil(left_s), disturbance_);
      return view;
    }
    view.progress = kLeadInShare + (1 - kLeadInShare) * ab_.progress();
    view.text = "timing a few frames";
    if (ab_.stage() == measure::InPlaceAb::Stage::Calibration) return view;
    view.text = write_progress("block {} of {}, {}, {:.0f} s left", ab_.block() + 1, ab_.blocks(),
                               pool::row(strategies_[ab_.arm()]).title, std::ceil(ab_.left_s()));
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
  view.p99_a_us = view.p99_b_us = measure::kUnknown;
  if (!view.equal_work) return view;
  const frame::FrameFigures &a = c.arms[0].figures.frame, &b = c.arms[1].figures.frame;
  view.p99_a_us = a.p99_us;
  view.p99_b_us = b.p99_us;
  view.frames = a.frames + b.frames;
  view.simulation = line(measure::TimedPart::Simulation);
  view.whole_frame = line(measure::TimedPart::WholeFrame);
  view.advice = texts_->advice;
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
