#include "frame.glsl"
#include "figure_light.glsl"
// A figure that flies along its angle, in a quad turned that way. u_step, in figure sizes: x half length, y half width,
// z middle of the quad along the flight.
layout(location = 0) in vec4 a_place;
layout(location = 1) in vec2 a_size;  // x size in units, y angle in turns
layout(location = 2) in vec3 a_state;
layout(location = 3) in vec3 a_tint;
uniform vec4 u_step;
// As sprite.vert has them, but v_p: x along the flight, y to its left.
out vec2 v_p;
flat out vec3 v_state;
flat out vec3 v_tint;
flat out vec4 v_figure;

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  vec2 place = mix(a_place.zw, a_place.xy, u_camera.w);
  v_p = vec2(u_step.z, 0.0) + corner * u_step.xy;
  v_state = a_state;
  v_tint = a_tint;
  v_figure = vec4(a_size.y, 1.0 / (a_size.x * u_camera.z), place);
  take_light(place);
  vec2 ahead = vec2(cos(a_size.y * 6.2831853), sin(a_size.y * 6.2831853));
  gl_Position = clip_of(place + (v_p.x * ahead + v_p.y * vec2(ahead.y, -ahead.x)) * a_size.x);
}
