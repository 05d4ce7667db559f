#pragma once
// Four floats that one instruction handles together, as particles store them: {x, y, vx, vy}. Plain lane-wise IEEE
// arithmetic by the compilers' vector types, so any build gives the same bits. SSE2 where there is one (every x86-64),
// else the same in scalar words.
#include <cstring>

#include "core/types.hpp"
#include "sim/particles/particle.hpp"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace spellpool::sim {

typedef float Lanes __attribute__((vector_size(16)));

inline Lanes load_lanes(const Particle& p) {
  Lanes lanes;
  std::memcpy(&lanes, &p.x, sizeof lanes);
  return lanes;
}
inline void store_lanes(Particle& p, Lanes lanes) { std::memcpy(&p.x, &lanes, sizeof lanes); }

/// {vx, vy, 0, 0}.
inline Lanes velocity_of(Lanes lanes) { return __builtin_shufflevector(lanes, Lanes{}, 2, 3, 4, 5); }

/// Both of x and y are nearer to 0 than `reach`. False for NaN.
inline bool within(Lanes lanes, float reach) {
#if defined(__SSE2__)
  const __m128 size = _mm_andnot_ps(_mm_set1_ps(-0.0f), lanes);
  return (_mm_movemask_ps(_mm_cmplt_ps(size, _mm_set1_ps(reach))) & 3) == 3;
#else
  return lanes[0] > -reach && lanes[0] < reach && lanes[1] > -reach && lanes[1] < reach;
#endif
}

/// Truncates to whole numbers and writes four i16 to `to`; what does not fit becomes the nearest that does.
/// Needs |lane| < 2^31.
inline void store_narrow(void* to, Lanes lanes) {
#if defined(__SSE2__)
#if defined(__wasm_simd128__)
  const __m128i whole = (__m128i)wasm_i32x4_trunc_sat_f32x4((v128_t)lanes);  // emscripten's _mm_cvttps_epi32 takes a lane at a time
#else
  const __m128i whole = _mm_cvttps_epi32(lanes);
#endif
  _mm_storel_epi64(static_cast<__m128i*>(to), _mm_packs_epi32(whole, whole));
#else
  i16 narrow[4];
  for (int i = 0; i < 4; ++i) {
    const float v = lanes[i];
    narrow[i] = static_cast<i16>(static_cast<i32>(v < -32768.0f ? -32768.0f : (v > 32767.0f ? 32767.0f : v)));
  }
  std::memcpy(to, narrow, sizeof narrow);
#endif
}

}  // namespace spellpool::sim
