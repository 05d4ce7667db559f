#include "frame.glsl"
// A beam from a_place to p0, p1, `size` units wide. u_step: x half width of the quad, in widths; some units come on top
// for what is thin at any width.
layout(location = 0) in vec4 a_place;
layout(location = 1) in vec2 a_size;
layout(location = 2) in vec3 a_state;
layout(location = 3) in vec3 a_tint;
uniform vec4 u_step;
out vec2 v_p;           // x along it, y across, in units
flat out vec4 v_beam;   // x its length, y width, z one pixel, all in units; w half width of the quad
flat out vec2 v_time;   // x stage 0 to 3, y seconds
flat out vec3 v_tint;

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  vec2 start = mix(a_place.zw, a_place.xy, u_camera.w);
  vec2 whole = a_state.xy - start;
  float length_u = length(whole);
  vec2 ahead = length_u > 0.001 ? whole / length_u : vec2(1.0, 0.0);
  float width = max(a_size.x, 0.0);
  float half_quad = u_step.x * width + 3.5;
  v_p = vec2(mix(-half_quad, length_u + half_quad, corner.x), (corner.y * 2.0 - 1.0) * half_quad);
  v_beam = vec4(length_u, width, 1.0 / u_camera.z, half_quad);
  v_time = vec2(a_state.z, u_clock.x);
  v_tint = a_tint;
  gl_Position = clip_of(start + v_p.x * ahead + v_p.y * vec2(-ahead.y, ahead.x));
}
