#pragma once
#include <array>

#include "audio/mixer.hpp"
#include "core/types.hpp"

namespace spellpool::app {

/// The sound of time that runs backward: swells, one after the other, for as long as it does. Each rises slowly and
/// is faded out when time stops, at whatever moment, so that nothing clicks.
class RewindSound {
 public:
  static constexpr i64 kEvery_ns = 420'000'000;
  static constexpr float kFade_s = 0.12f;

  /// Once a frame. `runs`: time runs backward, and sound is heard.
  void update(audio::Mixer& mixer, bool runs, i64 now_ns) {
    if (!runs) {
      if (runs_) {
        for (const audio::VoiceHandle voice : voices_) mixer.fade_out(voice, kFade_s);
      }
      runs_ = false;
      return;
    }
    if (runs_ && now_ns - began_ns_ < kEvery_ns) return;
    runs_ = true;
    began_ns_ = now_ns;
    voices_[next_++ % voices_.size()] = mixer.play({.sound = frame::SoundId::Rewind});
  }

 private:
  std::array<audio::VoiceHandle, 4> voices_{};  ///< More than sound at a time.
  u32 next_ = 0;
  bool runs_ = false;
  i64 began_ns_ = 0;
};

}  // namespace spellpool::app
