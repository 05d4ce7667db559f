#include "audio/music.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "audio/offline_audio.hpp"
#include "audio/scale.hpp"
#include "core/fixed_step.hpp"
#include "shipped_sounds.hpp"
#include "signal.hpp"

namespace spellpool::audio {
namespace {

using frame::SceneId;
using frame::SoundId;

constexpr SceneId kBoth[] = {SceneId::Spells, SceneId::Shooter};
constexpr u64 kMinute_steps = 3'600;

std::vector<frame::AudioEvent> notes_of(SceneId scene, u64 seed, u64 steps, float intensity, u64 first = 0) {
  std::vector<frame::AudioEvent> notes;
  for (u64 step = first; step < first + steps; ++step) {
    const MusicStep now = music_step(scene, seed, step, intensity);
    notes.insert(notes.end(), now.notes().begin(), now.notes().end());
  }
  return notes;
}

auto plain(const frame::AudioEvent& note) { return std::tuple(note.step, note.sound, note.gain, note.x, note.y, note.pitch_steps); }

bool same(const std::vector<frame::AudioEvent>& a, const std::vector<frame::AudioEvent>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) { return plain(x) == plain(y); });
}

TEST(Music, SeedSceneAndStepSayAllOfIt) {
  for (const SceneId scene : kBoth) {
    const auto once = notes_of(scene, 7, kMinute_steps, 0.3f);
    EXPECT_TRUE(same(once, notes_of(scene, 7, kMinute_steps, 0.3f)));
    EXPECT_FALSE(same(once, notes_of(scene, 8, kMinute_steps, 0.3f))) << "another night";
    // Begun in the middle it is the same from there on: nothing is remembered.
    const auto late = notes_of(scene, 7, kMinute_steps / 2, 0.3f, kMinute_steps / 2);
    EXPECT_TRUE(same(late, {once.end() - static_cast<std::ptrdiff_t>(late.size()), once.end()}));
    for (const frame::AudioEvent& note : late) EXPECT_GE(note.step, kMinute_steps / 2);
  }
  EXPECT_FALSE(same(notes_of(SceneId::Spells, 7, kMinute_steps, 0.0f), notes_of(SceneId::Shooter, 7, kMinute_steps, 0.0f)));
}

TEST(Music, OneMinuteIsNotTheNext) {
  for (const SceneId scene : kBoth) {
    auto first = notes_of(scene, 7, kMinute_steps, 0.0f), second = notes_of(scene, 7, kMinute_steps, 0.0f, kMinute_steps);
    for (frame::AudioEvent& note : second) note.step -= kMinute_steps;
    EXPECT_FALSE(same(first, second));
  }
}

TEST(Music, EveryNoteIsOfTheScaleAndOfTheMusicGroup) {
  for (const SceneId scene : kBoth) {
    std::set<SoundId> used;
    for (u64 seed = 0; seed < 40; ++seed) {
      for (const frame::AudioEvent& note : notes_of(scene, seed, kMinute_steps, 0.01f * static_cast<float>(seed % 3) * 50.0f)) {
        const frame::SoundDef& def = content::builtin_sound(note.sound);
        EXPECT_EQ(def.traits.group, frame::SoundGroup::Music);
        EXPECT_EQ(note.pitch_steps, std::round(note.pitch_steps)) << "between two notes";
        EXPECT_LE(std::fabs(note.pitch_steps), kMaxPitchSteps);
        EXPECT_GT(note.gain, 0.0f);
        EXPECT_LE(note.gain, 1.25f);
        used.insert(note.sound);
      }
    }
    EXPECT_GE(used.size(), 6u);
  }
}

TEST(Music, RootsComeHomeEveryFourthBar) {
  for (const SceneId scene : kBoth) {
    const u64 bar_steps = scene == SceneId::Spells ? 360 : 240;
    std::set<float> roots;
    for (u64 bar = 0; bar < 400; ++bar) {
      const MusicStep step = music_step(scene, 11, bar * bar_steps, 0.0f);
      for (const frame::AudioEvent& note : step.notes()) {
        if (note.sound != SoundId::MusicLow) continue;
        roots.insert(note.pitch_steps);
        EXPECT_EQ(note.pitch_steps == 0.0f, bar % 4 == 0) << "bar " << bar;
      }
    }
    EXPECT_EQ(roots.size(), 5u) << "and wander between";
  }
}

