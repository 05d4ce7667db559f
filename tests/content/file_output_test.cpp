#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>
#include <sndfile.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "../support/scratch_folder.hpp"
#include "content/media/png.hpp"
#include "content/media/wav.hpp"
#include "content/text_file.hpp"

namespace spellpool::content {
namespace {

using test::ScratchFolder;

using ::testing::HasSubstr;

std::string contents(const std::filesystem::path& path) {
  return read_text(path, std::size_t{1} << 24).text.value_or("");
}

TEST(TextFile, WritesAndReadsBack) {
  const ScratchFolder scratch;
  EXPECT_EQ(write_text(scratch / "a.txt", "one\ntwo\n"), "");
  EXPECT_EQ(contents(scratch / "a.txt"), "one\ntwo\n");
  EXPECT_EQ(scratch.file_count(), 1u);
}

TEST(TextFile, NeverOverwritesUnlessTold) {
  const ScratchFolder scratch;
  ASSERT_EQ(write_text(scratch / "a.txt", "old"), "");
  EXPECT_THAT(write_text(scratch / "a.txt", "new"), HasSubstr("already there"));
  EXPECT_EQ(contents(scratch / "a.txt"), "old");
  EXPECT_EQ(write_text(scratch / "a.txt", "new", Overwrite::Yes), "");
  EXPECT_EQ(contents(scratch / "a.txt"), "new");
  EXPECT_EQ(scratch.file_count(), 1u);
}

TEST(TextFile, NameTakenWhileWritingIsNotOverwritten) {
  const ScratchFolder scratch;
  StagedFile file(scratch / "a.txt", Overwrite::No);
  file.write("mine");
  std::ofstream(scratch / "a.txt") << "theirs";
  EXPECT_THAT(file.commit(), HasSubstr("already there"));
  EXPECT_EQ(contents(scratch / "a.txt"), "theirs");
}

TEST(TextFile, UnwritablePlacesAreOneLineThatNamesThePath) {
  const ScratchFolder scratch;
  EXPECT_EQ(write_text("", "x"), ": cannot be written: the file name is empty");
  EXPECT_EQ(write_text(scratch.path(), "x"), scratch.path().string() + ": cannot be written: it is a folder");
  EXPECT_EQ(write_text(scratch / "no/a.txt", "x"),
            (scratch / "no/a.txt").string() + ": cannot be written: its folder does not exist");
  EXPECT_EQ(write_text("/proc/a.txt", "x").substr(0, 31), "/proc/a.txt: cannot be written:");
  ASSERT_EQ(write_text(scratch / "file", "x"), "");
  EXPECT_EQ(write_text(scratch / "file/a.txt", "x"),
            (scratch / "file/a.txt").string() + ": cannot be written: Not a directory");
}

TEST(TextFile, FullDiskIsReported) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(write_text("/dev/full", "x"), "/dev/full: cannot be written: No space left on device");
}

TEST(TextFile, LinkKeepsPointingAndItsTargetChanges) {
  const ScratchFolder scratch;
  ASSERT_EQ(write_text(scratch / "target", "old"), "");
  std::filesystem::create_symlink(scratch / "target", scratch / "link");
  EXPECT_EQ(write_text(scratch / "link", "new", Overwrite::Yes), "");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link"));
  EXPECT_EQ(contents(scratch / "target"), "new");
}

TEST(StagedFile, LeavesNothingBehindWithoutCommit) {
  const ScratchFolder scratch;
  ASSERT_EQ(write_text(scratch / "a.txt", "old"), "");
  {
    StagedFile file(scratch / "a.txt", Overwrite::Yes);
    file.write("half of the ne");
    EXPECT_EQ(contents(scratch / "a.txt"), "old");
  }
  EXPECT_EQ(contents(scratch / "a.txt"), "old");
  EXPECT_EQ(scratch.file_count(), 1u);
}

TEST(Png, PictureReadsBackWithItsTextChunks) {
  const ScratchFolder scratch;
  const u32 width = 67, height = 31;
  std::vector<u8> rgb(std::size_t{width} * height * 3);
  for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = static_cast<u8>(i * 37 + i / 7);
  ASSERT_EQ(write_png(scratch / "a.png", width, height, rgb, "Nächte"), "");

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_file(&image, (scratch / "a.png").c_str()), 0);
  EXPECT_EQ(image.width, width);
  EXPECT_EQ(image.height, height);
  image.format = PNG_FORMAT_RGB;
  std::vector<u8> back(rgb.size());
  ASSERT_NE(png_image_finish_read(&image, nullptr, back.data(), 0, nullptr), 0);
  EXPECT_EQ(back, rgb);
  const std::string bytes = contents(scratch / "a.png");
  EXPECT_THAT(bytes, HasSubstr(std::string("tEXtSoftware\0Spellpool", 22)));
  EXPECT_THAT(bytes, HasSubstr("Nächte"));
}

