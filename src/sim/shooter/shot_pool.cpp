#include "sim/shooter/pooled_objects_of.hpp"
#include "sim/shooter/shooter_ship.hpp"

namespace spellpool::sim {

template <>
struct PortOf<Shot> {
  static constexpr frame::PoolId kId = frame::PoolId::Shots;
  static constexpr std::array kFields = {
      SPELLPOOL_FIELD(Shot, x),          SPELLPOOL_FIELD(Shot, y),        SPELLPOOL_FIELD(Shot, previous_x),
      SPELLPOOL_FIELD(Shot, previous_y), SPELLPOOL_FIELD(Shot, vx),       SPELLPOOL_FIELD(Shot, vy),
      SPELLPOOL_FIELD(Shot, damage),     SPELLPOOL_FIELD(Shot, age),      SPELLPOOL_FIELD(Shot, target),
      SPELLPOOL_FIELD(Shot, target_id),  SPELLPOOL_FIELD(Shot, spawn_id), SPELLPOOL_FIELD(Shot, homing),
      SPELLPOOL_FIELD(Shot, gone)};
  static float age(const Shot& shot) { return share_of(shot.age, 50); }
};

template class PooledObjects<Shot>;

}  // namespace spellpool::sim
