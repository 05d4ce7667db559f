// Emission, deaths, memory and the snapshot.
#include <algorithm>
#include <cmath>
#include <map>

#include "../pool/allocation_probe.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using pool::PolicyId;
using pool::StrategyId;

std::vector<Particle> sorted(ParticleSystem& particles) {
  std::vector<Particle> all;
  particles.look_at_each([&](ParticleHandle, const Particle& p) { all.push_back(p); });
  std::sort(all.begin(), all.end(), [](const Particle& a, const Particle& b) { return a.spawn_id < b.spawn_id; });
  return all;
}

frame::EmitterDef still(u32 burst) {
  frame::EmitterDef def = emitter("still", burst);
  def.speed = {0.0f, 0.0f};
  def.life_s = {1.0f, 1.0f};
  return def;
}

// ---------------------------------------------------------------------------------------------------- emission

TEST(Emission, FollowsTheEmittersWayInsideAStep) {
  ParticleSystem particles(1, StrategyId::FreeList, PolicyId::Reject, 100);
  particles.set_style(0, bake_style(still(0)));
  EmitRequest request;
  request.count = 10;
  request.from_x = 100.0f;
  request.to_x = 200.0f;
  request.from_y = 10.0f;
  request.to_y = -10.0f;
  request.spread_in_time = true;
  const EmitRequest requests[] = {request};
  particles.spawn(requests);
  const std::vector<Particle> all = sorted(particles);
  ASSERT_EQ(all.size(), 10u);
  for (u32 k = 0; k < 10; ++k) {
    EXPECT_NEAR(all[k].x, 105.0f + 10.0f * static_cast<float>(k), 1e-3f);
    EXPECT_NEAR(all[k].y, 9.0f - 2.0f * static_cast<float>(k), 1e-3f);
    EXPECT_NEAR(all[k].age() / all[k].age_rate(), 1.0f - (static_cast<float>(k) + 0.5f) / 10.0f, 2e-3f) << "the first is the oldest";
  }
}

TEST(Emission, ABurstIsBornAtTheEndOfTheStep) {
  ParticleSystem particles(1, StrategyId::Heap, PolicyId::Reject, 100);
  particles.set_style(0, bake_style(emitter("burst", 20)));
  EmitRequest request;
  request.count = 20;
  request.to_x = request.from_x = 7.0f;
  const EmitRequest requests[] = {request};
  particles.spawn(requests);
  for (const Particle& p : sorted(particles)) {
    EXPECT_EQ(p.x, 7.0f);
    EXPECT_EQ(p.age(), 0.0f);
  }
}

TEST(Emission, RaysSnapDirections) {
  ParticleSystem particles(1, StrategyId::FreeList, PolicyId::Reject, 600);
  frame::EmitterDef def = emitter("burst", 600);
  def.rays = 6;
  def.spread_turns = 0.2f;
  def.speed = {100.0f, 100.0f};
  particles.set_style(0, bake_style(def));
  EmitRequest request;
  request.count = 600;
  const EmitRequest requests[] = {request};
  particles.spawn(requests);
  std::map<i32, u32> per_ray;
  for (const Particle& p : sorted(particles)) {
    const double turns = std::atan2(static_cast<double>(p.vy), static_cast<double>(p.vx)) / 6.283185307179586 * 6.0;
    const double nearest = std::round(turns);
    EXPECT_LT(std::abs(turns - nearest), 0.101);
    ++per_ray[(static_cast<i32>(nearest) + 6) % 6];
  }
  ASSERT_EQ(per_ray.size(), 6u);
  for (const auto& [ray, count] : per_ray) EXPECT_EQ(count, 100u) << ray;
}

TEST(Emission, NumbersStayInTheirRanges) {
  ParticleSystem particles(3, StrategyId::FreeList, PolicyId::Reject, 2000);
  frame::EmitterDef def = emitter("burst", 2000);
  def.speed = {50.0f, 90.0f};
  def.size = {2.0f, 9.0f};
  def.life_s = {0.5f, 2.0f};
  def.shape = frame::EmitShape::Disc;
  def.radius = 25.0f;
  particles.set_style(0, bake_style(def));
  EmitRequest request;
  request.count = 2000;
  const EmitRequest requests[] = {request};
  particles.spawn(requests);
  float least = 1e9f, most = 0.0f;
  for (const Particle& p : sorted(particles)) {
    const float speed = std::sqrt(p.vx * p.vx + p.vy * p.vy);
    EXPECT_TRUE(speed > 49.99f && speed < 90.01f);
    EXPECT_TRUE(p.size >= 2.0f && p.size <= 9.0f);
    EXPECT_TRUE(p.age_rate() >= kStep_s / 2.001f && p.age_rate() <= kStep_s / 0.4999f);
    EXPECT_LE(std::sqrt(p.x * p.x + p.y * p.y), 25.01f);
    least = std::min(least, speed);
    most = std::max(most, speed);
  }
  EXPECT_LT(least, 51.0f);
  EXPECT_GT(most, 89.0f);
}

