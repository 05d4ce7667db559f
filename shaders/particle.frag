#include "particle.glsl"
// One mask for each shape, over -1 to 1 both ways.
uniform sampler2D u_noise;
flat in uint v_shape;
flat in vec4 v_colour;
flat in vec3 v_axis;
in vec2 v_corner;
layout(location = 0) out vec4 o_colour;

// A small sharp core in a soft halo.
float glow(vec2 p) {
  float d2 = dot(p, p);
  float halo = max(0.0, 1.0 - d2);
  float core = max(0.0, 1.0 - 9.0 * d2);
  return 0.22 * halo * halo * halo + core * (2.0 - core);
}

// A streak along the motion: thin, brightest near its head.
float spark(vec2 p) {
  float along = dot(p, v_axis.xy);
  float across = (p.y * v_axis.x - p.x * v_axis.y) / v_axis.z;
  float body = 1.0 - v_axis.z;  // Half length of the straight part.
  float over = max(0.0, abs(along) - body) / v_axis.z;
  float d2 = across * across + over * over;
  float taper = 0.30 + 0.70 * clamp(0.5 + 0.5 * along, 0.0, 1.0);
  float halo = max(0.0, 1.0 - d2);
  float core = max(0.0, 1.0 - 8.0 * d2 / (taper * taper));
  return (0.20 * halo * halo + core * (2.0 - core)) * taper * taper;
}

// A thin diamond with a bright edge on one side, as a splinter of ice has.
float shard(vec2 p) {
  float along = dot(p, v_axis.xy);
  float across = p.y * v_axis.x - p.x * v_axis.y;
  float inside = 1.0 - abs(along) * 1.05 - abs(across) * 3.6;
  float body = clamp(inside * 4.0, 0.0, 1.0);
  float facet = clamp(0.725 + 8.0 * across, 0.45, 1.0);  // Soft, so that a last bit does not choose the side.
  float halo = max(0.0, 1.0 - dot(p, p));
  return 0.72 * body * (facet + 0.5 * max(0.0, inside)) + 0.10 * halo * halo * halo;
}

// A four-point star with a soft halo.
float star(vec2 p) {
  vec2 q = abs(vec2(dot(p, v_axis.xy), p.y * v_axis.x - p.x * v_axis.y));
  vec2 thin = max(vec2(0.0), 1.0 - q.yx * (6.0 + 9.0 * q));
  vec2 reach = max(vec2(0.0), 1.0 - q);
  vec2 ray = thin * thin * reach;
  float d2 = dot(p, p);
  float halo = max(0.0, 1.0 - d2);
  float core = max(0.0, 1.0 - 18.0 * d2);
  return ray.x + ray.y + core + 0.14 * halo * halo * halo;
}

// A soft puff, broken up by baked noise that turns with the particle. The noise has one level of detail, said here
// because a read inside a branch has no derivatives to find it by.
float smoke(vec2 p) {
  vec2 turned = vec2(p.x * v_axis.x - p.y * v_axis.y, p.x * v_axis.y + p.y * v_axis.x);
  float n = textureLod(u_noise, turned * 0.22 + v_axis.yx * 0.37, 0.0).r;
  float round_part = max(0.0, 1.0 - dot(p, p));
  float mask = clamp(round_part * (0.35 + 1.5 * n) - 0.18 * (1.0 - round_part), 0.0, 1.0);
  return mask * mask * (3.0 - 2.0 * mask);
}

void main() {
  float mask;
  switch (v_shape) {
    case kGlow: mask = glow(v_corner); break;
    case kSpark: mask = spark(v_corner); break;
    case kShard: mask = shard(v_corner); break;
    case kStar: mask = star(v_corner); break;
    default: mask = smoke(v_corner); break;
  }
  // Where rays cross a mask is more than 1. Matter covers no more than all, and gives no more of itself than on the
  // processor, whose masks for it end at 2.
  if (v_colour.a > 0.0) mask = min(mask, 2.0);
  o_colour = vec4(v_colour.rgb * mask, min(v_colour.a * mask, 1.0));
}
