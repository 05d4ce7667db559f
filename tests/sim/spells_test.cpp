// The mage and the eight spells, cast by input as a player does.
#include <cmath>
#include <map>
#include <set>

#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using frame::SoundId;
using frame::SpriteKind;
using pool::PolicyId;
using pool::StrategyId;

enum Spell : u8 { kBolt, kNova, kChain, kVortex, kMeteor, kFog, kMotes, kStars };

/// A game with a hand on the controls.
struct Game {
  explicit Game(const WorldConfig& start = config(1, StrategyId::FreeList)) : world(start) {}

  void aim(float x, float y) {
    input.aim_x16 = static_cast<i16>(x * frame::kAimScale);
    input.aim_y16 = static_cast<i16>(y * frame::kAimScale);
  }
  /// At the middle of a dummy (0 … 4) or crystal (5 … 8).
  void aim_at(u32 standing) { aim(world.targets().standing()[standing].x, world.targets().standing()[standing].y - 14.0f); }
  void step(u32 steps = 1) {
    for (u32 i = 0; i < steps; ++i) {
      world.step(input, {});
      for (const auto& event : world.audio_events()) ++sounds[event.sound];
    }
  }
  void cast(u8 spell, float hold_s = 0.0f) {
    input.select_spell = spell;
    step();
    input.buttons = frame::kButtonCast;
    step(1 + static_cast<u32>(hold_s * 60.0f));
    input.buttons = 0;
    const u32 before = sounds[world.spells()[spell]->sound_cast];
    for (u32 i = 0; i < 60 && sounds[world.spells()[spell]->sound_cast] == before; ++i) step();
    EXPECT_EQ(sounds[world.spells()[spell]->sound_cast], before + 1) << "the cast is heard";
  }
  std::vector<frame::SpriteInstance> sprites(SpriteKind kind) {
    std::vector<frame::SpriteInstance> found;
    for (const auto& sprite : world.build_snapshot().sprites) {
      if (sprite.kind == static_cast<u32>(kind)) found.push_back(sprite);
    }
    return found;
  }
  u32 particles_of(u8 spell, std::string_view name) {
    const auto& emitters = world.spells()[spell]->emitters;
    u32 count = 0;
    world.particles().look_at_each([&](ParticleHandle, const Particle& p) {
      const u32 own = static_cast<u32>(p.style) - first_style_of(spell);
      count += p.style >= first_style_of(spell) && own < emitters.size() && emitters[own].name == name ? 1u : 0u;
    });
    return count;
  }
  /// Standing targets that were hit in the last step.
  std::set<u32> flinching() const {
    std::set<u32> hit;
    const auto standing = world.targets().standing();
    for (u32 i = 0; i < standing.size(); ++i) {
      if (standing[i].flash == 1.0f || (standing[i].kind == Standing::Kind::Crystal && standing[i].growth == 0.0f)) hit.insert(i);
    }
    return hit;
  }
  std::set<u32> flinching_within(u32 steps) {
    std::set<u32> all;
    for (u32 i = 0; i < steps; ++i) {
      step();
      for (const u32 target : flinching()) all.insert(target);
    }
    return all;
  }

  World world;
  frame::InputFrame input;
  std::map<SoundId, u32> sounds;
};

WorldConfig with(u8 spell, const std::function<void(frame::SpellDef&)>& change, WorldConfig start = config(1, StrategyId::FreeList)) {
  frame::SpellDef def = *start.spells[spell];
  change(def);
  start.spells[spell] = std::make_shared<frame::SpellDef>(def);
  return start;
}
/// Without wisps in the way: a pool of one, scattered by the first bolt that meets it, is as few as there can be.
WorldConfig few_wisps(WorldConfig start = config(1, StrategyId::FreeList)) {
  start.pools[static_cast<std::size_t>(PoolId::Wisps)].capacity = 1;
  return start;
}

// ---------------------------------------------------------------------------------------------------- the mage

