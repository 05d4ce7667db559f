#include "sprite.glsl"
#include "noise.glsl"
#include "paper.glsl"
// A stone that floats over the garden, pale at its upper left. p0 which one, 0 to 1; p1 there 0 to 1.
void main() {
  float there = eased(v_state.y);
  float id = floor(clamp(v_state.x, 0.0, 1.0) * 97.0);
  vec2 p = v_p;
  float r = length(p);
  vec2 d = p / max(r, 0.001);
  float knobs = 0.10 * (noise(d * 1.7 + id * 3.1) - 0.5) + 0.05 * (noise(d * 4.3 + id) - 0.5);
  float shape = r - 0.46 - knobs;
  // Its shadow on the ground, below and to the right.
  vec2 q = (p - vec2(0.09, -0.12)) / vec2(0.64, 0.62);
  float under = max(0.0, 1.0 - dot(q, q));
  vec4 c = vec4(0.0, 0.0, 0.0, min(0.72, 1.6 * under * under));
  float inside = cover(shape);
  if (inside > 0.0) {
    vec2 skin = p * 5.0 + id * 5.0;
    float bumps = noise(skin) * 0.6 + noise(skin * 2.6) * 0.4;
    vec2 tilt = p / 0.5 + 0.55 * (vec2(noise(p * 3.4 + id * 2.0), noise(p * 3.4 + id * 2.0 + 31.0)) - 0.5);
    vec3 n = normalize(vec3(tilt, sqrt(max(0.06, 1.0 - dot(tilt, tilt)))));
    vec3 stone = vec3(0.115, 0.125, 0.165) * (0.55 + 0.9 * bumps);
    float moon = max(0.0, dot(n, vec3(-0.48, 0.62, 0.62)));
    vec3 colour = stone * (0.16 + 1.15 * moon * moon) + 0.7 * lit(stone, n);
    float vein = abs(noise(p * 4.0 + id * 2.0 + 9.0) - 0.5) + 0.4 * abs(noise(p * 9.0 + 17.0) - 0.5);
    colour *= 1.0 - 0.6 * (1.0 - smoothstep(0.02, 0.09, vein));
    float rim = smoothstep(-0.10, 0.0, shape) * max(0.0, dot(d, vec2(-0.61, 0.79)));
    colour += vec3(0.10, 0.12, 0.18) * rim * rim;
    paint(c, kInk, cover(shape - ink_width()));
    paint(c, colour, inside);
  }
  o_colour = c * there;
}
