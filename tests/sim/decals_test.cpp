// Marks on the arena's floor: a pool in which stealing the oldest is right.
#include "sim/spells/decals.hpp"

#include <algorithm>
#include <map>

#include "../pool/allocation_probe.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::DecalKind;
using frame::PoolId;
using pool::PolicyId;
using pool::StrategyId;

constexpr u32 kSlots = 64;

PoolChoice choice(StrategyId strategy = StrategyId::FreeList, PolicyId policy = PolicyId::StealOldest) {
  return {strategy, policy, kSlots};
}

/// The spells' scene as the program starts it, with this strategy in every pool.
WorldConfig game(StrategyId strategy, u64 seed = 3) {
  WorldConfig made = config(seed, strategy);
  made.pools[static_cast<std::size_t>(PoolId::Decals)].policy = default_policy(PoolId::Decals);
  return made;
}

std::map<u64, Decal> all_of(const Decals& decals) {
  std::map<u64, Decal> all;
  decals.pool().for_each([&](const Decal& decal) { all[decal.spawn_id] = decal; });
  return all;
}
u64 hash_of(const Decals& decals) {
  StateHash hash;
  decals.add_to(hash);
  return hash.value();
}
/// A step of the world, as far as marks are concerned.
void step(Decals& decals, u32 marks = 0) {
  decals.step();
  for (u32 i = 0; i < marks; ++i) decals.leave(DecalKind::Scorch, 0, 10.0f * static_cast<float>(i), 0.0f, 30.0f);
  decals.despawn();
  decals.spawn();
}

TEST(Decals, AreLeftByWhatStrikesTheFloorAndByNothingElse) {
  const std::array<const char*, frame::kSpellCount> leaves = {"scorch", "", "scorch", "", "crack", "", "", "scorch"};
  for (u8 spell = 0; spell < frame::kSpellCount; ++spell) {
    World world(game(StrategyId::FreeList));
    frame::InputFrame input;
    input.select_spell = spell;
    input.aim_x16 = static_cast<i16>(60.0f * frame::kAimScale);
    for (u32 i = 0; i < 200; ++i) {
      input.buttons = i == 2 ? u8{frame::kButtonCast} : u8{0};
      world.step(input, {});
    }
    std::string kind;
    for (const auto& [id, decal] : all_of(world.decals())) {
      kind = decal.kind == static_cast<u8>(DecalKind::Crack) ? "crack" : "scorch";
      EXPECT_EQ(decal.spell, spell);
      EXPECT_LE(length(decal.x, decal.y), kArenaRadius);
    }
    EXPECT_EQ(kind, leaves[spell]) << frame::kSpellFiles[spell];
  }
}

TEST(Decals, TheSixtyFifthTakesTheSlotOfTheFirstWhichHasFadedBefore) {
  for (const auto& row : pool::kStrategies) {
    SCOPED_TRACE(row.name);
    Decals decals(1, choice(row.id));
    for (u32 i = 0; i < kSlots; ++i) {
      step(decals, 1);
      for (int rest = 0; rest < 60; ++rest) step(decals);
    }
    EXPECT_EQ(decals.pool().live(), kSlots);
    const std::map<u64, Decal> before = all_of(decals);
    EXPECT_LT(before.at(1).shown, 0.1f) << "the next to go is hardly seen";
    EXPECT_GT(before.at(1).shown, 0.0f);
    EXPECT_EQ(before.at(kSlots / 4 + 2).shown, 1.0f) << "three quarters are whole";
    float last = 0;
    for (const auto& [id, decal] : before) {
      EXPECT_GE(decal.shown, last) << "an older one is never clearer";
      last = decal.shown;
    }
    step(decals, 1);
    const std::map<u64, Decal> after = all_of(decals);
    EXPECT_EQ(after.size(), kSlots);
    EXPECT_EQ(after.count(1), 0u) << "the oldest";
    EXPECT_EQ(after.count(2), 1u);
    EXPECT_EQ(after.count(kSlots + 1), 1u) << "the newest is there";
    EXPECT_EQ(decals.pool().stats().stolen, 1u);
    EXPECT_EQ(decals.pool().stats().rejected, 0u);
  }
}

TEST(Decals, UnderRejectTheNewMarkIsMissingAndTheOldOnesStay) {
  Decals decals(1, choice(StrategyId::FreeList, PolicyId::Reject));
  for (u32 i = 0; i < 100; ++i) step(decals, 1);
  for (int rest = 0; rest < 60; ++rest) step(decals);
  const std::map<u64, Decal> all = all_of(decals);
  ASSERT_EQ(all.size(), kSlots);
  EXPECT_EQ(all.begin()->first, 1u);
  EXPECT_EQ(all.rbegin()->first, kSlots);
  EXPECT_EQ(decals.pool().stats().rejected, 36u);
}

