#include "platform/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "../support/scratch_folder.hpp"

namespace spellpool::platform {
namespace {

namespace fs = std::filesystem;

using test::ScopedVariable;
using test::ScratchFolder;
using test::write_file;
using ::testing::HasSubstr;

TEST(Paths, XdgVariablesWinOverHome) {
  const ScopedVariable home("HOME", "/home/mage"), config("XDG_CONFIG_HOME", "/conf"), data("XDG_DATA_HOME", "/data");
  EXPECT_EQ(config_folder().path, "/conf/spellpool");
  EXPECT_EQ(user_data_folder().path, "/data/spellpool");
  EXPECT_EQ(recordings_folder().path, "/data/spellpool/recordings");
  EXPECT_EQ(settings_file().path, "/conf/spellpool/settings.toml");
  EXPECT_EQ(scores_file().path, "/data/spellpool/scores.toml");
}

TEST(Paths, RelativeOrEmptyXdgVariablesAreIgnored) {
  const ScopedVariable home("HOME", "/home/mage"), config("XDG_CONFIG_HOME", "conf"), data("XDG_DATA_HOME", "");
  EXPECT_EQ(config_folder().path, "/home/mage/.config/spellpool");
  EXPECT_EQ(user_data_folder().path, "/home/mage/.local/share/spellpool");
}

TEST(Paths, WithoutHomeTheUsersEntryIsAsked) {
  const ScopedVariable home("HOME", nullptr), config("XDG_CONFIG_HOME", nullptr);
  const PathResult result = config_folder();
  if (result.error.empty()) {
    EXPECT_TRUE(result.path.is_absolute());
  } else {
    EXPECT_THAT(result.error, HasSubstr("set HOME or XDG_CONFIG_HOME"));
  }
}

TEST(Paths, FoldersAreMadeOnDemandAndPrivate) {
  const ScratchFolder scratch;
  EXPECT_EQ(make_folder(scratch / "a/b/c"), "");
  struct stat status {};
  ASSERT_EQ(::stat((scratch / "a/b/c").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
  EXPECT_EQ(make_folder(scratch / "a/b/c/"), "");
}

TEST(Paths, FolderThatCannotBeMadeIsOneLineThatNamesIt) {
  const ScratchFolder scratch;
  write_file(scratch / "file", "x");
  EXPECT_EQ(make_folder(scratch / "file/sub"),
            (scratch / "file").string() + ": is a file, but a folder is needed there");
  EXPECT_THAT(make_folder("/proc/spellpool"), HasSubstr("/proc/spellpool: the folder cannot be made: "));
}

TEST(Paths, DataFolderIsFoundFromTheBuildTreeAndFromTheInstalledProgram) {
  const ScratchFolder scratch;
  fs::create_directories(scratch / "repo/assets/spells");
  fs::create_directories(scratch / "repo/build/release");
  EXPECT_EQ(find_data_folder("", scratch / "repo/build/release/").path, scratch / "repo");
  EXPECT_EQ(find_data_folder("", scratch / "repo/build/release").path, scratch / "repo");
  fs::create_directories(scratch / "prefix/bin");
  fs::create_directories(scratch / "prefix/share/spellpool/assets/spells");
  EXPECT_EQ(find_data_folder("", scratch / "prefix/bin/").path, scratch / "prefix/share/spellpool");
}

TEST(Paths, DataFolderThatIsNowhereSaysWhereItLooked) {
  const ScratchFolder scratch;
  const std::string error = find_data_folder("", scratch / "bin/").error;
  EXPECT_THAT(error, HasSubstr((scratch / "bin").string()));
  EXPECT_THAT(error, HasSubstr((scratch / "share/spellpool").string()));
  EXPECT_THAT(error, HasSubstr("--data-dir"));
}

TEST(Paths, DataOptionIsTakenOrRefusedNeverReplaced) {
  const ScratchFolder scratch;
  fs::create_directories(scratch / "mine/assets/spells");
  fs::create_directories(scratch / "empty");
  EXPECT_EQ(find_data_folder((scratch / "mine").string()).path, scratch / "mine");
  EXPECT_THAT(find_data_folder((scratch / "empty").string()).error, HasSubstr("has no assets/spells"));
  EXPECT_THAT(find_data_folder((scratch / "none").string()).error, HasSubstr("no such folder"));
}

TEST(Paths, TheTestsOwnDataFolderIsFound) {
  EXPECT_EQ(find_data_folder("", fs::path(SPELLPOOL_SOURCE_DIR) / "build/release/").path,
            fs::path(SPELLPOOL_SOURCE_DIR));
}

TEST(Paths, TakenNamesGetANumber) {
  const ScratchFolder scratch;
  EXPECT_EQ(free_name(scratch.path(), "run", ".csv"), scratch / "run.csv");
  write_file(scratch / "run.csv", "");
  EXPECT_EQ(free_name(scratch.path(), "run", ".csv"), scratch / "run-2.csv");
  fs::create_symlink("/nowhere", scratch / "run-2.csv");
  EXPECT_EQ(free_name(scratch.path(), "run", ".csv"), scratch / "run-3.csv");
}

}  // namespace
}  // namespace spellpool::platform
