#pragma once
// cpu_lanes.hpp in plain words, for processors that are no x86: the definition of what the other two must give.
#include <cmath>
#include <cstring>

#include "render/cpu/cpu_lanes.hpp"

namespace spellpool::render {

struct Portable {
  struct U16 {
    u16 v[16];
    static U16 load(const u16* p) {
      U16 made;
      std::memcpy(made.v, p, sizeof made.v);
      return made;
    }
    void store(u16* p) const { std::memcpy(p, v, sizeof v); }
    /// Sixteen bytes of neighbouring pixels, times 64, as 16 masks.
    static U16 masks(const u8* p) {
      U16 made;
      for (int i = 0; i < 16; ++i) made.v[(i & 2) * 4 + i / 4 * 2 + (i & 1)] = static_cast<u16>(p[i] * 64);
      return made;
    }
    static U16 load_anywhere(const u16* p) { return load(p); }
    void store_anywhere(u16* p) const { store(p); }
    static U16 all(u16 x) {
      U16 made;
      for (u16& lane : made.v) lane = x;
      return made;
    }
    static U16 pixels(u64 channels) {
      U16 made;
      for (int i = 0; i < 16; ++i) made.v[i] = static_cast<u16>(channels >> (16 * (i % 4)));
      return made;
    }
    friend U16 operator+(U16 a, U16 b) { return each(a, b, [](u32 x, u32 y) { return x + y; }); }
    friend U16 operator-(U16 a, U16 b) { return each(a, b, [](u32 x, u32 y) { return x - y; }); }
    U16 operator~() const { return each(*this, *this, [](u32 x, u32) { return ~x; }); }
    U16 quarter() const { return each(*this, *this, [](u32 x, u32) { return x >> 2; }); }
    U16 times4() const { return each(*this, *this, [](u32 x, u32) { return x << 2; }); }
    U16 fourths() const {
      U16 made;
      for (int i = 0; i < 16; ++i) made.v[i] = v[i | 3];
      return made;
    }
    U16 neighbours() const {
      U16 made;
      for (int i = 0; i < 16; ++i) made.v[i] = v[i ^ 4];
      return made;
    }
    template <class F>
    static U16 each(const U16& a, const U16& b, F f) {
      U16 made;
      for (int i = 0; i < 16; ++i) made.v[i] = static_cast<u16>(f(u32{a.v[i]}, u32{b.v[i]}));
      return made;
    }
  };
  struct F32 {
    float v[8];
    static F32 load(const float* p) {
      F32 made;
      std::memcpy(made.v, p, sizeof made.v);
      return made;
    }
    void store(float* p) const { std::memcpy(p, v, sizeof v); }
    static F32 all(float x) {
      F32 made;
      for (float& lane : made.v) lane = x;
      return made;
    }
    template <class F>
    static F32 each(const F32& a, const F32& b, F f) {
      F32 made;
      for (int i = 0; i < 8; ++i) made.v[i] = f(a.v[i], b.v[i]);
      return made;
    }
    friend F32 operator+(F32 a, F32 b) { return each(a, b, [](float x, float y) { return x + y; }); }
    friend F32 operator-(F32 a, F32 b) { return each(a, b, [](float x, float y) { return x - y; }); }
    friend F32 operator*(F32 a, F32 b) { return each(a, b, [](float x, float y) { return x * y; }); }
    friend F32 operator/(F32 a, F32 b) { return each(a, b, [](float x, float y) { return x / y; }); }
  };
  struct I32 {
    u32 v[8];
    static I32 all(i32 x) {
      I32 made;
      for (u32& lane : made.v) lane = static_cast<u32>(x);
      return made;
    }
    static I32 load_anywhere(const u32* p) {
      I32 made;
      std::memcpy(made.v, p, sizeof made.v);
      return made;
    }
    void store(u32* p) const { std::memcpy(p, v, sizeof v); }
    void store_anywhere(u32* p) const { store(p); }
    I32 operator~() const { return each(*this, *this, [](u32 x, u32) { return ~x; }); }
    template <class F>
    static I32 each(const I32& a, const I32& b, F f) {
      I32 made;
      for (int i = 0; i < 8; ++i) made.v[i] = f(a.v[i], b.v[i]);
      return made;
    }
    friend I32 operator&(I32 a, I32 b) { return each(a, b, [](u32 x, u32 y) { return x & y; }); }
    friend I32 operator|(I32 a, I32 b) { return each(a, b, [](u32 x, u32 y) { return x | y; }); }
    template <int N>
    I32 left() const { return each(*this, *this, [](u32 x, u32) { return x << N; }); }
    template <int N>
    I32 right() const { return each(*this, *this, [](u32 x, u32) { return x >> N; }); }
    template <int N>
    I32 signed_right() const {
      return each(*this, *this, [](u32 x, u32) { return static_cast<u32>(static_cast<i32>(x) >> N); });
    }
  };

