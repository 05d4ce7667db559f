#include "frame.glsl"
// Lightning from a_place to p0, p1: six strips of 25 points in one. The first is a wide, smoother halo, the second the
// main stroke, the others its forks. The jags are made here, so that a fragment only fades across its strip.
layout(location = 0) in vec4 a_place;
layout(location = 1) in vec2 a_size;   // x width in units, y seed of the branches
layout(location = 2) in vec3 a_state;  // xy where it ends, z age 0 to 1
layout(location = 3) in vec3 a_tint;
out vec3 v_across;      // x across, y beyond the end, both in half widths of the strip; z brightness along it
flat out vec3 v_arc;    // x 1 on the wide halo, y age
flat out vec3 v_tint;
out vec2 v_core;        // x half width of the core, y one pixel, both in half widths of the strip

const int kPoints = 25;
const float kLast = 24.0;

float chance(uint a, uint b) {
  uint h = a * 0x9E3779B1u ^ b * 0x85EBCA77u;
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12;
  h *= 0x297A2D39u;
  h ^= h >> 15;
  return float(h & 0xFFFFu) / 32767.5 - 1.0;
}

// A random line with a corner at every whole number.
float jagged(float t, uint seed) {
  float cell = floor(t);
  uint i = uint(int(cell) + 8);
  return mix(chance(i, seed), chance(i + 1u, seed), t - cell);
}

// How far point i of 25 stands off the straight line, in units of the sway; `smooth_only` leaves the fine jags out.
float off_line(float i, uint seed, bool smooth_only) {
  float sum = 0.95 * jagged(i / 8.0, seed) + 0.62 * jagged(i / 3.0, seed + 17u);
  if (!smooth_only) sum += 0.36 * jagged(i / 1.5, seed + 41u) + 0.24 * jagged(i, seed + 73u);
  return sum;
}

struct Stroke {
  vec2 from, along, aside;  // In units.
  float sway;
  uint seed;
  bool fork, smooth_only;
};

vec2 point_of(Stroke s, float i) {
  float t = i / kLast;
  float step_aside = s.fork ? 0.0 : 0.30 * chance(uint(int(i) + 3), s.seed + 97u) * min(i, kLast - i) / kLast;
  float hold = s.fork ? smoothstep(0.0, 0.25, t) : smoothstep(0.0, 0.16, t) * (1.0 - smoothstep(0.84, 1.0, t));
  return s.from + s.along * (t + step_aside / kLast) + s.aside * (s.sway * hold * off_line(i, s.seed, s.smooth_only));
}

void main() {
  int strip = gl_VertexID / (2 * kPoints + 2);
  int local = clamp(gl_VertexID - strip * (2 * kPoints + 2) - 1, 0, 2 * kPoints - 1);
  float i = float(local >> 1);
  float side = (local & 1) == 0 ? -1.0 : 1.0;

  vec2 start = mix(a_place.zw, a_place.xy, u_camera.w);
  vec2 whole = a_state.xy - start;
  float length_u = max(length(whole), 0.001);
  vec2 ahead = whole / length_u;
  float age = clamp(a_state.z, 0.0, 1.0);
  uint seed = uint(int(fract(a_size.y) * 4093.0)) * 131u + (age < 0.10 ? 7u : 0u);  // It strikes twice.

  Stroke main_stroke;
  main_stroke.from = start;
  main_stroke.along = whole;
  main_stroke.aside = vec2(-ahead.y, ahead.x);
  main_stroke.sway = min(0.085 * length_u, 17.0) * (1.0 + 0.25 * age);  // The trail drifts apart.
  main_stroke.seed = seed;
  main_stroke.fork = false;
  main_stroke.smooth_only = strip == 0;
  Stroke s = main_stroke;
  float tall = 1.0;
  if (strip >= 2) {
    uint own = seed + uint(strip) * 211u;
    float at = floor((float(strip - 2) + 0.30 + 0.30 * chance(own, 1u)) * (kLast / 4.0)) + 1.0;
    vec2 tangent = normalize(point_of(main_stroke, at + 1.0) - point_of(main_stroke, at - 1.0));
    float turn = (((strip & 1) == 0) == (chance(own, 9u) > -0.5) ? 1.0 : -1.0) * (0.62 + 0.22 * chance(own, 2u));
    vec2 way = vec2(cos(turn) * tangent.x - sin(turn) * tangent.y, sin(turn) * tangent.x + cos(turn) * tangent.y);
    float reach = min(length_u * (0.28 + 0.11 * chance(own, 3u)), 58.0);
    s.from = point_of(main_stroke, at);
    s.along = way * reach;
    s.aside = vec2(-way.y, way.x);
    s.sway = reach * 0.13;
    s.seed = own;
    s.fork = true;
    tall = 0.62;
  }

  vec2 here = point_of(s, i);
  vec2 before = point_of(s, max(i - 1.0, 0.0));
  vec2 after = point_of(s, min(i + 1.0, kLast));
  // The halo is wide: where it bent with its line it would fold over itself.
  vec2 tangent = normalize(strip == 0 ? whole : after - before + 0.0001 * s.along);
  float t = i / kLast;
  float taper = s.fork ? tall * (1.0 - 0.75 * t) : 1.0 - 0.18 * t;
  float thin = 1.0 - 0.55 * age;
  float half_width = (strip == 0 ? 5.2 : 1.35 * taper) * max(a_size.x, 0.1);
  half_width = max(half_width, 3.0 / u_camera.z);
  float core = max(0.24 * a_size.x * taper * thin, 0.55 / u_camera.z);
  // Round ends: the strip reaches its half width beyond the first and last point.
  float over = i < 0.5 ? -1.0 : (i > kLast - 0.5 ? 1.0 : 0.0);
  vec2 world = here + vec2(-tangent.y, tangent.x) * (side * half_width) + tangent * (over * half_width);
  v_across = vec3(side, abs(over), s.fork ? 0.85 * (1.0 - t) * (1.0 - 0.4 * t) : 1.0);
  v_core = vec2(core, 1.0 / u_camera.z) / half_width;
  v_arc = vec3(strip == 0 ? 1.0 : 0.0, age, 0.0);
  v_tint = a_tint;
  gl_Position = clip_of(world);
}
