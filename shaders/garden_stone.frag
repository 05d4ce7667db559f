#include "frame.glsl"
// Baked from garden_height: x sqrt of the reflectance, yz the surface's slope, w the tint. u_step.x: the target's row
// where this picture begins; the heights begin a row earlier.
uniform sampler2D u_source;
uniform vec4 u_step;
layout(location = 0) out vec4 o_stone;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) - ivec2(0, int(u_step.x) - 1);
  ivec2 last = textureSize(u_source, 0) - 1;
  vec4 here = texelFetch(u_source, at, 0);
  float left = texelFetch(u_source, ivec2(max(at.x - 1, 0), at.y), 0).x;
  float right = texelFetch(u_source, ivec2(min(at.x + 1, last.x), at.y), 0).x;
  float above = texelFetch(u_source, at - ivec2(0, 1), 0).x;
  float below = texelFetch(u_source, at + ivec2(0, 1), 0).x;
  float per_unit = u_camera.z;
  vec2 slope = vec2(left - right, above - below) * (0.5 * per_unit * 0.72);
  slope /= sqrt(1.0 + dot(slope, slope));
  float bowl = clamp((here.x - 0.25 * (left + right + above + below)) * per_unit, -0.6, 0.6);
  float reflect_light = here.y * (1.0 + 0.22 * bowl);
  o_stone = vec4(sqrt(clamp(reflect_light, 0.0, 1.0)), slope * 0.5 + 0.5, here.z);
}
