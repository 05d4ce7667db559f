#include "frame.glsl"
// A mark on the floor: instance i, turned about its middle.
layout(location = 0) in vec4 a_place;  // xy middle, z radius, w how much of it is seen
layout(location = 1) in vec3 a_glow;   // linear light of its embers
layout(location = 2) in vec2 a_look;   // x which picture of the sheet, y how far it is turned, turns
out vec2 v_uv;
flat out vec4 v_glow;  // rgb; w how much of it is seen

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  float angle = a_look.y * 6.2831853;
  vec2 way = vec2(cos(angle), sin(angle));
  v_uv = vec2((a_look.x + corner.x * 0.5 + 0.5) / 8.0, corner.y * 0.5 + 0.5);
  v_glow = vec4(a_glow, a_place.w);
  gl_Position = clip_of(a_place.xy + a_place.z * vec2(way.x * corner.x - way.y * corner.y, way.y * corner.x + way.x * corner.y));
}
