#include "measure/stored_comparison.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

namespace spellpool::measure {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string text_of(const Json& json, const char* key, const std::string& otherwise = "NA") {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : otherwise;
}
u64 whole_of(const Json& json, const char* key, u64 otherwise = 0) {
  return json.is_object() && json.contains(key) && json[key].is_number_unsigned() ? json[key].get<u64>() : otherwise;
}
bool flag_of(const Json& json, const char* key) { return json.is_object() && json.contains(key) && json[key].is_boolean() && json[key].get<bool>(); }
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

}  // namespace

std::string read_comparison(const std::string& path, Comparison& c) {
  c = {};
  std::error_code ignored;
  const std::string run = fs::is_directory(path, ignored) ? newest_run(path) : path;
  if (run.empty()) return path + ": holds no run.json; this is no folder of spellpool compare";
  std::string text;
  if (std::string error = read_whole_file(run, text); !error.empty()) return error;
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || text_of(json, "format") != "spellpool-run-1" || !json.contains("plan")) return run + ": is not a run.json of spellpool";
  const Json& plan = json["plan"];
  c.plan.scene = text_of(plan, "scene");
  const std::array<const char*, 2> sides = {"a", "b"};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = text_of(plan, sides[i], "");
    std::string strategy = name;
    if (json.contains("arms") && json["arms"].contains(sides[i])) strategy = text_of(json["arms"][sides[i]], "strategy", name);
    const auto id = find_by_name<pool::StrategyId>(pool::kStrategies, strategy.substr(0, strategy.find('+')));
    if (!id) return run + ": there is no strategy '" + strategy.substr(0, 60) + "' here";
    c.plan.strategies[i] = *id;
    if (name != pool::row(*id).name) c.plan.labels[i] = name;
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
  c.plan.preset = text_of(plan, "preset");
  c.plan.draw = text_of(plan, "draw");
  if (text_of(json, "method", "").rfind("in-process", 0) == 0) c.plan.method = Method::InPlace;
  if (plan.contains("factors") && plan["factors"].is_object()) {
    for (const auto& [name, value] : plan["factors"].items()) {
      if (value.is_string()) c.plan.factors.emplace_back(name, value.get<std::string>());
    }
  }
  if (json.contains("environment")) read_environment(json["environment"], c.environment);
  const std::string state = text_of(json, "state");
  c.state = state == "done" ? ComparisonState::Done : state == "interrupted" ? ComparisonState::Interrupted : state == "running" ? ComparisonState::Running
            : state == "unequal_work" ? ComparisonState::UnequalWork : ComparisonState::Failed;
  c.message = text_of(json, "message", "");
  if (json.contains("equal_work")) {
    c.hashed_steps = whole_of(json["equal_work"], "hashed_steps");
    c.final_hash = hash_of_text(text_of(json["equal_work"], "replay_hash", "")).value_or(0);
  }
  if (c.state == ComparisonState::UnequalWork) {
    summarise(c);
    return "";
  }

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
    for (fs::directory_iterator entry(folder / ("blocks" + suffix), ignored), end; !ignored && entry != end; entry.increment(ignored)) {
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
        block.report.counters = {number_of(told, "cycles"), number_of(told, "instructions"), number_of(told, "cache_misses"), number_of(told, "branch_misses"),
                                 number_of(told, "steal_ms")};
      }
    }
    block.figures = detailed_figures_of(block.frames);
    c.blocks.push_back(std::move(block));
  }
  summarise(c);
  return "";
}

}  // namespace spellpool::measure
