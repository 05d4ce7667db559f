#include "app/window/lab_controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "app/compare_arm.hpp"
#include "app/compare_plan.hpp"
#include "app/shell/persistence.hpp"
#include "measure/record/heap_age.hpp"
#include "platform/window.hpp"
#include "pool/strategy.hpp"
#include "sim/core/preset.hpp"

namespace spellpool::app {
namespace {

using frame::LabAct;
using frame::LabOption;
using frame::LabTone;
using frame::LabView;
using measure::RecordingEntry;

// --- What can be chosen --------------------------------------------------------------------------------------------

constexpr std::array kScenes = {LabOption{"spells", "Spells"}, LabOption{"shooter", "Shooter"},
                                LabOption{"storage", "Storage: one pool, nothing else"}};
constexpr std::size_t kStorageScene = 2;
constexpr std::array kRollbacks = {LabOption{"", "none"}, LabOption{"1", "1 step"}, LabOption{"8", "8 steps"},
                                   LabOption{"30", "30 steps"}};
constexpr std::array kMemories = {LabOption{"", "frame memory as usual"},
                                  LabOption{"frame_arena", "frame memory: arena"},
                                  LabOption{"frame_heap", "frame memory: new and delete"}};

/// The plans of the command but the matrix, which is no comparison of two; last the player's own quads and steps.
const std::vector<LabOption>& plans() {
  static const std::vector<LabOption> all = [] {
    std::vector<LabOption> list;
    for (const PlanRow& row : kPlans) {
      if (row.id != PlanId::Matrix) list.push_back({row.name, row.name});
    }
    list.push_back({"", "your own"});
    return list;
  }();
  return all;
}
/// The list and, behind it, each row of a table; `shown` is what the player reads of it.
template <class Table, class Row>
std::vector<LabOption> with_rows(std::vector<LabOption> list, const Table& table, std::string_view Row::*shown) {
  for (const Row& row : table) list.push_back({row.name, row.*shown});
  return list;
}
const std::vector<LabOption>& presets() {
  static const std::vector<LabOption> all = with_rows({}, sim::kPresets, &sim::PresetRow::name);
  return all;
}
const std::vector<LabOption>& heaps() {
  static const std::vector<LabOption> all = with_rows({}, measure::kHeapAges, &measure::HeapAgeRow::name);
  return all;
}
const std::vector<LabOption>& policies() {
  static const std::vector<LabOption> all =
      with_rows({{"", "policy as usual"}}, pool::kPolicies, &pool::PolicyRow::title);
  return all;
}
/// A word of compare each: where voices live, or which voice is stolen when all slots are taken.
const std::vector<LabOption>& voices() {
  static const std::vector<std::array<std::string, 2>> texts = [] {
    std::vector<std::array<std::string, 2>> list;
    const auto add = [&](const auto& row) { list.push_back({voices_word(row), "voices: " + std::string(row.title)}); };
    for (const frame::VoiceStorageRow& row : frame::kVoiceStorages) add(row);
    for (const frame::VoicePolicyRow& row : frame::kVoicePolicies) add(row);
    return list;
  }();
  static const std::vector<LabOption> all = [] {
    std::vector<LabOption> list = {{"", "sound as usual: not mixed"}};
    for (const auto& [name, title] : texts) list.push_back({name, title});
    return list;
  }();
  return all;
}

std::string_view told_of_plan(std::size_t plan) {
  const std::string_view name = plans()[plan].name;
  for (const PlanRow& row : kPlans) {
    if (row.name == name) return row.description;
  }
  return "as many quads, of blocks of as many steps, as you say; a verdict needs 20 quads";
}

std::size_t place(u8 chosen, std::size_t count) { return std::min<std::size_t>(chosen, count - 1); }

std::string arm_word(const frame::LabArm& arm, bool storage) {
  std::string word(pool::kStrategies[place(arm.strategy, pool::kStrategyCount)].name);
  if (const LabOption& policy = policies()[place(arm.policy, policies().size())]; !policy.name.empty())
    word += "+" + std::string(policy.name);
  if (arm.allocator > 0) word += "+" + std::string(kAllocators[place(arm.allocator, kAllocators.size())].name);
  if (const LabOption& memory = kMemories[place(arm.memory, kMemories.size())]; !memory.name.empty() && !storage)
    word += "+" + std::string(memory.name);
  if (const LabOption& heard = voices()[place(arm.voices, voices().size())]; !heard.name.empty() && !storage)
    word += "+" + std::string(heard.name);
  return word;
}

// --- What is shown -------------------------------------------------------------------------------------------------

std::string date_text(i64 date_s) {
  const std::time_t time = static_cast<std::time_t>(date_s);
  std::tm local{};
  if (date_s <= 0 || localtime_r(&time, &local) == nullptr) return "NA";
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
  return text;
}

LabTone tone_of(const RecordingEntry& entry) {
  switch (entry.state) {
    case RecordingEntry::State::Running: return LabTone::Running;
    case RecordingEntry::State::Killed:
    case RecordingEntry::State::Interrupted: return LabTone::Unfinished;
    case RecordingEntry::State::Unequal:
    case RecordingEntry::State::Failed: return LabTone::Refused;
    case RecordingEntry::State::Damaged: return LabTone::Damaged;
    case RecordingEntry::State::Done: break;
  }
  if (entry.kind == RecordingEntry::Kind::Recording || entry.kind == RecordingEntry::Kind::Report)
    return LabTone::Recording;
  return entry.badge.name == "verdict" ? LabTone::Verdict : LabTone::Indication;
}

bool has_figures(const RecordingEntry& entry) {
  return entry.kind == RecordingEntry::Kind::Comparison || entry.kind == RecordingEntry::Kind::QuickAb;
}

std::string strip(std::string_view line) {
  constexpr std::string_view kProgram = "spellpool: ";
  if (line.starts_with(kProgram)) line.remove_prefix(kProgram.size());
  for (const std::string_view kind : {"error: ", "warning: "}) {
    if (line.starts_with(kind)) line.remove_prefix(kind.size());
  }
  return std::string(line);
}

}  // namespace

std::vector<std::string> lab_words(const frame::LabChoices& choices, const std::string& out,
                                   const std::string& data_dir) {
  std::vector<std::string> words = {"compare"};
  const auto add = [&](const char* option, std::string_view value) {
    words.emplace_back(option);
    words.emplace_back(value);
  };
  const std::size_t scene = place(choices.scene, kScenes.size());
  const bool storage = scene == kStorageScene;
  add("--a", arm_word(choices.arms[0], storage));
  add("--b", arm_word(choices.arms[1], storage));
  add("--scene", kScenes[scene].name);
  if (scene == 0 && choices.preset > 0) add("--preset", presets()[place(choices.preset, presets().size())].name);
  if (storage && choices.rollback > 0) add("--rollback", kRollbacks[place(choices.rollback, kRollbacks.size())].name);
  if (choices.heap > 0) add("--heap", heaps()[place(choices.heap, heaps().size())].name);
  if (const LabOption& plan = plans()[place(choices.plan, plans().size())]; !plan.name.empty()) {
    add("--plan", plan.name);
  } else {
    add("--quads", std::to_string(choices.quads));
    add("--steps", std::to_string(choices.steps));
    if (!choices.drawn) words.emplace_back("--sim-only");
  }
  if (!data_dir.empty()) add("--data-dir", data_dir);
  if (!out.empty()) add("--out", out);
  return words;
}

// --- Two threads ---------------------------------------------------------------------------------------------------

struct LabController::Heard {
  std::mutex mutex;
  float progress = 0;
  std::string text, last;
  std::atomic<bool> stop{false};
  measure::ChildResult result;  // once the task is done

