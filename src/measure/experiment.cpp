#include "measure/experiment.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "measure/child_process.hpp"
#include "measure/comparison_files.hpp"
#include "measure/run_json.hpp"

namespace spellpool::measure {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// "40 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds) {
  const auto s = static_cast<long>(std::ceil(seconds));
  if (s < 60) return std::to_string(s) + " s";
  if (s < 3600) return std::to_string(s / 60) + " min " + std::to_string(s % 60) + " s";
  return std::to_string(s / 3600) + " h " + std::to_string(s % 3600 / 60) + " min";
}

/// The command for a message: a program that starts itself by /proc/self/exe, so that a rebuild in the middle changes
/// nothing, is shown by its name.
std::string shown_command(std::vector<std::string> argv) {
  std::error_code failed;
  if (!argv.empty() && argv[0] == "/proc/self/exe") {
    const std::string name = fs::read_symlink(argv[0], failed).string();
    if (!failed) argv[0] = name;
  }
  return command_text(argv);
}

/// The folder for the blocks' files; removed with all that is in it.
class BlockFolder {
 public:
  ~BlockFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  std::string create(const std::string& out_dir) {
    std::error_code failed;
    fs::create_directories(out_dir, failed);
    if (failed) return write_error(out_dir, failed.value());
    std::string name = (fs::path(out_dir) / ".blocks-XXXXXX").string();
    if (!mkdtemp(name.data())) return write_error(out_dir, errno);
    path_ = name;
    return "";
  }
  std::string file(const std::string& name) const { return (fs::path(path_) / name).string(); }

 private:
  std::string path_;
};

class Experiment {
 public:
  Experiment(const ExperimentRequest& request, const std::atomic<bool>& interrupted)
      : request_(request), interrupted_(interrupted) {
    Comparison& c = result_.comparison;
    c.plan = request.plan;
    c.plan.warmup_steps = std::max(c.plan.warmup_steps, kLeastWarmupSteps);
    c.environment = request.environment;
  }

  ExperimentResult run() {
    Comparison& c = result_.comparison;
    c.message = plan_error(c.plan);
    if (c.message.empty()) c.message = folder_.create(request_.out_dir);
    if (!c.message.empty()) return std::move(result_);
    schedule_ = schedule_blocks(c.plan.quads);
    c.state = ComparisonState::Done;
    if (check_equal_work()) measure_blocks();
    write_files();
    report(1.0, std::string(state_name(c.state)));
    return std::move(result_);
  }

 private:
  Comparison& found() { return result_.comparison; }
  const ComparisonPlan& plan() const { return result_.comparison.plan; }
  std::string name_of(char arm) const { return std::string(pool::row(plan().strategies[arm == 'A' ? 0 : 1]).name); }

  bool give_up(ComparisonState state, std::string message) {
    found().state = state;
    found().message = std::move(message);
    return false;
  }

  void report(double fraction, const std::string& text) const {
    if (request_.progress) request_.progress(fraction, text);
  }

  BlockPlan block_plan(char arm) const {
    BlockPlan block;
    block.arm = arm;
    block.strategy = plan().strategies[arm == 'A' ? 0 : 1];
    block.scene = plan().scene;
    block.seed = plan().seed;
    block.warmup_steps = plan().warmup_steps;
    block.steps = plan().steps;
    block.sim_only = plan().sim_only;
    return block;
  }

  /// Runs one child. False: interrupted or failed, and state and message say so. `what` is for progress and messages.
  bool run(const BlockPlan& block, const std::string& what) {
    const std::vector<std::string> argv = request_.block_command(block);
    const std::string log = folder_.file("log.txt");
    const Clock::time_point start = Clock::now();
    const std::size_t jobs = schedule_.size() + 2;
    const auto tick = [&] {
      const double here_s = seconds_since(start);
      // Blocks all take about the same; the check passes only stand in until the first block is done.
      const double each_s = timed_jobs_ > 0 ? timed_s_ / timed_jobs_ : 0.0;
      const double share = each_s > 0 ? std::min(0.95, here_s / each_s) : 0.0;
      const double left = static_cast<double>(jobs - jobs_done_) - share;
      std::string text = what;
      if (each_s > 0) text += " · about " + duration_text(left * each_s) + " left";
      report((static_cast<double>(jobs_done_) + share) / static_cast<double>(jobs), text);
    };
    tick();
    const ChildResult child = run_child(argv, log, interrupted_, tick);
    last_wall_s_ = seconds_since(start);
    if (child.end == ChildEnd::Stopped || interrupted_) {
      return give_up(ComparisonState::Interrupted, "interrupted in " + what);
    }
    if (!child.succeeded()) {
      std::string message = what + " " + child.text() + ": " + shown_command(argv);
      const std::string last = last_line_of(log);
      if (!last.empty()) message += " (its last line: " + last + ")";
      return give_up(ComparisonState::Failed, message);
    }
    if (!block.check_pass && !blocks_timed_) {
      blocks_timed_ = true;
      timed_s_ = timed_jobs_ = 0;
    }
    timed_s_ += last_wall_s_;
    timed_jobs_ += 1;
    ++jobs_done_;
    return true;
  }

