#pragma once
#include "core/embedded_text.hpp"

namespace spellpool::content {

/// The files of assets/sounds and assets/arena.toml as they were when the program was built.
std::span<const EmbeddedText> builtin_files();

}  // namespace spellpool::content
