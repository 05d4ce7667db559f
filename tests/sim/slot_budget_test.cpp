// The shooter with few slots: one shared pool, in which a bomb's sparks leave none for a wave, and separate pools.
#include "sim/shooter/slot_budget.hpp"

#include "../pool/allocation_probe.hpp"
#include "sim/core/command_text.hpp"
#include "sim/shooter/shooter.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using frame::SlotSharing;
using pool::PolicyId;
using pool::StrategyId;

frame::SimCommand sharing_command(SlotSharing sharing) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetSharing;
  command.choice = static_cast<u8>(sharing);
  return command;
}

/// Lanterns that fire rings come every half second for a minute; the ship bombs them.
WorldConfig lantern_stage(StrategyId strategy) {
  frame::PatternDef rings;
  rings.name = "rings";
  frame::ShotDef ring;
  ring.count = 12;
  ring.every_s = 1.0f;
  ring.speed = 90.0f;
  for (auto& shots : rings.shots) shots = {ring};
  frame::StageDef stage;
  stage.name = stage.title = "lanterns";
  frame::WaveDef wave;
  wave.at_s = 0.5f;
  wave.every_s = 0.5f;
  wave.count = 60;
  wave.kind = frame::EnemyKind::Lantern;
  wave.pattern = 0;
  wave.health = 0.5f;
  wave.path = {{-200, -320, 0}, {0, -120, 2}, {200, -320, 3}};
  stage.waves.push_back(wave);
  return stage_config(std::move(stage), {rings}, strategy, 4);
}

struct SharedGame {
  u64 enemies = 0, enemies_refused = 0, sparks_refused = 0;
  u32 most_taken = 0;
  std::vector<u64> hashes;
};
/// `switching`: another strategy for each pool at each step.
SharedGame play_lanterns(SlotSharing sharing, StrategyId strategy = StrategyId::FreeList, bool switching = false,
                         u32 steps = 1'800) {
  ShooterWorld world(lantern_stage(strategy));
  SharedGame seen;
  for (u32 i = 0; i < steps; ++i) {
    std::vector<frame::SimCommand> commands;
    if (i == 1) commands = {sharing_command(sharing), load_command(frame::SimCommandKind::SetLoad, 10)};
    for (const frame::PoolName& pool : frame::pools_of(frame::SceneId::Shooter)) {
      if (switching)
        commands.push_back(
            strategy_command(static_cast<StrategyId>((i + static_cast<u32>(pool.id)) % pool::kStrategyCount), pool.id));
    }
    frame::InputFrame input;
    if (i == 0) input.buttons = frame::kButtonStart;
    if (i % 180 == 170)
      input.buttons = frame::kButtonBomb;
    else if (i % 2 == 0 && i > 2)
      input.buttons = frame::kButtonCast;
    input.move_x = i / 90 % 2 == 0 ? i8{90} : i8{-90};
    world.step(input, commands);
    seen.hashes.push_back(world.hash());
    seen.most_taken = std::max(seen.most_taken, world.budget().taken());
  }
  seen.enemies = world.pool(PoolId::Enemies).stats().spawned;
  seen.enemies_refused = world.budget().refused(PoolId::Enemies);
  seen.sparks_refused = world.budget().refused(PoolId::Particles);
  return seen;
}

TEST(SlotBudget, InOneSharedPoolSparksTakeTheSlotsAndAWaveLosesEnemies) {
  const SharedGame off = play_lanterns(SlotSharing::Off), shared = play_lanterns(SlotSharing::Shared);
  EXPECT_EQ(off.enemies, 59u);
  EXPECT_EQ(off.enemies_refused, 0u);
  EXPECT_GT(shared.enemies_refused, 5u);
  EXPECT_EQ(shared.enemies + shared.enemies_refused, off.enemies) << "whom no slot was left for is missing";
  EXPECT_LE(shared.most_taken, frame::kSharedSlots);
  RecordProperty("enemies", static_cast<int>(shared.enemies));
  RecordProperty("sparks_refused", static_cast<int>(shared.sparks_refused));
}

