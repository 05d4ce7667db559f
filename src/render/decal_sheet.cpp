#include "render/decal_sheet.hpp"

#include <algorithm>
#include <cmath>

#include "core/rng.hpp"
#include "render/cpu/shader_noise.hpp"

namespace spellpool::render {
namespace {

using shader::noise, shader::smooth;

constexpr float kTurn = 6.2831853f;

struct Texel {
  float dark = 0, hot = 0;
};

/// Soot that thins out in rays, with embers in its middle. `seed` moves the noise.
Texel scorch(float x, float y, float seed) {
  const float r = std::hypot(x, y), along = r > 0.0f ? 1.0f / r : 0.0f;
  const float ragged = noise(x * along * 2.2f + seed, y * along * 2.2f - seed);
  const float reach = 0.46f + 0.40f * ragged;
  const float rays = smooth(0.46f, 0.86f, noise(x * along * 6.5f - seed, y * along * 6.5f + seed));
  const float mottled = 0.62f * noise(x * 5.0f + seed, y * 5.0f + seed) + 0.38f * noise(x * 13.0f - seed, y * 13.0f);
  const float soot = (1.0f - smooth(0.18f * reach, reach, r)) * (0.62f + 0.42f * mottled);
  const float streak = rays * (1.0f - smooth(0.30f, 0.96f, r)) * 0.50f;
  const float ash = smooth(0.60f, 0.75f, mottled) * (1.0f - smooth(0.05f, 0.34f, r)) * 0.35f;
  Texel texel;
  texel.dark = std::max(0.0f, std::max(soot, streak) - ash);
  texel.hot =
      smooth(0.52f, 0.74f, noise(x * 11.0f + 2.0f * seed, y * 11.0f)) * (1.0f - smooth(0.12f, 0.58f * reach + 0.1f, r));
  return texel;
}

struct Stroke {
  float ax, ay, bx, by, wide;
};

/// Arms that run outward from a burst stone, and branch.
std::vector<Stroke> crack_strokes(u64 seed) {
  Rng rng(mix64(seed));
  std::vector<Stroke> strokes;
  const auto run = [&](auto&& self, float x, float y, float heading, float wide, int steps) -> void {
    for (int i = 0; i < steps; ++i) {
      heading += rng.signed_unit() * 0.085f;
      const float far = rng.range(0.10f, 0.19f);
      const float to_x = x + std::cos(heading * kTurn) * far, to_y = y + std::sin(heading * kTurn) * far;
      if (std::hypot(to_x, to_y) > 0.93f) return;
      strokes.push_back({x, y, to_x, to_y, wide});
      x = to_x;
      y = to_y;
      wide *= 0.78f;
      const float forks = rng.unit(), side = rng.unit() < 0.5f ? -1.0f : 1.0f;
      if (forks < 0.42f && i > 0)
        self(self, x, y, heading + side * rng.range(0.09f, 0.17f), wide * 0.75f, steps - i - 1);
    }
  };
  const int arms = 6 + static_cast<int>(rng.below(3));
  for (int arm = 0; arm < arms; ++arm) {
    const float heading = (static_cast<float>(arm) + 0.6f * rng.signed_unit()) / static_cast<float>(arms);
    run(run, 0.05f * std::cos(heading * kTurn), 0.05f * std::sin(heading * kTurn), heading, 0.040f, 6);
  }
  return strokes;
}

Texel crack(float x, float y, float seed, const std::vector<Stroke>& strokes) {
  const float r = std::hypot(x, y);
  float line = 0.0f, core = 0.0f;
  for (const Stroke& s : strokes) {
    const float dx = s.bx - s.ax, dy = s.by - s.ay;
    const float t = std::clamp(((x - s.ax) * dx + (y - s.ay) * dy) / (dx * dx + dy * dy), 0.0f, 1.0f);
    const float d = std::hypot(x - s.ax - dx * t, y - s.ay - dy * t);
    line = std::max(line, 1.0f - smooth(0.35f * s.wide, 0.35f * s.wide + 0.022f, d));
    core = std::max(core, 1.0f - smooth(0.15f * s.wide, 0.40f * s.wide + 0.012f, d));
  }
  const float ragged = noise(x * 3.4f + seed, y * 3.4f - seed);
  const float crushed = (1.0f - smooth(0.04f, 0.16f + 0.26f * ragged, r)) * 0.8f;
  const float dust =
      (1.0f - smooth(0.15f, 0.55f + 0.35f * ragged, r)) * (0.22f + 0.30f * noise(x * 9.0f - seed, y * 9.0f));
  Texel texel;
  texel.dark = std::max({line * 0.92f, crushed, dust});
  texel.hot = std::max(core * (1.0f - smooth(0.35f, 0.92f, r)), 0.5f * (1.0f - smooth(0.0f, 0.16f, r)));
  return texel;
}

}  // namespace

std::vector<u16> decal_sheet_texels() {
  constexpr int kWidth = kDecalSide * kDecalLooks;
  std::vector<u16> texels(static_cast<std::size_t>(kWidth) * kDecalSide);
  for (int look = 0; look < kDecalLooks; ++look) {
    const bool cracked = look / frame::kDecalVariants == static_cast<int>(frame::DecalKind::Crack);
    const float seed = 17.0f + 7.3f * static_cast<float>(look);
    const std::vector<Stroke> strokes = cracked ? crack_strokes(static_cast<u64>(look)) : std::vector<Stroke>{};
    for (int row = 0; row < kDecalSide; ++row) {
      for (int column = 0; column < kDecalSide; ++column) {
        const float x = (static_cast<float>(column) + 0.5f) * (2.0f / kDecalSide) - 1.0f;
        const float y = (static_cast<float>(row) + 0.5f) * (2.0f / kDecalSide) - 1.0f;
        const float within = 1.0f - smooth(0.90f, 0.97f, std::hypot(x, y));
        if (within <= 0.0f) continue;
        const Texel made = cracked ? crack(x, y, seed, strokes) : scorch(x, y, seed);
        const auto byte = [&](float part) {
          return static_cast<u32>(std::clamp(part * within, 0.0f, 1.0f) * 255.0f + 0.5f);
        };
        texels[static_cast<std::size_t>(row * kWidth + look * kDecalSide + column)] =
            static_cast<u16>(byte(made.dark) | byte(made.hot) << 8);
      }
    }
  }
  return texels;
}

Texture make_decal_sheet(const std::vector<u16>& texels) {
  std::vector<u8> rgba(texels.size() * 4);
  for (std::size_t i = 0; i < texels.size(); ++i) {
    rgba[4 * i] = static_cast<u8>(texels[i]);
    rgba[4 * i + 1] = static_cast<u8>(texels[i] >> 8);
  }
  Texture made = make_texture(PixelFormat::Rgba8, kDecalSide * kDecalLooks, kDecalSide, Filter::Linear);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kDecalSide * kDecalLooks, kDecalSide, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  return made;
}

bool is_seen(const frame::DecalInstance& decal) {
  const float sum =
      decal.x + decal.y + decal.radius + decal.shown + decal.glow_r + decal.glow_g + decal.glow_b + decal.turn;
  return std::isfinite(sum) && decal.radius > 0.0f && decal.shown > 0.0f && decal.look >= 0.0f &&
         decal.look < static_cast<float>(kDecalLooks);
}

}  // namespace spellpool::render
