#pragma once
// Who may include whom, read from the two tables of docs/ARCHITECTURE.md, and the check of src/ against it.
//
// The table of rooms has the columns  folder | what lives there | may include | outside libraries;
// the table inside the rooms          subfolder | may include of its room
// the table of outside libraries      library | headers | …
// Names stand in backticks. "all" allows everything, "–" nothing. A header pattern is a whole name (`png.h`), a folder
// (`glm/`) or a beginning (`imgui_*`); the library `std` is every <name> with neither dot nor slash.
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace spellpool::include_matrix {

struct Room {
  std::set<std::string> rooms;
  std::set<std::string> libraries;
  bool everything = false;
};

struct Matrix {
  std::map<std::string, Room> rooms;
  std::map<std::string, std::set<std::string>> subfolders;  ///< "sim/spells" → "sim/core" "sim/particles".
  std::map<std::string, std::vector<std::string>> library_headers;
};

/// Reads the tables; what is wrong with them goes to `problems`, a line each.
Matrix read_matrix(std::string_view markdown, std::vector<std::string>& problems);

/// Reads every #include under `source` (src/) and gives one line for each that the matrix does not allow:
///   src/render/bloom.cpp:4: "pool/pool.hpp": render may include core frame
std::vector<std::string> broken_rules(const Matrix& matrix, const std::filesystem::path& source);

/// The same for the libraries that src/CMakeLists.txt links, so that a room cannot link what it may not include.
std::vector<std::string> broken_links(const Matrix& matrix, std::string_view cmake);

std::optional<std::string> file_text(const std::filesystem::path& path);

}  // namespace spellpool::include_matrix
