#include "audio/mix_kernels.hpp"

#include "audio/mix_kernels_of.hpp"

namespace spellpool::audio {
namespace {

constexpr float kFractionScale = 1.0f / 16'777'216.0f;

/// Frame by frame, as mix_kernels.hpp says it. The compiler takes four frames at a time where it can.
struct PortableLoops {
  static constexpr u32 kLanes = 8;

  template <Pace kPace>
  static float at(const float* samples, const MixSource& source, u32 i) {
    if constexpr (kPace == Pace::Whole) return samples[(source.position >> 32) + i];
    const u64 position = source.position + i * source.step;
    const float* const here = samples + (position >> 32);
    const float fraction = static_cast<float>(static_cast<i32>(static_cast<u32>(position) >> 8)) * kFractionScale;
    return here[0] + (here[1] - here[0]) * fraction;
  }

  template <Pace kPace, bool kDull, bool kStereo, bool kRamps>
  static void one(const VoiceRun& run, const MixSource& source, const MixTarget& target) {
    float* const __restrict left = target.left;
    float* const __restrict right = target.right;
    const float gain_left = run.left, slope_left = run.left_slope, gain_right = run.right,
                slope_right = run.right_slope;
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
      left[i] += sample_left * (kRamps ? gain_left + slope_left * counter : gain_left);
      right[i] += sample_right * (kRamps ? gain_right + slope_right * counter : gain_right);
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

}  // namespace

constexpr MixLoops kPortableLoops = {MixKernelsOf<PortableLoops>::mix, MixKernelsOf<PortableLoops>::mix_plain};
#if defined(SPELLPOOL_AVX2)
extern const MixLoops kAvx2Loops;
#endif
#if defined(SPELLPOOL_AVX512)
extern const MixLoops kAvx512Loops;
#endif

MixLevel best_mix_level() {
#if defined(SPELLPOOL_AVX512)
  // The first processors with it lower their clock for registers of 512 bits; those that do not have this, too.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vbmi")) return MixLevel::Avx512;
#endif
#if defined(SPELLPOOL_AVX2)
  if (__builtin_cpu_supports("avx2")) return MixLevel::Avx2;
#endif
  return MixLevel::Portable;
}

const char* mix_level_name(MixLevel level) {
  constexpr const char* kNames[] = {"portable", "AVX2", "AVX-512"};
  return kNames[static_cast<u8>(level)];
}

const MixLoops& mix_loops(MixLevel level) {
  const MixLevel best = best_mix_level();
  switch (level < best ? level : best) {
#if defined(SPELLPOOL_AVX512)
    case MixLevel::Avx512: return kAvx512Loops;
#endif
#if defined(SPELLPOOL_AVX2)
    case MixLevel::Avx2: return kAvx2Loops;
#endif
    default: return kPortableLoops;
  }
}

}  // namespace spellpool::audio
