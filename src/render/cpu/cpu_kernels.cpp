#include "render/cpu/cpu_kernels.hpp"

#include <array>
#include <cmath>

#include "render/cpu/cpu_kernels_of.hpp"
#include "render/cpu/cpu_lanes_portable.hpp"
#if defined(__SSE2__)
#include "render/cpu/cpu_lanes_sse2.hpp"
#endif

namespace spellpool::render {
namespace {

constexpr CpuKernels kPortableKernels = KernelsOf<Portable>::table("portable");
#if defined(__SSE2__)
constexpr CpuKernels kSse2Kernels = KernelsOf<Sse2>::table("SSE2");
#endif

}  // namespace

#if defined(SPELLPOOL_AVX2)
extern const CpuKernels kAvx2Kernels;
#endif

std::span<const CpuKernels* const> cpu_kernels() {
  static const auto usable = [] {
    struct Usable {
      std::array<const CpuKernels*, 3> rows{};
      std::size_t count = 0;
    } made;
#if defined(SPELLPOOL_AVX2)
    if (__builtin_cpu_supports("avx2")) made.rows[made.count++] = &kAvx2Kernels;
#endif
#if defined(__SSE2__)
    made.rows[made.count++] = &kSse2Kernels;
#endif
    made.rows[made.count++] = &kPortableKernels;
    return made;
  }();
  return {usable.rows.data(), usable.count};
}

void make_glow_reach(std::span<float, kGlowReachSteps> reach) {
  for (int step = 0; step < kGlowReachSteps; ++step) {
    // A halo of mask 0.22·h³ gives half a step of light where its product with the colour is 2^14; a quarter more for
    // what the whole-number products lose and gain on the way.
    const float strongest = 256.0f * static_cast<float>(step + 1);
    const float least = 16384.0f / (1.25f * 3604.0f * strongest);
    const float h = std::cbrt(least);
    reach[static_cast<std::size_t>(step)] = std::max(0.36f, std::sqrt(std::max(0.0f, 1.0f - h)));
  }
}

}  // namespace spellpool::render
