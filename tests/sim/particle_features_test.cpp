// Shapes, seed, prewarm, lift and bounces, speed curve, pull and turn, sub-emitters, trails, density: what each promises.
#include <cmath>
#include <set>

#include "particle_troupe.hpp"

namespace spellpool::sim {
namespace {

using frame::BounceOn;
using frame::EmitShape;
using frame::EmitterDef;
using pool::PolicyId;
using pool::StrategyId;

float distance(const Particle& p, float x = 0, float y = 0) { return length(p.x - x, p.y - y); }

// ---------------------------------------------------------------------------------------------------- shapes and seed

TEST(Shapes, ABoxLiesAlongTheDirection) {
  EmitterDef def = ParticleTroupe::emitter("box", 4000);
  def.shape = EmitShape::Box;
  def.width = 100.0f;
  def.height = 20.0f;
  ParticleTroupe stage({def});
  stage.burst(0, 10.0f, 20.0f, 0.25f);  // facing down: the width goes down, the height across
  stage.step();
  float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;
  u32 quarters[4] = {};
  for (const Particle& p : stage.all()) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    top = std::min(top, p.y);
    bottom = std::max(bottom, p.y);
    ++quarters[(p.x > 10.0f ? 1 : 0) + (p.y > 20.0f ? 2 : 0)];
  }
  EXPECT_NEAR(left, 0.0f, 0.2f);
  EXPECT_NEAR(right, 20.0f, 0.2f);
  EXPECT_NEAR(top, -30.0f, 0.5f);
  EXPECT_NEAR(bottom, 70.0f, 0.5f);
  for (const u32 count : quarters) EXPECT_NEAR(count, 1000u, 120u) << "evenly filled";
}

TEST(Shapes, ALineLiesAcrossTheDirection) {
  EmitterDef def = ParticleTroupe::emitter("line", 1000);
  def.shape = EmitShape::Line;
  def.width = 80.0f;
  def.height = 500.0f;  // of no meaning
  ParticleTroupe stage({def});
  stage.burst(0, 5.0f, 0.0f, 0.0f);
  stage.step();
  float top = 1e9f, bottom = -1e9f;
  for (const Particle& p : stage.all()) {
    EXPECT_NEAR(p.x, 5.0f, 1e-3f);
    top = std::min(top, p.y);
    bottom = std::max(bottom, p.y);
  }
  EXPECT_NEAR(top, -40.0f, 0.5f);
  EXPECT_NEAR(bottom, 40.0f, 0.5f);
}

/// What a burst looks like, without who it is.
std::vector<float> figure(const std::vector<Particle>& particles, std::size_t first, std::size_t count) {
  std::vector<float> all;
  for (std::size_t i = first; i < first + count; ++i) {
    const Particle& p = particles.at(i);
    for (const float v : {p.x, p.y, p.vx, p.vy, p.size, p.age_rate(), static_cast<float>(p.angle())}) all.push_back(v);
  }
  return all;
}

TEST(Seed, EveryBurstOfASeededEmitterIsTheSame) {
  EmitterDef def = ParticleTroupe::emitter("burst", 50);
  def.speed = {10.0f, 90.0f};
  def.life_s = {1.0f, 3.0f};
  def.shape = EmitShape::Disc;
  def.radius = 9.0f;
  std::vector<std::vector<float>> figures;
  for (const u32 seed : {0u, 7u, 8u}) {
    for (const u64 world : {1u, 2u}) {
      def.seed = seed;
      ParticleTroupe stage({def}, StrategyId::FreeList, PolicyId::Reject, 1000, world);
      stage.burst(0);
      stage.burst(0);
      stage.step();
      const std::vector<Particle> all = stage.all();
      const std::vector<float> first = figure(all, 0, 50), second = figure(all, 50, 50);
      EXPECT_EQ(first == second, seed != 0);
      EXPECT_NE(figure(all, 0, 1), figure(all, 1, 1)) << "the particles of one burst differ";
      figures.push_back(first);
    }
  }
  EXPECT_NE(figures[0], figures[1]);
  EXPECT_EQ(figures[2], figures[3]) << "whatever the world's seed";
  EXPECT_NE(figures[2], figures[4]) << "another seed, another figure";
}

TEST(Seed, ARunningEmitterStillVaries) {
  EmitterDef def = ParticleTroupe::emitter("run", 0);
  def.speed = {10.0f, 90.0f};
  def.seed = 7;
  ParticleTroupe stage({def});
  stage.run(0, 1);
  stage.run(0, 1);
  stage.step();
  EXPECT_NE(figure(stage.all(), 0, 1), figure(stage.all(), 1, 1));
}

// ---------------------------------------------------------------------------------------------------- prewarm

EmitterDef everything_that_moves(const char* name) {
  EmitterDef def = ParticleTroupe::emitter(name, 0);
  def.rate_per_s = 60.0f;
  def.life_s = {1.5f, 3.0f};
  def.speed = {50.0f, 400.0f};
  def.lift = {40.0f, 200.0f};
  def.gravity_y = 300.0f;
  def.drag_per_s = 1.2f;
  def.curl = 120.0f;
  def.pull = 150.0f;
  def.turn = 60.0f;
  def.bounce_on = BounceOn::Both;
  def.speed_curve = {{0.0f, 2.0f}, {1.0f, 0.5f}};
  return def;
}

TEST(Prewarm, IsWhereRunningWouldHaveBroughtIt) {
  EmitterDef plain = ParticleTroupe::emitter("plain", 0);
  plain.rate_per_s = 60.0f;
  plain.speed = {50.0f, 400.0f};
  plain.drag_per_s = 0.5f;
  for (const EmitterDef& def : {plain, everything_that_moves("all")}) {
    SCOPED_TRACE(def.name);
    ParticleTroupe running({def}), prewarmed({def});
    for (u32 i = 0; i < 60; ++i) {
      running.run(0, 1, 30.0f, -20.0f, 0.1f);
      if (i == 59) {
        EmitRequest& start = prewarmed.run(0, 0, 30.0f, -20.0f, 0.1f);
        start.prewarm_s = 1.0f;
      }
      running.step();
      prewarmed.step();
    }
    ASSERT_EQ(running.particles.stats().live, 60u);
    EXPECT_EQ(prewarmed.particles.hash(), running.particles.hash());
    running.steps_of(30);
    prewarmed.steps_of(30);
    EXPECT_EQ(prewarmed.particles.hash(), running.particles.hash()) << "and goes on so";
  }
}

TEST(Prewarm, WhoWouldBeDeadIsNotBorn) {
  EmitterDef def = ParticleTroupe::emitter("run", 0);
  def.rate_per_s = 600.0f;
  def.life_s = {0.1f, 0.5f};
  ParticleTroupe stage({def});
  stage.run(0, 0).prewarm_s = 3.0f;
  stage.step();
  const std::vector<Particle> all = stage.all();
  EXPECT_NEAR(static_cast<double>(all.size()), 180.0, 30.0) << "rate times mean life";
  std::set<float> ages;
  for (const Particle& p : all) ages.insert(p.age());
  EXPECT_LT(*ages.begin(), 0.1f);
  EXPECT_GT(*ages.rbegin(), 0.9f);
  const u32 before = stage.particles.stats().live;
  stage.step();
  EXPECT_LT(stage.particles.stats().live, before) << "they die one after another";
  EXPECT_GT(stage.particles.stats().live, before / 2);
}

TEST(Prewarm, TakesItsShareOfTheRate) {
  EmitterDef def = ParticleTroupe::emitter("run", 0);
  def.rate_per_s = 100.0f;
  ParticleTroupe stage({def});
  EmitRequest& start = stage.run(0, 3);
  start.prewarm_s = 1.0f;
  start.share = 0.5f;
  stage.step();
  EXPECT_EQ(stage.particles.stats().live, 53u) << "and the step's own births besides";
}

TEST(Prewarm, ItsCostIsBounded) {
  EmitterDef def = ParticleTroupe::emitter("run", 0);
  def.rate_per_s = 1e6f;
  def.life_s = {30.0f, 30.0f};
  ParticleTroupe stage({def});
  stage.run(0, 0).prewarm_s = 1e9f;
  stage.run(0, 0).prewarm_s = 10.0f;
  stage.step();
  EXPECT_EQ(stage.particles.stats().spawned, ParticleSystem::kMostPrewarmed) << "of both together";
  def.rate_per_s = 1.0f;
  ParticleTroupe slow({def});
  slow.run(0, 0).prewarm_s = 1e9f;
  slow.step();
  EXPECT_EQ(slow.particles.stats().spawned, 10u) << "ten seconds";
}

TEST(Prewarm, SetsNothingOff) {
  EmitterDef def = everything_that_moves("run");
  def.on_birth = def.on_hit = def.trail = def.on_death = "child";
  EmitterDef child = ParticleTroupe::emitter("child", 3);
  child.rate_per_s = 100.0f;
  ParticleTroupe stage({def, child});
  stage.run(0, 0).prewarm_s = 2.0f;
  stage.step();
  EXPECT_GT(stage.all(0).size(), 50u);
  EXPECT_TRUE(stage.all(1).empty());
}

// ---------------------------------------------------------------------------------------------------- lift and bounces

TEST(Floor, ThrownStonesLandWhereTheyWouldOnTheFlat) {
  EmitterDef def = ParticleTroupe::emitter("stones", 200);
  def.life_s = {5.0f, 5.0f};
  def.speed = {40.0f, 100.0f};
  def.lift = {150.0f, 320.0f};
  def.gravity_y = 600.0f;
  def.bounce_on = BounceOn::Floor;
  def.bounce = 0.0f;
  def.friction = 1.0f;
  ParticleTroupe stage({def});
  stage.burst(0, 10.0f, 50.0f);
  stage.step();
  std::vector<Particle> born = stage.all();
  stage.steps_of(120);
  const std::vector<Particle> landed = stage.all();
  std::set<i16> depths;
  for (std::size_t i = 0; i < born.size(); ++i) {
    const Particle& p = landed[i];
    // v is the motion on the ground; the lift on top of it is what the flight adds.
    const double v = std::sqrt(static_cast<double>(born[i].vx) * born[i].vx);
    EXPECT_EQ(p.vx, 0.0f);
    EXPECT_EQ(p.vy, 0.0f);
    EXPECT_EQ(p.y, static_cast<float>(born[i].floor_y) / 32.0f) << "it lies on its own floor";
    const double flight_s = std::fabs(static_cast<double>(p.x) - 10.0) / std::max(v, 1e-3);
    if (v > 20.0) {
      EXPECT_GT(flight_s, 2.0 * 150.0 / 600.0 - 0.05);
      // Back to before the fall: y-velocity on the ground = (floor − birth) / flight.
      const double lift = (static_cast<double>(p.y) - 50.0) / flight_s - static_cast<double>(born[i].vy);
      EXPECT_NEAR(flight_s, 2.0 * lift / 600.0, 0.06) << i;
    }
    depths.insert(p.floor_y);
  }
  EXPECT_GT(depths.size(), 150u) << "at different depths";
}

TEST(Lift, HasActedSinceTheMomentOfBirth) {
  EmitterDef def = ParticleTroupe::emitter("rising", 0);
  def.lift = {600.0f, 600.0f};
  ParticleTroupe stage({def});
  stage.run(0, 10);
  stage.step();
  const std::vector<Particle> all = stage.all();
  for (u32 k = 0; k < 10; ++k) {
    EXPECT_EQ(all[k].vy, -600.0f);
    EXPECT_NEAR(all[k].y, -9.5f + static_cast<float>(k), 1e-3f) << "the first has risen for most of the step";
  }
}

TEST(Floor, ABounceGivesBackItsShareAndFrictionTakesIts) {
  EmitterDef def = ParticleTroupe::emitter("stone", 1);
  def.life_s = {9.0f, 9.0f};
  def.speed = {100.0f, 100.0f};
  def.spread_turns = 0.0f;
  def.lift = {300.0f, 300.0f};
  def.gravity_y = 600.0f;
  def.bounce_on = BounceOn::Floor;
  def.bounce = 0.5f;
  def.friction = 0.25f;
  def.on_hit = "dust";
  ParticleTroupe stage({def, ParticleTroupe::emitter("dust", 1)});
  stage.burst(0, 0.0f, 80.0f, 0.0f);
  stage.step();
  u32 bounces = 0;
  float into = 0.0f;
  for (u32 i = 0; i < 400; ++i) {
    const Particle before = stage.all(0).front();
    stage.step();
    const Particle after = stage.all(0).front();
    EXPECT_LE(after.y, 80.0f) << "never below its floor";
    if (after.vx != before.vx && after.vy < 0.0f) {
      into = before.vy + 10.0f;
      EXPECT_NEAR(after.vy, -0.5f * into, 1e-3f);
      EXPECT_NEAR(after.vx, 0.75f * before.vx, 1e-3f);
      EXPECT_EQ(after.y, 80.0f);
      ++bounces;
    }
  }
  EXPECT_GE(bounces, 3u);
  const Particle rest = stage.all(0).front();
  EXPECT_EQ(rest.vy, 0.0f);
  EXPECT_LT(rest.vx, 0.1f);
  EXPECT_EQ(rest.y, 80.0f);
}

TEST(Floor, RestIsNoHit) {
  EmitterDef def = ParticleTroupe::emitter("stone", 1);
  def.life_s = {30.0f, 30.0f};
  def.lift = {300.0f, 300.0f};
  def.gravity_y = 600.0f;
  def.bounce_on = BounceOn::Floor;
  def.on_hit = "dust";
  EmitterDef dust = ParticleTroupe::emitter("dust", 1);
  dust.life_s = {30.0f, 30.0f};
  ParticleTroupe stage({def, dust});
  stage.burst(0);
  stage.steps_of(300);
  const std::size_t hits = stage.all(1).size();
  EXPECT_TRUE(hits >= 3 && hits <= 12) << hits;
  stage.steps_of(600);
  EXPECT_EQ(stage.all(1).size(), hits);
}

TEST(Floor, NothingFallsThroughWhateverHoldsItBack) {
  for (const float drag : {0.0f, 3.0f, 40.0f}) {
    SCOPED_TRACE(drag);
    EmitterDef def = ParticleTroupe::emitter("stones", 300);
    def.life_s = {9.0f, 9.0f};
    def.speed = {0.0f, 400.0f};
    def.lift = {0.0f, 200.0f};
    def.gravity_y = 500.0f;
    def.drag_per_s = drag;
    def.curl = 40.0f;
    def.bounce_on = BounceOn::Floor;
    ParticleTroupe stage({def});
    stage.burst(0);
    stage.steps_of(500);
    for (const Particle& p : stage.all()) {
      EXPECT_LE(p.y, static_cast<float>(p.floor_y) / 32.0f);
      EXPECT_LT(std::abs(p.vy), 60.0f);
      EXPECT_LT(p.y, 700.0f);
    }
  }
}

TEST(Floor, FarAwayThereIsNone) {
  EmitterDef def = ParticleTroupe::emitter("stone", 1);
  def.gravity_y = 500.0f;
  def.bounce_on = BounceOn::Floor;
  ParticleTroupe stage({def});
  stage.burst(0, 0.0f, 5000.0f);
  stage.burst(0, 0.0f, 1e30f);
  stage.burst(0, 0.0f, -1e30f);
  stage.steps_of(60);
  for (const Particle& p : stage.all()) EXPECT_EQ(p.floor_y, Particle::kNoFloor);
  EXPECT_GT(stage.all().front().y, 5200.0f);
}

TEST(Walls, WhatIsInsideStaysInside) {
  EmitterDef def = ParticleTroupe::emitter("sparks", 500);
  def.life_s = {9.0f, 9.0f};
  def.speed = {100.0f, 4000.0f};
  def.bounce_on = BounceOn::Walls;
  def.bounce = 1.0f;
  def.friction = 0.0f;
  ParticleTroupe stage({def});
  stage.burst(0, 250.0f, 0.0f);
  for (u32 i = 0; i < 300; ++i) {
    stage.step();
    for (const Particle& p : stage.all()) ASSERT_LE(distance(p), kArenaRadius) << i;
  }
  u32 fast = 0;
  for (const Particle& p : stage.all()) fast += length(p.vx, p.vy) > 90.0f ? 1u : 0u;
  EXPECT_EQ(fast, 500u) << "a perfect wall takes no speed";
}

TEST(Walls, ReflectBounceAndFrictionEachOnItsPart) {
  EmitterDef def = ParticleTroupe::emitter("spark", 1);
  def.speed = {600.0f, 600.0f};
  def.spread_turns = 0.0f;
  def.bounce_on = BounceOn::Walls;
  def.bounce = 0.5f;
  def.friction = 0.25f;
  ParticleTroupe stage({def});
  stage.burst(0, 295.0f, 0.0f, 0.125f);  // 45° to the wall
  stage.steps_of(2);
  const Particle p = stage.all().front();
  const float nx = p.x / distance(p), ny = p.y / distance(p);
  const float v = 600.0f * std::sqrt(0.5f);
  const float into = v * nx + v * ny, along = -v * ny + v * nx;
  EXPECT_NEAR(p.vx * nx + p.vy * ny, -0.5f * into, 0.5f);
  EXPECT_NEAR(-p.vx * ny + p.vy * nx, 0.75f * along, 0.5f);
}

TEST(Walls, WhatIsBornOutsidePasses) {
  EmitterDef def = ParticleTroupe::emitter("spark", 1);
  def.speed = {600.0f, 600.0f};
  def.spread_turns = 0.0f;
  def.bounce_on = BounceOn::Both;
  ParticleTroupe stage({def});
  stage.burst(0, 301.0f, 0.0f, 0.0f);
  stage.burst(0, 310.0f, 0.0f, 0.5f);  // inward
  stage.steps_of(31);
  EXPECT_NEAR(stage.all().at(0).x, 601.0f, 0.1f);
  EXPECT_NEAR(stage.all().at(1).x, 10.0f, 0.1f);
}

// ---------------------------------------------------------------------------------------------------- speed curve, pull

TEST(SpeedCurve, ScalesTheMotionAndNotTheVelocity) {
  EmitterDef def = ParticleTroupe::emitter("spark", 1);
  def.life_s = {1.0f, 1.0f};
  def.speed = {120.0f, 120.0f};
  def.spread_turns = 0.0f;
  ParticleTroupe without({def});
  def.speed_curve = {{0.0f, 1.0f}, {1.0f, 1.0f}};
  ParticleTroupe ones({def});
  def.speed_curve = {{0.0f, 0.5f}, {0.5f, 0.5f}, {0.52f, 0.0f}, {1.0f, 0.0f}};
  ParticleTroupe slowed({def});
  for (ParticleTroupe* stage : {&without, &ones, &slowed}) {
    stage->burst(0);
    stage->steps_of(51);
  }
  EXPECT_EQ(without.particles.hash(), ones.particles.hash());
  EXPECT_NEAR(without.all().front().x, 100.0f, 0.1f);
  EXPECT_NEAR(slowed.all().front().x, 31.0f, 1.5f) << "half as far in the first half, then nothing";
  EXPECT_NEAR(slowed.all().front().vx, 120.0f, 1e-3f);
}

TEST(SpeedCurve, TheSnapshotTellsTheMotionThatWas) {
  EmitterDef def = ParticleTroupe::emitter("spark", 1);
  def.speed = {400.0f, 400.0f};
  def.speed_curve = {{0.0f, 3.0f}, {1.0f, 0.0f}};
  for (const frame::ParticleLayer layer : {frame::ParticleLayer::Additive, frame::ParticleLayer::Alpha}) {
    def.layer = layer;
    ParticleTroupe stage({def});
    stage.burst(0, -300.0f);
    stage.step();
    frame::RenderSnapshot snapshot;
    auto shown = [&] {
      stage.particles.build_snapshot(snapshot);
      return layer == frame::ParticleLayer::Alpha ? snapshot.alpha_layer[0] : snapshot.additive_layer[0];
    };
    frame::ParticleInstance before = shown();
    EXPECT_EQ(before.dx, 0);
    EXPECT_EQ(before.dy, 0);
    for (u32 i = 0; i < 60; ++i) {
      stage.step();
      const frame::ParticleInstance now = shown();
      EXPECT_NEAR(now.x - now.dx, before.x, 2) << i;
      EXPECT_NEAR(now.y - now.dy, before.y, 2) << i;
      before = now;
    }
  }
}

TEST(Pull, DrawsToWhereTheEmitterFiredLast) {
  EmitterDef def = ParticleTroupe::emitter("spark", 1);
  def.pull = 200.0f;
  def.drag_per_s = 2.0f;
  def.life_s = {20.0f, 20.0f};
  ParticleTroupe stage({def});
  stage.burst(0, 100.0f, 0.0f);
  stage.step();
  EmitRequest& elsewhere = stage.burst(0, -50.0f, 40.0f);
  elsewhere.count = 0;  // it fires nothing and is there all the same
  stage.steps_of(400);
  EXPECT_LT(distance(stage.all().front(), -50.0f, 40.0f), 20.0f);
  def.pull = -200.0f;
  ParticleTroupe away({def});
  away.burst(0, 5.0f, 0.0f);
  away.burst(0, 0.0f, 0.0f);
  away.steps_of(100);
  EXPECT_GT(away.all().front().x, 60.0f);
}

TEST(Pull, TurnGoesRoundAndGravityIsAsAttractorsHaveIt) {
  EmitterDef def = ParticleTroupe::emitter("spark", 1);
  def.turn = 300.0f;
  ParticleTroupe stage({def});
  stage.burst(0, 100.0f, 0.0f);
  stage.burst(0, 0.0f, 0.0f);
  stage.steps_of(20);
  // As with Attractor::turn: from (100, 0) about the middle, first up (−y).
  EXPECT_LT(stage.all().front().y, -5.0f);
  EXPECT_NEAR(stage.all().front().x, 100.0f, 10.0f);
  EmitterDef still = ParticleTroupe::emitter("spark", 1);
  ParticleTroupe other({still});
  other.burst(0, 100.0f, 0.0f);
  other.step();
  const Attractor attractor{0.0f, 0.0f, 1e6f, 0.0f, 300.0f};
  for (u32 i = 0; i < 19; ++i) other.step({&attractor, 1});
  EXPECT_NEAR(other.all().front().y, stage.all().front().y, 0.5f);
}

TEST(Pull, TheHashKnowsTheOrigin) {
  EmitterDef def = ParticleTroupe::emitter("spark", 1);
  def.pull = 200.0f;
  ParticleTroupe a({def}), b({def});
  a.burst(0);
  b.burst(0);
  a.step();
  b.step();
  EXPECT_EQ(a.particles.hash(), b.particles.hash());
  a.burst(0, 1.0f, 0.0f).count = 0;
  b.burst(0, 2.0f, 0.0f).count = 0;
  a.step();
  b.step();
  EXPECT_NE(a.particles.hash(), b.particles.hash());
}

// ---------------------------------------------------------------------------------------------------- density

TEST(Density, ShowsAStablePartAndChangesNothing) {
  EmitterDef light = ParticleTroupe::emitter("light", 4000), smoke = ParticleTroupe::emitter("smoke", 4000);
  light.speed = smoke.speed = {10.0f, 100.0f};
  smoke.layer = frame::ParticleLayer::Alpha;
  ParticleTroupe stage({light, smoke});
  stage.burst(0);
  stage.burst(1);
  stage.step();
  auto shown = [&](frame::Amount density, bool alpha) {
    frame::RenderSnapshot snapshot;
    const u64 hash = stage.particles.hash();
    stage.particles.build_snapshot(snapshot, density);
    EXPECT_EQ(stage.particles.hash(), hash);
    return static_cast<double>((alpha ? snapshot.alpha_layer : snapshot.additive_layer).size());
  };
  for (const bool alpha : {false, true}) {
    EXPECT_EQ(shown(frame::Amount::Full, alpha), 4000.0);
    EXPECT_NEAR(shown(frame::Amount::Reduced, alpha), 2000.0, 150.0);
    EXPECT_NEAR(shown(frame::Amount::Off, alpha), 500.0, 100.0);
  }
  // The same ones in every strategy and step: a still particle that is shown stays where it is.
  EmitterDef still = ParticleTroupe::emitter("still", 1000);
  still.shape = EmitShape::Disc;
  still.radius = 200.0f;
  auto places = [](ParticleTroupe& s, frame::Amount density) {
    frame::RenderSnapshot snapshot;
    s.particles.build_snapshot(snapshot, density);
    std::set<std::pair<i16, i16>> found;
    for (const frame::ParticleInstance& i : snapshot.additive_layer) found.insert({i.x, i.y});
    return found;
  };
  ParticleTroupe heap({still}, StrategyId::Heap), list({still}, StrategyId::FreeList);
  for (ParticleTroupe* s : {&heap, &list}) {
    s->burst(0);
    s->step();
  }
  const auto half = places(heap, frame::Amount::Reduced), eighth = places(heap, frame::Amount::Off);
  EXPECT_EQ(half, places(list, frame::Amount::Reduced));
  EXPECT_TRUE(std::includes(half.begin(), half.end(), eighth.begin(), eighth.end()));
  heap.steps_of(30);
  EXPECT_EQ(half, places(heap, frame::Amount::Reduced));
}

}  // namespace
}  // namespace spellpool::sim
