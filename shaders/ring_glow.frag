#include "frame.glsl"
#include "noise.glsl"
// The finale: light wells up between the ring's stones and runs round it, from the first rune both ways.
in vec2 v_world;
layout(location = 0) out vec4 o_colour;

void main() {
  float r = length(v_world);
  float angle = atan(v_world.x, -v_world.y);  // 0 on top, -pi to pi
  float finale = u_clock.z;
  float reached = smoothstep(0.0, 0.25, finale * 1.30 - abs(angle) / 3.14159265);
  float turn = angle / 6.2831853 * 12.0;
  float along = (turn - floor(turn + 0.5)) * 6.2831853 * r / 12.0;
  float joint = abs(abs(along) - 56.0 * r / 300.0);
  float inner = abs(r - 264.0);
  float outer = abs(r - 339.0);
  float lines = exp(-joint * joint * 0.16) * smoothstep(258.0, 268.0, r) * 0.55;
  lines *= 1.0 - smoothstep(330.0, 342.0, r);
  lines += exp(-inner * inner * 0.26) + exp(-outer * outer * 0.20) * 0.9;
  float soft = exp(-joint * 0.14) * smoothstep(256.0, 272.0, r) * (1.0 - smoothstep(328.0, 344.0, r)) * 0.5 +
               exp(-inner * 0.12) * smoothstep(256.0, 262.0, r);
  soft += exp(-outer * 0.11) * (1.0 - smoothstep(344.0, 352.0, r));
  vec2 way = vec2(sin(angle), cos(angle));
  float waves = noise(way * 3.0 + vec2(u_clock.x * 0.7, -u_clock.x * 0.4)) * 0.7;
  waves += noise(way * 11.0 - u_clock.x * 0.9) * 0.3;
  float run = smoothstep(0.25, 0.85, waves);
  vec3 gold = vec3(1.0, 0.44, 0.09);
  vec3 white = vec3(1.0, 0.70, 0.34);
  vec3 colour = mix(gold, white, lines) * (lines * (0.16 + 1.5 * run * run));
  colour += gold * (soft * (0.03 + 0.22 * run * run));
  o_colour = vec4(colour * reached, 0.0);
}
