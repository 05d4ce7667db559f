#include "content/pools_file.hpp"

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
  const auto error = [&](u32 least) { return parse_pools(text, "p.toml", SceneId::Shooter, least, "the stage shows 61").error; };
  EXPECT_EQ(error(60), "");
  EXPECT_EQ(error(61), "p.toml:5: shooter.enemies.capacity: 60 is too few: the stage shows 61");
  EXPECT_EQ(parse_pools(text, "p.toml", SceneId::Spells, 61, "").error, "") << "the other scene's";
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
