#include "frame.glsl"
#ifdef FINALE
#include "noise.glsl"
#endif
// What is added to the whole picture, into the texture that also holds the light's direction: the bloom, its sharp
// level and the wide ones; and beyond the arena the night sky, so that the composite needs only this texture there. In
// the finale slow curtains of light turn around the arena.
// u_step: xy one texel of the wide level, z weight of both, w how far the wide one's last row reaches below the sharp one, in
// texels of that.
uniform sampler2D u_source;  // wide
uniform sampler2D u_bloom;   // sharp
uniform sampler2D u_light;
uniform vec4 u_step;
in vec2 v_uv;
layout(location = 0) out vec4 o_colour;

#ifdef FINALE
vec3 aurora(vec2 world, float radius) {
  vec2 way = world / max(radius, 1.0);
  float time = u_clock.x * 0.05;
  float far = (radius - 345.0) / 300.0;
  // Rays lean with the distance, so that the whole sky seems to turn.
  float lean = 1.1 * far + time;
  vec2 turned = vec2(cos(lean) * way.x - sin(lean) * way.y, sin(lean) * way.x + cos(lean) * way.y);
  float folds = noise(turned * 2.4 + vec2(time * 1.7, -time));
  float rays = noise(turned * 9.0 + folds * 2.2 + time * 2.0);
  float fine = noise(turned * 26.0 + folds * 3.0 - time * 3.0);
  float curtain = smoothstep(0.34, 0.86, folds) * (0.35 + 0.65 * rays) * (0.65 + 0.35 * fine);
  float height = smoothstep(0.0, 0.10, far) * exp(-far * 1.9);
  vec3 low = vec3(0.085, 0.046, 0.012);
  vec3 middle = vec3(0.004, 0.080, 0.062);
  vec3 high = vec3(0.055, 0.012, 0.095);
  vec3 hue = mix(mix(low, middle, smoothstep(0.05, 0.40, far + 0.20 * (rays - 0.5))), high, smoothstep(0.40, 1.0, far));
  return hue * (curtain * height);
}
#endif

void main() {
#ifdef BLOOM
  vec2 s = u_step.xy * 0.7;
  vec2 at = 0.5 * (gl_FragCoord.xy + vec2(0.0, u_step.w)) * u_step.xy;
  vec3 wide = texture(u_source, at + s).rgb + texture(u_source, at - s).rgb;
  wide += texture(u_source, at + vec2(s.x, -s.y)).rgb + texture(u_source, at + vec2(-s.x, s.y)).rgb;
  vec3 sum = (texture(u_bloom, v_uv).rgb + 0.25 * wide) * u_step.z;
#else
  vec3 sum = vec3(0.0);
#endif
  // The mist is darkest along the ring, so that the ring stands clear of it.
  vec2 world = world_of_small(v_uv);
  float radius = length(world);
  float mist = (1.0 - u_garden.x) * smoothstep(334.0, 341.0, radius) * mix(0.16, 0.95, smoothstep(338.0, 400.0, radius));
#ifdef FINALE
  if (radius > 340.0) sum += aurora(world, radius) * (u_clock.z * u_clock.z);
#endif
  o_colour = vec4(sum + texture(u_light, v_uv).rgb * mist, 0.0);
}
