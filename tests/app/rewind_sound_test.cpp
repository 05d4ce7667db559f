// The sound of time that runs backward: begins, goes on and ends without a click, at whatever moment.
#include "app/sound/rewind_sound.hpp"

#include <gtest/gtest.h>

#include "../audio/shipped_sounds.hpp"
#include "../audio/signal.hpp"

namespace spellpool::app {
namespace {

using audio::Mixer;
using audio::MixerOptions;

constexpr u32 kHz = 48'000, kBlock = 480;
constexpr i64 kBlock_ns = 10'000'000;

/// Time runs backward from the first block for so many, and a second and a half is heard after it.
std::vector<float> heard(int blocks) {
  Mixer mixer(MixerOptions{}, audio::shipped_bank());
  RewindSound sound;
  std::vector<float> all, block(std::size_t{2} * kBlock);
  for (int i = 0; i < blocks + 150; ++i) {
    sound.update(mixer, i < blocks, i * kBlock_ns);
    mixer.update();
    mixer.render(block);
    all.insert(all.end(), block.begin(), block.end());
  }
  return all;
}

/// Energy above 4 kHz in the worst stretch of 512 frames, in dB of all energy in the loudest one.
double click_db(std::span<const float> mono) {
  constexpr std::size_t kSpan = 512;
  double worst = 0, loudest = 0;
  for (std::size_t at = 0; at + kSpan <= mono.size(); at += kSpan / 2) {
    const std::vector<double> power = audio::signal::power_spectrum(mono.subspan(at, kSpan));
    double above = 0, all = 0;
    for (std::size_t i = 0; i < power.size(); ++i) {
      all += power[i];
      if (static_cast<double>(i) * kHz / static_cast<double>(kSpan) > 4'000.0) above += power[i];
    }
    worst = std::max(worst, above);
    loudest = std::max(loudest, all);
  }
  return 10.0 * std::log10(worst / loudest);
}

TEST(RewindSound, BeginsGoesOnAndEndsWithoutAClickAtAnyMoment) {
  double worst = -300;
  for (int blocks = 3; blocks < 260; blocks += 16) worst = std::max(worst, click_db(audio::signal::channel(heard(blocks), 0)));
  RecordProperty("worst_db", std::to_string(worst));
  EXPECT_LE(worst, -75.0);
  std::vector<float> cut = audio::signal::channel(heard(120), 0);
  cut.resize(120 * kBlock);
  cut.resize(200 * kBlock, 0.0f);
  EXPECT_GT(click_db(cut), -60.0) << "this measure must hear a hard cut";
}

TEST(RewindSound, IsHeardForAsLongAsTimeRunsBackwardAndIsMono) {
  constexpr int kBlocks = 500;
  const std::vector<float> all = heard(kBlocks);
  const std::vector<float> left = audio::signal::channel(all, 0), right = audio::signal::channel(all, 1);
  EXPECT_EQ(left, right);
  const auto level = [&](int from, int to) { return audio::signal::rms(std::span(left).subspan(static_cast<std::size_t>(from) * kBlock, static_cast<std::size_t>(to - from) * kBlock)); };
  double least = 1, most = 0;
  for (int at = 100; at + 20 <= kBlocks; at += 20) {
    least = std::min(least, level(at, at + 20));
    most = std::max(most, level(at, at + 20));
  }
  EXPECT_GT(least, most * 0.2) << "no gap, however long it is held";
  EXPECT_LT(most, 0.25) << "soft";
  EXPECT_EQ(level(kBlocks + 20, kBlocks + 150), 0.0) << "it has ended";
}

TEST(RewindSound, ThatNobodyAsksForPlaysNothing) {
  Mixer mixer(MixerOptions{}, audio::shipped_bank());
  RewindSound sound;
  for (int i = 0; i < 100; ++i) sound.update(mixer, false, i * kBlock_ns);
  EXPECT_EQ(mixer.voices_out(), 0u);
}

}  // namespace
}  // namespace spellpool::app
