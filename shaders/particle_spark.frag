#include "particle_corner.glsl"
// A streak along the motion: thin, brightest near its head.
void main() {
  vec2 p = corner();
  float along = dot(p, v_axis.xy);
  float across = (p.y * v_axis.x - p.x * v_axis.y) / v_axis.z;
  float body = 1.0 - v_axis.z;  // Half length of the straight part.
  float over = max(0.0, abs(along) - body) / v_axis.z;
  float d2 = across * across + over * over;
  float taper = 0.30 + 0.70 * clamp(0.5 + 0.5 * along, 0.0, 1.0);
  float halo = max(0.0, 1.0 - d2);
  float core = max(0.0, 1.0 - 8.0 * d2 / (taper * taper));
  o_colour = v_colour * ((0.20 * halo * halo + core * (2.0 - core)) * taper * taper);
}
