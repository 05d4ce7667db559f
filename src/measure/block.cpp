#include "measure/block.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

#include "measure/allocation_counter.hpp"

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
  const Json json = {{"frames", kept_},
                     {"final_hash", hash_text(report.final_hash)},
                     {"renderer", report.renderer},
                     {"vsync", report.vsync},
                     {"recorder_allocations", report.recorder_allocations}};
  return write_new_file(report_path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string read_block_report(const std::string& path, BlockReport& report) {
  std::string text;
  if (std::string error = read_whole_file(path, text); !error.empty()) return error;
  const Json json = Json::parse(text, nullptr, false);
  const std::string hash =
      json.is_object() && json.contains("final_hash") && json["final_hash"].is_string() ? json["final_hash"] : "";
  const auto parsed = std::from_chars(hash.data(), hash.data() + hash.size(), report.final_hash, 16);
  if (hash.size() != 16 || parsed.ec != std::errc{} || parsed.ptr != hash.data() + hash.size()) {
    return path + ": is not a block's report with a final_hash of 16 hex digits";
  }
  const auto text_of = [&](const char* key, std::string& value) {
    if (json.contains(key) && json[key].is_string()) value = json[key];
  };
  text_of("renderer", report.renderer);
  text_of("vsync", report.vsync);
  if (json.contains("recorder_allocations") && json["recorder_allocations"].is_number_unsigned()) {
    report.recorder_allocations = json["recorder_allocations"];
  }
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

std::string hash_text(u64 hash) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

}  // namespace spellpool::measure
