#include "app/stage_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "../support/scratch_folder.hpp"
#include "content/pattern_file.hpp"

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
  ASSERT_GT(library.checksums().size(), 10u);
  EXPECT_EQ(library.checksums().size(), library.paths().size());
  EXPECT_EQ(library.checksums().front().name, "patterns/bubbles.toml");
  EXPECT_EQ(library.checksums().back().name, "stages/night_garden.toml");
  EXPECT_EQ(library.paths().back(), path("stages/night_garden.toml"));
  StageLibrary again;
  ASSERT_EQ(again.load(SPELLPOOL_SOURCE_DIR), "");
  EXPECT_EQ(again.checksums(), library.checksums()) << "the same texts in another folder";
  EXPECT_EQ(again.checksum(), library.checksum());
}

TEST_F(StageLibraryTest, ReloadTakesWhatChangedAndLeavesWhatIsBeingPlayed) {
  const auto played = library.patterns();
  const std::size_t before = played->size();
  const u64 checksum = library.checksum();
  write_file(path("patterns/new.toml"), "[[shot]]\nform = \"ring\"\n");
  ASSERT_EQ(library.reload(), "");
  EXPECT_EQ(library.patterns()->size(), before + 1);
  EXPECT_EQ(played->size(), before);
  EXPECT_NE(library.checksum(), checksum);
  std::filesystem::remove(path("patterns/new.toml"));
  ASSERT_EQ(library.reload(), "");
  EXPECT_EQ(library.checksum(), checksum);
}

TEST_F(StageLibraryTest, BrokenFileIsOneLineAndTheLastGoodOnesStay) {
  const auto patterns = library.patterns();
  const auto stage = library.stage();
  const auto checksums = library.checksums();
  const auto expect_kept = [&](const std::string& error, const std::string& begins) {
    EXPECT_THAT(error, ::testing::StartsWith(begins));
    EXPECT_EQ(error.find('\n'), std::string::npos);
    EXPECT_EQ(library.patterns(), patterns);
    EXPECT_EQ(library.stage(), stage);
    EXPECT_EQ(library.checksums(), checksums);
  };
  const std::string rings = test::read_file(path("patterns/rings.toml")), garden = test::read_file(path("stages/night_garden.toml"));
  write_file(path("patterns/rings.toml"), rings + "\ncount = 9999\n");
  expect_kept(library.reload(), path("patterns/rings.toml") + ":");
  std::filesystem::remove(path("patterns/rings.toml"));  // Good files all, but the stage names rings.plain.
  expect_kept(library.reload(), path("stages/night_garden.toml") + ":");
  write_file(path("patterns/rings.toml"), rings);
  write_file(path("stages/night_garden.toml"), garden + "\n[[wave]]\nat_s = 1\n");
  expect_kept(library.reload(), path("stages/night_garden.toml") + ":");
  std::filesystem::remove(path("stages/night_garden.toml"));
  expect_kept(library.reload(), path("stages/night_garden.toml") + ": no such file");
  write_file(path("stages/night_garden.toml"), garden);
  EXPECT_EQ(library.reload(), "");
  EXPECT_EQ(library.checksums(), checksums);
}

}  // namespace
}  // namespace spellpool::app
