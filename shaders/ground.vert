#include "frame.glsl"
// Baking: the target is the ground itself, v_world the place of each texel.
out vec2 v_world;

void main() {
  vec2 uv = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  v_world = u_ground.xy + uv / u_ground.zw;
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
