#include "content/staged_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "content/text_file.hpp"

namespace spellpool::content {
namespace {

constexpr const char* kAlreadyThere = "it is already there and is not overwritten; give another name";

std::string reason_of(int error_number) { return std::strerror(error_number); }

}  // namespace

StagedFile::StagedFile(std::filesystem::path path, Overwrite overwrite)
    : path_(std::move(path)), overwrite_(overwrite) {
  open();
}

void StagedFile::open() {
  if (path_.empty()) return fail("the file name is empty");
  struct stat status {};
  const bool there = ::stat(path_.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) return fail("it is a folder");
  if (there && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) fail(reason_of(errno));
    return;
  }
  if (there && overwrite_ == Overwrite::No) return fail(kAlreadyThere);
  if (there) {  // Through a link, the file it points to is replaced, not the link.
    std::error_code ignored;
    const std::filesystem::path target = std::filesystem::canonical(path_, ignored);
    if (!ignored) path_ = target;
  }
  for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
    staged_ = path_;
    staged_ += fmt::format(".part-{}-{}", ::getpid(), attempt);
    descriptor_ = ::open(staged_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ >= 0) return;
  const int error_number = errno;
  staged_.clear();
  if (error_number == ENOENT) return fail("its folder does not exist");
  fail(reason_of(error_number));
}

StagedFile::~StagedFile() {
  close_descriptor();
  if (!staged_.empty()) ::unlink(staged_.c_str());
}

void StagedFile::close_descriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void StagedFile::fail(std::string_view reason) {
  if (ok()) error_ = one_line(fmt::format("{}: cannot be written: {}", path_.string(), reason));
  close_descriptor();
}

void StagedFile::write(std::string_view bytes) {
  while (ok() && !bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(reason_of(errno));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

const std::string& StagedFile::commit(bool durable) {
  if (!ok() || descriptor_ < 0) return error_;
  if (durable && !staged_.empty() && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS) {
    fail(reason_of(errno));
    return error_;
  }
  const int closed = ::close(descriptor_);  // Network file systems report a full disk here.
  descriptor_ = -1;
  if (closed != 0 && errno != EINTR) {
    fail(reason_of(errno));
    return error_;
  }
  if (staged_.empty()) return error_;
  if (overwrite_ == Overwrite::No) {
    // link() refuses an existing name, rename() would not.
    if (::link(staged_.c_str(), path_.c_str()) == 0) {
      ::unlink(staged_.c_str());
      staged_.clear();
      return error_;
    }
    // Some file systems have no links; only there a look comes before the rename.
    if (errno == EEXIST || ::access(path_.c_str(), F_OK) == 0) {
      fail(kAlreadyThere);
      return error_;
    }
  }
  if (::rename(staged_.c_str(), path_.c_str()) != 0) {
    fail(reason_of(errno));
    return error_;
  }
  staged_.clear();
  return error_;
}

}  // namespace spellpool::content
