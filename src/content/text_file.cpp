#include "content/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace spellpool::content {
namespace {

TextResult unreadable(const std::filesystem::path& path, std::string_view reason) {
  TextResult result;
  result.error = one_line(fmt::format("{}: {}", path.string(), reason));
  return result;
}

}  // namespace

bool has_control_byte(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

TextResult read_text(const std::filesystem::path& path, std::size_t max_bytes) {
  // Non-blocking, so that a pipe without a writer cannot hang the program before it is refused.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) {
    if (errno == ENOENT) {
      TextResult result = unreadable(path, "no such file");
      result.missing = true;
      return result;
    }
    return unreadable(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  }
  struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
  } const closer{descriptor};

  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    return unreadable(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (S_ISDIR(status.st_mode)) return unreadable(path, "is a folder, not a file");
  if (!S_ISREG(status.st_mode)) return unreadable(path, "is not a regular file");

  std::string text;
  char block[16384];
  for (;;) {
    const ssize_t got = ::read(descriptor, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    if (got == 0) break;
    if (text.size() + static_cast<std::size_t>(got) > max_bytes) {
      TextResult result = unreadable(path, fmt::format("is larger than {} bytes", max_bytes));
      result.too_large = true;
      return result;
    }
    text.append(block, static_cast<std::size_t>(got));
  }
  TextResult result;
  result.text = std::move(text);
  return result;
}

std::string write_text(const std::filesystem::path& path, std::string_view text, Overwrite overwrite) {
  StagedFile file(path, overwrite);
  file.write(text);
  return file.commit();
}

std::string keep_text(const std::filesystem::path& path, std::string_view text) {
  StagedFile file(path, Overwrite::Yes);
  file.write(text);
  return file.commit(true);
}

}  // namespace spellpool::content
