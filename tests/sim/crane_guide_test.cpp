// The load "stones": cranes that search a way round them, in an arena of their own.
#include "sim/shooter/crane_guide.hpp"

#include <cmath>

#include "../pool/allocation_probe.hpp"
#include "frame/defs/stage_needs.hpp"
#include "sim/core/command_text.hpp"
#include "sim/shooter/shooter.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::CraneSearch;
using pool::StrategyId;

frame::SimCommand cranes_command(CraneSearch search) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetCranes;
  command.choice = static_cast<u8>(search);
  return command;
}

/// Cranes that come from above in pairs and want to go down through the bowls.
WorldConfig crane_stage(StrategyId strategy) {
  frame::PatternDef none;
  none.name = "none";
  frame::StageDef stage;
  stage.name = stage.title = "cranes";
  frame::WaveDef wave;
  wave.at_s = 0.5f;
  wave.every_s = 0.4f;
  wave.count = 24;
  wave.kind = frame::EnemyKind::Crane;
  wave.pattern = 0;
  wave.fire_s = 1000.0f;
  wave.mirror = true;
  wave.health = 1000.0f;
  wave.path = {{-40, -340, 0}, {-40, 330, 6}, {-40, 300, 4}};
  stage.waves.push_back(wave);
  return stage_config(std::move(stage), {none}, strategy, 4);
}

struct CraneGame {
  CraneRules rules;
  std::vector<u64> hashes;
  u32 stood = 0;      ///< Crane-steps without a way that did not move.
  u32 in_stone = 0;   ///< Cranes that knew a way and flew into the middle of a stone all the same.
};
CraneGame play_cranes(CraneSearch search, StrategyId strategy = StrategyId::FreeList, bool switching = false, u32 steps = 900) {
  ShooterWorld world(crane_stage(strategy));
  CraneGame seen;
  for (u32 i = 0; i < steps; ++i) {
    std::vector<frame::SimCommand> commands;
    if (i == 1) commands = {cranes_command(search)};
    for (const frame::PoolName& pool : frame::pools_of(frame::SceneId::Shooter)) {
      if (switching)
        commands.push_back(
            strategy_command(static_cast<StrategyId>((i + static_cast<u32>(pool.id)) % pool::kStrategyCount), pool.id));
    }
    frame::InputFrame input;
    if (i == 0) input.buttons = frame::kButtonStart;
    world.step(input, commands);
    seen.hashes.push_back(world.hash());
    world.enemies().objects().for_each([&](const Enemy& enemy) {
      if (enemy.way == CraneWay::Unknown && enemy.x == enemy.previous_x && enemy.y == enemy.previous_y) ++seen.stood;
      if (enemy.way != CraneWay::Found) return;
      for (const Stone& stone : world.crane_guide()->stones()) {
        seen.in_stone += std::hypot(stone.x - enemy.x, stone.y - enemy.y) < 0.5f * stone.radius;
      }
    });
  }
  seen.rules = *world.crane_rules();
  return seen;
}

TEST(CraneGuide, CranesFindAWayRoundStonesAndTheHeapServesWhatTheArenaCannot) {
  const CraneGame game = play_cranes(CraneSearch::Heap);
  EXPECT_GT(game.rules.searches, 500u);
  EXPECT_GT(game.rules.overflowed, 10u);
  EXPECT_EQ(game.rules.ended, 0u);
  EXPECT_EQ(game.stood, 0u);
  EXPECT_EQ(game.in_stone, 0u);
}

TEST(CraneGuide, AFullArenaWithoutTheHeapEndsSearchesAndThoseCranesStandBeforeStones) {
  const CraneGame game = play_cranes(CraneSearch::Null);
  EXPECT_GT(game.rules.ended, 10u);
  EXPECT_EQ(game.rules.overflowed, 0u);
  EXPECT_GT(game.stood, 10u);
  EXPECT_GT(game.rules.last_wanted_bytes, game.rules.last_free_bytes);
  EXPECT_LE(game.rules.last_free_bytes, CraneGuide::kArena_bytes);
}

TEST(CraneGuide, OffItChangesNothing) {
  const CraneGame off = play_cranes(CraneSearch::Off), on = play_cranes(CraneSearch::Heap);
  EXPECT_EQ(off.rules.searches, 0u);
  EXPECT_NE(off.hashes.back(), on.hashes.back());
  ShooterWorld never(crane_stage(StrategyId::FreeList));
  for (u32 i = 0; i < 900; ++i) {
    frame::InputFrame input;
    if (i == 0) input.buttons = frame::kButtonStart;
    never.step(input, {});
  }
  EXPECT_EQ(never.hash(), off.hashes.back());
}

