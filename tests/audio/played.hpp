#pragma once
// A mixer as the tests play it: events, options without frills, and what was heard.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "audio/mixer.hpp"
#include "shipped_sounds.hpp"
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

/// The shipped sounds, rendered once for each rate.
inline std::shared_ptr<const SoundBank> game_bank(u32 sample_rate_hz) {
  static std::map<u32, std::shared_ptr<const SoundBank>> banks;
  std::shared_ptr<const SoundBank>& bank = banks[sample_rate_hz];
  if (!bank) bank = make_shipped_bank(sample_rate_hz);
  return bank;
}

/// Sounds that a test may replace one by one; begins with the game's own.
class TestBank {
 public:
  explicit TestBank(u32 sample_rate_hz = kRate_hz) : bank_(game_bank(sample_rate_hz)) {}

  /// Mono samples under this name; traits as they are, unless given.
  TestBank& set(frame::SoundId id, std::vector<float> samples, i32 degree = 0, std::optional<frame::SoundTraits> traits = {}) {
    const Sound& before = (*bank_)[id];
    return put(id, Sound({std::move(samples), {}}, bank_->sample_rate_hz(), degree, before.fixed_pitch(), traits.value_or(before.traits())));
  }
  TestBank& put(frame::SoundId id, Sound sound) {
    SoundBank::Sounds sounds = bank_->sounds();
    sounds[static_cast<std::size_t>(id)] = std::make_shared<const Sound>(std::move(sound));
    bank_ = std::make_shared<const SoundBank>(bank_->sample_rate_hz(), std::move(sounds));
    return *this;
  }
  const Sound& operator[](frame::SoundId id) const { return (*bank_)[id]; }
  operator std::shared_ptr<const SoundBank>() const { return bank_; }

 private:
  std::shared_ptr<const SoundBank> bank_;
};

inline TestBank game_sounds() { return TestBank(); }

inline std::vector<float> samples_of(const Sound& sound) {
  return {sound.bright_left(), sound.bright_left() + sound.frames()};
}

inline MixerOptions plain_options(u32 voices = 8) {
  MixerOptions options;
  options.voices = voices;
  options.master_gain = 1.0f;
  options.merge = false;
  return options;
}

/// Interleaved stereo with the limiter's delay taken off.
inline std::vector<float> render_frames(Mixer& mixer, std::size_t frames, std::size_t block = 512) {
  mixer.update();
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
