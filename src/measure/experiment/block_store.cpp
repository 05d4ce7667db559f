#include "measure/experiment/block_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "measure/record/json_text.hpp"

namespace spellpool::measure {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string suffix_text(u32 number) {
  std::string text;
  if (number > 1) text.append("-").append(std::to_string(number));
  return text;
}

bool is_there(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

/// "0007".
std::string block_name(const BlockPlace& place) {
  std::string digits = std::to_string(place.block);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return digits;
}

}  // namespace

BlockStore::~BlockStore() {
  if (lock_ >= 0) ::close(lock_);
}

std::string BlockStore::lock() {
  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) return "cannot read " + path_ + ": " + std::generic_category().message(errno);
  // in_use() in another process holds the lock for a moment, so a taken lock is tried again for 0.1 s.
  for (int look = 0; look < 10; ++look) {
    if (::flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return "";
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return path_ + ": another spellpool is measuring in it; wait for it, or end it";
}

std::string BlockStore::create(const std::string& out_dir) {
  std::error_code failed;
  fs::create_directories(out_dir, failed);
  if (failed) return write_error(out_dir, failed.value());
  for (u32 number = 1;; ++number) {
    suffix_ = suffix_text(number);
    const auto taken = [&](const std::string& name) { return is_there((fs::path(out_dir) / name).string()); };
    if (taken("run" + suffix_ + ".json") || taken("frames" + suffix_ + ".csv") || taken("card" + suffix_ + ".png"))
      continue;
    path_ = (fs::path(out_dir) / ("blocks" + suffix_)).string();
    if (::mkdir(path_.c_str(), 0755) == 0) return lock();
    if (errno != EEXIST) {
      std::string error = write_error(out_dir, errno);
      path_.clear();
      return error;
    }
    // One that was killed before it had a plan left an empty folder: nothing is lost by taking it.
    if (is_there(file("plan.json"))) continue;
    if (lock().empty()) return "";
    if (lock_ >= 0) ::close(lock_);
    lock_ = -1;
  }
}

std::string BlockStore::newest(const std::string& out_dir) {
  std::string found;
  u32 highest = 0;
  std::error_code failed;
  for (fs::directory_iterator entry(out_dir, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.rfind("blocks", 0) != 0 || !is_there((entry->path() / "plan.json").string())) continue;
    const u32 number = name == "blocks" ? 1 : static_cast<u32>(std::strtoul(name.c_str() + 7, nullptr, 10));
    if (name != "blocks" + suffix_text(number) || number <= highest) continue;
    highest = number;
    found = entry->path().string();
  }
  return found;
}

std::string BlockStore::open(const std::string& out_dir) {
  path_ = newest(out_dir);
  if (path_.empty())
    return "--resume " + out_dir +
           ": holds no comparison that was begun and not finished; there is no folder blocks in it";
  suffix_ = fs::path(path_).filename().string().substr(6);
  return lock();
}

bool BlockStore::in_use(const std::string& out_dir) {
  const std::string path = newest(out_dir);
  const int fd = path.empty() ? -1 : ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool taken = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return taken;
}

std::string BlockStore::keep(const std::string& name, std::string_view text) const {
  return replace_file(file(name), text);
}

std::string BlockStore::read(const std::string& name, std::string& text) const {
  return read_whole_file(file(name), text);
}

std::string BlockStore::finish(const BlockResult& block) const {
  const std::string name = block_name(block.place);
  Json report = Json::parse(block_report_text(block.report, block.frames.size()));
  report["arm"] = std::string(1, block.arm);
  report["wall_s"] = block.wall_s;
  std::string error = move_into_place(working_frames(), file(name + ".csv"));
  if (error.empty()) error = keep(name + ".json", json_text(report, 2) + "\n");
  ::unlink(working_report().c_str());
  return error;
}

bool BlockStore::load(const ScheduledBlock& scheduled, u64 steps, BlockResult& block) const {
  const std::string name = block_name(scheduled.place);
  std::string text;
  if (!read(name + ".json", text).empty()) return false;
  const Json report = Json::parse(text, nullptr, false);
  if (!report.is_object() || report.value("arm", std::string()) != std::string(1, scheduled.arm)) return false;
  if (!report.contains("wall_s") || !report["wall_s"].is_number()) return false;
  block = {};
  block.place = scheduled.place;
  block.arm = scheduled.arm;
  block.wall_s = report["wall_s"];
  if (!read_block_report(file(name + ".json"), block.report).empty()) return false;
  FramesCsv table = read_frames_csv(file(name + ".csv"));
  if (!table.error.empty() || table.frames.size() != steps) return false;
  block.frames = std::move(table.frames);
  block.figures = detailed_figures_of(block.frames);
  return true;
}

void BlockStore::remove() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace spellpool::measure
