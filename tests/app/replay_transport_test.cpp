#include "app/window/replay_transport.hpp"

#include <algorithm>

#include "scene_test.hpp"

namespace spellpool::app {
namespace {

using Transport = ReplayTransport;

// ---------------------------------------------------------------------------------------------------- speed

u64 steps_in_a_second(Transport& transport, int frames) {
  u64 steps = 0;
  for (int frame = 0; frame < frames; ++frame) steps += transport.advance(1'000'000'000 / frames);
  return steps;
}

TEST(ReplayTransport, ASecondHasAsManyStepsAsItsSpeedSays) {
  for (const int frames : {20, 60, 144}) {
    Transport transport(10'000);
    for (std::size_t place = 0; place + 1 < Transport::kSpeeds.size(); ++place) {
      transport.set_speed(place);
      EXPECT_NEAR(static_cast<double>(steps_in_a_second(transport, frames)), 60 * Transport::kSpeeds[place].factor, 1.0)
          << transport.speed().name << " at " << frames << " frames a second";
    }
  }
}

TEST(ReplayTransport, AStallSlowsTheReplayDown) {
  Transport transport(10'000);
  EXPECT_LE(transport.advance(1'000'000'000), 4u);
  transport.set_speed(Transport::kSpeeds.size() - 2);
  EXPECT_LE(transport.advance(1'000'000'000), 4u * 16);
  EXPECT_GE(transport.advance(1'000'000'000), 4u * 16 - 1);
}

TEST(ReplayTransport, BelowOneTheStepsLieBetweenPictures) {
  Transport transport(100);
  transport.set_speed(0);
  EXPECT_EQ(transport.advance(4 * FixedStep::kStep_ns), 0u);
  EXPECT_NEAR(transport.alpha(), 0.5f, 0.01f);
}

TEST(ReplayTransport, SpeedsEndAtBothEnds) {
  Transport transport(100);
  EXPECT_EQ(transport.speed().factor, 1);
  for (int i = 0; i < 20; ++i) transport.slower();
  EXPECT_TRUE(transport.slowest());
  EXPECT_TRUE(transport.audible());
  for (int i = 0; i < 20; ++i) transport.faster();
  EXPECT_TRUE(transport.fastest());
  EXPECT_FALSE(transport.audible());
  EXPECT_GT(transport.advance(1), 1'000u) << "max: as many as the frame has room for";
  EXPECT_EQ(transport.alpha(), 1.0f);
}

// ---------------------------------------------------------------------------------------------------- seeking

TEST(ReplayTransport, NoTargetLiesBeyondTheEnds) {
  Transport transport(1'000);
  EXPECT_EQ(transport.moved_by(-Transport::kJump_steps, 100), 0u);
  EXPECT_EQ(transport.moved_by(Transport::kJump_steps, 900), 1'000u);
  transport.seek(5'000, 10);
  EXPECT_EQ(transport.target(), 1'000u);
  Transport none(0);
  none.seek(7, 0);
  EXPECT_FALSE(none.seeking());
  EXPECT_EQ(none.moved_by(1, 0), 0u);
}

TEST(ReplayTransport, AJumpWhileItSeeksCountsFromTheTarget) {
  Transport transport(1'000);
  transport.seek(500, 100);
  EXPECT_EQ(transport.moved_by(100, 130), 600u);
  transport.seek(600, 130);
  EXPECT_TRUE(transport.begins(130)) << "a keyframe may be nearer than the world is";
  transport.begin_at(300);
  EXPECT_FALSE(transport.begins(300));
  EXPECT_FLOAT_EQ(transport.progress(450), 0.5f);
  transport.seek(120, 140);
  EXPECT_TRUE(transport.begins(140));
  transport.begin_at(0);
  EXPECT_FALSE(transport.begins(0));
  EXPECT_FLOAT_EQ(transport.progress(30), 0.25f);
  transport.arrive(119);
  EXPECT_TRUE(transport.seeking());
  transport.arrive(120);
  EXPECT_FALSE(transport.seeking());
  transport.seek(120, 120);
  EXPECT_FALSE(transport.seeking()) << "it is there";
}

// ---------------------------------------------------------------------------------------------------- marks

TEST(ReplayTransport, WhatHappenedIsMarkedOnce) {
  using Kind = frame::ReplayMark::Kind;
  Transport transport(100);
  const auto play = [&] {
    for (u64 step = 1; step <= 40; ++step) {
      frame::ShooterView view;
      view.state = step < 5 ? frame::ShooterState::Title : frame::ShooterState::Playing;
      view.lives = step < 5 ? 9 : step < 20 ? 3 : 2;
      view.bombs = step < 10 ? 3 : 2;
      if (step >= 30 && step < 35) view.boss_title = "The carp";
      transport.note(step, view);
    }
  };
  play();
  play();
  ASSERT_EQ(transport.marks().size(), 3u);
  EXPECT_EQ(transport.marks()[0].step, 10u);
  EXPECT_EQ(transport.marks()[0].kind, Kind::Bomb);
  EXPECT_EQ(transport.marks()[1].step, 20u);
  EXPECT_EQ(transport.marks()[1].kind, Kind::Loss);
  EXPECT_EQ(transport.marks()[2].step, 30u);
  EXPECT_EQ(transport.marks()[2].kind, Kind::Boss);
}

// ---------------------------------------------------------------------------------------------------- a session that goes back

class Rewinding : public SceneTest {
 protected:
  static constexpr u64 kSteps = 700;

  void SetUp() override {
    SceneTest::SetUp();
    plan_.world.seed = 7;
    plan_.autoplay = plan_.record_replay = true;
    Session recorded(plan_, library_);
    for (u64 step = 0; step < kSteps; ++step) {
      if (step == 150) recorded.queue(strategy(pool::StrategyId::Heap));
      if (step == 400) recorded.queue(capacity(900));
      recorded.step({});
      hashes_.push_back(recorded.hash());
    }
    plan_ = replay_of(recorded);
  }
  static frame::SimCommand strategy(pool::StrategyId id) {
    frame::SimCommand command;
    command.kind = frame::SimCommandKind::SetStrategy;
    command.pool = frame::PoolId::Particles;
    command.choice = static_cast<u8>(id);
    return command;
  }
  static frame::SimCommand capacity(u32 slots) {
    frame::SimCommand command;
    command.kind = frame::SimCommandKind::SetCapacity;
    command.pool = frame::PoolId::Particles;
    command.capacity = slots;
    return command;
  }
  void go_to(Session& session, u64 step) const {
    if (step < session.world().steps()) session.rewind();
    while (session.world().steps() < step) session.step({});
    session.settle();
    EXPECT_EQ(session.world().steps(), step);
    EXPECT_TRUE(step == 0 || session.hash() == hashes_[step - 1]) << "after step " << step;
  }

  std::vector<u64> hashes_;
};

TEST_P(Rewinding, EveryStepIsTheSameFromBothSides) {
  Session session(plan_, library_);
  for (const u64 step : {u64{500}, u64{120}, u64{401}, u64{400}, u64{0}, u64{1}, u64{149}, kSteps, u64{650}, kSteps}) go_to(session, step);
  EXPECT_TRUE(session.finished());
  EXPECT_FALSE(session.first_difference());
}

TEST_P(Rewinding, TheViewersStrategyStaysAndTheRecordedOnesHappenAgain) {
  Session session(plan_, library_);
  go_to(session, 100);
  session.queue(strategy(pool::StrategyId::Packed));
  go_to(session, 140);
  EXPECT_EQ(session.world().pool(frame::PoolId::Particles).strategy(), pool::StrategyId::Packed);
  go_to(session, 50);
  EXPECT_EQ(session.world().pool(frame::PoolId::Particles).strategy(), pool::StrategyId::Packed);
  go_to(session, 200);
  EXPECT_EQ(session.world().pool(frame::PoolId::Particles).strategy(), pool::StrategyId::Heap);
  go_to(session, kSteps);
  EXPECT_EQ(session.world().pool(frame::PoolId::Particles).stats().capacity, 900u);
  EXPECT_FALSE(session.first_difference());
}

TEST_P(Rewinding, ADifferenceIsFoundAgainAtItsStep) {
  plan_.replay->hashes[300] ^= 1;
  Session session(plan_, library_);
  go_to(session, 500);
  EXPECT_EQ(session.first_difference(), std::optional<u64>(300));
  go_to(session, 300);
  EXPECT_FALSE(session.first_difference()) << "not there yet";
  go_to(session, 600);
  EXPECT_EQ(session.first_difference(), std::optional<u64>(300));
}

TEST_P(Rewinding, WhatIsWrittenIsTheLastWay) {
  plan_.record_replay = plan_.keep_hashes = true;
  Session session(plan_, library_);
  go_to(session, 500);
  go_to(session, 160);
  const sim::ReplayResult again = sim::parse_replay(session.replay_writer()->text());
  ASSERT_TRUE(again.replay) << again.error;
  EXPECT_EQ(again.replay->inputs.size(), 160u);
  EXPECT_EQ(again.replay->commands.size(), 1u);
  EXPECT_EQ(std::count(session.hash_lines().begin(), session.hash_lines().end(), '\n'), 160);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Rewinding, both_scenes(), scene_name);

}  // namespace
}  // namespace spellpool::app
