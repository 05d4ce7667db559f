#include "app/compare_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/game.hpp"
#include "app/picture.hpp"
#include "app/pool_sizes.hpp"
#include "core/log.hpp"
#include "core/state_hash.hpp"
#include "measure/child_process.hpp"
#include "measure/experiment.hpp"
#include "measure/report_files.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"
#include "sim/world.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

int fail(const std::string& error) {
  log(LogLevel::Error, error);
  return 2;
}

/// A line on stderr that is drawn over itself on a terminal, and now and then a plain line elsewhere.
class ProgressBar {
 public:
  void show(double fraction, std::string_view text) {
    if (::isatty(2)) {
      constexpr int kCells = 28;
      const int full = static_cast<int>(fraction * kCells);
      std::string bar;
      for (int i = 0; i < kCells; ++i) bar += i < full ? "█" : "░";
      say(fmt::format("\r\x1b[K{} {:3.0f} %  {}", bar, fraction * 100.0, text));
    } else if (fraction >= next_) {
      say(fmt::format("{:3.0f} %  {}\n", fraction * 100.0, text));
      next_ = fraction + 0.1;
    }
  }
  /// A line that stays, above the bar.
  void line(const std::string& text) { say((::isatty(2) ? "\r\x1b[K" : "") + text + "\n"); }
  ~ProgressBar() {
    if (::isatty(2)) say("\r\x1b[K");
  }

 private:
  /// Nobody has to be there to see it: a closed stderr does not end a comparison.
  static void say(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
  }
  double next_ = 0;
};