TEST(Mage, ATapCastsWhenTheWindUpEnds) {
  Game game(with(kBolt, [](frame::SpellDef& def) { def.windup_s = 0.1f; }));
  game.aim_at(1);
  game.input.buttons = frame::kButtonCast;
  game.step();
  game.input.buttons = 0;
  EXPECT_GT(game.particles_of(kBolt, "gather"), 0u) << "anticipation";
  game.step(4);
  EXPECT_EQ(game.sounds[SoundId::FireCast], 0u);
  game.step();
  EXPECT_EQ(game.sounds[SoundId::FireCast], 1u) << "a tenth of a second: six steps";
  EXPECT_EQ(game.sprites(SpriteKind::Bolt).size(), 1u);
  EXPECT_FLOAT_EQ(game.world.cooldown(kBolt), 1.0f);
  game.step(8);
  EXPECT_GT(game.particles_of(kBolt, "follow"), 0u) << "follow-through";
}

TEST(Mage, HoldingChargesAndWaitsUntilLetGo) {
  Game game;
  game.aim_at(1);
  game.input.buttons = frame::kButtonCast;
  float last = 0.0f;
  for (u32 i = 0; i < 200; ++i) {
    game.step();
    EXPECT_GE(game.world.charge(), last);
    last = game.world.charge();
  }
  EXPECT_EQ(game.world.charge(), 1.0f);
  EXPECT_EQ(game.sounds[SoundId::ChargeFull], 1u) << "told once";
  EXPECT_EQ(game.sounds[SoundId::FireCast], 0u) << "it waits";
  const auto reticle = game.sprites(SpriteKind::Reticle);
  ASSERT_EQ(reticle.size(), 1u);
  EXPECT_EQ(reticle[0].p1, 1.0f);
  EXPECT_EQ(reticle[0].p2, 1.0f);
  game.input.buttons = 0;
  game.step();
  EXPECT_EQ(game.sounds[SoundId::FireCast], 1u);
  EXPECT_EQ(game.world.charge(), 0.0f);
  game.step(60);
  EXPECT_EQ(game.sounds[SoundId::FireCast], 1u) << "one press, one cast";
}

TEST(Mage, ChargeTakesItsTimeAfterTheWindUp) {
  Game game(with(kBolt, [](frame::SpellDef& def) {
    def.windup_s = 0.1f;
    def.charge_s = 0.5f;
  }));
  game.input.buttons = frame::kButtonCast;
  game.step(6);
  EXPECT_EQ(game.world.charge(), 0.0f);
  game.step(15);
  EXPECT_NEAR(game.world.charge(), 0.5f, 0.04f);
  game.step(14);
  EXPECT_LT(game.world.charge(), 1.0f);
  game.step(2);
  EXPECT_EQ(game.world.charge(), 1.0f);
}

TEST(Mage, RapidCastsAgainAndAgainOncePerCooldown) {
  Game game;
  game.aim(200.0f, 0.0f);
  game.input.buttons = frame::kButtonRapid;
  for (u32 i = 0; i < 120; ++i) {
    game.step();
    EXPECT_EQ(game.world.charge(), 0.0f);
    EXPECT_TRUE(game.world.cooldown(kBolt) >= 0.0f && game.world.cooldown(kBolt) <= 1.0f);
  }
  EXPECT_EQ(game.sounds[SoundId::FireCast], 10u) << "two seconds, one each 0.2 s";
}

TEST(Mage, EverySpellCoolsDownByItself) {
  Game game;
  game.aim(200.0f, 0.0f);
  game.cast(kMeteor);
  EXPECT_GT(game.world.cooldown(kMeteor), 0.9f);
  EXPECT_EQ(game.world.cooldown(kBolt), 0.0f);
  game.cast(kBolt);
  EXPECT_GT(game.world.cooldown(kMeteor), 0.5f) << "still";
  game.input.select_spell = kMeteor;
  game.step();
  game.input.buttons = frame::kButtonCast;
  game.step();
  game.input.buttons = 0;
  game.step(20);
  EXPECT_EQ(game.sounds[SoundId::MeteorCall], 1u) << "a tap that comes much too early is forgotten";
  EXPECT_EQ(game.world.cooldown(200), 0.0f);
}

TEST(Mage, ATapALittleEarlyIsRemembered) {
  Game game;
  game.aim(200.0f, 0.0f);
  game.cast(kBolt);
  game.step(3);
  game.input.buttons = frame::kButtonCast;
  game.step();
  game.input.buttons = 0;
  game.step(12);
  EXPECT_EQ(game.sounds[SoundId::FireCast], 2u);
}

