// The same seed, inputs and commands give the same world at every step, whatever holds the particles, homing sparks and
// wisps, and however it is shown.
#include <map>
#include <set>

#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using pool::PolicyId;
using pool::StrategyId;

constexpr u64 kSteps = 600;

/// Turns the strategies of all pools every `every` steps, each at its own turn, on top of the script.
Script switching(u64 every, const Script& script = {}) {
  return [=](u64 step) {
    std::vector<frame::SimCommand> commands = script ? script(step) : std::vector<frame::SimCommand>{};
    if (step > 0 && step % every == 0) {
      for (const frame::PoolName& pool : frame::pools_of(frame::SceneId::Spells)) {
        const u64 turn = step / every + static_cast<u64>(pool.id);
        commands.push_back(strategy_command(static_cast<StrategyId>(turn % pool::kStrategyCount), pool.id));
      }
    }
    return commands;
  };
}

void expect_all_alike(u64 seed, PolicyId policy, u32 capacity, const Script& script = {}) {
  SCOPED_TRACE(seed);
  const std::vector<u64> first = juggled(config(seed, static_cast<StrategyId>(0), policy, capacity), kSteps, script);
  for (std::size_t s = 0; s < pool::kStrategyCount; ++s) {
    SCOPED_TRACE(pool::kStrategies[s].name);
    const WorldConfig start = config(seed, static_cast<StrategyId>(s), policy, capacity);
    if (s > 0) {
      EXPECT_EQ(first_difference(first, juggled(start, kSteps, script)), -1);
    }
    EXPECT_EQ(first_difference(first, juggled(start, kSteps, switching(37, script))), -1) << "switching every 37 steps";
  }
}

TEST(Determinism, EveryStrategyAndSwitchingGiveTheSameHashes) {
  for (const u64 seed : {1u, 2u}) expect_all_alike(seed, PolicyId::Reject, 20'000);
}

TEST(Determinism, AlsoWhenAFullPoolRejects) {
  expect_all_alike(77, PolicyId::Reject, 400);
}

TEST(Determinism, AlsoUnderEveryOtherPolicyOfAFullPool) {
  for (const auto& policy : pool::kPolicies) {
    if (policy.id == PolicyId::Reject || policy.id == PolicyId::Assert) continue;  // Assert stops debug builds
    SCOPED_TRACE(policy.name);
    expect_all_alike(2, policy.id, 500);
  }
}

TEST(Determinism, AlsoUnderALoad) {
  expect_all_alike(5, PolicyId::Reject, 3'000, [](u64 step) {
    if (step == 50) return std::vector{load_command(frame::SimCommandKind::SetLoad, 6)};
    if (step == 100) return std::vector{load_command(frame::SimCommandKind::SetChurn, 1)};
    if (step == 150) return std::vector{load_command(frame::SimCommandKind::SetHeapAge, 0, 1), load_command(frame::SimCommandKind::SetLoad, 2)};
    if (step == 400) return std::vector{load_command(frame::SimCommandKind::SetChurn, 0)};
    return std::vector<frame::SimCommand>{};
  });
}

TEST(Determinism, PoliciesDifferInWhatTheyDo) {
  std::set<u64> outcomes;
  for (const auto& policy : pool::kPolicies) {
    if (policy.id == PolicyId::Assert) continue;
    World world(config(2, StrategyId::FreeList, policy.id, 500));
    juggle(world, kSteps, {}, [](World&) {});
    outcomes.insert(world.hash());
    const pool::PoolStats stats = world.pool(PoolId::Particles).stats();
    EXPECT_EQ(stats.stolen > 0, policy.id == PolicyId::StealOldest || policy.id == PolicyId::StealLeast) << policy.name;
    EXPECT_EQ(stats.grown > 0, policy.id == PolicyId::Grow) << policy.name;
    EXPECT_EQ(stats.accelerated > 0, policy.id == PolicyId::Pressure) << policy.name;
    EXPECT_EQ(stats.rejected > 0, policy.id == PolicyId::Reject || policy.id == PolicyId::Pressure) << policy.name;
  }
  EXPECT_EQ(outcomes.size(), pool::kPolicyCount - 1);
}

