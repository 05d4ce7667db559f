#pragma once
// The quiet background: each scene plays for ever, and never the same twice.
//
// A pure function: scene, seed, step and intensity give the notes that begin in that step. Nothing is remembered, so
// music needs no state in a replay, can begin anywhere, and is the same in a window and in `--audio-out`. It has
// random numbers of its own, keyed by seed and bar: the simulation never hears of it.
//
//   spells   bars of 6 s, the night in the arena: a chord that breathes, a low string, far bells, now and then a reed; wind.
//   shooter  bars of 4 s, the lanterns' procession: a soft drum, a string that walks, plucked figures; every other bar a chord.
//
// Notes     of the scale alone (scale.hpp), in whole steps; chords are open, roots walk by neighbours and come home
//           every fourth bar.
// Intensity 0 … 1, a boss or a challenge: more plucked notes, a fuller drum, a reed above. It counts from the next
// note on.
// Bounds    kMostNotesAStep begin in one step, kMostMusicVoices sound at once; the pad or the low string begins every
//           bar, so the longest silence is kLongestRest_s (music_test.cpp renders minutes of it).
#include <array>
#include <span>

#include "frame/audio_event.hpp"
#include "frame/scene.hpp"

namespace spellpool::audio {

inline constexpr std::size_t kMostNotesAStep = 8;
inline constexpr u32 kMostMusicVoices = 18;
/// No longer than this is music below −60 dBFS.
inline constexpr float kLongestRest_s = 2.0f;

class MusicStep {
 public:
  std::span<const frame::AudioEvent> notes() const& { return {notes_.data(), count_}; }
  void notes() const&& = delete;  ///< They lie in the step: one has to keep it.
  void add(u64 step, frame::SoundId sound, float gain, i32 pitch_steps, float x) {
    if (count_ < kMostNotesAStep)
      notes_[count_++] = {step, sound, kLevel * gain, x, 0.0f, static_cast<float>(pitch_steps)};
  }

 private:
  static constexpr float kLevel = 0.75f;  ///< Of all music: 7 dB below the effects of a fight.
  std::array<frame::AudioEvent, kMostNotesAStep> notes_;
  std::size_t count_ = 0;
};

/// Intensity beyond 0 … 1 counts as the nearer end, NaN as 0. Allocates nothing; about 50 ns.
MusicStep music_step(frame::SceneId scene, u64 seed, u64 step, float intensity);

}  // namespace spellpool::audio
