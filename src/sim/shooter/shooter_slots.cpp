// The shooter's pools as pictures and figures. In a file of its own: each walk is compiled for every storage of every kind of object.

#include "sim/particles/slot_fields.hpp"
#include "sim/shooter/shooter.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using frame::SlotField;

/// 0 … 1 of what it has before it, for a picture of the pool.
float share_of(u32 age, u32 life) { return std::min(1.0f, static_cast<float>(age) / static_cast<float>(life)); }
float age_of(const Particle& particle) { return particle.age(); }
float age_of(const Bullet& bullet) { return share_of(bullet.age, 300); }
float age_of(const Shot& shot) { return share_of(shot.age, 50); }
float age_of(const Enemy& enemy) { return share_of(enemy.age, 600); }
float age_of(const Pickup& pickup) { return share_of(pickup.age, 480); }
float age_of(const Text& text) { return share_of(text.age, Texts::kLife_steps); }
float age_of(const Chunk& chunk) { return clamp01((chunk.y + frame::kFieldHalfHeight) / (2.0f * frame::kFieldHalfHeight)); }

constexpr std::array kBulletFields = {
    SPELLPOOL_FIELD(Bullet, x),     SPELLPOOL_FIELD(Bullet, y),       SPELLPOOL_FIELD(Bullet, vx),     SPELLPOOL_FIELD(Bullet, vy),
    SPELLPOOL_FIELD(Bullet, speed), SPELLPOOL_FIELD(Bullet, heading), SPELLPOOL_FIELD(Bullet, age),    SPELLPOOL_FIELD(Bullet, row),
    SPELLPOOL_FIELD(Bullet, grazed), SPELLPOOL_FIELD(Bullet, gone),   SPELLPOOL_FIELD(Bullet, owner),  SPELLPOOL_FIELD(Bullet, spawn_id)};
constexpr std::array kShotFields = {
    SPELLPOOL_FIELD(Shot, x),      SPELLPOOL_FIELD(Shot, y),      SPELLPOOL_FIELD(Shot, previous_x), SPELLPOOL_FIELD(Shot, previous_y),
    SPELLPOOL_FIELD(Shot, vx),     SPELLPOOL_FIELD(Shot, vy),     SPELLPOOL_FIELD(Shot, damage),     SPELLPOOL_FIELD(Shot, age),
    SPELLPOOL_FIELD(Shot, target), SPELLPOOL_FIELD(Shot, target_id), SPELLPOOL_FIELD(Shot, spawn_id), SPELLPOOL_FIELD(Shot, homing),
    SPELLPOOL_FIELD(Shot, gone)};
constexpr std::array kEnemyFields = {
    SPELLPOOL_FIELD(Enemy, x),       SPELLPOOL_FIELD(Enemy, y),    SPELLPOOL_FIELD(Enemy, previous_x), SPELLPOOL_FIELD(Enemy, previous_y),
    SPELLPOOL_FIELD(Enemy, health),  SPELLPOOL_FIELD(Enemy, flash), SPELLPOOL_FIELD(Enemy, there),     SPELLPOOL_FIELD(Enemy, age),
    SPELLPOOL_FIELD(Enemy, wave),    SPELLPOOL_FIELD(Enemy, ordinal), SPELLPOOL_FIELD(Enemy, kind),    SPELLPOOL_FIELD(Enemy, part),
    SPELLPOOL_FIELD(Enemy, gone),    SPELLPOOL_FIELD(Enemy, heart), SPELLPOOL_FIELD(Enemy, spawn_id)};
constexpr std::array kPickupFields = {
    SPELLPOOL_FIELD(Pickup, x),  SPELLPOOL_FIELD(Pickup, y),   SPELLPOOL_FIELD(Pickup, previous_x), SPELLPOOL_FIELD(Pickup, previous_y),
    SPELLPOOL_FIELD(Pickup, vy), SPELLPOOL_FIELD(Pickup, age), SPELLPOOL_FIELD(Pickup, kind),       SPELLPOOL_FIELD(Pickup, drawn_in),
    SPELLPOOL_FIELD(Pickup, gone), SPELLPOOL_FIELD(Pickup, spawn_id)};
constexpr std::array kTextFields = {SPELLPOOL_FIELD(Text, x),   SPELLPOOL_FIELD(Text, y),    SPELLPOOL_FIELD(Text, points),
                                    SPELLPOOL_FIELD(Text, age), SPELLPOOL_FIELD(Text, gone), SPELLPOOL_FIELD(Text, spawn_id)};
