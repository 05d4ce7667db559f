#include "matrix.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace spellpool::include_matrix {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream row(line);
  std::string cell;
  std::getline(row, cell, '|');
  while (std::getline(row, cell, '|')) cells.push_back(cell);
  return cells;
}

/// The names in backticks of one cell, in their order.
std::vector<std::string> names_in(const std::string& cell) {
  static const std::regex kName("`([^`]+)`");
  std::vector<std::string> names;
  for (std::sregex_iterator it(cell.begin(), cell.end(), kName), end; it != end; ++it) names.push_back((*it)[1]);
  return names;
}

bool says_all(const std::string& cell) { return std::regex_match(cell, std::regex("\\s*all\\s*")); }

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text.empty() ? "nothing" : text;
}

bool matches(std::string_view header, std::string_view pattern) {
  if (pattern.back() == '*') return header.substr(0, pattern.size() - 1) == pattern.substr(0, pattern.size() - 1);
  if (pattern.back() == '/') return header.substr(0, pattern.size()) == pattern;
  return header == pattern;
}

/// The library that a header belongs to: the longest pattern that fits, or "".
std::string library_of(const Matrix& matrix, const std::string& header, bool angle) {
  std::string best;
  std::size_t best_length = 0;
  for (const auto& [library, patterns] : matrix.library_headers) {
    for (const std::string& pattern : patterns) {
      if (matches(header, pattern) && pattern.size() > best_length) {
        best = library;
        best_length = pattern.size();
      }
    }
  }
  if (best.empty() && angle && header.find_first_of("./") == std::string::npos) return "std";
  return best;
}

/// "sim/core" of "sim/core/pool_port.hpp"; "" for a file on top of its room.
std::string subfolder_of(const std::string& file) {
  const std::size_t room_end = file.find('/');
  const std::size_t end = room_end == std::string::npos ? room_end : file.find('/', room_end + 1);
  return end == std::string::npos ? "" : file.substr(0, end);
}

/// What is wrong with one include of the file `inside` src, which is in `room`, or "".
std::string verdict(const Matrix& matrix, const std::string& room, const std::string& inside, const std::string& header, bool angle) {
  const Room& rule = matrix.rooms.at(room);
  if (header.find("..") != std::string::npos) return "write it as \"room/file.hpp\"";
  const std::string first = header.substr(0, header.find('/'));
  if (first.size() < header.size() && matrix.rooms.count(first)) {
    if (angle) return "a room's own headers are included in quotes";
    if (first == room) {
      const std::string from = subfolder_of(inside), to = subfolder_of(header);
      if (from.empty() || to.empty() || from == to) return "";
      const auto row = matrix.subfolders.find(from);
      if (row == matrix.subfolders.end()) return from + " is no subfolder of docs/ARCHITECTURE.md";
      return row->second.count(to) ? "" : from + " may include of its room: " + joined(row->second);
    }
    if (rule.everything || rule.rooms.count(first)) return "";
    return room + " may include the rooms: " + joined(rule.rooms);
  }
  const std::string library = library_of(matrix, header, angle);
  if (library.empty()) return "no room, and no library of docs/ARCHITECTURE.md has this header";
  if (rule.everything || rule.libraries.count(library)) return "";
  return "it belongs to " + library + ", and " + room + " may include the libraries: " + joined(rule.libraries);
}

}  // namespace

