#include "content/game/pools_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace spellpool::content {
namespace {

using frame::PoolId;

using frame::SceneId;

PoolsFileResult parse(std::string_view text, SceneId scene = SceneId::Spells) { return parse_pools(text, "p.toml", scene); }
const frame::PoolSize& of(const PoolsFileResult& result, PoolId id) { return (*result.sizes)[static_cast<std::size_t>(id)]; }

TEST(PoolsFile, GivesTheScenesOwnSizesAndTheUsualOnesForWhatIsMissing) {
  constexpr std::string_view kText =
      "[spells.particles]\ncapacity = 9000\nprewarm = 0\ngrow_by = 100\nkeep_free = 3\n[spells.wisps]\ncapacity = 8\n[shooter.particles]\ncapacity = 500\n[shooter.bullets]\ncapacity = 70\n";
  const PoolsFileResult spells = parse(kText), shooter = parse(kText, SceneId::Shooter);
  ASSERT_TRUE(spells.sizes) << spells.error;
  ASSERT_TRUE(shooter.sizes) << shooter.error;
  EXPECT_EQ(of(spells, PoolId::Particles), (frame::PoolSize{9000, 0, 100, 3}));
  EXPECT_EQ(of(spells, PoolId::Wisps).capacity, 8u);
  EXPECT_EQ(of(spells, PoolId::Wisps).prewarm, ~u32{0});
  EXPECT_EQ(of(spells, PoolId::Seekers), frame::default_sizes(SceneId::Spells)[static_cast<std::size_t>(PoolId::Seekers)]);
  EXPECT_EQ(of(shooter, PoolId::Particles).capacity, 500u);
  EXPECT_EQ(of(shooter, PoolId::Bullets).capacity, 70u);
  EXPECT_EQ(of(shooter, PoolId::Enemies).capacity, 200u);
  EXPECT_EQ(*parse("# nothing\n").sizes, frame::default_sizes(SceneId::Spells));
}

TEST(PoolsFile, EveryErrorNamesFileLineAndWord) {
  struct Bad {
    std::string_view text, line, words;
  };
  for (const Bad& bad : {Bad{"[spells.particles]\ncapacity = 0\n", "p.toml:2:", "spells.particles.capacity"},
                         Bad{"[spells.particles]\ncapacity = 2097153\n", "p.toml:2:", "2097152"},
                         Bad{"[spells.particles]\ncapacity = \"many\"\n", "p.toml:2:", "'many'"},
                         Bad{"[spells.particles]\ncapacity = 1.5\n", "p.toml:2:", "capacity"},
                         Bad{"[spells.particles]\n\ngrow_by = -1\n", "p.toml:3:", "grow_by"},
                         Bad{"[spells.particles]\nkeepfree = 1\n", "p.toml:2:", "did you mean 'keep_free'?"},
                         Bad{"[spells.particle]\n", "p.toml:1:", "did you mean 'particles'?"},
                         Bad{"[spells.bullets]\ncapacity = 3\n", "p.toml:1:", "the scene has no such pool"},
                         Bad{"[shooter.wisps]\n", "p.toml:1:", "particles, bullets, shots, enemies, pickups, texts, chunks"},
                         Bad{"[spell.particles]\ncapacity = 3\n", "p.toml:1:", "did you mean 'spells'?"},
                         Bad{"[shooter.particles]\ncapacity = 0\n", "p.toml:2:", "shooter.particles.capacity"},
                         Bad{"spells = 3\n", "p.toml:1:", "not a table"},
                         Bad{"[spells]\nparticles = 7\n", "p.toml:2:", "not a table"},
                         Bad{"[spells.particles\n", "p.toml:1:", ""}}) {
    const PoolsFileResult result = parse(bad.text);
    EXPECT_FALSE(result.sizes) << bad.text;
    EXPECT_NE(result.error.find(bad.line), std::string::npos) << result.error;
    EXPECT_NE(result.error.find(bad.words), std::string::npos) << result.error;
    EXPECT_EQ(result.error.find('\n'), std::string::npos);
  }
}

TEST(PoolsFile, EnemiesWhomTheStageSendsMustFit) {
  const std::string text = "[shooter.bullets]\ncapacity = 5\n[shooter.enemies]\nprewarm = 3\ncapacity = 60\n";
  const auto error = [&](u32 least) { return parse_pools(text, "p.toml", SceneId::Shooter, {.least_enemies = least, .reason = "the stage shows 61"}).error; };
  EXPECT_EQ(error(60), "");
  EXPECT_EQ(error(61), "p.toml:5: shooter.enemies.capacity: 60 is too few: the stage shows 61");
  EXPECT_EQ(parse_pools(text, "p.toml", SceneId::Spells, {.least_enemies = 61}).error, "") << "the other scene's";
  const std::string staged = text + "[shooter.stages.night.enemies]\ncapacity = 70\n[shooter.stages.day.enemies]\ncapacity = 9\n";
  const auto on = [&](std::string_view stage) {
    return parse_pools(staged, "p.toml", SceneId::Shooter, {.name = stage, .least_enemies = 65, .reason = "the stage shows 65"}).error;
  };
  EXPECT_EQ(on("night"), "");
  EXPECT_EQ(on("day"), "p.toml:9: shooter.stages.day.enemies.capacity: 9 is too few: the stage shows 65");
  EXPECT_EQ(on("dusk"), "p.toml:5: shooter.enemies.capacity: 60 is too few: the stage shows 65");
}

TEST(PoolsFile, AStageHasSizesOfItsOwnOverThoseOfItsScene) {
  constexpr std::string_view kText =
      "[shooter.stages.night.bullets]\ncapacity = 300\n[shooter.stages.night.texts]\nkeep_free = 7\n[shooter.bullets]\ncapacity = 70\nprewarm = 5\n[shooter.texts]\ncapacity = 40\n";
  const std::vector<std::string> known = {"day", "night"};
  const auto on = [&](std::string_view stage) { return parse_pools(kText, "p.toml", SceneId::Shooter, {.name = stage, .known = known}); };
  EXPECT_EQ(of(on("night"), PoolId::Bullets), (frame::PoolSize{300, 5, 0, 64}));
  EXPECT_EQ(of(on("night"), PoolId::Texts), (frame::PoolSize{40, ~u32{0}, 0, 7}));
  EXPECT_EQ(of(on("day"), PoolId::Bullets), (frame::PoolSize{70, 5, 0, 64}));
  EXPECT_EQ(of(on("day"), PoolId::Texts).keep_free, 64u);
  const auto error = [&](std::string_view text) { return parse_pools(text, "p.toml", SceneId::Shooter, {.name = "day", .known = known}).error; };
  EXPECT_NE(error("[shooter.stages.nigth.bullets]\ncapacity = 3\n").find("p.toml:1: shooter.stages.nigth: there is no such stage; did you mean 'night'?"), std::string::npos)
      << error("[shooter.stages.nigth.bullets]\ncapacity = 3\n");
  EXPECT_NE(error("[shooter.stages.night.bullets]\ncapacity = 0\n").find("p.toml:2: shooter.stages.night.bullets.capacity"), std::string::npos) << "of the other stage too";
  EXPECT_NE(error("[spells.stages.night.particles]\ncapacity = 3\n").find("the scene has no such pool"), std::string::npos) << "the arena has no stages";
}

TEST(PoolsFile, VoicesHaveASizeToo) {
  constexpr std::string_view kText = "[spells.voices]\nslots = 12\n";
  EXPECT_EQ(parse(kText).voice_slots, std::optional<u32>(12));
  EXPECT_EQ(parse(kText, SceneId::Shooter).voice_slots, std::nullopt);
  for (const std::string_view bad : {"[spells.voices]\nslots = 0\n", "[spells.voices]\nslots = 5000\n", "[spells.voices]\ncapacity = 3\n", "[spells.voices]\n", "[spells]\nvoices = 3\n"}) {
    EXPECT_NE(parse(bad).error.find("spells.voices"), std::string::npos) << bad << parse(bad).error;
  }
}

TEST(PoolsFile, ATrimByItselfIsOffUnlessTheFileSaysWhen) {
  EXPECT_EQ(of(parse("[spells.particles]\ncapacity = 9\n"), PoolId::Particles).trim_after_s, 0u);
  EXPECT_EQ(of(parse("[spells.particles]\ntrim_after_s = 30\n"), PoolId::Particles).trim_after_s, 30u);
}

TEST(PoolsFile, TheFileOfTheGameIsGood) {
  std::ifstream in(SPELLPOOL_SOURCE_DIR "/assets/pools.toml");
  ASSERT_TRUE(in);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (const frame::SceneRow& scene : frame::kKnownScenes) {
    const PoolsFileResult result = parse(text, scene.id);
    ASSERT_TRUE(result.sizes) << result.error;
    for (const frame::PoolName& pool : frame::pools_of(scene.id)) {
      EXPECT_EQ(of(result, pool.id).capacity, pool.default_capacity(scene.id)) << scene.name << " " << pool.name;
    }
  }
}

}  // namespace
}  // namespace spellpool::content
