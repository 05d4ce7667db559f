#pragma once
// Tells which of a list of files, and of those in a folder, changed, and hands over the new text, so that no frame
// waits on the disk.
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/spsc_ring.hpp"
#include "core/types.hpp"

namespace spellpool::platform {

struct FileChange {
  std::size_t file = 0;  ///< Index into the list; those of the folder come behind it.
  std::filesystem::path path;
  std::string text;
  std::string error;  ///< "" or one line, if the file cannot be read now.
  bool missing = false;  ///< The error is that there is no such file.
};

/// The scan, without a thread. A file counts as changed when its text (or its error) differs from the last
/// report. So a `touch` or a write of the same text is no change, and an editor that replaces by rename is
/// handled. Each scan calls stat for every file. It reads the text only if time, size or inode differ, or if
/// the time stamp is so recent that a second write could have the same one. A half-written file is reported
/// as it is, and again when the rest follows. A missing file is reported after two scans in a row, since
/// some editors delete a file before they write it. Files above max_bytes, folders and devices are errors.
/// If a folder is given, every *.toml in it is watched, new ones included.
class FileScan {
 public:
  FileScan(std::vector<std::filesystem::path> files, std::size_t max_bytes, std::filesystem::path folder = {});

  /// Appends one FileChange per changed file.
  void scan(std::vector<FileChange>& changes);
  /// Tells every file again at the next scan, changed or not.
  void forget();

 private:
  struct Stamp {
    i64 modified_ns = -1;
    i64 size_bytes = -1;
    u64 inode = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Seen {
    std::filesystem::path path;
    Stamp stamp;
    bool settled = false;  ///< The stamp was old enough when the text was read.
    bool told = false;
    u32 missing_scans = 0;
    std::string text, error;
  };
  void scan_one(std::size_t index, std::vector<FileChange>& changes);
  void look_for_new();

  std::vector<Seen> files_;
  std::filesystem::path folder_;
  std::size_t max_bytes_;
};

/// FileScan on a thread of its own, every 250 ms. Where no thread can be made, as in a browser, poll() never has a
/// change. The state at construction is taken as known: construct it first, then read the files, and no change is
/// lost.
/// Cost    poll() is one atomic load while nothing changed; the thread about 1 µs per file and scan.
/// Full    16 changes wait for poll(); the others of the scan follow, with the text that they had in it, before the next one.
/// Threads poll() and reread() from one thread. The two threads share a ring and a flag, no lock that poll() takes.
class FileWatch {
 public:
  FileWatch(std::vector<std::filesystem::path> files, std::size_t max_bytes, std::filesystem::path folder = {});
  ~FileWatch();  ///< Waits for a read that is under way.
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// The next change, or null.
  std::unique_ptr<FileChange> poll();
  /// The next scan reports every file again, changed or not.
  void reread();

 private:
  void run();

  FileScan scan_;
  SpscRing<FileChange*> ring_{16};
  std::atomic<bool> reread_{false};
  std::mutex mutex_;  ///< For stopping only.
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace spellpool::platform
