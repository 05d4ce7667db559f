#pragma once
// Spell files: assets/spells/*.toml to frame::SpellDef and back.
//
// A file starts with the spell's own keys and goes on with one table [emitter.NAME] per emitter. `emitters` at the top
// names them all, so that a file which lost its end is told from one that is complete. spell_keys.hpp has every key.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "frame/spell_def.hpp"

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

/// The spell as text: parse_spell(format_spell(x)) gives x again, bit for bit, with colours rounded to sRGB bytes
/// (those that came from a file stay as they were). `x.id` is the file name, not a key. Keys at their defaults are left
/// out. What no file may hold (a value out of range, a title of two lines) is written all the same, and refused when
/// read: whoever saves what somebody typed parses the text first.
///
/// `old_text` is the file as it was. If it is a spell file, only the values that differ are written anew, in their
/// places; every comment, blank line, order and spelling that a person chose stays. What cannot be patched that way
/// is written whole, with old_text's head comment and the comment above each [emitter.NAME] that still exists.
std::string format_spell(const frame::SpellDef& spell, std::string_view old_text = {});

/// The comment at the head of every spell file that explains its keys.
std::string spell_file_help();

}  // namespace spellpool::content
