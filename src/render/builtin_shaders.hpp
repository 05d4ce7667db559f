#pragma once
// The files of shaders/ as they were when the program was built (made by cmake/embed_texts.cmake).
#include <span>
#include <string_view>

namespace spellpool::render {

struct BuiltinShader {
  std::string_view name;  ///< "composite.frag"
  std::string_view text;
};

std::span<const BuiltinShader> builtin_shaders();

}  // namespace spellpool::render
