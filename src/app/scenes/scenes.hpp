#pragma once
#include "app/scene_hooks.hpp"

namespace spellpool::app {

const SceneHooks& spells_scene();
const SceneHooks& shooter_scene();

}  // namespace spellpool::app
