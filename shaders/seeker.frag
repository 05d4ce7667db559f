#include "sprite.glsl"
// A homing spark: a small bright comet, flying along x.
void main() {
  vec2 p = v_p;
  float back = max(0.0, 0.05 - p.x);
  float width = 0.24 * exp(-back * 1.15) + 0.01;
  float y = p.y / width;
  float x = p.x > 0.05 ? (p.x - 0.05) / 0.24 : back / 2.1;
  float d2 = x * x + y * y;
  float body = max(0.0, 1.0 - d2);
  float hot = max(0.0, 1.0 - 2.8 * d2);
  float r2 = dot(p, p);
  float core = max(0.0, 1.0 - r2 / (0.020 + 2.0 * v_figure.y * v_figure.y));
  float halo = max(0.0, 1.0 - r2 / 0.58);
  float thread = p.x < 0.0 ? exp(-abs(p.y) / (0.03 + 0.5 * v_figure.y)) * (1.0 - smoothstep(0.2, 2.2, back)) : 0.0;
  vec3 pale = mix(v_tint, vec3(1.0), 0.5);
  vec3 colour = v_tint * (body * body * 0.75 + halo * halo * halo * 0.42) + pale * (hot * hot * 0.9 + thread * 0.30);
  colour += vec3(1.0, 0.98, 0.94) * core * core * 3.0;
  o_colour = vec4(colour, 0.0);
}
