#include "frame.glsl"
// One spell light on the ground: a square around it, in the small light textures.
layout(location = 0) in vec4 a_place;  // xy after the last step, zw before it
layout(location = 1) in vec4 a_light;  // x radius, yzw linear colour times intensity
out vec2 v_corner;
out vec2 v_world;
flat out vec3 v_colour;

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  vec2 centre = mix(a_place.zw, a_place.xy, u_camera.w);
  v_corner = corner;
  // Stone drinks the pale part of the light: what comes back is a little more of its hue.
  vec3 light = a_light.yzw;
  v_colour = max(vec3(0.0), light + 0.24 * (light - dot(light, vec3(0.30, 0.55, 0.15))));
  v_world = centre + corner * a_light.x;
  gl_Position = vec4(2.0 * small_of(v_world) - 1.0, 0.0, 1.0);
}
