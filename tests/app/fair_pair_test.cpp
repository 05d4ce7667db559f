// The last steps played again with two strategies: same work, own worlds, and figures that say what the clock said.
#include "app/paired/fair_pair.hpp"

#include "scene_test.hpp"

namespace spellpool::app {
namespace {

using pool::StrategyId;
using State = frame::FairPairView::State;

u64 ticks = 0;
/// Each reading is a microsecond after the one before: all steps take alike.
u64 even_clock() { return ticks += 1'000; }

class LastSteps : public SceneTest {
 protected:
  void SetUp() override {
    SceneTest::SetUp();
    plan_.autoplay = true;
    session_ = std::make_unique<Session>(plan_, library_);
    session_->keep_history(true);
    for (int i = 0; i < 250; ++i) {
      session_->keep_keyframe();
      session_->step({});
    }
  }
  History::LastSteps last() const { return session_->history()->last_steps(session_->world().steps(), FairPair::kLeast_steps); }

  std::unique_ptr<Session> session_;
};

TEST_P(LastSteps, ArePlayedInEqualTurnsAndThePlayersWorldIsLeftAlone) {
  const u64 hash = session_->hash();
  const History::LastSteps past = last();
  ASSERT_GE(past.inputs.size(), FairPair::kLeast_steps);
  FairPair pair(session_->config(), past, {StrategyId::Heap, StrategyId::Dense}, even_clock);
  EXPECT_EQ(pair.view().state, State::Running);
  int frames = 0;
  while (!pair.go_on(200)) ASSERT_LT(++frames, 100'000);
  EXPECT_GT(frames, 10) << "a little in each frame";
  const frame::FairPairView view = pair.view();
  ASSERT_EQ(view.state, State::Done);
  EXPECT_EQ(view.steps, past.inputs.size());
  EXPECT_EQ(view.step_us[0], view.step_us[1]);
  EXPECT_GT(view.update_us[0], 0.0);
  EXPECT_GT(view.spawn_us[1], 0.0);
  EXPECT_LE(view.update_us[0] + view.spawn_us[0], view.step_us[0]);
  for (const auto& us : {view.save_us, view.restore_us}) {
    EXPECT_EQ(us[0], 1.0) << "one reading of the clock later";
    EXPECT_EQ(us[1], 1.0);
  }
  EXPECT_EQ(view.ratio, 1.0);
  EXPECT_FALSE(view.differs);
  EXPECT_EQ(session_->hash(), hash);
}

TEST_P(LastSteps, TheFirstArmOfAPairIsNewDelete) {
  FairPair pair(session_->config(), last(), {StrategyId::Heap, StrategyId::Bitmap});
  while (!pair.go_on(1e6)) {
  }
  EXPECT_EQ(pair.view().strategies[0], pool::row(StrategyId::Heap).title);
  EXPECT_EQ(pair.view().strategies[1], pool::row(StrategyId::Bitmap).title);
  EXPECT_EQ(pair.view().state, State::Done);
  EXPECT_GT(pair.view().step_us[0], 0.0);
  EXPECT_LE(pair.view().low, pair.view().ratio);
  EXPECT_GE(pair.view().high, pair.view().ratio);
}

TEST_P(LastSteps, NoPastGivesNoPair) {
  Session fresh(plan_, library_);
  fresh.keep_history(true);
  for (int i = 0; i < 10; ++i) {
    fresh.keep_keyframe();
    fresh.step({});
  }
  EXPECT_TRUE(fresh.history()->last_steps(10, FairPair::kLeast_steps).inputs.empty());
}

INSTANTIATE_TEST_SUITE_P(Scenes, LastSteps, both_scenes(), scene_name);

}  // namespace
}  // namespace spellpool::app