TEST(Png, ErrorsNameThePathAndLeaveNoFile) {
  const ScratchFolder scratch;
  const std::vector<u8> rgb(12);
  EXPECT_EQ(write_png(scratch / "a.png", 2, 3, rgb),
            (scratch / "a.png").string() + ": cannot be written: 12 bytes are no picture of 2 x 3");
  EXPECT_THAT(write_png(scratch / "a.png", 0, 0, {}), HasSubstr("no picture"));
  EXPECT_EQ(scratch.file_count(), 0u);
  EXPECT_EQ(write_png(scratch / "a.png", 2, 2, rgb), "");
  EXPECT_THAT(write_png(scratch / "a.png", 2, 2, rgb), HasSubstr("already there"));
  EXPECT_EQ(write_png(scratch / "a.png", 2, 2, rgb, "", Overwrite::Yes), "");
  if (::access("/dev/full", W_OK) == 0) {
    EXPECT_THAT(write_png("/dev/full", 2, 2, rgb), HasSubstr("No space left"));
  }
}

std::vector<float> read_wav(const std::filesystem::path& path, SF_INFO& info) {
  SNDFILE* sound = sf_open(path.c_str(), SFM_READ, &info);
  if (sound == nullptr) return {};
  std::vector<float> samples(static_cast<std::size_t>(info.frames * info.channels));
  sf_readf_float(sound, samples.data(), info.frames);
  sf_close(sound);
  return samples;
}

TEST(Wav, SamplesReadBackAndLoudOnesClip) {
  const ScratchFolder scratch;
  const std::vector<float> samples = {0.0f, 0.5f, -0.5f, 0.25f, 2.0f, -2.0f};
  ASSERT_EQ(write_wav(scratch / "a.wav", 48000, samples), "");
  SF_INFO info{};
  const std::vector<float> back = read_wav(scratch / "a.wav", info);
  EXPECT_EQ(info.samplerate, 48000);
  EXPECT_EQ(info.channels, 2);
  EXPECT_EQ(info.frames, 3);
  ASSERT_EQ(back.size(), samples.size());
  EXPECT_NEAR(back[1], 0.5f, 1e-4f);
  EXPECT_NEAR(back[4], 1.0f, 1e-4f);
  EXPECT_NEAR(back[5], -1.0f, 1e-4f);

  ASSERT_EQ(write_wav(scratch / "f.wav", 44100, samples, WavFormat::Float32), "");
  SF_INFO float_info{};
  EXPECT_EQ(read_wav(scratch / "f.wav", float_info), samples);
}

TEST(Wav, SameSamplesGiveTheSameBytesHoweverTheyAreCut) {
  const ScratchFolder scratch;
  std::vector<float> samples(4000);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<float>(i % 100) / 100.0f;
  for (const WavFormat format : {WavFormat::Pcm16, WavFormat::Float32}) {
    ASSERT_EQ(write_wav(scratch / "a.wav", 48000, samples, format, Overwrite::Yes), "");
    WavWriter writer(scratch / "b.wav", 48000, format, Overwrite::Yes);
    for (std::size_t i = 0; i < samples.size(); i += 250) writer.append(std::span(samples).subspan(i, 250));
    ASSERT_EQ(writer.finish(), "");
    EXPECT_EQ(contents(scratch / "a.wav"), contents(scratch / "b.wav"));
    EXPECT_EQ(contents(scratch / "a.wav").find("PEAK"), std::string::npos);
  }
}

TEST(Wav, ErrorsNameThePathAndLeaveNoFile) {
  const ScratchFolder scratch;
  const std::vector<float> samples(2000);
  EXPECT_THAT(write_wav(scratch / "no/a.wav", 48000, samples), HasSubstr("its folder does not exist"));
  EXPECT_NE(write_wav(scratch / "a.wav", 0, samples), "");
  { WavWriter unfinished(scratch / "a.wav", 48000, WavFormat::Pcm16); }
  EXPECT_EQ(scratch.file_count(), 0u);
  if (::access("/dev/full", W_OK) == 0) {
    EXPECT_THAT(write_wav("/dev/full", 48000, samples), HasSubstr("/dev/full: cannot be written"));
  }
}

}  // namespace
}  // namespace spellpool::content
