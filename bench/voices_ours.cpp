#include <algorithm>
#include <chrono>
#include <cmath>

#include "audio/mixer.hpp"
#include "audio/scale.hpp"
#include "audio/spatial.hpp"
#include "core/rng.hpp"
#include "voices_sides.hpp"

namespace spellpool::bench {
namespace {

constexpr u32 kStealSounds_s = 3;  ///< Long enough for a pool of which one in 512 frames is stolen.

/// The crowd's sounds under the game's names: nothing here asks what they are.
std::shared_ptr<const audio::SoundBank> bank_of(const Crowd& crowd) {
  audio::SoundBank::Sounds sounds;
  for (std::size_t i = 0; i < sounds.size(); ++i) {
    audio::Samples samples;
    samples.left = crowd.sounds[i % crowd.sounds.size()];
    sounds[i] = std::make_shared<audio::Sound>(samples, kRate_hz, 0, false, frame::SoundTraits{});
  }
  return std::make_shared<audio::SoundBank>(kRate_hz, std::move(sounds));
}

frame::AudioEvent event_of(const CrowdVoice& voice) {
  frame::AudioEvent event;
  event.sound = static_cast<frame::SoundId>(voice.sound % frame::kSoundCount);
  event.gain = voice.gain;
  event.x = voice.pan * audio::kNear_units;  // near: bright and at full level
  event.pitch_steps = voice.pitch_steps;
  return event;
}

audio::MixerOptions options_of(u32 voices, audio::MixLevel level) {
  audio::MixerOptions options;
  options.voices = voices;
  options.most_voices = voices;
  options.most_virtual = 1;
  options.master_gain = 1.0f;
  options.merge = false;
  options.level = level;
  return options;
}

class Ours final : public MixSide {
 public:
  Ours(const Crowd& crowd, audio::MixLevel level)
      : crowd_(crowd), level_(level), mixer_(options_of(static_cast<u32>(crowd.voices.size()), level), bank_of(crowd)), out_(2 * kCellFrames) {}

  std::string name() const override { return std::string("ours, the whole mixer, ") + audio::mix_level_name(level_); }

  void begin() override {
    while (playing() > 0) mix(kCellFrames);
    for (std::size_t i = 0; i < crowd_.voices.size();) {
      mixer_.update();
      for (u32 k = 0; k < crowd_.starts_a_cell && i < crowd_.voices.size(); ++k) mixer_.play(event_of(crowd_.voices[i++]));
      mix(kCellFrames);
    }
  }

  void mix(u32 frames) override {
    for (u32 done = 0; done < frames; done += kCellFrames) {
      // A fader that never rests: every voice of the group follows it along a line.
      mixer_.set_group_volume(frame::SoundGroup::Effects, (++cells_ & 1u) != 0 ? 0.9f : 1.0f);
      mixer_.render(out_);
    }
  }
  u32 playing() const override { return mixer_.stats().active; }
  std::span<const float> out() const override { return out_; }

 private:
  Crowd crowd_;
  audio::MixLevel level_;
  audio::Mixer mixer_;
  std::vector<float> out_;
  u32 cells_ = 0;
};

class Steals final : public StealSide {
 public:
  Steals(u32 slots, audio::MixLevel level)
      : crowd_(make_crowd(slots, false, kStealSounds_s)), mixer_(options_of(slots, level), bank_of(crowd_)), out_(2 * kCellFrames) {
    for (const CrowdVoice& voice : crowd_.voices) {
      mixer_.play(event_of(voice));
      if (mixer_.voices_out() % 8 == 0) mixer_.render(out_);
    }
    mixer_.render(out_);
    mixer_.update();
  }
  double cell_ns(u32 starts) override {
    std::vector<frame::AudioEvent> events;
    for (u32 i = 0; i < starts; ++i) events.push_back(event_of(crowd_.voices[next_++ % crowd_.voices.size()]));
    const auto from = std::chrono::steady_clock::now();
    for (const frame::AudioEvent& event : events) mixer_.play(event);
    mixer_.render(out_);
    mixer_.update();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - from).count();
  }
  u64 stolen() const override { return mixer_.stats().stolen; }

 private:
  Crowd crowd_;
  audio::Mixer mixer_;
  std::vector<float> out_;
  std::size_t next_ = 0;
};

}  // namespace

Crowd make_crowd(u32 voices, bool pitched, u32 seconds) {
  Rng rng(5);
  Crowd crowd;
  for (std::size_t s = 0; s < frame::kSoundCount; ++s) {
    std::vector<float> samples;
    float fade = 0.5f, smooth = 0.0f;
    for (u32 i = 0; i < seconds * kRate_hz; ++i) {
      smooth += 0.3f * (rng.signed_unit() - smooth);
      samples.push_back(fade * smooth);
      fade *= 0.99996f;  // −17 dB in a second: soon every voice in a pool is a little quieter than a new one
    }
    crowd.sounds.push_back(std::move(samples));
  }
  const float gain = 0.5f / std::sqrt(static_cast<float>(voices));  // loud, and under the limiter's ceiling
  for (u32 i = 0; i < voices; ++i) {
    CrowdVoice voice;
    voice.sound = i % static_cast<u32>(frame::kSoundCount);
    voice.gain = gain;
    voice.pan = rng.signed_unit() * 0.7f;
    if (pitched) {
      constexpr float kSteps[] = {-4, -3, -2, -1, 1, 2, 3};
      voice.pitch_steps = kSteps[rng.below(7)];
      voice.pitch = audio::pitch_ratio(0, voice.pitch_steps);
    }
    crowd.voices.push_back(voice);
  }
  crowd.starts_a_cell = (voices + 31) / 32;
  return crowd;
}

std::unique_ptr<MixSide> make_ours(const Crowd& crowd, audio::MixLevel level) { return std::make_unique<Ours>(crowd, level); }
std::unique_ptr<StealSide> make_steals(u32 slots, audio::MixLevel level) { return std::make_unique<Steals>(slots, level); }

}  // namespace spellpool::bench
