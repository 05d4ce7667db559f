#include "measure/experiment/run_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "measure/record/json_text.hpp"

namespace spellpool::measure {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json text(const std::string& value) { return value == "NA" ? Json(nullptr) : Json(value); }
Json over_json(const OverLimit& over) { return {{"frames", over.frames}, {"time_us", over.time_us}}; }

Json figures_json(const DetailedFigures& f) {
  Json phases = Json::object();
  for (std::size_t i = 0; i < frame::kPhaseCount; ++i) {
    phases[std::string(frame::kPhaseNames[i])] = {{"median_us", number(f.phases[i].median_us)},
                                                  {"p99_us", number(f.phases[i].p99_us)}};
  }
  return {{"frames", f.frame.frames},
          {"median_us", number(f.frame.median_us)},
          {"p95_us", number(f.frame.p95_us)},
          {"p99_us", number(f.frame.p99_us)},
          {"p99_9_us", number(f.frame.p999_us)},
          {"average_fps", number(f.frame.average_fps)},
          {"low_1_percent_fps",
           {{"average", number(f.frame.low_1_percent_fps)},
            {"percentile", number(f.low_1_percent_percentile_fps)},
            {"integral", number(f.low_1_percent_integral_fps)}}},
          {"low_01_percent_fps",
           {{"average", number(f.low_01_percent_average_fps)},
            {"percentile", number(f.low_01_percent_percentile_fps)},
            {"integral", number(f.low_01_percent_integral_fps)}}},
          {"stutter_percent", number(f.stutter_percent)},
          {"over_16_67_ms", over_json(f.over_16_67_ms)},
          {"over_33_3_ms", over_json(f.over_33_3_ms)},
          {"over_2_medians", over_json(f.over_2_medians)},
          {"spikes", f.frame.spikes},
          {"allocations_per_frame", number(f.frame.allocations_per_frame)},
          {"allocated_bytes_per_frame", number(f.bytes_per_frame)},
          {"faults_per_frame", f.faults_per_frame ? number(*f.faults_per_frame) : Json(nullptr)},
          {"switches_per_frame", f.switches_per_frame ? number(*f.switches_per_frame) : Json(nullptr)},
          {"rejected", f.rejected},
          {"stolen", f.stolen},
          {"simulation", {{"median_us", number(f.simulation.median_us)}, {"p99_us", number(f.simulation.p99_us)}}},
          {"phases", phases}};
}

Json environment_json(const Environment& e) {
  return {{"version", text(e.version)},
          {"build_type", text(e.build_type)},
          {"flags", text(e.flags)},
          {"optimised", e.optimised},
          {"comparable", e.comparable()},
          {"why_not_comparable", e.comparable() ? Json(nullptr) : Json(e.why_not_comparable())},
          {"compiler", text(e.compiler)},
          {"libc", text(e.libc)},
          {"allocator", text(e.allocator)},
          {"os", text(e.os)},
          {"kernel", text(e.kernel)},
          {"cpu", text(e.cpu)},
          {"cpus", e.cpus},
          {"governor", text(e.governor)},
          {"affinity", text(e.affinity)},
          {"memory_kib", e.memory_kib > 0 ? Json(e.memory_kib) : Json(nullptr)},
          {"clock_step_us", e.clock_step_us > 0 ? number(e.clock_step_us) : Json(nullptr)},
          {"coarse_clock", e.coarse_clock()},
          {"renderer", text(e.renderer)},
          {"vsync", text(e.vsync)},
          {"date", text(e.date)},
          {"command", text(e.command_line)}};
}

Json definitions(Method method) {
  Json list = {
      {"percentiles", "nearest rank: the frame time at place ceil(p·n) of the sorted n; p99.9 from 10,000 frames on"},
      {"average_fps", "n / Σt"},
      {"low_1_percent_fps.average", "1 / mean of the frames t ≥ p99"},
      {"low_1_percent_fps.percentile", "1 / p99"},
      {"low_1_percent_fps.integral", "1 / the frame at which the longest frames, added up, reach 1 % of Σt"},
      {"low_01_percent_fps", "the same three with p99.9 and 0.1 % of the time"},
      {"stutter_percent", "100 · Σt of frames longer than 2.5 × the mean of the 60 before, over Σt"},
      {"spikes", "frames t > max(2 × rolling median of the 60 before, median + 6 × MAD)"},
      {"allocations_per_frame",
       "operator new calls of the frame's thread; malloc of C libraries and drivers is not seen"},
      {"quad_effect",
       "mean of ln(median frame time) of the two B blocks minus that of the two A blocks; with a coarse_clock of the "
       "mean "
       "frame time: single frames are not known then"},
      {"ratio", "e^median(quad effects); 95 % percentile bootstrap over quads, 10,000 resamples, fixed seed"},
  };
  list["simulation"] =
      "spawn + update + collide + despawn of each frame; judged by the same statistic as the whole frame";
  list["noise"] =
      "shares of the processors' time and of the measured time; control: reach of the A/A control's interval of the "
      "whole frame; p99_over_median: of the arm in which it is smaller. Beyond a limit there is no verdict";
  list["control"] =
      "quads of A against A, as many, in turns with the others; an effect no larger than the reach of their interval "
      "is called "
      "no difference";
  if (method == Method::InPlace) {
    list["control"] =
        "the same blocks by order instead of strategy: e^(ln of the second to play a segment minus ln of the first); "
        "an effect within it may be the order's";
  }
  return list;
}

Json interval_json(const BootstrapInterval& effect, const char* point) {
  return {{point, number(std::exp(effect.point))},
          {"low", number(std::exp(effect.low))},
          {"high", number(std::exp(effect.high))}};
}

Json factors_json(const ComparisonPlan& plan) {
  Json json = Json::object();
  for (const auto& [name, value] : plan.factors) json[name] = value;
  return json;
}

Json ratio_json(const Comparison& c, TimedPart part) {
  const TimeEffect& found = c.of(part);
  Json json = interval_json(found.effect, "b_over_a");
  json.update({{"confidence", 0.95},
               {"quads", found.effect.quads},
               {"resamples", kBootstrapResamples},
               {"bootstrap_seed", kBootstrapSeed},
               {"quad_effects_ln", found.quad_effects}});
  if (c.plan.method == Method::InPlace) {
    json["control"] = interval_json(found.control, "second_over_first");
  } else if (c.plan.control) {
    json["control"] = interval_json(found.control, "a_over_a");
    json["control"]["quads"] = found.control.quads;
    json["control"]["quad_effects_ln"] = found.control_effects;
  }
  json["outcome"] = outcome_name(outcome_of(c, part));
  return json;
}

Json noise_json(const Comparison& c) {
  const Noise& noise = c.noise;
  Json json = {{"too_noisy", noise.too_noisy()},
               {"evidence", noise.too_noisy() ? Json(noise.evidence) : Json(nullptr)}};
  for (const NoiseLimit& limit : kNoiseLimits) {
    json[limit.name] = number(noise.readings.*limit.reading);
    json["limits"][limit.name] = limit.most;
  }
  for (const auto& [name, member] : kMachineUseKeys) json["machine"][name] = number(c.machine.*member);
  return json;
}

}  // namespace

