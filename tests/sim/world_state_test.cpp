// A saved world goes on as if nothing had happened, whatever holds its objects.
#include "sim/core/world_state.hpp"

#include "../pool/allocation_probe.hpp"
#include "sim/make_world.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using frame::SceneId;
using pool::PolicyId;
using pool::StrategyId;

/// A stage with everything in it: bullets that split and home, a laser, a boss of two phases, pickups.
WorldConfig shooter(StrategyId strategy, PolicyId policy, u32 capacity) {
  frame::PatternDef rings;
  rings.name = "rings";
  for (auto& shots : rings.shots) {
    frame::ShotDef ring;
    ring.count = 14;
    ring.every_s = 0.4f;
    ring.speed = 90.0f;
    ring.homing_turns_s = 0.05f;
    ring.homing_s = 1.0f;
    frame::ShotDef few = ring;
    few.count = 3;
    few.every_s = 0.7f;
    few.aimed = true;
    few.angle_spread_turns = 0.1f;
    shots = {ring, few};
  }
  frame::StageDef stage;
  stage.name = stage.title = "small";
  for (int i = 0; i < 8; ++i) {
    frame::WaveDef wave;
    wave.at_s = 0.5f + 1.5f * static_cast<float>(i);
    wave.kind = i % 2 == 0 ? frame::EnemyKind::Lantern : frame::EnemyKind::Firefly;
    wave.count = 3;
    wave.pattern = 0;
    wave.fire_s = 0.2f;
    wave.health = 2.0f;
    wave.drops = frame::PickupKind::Star;
    wave.path = {{-200, -320, 0}, {0, -120, 2}, {200, -320, 3}};
    stage.waves.push_back(wave);
  }
  WorldConfig config = stage_config(std::move(stage), {rings}, strategy);
  config.pools[static_cast<std::size_t>(PoolId::Particles)].capacity = capacity;
  config.pools[static_cast<std::size_t>(PoolId::Particles)].policy = policy;
  config.pools[static_cast<std::size_t>(PoolId::Bullets)].policy = policy;
  return config;
}

WorldConfig start(SceneId scene, StrategyId strategy, PolicyId policy = PolicyId::Reject, u32 capacity = 3'000) {
  return scene == SceneId::Shooter ? shooter(strategy, policy, capacity) : config(5, strategy, policy, capacity, 4);
}

/// Plays by script and keeps what was pressed.
struct Player {
  explicit Player(GameWorld& played) : world(played), script(played.scripted_player(5)) {}
  void play(u32 steps) {
    for (u32 i = 0; i < steps; ++i) {
      inputs.push_back(script->next());
      world.step(inputs.back(), {});
      hashes.push_back(world.hash());
    }
  }
  GameWorld& world;
  std::unique_ptr<ScriptedPlayer> script;
  std::vector<frame::InputFrame> inputs;
  std::vector<u64> hashes;
};

class SavedWorld : public testing::TestWithParam<SceneId> {};

TEST_P(SavedWorld, GoesOnWithEveryStrategyAndPolicy) {
  for (const pool::StrategyRow& row : pool::kStrategies) {
    for (const pool::PolicyRow& policy : pool::kPolicies) {
      if (policy.id == PolicyId::Assert) continue;
      const std::unique_ptr<GameWorld> world = make_world(start(GetParam(), row.id, policy.id, 700));
      Player player(*world);
      const std::unique_ptr<WorldState> state = world->new_state();
      player.play(300);
      for (int again = 0; again < 2; ++again) {
        world->save(*state);
        const u64 saved_at = world->steps(), hash = world->hash();
        ASSERT_EQ(state->steps(), saved_at);
        player.play(60);
        world->restore(*state);
        ASSERT_EQ(world->steps(), saved_at);
        ASSERT_EQ(world->hash(), hash) << row.name << " " << policy.name;
        for (u64 step = saved_at; step < player.inputs.size(); ++step) {
          world->step(player.inputs[step], {});
          ASSERT_EQ(world->hash(), player.hashes[step]) << row.name << " " << policy.name << ", step " << step;
        }
      }
    }
  }
}

TEST_P(SavedWorld, IsRestoredUnderAnotherStrategy) {
  const std::unique_ptr<GameWorld> first = make_world(start(GetParam(), StrategyId::FreeList));
  Player player(*first);
  player.play(400);
  const std::unique_ptr<WorldState> state = first->new_state();
  first->save(*state);
  player.play(90);
  for (const pool::StrategyRow& row : pool::kStrategies) {
    const std::unique_ptr<GameWorld> other = make_world(start(GetParam(), row.id));
    other->restore(*state);
    EXPECT_EQ(other->pool(PoolId::Particles).strategy(), row.id) << "the strategy says how, and stays";
    for (u64 step = 400; step < 490; ++step) {
      other->step(player.inputs[step], {});
      ASSERT_EQ(other->hash(), player.hashes[step]) << row.name << ", step " << step;
    }
  }
}

TEST_P(SavedWorld, ReturnsFromAnyMomentToAnyOther) {
  const std::unique_ptr<GameWorld> world = make_world(start(GetParam(), StrategyId::Bitmap));
  Player player(*world);
  std::vector<std::unique_ptr<WorldState>> states;
  for (int i = 0; i < 20; ++i) {
    world->save(*states.emplace_back(world->new_state()));
    player.play(37);
  }
  Rng rng(7);
  for (int i = 0; i < 200; ++i) {
    const WorldState& state = *states[rng.below(20)];
    world->restore(state);
    for (u64 step = state.steps(), end = step + rng.below(5); step < end; ++step) {
      world->step(player.inputs[step], {});
      ASSERT_EQ(world->hash(), player.hashes[step]);
    }
  }
}

