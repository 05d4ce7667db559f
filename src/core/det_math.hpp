#pragma once
// Arithmetic whose result is the same bit pattern on every compiler, optimisation level and platform: IEEE + - * / and
// sqrt only, no libm transcendental functions (their last bits differ between libraries), no FMA (see
// -ffp-contract=off in cmake/compile_options.cmake).
#include <cmath>

#include "core/types.hpp"

namespace spellpool {

inline constexpr float kPi = 3.14159265358979f;
inline constexpr float kTau = 6.28318530717959f;

/// sin(turns · 2π). Any finite |turns| < 2^22; absolute error below 2e-6.
/// Odd polynomial of degree 9 on a quarter turn, least-squares fit of our own (tests/core/det_math_test.cpp checks it).
inline float sin_turns(float turns) {
  const float nearest = static_cast<float>(static_cast<i32>(turns + (turns < 0.0f ? -0.5f : 0.5f)));
  float t = turns - nearest;                           // [-0.5, 0.5]
  if (t > 0.25f) t = 0.5f - t;                         // fold to [-0.25, 0.25]
  if (t < -0.25f) t = -0.5f - t;
  const float x = t * kTau;
  const float x2 = x * x;
  float p = 2.7525562e-6f;
  p = p * x2 + -1.9840874e-4f;
  p = p * x2 + 8.3333310e-3f;
  p = p * x2 + -1.6666667e-1f;
  return x + x * x2 * p;
}
inline float cos_turns(float turns) { return sin_turns(turns + 0.25f); }

/// Angle of (x, y) in turns, [0, 1). (0, 0) gives 0. Absolute error below 2e-5 turns.
inline float atan2_turns(float y, float x) {
  const float ax = x < 0.0f ? -x : x;
  const float ay = y < 0.0f ? -y : y;
  const float big = ax > ay ? ax : ay;
  if (!(big > 0.0f)) return 0.0f;
  const float small = ax > ay ? ay : ax;
  const float q = small / big;                         // [0, 1]
  const float q2 = q * q;
  float p = 0.0208351f;
  p = p * q2 + -0.0851330f;
  p = p * q2 + 0.1801410f;
  p = p * q2 + -0.3302995f;
  p = p * q2 + 0.9998660f;
  float angle = p * q * (1.0f / kTau);                 // [0, 1/8]
  if (ay > ax) angle = 0.25f - angle;
  if (x < 0.0f) angle = 0.5f - angle;
  if (y < 0.0f) angle = 1.0f - angle;
  return angle >= 1.0f ? 0.0f : angle;
}

inline float length(float x, float y) { return std::sqrt(x * x + y * y); }
inline constexpr float clamp01(float x) { return x < 0.0f ? 0.0f : (x > 1.0f ? 1.0f : x); }
inline constexpr float lerp(float a, float b, float t) { return a + (b - a) * t; }
inline constexpr float smooth(float t) { return t * t * (3.0f - 2.0f * t); }

/// Sets the SSE control word to the reference state (round to nearest, no exceptions, denormals kept) and puts the
/// caller's back at the end. World::step and Mixer::render each hold one, since drivers and plugins change it.
class FloatControlScope {
 public:
  enum class Denormals : u8 { Keep, FlushToZero };
#if defined(__SSE2__)
  explicit FloatControlScope(Denormals denormals = Denormals::Keep) : saved_(__builtin_ia32_stmxcsr()) {
    __builtin_ia32_ldmxcsr(denormals == Denormals::Keep ? 0x1f80u : 0x9fc0u);
  }
  ~FloatControlScope() { __builtin_ia32_ldmxcsr(saved_); }
#else
  explicit FloatControlScope(Denormals = Denormals::Keep) {}
#endif
  FloatControlScope(const FloatControlScope&) = delete;
  FloatControlScope& operator=(const FloatControlScope&) = delete;

 private:
  [[maybe_unused]] u32 saved_ = 0;
};

}  // namespace spellpool
