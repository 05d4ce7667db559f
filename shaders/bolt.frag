#include "sprite.glsl"
#include "noise.glsl"
// The head of a fire bolt: a hot drop with a licking tail. p0 its age in seconds; it flies along its angle.
void main() {
  vec2 p = rotated(v_p, v_figure.x);  // x along the flight
  p.x -= 0.10;
  float back = max(0.0, -p.x);
  float lick = noise(vec2(p.x * 5.0 + v_state.x * 16.0, p.y * 7.0 + 3.0)) - 0.5;
  float wave = lick * back * 0.75;
  float width = 0.34 * exp(-back * 1.5) + 0.02;
  float y = (p.y + wave) / width;
  float x = p.x > 0.0 ? p.x / 0.32 : p.x / 1.15;
  float d2 = x * x + y * y;
  float envelope = max(0.0, 1.0 - d2);
  float hot = max(0.0, 1.0 - d2 * 2.6);
  float core = max(0.0, 1.0 - dot(p, p) * 42.0);
  float r2 = dot(v_p, v_p);
  float window = max(0.0, 1.0 - r2 / 1.7);
  vec3 fire = v_tint * vec3(1.0, 0.85, 0.7);
  vec3 colour = fire * envelope * envelope * 0.85;
  colour += mix(v_tint, vec3(1.0, 0.62, 0.22), 0.5) * hot * hot * 1.35;
  colour += vec3(1.0, 0.86, 0.60) * core * core * 3.2;
  colour += v_tint * window * window * 0.20 * exp(-r2 * 3.0);
  o_colour = vec4(colour, 0.0);
}