  /// From the job's thread.
  void line(std::string_view words) {
    constexpr std::string_view kProgress = "progress ";
    const std::lock_guard lock(mutex);
    if (!words.starts_with(kProgress)) {
      last = words;
      return;
    }
    words.remove_prefix(kProgress.size());
    const std::size_t space = words.find(' ');
    progress = std::clamp(std::strtof(std::string(words.substr(0, space)).c_str(), nullptr), 0.0f, 1.0f);
    text = space == std::string_view::npos ? "" : words.substr(space + 1);
  }
};

struct LabController::RecordingIndex {
  std::vector<RecordingEntry> entries;
  std::vector<std::string> dates;
  std::vector<frame::LabRow> rows;
  std::vector<LabOption> allocators;

  void read(const std::string& folder, const std::atomic<bool>& stop) {
    entries = measure::read_index(folder, stop);
    dates.reserve(entries.size());
    for (const RecordingEntry& entry : entries) {
      if (rows.size() == kMostRows) break;
      dates.push_back(date_text(entry.date_s));
      frame::LabRow row;
      row.what = entry.what.empty() ? std::string_view(entry.name) : entry.what;
      row.where = entry.where;
      row.date = dates.back();
      const bool done = entry.state == RecordingEntry::State::Done;
      row.state = done && !entry.badge.name.empty() ? std::string_view(entry.badge.name)
                  : done ? std::string_view(entry.kind == RecordingEntry::Kind::Report ? "report" : "recording")
                         : recording_state_text(entry.state);
      row.sentence = entry.sentence;
      row.name = entry.name;
      row.tone = tone_of(entry);
      row.ratio = row.low = row.high = measure::kUnknown;
      if (has_figures(entry)) {
        const measure::Comparison& c = entry.run.comparison;
        row.comparable = c.environment.comparable();
        if (entry.state != RecordingEntry::State::Unequal && !c.plan.different_work) {
          row.ratio = std::exp(c.whole.effect.point);
          row.low = std::exp(c.whole.effect.low);
          row.high = std::exp(c.whole.effect.high);
        }
      }
      rows.push_back(row);
    }
    for (const AllocatorRow& row : kAllocators) {
      const bool needs = !row.libraries[0].empty();
      allocators.push_back({row.name, needs ? row.name : std::string_view("malloc as usual"),
                            !needs || !allocator_library(row).empty()});
    }
  }
};

struct LabController::Details {
  RecordingEntry entry;
  measure::RecordingDetails found;
  std::vector<std::string> places, told, names;
  std::vector<frame::LabSpike> spikes;
  std::vector<frame::LabFigures> figures;