  static U16 add_saturated(U16 a, U16 b) {
    return U16::each(a, b, [](u32 x, u32 y) { return x + y < 65535u ? x + y : 65535u; });
  }
  static U16 multiply_high(U16 a, U16 b) { return U16::each(a, b, [](u32 x, u32 y) { return x * y >> 16; }); }
  static U16 multiply_round(U16 a, U16 b) {
    return U16::each(a, b, [](u32 x, u32 y) { return (x * y + 16384u) >> 15; });
  }
  static U16 average(U16 a, U16 b) { return U16::each(a, b, [](u32 x, u32 y) { return (x + y + 1u) >> 1; }); }
  static U16 least(U16 a, U16 b) { return U16::each(a, b, [](u32 x, u32 y) { return x < y ? x : y; }); }

  static bool all_zero(const u16* sixteen) {
    u32 all = 0;
    for (int i = 0; i < 16; ++i) all |= sixteen[i];
    return all == 0;
  }
  static float half(u16 bits) {
    const u32 size = bits & 0x7FFFu;
    const u32 real = (size > 0x03FFu ? (size << 13) + (112u << 23) : 0u) | static_cast<u32>(bits & 0x8000) << 16;
    float made;
    std::memcpy(&made, &real, sizeof made);
    return made;
  }
  static F32 halves(const u16* low, const u16* high) {
    F32 made;
    for (int i = 0; i < 4; ++i) {
      made.v[i] = half(low[i]);
      made.v[4 + i] = half(high[i]);
    }
    return made;
  }
  static F32 least(F32 a, F32 b) { return F32::each(a, b, [](float x, float y) { return x < y ? x : y; }); }
  static F32 most(F32 a, F32 b) { return F32::each(a, b, [](float x, float y) { return x > y ? x : y; }); }
  static F32 size_of(F32 a) { return F32::each(a, a, [](float x, float) { return std::fabs(x); }); }
  static F32 root(F32 a) { return F32::each(a, a, [](float x, float) { return std::sqrt(x); }); }
  static F32 real(I32 a) {
    F32 made;
    for (int i = 0; i < 8; ++i) made.v[i] = static_cast<float>(static_cast<i32>(a.v[i]));
    return made;
  }
  static I32 whole(F32 a) {
    I32 made;
    for (int i = 0; i < 8; ++i) made.v[i] = static_cast<u32>(static_cast<i32>(a.v[i]));
    return made;
  }
  static I32 below_zero(F32 a) {
    I32 made;
    for (int i = 0; i < 8; ++i) made.v[i] = std::signbit(a.v[i]) ? ~u32{0} : 0;
    return made;
  }
  static U16 narrow(I32 a, I32 b) {
    const auto cut = [](u32 lane) {
      const i32 x = static_cast<i32>(lane);
      return static_cast<u16>(x < 0 ? 0 : x < 65535 ? x : 65535);
    };
    U16 made;
    for (int i = 0; i < 4; ++i) {
      made.v[i] = cut(a.v[i]);
      made.v[4 + i] = cut(b.v[i]);
      made.v[8 + i] = cut(a.v[4 + i]);
      made.v[12 + i] = cut(b.v[4 + i]);
    }
    return made;
  }

