#pragma once
// The files of assets/sounds and assets/arena.toml as they were when the program was built (made by
// cmake/embed_texts.cmake).
#include <span>
#include <string_view>

namespace spellpool::content {

struct BuiltinFile {
  std::string_view name;  ///< "bomb.toml"
  std::string_view text;
};

std::span<const BuiltinFile> builtin_files();

}  // namespace spellpool::content
