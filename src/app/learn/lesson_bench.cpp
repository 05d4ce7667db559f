#include "app/learn/lesson_bench.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "app/learn/lesson_voices.hpp"
#include "app/library/sound_library.hpp"
#include "app/paired/quick_ab.hpp"
#include "app/play/session.hpp"
#include "measure/experiment/walk_curve.hpp"
#include "measure/record/data_caches.hpp"
#include "measure/record/frame_recorder.hpp"
#include "measure/record/heap_age.hpp"
#include "platform/clock.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {
namespace {

using frame::LessonMeasure;
using frame::LessonMeasurement;

constexpr double kBetBudget_us = 2e6, kBetWait_ms = 3'000;
constexpr u32 kBetChurn = 20;  ///< Times frame::kChurnMotes: 40,000.
constexpr u64 kBetSeed = 5;
constexpr u32 kFloodRate_hz = 48'000;
constexpr i64 kSlice_ns = 8'000'000;

class WalkWork final : public LessonBench::Work {
 public:
  explicit WalkWork(const std::vector<measure::DataCache>& caches)
      : caches_(caches), begun_(measure::read_machine()), curve_(options_for(caches)) {}

  bool advance() override { return curve_.advance(); }
  float progress() const override { return curve_.progress(); }
  void take(LessonMeasurement& found) override {
    const measure::MachineUse use = measure::use_between(begun_, measure::read_machine());
    found.noise = measure::judge_noise(measure::readings_of(use)).evidence;
    found.points = curve_.points();
    found.object_bytes = measure::kWalkObjectBytes;
    for (const measure::DataCache& cache : caches_)
      found.caches.push_back({"L" + std::to_string(cache.level), cache.bytes});
    found.method = "median of nine rounds of each size; the thin lines are quartiles";
  }

 private:
  static measure::WalkCurveOptions options_for(const std::vector<measure::DataCache>& caches) {
    measure::WalkCurveOptions options;
    options.most_bytes = measure::walk_bytes_for(caches.empty() ? 0 : caches.back().bytes);
    return options;
  }

  std::vector<measure::DataCache> caches_;
  measure::MachineReading begun_;
  measure::WalkCurve curve_;
};

/// Steps of two worlds in turns, as the quick A/B plays them, without drawing.
class BetWork final : public LessonBench::Work {
 public:
  BetWork(LessonMeasure what, const SpellLibrary& library) {
    if (what == LessonMeasure::PoolWins) (void)heap_.age(measure::HeapAge::AgedLight);
    WorldOptions world;
    world.seed = kBetSeed;
    sim::WorldConfig like = world_config(world, library);
    u32& capacity = like.pools[static_cast<std::size_t>(frame::PoolId::Particles)].capacity;
    if (what == LessonMeasure::PoolWins) {
      like.load.churn = kBetChurn;
      like.load.aged_heap = true;
      capacity = frame::loaded_capacity(capacity, like.load);
    }
    if (what == LessonMeasure::PoolLoses) capacity *= 2;  // 48,000: few of its slots are live
    QuickAbConditions conditions;
    conditions.renderer = "none (simulation only)";
    conditions.draws = false;
    conditions.budget_us = kBetBudget_us;
    conditions.longest_wait_ms = kBetWait_ms;
    const pool::StrategyId pool =
        what == LessonMeasure::PoolLoses ? pool::StrategyId::Book : pool::StrategyId::FreeList;
    ab_.emplace(like, pool::StrategyId::Heap, pool, conditions);
  }

  bool advance() override {
    recorder_.begin_frame();
    ab_->step(recorder_.phases());
    ab_->frame_end(recorder_.end_frame(ab_->record()));
    if (ab_->waiting()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return !ab_->done();
  }
  float progress() const override { return ab_->view().progress; }
  void take(LessonMeasurement& found) override {
    ab_->cancel();
    const measure::Comparison& c = *ab_->comparison();
    if (c.state != measure::ComparisonState::Done || c.blocks.empty()) {
      found.error = c.message.empty() ? "it ended before its time" : c.message;
      return;
    }
    const measure::BootstrapInterval& effect = c.whole.effect;
    found.quads = effect.quads;
    found.ratio = std::exp(effect.point);
    found.low = std::exp(effect.low);
    found.high = std::exp(effect.high);
    found.control = std::expm1(measure::noise_floor(c.whole.control));
    found.noise = c.noise.evidence;
    found.method =
        fmt::format("{} times four runs in the order A B B A, in one process, without drawing", effect.quads);
  }

 private:
  measure::AgedHeap heap_;
  measure::FrameRecorder recorder_;
  std::optional<QuickAb> ab_;
};

/// The flood of sounds into a real voice pool: a piece of a third of a second, most of it for making the
/// sounds.
class VoicesWork final : public LessonBench::Work {
 public:
  explicit VoicesWork(const std::string& data_dir) : data_dir_(data_dir) {}

