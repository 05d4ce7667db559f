#include "platform/paths.hpp"

#include <SDL.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace spellpool::platform {
namespace {

namespace fs = std::filesystem;

fs::path absolute_path_in(const char* variable) {
  const char* text = std::getenv(variable);
  fs::path path = text != nullptr ? text : "";
  return path.is_absolute() ? path : fs::path();
}

PathResult home_based(const char* variable, const char* below_home) {
  if (const fs::path base = absolute_path_in(variable); !base.empty()) return {base / "spellpool", ""};
  fs::path home = absolute_path_in("HOME");
  if (home.empty()) {
    const passwd* entry = ::getpwuid(::getuid());
    if (entry != nullptr && entry->pw_dir != nullptr && entry->pw_dir[0] == '/') home = entry->pw_dir;
  }
  if (home.empty())
    return {{}, std::string("there is no home folder: set HOME or ") + variable + " to an absolute path"};
  return {home / below_home / "spellpool", ""};
}

PathResult inside(PathResult folder, const char* name) {
  if (folder.error.empty()) folder.path /= name;
  return folder;
}

bool holds_spells(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "assets" / "spells", ignored);
}

}  // namespace

PathResult config_folder() { return home_based("XDG_CONFIG_HOME", ".config"); }
PathResult user_data_folder() { return home_based("XDG_DATA_HOME", ".local/share"); }

PathResult recordings_folder() { return inside(user_data_folder(), "recordings"); }
PathResult settings_file() { return inside(config_folder(), "settings.toml"); }
PathResult scores_file() { return inside(user_data_folder(), "scores.toml"); }

std::string make_folder(const fs::path& folder) {
  fs::path partial;
  for (const fs::path& part : folder) {
    partial /= part;
    if (::mkdir(partial.c_str(), 0700) == 0) continue;
    const int reason = errno;
    struct stat status {};
    if (::stat(partial.c_str(), &status) == 0) {
      if (S_ISDIR(status.st_mode)) continue;
      return partial.string() + ": is a file, but a folder is needed there";
    }
    return partial.string() + ": the folder cannot be made: " + std::strerror(reason);
  }
  return "";
}

PathResult find_data_folder(std::string_view option) {
  char* base = SDL_GetBasePath();
  const fs::path program_folder = base != nullptr ? base : "";
  SDL_free(base);
  return find_data_folder(option, program_folder);
}

PathResult find_data_folder(std::string_view option, const fs::path& program_folder) {
  std::error_code ignored;
  if (!option.empty()) {
    const fs::path folder = fs::absolute(option, ignored).lexically_normal();
    if (holds_spells(folder)) return {folder, ""};
    const char* reason = fs::is_directory(folder, ignored) ? ": has no assets/spells in it" : ": no such folder";
    return {{}, std::string(option) + reason + "; give --data-dir the folder that holds assets and shaders"};
  }
  // SDL's base path ends in '/': its parent is itself.
  fs::path start = program_folder.lexically_normal();
  if (!start.has_filename()) start = start.parent_path();
  for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
    if (holds_spells(folder)) return {folder, ""};
    if (folder == folder.parent_path()) break;
  }
  const fs::path installed = start.parent_path() / "share" / "spellpool";
  if (holds_spells(installed)) return {installed, ""};
  return {{},
          "assets/spells was found neither in " + start.string() + " and the folders above it nor in " +
              installed.string() + "; give the folder that holds assets and shaders by --data-dir"};
}

fs::path free_name(const fs::path& folder, std::string_view stem, std::string_view extension) {
  std::error_code ignored;
  fs::path name = folder / (std::string(stem) + std::string(extension));
  for (unsigned number = 2; fs::exists(fs::symlink_status(name, ignored)); ++number) {
    name = folder / (std::string(stem) + "-" + std::to_string(number) + std::string(extension));
  }
  return name;
}

}  // namespace spellpool::platform
