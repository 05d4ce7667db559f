#include "frame.glsl"
// The last step: the sharp level and the wide ones, added into the texture that also holds the light's direction; and
// beyond the arena the night sky, so that the composite needs only this texture there.
// u_step: xy one texel of the wide one, z weight of the sharp one, w of the wide one.
uniform sampler2D u_source;  // wide
uniform sampler2D u_bloom;   // sharp
uniform sampler2D u_light;
uniform vec4 u_step;
in vec2 v_uv;
layout(location = 0) out vec4 o_colour;

void main() {
  vec2 s = u_step.xy * 0.7;
  vec3 wide = texture(u_source, v_uv + s).rgb + texture(u_source, v_uv - s).rgb;
  wide += texture(u_source, v_uv + vec2(s.x, -s.y)).rgb + texture(u_source, v_uv + vec2(-s.x, s.y)).rgb;
  vec3 sum = texture(u_bloom, v_uv).rgb * u_step.z + wide * (0.25 * u_step.w);
  // The mist is darkest along the ring, so that the ring stands clear of it.
  float radius = length(u_camera.xy + vec2(v_uv.x - 0.5, 0.5 - v_uv.y) * 2.0 * u_view.xy);
  float mist = smoothstep(334.0, 341.0, radius) * mix(0.16, 0.95, smoothstep(338.0, 400.0, radius));
  o_colour = vec4(sum + texture(u_light, v_uv).rgb * mist, 0.0);
}
