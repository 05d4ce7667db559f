#include "app/play/summary.hpp"

#include <nlohmann/json.hpp>

#include "app/play/figure_pool_json.hpp"
#include "app/play/load_json.hpp"
#include "app/play/stress_run.hpp"
#include "app/scene_hooks.hpp"
#include "measure/experiment/block.hpp"
#include "measure/record/environment.hpp"
#include "measure/record/json_text.hpp"

namespace spellpool::app {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return number_json(value, 3); }

}  // namespace

std::string build_note() {
  const std::string why = measure::capture_environment().why_not_comparable();
  return why.empty() ? std::string{} : why + ": times are not comparable";
}

std::string summary_json(const Session& session, const WorldOptions& world, measure::FrameRecorder& recorder,
                         const Shown& shown, const audio::MixerStats* audio) {
  const measure::Environment environment = measure::capture_environment();
  Json json;
  json["scene"] = frame::row(world.scene).name;
  json["preset"] = sim::kPresets[static_cast<std::size_t>(world.preset)].name;
  json["load"] = load_json(session.world().load());
  if (scene_hooks(world.scene).has_stages()) json["difficulty"] = frame::row(world.difficulty).name;
  json["seed"] = world.seed;
  json["steps"] = session.world().steps();
  json["hash"] = measure::hash_text(session.hash());
  if (session.replay_steps() > 0 || session.finished()) {
    const auto differs = session.first_difference();
    json["replay"] = {{"steps", session.replay_steps()},
                      {"compared", std::min(session.world().steps(), session.replay_steps())},
                      {"first_difference", differs ? nlohmann::ordered_json(*differs + 1) : nlohmann::ordered_json()}};
  }
  json["renderer"] = shown.renderer;
  json["drawn_by"] = shown.drawn_by.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(shown.drawn_by);
  json["first_frame_ms"] =
      shown.first_frame_ms ? nlohmann::ordered_json(*shown.first_frame_ms) : nlohmann::ordered_json();
  json["build"] = SPELLPOOL_BUILD;
  json["compiler"] = environment.compiler;
  json["comparable"] = environment.comparable();
  if (shown.stress) json["stress"] = shown.stress->json();

  for (const frame::PoolName& row : frame::pools_of(world.scene)) {
    const pool::PoolStats stats = session.world().pool(row.id).stats();
    json["pools"][std::string(row.name)] = {{"strategy", pool::row(session.world().pool(row.id).strategy()).name},
                                            {"policy", pool::row(session.world().pool(row.id).policy()).name},
                                            {"capacity", stats.capacity},
                                            {"slots", stats.slots},
                                            {"live", stats.live},
                                            {"peak", stats.peak},
                                            {"spawned", stats.spawned},
                                            {"released", stats.released},
                                            {"rejected", stats.rejected},
                                            {"stolen", stats.stolen},
                                            {"grown", stats.grown},
                                            {"trimmed", stats.trimmed},
                                            {"new_calls", stats.new_calls},
                                            {"bytes", stats.bytes},
                                            {"double_releases", stats.double_releases},
                                            {"stale_handles", stats.stale_handles}};
  }
  scene_hooks(session.world()).describe(session.world(), json);

  const frame::FrameHistory history = recorder.history();
  std::vector<frame::FrameRecord> frames;
  for (std::size_t i = 0; i < history.count; ++i) frames.push_back(history.at(i));
  const auto phases = measure::phase_figures_of(frames);
  for (std::size_t i = 0; i < frame::kPhaseCount; ++i) {
    json["phases"][std::string(frame::kPhaseNames[i])] = {{"median_us", number(phases[i].median_us)},
                                                          {"p99_us", number(phases[i].p99_us)}};
  }
  for (const render::PassMean& pass : shown.passes) {
    json["draw_passes"][std::string(pass.name)] = {{"mean_ms", number(pass.ms)}, {"tiles", number(pass.tiles)}};
  }
  json["figure_images"] = figure_pool_json(shown.figure_pool);
  const frame::FrameFigures figures = measure::figures_of(frames);
  json["frame"] = {{"frames", figures.frames},
                   {"median_us", number(figures.median_us)},
                   {"p95_us", number(figures.p95_us)},
                   {"p99_us", number(figures.p99_us)},
                   {"fps", number(figures.average_fps)},
                   {"low_1_percent_fps", number(figures.low_1_percent_fps)}};
  json["allocations_last_60_steps"] = recorder.allocations_of_last_steps(60);
  json["allocations_since_step_60"] = frames.size() >= session.world().steps() && session.world().steps() > 60
                                          ? Json(recorder.allocations_of_last_steps(session.world().steps() - 60))
                                          : Json(nullptr);
  json["allocations_counted"] =
      "every operator new of the main thread, the graphics driver's own included, and Dear ImGui's allocator; the "
      "driver's malloc is not counted";
  if (audio) {
    json["audio"] = {{"voices", audio->voices},
                     {"peak", audio->peak},
                     {"started", audio->started},
                     {"ended", audio->ended},
                     {"stopped", audio->stopped},
                     {"stolen", audio->stolen},
                     {"rejected", audio->rejected},
                     {"merged", audio->merged},
                     {"made_virtual", audio->made_virtual},
                     {"resumed", audio->resumed},
                     {"limited_frames", audio->limited_frames},
                     {"dropped", audio->dropped_events}};
  }
  return measure::json_text(json, 2) + "\n";
}

}  // namespace spellpool::app
