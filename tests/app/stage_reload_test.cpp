// Patterns that are saved while the shooter is played: the same game with every storage, and again from its replay.
#include <gtest/gtest.h>

#include <filesystem>

#include "../support/scratch_folder.hpp"
#include "app/play/session.hpp"
#include "played_replay.hpp"

namespace spellpool::app {
namespace {

using frame::SceneId;

constexpr u64 kReload_step = 1'300, kEnd_step = 2'400;
const std::string kFans = "assets/patterns/fans.toml";

struct StageReload : ::testing::Test {
  void SetUp() override {
    ASSERT_EQ(library.load(SPELLPOOL_SOURCE_DIR), "");
    ASSERT_EQ(library.stages().load(SPELLPOOL_SOURCE_DIR), "");
    plan.world.scene = SceneId::Shooter;
    plan.world.sizes = frame::default_sizes(SceneId::Shooter);
    plan.world.difficulty = frame::Difficulty::Hard;
    plan.autoplay = true;
  }
  /// As WindowGame does with a file that was saved.
  static void reload(Session& session, SpellLibrary& library) {
    std::string text = test::read_file(std::string(SPELLPOOL_SOURCE_DIR) + "/" + kFans);
    const auto at = text.find("\ncount");
    ASSERT_NE(at, std::string::npos);
    text.replace(at + 1, text.find('\n', at + 1) - at - 1, "count = 9");
    library.stages().note(kFans, text);
    library.stages().note("assets/patterns/aa.toml", "[[shot]]\nform = \"ring\"\n");  // all rows move
    const StageLibrary::Taken taken = library.stages().take_changes();
    ASSERT_EQ(taken.error, "");
    frame::SimCommand command;
    command.kind = frame::SimCommandKind::SetStage;
    command.patterns = library.stages().patterns();
    command.stage = library.stages().stage();
    session.queue(command, sim::format_texts(taken.texts));
  }
  /// Plays with a reload in the middle of a wave.
  static void play(Session& session, SpellLibrary& library) {
    for (u64 step = 0; step < kEnd_step; ++step) {
      if (step == kReload_step) {
        ASSERT_GT(session.world().pool(frame::PoolId::Bullets).stats().live, 10u);
        ASSERT_GT(session.world().pool(frame::PoolId::Enemies).stats().live, 0u);
        reload(session, library);
      }
      session.step({});
    }
    session.settle();
  }
  std::string recorded() {
    plan.record_replay = true;
    SpellLibrary own = library;
    Session session(plan, own);
    play(session, own);
    return session.replay_writer()->text();
  }
  std::string read(const std::string& text, const std::string& data_dir, sim::Replay& replay, SpellLibrary& read_library) {
    test::write_file(scratch / "a.replay", text);
    script.clear();
    return read_replay((scratch / "a.replay").string(), data_dir, replay, read_library, script);
  }

  SpellLibrary library;
  SessionPlan plan;
  std::vector<sim::ReplayCommand> script;
  test::ScratchFolder scratch;
};

TEST_F(StageReload, InTheMiddleOfAWaveIsTheSameWithEveryStrategy) {
  plan.keep_hashes = true;
  std::string expected;
  u64 fired = 0;
  for (const pool::StrategyRow& strategy : pool::kStrategies) {
    for (sim::PoolChoice& pool : plan.world.pools) pool.strategy = strategy.id;
    SpellLibrary own = library;
    Session session(plan, own);
    play(session, own);
    if (expected.empty()) expected = session.hash_lines();
    fired = session.world().pool(frame::PoolId::Bullets).stats().spawned;
    EXPECT_TRUE(session.hash_lines() == expected) << strategy.name;
  }
  Session without(plan, library);
  for (u64 step = 0; step < kEnd_step; ++step) without.step({});
  without.settle();
  EXPECT_EQ(without.hash_lines().compare(0, kReload_step * 20, expected, 0, kReload_step * 20), 0);  // so long a line is, or longer
  EXPECT_NE(without.world().pool(frame::PoolId::Bullets).stats().spawned, fired) << "the reload must change the game, or nothing is shown";
}

TEST_F(StageReload, IsPlayedAgainFromItsReplayOnTheFilesOfItsStart) {
  const std::string text = recorded();
  sim::Replay replay;
  SpellLibrary from_disk;
  ASSERT_EQ(read(text, SPELLPOOL_SOURCE_DIR, replay, from_disk), "");
  const std::unique_ptr<Session> session = played(replay, script, from_disk);
  EXPECT_EQ(session->first_difference(), std::nullopt);
  EXPECT_EQ(session->world().steps(), kEnd_step);
}

TEST_F(StageReload, AReplayIsRefusedWhereAFileIsNotAsItWasAtTheStart) {
  const std::string text = recorded();
  std::filesystem::create_directories(scratch / "d");
  std::filesystem::copy(std::string(SPELLPOOL_SOURCE_DIR) + "/assets", scratch / "d/assets", std::filesystem::copy_options::recursive);
  const std::string data_dir = (scratch / "d").string();
  sim::Replay replay;
  SpellLibrary other;
  test::write_file(scratch / "d/assets/patterns/zz.toml", "no pattern of that time: it does not count");
  EXPECT_EQ(read(text, data_dir, replay, other), "");
  test::write_file(scratch / ("d/" + kFans), "other");
  const std::string changed = read(text, data_dir, replay, other);
  EXPECT_NE(changed.find("a.replay: it was recorded with another " + kFans + " than the one in " + data_dir), std::string::npos) << changed;
  std::filesystem::remove(scratch / ("d/" + kFans));
  const std::string missing = read(text, data_dir, replay, other);
  EXPECT_NE(missing.find("it needs " + kFans + ", but "), std::string::npos) << missing;
}

TEST_F(StageReload, ABadTextOrPoolInAReplayIsOneLine) {
  const auto spoilt = [&](const std::string& name, const std::string& said, u32 enemies) {
    sim::Replay start;
    start.scene = SceneId::Shooter;
    start.pools = sim::default_choices(start.scene);
    start.pools[static_cast<std::size_t>(frame::PoolId::Enemies)].capacity = enemies;
    start.files = library.files();
    sim::ReplayWriter writer(start);
    frame::SimCommand command;
    command.kind = frame::SimCommandKind::SetStage;
    writer.step({}, 1);
    writer.command(command, sim::format_texts(std::vector<sim::ReplayText>{{name, said}}));
    writer.step({}, 1);
    sim::Replay replay;
    SpellLibrary own;
    return read(writer.text(), SPELLPOOL_SOURCE_DIR, replay, own);
  };
  EXPECT_NE(spoilt(kFans, "count = = 3\n", 200).find("the texts that change at step 1: " + kFans + ":1: "), std::string::npos) << spoilt(kFans, "count = = 3\n", 200);
  EXPECT_NE(spoilt("assets/spells/firebolt.toml", "x", 200).find("step 1: assets/spells/firebolt.toml: neither a pattern nor the stage"), std::string::npos);
  EXPECT_NE(spoilt(kFans, "", 3).find("its pool of enemies holds 3, but the stage night_garden shows up to "), std::string::npos);
}

}  // namespace
}  // namespace spellpool::app
