// The picture that an update writes as it goes is the one that a walk over all particles gives.
#include <array>
#include <cstring>

#include "particle_troupe.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::Amount;
using pool::PolicyId;
using pool::StrategyId;
using Bytes = std::array<u64, 2>;

std::vector<Bytes> in_order(std::span<const frame::ParticleInstance> layer) {
  std::vector<Bytes> all(layer.size());
  if (!layer.empty()) std::memcpy(all.data(), layer.data(), layer.size_bytes());
  return all;
}
std::vector<Bytes> as_set(std::span<const frame::ParticleInstance> layer) {
  std::vector<Bytes> all = in_order(layer);
  std::sort(all.begin(), all.end());
  return all;
}
::testing::AssertionResult same_picture(const frame::RenderSnapshot& a, const frame::RenderSnapshot& b) {
  if (in_order(a.alpha_layer) != in_order(b.alpha_layer)) return ::testing::AssertionFailure() << "the alpha layers differ";
  if (as_set(a.additive_layer) != as_set(b.additive_layer)) return ::testing::AssertionFailure() << "the additive layers differ";
  return ::testing::AssertionSuccess();
}

struct WatchedPicture {
  u64 instances = 0, alpha = 0, walked = 0, stolen = 0;
};

/// Two worlds, one of which draws as it updates; the juggler brings every kind of emitter on.
WatchedPicture watch(StrategyId strategy, PolicyId policy, Amount density, u32 capacity, u64 steps) {
  World seen(config(3, strategy, policy, capacity, 2)), unseen(config(3, strategy, policy, capacity, 2));
  const frame::LookSettings looks{.density = density};
  WatchedPicture watched;
  for (u64 i = 0; i < steps; ++i) {
    const frame::InputFrame input = juggle(i, 3);
    seen.step(input, {}, nullptr, density);
    unseen.step(input, {});
    const frame::RenderSnapshot& a = seen.build_snapshot(looks);
    const frame::RenderSnapshot& b = unseen.build_snapshot(looks);
    EXPECT_TRUE(same_picture(a, b)) << "step " << i;
    EXPECT_EQ(seen.hash(), unseen.hash()) << "step " << i;
    if (::testing::Test::HasFailure()) break;
    watched.instances += a.additive_layer.size();
    watched.alpha += a.alpha_layer.size();
  }
  EXPECT_EQ(unseen.particles().pictures_walked(), steps);
  watched.walked = seen.particles().pictures_walked();
  watched.stolen = seen.particles().stats().stolen;
  return watched;
}

