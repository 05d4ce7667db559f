#pragma once
// What shaders/noise.glsl and GLSL itself offer, for passes that the CPU renderer computes as the shaders do.
// Without calls, so that loops over them can be made vectors of.

namespace spellpool::render::shader {

/// smoothstep() of GLSL. What is no number counts as `from`.
inline float smooth(float from, float to, float x) {
  const float part = (x - from) * (1.0f / (to - from)), above = part > 0.0f ? part : 0.0f;
  const float t = above < 1.0f ? above : 1.0f;
  return t * t * (3.0f - 2.0f * t);
}

/// Of numbers that an int can hold. SSE2 has no instruction for it: this is no call, and can be made vectors of.
inline float floor_of(float x) {
  const float cut = static_cast<float>(static_cast<int>(x));
  return cut > x ? cut - 1.0f : cut;
}
inline float fraction(float x) { return x - floor_of(x); }

// shaders/noise.glsl, in its order: the last digits of its products are the noise.
inline float hash(float x, float y) {
  float a = fraction(x * 0.1031f), b = fraction(y * 0.1030f), c = fraction(x * 0.0973f);
  const float all = a * (b + 33.33f) + b * (c + 33.33f) + c * (a + 33.33f);
  a += all;
  b += all;
  c += all;
  return fraction((a + b) * c);
}

inline float noise(float x, float y) {
  const float i = floor_of(x), j = floor_of(y);
  const auto eased = [](float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); };
  const float s = eased(x - i), t = eased(y - j);
  const float upper = hash(i, j) * (1.0f - s) + hash(i + 1.0f, j) * s;
  const float lower = hash(i, j + 1.0f) * (1.0f - s) + hash(i + 1.0f, j + 1.0f) * s;
  return upper * (1.0f - t) + lower * t;
}

}  // namespace spellpool::render::shader
