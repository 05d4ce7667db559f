#include <algorithm>
#include <array>

#include "sim/core/pool_port_of.hpp"
#include "sim/spells/targets.hpp"

namespace spellpool::sim {
namespace {

constexpr std::array kFields = {
    SPELLPOOL_FIELD(Wisp, x),          SPELLPOOL_FIELD(Wisp, y),     SPELLPOOL_FIELD(Wisp, previous_x),
    SPELLPOOL_FIELD(Wisp, previous_y), SPELLPOOL_FIELD(Wisp, vx),    SPELLPOOL_FIELD(Wisp, vy),
    SPELLPOOL_FIELD(Wisp, flash),      SPELLPOOL_FIELD(Wisp, there), SPELLPOOL_FIELD(Wisp, away_s),
    SPELLPOOL_FIELD(Wisp, phase),      SPELLPOOL_FIELD(Wisp, carry), SPELLPOOL_FIELD(Wisp, spawn_id)};

}  // namespace

std::unique_ptr<PoolPort> wisp_port(Targets& targets) {
  return std::make_unique<PoolPortOf<Wisp>>(frame::PoolId::Wisps, targets.wisps(), kFields,
                                         [](const Wisp& wisp) { return std::clamp(1.0f - wisp.there, 0.0f, 1.0f); });
}

}  // namespace spellpool::sim
