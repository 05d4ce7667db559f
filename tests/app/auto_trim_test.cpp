// A pool that stays emptier than it is large is trimmed by itself, if its size says so; in any session the same, and replays have it.
#include "app/pools/auto_trim.hpp"

#include "scene_test.hpp"

namespace spellpool::app {
namespace {

using frame::PoolId;

class Trimmed : public SceneTest {
 protected:
  void SetUp() override {
    SceneTest::SetUp();
    plan_.world.seed = 4;
    plan_.autoplay = plan_.record_replay = true;
    size(PoolId::Particles).trim_after_s = 3;
    size(PoolId::Particles).keep_free = 100;
  }
  frame::PoolSize& size(PoolId id) { return plan_.world.sizes[static_cast<std::size_t>(id)]; }
  static pool::PoolStats stats(const Session& session, PoolId id = PoolId::Particles) { return session.world().pool(id).stats(); }
};

TEST_P(Trimmed, ToWhatItNeededAndAFewFreeSlotsAndNoEarlier) {
  size(PoolId::Particles).capacity = 20'000;
  Session session(plan_, library_);
  u32 peak = 0;
  for (u32 step = 0; step < 180; ++step) {
    peak = std::max(peak, stats(session).live);
    session.step({});
    ASSERT_EQ(stats(session).capacity, 20'000u) << "step " << step;
  }
  peak = std::max(peak, stats(session).live);
  session.step({});
  EXPECT_EQ(stats(session).capacity, peak + 100);
  EXPECT_EQ(stats(session).trimmed, 1u) << "counted";
  const PoolId other = GetParam() == frame::SceneId::Spells ? PoolId::Wisps : PoolId::Bullets;
  EXPECT_EQ(stats(session, other).trimmed, 0u) << "off, as it is by default";
  while (session.world().steps() < 2'000) session.step({});
  EXPECT_LE(stats(session).rejected, stats(session).spawned) << "it is the player's own choice";

  // A replay has the trims, though nothing trims in it by itself; under any strategy the same.
  for (const pool::StrategyRow& row : pool::kStrategies) {
    SessionPlan again = replay_of(session);
    EXPECT_GE(again.script.size(), 1u);
    for (sim::PoolChoice& pool : again.world.pools) pool.strategy = row.id;
    Session played(again, library_);
    while (!played.finished()) played.step({});
    played.settle();
    EXPECT_FALSE(played.first_difference()) << row.name << ", step " << *played.first_difference();
    EXPECT_EQ(stats(played).capacity, stats(session).capacity) << row.name;
  }
}

TEST_P(Trimmed, NeverWhereNoneWasAskedFor) {
  for (frame::PoolSize& each : plan_.world.sizes) each.trim_after_s = 0;
  Session session(plan_, library_);
  const u32 capacity = stats(session).capacity;
  while (session.world().steps() < 1'000) session.step({});
  EXPECT_EQ(stats(session).capacity, capacity);
  EXPECT_EQ(stats(session).trimmed, 0u);
}

TEST_P(Trimmed, AGameThatWasTurnedBackWaitsAnew) {
  Session session(plan_, library_);
  session.keep_history(true);
  const auto play_to = [&](u64 step) {
    while (session.world().steps() < step) {
      session.keep_keyframe();
      session.step({});
    }
  };
  const u32 capacity = stats(session).capacity;
  play_to(170);
  session.turn_back(60);
  play_to(239);
  EXPECT_EQ(stats(session).capacity, capacity) << "three seconds from where it was turned back to";
  play_to(260);
  EXPECT_LT(stats(session).capacity, capacity);
}

TEST(AutoTrim, EnemiesThatTheStageNeedsAreKept) {
  SpellLibrary library;
  ASSERT_EQ(library.load(SPELLPOOL_SOURCE_DIR), "");
  ASSERT_EQ(library.stages().load(SPELLPOOL_SOURCE_DIR), "");
  SessionPlan plan;
  plan.world.scene = frame::SceneId::Shooter;
  plan.world.sizes = frame::default_sizes(plan.world.scene);
  frame::PoolSize& enemies = plan.world.sizes[static_cast<std::size_t>(PoolId::Enemies)];
  enemies.trim_after_s = 1;
  enemies.keep_free = 0;
  Session session(plan, library);
  for (int step = 0; step < 300; ++step) session.step({});
  EXPECT_EQ(session.world().pool(PoolId::Enemies).stats().capacity, enemies.capacity);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Trimmed, both_scenes(), scene_name);

}  // namespace
}  // namespace spellpool::app
