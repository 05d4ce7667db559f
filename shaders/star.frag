#include "sprite.glsl"
// The head of a falling star: a four-pointed light, its long ray along the flight, and a short streak behind. p0
// twinkle in turns.
void main() {
  vec2 p = v_p;  // x along the flight
  float px = v_figure.y;
  float beat = sin(v_state.x * 6.2831853);
  float grow = 1.0 + 0.22 * beat;
  float r2 = dot(p, p);
  float r = sqrt(r2);
  vec2 q = abs(p);
  // Rays: thin diamonds with curved sides.
  float least = 0.012 + 0.6 * px;
  float long_ray = max(0.0, 1.0 - q.y / (0.060 * max(0.0, 1.0 - q.x / 1.25) + least));
  long_ray *= max(0.0, 1.0 - q.x / (1.15 * grow));
  float wide_ray = max(0.0, 1.0 - q.x / (0.055 * max(0.0, 1.0 - q.y / 0.95) + least));
  wide_ray *= max(0.0, 1.0 - q.y / (0.85 * grow));
  vec2 h = vec2(q.x + q.y, abs(q.x - q.y)) * 0.7071;
  float small_ray = max(0.0, 1.0 - h.x / (0.40 * (1.0 - 0.35 * beat))) * max(0.0, 1.0 - h.y / (0.035 + px));
  float core = max(0.0, 1.0 - r2 / 0.030);
  float halo = max(0.0, 1.0 - r2 / 1.2);
  float back = max(0.0, -p.x);
  float width = 0.15 * exp(-back * 0.55) * (1.0 - smoothstep(0.6, 3.3, back)) + 0.004;
  float streak = exp(-(p.y * p.y) / (width * width)) * exp(-back * 0.95) * (1.0 - smoothstep(2.2, 3.4, back));
  streak *= (1.0 - smoothstep(-0.15, 0.08, p.x));
  float thread = exp(-abs(p.y) / (0.018 + 0.5 * px)) * exp(-back * 0.7) * (1.0 - smoothstep(2.0, 3.4, back));
  thread *= step(p.x, 0.0);
  vec3 pale = mix(v_tint, vec3(1.0), 0.55);
  vec3 colour = pale * (long_ray * long_ray * 1.5 + wide_ray * wide_ray * 1.5 + small_ray * 0.5);
  colour += vec3(1.0, 0.98, 0.94) * core * core * 3.0;
  colour += v_tint * (halo * halo * halo * halo * 0.42 + streak * 0.62) + pale * thread * 0.75;
  o_colour = vec4(colour, 0.0);
}
