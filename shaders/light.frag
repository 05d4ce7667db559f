#include "frame.glsl"
// Light falls off to nothing at the radius. The lamp hangs a little above the stone, so that right under it the light
// comes from above and the relief is flat.
in vec2 v_corner;
in vec2 v_world;
flat in vec3 v_colour;
layout(location = 0) out vec4 o_light;
layout(location = 1) out vec4 o_direction;

void main() {
  float d2 = dot(v_corner, v_corner);
  float fade = max(0.0, 1.0 - d2);
  float strength = fade * fade / (1.0 + 9.0 * d2);
  // The mist outside the arena takes less of it.
  float on_stone = mix(1.0, 0.10, smoothstep(318.0, 372.0, length(v_world)) * (1.0 - u_garden.x));
  vec3 light = v_colour * (strength * on_stone);
  vec2 towards = -v_corner * inversesqrt(d2 + 0.035) * dot(light, vec3(0.30, 0.55, 0.15));
  o_light = vec4(light, towards.x);
  o_direction = vec4(0.0, 0.0, 0.0, towards.y);
}