TEST(DrawnPicture, IsTheWalkedOneInEveryStrategyAndDensity) {
  for (const auto& row : pool::kStrategies) {
    for (const Amount density : {Amount::Full, Amount::Reduced, Amount::Off}) {
      SCOPED_TRACE(std::string(row.name) + ", density " + std::to_string(static_cast<int>(density)));
      const WatchedPicture watched = watch(row.id, PolicyId::Reject, density, 2'500, 400);
      EXPECT_GT(watched.instances, 30'000u);
      EXPECT_GT(watched.alpha, 3'000u);
      EXPECT_EQ(watched.walked, 0u);
    }
  }
}

TEST(DrawnPicture, IsTheWalkedOneWhateverThePolicyDoes) {
  for (const auto& row : pool::kStrategies) {
    for (const PolicyId policy : {PolicyId::StealOldest, PolicyId::StealLeast, PolicyId::Grow, PolicyId::Pressure}) {
      SCOPED_TRACE(std::string(row.name) + ", policy " + std::string(pool::row(policy).name));
      const u32 capacity = policy == PolicyId::Grow ? 100 : 1'000;
      const WatchedPicture watched = watch(row.id, policy, Amount::Full, capacity, 400);
      const bool steals = policy == PolicyId::StealOldest || policy == PolicyId::StealLeast;
      EXPECT_EQ(watched.stolen > 1'000, steals);
      EXPECT_EQ(watched.walked > 0, policy != PolicyId::Pressure);
      EXPECT_LT(watched.walked, 300u) << "what is drawn in the steps without it";
    }
  }
}

TEST(DrawnPicture, FollowsCommandsInEveryStep) {
  World seen(config(5, StrategyId::FreeList)), unseen(config(5, StrategyId::FreeList));
  for (u64 i = 0; i < 400; ++i) {
    std::vector<frame::SimCommand> commands;
    if (i % 7 == 3) commands.push_back(strategy_command(static_cast<StrategyId>(i / 7 % pool::kStrategyCount)));
    if (i % 11 == 5) commands.push_back(capacity_command(i % 2 == 0 ? 300 : 6'000));
    if (i % 13 == 6) commands.push_back(policy_command(static_cast<PolicyId>(i / 13 % 3)));
    if (i % 17 == 8) commands.push_back(spell_command(0, *small_spells(1 + static_cast<u32>(i / 17 % 2))[0]));
    seen.step(juggle(i, 5), commands, nullptr, Amount::Full);
    unseen.step(juggle(i, 5), commands);
    ASSERT_TRUE(same_picture(seen.build_snapshot(), unseen.build_snapshot())) << "step " << i;
    ASSERT_EQ(seen.hash(), unseen.hash()) << "step " << i;
  }
  EXPECT_LT(seen.particles().pictures_walked(), 100u);
}

TEST(DrawnPicture, SeveralStepsAFrameOrNoneAndAPictureThatNobodyTakes) {
  World seen(config(6, StrategyId::FreeList)), unseen(config(6, StrategyId::FreeList));
  for (u64 i = 0; i < 300; ++i) {
    const bool last = i % 3 == 2;
    seen.step(juggle(i, 6), {}, nullptr, last || i % 6 == 0 ? std::optional(Amount::Full) : std::nullopt);
    unseen.step(juggle(i, 6), {});
    if (!last || i % 9 == 8) continue;
    const frame::RenderSnapshot first = seen.build_snapshot();
    ASSERT_TRUE(same_picture(first, unseen.build_snapshot())) << "step " << i;
    const frame::RenderSnapshot again = seen.build_snapshot();
    ASSERT_EQ(again.additive_layer.data(), first.additive_layer.data()) << "built once, shown twice";
    ASSERT_TRUE(same_picture(again, unseen.build_snapshot())) << "step " << i;
    ASSERT_EQ(seen.frame_memory().picture.this_frame().new_calls, 0u);
  }
  EXPECT_EQ(seen.particles().pictures_walked(), 0u);
}

// ---------------------------------------------------------------------------------------------------- when it is old

class OldPicture : public ::testing::Test {
 protected:
  static std::vector<frame::EmitterDef> emitters() {
    frame::EmitterDef light = ParticleTroupe::emitter("light", 200), smoke = ParticleTroupe::emitter("smoke", 200);
    light.speed = smoke.speed = {10.0f, 100.0f};
    smoke.layer = frame::ParticleLayer::Alpha;
    return {light, smoke};
  }
  static void begin(ParticleTroupe& troupe) {
    troupe.burst(0);
    troupe.burst(1);
    troupe.steps_of(3);
    troupe.burst(0, 50.0f);
    troupe.burst(1, 50.0f);
  }
  void SetUp() override {
    begin(seen_);
    begin(unseen_);
    seen_.shown = Amount::Full;
    seen_.step();
    unseen_.step();
  }
  /// The same done to both, the picture is the walked one; and whether it took a walk.
  bool walks(Amount density = Amount::Full) {
    const u64 before = seen_.particles.pictures_walked();
    frame::RenderSnapshot a, b;
    seen_.particles.build_snapshot(a, density);
    unseen_.particles.build_snapshot(b, density);
    EXPECT_TRUE(same_picture(a, b));
    EXPECT_GT(a.additive_layer.size() * a.alpha_layer.size(), 0u);
    return seen_.particles.pictures_walked() > before;
  }
  template <class F>
  void both(F&& f) {
    f(seen_);
    f(unseen_);
  }

  ParticleTroupe seen_{emitters(), StrategyId::FreeList, PolicyId::Reject, 2'000};
  ParticleTroupe unseen_{emitters(), StrategyId::FreeList, PolicyId::Reject, 2'000};
};

TEST_F(OldPicture, NotAtFirst) {
  EXPECT_FALSE(walks());
  EXPECT_FALSE(walks());
}
TEST_F(OldPicture, ByAnotherDensityAndThenForGood) {
  EXPECT_TRUE(walks(Amount::Reduced));
  EXPECT_TRUE(walks());
}
TEST_F(OldPicture, NotByAnotherStrategy) {
  both([](ParticleTroupe& t) { t.particles.set_strategy(StrategyId::Dense); });
  EXPECT_FALSE(walks());
}
TEST_F(OldPicture, ByAnotherStyle) {
  both([](ParticleTroupe& t) {
    frame::EmitterDef def = emitters()[0];
    def.glow = 3.0f;
    t.particles.set_style(0, bake_style(def));
  });
  EXPECT_TRUE(walks());
}
TEST_F(OldPicture, ByAnotherCapacityAndByATrim) {
  EXPECT_FALSE(walks());
  both([](ParticleTroupe& t) { t.particles.set_capacity(900); });
  EXPECT_TRUE(walks());
  seen_.step();
  unseen_.step();
  both([](ParticleTroupe& t) { t.particles.trim(8); });
  EXPECT_TRUE(walks());
}
TEST_F(OldPicture, InTheMiddleOfAStep) {
  both([](ParticleTroupe& t) { t.particles.update(t.steps, {}, t.shown); });
  EXPECT_TRUE(walks());
  both([](ParticleTroupe& t) { t.particles.despawn(); });
  EXPECT_TRUE(walks());
}
TEST_F(OldPicture, ByBirthsAfterTheStep) {
  EmitRequest request;
  request.count = 10;
  both([&](ParticleTroupe& t) { t.particles.spawn({&request, 1}); });
  EXPECT_TRUE(walks());
}
TEST_F(OldPicture, ByAStepWithoutIt) {
  seen_.shown.reset();
  both([](ParticleTroupe& t) { t.particles.update(t.steps, {}, t.shown); });
  EXPECT_TRUE(walks()) << "even before it is through";
  both([](ParticleTroupe& t) { t.step(); });
  EXPECT_TRUE(walks());
}

TEST(DrawnPicture, AfterATheftTheNextUpdateDrawsNothing) {
  ParticleTroupe troupe({ParticleTroupe::emitter("still", 100)}, StrategyId::FreeList, PolicyId::StealOldest, 100);
  troupe.shown = Amount::Full;
  frame::RenderSnapshot snapshot;
  std::vector<bool> walked;
  for (const u32 births : {100u, 30u, 0u, 0u, 0u}) {
    const u64 before = troupe.particles.pictures_walked();
    troupe.run(0, births);
    troupe.step();
    troupe.particles.build_snapshot(snapshot);
    EXPECT_EQ(snapshot.additive_layer.size(), 100u);
    walked.push_back(troupe.particles.pictures_walked() > before);
  }
  EXPECT_EQ(walked, (std::vector<bool>{false, true, true, false, false}));
}

TEST(DrawnPicture, HasRoomForWhoIsBornIntoAPoolThatGrowsWithinItsOldMemory) {
  frame::EmitterDef brief = ParticleTroupe::emitter("brief", 2'000), still = ParticleTroupe::emitter("still", 700);
  brief.life_s = {0.05f, 0.05f};
  ParticleTroupe troupe({brief, still}, StrategyId::FreeList, PolicyId::Grow, 2'000);
  troupe.shown = Amount::Full;
  troupe.burst(0);
  troupe.step();
  troupe.particles.set_capacity(100);
  troupe.steps_of(6);
  ASSERT_EQ(troupe.particles.stats().live, 0u);
  troupe.burst(1);
  troupe.step();
  frame::RenderSnapshot snapshot;
  troupe.particles.build_snapshot(snapshot);
  EXPECT_EQ(snapshot.additive_layer.size(), 700u);
  EXPECT_GT(troupe.particles.stats().grown, 0u);
  EXPECT_EQ(troupe.particles.pictures_walked(), 1u);
}

}  // namespace
}  // namespace spellpool::sim
