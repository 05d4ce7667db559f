// Compiled with AVX2 (src/CMakeLists.txt); called only where the processor has it.
//
// What the loops are made of:
//   ramps      two multiplications and two additions a frame and channel: most of all the work, whatever is done. So
//              the rest is kept off those units: plain voices are added 32 at a time in columns of 32 frames, whose sums
//              and frame counters stay in registers, and factors are loaded where they are needed and held nowhere.
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
  return _mm256_cvtepi32_ps(
      _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(counter)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
}

/// Into a register, and there it stays: else the compiler reads twice what is used twice, and these loops read more
/// than they reckon.
SPELLPOOL_INLINE F32 read_once(const float* samples) {
  F32 read = _mm256_loadu_ps(samples);
  asm("" : "+x"(read));
  return read;
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
      const I32 first =
          _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(static_cast<u32>(position_) >> 8)), first_lanes_);
      const I32 last =
          _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(static_cast<u32>(middle) >> 8)), last_lanes_);
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
  SPELLPOOL_INLINE void fetch(const float* soon, u64 begun) const {
    _mm_prefetch(reinterpret_cast<const char*>(soon + ((position_ - begun) >> 32)), _MM_HINT_T0);
  }
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

struct Avx2Lanes {
  static constexpr u32 kCount = 8;
  using F32 = audio::F32;
  template <Pace kPace>
  using Walk = audio::Walk<kPace>;
  SPELLPOOL_INLINE static F32 all(float x) { return audio::all(x); }
  SPELLPOOL_INLINE static F32 counters(u32 counter) { return audio::counters(counter); }
  SPELLPOOL_INLINE static F32 load(const float* at) { return _mm256_loadu_ps(at); }
  SPELLPOOL_INLINE static void store(float* at, F32 values) { _mm256_storeu_ps(at, values); }
};

struct Avx2Loops : LaneLoops<Avx2Lanes> {
  /// 8 · kVectors frames of all of them: a column, whose sums stay in registers from the first voice to the last.
  template <bool kRamps, u32 kVectors>
  SPELLPOOL_INLINE static void column(const PlainRun* runs, u32 count, u32 first, std::size_t at, float* out_left,
                                      float* out_right) {
    // Sixteen registers: eight sums, four factors, two to reckon in, and two counters of four.
    constexpr u32 kHeld = kVectors / 2;
    F32 left[kVectors], right[kVectors], counter[kVectors];
    alignas(32) float counted[8 * kVectors];
    for (u32 v = 0; v < kVectors; ++v) {
      left[v] = _mm256_loadu_ps(out_left + at + 8 * v);
      right[v] = _mm256_loadu_ps(out_right + at + 8 * v);
      counter[v] = counters(first + static_cast<u32>(at) + 8 * v);
      _mm256_store_ps(counted + 8 * v, counter[v]);
    }
    for (const PlainRun* run = runs; run != runs + count; ++run) {
      const float* const samples = run->samples + at;
      if constexpr (kVectors == kWide) {
        _mm_prefetch(reinterpret_cast<const char*>(samples + kAhead), _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(samples + kAhead + 16), _MM_HINT_T0);
      }
      const F32 gain_left = all(run->left), gain_right = all(run->right);
      const F32 slope_left = all(run->left_slope), slope_right = all(run->right_slope);
      const float* others = counted;
      if constexpr (kRamps) asm("" : "+r"(others) : "m"(counted));  // else the compiler holds all counters, and stores sums instead
      for (u32 v = 0; v < kVectors; ++v) {
        const F32 sample = read_once(samples + 8 * v);
        const F32 frame = v < kHeld ? counter[v] : _mm256_load_ps(others + 8 * v);
        const F32 by_left = kRamps ? _mm256_add_ps(gain_left, _mm256_mul_ps(slope_left, frame)) : gain_left;
        const F32 by_right = kRamps ? _mm256_add_ps(gain_right, _mm256_mul_ps(slope_right, frame)) : gain_right;
        left[v] = _mm256_add_ps(left[v], _mm256_mul_ps(sample, by_left));
        right[v] = _mm256_add_ps(right[v], _mm256_mul_ps(sample, by_right));
      }
    }
    for (u32 v = 0; v < kVectors; ++v) {
      _mm256_storeu_ps(out_left + at + 8 * v, left[v]);
      _mm256_storeu_ps(out_right + at + 8 * v, right[v]);
    }
  }

  static constexpr u32 kWide = 4;
  /// Samples of each voice that are asked for so long before they are read: two columns, and at a cell's end those of
  /// the next.
  static constexpr std::size_t kAhead = 2 * 8 * kWide;

  template <bool kRamps>
  static void plain(const PlainRun* runs, u32 count, const MixTarget& target) {
    std::size_t at = 0;
    for (; at + 8 * kWide <= target.frames; at += 8 * kWide)
      column<kRamps, kWide>(runs, count, target.counter, at, target.left, target.right);
    for (; at < target.frames; at += 8) column<kRamps, 1>(runs, count, target.counter, at, target.left, target.right);
  }
};

}  // namespace

extern const MixLoops kAvx2Loops;
constexpr MixLoops kAvx2Loops = {MixKernelsOf<Avx2Loops>::mix, MixKernelsOf<Avx2Loops>::mix_plain};

}  // namespace spellpool::audio
#endif
