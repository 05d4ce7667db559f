#include "audio/recipes.hpp"

#include <gtest/gtest.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

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
#include "shipped_sounds.hpp"
#include "signal.hpp"

namespace spellpool::audio {
namespace {

constexpr u32 kSampleRate_hz = 48'000;

/// Played backward: it swells where others fall.
bool is_reversed(frame::SoundId id) { return id == frame::SoundId::Rewind; }

bool is_music(frame::SoundId id) { return content::builtin_sound(id).traits.group == frame::SoundGroup::Music; }

/// Every promise about a single sound, at one rate.
void expect_good_sound(frame::SoundId id, u32 rate_hz) {
  SCOPED_TRACE(std::string(frame::kSounds[static_cast<std::size_t>(id)].name) + " at " + std::to_string(rate_hz));
  const frame::SoundDef& def = content::builtin_sound(id);
  const Samples samples = render_shipped(id, rate_hz);
  const double seconds = static_cast<double>(samples.left.size()) / rate_hz;
  EXPECT_GE(seconds, 0.05);
  EXPECT_LE(seconds, is_music(id) ? 8.0 : 3.5);
  double peak = 0.0;
  for (const std::vector<float>* side : {&samples.left, &samples.right}) {
    ASSERT_TRUE(signal::all_finite(*side));
    peak = std::max(peak, signal::peak(*side));
  }
  EXPECT_NEAR(peak, static_cast<double>(def.peak), 1e-4);
  EXPECT_GT(signal::rms(samples.left), 0.01) << "nearly silent";
  ASSERT_TRUE(samples.right.empty() || samples.right.size() == samples.left.size());

  for (const std::vector<float>* side : {&samples.left, &samples.right}) {
    if (side->empty()) continue;
    EXPECT_LT(std::fabs(signal::mean(*side)), 1e-3 * peak) << "DC";
    EXPECT_LT(std::fabs(side->front()), 0.001 * peak) << "it begins with a step";

    // It is over when it ends: the last millisecond lies 60 dB under the peak.
    const std::span<const float> last = std::span(*side).last(rate_hz / 1000);
    EXPECT_LT(signal::db(signal::peak(last) / peak), -60.0);

    // The fall is its own: what the last fade cuts off is no louder than −30 dB.
    const std::span<const float> before_fade = std::span(*side).subspan(side->size() - rate_hz / 25, rate_hz / 50);
    EXPECT_LT(signal::db(signal::peak(before_fade) / peak), -30.0);
  }

  // It begins at once; music may swell, and what is reversed does.
  const std::vector<float> both = both_sides(samples);
  std::size_t first_heard = 0;
  while (std::fabs(both[first_heard]) < 0.01 * peak) ++first_heard;
  EXPECT_LE(first_heard, is_music(id) ? rate_hz / 2 : is_reversed(id) ? rate_hz / 15 : rate_hz / 1000);
}

TEST(Recipes, EverySoundIsFiniteHeardShortAndEndsSilent) {
  for (const frame::SoundName& row : frame::kSounds) expect_good_sound(row.id, kSampleRate_hz);
}

TEST(Recipes, EverySoundKeepsItsPromisesAtOtherDeviceRates) {
  for (const frame::SoundName& row : frame::kSounds) {
    for (const u32 rate_hz : {22'050u, 44'100u, 96'000u}) expect_good_sound(row.id, rate_hz);
  }
}

TEST(Recipes, SameRecipeGivesTheSameSamples) {
  for (const frame::SoundName& row : frame::kSounds) {
    const Samples once = render_shipped(row.id, kSampleRate_hz), again = render_shipped(row.id, kSampleRate_hz);
    EXPECT_EQ(signal::hash(once.left), signal::hash(again.left));
    EXPECT_EQ(signal::hash(once.right), signal::hash(again.right));
  }
}

TEST(Recipes, NoisesOfTwoSoundsDifferThoughTheirNumbersDoNot) {
  const frame::SoundDef& def = content::builtin_sound(frame::SoundId::FogCast);
  EXPECT_NE(render_recipe(def, frame::SoundId::FogCast, kSampleRate_hz).left, render_recipe(def, frame::SoundId::Bomb, kSampleRate_hz).left);
}

TEST(Recipes, WidthLaysLayersAsideAndKeepsTheirPower) {
  frame::SoundDef def;
  def.length_s = 0.5f;
  def.tones.resize(1);
  def.tones[0].hold_s = 0.2f;
  def.tones[0].pan = -1.0f;
  def.width = 0.0f;
  EXPECT_TRUE(render_recipe(def, frame::SoundId::Shot, kSampleRate_hz).right.empty()) << "width 0 is mono, whatever the pans say";
  def.width = 1.0f;
  Samples samples = render_recipe(def, frame::SoundId::Shot, kSampleRate_hz);
  ASSERT_EQ(samples.right.size(), samples.left.size());
  EXPECT_LT(signal::peak(samples.right), 1e-5) << "all on the left";
  EXPECT_NEAR(signal::peak(samples.left), 0.5, 1e-4);
  def.tones[0].pan = 0.0f;
  EXPECT_TRUE(render_recipe(def, frame::SoundId::Shot, kSampleRate_hz).right.empty()) << "nothing aside: mono";
  // Two layers of one frequency, aside by the same way and so of the same sum: left and right are each other's mirror.
  def.tones.push_back(def.tones[0]);
  def.tones[0].pan = -0.5f;
  def.tones[1].pan = 0.5f;
  def.tones[1].semitones = 12.0f;
  samples = render_recipe(def, frame::SoundId::Shot, kSampleRate_hz);
  std::swap(def.tones[0].pan, def.tones[1].pan);
  const Samples mirrored = render_recipe(def, frame::SoundId::Shot, kSampleRate_hz);
  ASSERT_EQ(samples.left.size(), mirrored.right.size());
  for (std::size_t i = 0; i < samples.left.size(); ++i) ASSERT_NEAR(samples.left[i], mirrored.right[i], 1e-6f);
  EXPECT_NE(samples.left, samples.right);
}

/// A held note of one wave, its part of energy that lies at none of its partials, dB.
double energy_beside_partials_db(frame::Wave wave, double hz) {
  frame::SoundDef def;
  def.length_s = 1.0f;
  def.degree = 0;
  def.tones.resize(1);
  def.tones[0].wave = wave;
  def.tones[0].hold_s = 0.9f;
  def.tones[0].semitones = static_cast<float>(12.0 * std::log2(hz / kDegreeZero_hz));
  Samples samples = render_recipe(def, frame::SoundId::Shot, kSampleRate_hz);
  std::vector<float> part(samples.left.begin() + 4'000, samples.left.begin() + 4'000 + 32'768);
  const std::vector<double> power = signal::power_spectrum(part);
  const double bin_hz = static_cast<double>(kSampleRate_hz) / 32'768.0;
  double beside = 0.0, all = 0.0;
  for (std::size_t i = 1; i < power.size(); ++i) {
    const double at = static_cast<double>(i) * bin_hz, off = std::remainder(at, hz);
    all += power[i];
    if (std::fabs(off) > 8.0 * bin_hz) beside += power[i];
  }
  return 10.0 * std::log10(beside / all);
}

TEST(Recipes, SawAndSquareFoldNothingBack) {
  for (const frame::Wave wave : {frame::Wave::Saw, frame::Wave::Square}) {
    for (const double hz : {217.3, 1'131.0, 5'417.0}) EXPECT_LT(energy_beside_partials_db(wave, hz), -75.0) << hz;
  }
}

// A glide begins up to five octaves above its note: here at 13 turns a frame.
TEST(Recipes, AGlideFromFarAboveItsNoteEndsOnTheNote) {
  for (const u32 rate_hz : {8'000u, kSampleRate_hz}) {
    for (const auto wave : {frame::Wave::Sine, frame::Wave::Triangle, frame::Wave::Saw, frame::Wave::Square, frame::Wave::Fm}) {
      SCOPED_TRACE(std::to_string(rate_hz) + " Hz, wave " + std::to_string(static_cast<int>(wave)));
      frame::SoundDef def;
      def.length_s = 1.0f;
      frame::ToneDef tone;
      tone.wave = wave;
      tone.semitones = static_cast<float>(12.0 * std::log2(0.4 * rate_hz / kDegreeZero_hz));
      tone.hold_s = 1.0f;
      tone.glide_s = 0.5f;
      tone.glide_semitones = 60.0f;
      def.tones = {tone};
      const Samples samples = render_recipe(def, frame::SoundId{}, rate_hz);
      ASSERT_TRUE(signal::all_finite(samples.left));
      tone.glide_s = 0.0f;
      def.tones = {tone};
      const Samples plain = render_recipe(def, frame::SoundId{}, rate_hz);
      const auto steady = [rate_hz](const Samples& all) { return signal::rms(std::span(all.left).subspan(rate_hz * 6 / 10, rate_hz / 4)); };
      EXPECT_NEAR(steady(samples) / steady(plain), 1.0, 0.25);
    }
  }
}

TEST(Recipes, SquareHasOddPartialsAndSawAll) {
  const auto partial_db = [](frame::Wave wave, int which) {
    frame::SoundDef def;
    def.length_s = 1.0f;
    def.tones.resize(1);
    def.tones[0].wave = wave;
    def.tones[0].hold_s = 0.9f;
    const Samples samples = render_recipe(def, frame::SoundId::Shot, kSampleRate_hz);
    const std::vector<double> power = signal::power_spectrum(std::span(samples.left).subspan(4'000, 32'768));
    const auto near = [&](double hz) {
      double sum = 0.0;
      const std::size_t bin = static_cast<std::size_t>(hz * 32'768.0 / kSampleRate_hz + 0.5);
      for (std::size_t i = bin - 6; i <= bin + 6; ++i) sum += power[i];
      return sum;
    };
    return 10.0 * std::log10(near(110.0 * which) / near(110.0));
  };
  EXPECT_NEAR(partial_db(frame::Wave::Saw, 2), -6.4, 1.0);
  EXPECT_NEAR(partial_db(frame::Wave::Saw, 3), -10.2, 1.0);
  EXPECT_LT(partial_db(frame::Wave::Square, 2), -80.0);
  EXPECT_NEAR(partial_db(frame::Wave::Square, 3), -10.2, 1.0);
}

/// What the ear goes by, roughly: level in dB of 14 bands of half an octave to two, in four spans of time that double.
std::vector<double> portrait(const std::vector<float>& samples) {
  constexpr std::array<double, 4> kEnds_s = {0.06, 0.18, 0.42, 0.90};
  std::vector<double> bands;
  std::size_t from = 0;
  for (const double end_s : kEnds_s) {
    const std::size_t to = static_cast<std::size_t>(end_s * kSampleRate_hz);
    std::vector<float> part(std::bit_ceil(to - from), 0.0f);
    for (std::size_t i = from; i < to && i < samples.size(); ++i) part[i - from] = samples[i];
    const std::vector<double> power = signal::power_spectrum(part);
    const double bin_hz = static_cast<double>(kSampleRate_hz) / static_cast<double>(part.size());
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
  for (const frame::SoundName& row : frame::kSounds) portraits.push_back(portrait(middle(render_shipped(row.id, kSampleRate_hz))));
  for (std::size_t a = 0; a < portraits.size(); ++a) {
    for (std::size_t b = a + 1; b < portraits.size(); ++b) {
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

// The bit pattern of the whole bank, so that a compiler or a flag that changes it is seen. A change of taste in
// assets/sounds changes it too: then put in the new number.
TEST(Recipes, BankHasTheSameBitsWithEveryCompiler) {
  u64 all = 0;
  for (const frame::SoundName& row : frame::kSounds) {
    const Samples samples = render_shipped(row.id, kSampleRate_hz);
    all = mix64(all ^ signal::hash(samples.left));
    if (!samples.right.empty()) all = mix64(all ^ signal::hash(samples.right));
  }
  EXPECT_EQ(all, 0xb611a7703a668a0full) << std::hex << "now 0x" << all;
}

bool in_scale(double semitones) {
  const double in_octave = semitones - 12.0 * std::floor(semitones / 12.0 + 1e-9);
  for (const double note : kScaleSemitones) {
    if (std::fabs(in_octave - note) < 1e-6) return true;
  }
  return false;
}

TEST(Recipes, EveryNoteStaysInTheScaleUnderOneStepUpOrDown) {
  for (const frame::SoundName& row : frame::kSounds) {
    const frame::SoundDef& def = content::builtin_sound(row.id);
    for (const i32 step : {-1, 0, 1}) {
      if (def.fixed_pitch && step != 0) continue;
      const double moved = 12.0 * std::log2(degree_hz(def.degree) * pitch_ratio(def.degree, static_cast<float>(step)) / kDegreeZero_hz);
      for (const frame::ToneDef& tone : def.tones) {
        EXPECT_TRUE(in_scale(moved + static_cast<double>(tone.semitones))) << row.name << " moved by " << step;
      }
    }
  }
}

TEST(Recipes, WhatTheGameMovesFarHasOctavesOnly) {
  using frame::SoundId;
  for (const SoundId id :
       {SoundId::CrystalChime, SoundId::ChainHit, SoundId::StoneBounce, SoundId::FogBubble, SoundId::StarLand,
        SoundId::RuneLight, SoundId::RuneFade, SoundId::ChallengeTick, SoundId::FinaleBurst, SoundId::EnemyPop, SoundId::EnemyHit,
        SoundId::Shot, SoundId::Graze, SoundId::Pickup, SoundId::MusicPad, SoundId::MusicLow, SoundId::MusicBell, SoundId::MusicPluck,
        SoundId::MusicReed, SoundId::MusicPulse}) {
    for (const frame::ToneDef& tone : content::builtin_sound(id).tones) {
      EXPECT_EQ(std::remainder(static_cast<double>(tone.semitones), 12.0), 0.0)
          << frame::kSounds[static_cast<std::size_t>(id)].name;
    }
  }
}

TEST(Recipes, BigThingsAreLowAndLongSmallOnesHighAndShort) {
  using frame::SoundId;
  const SoundBank& bank = *shipped_bank();
  const auto centroid = [&](SoundId id) { return signal::centroid_hz(middle(bank[id]), kSampleRate_hz); };
  const auto frames = [&](SoundId id) { return bank[id].frames(); };
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
  for (const frame::SoundName& row : frame::kSounds) {
    const Sound& sound = (*shipped_bank())[row.id];
    std::vector<float> stereo(2 * (sound.frames() + kSampleRate_hz), 0.0f);  // as at the centre
    for (std::size_t i = 0; i < sound.frames(); ++i) {
      stereo[2 * i] = sound.bright_left()[i] * std::sqrt(0.5f);
      stereo[2 * i + 1] = sound.bright_right()[i] * std::sqrt(0.5f);
    }
    lufs[static_cast<std::size_t>(row.id)] = signal::loudest_lufs(stereo, kSampleRate_hz);
    EXPECT_GT(lufs[static_cast<std::size_t>(row.id)], -36.0) << row.name;
    EXPECT_LT(lufs[static_cast<std::size_t>(row.id)], -13.0) << row.name;
    if (is_music(row.id)) {
      EXPECT_LT(lufs[static_cast<std::size_t>(row.id)], -18.0) << row.name << " lies behind";
    }
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
  for (const frame::SoundName& row : frame::kSounds) {
    const Sound& sound = (*shipped_bank())[row.id];
    double energy = 0.0;
    for (u32 i = 0; i < sound.frames(); ++i) {
      energy += 0.5 * (std::pow(static_cast<double>(sound.bright_left()[i]), 2) + std::pow(static_cast<double>(sound.bright_right()[i]), 2));
    }
    EXPECT_NEAR(static_cast<double>(sound.loudness_from(0)), std::sqrt(energy), 1e-3);
    for (u32 frame = Sound::kTableStepFrames; frame < sound.frames(); frame += Sound::kTableStepFrames) {
      EXPECT_LE(sound.loudness_from(frame), sound.loudness_from(frame - Sound::kTableStepFrames));
    }
    EXPECT_EQ(sound.loudness_from(sound.frames() + Sound::kTableStepFrames), 0.0f);
    EXPECT_EQ(sound.loudness_from(~u64{0}), 0.0f);
  }
}

/// A sine, and its double on the right where asked for.
Sound sound_of_sine(double hz, double level, bool stereo) {
  Samples samples;
  for (u32 i = 0; i < 9'000; ++i) samples.left.push_back(static_cast<float>(level * std::sin(signal::kTauExact * hz * i / kSampleRate_hz)));
  if (stereo) samples.right.assign(samples.left.size(), 0.0f);
  return Sound(samples, kSampleRate_hz, 0, false, {});
}

TEST(SoundBank, LevelIsTheRmsOfBothSides) {
  EXPECT_NEAR(sound_of_sine(1'000.0, 0.8, false).level_at(2'000), 0.8 * std::sqrt(0.5), 0.01);
  EXPECT_NEAR(sound_of_sine(1'000.0, 0.8, true).level_at(2'000), 0.4, 0.01) << "one side of two";
  EXPECT_EQ(sound_of_sine(1'000.0, 0.8, false).level_at(9'300), 0.0f);
}

TEST(SoundBank, DullSamplesAreTheBrightOnesThroughAnOctaveFilter) {
  const auto level_db = [](double hz) {
    const Sound sound = sound_of_sine(hz, 0.5, true);
    double bright = 0.0, dull = 0.0;
    for (u32 i = 4'000; i < 8'000; ++i) {
      bright += std::pow(static_cast<double>(sound.bright_left()[i]), 2);
      dull += std::pow(static_cast<double>(sound.dull_left()[i]), 2);
      EXPECT_EQ(sound.dull_right()[i], 0.0f);
    }
    return 10.0 * std::log10(dull / bright);
  };
  EXPECT_NEAR(level_db(60.0), 0.0, 0.1);
  EXPECT_NEAR(level_db(900.0), -3.0, 0.6);
  EXPECT_LT(level_db(6'000.0), -14.0);
}

TEST(SoundBank, ZerosFollowEverySample) {
#if defined(__GLIBC__)
  mallopt(M_PERTURB, 0x5a);  // no memory is zero by chance
#endif
  for (const bool stereo : {false, true}) {
    const Sound sound = sound_of_sine(333.0, 1.0, stereo);
    ASSERT_EQ(sound.is_stereo(), stereo);
    for (u32 i = sound.frames(); i < sound.frames() + kPadFrames; ++i) {
      for (const float* samples : {sound.bright_left(), sound.bright_right(), sound.dull_left(), sound.dull_right()}) ASSERT_EQ(samples[i], 0.0f);
    }
  }
}

TEST(Recipes, ARendererKeepsNothingOfTheSoundBefore) {
  RecipeRenderer renderer;
  for (u32 round = 0; round < 2; ++round) {
    for (const frame::SoundName& row : frame::kSounds) {
      const frame::SoundDef def = content::builtin_sound(row.id);
      const Samples alone = render_recipe(def, row.id, 22'050);
      const Samples& after = renderer.render(def, row.id, 22'050);
      ASSERT_EQ(after.left, alone.left) << row.name;
      ASSERT_EQ(after.right, alone.right) << row.name;
    }
  }
}

}  // namespace
}  // namespace spellpool::audio
