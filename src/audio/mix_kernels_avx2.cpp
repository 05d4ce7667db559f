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
  return _mm256_cvtepi32_ps(_mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(counter)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
}

/// Into a register, and there it stays: else the compiler reads twice what is used twice, and these loops read more than
/// they reckon.
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
  static constexpr u32 kLanes = 8;

  template <Pace kPace, bool kDull, bool kStereo, bool kRamps>
  static void one(const VoiceRun& run, const MixSource& source, const MixTarget& target) {
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
    float* const out_left = target.left;
    float* const out_right = target.right;
    const std::size_t frames = target.frames;
    for (std::size_t i = 0; i < frames; i += 8) {
      walk.place();
      walk.fetch(source.soon, source.position);
      const F32 left = sample(source.left, source.dull_left);
      const F32 right = kStereo ? sample(source.right, source.dull_right) : left;
      const F32 loud_left = _mm256_mul_ps(left, kRamps ? _mm256_add_ps(gain_left, _mm256_mul_ps(slope_left, counter)) : gain_left);
      const F32 loud_right = _mm256_mul_ps(right, kRamps ? _mm256_add_ps(gain_right, _mm256_mul_ps(slope_right, counter)) : gain_right);
      _mm256_storeu_ps(out_left + i, _mm256_add_ps(_mm256_loadu_ps(out_left + i), loud_left));
      _mm256_storeu_ps(out_right + i, _mm256_add_ps(_mm256_loadu_ps(out_right + i), loud_right));
      counter = _mm256_add_ps(counter, all(8.0f));
      walk.go_on();
    }
  }

  /// 8 · kVectors frames of all of them: a column, whose sums stay in registers from the first voice to the last.
  template <bool kRamps, u32 kVectors>
  SPELLPOOL_INLINE static void column(const PlainRun* runs, u32 count, u32 first, std::size_t at, float* out_left, float* out_right) {
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
  /// Samples of each voice that are asked for so long before they are read: two columns, and at a cell's end those of the
  /// next.
  static constexpr std::size_t kAhead = 2 * 8 * kWide;

  template <bool kRamps>
  static void plain(const PlainRun* runs, u32 count, const MixTarget& target) {
    std::size_t at = 0;
    for (; at + 8 * kWide <= target.frames; at += 8 * kWide) column<kRamps, kWide>(runs, count, target.counter, at, target.left, target.right);
    for (; at < target.frames; at += 8) column<kRamps, 1>(runs, count, target.counter, at, target.left, target.right);
  }
};

// ---- Keys -----------------------------------------------------------------------------------------------------------
// Nothing here is a guess that fails: mostly one block has the least key, and one slot in it. Who is taken gives the next
// search what it waits for, so what one search writes and the next reads is written as it will be read, eight keys at a
// time: a processor hands such bytes on at once, and others only when they have reached the cache.

constexpr u32 kSize = KeyBlocks::kSize;

SPELLPOOL_INLINE I32 load(const u32* keys) { return _mm256_loadu_si256(reinterpret_cast<const I32*>(keys)); }
SPELLPOOL_INLINE void store(u32* keys, I32 values) { _mm256_storeu_si256(reinterpret_cast<I32*>(keys), values); }
SPELLPOOL_INLINE u32 first_of(I32 values) { return static_cast<u32>(_mm256_cvtsi256_si32(values)); }
SPELLPOOL_INLINE u32 mask_of(I32 lanes) { return static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes))); }

/// The least of eight, eight times.
SPELLPOOL_INLINE I32 all_least(I32 keys) {
  keys = _mm256_min_epu32(keys, _mm256_permute2x128_si256(keys, keys, 0x01));
  keys = _mm256_min_epu32(keys, _mm256_shuffle_epi32(keys, 0x4E));
  return _mm256_min_epu32(keys, _mm256_shuffle_epi32(keys, 0xB1));
}

