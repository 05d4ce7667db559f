#include "app/play/session.hpp"

#include <gtest/gtest.h>

#include "../support/scratch_folder.hpp"
#include "content/game/spell_file.hpp"
#include "played_replay.hpp"

namespace spellpool::app {
namespace {

struct SessionTest : ::testing::Test {
  void SetUp() override { ASSERT_EQ(library.load(SPELLPOOL_SOURCE_DIR), ""); }
  frame::SimCommand spell(u8 which) const {
    frame::SimCommand command;
    command.kind = frame::SimCommandKind::SetSpell;
    command.spell = which;
    command.definition = library.spells()[which];
    return command;
  }
  /// With the arena's text in library.arena_text(), or with another.
  frame::SimCommand arena() const {
    frame::SimCommand command;
    command.kind = frame::SimCommandKind::SetArena;
    command.arena = library.arena();
    return command;
  }
  /// The arena's text with three times as much dust.
  std::string more_dust() const {
    std::string text = library.arena_text();
    const std::string rate = "rate_per_s = 14.0";
    EXPECT_NE(text.find(rate), std::string::npos);
    return text.replace(text.find(rate), rate.size(), "rate_per_s = 42.0");
  }
  /// What is said about this replay, which is read without a data folder.
  std::string read(const std::string& text, sim::Replay& replay, SpellLibrary& own) {
    test::write_file(scratch / "a.replay", text);
    return read_replay((scratch / "a.replay").string(), "", replay, own, script);
  }
  /// Plays it to its end: the first step that differs.
  std::optional<u64> differs(const sim::Replay& replay, const SpellLibrary& own) {
    return played(replay, script, own)->first_difference();
  }
  SpellLibrary library;
  std::vector<sim::ReplayCommand> script;
  test::ScratchFolder scratch;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_F(SessionTest, EditsThatWaitWhileItIsPausedAreOneASpell) {
  SessionPlan plan;
  plan.record_replay = true;
  Session session(plan, library);
  frame::SimCommand capacity;
  capacity.kind = frame::SimCommandKind::SetCapacity;
  for (u32 edit = 0; edit < 500; ++edit) {
    session.queue(spell(2), library.texts()[2]);
    session.queue(spell(5), library.texts()[5]);
    capacity.capacity = 1'000 + edit;
    if (edit < 3) session.queue(capacity);
  }
  session.step({});
  session.settle();
  const std::string text = session.replay_writer()->text();
  EXPECT_EQ(count(text, "! 0 spell chain_lightning"), 1u);
  EXPECT_EQ(count(text, "! 0 spell poison_fog"), 1u);
  EXPECT_EQ(count(text, "! 0 capacity"), 3u) << "other commands wait in a row: keys pressed twice count twice";
  session.queue(spell(2), library.texts()[2]);
  session.step({});
  session.settle();
  EXPECT_EQ(count(session.replay_writer()->text(), "! 1 spell chain_lightning"), 1u);
}

/// What both scenes came to when the arena's emitters were still code, and must come to: any strategy,
/// compiler and machine.
TEST_F(SessionTest, NineHundredStepsHaveTheHashesThatTheyAlwaysHad) {
  ASSERT_EQ(library.stages().load(SPELLPOOL_SOURCE_DIR), "");
  for (const auto& [scene, hash] : {std::pair{frame::SceneId::Spells, u64{0xd9776c351954960d}},
                                    std::pair{frame::SceneId::Shooter, u64{0xc6ef110a5ba908d7}}}) {
    SessionPlan plan;
    plan.world.scene = scene;
    plan.world.sizes = frame::default_sizes(scene);
    plan.autoplay = true;
    Session session(plan, library);
    for (int step = 0; step < 900; ++step) session.step({});
    EXPECT_EQ(session.hash(), hash) << frame::row(scene).name << std::hex << ", now 0x" << session.hash();
  }
}

TEST_F(SessionTest, AnArenaThatIsEditedWhileItIsPlayedIsInTheReplay) {
  SessionPlan plan;
  plan.autoplay = plan.record_replay = true;
  ASSERT_EQ(library.update_arena(more_dust()), "");
  Session session(plan, library);
  for (int step = 0; step < 90; ++step) session.step({});
  SpellLibrary shipped;
  ASSERT_EQ(shipped.load(SPELLPOOL_SOURCE_DIR), "");
  frame::SimCommand command = arena();
  session.queue(command, library.arena_text());
  command.arena = shipped.arena();
  session.queue(command, shipped.arena_text());
  for (int step = 0; step < 90; ++step) session.step({});
  session.settle();
  const std::string text = session.replay_writer()->text();
  EXPECT_EQ(count(text, "! 90 arena "), 1u) << "the last of two edits in one step";
  EXPECT_EQ(count(text, "rate_per_s = 42.0"), count(library.arena_text(), "rate_per_s = 42.0"))
      << "the start's";
  sim::Replay replay;
  SpellLibrary own;
  ASSERT_EQ(read(text, replay, own), "");
  EXPECT_EQ(own.arena_text(), library.arena_text());
  EXPECT_EQ(differs(replay, own), std::nullopt);
  EXPECT_TRUE(differs(replay, shipped)) << "the dust must be in the hash, or nothing is shown";
}

TEST_F(SessionTest, AReplayFromBeforeTheArenasFileHasTheEmittersOfTheProgram) {
  SessionPlan plan;
  plan.autoplay = plan.record_replay = true;
  Session session(plan, library);
  for (int step = 0; step < 60; ++step) session.step({});
  session.settle();
  std::string text = session.replay_writer()->text();
  const std::string block =
      "arena " + std::to_string(library.arena_text().size()) + "\n" + library.arena_text() + "\n";
  ASSERT_EQ(count(text, block), 1u);
  text.erase(text.find(block), block.size());
  text.resize(text.rfind("end "));
  const u64 check = sim::replay_checksum(text);
  sim::append_hex16(text += "end ", check);
  text += '\n';
  sim::Replay replay;
  SpellLibrary own;
  ASSERT_EQ(own.load(SPELLPOOL_SOURCE_DIR), "");
  ASSERT_EQ(own.update_arena(more_dust()), "");
  ASSERT_EQ(read(text, replay, own), "");
  EXPECT_TRUE(own.arena_text() == content::builtin_arena());
  EXPECT_EQ(differs(replay, own), std::nullopt);
}

TEST_F(SessionTest, ABadArenaInAReplayIsOneLine) {
  sim::Replay start;
  start.pools = sim::default_choices(start.scene);
  start.spell_texts = library.texts();
  const auto said = [&](const std::string& at_start, const std::string& later) {
    start.arena_text = at_start;
    sim::ReplayWriter writer(start);
    writer.step({}, 1);
    writer.command(arena(), later);
    writer.step({}, 1);
    sim::Replay replay;
    SpellLibrary own;
    return read(writer.text(), replay, own);
  };
  const std::string good = library.arena_text();
  EXPECT_NE(
      said("[emitter.strow]\n", good).find("the text inside it: /assets/arena.toml:1: the arena has no"),
      std::string::npos);
  EXPECT_NE(said(good, "x = 1\n").find("the arena that changes at step 1: assets/arena.toml:1: unknown key"),
            std::string::npos)
      << said(good, "x = 1\n");
}

}  // namespace
}  // namespace spellpool::app
