#include "sim/shooter/pooled_objects_of.hpp"
#include "sim/shooter/shooter_things.hpp"

namespace spellpool::sim {

template <>
struct PortOf<Pickup> {
  static constexpr frame::PoolId kId = frame::PoolId::Pickups;
  static constexpr std::array kFields = {SPELLPOOL_FIELD(Pickup, x),          SPELLPOOL_FIELD(Pickup, y),
                                         SPELLPOOL_FIELD(Pickup, previous_x), SPELLPOOL_FIELD(Pickup, previous_y),
                                         SPELLPOOL_FIELD(Pickup, vy),         SPELLPOOL_FIELD(Pickup, age),
                                         SPELLPOOL_FIELD(Pickup, kind),       SPELLPOOL_FIELD(Pickup, drawn_in),
                                         SPELLPOOL_FIELD(Pickup, gone),       SPELLPOOL_FIELD(Pickup, spawn_id)};
  static float age(const Pickup& pickup) { return share_of(pickup.age, 480); }
};

template class PooledObjects<Pickup>;

}  // namespace spellpool::sim