TEST(Mage, WalksEvenlyAndStaysInTheArena) {
  Game game;
  game.input.move_x = 127;
  game.input.move_y = -128;
  game.step(30);
  float x = game.world.mage_x(), y = game.world.mage_y();
  game.step();
  EXPECT_NEAR(std::hypot(game.world.mage_x() - x, game.world.mage_y() - y), 230.0f / 60.0f, 0.02f) << "no faster along the diagonal";
  for (u32 i = 0; i < 400; ++i) {
    game.step();
    ASSERT_LE(std::hypot(game.world.mage_x(), game.world.mage_y()), 262.01f);
  }
  game.input.move_x = game.input.move_y = 0;
  game.step(20);
  x = game.world.mage_x(), y = game.world.mage_y();
  game.step(10);
  EXPECT_EQ(game.world.mage_x(), x) << "he comes to rest";
  EXPECT_EQ(game.world.mage_y(), y);
}

TEST(Mage, WithoutInputNothingIsCast) {
  Game game;
  game.step(120);
  for (const frame::SoundId sound : {SoundId::FireCast, SoundId::SpellSelect, SoundId::ChargeFull}) EXPECT_EQ(game.sounds[sound], 0u);
  EXPECT_EQ(game.world.challenge().combo(), 0u);
}

// ---------------------------------------------------------------------------------------------------- the spells

TEST(Spells, EachMakesParticlesAndHitsWhatItReaches) {
  for (u8 spell = 0; spell < frame::kSpellCount; ++spell) {
    SCOPED_TRACE(small_spells()[spell]->id);
    Game game;
    game.aim_at(1);
    game.step(5);
    const u32 before = game.world.particles().stats().live;
    game.cast(spell, 0.6f);
    u32 most = 0, combo = 0;
    for (u32 i = 0; i < 240; ++i) {
      game.step();
      most = std::max(most, game.world.particles().stats().live);
      combo = std::max(combo, game.world.challenge().combo());
    }
    EXPECT_GT(most, before + 60);
    EXPECT_GT(combo, 0u);
    game.step(400);
    for (const auto& e : game.world.spells()[spell]->emitters) {
      EXPECT_EQ(game.particles_of(spell, e.name), 0u) << e.name << " has an end";
    }
  }
}

TEST(Spells, ChargeMakesMoreOfEach) {
  for (u8 spell = 0; spell < frame::kSpellCount; ++spell) {
    SCOPED_TRACE(small_spells()[spell]->id);
    auto spawned = [&](bool charged) {
      // The wind-up and the staff's charge apart: only what happens from the cast on counts.
      Game game(with(spell, [](frame::SpellDef& def) {
        for (const char* name : {"gather", "charge", "ready", "follow", "cast"}) {
          part(def, name).burst = 0;
          part(def, name).rate_per_s = 0.0f;
        }
      }));
      game.aim(-20.0f, -60.0f);
      game.cast(spell, charged ? 1.0f : 0.0f);
      std::set<u64> seen;
      for (u32 i = 0; i < 240; ++i) {
        game.world.particles().look_at_each([&](ParticleHandle, const Particle& p) {
          if (p.style >= first_style_of(spell) && p.style < first_style_of(spell) + kStylesPerSpell) seen.insert(p.spawn_id);
        });
        game.step();
      }
      return seen.size();
    };
    const std::size_t tap = spawned(false), full = spawned(true);
    EXPECT_GT(tap, 20u);
    EXPECT_GT(full, tap + tap / 3);
  }
}

TEST(Bolt, FliesToItsTargetAndBurstsThere) {
  Game game(few_wisps());
  game.aim_at(1);
  game.cast(kBolt);
  std::set<u32> hit = game.flinching_within(40);
  EXPECT_EQ(hit, std::set<u32>{1});
  EXPECT_EQ(game.sounds[SoundId::FireHit], 1u);
  EXPECT_TRUE(game.sprites(SpriteKind::Bolt).empty());
}

