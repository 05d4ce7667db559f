#pragma once
// Where stolen voices fade: a short stereo ring that is added to the mix. At the steal the victim's next N frames, each
// times a falling raised cosine, are added here; its slot is free at once. Any number of steals may share the ring.
// Layout  float[2 · N], N = tail frames; frame i of the stream lives at i mod N and is zeroed when it is read.
// Why     energy above 4 kHz of a full-scale 220 Hz sine cut at its worst phase: hard cut −17 dB, linear 128 frames
//         −57, equal power −54 (it has a corner), raised cosine 128 frames −82 (our measure).
// Threads one owner: the thread that mixes.
#include <span>
#include <vector>

#include "core/det_math.hpp"

namespace spellpool::audio {

class TailRing {
 public:
  /// frames ≥ 1 (0 counts as 1).
  explicit TailRing(u32 frames) : ring_(2 * std::size_t{frames > 0 ? frames : 1}, 0.0f), ramp_(ring_.size() / 2) {
    const float turn = 0.5f / static_cast<float>(ramp_.size());
    for (std::size_t i = 0; i < ramp_.size(); ++i) ramp_[i] = 0.5f + 0.5f * cos_turns(turn * static_cast<float>(i));
  }

  std::size_t frames() const { return ramp_.size(); }

  /// Adds up to frames() frames of a voice from the reading place on, faded out, times sign. left and right have equal sizes.
  void add_faded(std::span<const float> left, std::span<const float> right, float sign = 1.0f) {
    const std::size_t count = left.size() < frames() ? left.size() : frames();
    std::size_t at = read_;
    for (std::size_t i = 0; i < count; ++i) {
      const float ramp = sign * ramp_[i];
      ring_[2 * at] += left[i] * ramp;
      ring_[2 * at + 1] += right[i] * ramp;
      at = at + 1 == frames() ? 0 : at + 1;
    }
    pending_ = count > pending_ ? count : pending_;
  }

  /// Adds the next frames of the ring to the mix and moves on.
  void mix_into(std::span<float> left, std::span<float> right) {
    const std::size_t count = left.size() < pending_ ? left.size() : pending_;
    for (std::size_t i = 0; i < count; ++i) {
      left[i] += ring_[2 * read_];
      right[i] += ring_[2 * read_ + 1];
      ring_[2 * read_] = 0.0f;
      ring_[2 * read_ + 1] = 0.0f;
      read_ = read_ + 1 == frames() ? 0 : read_ + 1;
    }
    pending_ -= count;
  }

 private:
  std::vector<float> ring_;
  std::vector<float> ramp_;
  std::size_t read_ = 0;
  std::size_t pending_ = 0;  ///< Frames from read_ on that may hold something.
};

}  // namespace spellpool::audio
