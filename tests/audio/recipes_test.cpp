#include "audio/recipes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

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
  EXPECT_LE(seconds, 3.5);
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

/// What the ear goes by, roughly: level in dB of 14 bands of half an octave to two, in four spans of time that double.
std::vector<double> portrait(const std::vector<float>& samples) {
  constexpr std::array<double, 4> kEnds_s = {0.06, 0.18, 0.42, 0.90};
  std::vector<double> bands;
  std::size_t from = 0;
  for (const double end_s : kEnds_s) {
    const std::size_t to = static_cast<std::size_t>(end_s * kRate_hz);
    std::vector<float> part(std::bit_ceil(to - from), 0.0f);
    for (std::size_t i = from; i < to && i < samples.size(); ++i) part[i - from] = samples[i];
    const std::vector<double> power = signal::power_spectrum(part);
    const double bin_hz = static_cast<double>(kRate_hz) / static_cast<double>(part.size());
    for (double low_hz = 40.0; low_hz < 16'000.0; low_hz *= 1.55) {
      double sum = 0.0;
      for (std::size_t i = 0; i < power.size(); ++i) {
        const double hz = static_cast<double>(i) * bin_hz;
        if (hz >= low_hz && hz < 1.55 * low_hz) sum += power[i];
      }
      bands.push_back(std::max(0.0, 10.0 * std::log10(sum + 1e-12)));
    }
    from = to;
  }
  return bands;
}

TEST(Recipes, NoTwoSoundsAreAlike) {
  std::vector<std::vector<double>> portraits;
  for (const Recipe& recipe : kRecipes) portraits.push_back(portrait(render_recipe(recipe, kRate_hz)));
  for (std::size_t a = 0; a < kRecipes.size(); ++a) {
    for (std::size_t b = a + 1; b < kRecipes.size(); ++b) {
      double sum = 0.0;
      for (std::size_t i = 0; i < portraits[a].size(); ++i) {
        sum += (portraits[a][i] - portraits[b][i]) * (portraits[a][i] - portraits[b][i]);
      }
      const double apart_db = std::sqrt(sum / static_cast<double>(portraits[a].size()));
      EXPECT_GT(apart_db, 4.0) << frame::kSounds[a].name << " and " << frame::kSounds[b].name;
      if (std::getenv("SPELLPOOL_SOUND_PAIRS") != nullptr && apart_db < 9.0) {
        std::printf("%5.1f dB %s %s\n", apart_db, std::string(frame::kSounds[a].name).c_str(),
                    std::string(frame::kSounds[b].name).c_str());
      }
    }
  }
}

// The bit pattern of the whole bank, so that a compiler or a flag that changes it is seen. A change of taste in the
// table changes it too: then put in the new number.
TEST(Recipes, BankHasTheSameBitsWithEveryCompiler) {
  const SoundBank bank(kRate_hz);
  u64 all = 0;
  for (const frame::SoundName& row : frame::kSounds) all = mix64(all ^ signal::hash(bank[row.id].samples));
  EXPECT_EQ(all, 0x4168b14337092442ull) << std::hex << "now 0x" << all;
}

bool in_scale(double semitones) {
  const double in_octave = semitones - 12.0 * std::floor(semitones / 12.0 + 1e-9);
  for (const double note : kScaleSemitones) {
    if (std::fabs(in_octave - note) < 1e-6) return true;
  }
  return false;
}