TEST(Decals, ASmallerCapacityLetsTheOldestFadeAndGo) {
  Decals decals(1, choice());
  for (u32 i = 0; i < kSlots; ++i) step(decals, 1);
  decals.set_capacity(16);
  EXPECT_EQ(decals.pool().live(), kSlots) << "none ends at once";
  for (int rest = 0; rest < 60; ++rest) step(decals);
  const std::map<u64, Decal> all = all_of(decals);
  ASSERT_EQ(all.size(), 16u);
  EXPECT_EQ(all.begin()->first, kSlots - 15);
}

TEST(Decals, OnlyTheFloorTakesThem) {
  Decals decals(1, choice());
  decals.leave(DecalKind::Scorch, 0, kArenaRadius + 1.0f, 0.0f, 30.0f);
  decals.leave(DecalKind::Scorch, 0, std::numeric_limits<float>::quiet_NaN(), 0.0f, 30.0f);
  decals.leave(DecalKind::Crack, 0, 0.0f, -kArenaRadius + 1.0f, 1e9f);
  step(decals);
  ASSERT_EQ(decals.pool().live(), 1u);
  EXPECT_LE(all_of(decals).at(1).radius, 200.0f);
}

TEST(Decals, AreTheSameWithEveryStrategyAndWhenSwitched) {
  const auto played = [](const WorldConfig& start, const Script& script) {
    World world(start);
    std::vector<u64> all;
    std::size_t most = 0;
    juggle(world, 1'800, script, [&](World& w) {
      StateHash hash;
      w.decals().add_to(hash);
      for (const frame::DecalInstance& decal : w.build_snapshot().decals) {
        hash.add(decal.x).add(decal.y).add(decal.shown).add(decal.glow_r).add(decal.look).add(decal.turn);
      }
      all.push_back(hash.value());
      most = std::max(most, w.build_snapshot().decals.size());
    });
    EXPECT_GT(world.pool(PoolId::Decals).stats().stolen, 10u);
    EXPECT_EQ(most, kSlots);
    return all;
  };
  const std::vector<u64> first = played(game(StrategyId::Heap), {});
  for (const auto& row : pool::kStrategies) {
    EXPECT_EQ(first_difference(first, played(game(row.id), {})), -1) << row.name;
  }
  const Script switching = [](u64 step) -> std::vector<frame::SimCommand> {
    if (step % 7 != 3) return {};
    return {strategy_command(static_cast<StrategyId>(step / 7 % pool::kStrategyCount), PoolId::Decals)};
  };
  EXPECT_EQ(first_difference(first, played(game(StrategyId::Heap), switching)), -1);
}

TEST(Decals, NothingElseInTheGameReadsThem) {
  WorldConfig few = game(StrategyId::FreeList), rejecting = few;
  few.pools[static_cast<std::size_t>(PoolId::Decals)].capacity = 1;
  rejecting.pools[static_cast<std::size_t>(PoolId::Decals)].policy = PolicyId::Reject;
  const std::vector<u64> usual = juggled(game(StrategyId::FreeList), 600);
  EXPECT_EQ(first_difference(usual, juggled(few, 600)), -1) << "so replays from before there were any still hold";
  EXPECT_EQ(first_difference(usual, juggled(rejecting, 600)), -1);
}

TEST(Decals, ComeBackWithASavedWorld) {
  World world(game(StrategyId::FreeList));
  juggle(world, 400, {}, {});
  const std::unique_ptr<WorldState> state = world.new_state();
  world.save(*state);
  const u64 saved = hash_of(world.decals());
  std::vector<u64> first, second;
  const auto note = [](std::vector<u64>& into) { return [&into](World& w) { into.push_back(hash_of(w.decals())); }; };
  juggle(world, 300, {}, note(first));
  world.restore(*state);
  EXPECT_EQ(hash_of(world.decals()), saved);
  juggle(world, 300, {}, note(second));
  EXPECT_EQ(first_difference(first, second), -1);
}

TEST(Decals, NoPooledStrategyAllocatesForThem) {
  for (const auto& row : pool::kStrategies) {
    if (row.id == StrategyId::Heap) continue;
    Decals decals(1, choice(row.id));
    const frame::SpellDef def;
    SpellSet spells;
    for (auto& spell : spells) spell = std::make_shared<const frame::SpellDef>(def);
    for (u32 i = 0; i < 10; ++i) step(decals, 20);  // pmr takes its chunks as it fills
    const u64 before = test::new_calls();
    for (u32 i = 0; i < 300; ++i) {
      step(decals, 3);
      (void)decals.show(spells);
    }
    EXPECT_EQ(test::new_calls() - before, 0u) << row.name;
  }
}

}  // namespace
}  // namespace spellpool::sim
