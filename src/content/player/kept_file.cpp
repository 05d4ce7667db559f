#include "content/player/kept_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "content/text_file.hpp"

namespace spellpool::content {
namespace {

/// Renames, but not over another file. 0 or an errno.
int rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to) {
  // link() refuses an existing name, rename() would not.
  if (::link(from.c_str(), to.c_str()) == 0) {
    if (::unlink(from.c_str()) == 0) return 0;
    const int error_number = errno;
    ::unlink(to.c_str());
    return error_number;
  }
  if (errno == EEXIST || errno == ENOENT) return errno;
  // Some file systems have no links; only there a look comes before the rename.
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(to, ignored))) return EEXIST;
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// What is wrong with the file, or "". `missing` and `unreadable` tell why there is no text.
struct Look {
  std::string error;
  bool missing = false;
  bool damaged = false;
};
Look look_at(const std::filesystem::path& path, const ReadKept& read) {
  const TextResult file = read_text(path, kMaxKeptFile_bytes);
  if (file.missing) return {"", true, false};
  if (!file.text) return {file.error, false, file.too_large};
  const std::string wrong = read(*file.text);
  return {wrong, false, !wrong.empty()};
}

}  // namespace

SetAside set_aside(const std::filesystem::path& path) {
  constexpr int kMostDamaged = 1000;
  int error_number = EEXIST;
  for (int i = 1; i <= kMostDamaged && error_number == EEXIST; ++i) {
    std::filesystem::path aside = path;
    aside += i == 1 ? std::string(".damaged") : fmt::format(".damaged-{}", i);
    error_number = rename_to_new(path, aside);
    if (error_number == 0) return {aside, ""};
  }
  return {{}, one_line(fmt::format("{}: cannot be set aside: {}", path.string(), std::strerror(error_number)))};
}

std::string load_kept(const std::filesystem::path& path, std::string_view things, const ReadKept& read) {
  const Look look = look_at(path, read);
  if (look.error.empty()) return "";
  if (!look.damaged) return one_line(fmt::format("{}; it stays as it is, and the {} begin anew", look.error, things));
  const SetAside aside = set_aside(path);
  if (!aside.error.empty()) return one_line(fmt::format("{}; {}; the {} begin anew", look.error, aside.error, things));
  return one_line(
      fmt::format("{}; it is set aside as {}, and the {} begin anew", look.error, aside.path.string(), things));
}

std::string save_kept(const std::filesystem::path& path, std::string_view things, const ReadKept& read,
                      const std::function<std::string()>& write) {
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) {
    return one_line(
        fmt::format("{}: its folder cannot be made: {}; the {} are not saved", path.string(), error.message(), things));
  }
  const Look look = look_at(path, read);
  std::string message;
  if (!look.error.empty() && !look.damaged) {
    return one_line(fmt::format("{}; the {} are not saved", look.error, things));
  }
  if (look.damaged) {
    const SetAside aside = set_aside(path);
    if (!aside.error.empty())
      return one_line(fmt::format("{}; {}; the {} are not saved", look.error, aside.error, things));
    message = one_line(fmt::format("{}; it is set aside as {}", look.error, aside.path.string()));
  }
  const std::string failed = keep_text(path, write());
  return failed.empty() ? message : fmt::format("{}; the {} are not saved", failed, things);
}

}  // namespace spellpool::content
