#include "app/play/clip.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;

/// A run that is nothing but a step counter; its pictures are of one colour, by step.
struct FakeRun : ClipSource {
  u64 now = 0, last = 100'000, finale_at = 50;
  u32 width = 64, height = 36;
  std::vector<u64> shown;

  bool step() override { return now < last && ++now > 0; }
  u64 steps() const override { return now; }
  bool in_finale() const override { return now >= finale_at; }
  bool picture(std::vector<u8>& rgb) override {
    shown.push_back(now);
    rgb.assign(std::size_t{width} * height * 3, static_cast<u8>(now));
    return true;
  }
};

class ClipTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "spellpool-clip-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    if (const char* path = std::getenv("PATH")) path_ = path;
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  /// Another ffmpeg, found first on PATH; $last is the file it is to write.
  void put_ffmpeg(const std::string& script) {
    fs::create_directories(folder_ / "bin");
    std::ofstream(file("bin/ffmpeg")) << "#!/bin/sh\nfor last; do :; done\nlast=${last#file:}\n" << script << '\n';
    fs::permissions(folder_ / "bin/ffmpeg", fs::perms::owner_all);
    setenv("PATH", (file("bin") + ":" + path_).c_str(), 1);
  }
  std::string film(FakeRun& run, const std::string& name, u32 seconds = 1, std::optional<u64> from = {}) {
    return run_clip({file(name), seconds, from}, run, run.width, run.height);
  }
  /// What lies in the folder beside bin/.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().filename() != "bin") names.push_back(entry.path().filename().string());
    }
    return names;
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(ClipTest, FilmsEverySecondStepFromTheFinaleOn) {
  put_ffmpeg("cat > \"$last\"; echo \"$@\" > " + file("bin/arguments"));
  FakeRun run;
  ASSERT_EQ(film(run, "a.webp"), "");
  ASSERT_EQ(run.shown.size(), 30u);
  EXPECT_EQ(run.shown.front(), 50u);
  EXPECT_EQ(run.shown.back(), 50u + 29 * 2);
  EXPECT_EQ(run.now, run.shown.back()) << "nothing is played beyond the last picture";
  EXPECT_EQ(text_of(file("a.webp")).size(), 30u * 64 * 36 * 3);
  EXPECT_EQ(static_cast<u8>(text_of(file("a.webp")).back()), static_cast<u8>(run.now));
  const std::string arguments = text_of(file("bin/arguments"));
  EXPECT_NE(arguments.find("-video_size 64x36 -framerate 30"), std::string::npos) << arguments;
  EXPECT_EQ(files(), std::vector<std::string>{"a.webp"});
}

TEST_F(ClipTest, EachFormatHasItsPaceAndTheStepAskedFor) {
  put_ffmpeg("cat > \"$last\"");
  for (const auto& [name, pictures] : {std::pair{"a.gif", 40u}, {"a.webp", 60u}, {"a.MP4", 120u}}) {
    FakeRun run;
    ASSERT_EQ(film(run, name, 2, 7), "");
    EXPECT_EQ(run.shown.size(), pictures);
    EXPECT_EQ(run.shown.front(), 7u);
  }
}

TEST_F(ClipTest, WithoutFfmpegOneLineSaysHowToGetIt) {
  setenv("PATH", file("nowhere").c_str(), 1);
  FakeRun run;
  EXPECT_EQ(film(run, "a.webp"),
            "--clip " + file("a.webp") + ": ffmpeg is not installed; install ffmpeg: sudo apt-get install ffmpeg");
  EXPECT_EQ(run.now, 0u) << "said before anything is played";
  EXPECT_TRUE(files().empty());
}

TEST_F(ClipTest, AnEarlyFailureTellsFfmpegsLastLineAndLeavesNothing) {
  put_ffmpeg("echo half > \"$last\"; echo first >&2; echo 'Unknown encoder libfoo' >&2; exit 3");
  std::ofstream(file("a.gif")) << "older";
  FakeRun run;
  run.width = 1280, run.height = 720;
  const std::string error = film(run, "a.gif", 10);
  EXPECT_EQ(error, "--clip " + file("a.gif") + ": ffmpeg ended with exit code 3 (its last line: Unknown encoder libfoo)");
  EXPECT_EQ(text_of(file("a.gif")), "older");
  EXPECT_EQ(files(), std::vector<std::string>{"a.gif"});
}

