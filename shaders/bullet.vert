#include "frame.glsl"
// A bullet (frame::RenderSnapshot::bullet_layer) on the finished picture, decoded from its 16 bytes: the numbers that
// bullet.frag needs, worked out once. Pixels, y down. As cpu_kernels_of.hpp has it.
layout(location = 0) in ivec4 a_place;  // xy 1/32 unit, zw motion of the last step
layout(location = 1) in vec4 a_colour;  // rgb of the rim, linear; a how much of it is there
layout(location = 2) in uint a_size;    // diameter, 1/64 unit
layout(location = 3) in uvec2 a_look;   // x shape, y angle
flat out vec2 v_middle;
flat out vec4 v_form;    // xy axis; z radius of the two arcs that bound it, w how far off their middles are
flat out vec4 v_zones;   // depths: x the rim begins, y the core, w it ends; z 1 / softness of the core
flat out vec4 v_look;    // cover of the rim and of the centre; how much is there; brightness of the flare
flat out vec4 v_hue;     // rgb display colour; a 1 / the flare's radius squared

const uint kNeedle = 1u;
const uint kBubble = 2u;

void main() {
  vec2 world = vec2(a_place.xy) / 32.0 - (1.0 - u_camera.w) * vec2(a_place.zw) / 32.0;
  float radius = float(a_size) / 128.0 * u_camera.z;
  float there = a_colour.a;
  uint shape = a_look.x & 7u;
  bool hollow = shape == kBubble;
  // As much picture for either shape: a needle is longer and thinner than its size says.
  vec2 half_size = radius * (shape == kNeedle ? vec2(1.4142135, 0.70710678) : vec2(1.0));
  float width = half_size.y;
  float turn = float(a_look.y) * (6.2831853 / 256.0);
  vec2 axis = vec2(cos(turn), sin(turn));
  float arc = dot(half_size, half_size) / (2.0 * max(width, 0.001));
  float core = (hollow ? 0.28 : 0.55) * width;
  float flare = radius * (1.0 + 1.6 * (1.0 - there));
  vec2 reach = half_size;
  if (there < 1.0) reach = max(reach, vec2(flare));
  reach += 1.0;

  vec2 at = (world - u_camera.xy) / u_view.xy;
  v_middle = (at * 0.5 + 0.5) * u_view.zw;
  v_form = vec4(axis, arc, arc - width);
  v_zones = vec4(min(max(1.0, 1.2 * u_camera.z), 0.3 * width), core, 1.0 / max(1.0, (hollow ? 0.05 : 0.34) * width),
                 hollow ? core + max(1.5, 0.07 * width) : 1e9);
  v_look = vec4(hollow ? 0.72 : 1.0, 0.5, there, min(4.0 * there, 1.0) * (1.0 - there));
  vec3 seen = seen_colour(a_colour.rgb);
  float top = max(max(seen.r, seen.g), seen.b);
  v_hue = vec4(min(vec3(1.0), sqrt(max(vec3(0.0), 1.25 * seen - 0.25 * top))), 1.0 / max(flare * flare, 0.001));

  vec2 units = reach / u_camera.z;
  if (a_size == 0u || there == 0.0 || any(greaterThan(abs(world - u_camera.xy), u_view.xy + max(units.x, units.y)))) {
    gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
    return;
  }
  vec2 corner = (vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0) * units;
  gl_Position = clip_of(world + vec2(corner.x * axis.x - corner.y * axis.y, corner.x * axis.y + corner.y * axis.x));
}
