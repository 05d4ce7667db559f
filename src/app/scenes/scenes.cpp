#include "app/scenes/scenes.hpp"

namespace spellpool::app {

const SceneHooks& scene_hooks(frame::SceneId scene) {
  switch (scene) {
    case frame::SceneId::Spells: return spells_scene();
    case frame::SceneId::Shooter: return shooter_scene();
  }
  return spells_scene();
}

}  // namespace spellpool::app
