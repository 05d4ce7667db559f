// Compiled with AVX2 (src/CMakeLists.txt); called only where the processor has it.
//
// What the loops are made of:
//   ramps      two multiplications and two additions a frame and channel: half of all the work, whatever is done. So
//              the rest is kept off those units: the frame counter is shared by four voices, 16 frames stay in registers
//              while the four are added, factors are loaded as often as they are needed and held nowhere.
//   between    four frames at step ≤ 2 lie, with their right neighbours, within eight samples: one load and one permute
//              give both ends of four lines. No gather; and no carry, since places count in 8.24 from the load on.
#if defined(__AVX2__)
#include <immintrin.h>

#include "audio/mix_kernels_of.hpp"

namespace spellpool::audio {
namespace {

using F32 = __m256;
using I32 = __m256i;

#define SPELLPOOL_INLINE [[gnu::always_inline]] inline

SPELLPOOL_INLINE F32 all(float x) { return _mm256_set1_ps(x); }
/// counter, counter + 1, … counter + 7.
SPELLPOOL_INLINE F32 counters(u32 counter) {
  return _mm256_cvtepi32_ps(_mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(counter)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
}

/// Eight frames of a sound, one after another.
template <Pace kPace>
class Walk {
 public:
  SPELLPOOL_INLINE Walk(u64 position, u64 step) : position_(position), step_(step) {
    if constexpr (kPace != Pace::Whole) {
      const int s = static_cast<int>(step >> 8), one = 1 << 24;
      // The right neighbours of the first four are in the upper half, those of the last four in the lower one: then the
      // fractions of all eight lie in order where both meet, and so do their left ends.
      first_lanes_ = _mm256_setr_epi32(0, s, 2 * s, 3 * s, one, one + s, one + 2 * s, one + 3 * s);
      last_lanes_ = _mm256_setr_epi32(one, one + s, one + 2 * s, one + 3 * s, 0, s, 2 * s, 3 * s);
    }
  }
  /// Works out where the next eight frames lie.
  SPELLPOOL_INLINE void place() {
    if constexpr (kPace != Pace::Whole) {
      const u64 middle = position_ + 4 * step_;
      first_ = position_ >> 32;
      last_ = middle >> 32;
      const I32 mask = _mm256_set1_epi32(0xFFFFFF);
      const I32 first = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(static_cast<u32>(position_) >> 8)), first_lanes_);
      const I32 last = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(static_cast<u32>(middle) >> 8)), last_lanes_);
      first_at_ = _mm256_srli_epi32(first, 24);
      last_at_ = _mm256_srli_epi32(last, 24);
      fraction_ = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_and_si256(_mm256_blend_epi32(first, last, 0xF0), mask)),
                                all(1.0f / 16'777'216.0f));
    } else {
      first_ = position_ >> 32;
    }
  }
  SPELLPOOL_INLINE F32 read(const float* samples) const {
    if constexpr (kPace == Pace::Whole) {
      return _mm256_loadu_ps(samples + first_);
    } else {
      const F32 first = ends(samples + first_, first_at_);
      const F32 last = ends(samples + last_, last_at_);
      const F32 here = _mm256_blend_ps(first, last, 0xF0);
      const F32 next = _mm256_permute2f128_ps(first, last, 0x21);
      return _mm256_add_ps(here, _mm256_mul_ps(_mm256_sub_ps(next, here), fraction_));
    }
  }
  /// Brings in what another walk will read where this one is now, more or less.
  SPELLPOOL_INLINE void fetch(const float* soon, u64 begun) const { _mm_prefetch(reinterpret_cast<const char*>(soon + ((position_ - begun) >> 32)), _MM_HINT_T0); }
  SPELLPOOL_INLINE void go_on() { position_ += 8 * step_; }

 private:
  /// Of four frames: left ends and right ends.
  SPELLPOOL_INLINE static F32 ends(const float* samples, I32 at) {
    const F32 near = _mm256_permutevar8x32_ps(_mm256_loadu_ps(samples), at);
    if constexpr (kPace == Pace::Slow) return near;
    const F32 far = _mm256_permutevar8x32_ps(_mm256_loadu_ps(samples + 8), at);
    return _mm256_blendv_ps(near, far, _mm256_castsi256_ps(_mm256_slli_epi32(at, 28)));
  }

  u64 position_, step_;
  u64 first_ = 0, last_ = 0;
  I32 first_lanes_, last_lanes_, first_at_, last_at_;
  F32 fraction_;
};

