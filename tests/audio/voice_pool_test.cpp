#include "audio/voice_pool.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <type_traits>

#include "core/rng.hpp"

namespace spellpool::audio {
namespace {

/// One second at constant level.
Sound steady_sound(float level = 0.5f) {
  Sound sound;
  sound.assign(std::vector<float>(48'000, level), 0);
  return sound;
}

Voice voice_of(const Sound& sound, float loudness, u64 frame = 0) {
  Voice voice;
  voice.sound = &sound;
  voice.loudness = loudness;
  voice.position = frame << 32;
  return voice;
}

TEST(VoicePool, FreeSlotsAreUsedBeforeAnythingIsStolen) {
  const Sound sound = steady_sound();
  VoicePool pool(8);
  for (u32 i = 0; i < 8; ++i) EXPECT_EQ(pool.start(voice_of(sound, 0.001f)).outcome, StartOutcome::Started);
  EXPECT_EQ(pool.stats().active, 8u);
  EXPECT_EQ(pool.stats().stolen, 0u);
  EXPECT_EQ(pool.start(voice_of(sound, 1.0f)).outcome, StartOutcome::StoleQuietest);
}

TEST(VoicePool, QuietestIsStolenAndNotTheOldest) {
  const Sound sound = steady_sound();
  VoicePool pool(4);
  const VoiceHandle oldest = pool.start(voice_of(sound, 0.9f)).handle;
  const VoiceHandle second = pool.start(voice_of(sound, 0.5f)).handle;
  const VoiceHandle quietest = pool.start(voice_of(sound, 0.2f)).handle;
  const VoiceHandle newest = pool.start(voice_of(sound, 0.7f)).handle;
  const StartResult result = pool.start(voice_of(sound, 0.6f));
  EXPECT_EQ(result.outcome, StartOutcome::StoleQuietest);
  EXPECT_FLOAT_EQ(result.victim.loudness, 0.2f);
  EXPECT_EQ(pool.find(quietest), nullptr);
  EXPECT_NE(pool.find(oldest), nullptr);
  EXPECT_NE(pool.find(second), nullptr);
  EXPECT_NE(pool.find(newest), nullptr);
  ASSERT_NE(pool.find(result.handle), nullptr);
  EXPECT_FLOAT_EQ(pool.find(result.handle)->loudness, 0.6f);
}

TEST(VoicePool, SoundThatHasRungOutIsStolenBeforeOneThatBegins) {
  const Sound sound = steady_sound();
  VoicePool pool(2);
  const VoiceHandle loud_but_over = pool.start(voice_of(sound, 1.0f, 47'900)).handle;
  const VoiceHandle soft_but_young = pool.start(voice_of(sound, 0.4f)).handle;
  pool.start(voice_of(sound, 0.5f));
  EXPECT_EQ(pool.find(loud_but_over), nullptr);
  EXPECT_NE(pool.find(soft_but_young), nullptr);
}

TEST(VoicePool, TiesGoToTheLowerStartSerial) {
  const Sound sound = steady_sound();
  VoicePool pool(3);
  pool.start(voice_of(sound, 0.5f));
  const VoiceHandle b = pool.start(voice_of(sound, 0.5f)).handle;
  const VoiceHandle c = pool.start(voice_of(sound, 0.5f)).handle;
  // The first slot's tenant is made the youngest, so that slot order and age differ.
  const VoiceHandle d = pool.start(voice_of(sound, 0.5f)).handle;
  EXPECT_EQ(d.index, 0u);
  pool.start(voice_of(sound, 0.5f));
  EXPECT_EQ(pool.find(b), nullptr);
  EXPECT_NE(pool.find(c), nullptr);
  pool.start(voice_of(sound, 0.5f));
  EXPECT_EQ(pool.find(c), nullptr);
  EXPECT_NE(pool.find(d), nullptr);
  pool.start(voice_of(sound, 0.5f));
  EXPECT_EQ(pool.find(d), nullptr);
}

TEST(VoicePool, NewcomerBelowTheQuietestIsRejectedAndNothingChanges) {
  const Sound sound = steady_sound();
  VoicePool pool(2);
  const VoiceHandle a = pool.start(voice_of(sound, 0.5f)).handle;
  const VoiceHandle b = pool.start(voice_of(sound, 0.4f)).handle;
  const StartResult result = pool.start(voice_of(sound, 0.39f));
  EXPECT_EQ(result.outcome, StartOutcome::Rejected);
  EXPECT_TRUE(result.handle.is_null());
  EXPECT_NE(pool.find(a), nullptr);
  EXPECT_NE(pool.find(b), nullptr);
  EXPECT_EQ(pool.stats().rejected, 1u);
  EXPECT_EQ(pool.stats().started, 2u);
}

TEST(VoicePool, StaleNullAndForgedHandlesAreHarmless) {
  const Sound sound = steady_sound();
  VoicePool pool(1);
  const VoiceHandle first = pool.start(voice_of(sound, 0.5f)).handle;
  const VoiceHandle second = pool.start(voice_of(sound, 0.6f)).handle;
  EXPECT_EQ(first.index, second.index);
  EXPECT_EQ(pool.find(first), nullptr);
  EXPECT_FALSE(pool.stop(first));
  EXPECT_NE(pool.find(second), nullptr) << "a stale stop must not hit the slot's new tenant";
  EXPECT_TRUE(pool.stop(second));
  EXPECT_FALSE(pool.stop(second));
  EXPECT_FALSE(pool.stop(VoiceHandle{}));
  EXPECT_FALSE(pool.stop(VoiceHandle{0, second.generation + 1}));
  EXPECT_FALSE(pool.stop(VoiceHandle{12'345, 1}));
  EXPECT_EQ(pool.find(VoiceHandle{std::numeric_limits<u32>::max(), std::numeric_limits<u32>::max()}), nullptr);
  EXPECT_EQ(pool.stats().active, 0u);
  EXPECT_EQ(pool.stats().ended, 1u);
}

TEST(VoicePool, CapacityOneAndZeroAndManyWork) {
  const Sound sound = steady_sound();
  EXPECT_EQ(VoicePool(0).capacity(), 1u);
  for (const u32 capacity : {1u, 63u, 64u, 65u, 300u}) {  // SoLoud overflows its stack above 256 active voices
    VoicePool pool(capacity);
    for (u32 i = 0; i < capacity; ++i) {
      const StartResult result = pool.start(voice_of(sound, 0.5f));
      EXPECT_EQ(result.outcome, StartOutcome::Started);
      EXPECT_EQ(result.handle.index, i);
    }
    EXPECT_EQ(pool.start(voice_of(sound, 0.6f)).outcome, StartOutcome::StoleQuietest);
    EXPECT_EQ(pool.stats().active, capacity);
  }
}

TEST(VoicePool, LowestFreeSlotIsTakenWhateverTheOrderOfReleases) {
  const Sound sound = steady_sound();
  VoicePool pool(4);
  VoiceHandle handles[4];
  for (VoiceHandle& handle : handles) handle = pool.start(voice_of(sound, 0.5f)).handle;
  pool.stop(handles[1]);
  pool.stop(handles[3]);
  EXPECT_EQ(pool.start(voice_of(sound, 0.5f)).handle.index, 1u);
  EXPECT_EQ(pool.start(voice_of(sound, 0.5f)).handle.index, 3u);
}

TEST(VoicePool, NonsenseLoudnessCountsAsSilent) {
  const Sound sound = steady_sound();
  VoicePool pool(2);
  const VoiceHandle broken = pool.start(voice_of(sound, std::numeric_limits<float>::quiet_NaN())).handle;
  pool.start(voice_of(sound, 0.5f));
  pool.start(voice_of(sound, 0.1f));
  EXPECT_EQ(pool.find(broken), nullptr);
}

TEST(VoicePool, HandleOfAVoiceDoesNotFitAnotherPool) {
  struct Bullet {};
  static_assert(!std::is_convertible_v<VoiceHandle, Handle<Bullet>>);
  static_assert(!std::is_convertible_v<Handle<Bullet>, VoiceHandle>);
}

// Every operation mirrored into a plain list of what should be live.
TEST(VoicePool, AgreesWithAModelOverRandomOperations) {
  const Sound sound = steady_sound();
  struct Twin {
    VoiceHandle handle;
    float loudness;
  };
  for (const u32 capacity : {1u, 3u, 8u, 70u}) {
    Rng rng(capacity);
    VoicePool pool(capacity);
    std::map<u64, Twin> live;  // by start serial
    std::vector<VoiceHandle> gone;
    u64 serial = 0, ended = 0, stolen = 0, rejected = 0;
    for (u32 i = 0; i < 20'000; ++i) {
      const u32 dice = rng.below(100);
      const bool filling = (i / 500) % 2 == 0;
      if (dice < (filling ? 80u : 40u)) {
        const float loudness = static_cast<float>(1 + rng.below(6)) * 0.125f;
        const StartResult result = pool.start(voice_of(sound, loudness));
        if (live.size() < capacity) {
          ASSERT_EQ(result.outcome, StartOutcome::Started);
        } else {
          auto least = live.begin();
          for (auto it = live.begin(); it != live.end(); ++it) {
            if (it->second.loudness < least->second.loudness) least = it;
          }
          if (loudness < least->second.loudness) {
            ASSERT_EQ(result.outcome, StartOutcome::Rejected);
            ++rejected;
            continue;
          }
          ASSERT_EQ(result.outcome, StartOutcome::StoleQuietest);
          ASSERT_EQ(pool.find(least->second.handle), nullptr);
          gone.push_back(least->second.handle);
          live.erase(least);
          ++stolen;
        }
        live[serial++] = {result.handle, loudness};
      } else if (dice < 95) {
        if (live.empty()) continue;
        auto it = live.begin();
        std::advance(it, rng.below(static_cast<u32>(live.size())));
        if (dice % 2 == 0) {
          ASSERT_TRUE(pool.stop(it->second.handle));
        } else {
          pool.find(it->second.handle)->finished = true;
          pool.release_finished();
        }
        gone.push_back(it->second.handle);
        live.erase(it);
        ++ended;
      } else if (!gone.empty()) {
        ASSERT_FALSE(pool.stop(gone[rng.below(static_cast<u32>(gone.size()))]));
      }
      u32 walked = 0;
      pool.for_each([&](Voice&) { ++walked; });
      ASSERT_EQ(walked, live.size());
      ASSERT_EQ(pool.stats().active, live.size());
    }
    for (const auto& [key, twin] : live) ASSERT_EQ(pool.find(twin.handle)->loudness, twin.loudness);
    EXPECT_EQ(pool.stats().started, serial);
    EXPECT_EQ(pool.stats().ended, ended);
    EXPECT_EQ(pool.stats().stolen, stolen);
    EXPECT_EQ(pool.stats().rejected, rejected);
    EXPECT_EQ(pool.stats().started, ended + stolen + live.size());
    EXPECT_EQ(pool.stats().peak, capacity);
  }
}

}  // namespace
}  // namespace spellpool::audio
