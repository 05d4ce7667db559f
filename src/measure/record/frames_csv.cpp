#include "measure/record/frames_csv.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <system_error>

#include "pool/strategy.hpp"

namespace spellpool::measure {
namespace {

using frame::FrameRecord;

enum class Column : u8 {
  Block,
  Quad,
  Pos,
  Strategy,
  Seed,
  Frame,
  Step,
  TimeNs,
  FrameUs,
  SpawnUs,
  UpdateUs,
  CollideUs,
  DespawnUs,
  RenderUs,
  UiUs,
  SwapUs,
  Live,
  Spawned,
  Despawned,
  Rejected,
  Stolen,
  NewCalls,
  DeleteCalls,
  NewBytes,
  Minflt,
  Majflt,
  Nvcsw,
  Nivcsw,
  Hash,
};
constexpr std::array<std::string_view, 29> kColumnNames = {
    "block",    "quad",     "pos",       "strategy",   "seed",       "frame",     "step",         "t_ns",
    "frame_us", "spawn_us", "update_us", "collide_us", "despawn_us", "render_us", "ui_us",        "swap_us",
    "live",     "spawned",  "despawned", "rejected",   "stolen",     "new_calls", "delete_calls", "new_bytes",
    "minflt",   "majflt",   "nvcsw",     "nivcsw",     "hash"};
constexpr std::size_t kColumnCount = kColumnNames.size();
constexpr std::size_t kFirstPhase = static_cast<std::size_t>(Column::SpawnUs);
static_assert(static_cast<std::size_t>(Column::Hash) + 1 == kColumnCount);
static_assert(kFirstPhase + frame::kPhaseCount == static_cast<std::size_t>(Column::Live));

class RowWriter {
 public:
  explicit RowWriter(char* out) : begin_(out), at_(out) {}

  void text(std::string_view value) {
    std::memcpy(at_, value.data(), value.size());
    at_ += value.size();
    *at_++ = ',';
  }
  void unknown() { text("NA"); }
  template <class Whole>
  void whole(Whole value) {
    at_ = std::to_chars(at_, at_ + 24, value).ptr;
    *at_++ = ',';
  }
  void place(i32 value) { value < 0 ? unknown() : whole(value); }
  void us(float value) {
    if (!std::isfinite(value)) return unknown();
    at_ = std::to_chars(at_, at_ + 64, static_cast<double>(value), std::chars_format::fixed, 3).ptr;
    *at_++ = ',';
  }
  void hex16(u64 value) {
    for (int shift = 60; shift >= 0; shift -= 4) *at_++ = "0123456789abcdef"[(value >> shift) & 15];
    *at_++ = ',';
  }
  std::size_t finish() {
    at_[-1] = '\n';
    return static_cast<std::size_t>(at_ - begin_);
  }

 private:
  char* begin_;
  char* at_;
};

}  // namespace

std::string_view frames_csv_header() {
  static const std::string header = [] {
    std::string line;
    for (const std::string_view name : kColumnNames) line.append(name).push_back(',');
    line.back() = '\n';
    return line;
  }();
  return header;
}

std::size_t format_csv_row(const FrameRecord& r, const BlockPlace& place, char* out) {
  RowWriter row(out);
  row.place(place.block);
  row.place(place.quad);
  row.place(place.pos);
  if (r.strategy < pool::kStrategyCount) {
    row.text(pool::kStrategies[r.strategy].name);
  } else {
    row.unknown();
  }
  row.whole(r.seed);
  row.whole(r.frame);
  row.whole(r.step);
  row.whole(r.t_ns);
  row.us(r.frame_us);
  for (const float phase : r.phase_us) row.us(phase);
  for (const u32 count : {r.live, r.spawned, r.despawned, r.rejected, r.stolen, r.new_calls, r.delete_calls}) {
    row.whole(count);
  }
  row.whole(r.new_bytes);
  for (const u32 count : {r.minflt, r.majflt, r.nvcsw, r.nivcsw}) r.has_usage ? row.whole(count) : row.unknown();
  r.has_hash ? row.hex16(r.hash) : row.unknown();
  return row.finish();
}

namespace {

/// Reads rows of one file once its header is known.
class Reader {
 public:
  Reader() { place_of_.fill(-1); }

