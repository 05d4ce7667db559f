#pragma once
// What cpu_lanes_avx2.hpp and cpu_lanes_sse2.hpp do alike: the few things of one particle that fit four lanes.
#include <emmintrin.h>
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include "render/cpu/cpu_lanes.hpp"

namespace spellpool::render {

/// `Owner` keeps what is compiled for newer processors apart from the rest.
template <class Owner>
struct FourLanes {
  /// Needs |lane| < 2^31.
  static __m128i truncated(__m128 a) {
#if defined(__wasm_simd128__)
    return (__m128i)wasm_i32x4_trunc_sat_f32x4((v128_t)a);  // emscripten's own does one lane after the other
#else
    return _mm_cvttps_epi32(a);
#endif
  }
  /// Four bytes, each times its scale, rounded and cut to 0 … 32767, as the channels of a pixel.
  static u64 scaled(const u8* bytes, float r, float g, float b, float a) {
    i32 word;
    __builtin_memcpy(&word, bytes, sizeof word);
    const __m128i zero = _mm_setzero_si128();
    const __m128i wide = _mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(word), zero), zero);
    const __m128 scaled = _mm_add_ps(_mm_mul_ps(_mm_cvtepi32_ps(wide), _mm_setr_ps(r, g, b, a)), _mm_set1_ps(0.5f));
    const __m128i whole = truncated(_mm_min_ps(_mm_max_ps(scaled, _mm_setzero_ps()), _mm_set1_ps(32767.0f)));
    return static_cast<u64>(_mm_cvtsi128_si64(_mm_packs_epi32(whole, whole)));
  }
};

}  // namespace spellpool::render
