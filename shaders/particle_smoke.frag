#include "particle_corner.glsl"
// A soft puff, broken up by baked noise that turns with the particle.
uniform sampler2D u_noise;

void main() {
  vec2 p = corner();
  vec2 turned = vec2(p.x * v_axis.x - p.y * v_axis.y, p.x * v_axis.y + p.y * v_axis.x);
  float n = texture(u_noise, turned * 0.22 + v_axis.yx * 0.37).r;
  float round_part = max(0.0, 1.0 - dot(p, p));
  float mask = clamp(round_part * (0.35 + 1.5 * n) - 0.18 * (1.0 - round_part), 0.0, 1.0);
  o_colour = v_colour * (mask * mask * (3.0 - 2.0 * mask));
}
