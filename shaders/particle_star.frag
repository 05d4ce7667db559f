#include "particle_corner.glsl"
// A four-point star with a soft halo.
void main() {
  vec2 p = corner();
  vec2 q = abs(vec2(dot(p, v_axis.xy), p.y * v_axis.x - p.x * v_axis.y));
  vec2 thin = max(vec2(0.0), 1.0 - q.yx * (6.0 + 9.0 * q));
  vec2 reach = max(vec2(0.0), 1.0 - q);
  vec2 ray = thin * thin * reach;
  float d2 = dot(p, p);
  float halo = max(0.0, 1.0 - d2);
  float core = max(0.0, 1.0 - 18.0 * d2);
  o_colour = v_colour * (ray.x + ray.y + core + 0.14 * halo * halo * halo);
}
