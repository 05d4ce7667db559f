#include "frame.glsl"
#include "runes.glsl"
flat in int v_glyph;
flat in float v_lit;
in vec2 v_place;
layout(location = 0) out vec4 o_colour;

void main() {
  float d = rune_distance(v_glyph, v_place);
  float all_lit = clamp(u_clock.y - 11.0, 0.0, 1.0);
  float breath = 0.88 + 0.12 * sin(u_clock.x * 2.1 + float(v_glyph) * 1.7);
  float lit = v_lit * v_lit * (3.0 - 2.0 * v_lit);
  float flare = 1.0 + 1.6 * (1.0 - v_lit) * v_lit * 4.0;  // A flash while it catches fire.
  float sharp = 1.0 / (u_camera.z * kRuneHeight);
  float core = 1.0 - smoothstep(0.030 - sharp, 0.046 + sharp, d);
  float halo = exp(-d * 11.0) * (1.0 - smoothstep(0.6, 0.98, max(abs(v_place.x), abs(v_place.y))));
  vec3 ember = vec3(1.0, 0.33, 0.05);
  vec3 gold = vec3(1.0, 0.50, 0.13);
  // In the finale they burn white with a golden glow.
  float finale = u_clock.z * u_clock.z * (3.0 - 2.0 * u_clock.z);
  gold = mix(gold, vec3(1.0, 0.74, 0.38), finale);
  ember = mix(ember, vec3(1.0, 0.40, 0.08), finale);
  vec3 colour = gold * core * (1.5 + 0.9 * all_lit + 1.6 * finale);
  colour += ember * halo * (0.34 + 0.20 * all_lit + 0.38 * finale);
  o_colour = vec4(colour * (lit * breath * flare), 0.0);
}
