#include "app/cli/compare_command.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "app/cli/picture.hpp"
#include "app/fail.hpp"
#include "app/library/sound_library.hpp"
#include "app/play/game.hpp"
#include "app/play/pool_sizes.hpp"
#include "app/play/progress_bar.hpp"
#include "app/scene_hooks.hpp"
#include "app/sound/voice_controller.hpp"
#include "audio/offline_audio.hpp"
#include "core/log.hpp"
#include "core/state_hash.hpp"
#include "measure/experiment/child_process.hpp"
#include "measure/experiment/experiment.hpp"
#include "measure/experiment/stored_comparison.hpp"
#include "measure/record/json_text.hpp"
#include "measure/record/statistics.hpp"
#include "measure/report/report_files.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"
#include "sim/spells/world.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The stop signal as the flag that run_experiment watches.
class StopFlag {
 public:
  StopFlag() {
    try {
      thread_ = std::thread([this] {
        while (!done_) {
          if (platform::stop_requested()) flag = true;
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
      });
    } catch (const std::system_error&) {
      // A browser, which has no threads here, sends no signals either.
    }
  }
  ~StopFlag() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::atomic<bool> flag{false};

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

const CompareArm& arm_of(const CompareOptions& options, const measure::BlockPlan& plan) {
  return plan.arm_index() == 1 ? options.b : options.a;
}

std::vector<std::string> block_command(const CompareOptions& options, const measure::BlockPlan& plan) {
  const WorldOptions& world = options.world;
  const CompareArm& arm = arm_of(options, plan);
  // Not the path behind it: a rebuild in the middle of a comparison must not slip another program in.
  std::vector<std::string> argv;
  if (const std::string preload = arm.preload(); !preload.empty()) {
    argv = {"env", "LD_PRELOAD=" + preload, fmt::format("/proc/{}/exe", ::getpid())};
  } else {
    argv = {"/proc/self/exe"};
  }
  const auto add = [&](const std::string& name, const std::string& value) {
    if (value.empty()) return;
    argv.push_back(name);
    argv.push_back(value);
  };
  argv.push_back("block");
  if (options.storage) {
    const StorageLoad& load = *options.storage;
    add("--scene", "storage");
    add("--objects", std::to_string(load.objects));
    add("--size", std::to_string(load.size_bytes));
    add("--churn", std::string(kChurns[static_cast<std::size_t>(load.churn)].name));
    add("--order", std::string(kDeathOrders[static_cast<std::size_t>(load.order)].name));
    if (load.rollback_steps > 0) add("--rollback", std::to_string(load.rollback_steps));
    if (load.full) argv.push_back("--pool-full");
  } else {
    add("--scene", std::string(frame::row(world.scene).name));
    add("--preset", std::string(sim::kPresets[static_cast<std::size_t>(world.preset)].name));
    add("--width", std::to_string(options.width));
    add("--height", std::to_string(options.height));
    add("--difficulty", std::string(frame::row(world.difficulty).name));
    argv.push_back("--autoplay");
  }
  add("--seed", std::to_string(plan.seed));
  add("--strategy", std::string(pool::row(plan.strategy).name));
  add("--warmup", std::to_string(plan.warmup_steps));
  add("--steps", std::to_string(plan.steps));
  const sim::PoolChoices pools = world.effective_pools();
  for (const frame::PoolName& row : frame::pools_of(world.scene)) {
    const sim::PoolChoice& pool = pools[static_cast<std::size_t>(row.id)];
    const bool enemies = row.id == frame::PoolId::Enemies;  // whose pool never fails
    add("--overflow",
        fmt::format("{}={}", row.name, pool::row(enemies ? pool.policy : arm.policy.value_or(pool.policy)).name));
    if (!options.storage) add("--capacity", fmt::format("{}={}", row.name, pool.capacity));
  }
  add("--data-dir", world.data_dir);
  add("--commands", plan.arm_index() == 1 ? options.commands_b : options.commands_a);
  if (options.mixes()) {
    const VoiceChoice voices = arm.voices(options.voices);
    argv.push_back("--mix");
    add("--voices", std::to_string(voices.slots));
    add("--voice-policy", std::string(frame::kVoicePolicies[static_cast<std::size_t>(voices.policy)].name));
    add("--voice-storage", std::string(frame::kVoiceStorages[static_cast<std::size_t>(voices.storage)].name));
  }
  if (arm.memory) add("--memory", std::string(pool::kMemorySources[static_cast<std::size_t>(*arm.memory)].name));
  if (options.heap != measure::HeapAge::Fresh)
    add("--heap", std::string(measure::kHeapAges[static_cast<std::size_t>(options.heap)].name));
  if (options.plant_difference > 0 && plan.arm == 'B')
    add("--plant-difference", std::to_string(options.plant_difference));
  if (plan.sim_only || plan.check_pass) argv.push_back("--sim-only");
  if (plan.check_pass) {
    add("--hash-out", plan.hash_path);
  } else {
    add("--frames", plan.frames_path);
    add("--report", plan.report_path);
    if (plan.place.block >= 0) {
      argv.push_back("--place");
      for (i32 number : {plan.place.block, plan.place.quad, plan.place.pos}) argv.push_back(std::to_string(number));
    }
  }
  return argv;
}

/// A hash of the running program's file: blocks of two programs are not compared.
std::string program_hash() {
  std::string bytes;
  if (!measure::read_whole_file("/proc/self/exe", bytes).empty()) return "NA";
  u64 state = bytes.size();
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    u64 word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    state = mix64(state ^ word);
  }
  return measure::hash_text(state);
}

/// What --resume needs: the words of the command line, where it was typed, and by which program.
std::string note_of(const CompareOptions& options) {
  std::error_code ignored;
  return measure::json_text(
      Json{{"words", options.words}, {"cwd", fs::current_path(ignored).string()}, {"program", program_hash()}}, -1);
}

/// The options of a comparison that was begun in a folder. "" or an error line.
std::string options_again(const std::string& note_text, const std::string& dir, CompareOptions& options) {
  const Json note = Json::parse(note_text, nullptr, false);
  if (!note.is_object() || !note.contains("words") || !note["words"].is_array())
    return "--resume " + dir + ": its plan.json is damaged";
  if (note.value("program", std::string()) != program_hash()) {
    return "--resume " + dir +
           ": was begun by another build of spellpool; blocks of two programs are not compared. Begin anew with "
           "another --out";
  }
  std::vector<std::string> words = {"spellpool"};
  for (const Json& word : note["words"]) {
    if (word.is_string()) words.push_back(word);
  }
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::error_code failed;
  fs::current_path(note.value("cwd", std::string(".")), failed);
  if (failed) return "--resume " + dir + ": the folder it was begun in is gone: " + note.value("cwd", std::string());
  ParseResult parsed = parse_options(static_cast<int>(argv.size()), argv.data());
  if (!parsed.options || parsed.options->command != CommandId::Compare)
    return "--resume " + dir + ": its command is not understood any more: " + parsed.text;
  const bool progress = options.progress;
  options = parsed.options->compare;
  options.progress = progress;
  options.out = dir;
  options.resume = dir;
  return "";
}

/// "" or a line about what a block would refuse: better said before the first one runs.
std::string wrong_in(const CompareOptions& options) {
  if (options.storage) return "";
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return data.error;
  SpellLibrary library;
  WorldOptions world = options.world;
  if (std::string error = load_texts(data.path.string(), library, world); !error.empty()) return error;
  if (std::string error = world.wrong_enemies(library.stages().stage().get()); !error.empty()) return error;
  for (const std::string* path : {&options.commands_a, &options.commands_b}) {
    std::vector<sim::ReplayCommand> script;
    if (path->empty()) continue;
    if (std::string error = read_commands(*path, world.scene, script); !error.empty()) return error;
  }
  return "";
}

std::vector<std::pair<std::string, std::string>> factors_of(const CompareOptions& options) {
  std::vector<std::pair<std::string, std::string>> factors = {
      {"heap", std::string(measure::kHeapAges[static_cast<std::size_t>(options.heap)].name)}};
  if (options.storage) {
    const StorageLoad& load = *options.storage;
    factors.insert(factors.end(), {{"objects", std::to_string(load.objects)},
                                   {"size", std::to_string(load.size_bytes)},
                                   {"churn", std::string(kChurns[static_cast<std::size_t>(load.churn)].name)},
                                   {"order", std::string(kDeathOrders[static_cast<std::size_t>(load.order)].name)},
                                   {"pool_full", load.full ? "yes" : "no"}});
    if (load.rollback_steps > 0) factors.emplace_back("rollback", std::to_string(load.rollback_steps));
  }
  if (options.mixes()) factors.emplace_back("voices", std::to_string(options.voices));
  return factors;
}

measure::ExperimentRequest request_of(const CompareOptions& options) {
  measure::ExperimentRequest request;
  measure::ComparisonPlan& plan = request.plan;
  plan.scene = options.storage ? "storage" : std::string(frame::row(options.world.scene).name);
  plan.strategies = {options.a.strategy, options.b.strategy};
  plan.labels = {options.a.label, options.b.label};
  plan.quads = options.quads;
  plan.control = options.quads >= measure::kLeastQuadsForInterval;  // fewer have no interval that it could be held against
  plan.different_work = different_work(options.a, options.b);
  plan.steps = options.steps;
  plan.seed = options.world.seed;
  plan.sim_only = options.sim_only;
  plan.factors = factors_of(options);
  if (!options.storage) {
    plan.capacity = options.world.particle_capacity();
    plan.policy = pool::row(options.a.policy.value_or(options.world.pool(frame::PoolId::Particles).policy)).name;
    plan.preset = sim::kPresets[static_cast<std::size_t>(options.world.preset)].name;
  }
  plan.draw = options.sim_only ? "none" : fmt::format("{}x{} offscreen", options.width, options.height);
  request.out_dir = options.out;
  request.resume = !options.resume.empty();
  request.note = note_of(options);
  if (options.plan && !options.steps_given) request.fill_s = kPlans[static_cast<std::size_t>(*options.plan)].fill_s;
  request.environment = measure::capture_environment();
  request.environment.version = SPELLPOOL_VERSION;
  request.environment.build_type = SPELLPOOL_BUILD;
  request.environment.flags = SPELLPOOL_FLAGS;
  request.environment.command_line = "spellpool";
  for (const std::string& word : options.words) (request.environment.command_line += " ") += word;
  request.block_command = [options](const measure::BlockPlan& block) { return block_command(options, block); };
  return request;
}

/// One comparison, with its bar. The outcome's last line goes to stdout.
int run_one(const CompareOptions& options, const std::atomic<bool>& stop, measure::Comparison* found = nullptr) {
  measure::ExperimentRequest request = request_of(options);
  measure::ExperimentResult result;
  {
    ProgressBar bar(options.progress);
    request.only_estimate = options.estimate;
    request.progress = [&](double fraction, std::string_view text) { bar.show(fraction, text); };
    request.announce = [&](const std::string& line) { bar.line(line); };
    result = measure::run_experiment(request, stop);
  }
  if (options.estimate && result.comparison.message.empty()) return 0;
  for (const std::string& path : {result.run_path, result.frames_path, result.card_path}) {
    if (!path.empty()) print_line(path);
  }
  // For people and other tools; what cannot be written costs the comparison nothing.
  if (result.comparison.state == measure::ComparisonState::Done && !result.run_path.empty()) {
    std::vector<std::string> errors;
    for (const std::string& path :
         measure::write_report(measure::report_of(result.comparison), &result.comparison, options.out, errors))
      print_line(path);
    for (const std::string& error : errors) log(LogLevel::Warning, error);
  }
  if (!result.comparison.message.empty())
    log(result.exit_code() == 0 ? LogLevel::Warning : LogLevel::Error, result.comparison.message);
  const std::string last = result.comparison.last_line();
  if (!last.empty()) print_line(last);
  std::fflush(stdout);
  const int code = result.exit_code();
  if (found != nullptr) *found = std::move(result.comparison);
  return code;
}

/// One of several comparisons: `--all`, and the matrix.
struct Cell {
  std::string label;
  CompareOptions options;
  std::array<std::string, 3> place;  ///< Of the matrix: table, row, column.
};

std::vector<Cell> cells_of(const CompareOptions& options) {
  std::vector<Cell> cells;
  const auto add = [&](Cell cell) {
    cell.options.all.clear();
    cell.options.out = (fs::path(options.out) / fmt::format("{:02}-{}", cells.size() + 1, cell.label)).string();
    for (char& c : cell.options.out) c = c == ' ' || c == ',' ? '_' : c;
    cells.push_back(std::move(cell));
  };
  if (!options.all.empty()) {
    std::vector<std::string> words;
    (void)arms_of(options.all, options.a, words);
    for (const std::string& word : words) {
      Cell cell{word, options, {}};
      cell.options.b = {};
      if (!parse_arm("--all", word, cell.options.b).empty()) continue;
      if (options.storage && !storage_load_has(cell.options.b.strategy)) continue;
      add(std::move(cell));
    }
  } else if (options.plan == PlanId::Matrix) {
    for (const u32 size : kObjectSizes) {
      for (const measure::HeapAge age : {measure::HeapAge::Fresh, measure::HeapAge::AgedHeavy}) {
        for (const u32 objects : {1'000u, 10'000u, 100'000u}) {
          for (const ChurnRow& churn : kChurns) {
            const std::string age_name(measure::kHeapAges[static_cast<std::size_t>(age)].name);
            Cell cell{fmt::format("{} B {} {} {}", size, age_name, objects, churn.name), options,
                      {fmt::format("{} bytes", size), fmt::format("{} objects, {} churn", objects, churn.name), age_name + " heap"}};
            StorageLoad load = options.storage.value_or(StorageLoad{});
            load.objects = objects, load.size_bytes = size, load.churn = churn.id;
            cell.options.storage = load;
            cell.options.heap = age;
            cell.options.sim_only = true;
            cell.options.plan.reset();  // its quads and steps are in the options
            add(std::move(cell));
          }
        }
      }
    }
  }
  return cells;
}

/// The report of all cells: a forest plot, and for the matrix its heat map.
measure::Report report_of_cells(const CompareOptions& options, const std::vector<Cell>& cells,
                                const std::vector<measure::ForestRow>& rows) {
  measure::Report report;
  std::size_t faster = 0, slower = 0, same = 0, noisy = 0;
  for (const measure::ForestRow& row : rows) {
    const bool differs = row.outcome.find("faster") != std::string::npos;
    (row.outcome == "too noisy" ? noisy : differs ? (row.point < 1 ? faster : slower) : same) += 1;
  }
  const std::string a = options.a.label.empty() ? std::string(pool::row(options.a.strategy).name) : options.a.label;
  const std::string b = options.b.label.empty() ? std::string(pool::row(options.b.strategy).name) : options.b.label;
  const bool matrix = options.all.empty();
  report.title =
      matrix ? "Where " + b + " wins against " + a + ", and where it loses" : a + " against all " + options.all;
  report.verdict = fmt::format("{} of {} conditions: {} faster in {}, {} faster in {}, no difference detected in {}",
                               rows.size(), cells.size(), matrix ? b : "the other", faster, a, slower, same);
  if (noisy > 0) report.verdict += fmt::format(", too noisy to decide in {}", noisy);
  report.badge = "indication";
  report.badge_told = fmt::format(
      "{} quads a cell, each with its A/A control; many comparisons at once, of which some leave 1 by chance.",
      options.quads);
  report.forest = rows;
  if (matrix) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& [table, row, column] = cells[i].place;
      if (report.heat.empty() || report.heat.back().title != table) report.heat.push_back({table, {}, {}, {}});
      measure::HeatTable& heat = report.heat.back();
      if (std::find(heat.rows.begin(), heat.rows.end(), row) == heat.rows.end()) heat.rows.push_back(row);
      if (std::find(heat.columns.begin(), heat.columns.end(), column) == heat.columns.end())
        heat.columns.push_back(column);
    }
    for (measure::HeatTable& heat : report.heat) {
      heat.cells.resize(heat.rows.size() * heat.columns.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (cells[i].place[0] != heat.title) continue;
        const auto row = std::find(heat.rows.begin(), heat.rows.end(), cells[i].place[1]) - heat.rows.begin();
        const auto column =
            std::find(heat.columns.begin(), heat.columns.end(), cells[i].place[2]) - heat.columns.begin();
        heat.cells[static_cast<std::size_t>(row) * heat.columns.size() + static_cast<std::size_t>(column)] = rows[i];
      }
    }
  }
  const measure::Environment e = measure::capture_environment();
  report.system = {{"Program", std::string("spellpool ") + SPELLPOOL_VERSION + ", " + SPELLPOOL_BUILD},
                   {"Compiler", e.compiler + " " + SPELLPOOL_FLAGS},
                   {"C library, allocator", e.libc + ", " + e.allocator},
                   {"System", e.os + ", " + e.kernel},
                   {"Processor", fmt::format("{}, {} CPUs", e.cpu, e.cpus)}};
  report.date = e.date;
  report.command = "spellpool";
  for (const std::string& word : options.words) (report.command += " ") += word;
  return report;
}