std::optional<std::string> file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Matrix read_matrix(std::string_view markdown, std::vector<std::string>& problems) {
  Matrix matrix;
  enum class Table { None, Rooms, Subfolders, Libraries } table = Table::None;
  std::istringstream lines{std::string(markdown)};
  std::string line;
  while (std::getline(lines, line)) {
    if (line.empty() || line.front() != '|') {
      table = Table::None;
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    if (line.find("| may include |") != std::string::npos) {
      table = Table::Rooms;
    } else if (line.rfind("| subfolder | may include of its room |", 0) == 0) {
      table = Table::Subfolders;
    } else if (line.rfind("| library | headers |", 0) == 0) {
      table = Table::Libraries;
    } else if (line.rfind("|--", 0) == 0 || table == Table::None) {
      continue;
    } else if (table == Table::Subfolders) {
      const auto folder = cells.size() < 2 ? std::vector<std::string>{} : names_in(cells[0]);
      if (folder.size() != 1) {
        problems.push_back("not a row of subfolders: " + line);
        continue;
      }
      const auto allowed = names_in(cells[1]);
      matrix.subfolders[folder[0]] = {allowed.begin(), allowed.end()};
    } else if (table == Table::Rooms) {
      const auto folder = cells.size() < 4 ? std::vector<std::string>{} : names_in(cells[0]);
      if (folder.size() != 1 || folder[0].rfind("src/", 0) != 0) {
        problems.push_back("not a row of rooms: " + line);
        continue;
      }
      Room room;
      room.everything = says_all(cells[2]) && says_all(cells[3]);
      for (const std::string& name : names_in(cells[2])) room.rooms.insert(name);
      for (const std::string& name : names_in(cells[3])) room.libraries.insert(name);
      matrix.rooms[folder[0].substr(4)] = room;
    } else {
      const auto library = names_in(cells[0]);
      if (library.size() != 1) {
        problems.push_back("not a row of libraries: " + line);
        continue;
      }
      matrix.library_headers[library[0]] = names_in(cells[1]);
    }
  }
  if (matrix.rooms.empty()) problems.push_back("no table of rooms");
  if (matrix.library_headers.empty()) problems.push_back("no table of libraries");
  for (const auto& [name, room] : matrix.rooms) {
    for (const std::string& other : room.rooms) {
      if (!matrix.rooms.count(other)) problems.push_back(name + " may include " + other + ", which is no room");
    }
    for (const std::string& library : room.libraries) {
      if (!matrix.library_headers.count(library)) problems.push_back(name + " may include " + library + ", which is no library");
    }
  }
  return matrix;
}

std::vector<std::string> broken_rules(const Matrix& matrix, const std::filesystem::path& source) {
  static const std::regex kInclude("\\s*#\\s*include\\b\\s*(.*)");
  static const std::regex kTarget("([<\"])([^>\"]+)[>\"].*");
  std::vector<std::string> broken;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source)) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || (extension != ".hpp" && extension != ".cpp" && extension != ".h" && extension != ".inl")) {
      continue;
    }
    const std::filesystem::path inside = entry.path().lexically_relative(source);
    const std::string place = "src/" + inside.generic_string();
    const std::string room = inside.begin()->string();
    if (!matrix.rooms.count(room)) {
      broken.push_back(place + ": stands in no room of docs/ARCHITECTURE.md");
      continue;
    }
    std::istringstream lines(file_text(entry.path()).value_or(""));
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      std::smatch include, target;
      if (!std::regex_match(line, include, kInclude)) continue;
      const std::string rest = include[1];
      std::string problem;
      if (!std::regex_match(rest, target, kTarget)) {
        problem = "the header's name is no plain text";
      } else {
        problem = verdict(matrix, room, inside.generic_string(), target[2], target[1] == "<");
      }
      if (!problem.empty()) broken.push_back(place + ":" + std::to_string(number) + ": " + rest + ": " + problem);
    }
  }
  std::sort(broken.begin(), broken.end());
  return broken;
}

std::vector<std::string> broken_links(const Matrix& matrix, std::string_view cmake) {
  static const std::regex kRoom("spellpool_room\\(\\s*(\\w+)([^)]*)\\)");
  const std::string text(cmake);
  std::vector<std::string> broken;
  for (std::sregex_iterator it(text.begin(), text.end(), kRoom), end; it != end; ++it) {
    const std::string room = (*it)[1];
    const auto rule = matrix.rooms.find(room);
    if (rule == matrix.rooms.end()) {
      broken.push_back("src/CMakeLists.txt: " + room + " is no room of docs/ARCHITECTURE.md");
      continue;
    }
    if (rule->second.everything) continue;
    std::istringstream words((*it)[2].str());
    std::string word;
    bool libraries = false;
    while (words >> word) {
      if (word == "OPTIMIZE" || word == "BATCH" || word == "FIRST") {
        words >> word;  // its value
      } else if (word == "SMALL") {  // has none
      } else if (word == "ROOMS" || word == "LIBRARIES") {
        libraries = word == "LIBRARIES";
      } else if (libraries ? word.rfind("dep::", 0) != 0 || !rule->second.libraries.count(word.substr(5))
                           : !rule->second.rooms.count(word)) {
        broken.push_back("src/CMakeLists.txt: " + room + " links " + word + ", which it may not include");
      }
    }
  }
  return broken;
}

}  // namespace spellpool::include_matrix
