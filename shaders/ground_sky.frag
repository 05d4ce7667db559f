#include "noise.glsl"
// Baked once, small: the light that is there without any spell. Moonlight on the stones, painted mist outside.
in vec2 v_world;
layout(location = 0) out vec4 o_sky;

void main() {
  // Painted mist: clouds that are pulled along a slanting band, with darker lanes in it.
  vec2 turned = vec2(0.87 * v_world.x - 0.50 * v_world.y, 0.50 * v_world.x + 0.87 * v_world.y);
  vec2 p = turned * vec2(0.0030, 0.0041);
  // One after another in a loop: written out, each would be compiled by itself.
  float warp_x = 0.0, warp_y = 0.0, cloud = 0.0, veil = 0.0, lane = 0.0;
  for (int i = 0; i < 5; ++i) {
    vec2 warp = vec2(warp_x, warp_y);
    vec2 at = i == 0 ? p * 1.1 + 11.3
            : i == 1 ? p * 1.1 + vec2(47.1, 5.2)
            : i == 2 ? p * 1.5 + 2.4 * warp
            : i == 3 ? p * 2.7 - 1.8 * warp + 80.4
                     : p * vec2(2.0, 4.6) + 3.1 * warp.yx + 31.0;
    float part = clouds(at);
    if (i == 0) warp_x = part;
    else if (i == 1) warp_y = part;
    else if (i == 2) cloud = part;
    else if (i == 3) veil = part;
    else lane = part;
  }
  float across = (v_world.y * 0.80 + v_world.x * 0.42 + 70.0) / 360.0;
  float band = exp(-across * across);
  float dense = smoothstep(0.30, 0.80, cloud) * (0.30 + 0.70 * band) * (1.0 - smoothstep(0.40, 0.66, lane));
  vec3 night = vec3(0.0022, 0.0024, 0.0068);
  night += vec3(0.0075, 0.0078, 0.0290) * dense;
  night += vec3(0.0210, 0.0060, 0.0300) * dense * smoothstep(0.40, 0.72, veil);
  night += vec3(0.0008, 0.0095, 0.0150) * smoothstep(0.46, 0.80, veil) * (1.0 - band) * smoothstep(0.3, 0.6, cloud);

  float radius = length(v_world);
  float pool = exp(-dot(v_world + vec2(70.0, 90.0), v_world + vec2(70.0, 90.0)) / (2.0 * 210.0 * 210.0));
  vec3 moon = mix(vec3(0.0375, 0.0395, 0.0730), vec3(0.0465, 0.0500, 0.0860), pool);
  float on_stone = 1.0 - smoothstep(326.0, 346.0, radius);
  // Just outside the ring the night is deepest, so that the ring stands clear of it.
  night *= mix(0.22, 1.0, smoothstep(335.0, 520.0, radius));
  o_sky = vec4(mix(night, moon, on_stone), on_stone);
}
