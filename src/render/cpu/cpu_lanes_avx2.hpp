#pragma once
// cpu_lanes.hpp by AVX2. Only for the file that is compiled with it.
#include <immintrin.h>

#include "render/cpu/cpu_lanes_x86.hpp"

namespace spellpool::render {

struct Avx2 : FourLanes<Avx2> {
  struct U16 {
    __m256i v;
    static U16 load(const u16* p) { return {_mm256_load_si256(reinterpret_cast<const __m256i*>(p))}; }
    void store(u16* p) const { _mm256_store_si256(reinterpret_cast<__m256i*>(p), v); }
    static U16 load_anywhere(const u16* p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))}; }
    void store_anywhere(u16* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
    static U16 all(u16 x) { return {_mm256_set1_epi16(static_cast<short>(x))}; }
    /// The same four channels for each of four pixels.
    static U16 pixels(u64 channels) { return {_mm256_set1_epi64x(static_cast<long long>(channels))}; }
    friend U16 operator+(U16 a, U16 b) { return {_mm256_add_epi16(a.v, b.v)}; }
    friend U16 operator-(U16 a, U16 b) { return {_mm256_sub_epi16(a.v, b.v)}; }
    /// Sixteen bytes of neighbouring pixels, times 64, as 16 masks.
    static U16 masks(const u8* p) {
      const __m256i wide =
          _mm256_slli_epi16(_mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))), 6);
      return {_mm256_permutevar8x32_epi32(wide, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7))};
    }
    U16 operator~() const { return {_mm256_xor_si256(v, _mm256_set1_epi32(-1))}; }
    U16 quarter() const { return {_mm256_srli_epi16(v, 2)}; }
    U16 times4() const { return {_mm256_slli_epi16(v, 2)}; }
    /// Each pixel's fourth channel in all its channels.
    U16 fourths() const { return {_mm256_shufflehi_epi16(_mm256_shufflelo_epi16(v, 0xFF), 0xFF)}; }
    /// Four pixels, the two of each half exchanged.
    U16 neighbours() const { return {_mm256_shuffle_epi32(v, 0x4E)}; }
  };
  struct F32 {
    __m256 v;
    static F32 load(const float* p) { return {_mm256_load_ps(p)}; }
    void store(float* p) const { _mm256_store_ps(p, v); }
    static F32 all(float x) { return {_mm256_set1_ps(x)}; }
    friend F32 operator+(F32 a, F32 b) { return {_mm256_add_ps(a.v, b.v)}; }
    friend F32 operator-(F32 a, F32 b) { return {_mm256_sub_ps(a.v, b.v)}; }
    friend F32 operator*(F32 a, F32 b) { return {_mm256_mul_ps(a.v, b.v)}; }
    friend F32 operator/(F32 a, F32 b) { return {_mm256_div_ps(a.v, b.v)}; }
  };
  struct I32 {
    __m256i v;
    static I32 all(i32 x) { return {_mm256_set1_epi32(x)}; }
    static I32 load_anywhere(const u32* p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))}; }
    void store(u32* p) const { _mm256_store_si256(reinterpret_cast<__m256i*>(p), v); }
    void store_anywhere(u32* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
    I32 operator~() const { return {_mm256_xor_si256(v, _mm256_set1_epi32(-1))}; }
    friend I32 operator&(I32 a, I32 b) { return {_mm256_and_si256(a.v, b.v)}; }
    friend I32 operator|(I32 a, I32 b) { return {_mm256_or_si256(a.v, b.v)}; }
    template <int N>
    I32 left() const { return {_mm256_slli_epi32(v, N)}; }
    template <int N>
    I32 right() const { return {_mm256_srli_epi32(v, N)}; }
    /// The sign moves in.
    template <int N>
    I32 signed_right() const { return {_mm256_srai_epi32(v, N)}; }
  };

  static U16 add_saturated(U16 a, U16 b) { return {_mm256_adds_epu16(a.v, b.v)}; }
  static U16 multiply_high(U16 a, U16 b) { return {_mm256_mulhi_epu16(a.v, b.v)}; }
  /// (a·b + 2^14) >> 15, both below 2^15.
  static U16 multiply_round(U16 a, U16 b) { return {_mm256_mulhrs_epi16(a.v, b.v)}; }
  static U16 average(U16 a, U16 b) { return {_mm256_avg_epu16(a.v, b.v)}; }
  static U16 least(U16 a, U16 b) { return {_mm256_min_epu16(a.v, b.v)}; }

  static bool all_zero(const u16* sixteen) {
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sixteen));
    return _mm256_testz_si256(all, all) != 0;
  }
  /// Four half floats each for the lower and the upper lanes. Not by F16C, which keeps what is below 2^-14, and NaN.
  static F32 halves(const u16* low, const u16* high) {
    const __m128i both = _mm_unpacklo_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(low)),
                                            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(high)));
    const __m256i bits = _mm256_cvtepu16_epi32(both), size = _mm256_and_si256(bits, _mm256_set1_epi32(0x7FFF));
    const __m256i sign = _mm256_slli_epi32(_mm256_and_si256(bits, _mm256_set1_epi32(0x8000)), 16);
    const __m256i real = _mm256_add_epi32(_mm256_slli_epi32(size, 13), _mm256_set1_epi32(112 << 23));
    const __m256i there = _mm256_cmpgt_epi32(size, _mm256_set1_epi32(0x03FF));
    return {_mm256_castsi256_ps(_mm256_or_si256(sign, _mm256_and_si256(there, real)))};
  }
  static F32 least(F32 a, F32 b) { return {_mm256_min_ps(a.v, b.v)}; }
  static F32 most(F32 a, F32 b) { return {_mm256_max_ps(a.v, b.v)}; }
  static F32 size_of(F32 a) { return {_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)}; }
  static F32 root(F32 a) { return {_mm256_sqrt_ps(a.v)}; }
  static F32 real(I32 a) { return {_mm256_cvtepi32_ps(a.v)}; }
  static I32 whole(F32 a) { return {_mm256_cvttps_epi32(a.v)}; }
  /// All bits where a lane is below 0 (or −0), else none.
  static I32 below_zero(F32 a) { return {_mm256_srai_epi32(_mm256_castps_si256(a.v), 31)}; }
  /// Sixteen whole numbers, each 0 … 65535 (cut to it), as U16: a the first eight pixels, b the others.
  static U16 narrow(I32 a, I32 b) { return {_mm256_packus_epi32(a.v, b.v)}; }

  /// Four pixels of a row of 16 masks, each mask in all four channels.
  template <int Group>
  static U16 channels(U16 masks) {
    constexpr char a = static_cast<char>(4 * Group), b = static_cast<char>(a + 1), c = static_cast<char>(a + 2),
                   d = static_cast<char>(a + 3);
    return {_mm256_shuffle_epi8(masks.v, _mm256_setr_epi8(a, b, a, b, a, b, a, b, c, d, c, d, c, d, c, d, a, b, a, b, a,
                                                          b, a, b, c, d, c, d, c, d, c, d))};
  }
  /// Four pixels of a row of 32, of which two each have the mask of 16: those of group 0 … 7.
  template <int Group>
  static U16 channels_of_pair(U16 masks) {
    return {_mm256_shuffle_epi8(masks.v, _mm256_set1_epi16(static_cast<short>(2 * Group | (2 * Group + 1) << 8)))};
  }
  /// The first pixel of each half of a and b: a0 b0 of the low half, then of the high.
  static U16 firsts(U16 a, U16 b) { return {_mm256_unpacklo_epi64(a.v, b.v)}; }
  /// Eight pixels (a four, b four) as channels.
  static void split(U16 a, U16 b, F32& red, F32& green, F32& blue, F32& cover) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i even = _mm256_unpacklo_epi16(a.v, b.v), odd = _mm256_unpackhi_epi16(a.v, b.v);
    const __m256i rg = _mm256_unpacklo_epi16(even, odd), bc = _mm256_unpackhi_epi16(even, odd);
    red = {_mm256_cvtepi32_ps(_mm256_unpacklo_epi16(rg, zero))};
    green = {_mm256_cvtepi32_ps(_mm256_unpackhi_epi16(rg, zero))};
    blue = {_mm256_cvtepi32_ps(_mm256_unpacklo_epi16(bc, zero))};
    cover = {_mm256_cvtepi32_ps(_mm256_unpackhi_epi16(bc, zero))};
  }
  /// Eight pixels of 32 bits, from and to memory in their natural order.
  static I32 load_pixels(const u32* p) {
    return {_mm256_permute4x64_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)), 0xD8)};
  }
  static void store_pixels(u32* p, I32 a) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm256_permute4x64_epi64(a.v, 0xD8));
  }
  static I32 gather(const u32* table, I32 at) {
    return {_mm256_i32gather_epi32(reinterpret_cast<const int*>(table), at.v, 4)};
  }
  static F32 gather(const float* table, I32 at) { return {_mm256_i32gather_ps(table, at.v, 4)}; }
  /// Eight structs of four words, word by word, in their natural order.
  static void eight(const void* structs, I32& a, I32& b, I32& c, I32& d) {
    const __m128i* p = static_cast<const __m128i*>(structs);
    const auto pair = [p](int i) {
      return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(p + i)), _mm_loadu_si128(p + i + 4), 1);
    };
    const __m256i p0 = pair(0), p1 = pair(1), p2 = pair(2), p3 = pair(3);
    const __m256i ab01 = _mm256_unpacklo_epi32(p0, p1), cd01 = _mm256_unpackhi_epi32(p0, p1);
    const __m256i ab23 = _mm256_unpacklo_epi32(p2, p3), cd23 = _mm256_unpackhi_epi32(p2, p3);
    a = {_mm256_unpacklo_epi64(ab01, ab23)};
    b = {_mm256_unpackhi_epi64(ab01, ab23)};
    c = {_mm256_unpacklo_epi64(cd01, cd23)};
    d = {_mm256_unpackhi_epi64(cd01, cd23)};
  }
  /// Of the first four pixels of split() and of the other four the means, as red, green, blue, 0 each.
  static void means_of_four(F32 red, F32 green, F32 blue, float* out) {
    const __m128 rg = sums(red.v, green.v), b0 = sums(blue.v, _mm256_setzero_ps()), fourth = _mm_set1_ps(0.25f);
    _mm_storeu_ps(out, _mm_mul_ps(_mm_shuffle_ps(rg, b0, _MM_SHUFFLE(2, 0, 2, 0)), fourth));
    _mm_storeu_ps(out + 4, _mm_mul_ps(_mm_shuffle_ps(rg, b0, _MM_SHUFFLE(3, 1, 3, 1)), fourth));
  }
  static __m128 sums(__m256 a, __m256 b) {
    const __m256 two = _mm256_add_ps(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)),
                                     _mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
    return _mm_add_ps(_mm256_castps256_ps128(two), _mm256_extractf128_ps(two, 1));
  }
  /// Of s[0…3], the two texels on both sides of each of eight pixels, where a texel is four pixels (from half of s[0]
  /// on).
  static void pairs4(const float* s, F32& a, F32& b) {
    const __m256 four = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(s));
    a = {_mm256_permutevar8x32_ps(four, _mm256_setr_epi32(0, 0, 1, 1, 1, 1, 2, 2))};
    b = {_mm256_permutevar8x32_ps(four, _mm256_setr_epi32(1, 1, 2, 2, 2, 2, 3, 3))};
  }
  /// The same where a texel is eight pixels.
  static void pairs8(const float* s, F32& a, F32& b) {
    const __m256 four = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(s));
    a = {_mm256_permutevar8x32_ps(four, _mm256_setr_epi32(0, 0, 1, 1, 0, 0, 1, 1))};
    b = {_mm256_permutevar8x32_ps(four, _mm256_setr_epi32(1, 1, 2, 2, 1, 1, 2, 2))};
  }
};

}  // namespace spellpool::render
