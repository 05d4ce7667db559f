#include "measure/experiment/stored_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/one_line.hpp"

namespace spellpool::measure {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr std::array<const char*, 2> kSides = {"a", "b"};
/// Of a name, and of any other text: nothing that this program writes is longer.
constexpr std::size_t kMostNameCharacters = 100, kMostTextCharacters = 4'000;

std::string text_of(const Json& json, const char* key, const std::string& otherwise = "NA") {
  return json.is_object() && json.contains(key) && json[key].is_string()
             ? clipped(json[key].get<std::string>(), kMostTextCharacters)
             : otherwise;
}
u64 whole_of(const Json& json, const char* key, u64 otherwise = 0) {
  return json.is_object() && json.contains(key) && json[key].is_number_unsigned() ? json[key].get<u64>() : otherwise;
}
bool flag_of(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_boolean() && json[key].get<bool>();
}
double number_of(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_number() ? json[key].get<double>() : kUnknown;
}

void read_environment(const Json& json, Environment& e) {
  e.version = text_of(json, "version");
  e.build_type = text_of(json, "build_type");
  e.flags = text_of(json, "flags");
  e.command_line = text_of(json, "command");
  e.compiler = text_of(json, "compiler");
  e.optimised = flag_of(json, "optimised");
  e.sanitized = text_of(json, "why_not_comparable", "") == "built with sanitizers";
  e.libc = text_of(json, "libc");
  e.allocator = text_of(json, "allocator");
  e.os = text_of(json, "os");
  e.kernel = text_of(json, "kernel");
  e.cpu = text_of(json, "cpu");
  e.cpus = static_cast<u32>(whole_of(json, "cpus"));
  e.governor = text_of(json, "governor");
  e.affinity = text_of(json, "affinity");
  e.memory_kib = whole_of(json, "memory_kib");
  e.clock_step_us = std::fmax(number_of(json, "clock_step_us"), 0.0);  // 0 where there is none
  e.date = text_of(json, "date");
  e.renderer = text_of(json, "renderer");
  e.vsync = text_of(json, "vsync");
}

/// The newest run.json of a folder, by its number.
std::string newest_run(const fs::path& folder) {
  std::string found;
  unsigned long highest = 0;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.rfind("run", 0) != 0 || entry->path().extension() != ".json") continue;
    const unsigned long number = name == "run.json" ? 1 : std::strtoul(name.c_str() + 4, nullptr, 10);
    if (number > highest) highest = number, found = entry->path().string();
  }
  return found;
}

/// "" and the file's JSON; or the error. `head`: without its blocks, which are most of it.
std::string read_json(const std::string& run, bool head, Json& json) {
  constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 28;
  std::error_code failed;
  if (!fs::is_regular_file(run, failed)) return "cannot read " + run + ": it is no file";
  if (fs::file_size(run, failed) > kMostBytes) return run + ": is too large for a run.json of spellpool";
  std::string text;
  if (std::string error = read_whole_file(run, text); !error.empty()) return error;
  if (head) {
    // As run_json() lays it out. A file that was cut off shall not pass for a whole one.
    const std::size_t blocks = text.find(",\n  \"blocks\": [");
    if (blocks != std::string::npos && text.size() > 2 && text.compare(text.size() - 3, 3, "\n}\n") == 0) {
      const std::size_t files = text.rfind(",\n  \"files\": {");
      text = text.substr(0, blocks) + (files != std::string::npos && files > blocks ? text.substr(files) : "\n}\n");
    }
  }
  json = Json::parse(text, nullptr, false);
  if (!json.is_object() || text_of(json, "format") != "spellpool-run-1" || !json.contains("plan"))
    return run + ": is not a run.json of spellpool";
  return "";
}