  static u64 scaled(const u8* bytes, float r, float g, float b, float a) {
    const float scales[4] = {r, g, b, a};
    u64 made = 0;
    for (int i = 0; i < 4; ++i) {
      const float scaled = static_cast<float>(bytes[i]) * scales[i] + 0.5f;
      const float above = scaled > 0.0f ? scaled : 0.0f;
      made |= static_cast<u64>(above < 32767.0f ? above : 32767.0f) << (16 * i);
    }
    return made;
  }

  template <int Group>
  static U16 channels(U16 masks) {
    U16 made;
    for (int i = 0; i < 16; ++i) made.v[i] = masks.v[(i & 8) + 2 * Group + (i >> 2 & 1)];
    return made;
  }
  template <int Group>
  static U16 channels_of_pair(U16 masks) {
    U16 made;
    for (int i = 0; i < 16; ++i) made.v[i] = masks.v[(i & 8) + Group];
    return made;
  }
  static U16 firsts(U16 a, U16 b) {
    U16 made;
    for (int i = 0; i < 16; ++i) made.v[i] = (i & 4) == 0 ? a.v[i] : b.v[i - 4];
    return made;
  }
  static void split(U16 a, U16 b, F32& red, F32& green, F32& blue, F32& cover) {
    for (int lane = 0; lane < 8; ++lane) {
      const int pixel = kLanePixel[lane];
      const u16* at = (pixel < 4 ? a.v : b.v) + 4 * (pixel % 4);
      red.v[lane] = at[0];
      green.v[lane] = at[1];
      blue.v[lane] = at[2];
      cover.v[lane] = at[3];
    }
  }
  static I32 load_pixels(const u32* p) {
    I32 made;
    for (int lane = 0; lane < 8; ++lane) made.v[lane] = p[kLanePixel[lane]];
    return made;
  }
  static void store_pixels(u32* p, I32 a) {
    for (int lane = 0; lane < 8; ++lane) p[kLanePixel[lane]] = a.v[lane];
  }
  static I32 gather(const u32* table, I32 at) {
    I32 made;
    for (int i = 0; i < 8; ++i) made.v[i] = table[at.v[i]];
    return made;
  }
  static F32 gather(const float* table, I32 at) {
    F32 made;
    for (int i = 0; i < 8; ++i) made.v[i] = table[at.v[i]];
    return made;
  }
  static void eight(const void* structs, I32& a, I32& b, I32& c, I32& d) {
    for (int i = 0; i < 8; ++i) {
      u32 words[4];
      std::memcpy(words, static_cast<const char*>(structs) + i * 16, sizeof words);
      a.v[i] = words[0];
      b.v[i] = words[1];
      c.v[i] = words[2];
      d.v[i] = words[3];
    }
  }
  static void means_of_four(F32 red, F32 green, F32 blue, float* out) {
    const F32* channels[3] = {&red, &green, &blue};
    for (int c = 0; c < 3; ++c) {
      const float* v = channels[c]->v;
      out[c] = 0.25f * ((v[0] + v[1]) + (v[4] + v[5]));
      out[4 + c] = 0.25f * ((v[2] + v[3]) + (v[6] + v[7]));
    }
    out[3] = out[7] = 0.0f;
  }
  static void pairs4(const float* s, F32& a, F32& b) {
    a = {{s[0], s[0], s[1], s[1], s[1], s[1], s[2], s[2]}};
    b = {{s[1], s[1], s[2], s[2], s[2], s[2], s[3], s[3]}};
  }
  static void pairs8(const float* s, F32& a, F32& b) {
    a = {{s[0], s[0], s[1], s[1], s[0], s[0], s[1], s[1]}};
    b = {{s[1], s[1], s[2], s[2], s[1], s[1], s[2], s[2]}};
  }
};

}  // namespace spellpool::render
