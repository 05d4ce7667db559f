#include "measure/experiment/recording_index.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/one_line.hpp"
#include "measure/experiment/block_store.hpp"
#include "measure/record/frames_csv.hpp"
#include "measure/record/number_text.hpp"

namespace spellpool::measure {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Kind = RecordingEntry::Kind;
using State = RecordingEntry::State;

i64 written_s(const fs::path& path) {
  std::error_code failed;
  const fs::file_time_type time = fs::last_write_time(path, failed);
  if (failed) return 0;
  // Both clocks count without leap seconds; only where they begin differs.
  const auto age = fs::file_time_type::clock::now() - time;
  return static_cast<i64>(std::time(nullptr)) - std::chrono::duration_cast<std::chrono::seconds>(age).count();
}

/// "2026-11-21T03:42:21Z"; 0 for any other text.
i64 utc_s(const std::string& text) {
  std::tm time{};
  const char* const end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  return end != nullptr && *end == '\0' ? static_cast<i64>(::timegm(&time)) : 0;
}

/// "…_2026-11-21_03-42-21…", local time, as recordings by key have it in their names; 0 where there is none.
i64 named_s(const std::string& name) {
  for (std::size_t at = name.find('_'); at != std::string::npos; at = name.find('_', at + 1)) {
    std::tm time{};
    if (::strptime(name.c_str() + at + 1, "%Y-%m-%d_%H-%M-%S", &time) == nullptr) continue;
    time.tm_isdst = -1;
    return static_cast<i64>(std::mktime(&time));
  }
  return 0;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// DIR/STEM.EXT, or of DIR/STEM-2.EXT … the one with the highest number.
std::string newest_file(const fs::path& folder, const std::string& stem, const std::string& ext) {
  std::error_code ignored;
  std::string found;
  for (u32 number = 1; number < 1'000; ++number) {
    std::string name = stem;
    if (number > 1) name.append("-").append(std::to_string(number));
    const fs::path path = folder / name.append(ext);
    if (!fs::is_regular_file(path, ignored)) break;
    found = path.string();
  }
  return found;
}

std::string title_of(const Comparison& c) { return arm_name(c.plan, 0) + " : " + arm_name(c.plan, 1); }

std::string conditions_of(const Comparison& c) {
  std::string text = c.plan.scene;
  if (c.plan.preset != "NA" && c.plan.preset != "default") text += ", " + c.plan.preset;
  for (const auto& [name, value] : c.plan.factors) {
    if (name == "heap" && value == "fresh") continue;
    text += ", " + name + " " + value;
  }
  text += c.plan.sim_only ? ", simulation only" : ", drawn";
  return text + ", " + std::to_string(c.plan.quads) + (c.plan.quads == 1 ? " quad" : " quads");
}

void damaged(RecordingEntry& entry, const std::string& error) {
  entry.kind = Kind::Unknown;
  entry.state = State::Damaged;
  // The list tells where it is.
  const std::string before = entry.path + "/";
  std::string told = first_line(error);
  if (const std::size_t at = told.find(before); at != std::string::npos) told.erase(at, before.size());
  entry.sentence = clipped(told, 300);
}

/// Many comparisons at once: all.json.
void take_several(RecordingEntry& entry, const fs::path& file) {
  std::string text;
  std::string error = read_whole_file(file.string(), text);
  const Json json = Json::parse(text, nullptr, false);
  const auto word = [&](const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>()
                                                                           : std::string();
  };
  if (error.empty() && word("format") != "spellpool-all-1") error = file.string() + ": is not an all.json of spellpool";
  if (!error.empty()) return damaged(entry, error);
  entry.kind = Kind::Several;
  const std::string state = word("state");
  entry.state = state == "done" ? State::Done : state == "interrupted" ? State::Interrupted : State::Killed;
  std::size_t cells = 0, differ = 0;
  if (json.contains("cells") && json["cells"].is_array()) {
    for (const Json& cell : json["cells"]) {
      ++cells;
      differ += cell.is_object() && cell.contains("outcome") && cell["outcome"].is_string() &&
                cell["outcome"].get<std::string>().find("faster") != std::string::npos;
    }
  }
  // One of them goes on: so does the whole.
  std::error_code ignored;
  for (fs::directory_iterator inner(entry.path, ignored), end; entry.state == State::Killed && !ignored && inner != end;
       inner.increment(ignored)) {
    if (inner->is_directory(ignored) && BlockStore::in_use(inner->path().string())) entry.state = State::Running;
  }
  entry.can_resume = entry.state == State::Killed || entry.state == State::Interrupted;
  entry.what = std::to_string(cells) + (cells == 1 ? " comparison" : " comparisons");
  entry.where = "each in a folder of its own";
  entry.sentence = "A difference in " + std::to_string(differ) + " of " + std::to_string(cells) + ".";
  entry.badge = {entry.state == State::Done ? "indication" : "unfinished",
                 "Many comparisons at once, of which some leave 1 by chance."};
}

void take_run(RecordingEntry& entry) {
  if (std::string error = read_run(entry.path, entry.run); !error.empty()) return damaged(entry, error);
  Comparison& c = entry.run.comparison;
  entry.kind = c.plan.method == Method::InPlace ? Kind::QuickAb : Kind::Comparison;
  if (const i64 date = utc_s(c.environment.date); date > 0) entry.date_s = date;
  switch (c.state) {
    case ComparisonState::Done: entry.state = State::Done; break;
    case ComparisonState::Running: entry.state = BlockStore::in_use(entry.path) ? State::Running : State::Killed; break;
    case ComparisonState::Interrupted: entry.state = State::Interrupted; break;
    case ComparisonState::UnequalWork: entry.state = State::Unequal; break;
    case ComparisonState::Failed: entry.state = State::Failed; break;
  }
  entry.can_resume = entry.state != State::Done && entry.state != State::Unequal && entry.state != State::Running &&
                     !BlockStore::newest(entry.path).empty();
  entry.what = title_of(c);
  entry.where = conditions_of(c);
  entry.badge = badge_of(c);
  entry.sentence = c.last_line();
  if (entry.state == State::Unequal || entry.state == State::Failed || entry.sentence.empty())
    entry.sentence = c.message;
  entry.sentence = clipped(first_line(entry.sentence), 400);
  entry.card = entry.run.card;
}

/// Begun, and ended before it had a run.json.
void take_begun(RecordingEntry& entry) {
  entry.kind = Kind::Comparison;
  const bool busy = BlockStore::in_use(entry.path);
  entry.state = busy ? State::Running : State::Killed;
  entry.can_resume = !busy;
  std::string text;
  const Json json = read_whole_file(BlockStore::newest(entry.path) + "/plan.json", text).empty()
                        ? Json::parse(text, nullptr, false)
                        : Json();
  const Json plan = json.is_object() && json.contains("plan") && json["plan"].is_string()
                        ? Json::parse(json["plan"].get<std::string>(), nullptr, false)
                        : Json();
  const auto word = [&](const char* key) {
    return plan.is_object() && plan.contains(key) && plan[key].is_string() ? clipped(plan[key].get<std::string>(), 100)
                                                                           : std::string("?");
  };
  entry.what = word("a") + " : " + word("b");
  entry.where = word("scene");
  entry.badge = {"unfinished", "Not one block was finished."};
  entry.sentence = "Begun; not one block was finished.";
}

void take_table(RecordingEntry& entry) {
  bool any = false;
  u8 strategy = kUnknownStrategy;
  const std::string error = walk_frames_csv(entry.path, [&](const frame::FrameRecord& record, const BlockPlace&) {
    any = true;
    strategy = record.strategy;
    return false;
  });
  if (!error.empty())
    return damaged(entry, error.substr(error.rfind(": line") == std::string::npos ? 0 : error.rfind(": line") + 2));
  entry.kind = Kind::Recording;
  entry.state = State::Done;
  if (const i64 date = named_s(entry.name); date > 0) entry.date_s = date;
  entry.what = strategy < pool::kStrategyCount
                   ? std::string(pool::row(static_cast<pool::StrategyId>(strategy)).name) + " at first"
                   : "a recording";
  std::error_code ignored;
  entry.where = grouped_text(static_cast<double>(fs::file_size(entry.path, ignored)) / 1024.0, 0) + " KiB";
  entry.sentence = any ? "One run by itself: no comparison." : "It holds no frame.";
}

}  // namespace

std::string_view recording_state_text(State state) {
  switch (state) {
    case State::Done: return "done";
    case State::Running: return "running";
    case State::Killed: return "killed";
    case State::Interrupted: return "interrupted";
    case State::Unequal: return "unequal work";
    case State::Failed: return "failed";
    case State::Damaged: break;
  }
  return "not readable";
}

std::optional<RecordingEntry> read_index_entry(const std::string& path) {
  std::error_code failed;
  RecordingEntry entry;
  entry.path = path;
  entry.name = fs::path(path).filename().string();
  entry.date_s = written_s(path);
  if (!fs::is_directory(path, failed)) {
    // A pipe by that name would never end.
    if (fs::path(path).extension() != ".csv" || !fs::is_regular_file(path, failed)) return std::nullopt;
    take_table(entry);
    return entry;
  }
  const fs::path folder(path);
  bool has_run = false;
  fs::directory_iterator inner(folder, failed);
  if (failed) {
    damaged(entry, "cannot be read: " + failed.message());
    return entry;
  }
  for (const fs::directory_iterator end; !failed && inner != end; inner.increment(failed)) {
    const std::string name = inner->path().filename().string();
    has_run = has_run || (name.rfind("run", 0) == 0 && inner->path().extension() == ".json");
  }
  if (has_run) take_run(entry);
  else if (fs::exists(folder / "all.json", failed)) take_several(entry, folder / "all.json");
  else if (!BlockStore::newest(path).empty()) take_begun(entry);
  entry.report = newest_file(folder, "report", ".html");
  if (entry.kind != Kind::Unknown || !entry.sentence.empty()) return entry;
  if (entry.report.empty()) {
    damaged(entry, "holds no run.json: no comparison of spellpool");
  } else {
    entry.kind = Kind::Report;
    entry.state = State::Done;
    entry.what = entry.name;
    entry.where = "report of recordings";
    entry.sentence = "A report of recordings, without a verdict.";
  }
  return entry;
}

std::vector<RecordingEntry> read_index(const std::string& folder, const std::atomic<bool>& stop) {
  std::vector<RecordingEntry> entries;
  std::error_code failed;
  for (fs::directory_iterator inner(folder, failed), end; !failed && inner != end && !stop; inner.increment(failed)) {
    if (std::optional<RecordingEntry> entry = read_index_entry(inner->path().string()))
      entries.push_back(std::move(*entry));
  }
  std::stable_sort(entries.begin(), entries.end(), [](const RecordingEntry& a, const RecordingEntry& b) {
    return a.date_s != b.date_s ? a.date_s > b.date_s : a.name > b.name;
  });
  return entries;
}

namespace {

/// Takes the frames of a block at a time and keeps the longest spikes.
class SpikeKeeper {
 public:
  explicit SpikeKeeper(RecordingDetails& details) : details_(details) {}

