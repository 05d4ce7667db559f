// Compiled with AVX-512 (src/CMakeLists.txt); called only where the processor has it.
//
// Twice the lanes and twice the registers of AVX2: plain voices are added 32 at a time in columns of 64 frames.
// Between samples, sixteen frames at step ≤ 2 lie with their right neighbours within 32 samples, which is what one
// permutation of two registers can choose from.
#if defined(__AVX512F__)
#include <immintrin.h>

#include "audio/mix_kernels_of.hpp"

namespace spellpool::audio {
namespace {

using F32 = __m512;
using I32 = __m512i;

#define SPELLPOOL_INLINE [[gnu::always_inline]] inline

SPELLPOOL_INLINE F32 all(float x) { return _mm512_set1_ps(x); }
SPELLPOOL_INLINE I32 all(u32 x) { return _mm512_set1_epi32(static_cast<int>(x)); }
/// 0, 1, … 15.
SPELLPOOL_INLINE I32 lanes() { return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }
/// counter, counter + 1, … counter + 15.
SPELLPOOL_INLINE F32 counters(u32 counter) { return _mm512_cvtepi32_ps(_mm512_add_epi32(all(counter), lanes())); }

/// Sixteen frames of a sound, one after another.
template <Pace kPace>
class Walk {
 public:
  SPELLPOOL_INLINE Walk(u64 position, u64 step) : position_(position), step_(step) {
    if constexpr (kPace != Pace::Whole) lane_steps_ = _mm512_mullo_epi32(lanes(), all(static_cast<u32>(step >> 8)));
  }
  /// Works out where the next sixteen frames lie.
  SPELLPOOL_INLINE void place() {
    first_ = position_ >> 32;
    if constexpr (kPace != Pace::Whole) {
      const I32 places = _mm512_add_epi32(all(static_cast<u32>(position_) >> 8), lane_steps_);  // 8.24, from first_ on
      here_ = _mm512_srli_epi32(places, 24);
      next_ = _mm512_add_epi32(here_, all(1u));
      fraction_ =
          _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_and_si512(places, all(0xFFFFFFu))), all(1.0f / 16'777'216.0f));
    }
  }
  SPELLPOOL_INLINE F32 read(const float* samples) const {
    samples += first_;
    const F32 a = _mm512_loadu_ps(samples);
    if constexpr (kPace == Pace::Whole) return a;
    const F32 b = _mm512_loadu_ps(samples + 16);
    F32 here = _mm512_permutex2var_ps(a, here_, b), next = _mm512_permutex2var_ps(a, next_, b);
    if constexpr (kPace == Pace::Fast) {
      const F32 c = _mm512_loadu_ps(samples + 32), d = _mm512_loadu_ps(samples + 48);
      const I32 beyond = all(32u);
      here = _mm512_mask_blend_ps(_mm512_test_epi32_mask(here_, beyond), here, _mm512_permutex2var_ps(c, here_, d));
      next = _mm512_mask_blend_ps(_mm512_test_epi32_mask(next_, beyond), next, _mm512_permutex2var_ps(c, next_, d));
    }
    return _mm512_add_ps(here, _mm512_mul_ps(_mm512_sub_ps(next, here), fraction_));
  }
  /// Brings in what another walk will read where this one is now, more or less.
  SPELLPOOL_INLINE void fetch(const float* soon, u64 begun) const {
    _mm_prefetch(reinterpret_cast<const char*>(soon + ((position_ - begun) >> 32)), _MM_HINT_T0);
    if constexpr (kPace != Pace::Whole)
      _mm_prefetch(reinterpret_cast<const char*>(soon + ((position_ + 8 * step_ - begun) >> 32)), _MM_HINT_T0);
  }
  SPELLPOOL_INLINE void go_on() { position_ += 16 * step_; }

 private:
  u64 position_, step_, first_ = 0;
  I32 lane_steps_, here_, next_;
  F32 fraction_;
};

struct Avx512Lanes {
  static constexpr u32 kCount = 16;
  using F32 = audio::F32;
  template <Pace kPace>
  using Walk = audio::Walk<kPace>;
  SPELLPOOL_INLINE static F32 all(float x) { return audio::all(x); }
  SPELLPOOL_INLINE static F32 counters(u32 counter) { return audio::counters(counter); }
  SPELLPOOL_INLINE static F32 load(const float* at) { return _mm512_loadu_ps(at); }
  SPELLPOOL_INLINE static void store(float* at, F32 values) { _mm512_storeu_ps(at, values); }
};

struct Avx512Loops : LaneLoops<Avx512Lanes> {
  template <bool kRamps>
  static void plain(const PlainRun* runs, u32 count, const MixTarget& target) {
    constexpr u32 kWide = 4;
    std::size_t at = 0;
    for (; at + kLanes * kWide <= target.frames; at += kLanes * kWide) column<kRamps, kWide>(runs, count, at, target);
    for (; at < target.frames; at += kLanes) column<kRamps, 1>(runs, count, at, target);
  }

 private:
  /// 16 · kVectors frames of all of them: a column, whose sums stay in registers from the first voice to the last, as
  /// do the counters. Asked for early: what the column after the next will read, at a cell's end what the next cell
  /// will.
  template <bool kRamps, u32 kVectors>
  SPELLPOOL_INLINE static void column(const PlainRun* runs, u32 count, std::size_t at, const MixTarget& target) {
    F32 left[kVectors], right[kVectors], counter[kVectors];
    for (u32 v = 0; v < kVectors; ++v) {
      left[v] = _mm512_loadu_ps(target.left + at + kLanes * v);
      right[v] = _mm512_loadu_ps(target.right + at + kLanes * v);
      counter[v] = counters(target.counter + static_cast<u32>(at) + kLanes * v);
    }
    for (const PlainRun* run = runs; run != runs + count; ++run) {
      const float* const samples = run->samples + at;
      const F32 gain_left = all(run->left), gain_right = all(run->right);
      const F32 slope_left = all(run->left_slope), slope_right = all(run->right_slope);
      for (u32 v = 0; v < kVectors; ++v) {
        _mm_prefetch(reinterpret_cast<const char*>(samples + kLanes * (2 * kVectors + v)), _MM_HINT_T0);
        const F32 sample = _mm512_loadu_ps(samples + kLanes * v);
        const F32 by_left = kRamps ? _mm512_add_ps(gain_left, _mm512_mul_ps(slope_left, counter[v])) : gain_left;
        const F32 by_right = kRamps ? _mm512_add_ps(gain_right, _mm512_mul_ps(slope_right, counter[v])) : gain_right;
        left[v] = _mm512_add_ps(left[v], _mm512_mul_ps(sample, by_left));
        right[v] = _mm512_add_ps(right[v], _mm512_mul_ps(sample, by_right));
      }
    }
    for (u32 v = 0; v < kVectors; ++v) {
      _mm512_storeu_ps(target.left + at + kLanes * v, left[v]);
      _mm512_storeu_ps(target.right + at + kLanes * v, right[v]);
    }
  }
};

}  // namespace

extern const MixLoops kAvx512Loops;
constexpr MixLoops kAvx512Loops = {MixKernelsOf<Avx512Loops>::mix, MixKernelsOf<Avx512Loops>::mix_plain};

}  // namespace spellpool::audio
#endif