/// Seconds that one measured block of this cell takes here; NaN where it failed.
double block_seconds(const CompareOptions& options, const std::atomic<bool>& stop) {
  std::error_code ignored;
  const fs::path scratch = fs::temp_directory_path(ignored) / fmt::format("spellpool-trial-{}", ::getpid());
  fs::create_directories(scratch, ignored);
  measure::BlockPlan plan;
  plan.strategy = options.a.strategy;
  plan.seed = options.world.seed;
  plan.warmup_steps = measure::kLeastWarmupSteps;
  plan.steps = options.steps;
  plan.sim_only = options.sim_only;
  plan.frames_path = (scratch / "frames").string();
  plan.report_path = (scratch / "report").string();
  const auto start = std::chrono::steady_clock::now();
  const bool good = measure::run_child(block_command(options, plan), (scratch / "log").string(), stop, {}).succeeded();
  fs::remove_all(scratch, ignored);
  return good ? std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() : measure::kUnknown;
}

/// Runs the cells one after the other, each in a folder of its own; a finished one is not run again. all.json says
/// how far it is.
int run_cells(const CompareOptions& options, const std::vector<Cell>& cells, const std::atomic<bool>& stop) {
  const std::size_t blocks = cells.size() * options.quads * (options.quads >= measure::kLeastQuadsForInterval ? 8 : 4);
  double seconds = 0;
  for (const Cell& cell : cells) {
    if (stop) return 130;
    seconds += block_seconds(cell.options, stop) * static_cast<double>(blocks / cells.size() + 2);
  }
  log(LogLevel::Info,
      fmt::format(
          "{} comparisons, {} blocks: about {}. Ctrl+C keeps what is done; spellpool compare --resume {} goes on.",
          cells.size(), blocks, std::isfinite(seconds) ? measure::duration_text(seconds) : "NA", options.out));
  if (options.estimate) return 0;
  std::vector<measure::ForestRow> rows;
  Json done = Json::array();
  int worst = 0;
  const auto keep = [&](const char* state) {
    const Json json = {
        {"format", "spellpool-all-1"}, {"state", state}, {"note", Json::parse(note_of(options))}, {"cells", done}};
    return measure::replace_file((fs::path(options.out) / "all.json").string(), measure::json_text(json, 2) + "\n");
  };
  std::error_code failed;
  fs::create_directories(options.out, failed);
  if (std::string error = failed ? measure::write_error(options.out, failed.value()) : keep("running"); !error.empty())
    return fail(error);
  for (const Cell& cell : cells) {
    measure::Comparison found;
    CompareOptions now = cell.options;
    const bool finished =
        measure::read_comparison(now.out, found).empty() && found.state == measure::ComparisonState::Done;
    int code = 0;
    if (!finished) {
      now.resume = measure::unfinished_in(now.out) ? now.out : "";
      log(LogLevel::Info, fmt::format("{} of {}: {}", rows.size() + 1, cells.size(), cell.label));
      code = run_one(now, stop, &found);
    }
    if (code == 130 || stop) {
      keep("interrupted");
      return 130;
    }
    worst = std::max(worst, code);
    measure::ForestRow row = measure::forest_row_of(found, cell.label);
    if (code != 0) row.outcome = found.message;
    const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
    done.push_back({{"cell", cell.label},
                    {"folder", fs::path(now.out).filename().string()},
                    {"b_over_a", number(row.point)},
                    {"low", number(row.low)},
                    {"high", number(row.high)},
                    {"control_low", number(row.control_low)},
                    {"control_high", number(row.control_high)},
                    {"outcome", row.outcome}});
    rows.push_back(std::move(row));
    if (std::string error = keep("running"); !error.empty()) return fail(error);
  }
  keep("done");
  const measure::Report report = report_of_cells(options, cells, rows);
  std::vector<std::string> errors;
  for (const std::string& path : measure::write_report(report, nullptr, options.out, errors)) print_line(path);
  for (const std::string& error : errors) log(LogLevel::Warning, error);
  print_line(report.verdict);
  std::fflush(stdout);
  return worst;
}

