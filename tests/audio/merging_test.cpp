#include <gtest/gtest.h>

#include "audio/mixer.hpp"
#include "fight.hpp"
#include "played.hpp"
#include "signal.hpp"

namespace spellpool::audio {
namespace {

using frame::AudioEvent;
using frame::SoundId;

MixerOptions merging_options() {
  MixerOptions options = plain_options();
  options.merge = true;
  return options;
}

TEST(Merging, SameSoundFiveTimesInAStepIsHeardOnceAtTheLoudest) {
  Mixer burst(merging_options(), game_sounds()), one(merging_options(), game_sounds());
  for (const float gain : {0.3f, 0.8f, 0.5f, 0.8f, 0.1f}) burst.play(event_of(SoundId::FireHit, gain));
  one.play(event_of(SoundId::FireHit, 0.8f));
  EXPECT_EQ(signal::hash(render_frames(burst, 60'000)), signal::hash(render_frames(one, 60'000)));
  const MixerStats stats = burst.stats();
  EXPECT_EQ(stats.started, 2u);
  EXPECT_EQ(stats.merged, 3u);
  EXPECT_EQ(stats.ended, 1u);
  EXPECT_EQ(stats.stopped, 1u);
  EXPECT_EQ(stats.active, 0u);
}

TEST(Merging, OtherSoundsAndLaterOnesAreNotMerged) {
  Mixer mixer(merging_options(), game_sounds());
  mixer.play_at(event_of(SoundId::FireHit, 0.8f), 0);
  mixer.play_at(event_of(SoundId::DummyHit, 0.5f), 0);
  mixer.play_at(event_of(SoundId::FireHit, 0.5f), 2'399);
  mixer.play_at(event_of(SoundId::FireHit, 0.5f), 2'400);
  render_frames(mixer, 3'000);
  EXPECT_EQ(mixer.stats().started, 3u);
  EXPECT_EQ(mixer.stats().merged, 1u);
}

TEST(Merging, LouderOneTakesOverWithoutAClick) {
  TestBank bank;
  bank.set(SoundId::CrystalChime, sine(220.0, 2.0, 0.5), 0);
  double worst = -300.0;
  for (u64 phase = 0; phase < 8; ++phase) {
    Mixer mixer(merging_options(), bank);
    mixer.play_at(event_of(SoundId::CrystalChime, 0.8f), 9'000);
    mixer.play_at(event_of(SoundId::CrystalChime, 0.9f), 10'500 + phase * 27);
    const std::vector<float> left = signal::channel(render_frames(mixer, 24'000), 0);
    worst = std::max(worst, signal::energy_above_db(std::span(left).subspan(8'000, 8'192), 4'000.0, kRate_hz));
    EXPECT_EQ(mixer.stats().active, 1u);
  }
  EXPECT_LT(worst, -45.0) << worst;
}

TEST(Merging, MergingIsTheSameForEveryBlockSize) {
  std::vector<u64> hashes;
  for (const std::size_t block : {64u, 480u, 1'024u, 37u}) {
    MixerOptions options;
    options.command_ring = 8'192;
    Mixer mixer(options, game_sounds());
    Rng looks(5);
    for (u64 step = 2'380; step < 2'500; ++step) {
      for (const AudioEvent& event : scene_step(step, looks)) mixer.play_at(event, (step - 2'380) * 800);
    }
    hashes.push_back(signal::hash(render_frames(mixer, 120 * 800, block)));
    EXPECT_GT(mixer.stats().merged, 50u);
  }
  for (const u64 hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TEST(Merging, ChordsKeepTheirPitch) {
  Mixer moved(plain_options(), game_sounds()), plain(plain_options(), game_sounds());
  AudioEvent event = event_of(SoundId::Finale);
  plain.play(event);
  event.pitch_steps = 2.0f;
  moved.play(event);
  EXPECT_EQ(signal::hash(render_frames(moved, 30'000)), signal::hash(render_frames(plain, 30'000)));
}

}  // namespace
}  // namespace spellpool::audio
