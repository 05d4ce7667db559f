#include "sprite.glsl"
#include "noise.glsl"
// A drifting light with two dark eyes and a tail that trails below. p0 hit flash, p1 there 0 to 1, p2 phase in turns.
void main() {
  float there = clamp(v_state.y, 0.0, 1.0);
  there = there * there * (3.0 - 2.0 * there);
  float hit = clamp(v_state.x, 0.0, 1.0);
  float phase = v_state.z * 6.2831853;
  // Scattered it is drawn out upwards and thin.
  vec2 p = v_p - vec2(0.0, 0.16 + 0.025 * sin(phase));
  p /= mix(0.45, 1.0, there);

  // Body: a drop whose lower end runs out into a swaying tail.
  float below = max(0.0, 0.02 - p.y);
  float sway = 0.16 * below * sin(phase - below * 6.0) + 0.03 * below * sin(2.0 * phase + below * 15.0);
  vec2 b = vec2(p.x + sway, p.y);
  float width = 0.275 * exp(-below * below * 3.1 - below * 0.7);
  float tail_end = 1.0 - smoothstep(0.55, 0.86, below);
  float d = p.y > 0.0 ? length(vec2(b.x, p.y * 0.92)) - 0.272 : abs(b.x) - width * tail_end;
  float lobe = 0.045 * below * sin(b.x * 40.0 + phase * 2.0) * smoothstep(0.1, 0.5, below);
  d += lobe + (1.0 - tail_end) * 0.2;

  float soft = mix(0.05, 0.035, there);
  float body = (1.0 - smoothstep(-soft, soft + v_figure.y, d)) * (0.25 + 0.75 * exp(-below * 2.2));
  float depth = clamp(-d / 0.25, 0.0, 1.0);
  vec2 heart = vec2(b.x, p.y + 0.01);
  float core = exp(-dot(heart, heart) * 26.0);
  float r2 = dot(v_p - vec2(0.0, 0.10), v_p - vec2(0.0, 0.10));
  float window = max(0.0, 1.0 - r2 / 0.92);
  float halo = window * window * window * exp(-r2 * 3.0);
  float rim = body * (1.0 - depth) * (1.0 - depth);
  // Milky swirls inside.
  float swirl = noise(vec2(b.x * 6.0 + 2.0 * sin(phase), p.y * 5.0 - v_state.z * 3.0));

  vec3 pale = mix(v_tint, vec3(1.0), 0.28);
  vec3 colour = v_tint * v_tint * body * (0.50 + 0.50 * swirl) + pale * (core * 0.75 + rim * 0.22);
  colour += v_tint * halo * 0.34;
  vec4 c = vec4(colour, body * 0.35);
  // Eyes; hit, they are shut.
  float look = 0.02 * sin(phase * 0.5);
  vec2 e = vec2(abs(p.x - look) - 0.085, p.y - 0.045);
  float open = (1.0 - 0.85 * hit) * (abs(fract(v_state.z * 0.37) - 0.5) > 0.485 ? 0.15 : 1.0);
  float eye = (length(e / vec2(0.036, 0.058 * open + 0.008)) - 1.0) * 0.036;
  paint(c, v_tint * 0.02, cover(eye) * 0.92);
  float glint = length(e - vec2(-0.010 * sign(p.x - look), 0.022)) - 0.011;
  c.rgb += cover(glint) * 0.8 * open;
  // A hit makes it flare.
  c.rgb += (pale * body * 1.3 + v_tint * halo * 0.9) * hit * hit;
  // Motes around it.
  for (int i = 0; i < 3; ++i) {
    float own = phase + float(i) * 2.1;
    vec2 m = vec2(cos(own), 0.42 * sin(own) - 0.02 * float(i)) * (0.42 + 0.30 * (1.0 - there)) + vec2(0.0, 0.14);
    vec2 q = v_p - m;
    c.rgb += pale * exp(-dot(q, q) * 900.0) * 0.9;
  }
  o_colour = c * there;
}
