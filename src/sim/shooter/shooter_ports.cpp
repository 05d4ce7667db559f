#include <array>
#include <cstddef>

#include "sim/core/pool_port_of.hpp"
#include "sim/particles/particle_port.hpp"
#include "sim/shooter/shooter.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using frame::SlotField;

/// 0 … 1 of what it has before it, for a picture of the pool.
float share_of(u32 age, u32 life) { return std::min(1.0f, static_cast<float>(age) / static_cast<float>(life)); }
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

template <class T>
std::unique_ptr<PoolPort> port(PoolId id, PooledObjects<T>& objects, std::span<const SlotField> fields) {
  return std::make_unique<PoolPortOf<T>>(id, objects.pool(), fields, [](const T& object) { return age_of(object); });
}

}  // namespace

void ShooterWorld::add_pools() {
  add_pool(particle_port(particles_));
  add_pool(port(PoolId::Bullets, bullets_.objects(), kBulletFields));
  add_pool(port(PoolId::Shots, shots_.objects(), kShotFields));
  add_pool(port(PoolId::Enemies, enemies_.objects(), kEnemyFields));
  add_pool(port(PoolId::Pickups, pickups_.objects(), kPickupFields));
  add_pool(port(PoolId::Texts, texts_.objects(), kTextFields));
  add_pool(port(PoolId::Chunks, garden_.objects(), kChunkFields));
}

}  // namespace spellpool::sim
