// The shipped stage, played through by the scripted player: what the shooter promises of a whole game.
#include <gtest/gtest.h>

#include <set>

#include "app/library/spell_library.hpp"
#include "measure/record/allocation_counter.hpp"
#include "sim/shooter/shooter.hpp"

namespace spellpool::app {
namespace {

using frame::Difficulty;
using frame::PoolId;
using frame::ShooterState;

constexpr u32 kMostSteps = 30'000;

class ShooterStage : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    library_ = std::make_unique<SpellLibrary>();
    ASSERT_EQ(library_->load(SPELLPOOL_SOURCE_DIR), "");
    ASSERT_EQ(library_->stages().load(SPELLPOOL_SOURCE_DIR), "");
  }
  static void TearDownTestSuite() { library_.reset(); }

  static sim::WorldConfig config(u64 seed, Difficulty difficulty) {
    sim::WorldConfig config;
    config.scene = frame::SceneId::Shooter;
    config.seed = seed;
    config.difficulty = difficulty;
    config.pools = sim::default_choices(config.scene);
    config.spells = library_->spells();
    config.arena = library_->arena();
    config.patterns = library_->stages().patterns();
    config.stage = library_->stages().stage();
    return config;
  }
  static void use(sim::WorldConfig& config, pool::StrategyId strategy) {
    for (const frame::PoolName& pool : frame::pools_of(config.scene)) config.pools[static_cast<std::size_t>(pool.id)].strategy = strategy;
  }
  static bool over(const sim::ShooterWorld& world) { return world.state() == ShooterState::Won || world.state() == ShooterState::Lost; }
  /// The hashes after every step until the result shows.
  static std::vector<u64> play(sim::ShooterWorld& world, u64 seed) {
    std::vector<u64> hashes;
    const auto player = world.scripted_player(seed);
    while (!over(world) && hashes.size() < kMostSteps) {
      world.step(player->next(), {});
      hashes.push_back(world.hash());
    }
    return hashes;
  }

  static std::unique_ptr<SpellLibrary> library_;
};
std::unique_ptr<SpellLibrary> ShooterStage::library_;

class ShooterStageOf : public ShooterStage, public ::testing::WithParamInterface<frame::DifficultyRow> {};

