// A constructor that forgets: sparks of bursts look as the last object of their slot did.
#include "../pool/allocation_probe.hpp"
#include "sim/core/command_text.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::PoolId;
using pool::StrategyId;

frame::SimCommand forgetful_command(bool on) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetForgetful;
  command.choice = on;
  return command;
}
frame::SimCommand fill_command(bool on) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetFill;
  command.pool = PoolId::Particles;
  command.choice = on;
  return command;
}

/// Of the picture: how many sparks have the fill bytes' hue, a strong violet, and a copy of all.
struct Picture {
  u32 violet = 0;
  std::vector<frame::ParticleInstance> sparks;
};
Picture picture_of(World& world) {
  Picture picture;
  const frame::RenderSnapshot& snapshot = world.build_snapshot();
  picture.sparks.assign(snapshot.additive_layer.begin(), snapshot.additive_layer.end());
  for (const frame::ParticleInstance& p : picture.sparks) {
    // 0xCD of a turn lies between blue and magenta: green is least, and blue most.
    picture.violet += p.b > 40 && p.b > p.r && p.r > p.g && 3 * p.g < p.b;
  }
  std::sort(picture.sparks.begin(), picture.sparks.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.x, a.y, a.r, a.g, a.b, a.size) < std::tuple(b.x, b.y, b.r, b.g, b.b, b.size);
  });
  return picture;
}
bool same(const Picture& a, const Picture& b) {
  return std::equal(a.sparks.begin(), a.sparks.end(), b.sparks.begin(), b.sparks.end(), [](const auto& p, const auto& q) {
    return std::tuple(p.x, p.y, p.r, p.g, p.b, p.a) == std::tuple(q.x, q.y, q.r, q.g, q.b, q.a);
  });
}

/// A juggler's game; `script` of this game's commands.
std::unique_ptr<World> play(const Script& script, u64 steps, StrategyId strategy = StrategyId::FreeList) {
  auto world = std::make_unique<World>(config(9, strategy));
  for (u64 i = 0; i < steps; ++i) world->step(juggle(i, 5), script(i));
  return world;
}
Script from(u64 begin, std::vector<frame::SimCommand> commands) {
  return [begin, commands](u64 step) { return step == begin ? commands : std::vector<frame::SimCommand>{}; };
}

TEST(Forgetful, SparksInheritTheLooksOfTheLastObjectAndNoRuleReadsThem) {
  const auto plain = play(from(10, {}), 400), forgetful = play(from(200, {forgetful_command(true)}), 400);
  EXPECT_EQ(plain->hash(), forgetful->hash());
  EXPECT_FALSE(same(picture_of(*plain), picture_of(*forgetful)));
  EXPECT_EQ(picture_of(*plain).sparks.size(), picture_of(*forgetful).sparks.size());
}

TEST(Forgetful, WithFillBytesTheMistakeIsGarish) {
  const auto quiet = play(from(10, {fill_command(true)}), 400);
  const auto garish = play(from(10, {fill_command(true), forgetful_command(true)}), 400);
  EXPECT_GT(picture_of(*garish).violet, picture_of(*quiet).violet + 20);
}

TEST(Forgetful, TheMendedConstructorEndsIt) {
  const Script planted_and_mended = [](u64 step) -> std::vector<frame::SimCommand> {
    if (step == 10) return {forgetful_command(true)};
    if (step == 200) return {forgetful_command(false)};
    return {};
  };
  const auto plain = play(from(10, {}), 500);
  auto mended = std::make_unique<World>(config(9, StrategyId::FreeList));
  for (u64 i = 0; i < 500; ++i) {
    mended->step(juggle(i, 5), planted_and_mended(i));
    if (i >= 200) picture_of(*mended);
  }
  EXPECT_TRUE(same(picture_of(*plain), picture_of(*mended))) << "all that were born before that are gone";
}

TEST(Forgetful, ASavedWorldComesBackWithoutTheLooksOfLaterSparks) {
  const auto plain = play(from(10, {}), 300), world = play(from(299, {forgetful_command(true)}), 300);
  const std::unique_ptr<WorldState> state = world->new_state();
  world->save(*state);
  for (u64 i = 300; i < 400; ++i) world->step(juggle(i, 5), {});
  world->restore(*state);
  EXPECT_TRUE(same(picture_of(*plain), picture_of(*world))) << "none of its sparks was born with the mistake";
  for (u64 i = 300; i < 400; ++i) {
    plain->step(juggle(i, 5), {});
    world->step(juggle(i, 5), {});
  }
  EXPECT_FALSE(same(picture_of(*plain), picture_of(*world))) << "it is still planted";
  EXPECT_EQ(plain->hash(), world->hash());
}

TEST(Forgetful, IsTheSameGameWithEveryStrategy) {
  const u64 hash = play(from(10, {}), 300)->hash();
  for (const auto& row : pool::kStrategies) {
    EXPECT_EQ(play(from(10, {forgetful_command(true), fill_command(true)}), 300, row.id)->hash(), hash) << row.name;
  }
}

TEST(Forgetful, NoStepAllocatesForIt) {
  World world(config(9, StrategyId::FreeList));
  const std::vector<frame::SimCommand> on = {forgetful_command(true)};
  for (u64 i = 0; i < 300; ++i) world.step(juggle(i, 5), i == 10 ? on : std::vector<frame::SimCommand>{});
  EXPECT_EQ(test::new_calls_in([&] {
              for (u64 i = 300; i < 500; ++i) {
                world.step(juggle(i, 5), {});
                (void)world.build_snapshot();
              }
            }),
            0u);
}

TEST(Forgetful, TheCommandIsWrittenAndRead) {
  for (const bool on : {false, true}) {
    const std::string text = format_command(forgetful_command(on));
    EXPECT_EQ(text, on ? "forgetful on" : "forgetful off");
    frame::SimCommand read;
    EXPECT_EQ(parse_command(text, frame::SceneId::Spells, read), "");
    EXPECT_EQ(read.kind, frame::SimCommandKind::SetForgetful);
    EXPECT_EQ(read.choice, on ? 1 : 0);
    EXPECT_NE(parse_command(text, frame::SceneId::Shooter, read), "");
  }
}

}  // namespace
}  // namespace spellpool::sim
