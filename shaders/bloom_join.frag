// The last step: the sharp level and the wide ones, added into the texture that also holds the light's direction.
// u_step: xy one texel of the wide one, z weight of the sharp one, w of the wide one.
uniform sampler2D u_source;  // wide
uniform sampler2D u_bloom;   // sharp
uniform vec4 u_step;
in vec2 v_uv;
layout(location = 0) out vec4 o_colour;

void main() {
  vec2 s = u_step.xy * 0.7;
  vec3 wide = texture(u_source, v_uv + s).rgb + texture(u_source, v_uv - s).rgb;
  wide += texture(u_source, v_uv + vec2(s.x, -s.y)).rgb + texture(u_source, v_uv + vec2(-s.x, s.y)).rgb;
  o_colour = vec4(texture(u_bloom, v_uv).rgb * u_step.z + wide * (0.25 * u_step.w), 0.0);
}
