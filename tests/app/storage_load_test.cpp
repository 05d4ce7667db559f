// The load of compare --scene storage that goes back and plays again.
#include "app/pools/storage_load.hpp"

#include <gtest/gtest.h>

#include "pool/pools.hpp"

namespace spellpool::app {
namespace {

TEST(StorageRollback, EveryStrategyComesToTheSameWorldAsAStraightRun) {
  for (const bool full : {false, true}) {
    StorageLoad load;
    load.objects = 400;
    load.churn = Churn::Heavy;
    load.full = full;
    const auto straight = make_storage_world(load, pool::StrategyId::FreeList, pool::PolicyId::StealOldest);
    load.rollback_steps = 8;
    std::vector<std::unique_ptr<StorageWorld>> worlds;
    for (std::size_t i = 0; i < pool::kStrategyCount; ++i) {
      const auto strategy = static_cast<pool::StrategyId>(i);
      if (storage_load_has(strategy)) worlds.push_back(make_storage_world(load, strategy, pool::PolicyId::StealOldest));
    }
    ASSERT_GT(worlds.size(), 10u);
    for (int step = 0; step < 60; ++step) {
      straight->step(nullptr);
      for (const auto& world : worlds) {
        world->step(nullptr);
        ASSERT_EQ(world->steps(), straight->steps());
        ASSERT_EQ(world->hash(), straight->hash()) << step;
      }
    }
  }
}

TEST(StorageRollback, AStepPlaysTheLastOnesAgain) {
  struct Counts final : frame::PhaseSink {
    void enter(frame::Phase phase) override { spawns += phase == frame::Phase::Spawn; }
    int spawns = 0;
  } counts;
  StorageLoad load;
  load.objects = 100;
  load.rollback_steps = 8;
  const auto world = make_storage_world(load, pool::StrategyId::Heap, pool::PolicyId::Reject);
  for (const int expected : {1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9}) {
    counts.spawns = 0;
    world->step(&counts);
    EXPECT_EQ(counts.spawns, expected) << "at first there is less to go back to";
  }
}

}  // namespace
}  // namespace spellpool::app
