#include "app/play/planted_difference.hpp"

#include "sim/spells/world.hpp"

namespace spellpool::app {

bool drop_one_particle(sim::GameWorld& world) {
  sim::World* const spells = world.spells_world();
  if (spells == nullptr) return false;
  // The one born first, so that every strategy loses the same.
  u64 first = ~u64{0};
  sim::ParticleHandle oldest{};
  spells->particles().for_each([&](sim::ParticleHandle handle, const sim::Particle& particle) {
    if (particle.spawn_id >= first) return;
    first = particle.spawn_id;
    oldest = handle;
  });
  return first != ~u64{0} && spells->particles().pool().release(oldest) == pool::ReleaseResult::Released;
}

}  // namespace spellpool::app
