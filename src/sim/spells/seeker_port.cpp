#include <algorithm>
#include <array>

#include "sim/core/pool_port_of.hpp"
#include "sim/spells/spell_seekers.hpp"

namespace spellpool::sim {
namespace {

constexpr std::array kFields = {
    SPELLPOOL_FIELD(Seeker, x),          SPELLPOOL_FIELD(Seeker, y),        SPELLPOOL_FIELD(Seeker, previous_x),
    SPELLPOOL_FIELD(Seeker, previous_y), SPELLPOOL_FIELD(Seeker, vx),       SPELLPOOL_FIELD(Seeker, vy),
    SPELLPOOL_FIELD(Seeker, age_s),      SPELLPOOL_FIELD(Seeker, speed),    SPELLPOOL_FIELD(Seeker, power),
    SPELLPOOL_FIELD(Seeker, factor),     SPELLPOOL_FIELD(Seeker, carry),    SPELLPOOL_FIELD(Seeker, target),
    SPELLPOOL_FIELD(Seeker, target_id),  SPELLPOOL_FIELD(Seeker, spawn_id), SPELLPOOL_FIELD(Seeker, spell),
    SPELLPOOL_FIELD(Seeker, done)};

}  // namespace

std::unique_ptr<PoolPort> seeker_port(Seekers& seekers) {
  return std::make_unique<PoolPortOf<Seeker>>(
      frame::PoolId::Seekers, seekers.pool(), kFields,
      [](const Seeker& seeker) { return std::clamp(seeker.age_s / Seekers::kLife_s, 0.0f, 1.0f); });
}

}  // namespace spellpool::sim
