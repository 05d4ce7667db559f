#include "render/cpu/smoke_noise.hpp"

#include <algorithm>


namespace spellpool::render {
namespace {

constexpr u32 kSide = kNoiseSide;

float lattice(u32 x, u32 y, u32 octave) {
  u32 h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ octave * 0xC2B2AE3Du;
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 13;
  return static_cast<float>(h & 0xFFFFu) / 65535.0f;
}

float octave_at(u32 x, u32 y, u32 octave, u32 cells) {
  const float u = static_cast<float>(x * cells) / kSide;
  const float v = static_cast<float>(y * cells) / kSide;
  const u32 i = static_cast<u32>(u);
  const u32 j = static_cast<u32>(v);
  const auto ease = [](float t) { return t * t * (3.0f - 2.0f * t); };
  const float s = ease(u - static_cast<float>(i));
  const float t = ease(v - static_cast<float>(j));
  const u32 i1 = (i + 1) % cells;
  const u32 j1 = (j + 1) % cells;
  const float top = lattice(i, j, octave) * (1 - s) + lattice(i1, j, octave) * s;
  const float bottom = lattice(i, j1, octave) * (1 - s) + lattice(i1, j1, octave) * s;
  return top * (1 - t) + bottom * t;
}

}  // namespace

std::array<u8, kNoiseSide * kNoiseSide> smoke_noise_texels() {
  std::array<u8, kSide * kSide> texels{};
  for (u32 y = 0; y < kSide; ++y) {
    for (u32 x = 0; x < kSide; ++x) {
      float sum = 0.0f;
      float weight = 0.5f;
      for (u32 octave = 0; octave < 4; ++octave) {
        sum += weight * octave_at(x, y, octave, 4u << octave);
        weight *= 0.5f;
      }
      const float value = std::clamp((sum / 0.9375f - 0.5f) * 1.7f + 0.5f, 0.0f, 1.0f);
      texels[y * kSide + x] = static_cast<u8>(value * 255.0f + 0.5f);
    }
  }
  return texels;
}

Texture make_smoke_noise() {
  const auto values = smoke_noise_texels();
  std::array<u8, kSide * kSide * 4> texels{};
  for (std::size_t i = 0; i < values.size(); ++i) std::fill_n(texels.data() + 4 * i, 4, values[i]);
  Texture made = make_texture(PixelFormat::Rgba8, kSide, kSide, Filter::Linear);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
  return made;
}

}  // namespace spellpool::render