TEST(Bolt, AChargedOneIsBiggerAndHitsHarder) {
  auto health_after = [](float hold_s) {
    Game game(few_wisps());
    game.aim_at(6);
    game.cast(kBolt, hold_s);
    const float size = game.sprites(SpriteKind::Bolt).at(0).size;
    game.step(60);
    return std::pair(game.world.targets().standing()[6].health, size);
  };
  const auto tap = health_after(0.0f), full = health_after(1.0f);
  EXPECT_FLOAT_EQ(tap.first, 4.0f);
  EXPECT_FLOAT_EQ(full.first, 3.0f) << "twice the power";
  EXPECT_NEAR(full.second / tap.second, std::sqrt(2.0f), 0.01f);
}

TEST(Nova, ItsFrontHitsOnceAndFreezesWhatItPasses) {
  Game game(few_wisps());
  game.cast(kNova);
  u32 blows = 0;
  for (u32 i = 0; i < 60; ++i) {
    game.step();
    for (const u32 target : game.flinching()) blows += target == 3 || target == 4 ? 1u : 0u;
  }
  EXPECT_EQ(blows, 2u) << "both dummies below, once each";
  EXPECT_GT(game.world.targets().standing()[3].frost, 0.4f);
  EXPECT_EQ(game.world.targets().standing()[1].frost, 0.0f) << "250 units away";
}

TEST(Chain, LeapsFromTargetToTargetInOneStep) {
  Game game(few_wisps());
  game.aim_at(1);
  game.input.select_spell = kChain;
  game.step();
  game.input.buttons = frame::kButtonCast;
  game.step();
  game.input.buttons = 0;
  std::set<u32> hit;
  for (u32 i = 0; i < 30 && hit.empty(); ++i) {
    game.step();
    hit = game.flinching();
  }
  EXPECT_EQ(hit.count(1), 1u) << "the one aimed at";
  EXPECT_EQ(hit.size(), 4u) << "and three leaps";
  EXPECT_GT(game.particles_of(kChain, "arc"), 30u);
  game.step(8);  // two of them stand still
  const auto arcs = game.sprites(SpriteKind::Arc);
  ASSERT_EQ(arcs.size(), 4u);
  EXPECT_NEAR(arcs[0].p0, game.world.targets().standing()[1].x, 0.1f);
  for (std::size_t i = 1; i < arcs.size(); ++i) {
    EXPECT_EQ(arcs[i].x, arcs[i - 1].p0) << "each starts where the last ended";
    EXPECT_LE(arcs[i].p2, arcs[i - 1].p2);
    EXPECT_LE(std::hypot(arcs[i].p0 - arcs[i].x, arcs[i].p1 - arcs[i].y), 180.0f) << "no farther than its leap";
  }
  game.step(60);
  EXPECT_TRUE(game.sprites(SpriteKind::Arc).empty());
}

TEST(Chain, WithNothingInReachItStrikesTowardTheAim) {
  Game game(with(kChain, [](frame::SpellDef& def) { def.radius = 40.0f; }, few_wisps()));
  game.aim(0.0f, 250.0f);
  game.cast(kChain);
  const auto arcs = game.sprites(SpriteKind::Arc);
  ASSERT_EQ(arcs.size(), 1u);
  EXPECT_NEAR(std::hypot(arcs[0].p0 - arcs[0].x, arcs[0].p1 - arcs[0].y), 40.0f, 0.1f);
  EXPECT_GT(arcs[0].p1, arcs[0].y);
  EXPECT_EQ(game.world.challenge().combo(), 0u);
}

TEST(Vortex, DrawsInWhatIsNearAndStrikesOnceABeat) {
  Game game(few_wisps());
  game.aim(-120.0f, -60.0f);
  game.cast(kVortex);
  u32 blows = 0;
  float inward = 0.0f;
  u32 near = 0;
  for (u32 i = 0; i < 90; ++i) {
    game.step();
    blows += static_cast<u32>(game.flinching().count(0));
    if (i != 60) continue;
    game.world.particles().look_at_each([&](ParticleHandle, const Particle& p) {
      const float dx = -120.0f - p.x, dy = -60.0f - p.y, d = std::hypot(dx, dy);
      if (d > 180.0f || d < 40.0f) return;
      inward += (p.vx * dx + p.vy * dy) / d;
      ++near;
    });
  }
  EXPECT_EQ(blows, 4u) << "a second and a half, every 0.4 s";
  ASSERT_GT(near, 50u);
  EXPECT_GT(inward / static_cast<float>(near), 20.0f) << "units/s toward its eye, on average";
  EXPECT_LT(game.world.targets().standing()[0].health, 5.1f);
  EXPECT_GT(game.world.build_snapshot().time_s, 0.0f);
  game.step(30);
  EXPECT_TRUE(game.sprites(SpriteKind::VortexCore).empty());
  EXPECT_EQ(game.world.build_snapshot().vortex_strength, 0.0f);
}

