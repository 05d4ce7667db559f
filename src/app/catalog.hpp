#pragma once
#include <string>

namespace spellpool::app {

/// The text of `--list [TOPIC] [--json]`, made from the tables that the program itself runs on. Topic "" lists all.
std::string list_text(const std::string& topic, bool json);

}  // namespace spellpool::app
