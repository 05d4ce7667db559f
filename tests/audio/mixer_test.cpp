#include "audio/mixer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <new>
#include <thread>

#include "allocation_count.hpp"
#include "audio/spatial.hpp"
#include "fight.hpp"
#include "played.hpp"
#include "signal.hpp"

namespace spellpool::audio {
namespace {

using frame::AudioEvent;
using frame::SoundId;

/// A bank whose CrystalChime is a long 220 Hz sine and whose FireHit is silence for half a second, then something loud.
TestBank bank_for_steals() {
  TestBank bank;
  bank.set(SoundId::CrystalChime, sine(220.0, 2.0, 1.0), 0);
  std::vector<float> later(kRate_hz / 2, 0.0f);
  later.resize(4 * kRate_hz, 1.0f);
  bank.set(SoundId::FireHit, later, 0);
  return bank;
}

// ---- Output ---------------------------------------------------------------------------------------------------------

TEST(Mixer, NothingPostedIsSilence) {
  Mixer mixer(plain_options(), game_sounds());
  const std::vector<float> out = render_frames(mixer, 4'000);
  EXPECT_EQ(signal::peak(out), 0.0);
}

TEST(Mixer, SoundAtTheCentrePlaysItsOwnSamplesInBothEars) {
  TestBank bank;
  const std::vector<float> expected = samples_of(bank[SoundId::FrostHit]);
  Mixer mixer(plain_options(), bank);
  ASSERT_TRUE(mixer.play(event_of(SoundId::FrostHit, 0.5f)));
  const std::vector<float> out = render_frames(mixer, expected.size());
  for (std::size_t i = 0; i + 1 < expected.size(); ++i) {
    const float wanted = expected[i] * 0.5f * std::sqrt(0.5f);
    ASSERT_NEAR(out[2 * i], wanted, 1e-5f) << i;
    ASSERT_NEAR(out[2 * i + 1], wanted, 1e-5f) << i;
  }
  EXPECT_EQ(mixer.stats().ended, 1u);
  EXPECT_EQ(mixer.stats().active, 0u);
}

TEST(Mixer, PitchStepsMoveTheToneToTheNextNoteOfTheScale) {
  TestBank bank;
  bank.set(SoundId::CrystalChime, sine(220.0, 2.0, 0.5), 5);  // A3
  for (const auto& [steps, hz] : {std::pair{0.0f, 220.0}, {1.0f, 261.6256}, {-1.0f, 195.9977}, {5.0f, 440.0}}) {
    Mixer mixer(plain_options(), bank);
    AudioEvent event = event_of(SoundId::CrystalChime);
    event.pitch_steps = steps;
    mixer.play(event);
    const std::vector<float> out = render_frames(mixer, 32'768);
    EXPECT_NEAR(signal::centroid_hz(signal::channel(out, 0), kRate_hz), hz, 0.5);
  }
}

TEST(Mixer, EventsStartAtTheExactFrameTheyAskFor) {
  TestBank bank;
  bank.set(SoundId::FireHit, std::vector<float>(100, 0.5f), 0);
  Mixer mixer(plain_options(), bank);
  for (const u64 frame : {0u, 137u, 400u, 1'023u, 1'024u + 150u}) mixer.play_at(event_of(SoundId::FireHit), frame);
  const std::vector<float> left = signal::channel(render_frames(mixer, 2'000), 0);
  for (const std::size_t frame : {0u, 137u, 400u, 1'023u, 1'174u}) {
    EXPECT_GT(left[frame], 0.3f) << frame;
    EXPECT_EQ(frame > 0 ? left[frame - 1] : 0.0f, 0.0f) << frame;
  }
}

TEST(Mixer, SamePcmForEveryBlockSize) {
  std::vector<u64> hashes;
  for (const std::size_t block : {64u, 256u, 480u, 512u, 1'024u, 1u, 37u}) {
    MixerOptions options = plain_options();
    options.command_ring = 4'096;
    Mixer mixer(options, game_sounds());
    Rng looks(5);
    for (u64 step = 0; step < 240; ++step) {
      for (const AudioEvent& event : fight_step(step, looks)) mixer.play_at(event, step * 735);
    }
    hashes.push_back(signal::hash(render_frames(mixer, 240 * 735, block)));
    EXPECT_GT(mixer.stats().stolen, 5u) << "the fight must be busy enough to steal";
  }
  for (const u64 hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TEST(Mixer, OddOrEmptySpansAreHandled) {
  Mixer mixer(plain_options(), game_sounds());
  mixer.play(event_of(SoundId::FireHit));
  mixer.render({});
  std::vector<float> odd(2'001, 7.0f);
  mixer.render(odd);
  EXPECT_EQ(odd.back(), 0.0f);
  EXPECT_TRUE(signal::all_finite(odd));
  EXPECT_EQ(mixer.stats().frames, 1'000u);
}

TEST(Mixer, CallersFloatControlWordIsPutBack) {
#if defined(__SSE2__)
  Mixer mixer(plain_options(), game_sounds());
  mixer.play(event_of(SoundId::FireHit));
  std::vector<float> out(512);
  const u32 before = __builtin_ia32_stmxcsr() & ~0x3fu;  // without the sticky flags
  mixer.render(out);
  EXPECT_EQ(__builtin_ia32_stmxcsr() & ~0x3fu, before);
#else
  GTEST_SKIP() << "no SSE control word here";
#endif
}

// ---- Place ----------------------------------------------------------------------------------------------------------

TEST(Spatial, PanHasConstantPowerAndMinusThreeDecibelsInTheCentre) {
  float left = 0, right = 0;
  pan_gains(0.0f, left, right);
  EXPECT_NEAR(signal::db(static_cast<double>(left)), -3.01, 0.01);
  EXPECT_NEAR(signal::db(static_cast<double>(right)), -3.01, 0.01);
  for (float pan = -1.0f; pan <= 1.0f; pan += 0.05f) {
    pan_gains(pan, left, right);
    EXPECT_NEAR(left * left + right * right, 1.0f, 1e-5f);
    EXPECT_GE(left, -1e-6f);
    EXPECT_GE(right, -1e-6f);
  }
  pan_gains(-1.0f, left, right);
  EXPECT_NEAR(left, 1.0f, 1e-5f);
  pan_gains(1.0f, left, right);
  EXPECT_NEAR(right, 1.0f, 1e-5f);
}

TEST(Spatial, FurtherIsNeverLouderNorBrighter) {
  Placement before = place(0.0f, 0.0f);
  EXPECT_EQ(before.attenuation, 1.0f);
  EXPECT_EQ(before.dullness, 0.0f);
  for (float d = 0.0f; d < 3'000.0f; d += 20.0f) {
    const Placement now = place(0.0f, d);
    EXPECT_LE(now.attenuation, before.attenuation);
    EXPECT_GE(now.dullness, before.dullness);
    EXPECT_GT(now.attenuation, 0.0f);
    EXPECT_LE(now.dullness, 1.0f);
    before = now;
  }
}

TEST(Mixer, SoundToTheRightIsLouderInTheRightEarAndMirroredToTheLeft) {
  const auto ears = [](float x) {
    Mixer mixer(plain_options(), game_sounds());
    mixer.play(event_of(SoundId::CrystalChime, 1.0f, x));
    const std::vector<float> out = render_frames(mixer, 20'000);
    return std::pair{signal::rms(signal::channel(out, 0)), signal::rms(signal::channel(out, 1))};
  };
  const auto [left_of_right, right_of_right] = ears(200.0f);
  const auto [left_of_left, right_of_left] = ears(-200.0f);
  EXPECT_GT(right_of_right, 1.2 * left_of_right);
  EXPECT_NEAR(right_of_right, left_of_left, 1e-6);
  EXPECT_NEAR(left_of_right, right_of_left, 1e-6);
}

TEST(Mixer, DistanceLowersAndDulls) {
  const auto heard = [](float y) {
    Mixer mixer(plain_options(), game_sounds());
    mixer.play(event_of(SoundId::FireCast, 1.0f, 0.0f, y));
    return signal::channel(render_frames(mixer, 32'768), 0);
  };
  const std::vector<float> near = heard(0.0f), far = heard(900.0f);
  EXPECT_LT(signal::rms(far), 0.6 * signal::rms(near));
  EXPECT_LT(signal::centroid_hz(far, kRate_hz), 0.8 * signal::centroid_hz(near, kRate_hz));
}

// ---- Steals ---------------------------------------------------------------------------------------------------------

/// Worst energy above 4 kHz, in dB, over cuts at eight phases of a 220 Hz sine whose only voice is stolen.
double worst_click_db(u32 tail_frames) {
  const TestBank bank = bank_for_steals();
  double worst = -300.0;
  for (u64 phase = 0; phase < 8; ++phase) {
    MixerOptions options = plain_options(1);
    options.tail_frames = tail_frames;
    Mixer mixer(options, bank);
    mixer.play_at(event_of(SoundId::CrystalChime), 0);
    mixer.play_at(event_of(SoundId::FireHit), 12'000 + phase * 27);  // 218 frames a period
    const std::vector<float> out = render_frames(mixer, 20'000);
    EXPECT_EQ(mixer.stats().stolen, 1u);
    const std::vector<float> left = signal::channel(out, 0);
    EXPECT_LT(signal::rms(std::span(left).subspan(12'600, 4'000)), 1e-6) << "the victim is gone after its tail";
    worst = std::max(worst, signal::energy_above_db(std::span(left).subspan(8'000, 8'192), 4'000.0, kRate_hz));
  }
  return worst;
}

TEST(Mixer, StolenVoiceLeavesNoClick) {
  const double faded = worst_click_db(128);
  const double hard = worst_click_db(1);
  RecordProperty("faded_db", std::to_string(faded));
  RecordProperty("hard_db", std::to_string(hard));
  EXPECT_LT(faded, -60.0);
  EXPECT_GT(hard, -40.0) << "this measure must hear a hard cut";
}

TEST(Mixer, QuietestVoiceIsStolenInTheMix) {
  TestBank bank;
  bank.set(SoundId::FireHit, sine(200.0, 3.0, 0.3), 0);
  bank.set(SoundId::CrystalChime, sine(3'000.0, 3.0, 0.3), 0);
  bank.set(SoundId::FrostHit, sine(8'000.0, 3.0, 0.3), 0);
  Mixer mixer(plain_options(2), bank);
  mixer.play_at(event_of(SoundId::FireHit, 0.9f), 0);        // the oldest, loud
  mixer.play_at(event_of(SoundId::CrystalChime, 0.3f), 10);  // the quietest
  mixer.play_at(event_of(SoundId::FrostHit, 0.6f), 1'000);
  const std::vector<float> left = signal::channel(render_frames(mixer, 20'000), 0);
  const std::vector<double> power = signal::power_spectrum(std::span(left).subspan(3'000, 16'384));
  const auto at_hz = [&](double hz) { return power[static_cast<std::size_t>(hz * 16'384 / kRate_hz + 0.5)]; };
  EXPECT_GT(at_hz(200.0), 1'000.0 * at_hz(3'000.0));
  EXPECT_GT(at_hz(8'000.0), 1'000.0 * at_hz(3'000.0));
  EXPECT_EQ(mixer.stats().stolen, 1u);
}

TEST(Mixer, QuietNewcomerIsRejectedAndUnheard) {
  Mixer with(plain_options(2), game_sounds()), without(plain_options(2), game_sounds());
  for (Mixer* mixer : {&with, &without}) {
    mixer->play_at(event_of(SoundId::VortexOpen), 0);
    mixer->play_at(event_of(SoundId::VortexOpen), 0);
  }
  with.play_at(event_of(SoundId::FrostHit, 0.01f), 4'000);
  EXPECT_EQ(signal::hash(render_frames(with, 20'000)), signal::hash(render_frames(without, 20'000)));
  EXPECT_EQ(with.stats().rejected, 1u);
}

TEST(Mixer, ThreeHundredEventsInOneBlockAreAllAccountedFor) {
  Mixer mixer(plain_options(8), game_sounds());
  u32 posted = 0;
  for (u32 i = 0; i < 300; ++i) {
    posted += mixer.play(event_of(static_cast<SoundId>(i % frame::kSoundCount), 0.2f + 0.002f * static_cast<float>(i)))
                  ? 1
                  : 0;
  }
  EXPECT_EQ(posted, 300u);
  const std::vector<float> out = render_frames(mixer, 200'000);
  EXPECT_TRUE(signal::all_finite(out));
  EXPECT_LE(signal::peak(out), 1.0);
  EXPECT_GT(signal::peak(out), 0.1);
  const MixerStats stats = mixer.stats();
  EXPECT_EQ(stats.started + stats.rejected, 300u);
  EXPECT_EQ(stats.started, stats.ended + stats.stopped + stats.stolen);
  EXPECT_EQ(stats.active, 0u);
  EXPECT_EQ(stats.peak, 8u);
  EXPECT_EQ(stats.dropped_events, 0u);
}

TEST(Mixer, BurstOfOneSoundInOneBlockSoundsNoLouderThanThePool) {
  // Victims that were never heard leave no tail: 300 starts in one frame are 8 voices, not 300 clicks.
  TestBank bank;
  std::vector<float> soft = samples_of(bank[SoundId::CrystalChime]);
  for (float& sample : soft) sample *= 0.1f;
  bank.set(SoundId::CrystalChime, soft);
  Mixer burst(plain_options(8), bank), eight(plain_options(8), bank);
  for (u32 i = 0; i < 300; ++i) burst.play(event_of(SoundId::CrystalChime));
  for (u32 i = 0; i < 8; ++i) eight.play(event_of(SoundId::CrystalChime));
  EXPECT_EQ(signal::hash(render_frames(burst, 30'000)), signal::hash(render_frames(eight, 30'000)));
}

// ---- Level ----------------------------------------------------------------------------------------------------------

TEST(Mixer, LimiterHoldsSixtyFourLoudVoices) {
  TestBank bank;
  bank.set(SoundId::FireHit, sine(110.0, 1.0, 1.0), 0);
  std::vector<float> square(kRate_hz / 2);
  for (std::size_t i = 0; i < square.size(); ++i) square[i] = (i / 50) % 2 == 0 ? 1.0f : -1.0f;
  bank.set(SoundId::DummyHit, square, 0);
  MixerOptions options = plain_options(64);
  options.master_gain = 4.0f;
  Mixer mixer(options, bank);
  for (u32 i = 0; i < 64; ++i) mixer.play_at(event_of(i % 2 == 0 ? SoundId::FireHit : SoundId::DummyHit), 2'000);
  const std::vector<float> out = render_frames(mixer, 60'000);
  EXPECT_LE(signal::peak(out), static_cast<double>(Limiter::kCeiling) + 1e-6)
      << "the limiter and not the clamp must hold it";
  EXPECT_GT(signal::peak(out), 0.9);
  EXPECT_TRUE(signal::all_finite(out));
}

TEST(Limiter, QuietSignalPassesBitForBitAfterItsDelay) {
  Limiter limiter(kRate_hz);
  Rng rng(3);
  std::vector<float> in, out;
  for (u32 i = 0; i < 5'000; ++i) {
    float left = 0.9f * rng.signed_unit(), right = -left;
    in.push_back(left);
    limiter.process(left, right);
    out.push_back(left);
  }
  for (std::size_t i = Limiter::kDelay_frames; i < in.size(); ++i) ASSERT_EQ(out[i], in[i - Limiter::kDelay_frames]);
}

TEST(Limiter, NoPeakPassesTheCeilingWhateverTheSignal) {
  Limiter limiter(kRate_hz);
  Rng rng(9);
  float most = 0.0f;
  for (u32 i = 0; i < 200'000; ++i) {
    const float size = rng.below(500) == 0 ? 1'000.0f : (rng.below(3) == 0 ? 3.0f : 0.2f);
    float left = size * rng.signed_unit(), right = size * rng.signed_unit();
    limiter.process(left, right);
    most = std::max({most, std::fabs(left), std::fabs(right)});
  }
  EXPECT_LE(most, Limiter::kCeiling + 1e-5f);
}

TEST(Limiter, GainComesBackAfterAPeak) {
  Limiter limiter(kRate_hz);
  float last = 0.0f;
  for (u32 i = 0; i < kRate_hz; ++i) {
    float left = i == 100 ? 50.0f : 0.5f, right = 0.0f;
    limiter.process(left, right);
    last = left;
  }
  EXPECT_EQ(last, 0.5f);
}

TEST(Mixer, MuteFadesWithoutAClickAndComesBack) {
  const TestBank bank = bank_for_steals();
  Mixer mixer(plain_options(1), bank);
  mixer.play(event_of(SoundId::CrystalChime, 0.5f));
  std::vector<float> heard;
  const auto go_on = [&](std::size_t frames) {
    std::vector<float> out(2 * frames);
    mixer.render(out);
    heard.insert(heard.end(), out.begin(), out.end());
  };
  go_on(6'000);
  mixer.set_muted(true);
  EXPECT_TRUE(mixer.muted());
  go_on(6'000);
  mixer.set_muted(false);
  go_on(6'000);
  const std::vector<float> left = signal::channel(heard, 0);
  EXPECT_EQ(signal::peak(std::span(left).subspan(7'000, 4'900)), 0.0);
  EXPECT_GT(signal::rms(std::span(left).subspan(13'000, 4'000)), 0.2);
  EXPECT_LT(signal::energy_above_db(std::span(left).subspan(2'000, 8'192), 4'000.0, kRate_hz), -60.0);
}

TEST(Mixer, VolumeScalesAndAtOneChangesNoBit) {
  const auto heard = [](float volume) {
    Mixer mixer(plain_options(), game_sounds());
    if (volume < 1.0f) mixer.set_volume(volume);
    if (volume == 1.0f) mixer.set_volume(volume);
    render_frames(mixer, 2'000);
    mixer.play(event_of(SoundId::FireHit, 0.5f));
    return render_frames(mixer, 30'000);
  };
  const std::vector<float> untouched = heard(2.0f), whole = heard(1.0f), half = heard(0.5f), none = heard(0.0f);
  EXPECT_EQ(signal::hash(whole), signal::hash(untouched));
  EXPECT_NEAR(signal::rms(half), 0.5 * signal::rms(whole), 1e-6);
  EXPECT_EQ(signal::peak(none), 0.0);
}

TEST(Mixer, VolumeMovesWithoutAClickAndRefusesNonsense) {
  const TestBank bank = bank_for_steals();
  Mixer mixer(plain_options(1), bank);
  mixer.play(event_of(SoundId::CrystalChime, 0.5f));
  std::vector<float> heard(2 * 16'384);
  mixer.render(std::span(heard).first(2 * 8'000));
  mixer.set_volume(0.2f);
  mixer.render(std::span(heard).subspan(2 * 8'000));
  const std::vector<float> left = signal::channel(heard, 0);
  EXPECT_NEAR(signal::rms(std::span(left).last(4'000)), 0.2 * signal::rms(std::span(left).subspan(3'000, 4'000)), 2e-3);
  EXPECT_LT(signal::energy_above_db(std::span(left).subspan(4'096, 8'192), 4'000.0, kRate_hz), -60.0);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -3.0f}) {
    mixer.set_volume(bad);
    EXPECT_EQ(mixer.volume(), 0.0f);
  }
  mixer.set_volume(std::numeric_limits<float>::infinity());
  EXPECT_EQ(mixer.volume(), 1.0f);
}

TEST(Mixer, MasterGainScalesAndRefusesNonsense) {
  Mixer mixer(plain_options(), game_sounds());
  for (const float gain : {std::numeric_limits<float>::quiet_NaN(), -3.0f}) {
    mixer.set_master_gain(gain);
    render_frames(mixer, 2'000);
    mixer.play(event_of(SoundId::FireHit));
    EXPECT_EQ(signal::peak(render_frames(mixer, 60'000)), 0.0);
  }
  mixer.set_master_gain(INFINITY);
  mixer.play(event_of(SoundId::FireHit));
  EXPECT_LE(signal::peak(render_frames(mixer, 60'000)), 1.0);
}

// ---- Bad input ------------------------------------------------------------------------------------------------------

TEST(Mixer, AbsurdEventsAreCountedAndNeverHeardAsNan) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
  constexpr float kMax = std::numeric_limits<float>::max(), kTiny = std::numeric_limits<float>::denorm_min();
  Mixer mixer(plain_options(32), game_sounds());
  u32 posted = 0, nonsense = 0;
  for (const float bad : {kNan, kInf, -kInf, kMax, -kMax, 1e9f, -1e9f, kTiny, -0.0f}) {
    for (u32 field = 0; field < 4; ++field) {
      AudioEvent event = event_of(SoundId::CrystalChime);
      (field == 0 ? event.gain : field == 1 ? event.x : field == 2 ? event.y : event.pitch_steps) = bad;
      mixer.play(event);
      ++posted;
      nonsense += std::isfinite(bad) ? 0 : 1;
    }
  }
  mixer.play(event_of(static_cast<SoundId>(200)));
  ++posted;
  ++nonsense;
  const std::vector<float> out = render_frames(mixer, 400'000);
  EXPECT_TRUE(signal::all_finite(out));
  EXPECT_LE(signal::peak(out), 1.0);
  const MixerStats stats = mixer.stats();
  EXPECT_EQ(stats.invalid_events, nonsense);
  EXPECT_EQ(stats.started + stats.rejected + stats.invalid_events, posted);
  EXPECT_EQ(stats.active, 0u) << "even the slowest pitch ends";
}

TEST(Mixer, NanInASoundIsGuarded) {
  TestBank bank;
  std::vector<float> broken(2'000, 0.25f);
  broken[1'000] = std::numeric_limits<float>::quiet_NaN();
  broken[1'500] = std::numeric_limits<float>::infinity();
  bank.set(SoundId::FireHit, broken, 0);
  Mixer mixer(plain_options(), bank);
  mixer.play(event_of(SoundId::FireHit));
  EXPECT_TRUE(signal::all_finite(render_frames(mixer, 4'000)));
  mixer.play(event_of(SoundId::CrystalChime));
  EXPECT_GT(signal::peak(render_frames(mixer, 4'000)), 0.1) << "the mixer goes on";
}

TEST(Mixer, EmptyAndOneSampleSoundsEndAtOnce) {
  TestBank bank;
  bank.set(SoundId::FireHit, {}, 0);
  bank.set(SoundId::FireCast, {0.5f}, 0);
  Mixer mixer(plain_options(), bank);
  mixer.play(event_of(SoundId::FireHit));
  mixer.play(event_of(SoundId::FireCast));
  render_frames(mixer, 500);
  EXPECT_EQ(mixer.stats().ended, 2u);
}

TEST(Mixer, OptionsOutOfRangeAreMovedIntoIt) {
  MixerOptions options;
  options.voices = 0;
  options.master_gain = std::numeric_limits<float>::quiet_NaN();
  options.tail_frames = 0;
  options.command_ring = 0;
  options.most_voices = 0;
  Mixer mixer(options, game_sounds());
  EXPECT_EQ(mixer.stats().voices, 1u);
  mixer.play(event_of(SoundId::FireHit));
  mixer.play(event_of(SoundId::VortexOpen));
  EXPECT_TRUE(signal::all_finite(render_frames(mixer, 10'000)));
}

// ---- Real time ------------------------------------------------------------------------------------------------------

TEST(Mixer, FullRingRefusesAndCounts) {
  MixerOptions options = plain_options();
  options.command_ring = 64;
  Mixer mixer(options, game_sounds());
  u32 taken = 0;
  for (u32 i = 0; i < 100; ++i) taken += mixer.play(event_of(SoundId::FrostHit)) ? 1 : 0;
  EXPECT_EQ(taken, 64u);
  EXPECT_EQ(mixer.stats().dropped_events, 36u);
  render_frames(mixer, 512);
  EXPECT_TRUE(mixer.play(event_of(SoundId::FrostHit))) << "there is room again after a render";
  const MixerStats stats = mixer.stats();
  EXPECT_EQ(stats.started + stats.rejected, 64u);
}

TEST(Mixer, RenderAndPostAllocateNothing) {
  Mixer mixer(plain_options(8), game_sounds());
  std::vector<float> block(2 * 512);
  std::vector<std::vector<AudioEvent>> fight;
  Rng looks(2);
  for (u64 step = 0; step < 600; ++step) fight.push_back(fight_step(step, looks));
  const u64 before = allocation_count();
  for (std::size_t step = 0; step < fight.size(); ++step) {
    for (u32 copy = 0; copy < 20; ++copy) {
      for (const AudioEvent& event : fight[step]) mixer.play(event);
    }
    mixer.render(block);
    mixer.set_muted(step % 3 == 0);
    mixer.set_volume(static_cast<float>(step % 10) * 0.1f);
    mixer.stats();
  }
  EXPECT_EQ(allocation_count() - before, 0u);
  EXPECT_GT(mixer.stats().stolen, 500u);
  ::operator delete(::operator new(4));
  EXPECT_EQ(allocation_count() - before, 1u) << "the counter counts";
}

// For the tsan preset: every function that may be called across threads, at once.
TEST(Mixer, GameThreadAndAudioThreadNeverRace) {
  MixerOptions options = plain_options(8);
  options.command_ring = 256;
  options.merge = true;
  Mixer mixer(options, game_sounds());
  std::atomic<bool> done{false};
  std::atomic<bool> sound_is_good{true};
  std::thread audio([&] {
    std::vector<float> block(2 * 256);
    while (!done.load()) {
      mixer.render(block);
      if (!signal::all_finite(block) || signal::peak(block) > 1.0) sound_is_good.store(false);
    }
    for (u32 i = 0; i < 2; ++i) mixer.render(block);
  });
  std::thread reader([&] {
    u64 frames = 0;
    while (!done.load()) {
      const MixerStats stats = mixer.stats();
      if (stats.frames < frames || stats.active > stats.voices) sound_is_good.store(false);
      frames = stats.frames;
      std::this_thread::yield();
    }
  });
  u64 posted = 0, refused = 0;
  Rng looks(8);
  for (u64 step = 0; step < 4'000; ++step) {
    for (const AudioEvent& event : fight_step(step, looks)) {
      ++posted;
      refused += mixer.play(event) ? 0 : 1;
    }
    if (step % 50 == 0) mixer.set_muted(step % 100 == 0);
    if (step % 70 == 0) mixer.set_master_gain(looks.range(0.0f, 2.0f));
    if (step % 30 == 0) mixer.set_volume(looks.unit());
    if (step % 8 == 0) std::this_thread::yield();
  }
  done.store(true);
  audio.join();
  reader.join();
  const MixerStats stats = mixer.stats();
  EXPECT_TRUE(sound_is_good.load());
  EXPECT_EQ(stats.dropped_events, refused);
  EXPECT_EQ(stats.started + stats.merged + stats.rejected + refused, posted);
  EXPECT_GT(stats.merged, 0u);
  EXPECT_EQ(stats.started, stats.ended + stats.stopped + stats.stolen + stats.active);
}

}  // namespace
}  // namespace spellpool::audio
