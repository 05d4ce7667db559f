#include "frame.glsl"
// One cell of a grid over the picture (u_step: xy columns and rows). The vignette is worked out at its corners, which is
// smooth enough and costs the fragments nothing.
uniform vec4 u_step;
out vec2 v_uv;
out vec2 v_world;
out float v_vignette;

void main() {
  int columns = int(u_step.x);
  vec2 cell = vec2(float(gl_InstanceID % columns), float(gl_InstanceID / columns));  // From the upper left.
  vec2 at = (cell + vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1))) / u_step.xy;
  v_uv = vec2(at.x, 1.0 - at.y);
  vec2 p = v_uv * 2.0 - 1.0;
  v_world = u_camera.xy + vec2(p.x, -p.y) * u_view.xy;
  vec2 q = p * vec2(0.80, 0.92);
  float far = dot(q, q);
  v_vignette = 1.0 / (1.0 + 0.20 * far + 0.16 * far * far);
  gl_Position = vec4(p, 0.0, 1.0);
}
