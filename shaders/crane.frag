#include "sprite.glsl"
#include "paper.glsl"
// A folded paper crane from above, flying along x. p0 hit flash, p1 there 0 to 1 (it unfolds), p2 phase in turns: its
// wings beat.
void main() {
  float there = eased(v_state.y);
  float ink = ink_width();
  float beat = 0.5 + 0.5 * cos(v_state.z * 6.2831853);
  vec2 p = v_p;
  float side = p.y < 0.0 ? -1.0 : 1.0;
  vec2 m = vec2(p.x, abs(p.y));
  // Raised, a wing looks shorter, and it sweeps back as it falls.
  float span = mix(0.66, 1.0, beat) * mix(0.15, 1.0, there);
  vec2 w = vec2(m.x + 0.10 * (1.0 - beat) * m.y, m.y / span);

  // The inner wing reaches to the wrist, the outer one bends back to the tip.
  vec2 tip = vec2(-0.24, 0.535);
  vec2 wrist = vec2(0.165, 0.245);
  vec2 hollow = vec2(-0.075, 0.215);
  float fore = triangle(w, wrist, tip, hollow);
  float hind = max(max(beyond(w, vec2(0.13, 0.0), wrist), beyond(w, hollow, vec2(-0.20, 0.0))), beyond(w, wrist, hollow));
  hind = max(hind, -0.1 - w.y);
  float wing = min(fore, hind) * span;
  float neck = max(m.y - 0.016 - 0.070 * max(0.0, 0.26 - m.x), abs(m.x - 0.22) - 0.22);
  neck = min(neck, triangle(m, vec2(0.57, 0.0), vec2(0.37, 0.048), vec2(0.37, -0.1)));
  neck = min(neck, triangle(m, vec2(0.29, 0.0), vec2(0.372, -0.05), vec2(0.372, 0.048)));
  float tail = triangle(m, vec2(-0.08, -0.1), vec2(-0.06, 0.06), vec2(-0.36, 0.125));
  tail = max(tail, -0.30 - m.x - 0.30 * m.y);
  tail = min(tail, max(abs(m.y - 0.022) - 0.011, max(-0.53 - m.x, m.x)));
  float body = max(abs(m.x + 0.02) * 0.36 + m.y - 0.092, abs(m.x) - 0.26);

  float d = min(min(wing, body), min(neck, tail));
  float window = max(0.0, 1.0 - dot(v_p, v_p) / 0.35);
  vec4 c = vec4(v_tint * v_tint * window * window * 0.12, 0.0);
  paint(c, kInk, cover(d - ink) * 0.95);

  // Each fold is a plane of its own.
  vec2 l = m - vec2(-0.02, 0.0);
  float lamp = exp(-dot(l, l) * 9.0);
  float light_side = 1.0 + 0.16 * side;
  float shine = (0.28 + 0.72 * lamp) * light_side * mix(0.78, 1.06, beat);
  paint(c, paper(v_tint, shine * 0.98), cover(hind * span));
  float crease = beyond(w, vec2(0.03, 0.20), tip);
  paint(c, paper(v_tint, shine * (1.06 - 0.34 * smoothstep(-0.01, 0.01, -crease))), cover(fore * span));
  // Wing tips dipped in the hue.
  float dipped = smoothstep(0.30, 0.46, w.y);
  c.rgb = mix(c.rgb, v_tint * vec3(0.62, 0.16, 0.14) * c.a, 0.65 * dipped * cover(wing));
  float fold_line = abs(crease) * span - 0.006;
  paint(c, kInk * 4.0, cover(max(fold_line, fore * span)) * 0.45);
  float half_lit = side > 0.0 ? 1.0 : 0.62;
  paint(c, paper(v_tint, (0.34 + 0.42 * lamp) * half_lit), cover(tail));
  paint(c, paper(v_tint, (0.42 + 0.50 * lamp) * half_lit), cover(neck));
  paint(c, paper(v_tint, 1.02 * (side > 0.0 ? 1.0 : 0.74)), cover(body));
  // Crest, beak, eyes.
  float crest = max(neck, abs(m.x - 0.360) - 0.036);
  paint(c, vec3(0.92, 0.050, 0.035), cover(crest));
  paint(c, vec3(0.050, 0.028, 0.030), cover(max(neck, 0.435 - m.x)));
  paint(c, kInk, cover(length(m - vec2(0.405, 0.022)) - 0.015));
  o_colour = finished(c, there);
}
