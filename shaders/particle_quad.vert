#include "frame.glsl"
#include "particle.glsl"
// A particle as a quad: large ones, and those at the picture's edge. Drawn as instances of a four-corner strip.
flat out vec4 v_colour;
flat out vec3 v_axis;
out vec2 v_corner;

void main() {
  v_corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  vec2 world = particle_place();
  float size = particle_diameter() * u_camera.z;
  float smallest = max(size, 2.0);
  v_axis = vec3(particle_axis(), 1.0);
  v_colour = particle_colour(world) * ((size * size) / (smallest * smallest));
  gl_Position = clip_of(world + v_corner * (0.5 * smallest / u_camera.z));
}
