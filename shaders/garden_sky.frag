#include "noise.glsl"
// Baked once, small: moonlight in the garden. Brightest over the field's middle, deepest to both sides of it.
in vec2 v_world;
layout(location = 0) out vec4 o_sky;

void main() {
  float aside = abs(v_world.x);
  float pool = exp(-dot(v_world, v_world) / (2.0 * 300.0 * 300.0));
  vec3 moon = mix(vec3(0.0290, 0.0330, 0.0660), vec3(0.0440, 0.0500, 0.0920), pool);
  moon *= mix(1.0, 0.55, smoothstep(288.0, 330.0, aside));
  moon *= 0.82 + 0.36 * clouds(v_world * 0.0045 + 3.1);  // Leaves above, out of sight.
  o_sky = vec4(moon, 1.0);
}
