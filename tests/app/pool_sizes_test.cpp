// What assets/pools.toml says reaches the game: sizes of the scene, of its stage, and voice slots.
#include "app/play/pool_sizes.hpp"

#include "program.hpp"

namespace spellpool::app {
namespace {

class SizesOfAScene : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    copy_data("d");
    write("d/assets/pools.toml",
          "[spells.voices]\nslots = 12\n[shooter.voices]\nslots = 20\n[shooter.bullets]\ncapacity = 70\n[shooter.texts]\ntrim_after_s = 9\n[shooter.stages.night_garden.bullets]\ncapacity = 300\n");
  }
  PlayOptions loaded(frame::SceneId scene) {
    PlayOptions options;
    options.world.scene = scene;
    SpellLibrary library;
    EXPECT_EQ(load_texts(path("d"), library, options.world), "");
    return options;
  }
};

TEST_F(SizesOfAScene, TheStageStandsOverItsScene) {
  const PlayOptions options = loaded(frame::SceneId::Shooter);
  const auto size = [&](frame::PoolId id) { return options.world.sizes[static_cast<std::size_t>(id)]; };
  EXPECT_EQ(size(frame::PoolId::Bullets).capacity, 300u);
  EXPECT_EQ(size(frame::PoolId::Texts).trim_after_s, 9u);
  EXPECT_EQ(size(frame::PoolId::Enemies).capacity, 200u);
  const Outcome outcome = run("--scene shooter --sim-only --steps 5 --json --data-dir d");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["pools"]["bullets"]["capacity"], 300);
  write("d/assets/pools.toml", "[shooter.stages.night_gardn.bullets]\ncapacity = 300\n");
  const Outcome wrong = run("--scene shooter --sim-only --steps 5 --data-dir d");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("pools.toml:1: shooter.stages.night_gardn: there is no such stage; did you mean 'night_garden'?"), std::string::npos) << wrong.err;
}

TEST_F(SizesOfAScene, VoicesAreOfTheSceneUnlessTheOptionSaysHowMany) {
  for (const auto& [scene, slots] : {std::pair{frame::SceneId::Spells, 12u}, std::pair{frame::SceneId::Shooter, 20u}}) {
    PlayOptions options = loaded(scene);
    options.take_scene_voices();
    EXPECT_EQ(options.voices.slots, slots);
    options.voices_given = true;
    options.voices.slots = 5;
    options.take_scene_voices();
    EXPECT_EQ(options.voices.slots, 5u);
  }
  write("d/assets/pools.toml", "# nothing\n");
  PlayOptions options = loaded(frame::SceneId::Spells);
  options.take_scene_voices();
  EXPECT_EQ(options.voices.slots, VoiceChoice{}.slots);
}

}  // namespace
}  // namespace spellpool::app
