#include "measure/report/import_recording.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "measure/record/frames_csv.hpp"
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

class Importer {
 public:
  explicit Importer(const std::string& path) { r_.path = path; }

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
        for (std::size_t i = 0; i < std::min(values.size(), system_names.size()); ++i) r_.system.emplace_back(system_names[i], values[i]);
        system_names.clear();
        continue;
      }
      if (columns_[0] == "os" && column("cpu") > 0) {
        system_names = columns_;
        continue;
      }
      if (column("frame_us") >= 0) r_.tool = "Spellpool", time_ = column("frame_us");
      else if (column("fps") >= 0 && column("frametime") >= 0) r_.tool = "MangoHud", time_ = column("frametime");
      else if (column("msbetweenpresents") >= 0) r_.tool = keys ? "CapFrameX" : column("cpustarttime") >= 0 || column("cpustartqpc") >= 0 ? "PresentMon 2" : "PresentMon 1", time_ = column("msbetweenpresents");
      else if (column("frametime") >= 0 && column("application") >= 0) r_.tool = keys ? "CapFrameX" : "PresentMon 2", time_ = column("frametime");
      if (time_ >= 0) return true;
    }
    r_.error = r_.path + ": no column frametime, FrameTime, MsBetweenPresents or frame_us; this is no recording of MangoHud, PresentMon, CapFrameX or Spellpool";
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

  void rows() {
    const int fps = column("fps"), application = column("application"), dropped = column("dropped");
    std::map<std::string, std::vector<double>> by_program;
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
        r_.error = r_.path + ": line " + std::to_string(lines_.number) + ": has " + std::to_string(fields.size()) + " fields where the header has " + std::to_string(columns_.size());
        return;
      }
      const std::optional<double> time = number(fields[static_cast<std::size_t>(time_)]);
      if (!time || *time <= 0) {
        ++r_.left_out;
        continue;
      }
      const auto field = [&](int at) { return at >= 0 && static_cast<std::size_t>(at) < fields.size() ? fields[static_cast<std::size_t>(at)] : std::string(); };
      if (field(dropped) == "1") ++r_.dropped;
      const std::optional<double> rate = number(field(fps));
      if (r_.tool == "MangoHud" && rate && *rate > 0 && products.size() < 1'000) products.push_back(*rate * *time);
      by_program[field(application)].push_back(*time);
    }
    auto largest = by_program.begin();
    for (auto at = by_program.begin(); at != by_program.end(); ++at) {
      if (at->second.size() > largest->second.size()) largest = at;
    }
    if (largest == by_program.end()) return;
    for (const auto& [name, times] : by_program) {
      if (name != largest->first) r_.notes.push_back(std::to_string(times.size()) + " frames of " + name + " in the same file are left out");
    }
    if (!largest->first.empty() && r_.tool != "CapFrameX") r_.program = largest->first;
    // fps × frametime is 1,000 where the time is in ms, and a million where it is in µs, as MangoHud up to 0.6 has it.
    const double product = median_in_place(products);
    const bool micros = product > 31'623.0;
    if (micros) r_.notes.push_back("frametime is in µs in this file, as fps × frametime tells");
    r_.frame_us = std::move(largest->second);
    for (double& time : r_.frame_us) time *= micros ? 1.0 : 1'000.0;
  }

  static std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
  }

  ImportedRecording r_;
  TextLines lines_;
  std::vector<std::string> columns_;
  int time_ = -1;
};

}  // namespace

ImportedRecording import_recording(const std::string& path) { return Importer(path).run(); }

}  // namespace spellpool::measure
