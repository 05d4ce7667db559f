#include <algorithm>
#include <array>

#include "sim/core/pool_port_of.hpp"
#include "sim/spells/decals.hpp"

namespace spellpool::sim {
namespace {

constexpr std::array kFields = {SPELLPOOL_FIELD(Decal, x),      SPELLPOOL_FIELD(Decal, y),
                                SPELLPOOL_FIELD(Decal, radius), SPELLPOOL_FIELD(Decal, shown),
                                SPELLPOOL_FIELD(Decal, heat),   SPELLPOOL_FIELD(Decal, spawn_id),
                                SPELLPOOL_FIELD(Decal, kind),   SPELLPOOL_FIELD(Decal, spell)};

}  // namespace

std::unique_ptr<PoolPort> decal_port(Decals& decals) {
  return std::make_unique<PoolPortOf<Decal>>(frame::PoolId::Decals, decals.pool(), kFields, [](const Decal& decal) {
    return std::clamp(1.0f - 0.5f * decal.shown - 0.5f * decal.heat, 0.0f, 1.0f);
  });
}

}  // namespace spellpool::sim
