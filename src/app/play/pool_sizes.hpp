#pragma once
#include <string>

#include "app/library/spell_library.hpp"
#include "app/options.hpp"

namespace spellpool::app {

/// Reads what the scene begins with: the spells, the shooter's patterns and stage, and DATA_DIR/assets/pools.toml;
/// without that file all pools are as frame::default_sizes() has them. "" or an error line.
std::string load_texts(const std::string& data_dir, SpellLibrary& library, WorldOptions& world);

}  // namespace spellpool::app
