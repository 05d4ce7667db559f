#pragma once
// Files that are written once and never over another. Errors are values: one line that names the file and the mend.
#include <string>
#include <string_view>

#include "core/types.hpp"

namespace spellpool::measure {

/// The first of dir/stem.ext, dir/stem-2.ext, dir/stem-3.ext … that does not exist. ext is given with its dot.
std::string unique_path(const std::string& dir, std::string_view stem, std::string_view ext);

/// What stays of a file when a write breaks off, on a full disk say.
enum class OnFailure : u8 {
  KeepWholeLines,  ///< Up to the last line's end: a table is worth keeping.
  Remove,          ///< Nothing: half a picture or half a JSON is worth nothing.
};

/// A new file, and the error value of whatever goes wrong with it.
/// A device such as /dev/full or /dev/stdout is written as it is; any other file that exists already is an error.
/// Threads  one at a time.
class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Makes the folders above it, then the file. False: see error().
  bool create(const std::string& path, OnFailure on_failure = OnFailure::KeepWholeLines);
  /// Writes all bytes at once. False: see error(); the file is closed by then, and removed if not one line is whole.
  bool write(std::string_view bytes);
  /// False if the last bytes did not reach the disk.
  bool close();

  bool is_open() const { return fd_ >= 0; }
  const std::string& path() const { return path_; }
  /// Whole lines that are in the file.
  u64 lines() const { return lines_; }
  /// "" or one line: "cannot write DIR/FILE: No space left on device; free some space or choose another folder".
  const std::string& error() const { return error_; }

 private:
  bool fail(int error_number);

  int fd_ = -1;
  bool device_ = false;
  OnFailure on_failure_ = OnFailure::KeepWholeLines;
  i64 whole_lines_bytes_ = 0;  ///< Length of the file up to its last whole line.
  i64 written_bytes_ = 0;
  u64 lines_ = 0;
  std::string path_;
  std::string error_;
};

/// Creates path with this text, whole or not at all. Returns "" or the error.
std::string write_new_file(const std::string& path, std::string_view text);
/// Replaces the contents of path with this text: flushes a new file to the disk, then renames it. A reader
/// sees the old file or the new one, always whole, even if the process is killed. Returns "" or the error;
/// after an error the old file stays.
std::string replace_file(const std::string& path, std::string_view text);
/// The last half of it, for a file that is complete: flushes `from` and renames it to `to`, over what is there.
std::string move_into_place(const std::string& from, const std::string& to);
/// Reads all of a file into text. Returns "" or the error: "cannot read FILE: …".
std::string read_whole_file(const std::string& path, std::string& text);
/// The line about a file that could not be written, with its mend.
std::string write_error(const std::string& path, int error_number);

}  // namespace spellpool::measure
