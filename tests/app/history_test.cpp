// A game that is turned back: every step is what it was, and what is played on is a game like any other.
#include "app/replay/history.hpp"

#include "../support/until.hpp"
#include "app/scene_hooks.hpp"
#include "core/rng.hpp"
#include "live_memory.hpp"
#include "measure/record/allocation_counter.hpp"
#include "scene_test.hpp"

namespace spellpool::app {
namespace {

/// As frames do.
void play_on(Session& session, int steps) {
  for (int i = 0; i < steps; ++i) {
    session.keep_keyframe();
    session.step({});
  }
}

class TurnedBack : public SceneTest {
 protected:
  void SetUp() override {
    SceneTest::SetUp();
    plan_.world.seed = 11;
    plan_.autoplay = true;
  }
  static frame::SimCommand command(frame::SimCommandKind kind, u32 number, u8 choice = 0) {
    frame::SimCommand made;
    made.kind = kind;
    made.pool = frame::PoolId::Particles;
    made.capacity = number;
    made.choice = choice;
    return made;
  }
  /// Plays on, with commands of every kind now and then.
  void play(Session& session, u64 steps) {
    using Kind = frame::SimCommandKind;
    for (u64 end = session.world().steps() + steps; session.world().steps() < end;) {
      const u64 step = session.world().steps();
      if (step % 97 == 40) session.queue(command(Kind::SetStrategy, 0, static_cast<u8>(step % pool::kStrategyCount)));
      if (step % 113 == 50) session.queue(command(Kind::SetCapacity, 2'000 + static_cast<u32>(step % 500)));
      if (step % 151 == 60) session.queue(command(Kind::SetLoad, 1 + static_cast<u32>(step % 4)));
      if (step % 211 == 70) session.queue(command(Kind::SetPolicy, 0, static_cast<u8>(step % 2)));
      play_on(session, 1);
      hashes_.resize(session.world().steps());
      hashes_.back() = session.hash();
    }
  }
  void expect_at(const Session& session, u64 step) {
    ASSERT_EQ(session.world().steps(), step);
    ASSERT_TRUE(step == 0 || session.hash() == hashes_[step - 1]) << "after step " << step;
  }

  std::vector<u64> hashes_;
};

TEST_P(TurnedBack, StepForStepForwardAndToAnyOther) {
  Session session(plan_, library_);
  session.keep_history(true);
  play(session, 500);
  ASSERT_EQ(session.history()->first(), 0u);
  for (u64 step = 500; step-- > 380;) {
    session.turn_back(step);
    expect_at(session, step);
  }
  Rng rng(3);
  for (int i = 0; i < 60; ++i) {
    const u64 step = rng.below(501);
    session.turn_back(step);
    expect_at(session, step);
  }
}

/// Backward and on, a little further each time: the hashes of what came of it are those of a straight run with the same inputs, and
/// the second half takes no more memory than the first.
TEST_P(TurnedBack, AThousandTimesAndPlayedOn) {
  plan_.record_replay = plan_.keep_hashes = true;
  Session session(plan_, library_);
  session.keep_history(true);
  hashes_.reserve(10'000);
  play(session, 90);
  Rng rng(5);
  std::size_t most_before = 0, most_after = 0;  // beside the keyframes, whose number and size are the history's
  for (int i = 0; i < 1'000; ++i) {
    const u64 now = session.world().steps(), first = *session.history()->first();
    const u64 step = now - rng.below(static_cast<u32>(std::min<u64>(now - first, 22)) + 1);
    session.turn_back(step);
    expect_at(session, step);
    play(session, rng.below(30) + 1);  // by a scripted player who has moved on meanwhile: another game from here
    std::size_t& most = i < 500 ? most_before : most_after;
    most = std::max(most, live_bytes() - std::min(live_bytes(), session.history()->bytes()));
    EXPECT_LE(session.history()->bytes(), std::size_t{64} << 20);
  }
  EXPECT_GT(session.world().steps(), 3'700u) << "longer than the history";
  EXPECT_LE(most_after, most_before + (std::size_t{2} << 20)) << "bytes beside the keyframes";
  SessionPlan again = replay_of(session);
  ASSERT_TRUE(again.replay);
  again.keep_hashes = true;
  Session straight(again, library_);
  while (!straight.finished()) straight.step({});
  straight.settle();
  EXPECT_FALSE(straight.first_difference());
  EXPECT_EQ(straight.hash_lines(), session.hash_lines());
}

TEST_P(TurnedBack, ItsReplayIsTheGameThatCameOfIt) {
  plan_.record_replay = plan_.keep_hashes = true;
  Session session(plan_, library_);
  session.keep_history(true);
  play(session, 300);
  session.turn_back(133);
  play(session, 100);
  session.turn_back(201);
  session.turn_back(180);
  play(session, 77);
  SessionPlan again = replay_of(session);
  ASSERT_TRUE(again.replay);
  ASSERT_EQ(again.replay->inputs.size(), 257u);
  again.keep_hashes = true;
  Session played(again, library_);
  while (!played.finished()) played.step({});
  played.settle();
  EXPECT_FALSE(played.first_difference()) << *played.first_difference();
  EXPECT_EQ(played.hash_lines(), session.hash_lines());
}

TEST_P(TurnedBack, ReachesAMinuteAndNoFurther) {
  Session session(plan_, library_);
  session.keep_history(true);
  play(session, 4'000);
  const History& history = *session.history();
  EXPECT_LE(*history.first(), 400u);
  EXPECT_GE(*history.first(), 4'000u - 3'600u - 30u);
  EXPECT_LE(history.bytes(), std::size_t{64} << 20);
  session.turn_back(*history.first());
  expect_at(session, *history.first());
  session.turn_back(4'000);
  expect_at(session, 4'000);
}

/// Once the states between two keyframes have held the largest worlds on the way, no step backward or forward takes memory.
TEST_P(TurnedBack, StepsBackwardAllocateNothingInAPooledMode) {
  for (const pool::StrategyId strategy : {pool::StrategyId::FreeList, pool::StrategyId::Bitmap, pool::StrategyId::Dense, pool::StrategyId::Packed, pool::StrategyId::Queue}) {
    for (sim::PoolChoice& pool : plan_.world.pools) pool.strategy = strategy;
    Session session(plan_, library_);
    session.keep_history(true);
    play_on(session, 700);
    const auto back_and_forth = [&] {
      for (u64 step = 700; step > 300;) session.turn_back(--step);
      for (u64 step = 300; step < 700;) session.turn_back(++step);
    };
    back_and_forth();
    const u64 before = measure::thread_allocations().new_calls;
    back_and_forth();
    EXPECT_EQ(measure::thread_allocations().new_calls, before) << static_cast<int>(strategy);
    EXPECT_GT(before, 0u) << "nothing is counted here";
  }
}

TEST_P(TurnedBack, AReplayJumpsToTheKeyframeBeforeItsTarget) {
  plan_.record_replay = true;
  Session recorded(plan_, library_);
  play(recorded, 900);
  Session session(replay_of(recorded), library_);
  session.index_replay();
  while (!session.finished()) play_on(session, 1);
  for (const u64 target : {u64{700}, u64{310}, u64{149}, u64{890}, u64{0}, u64{600}}) {
    const bool back = target < session.world().steps();
    ASSERT_TRUE(session.jump(target) || !back);
    ASSERT_LE(session.world().steps(), target);
    ASSERT_LT(target - session.world().steps(), 150u);
    while (session.world().steps() < target) play_on(session, 1);
    expect_at(session, target);
  }
  while (!session.finished()) session.step({});
  session.settle();
  EXPECT_FALSE(session.first_difference());
}

TEST_P(TurnedBack, AReplayIndexedInTheBackgroundIsSoughtWithoutPlayingIt) {
  plan_.record_replay = true;
  plan_.world.difficulty = frame::Difficulty::Lunatic;
  Session recorded(plan_, library_);
  play(recorded, 2'000);
  Session session(replay_of(recorded), library_), watched(replay_of(recorded), library_);
  session.index_replay(true);
  ReplayIndexer& indexer = *session.indexer();
  ASSERT_TRUE(test::until([&] { return indexer.done(); }));
  EXPECT_EQ(session.world().steps(), 0u) << "the world that is watched stands";
  for (const u64 target : {u64{1'700}, u64{1'310}, u64{149}, u64{1'999}, u64{0}, u64{600}, u64{1'120}}) {
    session.jump(target);
    ASSERT_LE(session.world().steps(), target);
    ASSERT_LT(target - session.world().steps(), session.replay_index().every_steps());
    while (session.world().steps() < target) play_on(session, 1);
    expect_at(session, target);
  }
  // Its marks are those of a replay that is watched from its first step to its last.
  ReplayMarks marks;
  while (!watched.finished()) {
    watched.step({});
    if (const frame::ShooterView* view = watched.world().shooter_view()) marks.note(watched.world().steps(), *view);
  }
  std::vector<frame::ReplayMark> found;
  indexer.copy_marks(found);
  EXPECT_TRUE(std::ranges::equal(found, marks.all(), [](const auto& a, const auto& b) { return a.step == b.step && a.kind == b.kind; }));
}

TEST_P(TurnedBack, TheBackgroundWaitsWhileItIsHeldAndEndsWithItsSession) {
  plan_.record_replay = true;
  Session recorded(plan_, library_);
  for (int i = 0; i < 20'000; ++i) recorded.step({});
  const SessionPlan plan = replay_of(recorded);
  {
    Session session(plan, library_);
    session.index_replay(true);
    ReplayIndexer& indexer = *session.indexer();
    indexer.hold(true);
    ASSERT_TRUE(test::until([&] { return indexer.rests(); }));
    const u64 reached = indexer.reached();
    play_on(session, 300);  // Nothing that the game does meanwhile sets it going.
    EXPECT_EQ(indexer.reached(), reached);
    EXPECT_TRUE(indexer.rests());
    EXPECT_FALSE(indexer.done());
    // What it has made is used while it goes on: jumps and steps beside it.
    indexer.hold(false);
    Rng rng(9);
    while (!indexer.done() && indexer.reached() < 3'000) {
      const u64 target = rng.below(2'000);
      session.jump(target);
      for (int i = 0; i < 20; ++i) session.step({});
      session.settle();
      ASSERT_FALSE(session.first_difference());
    }
  }
  Session ended(plan, library_);
  ended.index_replay(true);
}

TEST_P(TurnedBack, AForgetfulConstructorStaysAsItIsNow) {
  if (GetParam() != frame::SceneId::Spells) return;
  Session session(plan_, library_);
  session.keep_history(true);
  const auto forgetful = [&] { return scene_hooks(session.world()).forgetful(session.world()); };
  play_on(session, 65);
  session.queue(command(frame::SimCommandKind::SetForgetful, 0, 1));
  play_on(session, 30);
  ASSERT_TRUE(forgetful());
  session.queue(command(frame::SimCommandKind::SetForgetful, 0, 0));
  play_on(session, 30);
  session.turn_back(75);
  EXPECT_FALSE(forgetful()) << "as fill bytes and the strategy";
}

INSTANTIATE_TEST_SUITE_P(Scenes, TurnedBack, both_scenes(), scene_name);

TEST(History, AWorldThatIsTooLargeHasNone) {
  SpellLibrary library;
  ASSERT_EQ(library.load(SPELLPOOL_SOURCE_DIR), "");
  ASSERT_EQ(library.stages().load(SPELLPOOL_SOURCE_DIR), "");
  SessionPlan plan;
  plan.world.pools[static_cast<std::size_t>(frame::PoolId::Particles)].capacity = 200'000;
  Session session(plan, library);
  session.keep_history(true);
  play_on(session, 40);
  EXPECT_TRUE(session.history()->first());
  frame::SimCommand churn;
  churn.kind = frame::SimCommandKind::SetChurn;
  churn.capacity = 50;
  session.queue(churn);
  play_on(session, 300);
  EXPECT_TRUE(session.history()->too_large());
  EXPECT_FALSE(session.history()->first());
  EXPECT_EQ(session.history()->keyframes(), 1u) << "for the steps since then";
  EXPECT_NE(session.history()->last_steps(340, 30).from, nullptr);
  churn.capacity = 0;
  session.queue(churn);
  play_on(session, 400);
  EXPECT_TRUE(session.history()->first()) << "it begins again when the world is small again";
}

}  // namespace
}  // namespace spellpool::app