/// A block, or the check pass, of --scene storage.
int run_storage_block(const BlockOptions& block, u64 measured) {
  const WorldOptions& options = block.play.world;
  const sim::PoolChoice& choice = options.pool(frame::PoolId::Particles);
  const std::unique_ptr<StorageWorld> world = make_storage_world(*block.storage, choice.strategy, choice.policy);
  const bool check_pass = block.frames.empty();
  measure::FrameRecorder frames;
  measure::BlockRecorder kept(block.warmup, check_pass ? 0 : measured);
  measure::MachineCounting counting;
  std::string hashes;
  bool dropped = false;
  while (world->steps() < block.warmup + measured && !platform::stop_requested()) {
    if (world->steps() == block.warmup) counting.start();
    frames.begin_frame();
    world->step(&frames.phases());
    frame::FrameRecord record;
    world->describe(record);
    kept.push(frames.end_frame(record));
    if (block.plant_difference > 0 && !dropped && world->steps() >= block.plant_difference) dropped = world->drop_one();
    if (check_pass) hashes += fmt::format("{} {}\n", world->steps(), measure::hash_text(world->hash()));
  }
  std::string error;
  if (check_pass) {
    error = measure::replace_file(block.play.hash_out, hashes);
  } else {
    measure::BlockReport report;
    report.final_hash = world->hash();
    report.renderer = "none (simulation only)";
    report.counters = counting.stop();
    report.rss_kib = measure::resident_kib();
    report.recorder_allocations = frames.own_allocations() + kept.own_allocations();
    report.recorder_ns_per_frame = measure::recorder_cost_ns();
    error = kept.write({block.place[0], block.place[1], block.place[2]}, report, block.frames, block.report);
  }
  if (!error.empty()) return fail(error);
  return platform::stop_requested() ? 130 : 0;
}

