// Adds a smaller level to the next larger one, with a soft tent. u_step: xy one texel of the source, z weight, w how far
// the source's last row reaches below the target, in texels of the target.
uniform sampler2D u_source;
uniform vec4 u_step;
layout(location = 0) out vec4 o_colour;

void main() {
  vec2 s = u_step.xy;
  vec2 at = 0.5 * (gl_FragCoord.xy + vec2(0.0, u_step.w)) * s;
  vec3 sum = texture(u_source, at + vec2(s.x, 0.0)).rgb + texture(u_source, at - vec2(s.x, 0.0)).rgb;
  sum += texture(u_source, at + vec2(0.0, s.y)).rgb + texture(u_source, at - vec2(0.0, s.y)).rgb;
  sum *= 2.0;
  sum += texture(u_source, at + s).rgb + texture(u_source, at - s).rgb;
  sum += texture(u_source, at + vec2(s.x, -s.y)).rgb + texture(u_source, at + vec2(-s.x, s.y)).rgb;
  o_colour = vec4(sum * (u_step.z / 12.0), 0.0);
}
