// Half the size, rounded up, five filtered reads. u_step: xy one texel of the source, w how far the last row reaches below
// the source, in its texels.
uniform sampler2D u_source;
uniform vec4 u_step;
layout(location = 0) out vec4 o_colour;

void main() {
  vec2 s = u_step.xy;
  vec2 at = (2.0 * gl_FragCoord.xy - vec2(0.0, u_step.w)) * s;
  vec3 sum = 4.0 * texture(u_source, at).rgb;
  sum += texture(u_source, at + s).rgb + texture(u_source, at - s).rgb;
  sum += texture(u_source, at + vec2(s.x, -s.y)).rgb + texture(u_source, at + vec2(-s.x, s.y)).rgb;
  o_colour = vec4(sum / 8.0, 0.0);
}
