#include "frame.glsl"
#include "particle.glsl"
// A fast spark as a quad laid along its motion, so that it covers few pixels.
flat out vec4 v_colour;
flat out vec3 v_axis;
out vec2 v_corner;

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  vec2 motion = particle_motion();
  float reach = length(motion) * kStreakSteps;
  vec2 axis = reach > 0.001 ? motion / length(motion) : vec2(1.0, 0.0);
  float size = particle_diameter();
  float width = max(size, 2.0 / u_camera.z);
  float dim = (size * size) / (width * width);
  float whole = width + reach;
  vec2 world = particle_place() - 0.5 * reach * axis;
  // The fragment works in a square of side `whole` around the middle, of which this quad is the middle band.
  float band = width / whole;
  v_corner = vec2(corner.x * axis.x - corner.y * band * axis.y, corner.x * axis.y + corner.y * band * axis.x);
  v_axis = vec3(axis, band);
  v_colour = particle_colour(world) * dim;
  gl_Position = clip_of(world + v_corner * (0.5 * whole));
}
