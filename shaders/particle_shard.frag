#include "particle_corner.glsl"
// A thin diamond with a bright edge on one side, as a splinter of ice has.
void main() {
  vec2 p = corner();
  float along = dot(p, v_axis.xy);
  float across = p.y * v_axis.x - p.x * v_axis.y;
  float inside = 1.0 - abs(along) * 1.05 - abs(across) * 3.6;
  float body = clamp(inside * 4.0, 0.0, 1.0);
  float facet = across > 0.0 ? 1.0 : 0.45;
  float halo = max(0.0, 1.0 - dot(p, p));
  o_colour = v_colour * (0.72 * body * (facet + 0.5 * max(0.0, inside)) + 0.10 * halo * halo * halo);
}