/// The stop signal as the flag that run_experiment watches.
class StopFlag {
 public:
  StopFlag() : thread_([this] {
      while (!done_) {
        if (platform::stop_requested()) flag = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }) {}
  ~StopFlag() {
    done_ = true;
    thread_.join();
  }
  std::atomic<bool> flag{false};

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

const CompareArm& arm_of(const CompareOptions& options, const measure::BlockPlan& plan) { return plan.arm_index() == 1 ? options.b : options.a; }

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
    add("--overflow", fmt::format("{}={}", row.name, pool::row(enemies ? pool.policy : arm.policy.value_or(pool.policy)).name));
    if (!options.storage) add("--capacity", fmt::format("{}={}", row.name, pool.capacity));
  }
  add("--data-dir", world.data_dir);
  add("--commands", plan.arm_index() == 1 ? options.commands_b : options.commands_a);
  if (arm.memory) add("--memory", std::string(pool::kMemorySources[static_cast<std::size_t>(*arm.memory)].name));
  if (options.heap != measure::HeapAge::Fresh) add("--heap", std::string(measure::kHeapAges[static_cast<std::size_t>(options.heap)].name));
  if (options.plant_difference > 0 && plan.arm == 'B') add("--plant-difference", std::to_string(options.plant_difference));
  if (plan.sim_only || plan.check_pass) argv.push_back("--sim-only");
  if (plan.check_pass) {
    add("--hash-out", plan.hash_path);
  } else {
    add("--frames", plan.frames_path);
    add("--report", plan.report_path);
    argv.push_back("--place");
    for (i32 number : {plan.place.block, plan.place.quad, plan.place.pos}) argv.push_back(std::to_string(number));
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
  return Json{{"words", options.words}, {"cwd", fs::current_path(ignored).string()}, {"program", program_hash()}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The options of a comparison that was begun in a folder. "" or an error line.
std::string options_again(const std::string& note_text, const std::string& dir, CompareOptions& options) {
  const Json note = Json::parse(note_text, nullptr, false);
  if (!note.is_object() || !note.contains("words") || !note["words"].is_array()) return "--resume " + dir + ": its plan.json is damaged";
  if (note.value("program", std::string()) != program_hash()) {
    return "--resume " + dir + ": was begun by another build of spellpool; blocks of two programs are not compared. Begin anew with another --out";
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
  if (!parsed.options || parsed.options->command != CommandId::Compare) return "--resume " + dir + ": its command is not understood any more: " + parsed.text;
  options = parsed.options->compare;
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
  std::vector<std::pair<std::string, std::string>> factors = {{"heap", std::string(measure::kHeapAges[static_cast<std::size_t>(options.heap)].name)}};
  if (options.storage) {
    const StorageLoad& load = *options.storage;
    factors.insert(factors.end(), {{"objects", std::to_string(load.objects)},
                                   {"size", std::to_string(load.size_bytes)},
                                   {"churn", std::string(kChurns[static_cast<std::size_t>(load.churn)].name)},
                                   {"order", std::string(kDeathOrders[static_cast<std::size_t>(load.order)].name)},
                                   {"pool_full", load.full ? "yes" : "no"}});
  }
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
int run_one(const CompareOptions& options, const std::atomic<bool>& stop) {
  measure::ExperimentRequest request = request_of(options);
  measure::ExperimentResult result;
  {
    ProgressBar bar;
    request.only_estimate = options.estimate;
    request.progress = [&](double fraction, std::string_view text) { bar.show(fraction, text); };
    request.announce = [&](const std::string& line) { bar.line(line); };
    result = measure::run_experiment(request, stop);
  }
  if (options.estimate && result.comparison.message.empty()) return 0;
  for (const std::string& path : {result.run_path, result.frames_path, result.card_path}) {
    if (!path.empty()) fmt::print("{}\n", path);
  }
  // For people and other tools; what cannot be written costs the comparison nothing.
  if (result.comparison.state == measure::ComparisonState::Done && !result.run_path.empty()) {
    std::vector<std::string> errors;
    for (const std::string& path : measure::write_report(measure::report_of(result.comparison), &result.comparison, options.out, errors)) fmt::print("{}\n", path);
    for (const std::string& error : errors) log(LogLevel::Warning, error);
  }
  if (!result.comparison.message.empty()) log(result.exit_code() == 0 ? LogLevel::Warning : LogLevel::Error, result.comparison.message);
  const std::string last = result.comparison.last_line();
  if (!last.empty()) fmt::print("{}\n", last);
  std::fflush(stdout);
  return result.exit_code();
}

/// For --plant-difference. False: none is alive yet.
bool drop_one_particle(sim::GameWorld& world) {
  sim::World* const spells = world.spells_world();
  if (spells == nullptr) return false;
  // The one born first, so that every strategy loses the same.
  u64 first = ~u64{0};
  sim::ParticleHandle oldest{};
  spells->particles().for_each([&](sim::ParticleHandle handle, const sim::Particle& particle) {
    if (particle.spawn_id >= first) return;
    first = particle.spawn_id;
    oldest = handle;
  });
  return first != ~u64{0} && spells->particles().pool().release(oldest) == pool::ReleaseResult::Released;
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

}  // namespace

int run_block(const BlockOptions& block) {
  PlayOptions options = block.play;
  const u64 measured = options.steps.value_or(0);
  options.steps = block.warmup + measured;
  if (!measure::age_heap(block.heap)) return fail(fmt::format("--heap {}: not enough memory; it takes 1.4 GB", measure::kHeapAges[static_cast<std::size_t>(block.heap)].name));
  if (block.storage) return run_storage_block(block, measured);
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return fail(data.error);
  SpellLibrary library;
  if (std::string error = load_texts(data.path.string(), library, options.world); !error.empty()) return fail(error);
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
    game.step({}, nullptr, picture ? std::optional(picture->density()) : std::nullopt);
    if (block.plant_difference > 0 && !dropped && game.world().steps() >= block.plant_difference) dropped = drop_one_particle(game.world());
    if (picture) picture->draw(game);
    const frame::FrameRecord& record = game.end_frame();
    if (recorder) recorder->push(record);
  }
  std::string error;
  if (recorder) {
    measure::BlockReport report;
    report.final_hash = game.session().hash();
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
    const std::optional<measure::Unfinished> unfinished = measure::unfinished_in(dir);
    if (!unfinished) return fail("--resume " + given.resume + ": holds no comparison that was begun and not finished");
    if (std::string error = options_again(unfinished->note, dir, options); !error.empty()) return fail(error);
  }
  if (options.out.empty()) {
    const platform::PathResult folder = platform::recordings_folder();
    if (!folder.error.empty()) return fail(folder.error);
    options.out = platform::free_name(folder.path, "compare", "").string();
  }
  if (std::string error = wrong_in(options); !error.empty()) return fail(error);
  StopFlag stop;
  return run_one(options, stop.flag);
}

}  // namespace spellpool::app
