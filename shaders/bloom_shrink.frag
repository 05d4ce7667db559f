// Half the size, five filtered reads. u_step: xy one texel of the source.
uniform sampler2D u_source;
uniform vec4 u_step;
in vec2 v_uv;
layout(location = 0) out vec4 o_colour;

void main() {
  vec2 s = u_step.xy;
  vec3 sum = 4.0 * texture(u_source, v_uv).rgb;
  sum += texture(u_source, v_uv + s).rgb + texture(u_source, v_uv - s).rgb;
  sum += texture(u_source, v_uv + vec2(s.x, -s.y)).rgb + texture(u_source, v_uv + vec2(-s.x, s.y)).rgb;
  o_colour = vec4(sum / 8.0, 0.0);
}
