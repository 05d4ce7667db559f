// Tails: what falls, what rises, and when samples are read.
#include "audio/tail_ring.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace spellpool::audio {
namespace {

constexpr u32 kFrames = 128;

/// A sound of one level, with the zeros behind it.
std::vector<float> steady(float level) {
  std::vector<float> samples(2'000, level);
  samples.resize(samples.size() + kPadFrames, 0.0f);
  return samples;
}

VoiceRun run_of(const std::vector<float>& samples, float left, float right) {
  VoiceRun run{};
  run.bright_left = run.bright_right = run.dull_left = run.dull_right = samples.data();
  run.step = kUnityStep;
  run.left = left;
  run.right = right;
  return run;
}

struct Mix {
  std::vector<float> left = std::vector<float>(2 * kFrames), right = left;
  void take(TailRing& ring, u32 from, u32 count) { ring.mix_into(std::span(left).subspan(from, count), std::span(right).subspan(from, count)); }
};

TEST(TailRing, FallsAlongARaisedCosineAndRisesAlongItsMirror) {
  const std::vector<float> sound = steady(0.5f);
  for (const bool rises : {false, true}) {
    TailRing ring(kFrames, mix_loops(best_mix_level()).voices);
    rises ? ring.rise(run_of(sound, 1.0f, 0.25f)) : ring.fall(run_of(sound, 1.0f, 0.25f));
    Mix mix;
    mix.take(ring, 0, 2 * kFrames);
    for (u32 i = 0; i < 2 * kFrames; ++i) {
      const double falling = i < kFrames ? 0.5 + 0.5 * std::cos(3.14159265358979 * i / kFrames) : 0.0, size = rises ? -0.5 * falling : 0.5 * falling;
      ASSERT_NEAR(mix.left[i], size, 1e-6) << i;
      ASSERT_NEAR(mix.right[i], 0.25 * size, 1e-6) << i;
    }
  }
}

TEST(TailRing, AnyNumberSharesItAndMoreMayBeginBeforeTheFirstAreOver) {
  const std::vector<float> sound = steady(0.001f);
  TailRing ring(kFrames, mix_loops(best_mix_level()).voices);
  Mix mix;
  for (int i = 0; i < 150; ++i) ring.fall(run_of(sound, 1.0f, 1.0f));
  mix.take(ring, 0, 50);
  for (int i = 0; i < 70; ++i) ring.fall(run_of(sound, 1.0f, 1.0f));
  mix.take(ring, 50, 2 * kFrames - 50);
  const auto falling = [](u32 i) { return i < kFrames ? 0.5 + 0.5 * std::cos(3.14159265358979 * i / kFrames) : 0.0; };
  for (u32 i = 0; i < 2 * kFrames; ++i) {
    const double wanted = 0.150 * falling(i) + (i < 50 ? 0.0 : 0.070 * falling(i - 50));
    ASSERT_NEAR(mix.left[i], wanted, 1e-5) << i;
  }
}

TEST(TailRing, SamplesMayGoOnceWhatBeganIsRendered) {
  std::vector<float> sound = steady(0.5f);
  TailRing ring(kFrames, mix_loops(best_mix_level()).voices);
  ring.fall(run_of(sound, 1.0f, 1.0f));
  ring.render_begun();
  std::fill(sound.begin(), sound.end(), 1'000.0f);
  Mix mix;
  mix.take(ring, 0, kFrames);
  for (const float sample : mix.left) ASSERT_LE(sample, 0.5f);
  EXPECT_GT(mix.left[0], 0.49f);
}

}  // namespace
}  // namespace spellpool::audio
