#pragma once
// The files of assets/sounds as they were when the program was built (made by cmake/embed_texts.cmake).
#include <span>
#include <string_view>

namespace spellpool::content {

struct BuiltinSound {
  std::string_view name;  ///< "bomb.toml"
  std::string_view text;
};

std::span<const BuiltinSound> builtin_sounds();

}  // namespace spellpool::content
