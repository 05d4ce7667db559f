#include "frame.glsl"
// The ring's band in 72 pieces, for the light in its joints.
out vec2 v_world;

void main() {
  float turn = float(gl_VertexID >> 1) * (6.2831853 / 72.0);
  v_world = vec2(sin(turn), -cos(turn)) * ((gl_VertexID & 1) == 0 ? 256.0 : 352.0);
  gl_Position = clip_of(v_world);
}