TEST_P(SavedWorld, HasTheLoadAndTheSpellsOfItsMoment) {
  const std::unique_ptr<GameWorld> world = make_world(start(GetParam(), StrategyId::FreeList, PolicyId::Reject, 20'000));
  Player player(*world);
  const std::unique_ptr<WorldState> state = world->new_state();
  player.play(120);
  world->save(*state);
  player.play(60);
  frame::SimCommand spell;
  spell.kind = frame::SimCommandKind::SetSpell;
  spell.definition = std::make_shared<const frame::SpellDef>(*config(5, StrategyId::FreeList, PolicyId::Reject, 20'000, 1).spells[0]);
  frame::SimCommand capacity;
  capacity.kind = frame::SimCommandKind::SetCapacity;
  capacity.capacity = 500;
  const std::vector<frame::SimCommand> commands = {load_command(frame::SimCommandKind::SetLoad, 20), load_command(frame::SimCommandKind::SetChurn, 2), spell, capacity};
  world->step({}, commands);
  for (int i = 0; i < 30; ++i) world->step({}, {});
  EXPECT_EQ(world->load().sparks, 20u);
  world->restore(*state);
  EXPECT_EQ(world->load(), frame::Load{});
  EXPECT_EQ(world->pool(PoolId::Particles).stats().capacity, 20'000u);
  for (u64 step = 120; step < 180; ++step) {
    world->step(player.inputs[step], {});
    ASSERT_EQ(world->hash(), player.hashes[step]) << step;
  }
}

TEST_P(SavedWorld, TakesNoMemoryAgainAndAgain) {
  for (const StrategyId strategy : {StrategyId::FreeList, StrategyId::Bitmap, StrategyId::Dense, StrategyId::Packed, StrategyId::Queue, StrategyId::Book}) {
    const std::unique_ptr<GameWorld> world = make_world(start(GetParam(), strategy));
    Player player(*world);
    player.inputs.reserve(2'000);
    player.hashes.reserve(2'000);
    player.play(500);
    const std::unique_ptr<WorldState> state = world->new_state();
    world->save(*state);
    const u64 calls = test::new_calls_in([&] {
      for (int i = 0; i < 10; ++i) {
        player.play(5);
        world->restore(*state);
        world->save(*state);
      }
    });
    EXPECT_EQ(calls, 0u) << static_cast<int>(strategy);
    EXPECT_GT(state->bytes(), 10'000u);
  }
}

/// What of a picture outlives a step.
bool same_lights(GameWorld& a, GameWorld& b) {
  const frame::RenderSnapshot &one = a.build_snapshot(), &two = b.build_snapshot();
  const auto same = [](const frame::LightInstance& l, const frame::LightInstance& r) {
    return l.x == r.x && l.y == r.y && l.radius == r.radius && l.r == r.r && l.g == r.g && l.b == r.b;
  };
  return std::ranges::equal(one.lights, two.lights, same) && one.shake_x == two.shake_x && one.camera_x == two.camera_x;
}

TEST_P(SavedWorld, EachPartThatIsLeftOutIsMissedByItsName) {
  const WorldConfig config = start(GetParam(), StrategyId::FreeList);
  const std::vector<std::string_view> parts = [&] {
    const std::unique_ptr<GameWorld> world = make_world(config);
    return std::vector<std::string_view>(world->parts().begin(), world->parts().end());
  }();
  ASSERT_GE(parts.size(), 6u);
  std::vector<frame::SimCommand> commands = {load_command(frame::SimCommandKind::SetLoad, 3)};
  if (GetParam() == SceneId::Shooter) {
    frame::SimCommand stage;
    stage.kind = frame::SimCommandKind::SetStage;
    stage.patterns = std::make_shared<const frame::PatternBook>(*config.patterns);
    stage.stage = std::make_shared<const frame::StageDef>(*config.stage);
    commands.push_back(stage);
  }
  std::vector<frame::SimCommand> flower = commands;
  flower.push_back(load_command(frame::SimCommandKind::SetStress, 200));
  for (const std::string_view part : parts) {
    bool missed = false;
    for (const auto& given : {commands, flower}) {
      for (const u32 at : {260u, 420u, 700u}) {
        if (missed) break;
        const std::unique_ptr<GameWorld> world = make_world(config), straight = make_world(config);
        Player player(*world), beside(*straight);
        player.play(at);
        beside.play(at);
        const std::unique_ptr<WorldState> state = world->new_state();
        world->save(*state);
        world->step({}, given);
        player.play(50);
        world->restore(*state);
        ASSERT_EQ(world->part_that_differs(*straight), "") << "restored whole";
        ASSERT_TRUE(same_lights(*world, *straight)) << part;
        ASSERT_EQ(world->hash(), straight->hash());
        world->step({}, given);
        player.play(50);
        world->restore_without(*state, part);
        const std::string named(world->part_that_differs(*straight));
        missed = part == "looks" ? !same_lights(*world, *straight) : named.substr(0, named.find(':')) == part;
      }
    }
    EXPECT_TRUE(missed) << part << " could be left out of a saved world, and this test would not know";
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, SavedWorld, testing::Values(SceneId::Spells, SceneId::Shooter),
                         [](const auto& scene) { return std::string(frame::kScenes[static_cast<std::size_t>(scene.param)].name); });

}  // namespace
}  // namespace spellpool::sim
