#include "content/media/recording_file.hpp"

#include <gtest/gtest.h>
#include <sndfile.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace spellpool::content {
namespace {

class RecordingFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() / ("spellpool_recording_" + std::to_string(::getpid()))).string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  /// A file as another program would write it.
  std::string file_of(int format, int rate_hz, int channels, const std::vector<float>& samples) {
    SF_INFO info{};
    info.samplerate = rate_hz;
    info.channels = channels;
    info.format = format;
    SNDFILE* file = sf_open(path_.c_str(), SFM_WRITE, &info);
    EXPECT_NE(file, nullptr) << sf_strerror(nullptr);
    if (file == nullptr) return {};
    // In blocks: libsndfile's Vorbis writer keeps a whole call on the stack.
    for (std::size_t at = 0; at < samples.size(); at += 4096) {
      sf_write_float(file, samples.data() + at, static_cast<sf_count_t>(std::min<std::size_t>(4096, samples.size() - at)));
    }
    sf_close(file);
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  std::string path_;
};

std::vector<float> tone(std::size_t samples, float level = 0.5f) {
  std::vector<float> out(samples);
  for (std::size_t i = 0; i < samples; ++i) out[i] = level * std::sin(0.05f * static_cast<float>(i));
  return out;
}

std::string error_of(std::string_view bytes) {
  const RecordingResult result = parse_recording(bytes, "x.wav");
  EXPECT_FALSE(result.recording.has_value());
  return result.error;
}

TEST_F(RecordingFile, ReadsWavFlacAndOgg) {
  const std::vector<float> samples = tone(8'192);
  const struct {
    int format;
    float off;
  } kFormats[] = {{SF_FORMAT_WAV | SF_FORMAT_FLOAT, 0.0f},   {SF_FORMAT_WAV | SF_FORMAT_PCM_16, 1e-4f}, {SF_FORMAT_WAV | SF_FORMAT_PCM_24, 1e-6f},
                  {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1e-4f}, {SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0.1f}};
  for (const auto& [format, off] : kFormats) {
    const RecordingResult result = parse_recording(file_of(format, 44'100, 1, samples), "x");
    ASSERT_TRUE(result.recording.has_value()) << result.error;
    EXPECT_EQ(result.recording->rate_hz, 44'100u);
    EXPECT_TRUE(result.recording->right.empty());
    ASSERT_EQ(result.recording->left.size(), samples.size());
    for (std::size_t i = 200; i < samples.size() - 200; ++i) ASSERT_NEAR(result.recording->left[i], samples[i], off);
  }
}

TEST_F(RecordingFile, KeepsTheSidesApart) {
  std::vector<float> samples;
  for (int i = 0; i < 1'000; ++i) samples.insert(samples.end(), {0.25f, -0.5f});
  const RecordingResult result = parse_recording(file_of(SF_FORMAT_WAV | SF_FORMAT_FLOAT, 48'000, 2, samples), "x");
  ASSERT_TRUE(result.recording.has_value()) << result.error;
  EXPECT_EQ(result.recording->left, std::vector<float>(1'000, 0.25f));
  EXPECT_EQ(result.recording->right, std::vector<float>(1'000, -0.5f));
}

TEST_F(RecordingFile, WhatIsTooLoudIsScaledDown) {
  const RecordingResult result = parse_recording(file_of(SF_FORMAT_WAV | SF_FORMAT_FLOAT, 48'000, 1, {0.0f, -8.0f, 2.0f, 0.0f}), "x");
  ASSERT_TRUE(result.recording.has_value()) << result.error;
  EXPECT_EQ(result.recording->left, (std::vector<float>{0.0f, -1.0f, 0.25f, 0.0f}));
}

TEST_F(RecordingFile, RefusesWhatCannotBePlayedInOneLine) {
  EXPECT_EQ(error_of(file_of(SF_FORMAT_WAV | SF_FORMAT_PCM_16, 48'000, 6, tone(600))), "x.wav: has 6 channels; mix it down to 1 or 2");
  EXPECT_EQ(error_of(file_of(SF_FORMAT_WAV | SF_FORMAT_PCM_16, 4'000, 1, tone(600))), "x.wav: has 4000 samples a second; 8000 … 192000 can be played");
  EXPECT_EQ(error_of(file_of(SF_FORMAT_WAV | SF_FORMAT_PCM_16, 8'000, 1, tone(8'000 * 45))), "x.wav: is 45.0 s long; 30 is the most");
  EXPECT_EQ(error_of(file_of(SF_FORMAT_WAV | SF_FORMAT_PCM_16, 48'000, 1, {})), "x.wav: holds no samples");
  EXPECT_EQ(error_of(file_of(SF_FORMAT_WAV | SF_FORMAT_FLOAT, 48'000, 1, {0.0f, NAN, 0.5f})), "x.wav: holds samples that are no numbers, the first after 0.000 s");
  const std::string text = error_of("This is not a sound.\n");
  EXPECT_EQ(text.rfind("x.wav: is no sound that can be read (", 0), 0u) << text;
  EXPECT_NE(text.find("WAV, OGG and FLAC are"), std::string::npos) << text;
  EXPECT_EQ(error_of("").rfind("x.wav: ", 0), 0u);
}

TEST_F(RecordingFile, ThirtySecondsFitExactly) {
  EXPECT_TRUE(parse_recording(file_of(SF_FORMAT_WAV | SF_FORMAT_PCM_16, 8'000, 1, tone(240'000)), "x").recording.has_value());
  EXPECT_FALSE(parse_recording(file_of(SF_FORMAT_WAV | SF_FORMAT_PCM_16, 8'000, 1, tone(240'001)), "x").recording.has_value());
}

TEST_F(RecordingFile, EveryBeginningOfAFileIsReadOrRefused) {
  for (const int format : {SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_VORBIS}) {
    const std::string whole = file_of(format, 48'000, 2, tone(4'000));
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 60) {
      const RecordingResult result = parse_recording(std::string_view(whole).substr(0, length), "x.wav");
      ASSERT_NE(result.recording.has_value(), !result.error.empty());
      EXPECT_EQ(result.error.find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace spellpool::content
