#include "sim/make_world.hpp"

#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

TEST(MakeWorld, GivesTheSpellsWorldAndItsScriptedPlayer) {
  const WorldConfig start = config(3, pool::StrategyId::FreeList);
  const std::unique_ptr<GameWorld> made = make_world(start);
  const std::unique_ptr<ScriptedPlayer> player = made->scripted_player(start.seed);
  EXPECT_EQ(made->scene(), frame::SceneId::Spells);
  EXPECT_NE(made->spells_world(), nullptr);
  EXPECT_EQ(made->shooter_view(), nullptr);
  std::vector<u64> seen;
  for (int i = 0; i < 60; ++i) {
    made->step(player->next(), {});
    seen.push_back(made->hash());
  }
  EXPECT_EQ(first_difference(seen, hashes(start, 60)), -1);
}

TEST(Scenes, OnlyThoseWithAWorldCanBeChosen) {
  for (const frame::SceneRow& scene : frame::kScenes) {
    WorldConfig start = config(3, pool::StrategyId::FreeList);
    start.scene = scene.id;
    start.pools = default_choices(scene.id);
    start.patterns = std::make_shared<const frame::PatternBook>();
    start.stage = std::make_shared<const frame::StageDef>();
    const std::unique_ptr<GameWorld> made = make_world(start);
    ASSERT_TRUE(made) << scene.name;
    EXPECT_EQ(made->scene(), scene.id);
  }
}

TEST(Scenes, HaveTheirPoolsInOrderAndTheSpellsExactlyFour) {
  std::string names;
  for (const frame::PoolName& pool : frame::pools_of(frame::SceneId::Spells)) (names += pool.name) += ' ';
  EXPECT_EQ(names, "particles seekers wisps decals ");
  for (const frame::PoolName& pool : frame::kPools) {
    EXPECT_TRUE(pool.in(frame::SceneId::Spells) || pool.in(frame::SceneId::Shooter)) << pool.name;
    EXPECT_LE(pool.default_capacity(frame::SceneId::Shooter), frame::kMaxCapacity);
  }
}

TEST(Scenes, TheSpellsPoolsStartAsTheyAlwaysDid) {
  PoolChoices all = pool_choices(pool::StrategyId::FreeList);
  all[static_cast<std::size_t>(frame::PoolId::Decals)].policy = pool::PolicyId::StealOldest;
  EXPECT_EQ(default_choices(frame::SceneId::Spells), all);
}

}  // namespace
}  // namespace spellpool::sim
