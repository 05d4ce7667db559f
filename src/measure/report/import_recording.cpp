#include "measure/report/import_recording.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "core/one_line.hpp"
#include "measure/record/float_from_chars.hpp"
#include "measure/record/frames_csv.hpp"
#include "measure/record/number_text.hpp"
#include "measure/record/output_file.hpp"
#include "measure/record/statistics.hpp"

namespace spellpool::measure {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Fields of a line; one in double quotes may hold commas and doubled quotes.
std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) field = std::string(trimmed(field));
  return fields;
}

struct TextLines {
  std::string_view rest;
  std::size_t number = 0;
  bool next(std::string_view& line) {
    if (rest.empty()) return false;
    const std::size_t end = rest.find('\n');
    line = trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    ++number;
    return true;
  }
};

constexpr std::size_t kMostValueCharacters = 300;  // of what the file says of the machine

class Importer {
 public:
  Importer(const std::string& path, const std::string& process) : process_(process) { r_.path = path; }

  ImportedRecording run() {
    r_.program = std::filesystem::path(r_.path).stem().string();
    std::string text;
    r_.error = read_whole_file(r_.path, text);
    if (!r_.error.empty()) return std::move(r_);
    lines_.rest = text;
    if (lines_.rest.substr(0, 3) == "\xEF\xBB\xBF") lines_.rest.remove_prefix(3);
    if (text.find('\0') != std::string::npos) {
      r_.error = r_.path + ": is no text; recordings are CSV files";
      return std::move(r_);
    }
    if (!find_header()) return std::move(r_);
    if (r_.tool == "Spellpool") return own();
    rows();
    if (r_.error.empty() && r_.frame_us.empty()) r_.error = r_.path + ": holds no frame";
    for (auto& [name, value] : r_.system)
      name = clipped(name, kMostNameCharacters), value = clipped(value, kMostValueCharacters);
    return std::move(r_);
  }

 private:
  int column(std::string_view name) const {
    const auto found = std::find(columns_.begin(), columns_.end(), name);
    return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
  }

  bool find_header() {
    std::string_view line;
    std::vector<std::string> system_names;
    bool keys = false;
    while (lines_.number < 200 && lines_.next(line)) {
      if (line.substr(0, 2) == "//") {
        keys = true;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string name(line.substr(2, equals - 2)), value(line.substr(equals + 1));
        if (!value.empty()) r_.system.emplace_back(name, value);
        if (lower(name) == "gamename" && !value.empty()) r_.program = value;
        continue;
      }
      if (line.empty()) continue;
      columns_ = split(line);
      for (std::string& name : columns_) name = lower(name);
      if (!system_names.empty() && column("frametime") < 0) {  // MangoHud's second line
        const std::vector<std::string> values = split(line);
        for (std::size_t i = 0; i < std::min(values.size(), system_names.size()); ++i)
          r_.system.emplace_back(system_names[i], values[i]);
        system_names.clear();
        continue;
      }
      if (columns_[0] == "os" && column("cpu") > 0) {
        system_names = columns_;
        continue;
      }
      if (column("frame_us") >= 0) r_.tool = "Spellpool", time_ = column("frame_us");
      else if (column("fps") >= 0 && column("frametime") >= 0) r_.tool = "MangoHud", time_ = column("frametime");
      else if (column("msbetweenpresents") >= 0)
        r_.tool = keys                                                        ? "CapFrameX"
                  : column("cpustarttime") >= 0 || column("cpustartqpc") >= 0 ? "PresentMon 2"
                                                                              : "PresentMon 1",
        time_ = column("msbetweenpresents");
      else if (column("frametime") >= 0 && column("application") >= 0)
        r_.tool = keys ? "CapFrameX" : "PresentMon 2", time_ = column("frametime");
      if (time_ >= 0) return true;
    }
    r_.error = r_.path +
               ": no column frametime, FrameTime, MsBetweenPresents or frame_us; this is no recording of MangoHud, "
               "PresentMon, CapFrameX or Spellpool";
    return false;
  }

  ImportedRecording own() {
    FramesCsv table = read_frames_csv(r_.path);
    r_.error = table.error;
    if (table.frames.empty() && r_.error.empty()) r_.error = r_.path + ": holds no frame";
    r_.records = std::move(table.frames);
    for (const frame::FrameRecord& record : r_.records) r_.frame_us.push_back(static_cast<double>(record.frame_us));
    return std::move(r_);
  }

  /// What the file has of one process.
  struct Process {
    std::vector<double> times;
    u64 left_out = 0, dropped = 0;
  };
  using Processes = std::map<std::string, Process>;

