#include "audio/offline_audio.hpp"

#include <gtest/gtest.h>

#include "allocation_count.hpp"
#include "fight.hpp"
#include "played.hpp"
#include "signal.hpp"

namespace spellpool::audio {
namespace {

using frame::AudioEvent;
using frame::SoundId;

std::vector<float> fight_of(u64 steps, u64 seed, const MixerOptions& options = {}) {
  OfflineAudio audio(options, game_sounds());
  Rng looks(seed);
  std::vector<float> heard;
  const auto append = [&](std::span<const float> part) { heard.insert(heard.end(), part.begin(), part.end()); };
  for (u64 step = 0; step < steps; ++step) append(audio.advance_step(fight_step(step, looks)));
  append(audio.finish());
  EXPECT_EQ(heard.size(), 2 * audio.frames());
  return heard;
}

TEST(OfflineAudio, StepsGiveExactlyTheirFramesAtEveryRate) {
  for (const u32 rate_hz : {8'000u, 11'025u, 22'050u, 44'100u, 48'000u, 96'000u, 192'000u}) {
    OfflineAudio audio({}, TestBank(rate_hz));
    std::size_t frames = 0;
    for (u64 step = 1; step <= 121; ++step) {
      frames += audio.advance_step({}).size() / 2;
      EXPECT_EQ(frames + Mixer::latency_frames(), step * rate_hz / 60);
    }
    frames += audio.finish().size() / 2;
    EXPECT_EQ(frames, 121u * rate_hz / 60);
    EXPECT_TRUE(audio.finish().empty());
  }
}

TEST(OfflineAudio, StepAt48KilohertzIs800Frames) {
  OfflineAudio audio({}, game_sounds());
  audio.advance_step({});
  EXPECT_EQ(audio.advance_step({}).size(), 2u * 800u);
}

TEST(OfflineAudio, NothingHeardBeforeAnyStepNorAfterTheEnd) {
  OfflineAudio audio({}, game_sounds());
  EXPECT_TRUE(audio.finish().empty());
  EXPECT_EQ(audio.frames(), 0u);
}

TEST(OfflineAudio, EventIsHeardAtItsStepsFirstFrame) {
  OfflineAudio audio({}, game_sounds());
  std::vector<float> heard;
  for (u64 step = 0; step < 20; ++step) {
    AudioEvent event;
    event.sound = SoundId::CrystalChime;
    event.step = step;
    const std::span<const float> part = step == 7 ? audio.advance_step(std::span(&event, 1)) : audio.advance_step({});
    heard.insert(heard.end(), part.begin(), part.end());
  }
  std::size_t first = 0;
  while (first < heard.size() && heard[first] == 0.0f) ++first;
  EXPECT_GE(first / 2, 7u * 800u);
  EXPECT_LE(first / 2, 7u * 800u + 2u);
}

TEST(OfflineAudio, SameEventsGiveTheSamePcmAndOthersDoNot) {
  EXPECT_EQ(signal::hash(fight_of(200, 1)), signal::hash(fight_of(200, 1)));
  EXPECT_NE(signal::hash(fight_of(200, 1)), signal::hash(fight_of(200, 2)));
}

// As with the bank: one number for every compiler, optimisation level and machine.
TEST(OfflineAudio, FightHasTheSameBitsWithEveryCompiler) {
  const u64 hash = signal::hash(fight_of(300, 1));
  EXPECT_EQ(hash, 0xdc1c108d81cb27ccull) << std::hex << "now 0x" << hash;
}

TEST(OfflineAudio, AgreesWithTheMixerWhateverItsBlockSize) {
  Mixer mixer({}, game_sounds());
  Rng looks(4);
  for (u64 step = 0; step < 120; ++step) {
    for (const AudioEvent& event : fight_step(step, looks)) mixer.play_at(event, step * 800);
  }
  std::vector<float> live(2 * (120 * 800 + Mixer::latency_frames()));
  for (std::size_t at = 0; at < live.size(); at += 2 * 480) {
    mixer.render(std::span(live).subspan(at, std::min<std::size_t>(2 * 480, live.size() - at)));
  }
  EXPECT_EQ(signal::hash(std::span<const float>(live).subspan(2 * Mixer::latency_frames())),
            signal::hash(fight_of(120, 4)));
}

TEST(OfflineAudio, BusyFightIsNearMinus18LufsAndBelowFullScale) {
  const std::vector<float> heard = fight_of(900, 1);
  EXPECT_NEAR(signal::lufs(heard, 48'000), -18.0, 1.5);
  EXPECT_LT(signal::db(signal::peak(heard)), -0.2);
}

TEST(OfflineAudio, BusiestMinuteIsNearMinus18LufsAndBarelyLimited) {
  OfflineAudio audio({}, game_sounds());
  Rng looks(1);
  std::vector<float> heard;
  for (u64 step = 0; step < 63 * 60; ++step) {
    const std::span<const float> part = audio.advance_step(scene_step(step, looks));
    heard.insert(heard.end(), part.begin(), part.end());
  }
  EXPECT_NEAR(signal::lufs(heard, 48'000), -18.0, 1.5);
  EXPECT_LE(signal::peak(heard), static_cast<double>(Limiter::kCeiling) + 1e-6) << "the clamp has nothing to do";
  const MixerStats stats = audio.stats();
  EXPECT_EQ(stats.peak, stats.voices) << "busy enough to fill the pool";
  EXPECT_GT(stats.stolen, 0u);
  EXPECT_GT(stats.merged, 0u);
}

TEST(OfflineAudio, TheShootersBusiestMinuteIsNoLouderThanTheSpellsAndBarelyLimited) {
  OfflineAudio audio({}, game_sounds());
  Rng looks(1);
  std::vector<float> heard;
  for (u64 step = 0; step < 63 * 60; ++step) {
    const std::span<const float> part = audio.advance_step(shooter_step(step, looks));
    heard.insert(heard.end(), part.begin(), part.end());
  }
  EXPECT_NEAR(signal::lufs(heard, 48'000), -19.5, 1.5);
  EXPECT_LE(signal::peak(heard), static_cast<double>(Limiter::kCeiling) + 1e-6);
}

TEST(OfflineAudio, StepsAllocateNothing) {
  OfflineAudio audio({}, game_sounds());
  Rng looks(6);
  std::vector<std::vector<AudioEvent>> fight;
  for (u64 step = 0; step < 300; ++step) fight.push_back(fight_step(step, looks));
  for (u64 step = 2'300; step < 2'500; ++step) fight.push_back(scene_step(step, looks));
  const u64 before = allocation_count();
  for (const std::vector<AudioEvent>& events : fight) audio.advance_step(events);
  audio.finish();
  EXPECT_EQ(allocation_count() - before, 0u);
}

}  // namespace
}  // namespace spellpool::audio
