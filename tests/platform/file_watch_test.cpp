#include "platform/file_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/scratch_folder.hpp"
#include "../support/until.hpp"

namespace spellpool::platform {
namespace {

using test::ScratchFolder;
using test::write_file;
using ::testing::HasSubstr;

std::vector<FileChange> changes_of(FileScan& scan) {
  std::vector<FileChange> changes;
  scan.scan(changes);
  return changes;
}

class FileScanTest : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(scratch / "a", "one");
    write_file(scratch / "b", "two");
  }
  FileScan make() { return FileScan({scratch / "a", scratch / "b"}, 100); }
  ScratchFolder scratch;
};

TEST_F(FileScanTest, TellsOnlyTheFileThatChanged) {
  FileScan scan = make();
  EXPECT_TRUE(changes_of(scan).empty());
  write_file(scratch / "b", "three");
  const auto changes = changes_of(scan);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].file, 1u);
  EXPECT_EQ(changes[0].text, "three");
  EXPECT_EQ(changes[0].error, "");
  EXPECT_TRUE(changes_of(scan).empty());
}

// Two saves of equal length within one tick of the file system's clock have the same time stamp.
TEST_F(FileScanTest, SeesASecondSaveThatHidesBehindTheSameTimeStamp) {
  FileScan scan = make();
  write_file(scratch / "a", "abc");
  const auto stamp = std::filesystem::last_write_time(scratch / "a");
  ASSERT_EQ(changes_of(scan).size(), 1u);
  write_file(scratch / "a", "xyz");
  std::filesystem::last_write_time(scratch / "a", stamp);
  const auto changes = changes_of(scan);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].text, "xyz");
}

TEST_F(FileScanTest, SeesAnEditorThatReplacesByRename) {
  FileScan scan = make();
  write_file(scratch / "a.new", "new");
  std::filesystem::rename(scratch / "a.new", scratch / "a");
  const auto changes = changes_of(scan);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].text, "new");
}

TEST_F(FileScanTest, HalfWrittenFileIsToldAgainWhenTheRestFollows) {
  FileScan scan = make();
  write_file(scratch / "a", "hal");
  EXPECT_EQ(changes_of(scan).at(0).text, "hal");
  write_file(scratch / "a", "half and whole");
  EXPECT_EQ(changes_of(scan).at(0).text, "half and whole");
}

TEST_F(FileScanTest, TouchWithTheSameTextIsNoChange) {
  FileScan scan = make();
  std::filesystem::last_write_time(scratch / "a",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(9));
  EXPECT_TRUE(changes_of(scan).empty());
  write_file(scratch / "a", "one");
  EXPECT_TRUE(changes_of(scan).empty());
}

TEST_F(FileScanTest, GoneIsToldOnceAndOnlyWhenItStaysGone) {
  FileScan scan = make();
  std::filesystem::remove(scratch / "a");
  EXPECT_TRUE(changes_of(scan).empty());
  write_file(scratch / "a", "one");
  EXPECT_TRUE(changes_of(scan).empty()) << "deleted and written again, as some editors save";
  std::filesystem::remove(scratch / "a");
  EXPECT_TRUE(changes_of(scan).empty());
  EXPECT_EQ(changes_of(scan).at(0).error, (scratch / "a").string() + ": no such file");
  EXPECT_TRUE(changes_of(scan).empty());
  write_file(scratch / "a", "one");
  EXPECT_EQ(changes_of(scan).at(0).text, "one") << "back again, with the text that was told before it went";
}

TEST_F(FileScanTest, FolderAndLargeFileAreErrors) {
  FileScan scan = make();
  write_file(scratch / "a", std::string(101, 'x'));
  std::filesystem::remove(scratch / "b");
  std::filesystem::create_directory(scratch / "b");
  const auto changes = changes_of(scan);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].error, (scratch / "a").string() + ": is larger than 100 bytes");
  EXPECT_EQ(changes[1].error, (scratch / "b").string() + ": is a folder, not a file");
}

TEST_F(FileScanTest, FileThatIsMissingFromTheStartIsToldWhenItComes) {
  FileScan scan({scratch / "later"}, 100);
  EXPECT_TRUE(changes_of(scan).empty());
  write_file(scratch / "later", "here");
  EXPECT_EQ(changes_of(scan).at(0).text, "here");
}

TEST_F(FileScanTest, ForgettingTellsEveryFileAgain) {
  FileScan scan = make();
  scan.forget();
  EXPECT_EQ(changes_of(scan).size(), 2u);
  EXPECT_TRUE(changes_of(scan).empty());
}

TEST_F(FileScanTest, OfAFolderNewFilesAreToldAndThoseThatGo) {
  const std::filesystem::path folder = scratch / "patterns";
  std::filesystem::create_directories(folder);
  write_file(folder / "old.toml", "old");
  FileScan scan({scratch / "a"}, 100, folder);
  EXPECT_TRUE(changes_of(scan).empty());
  write_file(folder / "new.toml", "new");
  write_file(folder / "notes.txt", "no pattern");
  auto changes = changes_of(scan);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].path, folder / "new.toml");
  EXPECT_EQ(changes[0].text, "new");
  EXPECT_FALSE(changes[0].missing);
  std::filesystem::remove(folder / "old.toml");
  changes_of(scan);
  changes = changes_of(scan);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].path, folder / "old.toml");
  EXPECT_TRUE(changes[0].missing);
  EXPECT_TRUE(changes_of(scan).empty());
}

TEST(FileWatch, HandsChangesFromItsThread) {
  const ScratchFolder scratch;
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < 40; ++i) {  // More than the ring holds: none may be lost.
    files.push_back(scratch / std::to_string(i));
    write_file(files.back(), "old");
  }
  FileWatch watch(files, 1000);
  EXPECT_EQ(watch.poll(), nullptr);
  for (const auto& file : files) write_file(file, "new");
  std::vector<int> told(files.size());
  std::size_t count = 0;
  EXPECT_TRUE(test::until([&] {
    while (const auto change = watch.poll()) {
      EXPECT_EQ(change->text, "new");
      ++told[change->file];
      ++count;
    }
    return count >= files.size();
  }));
  EXPECT_THAT(told, ::testing::Each(1));
  watch.reread();
  EXPECT_TRUE(test::until([&] { return watch.poll() != nullptr; }));
}

}  // namespace
}  // namespace spellpool::platform
