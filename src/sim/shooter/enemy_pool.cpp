#include "sim/shooter/pooled_objects_of.hpp"
#include "sim/shooter/shooter_enemies.hpp"

namespace spellpool::sim {

template <>
struct PortOf<Enemy> {
  static constexpr frame::PoolId kId = frame::PoolId::Enemies;
  static constexpr std::array kFields = {
      SPELLPOOL_FIELD(Enemy, x),          SPELLPOOL_FIELD(Enemy, y),      SPELLPOOL_FIELD(Enemy, previous_x),
      SPELLPOOL_FIELD(Enemy, previous_y), SPELLPOOL_FIELD(Enemy, health), SPELLPOOL_FIELD(Enemy, flash),
      SPELLPOOL_FIELD(Enemy, there),      SPELLPOOL_FIELD(Enemy, age),    SPELLPOOL_FIELD(Enemy, wave),
      SPELLPOOL_FIELD(Enemy, ordinal),    SPELLPOOL_FIELD(Enemy, kind),   SPELLPOOL_FIELD(Enemy, part),
      SPELLPOOL_FIELD(Enemy, way),        SPELLPOOL_FIELD(Enemy, gone),   SPELLPOOL_FIELD(Enemy, heart),
      SPELLPOOL_FIELD(Enemy, spawn_id)};
  static float age(const Enemy& enemy) { return share_of(enemy.age, 600); }
};

template class PooledObjects<Enemy>;

}  // namespace spellpool::sim
