#pragma once
// Arithmetic whose result is the same bit pattern on every compiler, optimisation level and platform: IEEE + - * / and
// sqrt only, no libm transcendental functions (their last bits differ between libraries), no FMA (see
// -ffp-contract=off in cmake/compile_options.cmake).
#include <cmath>

#include "core/types.hpp"

namespace spellpool {

inline constexpr float kPi = 3.14159265358979f;

/// sin(turns · 2π) for |turns| ≤ 1/4; absolute error below 3e-7.
/// Odd polynomial of degree 9 in turns, a minimax fit of our own (Remez exchange, double precision).
inline float sin_quarter(float turns) {
  const float t2 = turns * turns;
  float p = 39.536707f;
  p = p * t2 + -76.549782f;
  p = p * t2 + 81.601004f;
  p = p * t2 + -41.341655f;
  p = p * t2 + 6.2831852f;
  return p * turns;
}
/// sin(turns · 2π). |turns| < 2^22; absolute error below 3e-7.
inline float sin_turns(float turns) {
  const float nearest = static_cast<float>(static_cast<i32>(turns + (turns < 0.0f ? -0.5f : 0.5f)));
  const float part = turns - nearest;                  // [-0.5, 0.5]
  const float half = part < 0.0f ? -0.5f : 0.5f;
  const float size = part < 0.0f ? -part : part;
  const float other = half - part;
  return sin_quarter(size > 0.25f ? other : part);     // folded to [-0.25, 0.25]; selected, not branched on: angles are random
}
/// cos(turns · 2π). turns + 0.25 rounds, so the error grows with |turns|: below 2e-6 within ±4 turns.
inline float cos_turns(float turns) { return sin_turns(turns + 0.25f); }

/// Angle of (x, y) in turns, [0, 1). (0, 0) gives 0. Absolute error below 4e-7 turns.
/// Odd polynomial of degree 11 on an eighth of a turn, fitted in the same way.
inline float atan2_turns(float y, float x) {
  const float ax = x < 0.0f ? -x : x;
  const float ay = y < 0.0f ? -y : y;
  const float big = ax > ay ? ax : ay;
  if (!(big > 0.0f)) return 0.0f;
  const float small = ax > ay ? ay : ax;
  const float q = small / big;                         // [0, 1]
  const float q2 = q * q;
  float p = -0.0018651588f;
  p = p * q2 + 0.0083790873f;
  p = p * q2 + -0.018529851f;
  p = p * q2 + 0.030802907f;
  p = p * q2 + -0.052938567f;
  p = p * q2 + 0.15915132f;
  float angle = p * q;                                 // [0, 1/8]
  if (ay > ax) angle = 0.25f - angle;
  if (x < 0.0f) angle = 0.5f - angle;
  if (y < 0.0f) angle = 1.0f - angle;
  return angle >= 1.0f ? 0.0f : angle;
}

/// The shorter way from one direction to another, −0.5 … 0.5 turns.
inline float turns_between(float from, float to) {
  const float off = to - from;
  return off - static_cast<float>(static_cast<i32>(off + (off < 0.0f ? -0.5f : 0.5f)));
}

inline float length(float x, float y) { return std::sqrt(x * x + y * y); }
inline constexpr float clamp01(float x) { return x < 0.0f ? 0.0f : (x > 1.0f ? 1.0f : x); }
inline constexpr float lerp(float a, float b, float t) { return a + (b - a) * t; }
inline constexpr float smooth(float t) { return t * t * (3.0f - 2.0f * t); }

/// How near, squared, a point comes to (0, 0) on its way from (x, y) by (dx, dy): swept collision, seen by one of the
/// two.
inline float least_distance2(float x, float y, float dx, float dy) {
  const float way2 = dx * dx + dy * dy;
  const float t = way2 > 0.0f ? clamp01(-(x * dx + y * dy) / way2) : 0.0f;
  const float nearest_x = x + dx * t, nearest_y = y + dy * t;
  return nearest_x * nearest_x + nearest_y * nearest_y;
}

/// Sets the SSE control word to the reference state (round to nearest, no exceptions, denormals kept) and puts the
/// caller's back at the end. World::step and Mixer::render each hold one, since drivers and plugins change it.
/// WebAssembly has SSE2's instructions and no control word: its floats are always in that state, and never flush
/// denormals.
class FloatControlScope {
 public:
  enum class Denormals : u8 { Keep, FlushToZero };
#if defined(__SSE2__) && !defined(__wasm__)
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
