#include "sim/shooter/pooled_objects_of.hpp"
#include "sim/shooter/shooter_things.hpp"

namespace spellpool::sim {

template <>
struct PortOf<Text> {
  static constexpr frame::PoolId kId = frame::PoolId::Texts;
  static constexpr std::array kFields = {
      SPELLPOOL_FIELD(Text, x),   SPELLPOOL_FIELD(Text, y),    SPELLPOOL_FIELD(Text, points),
      SPELLPOOL_FIELD(Text, age), SPELLPOOL_FIELD(Text, gone), SPELLPOOL_FIELD(Text, spawn_id)};
  static float age(const Text& text) { return share_of(text.age, Texts::kLife_steps); }
};

template class PooledObjects<Text>;

}  // namespace spellpool::sim
