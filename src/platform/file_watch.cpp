#include "platform/file_watch.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>

namespace spellpool::platform {
namespace {

constexpr std::size_t kMostFiles = 1024;
constexpr auto kPause = std::chrono::milliseconds(250);
/// A file's time stamp steps by up to 2 s (FAT): a text that was read later than that cannot change under the same
/// stamp.
constexpr i64 kYoung_ns = 2'000'000'000;

i64 wall_clock_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<i64>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// The file's bytes into `text`; "" or the error line.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes, std::string& text) {
  text.clear();
  const auto failed = [&](const std::string& reason) {
    text.clear();
    return path.string() + ": " + reason;
  };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0)
    return failed(errno == ENOENT ? "no such file" : std::string("cannot be read: ") + std::strerror(errno));
  struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
  } const closer{descriptor};
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return failed(S_ISDIR(status.st_mode) ? "is a folder, not a file" : "is not a regular file");
  }
  char block[16384];
  for (;;) {
    const ssize_t got = ::read(descriptor, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) return "";
    if (text.size() + static_cast<std::size_t>(got) > max_bytes) {
      return failed("is larger than " + std::to_string(max_bytes) + " bytes");
    }
    text.append(block, static_cast<std::size_t>(got));
  }
}

}  // namespace

FileScan::FileScan(std::vector<std::filesystem::path> files, std::size_t max_bytes, std::filesystem::path folder)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {
  for (std::filesystem::path& path : files) {
    Seen seen;
    seen.path = std::move(path);
    files_.push_back(std::move(seen));
  }
  std::vector<FileChange> known;
  scan(known);
  scan(known);  // A file that is missing now is known to be missing.
}

void FileScan::forget() {
  for (Seen& seen : files_) {
    seen.told = false;
    seen.settled = false;
  }
}

void FileScan::look_for_new() {
  if (folder_.empty()) return;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().extension() != ".toml" || files_.size() >= kMostFiles) continue;
    const bool known =
        std::any_of(files_.begin(), files_.end(), [&](const Seen& seen) { return seen.path == at->path(); });
    if (!known) files_.emplace_back().path = at->path();
  }
}

void FileScan::scan(std::vector<FileChange>& changes) {
  look_for_new();
  for (std::size_t i = 0; i < files_.size(); ++i) scan_one(i, changes);
}

void FileScan::scan_one(std::size_t index, std::vector<FileChange>& changes) {
  Seen& seen = files_[index];
  struct stat status {};
  Stamp stamp;
  if (::stat(seen.path.c_str(), &status) == 0) {
    stamp.modified_ns = static_cast<i64>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
    stamp.size_bytes = static_cast<i64>(status.st_size);
    stamp.inode = static_cast<u64>(status.st_ino);
    seen.missing_scans = 0;
  } else if (++seen.missing_scans < 2) {
    return;
  }
  if (seen.settled && stamp == seen.stamp) return;

  const i64 read_at_ns = wall_clock_ns();
  std::string text;
  std::string error = read_file(seen.path, max_bytes_, text);
  seen.stamp = stamp;
  const i64 age_ns = read_at_ns - stamp.modified_ns;
  seen.settled = stamp.modified_ns < 0 || age_ns > kYoung_ns || age_ns < 0;
  if (seen.told && text == seen.text && error == seen.error) return;
  seen.told = true;
  seen.text = text;
  seen.error = error;
  changes.push_back({index, seen.path, std::move(text), std::move(error), seen.missing_scans > 0});
}

FileWatch::FileWatch(std::vector<std::filesystem::path> files, std::size_t max_bytes, std::filesystem::path folder)
    : scan_(std::move(files), max_bytes, std::move(folder)) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // Without a thread, as in a browser, nothing is watched.
  }
}

FileWatch::~FileWatch() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
  FileChange* change = nullptr;
  while (ring_.pop(change)) delete change;
}

std::unique_ptr<FileChange> FileWatch::poll() {
  FileChange* change = nullptr;
  return std::unique_ptr<FileChange>(ring_.pop(change) ? change : nullptr);
}

void FileWatch::reread() { reread_.store(true, std::memory_order_relaxed); }

void FileWatch::run() {
  std::vector<FileChange> changes;
  std::size_t next = 0;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kPause, [this] { return stop_; })) {
    lock.unlock();
    if (reread_.exchange(false, std::memory_order_relaxed)) scan_.forget();
    if (next == changes.size()) {
      changes.clear();
      next = 0;
      scan_.scan(changes);
    }
    while (next < changes.size()) {
      auto change = std::make_unique<FileChange>(std::move(changes[next]));
      if (!ring_.push(change.get())) {  // Full: this one waits here, whole.
        changes[next] = std::move(*change);
        break;
      }
      change.release();  // NOLINT: the ring owns it now.
      ++next;
    }
    lock.lock();
  }
}

}  // namespace spellpool::platform
