#include "core/det_math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace spellpool {
namespace {

constexpr double kExactTau = 6.283185307179586476925;

u32 bits(float value) { return std::bit_cast<u32>(value); }

double worst_sine_error(double low, double high, u32 samples) {
  double worst = 0.0;
  for (u32 i = 0; i <= samples; ++i) {
    const float turns = static_cast<float>(low + (high - low) * i / samples);
    const double exact = std::sin(kExactTau * std::fmod(static_cast<double>(turns), 1.0));
    worst = std::max(worst, std::abs(static_cast<double>(sin_turns(turns)) - exact));
  }
  return worst;
}

// The bounds are those of det_math.hpp.
TEST(DetMath, SineIsWithinItsStatedBound) {
  EXPECT_LT(worst_sine_error(-0.5, 0.5, 400'000), 3e-7);
  EXPECT_LT(worst_sine_error(-20.0, 20.0, 400'000), 3e-7);
  EXPECT_LT(worst_sine_error(-5'000.0, 5'000.0, 400'000), 3e-7);
  EXPECT_LT(worst_sine_error(-4'194'303.0, 4'194'303.0, 400'000), 3e-7);
}

TEST(DetMath, SineNeverLeavesTheUnitInterval) {
  for (u32 i = 0; i <= 200'000; ++i) {
    const float s = sin_turns(static_cast<float>(i) / 100'000.0f - 1.0f);
    ASSERT_LE(std::abs(s), 1.0f) << i;
  }
}

// Adding the quarter turn rounds the argument: up to half a unit in its last place.
TEST(DetMath, CosineIsWithinTheBoundOverTheTurnsThatDirectionsUse) {
  double worst = 0.0;
  for (i32 i = -400'000; i <= 400'000; ++i) {
    const float turns = static_cast<float>(i) / 100'000.0f;
    worst = std::max(worst, std::abs(static_cast<double>(cos_turns(turns)) - std::cos(kExactTau * static_cast<double>(turns))));
  }
  EXPECT_LT(worst, 2e-6);
}

TEST(DetMath, ArcTangentIsWithinItsStatedBoundAndInsideOneTurn) {
  double worst = 0.0;
  for (u32 i = 0; i < 400'000; ++i) {
    const double turn = i / 400'000.0;
    for (const double radius : {1e-12, 0.37, 900.0, 1e12}) {
      const float x = static_cast<float>(radius * std::cos(kExactTau * turn));
      const float y = static_cast<float>(radius * std::sin(kExactTau * turn));
      double exact = std::atan2(static_cast<double>(y), static_cast<double>(x)) / kExactTau;
      if (exact < 0.0) exact += 1.0;
      const float got = atan2_turns(y, x);
      ASSERT_GE(got, 0.0f);
      ASSERT_LT(got, 1.0f);
      double error = std::abs(static_cast<double>(got) - exact);
      if (error > 0.5) error = 1.0 - error;  // 0 and almost 1 are neighbours
      worst = std::max(worst, error);
    }
  }
  EXPECT_LT(worst, 4e-7);
}

TEST(DetMath, ArcTangentOfNothingIsZero) {
  EXPECT_EQ(atan2_turns(0.0f, 0.0f), 0.0f);
  EXPECT_EQ(atan2_turns(-0.0f, -0.0f), 0.0f);
  EXPECT_EQ(atan2_turns(-std::numeric_limits<float>::denorm_min(), 1.0f), 0.0f);  // would round to a whole turn
}

// Another compiler, optimisation level or platform must give these very bits.
TEST(DetMath, SineAndCosineBitsArePinned) {
  struct Row {
    float turns;
    u32 sine, cosine;
  };
  constexpr Row kRows[] = {
      {0.0f, 0x00000000u, 0x3f7fffffu}, {0.1f, 0x3f167918u, 0x3f4f1bbdu},
      {-0.1f, 0xbf167918u, 0x3f4f1bbdu}, {0.25f, 0x3f7fffffu, 0x00000000u},
      {0.333f, 0x3f5df858u, 0xbeff121fu}, {-0.77f, 0x3f7dfb3bu, 0x3e005753u},
      {12.345f, 0x3f53bb7du, 0xbf0fe4c9u}, {-1000.4f, 0xbf1670f6u, 0xbf4f21a5u},
      {4194303.5f, 0x00000000u, 0xbf7fffffu}, {0.49999997f, 0x00000000u, 0xbf7fffffu},
  };
  for (const Row& row : kRows) {
    volatile float turns = row.turns;  // not folded by the compiler
    EXPECT_EQ(bits(sin_turns(turns)), row.sine) << row.turns;
    EXPECT_EQ(bits(cos_turns(turns)), row.cosine) << row.turns;
  }
}

TEST(DetMath, ArcTangentBitsArePinned) {
  struct Row {
    float y, x;
    u32 turns;
  };
  constexpr Row kRows[] = {
      {1.0f, 1.0f, 0x3dffffdcu}, {-1.0f, 1.0f, 0x3f600004u},
      {-1.0f, -1.0f, 0x3f1ffffcu}, {1.0f, -1.0f, 0x3ec00009u},
      {0.0f, 1.0f, 0x00000000u}, {1.0f, 0.0f, 0x3e800000u},
      {-1.0f, 0.0f, 0x3f400000u}, {0.3f, -2.5f, 0x3ef644a8u},
      {-7.25f, 0.125f, 0x3f40b3d0u}, {1e-20f, 1e-19f, 0x3c81f213u},
  };
  for (const Row& row : kRows) {
    volatile float y = row.y, x = row.x;
    EXPECT_EQ(bits(atan2_turns(y, x)), row.turns) << row.y << ' ' << row.x;
  }
  volatile float x = 3.3f, y = -4.7f;
  EXPECT_EQ(bits(length(x, y)), 0x40b7c531u);
  EXPECT_EQ(bits(lerp(x, y, 0.3f)), 0x3f666664u);
}

#if defined(__SSE2__)
u32 control_word() { return __builtin_ia32_stmxcsr(); }

TEST(FloatControlScope, PutsTheCallersStateBack) {
  const u32 before = control_word();
  const u32 odd = 0x1f80u | 0x8040u | 0x6000u;  // flush to zero, denormals are zero, round toward zero
  __builtin_ia32_ldmxcsr(odd);
  {
    const FloatControlScope scope;
    EXPECT_EQ(control_word() & 0xffc0u, 0x1f80u);
    {
      const FloatControlScope inner(FloatControlScope::Denormals::FlushToZero);
      EXPECT_EQ(control_word() & 0x8040u, 0x8000u | (0x9fc0u & 0x40u));
    }
    EXPECT_EQ(control_word() & 0xffc0u, 0x1f80u);
  }
  const u32 after = control_word();
  __builtin_ia32_ldmxcsr(before);
  EXPECT_EQ(after, odd);
}

TEST(FloatControlScope, KeepsDenormalsByDefaultAndFlushesThemOnRequest) {
  volatile float tiny = 1e-38f;
  volatile float factor = 0.01f;
  {
    const FloatControlScope scope;
    volatile float product = tiny * factor;
    EXPECT_NE(product, 0.0f);
  }
  {
    const FloatControlScope scope(FloatControlScope::Denormals::FlushToZero);
    volatile float product = tiny * factor;
    EXPECT_EQ(product, 0.0f);
  }
}
#endif

}  // namespace
}  // namespace spellpool
