#include "frame.glsl"
// A thick wave of bent air that runs out over the ground: what lies under it is seen shifted, with a bright and a dark
// side, and nothing of it has an edge. p0 radius, p1 fade 1 to 0.
uniform sampler2D u_stone;
uniform sampler2D u_light;
uniform sampler2D u_bloom;
in vec2 v_p;
in vec2 v_world;
flat in vec4 v_ring;
flat in vec3 v_tint;
layout(location = 0) out vec4 o_colour;

void main() {
  float r = length(v_p);
  vec2 d = v_p / max(r, 0.001);
  vec2 out_dir = vec2(d.x, -d.y);  // As the world has it.
  float x = (r - 0.93) / 0.15;     // 0 on the crest
  float wave = exp(-x * x);
  float slope = -2.0 * x * wave;   // > 0 behind the crest, in front < 0
  float window = smoothstep(0.55, 0.74, r) * (1.0 - smoothstep(1.06, 1.21, r));
  float fade = v_ring.y;
  float strength = fade * fade * (3.0 - 2.0 * fade) * window;

  vec2 seen = v_world + out_dir * (slope * strength * min(0.16 * v_ring.x, 20.0));
  vec4 stone = texture(u_stone, (seen - u_ground.xy) * u_ground.zw);
  vec2 at = small_of(seen);
  vec4 light = texture(u_light, at);
  float bright = dot(light.rgb, vec3(0.30, 0.55, 0.15));
  vec2 towards = vec2(light.a, texture(u_bloom, at).a) * (u_clock.w / (bright + 0.0005));
  vec2 tilt = stone.yz * 2.0 - 1.0 - out_dir * (slope * 1.00 * strength);
  float relief = max(0.10, 1.0 + 2.3 * dot(tilt, towards));
  vec3 ground = light.rgb * max(0.5, 1.0 - 0.20 * bright) * (stone.x * stone.x * relief);

  float amount = wave * strength;
  amount = min(1.0, amount * 1.6);
  float front = exp(-(x - 0.05) * (x - 0.05) * 10.0);
  float veil = wave * 0.06 + exp(-(x + 1.2) * (x + 1.2) * 0.7) * 0.05;
  vec3 pale = mix(v_tint, vec3(1.0), 0.35);
  vec3 colour = ground * (amount * (1.0 + 0.20 * wave));
  colour += (pale * front * 0.13 + v_tint * veil) * strength * (0.35 + 0.65 * fade);
  o_colour = vec4(colour, amount);
}
