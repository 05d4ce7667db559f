#include "particle_corner.glsl"
// A small sharp core in a soft halo.
void main() {
  vec2 p = corner();
  float d2 = dot(p, p);
  float halo = max(0.0, 1.0 - d2);
  float core = max(0.0, 1.0 - 9.0 * d2);
  o_colour = v_colour * (0.22 * halo * halo * halo + core * (2.0 - core));
}
