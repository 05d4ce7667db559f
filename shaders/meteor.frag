#include "sprite.glsl"
#include "noise.glsl"
#include "frame.glsl"
// A burning rock: dark crust with hot cracks, a white-hot front, flames that stream off behind. p0 heat 0 to 1.
void main() {
  float heat = clamp(v_state.x, 0.0, 1.0);
  float time = u_clock.x;
  vec2 p = v_p;  // x along the flight
  float r = length(p);
  vec2 d = p / max(r, 0.001);
  float id = floor(v_tint.r * 7.0 + v_tint.g * 13.0);

  // Flames: a long drop around the rock, its edge torn by noise that runs backwards.
  float back = max(0.0, 0.28 - p.x);
  float flow = noise(vec2(p.x * 2.1 + time * 7.0, p.y * 4.2 + id)) * 0.65;
  flow += noise(vec2(p.x * 4.6 + time * 13.0, p.y * 8.0)) * 0.35;
  float width = 0.74 * exp(-back * 0.58) + 0.03;
  float y = (p.y + (flow - 0.5) * back * 0.55) / width;
  float x = p.x > 0.0 ? p.x / 0.66 : p.x / 2.75;
  float e = 1.0 - (x * x + y * y);
  float torn = clamp(e - (flow - 0.35) * min(back, 1.2) * 0.95, 0.0, 1.0);
  float hot = clamp(1.0 - (x * x * 3.2 + y * y * 2.0) - (flow - 0.4) * 0.6 * back, 0.0, 1.0);
  float glow = max(0.0, 1.0 - dot(p * vec2(0.75, 1.02), p * vec2(0.75, 1.02)));
  vec3 deep = v_tint * vec3(0.95, 0.50, 0.40);
  vec3 bright = mix(v_tint, vec3(1.0, 0.72, 0.30), 0.6);
  vec3 flame = deep * torn * torn * 1.0 + v_tint * torn * torn * torn * 1.0 + bright * hot * hot * 1.5;
  flame += v_tint * glow * glow * glow * 0.22;
  vec4 c = vec4(flame * heat, 0.0);

  // The rock.
  float knobs = 0.075 * (noise(d * 1.6 + id * 3.1) - 0.5) * 2.0 + 0.045 * (noise(d * 4.0 + id) - 0.5) * 2.0;
  float shape = r - 0.40 - knobs;
  float inside = cover(shape);
  if (inside > 0.0) {
    vec2 n2 = p / 0.45;
    vec3 n = normalize(vec3(n2, sqrt(max(0.05, 1.0 - dot(n2, n2)))));
    vec2 skin = p * 6.5 + id * 5.0;
    float bumps = noise(skin) * 0.6 + noise(skin * 2.3) * 0.4;
    vec3 crust = vec3(0.050, 0.040, 0.046) * (0.45 + 1.1 * bumps);
    // Cracks lie where two noises meet.
    float vein = abs(noise(p * 4.4 + id * 2.0 + 9.0) - 0.5) + 0.45 * abs(noise(p * 9.5 + 31.0) - 0.5);
    float crack = (1.0 - smoothstep(0.030, 0.165, vein));
    float front = smoothstep(-0.25, 0.42, p.x);
    vec3 rock = lit(crust * 1.8, n) + crust * (bright * heat) * (0.35 + 2.2 * front);
    rock += (bright * crack * (0.9 + 1.2 * front) + vec3(1.0, 0.9, 0.66) * crack * crack * 0.9) * heat;
    float rim = smoothstep(-0.115, 0.0, shape);
    rock += mix(v_tint, vec3(1.0, 0.82, 0.50), front) * rim * rim * (0.25 + 2.1 * front) * heat;
    paint(c, rock, inside);
  }
  // The air in front of it, bent to a bow.
  float bow = r - 0.53 - 0.12 * (1.0 - d.x);
  float arc_part = smoothstep(0.15, 0.85, d.x);
  c.rgb += vec3(1.0, 0.84, 0.60) * exp(-bow * bow * 320.0) * arc_part * arc_part * heat * 1.3;
  o_colour = c;
}