TEST(SlotBudget, InSeparatePoolsOfTheSameSlotsSparksRunOutAndNoEnemyIsMissing) {
  const SharedGame separate = play_lanterns(SlotSharing::Separate);
  EXPECT_EQ(separate.enemies, 59u);
  EXPECT_EQ(separate.enemies_refused, 0u);
  EXPECT_GT(separate.sparks_refused, 1'000u);
  RecordProperty("sparks_refused", static_cast<int>(separate.sparks_refused));
  EXPECT_LE(separate.most_taken, frame::kSharedSlots);
}

TEST(SlotBudget, IsTheSameWithEveryStrategyAndWhenSwitched) {
  for (const SlotSharing sharing : {SlotSharing::Shared, SlotSharing::Separate}) {
    const std::vector<u64> first = play_lanterns(sharing, StrategyId::Heap, false, 600).hashes;
    for (const auto& row : pool::kStrategies) {
      EXPECT_EQ(first_difference(first, play_lanterns(sharing, row.id, false, 600).hashes), -1) << row.name;
    }
    EXPECT_EQ(first_difference(first, play_lanterns(sharing, StrategyId::Heap, true, 600).hashes), -1);
  }
}

TEST(SlotBudget, ABossGetsItsSlotsWhateverElseIsThere) {
  SlotBudget budget;
  budget.choose(SlotSharing::Shared);
  budget.begin_step(7, true);
  budget.note(PoolId::Particles, frame::kSharedSlots);
  EXPECT_FALSE(budget.take(PoolId::Enemies));
  EXPECT_EQ(budget.refused(PoolId::Enemies), 1u);
  EXPECT_EQ(budget.last_loss().step, 8u);
  EXPECT_EQ(budget.last_loss().sparks, frame::kSharedSlots);
  budget.take_anyway(PoolId::Enemies);
  EXPECT_EQ(budget.taken(), frame::kSharedSlots + 1);
  EXPECT_EQ(budget.room(PoolId::Bullets), 0u);
  budget.choose(SlotSharing::Separate);
  EXPECT_EQ(budget.refused(PoolId::Enemies), 0u) << "counted anew";
  EXPECT_EQ(budget.room(PoolId::Particles), 0u);
  EXPECT_EQ(budget.room(PoolId::Enemies), 59u);
  budget.begin_step(8, false);
  EXPECT_GT(budget.room(PoolId::Particles), frame::kSharedSlots) << "the stress test has all of them";
}

TEST(SlotBudget, ComesBackWithASavedWorld) {
  const auto step = [](ShooterWorld& world, std::span<const frame::SimCommand> commands = {}) {
    frame::InputFrame input;
    if (world.steps() == 0) input.buttons = frame::kButtonStart;
    if (world.steps() % 100 == 90) input.buttons = frame::kButtonBomb;
    world.step(input, commands);
  };
  ShooterWorld world(lantern_stage(StrategyId::FreeList));
  const std::array<frame::SimCommand, 2> on = {sharing_command(SlotSharing::Shared),
                                               load_command(frame::SimCommandKind::SetLoad, 10)};
  step(world);
  step(world, on);
  for (u32 i = 0; i < 500; ++i) step(world);
  const std::unique_ptr<WorldState> state = world.new_state();
  world.save(*state);
  const u64 saved = world.hash(), refused = world.budget().refused(PoolId::Particles);
  std::vector<u64> first, second;
  for (u32 i = 0; i < 200; ++i) step(world), first.push_back(world.hash());
  world.restore(*state);
  EXPECT_EQ(world.hash(), saved);
  EXPECT_EQ(world.budget().refused(PoolId::Particles), refused);
  for (u32 i = 0; i < 200; ++i) step(world), second.push_back(world.hash());
  EXPECT_EQ(first_difference(first, second), -1);
}

TEST(SlotBudget, NoStepAllocatesForIt) {
  for (const SlotSharing sharing : {SlotSharing::Shared, SlotSharing::Separate}) {
    ShooterWorld world(lantern_stage(StrategyId::FreeList));
    frame::InputFrame start;
    start.buttons = frame::kButtonStart;
    const std::array<frame::SimCommand, 2> on = {sharing_command(sharing),
                                                 load_command(frame::SimCommandKind::SetLoad, 10)};
    world.step(start, on);
    for (u32 i = 0; i < 200; ++i) world.step({}, {});
    const u64 before = test::new_calls();
    frame::InputFrame bomb;
    bomb.buttons = frame::kButtonBomb;
    for (u32 i = 0; i < 400; ++i) world.step(i % 190 == 0 ? bomb : frame::InputFrame{}, {});
    EXPECT_EQ(test::new_calls() - before, 0u);
  }
}

TEST(SlotBudget, TheCommandIsWrittenAndRead) {
  for (const frame::SlotSharingRow& row : frame::kSlotSharings) {
    const std::string text = format_command(sharing_command(row.id));
    EXPECT_EQ(text, "slots " + std::string(row.name));
    frame::SimCommand read;
    EXPECT_EQ(parse_command(text, frame::SceneId::Shooter, read), "");
    EXPECT_EQ(read.kind, frame::SimCommandKind::SetSharing);
    EXPECT_EQ(read.choice, static_cast<u8>(row.id));
    EXPECT_NE(parse_command(text, frame::SceneId::Spells, read), "");
  }
  frame::SimCommand read;
  EXPECT_NE(parse_command("slots on", frame::SceneId::Shooter, read).find("off, shared, separate"), std::string::npos);
}

}  // namespace
}  // namespace spellpool::sim
