// The world's pools as pictures. In a file of its own: each walk is compiled for every storage of every kind of object.
#include <algorithm>

#include "pool/prewarm.hpp"
#include "sim/particles/slot_fields.hpp"
#include "sim/spells/world.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using frame::SlotField;

float age_of(const Particle& particle) { return particle.age(); }
float age_of(const Seeker& seeker) { return std::clamp(seeker.age_s / Seekers::kLife_s, 0.0f, 1.0f); }
float age_of(const Wisp& wisp) { return std::clamp(1.0f - wisp.there, 0.0f, 1.0f); }

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

void World::map_slots(PoolId id, u32 most_next, pool::SlotMap& map) const {
  const auto draw = [&](const auto& pool) { pool::map_slots(pool, map, most_next, [](const auto& object) { return age_of(object); }); };
  if (id == PoolId::Seekers) return seekers_.pool().visit(draw);
  if (id == PoolId::Wisps) return targets_.wisps().visit(draw);
  particles_.pool().visit(draw);
}

pool::SlotDetail World::look_at_place(PoolId id, u32 place) const {
  const auto look = [&](const auto& pool) { return pool::look_at_place(pool, place, [](const auto& object) { return age_of(object); }); };
  if (id == PoolId::Seekers) return seekers_.pool().visit(look);
  if (id == PoolId::Wisps) return targets_.wisps().visit(look);
  return particles_.pool().visit(look);
}

std::span<const SlotField> World::slot_fields(PoolId id) const {
  if (id == PoolId::Seekers) return kSeekerFields;
  if (id == PoolId::Wisps) return kWispFields;
  return kParticleFields;
}

bool World::fills(PoolId id) const {
  const auto asked = [](const auto& pool) { return pool.fill(); };
  if (id == PoolId::Seekers) return seekers_.pool().visit(asked);
  if (id == PoolId::Wisps) return targets_.wisps().visit(asked);
  return particles_.pool().visit(asked);
}

bool World::prewarm(double budget_us) {
  return pool::prewarm_within(particles_.pool(), budget_us) && pool::prewarm_within(seekers_.pool(), 0) && pool::prewarm_within(targets_.wisps(), 0);
}

std::optional<pool::ConsoleHeapStats> World::console_heap() const { return console_heap_of(particles_); }

void World::watch_slots(std::optional<PoolId> id) {
  watched_ = id;
  particles_.pool().visit([&](auto& pool) { pool::watch_steals(pool, id == PoolId::Particles); });
  seekers_.pool().visit([&](auto& pool) { pool::watch_steals(pool, id == PoolId::Seekers); });
  targets_.wisps().visit([&](auto& pool) { pool::watch_steals(pool, id == PoolId::Wisps); });
}

void World::fade_steals() {
  const auto fade = [](auto& pool) { pool::fade_steals(pool); };
  particles_.pool().visit(fade);
  seekers_.pool().visit(fade);
  targets_.wisps().visit(fade);
}

}  // namespace spellpool::sim
