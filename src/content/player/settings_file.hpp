#pragma once
// The player's settings as a TOML file. Reading, writing, the ranges and the comments in the written file are
// made from the rows of frame::kSettings.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frame/settings.hpp"

namespace spellpool::content {

struct SettingsResult {
  /// Nothing if the file is damaged: no TOML, or a value of the wrong type.
  std::optional<frame::Settings> settings;
  /// "" or one line: "settings.toml:7: sound.volume: 'loud' is not a number".
  std::string error;
  /// A line for each key that is unknown (and ignored) or out of range (and at its default), at most kMostWarnings and
  /// a last line that counts the rest.
  std::vector<std::string> warnings;
};
inline constexpr std::size_t kMostWarnings = 8;

/// Never throws, whatever the text is. Keys that are missing are at their defaults.
SettingsResult parse_settings(std::string_view text, std::string_view file_name);

/// parse_settings(format_settings(x)) gives x again. A value that no file may hold comes back as its default.
std::string format_settings(const frame::Settings& settings);

struct LoadedSettings {
  frame::Settings settings;
  std::vector<std::string> messages;  ///< For the player, one line each.
};
/// The settings in the file; the defaults, without a message, if there is none. A damaged file is set aside.
LoadedSettings load_settings(const std::filesystem::path& path);

/// Writes the file whole or not at all, and makes its folder. "" or one line for the player. What is there and cannot
/// be read is left alone, what is there and damaged is set aside.
std::string save_settings(const std::filesystem::path& path, const frame::Settings& settings);

}  // namespace spellpool::content
