// "How many bullets?" in the world: as many as a command asks for, whatever stores them.
#include "sim/shooter/shooter.hpp"

#include "../pool/allocation_probe.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using frame::ShooterState;

WorldConfig field(u32 capacity, pool::StrategyId strategy = pool::StrategyId::FreeList, pool::PolicyId policy = pool::PolicyId::Reject) {
  // Enough shots that a bullet of the stage has a row which the flowers' table has not.
  frame::PatternDef pattern;
  pattern.name = "p";
  frame::ShotDef shot;
  shot.every_s = 0.1f;
  shot.count = 8;
  for (auto& list : pattern.shots) list.assign(16, shot);
  frame::StageDef stage;
  stage.title = "test";
  frame::WaveDef wave;
  wave.kind = frame::EnemyKind::Lantern;
  wave.path = {{0, -300, 0}, {0, -300, 30}};
  wave.pattern = 0;
  wave.fire_s = 0.0f;
  wave.health = 100.0f;
  stage.waves = {wave};
  WorldConfig config = stage_config(std::move(stage), {pattern}, strategy);
  PoolChoice& bullets = config.pools[static_cast<std::size_t>(PoolId::Bullets)];
  bullets.capacity = capacity;
  bullets.policy = policy;
  return config;
}

void want(ShooterWorld& world, u32 bullets, u32 steps, const frame::InputFrame& input = {}) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetStress;
  command.capacity = bullets;
  world.step(input, {&command, 1});
  for (u32 i = 1; i < steps; ++i) world.step(input, {});
}
u32 live(const ShooterWorld& world) { return world.pool(PoolId::Bullets).stats().live; }

TEST(ShooterStress, AsManyBulletsFlyAsAreWantedWhileTheyComeAndGo) {
  ShooterWorld world(field(100'000));
  want(world, 3'000, 2);
  EXPECT_EQ(world.state(), ShooterState::Stress);
  want(world, 3'000, 60);
  EXPECT_EQ(live(world), 3'000u);
  const u64 before = world.pool(PoolId::Bullets).stats().spawned;
  want(world, 3'000, 300);
  EXPECT_EQ(live(world), 3'000u);
  EXPECT_GT(world.pool(PoolId::Bullets).stats().spawned, before + 1'500) << "they leave, and others come";
  want(world, 700, 120);
  EXPECT_EQ(live(world), 700u);
  want(world, 50'000, 60);
  EXPECT_EQ(live(world), 50'000u);
  want(world, 0, 2);
  EXPECT_EQ(world.state(), ShooterState::Title);
  EXPECT_EQ(live(world), 0u);
}

TEST(ShooterStress, NothingHurtsTheShipAndNothingElseComes) {
  ShooterWorld world(field(20'000));
  want(world, 20'000, 600);
  EXPECT_EQ(world.ship().lives(), Ship::kLives);
  EXPECT_TRUE(world.ship().there());
  EXPECT_EQ(world.score(), 0u);
  for (const PoolId id : {PoolId::Enemies, PoolId::Pickups, PoolId::Shots}) EXPECT_EQ(world.pool(id).stats().spawned, 0u);
}

TEST(ShooterStress, BeginsInTheMiddleOfAStageAndEndsByTheTitlesKey) {
  ShooterWorld world(field(5'000));
  frame::InputFrame start;
  start.buttons = frame::kButtonStart;
  world.step(start, {});
  for (u32 i = 0; i < 120; ++i) world.step({}, {});
  ASSERT_GT(live(world), 100u);
  want(world, 900, 90);
  EXPECT_EQ(live(world), 900u);
  EXPECT_NE(world.bullets().table().flights().size(), 16u) << "the flowers have a table of their own";
  world.bullets().objects().for_each([&](const Bullet& b) { ASSERT_LT(b.row, world.bullets().table().flights().size()); });
  frame::InputFrame title;
  title.buttons = frame::kButtonChallenge;
  world.step(title, {});
  world.step({}, {});
  EXPECT_EQ(world.state(), ShooterState::Title);
  EXPECT_EQ(live(world), 0u);
  world.step(start, {});
  for (u32 i = 0; i < 120; ++i) world.step({}, {});
  EXPECT_EQ(world.state(), ShooterState::Playing);
  EXPECT_EQ(world.bullets().table().flights().size(), 16u);
  EXPECT_GT(live(world), 100u) << "the stage fires as before";
}

/// Targets up and down, past what the pool holds, out and in again.
std::vector<u64> play_script(const WorldConfig& config) {
  ShooterWorld world(config);
  std::vector<u64> hashes;
  frame::InputFrame input;
  constexpr std::pair<u32, u32> kScript[] = {{500, 70}, {4'000, 70}, {1'000, 40}, {9'000, 60}, {0, 3}, {2'500, 60}};
  for (const auto& [bullets, steps] : kScript) {
    input.move_x = static_cast<i8>(bullets / 100);
    for (u32 i = 0; i < steps; ++i) {
      want(world, bullets, 1, input);
      hashes.push_back(world.hash());
    }
  }
  return hashes;
}

TEST(ShooterStress, IsTheSameAfterEveryStepWithEveryStrategy) {
  for (const pool::PolicyId policy : {pool::PolicyId::Reject, pool::PolicyId::StealOldest}) {
    const std::vector<u64> expected = play_script(field(6'000, pool::StrategyId::Heap, policy));
    for (const pool::StrategyRow& row : pool::kStrategies) {
      EXPECT_EQ(play_script(field(6'000, row.id, policy)), expected) << row.name << ", " << pool::row(policy).name;
    }
  }
}

TEST(ShooterStress, AFullPoolDoesWhatItsPolicySays) {
  for (const pool::PolicyRow& row : pool::kPolicies) {
    if (row.id == pool::PolicyId::Assert) continue;  // it ends the program: nobody should ask it for too many
    ShooterWorld world(field(500, pool::StrategyId::FreeList, row.id));
    want(world, 2'000, 200);
    const pool::PoolStats stats = world.pool(PoolId::Bullets).stats();
    if (stats.grown > 0) {
      EXPECT_EQ(stats.live, 2'000u) << row.name;
    } else {
      EXPECT_LE(stats.live, 500u) << row.name;
      EXPECT_GT(stats.rejected + stats.stolen, 1'000u) << row.name;
    }
  }
}

TEST(ShooterStress, NoStepAllocatesInPooledModes) {
  for (const pool::StrategyId strategy : {pool::StrategyId::FreeList, pool::StrategyId::Packed, pool::StrategyId::Soa, pool::StrategyId::Queue}) {
    ShooterWorld world(field(10'000, strategy));
    while (!world.prewarm(1e6)) {}
    want(world, 100, 30);
    world.build_snapshot();
    u32 step = 0;
    for (const u32 bullets : {1'000u, 10'000u, 300u, 10'000u}) {
      frame::SimCommand command;
      command.kind = frame::SimCommandKind::SetStress;
      command.capacity = bullets;
      for (u32 i = 0; i < 80; ++i, ++step) {
        const u64 before = test::new_calls();
        world.step({}, {&command, 1});
        world.build_snapshot();
        ASSERT_EQ(test::new_calls(), before) << "step " << step << ", strategy " << static_cast<int>(strategy);
      }
    }
  }
}

}  // namespace
}  // namespace spellpool::sim