TEST(Emission, ARejectedParticleStillUsesUpItsSpawnId) {
  // So that what lives on is the same whatever did not fit.
  for (const u32 capacity : {5u, 50u}) {
    ParticleSystem particles(1, StrategyId::FreeList, PolicyId::Reject, capacity);
    particles.set_style(0, bake_style(still(20)));
    EmitRequest request;
    request.count = 20;
    const EmitRequest requests[] = {request, request};
    particles.spawn(requests);
    const u64 refused = 40 - std::min(capacity, 40u);
    EXPECT_EQ(particles.stats().rejected, refused);
    for (u64 step = 0; step < 61; ++step) {
      particles.update(step, {});
      particles.despawn();
      particles.spawn({});
    }
    ASSERT_EQ(particles.stats().live, 0u);
    request.count = 1;
    particles.spawn({&request, 1});
    EXPECT_EQ(sorted(particles).at(0).spawn_id, 41u);
  }
}

// ---------------------------------------------------------------------------------------------------- deaths

TEST(Deaths, BurstsGoBySpawnIdInEveryStrategy) {
  for (const auto& row : pool::kStrategies) {
    SCOPED_TRACE(row.name);
    ParticleSystem particles(1, row.id, PolicyId::Reject, 200);
    frame::EmitterDef parent = still(8);
    ParticleStyle style = bake_style(parent);
    style.on_death = 1;
    particles.set_style(0, style);
    particles.set_style(1, bake_style(still(3)));
    frame::EmitterDef filler = still(0);
    filler.life_s = {0.02f, 0.02f};
    particles.set_style(2, bake_style(filler));

    // Fillers die first and leave slots in an order of their own; parents are then born into them.
    auto emit = [&](u32 which, u32 count, float x) {
      EmitRequest request;
      request.style = which;
      request.count = count;
      request.from_x = request.to_x = x;
      const EmitRequest requests[] = {request};
      particles.spawn(requests);
    };
    emit(2, 20, 0.0f);
    emit(0, 2, 1.0f);
    emit(2, 20, 0.0f);
    u64 step = 0;
    for (; step < 3; ++step) {
      particles.update(step, {});
      particles.despawn();
      particles.spawn({});
    }
    for (u32 i = 0; i < 8; ++i) emit(0, 1, 10.0f + static_cast<float>(i));
    ASSERT_EQ(particles.stats().live, 10u);
    std::map<u64, float> place_of_parent;
    std::vector<float> expected;
    for (const Particle& p : sorted(particles)) place_of_parent[p.spawn_id] = p.x;
    for (const auto& [id, x] : place_of_parent) expected.insert(expected.end(), 3, x);
    std::vector<float> children;
    for (; step < 70; ++step) {
      particles.update(step, {});
      particles.despawn();
      particles.spawn({});
    }
    u64 last_id = 0;
    for (const Particle& p : sorted(particles)) {
      EXPECT_GT(p.spawn_id, last_id);
      last_id = p.spawn_id;
      if (p.style == 1) children.push_back(p.x);
    }
    EXPECT_EQ(children, expected) << "the oldest parent's children have the lowest ids";
  }
}

TEST(Deaths, AStolenParticleHasNoBurst) {
  ParticleSystem particles(1, StrategyId::FreeList, PolicyId::StealOldest, 5);
  ParticleStyle style = bake_style(still(5));
  style.on_death = 1;
  particles.set_style(0, style);
  particles.set_style(1, bake_style(still(3)));
  EmitRequest request;
  request.count = 20;
  const EmitRequest requests[] = {request};
  particles.spawn(requests);
  particles.update(0, {});
  particles.despawn();
  particles.spawn({});
  EXPECT_EQ(particles.stats().spawned, 20u);
  EXPECT_EQ(particles.stats().stolen, 15u);
  std::vector<Particle> all = sorted(particles);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all.front().spawn_id, 16u) << "the oldest went";
}

// ---------------------------------------------------------------------------------------------------- memory

/// Now seen, now not, and now with another density than was thought.
std::optional<frame::Amount> shown_in(u32 step) {
  if (step % 7 == 6) return frame::Amount::Reduced;
  return step % 3 == 2 ? std::nullopt : std::optional(frame::Amount::Full);
}