TEST(Meteor, TellsWhereItFallsThenStrikesAndItsRingRunsOut) {
  Game game(few_wisps());
  game.aim(0.0f, -170.0f);
  game.cast(kMeteor);
  ASSERT_EQ(game.sprites(SpriteKind::Mark).size(), 1u);
  EXPECT_TRUE(game.sprites(SpriteKind::Meteor).empty()) << "first the mark";
  const u32 fall = static_cast<u32>((Meteors::kCall_s + Meteors::kFall_s) * 60.0f);
  float last_y = -1e9f, last_time = -1.0f;
  std::set<u32> early, late;
  std::vector<u32> order;
  for (u32 i = 0; i < fall + 50; ++i) {
    game.step();
    for (const auto& rock : game.sprites(SpriteKind::Meteor)) {
      EXPECT_GT(rock.y, last_y) << "down";
      last_y = rock.y;
    }
    for (const auto& mark : game.sprites(SpriteKind::Mark)) {
      EXPECT_GE(mark.p1, last_time);
      last_time = mark.p1;
    }
    for (const u32 target : game.flinching()) {
      if (i + 3 < fall) early.insert(target);
      if (late.insert(target).second) order.push_back(target);
    }
  }
  EXPECT_TRUE(early.empty());
  ASSERT_GE(order.size(), 3u);
  EXPECT_EQ(order[0], 1u) << "the dummy beneath it first, then the crystals beside";
  EXPECT_TRUE(late.count(6) && late.count(7));
  EXPECT_FALSE(late.count(3)) << "far away";
  EXPECT_EQ(game.sounds[SoundId::MeteorImpact], 1u);
  EXPECT_GT(game.sounds[SoundId::StoneBounce], 1u);
  EXPECT_GT(game.particles_of(kMeteor, "stones") + game.particles_of(kMeteor, "wake") + game.particles_of(kMeteor, "ring"), 0u);
}

TEST(Fog, CreepsTowardTheNearestTargetAndPoisonsIt) {
  Game game(with(kFog, [](frame::SpellDef& def) { def.radius = 61.0f; }, few_wisps()));
  game.aim(-100.0f, 90.0f);  // 75 from the dummy's middle: it must creep
  game.cast(kFog);
  std::vector<float> first, last;
  bool poisoned = false;
  u32 beats = 0;
  for (u32 i = 0; i < 170; ++i) {
    game.step();
    poisoned = poisoned || game.world.targets().standing()[3].poison == 1.0f;
    beats += static_cast<u32>(game.flinching().count(3));
    if (i == 2 || i == 169) {
      // Its light lies where it is.
      for (const auto& light : game.world.build_snapshot().lights) {
        if (std::abs(light.radius - 91.5f) < 0.01f) (i == 2 ? first : last) = {light.x, light.y};
      }
    }
  }
  EXPECT_TRUE(poisoned);
  EXPECT_GE(beats, 4u);
  EXPECT_LE(beats, 7u) << "once each 0.4 s";
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(last.size(), 2u);
  EXPECT_LT(std::hypot(last[0] + 150.0f, last[1] - 134.0f), std::hypot(first[0] + 150.0f, first[1] - 134.0f) - 25.0f);
  bool green = false;
  for (const auto& dummy : game.sprites(SpriteKind::Dummy)) green = green || dummy.r < 0.9f;
  EXPECT_TRUE(green) << "one can see it";
}

