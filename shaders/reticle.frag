#include "sprite.glsl"
// Where the player aims: a thin ring, four ticks, and an arc that closes as the spell gets ready. p0 cooldown 0 to 1.
void main() {
  vec2 p = v_p;
  float r = length(p);
  float px = v_figure.y;
  float half_line = max(0.018, 0.75 * px);
  float ring = cover(abs(r - 0.36) - half_line);
  float ready = 1.0 - clamp(v_state.x, 0.0, 1.0);
  float turn = fract(atan(p.x, p.y) / 6.2831853);
  float arc = clamp((ready - turn) / 0.01, 0.0, 1.0);
  if (ready >= 1.0) arc = 1.0;
  vec2 q = abs(p);
  float tick = max(min(q.x, q.y) - half_line, abs(max(q.x, q.y) - 0.46) - 0.045);
  float dot_middle = cover(r - max(0.035, px));
  float shine = ring * mix(0.16, 0.85, arc) + cover(tick) * 0.85 * (0.4 + 0.6 * ready) + dot_middle * 0.9;
  vec3 light = mix(v_tint, vec3(1.0), 0.35);
  float shadow = cover(abs(r - 0.36) - half_line - 0.03) * 0.30;
  o_colour = vec4(light * min(shine, 1.0) * 0.85, max(shadow, min(shine, 1.0) * 0.5));
}
