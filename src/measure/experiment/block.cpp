#include "measure/experiment/block.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "measure/record/allocation_counter.hpp"
#include "measure/record/frame_recorder.hpp"
#include "measure/record/json_text.hpp"

namespace spellpool::measure {

using Json = nlohmann::ordered_json;

BlockRecorder::BlockRecorder(u64 warmup_frames, u64 frames) : frames_(frames), warmup_left_(warmup_frames) {}

void BlockRecorder::push(const frame::FrameRecord& record) {
  const u64 before = thread_allocations().new_calls;
  if (warmup_left_ > 0) {
    --warmup_left_;
  } else if (kept_ < frames_.size()) {
    frames_[kept_++] = record;
  }
  own_allocations_ += thread_allocations().new_calls - before;
}

std::string BlockRecorder::write(const BlockPlace& place, const BlockReport& report, const std::string& frames_path,
                                 const std::string& report_path) const {
  OutputFile file;
  if (file.create(frames_path) && file.write(frames_csv_header()) &&
      write_rows(file, std::span(frames_).first(kept_), place)) {
    file.close();
  }
  if (!file.error().empty()) return file.error();
  return write_new_file(report_path, block_report_text(report, kept_));
}

std::string block_report_text(const BlockReport& report, std::size_t frames) {
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  const MachineCounters& c = report.counters;
  Json json = {{"frames", frames},
               {"final_hash", hash_text(report.final_hash)},
               {"renderer", report.renderer},
               {"vsync", report.vsync},
               {"recorder_allocations", report.recorder_allocations},
               {"recorder_ns_per_frame", number(report.recorder_ns_per_frame)},
               {"cycles", number(c.cycles)},
               {"instructions", number(c.instructions)},
               {"cache_misses", number(c.cache_misses)},
               {"branch_misses", number(c.branch_misses)},
               {"rss_kib", number(report.rss_kib)}};
  for (const auto& [name, member] : kMachineUseKeys) json[name] = number(c.use.*member);
  return json_text(json, 2) + "\n";
}

std::string read_block_report(const std::string& path, BlockReport& report) {
  std::string text;
  if (std::string error = read_whole_file(path, text); !error.empty()) return error;
  const Json json = Json::parse(text, nullptr, false);
  const std::string hash =
      json.is_object() && json.contains("final_hash") && json["final_hash"].is_string() ? json["final_hash"] : "";
  const std::optional<u64> parsed = hash_of_text(hash);
  if (!parsed) {
    return path + ": is not a block's report with a final_hash of 16 hex digits";
  }
  report.final_hash = *parsed;
  const auto text_of = [&](const char* key, std::string& value) {
    if (json.contains(key) && json[key].is_string()) value = json[key];
  };
  text_of("renderer", report.renderer);
  text_of("vsync", report.vsync);
  if (json.contains("recorder_allocations") && json["recorder_allocations"].is_number_unsigned()) {
    report.recorder_allocations = json["recorder_allocations"];
  }
  const auto number_of = [&](const char* key, double& value) {
    if (json.contains(key) && json[key].is_number()) value = json[key];
  };
  number_of("recorder_ns_per_frame", report.recorder_ns_per_frame);
  for (const auto& [name, member] : kMachineUseKeys) number_of(name, report.counters.use.*member);
  number_of("cycles", report.counters.cycles);
  number_of("instructions", report.counters.instructions);
  number_of("cache_misses", report.counters.cache_misses);
  number_of("branch_misses", report.counters.branch_misses);
  number_of("rss_kib", report.rss_kib);
  return "";
}

bool write_rows(OutputFile& file, std::span<const frame::FrameRecord> frames, const BlockPlace& place) {
  constexpr std::size_t kBatchBytes = 256 * 1024;
  std::string rows;
  rows.reserve(kBatchBytes + kMaxCsvRowBytes);
  char row[kMaxCsvRowBytes];
  for (std::size_t i = 0; i < frames.size(); ++i) {
    rows.append(row, format_csv_row(frames[i], place, row));
    if (rows.size() < kBatchBytes && i + 1 < frames.size()) continue;
    if (!file.write(rows)) return false;
    rows.clear();
  }
  return true;
}

double recorder_cost_ns() {
  constexpr u64 kFrames = 2'000;
  FrameRecorder recorder;
  BlockRecorder block(0, kFrames);
  const u64 start = steady_now_ns();
  for (u64 i = 0; i < kFrames; ++i) {
    recorder.begin_frame();
    block.push(recorder.end_frame({}));
  }
  return static_cast<double>(steady_now_ns() - start) / static_cast<double>(kFrames);
}

std::optional<u64> hash_of_text(std::string_view text) {
  u64 hash = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  if (text.size() != 16 || parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return hash;
}

std::string hash_text(u64 hash) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

}  // namespace spellpool::measure
