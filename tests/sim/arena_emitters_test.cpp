// The arena's emitters in a world: what a reload changes, and what the preset and the load make of the motes.
#include <cmath>

#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

frame::SimCommand arena_command(const std::function<void(frame::ArenaDef&)>& change) {
  auto arena = std::make_shared<frame::ArenaDef>(*test::shipped_arena());
  change(*arena);
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetArena;
  command.arena = std::move(arena);
  return command;
}
frame::EmitterDef& of(frame::ArenaDef& arena, ArenaEmitter which) {
  return arena[static_cast<std::size_t>(which)];
}
const ParticleStyle& style(const World& world, ArenaEmitter which) {
  return world.particles().style(arena_row(which));
}
/// So many live particles are of this emitter.
u32 live(World& world, ArenaEmitter which) {
  u32 count = 0;
  world.particles().pool().visit([&](auto& pool) {
    pool.for_each([&](const Particle& particle) { count += particle.style == arena_row(which); });
  });
  return count;
}

TEST(ArenaEmitters, AReloadChangesTheNextEmissionAndKeepsTheRest) {
  World plain(config(1, pool::StrategyId::FreeList)), changed(config(1, pool::StrategyId::FreeList));
  for (int i = 0; i < 120; ++i) {
    plain.step({}, {});
    changed.step({}, {});
  }
  const u32 before = live(changed, ArenaEmitter::Dust);
  ASSERT_GT(before, 10u);
  const std::vector<frame::SimCommand> commands = {arena_command([](frame::ArenaDef& arena) {
    of(arena, ArenaEmitter::Dust).rate_per_s *= 20.0f;
    of(arena, ArenaEmitter::FinaleStar).burst = 3;
  })};
  changed.step({}, commands);
  plain.step({}, {});
  EXPECT_GE(live(changed, ArenaEmitter::Dust), before + 4)
      << "14 a second are 280 now: four or five in this step";
  EXPECT_LE(live(plain, ArenaEmitter::Dust), before + 1);
  EXPECT_EQ(style(changed, ArenaEmitter::FinaleStar).def.burst, 3u);
  EXPECT_EQ(style(changed, ArenaEmitter::Straw).def.burst, style(plain, ArenaEmitter::Straw).def.burst);
  EXPECT_EQ(changed.particles().style(0).def.name, plain.particles().style(0).def.name) << "a spell's";
}

TEST(ArenaEmitters, OneThatDoesNotFireIsInNoHash) {
  const Script reload = [](u64 step) {
    std::vector<frame::SimCommand> commands;
    if (step == 50) {
      commands = {arena_command(
          [](frame::ArenaDef& arena) { of(arena, ArenaEmitter::FinaleRing).rate_per_s = 1.0f; })};
    }
    return commands;
  };
  const Script more_dust = [](u64 step) {
    std::vector<frame::SimCommand> commands;
    if (step == 50) {
      commands = {
          arena_command([](frame::ArenaDef& arena) { of(arena, ArenaEmitter::Dust).rate_per_s = 200.0f; })};
    }
    return commands;
  };
  const auto plain = hashes(config(2, pool::StrategyId::FreeList), 200);
  EXPECT_EQ(first_difference(plain, hashes(config(2, pool::StrategyId::FreeList), 200, reload)), -1);
  EXPECT_EQ(first_difference(plain, hashes(config(2, pool::StrategyId::FreeList), 200, more_dust)), 50);
}

TEST(ArenaEmitters, ASavedWorldBringsItsOwnBack) {
  World world(config(3, pool::StrategyId::FreeList));
  const auto play = [&](int steps) {
    std::vector<u64> all;
    for (int i = 0; i < steps; ++i) {
      world.step({}, {});
      all.push_back(world.hash());
    }
    return all;
  };
  play(60);
  const std::unique_ptr<WorldState> state = world.new_state();
  world.save(*state);
  const std::vector<u64> expected = play(60);
  const std::vector<frame::SimCommand> commands = {
      arena_command([](frame::ArenaDef& arena) { of(arena, ArenaEmitter::Dust).rate_per_s = 500.0f; })};
  world.step({}, commands);
  EXPECT_EQ(style(world, ArenaEmitter::Dust).def.rate_per_s, 500.0f);
  world.restore(*state);
  EXPECT_EQ(style(world, ArenaEmitter::Dust).def.rate_per_s, 14.0f);
  EXPECT_EQ(play(60), expected);
}

TEST(ArenaEmitters, TheMotesFollowThePresetAndTheChurn) {
  WorldConfig start = config(1, pool::StrategyId::FreeList);
  const frame::EmitterDef& text = (*start.arena)[static_cast<std::size_t>(ArenaEmitter::Ambient)];
  EXPECT_EQ(style(World(start), ArenaEmitter::Ambient).def.rate_per_s, 0.0f);
  start.preset = PresetId::Stress1m;
  World world(start);
  const auto expect = [&](u32 motes, float life_s, float light) {
    const frame::EmitterDef& def = style(world, ArenaEmitter::Ambient).def;
    EXPECT_EQ(def.rate_per_s, static_cast<float>(motes) / life_s);
    EXPECT_EQ(def.life_s.low, life_s * 0.98f);
    EXPECT_EQ(def.life_s.high, life_s * 1.02f);
    for (std::size_t i = 0; i < def.colour_curve.size(); ++i) {
      EXPECT_EQ(def.colour_curve[i].a, text.colour_curve[i].a * light);
      EXPECT_EQ(def.colour_curve[i].r, text.colour_curve[i].r);
    }
  };
  expect(1'000'000, 2.0f, std::sqrt(0.1f));
  const std::vector<frame::SimCommand> churn = {load_command(frame::SimCommandKind::SetChurn, 10)};
  world.step({}, churn);
  expect(10 * frame::kChurnMotes, frame::kChurnLife_s, 1.0f);
  const std::vector<frame::SimCommand> reload = {
      arena_command([](frame::ArenaDef& arena) { of(arena, ArenaEmitter::Ambient).curl = 5.0f; })};
  world.step({}, reload);
  expect(10 * frame::kChurnMotes, frame::kChurnLife_s, 1.0f);
  EXPECT_EQ(style(world, ArenaEmitter::Ambient).def.curl, 5.0f);
}

TEST(ArenaEmitters, MaySetOffEachOther) {
  World world(config(1, pool::StrategyId::FreeList));
  const std::vector<frame::SimCommand> commands = {
      arena_command([](frame::ArenaDef& arena) { of(arena, ArenaEmitter::Dust).on_birth = "chaff"; })};
  world.step({}, commands);
  for (int i = 0; i < 30; ++i) world.step({}, {});
  EXPECT_EQ(style(world, ArenaEmitter::Dust).on_birth, static_cast<i32>(arena_row(ArenaEmitter::Chaff)));
  EXPECT_GT(live(world, ArenaEmitter::Chaff), 10u);
}

}  // namespace
}  // namespace spellpool::sim
