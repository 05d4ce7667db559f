#include "frame.glsl"
// Something flat and round on the ground, p0 its radius in units. u_step: x half side of the quad, in radii.
layout(location = 0) in vec4 a_place;
layout(location = 2) in vec3 a_state;
layout(location = 3) in vec3 a_tint;
uniform vec4 u_step;
out vec2 v_p;           // place in radii, y up
flat out vec3 v_disc;   // x radius in units, y one pixel in radii, z seconds
flat out vec3 v_state;
flat out vec3 v_tint;

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  float radius = max(a_state.x, 0.5);
  v_p = corner * u_step.x;
  v_disc = vec3(radius, 1.0 / (radius * u_camera.z), u_clock.x);
  v_state = a_state;
  v_tint = a_tint;
  gl_Position = clip_of(mix(a_place.zw, a_place.xy, u_camera.w) + vec2(v_p.x, -v_p.y) * radius);
}
