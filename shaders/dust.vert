#include "frame.glsl"
// A mote or star of render/dust.hpp, added to the finished picture (so these are display colours, not light).
layout(location = 0) in vec3 a_place;   // xy world, z diameter in units
layout(location = 1) in vec4 a_colour;  // rgb its own, w part of the light that is added to it
uniform sampler2D u_light;
flat out vec3 v_colour;

void main() {
  gl_Position = clip_of(a_place.xy);
  // Not every driver leaves a point out whose middle lies outside.
  if (any(greaterThan(abs(gl_Position.xy), vec2(1.0)))) gl_Position.z = 2.0;
  gl_PointSize = max(1.0, a_place.z * u_camera.z);
  vec3 lit = textureLod(u_light, small_of(a_place.xy), 0.0).rgb;
  v_colour = seen_colour(a_colour.rgb + lit * a_colour.a);
}