  /// At once: what the entry knows.
  void take_entry() {
    figures.clear();
    names.clear();
    names.reserve(2);
    const auto add = [&](char letter, std::string name, const measure::DetailedFigures& of) {
      const frame::FrameFigures& f = of.frame;
      names.push_back(std::move(name));
      figures.push_back({letter, names.back(), f.frames, f.spikes, f.median_us, f.p99_us, f.low_1_percent_fps,
                         f.allocations_per_frame});
    };
    const measure::Comparison& c = entry.run.comparison;
    if (has_figures(entry) && entry.state != RecordingEntry::State::Unequal) {
      for (std::size_t arm = 0; arm < 2; ++arm) add("AB"[arm], measure::arm_name(c.plan, arm), c.arms[arm].figures);
    }
    if (entry.kind == RecordingEntry::Kind::Recording && found.figures.frame.frames > 0)
      add('A', found.strategies.empty() ? "all frames" : found.strategies, found.figures);
  }
  /// On the task's thread.
  void read(const std::atomic<bool>& stop) {
    found = measure::read_recording_details(entry, stop);
    for (const measure::RecordingSpike& spike : found.spikes) {
      places.push_back((spike.block >= 0 ? fmt::format("block {}, ", spike.block) : "") +
                       fmt::format("step {}", spike.record.step));
      std::string busy = measure::busy_text(spike.record);
      if (const std::size_t phases = busy.find("; "); phases != std::string::npos && busy.find(" new, ") > phases)
        busy.erase(0, phases + 2);
      told.push_back(std::move(busy));
    }
    for (std::size_t i = 0; i < found.spikes.size(); ++i) {
      const measure::RecordingSpike& spike = found.spikes[i];
      const auto us = static_cast<double>(spike.record.frame_us);
      spikes.push_back(
          {"AB"[spike.arm], us, spike.usual_us, spike.record.phase_us, places[i], told[i], spike.trace_name});
    }
    take_entry();
  }
};

LabController::LabController(std::string folder, std::string data_dir, std::vector<std::string> program)
    : folder_(std::move(folder)),
      data_dir_(std::move(data_dir)),
      program_(std::move(program)),
      heard_(std::make_shared<Heard>()),
      files_stop_(std::make_shared<std::atomic<bool>>(false)),
      details_stop_(std::make_shared<std::atomic<bool>>(false)),
      index_(std::make_shared<RecordingIndex>()) {}

LabController::~LabController() { (void)finish(); }

// --- The child -----------------------------------------------------------------------------------------------------

void LabController::start_job(LabView::Job kind, std::vector<std::string> words, std::string folder) {
  std::vector<std::string> argv = program_;
  argv.insert(argv.end(), words.begin(), words.end());
  heard_ = std::make_shared<Heard>();
  progress_ = 0;
  text_ = kind == LabView::Job::Comparing ? "it begins" : "";
  job_folder_ = std::move(folder);
  job_.start([heard = heard_, argv = std::move(argv)]() -> TaskOutcome {
    heard->result =
        measure::run_child_lines(argv, heard->stop, kPatience_s, [&](std::string_view line) { heard->line(line); });
    return {};
  });
  job_kind_ = kind;
}

void LabController::start_comparison() {
  want_start_ = false;
  // compare itself gives its files a number where this name is taken.
  const std::string out = folder_ + "/compare_" + time_stamp();
  std::vector<std::string> words = lab_words(choices_, out, data_dir_);
  words.emplace_back("--progress");
  result_.clear(), result_badge_.clear(), result_folder_.clear();
  result_can_resume_ = false;
  start_job(LabView::Job::Comparing, std::move(words), out);
}

void LabController::start_again() {
  const std::string folder = std::exchange(want_resume_, {});
  result_.clear(), result_badge_.clear(), result_folder_.clear();
  result_can_resume_ = false;
  start_job(LabView::Job::Comparing, {"compare", "--resume", folder, "--progress"}, folder);
}

/// A request of the player ends a running estimate.
void LabController::end_estimate() {
  if (job_.busy() && job_kind_ == LabView::Job::Estimating) heard_->stop = true;
}

void LabController::stop() {
  want_start_ = false;
  want_resume_.clear();
  if (job_.busy()) heard_->stop = true;
}

/// What came of the child that has ended. A line for the player, or "".
std::string LabController::end_job() {
  const LabView::Job kind = std::exchange(job_kind_, LabView::Job::None);
  const measure::ChildResult& result = heard_->result;
  const std::string last = strip(heard_->last);
  if (kind == LabView::Job::Estimating) {
    if (result.end == measure::ChildEnd::Stopped) return "";
    estimate_known_ = true;
    if (result.succeeded()) estimate_ = last.substr(0, last.find(". Ctrl+C"));
    else if (platform::kInBrowser) wrong_ = "a page cannot start programs: use Compare in the page's own menu, at its corner";
    else wrong_ = last.empty() ? "spellpool compare " + result.text() : last;
    return "";
  }
  want_files_ = true;
  if (kind == LabView::Job::Reporting) {
    told_path_.clear();
    return result.succeeded() ? "The report of " + job_folder_ + " is made"
                              : "No report: " + (last.empty() ? result.text() : last);
  }
  // run.json says it better, where there is one: update() looks once the files have been read.
  told_path_ = job_folder_;
  result_folder_ = job_folder_;
  result_badge_ = result.succeeded() ? "" : "unfinished";
  result_ = last.empty() || result.end == measure::ChildEnd::Signalled
                ? "spellpool compare " + result.text() + ". Its finished blocks are kept."
                : last;
  return result.succeeded() ? "The comparison is done: " + job_folder_ : "The comparison ended: " + result_;
}

std::string LabController::finish() {
  const bool compared = measures();
  if (job_.busy()) heard_->stop = true;
  *files_stop_ = *details_stop_ = true;
  want_files_ = want_details_ = want_start_ = false;
  want_resume_.clear();
  job_.wait();
  files_task_.wait();
  details_task_.wait();
  TaskOutcome ignored;
  (void)job_.poll(ignored);
  (void)files_task_.poll(ignored);
  (void)details_task_.poll(ignored);
  job_kind_ = LabView::Job::None;
  return compared ? "the comparison in " + job_folder_ +
                        " was ended; what it had measured is kept, and spellpool compare --resume " + job_folder_ +
                        " goes on"
                  : "";
}

// --- The files -----------------------------------------------------------------------------------------------------

void LabController::read_files() {
  want_files_ = false;
  reading_ = std::make_shared<RecordingIndex>();
  files_stop_ = std::make_shared<std::atomic<bool>>(false);
  files_task_.start([index = reading_, folder = folder_, stop = files_stop_]() -> TaskOutcome {
    index->read(folder, *stop);
    return {};
  });
}

const RecordingEntry* LabController::chosen() const {
  for (std::size_t i = 0; i < index_->rows.size() && !chosen_path_.empty(); ++i) {
    if (index_->entries[i].path == chosen_path_) return &index_->entries[i];
  }
  return nullptr;
}

void LabController::choose(std::size_t row) {
  if (row >= index_->rows.size()) return;
  chosen_path_ = index_->entries[row].path;
  want_details_ = true;
}

void LabController::read_details() {
  want_details_ = false;
  const RecordingEntry* entry = chosen();
  if (entry == nullptr) {
    details_.reset();
    return;
  }
  details_ = std::make_shared<Details>();
  details_->entry = *entry;
  details_->take_entry();
  reading_details_ = std::make_shared<Details>();
  reading_details_->entry = *entry;
  details_stop_ = std::make_shared<std::atomic<bool>>(false);
  details_task_.start([details = reading_details_, stop = details_stop_]() -> TaskOutcome {
    details->read(*stop);
    return {};
  });
}

void LabController::wait_for_files() {
  TaskOutcome ignored;
  for (int round = 0; round < 4; ++round) {
    files_task_.wait();
    details_task_.wait();
    (void)update(now_s_, false);
  }
}

/// The verdict of what ended here, in the words of its files.
void LabController::tell_result(const RecordingEntry& entry) {
  told_path_.clear();
  chosen_path_ = entry.path;
  want_details_ = true;
  result_can_resume_ = entry.can_resume;
  if (!entry.badge.name.empty()) result_badge_ = entry.badge.name;
  if (entry.state == RecordingEntry::State::Done || entry.state == RecordingEntry::State::Unequal) {
    if (!entry.sentence.empty()) result_ = entry.sentence;
  }
}

// --- A frame -------------------------------------------------------------------------------------------------------

void LabController::show(bool open) {
  if (open == open_) return;
  open_ = open;
  changed_s_ = now_s_;
  if (open) want_files_ = true;
  else end_estimate();
}

LabController::Request LabController::take(const frame::LabRequests& requests) {
  if (requests.change && !measures() && requests.choices != choices_) {
    choices_ = requests.choices;
    changed_s_ = now_s_;
    estimate_known_ = false;
    estimate_.clear(), wrong_.clear();
    end_estimate();
  }
  if (requests.change || requests.start || requests.select || requests.act != LabAct::None) said_.clear();
  if (requests.stop) stop();
  if (requests.start && !measures()) {
    want_start_ = true;
    end_estimate();
  }
  if (requests.read_again) want_files_ = true;
  if (requests.select) choose(requests.row);
  const auto resume = [&](const std::string& folder) {
    if (measures()) return;
    want_resume_ = folder;
    end_estimate();
  };
  if (requests.resume_result && result_can_resume_) resume(result_folder_);
  const RecordingEntry* entry = chosen();
  if (entry == nullptr) return {};
  switch (requests.act) {
    case LabAct::None: break;
    case LabAct::Report:
      if (!measures()) want_report_ = entry->path;
      end_estimate();
      break;
    case LabAct::Resume:
      if (entry->can_resume) resume(entry->path);
      break;
    case LabAct::OpenFolder: {
      const bool folder = entry->kind != RecordingEntry::Kind::Recording && !entry->path.ends_with(".csv");
      return {Request::What::Open, folder ? entry->path : folder_};
    }
    case LabAct::OpenReport:
      if (!entry->report.empty()) return {Request::What::Open, entry->report};
      break;
    case LabAct::CopyPath: return {Request::What::Copy, entry->path};
  }
  return {};
}

std::string LabController::update(double now_s, bool calm) {
  now_s_ = now_s;
  std::string line;
  TaskOutcome outcome;
  if (job_.busy()) {
    const std::lock_guard lock(heard_->mutex);
    progress_ = heard_->progress;
    if (!heard_->text.empty()) text_ = heard_->text;
  }
  if (!calm) end_estimate();
  if (job_.poll(outcome)) line = end_job();
  if (!line.empty()) said_ = line;
  if (files_task_.poll(outcome)) {
    index_ = std::move(reading_);
    const RecordingEntry* told = nullptr;
    for (std::size_t i = 0; i < index_->rows.size() && !told_path_.empty(); ++i) {
      if (index_->entries[i].path == told_path_) told = &index_->entries[i];
    }
    if (told != nullptr) tell_result(*told);
    else want_details_ = want_details_ || chosen() != nullptr;
    if (chosen() == nullptr && !index_->rows.empty() && told_path_.empty()) choose(0);
  }
  if (details_task_.poll(outcome)) {
    if (reading_details_->entry.path == chosen_path_) details_ = std::move(reading_details_);
  }
  if (want_details_ && details_task_.busy()) *details_stop_ = true;
  if (want_details_ && !details_task_.busy()) read_details();
  if (want_files_ && !files_task_.busy() && !measures()) read_files();
  if (want_start_ && !job_.busy()) start_comparison();
  if (!want_resume_.empty() && !job_.busy()) start_again();
  if (!want_report_.empty() && !job_.busy()) {
    std::string path = std::exchange(want_report_, {});
    start_job(LabView::Job::Reporting, {"report", path}, path);
  }
  const bool asks = open_ && calm && !job_.busy() && !(estimate_known_ && estimated_for_ == choices_) &&
                    now_s_ - changed_s_ >= kSettle_s;
  if (asks) {
    estimated_for_ = choices_;
    std::vector<std::string> words = lab_words(choices_, "", data_dir_);
    words.emplace_back("--estimate");
    start_job(LabView::Job::Estimating, std::move(words), "");
  }
  return line;
}

LabView LabController::view() {
  LabView view;
  view.open = open_;
  view.choices = choices_;
  view.scenes = kScenes;
  view.presets = presets();
  view.plans = plans();
  view.heaps = heaps();
  view.policies = policies();
  view.memories = kMemories;
  view.rollbacks = kRollbacks;
  view.storage_scene = kStorageScene;
  view.voices = voices();
  view.allocators = index_->allocators;
  view.plan_told = told_of_plan(place(choices_.plan, plans().size()));
  view.estimate = estimate_;
  view.wrong = wrong_;
  view.job = job_.busy() ? job_kind_ : LabView::Job::None;
  view.stopping = job_.busy() && heard_->stop;
  view.progress = progress_;
  view.text = text_;
  view.said = said_;
  view.result = result_;
  view.result_badge = result_badge_;
  view.result_folder = result_folder_;
  view.result_can_resume = result_can_resume_;
  view.rows = index_->rows;
  view.left_out = static_cast<u32>(index_->entries.size() - index_->rows.size());
  view.reading = files_task_.busy();
  view.folder = folder_;
  const RecordingEntry* entry = chosen();
  if (entry == nullptr) return view;
  frame::LabDetails& d = view.details;
  d.shown = true;
  d.row = static_cast<u32>(entry - index_->entries.data());
  d.badge = entry->badge.name;
  d.badge_told = entry->badge.told;
  d.path = entry->path;
  d.can_resume = entry->can_resume;
  d.has_report = !entry->report.empty();
  d.can_report = has_figures(*entry) || entry->kind == RecordingEntry::Kind::Recording;
  d.reading = details_task_.busy();
  if (!details_ || details_->entry.path != entry->path) return view;
  d.figures = details_->figures;
  d.spikes = details_->spikes;
  d.error = details_->found.error;
  return view;
}

}  // namespace spellpool::app
