#include "app/compare_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "app/game.hpp"
#include "app/picture.hpp"
#include "app/pool_sizes.hpp"
#include "core/log.hpp"
#include "measure/experiment.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"

namespace spellpool::app {
namespace {

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

std::vector<std::string> block_command(const CompareOptions& options, const measure::BlockPlan& plan) {
  const WorldOptions& world = options.world;
  // Not the path behind it: a rebuild in the middle of a comparison must not slip another program in.
  std::vector<std::string> argv = {"/proc/self/exe", "block",
                                   "--scene", std::string(frame::row(world.scene).name),
                                   "--preset", std::string(sim::kPresets[static_cast<std::size_t>(world.preset)].name),
                                   "--seed", std::to_string(plan.seed),
                                   "--strategy", std::string(pool::row(plan.strategy).name),
                                   "--width", std::to_string(options.width), "--height", std::to_string(options.height),
                                   "--warmup", std::to_string(plan.warmup_steps), "--steps", std::to_string(plan.steps),
                                   "--autoplay"};
  const auto add = [&](const std::string& name, const std::string& value) {
    if (value.empty()) return;
    argv.push_back(name);
    argv.push_back(value);
  };
  const sim::PoolChoices pools = world.effective_pools();
  for (const frame::PoolName& row : frame::pools_of(world.scene)) {
    const sim::PoolChoice& pool = pools[static_cast<std::size_t>(row.id)];
    add("--overflow", fmt::format("{}={}", row.name, pool::row(pool.policy).name));
    add("--capacity", fmt::format("{}={}", row.name, pool.capacity));
  }
  add("--difficulty", std::string(frame::row(world.difficulty).name));
  add("--data-dir", world.data_dir);
  add("--commands", plan.arm == 'A' ? options.commands_a : options.commands_b);
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

std::string command_line(int argc, const char* const* argv) {
  std::string text = "spellpool";
  for (int i = 1; i < argc; ++i) (text += " ") += argv[i];
  return text;
}

}  // namespace

int run_block(const BlockOptions& block) {
  PlayOptions options = block.play;
  const u64 measured = options.steps.value_or(0);
  options.steps = block.warmup + measured;
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
  while (!game.finished() && !platform::stop_requested()) {
    game.begin_frame();
    game.step({}, picture ? std::optional(picture->density()) : std::nullopt);
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
    error = recorder->write({block.place[0], block.place[1], block.place[2]}, report, block.frames, block.report);
  }
  if (error.empty()) error = game.save();
  if (!error.empty()) return fail(error);
  return platform::stop_requested() ? 130 : 0;
}

int compare_command(const CompareOptions& given, int argc, const char* const* argv) {
  CompareOptions options = given;
  if (options.out.empty()) {
    const platform::PathResult folder = platform::recordings_folder();
    if (!folder.error.empty()) return fail(folder.error);
    options.out = platform::free_name(folder.path, "compare", "").string();
  }
  // What a block would refuse is better said before the first one runs.
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return fail(data.error);
  SpellLibrary library;
  if (std::string error = load_texts(data.path.string(), library, options.world); !error.empty()) return fail(error);
  if (std::string error = options.world.wrong_enemies(library.stages().stage().get()); !error.empty()) return fail(error);
  for (const std::string* path : {&options.commands_a, &options.commands_b}) {
    std::vector<sim::ReplayCommand> script;
    if (path->empty()) continue;
    if (std::string error = read_commands(*path, options.world.scene, script); !error.empty()) return fail(error);
  }

  measure::ExperimentRequest request;
  request.plan.scene = frame::row(options.world.scene).name;
  request.plan.strategies = {options.a, options.b};
  request.plan.quads = options.quads;
  request.plan.steps = options.steps;
  request.plan.seed = options.world.seed;
  request.plan.sim_only = options.sim_only;
  request.plan.capacity = options.world.particle_capacity();
  request.plan.policy = pool::row(options.world.pool(frame::PoolId::Particles).policy).name;
  request.plan.preset = sim::kPresets[static_cast<std::size_t>(options.world.preset)].name;
  request.plan.draw = options.sim_only ? "none" : fmt::format("{}x{} offscreen", options.width, options.height);
  request.out_dir = options.out;
  request.environment = measure::capture_environment();
  request.environment.version = SPELLPOOL_VERSION;
  request.environment.build_type = SPELLPOOL_BUILD;
  request.environment.flags = SPELLPOOL_FLAGS;
  request.environment.command_line = command_line(argc, argv);
  request.block_command = [&](const measure::BlockPlan& plan) { return block_command(options, plan); };

  StopFlag stop;
  measure::ExperimentResult result;
  {
    ProgressBar bar;
    request.progress = [&](double fraction, std::string_view text) { bar.show(fraction, text); };
    result = measure::run_experiment(request, stop.flag);
  }
  for (const std::string& path : {result.run_path, result.frames_path, result.card_path}) {
    if (!path.empty()) fmt::print("{}\n", path);
  }
  if (!result.comparison.message.empty()) log(result.exit_code() == 0 ? LogLevel::Warning : LogLevel::Error, result.comparison.message);
  if (!result.comparison.indication.empty()) fmt::print("{}\n", result.comparison.indication);
  std::fflush(stdout);
  return result.exit_code();
}

}  // namespace spellpool::app