std::string_view state_name(ComparisonState state) {
  switch (state) {
    case ComparisonState::Done:
      return "done";
    case ComparisonState::Running:
      return "running";
    case ComparisonState::Interrupted:
      return "interrupted";
    case ComparisonState::UnequalWork:
      return "unequal_work";
    case ComparisonState::Failed:
      break;
  }
  return "failed";
}

std::string run_json(const Comparison& c, const RunFiles& files) {
  const bool equal = c.state != ComparisonState::UnequalWork, in_place = c.plan.method == Method::InPlace;
  Json json;
  json["format"] = "spellpool-run-1";
  json["state"] = state_name(c.state);
  json["message"] = c.message.empty() ? Json(nullptr) : Json(c.message);
  if (equal) json["indication"] = c.indication;
  if (in_place || c.plan.control) json["verdict"] = c.verdict.empty() ? Json(nullptr) : Json(c.verdict);
  json["method"] =
      in_place
          ? "in-process quick A/B: both worlds side by side in the running window, in turns through the same steps; "
            "an indication; for a careful comparison run spellpool compare"
          : "a fresh process per block";
  json["plan"] = {{"scene", c.plan.scene},
                  {"a", arm_name(c.plan, 0)},
                  {"b", arm_name(c.plan, 1)},
                  {"quads", c.plan.quads},
                  {"control", c.plan.control},
                  {"different_work", c.plan.different_work},
                  {"factors", factors_json(c.plan)},
                  {"pools", "every pool has its arm's strategy"},
                  {"order", in_place ? "ABBA, BAAB, …; one world of each arm, every step once by each"
                                     : "ABBA, BAAB, …; a fresh process per block"},
                  {"steps", c.plan.steps},
                  {"warmup_steps", c.plan.warmup_steps},
                  {"dropped_frames_per_block", in_place ? Json(c.plan.dropped_frames) : Json(nullptr)},
                  {"seed", c.plan.seed},
                  {"sim_only", c.plan.sim_only},
                  {"capacity", c.plan.capacity > 0 ? Json(c.plan.capacity) : Json(nullptr)},
                  {"policy", text(c.plan.policy)},
                  {"preset", text(c.plan.preset)},
                  {"draw", text(c.plan.draw)}};
  json["equal_work"] = {{"checked", c.hashed_steps > 0 || !equal},
                        {"equal", !equal || c.plan.different_work ? Json(false)
                                  : c.hashed_steps > 0 ? Json(true)
                                                       : Json(nullptr)},
                        {"hashed_steps", c.hashed_steps},
                        {"replay_hash", equal && c.hashed_steps > 0 ? Json(hash_text(c.final_hash)) : Json(nullptr)}};
  json["environment"] = environment_json(c.environment);
  if (equal) {
    json["ratio"] = ratio_json(c, TimedPart::WholeFrame);
    json["simulation"] = ratio_json(c, TimedPart::Simulation);
    json["noise"] = noise_json(c);
    json["arms"] = Json::object();
    for (std::size_t i = 0; i < 2; ++i) {
      const pool::StrategyRow& strategy = pool::row(c.plan.strategies[i]);
      json["arms"][i == 0 ? "a" : "b"] = {{"strategy", strategy.name},
                                          {"name", arm_name(c.plan, i)},
                                          {"title", arm_title(c.plan, i)},
                                          {"blocks", c.arms[i].blocks},
                                          {"figures", figures_json(c.arms[i].figures)}};
    }
    json["blocks"] = Json::array();
    for (const BlockResult& block : c.blocks) {
      Json entry = {{"block", block.place.block},
                    {"quad", block.place.quad},
                    {"pos", block.place.pos},
                    {"arm", std::string(1, block.arm)},
                    {"strategy", pool::row(c.plan.strategies[block.arm == 'B' ? 1 : 0]).name},
                    {"partial", block.partial},
                    {"wall_s", block.wall_s}};
      Json report = Json::parse(block_report_text(block.report, block.frames.size()));
      report.erase("renderer"), report.erase("vsync"), report.erase("frames");
      if (block.partial) report["final_hash"] = nullptr;
      entry.update(report);
      entry["figures"] = figures_json(block.figures);
      json["blocks"].push_back(std::move(entry));
    }
    json["definitions"] = definitions(c.plan.method);
  }
  json["files"] = {{"frames", files.frames.empty() ? Json(nullptr) : Json(files.frames)},
                   {"card", files.card.empty() ? Json(nullptr) : Json(files.card)}};
  return json_text(json, 2) + "\n";
}

}  // namespace spellpool::measure