TEST_F(ClipTest, AFifoIsRefusedAtOnce) {
  put_ffmpeg("cat > \"$last\"");
  ASSERT_EQ(::mkfifo(file("a.webp").c_str(), 0600), 0);  // opened for writing it would wait for its reader
  FakeRun run;
  EXPECT_EQ(film(run, "a.webp"), "--clip " + file("a.webp") + ": it is no ordinary file; give another name");
  EXPECT_EQ(run.now, 0u);
}

TEST_F(ClipTest, AFailureAtTheEndLeavesNothing) {
  put_ffmpeg("cat > \"$last\"; echo 'No space left on device' >&2; exit 1");
  FakeRun run;
  EXPECT_NE(film(run, "a.webp").find("No space left on device"), std::string::npos);
  EXPECT_TRUE(files().empty());
}

TEST_F(ClipTest, AnOlderClipIsReplacedByAWholeOne) {
  put_ffmpeg("cat > \"$last\"");
  std::ofstream(file("a.webp")) << "older";
  FakeRun run;
  ASSERT_EQ(film(run, "a.webp"), "");
  EXPECT_GT(text_of(file("a.webp")).size(), 1000u);
}

TEST_F(ClipTest, ARunThatEndsSoonerGivesAShorterClip) {
  put_ffmpeg("cat > \"$last\"");
  FakeRun run;
  run.last = 60;
  EXPECT_EQ(film(run, "a.webp", 10), "");
  EXPECT_EQ(text_of(file("a.webp")).size(), 6u * 64 * 36 * 3);
}

TEST_F(ClipTest, AFinaleThatNeverComesIsAnError) {
  put_ffmpeg("cat > \"$last\"");
  FakeRun run;
  run.last = 40;
  EXPECT_NE(film(run, "a.webp").find("the run ended at step 40, before a finale"), std::string::npos);
  EXPECT_NE(film(run, "a.webp", 1, 90).find("before step 90"), std::string::npos);
  FakeRun endless;
  endless.last = endless.finale_at = ~u64{0};
  EXPECT_NE(film(endless, "a.webp").find("before a finale; give --autoplay"), std::string::npos);
  EXPECT_EQ(endless.now, kLongestWait_steps);
  EXPECT_TRUE(files().empty());
}

TEST_F(ClipTest, NamesThatCannotBeWrittenAreRefusedAtOnce) {
  put_ffmpeg("cat > \"$last\"");
  for (const std::string name : {"a.avi", "a", "no/such/folder.webp"}) {
    FakeRun run;
    const std::string error = film(run, name);
    EXPECT_NE(error.find(name), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
    EXPECT_EQ(run.now, 0u);
  }
  fs::create_symlink("/dev/null", folder_ / "null.gif");
  FakeRun run;
  EXPECT_NE(film(run, "null.gif").find("no ordinary file"), std::string::npos);
  EXPECT_TRUE(fs::is_symlink(folder_ / "null.gif"));
}

TEST_F(ClipTest, ThroughALinkTheFileBehindItIsReplaced) {
  put_ffmpeg("cat > \"$last\"");
  std::ofstream(file("real.webp")) << "older";
  fs::create_symlink("real.webp", folder_ / "link.webp");
  FakeRun run;
  ASSERT_EQ(film(run, "link.webp"), "");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.webp"));
  EXPECT_GT(fs::file_size(folder_ / "real.webp"), 1000u);
}

TEST_F(ClipTest, RealFfmpegWritesEveryFormat) {
  if (!have_command("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
  for (const auto& [name, start] : {std::pair{"a.webp", "RIFF"}, {"a.gif", "GIF89a"}, {"a.mp4", ""}}) {
    FakeRun run;
    ASSERT_EQ(film(run, name), "");
    const std::string bytes = text_of(file(name));
    EXPECT_EQ(bytes.substr(0, std::string(start).size()), start);
    if (*start == '\0') {
      EXPECT_EQ(bytes.substr(4, 4), "ftyp");
    }
  }
}

}  // namespace
}  // namespace spellpool::app
