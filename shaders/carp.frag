#include "sprite.glsl"
#include "paper.glsl"
// A carp streamer seen from above, swimming along x, its length the figure's size. p0 hit flash, p1 there 0 to 1 (it fills
// with wind from the mouth on), p2 phase in turns: a wave runs down to its tail.
void main() {
  float there = eased(v_state.y);
  float turn = v_state.z * 6.2831853;
  float ink = max(0.010, 1.5 * v_figure.y);
  vec2 p = v_p;
  float back = clamp(0.34 - p.x, 0.0, 0.9);
  p.y -= 0.135 * back * (0.30 + back) * sin(turn - 5.2 * back);
  float fill = mix(0.35, 1.0, smoothstep(0.0, 0.5, there * 1.5 - back));
  float t = clamp((p.x + 0.28) / 0.76, 0.0, 1.0);
  float wide = (0.046 + 0.050 * t + 0.64 * t * t * (1.0 - t)) * fill;
  float u = clamp((-0.28 - p.x) / 0.20, 0.0, 1.0);
  wide += 0.125 * u * (1.4 - 0.4 * u) * fill;
  float m = abs(p.y);
  // Round mouth, forked tail.
  float notch = -0.485 + 0.115 * (1.0 - clamp(m / 0.16, 0.0, 1.0)) + 0.012 * sin(m * 75.0);
  float mouth_end = p.x - 0.490 + 2.0 * p.y * p.y;
  float body = max(max(m - wide, notch - p.x), mouth_end) * 0.93;

  // Fins: a pair behind the head, a smaller one before the tail.
  float ripple = 0.02 * sin(turn * 1.0 + 2.0);
  vec2 n = rotated(vec2(p.x - 0.165, m - 0.115), -0.345);
  float fin = (length((n - vec2(0.085, 0.0)) / vec2(0.125, 0.058 + 0.16 * n.x)) - 1.0) * 0.06;
  float small_fin = triangle(vec2(p.x, m), vec2(-0.10, 0.045), vec2(-0.245, 0.150 + 0.5 * ripple), vec2(-0.20, 0.03));
  float fins = min(fin, small_fin);

  float px = v_figure.y;
  vec2 q = v_p / vec2(0.56, 0.36);
  float window = max(0.0, 1.0 - dot(q, q));
  vec4 c = vec4(v_tint * window * (0.11 * exp(-m * m * 40.0)), 0.0);
  paint(c, kInk, cover(min(body, fins) - ink) * 0.96);
  float rays = abs(fract((m - 0.6 * p.x) * 34.0) - 0.5) * 2.0;
  paint(c, paper(v_tint, 0.42 + 0.22 * rays), cover(fins) * 0.96);

  float across = clamp(m / max(wide, 0.01), 0.0, 1.0);
  float lamp = 0.25 + 0.75 * exp(-(p.x - 0.10) * (p.x - 0.10) * 7.0);
  float shine = (1.0 - 0.80 * across * across) * lamp * (0.92 + 0.08 * sin(turn * 2.0 - 9.0 * back));
  // Scales: rows of arcs, each other row between the ones before; pale where they overlap.
  float gx = p.x * 15.0;
  float row = floor(gx);
  float gy = p.y / (0.45 + 0.55 * clamp(wide / 0.15, 0.0, 1.0)) * 17.0 + 0.5 * mod(row, 2.0);
  vec2 s = vec2(gx - row, fract(gy) - 0.5);
  float scale = length(s - vec2(1.05, 0.0)) - 0.98;
  float pattern = smoothstep(-0.36, 0.02, scale);
  float line = clamp(1.0 - abs(scale) / (0.07 + 15.0 * px), 0.0, 1.0);
  vec3 cream = vec3(1.0, 0.80, 0.50);
  vec3 hue = mix(v_tint, cream, 0.55 * smoothstep(0.05, 0.0, abs(p.y) - 0.012) + 0.22 * pattern);
  vec3 colour = paper(hue, shine * (0.82 + 0.22 * pattern)) * (1.0 - 0.55 * line);
  // Tail: long rays.
  float tail = smoothstep(-0.22, -0.30, p.x);
  float tail_rays = abs(fract(across * 4.0) - 0.5) * 2.0;
  colour = mix(colour, paper(v_tint, (0.40 + 0.34 * tail_rays) * (1.2 - 0.5 * u)), tail);
  // The head is smooth, with a gill and the hoop of its mouth.
  float head = smoothstep(0.245, 0.262, p.x + 1.6 * p.y * p.y);
  float gill = clamp(1.0 - abs(p.x + 1.6 * p.y * p.y - 0.25) / (0.010 + px), 0.0, 1.0);
  colour = mix(colour, paper(mix(v_tint, cream, 0.50), shine * 0.95), head);
  colour *= 1.0 - 0.75 * gill;
  float hoop = smoothstep(0.456, 0.464, p.x + 2.0 * p.y * p.y);
  colour = mix(colour, vec3(0.92, 0.60, 0.22), hoop);
  paint(c, colour, cover(body));

  // Great round eyes, as painted on every streamer.
  vec2 e = vec2(p.x - 0.352, m - 0.088);
  float r = length(e);
  paint(c, kInk, cover(r - 0.058));
  paint(c, vec3(1.15, 1.02, 0.80), cover(r - 0.049));
  paint(c, vec3(0.85, 0.40, 0.05), cover(length(e - vec2(0.006, 0.002)) - 0.034));
  paint(c, kInk, cover(length(e - vec2(0.008, 0.002)) - 0.024));
  paint(c, vec3(1.4), cover(length(e - vec2(0.017, 0.010)) - 0.009));
  o_colour = finished(c, there);
}
