#include "frame.glsl"
#include "particle.glsl"
// A particle as an instance of a four-corner strip, decoded from its 16 bytes (frame::ParticleInstance). Below 2 px it
// stays 2 px wide and gets dimmer. A spark is laid along its motion, so that it covers few pixels.
layout(location = 0) in ivec4 a_place;  // xy 1/32 unit, zw motion of the last step
layout(location = 1) in vec4 a_colour;  // linear
layout(location = 2) in uint a_size;    // diameter, 1/64 unit
layout(location = 3) in uvec2 a_look;   // x shape and HDR factor, y angle
uniform vec4 u_step;                    // x 1 in the alpha layer, 0 in the additive one
uniform sampler2D u_light;
flat out uint v_shape;
flat out vec4 v_colour;
flat out vec3 v_axis;  // xy along the particle; z width of a streak as part of its length
out vec2 v_corner;     // -1 to 1 both ways, y down, in the square around the particle's middle

// Steps of motion that a spark's streak adds to its diameter.
const float kStreakSteps = 1.25;

// What the fragment adds, times its mask: light in the additive layer; in the alpha layer premultiplied matter, lit by
// the night and by the spells around it.
vec4 particle_colour(vec2 world) {
  float factor = float(a_look.x >> 3u) * 0.25;
  if (u_step.x < 0.5) return vec4(a_colour.rgb * (factor * 0.62), 0.0);
  vec3 lit = textureLod(u_light, small_of(world), 0.0).rgb;
  return vec4(a_colour.rgb * factor * (vec3(0.09) + 1.1 * lit / (1.0 + 1.6 * lit)) * a_colour.a, a_colour.a);
}

void main() {
  v_shape = min(a_look.x & 7u, kSmoke);
  vec2 motion = vec2(a_place.zw) / 32.0;
  vec2 world = vec2(a_place.xy) / 32.0 - (1.0 - u_camera.w) * motion;
  float size = float(a_size) / 64.0;
  float width = max(size, 2.0 / u_camera.z);
  float whole = width;
  float turn = float(a_look.y) * (6.2831853 / 256.0);
  v_axis = vec3(cos(turn), sin(turn), 1.0);
  v_corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  if (v_shape == kSpark) {
    float speed = length(motion);
    vec2 axis = speed > 0.001 ? motion / speed : vec2(1.0, 0.0);
    whole += speed * kStreakSteps;
    world -= 0.5 * (whole - width) * axis;
    // The fragment works in a square of side `whole`, of which this quad is the middle band.
    v_axis = vec3(axis, width / whole);
    float across = v_corner.y * v_axis.z;
    v_corner = vec2(v_corner.x * axis.x - across * axis.y, v_corner.x * axis.y + across * axis.x);
  }

  // What has no size or lies outside becomes a quad without an area.
  if (a_size == 0u || any(greaterThan(abs(world - u_camera.xy), u_view.xy + 0.5 * whole))) {
    v_colour = vec4(0.0);
    gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
    return;
  }
  v_colour = particle_colour(world) * ((size * size) / (width * width));
  gl_Position = clip_of(world + v_corner * (0.5 * whole));
}
