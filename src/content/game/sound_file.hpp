#pragma once
// Sound files: assets/sounds/*.toml to frame::SoundDef and back. docs/sounds.md explains the format,
// frame/defs/sound_keys.hpp has every key.
//
// A file says its own keys, then [voice], then a [[tone]] or [[noise]] for each layer. Its stem is the sound's name,
// one of frame::kSounds.
#include <optional>
#include <string>
#include <string_view>

#include "frame/defs/sound_def.hpp"
#include "frame/defs/sound_id.hpp"

namespace spellpool::content {

inline constexpr std::size_t kMaxSoundFile_bytes = std::size_t{64} << 10;

struct SoundFileResult {
  std::optional<frame::SoundDef> sound;
  /// "" on success; else one line: "assets/sounds/bomb.toml:12: tone.decay_s: 'long' is not a number".
  std::string error;
};

/// Reads the text of a sound file; `file_name` stands in errors. Never throws, whatever the text is.
SoundFileResult parse_sound(std::string_view text, std::string_view file_name);

/// The sound as text: parse_sound(format_sound(x)) gives x again, bit for bit. Keys at their defaults are left out.
/// The comment at the head of `old_text` stays, comments further down are lost. What no file may hold is written all
/// the same, and refused when read.
std::string format_sound(const frame::SoundDef& sound, std::string_view old_text = {});

/// The recipe of this sound as it was when the program was built. It plays while the
/// file is missing or broken.
const frame::SoundDef& builtin_sound(frame::SoundId id);

/// The tables of all keys, as they stand in docs/sounds.md.
std::string sound_keys_tables();

}  // namespace spellpool::content
