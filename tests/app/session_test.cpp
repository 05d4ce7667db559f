#include "app/play/session.hpp"

#include <gtest/gtest.h>

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
  SpellLibrary library;
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

}  // namespace
}  // namespace spellpool::app
