#pragma once
// A mixer as the tests play it: events, options without frills, and what was heard.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "audio/mixer.hpp"
#include "signal.hpp"

namespace spellpool::audio {

inline constexpr u32 kRate_hz = 48'000;

inline frame::AudioEvent event_of(frame::SoundId sound, float gain = 1.0f, float x = 0.0f, float y = 0.0f) {
  frame::AudioEvent event;
  event.sound = sound;
  event.gain = gain;
  event.x = x;
  event.y = y;
  return event;
}

/// The game's own sounds, rendered once for all tests.
inline const SoundBank& game_sounds() {
  static const SoundBank bank(kRate_hz);
  return bank;
}

inline MixerOptions plain_options(u32 voices = 8) {
  MixerOptions options;
  options.sample_rate_hz = kRate_hz;
  options.voices = voices;
  options.master_gain = 1.0f;
  options.retrigger_ms = 0;
  return options;
}

/// Interleaved stereo with the limiter's delay taken off.
inline std::vector<float> render_frames(Mixer& mixer, std::size_t frames, std::size_t block = 512) {
  std::vector<float> out(2 * (frames + Mixer::latency_frames()));
  for (std::size_t at = 0; at < out.size(); at += 2 * block) {
    mixer.render(std::span(out).subspan(at, std::min(2 * block, out.size() - at)));
  }
  out.erase(out.begin(), out.begin() + 2 * std::ptrdiff_t{Mixer::latency_frames()});
  return out;
}

inline std::vector<float> sine(double hz, double seconds, double level) {
  std::vector<float> samples(static_cast<std::size_t>(seconds * kRate_hz));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(level * std::sin(signal::kTauExact * hz * static_cast<double>(i) / kRate_hz));
  }
  return samples;
}

}  // namespace spellpool::audio
