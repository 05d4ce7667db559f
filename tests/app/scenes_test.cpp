// What the program does with a scene that is not the spells'.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../support/scratch_folder.hpp"
#include "app/cli/catalog.hpp"
#include "app/play/session.hpp"
#include "app/play/summary.hpp"
#include "tiny_world.hpp"

namespace spellpool::app {
namespace {

using frame::PoolId;
using frame::SceneId;

const std::vector<std::string> kShooterPools = {"particles", "bullets", "shots", "enemies", "pickups", "texts", "chunks"};

struct Scenes : ::testing::Test {
  void SetUp() override {
    ASSERT_EQ(library.load(SPELLPOOL_SOURCE_DIR), "");
    plan.world.scene = SceneId::Shooter;
    plan.world.sizes = frame::default_sizes(SceneId::Shooter);
  }
  Session session() { return Session(plan, library, TinyWorld::make); }
  SpellLibrary library;
  SessionPlan plan;
};

TEST_F(Scenes, AWorldGetsTheUsualChoiceOfEachOfItsPools) {
  const Session played = session();
  const sim::GameWorld& world = played.world();
  EXPECT_EQ(world.pool(PoolId::Particles).stats().capacity, 5'000u);
  EXPECT_EQ(world.pool(PoolId::Bullets).stats().capacity, 1'000u);
  EXPECT_EQ(world.pool(PoolId::Bullets).strategy(), pool::StrategyId::FreeList);
  EXPECT_EQ(world.pool(PoolId::Bullets).policy(), pool::PolicyId::Reject);
  EXPECT_EQ(world.pool(PoolId::Shots).strategy(), pool::StrategyId::Queue);
  EXPECT_EQ(world.pool(PoolId::Chunks).strategy(), pool::StrategyId::Random);
  EXPECT_EQ(world.pool(PoolId::Enemies).policy(), pool::PolicyId::Assert);
  EXPECT_EQ(world.find_pool(PoolId::Seekers), nullptr) << "no pool of this scene";
}

TEST_F(Scenes, SwitchingGoesRoundTheScenesOwnPools) {
  plan.switch_every = 2;
  plan.record_replay = true;
  Session played = session();
  for (int i = 0; i < 3; ++i) played.step({});
  played.settle();
  const std::string text = played.replay_writer()->text();
  for (const std::string& name : kShooterPools) EXPECT_NE(text.find("strategy " + name + " "), std::string::npos) << name;
  EXPECT_EQ(text.find("wisps"), std::string::npos);
  EXPECT_EQ(text.find("seekers"), std::string::npos);
  EXPECT_EQ(played.world().pool(PoolId::Shots).strategy(), pool::StrategyId::Random) << "the one after queue";
}

TEST_F(Scenes, TheScriptedPlayerIsTheWorldsOwn) {
  plan.autoplay = true;
  plan.showcase = 3;  // of the spells' scene: here it means nothing
  Session played = session(), still = session();
  still.set_autoplay(false);
  for (int i = 0; i < 5; ++i) {
    played.step({});
    still.step({});
  }
  EXPECT_NE(played.hash(), still.hash());
}

TEST_F(Scenes, AReplayIsPlayedAndItsHashesAreCompared) {
  plan.autoplay = plan.record_replay = true;
  plan.world.difficulty = frame::Difficulty::Hard;
  Session recorded = session();
  for (int i = 0; i < 200; ++i) recorded.step({});
  recorded.settle();
  const sim::ReplayResult parsed = sim::parse_replay(recorded.replay_writer()->text());
  ASSERT_TRUE(parsed.replay) << parsed.error;
  EXPECT_EQ(parsed.replay->difficulty, frame::Difficulty::Hard);
  EXPECT_EQ(parsed.replay->files, library.files());
  const auto first_difference = [&](u64 at, u64 bits) {
    SessionPlan again;
    again.world = plan.world;
    again.replay = parsed.replay;
    again.replay->hashes[at] ^= bits;
    Session played(again, library, TinyWorld::make);
    while (!played.finished()) played.step({});
    played.settle();
    EXPECT_EQ(played.hash(), recorded.hash());
    return played.first_difference();
  };
  EXPECT_EQ(first_difference(0, 0), std::nullopt);
  EXPECT_EQ(first_difference(100, 1), 100u) << "one of eight bits";
  EXPECT_EQ(first_difference(119, u64{1} << 63), 119u) << "every sixtieth has all";
  EXPECT_EQ(first_difference(199, u64{1} << 40), 199u) << "so has the last";
}

TEST_F(Scenes, TheSummaryTellsOfItsPoolsAndOfNoSpell) {
  plan.world.difficulty = frame::Difficulty::Hard;
  Session played = session();
  EXPECT_EQ(played.config().difficulty, frame::Difficulty::Hard);
  played.step({});
  measure::FrameRecorder recorder(measure::steady_now_ns, 10);
  const auto json = nlohmann::ordered_json::parse(summary_json(played, plan.world, recorder, {}, nullptr));
  std::vector<std::string> names;
  for (const auto& [name, row] : json.at("pools").items()) names.push_back(name);
  EXPECT_EQ(names, kShooterPools);
  EXPECT_EQ(json.at("scene"), "shooter");
  EXPECT_EQ(json.at("difficulty"), "hard");
  EXPECT_FALSE(json.contains("casts"));
  EXPECT_FALSE(json.contains("challenge"));
}

TEST_F(Scenes, CommandsForAnotherScenesPoolAreOneClearLine) {
  const test::ScratchFolder folder;
  const std::string path = (folder / "a.txt").string();
  test::write_file(path, "3 strategy bullets heap\n");
  std::vector<sim::ReplayCommand> script;
  EXPECT_EQ(read_commands(path, SceneId::Shooter, script), "");
  EXPECT_EQ(read_commands(path, SceneId::Spells, script), path + ":1: the scene spells has no pool bullets; there are: particles, seekers, wisps, decals");
}

std::string refusal(std::vector<const char*> words) {
  words.insert(words.begin(), "spellpool");
  const ParseResult result = parse_options(static_cast<int>(words.size()), words.data());
  EXPECT_FALSE(result.options);
  EXPECT_EQ(result.exit_code, 2);
  return result.text;
}

TEST(SceneOptions, APoolOfAnotherSceneIsRefusedByTheOptionsName) {
  EXPECT_EQ(refusal({"--strategy", "bullets=heap", "--scene", "spells"}),
            "spellpool: error: --strategy: the scene spells has no pool bullets; there are: particles, seekers, wisps, decals (see spellpool --help)\n");
  EXPECT_NE(refusal({"--overflow", "shots=reject"}).find("--overflow: the scene spells has no pool shots"), std::string::npos);
  EXPECT_NE(refusal({"--capacity", "chunks=9"}).find("--capacity: the scene spells has no pool chunks"), std::string::npos);
  EXPECT_NE(refusal({"compare", "--capacity", "chunks=9"}).find("--capacity: the scene spells has no pool chunks"), std::string::npos);
  EXPECT_NE(refusal({"--strategy", "bulets=heap"}).find("there is no 'bulets'; there are: particles, seekers, wisps"), std::string::npos);
}

TEST(SceneOptions, WhatOnlyTheOtherSceneHasIsRefused) {
  EXPECT_NE(refusal({"--difficulty", "hard"}).find("--difficulty: the scene spells"), std::string::npos);
  EXPECT_NE(refusal({"--difficulty", "nightmare"}).find("there are: easy, normal, hard, lunatic"), std::string::npos);
  EXPECT_NE(refusal({"--scene", "garden"}).find("--scene: there is no 'garden'"), std::string::npos);
}

TEST(SceneOptions, AStrategyForAllStandsOverEveryPoolsUsualOne) {
  const char* words[] = {"spellpool", "--strategy", "heap"};
  WorldOptions world = parse_options(3, words).options->play.world;
  world.scene = SceneId::Shooter;
  for (const frame::PoolName& pool : frame::pools_of(SceneId::Shooter)) {
    EXPECT_EQ(world.effective_pools()[static_cast<std::size_t>(pool.id)].strategy, pool::StrategyId::Heap) << pool.name;
  }
}

TEST(SceneOptions, TheListHasTheScenesPools) {
  const auto names = [](SceneId scene) {
    std::vector<std::string> found;
    for (const auto& row : nlohmann::ordered_json::parse(list_text("pools", scene, true))) found.push_back(row.at("name"));
    return found;
  };
  EXPECT_EQ(names(SceneId::Spells), (std::vector<std::string>{"particles", "seekers", "wisps", "decals"}));
  EXPECT_EQ(names(SceneId::Shooter), kShooterPools);
}

}  // namespace
}  // namespace spellpool::app
