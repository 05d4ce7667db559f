#include "sim/shooter/pooled_objects_of.hpp"
#include "sim/shooter/shooter_things.hpp"

namespace spellpool::sim {

template <>
struct PortOf<Chunk> {
  static constexpr frame::PoolId kId = frame::PoolId::Chunks;
  static constexpr std::array kFields = {
      SPELLPOOL_FIELD(Chunk, y), SPELLPOOL_FIELD(Chunk, variant), SPELLPOOL_FIELD(Chunk, gone),
      SPELLPOOL_FIELD(Chunk, spawn_id)};
  static float age(const Chunk& chunk) {
    return clamp01((chunk.y + frame::kFieldHalfHeight) / (2.0f * frame::kFieldHalfHeight));
  }
};

template class PooledObjects<Chunk>;

}  // namespace spellpool::sim
