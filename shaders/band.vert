#include "frame.glsl"
// A ring on the ground as a band of 60 pieces, so that the empty inside costs nothing. p0 radius in units, p1 fade.
// u_step: x inner and y outer edge, in ring radii.
layout(location = 0) in vec4 a_place;
layout(location = 2) in vec3 a_state;
layout(location = 3) in vec3 a_tint;
uniform vec4 u_step;
out vec2 v_p;          // place in ring radii, y up
out vec2 v_world;
flat out vec4 v_ring;  // x radius in units, y fade, z one pixel in ring radii
flat out vec3 v_tint;

void main() {
  int piece = gl_VertexID >> 1;
  float turn = float(piece) * (6.2831853 / 60.0);
  float reach = (gl_VertexID & 1) == 0 ? u_step.x : u_step.y;
  v_p = vec2(cos(turn), sin(turn)) * reach;
  float radius = max(a_state.x, 0.5);
  v_ring = vec4(radius, clamp(a_state.y, 0.0, 1.0), 1.0 / (radius * u_camera.z), 0.0);
  v_tint = a_tint;
  v_world = mix(a_place.zw, a_place.xy, u_camera.w) + vec2(v_p.x, -v_p.y) * radius;
  gl_Position = clip_of(v_world);
}
