// What is bright of the picture, into the first small target. Four filtered reads.
// u_step: xy offset of the reads in texture coordinates.
uniform sampler2D u_source;
uniform vec4 u_step;
in vec2 v_uv;
layout(location = 0) out vec4 o_colour;

vec3 bright(vec2 uv) {
  vec3 c = min(texture(u_source, uv).rgb, vec3(24.0));
  float top = max(c.r, max(c.g, c.b));
  return c * (max(0.0, top - 0.12) / (top + 0.45));
}

void main() {
  vec2 s = u_step.xy;
  o_colour = vec4(0.25 * (bright(v_uv + s) + bright(v_uv - s) + bright(v_uv + vec2(s.x, -s.y)) +
                          bright(v_uv + vec2(-s.x, s.y))), 0.0);
}
