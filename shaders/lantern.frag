#include "sprite.glsl"
#include "paper.glsl"
// A round paper lantern with a sleepy face, caps of dark wood and a tassel. p0 hit flash, p1 there 0 to 1, p2 phase in
// turns: it sways on its hook and its flame breathes.
void main() {
  float there = eased(v_state.y);
  float hit = clamp(v_state.x, 0.0, 1.0);
  float turn = v_state.z * 6.2831853;
  float ink = ink_width();
  // It swings on its hook, and folds flat as lanterns do.
  vec2 p = rotated(v_p - vec2(0.0, 0.47), 0.016 * sin(turn));
  p.y = p.y / mix(0.22, 1.0, there) + 0.47;
  vec2 b = p - vec2(0.0, 0.055);
  float s = clamp(b.y / 0.305, -1.0, 1.0);
  float hoops = s * (0.66 + 0.34 * s * s) * 3.5;
  float fold = abs(fract(hoops) - 0.5) * 2.0;  // 1 at a hoop
  float wide = 0.385 * sqrt(1.0 - 0.78 * s * s) - 0.016 * fold * fold;
  float body = max(abs(b.x) - wide, abs(b.y) - 0.305);

  // Light from within, around it.
  float window = max(0.0, 1.0 - dot(v_p, v_p) / 0.37);
  float flame = 1.0 + 0.10 * sin(2.0 * turn) + 0.05 * sin(5.0 * turn);
  vec4 c = vec4(v_tint * (window * window * 0.20 * flame), 0.0);

  // Hook, caps, tassel.
  float cap = max(abs(b.x) - 0.20 + 0.9 * max(abs(b.y) - 0.31, 0.0), abs(abs(b.y) - 0.33) - 0.042);
  float hook = abs(length(p - vec2(0.0, 0.455)) - 0.038) - 0.012;
  float low = max(0.0, -0.30 - p.y);
  vec2 t = vec2(p.x - low * 0.45 * sin(turn - 1.1), p.y);
  float knot = length(t - vec2(0.0, -0.335)) - 0.034;
  float threads = max(abs(t.x) - 0.026 - 0.22 * max(0.0, -0.36 - t.y), abs(t.y + 0.425) - 0.085);
  float tassel = min(knot, threads);
  paint(c, kInk, cover(min(min(cap, body), min(hook, tassel)) - ink) * 0.95);
  float strand = 0.6 + 0.4 * sin(t.x * 190.0);
  paint(c, vec3(0.62, 0.055, 0.045) * strand, cover(tassel));
  paint(c, vec3(0.30, 0.19, 0.08), cover(hook));

  // The paper.
  float across = abs(b.x) / max(wide, 0.01);
  vec2 lamp = b - vec2(0.0, -0.05);
  float shine = 0.98 * exp(-dot(lamp, lamp) * 9.0) * flame + 0.22;
  shine *= (1.0 - 0.60 * across * across * across) * (1.0 - 0.30 * smoothstep(0.72, 1.0, fold));
  paint(c, paper(v_tint, shine), cover(body));
  float gold = cover(abs(abs(b.y) - 0.318) - 0.011);
  paint(c, mix(vec3(0.060, 0.030, 0.022), vec3(0.55, 0.34, 0.10), gold), cover(cap));

  // Closed eyes that open wide when it is struck, and a small mouth.
  vec2 e = vec2(abs(b.x) - 0.135, b.y - 0.045);
  float lid = abs(length(e - vec2(0.0, 0.035)) - 0.062) - 0.016;
  lid = max(lid, e.y - 0.020);
  float wide_eye = length(e) - 0.048;
  float look = mix(lid, wide_eye, step(0.25, hit));
  float mouth = max(abs(length(b - vec2(0.0, -0.052)) - 0.034) - 0.012, b.y + 0.055);
  paint(c, vec3(0.10, 0.012, 0.008), cover(min(look, mouth)) * 0.92);
  vec2 cheek = vec2(abs(b.x) - 0.205, b.y + 0.045);
  c.rgb = mix(c.rgb, vec3(0.95, 0.16, 0.08), 0.42 * exp(-dot(cheek, cheek) * 520.0) * cover(body));
  o_colour = finished(c, there);
}
