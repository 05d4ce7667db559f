#pragma once
// Text files that the program was built with (made by cmake/embed_texts.cmake).
#include <span>
#include <string_view>

namespace spellpool {

struct EmbeddedText {
  std::string_view name;  ///< "composite.frag": without its folder.
  std::string_view text;
};

/// The text of the file of this name; "" if there is none.
constexpr std::string_view text_named(std::span<const EmbeddedText> files, std::string_view name) {
  for (const EmbeddedText& file : files) {
    if (file.name == name) return file.text;
  }
  return {};
}

}  // namespace spellpool
