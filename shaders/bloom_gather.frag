// What is bright of the picture, into the first small target. Four filtered reads.
// u_step: xy one pixel of the picture in texture coordinates, z pixels a texel, w how far the last row of texels reaches
// below the picture, in pixels.
uniform sampler2D u_source;
uniform vec4 u_step;
layout(location = 0) out vec4 o_colour;

vec3 bright(vec2 uv) {
  vec3 c = min(texture(u_source, uv).rgb, vec3(24.0));
  float top = max(c.r, max(c.g, c.b));
  return c * (max(0.0, top - 0.12) / (top + 0.45));
}

void main() {
  vec2 at = (gl_FragCoord.xy * u_step.z - vec2(0.0, u_step.w)) * u_step.xy;
  vec2 s = u_step.xy * (0.25 * u_step.z);
  o_colour = vec4(0.25 * (bright(at + s) + bright(at - s) + bright(at + vec2(s.x, -s.y)) +
                          bright(at + vec2(-s.x, s.y))), 0.0);
}
