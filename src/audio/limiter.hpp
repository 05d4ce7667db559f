#pragma once
// Stereo look-ahead limiter: no peak passes the ceiling, and the gain is already down when the peak arrives.
// How     gain wanted by each frame → least of the last N frames → slow release → mean of the last N → applied to the
//         frame of N − 1 frames ago. Every gain in that mean is at most what the leaving frame may have: no overshoot.
// Exact   gains are whole numbers of 2^−24 and the mean is an integer sum: no drift, and at rest the gain is exactly 1.
// Delay   kWindow_frames − 1 = 127 frames (2.6 ms at 48 kHz).   Cost  O(1) amortised a frame.
// Threads one owner. Nothing allocates.
// Source  sliding minimum by a monotonic queue: Lemire 2006, "Streaming maximum-minimum filter".
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/types.hpp"

namespace spellpool::audio {

/// Largest size of finite samples. Positive floats order as integers do, and the largest of integers is found several
/// at a time.
inline float peak_of(const float* samples, u32 count) {
  i32 most = 0;
  for (u32 i = 0; i < count; ++i) {
    const i32 size = std::bit_cast<i32>(samples[i]) & 0x7FFFFFFF;
    most = size > most ? size : most;
  }
  return std::bit_cast<float>(most);
}

class Limiter {
 public:
  static constexpr u32 kWindow_frames = 128;
  static constexpr u32 kDelay_frames = kWindow_frames - 1;
  /// −0.3 dBFS.
  static constexpr float kCeiling = 0.966f;
  static constexpr u32 kUnity = 1u << 24;

  explicit Limiter(u32 sample_rate_hz) : release_frames_(sample_rate_hz / 12 + 1) { gains_.fill(kUnity); }

  /// Takes one frame (finite values) and gives the one of kDelay_frames ago, |x| ≤ 1.
  void process(float& left, float& right) {
    const float size_left = std::fabs(left), size_right = std::fabs(right);
    const float peak = size_left > size_right ? size_left : size_right;
    const u32 wanted = peak > kCeiling ? static_cast<u32>(kCeiling / peak * static_cast<float>(kUnity)) : kUnity;

    // Least wanted gain of the last kWindow_frames frames: a queue of falling candidates.
    while (queued_ > 0 && candidate(queued_ - 1).gain >= wanted) --queued_;
    if (queued_ > 0 && frame_ - candidate(0).frame >= kWindow_frames) {
      first_ = (first_ + 1) % kWindow_frames;
      --queued_;
    }
    candidate(queued_) = {frame_, wanted};
    ++queued_;
    const u32 least = candidate(0).gain;

    const u32 recovered = held_ + (kUnity - held_) / release_frames_ + (held_ < kUnity ? 1u : 0u);
    held_ = least < recovered ? least : recovered;

    const u32 at = static_cast<u32>(frame_ % kWindow_frames);
    sum_ = sum_ + held_ - gains_[at];
    gains_[at] = held_;
    delayed_left_[at] = left;
    delayed_right_[at] = right;
    const u32 oldest = (at + 1) % kWindow_frames;
    const float gain = static_cast<float>(sum_ / kWindow_frames) * (1.0f / static_cast<float>(kUnity));
    limited_frames_ += sum_ < u64{kUnity} * kWindow_frames ? 1u : 0u;
    left = clamp(delayed_left_[oldest] * gain);
    right = clamp(delayed_right_[oldest] * gain);
    ++frame_;
  }

  /// Processes `count` frames in place, left and right in separate arrays. If no frame exceeds the ceiling,
  /// as is usual, it only copies through the delay.
  void process(float* left, float* right, u32 count) {
    const float peak_left = peak_of(left, count), peak_right = peak_of(right, count);
    if (peak_left > kCeiling || peak_right > kCeiling || sum_ < u64{kUnity} * kWindow_frames) {
      for (u32 i = 0; i < count; ++i) process(left[i], right[i]);
      return;
    }
    const u32 at = static_cast<u32>(frame_ % kWindow_frames);
    delay(delayed_left_, at, left, count);
    delay(delayed_right_, at, right, count);
    frame_ += count;
    // The queue is left as it is: it holds one candidate of gain 1, for which any newcomer stands too.
  }

  /// Frames so far whose level it held down.
  u64 limited_frames() const { return limited_frames_; }

 private:
  struct Candidate {
    u64 frame = 0;
    u32 gain = kUnity;
  };
  using Delayed = std::array<float, kWindow_frames>;
  static float clamp(float x) { return x > 1.0f ? 1.0f : (x < -1.0f ? -1.0f : x); }
  /// count samples in place, of which the first takes the place `at` of the ring: what comes out entered
  /// kDelay_frames before.
  static void delay(Delayed& ring, u32 at, float* samples, u32 count) {
    Delayed before;  // the oldest first
    const u32 oldest = (at + 1) % kWindow_frames;
    std::copy(ring.begin() + oldest, ring.end(), before.begin());
    std::copy(ring.begin(), ring.begin() + oldest, before.end() - oldest);
    const u32 kept = count < kWindow_frames ? count : kWindow_frames;
    const u32 first = (at + count - kept) % kWindow_frames;
    const u32 to_end = kept < kWindow_frames - first ? kept : kWindow_frames - first;
    const float* const last = samples + (count - kept);
    std::copy(last, last + to_end, ring.begin() + first);
    std::copy(last + to_end, last + kept, ring.begin());
    const u32 leaving = count < kDelay_frames ? count : kDelay_frames;
    std::copy_backward(samples, samples + (count - leaving), samples + count);
    std::copy(before.begin(), before.begin() + leaving, samples);
  }
  Candidate& candidate(u32 i) { return candidates_[(first_ + i) % kWindow_frames]; }

  std::array<Candidate, kWindow_frames> candidates_{};
  std::array<u32, kWindow_frames> gains_{};
  alignas(32) Delayed delayed_left_{}, delayed_right_{};  ///< Frame i of the stream at i mod kWindow_frames.
  u64 sum_ = u64{kUnity} * kWindow_frames;
  u64 frame_ = 0;
  u64 limited_frames_ = 0;
  u32 first_ = 0, queued_ = 0;
  u32 held_ = kUnity;
  u32 release_frames_;
};

}  // namespace spellpool::audio
