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

#include "measure/record/float_from_chars.hpp"
#include "pool/strategy.hpp"

namespace spellpool::measure {
namespace {

using frame::FrameRecord;

using frame::kRecordColumns;
using frame::RecordColumn;

// The file's own columns, before those of the record.
enum Own : std::size_t { kBlock, kQuad, kPos, kStrategy, kOwnCount };
constexpr std::array<std::string_view, kOwnCount> kOwnNames = {"block", "quad", "pos", "strategy"};
constexpr std::size_t kColumnCount = kOwnCount + kRecordColumns.size();
constexpr std::string_view name_of(std::size_t column) {
  return column < kOwnCount ? kOwnNames[column] : kRecordColumns[column - kOwnCount].name;
}
constexpr std::size_t place_of(std::string_view name) {
  std::size_t column = 0;
  while (column < kColumnCount && name_of(column) != name) ++column;
  return column;
}
constexpr std::size_t kFrameUs = place_of("frame_us");
static_assert(kFrameUs < kColumnCount);

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
    for (std::size_t c = 0; c < kColumnCount; ++c) line.append(name_of(c)).push_back(',');
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
  for (const RecordColumn& column : kRecordColumns) {
    if (!column.is_known(r)) {
      row.unknown();
    } else if (column.is_time()) {
      row.us(column.us(r));
    } else if (column.hex) {
      row.hex16(column.whole(r));
    } else {
      row.whole(column.whole(r));
    }
  }
  return row.finish();
}

namespace {

/// Reads rows of one file once its header is known.
class Reader {
 public:
  Reader() { field_of_.fill(-1); }

  void header(std::string_view line) {
    split(line);
    fields_in_header_ = fields_.size();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const std::size_t column = place_of(fields_[i]);
      if (column < kColumnCount && field_of_[column] < 0) field_of_[column] = static_cast<int>(i);
    }
    for (std::size_t c = 0; c < kColumnCount; ++c) unknown_[c] = field_of_[c] < 0;
  }
  bool has(std::size_t column) const { return field_of_[column] >= 0; }

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
    place.block = number<i32>(kBlock).value_or(-1);
    place.quad = number<i32>(kQuad).value_or(-1);
    place.pos = number<i32>(kPos).value_or(-1);
    r.strategy = strategy();
    for (const RecordColumn& column : kRecordColumns) {
      if (column.known != nullptr) r.*column.known = true;
    }
    for (std::size_t c = kOwnCount; c < kColumnCount; ++c) {
      const RecordColumn& column = kRecordColumns[c - kOwnCount];
      if (!take(c, column, r) && column.known != nullptr) r.*column.known = false;
    }
    for (const RecordColumn& column : kRecordColumns) {
      if (!column.is_known(r)) column.clear(r);
    }
    if (wrong_.empty() && unknown_[kFrameUs]) wrong_ = "has no frame_us";
    return wrong_;
  }

  std::vector<std::string> unknown_columns() const {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < kColumnCount; ++c) {
      if (unknown_[c]) names.emplace_back(name_of(c));
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

  std::optional<std::string_view> field(std::size_t column) {
    if (field_of_[column] < 0) return std::nullopt;
    const std::string_view text = fields_[static_cast<std::size_t>(field_of_[column])];
    if (text == "NA") {
      unknown_[column] = true;
      return std::nullopt;
    }
    return text;
  }

  /// Into the column's member. False if it is not known.
  bool take(std::size_t c, const RecordColumn& column, FrameRecord& r) {
    if (column.is_time()) {
      const std::optional<double> us = number<double>(c);
      column.us(r) = static_cast<float>(us.value_or(0));
      return us.has_value();
    }
    if (column.count != nullptr) {
      const std::optional<u32> count = number<u32>(c);
      r.*column.count = count.value_or(0);
      return count.has_value();
    }
    const std::optional<u64> total = number<u64>(c, column.hex ? 16 : 10);
    r.*column.total = total.value_or(0);
    return total.has_value();
  }

  template <class Number>
  std::optional<Number> number(std::size_t column, [[maybe_unused]] int base = 10) {
    const std::optional<std::string_view> text = field(column);
    if (!text) return std::nullopt;
    Number value{};
    std::from_chars_result parsed{};
    const char* end = text->data() + text->size();
    if constexpr (std::is_floating_point_v<Number>) {
      parsed = float_from_chars(text->data(), end, value);
      if (parsed.ec == std::errc{} && (!std::isfinite(value) || value < 0)) parsed.ec = std::errc::invalid_argument;
    } else {
      parsed = std::from_chars(text->data(), end, value, base);
    }
    if (parsed.ec != std::errc{} || parsed.ptr != end) {
      if (wrong_.empty()) {
        wrong_ = "has '" + std::string(text->substr(0, 40)) + "' in column " +
                 std::string(name_of(column)) +
                 ", which is not a number that fits there";
      }
      return std::nullopt;
    }
    return value;
  }

  u8 strategy() {
    const std::optional<std::string_view> name = field(kStrategy);
    const auto id = name ? find_by_name<pool::StrategyId>(pool::kStrategies, *name) : std::nullopt;
    return id ? static_cast<u8>(*id) : kUnknownStrategy;
  }

  std::array<int, kColumnCount> field_of_{};
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
      if (!reader.has(kFrameUs)) break;
      continue;
    }
    if (line.empty()) continue;
    const std::string wrong = reader.row(line, record, place);
    if (!wrong.empty()) return path + ": line " + std::to_string(number) + ": " + wrong;
    if (!f(record, place)) return "";
  }
  if (!lines.error().empty()) return lines.error();
  if (!reader.has(kFrameUs)) return path + ": line 1: no column frame_us; this is not a frame table of Spellpool";
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

std::string walk_frames_csv(const std::string& path,
                            const std::function<bool(const FrameRecord&, const BlockPlace&)>& row) {
  Reader reader;
  return walk(path, reader, row);
}

}  // namespace spellpool::measure