TEST(Music, IntensityBringsMoreAndLouderNotes) {
  for (const SceneId scene : kBoth) {
    std::size_t calm = 0, tense = 0;
    float calm_gain = 0.0f, tense_gain = 0.0f;
    for (u64 seed = 0; seed < 10; ++seed) {
      const auto soft = notes_of(scene, seed, kMinute_steps, 0.0f), hard = notes_of(scene, seed, kMinute_steps, 1.0f);
      calm += soft.size();
      tense += hard.size();
      for (const auto& note : soft) calm_gain += note.gain;
      for (const auto& note : hard) tense_gain += note.gain;
      // What is heard when it is calm is heard when it is not.
      for (const auto& note : soft) {
        EXPECT_TRUE(std::any_of(hard.begin(), hard.end(), [&](const auto& other) {
          return other.step == note.step && other.sound == note.sound && other.pitch_steps == note.pitch_steps;
        }));
      }
    }
    EXPECT_GT(tense, calm * 3 / 2);
    EXPECT_GT(tense_gain, 1.6f * calm_gain);
  }
}

TEST(Music, AnyIntensityIsTakenAsOneOfItsRange) {
  for (const SceneId scene : kBoth) {
    EXPECT_TRUE(same(notes_of(scene, 3, 720, -5.0f), notes_of(scene, 3, 720, 0.0f)));
    EXPECT_TRUE(same(notes_of(scene, 3, 720, NAN), notes_of(scene, 3, 720, 0.0f)));
    EXPECT_TRUE(same(notes_of(scene, 3, 720, 1e9f), notes_of(scene, 3, 720, 1.0f)));
  }
}

TEST(Music, VoicesAndNotesAStepAreBounded) {
  for (const SceneId scene : kBoth) {
    u32 most = 0;
    for (u64 seed = 0; seed < 60; ++seed) {
      std::vector<u64> ends;
      for (u64 step = 0; step < 2 * kMinute_steps; ++step) {
        std::erase_if(ends, [&](u64 end) { return end <= step; });
        const MusicStep now = music_step(scene, seed, step, 1.0f);
        ASSERT_LT(now.notes().size(), kMostNotesAStep) << "one more might have been lost";
        for (const frame::AudioEvent& note : now.notes()) {
          const frame::SoundDef& def = content::builtin_sound(note.sound);
          const double steps = static_cast<double>(def.length_s) * kStepsPerSecond / pitch_ratio(def.degree, note.pitch_steps);
          ends.push_back(step + static_cast<u64>(steps) + 1);
        }
        most = std::max(most, static_cast<u32>(ends.size()));
      }
    }
    EXPECT_LE(most, kMostMusicVoices);
    EXPECT_GE(most, kMostMusicVoices / 2) << "the bound says something";
  }
}

TEST(Music, NoRestIsLongerThanPromised) {
  for (const SceneId scene : kBoth) {
    for (u64 seed = 1; seed < 4; ++seed) {
      OfflineAudio audio({}, shipped_bank());
      double silent_s = 0.0, longest_s = 0.0, energy = 0.0;
      std::vector<float> window;
      for (u64 step = 0; step < 2 * kMinute_steps; ++step) {
        const MusicStep music = music_step(scene, seed, step, 0.0f);
        const std::span<const float> part = audio.advance_step(music.notes());
        const double level = signal::peak(part);
        energy += std::pow(signal::rms(part), 2);
        silent_s = level < 0.001 ? silent_s + kStep_s : 0.0;
        longest_s = std::max(longest_s, silent_s);
      }
      EXPECT_LE(longest_s, static_cast<double>(kLongestRest_s)) << "seed " << seed;
      const double level_db = 10.0 * std::log10(energy / (2.0 * kMinute_steps));
      EXPECT_LT(level_db, -24.0) << "it lies behind the effects";
      EXPECT_GT(level_db, -42.0) << "and is heard";
    }
  }
}

}  // namespace
}  // namespace spellpool::audio