  void header(std::string_view line) {
    split(line);
    fields_in_header_ = fields_.size();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const auto column = std::find(kColumnNames.begin(), kColumnNames.end(), fields_[i]);
      if (column == kColumnNames.end()) continue;
      int& place = place_of_[static_cast<std::size_t>(column - kColumnNames.begin())];
      if (place < 0) place = static_cast<int>(i);
    }
    for (std::size_t c = 0; c < kColumnCount; ++c) unknown_[c] = place_of_[c] < 0;
  }
  bool has(Column column) const { return place_of_[static_cast<std::size_t>(column)] >= 0; }

  /// "" or what is wrong with the line.
  std::string row(std::string_view line, FrameRecord& r, BlockPlace& place) {
    split(line);
    if (fields_.size() != fields_in_header_) {
      return "has " + std::to_string(fields_.size()) + " fields where the header has " +
             std::to_string(fields_in_header_);
    }
    wrong_.clear();
    r = {};
    place = {};
    place.block = number<i32>(Column::Block).value_or(-1);
    place.quad = number<i32>(Column::Quad).value_or(-1);
    place.pos = number<i32>(Column::Pos).value_or(-1);
    r.strategy = strategy();
    r.seed = number<u64>(Column::Seed).value_or(0);
    r.frame = number<u64>(Column::Frame).value_or(0);
    r.step = number<u64>(Column::Step).value_or(0);
    r.t_ns = number<u64>(Column::TimeNs).value_or(0);
    r.frame_us = static_cast<float>(number<double>(Column::FrameUs).value_or(0));
    for (std::size_t i = 0; i < frame::kPhaseCount; ++i) {
      r.phase_us[i] = static_cast<float>(number<double>(static_cast<Column>(kFirstPhase + i)).value_or(0));
    }
    r.live = number<u32>(Column::Live).value_or(0);
    r.spawned = number<u32>(Column::Spawned).value_or(0);
    r.despawned = number<u32>(Column::Despawned).value_or(0);
    r.rejected = number<u32>(Column::Rejected).value_or(0);
    r.stolen = number<u32>(Column::Stolen).value_or(0);
    r.new_calls = number<u32>(Column::NewCalls).value_or(0);
    r.delete_calls = number<u32>(Column::DeleteCalls).value_or(0);
    r.new_bytes = number<u64>(Column::NewBytes).value_or(0);
    const auto minflt = number<u32>(Column::Minflt), majflt = number<u32>(Column::Majflt);
    const auto nvcsw = number<u32>(Column::Nvcsw), nivcsw = number<u32>(Column::Nivcsw);
    r.has_usage = minflt && majflt && nvcsw && nivcsw;
    if (r.has_usage) r.minflt = *minflt, r.majflt = *majflt, r.nvcsw = *nvcsw, r.nivcsw = *nivcsw;
    const auto hash = number<u64>(Column::Hash, 16);
    r.has_hash = hash.has_value();
    r.hash = hash.value_or(0);
    if (wrong_.empty() && unknown_[static_cast<std::size_t>(Column::FrameUs)]) wrong_ = "has no frame_us";
    return wrong_;
  }

  std::vector<std::string> unknown_columns() const {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < kColumnCount; ++c) {
      if (unknown_[c]) names.emplace_back(kColumnNames[c]);
    }
    return names;
  }

 private:
  void split(std::string_view line) {
    fields_.clear();
    for (;;) {
      const std::size_t comma = line.find(',');
      fields_.push_back(line.substr(0, comma));
      if (comma == std::string_view::npos) break;
      line.remove_prefix(comma + 1);
    }
  }

  std::optional<std::string_view> field(Column column) {
    const auto c = static_cast<std::size_t>(column);
    if (place_of_[c] < 0) return std::nullopt;
    const std::string_view text = fields_[static_cast<std::size_t>(place_of_[c])];
    if (text == "NA") {
      unknown_[c] = true;
      return std::nullopt;
    }
    return text;
  }

