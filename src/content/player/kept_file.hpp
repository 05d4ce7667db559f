#pragma once
// Files in which the player's own things are kept: settings and scores. Whatever happens, what is in them is not lost:
// a file that cannot be understood is renamed and never written over, and one that cannot be read is left alone.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace spellpool::content {

struct SetAside {
  std::filesystem::path path;  ///< The new name.
  std::string error;           ///< "" on success, else a line that names the file.
};

/// Renames NAME to NAME.damaged, or NAME.damaged-2 and so on: an older one is never overwritten.
SetAside set_aside(const std::filesystem::path& path);

inline constexpr std::size_t kMaxKeptFile_bytes = std::size_t{1} << 20;

/// Takes the file's text and keeps what it says; "" or the line that tells what is wrong with it.
using ReadKept = std::function<std::string(std::string_view text)>;

/// Reads the file if there is one. "", or one line for the player: the file is damaged (then it is set aside, and the
/// line names both files) or cannot be read. `things` is what it holds, for that line: "settings".
std::string load_kept(const std::filesystem::path& path, std::string_view things, const ReadKept& read);

/// Writes the file in one rename; makes its folder. First it looks at what is there: a damaged file is set aside, one
/// that cannot be read makes it give up. `read` is handed the old text, and `write` gives the new one after that.
/// "" or one line for the player.
std::string save_kept(const std::filesystem::path& path, std::string_view things, const ReadKept& read,
                      const std::function<std::string()>& write);

}  // namespace spellpool::content