TEST_P(ShooterStageOf, IsTheSameAfterEveryStepWithEveryStrategy) {
  for (const u64 seed : {1u, 2u, 3u}) {
    sim::WorldConfig start = config(seed, GetParam().id);
    use(start, pool::StrategyId::Heap);
    sim::ShooterWorld first(start);
    const std::vector<u64> expected = play(first, seed);
    ASSERT_TRUE(over(first)) << "the stage has no end";
    EXPECT_GT(first.pool(PoolId::Bullets).stats().spawned, 1'000u);
    for (const pool::StrategyRow& row : pool::kStrategies) {
      if (row.id == pool::StrategyId::Heap) continue;
      use(start, row.id);
      sim::ShooterWorld world(start);
      const std::vector<u64> hashes = play(world, seed);
      const auto apart = std::mismatch(expected.begin(), expected.end(), hashes.begin(), hashes.end());
      ASSERT_TRUE(apart.first == expected.end() && apart.second == hashes.end())
          << row.name << ", seed " << seed << ": differs at step " << apart.first - expected.begin() + 1;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Difficulties, ShooterStageOf, ::testing::ValuesIn(frame::kDifficulties),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// What the stage fires at a player.
struct Barrage {
  u32 first_shot_steps = 0;  ///< Steps of the stage before the first bullet.
  u32 pause_steps = 0;       ///< The longest time without a living bullet after it.
  u32 bullets = 0;           ///< Fired in all.
  u32 losses = 0;            ///< Ships.

  void record() const {
    ::testing::Test::RecordProperty("first_shot_steps", static_cast<int>(first_shot_steps));
    ::testing::Test::RecordProperty("pause_steps", static_cast<int>(pause_steps));
    ::testing::Test::RecordProperty("bullets", static_cast<int>(bullets));
    ::testing::Test::RecordProperty("losses", static_cast<int>(losses));
  }
};
enum class Plays : u8 { Nothing, Script };
/// The first `seconds` of the stage, without the time that the game waits for a continue. A player who plays
/// nothing neither shoots nor moves, but starts the stage and continues it.
Barrage meet(const sim::WorldConfig& config, Plays plays, float seconds) {
  sim::ShooterWorld world(config);
  const auto player = world.scripted_player(config.seed);
  frame::InputFrame start;
  start.buttons = frame::kButtonStart;
  Barrage met;
  u32 played = 0, without = 0, ships = 0;
  for (u32 step = 0; step < kMostSteps && static_cast<float>(played) < seconds * 60.0f; ++step) {
    const bool playing = world.state() == ShooterState::Playing;
    if (plays == Plays::Script) {
      world.step(player->next(), {});
    } else {
      world.step(playing || step % 2 != 0 ? frame::InputFrame{} : start, {});
    }
    if (!playing) continue;
    ++played;
    const pool::PoolStats bullets = world.pool(PoolId::Bullets).stats();
    const u32 left = world.shooter_view()->lives;
    met.losses += left < ships ? 1u : 0u;
    ships = left;
    met.bullets = static_cast<u32>(bullets.spawned);
    if (bullets.spawned == 0) met.first_shot_steps = played;
    without = bullets.live > 0 || bullets.spawned == 0 ? 0 : without + 1;
    met.pause_steps = std::max(met.pause_steps, without);
  }
  return met;
}

class FirstMinute : public ShooterStage, public ::testing::WithParamInterface<frame::DifficultyRow> {};

TEST_P(FirstMinute, FiresSoonAndOftenAtAShipThatStandsStill) {
  // Easy, normal, hard, lunatic: the fewest and the most bullets of the first 45 s.
  static constexpr u32 kFewest[] = {150, 300, 600, 1'000}, kMost[] = {400, 850, 1'300, 2'100};
  const auto difficulty = static_cast<std::size_t>(GetParam().id);
  const Barrage met = meet(config(1, GetParam().id), Plays::Nothing, 45);
  met.record();
  EXPECT_LE(met.first_shot_steps, 4u * 60);
  EXPECT_GE(met.bullets, kFewest[difficulty]);
  EXPECT_LE(met.bullets, kMost[difficulty]);
  EXPECT_LE(met.pause_steps, 6u * 60);
}

TEST_P(FirstMinute, NeitherItNorTheWavesAfterItPauseForLong) {
  // Until the last boss appears; the other bosses may use all the time of their phases.
  const frame::StageDef& stage = *library_->stages().stage();
  float seconds = stage.bosses.back().at_s;
  for (std::size_t i = 0; i + 1 < stage.bosses.size(); ++i) {
    for (const frame::BossPhase& phase : stage.bosses[i].phases) seconds += phase.time_s + 1.0f;
  }
  const Barrage met = meet(config(2, GetParam().id), Plays::Nothing, seconds);
  met.record();
  EXPECT_LE(met.pause_steps, 6u * 60);
}

TEST_P(FirstMinute, IsFullForAPlayerWhoShootsAndLosesNoShip) {
  static constexpr u32 kFewest[] = {100, 250, 400, 600};
  const Barrage met = meet(config(1, GetParam().id), Plays::Script, 45);
  met.record();
  EXPECT_GE(met.bullets, kFewest[static_cast<std::size_t>(GetParam().id)]);
  EXPECT_LE(met.pause_steps, 6u * 60);
  EXPECT_EQ(met.losses, 0u);
}
INSTANTIATE_TEST_SUITE_P(Difficulties, FirstMinute, ::testing::ValuesIn(frame::kDifficulties),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST_F(ShooterStage, ASwitchOfEveryPoolEveryFewStepsChangesNothing) {
  const sim::WorldConfig start = config(4, Difficulty::Hard);
  sim::ShooterWorld plain(start), switched(start);
  const auto player = plain.scripted_player(4);
  for (u32 step = 0; step < 9'000; ++step) {
    const frame::InputFrame input = player->next();
    std::vector<frame::SimCommand> commands;
    if (step % 97 == 0) {
      for (const frame::PoolName& pool : frame::pools_of(start.scene)) {
        frame::SimCommand command;
        command.kind = frame::SimCommandKind::SetStrategy;
        command.pool = pool.id;
        command.choice = static_cast<u8>((step / 97 + static_cast<u32>(pool.id)) % pool::kStrategyCount);
        commands.push_back(command);
      }
    }
    plain.step(input, {});
    switched.step(input, commands);
    ASSERT_EQ(plain.hash(), switched.hash()) << "step " << step;
  }
}

TEST_F(ShooterStage, TheScriptedPlayerClearsItOnNormal) {
  for (const u64 seed : {1u, 7u, 42u}) {
    sim::ShooterWorld world(config(seed, Difficulty::Normal));
    play(world, seed);
    EXPECT_EQ(world.state(), ShooterState::Won) << "seed " << seed;
    EXPECT_EQ(world.shooter_view()->continues, 0u);
    const float minutes = world.shooter_view()->stage_s / 60.0f;
    EXPECT_GT(minutes, 4.0f);
    EXPECT_LT(minutes, 7.0f);
  }
}

TEST_F(ShooterStage, NoStepOfAWholeGameAllocatesInPooledModes) {
  for (const pool::StrategyId strategy : {pool::StrategyId::FreeList, pool::StrategyId::Packed, pool::StrategyId::Soa, pool::StrategyId::Queue}) {
    sim::WorldConfig start = config(5, Difficulty::Lunatic);
    use(start, strategy);
    sim::ShooterWorld world(start);
    const auto player = world.scripted_player(5);
    while (!world.prewarm(1e6)) {}
    for (u32 step = 0; step < kMostSteps && !over(world); ++step) {
      const frame::InputFrame input = player->next();
      const u64 before = measure::thread_allocations().new_calls;
      world.step(input, {}, nullptr, frame::Amount::Full);
      world.build_snapshot();
      world.shooter_view();
      ASSERT_EQ(measure::thread_allocations().new_calls, before) << "step " << step << ", strategy " << static_cast<int>(strategy);
    }
    EXPECT_TRUE(over(world));
  }
}

TEST_F(ShooterStage, AFullParticlePoolRefusesNoEnemyAndNoBullet) {
  sim::WorldConfig start = config(6, Difficulty::Normal);
  start.pools[static_cast<std::size_t>(PoolId::Particles)].capacity = 40;
  sim::ShooterWorld world(start);
  play(world, 6);
  EXPECT_TRUE(over(world));
  EXPECT_GT(world.pool(PoolId::Particles).stats().rejected, 10'000u) << "it was full most of the time";
  EXPECT_EQ(world.pool(PoolId::Bullets).stats().rejected, 0u);
  EXPECT_EQ(world.pool(PoolId::Enemies).stats().rejected, 0u);
  sim::ShooterWorld free(config(6, Difficulty::Normal));
  play(free, 6);
  EXPECT_EQ(world.pool(PoolId::Bullets).stats().spawned, free.pool(PoolId::Bullets).stats().spawned);
  EXPECT_EQ(world.pool(PoolId::Enemies).stats().spawned, free.pool(PoolId::Enemies).stats().spawned);
  EXPECT_EQ(world.score(), free.score());
}

TEST_F(ShooterStage, DrawingChangesNothing) {
  const sim::WorldConfig start = config(8, Difficulty::Hard);
  sim::ShooterWorld unseen(start), seen(start);
  const auto player = unseen.scripted_player(8);
  for (u32 step = 0; step < 6'000; ++step) {
    const frame::InputFrame input = player->next();
    unseen.step(input, {});
    seen.step(input, {}, nullptr, frame::Amount::Full);
    if (step % 3 == 0) seen.build_snapshot();
    seen.shooter_view();
    ASSERT_EQ(unseen.hash(), seen.hash()) << "step " << step;
  }
}

TEST_F(ShooterStage, NoChunkOfTheGardenFollowsOneOfItsKindAndTheyLeaveNoGap) {
  sim::ShooterWorld world(config(9, Difficulty::Normal));
  for (u32 step = 0; step < 5'000; ++step) {
    world.step({}, {});
    const std::span<const frame::GardenChunk> garden = world.build_snapshot().garden;
    ASSERT_GE(garden.size(), 4u);
    ASSERT_LE(garden.front().y, -frame::kFieldHalfHeight);
    ASSERT_GE(garden.back().y + frame::kGardenChunk, frame::kFieldHalfHeight - 1.0f);
    for (std::size_t i = 1; i < garden.size(); ++i) {
      ASSERT_NE(garden[i].variant, garden[i - 1].variant);
      ASSERT_NEAR(garden[i].y - garden[i - 1].y, frame::kGardenChunk, 0.01f);
    }
  }
}

/// Which picture each chunk that comes has, with the garden by slot.
std::vector<u8> garden_by_slot(const sim::WorldConfig& config, std::size_t chunks) {
  sim::ShooterWorld world(config);
  frame::LookSettings looks;
  looks.scenery = frame::Scenery::Slot;
  std::vector<u8> seen;
  float top = 1e9f;
  for (u32 step = 0; seen.size() < chunks && step < 400'000; ++step) {
    world.step({}, {});
    const frame::GardenChunk& first = world.build_snapshot(looks).garden.front();
    if (first.y < top - 1.0f) seen.push_back(first.variant);  // another one than in the step before, further up
    top = first.y;
  }
  EXPECT_EQ(seen.size(), chunks);
  return seen;
}
/// After how many chunks all of them come again; 0: never.
std::size_t period_of(const std::vector<u8>& seen) {
  for (std::size_t period = 1; period <= seen.size() / 3; ++period) {
    if (std::equal(seen.begin() + static_cast<std::ptrdiff_t>(period), seen.end(), seen.begin())) return period;
  }
  return 0;
}

TEST_F(ShooterStage, AGardenBySlotShowsTheOrderOfReuse) {
  const auto with = [&](pool::StrategyId strategy) {
    sim::WorldConfig chosen = config(9, Difficulty::Normal);
    chosen.pools[static_cast<std::size_t>(frame::PoolId::Chunks)].strategy = strategy;
    return chosen;
  };
  const std::vector<u8> latest = garden_by_slot(with(pool::StrategyId::FreeList), 60), oldest = garden_by_slot(with(pool::StrategyId::Queue), 60),
                        any = garden_by_slot(with(pool::StrategyId::Random), 60);
  EXPECT_EQ(period_of(oldest), std::size_t{frame::kGardenVariants}) << "16 slots in turns, 8 pictures";
  EXPECT_GT(period_of(latest), 0u) << "the slot that was left last comes first";
  EXPECT_LT(period_of(latest), std::size_t{frame::kGardenVariants}) << "so most slots are never used";
  EXPECT_EQ(period_of(any), 0u) << "what an endless runner takes its map from";
  EXPECT_EQ(std::set<u8>(any.begin(), any.end()).size(), std::size_t{frame::kGardenVariants});
  // Looks alone: no hash goes by it.
  sim::ShooterWorld plain(with(pool::StrategyId::Random)), shown(with(pool::StrategyId::Random));
  frame::LookSettings looks;
  looks.scenery = frame::Scenery::Slot;
  for (u32 step = 0; step < 1'000; ++step) {
    plain.step({}, {});
    shown.step({}, {});
    shown.build_snapshot(looks);
  }
  EXPECT_EQ(plain.hash(), shown.hash());
}

TEST_F(ShooterStage, PondsGlintSlowly) {
  sim::ShooterWorld world(config(1, Difficulty::Normal));
  u32 seen = 0;
  float weakest = 1, strongest = 0, last = -1;
  for (u32 step = 0; step < 4'000; ++step) {
    world.step({}, {});
    const frame::RenderSnapshot& shown = world.build_snapshot();
    const auto pond = std::find_if(shown.garden.begin(), shown.garden.end(),
                                   [](const auto& chunk) { return chunk.variant == sim::kPonds[0].variant; });
    if (pond == shown.garden.end()) {
      last = -1;
      continue;
    }
    const float x = sim::kPonds[0].x, y = pond->y + sim::kPonds[0].y, radius = sim::kPonds[0].radius;
    float light = 0;
    for (const frame::LightInstance& one : shown.lights) {
      const bool over = std::abs(one.x - x) < 0.6f * radius && std::abs(one.y - y) < 0.6f * radius &&
                        one.radius < 0.6f * radius;
      if (over && one.b > one.r) light += one.b;
    }
    ++seen;
    weakest = std::min(weakest, light);
    strongest = std::max(strongest, light);
    if (last >= 0) {
      ASSERT_LT(std::abs(light - last), 0.01f) << "step " << step << ": no flash";
    }
    last = light;
  }
  EXPECT_GT(seen, 600u);
  EXPECT_GT(strongest, 2.0f * weakest);
  EXPECT_GT(weakest, 0.0f);
}

}  // namespace
}  // namespace spellpool::app