struct Avx2Loops {
  template <bool kTail, Pace kPace, bool kDull, bool kStereo, bool kRamps>
  static void one(const VoiceRun& run, const MixSource& source, const MixTarget& target, const float* ramp) {
    Walk<kPace> walk(source.position, source.step);
    const F32 gain_left = all(run.left), gain_right = all(run.right);
    const F32 slope_left = all(run.left_slope), slope_right = all(run.right_slope);
    const F32 dullness = all(source.dullness);
    F32 counter = counters(target.counter);
    const auto sample = [&](const float* bright, const float* dull) __attribute__((always_inline)) {
      const F32 near = walk.read(bright);
      if constexpr (!kDull) return near;
      return _mm256_add_ps(near, _mm256_mul_ps(_mm256_sub_ps(walk.read(dull), near), dullness));
    };
    for (u32 i = 0; i < target.frames; i += 8) {
      walk.place();
      if constexpr (!kTail) walk.fetch(source.soon, source.position);
      const F32 left = sample(source.left, source.dull_left);
      const F32 right = kStereo ? sample(source.right, source.dull_right) : left;
      F32 loud_left = _mm256_mul_ps(left, kRamps ? _mm256_add_ps(gain_left, _mm256_mul_ps(slope_left, counter)) : gain_left);
      F32 loud_right = _mm256_mul_ps(right, kRamps ? _mm256_add_ps(gain_right, _mm256_mul_ps(slope_right, counter)) : gain_right);
      if constexpr (kTail) {
        const F32 factor = _mm256_loadu_ps(ramp + i);
        loud_left = _mm256_mul_ps(loud_left, factor);
        loud_right = _mm256_mul_ps(loud_right, factor);
      }
      _mm256_storeu_ps(target.left + i, _mm256_add_ps(_mm256_loadu_ps(target.left + i), loud_left));
      _mm256_storeu_ps(target.right + i, _mm256_add_ps(_mm256_loadu_ps(target.right + i), loud_right));
      counter = _mm256_add_ps(counter, all(8.0f));
      walk.go_on();
    }
  }

  /// 8 · kVectors frames of four plain voices.
  template <bool kRamps, u32 kVectors>
  SPELLPOOL_INLINE static void four_at(const VoiceRun* runs, const float* const* samples, const F32* counter, u32 at, float* out_left, float* out_right) {
    F32 left[kVectors], right[kVectors];
    for (u32 v = 0; v < kVectors; ++v) {
      left[v] = _mm256_loadu_ps(out_left + at + 8 * v);
      right[v] = _mm256_loadu_ps(out_right + at + 8 * v);
    }
#pragma GCC unroll 4
    for (u32 k = 0; k < 4; ++k) {
      const F32 gain_left = all(runs[k].left), gain_right = all(runs[k].right);
      const F32 slope_left = all(runs[k].left_slope), slope_right = all(runs[k].right_slope);
#pragma GCC unroll 4
      for (u32 v = 0; v < kVectors; ++v) {
        const F32 sample = _mm256_loadu_ps(samples[k] + at + 8 * v);
        const F32 by_left = kRamps ? _mm256_add_ps(gain_left, _mm256_mul_ps(slope_left, counter[v])) : gain_left;
        const F32 by_right = kRamps ? _mm256_add_ps(gain_right, _mm256_mul_ps(slope_right, counter[v])) : gain_right;
        left[v] = _mm256_add_ps(left[v], _mm256_mul_ps(sample, by_left));
        right[v] = _mm256_add_ps(right[v], _mm256_mul_ps(sample, by_right));
      }
    }
    for (u32 v = 0; v < kVectors; ++v) {
      _mm256_storeu_ps(out_left + at + 8 * v, left[v]);
      _mm256_storeu_ps(out_right + at + 8 * v, right[v]);
    }
  }

