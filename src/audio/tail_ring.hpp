#pragma once
// Where voices that lose their slot fade: a short stereo ring that is added to the mix. At that moment the voice's next N
// frames, each times a falling raised cosine, are added here; its slot is free at once. Any number may share the ring. A
// voice that comes back in the middle of its sound plays at full level at once, and what a tail would have left is taken
// away here: so it rises by the mirrored curve.
// Layout  float left[N], right[N], N = tail frames; frame i of the stream lives at i mod N and is zeroed when it is read.
// Why     energy above 4 kHz of a full-scale 220 Hz sine cut at its worst phase: hard cut −17 dB, linear 128 frames
//         −57, equal power −54 (it has a corner), raised cosine 128 frames −82 (our measure).
// Cost    one pass over N frames, straight into the ring.
// Threads one owner: the thread that mixes. Nothing allocates after construction.
#include <algorithm>
#include <array>
#include <span>

#include "audio/mix_kernels.hpp"
#include "core/det_math.hpp"

namespace spellpool::audio {

class TailRing {
 public:
  /// frames: 1 … kMaxRunFrames.
  TailRing(u32 frames, AddTail add_tail) : frames_(std::clamp(frames, 1u, kMaxRunFrames)), add_(add_tail) {
    const float turn = 0.5f / static_cast<float>(frames_);
    for (u32 i = 0; i < frames_; ++i) {
      falling_[i] = 0.5f + 0.5f * cos_turns(turn * static_cast<float>(i));
      taken_[i] = -falling_[i];
    }
  }

  u32 frames() const { return frames_; }

  /// The voice goes: its next frames fall to nothing. The run's gains are taken as they stand, without their slopes.
  void fall(const VoiceRun& run) { add(run, falling_.data()); }
  /// The voice comes: it is mixed at full level from now on, and rises.
  void rise(const VoiceRun& run) { add(run, taken_.data()); }

  /// Adds the next frames of the ring to the mix and moves on.
  void mix_into(std::span<float> left, std::span<float> right) {
    const u32 count = static_cast<u32>(std::min<std::size_t>(left.size(), pending_));
    for (u32 i = 0; i < count; ++i) {
      left[i] += left_[read_];
      right[i] += right_[read_];
      left_[read_] = 0.0f;
      right_[read_] = 0.0f;
      read_ = read_ + 1 == frames_ ? 0 : read_ + 1;
    }
    pending_ -= count;
  }

 private:
  void add(VoiceRun run, const float* ramp) {
    run.left_slope = run.right_slope = 0.0f;
    const u32 to_end = frames_ - read_;
    add_(run, 0, ramp, to_end, left_.data() + read_, right_.data() + read_);
    if (read_ > 0) {
      run.position += u64{to_end} * run.step;
      add_(run, 0, ramp + to_end, read_, left_.data(), right_.data());
    }
    pending_ = frames_;
  }

  alignas(32) std::array<float, kMaxRunFrames> left_{}, right_{}, falling_{}, taken_{};
  u32 frames_;
  AddTail add_;
  u32 read_ = 0;
  u32 pending_ = 0;  ///< Frames from read_ on that may hold something.
};

}  // namespace spellpool::audio