/// All but blocks and figures. "" or the error.
std::string take_plan(const std::string& run, const Json& json, Comparison& c) {
  const Json& plan = json["plan"];
  c.plan.scene = clipped(text_of(plan, "scene"), kMostNameCharacters);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = text_of(plan, kSides[i], "");
    std::string strategy = name;
    if (json.contains("arms") && json["arms"].contains(kSides[i]))
      strategy = text_of(json["arms"][kSides[i]], "strategy", name);
    const auto id = find_by_name<pool::StrategyId>(pool::kStrategies, strategy.substr(0, strategy.find('+')));
    if (!id) return run + ": there is no strategy '" + clipped(strategy, 60) + "' here";
    c.plan.strategies[i] = *id;
    if (name != pool::row(*id).name) c.plan.labels[i] = clipped(name, kMostNameCharacters);
  }
  c.plan.quads = static_cast<u32>(std::min<u64>(whole_of(plan, "quads", 1), 1'000'000));
  c.plan.steps = whole_of(plan, "steps");
  c.plan.warmup_steps = whole_of(plan, "warmup_steps");
  c.plan.seed = whole_of(plan, "seed");
  c.plan.sim_only = flag_of(plan, "sim_only");
  c.plan.control = flag_of(plan, "control");
  c.plan.different_work = flag_of(plan, "different_work");
  c.plan.capacity = static_cast<u32>(whole_of(plan, "capacity"));
  c.plan.policy = text_of(plan, "policy");
  c.plan.preset = clipped(text_of(plan, "preset"), kMostNameCharacters);
  c.plan.draw = text_of(plan, "draw");
  if (text_of(json, "method", "").rfind("in-process", 0) == 0) c.plan.method = Method::InPlace;
  if (plan.contains("factors") && plan["factors"].is_object()) {
    for (const auto& [name, value] : plan["factors"].items()) {
      if (!value.is_string()) continue;
      c.plan.factors.emplace_back(clipped(name, kMostNameCharacters),
                                  clipped(value.get<std::string>(), kMostNameCharacters));
    }
  }
  if (json.contains("environment")) read_environment(json["environment"], c.environment);
  const std::string state = text_of(json, "state");
  c.state = state == "done"           ? ComparisonState::Done
            : state == "interrupted"  ? ComparisonState::Interrupted
            : state == "running"      ? ComparisonState::Running
            : state == "unequal_work" ? ComparisonState::UnequalWork
                                      : ComparisonState::Failed;
  c.message = text_of(json, "message", "");
  if (json.contains("equal_work")) {
    c.hashed_steps = whole_of(json["equal_work"], "hashed_steps");
    c.final_hash = hash_of_text(text_of(json["equal_work"], "replay_hash", "")).value_or(0);
  }
  return "";
}

BootstrapInterval interval_of(const Json& json, const char* point, std::size_t quads) {
  BootstrapInterval interval;
  interval.point = std::log(number_of(json, point));
  interval.low = std::log(number_of(json, "low"));
  interval.high = std::log(number_of(json, "high"));
  interval.quads = static_cast<u32>(quads);
  return interval;
}

std::vector<double> numbers_of(const Json& json, const char* key) {
  std::vector<double> numbers;
  if (!json.is_object() || !json.contains(key) || !json[key].is_array()) return numbers;
  for (const Json& number : json[key]) {
    if (number.is_number()) numbers.push_back(number.get<double>());
  }
  return numbers;
}

TimeEffect effect_in(const Json& ratio, bool in_place) {
  TimeEffect found;
  found.quad_effects = numbers_of(ratio, "quad_effects_ln");
  found.effect = interval_of(ratio, "b_over_a", found.quad_effects.size());
  if (ratio.is_object() && ratio.contains("control")) {
    found.control_effects = numbers_of(ratio["control"], "quad_effects_ln");
    found.control =
        interval_of(ratio["control"], in_place ? "second_over_first" : "a_over_a", found.control_effects.size());
  }
  return found;
}

/// As it was judged when it was written. Files of earlier versions have none.
void take_noise(const Json& json, Comparison& c) {
  if (!json.contains("noise") || !json["noise"].is_object()) return;
  const Json& noise = json["noise"];
  for (const NoiseLimit& limit : kNoiseLimits) c.noise.readings.*limit.reading = number_of(noise, limit.name);
  c.noise.evidence = clipped(text_of(noise, "evidence", ""), kMostNameCharacters);
  if (!noise.contains("machine")) return;
  for (const auto& [key, member] : kMachineUseKeys) c.machine.*member = number_of(noise["machine"], key);
}

/// The figures that a list of runs shows.
void take_figures(const Json& json, Comparison& c) {
  c.indication = text_of(json, "indication", "");
  c.verdict = text_of(json, "verdict", "");
  const bool in_place = c.plan.method == Method::InPlace;
  if (json.contains("ratio")) c.whole = effect_in(json["ratio"], in_place);
  if (json.contains("simulation")) c.simulation = effect_in(json["simulation"], in_place);
  take_noise(json, c);
  if (!json.contains("arms") || !json["arms"].is_object()) return;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!json["arms"].contains(kSides[i])) continue;
    const Json& told = json["arms"][kSides[i]];
    ArmResult& arm = c.arms[i];
    arm.strategy = c.plan.strategies[i];
    arm.blocks = static_cast<u32>(whole_of(told, "blocks"));
    if (!told.is_object() || !told.contains("figures")) continue;
    const Json& figures = told["figures"];
    frame::FrameFigures& f = arm.figures.frame;
    f.frames = whole_of(figures, "frames");
    f.median_us = number_of(figures, "median_us");
    f.p95_us = number_of(figures, "p95_us");
    f.p99_us = number_of(figures, "p99_us");
    f.p999_us = number_of(figures, "p99_9_us");
    f.average_fps = number_of(figures, "average_fps");
    f.spikes = whole_of(figures, "spikes");
    f.allocations_per_frame = number_of(figures, "allocations_per_frame");
    f.low_1_percent_fps = figures.is_object() && figures.contains("low_1_percent_fps")
                              ? number_of(figures["low_1_percent_fps"], "average")
                              : kUnknown;
    arm.figures.stutter_percent = number_of(figures, "stutter_percent");
    arm.figures.rejected = whole_of(figures, "rejected");
    arm.figures.stolen = whole_of(figures, "stolen");
  }
}

}  // namespace

