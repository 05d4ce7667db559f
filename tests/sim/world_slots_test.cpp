// The pictures of the world's pools: true to what lives in them, and without any effect on the game.
#include <cstring>

#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using pool::PolicyId;
using pool::StrategyId;

TEST(WorldSlots, ShowWhatLivesUnderEveryStrategy) {
  for (const auto& row : pool::kStrategies) {
    World world(config(1, row.id, PolicyId::StealLeast, 400));
    juggle(world, 120, {}, {});
    for (const frame::PoolName& pool : frame::pools_of(frame::SceneId::Spells)) {
      pool::SlotMap map;
      world.pool(pool.id).map_slots(16, map);
      u32 live = 0;
      for (const u8 cell : map.cells) live += (cell & 0x7f) >= kSlotLive ? 1u : 0u;
      EXPECT_EQ(live, world.pool(pool.id).stats().live) << row.name << " " << pool.name;
      EXPECT_EQ(map.cells.size(), world.pool(pool.id).stats().slots) << row.name << " " << pool.name;
    }
    // The bytes of a place are those of the particle there.
    u32 seen = 0;
    world.particles().look_at_each([&](ParticleHandle handle, const Particle& p) {
      const u32 place = world.particles().pool().visit([&](const auto& pool) { return pool.storage().place_of(handle.index); });
      const pool::SlotDetail detail = world.pool(PoolId::Particles).look_at_place(place);
      ASSERT_GE(detail.byte_count, detail.object_at + sizeof(Particle)) << row.name;
      u64 spawn_id = 0;
      std::memcpy(&spawn_id, &detail.bytes[detail.object_at + offsetof(Particle, spawn_id)], sizeof spawn_id);
      EXPECT_EQ(spawn_id, p.spawn_id) << row.name;
      ++seen;
    });
    EXPECT_GT(seen, 0u);
  }
}

TEST(WorldSlots, FieldsCoverTheObjectsBytes) {
  const World world(config(1, pool::StrategyId::FreeList));
  for (const frame::PoolName& pool : frame::pools_of(frame::SceneId::Spells)) {
    u32 end = 0;
    for (const frame::SlotField& field : world.pool(pool.id).fields()) {
      EXPECT_GE(field.offset, end) << pool.name << " " << field.name;
      EXPECT_LT(field.offset, end + 8) << pool.name << " " << field.name << ": a field before it is missing";
      end = field.offset + field.bytes;
    }
  }
}

TEST(WorldSlots, LookingChangesNothing) {
  World seen(config(7, StrategyId::FreeList, PolicyId::StealOldest, 200)), unseen(config(7, StrategyId::FreeList, PolicyId::StealOldest, 200));
  seen.watch_slots(PoolId::Particles);
  pool::SlotMap map;
  u32 stolen = 0;
  for (u32 step = 0; step < 300; ++step) {
    frame::InputFrame input;
    input.aim_x16 = static_cast<i16>(step * 37 % 2000);
    input.buttons = frame::kButtonRapid;
    input.select_spell = static_cast<u8>(step / 40 % frame::kSpellCount);
    seen.step(input, {});
    unseen.step(input, {});
    seen.pool(PoolId::Particles).map_slots(48, map);
    seen.pool(PoolId::Particles).look_at_place(step % 200);
    stolen = std::max(stolen, map.stolen);
    ASSERT_EQ(seen.hash(), unseen.hash()) << "step " << step;
  }
  EXPECT_EQ(seen.pool(PoolId::Particles).stats().stolen, unseen.pool(PoolId::Particles).stats().stolen);
  EXPECT_GT(stolen, 0u) << "the run must steal, or it shows nothing";
  EXPECT_EQ(seen.watched(), PoolId::Particles);
  seen.watch_slots(std::nullopt);
  seen.pool(PoolId::Particles).map_slots(48, map);
  EXPECT_EQ(map.stolen, 0u);
}

}  // namespace
}  // namespace spellpool::sim