  void block(std::span<const frame::FrameRecord> frames, std::size_t arm, i32 number) {
    std::vector<double> times;
    times.reserve(frames.size());
    for (const frame::FrameRecord& record : frames) times.push_back(static_cast<double>(record.frame_us));
    const std::vector<std::size_t> spikes = spikes_of(times);
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    details_.spike_count += spikes.size();
    for (const std::size_t place : spikes) {
      RecordingSpike spike;
      spike.arm = arm;
      spike.block = number;
      spike.record = frames[place];
      spike.usual_us = percentile(sorted, 0.5);
      if (number >= 0) spike.trace_name = trace_name_of("AB"[arm], frames_[arm] + place);
      details_.spikes.push_back(std::move(spike));
    }
    frames_[arm] += frames.size();
    std::stable_sort(
        details_.spikes.begin(), details_.spikes.end(),
        [](const RecordingSpike& a, const RecordingSpike& b) { return a.record.frame_us > b.record.frame_us; });
    if (details_.spikes.size() > kRecordingSpikes) details_.spikes.resize(kRecordingSpikes);
  }

 private:
  RecordingDetails& details_;
  std::array<std::size_t, 2> frames_{};
};

std::vector<std::string> tables_of(const RecordingEntry& entry) {
  if (!entry.run.frames.empty()) return {entry.run.frames};
  std::vector<std::string> tables;
  const std::string blocks = BlockStore::newest(entry.path);
  std::error_code failed;
  for (fs::directory_iterator inner(blocks, failed), end; !blocks.empty() && !failed && inner != end;
       inner.increment(failed)) {
    fs::path report = inner->path();
    if (report.extension() == ".csv" && fs::exists(report.replace_extension(".json")))
      tables.push_back(inner->path().string());
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

void read_recording(const RecordingEntry& entry, const std::atomic<bool>& stop, RecordingDetails& details) {
  // 160 bytes a frame: an hour of play at 60 FPS is 35 MB.
  constexpr std::size_t kMostFrames = 2'000'000;
  std::vector<frame::FrameRecord> frames;
  std::array<bool, 256> seen{};
  details.error = walk_frames_csv(entry.path, [&](const frame::FrameRecord& record, const BlockPlace&) {
    frames.push_back(record);
    if (!seen[record.strategy] && record.strategy < pool::kStrategyCount) {
      details.strategies += (details.strategies.empty() ? "" : ", ") +
                            std::string(pool::row(static_cast<pool::StrategyId>(record.strategy)).name);
    }
    seen[record.strategy] = true;
    return !stop && frames.size() < kMostFrames;
  });
  if (frames.size() == kMostFrames)
    details.error = "of the first " + grouped_text(static_cast<double>(kMostFrames), 0) + " frames";
  details.figures = detailed_figures_of(frames);
  SpikeKeeper(details).block(frames, 0, -1);
}

}  // namespace

RecordingDetails read_recording_details(const RecordingEntry& entry, const std::atomic<bool>& stop) {
  RecordingDetails details;
  if (entry.kind == Kind::Recording) read_recording(entry, stop, details);
  if (entry.kind != Kind::Comparison && entry.kind != Kind::QuickAb) return details;
  const ComparisonPlan& plan = entry.run.comparison.plan;
  const std::vector<ScheduledBlock> schedule = schedule_blocks(std::min(plan.quads, 100'000u), plan.control);
  SpikeKeeper keeper(details);
  std::vector<frame::FrameRecord> frames;
  i32 now = -1;
  const auto end_block = [&] {
    // One that was cut off counts in no figure.
    const bool whole = frames.size() == plan.steps;
    const char arm =
        now >= 0 && static_cast<std::size_t>(now) < schedule.size() ? schedule[static_cast<std::size_t>(now)].arm : 'C';
    if (whole && arm <= 'B') keeper.block(frames, arm == 'B' ? 1 : 0, now);
    frames.clear();
  };
  for (const std::string& table : tables_of(entry)) {
    const std::string error = walk_frames_csv(table, [&](const frame::FrameRecord& record, const BlockPlace& place) {
      if (place.block != now) end_block();
      now = place.block;
      if (frames.size() <= plan.steps) frames.push_back(record);
      return !stop;
    });
    if (!error.empty() && details.error.empty()) details.error = first_line(error);
    if (stop) return details;
  }
  end_block();
  return details;
}

}  // namespace spellpool::measure
