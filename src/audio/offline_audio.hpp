#pragma once
// Sound without a clock or a device, for `--audio-out` and tests: one call per simulation step gives that step's
// samples. Same events → same PCM, on every machine.
//
//   Step n covers frames floor(n · rate / 60) … floor((n + 1) · rate / 60): 800 at 48 kHz, 735 at 44.1 kHz; at rates
//   that 60 does not divide the counts take turns and never drift. The step's events start at its first frame.
//
// The mixer's limiter delays the stream by 127 frames. That delay is taken out: the first call gives so many fewer
// frames and finish() the missing ones, so a file of N steps has exactly N steps of frames and every sound lies where
// it was asked.
//
// Memory  one step of samples and a Mixer. Nothing allocates after construction.   Threads  one owner.
#include <span>
#include <vector>

#include "audio/mixer.hpp"
#include "frame/audio_event.hpp"

namespace spellpool::audio {

class OfflineAudio {
 public:
  OfflineAudio(const MixerOptions& options, std::shared_ptr<const SoundBank> bank);

  /// Renders one step; `events` are that step's, in order. Interleaved stereo, valid until the next call.
  /// Events beyond options.command_ring in one step are dropped and counted.
  std::span<const float> advance_step(std::span<const frame::AudioEvent> events);
  /// The last frames, once, at the end. Empty when called again or before any step.
  std::span<const float> finish();

  u32 sample_rate_hz() const { return mixer_.sample_rate_hz(); }
  /// Frames of the finished stream so far, the missing ones included: floor(steps · rate / 60).
  u64 frames() const;
  MixerStats stats() const { return mixer_.stats(); }
  /// For commands that go with the next step.
  Mixer& mixer() { return mixer_; }

 private:
  Mixer mixer_;
  std::vector<float> step_;
  u64 steps_ = 0;
  u32 delay_left_ = Mixer::latency_frames();  ///< Silent frames of the limiter's start, still to be left out.
  bool finished_ = false;
};

}  // namespace spellpool::audio
