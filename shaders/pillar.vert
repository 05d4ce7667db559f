#include "frame.glsl"
// A column of light that stands on its place and rises up the picture. size: its width; p0 height in units, p1 fade.
// u_step: x half width of the quad, in widths.
layout(location = 0) in vec4 a_place;
layout(location = 1) in vec2 a_size;
layout(location = 2) in vec3 a_state;
layout(location = 3) in vec3 a_tint;
uniform vec4 u_step;
out vec2 v_p;            // in widths, the foot's middle at 0, y up
flat out vec4 v_pillar;  // x height in widths, y fade, z one pixel in widths, w seconds
flat out vec3 v_tint;

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  float width = max(a_size.x, 0.1);
  float fade = clamp(a_state.y, 0.0, 1.0);
  float tall = max(a_state.x, 0.0) / width * fade * (2.0 - fade);  // It shoots up as it appears.
  v_p = vec2((corner.x * 2.0 - 1.0) * u_step.x, mix(-u_step.x * 0.62, tall, corner.y));
  v_pillar = vec4(max(tall, 0.01), fade, 1.0 / (width * u_camera.z), u_clock.x + a_place.x * 0.013);
  v_tint = a_tint;
  gl_Position = clip_of(mix(a_place.zw, a_place.xy, u_camera.w) + vec2(v_p.x, -v_p.y) * width);
}
