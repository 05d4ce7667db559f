#include "audio/recipes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "audio/scale.hpp"
#include "audio/sound_bank.hpp"
#include "signal.hpp"

namespace spellpool::audio {
namespace {

constexpr u32 kRate_hz = 48'000;

/// Every promise about a single sound, at one rate.
void expect_good_sound(const Recipe& recipe, u32 rate_hz) {
  SCOPED_TRACE(std::string(frame::kSounds[static_cast<std::size_t>(recipe.id)].name) + " at " +
               std::to_string(rate_hz));
  const std::vector<float> samples = render_recipe(recipe, rate_hz);
  const double seconds = static_cast<double>(samples.size()) / rate_hz;
  EXPECT_GE(seconds, 0.05);
  EXPECT_LE(seconds, 1.5);
  ASSERT_TRUE(signal::all_finite(samples));
  const double peak = signal::peak(samples);
  EXPECT_NEAR(peak, static_cast<double>(recipe.peak), 1e-4);
  EXPECT_GT(signal::rms(samples), 0.01) << "nearly silent";
  EXPECT_LT(std::fabs(signal::mean(samples)), 1e-3 * peak) << "DC";

  // It begins at once, with no step at the first sample.
  std::size_t first_heard = 0;
  while (std::fabs(samples[first_heard]) < 0.01 * peak) ++first_heard;
  EXPECT_LE(first_heard, rate_hz / 1000);
  EXPECT_LT(std::fabs(samples.front()), 0.001 * peak);

  // It is over when it ends: the last millisecond lies 60 dB under the peak.
  const std::span<const float> last = std::span(samples).last(rate_hz / 1000);
  EXPECT_LT(signal::db(signal::peak(last) / peak), -60.0);

  // The fall is its own: what the last fade cuts off is no louder than −30 dB.
  const std::span<const float> before_fade = std::span(samples).subspan(samples.size() - rate_hz / 25, rate_hz / 50);
  EXPECT_LT(signal::db(signal::peak(before_fade) / peak), -30.0);
}

TEST(Recipes, EverySoundIsFiniteHeardShortAndEndsSilent) {
  for (const Recipe& recipe : kRecipes) expect_good_sound(recipe, kRate_hz);
}

TEST(Recipes, EverySoundKeepsItsPromisesAtOtherDeviceRates) {
  for (const Recipe& recipe : kRecipes) {
    for (const u32 rate_hz : {22'050u, 44'100u, 96'000u}) expect_good_sound(recipe, rate_hz);
  }
}

TEST(Recipes, SameRowGivesTheSameSamples) {
  for (const Recipe& recipe : kRecipes) {
    EXPECT_EQ(signal::hash(render_recipe(recipe, kRate_hz)), signal::hash(render_recipe(recipe, kRate_hz)));
  }
}

TEST(Recipes, NoTwoSoundsAreTheSame) {
  for (std::size_t a = 0; a < kRecipes.size(); ++a) {
    for (std::size_t b = a + 1; b < kRecipes.size(); ++b) {
      EXPECT_NE(signal::hash(render_recipe(kRecipes[a], kRate_hz)), signal::hash(render_recipe(kRecipes[b], kRate_hz)));
    }
  }
}

// The bit pattern of the whole bank, so that a compiler or a flag that changes it is seen. A change of taste in the
// table changes it too: then put in the new number.
TEST(Recipes, BankHasTheSameBitsWithEveryCompiler) {
  const SoundBank bank(kRate_hz);
  u64 all = 0;
  for (const frame::SoundName& row : frame::kSounds) all = mix64(all ^ signal::hash(bank[row.id].samples));
  EXPECT_EQ(all, 0x62005f8468c7a6e6ull) << std::hex << "now 0x" << all;
}

TEST(Recipes, EveryNoteStaysInTheScaleUnderOneStepUpOrDown) {
  const auto in_scale = [](double semitones) {
    const double in_octave = semitones - 12.0 * std::floor(semitones / 12.0 + 1e-9);
    for (const double note : kScaleSemitones) {
      if (std::fabs(in_octave - note) < 1e-6) return true;
    }
    return false;
  };
  for (const Recipe& recipe : kRecipes) {
    for (const i32 step : {-1, 0, 1}) {
      const double moved = 12.0 * std::log2(degree_hz(recipe.degree) *
                                            pitch_ratio(recipe.degree, static_cast<float>(step)) / kDegreeZero_hz);
      for (const Tone& tone : recipe.tones) {
        if (!(tone.amplitude > 0.0f)) break;
        EXPECT_TRUE(in_scale(moved + static_cast<double>(tone.semitones)))
            << frame::kSounds[static_cast<std::size_t>(recipe.id)].name << " moved by " << step;
      }
    }
  }
}

TEST(Recipes, BigThingsAreLowAndLongSmallOnesHighAndShort) {
  using frame::SoundId;
  const SoundBank bank(kRate_hz);
  const auto centroid = [&](SoundId id) { return signal::centroid_hz(bank[id].samples, kRate_hz); };
  const auto frames = [&](SoundId id) { return bank[id].samples.size(); };
  for (const SoundId big : {SoundId::FireHit, SoundId::VortexOpen, SoundId::VortexClose}) {
    for (const SoundId small : {SoundId::FrostHit, SoundId::SpellSelect}) {
      EXPECT_LT(centroid(big), 0.5 * centroid(small));
      EXPECT_GT(frames(big), 2 * frames(small));
    }
  }
}

TEST(Scale, WholeStepsLandOnNotesAndOctavesDouble) {
  EXPECT_DOUBLE_EQ(degree_hz(0), 110.0);
  EXPECT_NEAR(degree_hz(10), 440.0, 1e-9);
  EXPECT_NEAR(degree_hz(-5), 55.0, 1e-9);
  for (i32 degree = -12; degree < 12; ++degree) {
    EXPECT_NEAR(pitch_ratio(degree, 5.0f), 2.0, 1e-9);
    EXPECT_NEAR(pitch_ratio(degree, -5.0f), 0.5, 1e-9);
    EXPECT_EQ(pitch_ratio(degree, 0.0f), 1.0);
    EXPECT_NEAR(degree_hz(degree) * pitch_ratio(degree, 1.0f), degree_hz(degree + 1), 1e-9);
    EXPECT_NEAR(degree_hz(degree) * pitch_ratio(degree, -1.0f), degree_hz(degree - 1), 1e-9);
    EXPECT_GT(pitch_ratio(degree, 0.5f), 1.0);
    EXPECT_LT(pitch_ratio(degree, 0.5f), pitch_ratio(degree, 1.0f));
  }
}

TEST(Scale, AbsurdStepsAreBounded) {
  EXPECT_EQ(pitch_ratio(3, 1e9f), pitch_ratio(3, kMaxPitchSteps));
  EXPECT_EQ(pitch_ratio(3, -INFINITY), pitch_ratio(3, -kMaxPitchSteps));
  EXPECT_EQ(pitch_ratio(3, NAN), 1.0);
}

TEST(Scale, PowerOfTwoAgreesWithTheLibrary) {
  for (double x = -20.0; x < 20.0; x += 0.0137) EXPECT_NEAR(power_of_two(x) / std::exp2(x), 1.0, 1e-13);
}

TEST(SoundBank, LoudnessToComeNeverRisesAndIsGoneAtTheEnd) {
  const SoundBank bank(kRate_hz);
  for (const frame::SoundName& row : frame::kSounds) {
    const Sound& sound = bank[row.id];
    ASSERT_FALSE(sound.loudness_to_come.empty());
    EXPECT_NEAR(static_cast<double>(sound.loudness_to_come[0]),
                signal::rms(sound.samples) * std::sqrt(static_cast<double>(sound.samples.size())), 1e-3);
    for (std::size_t i = 1; i < sound.loudness_to_come.size(); ++i) {
      EXPECT_LE(sound.loudness_to_come[i], sound.loudness_to_come[i - 1]);
    }
    EXPECT_EQ(sound.loudness_from(sound.samples.size() + Sound::kTableStepFrames), 0.0f);
    EXPECT_EQ(sound.loudness_from(~u64{0}), 0.0f);
  }
}

}  // namespace
}  // namespace spellpool::audio