TEST(Motes, MakeShatteredCrystalsWholeAndFollowTheMage) {
  auto steps_to_whole = [](bool heal) {
    Game game(with(kBolt, [](frame::SpellDef& def) { def.power = 50.0f; }, few_wisps()));
    game.input.move_x = 127;
    game.aim_at(8);
    game.step(60);
    game.input.move_x = 0;
    game.cast(kBolt);
    u32 i = 0;
    while (game.world.targets().standing()[8].growth > 0.1f && i++ < 100) game.step();
    EXPECT_LT(i, 100u) << "shattered";
    if (heal) game.cast(kMotes);
    u32 steps = 0;
    while (game.world.targets().standing()[8].growth < 1.0f && steps < 400) {
      game.step();
      ++steps;
    }
    return steps;
  };
  EXPECT_LT(steps_to_whole(true) * 2, steps_to_whole(false));

  Game game;
  game.cast(kMotes);
  game.input.move_x = -127;
  game.step(40);
  const auto aura = game.sprites(SpriteKind::Aura);
  ASSERT_EQ(aura.size(), 1u);
  EXPECT_NEAR(aura[0].x, game.world.mage_x(), 25.0f);
  EXPECT_LT(aura[0].x, -60.0f);
}

TEST(Motes, SendTheirSparksOneByOneAndEachScattersAWisp) {
  Game game;
  game.cast(kMotes);
  u32 scattered = 0;
  u64 last = game.world.pool(PoolId::Seekers).stats().spawned;
  for (u32 i = 0; i < 420; ++i) {
    game.step();
    const u64 now = game.world.pool(PoolId::Seekers).stats().spawned;
    EXPECT_LE(now - last, 1u);
    last = now;
    if (i % 20 == 0 && game.world.pool(PoolId::Seekers).stats().live > 0) {
      EXPECT_EQ(game.sprites(SpriteKind::Seeker).size(), game.world.pool(PoolId::Seekers).stats().live);
    }
  }
  scattered = game.sounds[SoundId::WispScatter];
  EXPECT_EQ(last, 4u) << "as many as the spell says";
  EXPECT_GE(scattered, 3u);
  EXPECT_LE(scattered, 4u);
  EXPECT_EQ(game.world.pool(PoolId::Seekers).stats().live, 0u);
  EXPECT_EQ(game.world.pool(PoolId::Seekers).stats().released, 4u);
}

TEST(Starfall, ItsStarsLandWithinTheCircleAndStrike) {
  Game game(few_wisps());
  game.aim_at(1);
  game.cast(kStars);
  u32 most = 0;
  std::set<std::pair<float, float>> places;
  std::set<u32> hit;
  for (u32 i = 0; i < 150; ++i) {
    game.step();
    for (const auto& mark : game.sprites(SpriteKind::Mark)) {
      places.insert({mark.x, mark.y});
      EXPECT_LE(std::hypot(mark.x, mark.y + 204.0f), 130.1f);
    }
    most = std::max(most, static_cast<u32>(game.sprites(SpriteKind::Star).size()));
    for (const u32 target : game.flinching()) hit.insert(target);
  }
  EXPECT_EQ(places.size(), 14u) << "each in its own place";
  EXPECT_GT(most, 2u);
  EXPECT_EQ(game.sounds[SoundId::StarLand], 14u);
  EXPECT_FALSE(hit.empty());
  game.step(40);
  EXPECT_TRUE(game.sprites(SpriteKind::Mark).empty());
}

TEST(Starfall, EveryCastFallsElsewhere) {
  Game game;
  game.aim(0.0f, -100.0f);
  auto places = [&] {
    std::set<std::pair<float, float>> all;
    game.cast(kStars);
    for (u32 i = 0; i < 150; ++i) {
      game.step();
      for (const auto& mark : game.sprites(SpriteKind::Mark)) all.insert({mark.x, mark.y});
    }
    return all;
  };
  const auto first = places();
  EXPECT_NE(first, places());
}

TEST(Spells, CastWithoutPauseTheyStayWithinTheirBounds) {
  WorldConfig start = config(3, StrategyId::FreeList);
  for (auto& spell : start.spells) {
    frame::SpellDef def = *spell;
    def.cooldown_s = def.windup_s = 0.0f;
    def.duration_s = 20.0f;
    def.count = 100'000;
    def.charged = 4.0f;
    spell = std::make_shared<frame::SpellDef>(def);
  }
  Game game(start);
  game.input.buttons = frame::kButtonRapid;
  for (u32 i = 0; i < 480; ++i) {
    game.input.select_spell = static_cast<u8>(i / 60);
    game.aim(static_cast<float>(i % 200) - 100.0f, -80.0f);
    game.step();
    const auto& snapshot = game.world.build_snapshot();
    ASSERT_LE(snapshot.sprites.size(), Canvas::kMostSprites);
    ASSERT_LE(snapshot.lights.size(), Canvas::kMostLights);
  }
  EXPECT_LE(game.world.pool(PoolId::Seekers).stats().peak, 64u);
  EXPECT_GT(game.world.pool(PoolId::Seekers).stats().rejected, 0u);
}

