// The two worlds of a duet, and what --duet makes of them.
#include "app/paired/duet.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "app/options.hpp"
#include "app/paired/duet_hud.hpp"
#include "app/play/session.hpp"
#include "sim/make_world.hpp"
#include "sim/spells/world.hpp"

namespace spellpool::app {
namespace {

using pool::StrategyId;

sim::WorldConfig game(frame::SceneId scene = frame::SceneId::Spells) {
  static SpellLibrary library;
  if (library.data_dir().empty()) {
    EXPECT_EQ(library.load(SPELLPOOL_SOURCE_DIR), "");
    EXPECT_EQ(library.stages().load(SPELLPOOL_SOURCE_DIR), "");
  }
  WorldOptions options;
  options.scene = scene;
  options.sizes = frame::default_sizes(scene);
  options.seed = 3;
  return world_config(options, library);
}

/// A clock that goes on by a microsecond whenever it is asked.
u64 ticking() {
  static u64 now_ns = 0;
  return now_ns += 1'000;
}

TEST(Duet, BothWorldsPlayTheSameStepsUnderTheirOwnStrategy) {
  for (const frame::SceneId scene : {frame::SceneId::Spells, frame::SceneId::Shooter}) {
    Duet duet(game(scene), {{StrategyId::Heap, StrategyId::Packed}});
    for (const frame::PoolName& pool : frame::pools_of(scene)) {
      EXPECT_EQ(duet.world(0).pool(pool.id).strategy(), StrategyId::Heap);
      EXPECT_EQ(duet.world(1).pool(pool.id).strategy(), StrategyId::Packed);
    }
    for (int i = 0; i < 400; ++i) {
      duet.step(nullptr);
      ASSERT_TRUE(duet.end_step());
    }
    EXPECT_EQ(duet.equal_steps(), 360u);
    EXPECT_TRUE(duet.check());
    EXPECT_EQ(duet.equal_steps(), 400u);
    EXPECT_EQ(duet.world(0).hash(), duet.equal_hash());
    EXPECT_EQ(duet.world(1).hash(), duet.equal_hash());
    EXPECT_EQ(duet.record().steps().size(), 400u);
    EXPECT_GT(duet.world(0).pool(frame::PoolId::Particles).stats().spawned, 100u) << "the scripted player plays";
  }
}

TEST(Duet, ShowsTheAllocationsOfAStepOfBothExactly) {
  Duet duet(game(), {{StrategyId::Heap, StrategyId::FreeList}});
  DuetHud hud({{StrategyId::Heap, StrategyId::FreeList}}, {});
  const auto calls = [&](std::size_t side) {
    u64 sum = 0;
    for (const auto& pool : duet.world(side).pools()) sum += pool->stats().new_calls;
    return sum;
  };
  EXPECT_LT(hud.model(duet, duet.record(), 1).duet->sides[0].calls_a_step, 0) << "not known before a step";
  const std::array<u64, 2> before = {calls(0), calls(1)};
  for (int i = 0; i < 200; ++i) {
    duet.step(nullptr);
    ASSERT_TRUE(duet.end_step());
    const frame::DuetView& view = *hud.model(duet, duet.record(), 1).duet;
    const double steps = static_cast<double>(duet.steps());
    for (std::size_t side = 0; side < 2; ++side) {
      ASSERT_DOUBLE_EQ(view.sides[side].calls_a_step, static_cast<double>(calls(side) - before[side]) / steps);
    }
  }
  const frame::DuetView& view = *hud.model(duet, duet.record(), 1).duet;
  EXPECT_GT(view.sides[0].calls_a_step, 1.0);
  EXPECT_EQ(view.sides[1].calls_a_step, 0.0) << "a pool that does not grow never allocates";
}

TEST(Duet, PlaysWhatTheGameItselfWouldPlay) {
  Duet duet(game(), {{StrategyId::Soa, StrategyId::FreeList}});
  SpellLibrary library;
  ASSERT_EQ(library.load(SPELLPOOL_SOURCE_DIR), "");
  SessionPlan plan;
  plan.world.seed = 3;
  plan.autoplay = true;
  Session session(plan, library);
  for (int i = 0; i < 240; ++i) {
    duet.step(nullptr);
    duet.end_step();
    session.step({});
  }
  EXPECT_EQ(duet.equal_hash(), session.hash());
}

TEST(Duet, BeginsWithThePlayersMomentUnderItsOwnLoad) {
  const sim::WorldConfig played = game();
  const std::unique_ptr<sim::GameWorld> player = sim::make_world(played);
  const std::unique_ptr<sim::ScriptedPlayer> script = player->scripted_player(3);
  for (int i = 0; i < 333; ++i) player->step(script->next(), {});
  const std::unique_ptr<sim::WorldState> moment = player->new_state();
  player->save(*moment);
  const u64 hash = player->hash();
  sim::WorldConfig heavy = played;
  heavy.load.churn = 5;
  heavy.pools[0].capacity = 60'000;
  DuetPlan plan;
  plan.from = moment.get();
  Duet duet(heavy, plan);
  EXPECT_EQ(duet.steps(), 333u);
  EXPECT_EQ(duet.world(0).hash(), hash);
  EXPECT_EQ(duet.world(1).hash(), hash);
  for (int i = 0; i < 100; ++i) {
    duet.step(nullptr);
    ASSERT_TRUE(duet.end_step());
  }
  EXPECT_TRUE(duet.check());
  EXPECT_EQ(duet.world(1).load().churn, 5u);
  EXPECT_EQ(duet.world(1).pool(frame::PoolId::Particles).stats().capacity, 60'000u);
  EXPECT_GT(duet.world(1).pool(frame::PoolId::Particles).stats().live, 9'000u);
  EXPECT_EQ(player->hash(), hash) << "the player's world is as it was";
}

TEST(Duet, StepsInTurnsSoThatNeitherIsAlwaysFirst) {
  Duet duet(game(), {}, ticking);
  std::string order;
  for (int i = 0; i < 8; ++i) {
    duet.step(nullptr);
    order += duet.order()[0] == 0 ? "AB" : "BA";
    EXPECT_EQ(duet.order()[0] + duet.order()[1], 1u);
    duet.end_step();
    EXPECT_EQ(duet.record().steps().back().b_first, duet.order()[0] == 1);
    EXPECT_EQ(duet.record().steps().back().step_us[0], 1.0f) << "one reading before the step, one behind it";
    EXPECT_EQ(duet.record().steps().back().step_us[1], 1.0f);
    EXPECT_TRUE(std::isnan(duet.record().steps().back().draw_us[0])) << "nothing was drawn";
  }
  EXPECT_EQ(order, "ABBABAABABBABAAB");
}

TEST(Duet, WhatDrawingTookGoesToItsSide) {
  Duet duet(game(), {});
  duet.step(nullptr);
  duet.drew(1, 20.0f);
  duet.drew(0, 10.0f);
  duet.end_step();
  EXPECT_EQ(duet.record().steps()[0].draw_us[0], 10.0f);
  EXPECT_EQ(duet.record().steps()[0].draw_us[1], 20.0f);
}

TEST(Duet, APlantedDifferenceIsFoundAtTheNextLook) {
  DuetPlan plan;
  plan.plant_difference = 130;
  Duet duet(game(), plan);
  u64 played = 0;
  for (bool equal = true; equal && played < 400; ++played) {
    duet.step(nullptr);
    equal = duet.end_step();
  }
  EXPECT_EQ(played, 180u);
  EXPECT_EQ(duet.differs_at(), 180u);
  EXPECT_EQ(duet.equal_steps(), 120u);
  EXPECT_FALSE(duet.check());
}

TEST(Duet, AHandPlaysInBothAndTheScriptGoesOnFromThere) {
  Duet by_hand(game(), {}), by_script(game(), {});
  frame::InputFrame walk;
  walk.move_x = 127;
  for (int i = 0; i < 60; ++i) {
    by_hand.step(&walk);
    by_hand.end_step();
    by_script.step(nullptr);
    by_script.end_step();
  }
  EXPECT_GT(by_hand.world(1).spells_world()->mage_x(), 20.0f);
  EXPECT_EQ(by_hand.world(0).spells_world()->mage_x(), by_hand.world(1).spells_world()->mage_x());
  EXPECT_NE(by_hand.equal_hash(), by_script.equal_hash());
  const u64 spawned = by_hand.world(1).pool(frame::PoolId::Particles).stats().spawned;
  for (int i = 0; i < 240; ++i) {
    by_hand.step(nullptr);
    ASSERT_TRUE(by_hand.end_step());
  }
  EXPECT_GT(by_hand.world(1).pool(frame::PoolId::Particles).stats().spawned, spawned + 100) << "the script casts";
}

TEST(Duet, ThePanelsShowTheStepsAsTheyWereMeasuredUpToWhereTheWorldsStand) {
  Duet measured(game(), {}, ticking);
  for (int i = 0; i < 40; ++i) {
    measured.step(nullptr);
    measured.end_step();
  }
  Duet filmed(game(), {});
  DuetHud hud({StrategyId::Heap, StrategyId::FreeList}, {});
  hud.film = true;
  for (u64 i = 1; i <= 40; ++i) {
    filmed.step(nullptr);
    filmed.end_step();
    const frame::DuetView& view = *hud.model(filmed, measured.record(), 1.0f).duet;
    ASSERT_EQ(view.played.size(), i);
    EXPECT_EQ(view.played.back().step_us[0], 1.0f) << "of the pass that was measured";
    EXPECT_EQ(view.steps, i);
  }
}

TEST(Duet, OneStrategyAgainstItselfHasTwoLettersAndTwoColours) {
  const auto same = duet_sides({StrategyId::Heap, StrategyId::Heap});
  EXPECT_EQ(same[0].letter, 'A');
  EXPECT_EQ(same[1].letter, 'B');
  EXPECT_NE(std::tuple(same[0].r, same[0].g, same[0].b), std::tuple(same[1].r, same[1].g, same[1].b));
  const auto two = duet_sides({StrategyId::Heap, StrategyId::FreeList});
  EXPECT_EQ(two[0].letter, 'N');
  EXPECT_EQ(two[1].letter, 'F');
}

ParseResult parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "spellpool");
  return parse_options(static_cast<int>(words.size()), words.data());
}

TEST(DuetOptionsTest, NameTheTwoStrategiesAndAFilm) {
  const ParseResult plain = parsed({"--duet", "heap", "soa", "--seed", "7", "--scene", "shooter"});
  ASSERT_TRUE(plain.options) << plain.text;
  EXPECT_EQ(plain.options->play.duet->a, StrategyId::Heap);
  EXPECT_EQ(plain.options->play.duet->b, StrategyId::Soa);
  EXPECT_FALSE(plain.options->play.headless);
  EXPECT_FALSE(parsed({}).options->play.duet);
  const ParseResult film = parsed({"--duet", "heap", "heap", "--export", "a.MP4", "--heap", "aged_light", "--plant-difference", "9"});
  ASSERT_TRUE(film.options) << film.text;
  EXPECT_TRUE(film.options->play.headless);
  EXPECT_EQ(film.options->play.duet->film, "a.MP4");
  EXPECT_EQ(film.options->play.duet->heap, measure::HeapAge::AgedLight);
  EXPECT_EQ(film.options->play.duet->plant_difference, 9u);
}

TEST(DuetOptionsTest, WhatCannotBeIsOneLineThatSaysSo) {
  const std::pair<std::vector<const char*>, const char*> wrong[] = {
      {{"--duet", "heap", "nope"}, "--duet: there is no 'nope'; there are: heap, free_list"},
      {{"--duet", "heap"}, "--duet"},
      {{"--duet", "heap", "soa", "--strategy", "heap"}, "leave out --strategy"},
      {{"--duet", "heap", "soa", "--record", "a.csv"}, "leave out --record"},
      {{"--duet", "heap", "soa", "--panels", "pool"}, "leave out --panels"},
      {{"--duet", "heap", "soa", "--export", "a.avi"}, "must end in .mp4, .gif or .webp"},
      {{"--duet", "heap", "soa", "--export", "a.mp4", "--sim-only"}, "--export needs drawing"},
      {{"--duet", "heap", "soa", "--scene", "shooter", "--plant-difference", "3"}, "only in the scene spells"},
      {{"--export", "a.mp4"}, "give --duet A B"},
      {{"--plant-difference", "3"}, "--plant-difference is for"},
      {{"--heap", "aged_light"}, "give --duet A B"}};
  for (const auto& [words, line] : wrong) {
    const ParseResult result = parsed(words);
    EXPECT_FALSE(result.options) << line;
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.text.find(line), std::string::npos) << result.text;
    EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), 1) << result.text;
  }
}

}  // namespace
}  // namespace spellpool::app
