#pragma once
// A stage of the shooter that is as full as a benchmark wants it.
#include <algorithm>
#include <memory>

#include "content/game/spell_file.hpp"
#include "sim/shooter/shooter.hpp"

namespace spellpool::bench {

inline constexpr u32 kEnemies = 200;

/// A stage on which every enemy stands and fires one ring. Its bullets are so slow that they stay in the
/// field.
inline sim::WorldConfig crowded(u32 bullets, pool::StrategyId strategy, u32 sparks) {
  sim::WorldConfig config;
  config.scene = frame::SceneId::Shooter;
  config.pools = sim::pool_choices(strategy, pool::PolicyId::Reject, config.scene);
  config.pools[static_cast<std::size_t>(frame::PoolId::Bullets)].capacity = bullets;
  config.pools[static_cast<std::size_t>(frame::PoolId::Enemies)].capacity = kEnemies;
  config.pools[static_cast<std::size_t>(frame::PoolId::Particles)].capacity = sparks;
  for (auto& spell : config.spells) spell = std::make_shared<const frame::SpellDef>();
  config.arena = std::make_shared<const frame::ArenaDef>(
      content::parse_arena(content::builtin_arena(), "arena.toml").arena.value());
  frame::PatternDef pattern;
  pattern.name = "ring";
  frame::ShotDef ring;
  ring.count = std::min(500u, bullets / kEnemies);
  ring.every_s = 0.05f;
  ring.volleys = bullets / kEnemies / ring.count;
  ring.speed = 12.0f;
  ring.least_speed = 5.0f;
  for (auto& shots : pattern.shots) shots = {ring};
  config.patterns = std::make_shared<const frame::PatternBook>(frame::PatternBook{pattern});
  frame::StageDef stage;
  for (u32 i = 0; i < kEnemies; ++i) {
    const float x = -280.0f + 560.0f * static_cast<float>(i % 20) / 19.0f, y = -330.0f + 440.0f * static_cast<float>(i / 20) / 9.0f;
    frame::WaveDef wave;
    wave.at_s = static_cast<float>(i / 50) / 60.0f;  // so many are born in a step at most
    wave.kind = frame::EnemyKind::Lantern;
    wave.path = {{x, y, 0}, {x, y, 60}, {x, y, 60}};
    wave.pattern = 0;
    wave.fire_s = 0.0f;
    wave.health = 100.0f;
    stage.waves.push_back(wave);
  }
  config.stage = std::make_shared<const frame::StageDef>(std::move(stage));
  return config;
}

/// So many sparks that live for hours.
inline void fill_with_sparks(sim::ShooterWorld& world, u32 sparks) {
  Rng rng(11);
  world.particles().pool().visit([&](auto& pool) {
    for (u32 i = 0; i < sparks; ++i) {
      sim::Particle spark{};
      spark.x = rng.range(-600, 600);
      spark.y = rng.range(-340, 340);
      spark.vx = rng.range(-5, 5);
      spark.vy = rng.range(-5, 5);
      spark.clock_rate = u64{1} << 40;  // a life of hours
      spark.size = 6.0f;
      spark.spawn_id = (u64{1} << 40) + i;
      spark.style = static_cast<u16>(sim::arena_row(sim::ArenaEmitter::CrystalSpark));
      spark.floor_y = sim::Particle::kNoFloor;
      pool.acquire(spark);
    }
  });
}

}  // namespace spellpool::bench
