#include "noise.glsl"
// Baked once, small: the light that is there without any spell. Moonlight on the stones, painted mist outside.
in vec2 v_world;
layout(location = 0) out vec4 o_sky;

void main() {
  vec2 p = v_world * 0.0034;
  vec2 warp = vec2(clouds(p * 1.3 + 11.0), clouds(p * 1.3 + 47.0));
  float cloud = clouds(p * 1.7 + 1.9 * warp);
  float veil = clouds(p * 3.1 - 1.4 * warp + 80.0);
  float band = exp(-pow((v_world.y * 0.8 + v_world.x * 0.45 + 60.0) / 330.0, 2.0));
  float dense = smoothstep(0.32, 0.78, cloud) * (0.35 + 0.65 * band);
  vec3 night = vec3(0.0022, 0.0024, 0.0066);
  night += vec3(0.0068, 0.0070, 0.0250) * dense;
  night += vec3(0.0150, 0.0048, 0.0220) * dense * smoothstep(0.38, 0.75, veil);
  night += vec3(0.0006, 0.0075, 0.0120) * smoothstep(0.45, 0.8, veil) * (1.0 - band) * 0.7;

  float radius = length(v_world);
  float pool = exp(-dot(v_world + vec2(70.0, 90.0), v_world + vec2(70.0, 90.0)) / (2.0 * 210.0 * 210.0));
  vec3 moon = mix(vec3(0.0125, 0.0135, 0.0310), vec3(0.0270, 0.0305, 0.0560), pool);
  float on_stone = 1.0 - smoothstep(326.0, 346.0, radius);
  // Just outside the ring the night is deepest, so that the ring stands clear of it.
  night *= mix(0.22, 1.0, smoothstep(335.0, 520.0, radius));
  o_sky = vec4(mix(night, moon, on_stone), on_stone);
}