void expect_no_allocations(StrategyId strategy, PolicyId policy, u32 capacity) {
  World world(config(1, strategy, policy, capacity, 4));
  Autoplayer player(1);
  u32 full_steps = 0;
  for (u32 i = 0; i < 500; ++i) {
    const frame::InputFrame input = player.next(world);
    const u64 calls = test::new_calls_in([&] {
      world.step(input, {}, nullptr, shown_in(i));
      world.build_snapshot();
      static_cast<void>(world.hash());
    });
    ASSERT_EQ(calls, 0u) << "step " << i;
    full_steps += world.particles().stats().live == capacity ? 1u : 0u;
  }
  EXPECT_TRUE(full_steps > 100 || policy == PolicyId::Pressure) << "the test wants a full pool";
}

TEST(Memory, AFullFreeListStepsAndShowsWithoutOneAllocation) {
  for (const PolicyId policy : {PolicyId::Reject, PolicyId::StealOldest, PolicyId::StealLeast, PolicyId::Pressure}) {
    expect_no_allocations(StrategyId::FreeList, policy, 800);
  }
}

TEST(Memory, NorDoesAnyOtherPooledStrategy) {
  for (const auto& row : pool::kStrategies) {
    if (row.id == StrategyId::Heap || row.id == StrategyId::Pmr) continue;  // a call an object, and now and then a chunk
    SCOPED_TRACE(row.name);
    expect_no_allocations(row.id, PolicyId::StealOldest, 800);
  }
}