  template <bool kRamps>
  static void four(const VoiceRun* runs, const float* const* samples, const float* const* soon, const MixTarget& target) {
    float* const left = target.left;
    float* const right = target.right;
    const u32 frames = target.frames;
    F32 counter[2] = {counters(target.counter), counters(target.counter + 8)};
    u32 at = 0;
    for (; at + 16 <= frames; at += 16) {
      for (u32 k = 0; k < 4; ++k) _mm_prefetch(reinterpret_cast<const char*>(soon[k] + at), _MM_HINT_T0);
      four_at<kRamps, 2>(runs, samples, counter, at, left, right);
      counter[0] = _mm256_add_ps(counter[0], all(16.0f));
      counter[1] = _mm256_add_ps(counter[1], all(16.0f));
    }
    if (at < frames) four_at<kRamps, 1>(runs, samples, counter, at, left, right);
  }
};

/// The least of eight.
SPELLPOOL_INLINE u32 least_of(I32 keys) {
  __m128i least = _mm_min_epu32(_mm256_castsi256_si128(keys), _mm256_extracti128_si256(keys, 1));
  least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0x4E));
  least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0xB1));
  return static_cast<u32>(_mm_cvtsi128_si32(least));
}

}  // namespace

void mix_avx2(const VoiceRun* runs, u32 count, u32 first, u32 frames, float* left, float* right) {
  MixKernelsOf<Avx2Loops>::mix(runs, count, first, frames, left, right);
}

void add_tail_avx2(const VoiceRun& run, u32 first, const float* ramp, u32 frames, float* left, float* right) {
  MixKernelsOf<Avx2Loops>::add_tail(run, first, ramp, frames, left, right);
}

/// Once through for the least key, once more for who has it: equal keys are many where voices are silent, and serials
/// are then looked at one by one.
u32 least_key_avx2(const u32* keys, const u64* serials, u32 count) {
  const auto load = [keys](u32 i) __attribute__((always_inline)) { return _mm256_loadu_si256(reinterpret_cast<const I32*>(keys + i)); };
  const u32 padded = (count + 7) & ~7u;
  I32 least[4] = {_mm256_set1_epi32(-1), _mm256_set1_epi32(-1), _mm256_set1_epi32(-1), _mm256_set1_epi32(-1)};
  u32 i = 0;
  for (; i + 32 <= padded; i += 32) {
    for (u32 k = 0; k < 4; ++k) least[k] = _mm256_min_epu32(least[k], load(i + 8 * k));
  }
  for (; i < padded; i += 8) least[0] = _mm256_min_epu32(least[0], load(i));
  const u32 key = least_of(_mm256_min_epu32(_mm256_min_epu32(least[0], least[1]), _mm256_min_epu32(least[2], least[3])));

  const I32 wanted = _mm256_set1_epi32(static_cast<int>(key));
  const auto equal = [&](u32 at) __attribute__((always_inline)) { return _mm256_cmpeq_epi32(load(at), wanted); };
  u32 best = 0;
  u64 serial = 0;
  bool found = false;
  const auto look = [&](u32 at, I32 is_equal) __attribute__((always_inline)) {
    for (u32 mask = static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(is_equal))); mask != 0; mask &= mask - 1) {
      const u32 slot = at + static_cast<u32>(__builtin_ctz(mask));
      if (slot >= count || (found && serials[slot] >= serial)) continue;
      best = slot;
      serial = serials[slot];
      found = true;
    }
  };
  for (i = 0; i + 32 <= padded; i += 32) {
    const I32 a = equal(i), b = equal(i + 8), c = equal(i + 16), d = equal(i + 24);
    const I32 any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    if (_mm256_testz_si256(any, any)) continue;
    look(i, a);
    look(i + 8, b);
    look(i + 16, c);
    look(i + 24, d);
  }
  for (; i < padded; i += 8) look(i, equal(i));
  return best;
}

}  // namespace spellpool::audio
#endif
