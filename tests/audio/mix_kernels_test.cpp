// The mixer's inner loops against arithmetic in double precision, against each other, and against themselves cut in two.
#include "audio/mix_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "core/rng.hpp"

namespace spellpool::audio {
namespace {

constexpr u32 kSamples = 3'000;

/// One in so many.
bool chance(Rng& dice, u32 of) { return dice.below(of) == 0; }

/// A few sounds with their padding: noise at full scale, so that an index off by one is a wrong sum.
struct Sounds {
  explicit Sounds(Rng& dice) {
    for (std::vector<float>& sound : samples) {
      sound.assign(kSamples + kPadFrames, 0.0f);
      for (u32 i = 0; i < kSamples; ++i) sound[i] = dice.signed_unit();
    }
  }
  std::array<std::vector<float>, 8> samples;
};

u64 any_step(Rng& dice) {
  const auto part = [&] { return u64{dice.below(1u << 24)} << 8; };
  switch (dice.below(8)) {
    case 0: return part();                      // below 1
    case 1: return kUnityStep + part();         // below 2
    case 2: return 2 * kUnityStep + part();     // below 3
    case 3: return 3 * kUnityStep + part();     // below 4
    case 4: return dice.below(5) * kUnityStep;  // whole, 0 and 4 too
    case 5: return kUnityStep + kStepGrain - 2 * kStepGrain * dice.below(2);
    default: return kUnityStep;
  }
}

VoiceRun any_run(const Sounds& sounds, Rng& dice) {
  const auto sound = [&] { return sounds.samples[dice.below(8)].data(); };
  VoiceRun run{};
  run.bright_left = run.bright_right = sound();
  run.dull_left = run.dull_right = sound();
  if (chance(dice, 4)) {
    run.bright_right = sound();
    if (run.bright_right != run.bright_left) run.dull_right = sound();
  }
  run.step = any_step(dice);
  run.position = u64{chance(dice, 20) ? kSamples - 1 : dice.below(kSamples)} << 32;
  if (!chance(dice, 2)) run.position += u64{dice.below(1u << 24)} << 8;
  constexpr float kDullness[] = {0.0f, 0.0f, 0.0f, 0.5f, 0.3f, 1.0f};
  run.dullness = kDullness[dice.below(6)];
  run.left = dice.unit();
  run.right = dice.unit();
  if (chance(dice, 2)) run.left_slope = dice.range(-0.004f, 0.004f);
  if (chance(dice, 2)) run.right_slope = dice.range(-0.004f, 0.004f);
  return run;
}

/// Often several of the kind that are mixed together, with one of another kind between.
std::vector<VoiceRun> any_runs(const Sounds& sounds, Rng& dice, u32 count) {
  std::vector<VoiceRun> runs;
  const bool plain = chance(dice, 2), flat = chance(dice, 2);
  for (u32 i = 0; i < count; ++i) {
    VoiceRun run = any_run(sounds, dice);
    if (plain && !chance(dice, 16)) {
      run.step = kUnityStep;
      run.position &= ~u64{0xFFFFFFFF};
      run.dullness = 0.0f;
      run.bright_right = run.bright_left;
    }
    if (flat) run.left_slope = run.right_slope = 0.0f;
    runs.push_back(run);
  }
  return runs;
}

struct Stereo {
  std::vector<float> left, right;
  bool operator==(const Stereo& other) const {
    const auto same = [](const std::vector<float>& a, const std::vector<float>& b) {
      return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
    };
    return same(left, other.left) && same(right, other.right);
  }
};

constexpr u32 kGuard = 16;  ///< Frames around a run that nobody may touch.

/// What is there before: something, and nothing special about where it begins.
Stereo before(Rng& dice, u32 frames) {
  Stereo stereo;
  for (u32 i = 0; i < frames + 2 * kGuard; ++i) {
    stereo.left.push_back(0.1f * dice.signed_unit());
    stereo.right.push_back(0.1f * dice.signed_unit());
  }
  return stereo;
}

Stereo mixed(MixLevel level, const std::vector<VoiceRun>& runs, u32 first, u32 frames, Stereo onto) {
  mix_loops(level).voices(runs.data(), static_cast<u32>(runs.size()), first, frames, onto.left.data() + kGuard, onto.right.data() + kGuard);
  return onto;
}

/// Where a run stands so many frames later.
VoiceRun later(VoiceRun run, u32 frames) {
  run.position += frames * run.step;
  return run;
}

/// One frame of one voice, as mix_kernels.hpp says it.
struct Frame {
  double left, right;
};
Frame exact(const VoiceRun& run, u32 first, u32 i) {
  const u64 position = run.position + i * run.step;
  const auto at = static_cast<std::size_t>(position >> 32);
  const double fraction = static_cast<double>(position & 0xFFFFFFFFu) / 4'294'967'296.0;
  const auto read = [&](const float* samples) {
    return static_cast<double>(samples[at]) + (static_cast<double>(samples[at + 1]) - static_cast<double>(samples[at])) * fraction;
  };
  const auto sample = [&](const float* bright, const float* dull) {
    return read(bright) + (read(dull) - read(bright)) * static_cast<double>(run.dullness);
  };
  const double counter = first + i;
  return {sample(run.bright_left, run.dull_left) * (static_cast<double>(run.left) + static_cast<double>(run.left_slope) * counter),
          sample(run.bright_right, run.dull_right) * (static_cast<double>(run.right) + static_cast<double>(run.right_slope) * counter)};
}

/// Some four hundred scenes of 0 … 300 voices and 0 … 256 frames.
template <class Check>
void for_any_scene(u64 seed, Check&& check) {
  Rng dice(seed);
  const Sounds sounds(dice);
  for (int scene = 0; scene < 400; ++scene) {
    const u32 count = chance(dice, 8) ? dice.below(301) : dice.below(24);
    const u32 frames = chance(dice, 4) ? kMaxRunFrames : dice.below(kMaxRunFrames + 1);
    const u32 first = dice.below(kMaxRunFrames);
    const std::vector<VoiceRun> runs = any_runs(sounds, dice, count);
    check(dice, runs, first, frames, before(dice, frames));
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "scene " << scene << ": " << count << " voices, " << frames << " frames from " << first;
      return;
    }
  }
}

class MixKernels : public testing::TestWithParam<MixLevel> {
 protected:
  void SetUp() override {
    if (GetParam() > best_mix_level()) GTEST_SKIP() << "this processor has no " << mix_level_name(GetParam());
  }
};

/// Letters and digits alone.
std::string test_name(const testing::TestParamInfo<MixLevel>& level) {
  std::string name = mix_level_name(level.param);
  std::erase(name, '-');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Levels, MixKernels, testing::Values(MixLevel::Portable, MixLevel::Avx2, MixLevel::Avx512),
                         test_name);

TEST_P(MixKernels, MixWhatTheirHeaderSays) {
  for_any_scene(1, [&](Rng&, const std::vector<VoiceRun>& runs, u32 first, u32 frames, const Stereo& onto) {
    const Stereo out = mixed(GetParam(), runs, first, frames, onto);
    // Each voice rounds a dozen numbers of about 1, each sum one of about sqrt(count).
    const double tolerance = 3e-6 * (1.0 + static_cast<double>(runs.size()));
    for (u32 i = 0; i < frames; ++i) {
      double left = static_cast<double>(onto.left[kGuard + i]), right = static_cast<double>(onto.right[kGuard + i]);
      for (const VoiceRun& run : runs) {
        const Frame frame = exact(run, first, i);
        left += frame.left;
        right += frame.right;
      }
      ASSERT_NEAR(static_cast<double>(out.left[kGuard + i]), left, tolerance) << "left, frame " << i;
      ASSERT_NEAR(static_cast<double>(out.right[kGuard + i]), right, tolerance) << "right, frame " << i;
    }
  });
}

TEST_P(MixKernels, TouchNothingAroundTheRun) {
  for_any_scene(2, [&](Rng&, const std::vector<VoiceRun>& runs, u32 first, u32 frames, const Stereo& onto) {
    const Stereo out = mixed(GetParam(), runs, first, frames, onto);
    for (u32 i = 0; i < kGuard; ++i) {
      ASSERT_EQ(out.left[i], onto.left[i]);
      ASSERT_EQ(out.right[i], onto.right[i]);
      ASSERT_EQ(out.left[kGuard + frames + i], onto.left[kGuard + frames + i]);
      ASSERT_EQ(out.right[kGuard + frames + i], onto.right[kGuard + frames + i]);
    }
  });
}

TEST_P(MixKernels, GiveTheSameBitsAsThePortableOnes) {
  for_any_scene(3, [&](Rng&, const std::vector<VoiceRun>& runs, u32 first, u32 frames, const Stereo& onto) {
    ASSERT_TRUE(mixed(GetParam(), runs, first, frames, onto) == mixed(MixLevel::Portable, runs, first, frames, onto));
  });
}

TEST_P(MixKernels, GiveTheSameBitsWhereverAStretchIsCut) {
  for_any_scene(4, [&](Rng& dice, const std::vector<VoiceRun>& runs, u32 first, u32 frames, const Stereo& onto) {
    const u32 cut = dice.below(frames + 1);
    std::vector<VoiceRun> rest;
    for (const VoiceRun& run : runs) rest.push_back(later(run, cut));
    Stereo parts = mixed(GetParam(), runs, first, cut, onto);
    mix_loops(GetParam()).voices(rest.data(), static_cast<u32>(rest.size()), first + cut, frames - cut, parts.left.data() + kGuard + cut,
                              parts.right.data() + kGuard + cut);
    ASSERT_TRUE(parts == mixed(GetParam(), runs, first, frames, onto)) << "cut at " << cut;
  });
}

TEST_P(MixKernels, GiveTheSameBitsWhereverTheVoicesAreCut) {
  for_any_scene(5, [&](Rng& dice, const std::vector<VoiceRun>& runs, u32 first, u32 frames, const Stereo& onto) {
    const auto cut = runs.begin() + dice.below(static_cast<u32>(runs.size()) + 1);
    const Stereo some = mixed(GetParam(), {runs.begin(), cut}, first, frames, onto);
    ASSERT_TRUE(mixed(GetParam(), {cut, runs.end()}, first, frames, some) == mixed(GetParam(), runs, first, frames, onto));
  });
}

TEST_P(MixKernels, GiveTheSameBitsForPlainRunsAsForTheSameVoices) {
  for_any_scene(6, [&](Rng& dice, std::vector<VoiceRun> runs, u32 first, u32 frames, const Stereo& onto) {
    if (runs.size() > kMostPlain) runs.resize(kMostPlain);
    const bool flat = chance(dice, 4);
    std::vector<PlainRun> plains;
    for (VoiceRun& run : runs) {
      run.step = kUnityStep;
      run.position = run.position >> 32 << 32;
      run.dullness = 0.0f;
      run.bright_right = run.bright_left;
      if (flat) run.left_slope = run.right_slope = -0.0f;
      plains.push_back({run.bright_left + (run.position >> 32), run.left, run.left_slope, run.right, run.right_slope});
    }
    Stereo out = onto;
    mix_loops(GetParam()).plain(plains.data(), static_cast<u32>(plains.size()), first, frames, out.left.data() + kGuard, out.right.data() + kGuard);
    ASSERT_TRUE(out == mixed(MixLevel::Portable, runs, first, frames, onto));
  });
}

TEST_P(MixKernels, HearOnlyTheDullSamplesFarAway) {
  Rng dice(6);
  const Sounds sounds(dice);
  const std::vector<float> broken(kSamples + kPadFrames, std::nanf(""));
  for (int k = 0; k < 50; ++k) {
    VoiceRun far = any_run(sounds, dice);
    far.dullness = 1.0f;
    VoiceRun same = far;
    far.bright_left = far.bright_right = broken.data();
    same.bright_left = same.dull_left;
    same.bright_right = same.dull_right;
    same.dullness = 0.0f;
    same.dull_left = same.dull_right = broken.data();
    const Stereo onto = before(dice, 200);
    ASSERT_TRUE(mixed(GetParam(), {far}, 0, 200, onto) == mixed(GetParam(), {same}, 0, 200, onto));
  }
}

TEST(MixLevels, EachHasLoopsOfItsOwnAndOfOneThatTheProcessorLacksItIsTheBestThatItHas) {
  EXPECT_EQ(&mix_loops(MixLevel::Avx512), &mix_loops(best_mix_level()));
  std::set<MixVoices> loops;
  for (u8 level = 0; level <= static_cast<u8>(best_mix_level()); ++level) loops.insert(mix_loops(static_cast<MixLevel>(level)).voices);
  EXPECT_EQ(loops.size(), static_cast<std::size_t>(best_mix_level()) + 1);
}

#if defined(__x86_64__) && !defined(__clang__)
TEST(MixLevels, AProcessorWithWideRegistersGetsLoopsThatUseThem) {
  const bool avx2 = __builtin_cpu_supports("avx2"), avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vbmi");
  EXPECT_EQ(best_mix_level(), avx512 ? MixLevel::Avx512 : (avx2 ? MixLevel::Avx2 : MixLevel::Portable));
}
#endif

TEST_P(MixKernels, ReadNoFurtherThanTheZerosBehindASound) {
  // The worst that may be asked for: a voice at the greatest speed, over since its cell began and not yet let go, from any
  // frame of the cell on. AddressSanitizer sees what is read.
  const std::vector<float> sound(kSamples + kPadFrames, 0.0f);
  for (u32 first = 0; first < kMaxRunFrames; ++first) {
    VoiceRun run{};
    run.bright_left = run.bright_right = run.dull_left = run.dull_right = sound.data();
    run.step = kMaxStep;
    run.position = (u64{kSamples} << 32) + first * kMaxStep + kStepGrain;
    run.left = run.right = 1.0f;
    const Stereo silence{std::vector<float>(kMaxRunFrames + 2 * kGuard), std::vector<float>(kMaxRunFrames + 2 * kGuard)};
    ASSERT_TRUE(mixed(GetParam(), {run}, first, kMaxRunFrames - first, silence) == silence) << "from frame " << first;
  }
}

TEST(MixLevels, AStepIsCutToWhatTheLoopsCanGo) {
  EXPECT_EQ(good_step(kUnityStep), kUnityStep);
  EXPECT_EQ(good_step(kUnityStep + kStepGrain - 1), kUnityStep);
  EXPECT_EQ(good_step(9 * kUnityStep), kMaxStep);
}

}  // namespace
}  // namespace spellpool::audio
