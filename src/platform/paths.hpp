#pragma once
// Where files live. The user's: XDG base directories. The program's own: a folder that holds assets/ and shaders/.
// Source  https://specifications.freedesktop.org/basedir-spec/latest/ (a relative path in a variable is ignored).
#include <filesystem>
#include <string>
#include <string_view>

namespace spellpool::platform {

struct PathResult {
  std::filesystem::path path;  ///< Empty on error.
  std::string error;           ///< "" or one line that names what was looked for, and the mend.
};

/// $XDG_CONFIG_HOME/spellpool, else ~/.config/spellpool. Not created.
PathResult config_folder();
/// $XDG_DATA_HOME/spellpool, else ~/.local/share/spellpool. Not created.
PathResult user_data_folder();
/// Where recordings and screenshots go: user_data_folder()/recordings. Not created.
PathResult recordings_folder();

/// config_folder()/settings.toml. Neither it nor its folder need exist.
PathResult settings_file();
/// user_data_folder()/scores.toml. Neither it nor its folder need exist.
PathResult scores_file();

/// Makes the folder and what is above it, private to the user where new. "" or one line.
std::string make_folder(const std::filesystem::path& folder);

/// The folder with assets/spells and shaders:
///   `option` if not empty (--data-dir), which must then hold assets/spells;
///   else the nearest folder above the program's own that holds assets/spells (a build tree);
///   else ../share/spellpool beside the program's folder (installed).
PathResult find_data_folder(std::string_view option);
/// The same with the program's folder given.
PathResult find_data_folder(std::string_view option, const std::filesystem::path& program_folder);

/// folder/STEM.EXT, or folder/STEM-2.EXT, -3 …: the first name that is free. `extension` with its dot.
std::filesystem::path free_name(const std::filesystem::path& folder, std::string_view stem, std::string_view extension);

}  // namespace spellpool::platform