  /// The process that is asked for; without one, that with the most frames. end(): there is none, and r_.error says so.
  Processes::iterator chosen(Processes& processes) {
    const auto fewer = [](const auto& a, const auto& b) { return a.second.times.size() < b.second.times.size(); };
    if (process_.empty() || !r_.names_processes) return std::max_element(processes.begin(), processes.end(), fewer);
    if (const auto exact = processes.find(process_); exact != processes.end()) return exact;
    auto found = processes.end();
    for (auto at = processes.begin(); at != processes.end(); ++at) {
      const bool same = lower(at->first) == lower(process_);
      if (same && (found == processes.end() || fewer(*found, *at))) found = at;
    }
    if (found == processes.end()) {
      r_.error = "--process: " + r_.path + " has no process '" + clipped(process_, kMostNameCharacters) +
                 "'; there are: " + processes_text(all_but(processes, found));
    }
    return found;
  }

  static std::vector<ProcessFrames> all_but(const Processes& processes, Processes::const_iterator one) {
    std::vector<ProcessFrames> rest;
    for (auto at = processes.begin(); at != processes.end(); ++at) {
      if (at != one) rest.push_back({clipped(at->first, kMostNameCharacters), at->second.times.size()});
    }
    std::stable_sort(rest.begin(), rest.end(), [](const auto& a, const auto& b) { return a.frames > b.frames; });
    return rest;
  }

  void rows() {
    const int fps = column("fps"), application = column("application"), dropped = column("dropped");
    r_.names_processes = application >= 0;
    Processes processes;
    std::vector<double> products;
    std::string_view line;
    while (lines_.next(line)) {
      if (line.empty()) continue;
      const std::vector<std::string> fields = split(line);
      if (fields.size() <= static_cast<std::size_t>(time_)) {
        // The last line of a recording that was cut off is half a line; any other is a mistake.
        if (lines_.rest.empty()) {
          r_.notes.push_back("its last line is cut off and left out");
          break;
        }
        r_.error = r_.path + ": line " + std::to_string(lines_.number) + ": has " + std::to_string(fields.size()) +
                   " fields where the header has " + std::to_string(columns_.size());
        return;
      }
      const auto field = [&](int at) {
        return at >= 0 && static_cast<std::size_t>(at) < fields.size() ? fields[static_cast<std::size_t>(at)]
                                                                       : std::string();
      };
      Process& process = processes[field(application)];  // also one without a time, so that it can be listed
      const std::optional<double> time = number(fields[static_cast<std::size_t>(time_)]);
      if (!time || *time <= 0) {
        ++process.left_out;
        continue;
      }
      if (field(dropped) == "1") ++process.dropped;
      const std::optional<double> rate = number(field(fps));
      if (r_.tool == "MangoHud" && rate && *rate > 0 && products.size() < 1'000) products.push_back(*rate * *time);
      process.times.push_back(*time);
    }
    const auto one = chosen(processes);
    if (one == processes.end()) return;
    r_.others = all_but(processes, one);
    if (!r_.others.empty()) {
      r_.notes.push_back("the file also has " + processes_text(r_.others) + ", left out; --process NAME chooses");
    }
    const bool is_asked_for = !process_.empty() && r_.names_processes;
    if (!one->first.empty() && (r_.tool != "CapFrameX" || is_asked_for)) r_.program = one->first;
    if (is_asked_for && one->second.times.empty()) r_.error = r_.path + ": holds no frame of " + r_.program;
    r_.left_out = one->second.left_out;
    r_.dropped = one->second.dropped;
    // fps × frametime is 1,000 where the time is in ms, and a million where it is in µs, as MangoHud up to 0.6 has it.
    const double product = median_in_place(products);
    const bool micros = product > 31'623.0;
    if (micros) r_.notes.push_back("frametime is in µs in this file, as fps × frametime tells");
    r_.frame_us = std::move(one->second.times);
    for (double& time : r_.frame_us) time *= micros ? 1.0 : 1'000.0;
  }

  static std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto parsed = float_from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || !std::isfinite(value))
      return std::nullopt;
    return value;
  }

  ImportedRecording r_;
  std::string process_;
  TextLines lines_;
  std::vector<std::string> columns_;
  int time_ = -1;
};

}  // namespace

std::string processes_text(const std::vector<ProcessFrames>& processes) {
  constexpr std::size_t kMostNames = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(processes.size(), kMostNames); ++i) {
    const ProcessFrames& one = processes[i];
    text += (i == 0 ? "" : ", ") + (one.name.empty() ? "one without a name" : one.name) + " (" +
            grouped_text(static_cast<double>(one.frames), 0) + (one.frames == 1 ? " frame)" : " frames)");
  }
  if (processes.size() > kMostNames) text += " and " + std::to_string(processes.size() - kMostNames) + " more";
  return text;
}

ImportedRecording import_recording(const std::string& path, const std::string& process) {
  return Importer(path, process).run();
}

}  // namespace spellpool::measure