  template <class Number>
  std::optional<Number> number(Column column, [[maybe_unused]] int base = 10) {
    const std::optional<std::string_view> text = field(column);
    if (!text) return std::nullopt;
    Number value{};
    std::from_chars_result parsed{};
    const char* end = text->data() + text->size();
    if constexpr (std::is_floating_point_v<Number>) {
      parsed = std::from_chars(text->data(), end, value);
      if (parsed.ec == std::errc{} && (!std::isfinite(value) || value < 0)) parsed.ec = std::errc::invalid_argument;
    } else {
      parsed = std::from_chars(text->data(), end, value, base);
    }
    if (parsed.ec != std::errc{} || parsed.ptr != end) {
      if (wrong_.empty()) {
        wrong_ = "has '" + std::string(text->substr(0, 40)) + "' in column " +
                 std::string(kColumnNames[static_cast<std::size_t>(column)]) +
                 ", which is not a number that fits there";
      }
      return std::nullopt;
    }
    return value;
  }

  u8 strategy() {
    const std::optional<std::string_view> name = field(Column::Strategy);
    const auto id = name ? find_by_name<pool::StrategyId>(pool::kStrategies, *name) : std::nullopt;
    return id ? static_cast<u8>(*id) : kUnknownStrategy;
  }

  std::array<int, kColumnCount> place_of_{};
  std::array<bool, kColumnCount> unknown_{};
  std::vector<std::string_view> fields_;
  std::size_t fields_in_header_ = 0;
  std::string wrong_;
};

/// The lines of a file, one after the other, with little of it in memory.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rbe")) {
    if (file_ == nullptr) fail();
  }
  ~Lines() {
    if (file_ != nullptr) std::fclose(file_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  /// Without its line end; good until the next call. False: there are no more, or error().
  bool next(std::string_view& line) {
    for (;;) {
      const std::size_t end = buffer_.find('\n', std::max(begin_, searched_));
      if (end != std::string::npos) {
        line = std::string_view(buffer_).substr(begin_, end - begin_);
        begin_ = searched_ = end + 1;
        break;
      }
      searched_ = buffer_.size();
      if (read_more()) continue;
      if (begin_ == buffer_.size() || !error_.empty()) return false;
      line = std::string_view(buffer_).substr(begin_);
      begin_ = buffer_.size();
      break;
    }
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return true;
  }
  const std::string& error() const { return error_; }

 private:
  static constexpr std::size_t kPiece_bytes = std::size_t{1} << 18;
  bool read_more() {
    if (file_ == nullptr) return false;
    buffer_.erase(0, begin_);
    searched_ -= begin_;
    begin_ = 0;
    const std::size_t had = buffer_.size();
    buffer_.resize(had + kPiece_bytes);
    const std::size_t got = std::fread(buffer_.data() + had, 1, kPiece_bytes, file_);
    buffer_.resize(had + got);
    if (got == 0 && std::ferror(file_) != 0) fail();
    return got > 0;
  }
  void fail() { error_ = "cannot read " + path_ + ": " + std::generic_category().message(errno); }

  std::string path_, buffer_, error_;
  std::FILE* file_;
  std::size_t begin_ = 0, searched_ = 0;
};

/// f(record, place) for each row, until it says false. "" or the error.
template <class F>
std::string walk(const std::string& path, Reader& reader, F&& f) {
  Lines lines(path);
  std::string_view line;
  FrameRecord record;
  BlockPlace place;
  for (std::size_t number = 1; lines.next(line); ++number) {
    if (number == 1) {
      if (line.substr(0, 3) == "\xEF\xBB\xBF") line.remove_prefix(3);
      reader.header(line);
      if (!reader.has(Column::FrameUs)) break;
      continue;
    }
    if (line.empty()) continue;
    const std::string wrong = reader.row(line, record, place);
    if (!wrong.empty()) return path + ": line " + std::to_string(number) + ": " + wrong;
    if (!f(record, place)) return "";
  }
  if (!lines.error().empty()) return lines.error();
  if (!reader.has(Column::FrameUs)) return path + ": line 1: no column frame_us; this is not a frame table of Spellpool";
  return "";
}

}  // namespace

FramesCsv read_frames_csv(const std::string& path) {
  FramesCsv result;
  Reader reader;
  result.error = walk(path, reader, [&](const FrameRecord& record, const BlockPlace& place) {
    result.frames.push_back(record);
    result.places.push_back(place);
    return true;
  });
  result.unknown_columns = reader.unknown_columns();
  return result;
}

std::string walk_frames_csv(const std::string& path, const std::function<bool(const FrameRecord&, const BlockPlace&)>& row) {
  Reader reader;
  return walk(path, reader, row);
}

}  // namespace spellpool::measure