constexpr std::array kChunkFields = {SPELLPOOL_FIELD(Chunk, y), SPELLPOOL_FIELD(Chunk, variant), SPELLPOOL_FIELD(Chunk, gone),
                                     SPELLPOOL_FIELD(Chunk, spawn_id)};

}  // namespace

template <class F>
decltype(auto) ShooterWorld::with_pool(PoolId id, F&& f) const {
  switch (id) {
    case PoolId::Bullets: return bullets_.herd().pool().visit(f);
    case PoolId::Shots: return shots_.herd().pool().visit(f);
    case PoolId::Enemies: return enemies_.herd().pool().visit(f);
    case PoolId::Pickups: return pickups_.herd().pool().visit(f);
    case PoolId::Texts: return texts_.herd().pool().visit(f);
    case PoolId::Chunks: return garden_.herd().pool().visit(f);
    default: return particles_.pool().visit(f);
  }
}
template <class F>
void ShooterWorld::with_every_pool(F&& f) {
  particles_.pool().visit([&](auto& pool) { f(PoolId::Particles, pool); });
  bullets_.herd().pool().visit([&](auto& pool) { f(PoolId::Bullets, pool); });
  shots_.herd().pool().visit([&](auto& pool) { f(PoolId::Shots, pool); });
  enemies_.herd().pool().visit([&](auto& pool) { f(PoolId::Enemies, pool); });
  pickups_.herd().pool().visit([&](auto& pool) { f(PoolId::Pickups, pool); });
  texts_.herd().pool().visit([&](auto& pool) { f(PoolId::Texts, pool); });
  garden_.herd().pool().visit([&](auto& pool) { f(PoolId::Chunks, pool); });
}

pool::PoolStats ShooterWorld::pool_stats(PoolId id) const {
  return with_pool(id, [](const auto& pool) { return pool.stats(); });
}
pool::StrategyId ShooterWorld::strategy(PoolId id) const {
  return with_pool(id, [](const auto& pool) { return std::decay_t<decltype(pool)>::kStrategy; });
}
pool::PolicyId ShooterWorld::policy(PoolId id) const {
  return with_pool(id, [](const auto& pool) { return pool.policy(); });
}
bool ShooterWorld::fills(PoolId id) const {
  return with_pool(id, [](const auto& pool) { return pool.fill(); });
}

void ShooterWorld::map_slots(PoolId id, u32 most_next, pool::SlotMap& map) const {
  with_pool(id, [&](const auto& pool) { pool::map_slots(pool, map, most_next, [](const auto& object) { return age_of(object); }); });
}
pool::SlotDetail ShooterWorld::look_at_place(PoolId id, u32 place) const {
  return with_pool(id, [&](const auto& pool) { return pool::look_at_place(pool, place, [](const auto& object) { return age_of(object); }); });
}
std::span<const SlotField> ShooterWorld::slot_fields(PoolId id) const {
  switch (id) {
    case PoolId::Bullets: return kBulletFields;
    case PoolId::Shots: return kShotFields;
    case PoolId::Enemies: return kEnemyFields;
    case PoolId::Pickups: return kPickupFields;
    case PoolId::Texts: return kTextFields;
    case PoolId::Chunks: return kChunkFields;
    default: return kParticleFields;
  }
}

void ShooterWorld::watch_slots(std::optional<PoolId> id) {
  watched_ = id;
  with_every_pool([&](PoolId pool_id, auto& pool) { pool::watch_steals(pool, id == pool_id); });
}
void ShooterWorld::fade_steals() {
  with_every_pool([](PoolId, auto& pool) { pool::fade_steals(pool); });
}

bool ShooterWorld::prewarm(double budget_us) {
  return pool::prewarm_within(particles_.pool(), budget_us) && pool::prewarm_within(bullets_.herd().pool(), budget_us) &&
         pool::prewarm_within(shots_.herd().pool(), 0) && pool::prewarm_within(enemies_.herd().pool(), 0) &&
         pool::prewarm_within(pickups_.herd().pool(), 0) && pool::prewarm_within(texts_.herd().pool(), 0) &&
         pool::prewarm_within(garden_.herd().pool(), 0);
}

std::optional<pool::ConsoleHeapStats> ShooterWorld::console_heap() const { return console_heap_of(particles_); }

}  // namespace spellpool::sim
