#include "render/dust.hpp"

#include <algorithm>

namespace spellpool::render {
namespace {

constexpr float kTurn = 6.2831853f;

/// A number in [0, 1) for a mote and one of its properties.
float chance(u32 mote, u32 property) {
  u32 h = mote * 0x9E3779B1u ^ (property + 1) * 0x85EBCA77u;
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12;
  h *= 0x297A2D39u;
  h ^= h >> 15;
  return static_cast<float>(h >> 8) * (1.0f / 16777216.0f);
}

float eased(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}
float mix(float a, float b, float t) { return a + (b - a) * t; }

}  // namespace

void place_dust(const View& view, float time_s, float finale, bool garden, std::array<DustDot, kDustDots>& dots) {
  const float box[2] = {2.0f * view.half_width() + 40.0f, 2.0f * view.half_height() + 40.0f};
  const float camera[2] = {view.centre_x, view.centre_y};
  const float wheel = 0.30f * finale * finale * (3.0f - 2.0f * finale);
  for (u32 i = 0; i < kDustDots; ++i) {
    const float own[4] = {chance(i, 0), chance(i, 1), chance(i, 2), chance(i, 3)};
    const float depth = 0.25f + 0.75f * own[2];  // 1 moves with the ground, less is farther away.
    const float way[2] = {1.6f * (own[3] - 0.3f), -2.2f * own[2]};
    float world[2];
    for (int axis = 0; axis < 2; ++axis) {
      const float drift = time_s * way[axis] + 6.0f * std::sin(time_s * 0.21f + own[axis] * kTurn);
      const float turns = own[axis] + (drift - camera[axis] * depth) / box[axis];
      world[axis] = camera[axis] + (turns - std::floor(turns) - 0.5f) * box[axis];
    }
    float radius = std::hypot(world[0], world[1]);
    const float outside = garden ? 0.0f : eased(318.0f, 372.0f, radius);
    if (wheel > 0.0f && outside > 0.0f) {
      const float c = std::cos(wheel), s = std::sin(wheel);
      const float turned[2] = {c * world[0] - s * world[1], s * world[0] + c * world[1]};
      for (int axis = 0; axis < 2; ++axis) world[axis] = mix(world[axis], turned[axis], outside);
    }
    // Few are large, most are small and faint.
    const float grade = chance(i, 4), large = eased(0.90f, 1.0f, grade);
    const float twinkle = 0.60f + 0.40f * std::sin(time_s * (0.6f + 1.9f * own[3]) + kTurn * own[0]);
    const float warm[3] = {1.0f, 0.82f, 0.66f}, cold[3] = {0.55f, 0.62f, 1.0f}, plain[3] = {0.80f, 0.87f, 1.0f};
    const float* hue = own[2] > 0.74f ? warm : own[2] < 0.25f ? cold : plain;
    const float star = mix(0.08f + 0.40f * grade * grade, 0.90f, large) * (1.0f + 0.7f * finale) * outside * twinkle;
    dots[i] = {world[0], world[1], mix(mix(1.5f, 2.3f, own[3]), 5.2f, large * outside),
               hue[0] * star, hue[1] * star, hue[2] * star, 0.80f * twinkle * own[3] * (1.0f - outside)};
  }
}

}  // namespace spellpool::render
