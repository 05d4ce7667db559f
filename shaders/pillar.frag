#include "noise.glsl"
// A column of light: bright and round at its foot, thinning upwards, with threads that rise in it.
in vec2 v_p;
flat in vec4 v_pillar;
flat in vec3 v_tint;
layout(location = 0) out vec4 o_colour;

void main() {
  float fade = v_pillar.y;
  float up = clamp(v_p.y / v_pillar.x, 0.0, 1.0);
  float above = smoothstep(-0.28, 0.22, v_p.y);
  float left = (1.0 - up) * (1.0 - up);
  float narrow = 1.0 + 0.55 * up;
  float x = v_p.x * narrow;
  float column = exp(-x * x * 9.0);
  float core = exp(-x * x * 90.0);
  float threads = noise(vec2(v_p.x * 9.0, v_p.y * 0.55 - v_pillar.w * 1.7));
  threads *= noise(vec2(v_p.x * 17.0 + 7.0, v_p.y * 0.9 - v_pillar.w * 2.6));
  float side = 1.0 - smoothstep(1.2, 1.85, abs(v_p.x));
  // Light pooled around the foot, seen flat.
  vec2 q = v_p / vec2(1.75, 1.05);
  float pool = max(0.0, 1.0 - dot(q, q));
  vec2 k = v_p / vec2(0.62, 0.36);
  float ring = abs(length(k) - 1.0);
  vec3 pale = mix(v_tint, vec3(1.0, 0.96, 0.88), 0.5);
  vec3 colour = v_tint * column * left * above * (0.36 + 1.5 * threads) + pale * core * left * above * 1.0;
  colour += v_tint * pool * pool * pool * 0.40 + pale * exp(-ring * ring * 60.0) * 0.28;
  o_colour = vec4(colour * (side * fade * fade * (3.0 - 2.0 * fade)), 0.0);
}
