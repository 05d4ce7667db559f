#pragma once
#include <string>

#include "frame/scene.hpp"

namespace spellpool::app {

/// The text of `--list [TOPIC] [--json]`, made from the tables that the program itself runs on; pools are those of
/// the scene. Topic "" lists all.
std::string list_text(const std::string& topic, frame::SceneId scene, bool json);

}  // namespace spellpool::app
