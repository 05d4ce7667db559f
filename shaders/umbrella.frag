#include "sprite.glsl"
#include "paper.glsl"
// A paper umbrella from above, one eye where its tip should be. p0 hit flash, p1 there 0 to 1 (it opens), p2 spin in turns.
void main() {
  float there = eased(v_state.y);
  float hit = clamp(v_state.x, 0.0, 1.0);
  float ink = ink_width();
  vec2 p = v_p / mix(0.30, 1.0, there);
  float r = length(p);
  float around = (atan(p.y, p.x) / 6.2831853 + v_state.z + v_figure.x) * 8.0;
  float panel = floor(around);
  float f = around - panel - 0.5;  // -0.5 at one rib, 0.5 at the next
  // The cloth hangs in between its ribs.
  float edge = 0.485 - mix(0.17, 0.055, there) * (1.0 - 4.0 * f * f);
  float body = r - edge;
  float px = v_figure.y;

  float window = max(0.0, 1.0 - dot(v_p, v_p) / 0.35);
  vec4 c = vec4(v_tint * window * window * 0.16, 0.0);
  paint(c, kInk, cover(body - ink) * 0.95);
  float to_rib = r * (0.5 - abs(f)) * 0.785;
  vec3 cream = mix(vec3(1.0, 0.80, 0.52), v_tint, 0.15);
  vec3 hue = mod(panel, 2.0) < 0.5 ? v_tint : cream;
  float shine = max(1.16 - 1.75 * r, 0.25) * (0.90 + 0.44 * f);
  vec3 colour = paper(hue, shine);
  // A ring of the other colour, rim and ribs.
  float u = r / edge;
  float band = cover(abs(u - 0.74) * edge - 0.032);
  colour = mix(colour, paper(mix(cream, v_tint, mod(panel, 2.0) < 0.5 ? 0.0 : 1.0), shine) * 0.85, band);
  colour *= 1.0 - 0.55 * cover(abs(u - 0.955) * edge - 0.010);
  colour *= 1.0 - 0.62 * clamp(1.0 - (to_rib - 0.004) / (px + 0.006), 0.0, 1.0);
  paint(c, colour, cover(body));
  float tip = length(vec2(r - 0.490, to_rib)) - 0.022;
  paint(c, vec3(0.62, 0.40, 0.14), cover(tip));

  // It looks down, and blinks.
  float open = 1.0 - 0.88 * smoothstep(0.975, 0.99, abs(fract(v_state.z * 0.43) * 2.0 - 1.0)) * (1.0 - hit);
  paint(c, kInk, cover(r - 0.172));
  paint(c, paper(v_tint, 0.35), cover(r - 0.155));
  vec2 q = vec2(p.x, p.y / max(open, 0.1));
  float ball = length(q) - 0.128;
  paint(c, vec3(1.25, 1.10, 0.88) * smoothstep(0.12, 0.6, open), cover(ball));
  vec2 iris = q - vec2(0.0, -0.026);
  paint(c, vec3(0.50, 0.055, 0.03), cover(length(iris) - 0.082) * cover(ball));
  paint(c, kInk, cover(length(iris) - 0.046) * cover(ball));
  paint(c, vec3(1.4), cover(length(q - vec2(-0.034, 0.020)) - 0.024) * open);
  o_colour = finished(c, there);
}
