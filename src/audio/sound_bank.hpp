#pragma once
// Every sound as samples, made once at start-up and never changed while a mixer plays from it.
// Layout  per sound: mono float samples at the bank's rate | loudness still to come, one value per 256 frames.
// Size    all rows together: 28 s of sound, 5.4 MB at 48 kHz. Cost: about 140 ms to build.
// Threads built on one thread, then read by any.
#include <array>
#include <vector>

#include "audio/recipes.hpp"
#include "frame/sound_id.hpp"

namespace spellpool::audio {

struct Sound {
  static constexpr u32 kTableStepFrames = 256;

  std::vector<float> samples;
  i32 degree = 0;  ///< Note of the scale that pitch steps count from.
  bool fixed_pitch = false;
  /// [i] = sqrt of the energy of samples[i · 256 …]. What a listener would lose if the sound stopped there: the third
  /// factor of a voice's audibility. With it stealing costs the mix −19 dB of error, without it −13.5.
  std::vector<float> loudness_to_come;

  /// Takes samples and computes the table.
  void assign(std::vector<float> new_samples, i32 new_degree);
  /// 0 past the end.
  float loudness_from(u64 frame) const {
    const u64 row = frame / kTableStepFrames;
    return row < loudness_to_come.size() ? loudness_to_come[static_cast<std::size_t>(row)] : 0.0f;
  }
};

class SoundBank {
 public:
  /// Renders every recipe. Allocates.
  explicit SoundBank(u32 sample_rate_hz);

  const Sound& operator[](frame::SoundId id) const { return sounds_[static_cast<std::size_t>(id)]; }
  Sound& operator[](frame::SoundId id) { return sounds_[static_cast<std::size_t>(id)]; }
  u32 sample_rate_hz() const { return sample_rate_hz_; }

 private:
  std::array<Sound, frame::kSoundCount> sounds_;
  u32 sample_rate_hz_;
};

}  // namespace spellpool::audio
