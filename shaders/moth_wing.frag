#include "sprite.glsl"
#include "paper.glsl"
// A wing of the boss. It extends along x from its root at -0.5; its fore edge is always the upper one. p0
// hit flash, p1 how far the wing has unfolded from its root, 0 to 1, p2 phase of the beat, in turns. The
// outline, the ribs and the bands are given in polar coordinates around the root: an angle and a reach.
void main() {
  float there = eased(v_state.y);
  float turn = v_state.z * 6.2831853;
  float beat = 0.5 + 0.5 * cos(turn);
  float fore_up = cos(v_figure.x * 6.2831853) < 0.0 ? -1.0 : 1.0;
  // Raised towards the eye it looks shorter.
  float span = mix(0.80, 1.0, beat) * mix(0.15, 1.0, there);
  vec2 h = vec2((v_p.x + 0.5) / span, v_p.y * fore_up);
  float r = length(h);
  float a = atan(h.y, h.x);

  // Two lobes: the fore wing to its tip, the hind wing to its tail.
  float x1 = (a - 0.36) / 0.78;
  float x2 = (a + 0.86) / 0.76;
  float fore = 1.04 * sqrt(max(0.0, 1.0 - x1 * x1)) + 0.10 * exp(-(a - 0.46) * (a - 0.46) * 50.0);
  float hind = 0.67 * sqrt(max(0.0, 1.0 - x2 * x2)) + 0.13 * exp(-(a + 0.98) * (a + 0.98) * 90.0);
  bool front = fore > hind;
  float ribs = a * (front ? 5.6 : 5.0);
  float f = abs(fract(ribs) - 0.5) * 2.0;  // 1 at a rib
  float reach = max(fore, hind) - 0.030 * (1.0 - f * f) * smoothstep(0.3, 0.6, max(fore, hind));
  float field = r - reach;
  float slope = length(vec2(dFdx(field), dFdy(field))) + 0.0001;
  float d = field / slope;  // in pixels
  d = max(d, -h.x / (span * v_figure.y));
  float px = v_figure.y;
  float body = clamp(0.5 - d, 0.0, 1.0);
  float ink = clamp(0.5 - d + max(0.012 / px, 1.6), 0.0, 1.0) * (1.0 - smoothstep(0.0, 0.02, -h.x));

  float u = r / max(reach, 0.02);
  float shine = 0.66 * exp(-r * r * 3.0) * (0.88 + 0.16 * beat) + 0.26;
  vec3 cream = vec3(1.0, 0.82, 0.54);
  vec3 dusk = v_tint * vec3(0.50, 0.16, 0.30) + vec3(0.02, 0.0, 0.24);
  vec3 hue = mix(v_tint, cream, 0.30 * exp(-r * r * 4.0));
  vec3 colour = paper(hue, shine * (0.86 + 0.14 * f));
  // Bands along the margin: dusk, a row of pale moons, a bright hem.
  colour = mix(colour, paper(dusk, 0.30 + 0.75 * shine), smoothstep(0.70, 0.78, u));
  colour = mix(colour, paper(cream, 0.62), smoothstep(0.66, 0.675, u) * (1.0 - smoothstep(0.690, 0.705, u)) * 0.8);
  vec2 moon = vec2((u - 0.865) * reach, f * 0.5 / (front ? 5.6 : 5.0) * r);
  float dots = length(moon) - 0.020;
  colour = mix(colour, paper(cream, 0.85), clamp(0.5 - dots / px, 0.0, 1.0));
  colour = mix(colour, paper(v_tint, 0.68), smoothstep(0.945, 0.960, u));
  // Ribs of folded paper.
  float to_rib = (1.0 - f) * 0.5 / (front ? 5.6 : 5.0) * r;
  colour *= 1.0 - 0.50 * clamp(1.0 - (to_rib - 0.002) / (px + 0.003), 0.0, 1.0) * smoothstep(0.05, 0.2, r);
  float seam = clamp(1.0 - (abs(fore - hind) - 0.004) * r / 2.5 / (px + 0.004), 0.0, 1.0);
  colour *= 1.0 - 0.65 * seam * (a < 0.2 && a > -0.6 ? 1.0 : 0.0);

  // Eyes that watch from the wings.
  vec2 s = front ? (h - vec2(0.56, 0.235)) / 0.125 : (h - vec2(0.285, -0.335)) / 0.090;
  float e = length(s);
  float soft = 1.0 / (front ? 0.125 : 0.090) * px;
  colour = mix(colour, kInk, clamp(0.5 + (1.0 - e) / soft, 0.0, 1.0));
  colour = mix(colour, paper(cream, 0.92), clamp(0.5 + (0.88 - e) / soft, 0.0, 1.0));
  colour = mix(colour, paper(dusk, 0.65), clamp(0.5 + (0.70 - e) / soft, 0.0, 1.0));
  colour = mix(colour, paper(v_tint, 0.9 + 0.35 * beat), clamp(0.5 + (0.52 - e) / soft, 0.0, 1.0));
  colour = mix(colour, kInk, clamp(0.5 + (0.33 - e) / soft, 0.0, 1.0));
  colour = mix(colour, vec3(1.4), clamp(0.5 + (0.13 - length(s - vec2(-0.12, 0.14))) / soft, 0.0, 1.0));

  vec2 q = (v_p + vec2(0.10, 0.0)) / vec2(0.62, 0.70);
  float window = max(0.0, 1.0 - dot(q, q));
  vec4 c = vec4(v_tint * (0.10 * window * window * exp(-r * r)), 0.0);
  paint(c, kInk, ink * 0.95);
  paint(c, colour, body);
  o_colour = finished(c, there);
}
