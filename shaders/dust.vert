#include "frame.glsl"
// Faint motes and stars that drift with the camera, each at its own depth. No vertex data: all from gl_VertexID.
// u_step: x their number.
uniform vec4 u_step;
uniform sampler2D u_light;
flat out vec3 v_colour;

float chance(float n) { return fract(sin(n) * 43758.547); }

void main() {
  float n = float(gl_VertexID);
  vec4 own = vec4(chance(n * 1.31 + 0.7), chance(n * 2.17 + 1.9), chance(n * 3.71 + 4.3), chance(n * 5.03 + 2.2));
  float depth = 0.25 + 0.75 * own.z;  // 1 moves with the ground, less is farther away.
  vec2 box = 2.0 * u_view.xy + 40.0;
  vec2 drift = u_clock.x * vec2(1.6 * (own.w - 0.3), -2.2 * own.z) + 6.0 * sin(u_clock.x * 0.21 + own.xy * 6.28);
  vec2 place = fract(own.xy + (drift - u_camera.xy * depth) / box) * box - 0.5 * box;
  vec2 world = u_camera.xy + place;
  gl_Position = clip_of(world);

  float twinkle = 0.55 + 0.45 * sin(u_clock.x * (0.6 + 1.7 * own.w) + 6.28 * own.x);
  float outside = smoothstep(310.0, 360.0, length(world));
  float size = mix(1.6, 2.7, own.w * own.w);
  gl_PointSize = max(1.0, size * u_camera.z);
  // Over the arena they are motes that only light shows; outside they are stars.
  vec3 lit = textureLod(u_light, screen_of(world), 0.0).rgb;
  vec3 star = mix(vec3(0.55, 0.66, 1.0), vec3(1.0, 0.86, 0.74), step(0.72, own.z)) * pow(own.x, 3.0) * 0.42;
  v_colour = star * outside * twinkle + lit * 0.75 * twinkle * own.w;
}
