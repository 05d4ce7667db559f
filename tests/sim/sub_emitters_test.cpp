// What particles set off (births, hits, deaths, trails), in which order and within which limits; and that every feature of an
// emitter gives the same hashes and allocates nothing, whatever holds the particles.
#include <cmath>
#include <functional>

#include "../pool/allocation_probe.hpp"
#include "particle_troupe.hpp"

namespace spellpool::sim {
namespace {

using frame::BounceOn;
using frame::EmitShape;
using frame::EmitterDef;
using pool::PolicyId;
using pool::StrategyId;

TEST(Styles, BakingKnowsTheNeighbours) {
  frame::SpellDef spell;
  spell.emitters = {ParticleTroupe::emitter("a", 1), ParticleTroupe::emitter("b", 1), ParticleTroupe::emitter("c", 1)};
  spell.emitters[0].on_birth = "b";
  spell.emitters[0].on_death = "c";
  spell.emitters[1].on_hit = "a";
  spell.emitters[1].trail = "b";
  spell.emitters[2].on_death = "nobody";
  const std::vector<ParticleStyle> styles = bake_styles(spell, 32);
  ASSERT_EQ(styles.size(), 3u);
  EXPECT_EQ(styles[0].on_birth, 33);
  EXPECT_EQ(styles[0].on_death, 34);
  EXPECT_EQ(styles[0].on_hit, -1);
  EXPECT_EQ(styles[0].trail, -1);
  EXPECT_EQ(styles[1].on_hit, 32);
  EXPECT_EQ(styles[1].trail, 33);
  EXPECT_EQ(styles[2].on_death, -1);
  spell.emitters.resize(40);
  EXPECT_EQ(bake_styles(spell, 0).size(), frame::kMaxEmitters);
}

TEST(OnBirth, FiresWhereEachParticleIsBornTheWayItFlies) {
  EmitterDef parent = ParticleTroupe::emitter("parent", 20), child = ParticleTroupe::emitter("child", 2);
  parent.shape = EmitShape::Disc;
  parent.radius = 50.0f;
  parent.speed = {100.0f, 100.0f};
  parent.on_birth = "child";
  child.speed = {10.0f, 10.0f};
  child.spread_turns = 0.0f;
  child.inherit = 0.5f;
  ParticleTroupe stage({parent, child});
  stage.burst(0);
  stage.step();
  const std::vector<Particle> parents = stage.all(0), children = stage.all(1);
  ASSERT_EQ(children.size(), 40u);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const Particle& p = parents[i / 2];
    EXPECT_EQ(children[i].x, p.x);
    EXPECT_EQ(children[i].y, p.y);
    EXPECT_NEAR(children[i].vx, p.vx * 0.6f, 1e-2f) << "half of its velocity, and a tenth ahead";
    EXPECT_NEAR(children[i].vy, p.vy * 0.6f, 1e-2f);
    EXPECT_GT(children[i].spawn_id, parents.back().spawn_id) << "by spawn id: all parents first";
  }
}

TEST(OnBirth, AChainEndsAfterFourGenerations) {
  EmitterDef def = ParticleTroupe::emitter("self", 2);
  def.on_birth = "self";
  ParticleTroupe stage({def});
  EmitRequest& request = stage.burst(0);
  request.count = 1;
  stage.step();
  EXPECT_EQ(stage.particles.stats().live, 1u + 2u + 4u + 8u + 16u);
}

TEST(OnBirth, AStepMakesNoMoreThanItsMost) {
  EmitterDef def = ParticleTroupe::emitter("self", 100'000);
  def.on_birth = "self";
  ParticleTroupe stage({def}, StrategyId::FreeList, PolicyId::StealOldest, 300);
  for (u32 i = 0; i < 11; ++i) stage.burst(0);
  stage.step();
  EXPECT_EQ(stage.particles.stats().spawned, ParticleSystem::kMostBirthsPerStep);
  EXPECT_GT(stage.particles.stats().rejected, 50'000u);
}

TEST(OnBirth, WhoWasStolenBeforeItsTurnBearsNobody) {
  EmitterDef parent = ParticleTroupe::emitter("parent", 20), child = ParticleTroupe::emitter("child", 1);
  parent.on_birth = "child";
  for (const auto& row : pool::kStrategies) {
    const StrategyId strategy = row.id;
    ParticleTroupe stage({parent, child}, strategy, PolicyId::StealOldest, 5);
    stage.burst(0);
    stage.step();
    EXPECT_EQ(stage.particles.stats().spawned, 25u) << "five of the twenty were left to bear";
    ASSERT_EQ(stage.all(1).size(), 5u);
    EXPECT_EQ(stage.all(1).front().spawn_id, 21u);
  }
}

TEST(OnHit, FiresTheWayTheParticleComesBack) {
  EmitterDef stone = ParticleTroupe::emitter("stone", 1), dust = ParticleTroupe::emitter("dust", 3);
  stone.speed = {900.0f, 900.0f};
  stone.spread_turns = 0.0f;
  stone.bounce_on = BounceOn::Walls;
  stone.bounce = 0.5f;
  stone.on_hit = "dust";
  dust.speed = {10.0f, 10.0f};
  dust.spread_turns = 0.0f;
  ParticleTroupe stage({stone, dust});
  stage.burst(0, 290.0f, 0.0f, 0.0f);
  stage.steps_of(2);
  const std::vector<Particle> all = stage.all(1);
  ASSERT_EQ(all.size(), 3u);
  for (const Particle& p : all) {
    EXPECT_NEAR(p.vx, -10.0f, 1e-3f);
    EXPECT_NEAR(p.vy, 0.0f, 1e-3f);
    EXPECT_NEAR(p.x, kArenaRadius, 0.1f);
  }
}

TEST(OnHit, EachBounceCountsAndTheLastMoment) {
  // Floor and wall in one step: two hits. In the step of its death: the hit comes before the death.
  EmitterDef stone = ParticleTroupe::emitter("stone", 1), dust = ParticleTroupe::emitter("dust", 1), end = ParticleTroupe::emitter("end", 1);
  stone.life_s = {0.01f, 0.01f};  // one step
  stone.speed = {2000.0f, 2000.0f};
  stone.spread_turns = 0.0f;
  stone.bounce_on = BounceOn::Both;
  stone.on_hit = "dust";
  for (const auto& row : pool::kStrategies) {
    const StrategyId strategy = row.id;
    for (const bool dies_loudly : {true, false}) {
      stone.on_death = dies_loudly ? "end" : "";
      ParticleTroupe stage({stone, dust, end}, strategy);
      stage.burst(0, 290.0f, 20.0f, 0.1f);
      stage.steps_of(3);
      ASSERT_EQ(stage.all(0).size(), 0u);
      ASSERT_EQ(stage.all(1).size(), 2u);
      ASSERT_EQ(stage.all(2).size(), dies_loudly ? 1u : 0u);
      if (dies_loudly) {
        EXPECT_GT(stage.all(2).front().spawn_id, stage.all(1).back().spawn_id);
      }
    }
  }
}

TEST(OnHit, WhoWasStolenBeforeItsTurnSetsNothingOff) {
  // Both stones hit at once; the older one's dust takes the younger one's place before it is its turn.
  EmitterDef stone = ParticleTroupe::emitter("stone", 2), dust = ParticleTroupe::emitter("dust", 3), spark = ParticleTroupe::emitter("spark", 1);
  stone.speed = {900.0f, 900.0f};
  stone.spread_turns = 0.0f;
  stone.bounce_on = dust.bounce_on = BounceOn::Walls;
  stone.on_hit = "dust";
  dust.on_hit = "spark";  // what a mistaken reading of the slot would fire
  for (const auto& row : pool::kStrategies) {
    const StrategyId strategy = row.id;
    ParticleTroupe stage({stone, dust, spark}, strategy, PolicyId::StealOldest, 2);
    stage.burst(0, 290.0f, 0.0f, 0.0f);
    stage.steps_of(2);
    EXPECT_EQ(stage.particles.stats().spawned, 2u + 3u);
    EXPECT_EQ(stage.all(1).size(), 2u);
  }
}

TEST(Trail, BearsAsManyAsItsRateAndWaySay) {
  struct Case {
    float rate_per_s, per_unit, expected;
  };
  constexpr Case kCases[] = {{100.0f, 0.0f, 200.0f}, {7.0f, 0.0f, 14.0f},  {0.3f, 0.0f, 0.6f}, {5000.0f, 0.0f, 10'000.0f},
                             {0.0f, 0.5f, 200.0f},   {0.0f, 0.013f, 5.2f}, {20.0f, 0.05f, 60.0f}};
  for (const Case& c : kCases) {
    SCOPED_TRACE(testing::Message() << c.rate_per_s << " / s, " << c.per_unit << " / unit");
    EmitterDef head = ParticleTroupe::emitter("head", 20), trail = ParticleTroupe::emitter("trail", 0);
    head.speed = {200.0f, 200.0f};
    head.life_s = {2.0f, 2.0f};
    head.trail = "trail";
    trail.rate_per_s = c.rate_per_s;
    trail.per_unit = c.per_unit;
    trail.life_s = {30.0f, 30.0f};
    ParticleTroupe stage({head, trail}, StrategyId::FreeList, PolicyId::Reject, 300'000);
    stage.burst(0);
    stage.steps_of(130);
    const double each = static_cast<double>(stage.all(1).size()) / 20.0;
    EXPECT_NEAR(each, static_cast<double>(c.expected), 0.02 * static_cast<double>(c.expected) + 0.6);
  }
}

TEST(Trail, LiesBehindAlongTheWay) {
  EmitterDef head = ParticleTroupe::emitter("head", 1), trail = ParticleTroupe::emitter("trail", 0);
  head.speed = {600.0f, 600.0f};
  head.spread_turns = 0.0f;
  head.speed_curve = {{0.0f, 2.0f}, {1.0f, 1.0f}};
  head.trail = "trail";
  trail.rate_per_s = 600.0f;
  trail.speed = {5.0f, 5.0f};
  trail.spread_turns = 0.0f;
  ParticleTroupe stage({head, trail});
  stage.burst(0, -300.0f, 0.0f, 0.0f);
  stage.step();
  float last = -301.0f;  // the first of a step is half a space on
  for (u32 i = 0; i < 12; ++i) {
    const u64 newest = stage.all().back().spawn_id;
    stage.step();
    for (const Particle& p : stage.all(1)) {
      if (p.spawn_id <= newest) continue;
      EXPECT_NEAR(p.x - last, 2.0f, 0.3f) << "evenly, through the steps";  // 1,200 units/s, 600 a second
      EXPECT_NEAR(p.vx, -5.0f, 1e-3f) << "backwards";
      last = p.x;
    }
    EXPECT_LE(last, stage.all(0).front().x);
  }
}

TEST(Trail, KnowsAStyleThatCameLater) {
  EmitterDef head = ParticleTroupe::emitter("head", 1), trail = ParticleTroupe::emitter("trail", 0);
  head.trail = "trail";
  ParticleTroupe stage({head, trail});
  stage.burst(0);
  stage.steps_of(5);
  EXPECT_TRUE(stage.all(1).empty());
  trail.rate_per_s = 600.0f;  // the file was saved with another rate
  stage.particles.set_style(1, bake_style(trail));
  stage.steps_of(5);
  EXPECT_EQ(stage.all(1).size(), 50u);
}

TEST(Order, BurstsOfAFullPoolGoToTheOldest) {
  // Room for few children: those of the lowest spawn ids get it, in every strategy.
  EmitterDef parent = ParticleTroupe::emitter("parent", 40), child = ParticleTroupe::emitter("child", 4);
  parent.life_s = {0.5f, 0.5f};
  parent.shape = EmitShape::Disc;
  parent.radius = 100.0f;
  parent.on_death = "child";
  EmitterDef filler = ParticleTroupe::emitter("filler", 30);
  filler.life_s = {0.05f, 0.3f};
  for (const auto& row : pool::kStrategies) {
    const StrategyId strategy = row.id;
    ParticleTroupe stage({parent, child, filler}, strategy, PolicyId::Reject, 70);
    stage.burst(2);
    stage.burst(0).count = 10;
    stage.steps_of(20);  // fillers are gone and have left holes
    stage.burst(0).count = 30;
    stage.step();
    const std::vector<Particle> parents = stage.all(0);
    stage.particles.set_capacity(45);
    stage.steps_of(40);
    const std::vector<Particle> children = stage.all(1);
    ASSERT_EQ(children.size(), 45u);
    std::size_t at = 0;
    for (const Particle& c : children) {
      while (at < parents.size() && (parents[at].x != c.x || parents[at].y != c.y)) ++at;
      ASSERT_LT(at, parents.size()) << "children in another order than their parents";
    }
  }
}

// ---------------------------------------------------------------------------------------------------- every feature

struct Feature {
  const char* name;
  std::function<void(EmitterDef& main, EmitterDef& child, EmitterDef& grandchild)> add;
};

std::vector<Feature> features() {
  auto falls = [](EmitterDef& m) {
    m.lift = {50.0f, 250.0f};
    m.gravity_y = 500.0f;
    m.bounce_on = BounceOn::Both;
  };
  return {
      {"box", [](EmitterDef& m, EmitterDef&, EmitterDef&) { m.shape = EmitShape::Box, m.width = 90.0f, m.height = 30.0f; }},
      {"line", [](EmitterDef& m, EmitterDef&, EmitterDef&) { m.shape = EmitShape::Line, m.width = 90.0f; }},
      {"seed", [](EmitterDef& m, EmitterDef&, EmitterDef&) { m.seed = 9; }},
      {"prewarm", [](EmitterDef& m, EmitterDef&, EmitterDef&) { m.prewarm_s = 0.7f, m.curl = 50.0f; }},
      {"floor", [=](EmitterDef& m, EmitterDef&, EmitterDef&) { falls(m), m.bounce_on = BounceOn::Floor; }},
      {"walls", [](EmitterDef& m, EmitterDef&, EmitterDef&) { m.bounce_on = BounceOn::Walls, m.speed = {300.0f, 2000.0f}; }},
      {"speed_curve", [](EmitterDef& m, EmitterDef&, EmitterDef&) { m.speed_curve = {{0.0f, 0.0f}, {0.4f, 2.5f}, {1.0f, 0.2f}}; }},
      {"pull", [](EmitterDef& m, EmitterDef&, EmitterDef&) { m.pull = 700.0f, m.turn = -300.0f; }},
      {"on_birth", [](EmitterDef& m, EmitterDef& c, EmitterDef&) { m.on_birth = "child", c.on_birth = "grandchild", c.inherit = 0.5f; }},
      {"on_death", [](EmitterDef& m, EmitterDef& c, EmitterDef&) { m.on_death = "child", c.on_death = "grandchild"; }},
      {"on_hit", [=](EmitterDef& m, EmitterDef& c, EmitterDef&) { falls(m), m.on_hit = "child", falls(c), c.on_hit = "grandchild"; }},
      {"trail",
       [](EmitterDef& m, EmitterDef& c, EmitterDef& g) {
         m.trail = "child", c.rate_per_s = 30.0f, c.per_unit = 0.05f, c.trail = "grandchild", g.rate_per_s = 9.0f;
       }},
      {"all",
       [=](EmitterDef& m, EmitterDef& c, EmitterDef& g) {
         falls(m);
         m.shape = EmitShape::Box, m.width = 60.0f, m.height = 60.0f;
         m.seed = 4, m.prewarm_s = 0.5f, m.pull = 90.0f, m.turn = 40.0f, m.curl = 60.0f, m.drag_per_s = 0.4f;
         m.speed_curve = {{0.0f, 1.0f}, {1.0f, 0.4f}};
         m.on_birth = m.on_hit = m.on_death = "child";
         m.trail = "grandchild";
         c.on_death = c.on_birth = "grandchild";
         c.pull = -80.0f;
         g.rate_per_s = 20.0f;
       }},
  };
}

ParticleTroupe stage_of(const Feature& feature, StrategyId strategy, PolicyId policy, u32 capacity) {
  EmitterDef main = ParticleTroupe::emitter("main", 40), child = ParticleTroupe::emitter("child", 2), grandchild = ParticleTroupe::emitter("grandchild", 1);
  main.rate_per_s = 240.0f;
  main.speed = {20.0f, 260.0f};
  main.life_s = {0.2f, 0.9f};
  child.speed = {5.0f, 90.0f};
  child.life_s = {0.1f, 0.5f};
  grandchild.life_s = {0.05f, 0.3f};
  feature.add(main, child, grandchild);
  return ParticleTroupe({main, child, grandchild}, strategy, policy, capacity);
}

void script(ParticleTroupe& stage, u32 i) {
  const float x = static_cast<float>(i % 37) * 6.0f - 100.0f, y = static_cast<float>(i % 23) * 9.0f - 90.0f;
  EmitRequest& run = stage.run(0, 4, x, y, static_cast<float>(i) * 0.013f);
  run.to_x = x + 5.0f;
  if (i % 40 == 5) run.prewarm_s = stage.particles.style(0).def.prewarm_s;
  if (i % 9 == 0) stage.burst(0, y, x, static_cast<float>(i) * 0.07f, 60.0f, -20.0f);
}

constexpr u32 kPlayedSteps = 120;

std::vector<u64> hashes(const Feature& feature, StrategyId strategy, PolicyId policy, u32 capacity, u32 switch_every) {
  ParticleTroupe stage = stage_of(feature, strategy, policy, capacity);
  const Attractor attractor{50.0f, 0.0f, 150.0f, 400.0f, 200.0f};
  std::vector<u64> all;
  for (u32 i = 0; i < kPlayedSteps; ++i) {
    if (switch_every > 0 && i % switch_every == 0) {
      stage.particles.set_strategy(static_cast<StrategyId>(i / switch_every % pool::kStrategyCount));
    }
    script(stage, i);
    stage.step({&attractor, i % 50 < 20 ? 1u : 0u});
    all.push_back(stage.particles.hash());
  }
  return all;
}

TEST(EveryFeature, HasTheSameHashesWhateverHoldsTheParticles) {
  struct Limit {
    PolicyId policy;
    u32 capacity;
  };
  for (const Feature& feature : features()) {
    SCOPED_TRACE(feature.name);
    for (const Limit& limit : {Limit{PolicyId::Reject, 20'000}, Limit{PolicyId::Reject, 150}, Limit{PolicyId::StealOldest, 150},
                               Limit{PolicyId::StealLeast, 150}, Limit{PolicyId::Pressure, 150}, Limit{PolicyId::Grow, 150}}) {
      SCOPED_TRACE(limit.capacity);
      const std::vector<u64> heap = hashes(feature, StrategyId::Heap, limit.policy, limit.capacity, 0);
      for (const auto& row : pool::kStrategies) {
        EXPECT_TRUE(heap == hashes(feature, row.id, limit.policy, limit.capacity, 0)) << row.name;
      }
      EXPECT_TRUE(heap == hashes(feature, StrategyId::FreeList, limit.policy, limit.capacity, 3)) << "switching";
      if (limit.capacity == 20'000) {
        EXPECT_TRUE(heap == hashes(feature, StrategyId::Heap, PolicyId::StealOldest, limit.capacity, 0)) << "a policy without need";
      }
    }
  }
}

TEST(EveryFeature, ChangesWhatHappens) {
  const Feature none{"none", [](EmitterDef&, EmitterDef&, EmitterDef&) {}};
  const u64 plain = hashes(none, StrategyId::FreeList, PolicyId::Reject, 20'000, 0).back();
  for (const Feature& feature : features()) {
    EXPECT_NE(hashes(feature, StrategyId::FreeList, PolicyId::Reject, 20'000, 0).back(), plain) << feature.name;
  }
}

TEST(EveryFeature, AllocatesNothing) {
  for (const Feature& feature : features()) {
    SCOPED_TRACE(feature.name);
    for (const PolicyId policy : {PolicyId::Reject, PolicyId::StealOldest, PolicyId::StealLeast, PolicyId::Pressure}) {
      for (const u32 capacity : {150u, 20'000u}) {
        ParticleTroupe stage = stage_of(feature, StrategyId::FreeList, policy, capacity);
        frame::RenderSnapshot snapshot;
        const u64 calls = test::new_calls_in([&] {
          for (u32 i = 0; i < kPlayedSteps; ++i) {
            script(stage, i);
            stage.step();
            stage.particles.build_snapshot(snapshot);
          }
        });
        EXPECT_EQ(calls, 0u);
      }
    }
  }
}

TEST(EveryFeature, IsTheSameOnEveryCompiler) {
  // Pinned: g++ and clang, -O0 to -O3. Whoever changes on purpose how particles move writes the new figure here, after seeing
  // it from both compilers.
  u64 all = 0;
  for (const Feature& feature : features()) {
    for (const u64 hash : hashes(feature, StrategyId::FreeList, PolicyId::StealOldest, 300, 0)) all = mix64(all ^ hash);
  }
  EXPECT_EQ(all, 11734986922334444775u);
}

}  // namespace
}  // namespace spellpool::sim
