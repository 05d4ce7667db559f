#pragma once
// Spell files: assets/spells/*.toml to frame::SpellDef and back. And assets/arena.toml, whose emitters have
// the same keys.
//
// A file starts with the spell's own keys. One table [emitter.NAME] per emitter follows. `emitters` at the
// top names all of them, so a file that lost its end is detected. spell_keys.hpp has every key.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "frame/defs/arena_emitters.hpp"

namespace spellpool::content {

inline constexpr std::size_t kMaxSpellFile_bytes = std::size_t{1} << 20;

struct SpellFileResult {
  std::optional<frame::SpellDef> spell;
  /// "" on success; else one line: "assets/spells/firebolt.toml:12: burst.rate_per_s: 'fast' is not a number".
  std::string error;
};

/// Reads the text of a spell file. `file_name` stands in errors: the file, or the replay that holds the text. `id`
/// becomes the spell's id; without one it is the file name's stem. Never throws, whatever the text is. Cost: about 0.2
/// ms for a file of 6 KB; allocates.
SpellFileResult parse_spell(std::string_view text, std::string_view file_name, std::string_view id = {});

/// The same for a file on disk, at most kMaxSpellFile_bytes long.
SpellFileResult read_spell_file(const std::filesystem::path& path);

struct ArenaFileResult {
  std::optional<frame::ArenaDef> arena;
  std::string error;  ///< As SpellFileResult has it.
};

/// Reads the text of assets/arena.toml: a table [emitter.NAME] for each of frame::kArenaEmitterNames, and
/// nothing else. Never throws, whatever the text is.
ArenaFileResult parse_arena(std::string_view text, std::string_view file_name);
/// The text of assets/arena.toml as it was when the program was built.
std::string_view builtin_arena();

/// The spell as text: parse_spell(format_spell(x)) gives x again, bit for bit, with colours rounded to sRGB
/// bytes (those that a file has as sRGB stay as they were). `x.id` is the file name, not a key. Keys at their
/// defaults are left out. A value that no file may hold (out of range, a title of two lines) is written too,
/// and refused when read. So parse the text before saving values that a person typed.
///
/// `old_text` is the file as it was. If it is a spell file, only the values that differ are replaced, in
/// their places. Every comment, blank line, order and spelling in it stays. A file that cannot be patched
/// that way is written whole, with old_text's head comment and the comment above each [emitter.NAME] that
/// still exists.
std::string format_spell(const frame::SpellDef& spell, std::string_view old_text = {});

/// The comment at the head of every spell file that explains its keys.
std::string spell_file_help();

}  // namespace spellpool::content
