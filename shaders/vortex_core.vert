#include "frame.glsl"
// The eye of the vortex, a fifth of its reach. p0 reach of its pull in units, p1 spin in turns, p2 open 0 to 1.
layout(location = 0) in vec4 a_place;
layout(location = 2) in vec3 a_state;
layout(location = 3) in vec3 a_tint;
out vec2 v_p;
flat out vec4 v_eye;  // x spin in radians, y open, z one pixel in radii
flat out vec3 v_tint;

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  float radius = max(a_state.x * 0.22, 0.5);
  v_p = corner * 2.0;
  v_eye = vec4(a_state.y * 6.2831853, a_state.z, 1.0 / (radius * u_camera.z), 0.0);
  v_tint = a_tint;
  gl_Position = clip_of(mix(a_place.zw, a_place.xy, u_camera.w) + vec2(v_p.x, -v_p.y) * radius);
}