// ---------------------------------------------------------------------------------------------------- what a
// cast looks like

TEST(Spells, OnlyAFullyChargedOneHasItsOwnEmitters) {
  for (u8 spell = kBolt; spell <= kStars; ++spell) {
    const bool has_halo = spell == kMeteor || spell == kFog || spell == kMotes || spell == kStars;
    for (const float hold_s : {0.0f, 0.3f, 1.0f}) {
      Game game(with(
          spell,
          [](frame::SpellDef& def) {
            def.charged = 2.0f;
            def.emitters.push_back(emitter("full", 50));
            def.emitters.push_back(emitter("halo", 0, 120.0f));
          },
          few_wisps()));
      game.aim_at(0);
      game.cast(spell, hold_s);
      u32 full = 0, halo = 0;
      for (u32 i = 0; i < 150; ++i) {
        game.step();
        full = std::max(full, game.particles_of(spell, "full"));
        halo = std::max(halo, game.particles_of(spell, "halo"));
      }
      EXPECT_EQ(full > 0, hold_s == 1.0f) << int{spell} << ", held " << hold_s << " s";
      EXPECT_EQ(halo > 0, has_halo && hold_s == 1.0f) << int{spell} << ", held " << hold_s << " s";
    }
  }
}

/// A bolt at the upper dummy, until it strikes; the mage walks to the right.
void strike_while_walking(Game& game, float hold_s = 0.0f) {
  game.aim_at(0);
  game.cast(kBolt, hold_s);
  game.input.move_x = 127;
  for (u32 i = 0; i < 120 && game.flinching().empty(); ++i) game.step();
  ASSERT_EQ(game.flinching(), std::set<u32>{0});
}

TEST(HitStop, AHeavyBlowHoldsMageAndTargetsWhileSparksFly) {
  for (const float hold_s : {0.0f, 1.0f}) {
    Game game(few_wisps());
    strike_while_walking(game, hold_s);
    const u32 stopped = hold_s > 0.0f ? 3 : 2;
    for (u32 i = 0; i < stopped; ++i) {
      const float x = game.world.mage_x(), sway = game.world.targets().standing()[0].sway;
      std::map<u64, float> before;
      game.world.particles().look_at_each(
          [&](ParticleHandle, const Particle& p) { before[p.spawn_id] = p.x + p.y; });
      game.step();
      EXPECT_EQ(game.world.mage_x(), x) << "step " << i;
      EXPECT_EQ(game.world.targets().standing()[0].sway, sway) << "step " << i;
      u32 moved = 0;
      game.world.particles().look_at_each([&](ParticleHandle, const Particle& p) {
        moved += before.count(p.spawn_id) && before[p.spawn_id] != p.x + p.y;
      });
      EXPECT_GT(moved, 20u);
      for (const frame::SpriteInstance& mage : game.sprites(SpriteKind::Mage))
        EXPECT_EQ(mage.x, mage.previous_x) << "no shiver";
    }
    const float x = game.world.mage_x();
    game.step();
    EXPECT_GT(game.world.mage_x(), x);
  }
}

TEST(HitStop, DoesNotHappenWhereTheInputSaysSo) {
  Game game(few_wisps());
  strike_while_walking(game);
  game.input.buttons = frame::kButtonNoHitStop;
  for (u32 i = 0; i < 4; ++i) {
    const float x = game.world.mage_x();
    game.step();
    EXPECT_GT(game.world.mage_x(), x) << "step " << i;
  }
}

TEST(HitStop, APressDuringItIsNotLost) {
  Game game(few_wisps());
  strike_while_walking(game);
  game.input.select_spell = kNova;
  game.input.buttons = frame::kButtonCast;
  game.step();
  game.input.select_spell = frame::InputFrame::kKeepSpell;
  game.input.buttons = 0;
  game.step(30);
  EXPECT_EQ(game.world.selected_spell(), kNova);
  EXPECT_EQ(game.world.casts(kNova).casts, 1u);
}

