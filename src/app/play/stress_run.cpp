#include "app/play/stress_run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "measure/record/environment.hpp"
#include "ui/kit/pen.hpp"

namespace spellpool::app {
namespace {

constexpr frame::PoolId kBullets = frame::PoolId::Bullets;

double thousandths(double value) { return std::round(value * 1000.0) / 1000.0; }

nlohmann::ordered_json level_json(const StressRamp::Level& level) {
  if (level.bullets == 0) return nullptr;
  return {{"bullets", level.bullets},
          {"work_ms", thousandths(level.work_ms)},
          {"simulation_ms", thousandths(level.sim_ms)},
          {"drawing_ms", thousandths(level.draw_ms)}};
}

std::string counted(u32 count) { return std::string(std::string_view(ui::count_text(count))); }

}  // namespace

StressRun::StressRun(Game& game, double budget_ms, What what)
    : game_(game), what_(what), pool_(game.session().coming(kBullets)), ramp_(budget_ms, StressRamp::kTop) {
  if (!sized_by_player() && pool_.capacity < StressRamp::kTop) {
    size_pool(StressRamp::kTop);
    pool_.capacity = StressRamp::kTop;
  }
  ramp_ = StressRamp(budget_ms, std::min(pool_.capacity, StressRamp::kTop));
  want(ramp_.wanted());
}

bool StressRun::sized_by_player() const { return game_.options().world.pool(kBullets).capacity > 0; }

void StressRun::want(u32 bullets) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetStress;
  command.capacity = bullets;
  game_.queue(command);
}

void StressRun::size_pool(u32 capacity) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetCapacity;
  command.pool = kBullets;
  command.capacity = capacity;
  game_.queue(command);
}

void StressRun::frame_end(const frame::FrameRecord& record) {
  const double sim_ms = simulation_us(record) * 1e-3, whole_ms = static_cast<double>(record.frame_us) * 1e-3;
  const StressRamp::Frame frame{game_.world().pool(kBullets).stats().live, what_ == What::SimOnly ? whole_ms : sim_ms,
                                what_ == What::SimOnly ? 0.0 : std::max(0.0, whole_ms - sim_ms)};
  const auto follow = [](float& shown, double now) { shown += 0.15f * (static_cast<float>(now) - shown); };
  follow(work_ms_, frame.sim_ms + frame.draw_ms);
  follow(sim_ms_, frame.sim_ms);
  if (ramp_.done()) return;
  const u32 before = ramp_.wanted();
  ramp_.note(frame);
  // The end shows what held.
  const u32 now = ramp_.done() ? std::max(ramp_.held().bullets, StressRamp::kLeast) : ramp_.wanted();
  if (now != before) want(now);
}

bool StressRun::outdated() const {
  const sim::PoolChoice now = game_.session().coming(kBullets);
  return now.strategy != pool_.strategy || now.policy != pool_.policy || now.capacity != pool_.capacity;
}

void StressRun::leave() {
  want(0);
  if (!sized_by_player())
    size_pool(game_.options().world.effective_pools()[static_cast<std::size_t>(kBullets)].capacity);
}

frame::StressRow StressRun::row() const {
  const StressRamp::Level& level = ramp_.held().bullets > 0 ? ramp_.held() : ramp_.broke();
  frame::StressRow row;
  row.strategy = static_cast<u8>(pool_.strategy);
  row.bullets = ramp_.held().bullets;
  row.or_more = ramp_.open_ended();
  row.work_ms = static_cast<float>(level.work_ms);
  row.sim_ms = static_cast<float>(level.sim_ms);
  row.draw_ms = static_cast<float>(level.draw_ms);
  return row;
}

void StressRun::show(frame::StressView& view) const {
  view.state = done() ? frame::StressView::State::Done : frame::StressView::State::Running;
  view.strategy = static_cast<u8>(pool_.strategy);
  view.bullets = game_.world().pool(kBullets).stats().live;
  view.wanted = ramp_.wanted();
  view.level = ramp_.levels();
  view.held = ramp_.held().bullets;
  view.broke = ramp_.broke().bullets;
  view.budget_ms = static_cast<float>(ramp_.budget_ms());
  view.work_ms = work_ms_;
  view.sim_ms = sim_ms_;
}

std::string StressRun::text() const {
  const measure::Environment environment = measure::capture_environment();
  const StressRamp::Level &held = ramp_.held(), &broke = ramp_.broke();
  const std::string_view unit = what_ == What::SimOnly ? "step" : "frame";
  const auto split = [&](const StressRamp::Level& level) {
    return what_ == What::SimOnly ? fmt::format("{:.3f} ms", level.work_ms)
                                  : fmt::format("{:.2f} ms: simulation {:.2f}, drawing {:.2f}", level.work_ms,
                                                level.sim_ms, level.draw_ms);
  };
  std::string text;
  if (held.bullets > 0) {
    text = fmt::format("{} bullets{} hold {:.2f} ms a {} ({})", counted(held.bullets),
                       ramp_.open_ended() ? " or more" : "", ramp_.budget_ms(), unit, split(held));
    if (broke.bullets > 0) text += fmt::format(", {} do not ({})", counted(broke.bullets), split(broke));
  } else if (broke.bullets > 0) {
    text = fmt::format("not even {} bullets hold {:.2f} ms a {} ({})", counted(broke.bullets), ramp_.budget_ms(), unit,
                       split(broke));
  } else {
    text = "stopped before a level was measured";
  }
  if (!done()) text += "; stopped, this is what is known so far";
  if (ramp_.uneven()) text += "; uneven, something else had the machine: try again";
  if (what_ == What::SimOnly) text += "; the simulation alone, nothing was drawn";
  text += fmt::format("; {} ({} build, {}, {})", pool::row(pool_.strategy).name, SPELLPOOL_BUILD, game_.renderer,
                      environment.cpu);
  if (!environment.comparable()) text += fmt::format("; not comparable: {}", environment.why_not_comparable());
  return text;
}

nlohmann::ordered_json StressRun::json() const {
  const measure::Environment environment = measure::capture_environment();
  nlohmann::ordered_json json;
  json["bullets"] = ramp_.held().bullets;
  json["or_more"] = ramp_.open_ended();
  json["finished"] = done();
  json["uneven"] = ramp_.uneven();
  json["what"] = what_ == What::SimOnly ? "simulation only" : "simulation and drawing";
  json["budget_ms"] = thousandths(ramp_.budget_ms());
  json["held"] = level_json(ramp_.held());
  json["broke"] = level_json(ramp_.broke());
  json["levels"] = ramp_.levels();
  json["strategy"] = pool::row(pool_.strategy).name;
  json["policy"] = pool::row(pool_.policy).name;
  json["capacity"] = pool_.capacity;
  json["renderer"] = game_.renderer;
  json["build"] = SPELLPOOL_BUILD;
  json["comparable"] = environment.comparable();
  json["cpu"] = environment.cpu;
  json["cpus"] = environment.cpus;
  json["allocator"] = environment.allocator;
  return json;
}

}  // namespace spellpool::app
