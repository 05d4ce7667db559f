#pragma once
// Bullet patterns: assets/patterns/*.toml to a frame::PatternBook. docs/shooter.md explains the format,
// pattern_keys.hpp has every key.
//
// A file rings.toml with [[shot]] at its top is the pattern "rings"; [part.petals] with [[part.petals.shot]] in it is
// "rings.petals". `include` adds the shots of other patterns before a pattern's own, `split_into` names what a bullet
// becomes; both may name patterns of any file, but nothing may come back to where it began.
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frame/defs/pattern_def.hpp"

namespace spellpool::content {

inline constexpr std::size_t kMaxPatternFile_bytes = std::size_t{256} << 10;
inline constexpr std::size_t kMaxPatternFiles = 128;

/// A file as it was read: `path` stands in errors, its stem names the pattern.
struct NamedText {
  std::string path, text;
};

struct PatternBookResult {
  std::optional<frame::PatternBook> book;  ///< By rising name, so that the order of the files does not count.
  /// "" on success; else one line: "assets/patterns/rings.toml:12: shot.count: 600 is out of range (1 … 512)".
  std::string error;
};

/// All patterns of all files. Never throws, whatever the texts are; allocates.
PatternBookResult read_patterns(std::span<const NamedText> files);

struct PatternTexts {
  std::vector<NamedText> files;  ///< By rising path.
  std::string error;             ///< "" on success.
};
/// The texts of every *.toml in the folder.
PatternTexts read_pattern_texts(const std::filesystem::path& folder);

/// The row of a pattern, or −1.
i32 find_pattern(const frame::PatternBook& book, std::string_view name);

/// The table of all keys of a [[shot]], as it stands in docs/shooter.md.
std::string shot_keys_table();

}  // namespace spellpool::content
