#pragma once
#include "core/embedded_text.hpp"

namespace spellpool::render {

/// The files of shaders/ as they were when the program was built.
std::span<const EmbeddedText> builtin_shaders();

}  // namespace spellpool::render