TEST(HitStop, ComesAtMostOnceInAWhile) {
  HitStop stop;
  u32 stopped = 0;
  for (u32 step = 0; step < 600; ++step) {
    stopped += stop.step(true);
    stop.ask(9);
  }
  EXPECT_LE(stopped, HitStop::kMost_steps * (600 / HitStop::kRest_steps));
  EXPECT_GE(stopped, HitStop::kMost_steps * (600 / HitStop::kRest_steps) - HitStop::kMost_steps);
}

TEST(HitNumbers, SayTheDamageWhereItWasTakenAndFade) {
  Game game(few_wisps());
  strike_while_walking(game);
  game.world.build_snapshot();
  const auto shown = game.world.hit_numbers();
  ASSERT_EQ(shown.size(), 1u);
  const Standing& dummy = game.world.targets().standing()[0];
  EXPECT_EQ(shown[0].value,
            static_cast<u32>(game.world.spells()[kBolt]->power * Effects::kNumberUnit + 0.5f));
  EXPECT_NEAR(shown[0].x + game.world.camera_x(), dummy.x, 1.0f);
  EXPECT_NEAR(shown[0].y + game.world.camera_y(), dummy.y, 40.0f);
  float last = shown[0].age;
  for (u32 i = 0; i < 53; ++i) {
    game.step();
    const auto now = game.world.hit_numbers();
    ASSERT_EQ(now.size(), 1u) << i;
    EXPECT_GT(now[0].age, last);
    EXPECT_LE(now[0].age, 1.0f);
    last = now[0].age;
  }
  game.step(3);
  EXPECT_TRUE(game.world.hit_numbers().empty());
}

TEST(HitNumbers, OfOneMomentAreOneAndTheyAreNeverTooMany) {
  Effects effects(1);
  effects.number(10.0f, 0.0f, 1.0f, 1, 1, 1);
  effects.number(14.0f, 3.0f, 0.5f, 1, 1, 1);
  effects.number(90.0f, 0.0f, 2.0f, 1, 1, 1);
  std::array<frame::HitNumber, 64> shown;
  ASSERT_EQ(effects.show_numbers(shown), 2u);
  EXPECT_EQ(shown[0].value, 15u);
  EXPECT_EQ(shown[1].value, 20u);
  for (u32 i = 0; i < 200; ++i) effects.number(static_cast<float>(i) * 50.0f, 0.0f, 1.0f, 1, 1, 1);
  EXPECT_EQ(effects.show_numbers(shown), Effects::kMostNumbers);
}

TEST(Finale, ManyHitsLightTheRunesAndThePillars) {
  Game game(with(kBolt, [](frame::SpellDef& def) {
    def.cooldown_s = 0.1f;
    def.emitters.clear();
  }));
  game.aim_at(1);
  game.input.buttons = frame::kButtonRapid;
  float most_lit = 0.0f, most_finale = 0.0f;
  std::size_t pillars = 0;
  for (u32 i = 0; i < 3000 && pillars < 12; ++i) {
    constexpr std::array<u8, 4> kTurns = {kBolt, kChain, kFog, kStars};
    game.input.select_spell = i % 60 == 0 ? kTurns[i / 60 % 4] : frame::InputFrame::kKeepSpell;
    game.step();
    const auto& snapshot = game.world.build_snapshot();
    most_lit = std::max(most_lit, snapshot.runes_lit);
    most_finale = std::max(most_finale, snapshot.finale);
    pillars = std::max(pillars, game.sprites(SpriteKind::Pillar).size());
  }
  EXPECT_GT(most_lit, 11.0f);
  EXPECT_GT(most_finale, 0.3f);
  EXPECT_EQ(pillars, 12u);
}

TEST(Finale, TheChallengeButtonStartsTheCountdownOnce) {
  Game game;
  game.input.buttons = frame::kButtonChallenge;
  game.step(10);
  EXPECT_EQ(game.world.challenge().view().phase, frame::ChallengeView::Phase::Countdown) << "held down counts once";
}

}  // namespace
}  // namespace spellpool::sim
