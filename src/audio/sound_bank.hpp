#pragma once
// Every sound as samples, with what the voice policies want to know of it.
// Layout  per sound: bright and dull samples (left, and right where it is stereo), zeros behind them | two tables with
//         one value for 256 frames.
// Sharing a Sound never changes once a bank holds it. A bank is replaced as a whole (Mixer::set_bank); sounds that did
//         not change are shared with the one before.
// Threads built on one thread, then read by any.
#include <array>
#include <memory>
#include <vector>

#include "audio/mix_kernels.hpp"
#include "frame/defs/sound_def.hpp"
#include "frame/defs/sound_id.hpp"

namespace spellpool::audio {

/// Mono (right empty) or stereo samples.
struct Samples {
  std::vector<float> left, right;
};

class Sound {
 public:
  static constexpr u32 kTableStepFrames = 256;

  Sound() = default;
  /// Copies the samples, makes the dull ones and the tables. degree: note of the scale that pitch steps count from.
  Sound(const Samples& samples, u32 sample_rate_hz, i32 degree, bool fixed_pitch, const frame::SoundTraits& traits);

  u32 frames() const { return frames_; }
  bool is_stereo() const { return bright_.right != bright_.left; }
  const float* bright_left() const { return bright_.left; }
  const float* bright_right() const { return bright_.right; }
  const float* dull_left() const { return dull_.left; }
  const float* dull_right() const { return dull_.right; }
  i32 degree() const { return degree_; }
  bool fixed_pitch() const { return fixed_pitch_; }
  const frame::SoundTraits& traits() const { return traits_; }

  /// sqrt of the energy from this frame's 256 on: what a listener loses if the sound stops there. 0 past the end.
  float loudness_from(u64 frame) const { return at(loudness_to_come_, frame); }
  /// RMS of this frame's 256.
  float level_at(u64 frame) const { return at(level_, frame); }
  /// As if it stayed at one level for ever: for tests of what the table is worth.
  void forget_loudness() { loudness_to_come_.assign(loudness_to_come_.size(), 1.0f); }

 private:
  static float at(const std::vector<float>& table, u64 frame) {
    const u64 row = frame / kTableStepFrames;
    return row < table.size() ? table[static_cast<std::size_t>(row)] : 0.0f;
  }

  struct Sides {
    const float *left = nullptr, *right = nullptr;  ///< The same where it is mono.
  };
  std::shared_ptr<const float[]> samples_;
  Sides bright_, dull_;
  std::vector<float> loudness_to_come_, level_;
  u32 frames_ = 0;
  i32 degree_ = 0;
  bool fixed_pitch_ = false;
  frame::SoundTraits traits_;
};

class SoundBank {
 public:
  using Sounds = std::array<std::shared_ptr<const Sound>, frame::kSoundCount>;

  /// No sound may be null.
  SoundBank(u32 sample_rate_hz, Sounds sounds);

  const Sound& operator[](frame::SoundId id) const { return *sounds_[static_cast<std::size_t>(id)]; }
  const Sounds& sounds() const { return sounds_; }
  u32 sample_rate_hz() const { return sample_rate_hz_; }

 private:
  Sounds sounds_;
  u32 sample_rate_hz_;
};

}  // namespace spellpool::audio
