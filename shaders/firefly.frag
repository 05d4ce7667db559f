#include "sprite.glsl"
#include "paper.glsl"
// A paper firefly from above, flying along x: an ink body, two pairs of thin wings, and its lamp behind. p0 hit flash, p1
// there 0 to 1, p2 phase in turns: its wings beat, its lamp pulses.
void main() {
  float there = eased(v_state.y);
  float turn = v_state.z * 6.2831853;
  float ink = ink_width();
  vec2 p = v_p / mix(0.55, 1.0, there);
  vec2 m = vec2(p.x, abs(p.y));
  float beat = sin(turn * 3.0);
  float pulse = 0.80 + 0.20 * sin(turn);

  vec2 l = p - vec2(-0.20, 0.0);
  float window = max(0.0, 1.0 - dot(v_p, v_p) / 0.40);
  float glow = exp(-dot(l, l) * 11.0) * window * pulse;
  vec4 c = vec4(v_tint * glow * 0.75, 0.0);

  // Wings: long drops from the shoulder.
  vec2 w = rotated(m - vec2(0.10, 0.05), -0.285 + 0.030 * beat);
  float fore = (length((w - vec2(0.24, 0.0)) / vec2(0.26, 0.095 + 0.10 * w.x)) - 1.0) * 0.095;
  vec2 v = rotated(m - vec2(0.02, 0.05), -0.380 - 0.030 * beat);
  float hind = (length((v - vec2(0.17, 0.0)) / vec2(0.19, 0.085)) - 1.0) * 0.085;
  float wings = min(fore, hind);
  float vein = abs(fract(w.y * 16.0 + 0.5) - 0.5) / 16.0 - 0.004;
  paint(c, kInk, cover(wings - ink) * 0.85);
  vec3 pale = mix(v_tint, vec3(1.0, 0.95, 0.85), 0.55);
  paint(c, pale * (0.24 + 0.75 * glow) * (1.0 - 0.45 * cover(vein)), cover(wings) * 0.92);

  // Body: lamp, waist, head with feelers.
  float lamp = (length(l / vec2(0.235, 0.125)) - 1.0) * 0.125;
  float waist = (length((p - vec2(0.10, 0.0)) / vec2(0.15, 0.095)) - 1.0) * 0.095;
  float head = length(p - vec2(0.275, 0.0)) - 0.085;
  float feeler = segment(m, vec2(0.33, 0.03), vec2(0.48, 0.13)) - 0.013;
  paint(c, kInk, cover(min(min(lamp, waist), min(head, feeler)) - ink));
  float rings = abs(fract(l.x * 9.0) - 0.5) * 2.0;
  float shine = pulse * (1.15 - 1.9 * abs(l.y) / 0.25) * (1.0 - 0.45 * smoothstep(0.70, 1.0, rings));
  paint(c, paper(v_tint, shine), cover(lamp));
  vec3 shell = mix(vec3(0.16, 0.055, 0.035), vec3(0.42, 0.13, 0.06), smoothstep(0.02, 0.09, m.y));
  paint(c, shell, cover(waist));
  paint(c, vec3(0.095, 0.040, 0.035), cover(min(head, feeler)));
  paint(c, vec3(1.0, 0.90, 0.62), cover(length(m - vec2(0.300, 0.052)) - 0.030));
  o_colour = finished(c, there);
}