  bool advance() override {
    SoundLibrary sounds(sound_folders(data_dir_, Own::No));
    found_ = flood_voices(*sounds.bank(kFloodRate_hz));
    return false;
  }
  float progress() const override { return 0; }
  void take(LessonMeasurement& found) override {
    found = std::move(found_);
    found.id = LessonMeasure::Voices;
  }

 private:
  std::string data_dir_;
  LessonMeasurement found_;
};

/// Null: `error` says why.
std::unique_ptr<LessonBench::Work> work_for(LessonMeasure what, const std::string& data_dir,
                                            std::string& error) {
  if (what == LessonMeasure::Walks) return std::make_unique<WalkWork>(measure::data_caches());
  const platform::PathResult data = platform::find_data_folder(data_dir);
  error = data.error;
  if (error.empty() && what == LessonMeasure::Voices) return std::make_unique<VoicesWork>(data.path.string());
  SpellLibrary library;
  if (error.empty()) error = library.load(data.path.string());
  if (!error.empty()) return nullptr;
  return std::make_unique<BetWork>(what, library);
}

std::shared_ptr<LessonMeasurement> finished(LessonMeasure what, LessonBench::Work* work, std::string error) {
  auto found = std::make_shared<LessonMeasurement>();
  found->id = what;
  found->error = std::move(error);
  if (work != nullptr) work->take(*found);
  const measure::Environment here = measure::capture_environment();
  found->build = fmt::format("{} build, {}", SPELLPOOL_BUILD, here.compiler);
  if (!here.comparable())
    found->build += fmt::format(" ({}: its times say little)", here.why_not_comparable());
  found->machine = fmt::format("{}, {} processors", here.cpu, here.cpus);
  found->date = here.date.substr(0, 10);
  return found;
}

}  // namespace

LessonBench::~LessonBench() { ended_ = true; }

std::shared_ptr<const LessonMeasurement> LessonBench::run(LessonMeasure what, const std::string& data_dir,
                                                          const std::atomic<bool>* ended,
                                                          std::atomic<float>* progress) const {
  std::string error;
  const std::unique_ptr<Work> work = work_for(what, data_dir, error);
  while (work != nullptr && !(ended != nullptr && *ended) && work->advance()) {
    if (progress != nullptr) *progress = work->progress();
  }
  return finished(what, work.get(), std::move(error));
}

std::shared_ptr<const LessonMeasurement> LessonBench::measure(LessonMeasure what) const {
  return run(what, data_dir_, nullptr, nullptr);
}

void LessonBench::start(LessonMeasure what) {
  running_ = what;
  progress_ = 0;
  const auto in_thread = [this, what] {
    found_ = run(what, data_dir_, &ended_, &progress_);
    return TaskOutcome{};
  };
  if (task_.try_start(in_thread).empty()) return;
  std::string error;
  sliced_ = work_for(what, data_dir_, error);
  if (sliced_ == nullptr) found_ = finished(what, nullptr, std::move(error));
}

void LessonBench::slice() {
  const i64 end = platform::now_ns() + kSlice_ns;
  while (sliced_ != nullptr && platform::now_ns() < end) {
    if (sliced_->advance()) {
      progress_ = sliced_->progress();
      continue;
    }
    found_ = finished(*running_, sliced_.get(), {});
    sliced_.reset();
  }
}

void LessonBench::frame(sim::LessonCourse& course) {
  slice();
  TaskOutcome outcome;
  const bool polled = task_.poll(outcome);
  if (polled && outcome.failed && found_ == nullptr) found_ = finished(*running_, nullptr, outcome.line);
  if (running_ && !task_.busy() && sliced_ == nullptr && found_ != nullptr) {
    const LessonMeasure what = *running_;
    running_.reset();
    course.know(what, std::exchange(found_, nullptr));
  }
  const std::optional<LessonMeasure> wanted = course.wants();
  if (!wanted) return;
  if (!running_) start(*wanted);
  const std::size_t row = static_cast<std::size_t>(*running_);
  course.show_wait(running_ == wanted ? progress_.load() : 0.0f,
                   running_ == wanted ? "measuring on this machine" : frame::kLessonMeasures[row].title);
}

}  // namespace spellpool::app
