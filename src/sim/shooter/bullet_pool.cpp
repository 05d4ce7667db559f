#include "sim/shooter/pooled_objects_of.hpp"
#include "sim/shooter/shooter_bullets.hpp"

namespace spellpool::sim {

template <>
struct PortOf<Bullet> {
  static constexpr frame::PoolId kId = frame::PoolId::Bullets;
  static constexpr std::array kFields = {
      SPELLPOOL_FIELD(Bullet, x),    SPELLPOOL_FIELD(Bullet, y),     SPELLPOOL_FIELD(Bullet, vx),
      SPELLPOOL_FIELD(Bullet, vy),   SPELLPOOL_FIELD(Bullet, speed), SPELLPOOL_FIELD(Bullet, heading),
      SPELLPOOL_FIELD(Bullet, age),  SPELLPOOL_FIELD(Bullet, row),   SPELLPOOL_FIELD(Bullet, grazed),
      SPELLPOOL_FIELD(Bullet, gone), SPELLPOOL_FIELD(Bullet, owner), SPELLPOOL_FIELD(Bullet, spawn_id)};
  static float age(const Bullet& bullet) { return share_of(bullet.age, 300); }
};

template class PooledObjects<Bullet>;

}  // namespace spellpool::sim