/// The sound of a block, mixed step by step within its frames: as the audio thread would, but none disturbs another.
class BlockSound {
 public:
  BlockSound(const VoiceChoice& voices, const std::string& data_dir)
      : sounds_(sound_folders(data_dir, Own::No)), audio_(offline_options(voices), sounds_.bank(kWav_hz)) {}
  void step(std::span<const frame::AudioEvent> events) { heard_ = audio_.advance_step(events); }
  /// Adds the sounds that found no slot, and the stolen voices, since the last call.
  void count(frame::FrameRecord& record) {
    const audio::MixerStats now = audio_.stats();
    record.rejected += static_cast<u32>(now.rejected - before_.rejected);
    record.stolen += static_cast<u32>(now.stolen + now.made_virtual - before_.stolen - before_.made_virtual);
    before_ = now;
  }
  /// Combines the world's hash with the samples that its last step mixed.
  u64 hash(u64 world) const {
    StateHash hash;
    hash.add(world);
    for (const float sample : heard_) hash.add(sample);
    return hash.value();
  }

 private:
  SoundLibrary sounds_;
  audio::OfflineAudio audio_;
  std::span<const float> heard_;
  audio::MixerStats before_;
};

}  // namespace

int run_block(const BlockOptions& block) {
  PlayOptions options = block.play;
  const u64 measured = options.steps.value_or(0);
  options.steps = block.warmup + measured;
  measure::AgedHeap heap;  // until the block ends
  if (!heap.age(block.heap))
    return fail(fmt::format("--heap {}: not enough memory; it takes 1.4 GB",
                            measure::kHeapAges[static_cast<std::size_t>(block.heap)].name));
  if (block.storage) return run_storage_block(block, measured);
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return fail(data.error);
  SpellLibrary library;
  if (std::string error = load_texts(data.path.string(), library, options.world); !error.empty()) return fail(error);
  std::optional<BlockSound> sound;
  std::string heard_hashes, heard_path;
  if (block.mixes) {
    sound.emplace(options.voices, data.path.string());
    std::swap(heard_path, options.hash_out);  // the world's hashes do not cover the mixed samples
  }
  Game game(options, library);
  if (!game.error().empty()) return fail(game.error());

  const bool check_pass = block.frames.empty();
  std::optional<Picture> picture;
  if (!check_pass && !options.sim_only) {
    picture.emplace();
    if (std::string error = picture->open(game.options(), data.path.string()); !error.empty()) {
      return fail("no OpenGL for a comparison with drawing (" + error + "); add --sim-only");
    }
    game.renderer = picture->renderer_name();
  }
  std::optional<measure::BlockRecorder> recorder;
  if (!check_pass) recorder.emplace(block.warmup, measured);
  if (block.memory) game.queue({.kind = frame::SimCommandKind::SetMemory, .choice = static_cast<u8>(*block.memory)});
  measure::MachineCounting counting;
  bool dropped = false;
  while (!game.finished() && !platform::stop_requested()) {
    if (recorder && game.world().steps() == block.warmup) counting.start();
    game.begin_frame();
    game.step({}, picture ? std::optional(picture->density()) : std::nullopt);
    if (block.plant_difference > 0 && !dropped && game.world().steps() >= block.plant_difference) {
      dropped = scene_hooks(game.world()).drop_one_particle(game.world());
    }
    if (sound) sound->step(game.step_sounds());
    if (picture) picture->draw(game);
    frame::FrameRecord record = game.end_frame();
    if (sound) sound->count(record);
    if (recorder) recorder->push(record);
    if (!heard_path.empty())
      heard_hashes +=
          fmt::format("{} {}\n", game.world().steps(), measure::hash_text(sound->hash(game.session().hash())));
  }
  std::string error;
  if (!heard_path.empty()) error = measure::replace_file(heard_path, heard_hashes);
  if (recorder) {
    measure::BlockReport report;
    report.final_hash = sound ? sound->hash(game.session().hash()) : game.session().hash();
    report.renderer = game.renderer;
    report.vsync = options.sim_only ? "NA" : "off";
    report.recorder_allocations = game.recorder().own_allocations() + recorder->own_allocations();
    report.counters = counting.stop();
    report.rss_kib = measure::resident_kib();
    report.recorder_ns_per_frame = measure::recorder_cost_ns();
    error = recorder->write({block.place[0], block.place[1], block.place[2]}, report, block.frames, block.report);
  }
  if (error.empty()) error = game.save();
  if (!error.empty()) return fail(error);
  return platform::stop_requested() ? 130 : 0;
}

