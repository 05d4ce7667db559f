#include "frame.glsl"
// One cell of a grid over the picture (u_step: xy columns and rows). The bend of a vortex and the vignette are worked out
// at its corners, which is smooth enough and costs the fragments nothing.
uniform vec4 u_step;
out vec2 v_uv;
out vec2 v_stone;
out float v_vignette;

void main() {
  int columns = int(u_step.x);
  vec2 cell = vec2(float(gl_InstanceID % columns), float(gl_InstanceID / columns));  // From the upper left.
  vec2 at = (cell + vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1))) / u_step.xy;
  v_uv = vec2(at.x, 1.0 - at.y);
  vec2 p = v_uv * 2.0 - 1.0;
  vec2 world = u_camera.xy + vec2(p.x, -p.y) * u_view.xy;

  vec2 d = world - u_vortex.xy;
  // The floor bends, not the ring: its runes stay where they burn.
  float reach = clamp((285.0 - length(u_vortex.xy)) * 0.60, 28.0, 96.0);
  float pull = u_vortex.z * exp(-dot(d, d) / (reach * reach));
  float turn = 1.25 * pull;
  vec2 bent = vec2(cos(turn) * d.x - sin(turn) * d.y, sin(turn) * d.x + cos(turn) * d.y) * (1.0 + 0.55 * pull);
  world += bent - d;

  v_stone = (world - u_ground.xy) * u_ground.zw;
  vec2 q = p * vec2(0.80, 0.92);
  float far = dot(q, q);
  v_vignette = 1.0 / (1.0 + 0.20 * far + 0.16 * far * far);
  gl_Position = vec4(p, 0.0, 1.0);
}
