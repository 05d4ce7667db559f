#include "sprite.glsl"
#include "paper.glsl"
// The boss's body: a moth of paper, furred, with feathered feelers and a lamp for a heart. p0 hit flash, p1 there 0 to 1,
// p2 the heart's beat in turns.
void main() {
  float there = eased(v_state.y);
  float turn = v_state.z * 6.2831853;
  float ink = max(0.011, 1.5 * v_figure.y);
  float beat = 0.5 + 0.5 * cos(turn);
  beat *= beat;
  vec2 p = v_p / mix(0.6, 1.0, there);
  vec2 m = vec2(abs(p.x), p.y);

  vec2 h = p - vec2(0.0, 0.055);
  vec2 q = v_p / vec2(0.40, 0.58);
  float window = max(0.0, 1.0 - dot(q, q));
  float glow = exp(-dot(h, h) * 16.0) * window;
  vec4 c = vec4(v_tint * glow * (0.14 + 0.18 * beat), 0.0);

  // Feelers: feathers that curl outwards from the brow.
  vec2 f = m - vec2(0.200, 0.290);
  float bow = length(f);
  float along = clamp(atan(f.y, -f.x) / 2.2, -0.4, 1.2);  // 0 at the brow, 1 at the tip
  float breadth = 0.040 * smoothstep(-0.12, 0.25, along) * (1.05 - along);
  float comb = 0.65 + 0.35 * cos(along * 75.0);
  float feather = max(abs(bow - 0.165) - breadth * comb - 0.007, max(-0.02 - along, along - 1.0) * 0.25);

  // Abdomen in segments, thorax in fur, head.
  float down = clamp((0.02 - p.y) / 0.47, 0.0, 1.0);
  float seg = abs(fract(down * 6.0) - 0.5) * 2.0;
  float belly_wide = 0.112 * (1.0 - 0.72 * down * down) - 0.012 * smoothstep(0.5, 1.0, seg);
  float belly = max(max(m.x - belly_wide, p.y - 0.06), (-0.455 + 1.3 * m.x * m.x) - p.y) * 0.95;
  float fur_turn = atan(h.x, h.y);
  float fur = abs(fract(fur_turn * 4.30) - 0.5) * 2.0;
  float thorax = length(h * vec2(1.0, 0.90)) - 0.150 - 0.016 * fur;
  float head = length((p - vec2(0.0, 0.238)) * vec2(0.92, 1.0)) - 0.082;
  float d = min(min(belly, thorax), min(head, feather));
  paint(c, kInk, cover(d - ink) * 0.97);

  vec3 cream = vec3(1.0, 0.84, 0.58);
  vec3 hue = mix(v_tint, cream, 0.22);
  paint(c, paper(hue, 0.50 + 0.30 * (1.0 - along)) * (0.60 + 0.40 * comb), cover(feather));
  float out_x = min(m.x / max(belly_wide, 0.01), 1.0);
  float round_belly = 1.0 - 0.75 * out_x * out_x;
  vec3 bands = mix(paper(hue, 0.85 * (1.0 - 0.45 * down) * round_belly), paper(v_tint, 0.20 * round_belly), smoothstep(0.55, 0.75, seg));
  paint(c, bands, cover(belly));
  float depth = length(h) / 0.165;
  float tuft = 0.80 + 0.20 * fur;
  paint(c, paper(hue, (0.84 - 0.52 * depth * depth) * tuft), cover(thorax));
  paint(c, paper(hue, 0.62 - 1.6 * (0.29 - p.y)), cover(head));
  // A collar of fur over the neck.
  float collar = max(abs(length((p - vec2(0.0, 0.08)) * vec2(0.78, 1.0)) - 0.108) - 0.020, 0.10 - p.y);
  paint(c, paper(cream, 0.70 * tuft), cover(collar) * 0.9);

  // Eyes, and the heart: a lamp folded as a diamond in a ring.
  vec2 e = m - vec2(0.060, 0.258);
  float er = length(e * vec2(1.0, 0.88)) - 0.040;
  paint(c, kInk, cover(er - 0.010));
  paint(c, mix(v_tint, vec3(0.9, 0.1, 0.25), 0.35) * (0.55 + 8.0 * (e.y + 0.03)), cover(er));
  paint(c, vec3(1.5), cover(length(e - vec2(-0.010, 0.014)) - 0.011));
  vec2 k = p - vec2(0.0, 0.030);
  float gem = (abs(k.x) * 1.25 + abs(k.y)) - 0.078 - 0.008 * beat;
  paint(c, kInk, cover(gem - 0.016));
  float facet = 0.82 + 0.18 * sign(k.x) * sign(k.y);
  paint(c, paper(mix(v_tint, vec3(1.0, 0.6, 0.3), 0.4), (0.95 + 0.45 * beat) * facet), cover(gem));
  c.rgb += v_tint * exp(-dot(k, k) * 150.0) * (0.3 + 0.9 * beat);
  o_colour = finished(c, there);
}
