#include "audio/mix_kernels.hpp"

#include "audio/mix_kernels_of.hpp"

namespace spellpool::audio {
namespace {

constexpr float kFractionScale = 1.0f / 16'777'216.0f;

/// Frame by frame, as mix_kernels.hpp says it. The compiler takes four frames at a time where it can.
struct PortableLoops {
  template <Pace kPace>
  static float at(const float* samples, const MixSource& source, u32 i) {
    if constexpr (kPace == Pace::Whole) return samples[(source.position >> 32) + i];
    const u64 position = source.position + i * source.step;
    const float* const here = samples + (position >> 32);
    const float fraction = static_cast<float>(static_cast<i32>(static_cast<u32>(position) >> 8)) * kFractionScale;
    return here[0] + (here[1] - here[0]) * fraction;
  }

  template <bool kTail, Pace kPace, bool kDull, bool kStereo, bool kRamps>
  static void one(const VoiceRun& run, const MixSource& source, const MixTarget& target, const float* __restrict ramp) {
    float* const __restrict left = target.left;
    float* const __restrict right = target.right;
    const float gain_left = run.left, slope_left = run.left_slope, gain_right = run.right, slope_right = run.right_slope;
    const float dullness = source.dullness;
    for (u32 i = 0; i < target.frames; ++i) {
      const auto sample = [&](const float* bright, const float* dull) {
        const float near = at<kPace>(bright, source, i);
        if constexpr (!kDull) return near;
        return near + (at<kPace>(dull, source, i) - near) * dullness;
      };
      const float sample_left = sample(source.left, source.dull_left);
      const float sample_right = kStereo ? sample(source.right, source.dull_right) : sample_left;
      const float counter = static_cast<float>(static_cast<i32>(target.counter + i));
      float loud_left = sample_left * (kRamps ? gain_left + slope_left * counter : gain_left);
      float loud_right = sample_right * (kRamps ? gain_right + slope_right * counter : gain_right);
      if constexpr (kTail) {
        loud_left *= ramp[i];
        loud_right *= ramp[i];
      }
      left[i] += loud_left;
      right[i] += loud_right;
    }
  }

  template <bool kRamps>
  static void plain(const PlainRun* runs, u32 count, const MixTarget& target) {
    for (u32 k = 0; k < count; ++k) {
      const PlainRun& run = runs[k];
      float* const __restrict left = target.left;
      float* const __restrict right = target.right;
      for (u32 i = 0; i < target.frames; ++i) {
        const float counter = static_cast<float>(static_cast<i32>(target.counter + i));
        left[i] += run.samples[i] * (kRamps ? run.left + run.left_slope * counter : run.left);
        right[i] += run.samples[i] * (kRamps ? run.right + run.right_slope * counter : run.right);
      }
    }
  }
};

u32 least_key(const KeyBlocks& blocks, u32 count) {
  constexpr u32 kSize = KeyBlocks::kSize;
  const u32 used = (count + kSize - 1) / kSize;
  for (u32 word = 0; word <= (used - 1) / 64; ++word) {
    for (u64 bits = blocks.changed[word]; bits != 0; bits &= bits - 1) {
      const u32 block = 64 * word + static_cast<u32>(__builtin_ctzll(bits));
      u32 least = ~u32{0};
      for (u32 i = kSize * block; i < kSize * (block + 1); ++i) least = blocks.keys[i] < least ? blocks.keys[i] : least;
      blocks.least[block] = least;
    }
    blocks.changed[word] = 0;
  }
  u32 least = blocks.least[0];
  for (u32 block = 1; block < used; ++block) least = blocks.least[block] < least ? blocks.least[block] : least;
  u32 best = count;
  for (u32 block = 0; block < used; ++block) {
    if (blocks.least[block] != least) continue;
    const u32 end = kSize * (block + 1) < count ? kSize * (block + 1) : count;
    for (u32 i = kSize * block; i < end; ++i) {
      if (blocks.keys[i] == least && (best == count || blocks.serials[i] < blocks.serials[best])) best = i;
    }
  }
  return best;
}

}  // namespace

#if defined(SPELLPOOL_AVX2)
void mix_avx2(const VoiceRun* runs, u32 count, u32 first, u32 frames, float* left, float* right);
void add_tail_avx2(const VoiceRun& run, u32 first, const float* ramp, u32 frames, float* left, float* right);
u32 least_key_avx2(const KeyBlocks& blocks, u32 count);
#endif

MixLevel best_mix_level() {
#if defined(SPELLPOOL_AVX2)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return MixLevel::Avx2;
#endif
  return MixLevel::Portable;
}

MixVoices mix_voices_of([[maybe_unused]] MixLevel level) {
#if defined(SPELLPOOL_AVX2)
  if (level == MixLevel::Avx2 && best_mix_level() == MixLevel::Avx2) return mix_avx2;
#endif
  return MixKernelsOf<PortableLoops>::mix;
}

AddTail add_tail_of([[maybe_unused]] MixLevel level) {
#if defined(SPELLPOOL_AVX2)
  if (level == MixLevel::Avx2 && best_mix_level() == MixLevel::Avx2) return add_tail_avx2;
#endif
  return MixKernelsOf<PortableLoops>::add_tail;
}

LeastKey least_key_of([[maybe_unused]] MixLevel level) {
#if defined(SPELLPOOL_AVX2)
  if (level == MixLevel::Avx2 && best_mix_level() == MixLevel::Avx2) return least_key_avx2;
#endif
  return least_key;
}

}  // namespace spellpool::audio
