#pragma once
// Spellpool's own frame table, frames.csv: one row per frame, one header, UTF-8, '.' as the decimal point whatever the
// locale. A value that is not known is NA, never 0. Columns are found by name when read, never by place.
//
//   block,quad,pos,strategy, and a column for each row of frame::kRecordColumns
//
// Units    *_us microseconds with three decimals, t_ns nanoseconds since the recorder's start, new_bytes bytes,
//          hash 16 hex digits. block, quad and pos count from 0 and are NA outside a comparison.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frame/frame_record.hpp"

namespace spellpool::measure {

/// Where a frame stands in a comparison; −1 is NA.
struct BlockPlace {
  i32 block = -1;
  i32 quad = -1;
  i32 pos = -1;  ///< 0 … 3 within the quad.
  friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};

/// The header line with its line end.
std::string_view frames_csv_header();

inline constexpr std::size_t kMaxCsvRowBytes = 1536;
/// Writes one row with its line end; out has room for kMaxCsvRowBytes. Returns its length. No allocation, no locale.
/// The strategy column is the name that pool::kStrategies has for record.strategy.
std::size_t format_csv_row(const frame::FrameRecord& record, const BlockPlace& place, char* out);

inline constexpr u8 kUnknownStrategy = 255;

/// A frames.csv in memory.
struct FramesCsv {
  std::vector<frame::FrameRecord> frames;    ///< strategy is kUnknownStrategy where the name is NA or not ours.
  std::vector<BlockPlace> places;            ///< One per frame.
  std::vector<std::string> unknown_columns;  ///< Missing, or NA in some row; their fields hold 0, which means nothing.
  std::string error;                         ///< "" or "FILE: line 12: …"; the rows before it are kept.
};
/// Reads a file by column name. frame_us must be there; columns of other names are passed over.
FramesCsv read_frames_csv(const std::string& path);
/// The same row by row, for tables that are not to be in memory whole; row() says false to end it. "" or the error.
std::string walk_frames_csv(const std::string& path,
                            const std::function<bool(const frame::FrameRecord&, const BlockPlace&)>& row);

}  // namespace spellpool::measure