int compare_command(const CompareOptions& given) {
  CompareOptions options = given;
  if (!given.resume.empty()) {
    std::error_code failed;
    const std::string dir = fs::absolute(given.resume, failed).string();
    std::string note, text;
    if (const std::optional<measure::Unfinished> unfinished = measure::unfinished_in(dir)) note = unfinished->note;
    if (measure::read_whole_file((fs::path(dir) / "all.json").string(), text).empty()) {
      const Json all = Json::parse(text, nullptr, false);
      if (all.is_object() && all.contains("note")) note = measure::json_text(all["note"], -1);
    }
    if (note.empty()) return fail("--resume " + given.resume + ": holds no comparison that was begun and not finished");
    if (std::string error = options_again(note, dir, options); !error.empty()) return fail(error);
  }
  if (options.out.empty()) {
    const platform::PathResult folder = platform::recordings_folder();
    if (!folder.error.empty()) return fail(folder.error);
    options.out = platform::free_name(folder.path, "compare", "").string();
  }
  if (std::string error = wrong_in(options); !error.empty()) return fail(error);
  StopFlag stop;
  const bool many = !options.all.empty() || options.plan == PlanId::Matrix;
  if (!many) return run_one(options, stop.flag);
  const fs::path out(options.out);
  std::error_code ignored;
  if (options.resume.empty() && fs::exists(out / "all.json", ignored))
    options.out = platform::free_name(out.parent_path(), out.filename().string(), "").string();
  return run_cells(options, cells_of(options), stop.flag);
}

}  // namespace spellpool::app
