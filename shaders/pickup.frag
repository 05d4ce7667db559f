#include "sprite.glsl"
#include "paper.glsl"
// What enemies leave behind, known by its shape: p0 1 power (two chevrons), 2 magnet (a horseshoe), 3 shield, 4 bomb, 5 star;
// p1 there 0 to 1, p2 bobbing in turns.
void main() {
  int kind = int(clamp(v_state.x, 0.0, 9.0) + 0.5);
  float there = eased(v_state.y);
  float turn = v_state.z * 6.2831853;
  float ink = max(0.055, 1.4 * v_figure.y);
  vec2 p = (v_p - vec2(0.0, 0.035 * sin(turn))) / mix(0.5, 1.0, there);
  vec2 m = vec2(abs(p.x), p.y);
  float d;
  vec3 hue;
  float mark = 1.0;  // a second shape upon the first
  vec3 mark_hue = vec3(1.25, 1.15, 0.95);
  if (kind == 1) {
    float upper = p.y + 0.80 * m.x;
    d = max(min(abs(upper - 0.29), abs(upper + 0.09)) * 0.78 - 0.092, m.x - 0.38);
    hue = vec3(1.0, 0.16, 0.10);
  } else if (kind == 2) {
    vec2 q = p - vec2(0.0, 0.04);
    float bow = p.y > 0.04 ? abs(length(q) - 0.26) - 0.13 : abs(m.x - 0.26) - 0.13;
    d = max(bow, -0.40 - p.y);
    mark = max(bow + 0.02, max(p.y + 0.20, -0.38 - p.y));
    hue = vec3(0.12, 0.36, 1.0);
  } else if (kind == 3) {
    d = max(m.x - 0.35, p.y - 0.36);
    d = max(d, length(m - vec2(-0.32, 0.16)) - 0.68);
    d = max(d, -0.30 - p.y - 0.10 + m.x * 0.75 - 0.05);
    mark = min(max(m.x - 0.050, abs(p.y - 0.01) - 0.25), max(abs(p.y - 0.08) - 0.050, m.x - 0.22));
    hue = vec3(0.08, 0.82, 0.55);
  } else if (kind == 4) {
    float ball = length(p - vec2(-0.04, -0.07)) - 0.33;
    float neck = max(abs(dot(p - vec2(-0.04, -0.07), vec2(0.64, 0.77)) - 0.36) - 0.06,
                     abs(dot(p - vec2(-0.04, -0.07), vec2(0.77, -0.64))) - 0.12);
    float fuse = abs(length(p - vec2(0.36, 0.22)) - 0.125) - 0.035;
    fuse = max(fuse, 0.22 - p.y);
    d = min(ball, min(neck, fuse));
    mark = length(p - vec2(0.44, 0.24)) - 0.085 - 0.02 * sin(turn * 4.0);
    mark_hue = vec3(2.0, 1.1, 0.35);
    hue = vec3(0.52, 0.16, 1.0);
  } else {
    // Five points, a fold down each.
    float fifth = 1.2566371;
    float a = atan(p.x, p.y) + 0.12 * sin(turn);
    a = abs(mod(a + 0.5 * fifth, fifth) - 0.5 * fifth);
    vec2 q = length(p) * vec2(sin(a), cos(a));
    d = beyond(q, vec2(0.124, 0.171), vec2(0.0, 0.43));
    hue = vec3(1.0, 0.66, 0.10);
    mark = 1.0;
    mark_hue = vec3(1.0);
  }
  float shown = kind >= 1 && kind <= 5 ? there : 0.0;
  float window = max(0.0, 1.0 - dot(v_p, v_p) / 0.48);
  vec4 c = vec4(hue * window * window * (0.26 + 0.06 * sin(turn)), 0.0);
  paint(c, kInk, cover(min(d, mark) - ink));
  // A bevel as of folded paper: bright above, deep below.
  float bevel = 0.62 + 0.8 * p.y + 0.10 * sign(p.x);
  paint(c, hue * (0.15 + 0.85 * max(bevel, 0.0)), cover(d));
  float rim = cover(abs(d + 0.045) - 0.022);
  c.rgb = mix(c.rgb, mix(hue, vec3(1.0), 0.55) * 1.1 * c.a, rim * 0.75);
  paint(c, mark_hue, cover(mark));
  o_colour = c * shown;
}
