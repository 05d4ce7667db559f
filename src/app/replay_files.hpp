#pragma once
#include <string>
#include <vector>

#include "sim/replay.hpp"

namespace spellpool::app {

/// What the shooter plays by, as it is installed now: DATA_DIR/assets/{patterns,spells,stages}/*.toml with their checksums, by name. "" or
/// an error line.
std::string installed_files(const std::string& data_dir, std::vector<sim::ReplayFile>& files);

/// "" if DATA_DIR has all of these files as they were, or a line that names the first that it has not.
std::string check_files(const std::string& data_dir, const std::vector<sim::ReplayFile>& files);

}  // namespace spellpool::app
