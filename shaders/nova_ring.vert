#include "frame.glsl"
// The frost ring: a band of 60 pieces around the middle, so that the empty inside costs nothing. p0 radius, p1 fade.
layout(location = 0) in vec4 a_place;
layout(location = 2) in vec3 a_state;
layout(location = 3) in vec3 a_tint;
out vec2 v_p;            // place in ring radii, y up
flat out vec4 v_ring;    // x radius in units, y fade, z one pixel in ring radii
flat out vec3 v_tint;

void main() {
  int piece = gl_VertexID >> 1;
  float turn = float(piece) * (6.2831853 / 60.0);
  float reach = (gl_VertexID & 1) == 0 ? 0.34 : 1.20;
  v_p = vec2(cos(turn), sin(turn)) * reach;
  float radius = max(a_state.x, 0.5);
  v_ring = vec4(radius, a_state.y, 1.0 / (radius * u_camera.z), 0.0);
  v_tint = a_tint;
  gl_Position = clip_of(mix(a_place.zw, a_place.xy, u_camera.w) + vec2(v_p.x, -v_p.y) * radius);
}
