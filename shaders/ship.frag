#include "sprite.glsl"
#include "paper.glsl"
// The player's swallow of folded pale paper, nose up. p0 bank -1 to 1, p1 focus 0 to 1 (it draws its wings in), p2 blink 0
// to 1 (at 1 hardly there).
void main() {
  float bank = clamp(v_state.x, -1.0, 1.0);
  float focus = eased(v_state.y);
  float blink = clamp(v_state.z, 0.0, 1.0);
  float ink = max(0.032, 1.4 * v_figure.y);
  vec2 p = v_p;
  float side = p.x < 0.0 ? -1.0 : 1.0;
  // Rolled over, the wing on the inner side grows short.
  float squeeze = (1.0 - 0.16 * focus) * (1.0 - 0.22 * abs(bank) + 0.16 * bank * side);
  vec2 m = vec2(abs(p.x) / squeeze, p.y + 0.05 * focus * abs(p.x));

  float sweep = 0.06 * focus;
  vec2 tip = vec2(0.50, -0.20 - sweep);
  float wing = triangle(m, vec2(0.0, 0.34), vec2(0.0, -0.20), tip);
  wing = max(wing, -beyond(m, tip, vec2(0.08, -0.085)));
  float inner = triangle(m, vec2(0.0, 0.52), vec2(-0.2, -0.28), vec2(0.125, -0.28));
  float fork = triangle(m, vec2(0.0, -0.02), vec2(0.02, -0.30), vec2(0.235, -0.52));
  float d = min(min(wing, inner), fork);
  d *= squeeze;

  float r2 = dot(v_p, v_p);
  float window = max(0.0, 1.0 - r2 / 0.50);
  vec3 pale = vec3(0.80, 0.92, 1.0);
  vec4 c = vec4(mix(pale, v_tint, 0.5) * (window * window * (0.10 + 0.10 * focus)), 0.0);
  paint(c, kInk, cover(d - ink) * 0.95);
  // Each half is a plane, brighter as it turns to the sky.
  float light_side = 1.0 + side * (0.16 - 0.34 * bank);
  float down = 0.26 + 0.90 * exp(-m.x * m.x * 7.0);
  paint(c, pale * (0.42 * light_side + 0.10), cover(fork * squeeze));
  paint(c, pale * (down * light_side), cover(wing * squeeze));
  float edge = cover(abs(beyond(m, tip, vec2(0.0, 0.34))) * squeeze - 0.030);
  paint(c, v_tint * 1.15, edge * cover(wing * squeeze));
  paint(c, pale * (2.3 * light_side), cover(inner * squeeze));
  // The keel's crease, and the light it flies by.
  paint(c, v_tint * 0.22, cover(max(abs(p.x) - 0.010, abs(p.y - 0.08) - 0.32)) * 0.65);
  vec2 h = vec2(p.x, p.y + 0.02);
  c.rgb += (v_tint * 0.6 + 0.5) * exp(-dot(h, h) * 130.0) * (0.9 + 0.6 * focus);
  float here = 1.0 - 0.86 * blink;
  o_colour = c * here;
}
