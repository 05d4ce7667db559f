#pragma once
// What the readers of spell, pattern, stage, settings and score files share: text to a toml::table with limits on its
// depth, values out of nodes, and errors that know their line. Inside this room only.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "core/types.hpp"

namespace spellpool::content {

/// A file that cannot be used. Never leaves a public function of this room.
struct FileError {
  u32 line;
  std::string text;
};

[[noreturn]] void refuse(u32 line, std::string_view path, std::string_view reason);
[[noreturn]] void refuse(const toml::node& node, std::string_view path, std::string_view reason);
u32 line_of(const toml::node& node);

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// How many bytes the UTF-8 letter at the beginning takes, 1 … 4; 0 if there is none.
std::size_t utf8_bytes(std::string_view text);

/// The table, or a FileError: empty, zero bytes, not UTF-8, more than 4096 bytes or 64 dots in a line, brackets more
/// than 16 deep, a letter outside of ASCII that is neither in double quotes nor in a comment, no TOML. Depth    The
/// parser and the table's destructor nest on the call stack: 16 brackets, with 64 tables of a dotted key
///          between any two of them.
/// Columns  of nodes count a letter outside of ASCII as the \uXXXX (6) or \UXXXXXXXX (10) that the parser was given.
toml::table parse_toml(std::string_view text, std::string_view file_name, std::size_t max_bytes);

/// What `read` returns, or "FILE:LINE: reason" in `error`. Catches everything that a reader can throw.
template <class Read>
auto read_or_explain(std::string_view file_name, std::string& error, Read read) -> std::optional<decltype(read())>;

/// The error line itself: "FILE:LINE: reason", control characters made harmless.
std::string error_line(std::string_view file_name, u32 line, std::string_view reason);

/// A value as an error shows it: 'text' cut after 32 bytes, a number, "a list".
std::string shown(const toml::node& node);
std::string in_marks(std::string_view text);

/// A finite number from low to high.
double read_number(const toml::node& node, std::string_view path, double low, double high);
u32 read_whole(const toml::node& node, std::string_view path, double low, double high);
const toml::array& read_list(const toml::node& node, std::string_view path, std::string_view wanted);
bool read_flag(const toml::node& node, std::string_view path);
/// 1 … max_bytes of text without control characters.
const std::string& read_title(const toml::node& node, std::string_view path, std::size_t max_bytes);

/// 1 … 32 of a … z, 0 … 9 and _: what a file may call its emitters and parts.
bool is_plain_name(std::string_view name);

/// Steps of inserting, dropping or changing one letter that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "did you mean 'x'?" for the nearest name, or all names when none is near.
template <class Names, class NameOf>
std::string suggestion(std::string_view wrong, const Names& names, NameOf name_of) {
  std::string_view best;
  std::size_t best_distance = ~std::size_t{0};
  std::string all;
  for (const auto& row : names) {
    const std::string_view name = name_of(row);
    const std::size_t distance = wrong.size() > 64 ? best_distance : edit_distance(wrong, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
    if (!all.empty()) all += ", ";
    all += name;
  }
  if (!best.empty() && best_distance <= std::max<std::size_t>(2, best.size() / 3)) {
    return fmt::format("did you mean '{}'?", best);
  }
  return fmt::format("known are {}", all);
}

/// The place in `table` of the row whose name the node says.
template <class Row, std::size_t N>
u8 read_name(const toml::node& node, std::string_view path, const std::array<Row, N>& table) {
  const auto* text = node.as_string();
  if (text == nullptr) refuse(node, path, fmt::format("{} is not a name in quotes", shown(node)));
  for (std::size_t i = 0; i < N; ++i) {
    if (table[i].name == text->get()) return static_cast<u8>(i);
  }
  refuse(node, path, fmt::format("{} is unknown; {}", shown(node), suggestion(text->get(), table, [](const Row& row) {
                                   return row.name;
                                 })));
}

/// Goes through `table` by the rows of `keys` and calls read_row(row, node, path) for each. `prefix` is ""
/// or "trail.". `skip` names keys that the caller reads itself. An error about a missing key names `line`.
template <class Keys, class ReadRow>
void read_rows(const toml::table& table, std::string_view prefix, const Keys& keys, u32 line,
               std::initializer_list<std::string_view> skip, ReadRow read_row) {
  for (const auto& [key, node] : table) {
    if (!key.str().empty() && std::find(skip.begin(), skip.end(), key.str()) != skip.end()) continue;
    const auto row =
        std::find_if(keys.begin(), keys.end(), [name = key.str()](const auto& k) { return k.name == name; });
    if (row == keys.end()) {
      const auto at = static_cast<u32>(key.source().begin.line);
      refuse(at, "",
             fmt::format("unknown key {}; {}", in_marks(fmt::format("{}{}", prefix, key.str())),
                         suggestion(key.str(), keys, [](const auto& k) { return k.name; })));
    }
    const toml::node& value = node;
    read_row(*row, value, fmt::format("{}{}", prefix, row->name));
  }
  for (const auto& key : keys) {
    if (key.required && !table.contains(key.name)) {
      refuse(line, "", fmt::format("the key '{}{}' is missing", prefix, key.name));
    }
  }
}

template <class Read>
auto read_or_explain(std::string_view file_name, std::string& error, Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const FileError& e) {
    error = error_line(file_name, e.line, e.text);
  } catch (const toml::parse_error& e) {
    error = error_line(file_name, static_cast<u32>(e.source().begin.line), e.description());
  } catch (const std::exception& e) {
    error = error_line(file_name, 1, e.what());
  }
  return std::nullopt;
}

}  // namespace spellpool::content