TEST(Recipes, EveryNoteStaysInTheScaleUnderOneStepUpOrDown) {
  for (const Recipe& recipe : kRecipes) {
    for (const i32 step : {-1, 0, 1}) {
      if (recipe.fixed_pitch && step != 0) continue;
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

TEST(Recipes, WhatTheGameMovesFarHasOctavesOnly) {
  using frame::SoundId;
  for (const SoundId id :
       {SoundId::CrystalChime, SoundId::ChainHit, SoundId::StoneBounce, SoundId::FogBubble, SoundId::StarLand,
        SoundId::RuneLight, SoundId::RuneFade, SoundId::ChallengeTick, SoundId::FinaleBurst, SoundId::EnemyPop, SoundId::EnemyHit,
        SoundId::Shot, SoundId::Graze, SoundId::Pickup}) {
    for (const Tone& tone : kRecipes[static_cast<std::size_t>(id)].tones) {
      EXPECT_EQ(std::remainder(static_cast<double>(tone.semitones), 12.0), 0.0)
          << frame::kSounds[static_cast<std::size_t>(id)].name;
    }
  }
}

TEST(Recipes, BigThingsAreLowAndLongSmallOnesHighAndShort) {
  using frame::SoundId;
  const SoundBank bank(kRate_hz);
  const auto centroid = [&](SoundId id) { return signal::centroid_hz(bank[id].samples, kRate_hz); };
  const auto frames = [&](SoundId id) { return bank[id].samples.size(); };
  for (const SoundId big : {SoundId::FireHit, SoundId::VortexOpen, SoundId::VortexClose, SoundId::MeteorImpact,
                            SoundId::Bomb, SoundId::BossAppear}) {
    for (const SoundId small : {SoundId::FrostHit, SoundId::SpellSelect, SoundId::ChainHit, SoundId::FogBubble,
                                SoundId::ChallengeTick, SoundId::Shot, SoundId::Graze}) {
      EXPECT_LT(centroid(big), 0.5 * centroid(small));
      EXPECT_GT(frames(big), 2 * frames(small));
    }
  }
  for (const SoundId hit : {SoundId::FireHit, SoundId::FrostHit, SoundId::DummyHit, SoundId::CrystalShatter,
                            SoundId::ChainHit, SoundId::StoneBounce, SoundId::StarLand, SoundId::FinaleBurst}) {
    EXPECT_LT(centroid(SoundId::MeteorImpact), centroid(hit)) << "the lowest";
    EXPECT_GT(frames(SoundId::MeteorImpact), frames(hit)) << "and longest";
  }
}

TEST(Recipes, LoudnessFollowsWeight) {
  using frame::SoundId;
  std::array<double, frame::kSoundCount> lufs{};
  for (const Recipe& recipe : kRecipes) {
    const std::vector<float> samples = render_recipe(recipe, kRate_hz);
    std::vector<float> stereo(2 * (samples.size() + kRate_hz), 0.0f);  // as at the centre
    for (std::size_t i = 0; i < samples.size(); ++i) stereo[2 * i] = stereo[2 * i + 1] = samples[i] * std::sqrt(0.5f);
    lufs[static_cast<std::size_t>(recipe.id)] = signal::loudest_lufs(stereo, kRate_hz);
    EXPECT_GT(lufs[static_cast<std::size_t>(recipe.id)], -36.0)
        << frame::kSounds[static_cast<std::size_t>(recipe.id)].name;
    EXPECT_LT(lufs[static_cast<std::size_t>(recipe.id)], -13.0)
        << frame::kSounds[static_cast<std::size_t>(recipe.id)].name;
  }
  const auto of = [&](SoundId id) { return lufs[static_cast<std::size_t>(id)]; };
  for (const SoundId cast : {SoundId::FireCast, SoundId::FrostCast, SoundId::ChainCast, SoundId::MeteorCall,
                             SoundId::FogCast, SoundId::MotesCast, SoundId::StarCast}) {
    EXPECT_NEAR(of(cast), -21.5, 3.0) << "casts are of one loudness";
    EXPECT_GT(of(SoundId::MeteorImpact), of(cast) + 3.0);
  }
  for (const SoundId often : {SoundId::ChainHit, SoundId::StoneBounce, SoundId::FogBubble, SoundId::StarLand,
                              SoundId::EnemyPop, SoundId::EnemyHit, SoundId::Graze, SoundId::Pickup}) {
    EXPECT_LT(of(often), -25.0) << "what comes in dozens is soft";
  }
  for (const SoundId other : {SoundId::EnemyPop, SoundId::EnemyHit, SoundId::Pickup, SoundId::PowerUp, SoundId::LaserWarn}) {
    EXPECT_GT(of(other), of(SoundId::Shot)) << "the shot, twelve times a second, is the softest";
  }
  for (const SoundId small : {SoundId::EnemyPop, SoundId::PowerUp, SoundId::LaserBurn, SoundId::ShieldBreak}) {
    EXPECT_GT(of(SoundId::Bomb), of(small) + 3.0);
    EXPECT_GT(of(SoundId::ShipLost), of(small)) << "a lost ship is heard through a fight";
  }
  EXPECT_LT(of(SoundId::WispReturn), of(SoundId::WispScatter));
  EXPECT_LT(of(SoundId::RuneFade), of(SoundId::RuneLight) - 5.0);
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

TEST(Scale, RandomStepsAreDrawnToTheNotes) {
  for (const float whole : {-12.0f, -1.0f, 0.0f, 3.0f, 12.0f}) EXPECT_EQ(in_tune(whole), whole);
  for (float steps = -11.0f; steps < 11.0f; steps += 0.07f) {
    EXPECT_NEAR(in_tune(steps), std::round(steps), 0.0501f);
    EXPECT_NEAR(in_tune(steps), steps, 0.4501f);
  }
  EXPECT_EQ(in_tune(99.0f), kMaxPitchSteps);
  EXPECT_EQ(in_tune(-INFINITY), -kMaxPitchSteps);
  EXPECT_TRUE(std::isnan(in_tune(NAN)));
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
