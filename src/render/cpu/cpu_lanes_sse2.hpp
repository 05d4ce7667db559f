#pragma once
// cpu_lanes.hpp by SSE2, which every x86-64 has: two registers where AVX2 has one.
#include <emmintrin.h>

#include "render/cpu/cpu_lanes_x86.hpp"

namespace spellpool::render {

struct Sse2 : FourLanes<Sse2> {
  struct U16 {
    __m128i lo, hi;
    static U16 load(const u16* p) {
      return {_mm_load_si128(reinterpret_cast<const __m128i*>(p)),
              _mm_load_si128(reinterpret_cast<const __m128i*>(p + 8))};
    }
    void store(u16* p) const {
      _mm_store_si128(reinterpret_cast<__m128i*>(p), lo);
      _mm_store_si128(reinterpret_cast<__m128i*>(p + 8), hi);
    }
    static U16 load_anywhere(const u16* p) {
      return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)),
              _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 8))};
    }
    void store_anywhere(u16* p) const {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(p), lo);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(p + 8), hi);
    }
    /// Sixteen bytes of neighbouring pixels, times 64, as 16 masks.
    static U16 masks(const u8* p) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)), zero = _mm_setzero_si128();
      const __m128 first = _mm_castsi128_ps(_mm_slli_epi16(_mm_unpacklo_epi8(bytes, zero), 6));
      const __m128 other = _mm_castsi128_ps(_mm_slli_epi16(_mm_unpackhi_epi8(bytes, zero), 6));
      return {_mm_castps_si128(_mm_shuffle_ps(first, other, _MM_SHUFFLE(2, 0, 2, 0))),
              _mm_castps_si128(_mm_shuffle_ps(first, other, _MM_SHUFFLE(3, 1, 3, 1)))};
    }
    static U16 both(__m128i x) { return {x, x}; }
    static U16 all(u16 x) { return both(_mm_set1_epi16(static_cast<short>(x))); }
    static U16 pixels(u64 channels) { return both(_mm_set1_epi64x(static_cast<long long>(channels))); }
    friend U16 operator+(U16 a, U16 b) { return {_mm_add_epi16(a.lo, b.lo), _mm_add_epi16(a.hi, b.hi)}; }
    friend U16 operator-(U16 a, U16 b) { return {_mm_sub_epi16(a.lo, b.lo), _mm_sub_epi16(a.hi, b.hi)}; }
    U16 operator~() const {
      const __m128i ones = _mm_set1_epi32(-1);
      return {_mm_xor_si128(lo, ones), _mm_xor_si128(hi, ones)};
    }
    U16 quarter() const { return {_mm_srli_epi16(lo, 2), _mm_srli_epi16(hi, 2)}; }
    U16 times4() const { return {_mm_slli_epi16(lo, 2), _mm_slli_epi16(hi, 2)}; }
    static __m128i fourths(__m128i v) { return _mm_shufflehi_epi16(_mm_shufflelo_epi16(v, 0xFF), 0xFF); }
    U16 fourths() const { return {fourths(lo), fourths(hi)}; }
    U16 neighbours() const { return {_mm_shuffle_epi32(lo, 0x4E), _mm_shuffle_epi32(hi, 0x4E)}; }
  };
  struct F32 {
    __m128 lo, hi;
    static F32 load(const float* p) { return {_mm_load_ps(p), _mm_load_ps(p + 4)}; }
    void store(float* p) const {
      _mm_store_ps(p, lo);
      _mm_store_ps(p + 4, hi);
    }
    static F32 all(float x) { return {_mm_set1_ps(x), _mm_set1_ps(x)}; }
    friend F32 operator+(F32 a, F32 b) { return {_mm_add_ps(a.lo, b.lo), _mm_add_ps(a.hi, b.hi)}; }
    friend F32 operator-(F32 a, F32 b) { return {_mm_sub_ps(a.lo, b.lo), _mm_sub_ps(a.hi, b.hi)}; }
    friend F32 operator*(F32 a, F32 b) { return {_mm_mul_ps(a.lo, b.lo), _mm_mul_ps(a.hi, b.hi)}; }
    friend F32 operator/(F32 a, F32 b) { return {_mm_div_ps(a.lo, b.lo), _mm_div_ps(a.hi, b.hi)}; }
  };
  struct I32 {
    __m128i lo, hi;
    static I32 all(i32 x) { return {_mm_set1_epi32(x), _mm_set1_epi32(x)}; }
    static I32 load_anywhere(const u32* p) {
      return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)),
              _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 4))};
    }
    void store(u32* p) const {
      _mm_store_si128(reinterpret_cast<__m128i*>(p), lo);
      _mm_store_si128(reinterpret_cast<__m128i*>(p + 4), hi);
    }
    void store_anywhere(u32* p) const {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(p), lo);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(p + 4), hi);
    }
    I32 operator~() const {
      const __m128i ones = _mm_set1_epi32(-1);
      return {_mm_xor_si128(lo, ones), _mm_xor_si128(hi, ones)};
    }
    friend I32 operator&(I32 a, I32 b) { return {_mm_and_si128(a.lo, b.lo), _mm_and_si128(a.hi, b.hi)}; }
    friend I32 operator|(I32 a, I32 b) { return {_mm_or_si128(a.lo, b.lo), _mm_or_si128(a.hi, b.hi)}; }
    template <int N>
    I32 left() const { return {_mm_slli_epi32(lo, N), _mm_slli_epi32(hi, N)}; }
    template <int N>
    I32 right() const { return {_mm_srli_epi32(lo, N), _mm_srli_epi32(hi, N)}; }
    template <int N>
    I32 signed_right() const { return {_mm_srai_epi32(lo, N), _mm_srai_epi32(hi, N)}; }
  };

  static U16 add_saturated(U16 a, U16 b) { return {_mm_adds_epu16(a.lo, b.lo), _mm_adds_epu16(a.hi, b.hi)}; }
  static U16 multiply_high(U16 a, U16 b) { return {_mm_mulhi_epu16(a.lo, b.lo), _mm_mulhi_epu16(a.hi, b.hi)}; }
  static __m128i multiply_round(__m128i a, __m128i b) {
    const __m128i high = _mm_mulhi_epu16(a, b), low = _mm_mullo_epi16(a, b);
    // Bits 14 and up of the product, plus one, halved.
    const __m128i shifted = _mm_or_si128(_mm_slli_epi16(high, 2), _mm_srli_epi16(low, 14));
    return _mm_avg_epu16(shifted, _mm_setzero_si128());
  }
  static U16 multiply_round(U16 a, U16 b) { return {multiply_round(a.lo, b.lo), multiply_round(a.hi, b.hi)}; }
  static U16 average(U16 a, U16 b) { return {_mm_avg_epu16(a.lo, b.lo), _mm_avg_epu16(a.hi, b.hi)}; }
  static __m128i least(__m128i a, __m128i b) { return _mm_sub_epi16(a, _mm_subs_epu16(a, b)); }  // No minimum of u16 before SSE4.1.
  static U16 least(U16 a, U16 b) { return {least(a.lo, b.lo), least(a.hi, b.hi)}; }

  static bool all_zero(const u16* sixteen) {
    const __m128i all = _mm_or_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen)),
                                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen + 8)));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_setzero_si128())) == 0xFFFF;
  }
  // Keeps the bits of exponent and mantissa. Values below 2^-14 become 0, which is too small to see.
  static __m128 halves(const u16* p) {
    const __m128i bits = _mm_unpacklo_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)), _mm_setzero_si128());
    const __m128i size = _mm_and_si128(bits, _mm_set1_epi32(0x7FFF));
    const __m128i sign = _mm_slli_epi32(_mm_and_si128(bits, _mm_set1_epi32(0x8000)), 16);
    const __m128i real = _mm_add_epi32(_mm_slli_epi32(size, 13), _mm_set1_epi32(112 << 23));
    const __m128i there = _mm_cmpgt_epi32(size, _mm_set1_epi32(0x03FF));
    return _mm_castsi128_ps(_mm_or_si128(sign, _mm_and_si128(there, real)));
  }
  static F32 halves(const u16* low, const u16* high) { return {halves(low), halves(high)}; }
  static F32 least(F32 a, F32 b) { return {_mm_min_ps(a.lo, b.lo), _mm_min_ps(a.hi, b.hi)}; }
  static F32 most(F32 a, F32 b) { return {_mm_max_ps(a.lo, b.lo), _mm_max_ps(a.hi, b.hi)}; }
  static F32 size_of(F32 a) {
    const __m128 sign = _mm_set1_ps(-0.0f);
    return {_mm_andnot_ps(sign, a.lo), _mm_andnot_ps(sign, a.hi)};
  }
  static F32 root(F32 a) { return {_mm_sqrt_ps(a.lo), _mm_sqrt_ps(a.hi)}; }
  static F32 real(I32 a) { return {_mm_cvtepi32_ps(a.lo), _mm_cvtepi32_ps(a.hi)}; }
  static I32 whole(F32 a) { return {truncated(a.lo), truncated(a.hi)}; }
  static I32 below_zero(F32 a) {
    return {_mm_srai_epi32(_mm_castps_si128(a.lo), 31), _mm_srai_epi32(_mm_castps_si128(a.hi), 31)};
  }
  // SSE2 packs signed numbers only: move 0 … 65535 to −32768 … 32767 and back. Larger ones are cut first, by a float's
  // compare-free way: the pack saturates them.
  static __m128i narrow(__m128i a, __m128i b) {
    const __m128i half = _mm_set1_epi32(32768);
    const __m128i packed = _mm_packs_epi32(_mm_sub_epi32(a, half), _mm_sub_epi32(b, half));
    return _mm_xor_si128(packed, _mm_set1_epi16(-32768));
  }
  static U16 narrow(I32 a, I32 b) { return {narrow(a.lo, b.lo), narrow(a.hi, b.hi)}; }

  template <int Group>
  static __m128i channels(__m128i masks) {
    const __m128i twice = Group < 2 ? _mm_unpacklo_epi16(masks, masks) : _mm_unpackhi_epi16(masks, masks);
    return Group % 2 == 0 ? _mm_unpacklo_epi32(twice, twice) : _mm_unpackhi_epi32(twice, twice);
  }
  template <int Group>
  static U16 channels(U16 masks) { return {channels<Group>(masks.lo), channels<Group>(masks.hi)}; }
  template <int Group>
  static __m128i channels_of_pair(__m128i masks) {
    constexpr int kAll = Group % 4 * 0x55;
    if constexpr (Group < 4) {
      const __m128i low = _mm_shufflelo_epi16(masks, kAll);
      return _mm_unpacklo_epi64(low, low);
    } else {
      const __m128i high = _mm_shufflehi_epi16(masks, kAll);
      return _mm_unpackhi_epi64(high, high);
    }
  }
  template <int Group>
  static U16 channels_of_pair(U16 masks) {
    return {channels_of_pair<Group>(masks.lo), channels_of_pair<Group>(masks.hi)};
  }
  static U16 firsts(U16 a, U16 b) { return {_mm_unpacklo_epi64(a.lo, b.lo), _mm_unpacklo_epi64(a.hi, b.hi)}; }
  static void split(U16 a, U16 b, F32& red, F32& green, F32& blue, F32& cover) {
    split(a.lo, b.lo, red.lo, green.lo, blue.lo, cover.lo);
    split(a.hi, b.hi, red.hi, green.hi, blue.hi, cover.hi);
  }
  static void split(__m128i a, __m128i b, __m128& red, __m128& green, __m128& blue, __m128& cover) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i even = _mm_unpacklo_epi16(a, b), odd = _mm_unpackhi_epi16(a, b);
    const __m128i rg = _mm_unpacklo_epi16(even, odd), bc = _mm_unpackhi_epi16(even, odd);
    red = _mm_cvtepi32_ps(_mm_unpacklo_epi16(rg, zero));
    green = _mm_cvtepi32_ps(_mm_unpackhi_epi16(rg, zero));
    blue = _mm_cvtepi32_ps(_mm_unpacklo_epi16(bc, zero));
    cover = _mm_cvtepi32_ps(_mm_unpackhi_epi16(bc, zero));
  }
  static I32 load_pixels(const u32* p) {
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 4));
    return {_mm_unpacklo_epi64(first, second), _mm_unpackhi_epi64(first, second)};
  }
  static void store_pixels(u32* p, I32 a) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm_unpacklo_epi64(a.lo, a.hi));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p + 4), _mm_unpackhi_epi64(a.lo, a.hi));
  }
  static I32 gather(const u32* table, I32 at) {
    alignas(16) i32 index[8];
    _mm_store_si128(reinterpret_cast<__m128i*>(index), at.lo);
    _mm_store_si128(reinterpret_cast<__m128i*>(index + 4), at.hi);
    alignas(16) u32 found[8];
    for (int i = 0; i < 8; ++i) found[i] = table[index[i]];
    return {_mm_load_si128(reinterpret_cast<const __m128i*>(found)),
            _mm_load_si128(reinterpret_cast<const __m128i*>(found + 4))};
  }
  static F32 gather(const float* table, I32 at) {
    const I32 bits = gather(reinterpret_cast<const u32*>(table), at);
    return {_mm_castsi128_ps(bits.lo), _mm_castsi128_ps(bits.hi)};
  }
  static void four(const __m128i* p, __m128i& a, __m128i& b, __m128i& c, __m128i& d) {
    const __m128i p0 = _mm_loadu_si128(p), p1 = _mm_loadu_si128(p + 1), p2 = _mm_loadu_si128(p + 2),
                  p3 = _mm_loadu_si128(p + 3);
    const __m128i ab01 = _mm_unpacklo_epi32(p0, p1), cd01 = _mm_unpackhi_epi32(p0, p1);
    const __m128i ab23 = _mm_unpacklo_epi32(p2, p3), cd23 = _mm_unpackhi_epi32(p2, p3);
    a = _mm_unpacklo_epi64(ab01, ab23);
    b = _mm_unpackhi_epi64(ab01, ab23);
    c = _mm_unpacklo_epi64(cd01, cd23);
    d = _mm_unpackhi_epi64(cd01, cd23);
  }
  static void eight(const void* structs, I32& a, I32& b, I32& c, I32& d) {
    const __m128i* p = static_cast<const __m128i*>(structs);
    four(p, a.lo, b.lo, c.lo, d.lo);
    four(p + 4, a.hi, b.hi, c.hi, d.hi);
  }
  static void means_of_four(F32 red, F32 green, F32 blue, float* out) {
    const __m128 zero = _mm_setzero_ps(), fourth = _mm_set1_ps(0.25f);
    const __m128 rg = _mm_add_ps(pair_sums(red.lo, green.lo), pair_sums(red.hi, green.hi));
    const __m128 b0 = _mm_add_ps(pair_sums(blue.lo, zero), pair_sums(blue.hi, zero));
    _mm_storeu_ps(out, _mm_mul_ps(_mm_shuffle_ps(rg, b0, _MM_SHUFFLE(2, 0, 2, 0)), fourth));
    _mm_storeu_ps(out + 4, _mm_mul_ps(_mm_shuffle_ps(rg, b0, _MM_SHUFFLE(3, 1, 3, 1)), fourth));
  }
  static __m128 pair_sums(__m128 a, __m128 b) {
    return _mm_add_ps(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)), _mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
  }
  static void pairs4(const float* s, F32& a, F32& b) {
    const __m128 v = _mm_loadu_ps(s);
    a = {_mm_shuffle_ps(v, v, _MM_SHUFFLE(1, 1, 0, 0)), _mm_shuffle_ps(v, v, _MM_SHUFFLE(2, 2, 1, 1))};
    b = {a.hi, _mm_shuffle_ps(v, v, _MM_SHUFFLE(3, 3, 2, 2))};
  }
  static void pairs8(const float* s, F32& a, F32& b) {
    const __m128 v = _mm_loadu_ps(s);
    const __m128 first = _mm_shuffle_ps(v, v, _MM_SHUFFLE(1, 1, 0, 0)),
                 second = _mm_shuffle_ps(v, v, _MM_SHUFFLE(2, 2, 1, 1));
    a = {first, first};
    b = {second, second};
  }
};

}  // namespace spellpool::render
