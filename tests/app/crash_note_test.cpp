// What a game leaves that ends by a failed assertion.
#include "app/play/crash_note.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "../support/scratch_folder.hpp"
#include "app/play/pool_sizes.hpp"

namespace spellpool::app {
namespace {

class CrashNoteDeathTest : public testing::Test {
 protected:
  PlayOptions options(bool records) {
    PlayOptions made;
    made.headless = made.autoplay = true;
    made.world.seed = 31;
    if (records) made.record_input = (scratch_ / "unused.replay").string();
    return made;
  }
  std::filesystem::path recordings() const { return scratch_ / "spellpool" / "recordings"; }

  test::ScratchFolder scratch_;
  test::ScopedVariable data_{"XDG_DATA_HOME", scratch_.path().c_str()};
  SpellLibrary library_;
};

TEST_F(CrashNoteDeathTest, AGameThatAbortsLeavesItsInputsFromTheStartAndTheCommandThatPlaysThem) {
  ASSERT_EQ(library_.load(SPELLPOOL_SOURCE_DIR), "");
  constexpr u64 kSteps = 150;
  EXPECT_EXIT(
      {
        Game game(options(true), library_);
        game.session().keep_history(true);
        const CrashNote note(game);
        for (u64 i = 0; i < kSteps; ++i) {
          game.session().keep_keyframe();
          game.step({});
        }
        std::abort();
      },
      testing::KilledBySignal(SIGABRT), "step 150, the last keyframe is of step 120; to play it from its start: spellpool --input .*crash.replay");
  sim::Replay replay;
  std::vector<sim::ReplayCommand> script;
  SpellLibrary fresh;
  ASSERT_EQ(read_replay((recordings() / "crash.replay").string(), SPELLPOOL_SOURCE_DIR, replay, fresh, script), "");
  EXPECT_EQ(replay.inputs.size(), kSteps);
  SessionPlan plan;
  plan.world = options(false).world;
  plan.script = script;
  plan.replay = std::move(replay);
  Session again(std::move(plan), fresh);
  while (!again.finished()) again.step({});
  again.settle();
  EXPECT_FALSE(again.first_difference());
  EXPECT_NE(test::read_file(recordings() / "crash.txt").find("--input"), std::string::npos);
  // As the note says, with the program itself.
  const std::string program = "'" SPELLPOOL_PROGRAM "' ", data = " --data-dir '" SPELLPOOL_SOURCE_DIR "' >", said = (scratch_ / "said").string();
  const std::string path = "'" + (recordings() / "crash.replay").string() + "'";
  EXPECT_EQ(std::system((program + "--headless --json '" + said + "' --input " + path + data + "/dev/null").c_str()), 0);
  for (const char* line : {"\"compared\": 150", "\"first_difference\": null"}) EXPECT_NE(test::read_file(said).find(line), std::string::npos) << test::read_file(said);
}

/// A world that fails in a step.
TEST_F(CrashNoteDeathTest, TheStepThatFailsHasItsInputToo) {
  ASSERT_EQ(library_.load(SPELLPOOL_SOURCE_DIR), "");
  struct Fails final : frame::PhaseSink {
    void enter(frame::Phase) override { std::abort(); }
  };
  EXPECT_EXIT(
      {
        Game game(options(true), library_);
        const CrashNote note(game);
        for (int i = 0; i < 40; ++i) game.step({});
        Fails fails;
        game.session().step({}, &fails);
      },
      testing::KilledBySignal(SIGABRT), "in or after step 40");
  sim::Replay replay;
  std::vector<sim::ReplayCommand> script;
  ASSERT_EQ(read_replay((recordings() / "crash.replay").string(), SPELLPOOL_SOURCE_DIR, replay, library_, script), "");
  EXPECT_EQ(replay.inputs.size(), 41u);
}

TEST_F(CrashNoteDeathTest, WithoutARecordedReplayThereIsNothingToLeave) {
  if (kKeepsInputs) GTEST_SKIP() << "a build with assertions always records";
  ASSERT_EQ(library_.load(SPELLPOOL_SOURCE_DIR), "");
  EXPECT_EXIT(
      {
        Game game(options(false), library_);
        const CrashNote note(game);
        game.step({});
        std::abort();
      },
      testing::KilledBySignal(SIGABRT), "^$");
  EXPECT_FALSE(std::filesystem::exists(recordings()));
}

}  // namespace
}  // namespace spellpool::app
