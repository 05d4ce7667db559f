#pragma once
// Where voices that lose their slot fade: a short stereo ring that is added to the mix. The voice's next N frames,
// each times a falling raised cosine, go into it; the slot is free at once. Any number may share the ring. A voice
// that comes back in the middle of its sound plays at full level at once, and what a tail would have left is taken
// away here: so it rises by the mirrored curve. Those of one moment are noted, then mixed as voices are, many at a
// time, and their sum is what falls.
// Layout  float left[N], right[N], N = tail frames; frame i of the stream lives at i mod N and is zeroed when it is
//         read.
// Why     energy above 4 kHz of a full-scale 220 Hz sine cut at its worst phase: hard cut −17 dB, linear 128 frames
//         −57, equal power −54 (it has a corner), raised cosine 128 frames −82 (our measure).
// Cost    N frames of mixing for each, and one pass over the ring for all of a moment (64 at most).
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
  TailRing(u32 frames, MixVoices mix) : frames_(std::clamp(frames, 1u, kMaxRunFrames)), mix_(mix) {
    const float turn = 0.5f / static_cast<float>(frames_);
    for (u32 i = 0; i < frames_; ++i) falling_[i] = 0.5f + 0.5f * cos_turns(turn * static_cast<float>(i));
  }

  /// The voice goes: its next frames fall to nothing. The run's gains are taken as they stand, without their slopes.
  /// Its samples are read by the next render_begun() or mix_into().
  void fall(const VoiceRun& run) { begin(run, run.left, run.right); }
  /// The voice comes: it is mixed at full level from now on, and rises.
  void rise(const VoiceRun& run) { begin(run, -run.left, -run.right); }

  /// Reads what those that began here need of their samples.
  void render_begun() {
    if (begun_ == 0) return;
    alignas(64) std::array<float, kMaxRunFrames> left, right;
    std::fill_n(left.begin(), frames_, 0.0f);
    std::fill_n(right.begin(), frames_, 0.0f);
    mix_(runs_.data(), begun_, 0, frames_, left.data(), right.data());
    begun_ = 0;
    const auto add = [&](u32 from, u32 to, u32 count) {
      for (u32 i = 0; i < count; ++i) {
        left_[to + i] += left[from + i] * falling_[from + i];
        right_[to + i] += right[from + i] * falling_[from + i];
      }
    };
    const u32 to_end = frames_ - read_;
    add(0, read_, to_end);
    add(to_end, 0, read_);
    pending_ = frames_;
  }

  /// Adds the next frames of the ring to the mix and moves on.
  void mix_into(std::span<float> left, std::span<float> right) {
    render_begun();
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
  void begin(const VoiceRun& run, float left, float right) {
    if (begun_ == runs_.size()) render_begun();
    VoiceRun& tail = runs_[begun_++];
    tail = run;
    tail.left = left;
    tail.right = right;
    tail.left_slope = tail.right_slope = 0.0f;
  }

  alignas(64) std::array<float, kMaxRunFrames> left_{}, right_{}, falling_{};
  std::array<VoiceRun, 64> runs_;  ///< Begun at this moment.
  u32 begun_ = 0;
  u32 frames_;
  MixVoices mix_;
  u32 read_ = 0;
  u32 pending_ = 0;  ///< Frames from read_ on that may hold something.
};

}  // namespace spellpool::audio
