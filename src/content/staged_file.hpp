#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace spellpool::content {

/// What to do when the file is already there.
enum class Overwrite : bool { No, Yes };

/// A file that appears under its name only when it is complete: bytes go to "NAME.part-PID-N" in the same folder,
/// commit() puts it in place in one rename. Without a commit the destructor removes it, and an older file stays as it
/// was. A path that names a device or a pipe (/dev/full, a FIFO) is written straight through.
/// Errors  error() keeps the first one, a line that names the path; every later call is then a no-op.
/// Threads one owner.
class StagedFile {
 public:
  StagedFile(std::filesystem::path path, Overwrite overwrite);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  /// For libraries that write themselves; -1 after an error.
  int descriptor() const { return descriptor_; }
  void write(std::string_view bytes);
  /// Notes a failure that a library met; the file will not appear.
  void fail(std::string_view reason);
  /// Puts the file in place. "" or the error line. `durable`: not before its bytes are on the disk, so that a power
  /// cut leaves the old file or the new one; costs a disk's write.
  const std::string& commit(bool durable = false);

 private:
  void open();
  void close_descriptor();

  std::filesystem::path path_;
  std::filesystem::path staged_;  ///< Empty when written straight through.
  Overwrite overwrite_;
  int descriptor_ = -1;
  std::string error_;
};

}  // namespace spellpool::content
