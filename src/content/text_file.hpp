#pragma once
// Whole files in and out. Every error is one line that names the path, the reason and, where there is one, the mend.
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "content/staged_file.hpp"
#include "core/one_line.hpp"

namespace spellpool::content {

struct TextResult {
  std::optional<std::string> text;  ///< The file's bytes, not checked for being text.
  std::string error;                ///< "" on success.
  bool missing = false;             ///< There is no such file.
  bool too_large = false;
};

/// Reads a regular file of at most max_bytes.
/// Errors  missing, a folder, a device or pipe, unreadable, too large.
TextResult read_text(const std::filesystem::path& path, std::size_t max_bytes);

/// Writes the whole text or nothing: into a staged file beside `path`, then renamed. "" or an error line.
std::string write_text(const std::filesystem::path& path, std::string_view text, Overwrite overwrite = Overwrite::No);
/// The same over an older file, safe against a power cut too (StagedFile::commit). For what the player made.
std::string keep_text(const std::filesystem::path& path, std::string_view text);
/// True for a byte below 0x20 and for DEL, which no name in a file may contain.
bool has_control_byte(std::string_view text);

}  // namespace spellpool::content