/// The keys of a block.
struct Block {
  SPELLPOOL_INLINE explicit Block(const u32* at) : keys{load(at), load(at + 8), load(at + 16), load(at + 24)} {}
  SPELLPOOL_INLINE I32 least() const { return all_least(_mm256_min_epu32(_mm256_min_epu32(keys[0], keys[1]), _mm256_min_epu32(keys[2], keys[3]))); }
  /// A bit for each slot that has this key.
  SPELLPOOL_INLINE u32 having(I32 key) const {
    u32 mask = 0;
    for (u32 i = 0; i < 4; ++i) mask |= mask_of(_mm256_cmpeq_epi32(keys[i], key)) << (8 * i);
    return mask;
  }
  SPELLPOOL_INLINE void set(u32 slot, u32 key) {
    const I32 wanted = _mm256_set1_epi32(static_cast<int>(slot)), by = _mm256_set1_epi32(static_cast<int>(key));
    I32 here = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (I32& some : keys) {
      some = _mm256_blendv_epi8(some, by, _mm256_cmpeq_epi32(here, wanted));
      here = _mm256_add_epi32(here, _mm256_set1_epi32(8));
    }
  }
  SPELLPOOL_INLINE void write_to(u32* at) const {
    for (u32 i = 0; i < 4; ++i) store(at + 8 * i, keys[i]);
  }

  I32 keys[4];
};

SPELLPOOL_INLINE u32 blocks_of(u32 count) { return (count + kSize - 1) / kSize; }

/// Eight times the least key of all, once the blocks that were changed are looked through.
SPELLPOOL_INLINE I32 least_of(const KeyBlocks& blocks, u32 count) {
  const u32 used = blocks_of(count);
  for (u32 word = 0; word <= (used - 1) / 64; ++word) {
    for (u64 bits = blocks.changed[word]; bits != 0; bits &= bits - 1) {
      const u32 block = 64 * word + static_cast<u32>(__builtin_ctzll(bits));
      blocks.least[block] = first_of(Block(blocks.keys + kSize * block).least());
    }
    blocks.changed[word] = 0;
  }
  I32 least = load(blocks.least);
  for (u32 i = 8; i < used; i += 8) least = _mm256_min_epu32(least, load(blocks.least + i));
  return all_least(least);
}

/// Of the slots with this key the one with the least serial.
u32 first_begun(const KeyBlocks& blocks, u32 count, I32 least) {
  u32 best = count;
  u64 serial = ~u64{0};
  const u32 used = blocks_of(count);
  for (u32 i = 0; i < used; i += 8) {
    u32 have = mask_of(_mm256_cmpeq_epi32(load(blocks.least + i), least));
    if (used - i < 8) have &= (1u << (used - i)) - 1;
    for (; have != 0; have &= have - 1) {
      const u32 first = kSize * (i + static_cast<u32>(__builtin_ctz(have)));
      u32 mask = Block(blocks.keys + first).having(least);
      if (count - first < kSize) mask &= (1u << (count - first)) - 1;
      for (; mask != 0; mask &= mask - 1) {
        const u32 slot = first + static_cast<u32>(__builtin_ctz(mask));
        const bool older = blocks.serials[slot] <= serial;
        best = older ? slot : best;
        serial = older ? blocks.serials[slot] : serial;
      }
    }
  }
  return best;
}

u32 least_key(const KeyBlocks& blocks, u32 count) { return first_begun(blocks, count, least_of(blocks, count)); }

u32 take_least(const KeyBlocks& blocks, u32 count, u32 most, u32 key, u64 serial) {
  const I32 least = least_of(blocks, count);
  if (first_of(least) > most) return count;
  u32 block = 0, alike = 0;
  for (u32 i = 0; i < blocks_of(count); i += 8) {
    const u32 have = mask_of(_mm256_cmpeq_epi32(load(blocks.least + i), least));
    block = have != 0 ? i + static_cast<u32>(__builtin_ctz(have)) : block;
    alike += static_cast<u32>(__builtin_popcount(have));
  }
  Block slots(blocks.keys + kSize * block);
  const u32 mask = slots.having(least);
  u32 slot = kSize * block + static_cast<u32>(__builtin_ctz(mask));
  if (alike != 1 || (mask & (mask - 1)) != 0) [[unlikely]] {
    slot = first_begun(blocks, count, least);
    block = slot / kSize;
    slots = Block(blocks.keys + kSize * block);
  }
  slots.set(slot % kSize, key);
  slots.write_to(blocks.keys + kSize * block);
  u32* const eight = blocks.least + block / 8 * 8;
  const I32 here = _mm256_cmpeq_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(static_cast<int>(block % 8)));
  store(eight, _mm256_blendv_epi8(load(eight), slots.least(), here));
  blocks.serials[slot] = serial;
  return slot;
}

}  // namespace

extern const MixKernels kAvx2MixKernels;
constexpr MixKernels kAvx2MixKernels = {MixKernelsOf<Avx2Loops>::mix, least_key, take_least};

}  // namespace spellpool::audio
#endif
