#pragma once
#include <string>

#include "app/options.hpp"

namespace spellpool::app {

/// Reads DATA_DIR/assets/pools.toml for the scene; without the file all pools are as frame::default_sizes() has them. "" or an error line.
std::string load_pool_sizes(const std::string& data_dir, WorldOptions& world);

}  // namespace spellpool::app
