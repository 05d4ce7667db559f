// What the memory panel shows beside the game: two stories of fragmentation.
#include "app/pools/memory_lab.hpp"

#include <gtest/gtest.h>

#include "../sim/small_spells.hpp"
#include "sim/make_world.hpp"

namespace spellpool::app {
namespace {

TEST(MemoryLab, FourteenAreFreeAndTwelveDoNotFitInTheBookAndInTheNotes) {
  const std::unique_ptr<sim::GameWorld> world = sim::make_world(sim::config(1, pool::StrategyId::FreeList));
  MemoryLab lab;
  for (const bool replayed : {false, true}) {
    if (replayed) {
      lab.replay_stories();
      EXPECT_FALSE(lab.view(*world).stories[0].refused);
      EXPECT_EQ(lab.view(*world).stories[0].blocks.size(), 1u) << "all is free";
      for (int tick = 0; tick < 400; ++tick) lab.tick();
    }
    const frame::MemoryView view = lab.view(*world);
    const std::array<u32, 2> largest = {7, 8};  // 7 + 7 and 8 + 6
    for (std::size_t i = 0; i < view.stories.size(); ++i) {
      const frame::HeapStoryView& story = view.stories[i];
      EXPECT_EQ(story.free, 14u) << story.source;
      EXPECT_EQ(story.largest, largest[i]) << story.source;
      EXPECT_EQ(story.wanted, 12u);
      EXPECT_TRUE(story.refused) << story.source;
      ASSERT_EQ(story.blocks.size(), 3u);
      EXPECT_FALSE(story.blocks[0].live);
      EXPECT_TRUE(story.blocks[1].live);
      EXPECT_EQ(story.blocks[1].units, 3u) << "two and their tags";
      EXPECT_FALSE(story.blocks[2].live);
    }
  }
}

TEST(MemoryLab, AStoryGoesThroughAllItsStages) {
  const std::unique_ptr<sim::GameWorld> world = sim::make_world(sim::config(1, pool::StrategyId::FreeList));
  MemoryLab lab;
  lab.replay_stories();
  std::vector<u32> free;
  for (int tick = 0; tick < 400; ++tick) {
    const u32 now = lab.view(*world).stories[1].free;
    if (free.empty() || free.back() != now) free.push_back(now);
    lab.tick();
  }
  EXPECT_EQ(free, (std::vector<u32>{18, 9, 6, 0, 8, 14}));
}

TEST(MemoryLab, ShowsTheSmallConsoleAsItIs) {
  const std::unique_ptr<sim::GameWorld> world = sim::make_world(sim::config(1, pool::StrategyId::FreeList));
  MemoryLab lab;
  EXPECT_EQ(lab.view(*world).console.mode, frame::ConsoleMode::Off);
  for (const frame::ConsoleMode mode : {frame::ConsoleMode::Heap, frame::ConsoleMode::Pools}) {
    frame::SimCommand command;
    command.kind = frame::SimCommandKind::SetConsole;
    command.choice = static_cast<u8>(mode);
    world->step({}, {&command, 1});
    const frame::SmallConsoleView console = lab.view(*world).console;
    EXPECT_EQ(console.mode, mode);
    EXPECT_EQ(console.total_bytes, 12'288u);
    EXPECT_GT(console.free_bytes, 12'000u);
    u32 end = 0;
    for (const frame::HeapBlockView& block : console.blocks) {
      EXPECT_EQ(block.first, end);
      end = block.first + block.units;
    }
    EXPECT_LE(end, console.units);
  }
}

TEST(MemoryLab, CountsTheLinesOfTheParticlesWithEveryStrategy) {
  u64 objects = 0;
  for (const pool::StrategyRow& row : pool::kStrategies) {
    const std::unique_ptr<sim::GameWorld> world = sim::make_world(sim::config(1, row.id));
    const std::unique_ptr<sim::ScriptedPlayer> player = world->scripted_player(1);
    for (int step = 0; step < 120; ++step) world->step(player->next(), {});
    MemoryLab lab;
    const frame::ObjectLinesView lines = lab.view(*world).particles;
    pool::LineMap map;
    const sim::PoolPort& pool = world->pool(frame::PoolId::Particles);
    pool.map_lines(map);
    EXPECT_EQ(lines.touched_lines, map.touched()) << row.title;
    EXPECT_EQ(lines.held_lines, map.held());
    EXPECT_EQ(lines.page_count, map.pages().size());
    EXPECT_EQ(lines.hole_lines + lines.held_lines, 64 * lines.page_count);
    EXPECT_EQ(lines.objects, pool.stats().live);
    EXPECT_GE(lines.held_lines, lines.objects * lines.object_bytes / 64 / 2) << "at least the hot and cold fields";
    for (std::size_t i = 0; i < lines.pages.size(); ++i) EXPECT_EQ(lines.pages[i], map.pages()[i]);
    if (objects == 0) objects = lines.objects;
    EXPECT_EQ(lines.objects, objects) << "the same game with every strategy";
  }
  EXPECT_GT(objects, 0u);
}

}  // namespace
}  // namespace spellpool::app
