#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/core/pool_port_of.hpp"
#include "sim/particles/particle_port.hpp"
#include "sim/spells/world.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;

float age_of_seeker(const Seeker& seeker) { return std::clamp(seeker.age_s / Seekers::kLife_s, 0.0f, 1.0f); }
float age_of_wisp(const Wisp& wisp) { return std::clamp(1.0f - wisp.there, 0.0f, 1.0f); }

constexpr std::array kSeekerFields = {
    SPELLPOOL_FIELD(Seeker, x),      SPELLPOOL_FIELD(Seeker, y),     SPELLPOOL_FIELD(Seeker, previous_x), SPELLPOOL_FIELD(Seeker, previous_y),
    SPELLPOOL_FIELD(Seeker, vx),     SPELLPOOL_FIELD(Seeker, vy),    SPELLPOOL_FIELD(Seeker, age_s),      SPELLPOOL_FIELD(Seeker, speed),
    SPELLPOOL_FIELD(Seeker, power),  SPELLPOOL_FIELD(Seeker, factor), SPELLPOOL_FIELD(Seeker, carry),     SPELLPOOL_FIELD(Seeker, target),
    SPELLPOOL_FIELD(Seeker, target_id), SPELLPOOL_FIELD(Seeker, spawn_id), SPELLPOOL_FIELD(Seeker, spell), SPELLPOOL_FIELD(Seeker, done)};
constexpr std::array kWispFields = {
    SPELLPOOL_FIELD(Wisp, x),     SPELLPOOL_FIELD(Wisp, y),     SPELLPOOL_FIELD(Wisp, previous_x), SPELLPOOL_FIELD(Wisp, previous_y),
    SPELLPOOL_FIELD(Wisp, vx),    SPELLPOOL_FIELD(Wisp, vy),    SPELLPOOL_FIELD(Wisp, flash),      SPELLPOOL_FIELD(Wisp, there),
    SPELLPOOL_FIELD(Wisp, away_s), SPELLPOOL_FIELD(Wisp, phase), SPELLPOOL_FIELD(Wisp, carry),     SPELLPOOL_FIELD(Wisp, spawn_id)};

}  // namespace

void World::add_pools() {
  add_pool(particle_port(particles_));
  add_pool(std::make_unique<PoolPortOf<Seeker>>(PoolId::Seekers, seekers_.pool(), kSeekerFields, age_of_seeker));
  add_pool(std::make_unique<PoolPortOf<Wisp>>(PoolId::Wisps, targets_.wisps(), kWispFields, age_of_wisp));
}

}  // namespace spellpool::sim
