#include "frame.glsl"
#include "particle.glsl"
// A particle as a point. Below 2 px it stays 2 px wide and gets dimmer.
flat out vec4 v_colour;
flat out vec3 v_axis;  // xy along the particle; z width of a streak as part of the point

void main() {
  vec2 world = particle_place();
  float size = particle_diameter() * u_camera.z;
  float smallest = max(size, 2.0);
  float dim = (size * size) / (smallest * smallest);
#ifdef SPARK
  vec2 motion = particle_motion();
  float reach = length(motion) * kStreakSteps;
  v_axis.xy = reach > 0.001 ? motion / length(motion) : vec2(1.0, 0.0);
  world -= 0.5 * reach * v_axis.xy;
  float whole = smallest + reach * u_camera.z;
  v_axis.z = max(smallest, 2.0) / whole;
  smallest = whole;
#else
  v_axis = vec3(particle_axis(), 1.0);
#endif
  v_colour = particle_colour(world) * dim;
  gl_Position = clip_of(world);
  gl_PointSize = smallest;
}