TEST(Memory, NorAfterCapacitiesWentUpAndDown) {
  World world(config(1, StrategyId::FreeList, PolicyId::Reject, 30, 4));
  Autoplayer player(1);
  const u32 capacities[] = {5'000, 100, 4'000, 600, 20'000};
  for (const u32 capacity : capacities) {
    const frame::SimCommand commands[] = {capacity_command(capacity)};
    world.step(player.next(world), commands);
    for (u32 i = 0; i < 120; ++i) {
      const frame::InputFrame input = player.next(world);
      ASSERT_EQ(test::new_calls_in([&] {
                  world.step(input, {}, nullptr, shown_in(i));
                  world.build_snapshot();
                }),
                0u)
          << capacity << ' ' << i;
    }
  }
}

TEST(Memory, HeapModeCallsNewOncePerParticle) {
  WorldConfig start = config(1, StrategyId::FreeList);
  start.pools[static_cast<std::size_t>(frame::PoolId::Particles)].strategy = StrategyId::Heap;
  World world(start);
  Autoplayer player(1);
  u64 total = 0;
  for (u32 i = 0; i < 400; ++i) {
    const frame::InputFrame input = player.next(world);
    const u64 spawned = world.particles().stats().spawned;
    const u64 calls = test::new_calls_in([&] {
      world.step(input, {});
      world.build_snapshot();
    });
    ASSERT_EQ(calls, world.particles().stats().spawned - spawned) << "step " << i;
    total += calls;
  }
  EXPECT_GT(total, 2'000u);
}

frame::SimCommand memory_command(pool::MemorySource source) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetMemory;
  command.choice = static_cast<u8>(source);
  return command;
}

TEST(FrameMemory, ArenaAndHeapGiveTheSameGameAndTheArenaNeverOverflows) {
  for (const PolicyId policy : {PolicyId::Reject, PolicyId::Grow}) {
    World arena(config(1, StrategyId::FreeList, policy, 300)), heap(config(1, StrategyId::FreeList, policy, 300)),
        both(config(1, StrategyId::FreeList, policy, 300));
    const frame::SimCommand to_heap[] = {memory_command(pool::MemorySource::Heap)};
    Autoplayer player(1);
    u64 news = 0;
    for (u32 i = 0; i < 600; ++i) {
      const frame::InputFrame input = player.next(arena);
      arena.step(input, {}, nullptr, shown_in(i));
      heap.step(input, i == 0 ? std::span<const frame::SimCommand>(to_heap) : std::span<const frame::SimCommand>(), nullptr, shown_in(i));
      const frame::SimCommand turn[] = {memory_command(i % 2 == 0 ? pool::MemorySource::Heap : pool::MemorySource::Arena)};
      both.step(input, turn, nullptr, shown_in(i + 1));
      ASSERT_EQ(arena.hash(), heap.hash()) << i;
      ASSERT_EQ(arena.hash(), both.hash()) << i;
      const auto& a = arena.build_snapshot();
      const auto& h = heap.build_snapshot();
      both.build_snapshot();
      ASSERT_EQ(a.additive_layer.size(), h.additive_layer.size());
      ASSERT_EQ(a.alpha_layer.size(), h.alpha_layer.size());
      for (std::size_t k = 0; k < a.alpha_layer.size(); ++k) ASSERT_EQ(a.alpha_layer[k].x, h.alpha_layer[k].x);
      EXPECT_EQ(arena.frame_memory().step.this_frame().new_calls + arena.frame_memory().picture.this_frame().new_calls, 0u)
          << "step " << i << (policy == PolicyId::Grow ? ", growing" : "");
      EXPECT_EQ(arena.frame_memory().step.this_frame().allocations, heap.frame_memory().step.this_frame().allocations);
      news += heap.frame_memory().step.this_frame().new_calls;
    }
    EXPECT_GT(news, 1'200u) << "with the heap each array is a call";
    EXPECT_EQ(heap.frame_memory().step.source(), pool::MemorySource::Heap);
  }
}

TEST(FrameMemory, WithTheHeapEveryCallIsCounted) {
  World world(config(1, StrategyId::FreeList, PolicyId::Reject, 2'000));
  Autoplayer player(1);
  const frame::SimCommand to_heap[] = {memory_command(pool::MemorySource::Heap)};
  world.step(player.next(world), to_heap);
  world.build_snapshot();
  for (u32 i = 0; i < 300; ++i) {
    const frame::InputFrame input = player.next(world);
    const u64 calls = test::new_calls_in([&] {
      world.step(input, {});
      world.build_snapshot();
    });
    const FrameMemory& memory = world.frame_memory();
    ASSERT_EQ(calls, memory.step.this_frame().new_calls + memory.picture.this_frame().new_calls) << "step " << i;
  }
}

// ---------------------------------------------------------------------------------------------------- snapshot

TEST(Snapshot, ShowsEveryParticleInReachOnce) {
  static_assert(sizeof(frame::ParticleInstance) <= 16);
  for (const auto& row : pool::kStrategies) {
    World world(config(1, row.id));
    u64 shown = 0;
    play(world, 300, {}, [&](World& w) {
      const frame::RenderSnapshot& snapshot = w.build_snapshot();
      u64 reachable = 0;
      w.particles().look_at_each([&](ParticleHandle, const Particle& p) {
        reachable += std::abs(p.x) < 1020.0f && std::abs(p.y) < 1020.0f ? 1u : 0u;
      });
      ASSERT_EQ(snapshot.alpha_layer.size() + snapshot.additive_layer.size(), reachable);
      ASSERT_EQ(snapshot.step, w.steps());
      shown += reachable;
    });
    EXPECT_GT(shown, 10'000u);
  }
}

TEST(Snapshot, TheAlphaLayerIsInTheSameOrderInEveryStrategy) {
  std::vector<std::vector<u8>> pictures;
  for (u32 arm = 0; arm <= pool::kStrategyCount; ++arm) {
    const bool switching = arm == pool::kStrategyCount;
    World world(config(1, static_cast<StrategyId>(arm % pool::kStrategyCount), PolicyId::StealOldest, 700));
    std::vector<u8>& bytes = pictures.emplace_back();
    u64 instances = 0;
    play(world, 300,
         [&](u64 step) -> std::vector<frame::SimCommand> {
           if (!switching || step % 10 != 9) return {};
           return {strategy_command(static_cast<StrategyId>(step / 10 % pool::kStrategyCount))};
         },
         [&](World& w) {
           const auto layer = w.build_snapshot().alpha_layer;
           const u8* first = reinterpret_cast<const u8*>(layer.data());
           if (w.steps() % 5 == 0) bytes.insert(bytes.end(), first, first + layer.size_bytes());
           instances += layer.size();
         });
    EXPECT_GT(instances, 1'000u);
    EXPECT_TRUE(bytes == pictures.front()) << arm;
  }
}

TEST(Snapshot, TheDeltaIsTheMovementOfTheLastStep) {
  // One particle, so that instances of two steps are surely the same one.
  ParticleSystem particles(1, StrategyId::FreeList, PolicyId::Reject, 4);
  frame::EmitterDef def = emitter("one", 1);
  def.speed = {400.0f, 400.0f};
  def.life_s = {1.0f, 1.0f};
  def.gravity_y = 300.0f;
  def.drag_per_s = 1.5f;
  particles.set_style(0, bake_style(def));
  EmitRequest request;
  request.count = 1;
  const EmitRequest requests[] = {request};
  particles.spawn(requests);
  frame::RenderSnapshot snapshot;
  particles.build_snapshot(snapshot);
  ASSERT_EQ(snapshot.additive_layer.size(), 1u);
  frame::ParticleInstance before = snapshot.additive_layer[0];
  EXPECT_EQ(before.dx, 0) << "born in this step: it does not slide in from anywhere";
  EXPECT_EQ(before.dy, 0);
  u32 moved = 0;
  for (u64 step = 0; step < 40; ++step) {
    particles.update(step, {});
    particles.despawn();
    particles.spawn({});
    particles.build_snapshot(snapshot);
    const frame::ParticleInstance now = snapshot.additive_layer[0];
    EXPECT_NEAR(now.x - now.dx, before.x, 2) << step;
    EXPECT_NEAR(now.y - now.dy, before.y, 2) << step;
    moved += std::abs(now.dx) + std::abs(now.dy) > 50 ? 1u : 0u;
    before = now;
  }
  EXPECT_GT(moved, 20u);
}

TEST(Snapshot, ParticlesOutOfReachAreLeftOut) {
  ParticleSystem particles(1, StrategyId::FreeList, PolicyId::Reject, 10);
  particles.set_style(0, bake_style(still(1)));
  std::vector<EmitRequest> requests;
  const float places[][2] = {{0, 0}, {1019, -1019}, {1021, 0}, {0, -1021}, {-5000, 3}, {1e30f, 0}, {-1e30f, 1e30f}};
  for (const auto& place : places) {
    EmitRequest request;
    request.count = 1;
    request.from_x = request.to_x = place[0];
    request.from_y = request.to_y = place[1];
    requests.push_back(request);
  }
  particles.spawn(requests);
  frame::RenderSnapshot snapshot;
  particles.build_snapshot(snapshot);
  ASSERT_EQ(snapshot.additive_layer.size(), 2u);
  for (const auto& instance : snapshot.additive_layer) EXPECT_LE(std::abs(instance.x), 1020 * 32);
}

TEST(Snapshot, LooksFollowTheCurves) {
  ParticleSystem particles(1, StrategyId::FreeList, PolicyId::Reject, 10);
  frame::EmitterDef def = still(1);
  def.size = {10.0f, 10.0f};
  def.size_curve = {{0.0f, 1.0f}, {0.5f, 2.0f}, {1.0f, 0.0f}};
  def.colour_curve = {{0.0f, 1.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 0.0f, 1.0f, 0.0f}};
  def.glow = 2.0f;
  def.particle = frame::ParticleShape::Star;
  particles.set_style(0, bake_style(def));
  EmitRequest request;
  request.count = 1;
  const EmitRequest requests[] = {request};
  particles.spawn(requests);
  frame::RenderSnapshot snapshot;
  particles.build_snapshot(snapshot);
  const frame::ParticleInstance born = snapshot.additive_layer[0];
  EXPECT_EQ(born.size, 640);
  EXPECT_EQ(born.r, 255);
  EXPECT_EQ(born.a, 255);
  EXPECT_EQ(born.glow_shape, static_cast<u8>(frame::ParticleShape::Star) | (8u << 3));
  for (u64 step = 0; step < 30; ++step) particles.update(step, {});
  particles.build_snapshot(snapshot);
  const frame::ParticleInstance half = snapshot.additive_layer[0];
  EXPECT_NEAR(half.size, 1280, 40);
  EXPECT_NEAR(half.a, 128, 4);
  EXPECT_NEAR(half.r, 64, 4) << "premultiplied by alpha in the additive layer";
}

TEST(Snapshot, IsSoundFromTheFirstMomentOn) {
  World world(config(1, StrategyId::FreeList));
  const frame::RenderSnapshot& first = world.build_snapshot();
  EXPECT_EQ(first.step, 0u);
  EXPECT_TRUE(first.additive_layer.empty());
  EXPECT_GE(first.sprites.size(), world.targets().standing().size() + 2);  // the mage and the reticle too
  play(world, 300, {}, [&](World& w) {
    const frame::RenderSnapshot& s = w.build_snapshot();
    EXPECT_LE(std::abs(s.shake_x), 6.0f);
    EXPECT_LE(std::abs(s.shake_y), 6.0f);
    EXPECT_TRUE(s.runes_lit >= 0.0f && s.runes_lit <= 12.0f);
    EXPECT_TRUE(s.vortex_strength >= 0.0f && s.vortex_strength <= 1.0f);
    for (const auto& light : s.lights) EXPECT_TRUE(std::isfinite(light.x + light.y + light.radius + light.r + light.g + light.b));
  });
}

}  // namespace
}  // namespace spellpool::sim
