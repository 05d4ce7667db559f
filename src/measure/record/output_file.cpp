#include "measure/record/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace spellpool::measure {
namespace fs = std::filesystem;

namespace {

bool exists(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

bool is_device(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISCHR(info.st_mode);
}

std::string_view mend_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space or choose another folder";
    case EEXIST:
      return "choose a name that is not taken";
    case ENAMETOOLONG:
      return "choose a shorter name";
    default:
      return "choose a folder that can be written";
  }
}

}  // namespace

std::string write_error(const std::string& path, int error_number) {
  std::string line = "cannot write " + path + ": " + std::strerror(error_number) + "; ";
  return line.append(mend_for(error_number));
}

std::string unique_path(const std::string& dir, std::string_view stem, std::string_view ext) {
  const std::string base = (fs::path(dir) / stem).string();
  std::string path = base + std::string(ext);
  for (u32 number = 2; exists(path); ++number) path = base + "-" + std::to_string(number) + std::string(ext);
  return path;
}

OutputFile::~OutputFile() { close(); }

bool OutputFile::create(const std::string& path, OnFailure on_failure) {
  close();
  on_failure_ = on_failure;
  path_ = path;
  error_.clear();
  whole_lines_bytes_ = written_bytes_ = 0;
  lines_ = 0;
  std::error_code failed;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, failed);
  if (failed) {
    error_ = write_error(path, failed.value());
    return false;
  }
  device_ = is_device(path);
  const int how = device_ ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  fd_ = ::open(path.c_str(), how, 0644);
  if (fd_ < 0) error_ = write_error(path, errno);
  return fd_ >= 0;
}

bool OutputFile::write(std::string_view bytes) {
  if (fd_ < 0) return false;
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return fail(done < 0 ? errno : EIO);
    const auto taken = static_cast<std::size_t>(done);
    const std::string_view on_disk = bytes.substr(0, taken);
    const std::size_t line_end = on_disk.rfind('\n');
    if (line_end != std::string_view::npos) whole_lines_bytes_ = written_bytes_ + static_cast<i64>(line_end) + 1;
    lines_ += static_cast<u64>(std::count(on_disk.begin(), on_disk.end(), '\n'));
    written_bytes_ += static_cast<i64>(taken);
    bytes.remove_prefix(taken);
  }
  return true;
}

bool OutputFile::fail(int error_number) {
  error_ = write_error(path_, error_number);
  if (!device_) {
    if (on_failure_ == OnFailure::Remove || whole_lines_bytes_ == 0 || ::ftruncate(fd_, whole_lines_bytes_) != 0)
      ::unlink(path_.c_str());
  }
  ::close(fd_);
  fd_ = -1;
  return false;
}

bool OutputFile::close() {
  if (fd_ < 0) return error_.empty();
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) == 0 || errno == EINTR) return true;
  error_ = write_error(path_, errno);
  return false;
}

std::string write_new_file(const std::string& path, std::string_view text) {
  OutputFile file;
  if (file.create(path, OnFailure::Remove) && file.write(text)) file.close();
  return file.error();
}

std::string replace_file(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".new";
  ::unlink(temporary.c_str());  // Left by one that was killed.
  std::string error = write_new_file(temporary, text);
  if (error.empty()) error = move_into_place(temporary, path);
  if (!error.empty()) ::unlink(temporary.c_str());
  return error;
}

std::string move_into_place(const std::string& from, const std::string& to) {
  const int fd = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return write_error(from, errno);
  const int flushed = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  if (flushed != 0 && flushed != EINVAL && flushed != EROFS) return write_error(to, flushed);
  return ::rename(from.c_str(), to.c_str()) == 0 ? "" : write_error(to, errno);
}

std::string read_whole_file(const std::string& path, std::string& text) {
  text.clear();
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string error;
  if (fd < 0) return "cannot read " + path + ": " + std::strerror(errno);
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error = "cannot read " + path + ": " + std::strerror(errno);
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(fd);
  return error;
}

}  // namespace spellpool::measure