TEST(CraneGuide, IsTheSameWithEveryStrategyAndWhenSwitched) {
  for (const CraneSearch search : {CraneSearch::Heap, CraneSearch::Null}) {
    const std::vector<u64> first = play_cranes(search, StrategyId::Heap, false, 400).hashes;
    for (const auto& row : pool::kStrategies) {
      EXPECT_EQ(first_difference(first, play_cranes(search, row.id, false, 400).hashes), -1) << row.name;
    }
    EXPECT_EQ(first_difference(first, play_cranes(search, StrategyId::Heap, true, 400).hashes), -1);
  }
}

TEST(CraneGuide, ComesBackWithASavedWorld) {
  ShooterWorld world(crane_stage(StrategyId::FreeList));
  const auto step = [&](std::span<const frame::SimCommand> commands = {}) {
    frame::InputFrame input;
    if (world.steps() == 0) input.buttons = frame::kButtonStart;
    world.step(input, commands);
  };
  const std::array<frame::SimCommand, 1> on = {cranes_command(CraneSearch::Null)};
  step();
  step(on);
  for (u32 i = 0; i < 300; ++i) step();
  const std::unique_ptr<WorldState> state = world.new_state();
  world.save(*state);
  const u64 saved = world.hash();
  std::vector<u64> first, second;
  for (u32 i = 0; i < 200; ++i) step(), first.push_back(world.hash());
  world.restore(*state);
  EXPECT_EQ(world.hash(), saved);
  for (u32 i = 0; i < 200; ++i) step(), second.push_back(world.hash());
  EXPECT_EQ(first_difference(first, second), -1);
}

TEST(CraneGuide, ACraneThatIsLateGivesItsSlotToAnEnemyThatComes) {
  constexpr float kLanterns_s = 13.0f;  // every crane's path is over by then
  WorldConfig config = crane_stage(StrategyId::FreeList);
  frame::StageDef stage = *config.stage;
  stage.waves[0].path = {{-40, -340, 0}, {-40, 330, 3}};
  frame::WaveDef lanterns = stage.waves[0];
  lanterns.kind = frame::EnemyKind::Lantern;
  lanterns.at_s = kLanterns_s;
  lanterns.every_s = 0.0f;
  stage.waves.push_back(lanterns);
  const u32 needs = frame::stage_needs(stage).enemies;
  ASSERT_EQ(needs, lanterns.count) << "the lanterns need every slot";
  config.pools[static_cast<std::size_t>(frame::PoolId::Enemies)].capacity = needs;
  config.stage = std::make_shared<const frame::StageDef>(std::move(stage));
  ShooterWorld world(config);
  const auto count = [&](frame::EnemyKind kind) {
    u32 live = 0;
    world.enemies().objects().for_each([&](const Enemy& enemy) { live += enemy.kind == kind; });
    return live;
  };
  frame::InputFrame start;
  start.buttons = frame::kButtonStart;
  world.step(start, {});
  const std::array<frame::SimCommand, 1> on = {cranes_command(CraneSearch::Null)};
  world.step({}, on);
  u32 late = 0;
  for (u32 i = 0; i < 1'000 && count(frame::EnemyKind::Lantern) == 0; ++i) {
    late = count(frame::EnemyKind::Crane);
    world.step({}, {});
  }
  ASSERT_GT(late, 0u) << "some cranes stand before a stone";
  EXPECT_EQ(count(frame::EnemyKind::Lantern), lanterns.count);
  EXPECT_EQ(count(frame::EnemyKind::Crane), 0u);
  EXPECT_EQ(world.enemies().objects().capacity(), needs);
}

TEST(CraneGuide, WithoutTheHeapNoStepAllocates) {
  ShooterWorld world(crane_stage(StrategyId::FreeList));
  frame::InputFrame start;
  start.buttons = frame::kButtonStart;
  const std::array<frame::SimCommand, 1> on = {cranes_command(CraneSearch::Null)};
  world.step(start, on);
  for (u32 i = 0; i < 200; ++i) world.step({}, {});
  EXPECT_EQ(test::new_calls_in([&] {
              for (u32 i = 0; i < 400; ++i) world.step({}, {});
            }),
            0u);
  EXPECT_GT(world.crane_rules()->ended, 0u) << "the arena was full in some of them";
}

TEST(CraneGuide, TheCommandIsWrittenAndRead) {
  for (const frame::CraneSearchRow& row : frame::kCraneSearches) {
    const std::string text = format_command(cranes_command(row.id));
    EXPECT_EQ(text, "cranes " + std::string(row.name));
    frame::SimCommand read;
    EXPECT_EQ(parse_command(text, frame::SceneId::Shooter, read), "");
    EXPECT_EQ(read.kind, frame::SimCommandKind::SetCranes);
    EXPECT_EQ(read.choice, static_cast<u8>(row.id));
    EXPECT_NE(parse_command(text, frame::SceneId::Spells, read), "");
  }
}

}  // namespace
}  // namespace spellpool::sim