TEST(Determinism, PolicyAndCapacityCommandsWorkAlikeInEveryStrategy) {
  const Script script = [](u64 step) -> std::vector<frame::SimCommand> {
    switch (step) {
      case 90: return {capacity_command(300)};      // below what lives then
      case 150: return {policy_command(PolicyId::StealOldest)};
      case 220: return {capacity_command(150)};
      case 300: return {capacity_command(5000), policy_command(PolicyId::Reject)};
      case 301: return {policy_command(PolicyId::StealOldest)};
      case 380: return {capacity_command(1)};
      case 400: return {capacity_command(1, PoolId::Seekers), capacity_command(2, PoolId::Wisps)};
      case 430: return {policy_command(PolicyId::StealOldest, PoolId::Seekers), policy_command(PolicyId::StealOldest, PoolId::Wisps)};
      case 440: return {capacity_command(700)};
      case 500: return {capacity_command(40, PoolId::Seekers), capacity_command(16, PoolId::Wisps)};
      default: return {};
    }
  };
  expect_all_alike(1, PolicyId::Reject, 20'000, script);
}

TEST(Determinism, SwitchingEveryStepChangesNothing) {
  const std::vector<u64> still = juggled(config(5, StrategyId::FreeList), 400);
  EXPECT_EQ(first_difference(still, juggled(config(5, StrategyId::FreeList), 400, switching(1))), -1);
}

TEST(Determinism, AutoplayDoesTheSameWithEveryStrategy) {
  const std::vector<u64> still = hashes(config(6, StrategyId::FreeList), 300);
  EXPECT_EQ(first_difference(still, hashes(config(6, StrategyId::Heap), 300, switching(3))), -1);
}

TEST(Determinism, ReloadedSpellsWorkAlikeInEveryStrategy) {
  const Script script = [](u64 step) -> std::vector<frame::SimCommand> {
    if (step != 100 && step != 250) return {};
    frame::SpellDef def = *small_spells()[0];
    def.emitters.resize(step == 100 ? 6 : 8);  // fewer emitters: living particles keep their rows
    def.emitters[2].burst = 10;
    if (step == 250) def.behaviour = frame::SpellBehaviour::Fog;  // what flies meanwhile flies on
    return {spell_command(0, def), spell_command(4, *small_spells()[3])};
  };
  expect_all_alike(3, PolicyId::Reject, 20'000, script);
}

TEST(Determinism, LookingDisturbsNothingWhateverTheSettings) {
  World looked(config(9, StrategyId::Heap)), blind(config(9, StrategyId::Heap));
  std::vector<u64> with, without;
  juggle(looked, 400, {}, [&](World& world) {
    frame::LookSettings looks;
    looks.motion = static_cast<frame::Amount>(world.steps() % 3);
    looks.flash = static_cast<frame::Amount>(world.steps() / 3 % 3);
    looks.density = static_cast<frame::Amount>(world.steps() / 9 % 3);
    world.build_snapshot(looks);
    world.build_snapshot();
    world.seekers().for_each([](SeekerHandle, const Seeker&) {});
    with.push_back(world.hash());
  });
  juggle(blind, 400, {}, [&](World& world) { without.push_back(world.hash()); });
  EXPECT_EQ(first_difference(with, without), -1);
}

TEST(Determinism, TheSnapshotIsTheSameWithEveryStrategy) {
  World a(config(9, StrategyId::Heap)), b(config(9, StrategyId::FreeList));
  for (u32 i = 0; i < 400; ++i) {
    a.step(juggle(i, 9), {});
    b.step(juggle(i, 9), switching(1)(i));
    const frame::RenderSnapshot& left = a.build_snapshot();
    const frame::RenderSnapshot& right = b.build_snapshot();
    ASSERT_EQ(left.sprites.size(), right.sprites.size());
    for (std::size_t k = 0; k < left.sprites.size(); ++k) {
      ASSERT_EQ(left.sprites[k].kind, right.sprites[k].kind);
      ASSERT_EQ(left.sprites[k].x, right.sprites[k].x);
      ASSERT_EQ(left.sprites[k].p0, right.sprites[k].p0);
    }
    ASSERT_EQ(left.lights.size(), right.lights.size());
    ASSERT_EQ(left.alpha_layer.size(), right.alpha_layer.size());
  }
}

TEST(Determinism, TheCallersFloatStateDoesNotMatter) {
#if defined(__SSE2__)
  const std::vector<u64> plain = hashes(config(4, StrategyId::FreeList), 200);
  const u32 before = __builtin_ia32_stmxcsr();
  std::vector<u64> odd;
  World world(config(4, StrategyId::FreeList));
  Autoplayer player(4);
  for (u32 i = 0; i < 200; ++i) {
    const frame::InputFrame input = player.next(world);
    __builtin_ia32_ldmxcsr(0x1f80u | 0x8040u | 0x6000u);  // a driver left: flush to zero, round toward zero
    world.step(input, {});
    world.build_snapshot();
    __builtin_ia32_ldmxcsr(before);
    odd.push_back(world.hash());
  }
  EXPECT_EQ(first_difference(plain, odd), -1);
#else
  GTEST_SKIP() << "needs SSE2";
#endif
}

TEST(Determinism, ADifferentSeedOrInputGivesADifferentWorld) {
  EXPECT_NE(hashes(config(1, StrategyId::Heap), 50), hashes(config(2, StrategyId::Heap), 50));
  World a(config(1, StrategyId::Heap)), b(config(1, StrategyId::Heap));
  frame::InputFrame input;
  a.step(input, {});
  input.aim_x16 = 1;
  b.step(input, {});
  EXPECT_NE(a.hash(), b.hash());
}

/// One step in the life of a homing spark.
struct Sighting {
  u64 step, spark, target;
  float x, y;
  bool resolves;
  bool operator==(const Sighting&) const = default;
};

TEST(Determinism, AHomingSparkKeepsItsTargetWhilePoolsSwitchEveryStep) {
  auto watch = [](const Script& script, std::vector<u64>& hashes) {
    WorldConfig start = config(3, StrategyId::FreeList);
    frame::SpellDef motes = *start.spells[6];
    motes.count = 12;
    start.spells[6] = std::make_shared<frame::SpellDef>(motes);
    World world(start);
    struct First {
      SeekerHandle self;
      WispHandle target;
      u64 target_id;
    };
    std::map<u64, First> first;  // by the spark's spawn id
    std::vector<Sighting> seen;
    u32 kept = 0;
    for (u32 i = 0; i < 420; ++i) {
      frame::InputFrame input;
      input.select_spell = 6;
      input.buttons = i % 120 == 5 ? u8{frame::kButtonCast} : u8{0};
      world.step(input, script ? script(i) : std::vector<frame::SimCommand>{});
      world.seekers().for_each([&](SeekerHandle handle, const Seeker& seeker) {
        const auto wisp = world.targets().wisp(seeker.target);
        seen.push_back({i, seeker.spawn_id, seeker.target_id, seeker.x, seeker.y, bool(wisp)});
        if (wisp) {
          EXPECT_EQ(wisp->spawn_id, seeker.target_id) << "the handle still names the wisp that was chosen";
        }
        EXPECT_EQ(world.seekers().get(handle)->spawn_id, seeker.spawn_id);
        const auto [entry, is_new] = first.insert({seeker.spawn_id, {handle, seeker.target, seeker.target_id}});
        EXPECT_EQ(entry->second.self, handle) << "a spark's own handle stays good";
        if (!is_new && entry->second.target_id == seeker.target_id) {
          EXPECT_EQ(entry->second.target, seeker.target) << "the same handle, bit for bit";
          ++kept;
        }
      });
      hashes.push_back(world.hash());
    }
    EXPECT_GT(first.size(), 20u);
    EXPECT_GT(kept, 500u);
    return seen;
  };
  std::vector<u64> still_hashes, switched_hashes;
  const std::vector<Sighting> still = watch({}, still_hashes);
  const Script switch_both = [](u64 step) -> std::vector<frame::SimCommand> {
    return {strategy_command(static_cast<StrategyId>(step % pool::kStrategyCount), PoolId::Wisps),
            strategy_command(static_cast<StrategyId>((step + 1) % pool::kStrategyCount), PoolId::Seekers)};
  };
  const std::vector<Sighting> switched = watch(switch_both, switched_hashes);
  EXPECT_TRUE(still == switched) << "the same paths";
  EXPECT_EQ(first_difference(still_hashes, switched_hashes), -1);
}

TEST(Determinism, AHomingSparkWhoseWispIsGoneTurnsToTheNearest) {
  WorldConfig start = config(3, StrategyId::FreeList);
  World world(start);
  frame::InputFrame input;
  input.select_spell = 6;
  u64 before = 0, after = 0;
  for (u32 i = 0; i < 200 && after == 0; ++i) {
    input.buttons = i == 2 ? u8{frame::kButtonCast} : u8{0};
    world.step(input, {});
    world.seekers().for_each([&](SeekerHandle, const Seeker& seeker) {
      if (seeker.spawn_id != 1) return;
      if (before == 0) {
        before = seeker.target_id;
        world.targets().wisps().release(seeker.target);  // it ends, as when its pool steals its slot
      } else if (seeker.target_id != before) {
        after = seeker.target_id;
        float nearest = 1e9f;
        u64 nearest_id = 0;
        for (const TargetView& view : world.targets().views()) {
          if (view.ref.standing != TargetRef::kWisp) continue;
          const float d = length(view.x - seeker.previous_x, view.y - seeker.previous_y);
          if (d < nearest) nearest = d, nearest_id = world.targets().wisp(view.ref.wisp)->spawn_id;
        }
        EXPECT_EQ(after, nearest_id);
      }
    });
  }
  EXPECT_NE(before, 0u);
  EXPECT_NE(after, 0u);
}

TEST(Determinism, AHandleHeldAcrossSwitchesKeepsItsParticle) {
  World world(config(1, StrategyId::FreeList));
  struct Held {
    ParticleHandle handle;
    u64 spawn_id;
  };
  std::vector<Held> held;
  u64 kept = 0, gone = 0;
  juggle(world, 400, switching(7), [&](World& w) {
    for (std::size_t i = 0; i < held.size(); ++i) {
      const auto particle = w.particles().get(held[i].handle);
      if (particle) {
        ASSERT_EQ(particle->spawn_id, held[i].spawn_id) << "step " << w.steps();
        ++kept;
      } else {
        held[i--] = held.back();
        held.pop_back();
        ++gone;
      }
    }
    if (w.steps() % 10 == 0) {
      u32 n = 0;
      w.particles().look_at_each([&](ParticleHandle handle, const Particle& p) {
        if (n++ % 5 == 0 && held.size() < 300) held.push_back({handle, p.spawn_id});
      });
    }
  });
  EXPECT_GT(kept, 5'000u);
  EXPECT_GT(gone, 300u);
}

TEST(Determinism, TheHashFeelsEveryFieldOfAParticle) {
  // One particle that differs in one field only must give another hash: emit it from styles that differ in one number.
  auto hash_with = [](const std::function<void(frame::EmitterDef&)>& change) {
    ParticleSystem particles(1, StrategyId::FreeList, PolicyId::Reject, 10);
    frame::EmitterDef def = emitter("one", 1);
    def.speed = {50.0f, 50.0f};
    def.spread_turns = 0.0f;
    def.life_s = {1.0f, 1.0f};
    def.size = {4.0f, 4.0f};
    change(def);
    particles.set_style(0, bake_style(def));
    particles.set_style(1, bake_style(def));
    EmitRequest request;
    request.count = 1;
    const EmitRequest requests[] = {request};
    particles.spawn(requests);
    return particles.hash();
  };
  const u64 plain = hash_with([](frame::EmitterDef&) {});
  EXPECT_EQ(hash_with([](frame::EmitterDef& d) { d.curl = 9.0f; }), plain) << "a force has not acted yet";
  EXPECT_NE(hash_with([](frame::EmitterDef& d) { d.speed = {51.0f, 51.0f}; }), plain) << "vx";
  EXPECT_NE(hash_with([](frame::EmitterDef& d) { d.swirl = {1.0f, 1.0f}; }), plain) << "vy";
  EXPECT_NE(hash_with([](frame::EmitterDef& d) { d.life_s = {1.01f, 1.01f}; }), plain) << "age rate";
  EXPECT_NE(hash_with([](frame::EmitterDef& d) { d.size = {5.0f, 5.0f}; }), plain) << "size";
  EXPECT_NE(hash_with([](frame::EmitterDef& d) { d.shape = frame::EmitShape::Ring, d.radius = 3.0f; }), plain) << "place";
}

}  // namespace
}  // namespace spellpool::sim