std::string read_run(const std::string& path, StoredRun& stored) {
  stored = {};
  std::error_code ignored;
  stored.path = fs::is_directory(path, ignored) ? newest_run(path) : path;
  if (stored.path.empty()) return path + ": holds no run.json; this is no folder of spellpool compare";
  Json json;
  if (std::string error = read_json(stored.path, true, json); !error.empty()) return error;
  Comparison& c = stored.comparison;
  if (std::string error = take_plan(stored.path, json, c); !error.empty()) return error;
  if (c.state == ComparisonState::UnequalWork) summarise_effects(c);
  else take_figures(json, c);
  const auto beside = [&](const char* key) {
    const std::string name = json.contains("files") ? text_of(json["files"], key, "") : "";
    return name.empty() ? "" : (fs::path(stored.path).parent_path() / fs::path(name).filename()).string();
  };
  stored.frames = beside("frames");
  stored.card = beside("card");
  return "";
}

std::string read_comparison(const std::string& path, Comparison& c) {
  c = {};
  std::error_code ignored;
  const std::string run = fs::is_directory(path, ignored) ? newest_run(path) : path;
  if (run.empty()) return path + ": holds no run.json; this is no folder of spellpool compare";
  Json json;
  if (std::string error = read_json(run, false, json); !error.empty()) return error;
  if (std::string error = take_plan(run, json, c); !error.empty()) return error;
  if (c.state == ComparisonState::UnequalWork) {
    summarise(c);
    return "";
  }

  take_noise(json, c);  // in place no block tells what the machine did
  const fs::path folder = fs::path(run).parent_path();
  std::map<i32, BlockResult> blocks;
  const auto take = [&](const std::string& file) {
    FramesCsv table = read_frames_csv(file);
    if (!table.error.empty()) return table.error;
    for (std::size_t i = 0; i < table.frames.size(); ++i) {
      BlockResult& block = blocks[table.places[i].block];
      block.place = table.places[i];
      block.frames.push_back(table.frames[i]);
    }
    return std::string();
  };
  std::string frames;
  if (json.contains("files")) frames = text_of(json["files"], "frames", "");
  if (!frames.empty()) {
    if (std::string error = take((folder / fs::path(frames).filename()).string()); !error.empty()) return error;
  } else {
    const std::string suffix = fs::path(run).stem().string().substr(3);
    for (fs::directory_iterator entry(folder / ("blocks" + suffix), ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
      fs::path report = entry->path();
      if (report.extension() != ".csv" || !fs::exists(report.replace_extension(".json"))) continue;
      if (std::string error = take(entry->path().string()); !error.empty()) return error;
    }
  }
  const std::vector<ScheduledBlock> schedule = schedule_blocks(std::min(c.plan.quads, 100'000u), c.plan.control);
  for (auto& [number, block] : blocks) {
    if (number < 0) return run + ": its frames tell no block; give the frames.csv itself";
    if (static_cast<std::size_t>(number) < schedule.size()) block.arm = schedule[static_cast<std::size_t>(number)].arm;
    if (json.contains("blocks") && json["blocks"].is_array()) {
      for (const Json& told : json["blocks"]) {
        if (whole_of(told, "block", ~u64{0}) != static_cast<u64>(number)) continue;
        const std::string arm = text_of(told, "arm", "");
        if (arm.size() == 1 && arm[0] >= 'A' && arm[0] <= 'D') block.arm = arm[0];
        block.partial = flag_of(told, "partial");
        block.wall_s = number_of(told, "wall_s");
        block.report.final_hash = hash_of_text(text_of(told, "final_hash", "")).value_or(0);
        block.report.recorder_allocations = whole_of(told, "recorder_allocations");
        block.report.recorder_ns_per_frame = number_of(told, "recorder_ns_per_frame");
        block.report.rss_kib = number_of(told, "rss_kib");
        MachineCounters& counters = block.report.counters;
        counters.cycles = number_of(told, "cycles");
        counters.instructions = number_of(told, "instructions");
        counters.cache_misses = number_of(told, "cache_misses");
        counters.branch_misses = number_of(told, "branch_misses");
        for (const auto& [key, member] : kMachineUseKeys) counters.use.*member = number_of(told, key);
      }
    }
    block.figures = detailed_figures_of(block.frames);
    c.blocks.push_back(std::move(block));
  }
  summarise(c);
  return "";
}

}  // namespace spellpool::measure
