#include "render/rune_strip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "render/gl/gl.hpp"
#include "render/view.hpp"

namespace spellpool::render {
namespace {

/// A line from a to b; a ring has its middle at a, and a radius.
struct Stroke {
  Point a, b;
  float radius = 0;
};
constexpr Stroke ring(Point middle, float radius) { return {middle, middle, radius}; }

constexpr std::array kFlame = {Stroke{{0, -0.5f}, {0, 0.5f}}, Stroke{{0, 0.5f}, {0.3f, 0.15f}},
                               Stroke{{0, 0.15f}, {-0.3f, -0.2f}}};
constexpr std::array kHearth = {Stroke{{-0.28f, -0.5f}, {-0.28f, 0.3f}}, Stroke{{0.28f, -0.5f}, {0.28f, 0.3f}},
                                Stroke{{-0.28f, 0.3f}, {0, 0.5f}}, Stroke{{0.28f, 0.3f}, {0, 0.5f}},
                                ring({0, -0.05f}, 0.11f)};
constexpr std::array kSnow = {Stroke{{0, -0.5f}, {0, 0.5f}}, Stroke{{-0.36f, -0.25f}, {0.36f, 0.25f}},
                              Stroke{{-0.36f, 0.25f}, {0.36f, -0.25f}}};
constexpr std::array kRiver = {Stroke{{-0.25f, 0.5f}, {0.15f, 0.18f}}, Stroke{{0.15f, 0.18f}, {-0.15f, -0.18f}},
                               Stroke{{-0.15f, -0.18f}, {0.25f, -0.5f}}};
constexpr std::array kMoon = {ring({0, 0.14f}, 0.26f), Stroke{{0, -0.12f}, {0, -0.5f}},
                              Stroke{{-0.22f, -0.32f}, {0.22f, -0.32f}}};
constexpr std::array kGate = {Stroke{{-0.3f, -0.5f}, {-0.3f, 0.5f}}, Stroke{{0.3f, -0.5f}, {0.3f, 0.5f}},
                              Stroke{{-0.3f, 0.22f}, {0.3f, -0.14f}}};
constexpr std::array kEye = {Stroke{{-0.38f, 0}, {0, 0.36f}}, Stroke{{0, 0.36f}, {0.38f, 0}},
                             Stroke{{0.38f, 0}, {0, -0.36f}}, Stroke{{0, -0.36f}, {-0.38f, 0}}, ring({0, 0}, 0.1f)};
constexpr std::array kTree = {Stroke{{0, -0.5f}, {0, 0.5f}}, Stroke{{0, 0.05f}, {0.32f, 0.38f}},
                              Stroke{{0, 0.05f}, {-0.32f, 0.38f}}, Stroke{{0, -0.25f}, {0.24f, 0}},
                              Stroke{{0, -0.25f}, {-0.24f, 0}}};
constexpr std::array kStorm = {Stroke{{0.2f, 0.5f}, {-0.22f, 0.02f}}, Stroke{{-0.22f, 0.02f}, {0.22f, 0.02f}},
                               Stroke{{0.22f, 0.02f}, {-0.2f, -0.5f}}};
constexpr std::array kWell = {ring({0, 0}, 0.2f), Stroke{{0, 0.2f}, {0, 0.5f}}, Stroke{{0, -0.2f}, {0, -0.5f}}};
constexpr std::array kWing = {Stroke{{-0.28f, -0.5f}, {-0.28f, 0.5f}}, Stroke{{-0.28f, 0.5f}, {0.3f, 0.22f}},
                              Stroke{{-0.28f, 0.18f}, {0.22f, -0.06f}}, Stroke{{-0.28f, -0.14f}, {0.14f, -0.34f}}};
constexpr std::array kStar = {Stroke{{0, 0.5f}, {-0.3f, -0.4f}}, Stroke{{0, 0.5f}, {0.3f, -0.4f}},
                              Stroke{{-0.38f, 0.12f}, {0.38f, 0.12f}}};
constexpr std::array<std::span<const Stroke>, kRunes> kStrokes = {kFlame, kHearth, kSnow,  kRiver, kMoon, kGate,
                                                                  kEye,   kTree,   kStorm, kWell,  kWing, kStar};

float distance(const Stroke& stroke, Point p) {
  const Point ab = {stroke.b.x - stroke.a.x, stroke.b.y - stroke.a.y}, ap = {p.x - stroke.a.x, p.y - stroke.a.y};
  if (stroke.radius > 0) return std::fabs(std::sqrt(ap.x * ap.x + ap.y * ap.y) - stroke.radius);
  const float t = std::clamp((ap.x * ab.x + ap.y * ab.y) / (ab.x * ab.x + ab.y * ab.y), 0.0f, 1.0f);
  const float x = ap.x - t * ab.x, y = ap.y - t * ab.y;
  return std::sqrt(x * x + y * y);
}

}  // namespace

std::vector<float> rune_distances() {
  std::vector<float> made;
  made.reserve(static_cast<std::size_t>(kRuneStripWidth) * kRuneSide);
  const auto place = [](int texel) { return (static_cast<float>(texel) + 0.5f) / (0.5f * kRuneSide) - 1.0f; };
  for (int row = 0; row < kRuneSide; ++row) {
    for (int column = 0; column < kRuneStripWidth; ++column) {
      const Point p = {place(column % kRuneSide), place(row)};
      float nearest = 9.0f;
      for (const Stroke& stroke : kStrokes[static_cast<std::size_t>(column / kRuneSide)])
        nearest = std::min(nearest, distance(stroke, p));
      made.push_back(nearest);
    }
  }
  return made;
}

Texture make_rune_strip(const std::vector<float>& distances) {
  std::vector<float> texels;
  texels.reserve(4 * distances.size());
  for (const float distance : distances) texels.insert(texels.end(), 4, distance);
  Texture made = make_texture(PixelFormat::Rgba16f, kRuneStripWidth, kRuneSide, Filter::Linear);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kRuneStripWidth, kRuneSide, GL_RGBA, GL_FLOAT, texels.data());
  return made;
}

}  // namespace spellpool::render
