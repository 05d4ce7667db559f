#include "sim/make_world.hpp"

#include "sim/shooter/shooter.hpp"
#include "sim/spells/world.hpp"

namespace spellpool::sim {

// A scene that gets its world here joins frame::kScenes.
std::unique_ptr<GameWorld> make_world(const WorldConfig& config) {
  switch (config.scene) {
    case frame::SceneId::Spells: return std::make_unique<World>(config);
    case frame::SceneId::Shooter: return std::make_unique<ShooterWorld>(config);
  }
  return nullptr;
}

}  // namespace spellpool::sim
