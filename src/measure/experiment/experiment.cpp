#include "measure/experiment/experiment.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "measure/experiment/block_store.hpp"
#include "measure/experiment/child_process.hpp"
#include "measure/experiment/comparison_files.hpp"
#include "measure/experiment/run_json.hpp"
#include "measure/record/json_text.hpp"

namespace spellpool::measure {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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

/// How often run.json is written while blocks go on.
constexpr double kRunFileEvery_s = 2.0;

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
    std::error_code ignored;
    const bool new_folder = !fs::exists(fs::symlink_status(request_.out_dir, ignored));
    if (c.message.empty())
      c.message = request_.resume ? store_.open(request_.out_dir) : store_.create(request_.out_dir);
    if (!c.message.empty()) return std::move(result_);
    result_.suffix = store_.suffix();
    c.state = ComparisonState::Done;
    if (request_.resume && !read_plan()) return std::move(result_);
    schedule_ = schedule_blocks(c.plan.quads, c.plan.control);
    if (request_.resume) load_blocks();
    const bool tried = try_out();
    if (request_.only_estimate) {
      if (!request_.resume) store_.remove();
      if (!request_.resume && new_folder) fs::remove(request_.out_dir, ignored);  // empty again
      return std::move(result_);
    }
    if (tried && keep_plan() && check_equal_work()) measure_blocks();
    write_files();
    report(1.0, std::string(state_name(c.state)));
    return std::move(result_);
  }

 private:
  Comparison& found() { return result_.comparison; }
  const ComparisonPlan& plan() const { return result_.comparison.plan; }
  std::string name_of(char arm) const { return arm_name(plan(), arm == 'B' ? 1 : 0); }

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
    block.strategy = plan().strategies[block.arm_index()];
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
    const std::string log = store_.file("log.txt");
    const Clock::time_point start = Clock::now();
    const std::size_t jobs = schedule_.size() + 2;
    const auto tick = [&] {
      const double here_s = seconds_since(start);
      // Blocks all take about the same; the check passes only stand in until the first block is done.
      const double each_s = timed_jobs_ > 0 ? timed_s_ / timed_jobs_ : expected_block_s_;
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
      const std::string end = child.text() + ": " + shown_command(argv);
      std::string last = last_line_of(log);  // it names the thing and the mend: it comes first
      if (constexpr std::string_view kSaid = "spellpool: error: "; last.starts_with(kSaid)) last.erase(0, kSaid.size());
      return give_up(ComparisonState::Failed, last.empty() ? what + " " + end : what + ": " + last + " (" + end + ")");
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

  /// The plan as a text that has to be the same when it goes on.
  std::string plan_text() const {
    const ComparisonPlan& p = plan();
    nlohmann::ordered_json json = {{"scene", p.scene},       {"a", arm_name(p, 0)},
                                   {"b", arm_name(p, 1)},    {"quads", p.quads},
                                   {"steps", p.steps},       {"warmup_steps", p.warmup_steps},
                                   {"seed", p.seed},         {"sim_only", p.sim_only},
                                   {"control", p.control},   {"different_work", p.different_work},
                                   {"capacity", p.capacity}, {"policy", p.policy},
                                   {"preset", p.preset},     {"draw", p.draw},
                                   {"factors", p.factors}};
    return json_text(json, -1);
  }

  /// Writes plan.json. From here on another process can finish the comparison.
  bool keep_plan() {
    const Environment& e = found().environment;
    const nlohmann::ordered_json json = {{"format", "spellpool-blocks-1"},
                                         {"cpu", e.cpu},
                                         {"kernel", e.kernel},
                                         {"version", e.version},
                                         {"steps", plan().steps},
                                         {"plan", plan_text()},
                                         {"note", nlohmann::ordered_json::parse(request_.note, nullptr, false)}};
    const std::string error = store_.keep("plan.json", json_text(json, 2) + "\n");
    return error.empty() || give_up(ComparisonState::Failed, error);
  }

  bool read_plan() {
    std::string text;
    std::string wrong = store_.read("plan.json", text);
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    const auto word = [&](const char* key) {
      return json.is_object() ? json.value(key, std::string()) : std::string();
    };
    const Environment& e = found().environment;
    if (wrong.empty() && !json.is_object()) wrong = store_.file("plan.json") + ": is damaged";
    if (wrong.empty() && json.contains("steps") && json["steps"].is_number_unsigned())
      found().plan.steps = json["steps"];
    if (wrong.empty() && word("plan") != plan_text())
      wrong = store_.file("plan.json") + ": was begun with other options; resume with those, or choose another --out";
    if (wrong.empty() && (word("cpu") != e.cpu || word("kernel") != e.kernel)) {
      wrong = store_.file("plan.json") + ": was begun on another machine (" + word("cpu") + ", " + word("kernel") +
              "); two machines' blocks are not compared";
    }
    return wrong.empty() || give_up(ComparisonState::Failed, wrong);
  }

  void load_blocks() {
    std::string text;
    if (!store_.read("check.json", text).empty()) return;
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("hashed_steps") || !json["hashed_steps"].is_number_unsigned()) return;
    const std::optional<u64> a = hash_of_text(json.value("final_hash", std::string())),
                             b = hash_of_text(json.value("final_hash_b", std::string()));
    if (!a || !b) return;
    found().hashed_steps = json["hashed_steps"];
    found().final_hash = *a;
    found().final_hash_b = *b;
    checked_ = true;
    for (const ScheduledBlock& scheduled : schedule_) {
      BlockResult block;
      if (!store_.load(scheduled, plan().steps, block)) continue;
      if (block.report.final_hash != hash_for(block.arm)) continue;
      take(std::move(block));
      ++loaded_;
    }
  }

  /// A short block that is not kept: how long will it all take?
  bool try_out() {
    if (!request_.announce) return true;
    BlockPlan block = block_plan('A');
    block.warmup_steps = plan().sim_only ? plan().warmup_steps : 60;
    block.steps = 60;
    block.frames_path = store_.working_frames();
    block.report_path = store_.working_report();
    remove_files(block);  // Of one that was killed.
    if (!run(block, "trial · how long will it take?")) return false;
    const double wall_s = last_wall_s_;
    --jobs_done_;
    timed_s_ = timed_jobs_ = 0;
    blocks_timed_ = false;
    const FramesCsv table = read_frames_csv(block.frames_path);
    remove_files(block);
    const double frame_s = figures_of(table.frames).median_us * 1e-6;
    if (!std::isfinite(frame_s)) return true;
    const double start_s = std::max(0.0, wall_s - frame_s * static_cast<double>(block.warmup_steps + block.steps));
    const double blocks = static_cast<double>(schedule_.size());
    if (request_.fill_s > 0 && !request_.resume) {
      const double room_s =
          request_.fill_s / (blocks + 2) - start_s - frame_s * static_cast<double>(plan().warmup_steps);
      const double most = static_cast<double>(
          std::min<u64>(request_.most_steps, kMaxComparisonFrames / static_cast<u64>(schedule_.size())));
      found().plan.steps =
          static_cast<u64>(std::clamp(frame_s > 0 ? room_s / frame_s : most, 60.0, std::max(most, 60.0)));
    }
    const double block_s = start_s + frame_s * static_cast<double>(plan().warmup_steps + plan().steps);
    const double left = blocks - static_cast<double>(loaded_) + (checked_ ? 0 : 2);
    expected_block_s_ = block_s;
    std::string text = std::to_string(schedule_.size()) + " blocks of " + std::to_string(plan().warmup_steps) + " + " +
                       std::to_string(plan().steps) + " steps";
    if (loaded_ > 0) text += ", " + std::to_string(loaded_) + " of them done";
    text += ": about " + duration_text(left * block_s) + ". Ctrl+C keeps what is done; spellpool compare --resume " +
            command_text({request_.out_dir}) + " goes on.";
    request_.announce(text);
    return true;
  }

  u64 hash_for(char arm) const {
    return plan().different_work && arm == 'B' ? result_.comparison.final_hash_b : result_.comparison.final_hash;
  }

  bool check_equal_work() {
    if (checked_) return true;
    std::array<std::string, 2> files = {store_.file("hashes_a.txt"), store_.file("hashes_b.txt")};
    for (std::size_t i = 0; i < 2; ++i) {
      BlockPlan block = block_plan(i == 0 ? 'A' : 'B');
      block.check_pass = true;
      block.hash_path = files[i];
      std::error_code ignored;
      fs::remove(files[i], ignored);  // Of one that was killed.
      if (!run(block, "check pass " + std::to_string(i + 1) + " of 2 · " + name_of(block.arm))) return false;
    }
    const bool differ = plan().different_work;
    const HashCheck check = compare_hash_files(files[0], files[differ ? 0 : 1], name_of('A'), name_of('B'));
    const HashCheck of_b = differ ? compare_hash_files(files[1], files[1], name_of('B'), name_of('B')) : check;
    if (!check.error.empty()) return give_up(ComparisonState::Failed, "the check pass left no hashes: " + check.error);
    if (!of_b.error.empty()) return give_up(ComparisonState::Failed, "the check pass left no hashes: " + of_b.error);
    if (!check.equal) {
      return give_up(ComparisonState::UnequalWork,
                     "refused, the work was not equal: first difference at " + check.difference);
    }
    found().hashed_steps = check.steps;
    found().final_hash = check.final_hash;
    found().final_hash_b = of_b.final_hash;
    const nlohmann::ordered_json json = {{"equal", !differ},
                                         {"hashed_steps", check.steps},
                                         {"final_hash", hash_text(check.final_hash)},
                                         {"final_hash_b", hash_text(of_b.final_hash)}};
    const std::string error = store_.keep("check.json", json_text(json, 2) + "\n");
    if (!error.empty()) return give_up(ComparisonState::Failed, error);
    checked_ = true;
    for (const std::string& file : files) {
      std::error_code ignored;
      fs::remove(file, ignored);
    }
    return true;
  }

  bool is_done(const BlockPlace& place) const {
    const std::vector<BlockResult>& blocks = result_.comparison.blocks;
    return std::any_of(blocks.begin(), blocks.end(), [&](const BlockResult& block) { return block.place == place; });
  }

  std::vector<BlockPlan> blocks_left() const {
    std::vector<BlockPlan> left;
    for (const ScheduledBlock& scheduled : schedule_) {
      if (is_done(scheduled.place)) continue;
      BlockPlan block = block_plan(scheduled.arm);
      block.place = scheduled.place;
      block.frames_path = store_.working_frames();
      block.report_path = store_.working_report();
      left.push_back(std::move(block));
    }
    return left;
  }

  void measure_blocks() {
    jobs_done_ = loaded_ + 2;
    write_run_file();
    const std::vector<BlockPlan> left = blocks_left();
    if (children_run_later()) {
      for (const BlockPlan& block : left) expect_child(request_.block_command(block));
    }
    for (const BlockPlan& block : left) {
      remove_files(block);
      const std::string what = "block " + std::to_string(block.place.block + 1) + " of " +
                               std::to_string(schedule_.size()) + " · " + name_of(block.arm) +
                               (block.arm > 'B' ? " (control)" : "");
      const bool ran = run(block, what);
      if (!ran) {
        if (found().state == ComparisonState::Interrupted) keep_partial(block);
        return;
      }
      if (!keep(block, what)) return;
      if (seconds_since(run_file_written_) > kRunFileEvery_s) write_run_file();
    }
  }

  /// Writes the progress so far to run.json. Ignores a write error: the write at the end reports it.
  void write_run_file() {
    Comparison& c = found();
    summarise_effects(c);
    c.state = ComparisonState::Running;
    c.message = "begun and not finished; spellpool compare --resume goes on";
    (void)replace_file((fs::path(request_.out_dir) / ("run" + store_.suffix() + ".json")).string(), run_json(c, {}));
    c.state = ComparisonState::Done;
    c.message.clear();
    run_file_written_ = Clock::now();
  }

  void take(BlockResult block) {
    found().environment.renderer = block.report.renderer;
    found().environment.vsync = block.report.vsync;
    found().blocks.push_back(std::move(block));
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
    if (done.report.final_hash != hash_for(block.arm)) {
      return give_up(ComparisonState::UnequalWork, "refused, the work was not equal: after the last step, check pass " +
                                                       hash_text(hash_for(block.arm)) + ", " + what + " " +
                                                       hash_text(done.report.final_hash));
    }
    done.figures = detailed_figures_of(done.frames);
    const std::string error = store_.finish(done);
    take(std::move(done));
    return error.empty() || give_up(ComparisonState::Failed, error);
  }

  /// Keeps the frames that a block saved when it was interrupted. They count in no figure.
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
    const bool nothing = c.state == ComparisonState::Failed && c.blocks.empty();
    if (nothing && !request_.resume) {
      std::error_code ignored;
      fs::remove((fs::path(request_.out_dir) / ("run" + store_.suffix() + ".json")).string(), ignored);  // That it was begun.
      return store_.remove();
    }
    if (nothing) return;
    std::sort(c.blocks.begin(), c.blocks.end(),
              [](const BlockResult& a, const BlockResult& b) { return a.place.block < b.place.block; });
    ComparisonFiles files = write_comparison(c, request_.out_dir, store_.suffix());
    result_.run_path = std::move(files.run);
    result_.frames_path = std::move(files.frames);
    result_.card_path = std::move(files.card);
    if (c.state == ComparisonState::Done || c.state == ComparisonState::UnequalWork) store_.remove();
  }

  const ExperimentRequest& request_;
  const std::atomic<bool>& interrupted_;
  ExperimentResult result_;
  BlockStore store_;
  std::vector<ScheduledBlock> schedule_;
  std::size_t jobs_done_ = 0;
  double timed_s_ = 0, timed_jobs_ = 0, last_wall_s_ = 0;
  bool blocks_timed_ = false, checked_ = false;
  std::size_t loaded_ = 0;
  double expected_block_s_ = 0;
  Clock::time_point run_file_written_{};
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
    case ComparisonState::Running:
    case ComparisonState::Failed:
      break;
  }
  return 2;
}

std::optional<Unfinished> unfinished_in(const std::string& out_dir) {
  const std::string folder = BlockStore::newest(out_dir);
  std::string text;
  if (folder.empty() || !read_whole_file(folder + "/plan.json", text).empty()) return std::nullopt;
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("note")) return std::nullopt;
  Unfinished found;
  found.note = json_text(json["note"], -1);
  if (json.contains("steps") && json["steps"].is_number_unsigned()) found.steps = json["steps"];
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".json" && !name.empty() && name[0] >= '0' && name[0] <= '9') ++found.blocks;
  }
  return found;
}

std::string duration_text(double seconds) {
  const auto s = static_cast<long>(std::ceil(seconds));
  if (s < 60) return std::to_string(s) + " s";
  if (s < 3600) return std::to_string(s / 60) + " min " + std::to_string(s % 60) + " s";
  return std::to_string(s / 3600) + " h " + std::to_string(s % 3600 / 60) + " min";
}

ExperimentResult run_experiment(const ExperimentRequest& request, const std::atomic<bool>& interrupted) {
  return Experiment(request, interrupted).run();
}

}  // namespace spellpool::measure
