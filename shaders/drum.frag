#include "sprite.glsl"
#include "paper.glsl"
// A drum of lacquer on two feet that beats itself: its skin lit from within, a whirl of three commas on it. p0 hit flash,
// p1 there 0 to 1, p2 phase in turns: the sticks fall as it passes a whole one.
void main() {
  float there = eased(v_state.y);
  float ink = ink_width();
  float phase = fract(v_state.z);
  // Slow up, fast down.
  float raised = phase < 0.86 ? sin(1.5708 * phase / 0.86) : cos(1.5708 * (phase - 0.86) / 0.14);
  float struck = exp(-phase * 9.0);
  vec2 p = v_p / mix(0.45, 1.0, there);
  vec2 q = p - vec2(0.0, -0.02 - 0.012 * struck);
  float r = length(q);
  vec2 m = vec2(abs(q.x), q.y);

  float window = max(0.0, 1.0 - dot(v_p, v_p) / 0.35);
  vec4 c = vec4(v_tint * window * window * (0.13 + 0.22 * struck), 0.0);

  // Feet, barrel, rings to carry it.
  float foot = taper(m, vec2(0.20, -0.30), vec2(0.285, -0.45), 0.062, 0.050);
  foot = max(foot, -0.475 - m.y);
  float ear = abs(length(m - vec2(0.415, -0.02)) - 0.060) - 0.020;
  float barrel = r - 0.400;
  // Sticks, crossed before it when they fall.
  float a = mix(0.16, 0.62, raised);
  vec2 hold = vec2(0.335, 0.235);
  vec2 way = vec2(sin(a) * 0.24 - 0.08, cos(a) * 0.235 + 0.02);
  float stick = taper(m, hold - vec2(0.055, 0.07), hold + mix(vec2(-0.155, 0.03), way, raised), 0.036, 0.026);
  float knob = length(m - hold - mix(vec2(-0.155, 0.03), way, raised)) - 0.050;

  paint(c, kInk, cover(min(min(foot, ear), barrel) - ink) * 0.96);
  vec3 lacquer = v_tint * vec3(0.46, 0.17, 0.15);
  paint(c, vec3(0.20, 0.12, 0.045), cover(ear));
  paint(c, lacquer * (0.55 + 0.8 * smoothstep(-0.5, -0.3, p.y)), cover(foot));
  float round_off = 1.0 - smoothstep(0.33, 0.40, r) * 0.55;
  paint(c, lacquer * (0.75 + 0.65 * q.y + 0.35) * round_off * 1.25, cover(barrel));
  // Studs around the skin.
  float turns = atan(q.y, q.x) / 6.2831853;
  float k = fract(turns * 18.0) - 0.5;
  float stud = length(vec2(r - 0.362, k * 0.1263)) - 0.020;
  paint(c, vec3(0.95, 0.66, 0.24) * (0.55 + 0.9 * q.y + 0.25), cover(stud));
  paint(c, kInk, cover(r - 0.330));
  vec2 l = q - vec2(0.0, -0.03);
  float shine = (0.34 + 0.62 * exp(-dot(l, l) * 14.0)) * (1.0 + 0.75 * struck) * (1.0 - 0.25 * smoothstep(0.26, 0.32, r));
  vec3 skin = mix(v_tint, vec3(1.0, 0.70, 0.34), 0.55);
  paint(c, paper(skin, shine), cover(r - 0.312));

  // Three commas, chasing each other.
  float third = fract((turns - 0.10 * v_state.z) * 3.0);
  float spine = 0.125 + 0.085 * third * third;
  float thick = 0.066 * (1.0 - third) * (1.0 - 0.3 * third);
  float comma = abs(r - spine) - thick;
  float head_turn = (third - (third > 0.5 ? 1.0 : 0.0)) * 2.0944;
  comma = min(comma, length(vec2(r * cos(head_turn) - 0.125, r * sin(head_turn))) - 0.066);
  vec3 dye = v_tint * vec3(0.34, 0.035, 0.05) + vec3(0.02, 0.004, 0.01);
  paint(c, dye, cover(comma) * 0.95);
  float wave = abs(r - 0.07 - 0.30 * phase * 2.2) - 0.010;
  c.rgb += skin * cover(wave) * struck * 0.8 * cover(r - 0.312);

  paint(c, kInk, cover(min(stick, knob) - ink) * 0.96);
  paint(c, vec3(0.70, 0.50, 0.26) * (0.75 + 0.5 * raised), cover(stick));
  paint(c, vec3(0.95, 0.78, 0.50), cover(knob));
  o_colour = finished(c, there);
}
