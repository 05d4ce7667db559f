#include "app/paired/duet_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/play/figure_pool_json.hpp"
#include "app/play/load_json.hpp"
#include "app/scene_hooks.hpp"
#include "measure/experiment/block.hpp"
#include "measure/record/environment.hpp"
#include "measure/record/json_text.hpp"
#include "measure/record/statistics.hpp"
#include "sim/replay/replay.hpp"

namespace spellpool::app {
namespace {

using Json = nlohmann::ordered_json;

Json number(float value) { return number_json(static_cast<double>(value), 4); }

/// Of the window's frames after the warm-up; null without any.
Json frame_json(std::span<const double> frames_us) {
  if (frames_us.size() <= measure::kDuetWarmUp_steps) return nullptr;
  frames_us = frames_us.subspan(measure::kDuetWarmUp_steps);
  std::vector<double> sorted(frames_us.begin(), frames_us.end());
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double part) { return number(static_cast<float>(measure::percentile(sorted, part))); };
  return {{"frames", sorted.size()}, {"median_us", at(0.5)}, {"p95_us", at(0.95)}, {"p99_us", at(0.99)},
          {"over_16_67_ms", measure::over_limit(sorted, 1e6 / 60.0).frames}};
}

}  // namespace

std::string duet_json(Duet& duet, const WorldOptions& world, const DuetShown& shown) {
  const measure::Environment environment = measure::capture_environment();
  Json json;
  json["format"] = "spellpool-duet-1";
  json["scene"] = frame::row(world.scene).name;
  json["preset"] = sim::kPresets[static_cast<std::size_t>(world.preset)].name;
  json["load"] = load_json(duet.world(0).load());
  if (scene_hooks(world.scene).has_stages()) json["difficulty"] = frame::row(world.difficulty).name;
  json["seed"] = world.seed;
  json["steps"] = duet.steps();
  json["hash"] = measure::hash_text(duet.world(0).hash());
  json["renderer"] = shown.renderer;
  json["drawn_by"] = shown.drawn_by.empty() ? Json(nullptr) : Json(shown.drawn_by);
  json["build"] = SPELLPOOL_BUILD;
  json["compiler"] = environment.compiler;
  json["comparable"] = environment.comparable();
  const bool equal = duet.differs_at() == 0;
  json["equal_work"] = {{"equal", equal},
                        {"hashed_steps", duet.equal_steps()},
                        {"differs_at", equal ? Json(nullptr) : Json(duet.differs_at())}};
  json["order"] = "ABBA, then BAAB: by steps";
  json["warmup_steps"] = std::min<u64>(duet.steps(), std::min<u64>(duet.steps(), measure::kDuetWarmUp_steps));
  json["counted_steps"] = duet.record().counted();
  json["figure_images"] = figure_pool_json(shown.figure_pool);
  json["frame"] = frame_json(shown.frames_us);
  if (equal) {
    Json ratio;
    std::array<Json, 2> arms;
    for (std::size_t side = 0; side < 2; ++side) {
      arms[side]["strategy"] = pool::row(duet.strategy(side)).name;
      arms[side]["title"] = pool::row(duet.strategy(side)).title;
    }
    for (const frame::DuetClockRow& row : frame::kDuetClocks) {
      const frame::DuetFigures figures = duet.record().whole(row.id);
      for (std::size_t side = 0; side < 2; ++side) {
        arms[side][std::string(row.name)] = {{"median_us", number(figures.median_us[side])},
                                             {"p95_us", number(figures.p95_us[side])}};
      }
      ratio[std::string(row.name)] = {{"b_over_a", number(figures.ratio)},
                                      {"middle_half", {number(figures.low), number(figures.high)}}};
    }
    json["a"] = std::move(arms[0]);
    json["b"] = std::move(arms[1]);
    json["ratio"] = std::move(ratio);
    json["indication"] = duet_line(duet);
  }
  return measure::json_text(json, 2) + "\n";
}

std::string duet_line(const Duet& duet) {
  const frame::DuetFigures figures = duet.record().whole(frame::DuetClock::Step);
  if (!std::isfinite(figures.ratio))
    return fmt::format("no figures: {} steps are too few, of which {} are the warm-up", duet.steps(),
                       measure::kDuetWarmUp_steps);
  return fmt::format(
      "step time of {} / {} = {:.3f} (middle half of {} steps {:.3f} to {:.3f}): an indication, both share one process",
      pool::row(duet.strategy(1)).name, pool::row(duet.strategy(0)).name, static_cast<double>(figures.ratio),
      duet.record().counted(), static_cast<double>(figures.low), static_cast<double>(figures.high));
}

}  // namespace spellpool::app
