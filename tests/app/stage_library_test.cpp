#include "app/library/stage_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "../support/scratch_folder.hpp"
#include "content/game/pattern_file.hpp"

namespace spellpool::app {
namespace {

using test::write_file;

/// A copy of the shipped files that may be spoilt.
struct StageLibraryTest : ::testing::Test {
  void SetUp() override {
    std::filesystem::create_directories(scratch / "assets");
    for (const char* folder : {"patterns", "stages"}) {
      std::filesystem::copy(std::string(SPELLPOOL_SOURCE_DIR) + "/assets/" + folder, scratch / "assets" / folder, std::filesystem::copy_options::recursive);
    }
    ASSERT_EQ(library.load(scratch.path().string()), "");
  }
  std::string path(const std::string& name) const { return (scratch / "assets" / name).string(); }
  test::ScratchFolder scratch;
  StageLibrary library;
};

TEST_F(StageLibraryTest, ReadsTheStageWithItsPatternsAndTheirChecksums) {
  ASSERT_TRUE(library.stage() && library.patterns());
  EXPECT_EQ(library.stage()->title, "Night Garden");
  EXPECT_GE(content::find_pattern(*library.patterns(), "moth.thousand_petals"), 0);
  ASSERT_GT(library.files().size(), 10u);
  EXPECT_EQ(library.files().front().name, "assets/patterns/bubbles.toml");
  EXPECT_EQ(library.files().back().name, "assets/stages/night_garden.toml");
  EXPECT_EQ(library.files().back().check, sim::replay_checksum(test::read_file(path("stages/night_garden.toml"))));
  StageLibrary again;
  ASSERT_EQ(again.load(SPELLPOOL_SOURCE_DIR), "");
  EXPECT_EQ(again.files(), library.files()) << "the same texts in another folder";
}

TEST_F(StageLibraryTest, FilesAreThoseOfTheTextsInUseWhateverTheDiskSays) {
  const auto files = library.files();
  write_file(path("patterns/rings.toml"), "broken");
  EXPECT_EQ(library.files(), files);
}

const std::string kNew = "assets/patterns/new.toml", kRings = "assets/patterns/rings.toml", kGarden = "assets/stages/night_garden.toml";
const std::string kRing = "[[shot]]\nform = \"ring\"\n";

TEST_F(StageLibraryTest, TakesWhatChangedAndLeavesWhatIsBeingPlayed) {
  const auto played = library.patterns();
  const std::size_t before = played->size();
  const auto files = library.files();
  library.note(kNew, kRing);
  StageLibrary::Taken taken = library.take_changes();
  EXPECT_EQ(taken.error, "");
  EXPECT_EQ(taken.texts, (std::vector<sim::ReplayText>{{kNew, kRing}}));
  EXPECT_EQ(library.patterns()->size(), before + 1);
  EXPECT_EQ(played->size(), before);
  EXPECT_NE(library.files(), files);
  library.note(kNew, kRing);
  EXPECT_TRUE(library.take_changes().texts.empty()) << "it is what is in use";
  library.note(kNew, std::nullopt);
  taken = library.take_changes();
  EXPECT_EQ(taken.texts, (std::vector<sim::ReplayText>{{kNew, std::nullopt}}));
  EXPECT_EQ(library.files(), files);
}

TEST_F(StageLibraryTest, BrokenFileIsOneLineAndTheLastGoodOnesStayUntilItIsMended) {
  const auto patterns = library.patterns();
  const auto stage = library.stage();
  const auto expect_kept = [&](const std::string& begins) {
    const StageLibrary::Taken taken = library.take_changes();
    EXPECT_THAT(taken.error, ::testing::StartsWith(begins));
    EXPECT_EQ(taken.error.find('\n'), std::string::npos);
    EXPECT_TRUE(taken.texts.empty());
    EXPECT_EQ(library.patterns(), patterns);
    EXPECT_EQ(library.stage(), stage);
  };
  const std::string rings = test::read_file(path("patterns/rings.toml")), garden = test::read_file(path("stages/night_garden.toml"));
  library.note(kRings, rings + "\ncount = 9999\n");
  expect_kept(path("patterns/rings.toml") + ":");
  library.note(kRings, std::nullopt);  // Good files all, but the stage names rings.plain.
  expect_kept(path("stages/night_garden.toml") + ":");
  library.note(kRings, "", "rings.toml: is larger than 5 bytes");
  expect_kept("rings.toml: is larger");
  library.note(kRings, rings);
  library.note(kGarden, garden + "\n[[wave]]\nat_s = 1\n");
  expect_kept(path("stages/night_garden.toml") + ":");
  library.note(kGarden, std::nullopt);
  expect_kept(path("stages/night_garden.toml") + ": no such file");
  library.note(kGarden, garden);
  const StageLibrary::Taken taken = library.take_changes();
  EXPECT_EQ(taken.error, "");
  EXPECT_TRUE(taken.texts.empty());
}

TEST_F(StageLibraryTest, FilesThatFitTogetherOnlyAreTakenTogether) {
  const std::string garden = test::read_file(path("stages/night_garden.toml"));
  library.note(kGarden, garden + "\n[[wave]]\nat_s = 1\nkind = \"lantern\"\npath = [[0, 0], [9, 9, 1]]\npattern = \"new\"\n");
  EXPECT_THAT(library.take_changes().error, ::testing::HasSubstr("no pattern is named 'new'"));
  library.note(kNew, kRing);
  const StageLibrary::Taken taken = library.take_changes();
  EXPECT_EQ(taken.error, "");
  EXPECT_EQ(taken.texts.size(), 2u);
}

TEST_F(StageLibraryTest, AStageThatIsRefusedIsNotTaken) {
  const auto stage = library.stage();
  library.note(kNew, kRing);
  const StageLibrary::Taken taken = library.take_changes([](const frame::StageDef&) { return "it is too crowded"; });
  EXPECT_EQ(taken.error, path("stages/night_garden.toml") + ": it is too crowded");
  EXPECT_TRUE(taken.texts.empty());
  EXPECT_EQ(library.stage(), stage);
}

}  // namespace
}  // namespace spellpool::app
