#include "frame.glsl"
// Baked once, from ground_height: x sqrt of the reflectance, yz the surface's slope, w fine mottling.
uniform sampler2D u_source;
in vec2 v_world;
layout(location = 0) out vec4 o_stone;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(u_source, 0) - 1;
  vec4 here = texelFetch(u_source, at, 0);
  float left = texelFetch(u_source, max(at - ivec2(1, 0), ivec2(0)), 0).x;
  float right = texelFetch(u_source, min(at + ivec2(1, 0), last), 0).x;
  float above = texelFetch(u_source, max(at - ivec2(0, 1), ivec2(0)), 0).x;
  float below = texelFetch(u_source, min(at + ivec2(0, 1), last), 0).x;
  float per_unit = u_camera.z;
  vec2 slope = vec2(left - right, above - below) * 0.5 * per_unit;  // Points downhill, world axes.
  slope *= 0.72;
  slope /= sqrt(1.0 + dot(slope, slope));
  // Low places between higher neighbours are darker.
  float bowl = clamp(here.x - 0.25 * (left + right + above + below), -0.6, 0.6) * per_unit;
  float reflect_light = here.y * (1.0 + 0.22 * clamp(bowl, -1.0, 1.0));
  slope *= here.z;
  reflect_light *= 0.72 * here.z;  // Nothing off the ring: the night is added with the bloom.
  o_stone = vec4(sqrt(clamp(reflect_light, 0.0, 1.0)), slope * 0.5 + 0.5, here.w);
}