  bool check_equal_work() {
    std::array<std::string, 2> files = {folder_.file("hashes_a.txt"), folder_.file("hashes_b.txt")};
    for (std::size_t i = 0; i < 2; ++i) {
      BlockPlan block = block_plan(i == 0 ? 'A' : 'B');
      block.check_pass = true;
      block.hash_path = files[i];
      if (!run(block, "check pass " + std::to_string(i + 1) + " of 2 · " + name_of(block.arm))) return false;
    }
    const HashCheck check = compare_hash_files(files[0], files[1], name_of('A'), name_of('B'));
    if (!check.error.empty()) return give_up(ComparisonState::Failed, "the check pass left no hashes: " + check.error);
    if (!check.equal) {
      return give_up(ComparisonState::UnequalWork,
                     "refused, the work was not equal: first difference at " + check.difference);
    }
    found().hashed_steps = check.steps;
    found().final_hash = check.final_hash;
    return true;
  }

  void measure_blocks() {
    for (const ScheduledBlock& scheduled : schedule_) {
      BlockPlan block = block_plan(scheduled.arm);
      block.place = scheduled.place;
      block.frames_path = folder_.file("frames.csv");
      block.report_path = folder_.file("report.json");
      const std::string what = "block " + std::to_string(block.place.block + 1) + " of " +
                               std::to_string(schedule_.size()) + " · " + name_of(block.arm);
      const bool ran = run(block, what);
      if (!ran) {
        if (found().state == ComparisonState::Interrupted) keep_partial(block);
        return;
      }
      if (!keep(block, what)) return;
    }
  }

  /// Takes over what a block wrote, and removes its files.
  bool keep(const BlockPlan& block, const std::string& what) {
    BlockResult done;
    done.place = block.place;
    done.arm = block.arm;
    done.wall_s = last_wall_s_;
    std::string wrong = read_block_report(block.report_path, done.report);
    if (wrong.empty()) {
      FramesCsv table = read_frames_csv(block.frames_path);
      wrong = table.error;
      done.frames = std::move(table.frames);
    }
    if (wrong.empty() && done.frames.size() != plan().steps) {
      wrong = "it kept " + std::to_string(done.frames.size()) + " frames, not " + std::to_string(plan().steps);
    }
    if (!wrong.empty()) {
      return give_up(ComparisonState::Failed, what + " ended well but left no good result: " + wrong);
    }
    if (done.report.final_hash != found().final_hash) {
      return give_up(ComparisonState::UnequalWork, "refused, the work was not equal: after the last step, check pass " +
                                                       hash_text(found().final_hash) + ", " + what + " " +
                                                       hash_text(done.report.final_hash));
    }
    done.figures = detailed_figures_of(done.frames);
    found().environment.renderer = done.report.renderer;
    found().environment.vsync = done.report.vsync;
    found().blocks.push_back(std::move(done));
    remove_files(block);
    return true;
  }

  /// A block that saved what it had when it was told to end: its frames are kept, but count in no figure.
  void keep_partial(const BlockPlan& block) {
    FramesCsv table = read_frames_csv(block.frames_path);
    if (table.frames.empty()) return;
    BlockResult part;
    part.place = block.place;
    part.arm = block.arm;
    part.partial = true;
    part.wall_s = last_wall_s_;
    part.frames = std::move(table.frames);
    part.figures = detailed_figures_of(part.frames);
    found().blocks.push_back(std::move(part));
  }

  static void remove_files(const BlockPlan& block) {
    std::error_code ignored;
    fs::remove(block.frames_path, ignored);
    fs::remove(block.report_path, ignored);
  }

  void write_files() {
    Comparison& c = found();
    if (c.state == ComparisonState::Failed && c.blocks.empty()) return;
    ComparisonFiles files = write_comparison(c, request_.out_dir);
    result_.run_path = std::move(files.run);
    result_.frames_path = std::move(files.frames);
    result_.card_path = std::move(files.card);
  }

  const ExperimentRequest& request_;
  const std::atomic<bool>& interrupted_;
  ExperimentResult result_;
  BlockFolder folder_;
  std::vector<ScheduledBlock> schedule_;
  std::size_t jobs_done_ = 0;
  double timed_s_ = 0, timed_jobs_ = 0, last_wall_s_ = 0;
  bool blocks_timed_ = false;
};

}  // namespace

int ExperimentResult::exit_code() const {
  switch (comparison.state) {
    case ComparisonState::Done:
      return 0;
    case ComparisonState::Interrupted:
      return 130;
    case ComparisonState::UnequalWork:
      return 3;
    case ComparisonState::Failed:
      break;
  }
  return 2;
}

ExperimentResult run_experiment(const ExperimentRequest& request, const std::atomic<bool>& interrupted) {
  return Experiment(request, interrupted).run();
}

}  // namespace spellpool::measure
